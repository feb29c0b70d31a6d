//! The command end to end, through the built binary.

mod pair;
mod pairs;
mod probe;
mod reproduce;
mod support;
