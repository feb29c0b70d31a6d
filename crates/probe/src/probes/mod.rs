//! The three questions that are put to a score: does it stay when nothing changed, does it fall when something did, does it
//! tell a little disorder from much.
//!
//! Pairs are read and scored a chunk at a time; what stays of a row is what it says about itself and a score by each scorer.
//! The figures are computed from these alone.
//!
//! | room | what |
//! |---|---|
//! | [`rows`] | a line of a pairs file: documents, and what was done to them |
//! | [`scorers`] | what gives a score: schemas, exact match, Kendall's tau |
//! | [`bundled`] | the scorers of the paper's probes |
//! | [`scored`] | pairs to scores, in parallel and in order |
//! | [`table`] | scores as CSV and Parquet |
//! | [`figure`] | a value with its interval, or the reason why there is none |
//! | [`sample`] | rows in their golds, and the estimates that are wanted of them |
//! | [`invariance`] | copies: mean, spread, variance within a gold |
//! | [`sensitivity`] | damage by operation and dose |
//! | [`order`] | disorder by Kendall distance, and lists that are too short or too long |

pub mod bundled;
pub mod figure;
pub mod invariance;
pub mod order;
pub mod rows;
pub(crate) mod sample;
pub mod scored;
pub mod scorers;
pub mod sensitivity;
pub mod table;
