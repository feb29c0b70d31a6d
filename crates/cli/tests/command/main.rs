//! The command end to end, through the built binary.

mod datasets;
mod diff;
mod pair;
mod pairs;
mod probe;
mod reproduce;
mod scd;
mod support;
