//! Spearman's rank correlation: Pearson's correlation of the mid-ranks of two columns, from -1 to 1.
//!
//! A column with a single value has no correlation with anything; where one number is wanted all the same, it is 0 by
//! convention ([`Undefined::Constant`] lets the caller say so; resamples that come out constant count as 0). O(n log n);
//! O(n) for each weighting.

use super::crossed::Crossed;
use super::ranks::doubled_mid_ranks;
use super::wide::Wide;
use super::{Arithmetic, Lanes, Undefined};
use pulp::Simd;

/// The correlation of the ranks of two columns of one length.
///
/// # Errors
///
/// [`Undefined::Empty`], and [`Undefined::Constant`] where a column has a single value.
pub fn spearman(x: &[f64], y: &[f64]) -> Result<f64, Undefined> {
    if x.is_empty() {
        return Err(Undefined::Empty);
    }
    let (x, y) = (doubled_mid_ranks(x), doubled_mid_ranks(y));
    let n = x.len() as i128;
    // Doubled ranks have the mean n + 1; products of them are summed without rounding.
    let centred = |a: &[u64], b: &[u64]| {
        let sum: i128 = a.iter().zip(b).map(|(a, b)| i128::from(*a) * i128::from(*b)).sum();
        (sum - n * (n + 1) * (n + 1)) as f64
    };
    let spread = centred(&x, &x) * centred(&y, &y);
    if spread == 0.0 { Err(Undefined::Constant) } else { Ok(centred(&x, &y) / spread.sqrt()) }
}

/// The correlation for rows in groups.
#[derive(Debug, Clone)]
pub struct Spearman(Crossed);

impl Spearman {
    /// The columns are of one length; groups count from 0.
    pub fn new(x: &[f64], y: &[f64], groups: &[u32]) -> Self {
        Self(Crossed::new(x, y, groups))
    }
}

impl Arithmetic for Spearman {
    #[inline(always)]
    fn sum_up<S: Simd, const N: usize>(&self, wide: Wide<S, N>, times: &[Lanes]) -> Lanes {
        let times = Wide::<S, N>::registers(times);
        let one = wide.splat(1.0);
        // Doubled ranks: those of rows that are all equal stay whole.
        let mut y_ranks = self.0.weighted_levels(wide, times);
        let (mut total, mut yy) = (wide.zero(), wide.zero());
        for weight in &mut y_ranks {
            let next = wide.add(&total, weight);
            let rank = wide.add(&wide.add(&total, &next), &one);
            yy = wide.plus_times(&yy, weight, &wide.times(&rank, &rank));
            (total, *weight) = (next, rank);
        }
        let (mut xy, mut cubes, mut below) = (wide.zero(), wide.zero(), wide.zero());
        let (mut here, mut ranks_here) = (wide.zero(), wide.zero());
        for (level, weight, ends_block) in self.0.weighted_cells(wide, times) {
            here = wide.add(&here, &weight);
            ranks_here = wide.plus_times(&ranks_here, &weight, &y_ranks[level]);
            if ends_block {
                let next = wide.add(&below, &here);
                let rank = wide.add(&wide.add(&below, &next), &one);
                xy = wide.plus_times(&xy, &ranks_here, &rank);
                cubes = wide.plus_times(&cubes, &here, &wide.times(&here, &here));
                (below, here, ranks_here) = (next, wide.zero(), wide.zero());
            }
        }
        let [total, yy, xy, cubes] = [total, yy, xy, cubes].map(Wide::<S, N>::lanes);
        std::array::from_fn(|lane| {
            let n = total[lane];
            // The sum of the squared ranks 2, 4, ... 2 n, less what ties take from it.
            let xx = (2.0 * n * (n + 1.0) * (2.0 * n + 1.0) - (cubes[lane] - n)) / 3.0;
            let middle = n * (n + 1.0) * (n + 1.0);
            let spread = (xx - middle) * (yy[lane] - middle);
            if n == 0.0 {
                f64::NAN
            } else if spread == 0.0 {
                0.0
            } else {
                (xy[lane] - middle) / spread.sqrt()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluated, grouped, numbers, reference, repeated};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scipy_finds_the_same() {
        for row in reference("rank") {
            match (spearman(&numbers(&row["x"]), &numbers(&row["y"])), row["spearman"].as_f64()) {
                (Ok(found), Some(expected)) => assert!((found - expected).abs() < 1e-12, "{found} {expected}"),
                (found, expected) => assert_eq!((found, expected), (Err(Undefined::Constant), None)),
            }
        }
    }

    proptest! {
        #[test]
        fn it_is_pearson_of_the_ranks(rows in proptest::collection::vec((-3_i8..4, -2_i8..3), 1..40)) {
            let (x, y): (Vec<f64>, Vec<f64>) = rows.iter().map(|row| (f64::from(row.0), f64::from(row.1))).unzip();
            let ranks = |values: &[f64]| doubled_mid_ranks(values).into_iter().map(|rank| rank as f64).collect::<Vec<_>>();
            let (a, b) = (ranks(&x), ranks(&y));
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let (ma, mb) = (mean(&a), mean(&b));
            let products = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(a, b)| f(a - ma, b - mb)).sum::<f64>();
            let spread = (products(&|a, _| a * a) * products(&|_, b| b * b)).sqrt();
            match spearman(&x, &y) {
                Ok(found) => {
                    prop_assert!((found - products(&|a, b| a * b) / spread).abs() < 1e-9);
                    let down: Vec<f64> = y.iter().map(|y| -y).collect();
                    prop_assert_eq!(spearman(&x, &down), Ok(-found));
                    prop_assert_eq!(spearman(&y, &x), Ok(found));
                }
                Err(_) => prop_assert!(spread < 1e-9),
            }
        }

        #[test]
        fn weights_are_repetitions((rows, times) in grouped()) {
            let (x, y): (Vec<f64>, Vec<f64>) = rows.iter().map(|row| (f64::from(row.1), f64::from(row.2))).unzip();
            let groups: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let found = evaluated(&Spearman::new(&x, &y, &groups), &times);
            let (x, y) = repeated(&rows, &times);
            match spearman(&x, &y) {
                Ok(expected) => prop_assert_eq!(found, expected),
                Err(Undefined::Constant) => prop_assert_eq!(found, 0.0),
                Err(_) => prop_assert!(found.is_nan()),
            }
        }
    }
}
