//! Two documents side by side: what was paired with what, and what each difference costs.
//!
//! | room | what |
//! |---|---|
//! | [`rows`] | the match tree as rows of two cells |
//! | [`terminal`] | the rows as text in two columns |
//! | [`page`] | the rows as one self-contained HTML page |

pub mod page;
pub mod rows;
pub mod terminal;
