//! Scoring many pairs.
//!
//! Data flows one way: lines -> [`row`] -> [`runner`] -> [`outcome`] -> [`sink`].
//!
//! | room | what |
//! |---|---|
//! | [`json`] | JSON texts, with errors that a person can find the place of |
//! | [`row`] | one line: `id`, `gold`, `pred`, and `schema` where the row brings its own |
//! | [`plans`] | schema texts to plans, each distinct text once |
//! | [`runner`] | lines to outcomes: chunks, threads, order |
//! | [`outcome`] | what became of one row |
//! | [`sink`] | outcomes to bytes: the formats behind one trait, and JSON lines |
//! | [`patch`] | repairs read back, from wherever they were written |
//! | [`table`] | outcomes to CSV and Parquet |

pub mod json;
pub mod outcome;
pub mod patch;
mod plans;
pub mod row;
pub mod runner;
pub mod sink;
mod table;
