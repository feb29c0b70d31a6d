//! Alignment: two documents under a plan, into a match tree (*Object Aligner*, section III).
//!
//! | room | what |
//! |---|---|
//! | [`aligner`] | the public entry: load, validate, align |
//! | [`options`], [`error`] | how to align, and why a pair cannot be |
//! | [`alignment`] | the result for a pair, with its match tree or without |
//! | [`engine`] | one node against one node: the dispatch of Algorithm 1 |
//! | [`leaf`] | strings, numbers, booleans |
//! | [`sequence`] | lists and tuples |
//! | [`unordered`] | lists in any order, without scoring the pairs that cannot matter |
//! | [`bound`] | what a pair can score at most |
//! | [`map`] | objects: keys decide who is compared with whom |
//! | [`union`] | which alternative of an `anyOf` speaks for a pair |
//! | [`undeclared`] | may the gold hold keys of which the schema says nothing |
//! | [`reference`] | references, compared through the bijections |
//! | [`resolve`] | from two documents to the bijections |
//! | [`trace`] | the score as a function of the bijections |
//! | [`tree`] | the match tree: what was paired with what |
//! | [`confidence`] | how clear each choice of a pair was |
//! | [`validity`] | does a document fit its schema, and if not, where |

mod aligner;
mod alignment;
mod bound;
mod confidence;
mod engine;
mod error;
mod leaf;
mod map;
mod options;
mod reference;
mod resolve;
mod sequence;
mod trace;
mod tree;
mod undeclared;
mod union;
mod unordered;
pub(crate) mod validity;

pub use aligner::{Aligner, Gold};
pub use alignment::{Alignment, Score};
pub use confidence::Confidence;
pub use error::{AlignError, Side};
pub use options::{Invalid, Options};
pub use resolve::Structure;
pub(crate) use tree::Match;
pub use tree::{MatchKind, MatchRef};
