//! What a run amounts to, as data and as text. Nothing here prints.
//!
//! | room | what |
//! |---|---|
//! | [`diff`] | two documents side by side |
//! | [`digest`] | the summaries of probes, to read in a terminal |
//! | [`figures`] | figures as SVG and PNG |
//! | [`scd`] | the study of Structure-Content Decomposition, from nothing to figures |
//! | [`study`] | the intrinsic study, from nothing to figures |
//! | [`table`] | tables as Markdown, LaTeX and CSV |
//! | [`summary`] | the distribution of the scores of a run, in fixed memory |

pub mod diff;
pub mod digest;
pub mod figures;
pub mod scd;
pub mod study;
pub mod summary;
pub mod table;
