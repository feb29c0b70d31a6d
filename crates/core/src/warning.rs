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
    /// A symmetry of the gold exchanges records of a scope: their bijection is one of several that score the same.
    AmbiguousBijection {
        /// The scope's name.
        scope: String,
        /// How many of its gold records can be exchanged with another.
        records: usize,
    },
    /// The search for the best bijections ended at its budget (see [`Options::budget`](crate::Options::budget)): a better
    /// score may exist.
    BudgetExhausted {
        /// Whether the score is at least independent of identifiers and order: the canonical forms were found.
        canonical: bool,
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
    /// A stable name for programs: `ignored_keyword`, `undeclared_key`, `ambiguous_bijection`,
    /// `budget_exhausted`, `invalid_candidate`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::IgnoredKeyword { .. } => "ignored_keyword",
            Self::UndeclaredKey { .. } => "undeclared_key",
            Self::AmbiguousBijection { .. } => "ambiguous_bijection",
            Self::BudgetExhausted { .. } => "budget_exhausted",
            Self::InvalidCandidate { .. } => "invalid_candidate",
        }
    }

    /// JSON Pointer to the place: into the schema, the gold or the candidate, as the kind says; empty for what concerns the
    /// whole pair.
    pub fn path(&self) -> &str {
        match self {
            Self::IgnoredKeyword { path, .. } | Self::UndeclaredKey { path } | Self::InvalidCandidate { path, .. } => {
                path
            }
            Self::AmbiguousBijection { .. } | Self::BudgetExhausted { .. } => "",
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
            Self::AmbiguousBijection { scope, records } => {
                write!(
                    f,
                    "scope {scope:?}: {records} records are interchangeable; their pairing is one of several equals"
                )
            }
            Self::BudgetExhausted { canonical } => write!(
                f,
                "the search for the best bijection ended at its budget; a better score may exist{}",
                if *canonical { "" } else { ", and this one may depend on the order of the records" }
            ),
            Self::InvalidCandidate { reason, .. } => write!(f, "candidate {path}: {reason}"),
        }
    }
}
