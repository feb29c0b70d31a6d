//! The distribution of the scores of a run, in fixed memory.
//!
//! Outcomes are added one by one, in the order of the input, and forgotten: counts, mean, least and greatest are exact, quartiles
//! come from 10,001 bins and are rounded down to a ten-thousandth. 80 kB whatever the number of rows; constant time per row.

use objalign_probe::scoring::outcome::Outcome;
use std::fmt;

/// Bins of one ten-thousandth, by their lower end. The last one holds exactly 1, and nothing else.
const BINS: usize = 10_001;

/// Accumulates outcomes.
///
/// ```
/// use objalign_probe::scoring::outcome::Outcome;
/// use objalign_report::summary::Summary;
///
/// let mut summary = Summary::new();
/// for score in [1.0, 0.5, 0.25, 0.75] {
///     summary.add(&Outcome { score: Some(score), ..Outcome::failed(None, String::new()) });
/// }
/// summary.add(&Outcome::failed(None, "line 5: no row".into()));
/// assert_eq!((summary.rows(), summary.failed(), summary.mean()), (5, 1, Some(0.625)));
/// assert_eq!(summary.quartiles(), Some([0.25, 0.5, 0.75]));
/// assert_eq!(summary.perfect_share(), Some(0.25));
/// ```
#[derive(Debug, Clone)]
pub struct Summary {
    bins: Vec<u64>,
    scored: u64,
    failed: u64,
    rejected: u64,
    sum: f64,
    least: f64,
    greatest: f64,
}

impl Default for Summary {
    fn default() -> Self {
        Self::new()
    }
}

impl Summary {
    /// A summary of nothing.
    pub fn new() -> Self {
        Self {
            bins: vec![0; BINS],
            scored: 0,
            failed: 0,
            rejected: 0,
            sum: 0.0,
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
        }
    }

    /// Counts one row.
    pub fn add(&mut self, outcome: &Outcome) {
        let Some(score) = outcome.score else {
            self.failed += 1;
            return;
        };
        self.scored += 1;
        self.rejected += u64::from(outcome.rejected);
        self.sum += score;
        self.least = self.least.min(score);
        self.greatest = self.greatest.max(score);
        self.bins[bin(score)] += 1;
    }

    /// Rows, whatever became of them.
    pub fn rows(&self) -> u64 {
        self.scored + self.failed
    }

    /// Rows that have a score.
    pub fn scored(&self) -> u64 {
        self.scored
    }

    /// Rows that have an error.
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// Rows that score 0 because the candidate does not fit its schema.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// The mean score; like all below, `None` if there is no score.
    pub fn mean(&self) -> Option<f64> {
        self.of_scored(|| self.sum / self.scored as f64)
    }

    /// The least and the greatest score.
    pub fn range(&self) -> Option<(f64, f64)> {
        self.of_scored(|| (self.least, self.greatest))
    }

    /// The first quartile, the median and the third quartile by nearest rank, rounded down to a ten-thousandth but never below
    /// the least score.
    pub fn quartiles(&self) -> Option<[f64; 3]> {
        self.of_scored(|| [1, 2, 3].map(|quarter| self.at_rank((self.scored * quarter).div_ceil(4)).max(self.least)))
    }

    /// The share of scored rows whose score is exactly 1.
    pub fn perfect_share(&self) -> Option<f64> {
        self.of_scored(|| self.bins[BINS - 1] as f64 / self.scored as f64)
    }

    fn of_scored<T>(&self, figure: impl FnOnce() -> T) -> Option<T> {
        (self.scored > 0).then(figure)
    }

    /// The lower end of the bin that holds the score of this rank, from 1.
    fn at_rank(&self, rank: u64) -> f64 {
        let mut below = 0;
        let at = self.bins.iter().position(|count| {
            below += count;
            below >= rank
        });
        at.unwrap_or(BINS - 1) as f64 / (BINS - 1) as f64
    }
}

fn bin(score: f64) -> usize {
    if score >= 1.0 { BINS - 1 } else { ((score * (BINS - 1) as f64) as usize).min(BINS - 2) }
}

/// One line for a person.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.rows() == 1 { "" } else { "s" };
        write!(f, "{} row{plural}: {} scored", self.rows(), self.scored)?;
        if self.rejected > 0 {
            write!(f, " ({} invalid, so 0)", self.rejected)?;
        }
        write!(f, ", {} failed", self.failed)?;
        if let (Some(mean), Some((least, greatest)), Some([low, median, high]), Some(perfect)) =
            (self.mean(), self.range(), self.quartiles(), self.perfect_share())
        {
            write!(f, "; mean {mean:.4}; min {least:.4}, quartiles {low:.4} {median:.4} {high:.4}, max {greatest:.4}")?;
            write!(f, "; exactly 1: {:.1} %", 100.0 * perfect)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(scores: impl IntoIterator<Item = f64>) -> Summary {
        let mut summary = Summary::new();
        for score in scores {
            summary.add(&Outcome { score: Some(score), ..Outcome::failed(None, String::new()) });
        }
        summary
    }

    #[test]
    fn nothing_has_no_figures() {
        let none = Summary::new();
        assert_eq!((none.mean(), none.range(), none.quartiles(), none.perfect_share()), (None, None, None, None));
        assert_eq!(none.to_string(), "0 rows: 0 scored, 0 failed");
    }

    #[test]
    fn almost_1_is_not_1() {
        let almost = summary([1.0 - f64::EPSILON]);
        assert_eq!(almost.perfect_share(), Some(0.0));
        assert!(almost.quartiles().expect("a score")[1] < 1.0);
    }

    #[test]
    fn quartiles_are_within_a_bin_of_the_exact_ones() {
        let scores: Vec<f64> = (0..=999).map(|at| f64::from(at * at) / 998_001.0).collect();
        let found = summary(scores.iter().copied()).quartiles().expect("scores");
        for (found, rank) in found.into_iter().zip([250, 500, 750]) {
            let exact = scores[rank - 1];
            assert!(found <= exact && exact - found < 1e-4, "{found} {exact}");
        }
    }

    #[test]
    fn the_line_says_it_all() {
        let mut summary = summary([1.0, 0.5]);
        summary.add(&Outcome { score: Some(0.0), rejected: true, ..Outcome::failed(None, String::new()) });
        summary.add(&Outcome::failed(None, "line 4: x".into()));
        assert_eq!(
            summary.to_string(),
            "4 rows: 3 scored (1 invalid, so 0), 1 failed; mean 0.5000; min 0.0000, quartiles 0.0000 0.5000 1.0000, \
             max 1.0000; exactly 1: 33.3 %"
        );
    }
}
