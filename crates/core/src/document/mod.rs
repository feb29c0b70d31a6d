//! Documents as the aligner sees them: a compact arena.
//!
//! A pair of documents is loaded into one [`Arena`]; from there on nothing looks at a `serde_json::Value` again. Two
//! things make the alignment fast and exact:
//!
//! - strings are interned, so a comparison of two keys or two leaves starts with two integers;
//! - values are numbered: equal values, at any place of either document, carry the same [`Class`]. Equality of whole
//!   subtrees is one comparison of integers, and it is equality, not a hash that happens to agree.

mod arena;
mod leaves;
mod load;
mod number;
mod shapes;
mod strings;

pub(crate) use arena::{Arena, Class, Kind, Node, NodeId, Slot};
pub(crate) use load::LoadError;
pub(crate) use number::Number;
pub(crate) use strings::StringId;
