//! What a run amounts to, as data and as text. Nothing here prints.
//!
//! | room | what |
//! |---|---|
//! | [`figures`] | figures as SVG and PNG |
//! | [`table`] | tables as Markdown, LaTeX and CSV |
//! | [`summary`] | the distribution of the scores of a run, in fixed memory |

pub mod figures;
pub mod summary;
pub mod table;
