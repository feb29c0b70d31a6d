//! What a run amounts to, as data and as text. Nothing here prints.
//!
//! | room | what |
//! |---|---|
//! | [`summary`] | the distribution of the scores of a run, in fixed memory |

pub mod summary;
