//! The command end to end, through the built binary.

mod diff;
mod pair;
mod pairs;
mod scd;
mod support;
