//! Exact mode: what repairs recover when the repaired candidate is scored again (*Object Aligner*, section III-F).
//!
//! A [`Repair`]'s delta holds under the pairing behind the score. Applying an operation may change the pairing: the score
//! maximises the total over each list, not the quotient, so that what an operation truly recovers can be more, less, and
//! even below 0. One alignment an operation.

use super::Repair;
use super::apply::{ApplyError, step};
use crate::align::{AlignError, Aligner};
use serde_json::Value;

/// Why repairs cannot be scored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// The pair cannot be aligned.
    #[error(transparent)]
    Align(#[from] AlignError),
    /// The repairs are not for this candidate.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}

impl Aligner<'_> {
    /// The score after each of the repairs, applied one after the other: entry k is the score after the first k, so the
    /// first is that of the candidate itself, and with all repairs of a pair the last is 1.
    ///
    /// Scored under the options of this aligner: with [`Invalid::Zero`](crate::Invalid::Zero), what does not fit its schema
    /// on the way scores 0.
    ///
    /// # Errors
    ///
    /// The gold is refused, or the repairs do not fit the candidate.
    pub fn exact_scores(
        &mut self,
        gold: &Value,
        candidate: &Value,
        repairs: &[Repair],
    ) -> Result<Vec<f64>, ExactError> {
        let mut scores = vec![self.align(gold, candidate)?.score()];
        let mut document = candidate.clone();
        for (index, repair) in repairs.iter().enumerate() {
            step(&mut document, repair).map_err(|(path, reason)| ApplyError {
                number: index + 1,
                op: repair.op,
                path: path.to_owned(),
                reason,
            })?;
            scores.push(self.align(gold, &document)?.score());
        }
        Ok(scores)
    }

    /// What each of the repairs recovers when they are applied one after the other and scored again; compare with
    /// [`Repair::delta`]. With all repairs of a pair they sum to 1 less its score, too.
    ///
    /// # Errors
    ///
    /// As for [`Aligner::exact_scores`].
    ///
    /// ```
    /// use objalign_core::{Aligner, Plan, RepairOptions};
    /// use serde_json::json;
    ///
    /// let plan = Plan::compile(&json!({"type": "array", "items": {"type": "string"}}))?;
    /// let mut aligner = Aligner::new(&plan);
    /// let (gold, candidate) = (json!(["abcd"]), json!(["abcx", "zz"]));
    /// let repairs = aligner.align(&gold, &candidate)?.repairs(&RepairOptions::new());
    /// let deltas = aligner.exact_deltas(&gold, &candidate, &repairs)?;
    /// // Half of the score for the item too many; but with it gone, the other counts in full.
    /// assert_eq!(repairs[0].delta, 0.5);
    /// assert!(deltas[0] < 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact_deltas(
        &mut self,
        gold: &Value,
        candidate: &Value,
        repairs: &[Repair],
    ) -> Result<Vec<f64>, ExactError> {
        let scores = self.exact_scores(gold, candidate, repairs)?;
        Ok(scores.windows(2).map(|pair| pair[1] - pair[0]).collect())
    }
}
