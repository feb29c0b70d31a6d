//! The command end to end, through the built binary.

mod apply;
mod datasets;
mod diff;
mod examples;
mod feedback;
mod pair;
mod pairs;
mod probe;
mod reproduce;
mod scd;
mod support;
