//! What became of one row.

use super::row::Id;
use objalign_core::{Alignment, FeedbackOptions, RepairOptions, Score, Warning};
use serde_json::value::{RawValue, to_raw_value};

/// What an outcome carries beside the score, for rows that were scored.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// The match tree.
    pub explain: bool,
    /// What to change, in words.
    pub feedback: Option<FeedbackOptions>,
    /// The operations that repair the candidate.
    pub repairs: Option<RepairOptions>,
}

/// What became of one row: a score, or an error.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The row's id; `None` if it has none or if the line could not be read.
    pub id: Option<Id>,
    /// The score; `None` exactly where there is an error.
    pub score: Option<f64>,
    /// Whether the score is 0 because the candidate does not fit its schema.
    pub rejected: bool,
    /// What there is to say about the pair, and about the schema where the row brought its own.
    pub warnings: Vec<Warning>,
    /// Why there is no score; names the line.
    pub error: Option<String>,
    /// The mean confidence over matched pairs, where it was asked for.
    pub confidence: Option<f64>,
    /// The match tree as JSON, where it was asked for.
    pub explain: Option<Box<RawValue>>,
    /// What to change, in words, where it was asked for.
    pub feedback: Option<String>,
    /// The operations that repair the candidate, a JSON list in the order to apply them, where they were asked for.
    pub repairs: Option<Box<RawValue>>,
}

impl Extras {
    /// Whether there are any: without, a row needs no match tree.
    pub(super) fn any(&self) -> bool {
        self.explain || self.feedback.is_some() || self.repairs.is_some()
    }
}

impl Outcome {
    /// The outcome of a row that was scored, with the warnings about the pair alone.
    ///
    /// # Errors
    ///
    /// What is asked for beside the score cannot be written as JSON.
    pub fn scored(id: Option<Id>, alignment: &Alignment<'_>, extras: &Extras) -> Result<Self, serde_json::Error> {
        let repairs = extras.repairs.map(|options| to_raw_value(&alignment.repairs(&options)));
        Ok(Self {
            id,
            score: Some(alignment.score()),
            rejected: alignment.is_rejected(),
            warnings: alignment.pair_warnings().to_vec(),
            error: None,
            confidence: alignment.confidence(),
            explain: extras.explain.then(|| to_raw_value(&alignment.explain())).transpose()?,
            feedback: extras.feedback.as_ref().map(|options| alignment.feedback(options)),
            repairs: repairs.transpose()?,
        })
    }

    /// The outcome of a row of which nothing but the score was asked.
    pub fn bare(id: Option<Id>, score: &Score<'_>) -> Self {
        Self {
            score: Some(score.score()),
            rejected: score.is_rejected(),
            warnings: score.pair_warnings().to_vec(),
            ..Self::empty(id)
        }
    }

    /// The outcome of a row that could not be scored.
    pub fn failed(id: Option<Id>, error: String) -> Self {
        Self { error: Some(error), ..Self::empty(id) }
    }

    fn empty(id: Option<Id>) -> Self {
        Self {
            id,
            score: None,
            rejected: false,
            warnings: Vec::new(),
            error: None,
            confidence: None,
            explain: None,
            feedback: None,
            repairs: None,
        }
    }
}
