//! Runs the scorer over files of pairs: rows in, outcomes out, in parallel and in order, in flat memory.
//!
//! Nothing here prints, reads a clock or looks at the environment: readers and writers are handed in.
//!
//! | room | what |
//! |---|---|
//! | [`scoring`] | pairs of documents to scores: rows, the runner, and the three forms of output |
//! | [`probes`] | invariance, sensitivity, order: scores of pairs to figures |
//! | [`scd`] | completions of tasks to structure and content, measured apart |
//! | [`statistics`] | AUROC, rank correlations, bootstrap intervals |

mod chunks;
pub mod probes;
pub mod scd;
pub mod scoring;
pub mod statistics;
