//! How to align.

use super::confidence::Confidence;
use super::resolve::{DEFAULT_BUDGET, Structure};

/// What to do with a candidate that does not fit its schema. Either way the result carries a warning that names the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Invalid {
    /// It scores 0.
    #[default]
    Zero,
    /// It is scored for what it is worth.
    Score,
}

/// How to align.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// What to do with a candidate that does not fit its schema.
    pub invalid: Invalid,
    /// Whether, and how, to measure how clear each pairing was. Never changes a score.
    pub confidence: Option<Confidence>,
    /// How the structure of references takes part in pairing records.
    pub structure: Structure,
    /// How many expansions the search for the best bijections may make: evaluations of a bound on the score. Only pairs
    /// whose records attributes alone cannot tell apart are searched at all, and copies are recognised before. When the
    /// budget ends a search the result says so ([`Warning::BudgetExhausted`](crate::Warning::BudgetExhausted)), and is still independent of identifiers and
    /// of the order of records. The default is 2,000.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { invalid: Invalid::Zero, confidence: None, structure: Structure::TieBreak, budget: DEFAULT_BUDGET }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what to do with invalid candidates.
    #[must_use]
    pub fn invalid(mut self, invalid: Invalid) -> Self {
        self.invalid = invalid;
        self
    }

    /// Sets how the structure of references takes part.
    #[must_use]
    pub fn structure(mut self, structure: Structure) -> Self {
        self.structure = structure;
        self
    }

    /// Sets the search budget, in expansions.
    #[must_use]
    pub fn budget(mut self, budget: u64) -> Self {
        self.budget = budget;
        self
    }

    /// Asks for the confidence of each pairing.
    #[must_use]
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = Some(confidence);
        self
    }
}
