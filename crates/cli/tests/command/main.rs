//! The command end to end, through the built binary.

mod datasets;
mod pair;
mod pairs;
mod support;
