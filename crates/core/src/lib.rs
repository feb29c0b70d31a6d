//! A deterministic, schema-driven similarity of JSON values in [0, 1], with the match tree behind it.
//!
//! A JSON Schema, with a few keywords more, says how two documents are to be compared: which comparator for which leaf, which
//! list is ordered, what weighs how much. [`Plan::compile`] turns it into a plan; an [`Aligner`] compares pairs of documents
//! under the plan; an [`Alignment`] is the result: the score, what was paired with what, and every warning.
//!
//! ```
//! use objalign_core::{Aligner, Plan};
//! use serde_json::json;
//!
//! let plan = Plan::compile(&json!({
//!     "type": "array",
//!     "order": "align",
//!     "items": {"type": "string", "score": "exact"}
//! }))?;
//! let mut aligner = Aligner::new(&plan);
//! let alignment = aligner.align(&json!(["red", "green"]), &json!(["green", "blue", "red"]))?;
//! assert_eq!(alignment.score(), 2.0 / 3.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | what is wanted | call | cost |
//! |---|---|---|
//! | the score, and warnings | [`Aligner::score`] | loading, checking, matching |
//! | many candidates of one gold (a group of completions to be rewarded) | [`Aligner::gold`], then [`Gold::score`] | the gold is loaded and checked once |
//! | what was paired with what, repairs, feedback | [`Aligner::align`] | and the match tree: a third more |
//!
//! All give the same score, to the last bit.
//!
//! The method is that of the paper *Object Aligner*; where this crate is stricter, the documentation says so. The same
//! inputs give the same bits: for any thread count, on any platform, in any order of keys, and of items where the schema
//! says that their order does not count.
//!
//! Data flows one way: schema -> plan; documents -> arena -> match tree -> score, warnings, confidence, explanation.

mod align;
mod assignment;
mod compare;
mod document;
mod feedback;
mod fixed;
mod graph;
mod pointer;
mod reference;
mod repair;
pub mod scd;
mod schema;
mod view;
mod warning;

pub use align::{
    AlignError, Aligner, Alignment, Confidence, Gold, Invalid, MatchKind, MatchRef, Options, Score, Side, Structure,
};
pub use compare::custom::{Comparator, Comparators};
pub use feedback::{FeedbackOptions, References, Style, TemplateError, Templates};
pub use repair::{ApplyError, ExactError, Granularity, Rank, Repair, RepairKind, RepairOp, RepairOptions, apply};
pub use schema::{Description, NodeDescription, Plan, SchemaError, SchemaErrors, SourceError, parse_schema};
pub use view::Palette;
pub use warning::Warning;

/// How deep a document or a schema may nest. The bound is that of `serde_json`'s own parser, so that a text that parses
/// also loads; it is what keeps recursion over documents safe.
pub const MAX_DEPTH: usize = 127;
