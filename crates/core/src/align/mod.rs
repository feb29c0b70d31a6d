//! Alignment: two documents under a plan, into a match tree (*Object Aligner*, section III).
//!
//! | room | what |
//! |---|---|
//! | [`aligner`] | the public entry: load, validate, align |
//! | [`engine`] | one node against one node: the dispatch of Algorithm 1 |
//! | [`leaf`] | strings, numbers, booleans |
//! | [`sequence`] | lists and tuples |
//! | [`unordered`] | lists in any order, without scoring the pairs that cannot matter |
//! | [`bound`] | what a pair can score at most |
//! | [`map`] | objects: keys decide who is compared with whom |
//! | [`union`] | which alternative of an `anyOf` speaks for a pair |
//! | [`reference`] | references, compared through the bijections |
//! | [`resolve`] | from two documents to the bijections |
//! | [`trace`] | the score as a function of the bijections |
//! | [`tree`] | the match tree: what was paired with what |
//! | [`confidence`] | how clear each choice of a pair was |
//! | [`validity`] | does a document fit its schema, and if not, where |

mod aligner;
mod bound;
mod confidence;
mod engine;
mod leaf;
mod map;
mod reference;
mod resolve;
mod sequence;
mod trace;
mod tree;
mod union;
mod unordered;
pub(crate) mod validity;

pub use aligner::{AlignError, Aligner, Alignment, Invalid, Options, Side};
pub use confidence::Confidence;
pub use resolve::Structure;
pub(crate) use tree::Match;
pub use tree::{MatchKind, MatchRef};
