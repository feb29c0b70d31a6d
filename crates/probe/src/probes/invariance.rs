//! Copies of golds under other identifiers, or in another order: what says the same must score the same.
//!
//! The variance within a gold is the diagnostic: a score that depends on arbitrary identifiers spreads over copies that differ
//! in nothing else. It is the mean squared distance of a gold's copies from their mean.
//!
//! **Source.** *Object Aligner*, section V-A, "Invariance to relabeling".

use super::figure::{Figure, Named};
use super::sample::{Questions, Sample, Ticket};
use super::scored::Scored;
use crate::statistics::bca::Bootstrap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the copies score, by scorer.
pub type Invariance = Named<Of>;

/// What the copies score under one scorer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Of {
    /// How many pairs have a score.
    pub pairs: usize,
    /// The mean score.
    pub mean: Figure,
    /// The standard deviation of the scores.
    pub sd: Figure,
    /// The least score.
    pub min: Figure,
    /// The greatest score.
    pub max: Figure,
    /// The variance within a gold, averaged over golds.
    pub mean_gold_variance: Figure,
    /// The greatest variance within a gold.
    pub max_gold_variance: Figure,
}

/// The figures of these rows.
pub fn summary(scored: &Scored, bootstrap: Bootstrap) -> Invariance {
    let sample = Sample::new(scored.good().map(|(row, _)| row.gold));
    let mut questions = Questions::default();
    let mut asked = Vec::new();
    for (at, name) in scored.scorers.iter().enumerate() {
        let scores: Vec<f64> = scored.good().map(|(_, scores)| scores[at]).collect();
        let variances = gold_variances(scored, at);
        let golds = Sample::new(variances.keys().copied());
        let variances: Vec<f64> = variances.into_values().collect();
        let tickets =
            [questions.mean(&sample, &scores), questions.spread(&sample, &scores), questions.mean(&golds, &variances)];
        asked.push((name.clone(), scores, variances, tickets));
    }
    let answers = questions.answer(bootstrap);
    let of = |(name, scores, variances, [mean, sd, variance]): (String, Vec<f64>, Vec<f64>, [Ticket; 3])| {
        let extreme = |value: Option<f64>| match value {
            Some(value) => Figure::plain(value, "no interval: an extreme"),
            None => Figure::none("there are no rows"),
        };
        let of = Of {
            pairs: scores.len(),
            mean: answers.get(mean),
            sd: answers.get(sd),
            min: extreme(scores.iter().copied().reduce(f64::min)),
            max: extreme(scores.iter().copied().reduce(f64::max)),
            mean_gold_variance: answers.get(variance),
            max_gold_variance: extreme(variances.iter().copied().reduce(f64::max)),
        };
        (name, of)
    };
    asked.into_iter().map(of).collect()
}

/// The variance of the scores of each gold.
fn gold_variances(scored: &Scored, scorer: usize) -> BTreeMap<u32, f64> {
    let mut golds: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (row, scores) in scored.good() {
        golds.entry(row.gold).or_default().push(scores[scorer]);
    }
    golds.into_iter().map(|(gold, scores)| (gold, variance(&scores))).collect()
}

/// Exactly 0 where all are equal: distances are taken from the first, not from a rounded mean.
fn variance(scores: &[f64]) -> f64 {
    let n = scores.len() as f64;
    let distances = scores.iter().map(|score| score - scores[0]);
    let (sum, squares) =
        distances.fold((0.0, 0.0), |(sum, squares), distance| (sum + distance, squares + distance * distance));
    (squares / n - (sum / n) * (sum / n)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_of_equal_scores_is_exactly_0() {
        assert_eq!(variance(&[0.1; 7]), 0.0);
        assert_eq!(variance(&[0.25, 0.75]), 0.0625);
    }
}
