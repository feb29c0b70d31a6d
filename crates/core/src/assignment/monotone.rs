//! Order-preserving alignment of two sequences, with gaps.
//!
//! Among all matchings whose pairs do not cross, find one of largest total similarity and, among those, one with the most
//! pairs. Pairs are preferred as early in the sequences as they can stand.
//!
//! **Cost.** O(n m) evaluations of the similarity; O(m) memory for the value alone, n m bytes more for the pairs.
//!
//! **Source.** The sequence-alignment dynamic programme of Needleman and Wunsch (1970), without gap costs; *Object
//! Aligner*, section III-C.

use super::Total;

/// The aligner and its scratch space.
#[derive(Debug, Default)]
pub(crate) struct Aligner {
    row: Vec<Total>,
    steps: Vec<Step>,
    pairs: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Pair,
    SkipRow,
    SkipColumn,
}

impl Aligner {
    /// The value of the best alignment; `similarities` is n × m in row order, in units.
    pub(crate) fn value(&mut self, similarities: &[i64], n: usize, m: usize) -> Total {
        self.fill(similarities, n, m, |_| {})
    }

    /// The pairs of the best alignment, ascending, and its value.
    pub(crate) fn solve(&mut self, similarities: &[i64], n: usize, m: usize) -> (&[(u32, u32)], Total) {
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let total = self.fill(similarities, n, m, |step| steps.push(step));
        self.pairs.clear();
        let (mut i, mut j) = (n, m);
        while i > 0 && j > 0 {
            match steps[(i - 1) * m + j - 1] {
                Step::Pair => {
                    i -= 1;
                    j -= 1;
                    self.pairs.push((i as u32, j as u32));
                }
                Step::SkipRow => i -= 1,
                Step::SkipColumn => j -= 1,
            }
        }
        self.pairs.reverse();
        self.steps = steps;
        (&self.pairs, total)
    }

    fn fill(&mut self, similarities: &[i64], n: usize, m: usize, mut note: impl FnMut(Step)) -> Total {
        self.row.clear();
        self.row.resize(m + 1, Total::default());
        for i in 0..n {
            let mut diagonal = Total::default();
            for (j, &units) in similarities[i * m..][..m].iter().enumerate() {
                let above = self.row[j + 1];
                let left = self.row[j];
                let paired = diagonal.with(units);
                // Skipping is preferred at equal value: walking back from the end, that leaves the pair to stand as
                // early as it can.
                let (best, step) = if units > 0 && paired > above && paired > left {
                    (paired, Step::Pair)
                } else if above >= left {
                    (above, Step::SkipRow)
                } else {
                    (left, Step::SkipColumn)
                };
                diagonal = above;
                self.row[j + 1] = best;
                note(step);
            }
        }
        self.row[m]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::ONE;
    use proptest::prelude::*;

    fn brute(similarities: &[i64], n: usize, m: usize, i: usize, j: usize) -> Total {
        if i == n || j == m {
            return Total::default();
        }
        let skip = brute(similarities, n, m, i + 1, j).max(brute(similarities, n, m, i, j + 1));
        skip.max(brute(similarities, n, m, i + 1, j + 1).with(similarities[i * m + j]))
    }

    #[test]
    fn pairs_do_not_cross_and_stand_early() {
        let mut aligner = Aligner::default();
        let one = ONE;
        assert_eq!(aligner.solve(&[0, one, one, 0], 2, 2), (&[(0, 1)][..], Total { units: one, pairs: 1 }));
        assert_eq!(aligner.solve(&[one, one, one], 1, 3).0, &[(0, 0)]);
        assert_eq!(aligner.solve(&[one, one, one], 3, 1).0, &[(0, 0)]);
        assert_eq!(aligner.solve(&[], 0, 4).0, &[]);
    }

    #[test]
    fn more_pairs_win_among_equal_totals() {
        let half = ONE / 2;
        let mut aligner = Aligner::default();
        // Rows a b, columns x y: (a,y) alone is worth 1, (a,x) with (b,y) two halves.
        let (pairs, total) = aligner.solve(&[half, ONE, 0, half], 2, 2);
        assert_eq!((pairs, total), (&[(0, 0), (1, 1)][..], Total { units: ONE, pairs: 2 }));
    }

    proptest! {
        #[test]
        fn agrees_with_brute_force(
            (n, m, similarities) in (0_usize..6, 0_usize..6).prop_flat_map(|(n, m)| {
                (Just(n), Just(m), proptest::collection::vec((0_i64..4).prop_map(|thirds| thirds * ONE / 3), n * m))
            })
        ) {
            let mut aligner = Aligner::default();
            let expected = brute(&similarities, n, m, 0, 0);
            prop_assert_eq!(aligner.value(&similarities, n, m), expected);
            let (pairs, total) = aligner.solve(&similarities, n, m);
            prop_assert_eq!(total, expected);
            prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            let sum = pairs.iter().fold(Total::default(), |sum, &(i, j)| sum.with(similarities[i as usize * m + j as usize]));
            prop_assert_eq!(sum, expected);
        }
    }
}
