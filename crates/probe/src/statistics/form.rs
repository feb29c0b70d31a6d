//! Sums over pairs of rows, as quadratic forms of how often their groups count.
//!
//! A sum over all pairs of rows, of a number that the pair has whatever the weights, is added up once for each two groups; an
//! evaluation then takes groups² / 2 steps, however many rows there are. That beats a walk over the rows while there are few
//! groups of many rows each, as golds with their sweeps are.

use super::wide::{Row, Wide};
use pulp::Simd;

/// `K` sums, over the lower half of a matrix of groups, row after row.
#[derive(Debug, Clone)]
pub(super) struct Form<const K: usize> {
    entries: Vec<[f64; K]>,
}

impl<const K: usize> Form<K> {
    /// `matrices[k]` is groups × groups in row order: entry (g, h) is added for each pair of a row of g with a row of h.
    pub(super) fn new(matrices: [&[f64]; K], groups: usize) -> Self {
        let mut entries = Vec::with_capacity(groups * (groups + 1) / 2);
        for g in 0..groups {
            for h in 0..=g {
                entries.push(matrices.map(|matrix| {
                    let (this, other) = (matrix[g * groups + h], matrix[h * groups + g]);
                    if g == h { this } else { this + other }
                }));
            }
        }
        Self { entries }
    }

    /// The sums, each row as often as its group counts.
    #[inline(always)]
    pub(super) fn sums<S: Simd, const N: usize>(&self, wide: Wide<S, N>, times: &[S::f64s]) -> [Row<S, N>; K] {
        let mut sums = [wide.zero(); K];
        let mut start = 0;
        for (group, weight) in times.as_chunks::<N>().0.iter().enumerate() {
            let Some(entries) = self.entries.get(start..=start + group) else { break };
            let mut with = [wide.zero(); K];
            for (entry, other) in entries.iter().zip(times.as_chunks::<N>().0) {
                for k in 0..K {
                    with[k] = wide.plus_times(&with[k], &wide.splat(entry[k]), other);
                }
            }
            for k in 0..K {
                sums[k] = wide.plus_times(&sums[k], weight, &with[k]);
            }
            start += group + 1;
        }
        sums
    }
}

/// Whether so many groups are few enough for a form to be cheaper than a walk over so many cells. A step of a form is a
/// product and a sum; a step of a walk is a branch and several of each.
pub(super) fn pays(groups: usize, cells: usize) -> bool {
    groups * groups <= 16 * cells
}
