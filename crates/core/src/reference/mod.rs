//! Referential alignment: records that carry identifiers, references that point at them, and the bijection between the
//! records of gold and candidate under which references are compared (*Object Aligner*, section III-E).
//!
//! | room | what |
//! |---|---|
//! | [`records`] | a document's records and references, and what is wrong with them |
//! | [`bijections`] | the state that the aligner asks when it meets a reference |
//! | [`structure`] | a document as a coloured graph: equal up to renaming and shuffling exactly when isomorphic |
//! | [`program`] | the score of a pair as a function of the bijections, with upper bounds |
//! | [`bounds`] | those bounds, kept up to date while decisions come and go |
//! | [`search`] | the best bijections: exact where the tie sets can be searched through, bounded work where not |
//!
//! The aligner's `resolve` puts them together: from two documents to the bijections.
//!
//! **The order of things.** Scopes are resolved so that a scope follows those its records refer to. The records of a scope
//! are compared with its own identifier and every reference into an unresolved scope counted as right; the assignments of
//! largest total are the scope's *tie set*. Mostly it holds one assignment, and that is the bijection. Where it holds more,
//! both documents are brought into canonical order, so that nothing depends on how they were written; equal canonical
//! forms are copies of each other, and score 1. Otherwise the score is maximised over the tie sets by branch and bound.

pub(crate) mod bijections;
mod bounds;
pub(crate) mod program;
pub(crate) mod records;
pub(crate) mod search;
pub(crate) mod structure;
