//! How a score stands to the damage that was done, and how sure that is.
//!
//! Each statistic has a plain form, for a sample as it is, and a [`Weighted`] form that takes every group of rows as often as it
//! is told: that is what the bootstrap asks twenty thousand times over, so the sample is sorted once, before, and an
//! evaluation is linear in it (or in the pairs of its groups, see [`form`]), on sixteen resamples at a time. All counts and sums of ranks are whole numbers below 2^53 for any
//! sample of up to 100,000 rows: they are exact, so neither the order of the additions nor the number of threads can show.
//!
//! | room | what |
//! |---|---|
//! | [`ranks`] | mid-ranks |
//! | [`auroc`] | the share of pairs (clean, damaged) that a score puts in the right order |
//! | [`spearman`] | the correlation of mid-ranks |
//! | [`kendall`] | Kendall's tau-b |
//! | [`mean`] | the mean, of rows or of groups, and other moments |
//! | [`crossed`] | two columns sorted and counted once for all resamples |
//! | [`form`] | sums over pairs of rows, added up once for all resamples |
//! | [`wide`] | sixteen resamples at a time |
//! | [`bca`] | the bootstrap interval, resampling groups |

pub mod auroc;
pub mod bca;
pub mod crossed;
mod form;
pub mod kendall;
pub mod mean;
pub mod ranks;
pub mod spearman;
mod wide;

use pulp::Simd;
use wide::Wide;

/// How many resamples are evaluated at a time: a walk over a sample costs the same branches for all of them, and more would
/// no longer fit into the registers of a processor and its nearest cache.
pub const LANES: usize = 16;

/// A number for each of the resamples that are evaluated together.
pub type Lanes = [f64; LANES];

/// A statistic of rows that come in groups.
pub trait Weighted: Sync {
    /// Its value when all rows of group `g` count `times[g]` times (whole numbers), for each lane. NaN where it has none.
    fn evaluate(&self, times: &[Lanes]) -> Lanes;
}

/// Why a sample has no value of some statistic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// There are no rows.
    #[error("there are no rows")]
    Empty,
    /// There is nothing to tell apart: all rows are damaged, or none is.
    #[error("only one class of rows: it takes clean and damaged ones")]
    OneClass,
    /// One of the two columns has a single value.
    #[error("one of the two columns has a single value")]
    Constant,
}

/// A statistic whose evaluation is arithmetic on lanes, and worth compiling for the registers of the machine.
trait Arithmetic: Sync {
    /// As [`Weighted::evaluate`]. Always inlined, and so compiled once for each kind of processor; `N` registers hold the lanes.
    fn sum_up<S: Simd, const N: usize>(&self, wide: Wide<S, N>, times: &[Lanes]) -> Lanes;
}

/// Evaluates with the widest registers that this machine has.
impl<A: Arithmetic> Weighted for A {
    fn evaluate(&self, times: &[Lanes]) -> Lanes {
        pulp::Arch::new().dispatch(Evaluation(self, times))
    }
}

struct Evaluation<'e, A>(&'e A, &'e [Lanes]);

impl<A: Arithmetic> pulp::WithSimd for Evaluation<'_, A> {
    type Output = Lanes;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Lanes {
        match LANES / S::F64_LANES {
            2 => self.0.sum_up(Wide::<S, 2>(simd), self.1),
            4 => self.0.sum_up(Wide::<S, 4>(simd), self.1),
            8 => self.0.sum_up(Wide::<S, 8>(simd), self.1),
            _ => self.0.sum_up(Wide::<S, LANES>(simd), self.1),
        }
    }
}

#[cfg(test)]
mod testing {
    //! What the tests of the statistics share: the reference values, and samples with ties.

    use super::{LANES, Lanes, Weighted};
    use proptest::prelude::*;
    use serde_json::Value;

    /// `SciPy`'s values on fixed arrays.
    pub(super) fn reference(family: &str) -> Vec<Value> {
        let all: Value = serde_json::from_str(include_str!("../../tests/data/statistics.json")).expect("JSON");
        all[family].as_array().expect("a list").clone()
    }

    pub(super) fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
    }

    /// Rows of (group, x, y) with many ties, and how often each of the groups counts.
    pub(super) fn grouped() -> impl Strategy<Value = (Vec<(u32, i8, i8)>, Vec<u32>)> {
        (1_u32..5).prop_flat_map(|groups| {
            let rows = proptest::collection::vec((0..groups, -3_i8..4, 0_i8..3), 1..40);
            (rows, proptest::collection::vec(0_u32..4, groups as usize))
        })
    }

    /// The rows, each as often as its group counts.
    pub(super) fn repeated(rows: &[(u32, i8, i8)], times: &[u32]) -> (Vec<f64>, Vec<f64>) {
        let all = rows.iter().flat_map(|&(group, x, y)| {
            std::iter::repeat_n((f64::from(x), f64::from(y)), times[group as usize] as usize)
        });
        all.unzip()
    }

    /// How often each of some groups counts, differently in each lane.
    pub(super) fn some_times(groups: u8) -> Vec<Lanes> {
        (0..groups).map(|group| std::array::from_fn(|lane| f64::from(group * 3 % 5 + lane as u8 % 3))).collect()
    }

    /// The weighted value in the last lane; the other lanes count other things.
    pub(super) fn evaluated(statistic: &dyn Weighted, times: &[u32]) -> f64 {
        let lanes: Vec<Lanes> = times
            .iter()
            .enumerate()
            .map(|(group, &times)| {
                let mut lanes = [1.0; LANES];
                lanes[group % (LANES - 1)] = 3.0;
                lanes[LANES - 1] = f64::from(times);
                lanes
            })
            .collect();
        statistic.evaluate(&lanes)[LANES - 1]
    }
}
