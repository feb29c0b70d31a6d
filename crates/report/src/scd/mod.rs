//! The study of Structure-Content Decomposition, from nothing to figures.
//!
//! Data flows one way, through files in the study's folder: tasks -> completions of simulated models -> measures -> findings -> tables,
//! figures, page; beside it the two probes of the measures themselves, and the published tables. Each file is made again only when
//! what it is made of has changed.
//!
//! | room | what |
//! |---|---|
//! | [`config`] | what drives it, key by key |
//! | [`run`] | the steps |
//! | [`findings`] | what it found |
//! | [`published`] | the tables of the paper, and whether they agree with themselves |
//! | `tables`, `pictures`, `page` | what is to be read and looked at |
//!
//! Source: *Where vs What*, sections 4 and 5, appendices D and E.

pub mod config;
pub mod findings;
mod page;
mod pictures;
pub mod published;
pub mod run;
mod tables;
