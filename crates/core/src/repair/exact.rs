//! Exact mode: what repairs recover when the repaired candidate is scored again (*Object Aligner*, section III-F).
//!
//! A [`Repair`]'s delta holds under the pairing behind the score. Applying an operation may change the pairing: the score
//! maximises the total over each list, not the quotient, so that what an operation truly recovers can be more, less, and
//! even below 0. One alignment an operation.
//!
//! How often both agree (to 1e-9), and how often the operation recovers more than its delta says, by kind, over the 1,364
//! imperfect pairs of 2,272 conformance rows; each operation in its turn, candidates scored for what they are worth. The
//! command is `cargo run --release -p objalign-core --example exact_deltas -- FILE...`; on the 607 rows that are kept in
//! `crates/core/tests/data/*.jsonl` (385 imperfect pairs) it gives much the same, `item_remove` 37.8 %, `item_add` 75.2 %.
//!
//! | kind | operations | the same | more | the score falls | mean distance |
//! |---|---|---|---|---|---|
//! | `key_rename` | 46 | 93.5 % | 6.5 % | 0 | 0.0000 |
//! | `ref_fix` | 483 | 86.3 % | 12.6 % | 0.8 % | 0.0009 |
//! | `type_replace` | 14 | 85.7 % | 14.3 % | 0 | 0.0055 |
//! | `null_replace` | 30 | 83.3 % | 16.7 % | 0 | 0.0008 |
//! | `key_add` | 518 | 81.7 % | 18.3 % | 0 | 0.0053 |
//! | `primitive_replace` | 1,649 | 78.6 % | 21.4 % | 0 | 0.0024 |
//! | `ref_unresolved` | 220 | 76.8 % | 23.2 % | 0 | 0.0012 |
//! | `item_add` | 891 | 74.6 % | 24.4 % | 0 | 0.0054 |
//! | `item_move` | 15 | 46.7 % | 26.7 % | 0 | 0.0177 |
//! | `item_remove` | 890 | 43.6 % | 15.4 % | 0 | 0.0127 |
//! | `key_remove` | 161 | 21.7 % | 11.8 % | 0 | 0.0299 |
//!
//! What goes is charged too much: with an entry less, all that stays counts for more, the rest of what is wrong as well.
//! What comes later in the list makes up for it.

use super::Repair;
use super::apply::{ApplyError, step};
use crate::align::{AlignError, Aligner, Alignment};
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

impl Alignment<'_> {
    /// Gives the first few repairs of this pair the deltas that they have when they are applied.
    pub(crate) fn exactly(&self, repairs: &mut [Repair]) {
        let (Some(gold), Some(candidate)) = (self.root().gold_value(), self.root().candidate_value()) else { return };
        let mut aligner = Aligner::with_options(self.plan(), self.options());
        // Neither can fail: the gold was accepted before, and repairs fit the candidate that they are of.
        if let Ok(deltas) = aligner.exact_deltas(&gold, &candidate, repairs) {
            for (repair, delta) in repairs.iter_mut().zip(deltas) {
                repair.delta = delta;
            }
        }
    }
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
            step(&mut document, repair, index + 1)?;
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
