//! What a result wants to say beside its score. Warnings are data; nothing is ever printed.

use crate::pointer;
use std::fmt;

/// One warning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Warning {
    /// A keyword of the schema that has no effect where it stands.
    IgnoredKeyword {
        /// Pointer to the keyword in the schema.
        path: String,
        /// Why it has no effect.
        reason: String,
    },
    /// A key of the gold that the schema does not declare: its value was compared by the defaults of its type, weight 1.
    UndeclaredKey {
        /// Pointer into the gold.
        path: String,
    },
    /// The candidate does not fit the schema; whether that makes the score 0 is an option
    /// (see [`Invalid`](crate::Invalid)).
    InvalidCandidate {
        /// Pointer into the candidate.
        path: String,
        /// What the schema asks for there.
        reason: String,
    },
}

impl Warning {
    /// A stable name for programs: `ignored_keyword`, `undeclared_key`, `invalid_candidate`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::IgnoredKeyword { .. } => "ignored_keyword",
            Self::UndeclaredKey { .. } => "undeclared_key",
            Self::InvalidCandidate { .. } => "invalid_candidate",
        }
    }

    /// JSON Pointer to the place: into the schema, the gold or the candidate, as the kind says.
    pub fn path(&self) -> &str {
        match self {
            Self::IgnoredKeyword { path, .. } | Self::UndeclaredKey { path } | Self::InvalidCandidate { path, .. } => {
                path
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = pointer::shown(self.path());
        match self {
            Self::IgnoredKeyword { reason, .. } => write!(f, "schema {path}: ignored: {reason}"),
            Self::UndeclaredKey { .. } => {
                write!(f, "gold {path}: the schema does not declare this key; compared by the defaults of its type")
            }
            Self::InvalidCandidate { reason, .. } => write!(f, "candidate {path}: {reason}"),
        }
    }
}
