//! Why a pair cannot be aligned.

use crate::MAX_DEPTH;
use crate::pointer;
use std::fmt;

/// One of the two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The reference.
    Gold,
    /// What is scored.
    Candidate,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gold => "gold",
            Self::Candidate => "candidate",
        })
    }
}

/// Why a pair cannot be aligned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AlignError {
    /// The gold does not fit its schema: no score against it would mean anything.
    #[error("gold {}: {reason}", pointer::shown(path))]
    InvalidGold {
        /// JSON Pointer to the place.
        path: String,
        /// What the schema asks for there.
        reason: String,
    },
    /// Two records of a scope have the same identifier.
    #[error("gold {path}: the scope {scope:?} has a record of this identifier at {first} already")]
    DuplicateId {
        /// The scope's name.
        scope: String,
        /// JSON Pointer to the second identifier.
        path: String,
        /// JSON Pointer to the first.
        first: String,
    },
    /// A reference means no record.
    #[error("gold {path}: no record of the scope {scope:?} has this identifier")]
    DanglingReference {
        /// The scope's name.
        scope: String,
        /// JSON Pointer to the reference.
        path: String,
    },
    /// A document is nested deeper than [`MAX_DEPTH`].
    #[error("{side} {}: nested deeper than {MAX_DEPTH} levels", shortened(path))]
    TooDeep {
        /// Which document.
        side: Side,
        /// JSON Pointer to the first value that is too deep.
        path: String,
    },
    /// A document has more than 2^32 values.
    #[error("{side}: more than 4294967295 values")]
    TooLarge {
        /// Which document.
        side: Side,
    },
}

/// A path of a hundred steps helps nobody.
fn shortened(path: &str) -> String {
    match path.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &path[..at]),
        None => path.to_owned(),
    }
}
