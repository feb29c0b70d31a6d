//! How clear each choice of a pair was: 1 when nothing else came near, 0 when another partner would have done as well.
//!
//! Computed on demand from the same similarities that decided; a score never depends on it.

/// How to measure the confidence of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// Half the lead over the row's second best plus half the lead over the column's, each clipped to [0, 1]. Where there
    /// is no second best, staying unmatched (0) is the alternative.
    Margin,
    /// 1 minus the normalised entropy of the softmax of the pair's row at inverse temperature 8; 1 for a single column.
    Entropy,
}

/// The inverse temperature of [`Confidence::Entropy`].
const SHARPNESS: f64 = 8.0;

/// The confidence of choosing `column` for `row` in an n × m matrix of similarities in [0, 1].
pub(super) fn of_pair(measure: Confidence, matrix: &[f64], m: usize, row: usize, column: usize) -> f64 {
    let similarities = &matrix[row * m..(row + 1) * m];
    match measure {
        Confidence::Margin => {
            let chosen = similarities[column];
            let lead = |rivals: &mut dyn Iterator<Item = f64>| (chosen - rivals.fold(0.0, f64::max)).clamp(0.0, 1.0);
            let in_row = lead(&mut similarities.iter().enumerate().filter(|(j, _)| *j != column).map(|(_, s)| *s));
            let in_column = lead(
                &mut matrix.chunks_exact(m).enumerate().filter(|(i, _)| *i != row).map(|(_, other)| other[column]),
            );
            f64::midpoint(in_row, in_column)
        }
        Confidence::Entropy => {
            if m == 1 {
                return 1.0;
            }
            let best = similarities.iter().copied().fold(0.0, f64::max);
            let mut weights: Vec<f64> = similarities.iter().map(|s| (SHARPNESS * (s - best)).exp()).collect();
            // Sorted, so that the order of the candidate's items does not show in the sum.
            weights.sort_unstable_by(f64::total_cmp);
            let sum: f64 = weights.iter().sum();
            let entropy: f64 =
                weights.iter().map(|weight| weight / sum).filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum();
            (1.0 - entropy / (m as f64).ln()).clamp(0.0, 1.0)
        }
    }
}

/// The mean of what there is; `None` of nothing.
pub(super) fn mean(confidences: impl Iterator<Item = f64>) -> Option<f64> {
    let mut all: Vec<f64> = confidences.collect();
    all.sort_unstable_by(f64::total_cmp);
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_by_hand() {
        let matrix = [1.0, 0.4, 0.2, 0.9];
        assert_eq!(of_pair(Confidence::Margin, &matrix, 2, 0, 0), f64::midpoint(0.6, 0.8));
        assert_eq!(of_pair(Confidence::Margin, &[0.7], 1, 0, 0), 0.7);
        // A pair that both could better elsewhere leads nobody.
        assert_eq!(of_pair(Confidence::Margin, &[0.1, 0.9, 0.9, 0.1], 2, 0, 0), 0.0);
    }

    #[test]
    fn entropy_knows_certainty_and_doubt() {
        assert_eq!(of_pair(Confidence::Entropy, &[0.3], 1, 0, 0), 1.0);
        assert!(of_pair(Confidence::Entropy, &[0.5, 0.5, 0.5], 3, 0, 0).abs() < 1e-12);
        let two = of_pair(Confidence::Entropy, &[1.0, 0.0], 2, 0, 0);
        let p = 1.0 / (1.0 + (-8.0_f64).exp());
        let entropy = -(p * p.ln() + (1.0 - p) * (1.0 - p).ln()) / 2.0_f64.ln();
        assert!((two - (1.0 - entropy)).abs() < 1e-12);
    }
}
