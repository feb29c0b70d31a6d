//! The intrinsic study, from nothing to figures.
//!
//! Data flows one way, through files in the study's folder: golds -> pairs -> scores -> findings -> tables, figures, page. Each file
//! is made again only when what it is made of has changed.
//!
//! | room | what |
//! |---|---|
//! | [`config`] | what drives a study, key by key |
//! | [`run`] | the steps |
//! | [`make`] | golds and pairs |
//! | [`findings`] | what the probes found |
//! | [`published`] | the figures of the paper, beside ours |
//! | [`tables`] | the tables |
//! | [`pictures`] | the figures |
//! | [`page`] | all of it on one page |
//! | [`sweep`] | many studies, one for each point of a grid |
//!
//! And what [other studies](crate::scd) use as well:
//!
//! | room | what |
//! |---|---|
//! | [`settings`] | configs as files, over defaults |
//! | [`watch`] | how a study goes on |
//! | [`cache`] | what is up to date |
//! | [`exhibits`] | tables and figures as files |
//! | [`frame`] | the page they are put on |
//!
//! Source: *Object Aligner*, section V-A and appendix C.

pub(crate) mod cache;
pub mod config;
pub(crate) mod exhibits;
pub mod findings;
pub(crate) mod frame;
mod make;
mod page;
mod pictures;
pub mod published;
pub mod run;
pub mod settings;
pub mod sweep;
mod tables;
pub mod watch;

use std::io;
use std::path::{Path, PathBuf};

/// Why a study came to no end. What was finished before is kept, and not done again.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The config is wrong.
    #[error(transparent)]
    Config(#[from] settings::ConfigError),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not what an earlier step made.
    #[error("{}: {reason}; remove it and run again", path.display())]
    Spoilt {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A pair could not be scored: the generators and the schemas do not fit.
    #[error("{}: {reason}", path.display())]
    Pair {
        /// The file of pairs.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] crate::figures::drawing::RenderError),
}

impl StudyError {
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }

    pub(crate) fn spoilt(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Spoilt { path: path.to_owned(), reason: reason.to_string() }
    }
}
