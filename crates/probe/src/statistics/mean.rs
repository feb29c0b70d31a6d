//! Means of rows in groups: of the rows, and of what each group has for itself; and the spread of the rows.
//!
//! A paired difference is the mean of a column of differences. Linear in the number of groups for each weighting.

use super::wide::Wide;
use super::{Arithmetic, LANES, Lanes};
use pulp::Simd;

/// The mean of all rows. NaN where no group with rows counts.
#[derive(Debug, Clone)]
pub struct Mean {
    /// For each group the number of its rows and their sum.
    groups: Vec<(f64, f64)>,
}

impl Mean {
    /// `count` groups; `groups[i]` is that of `values[i]`.
    pub fn new(values: &[f64], groups: &[u32], count: usize) -> Self {
        let mut sums = vec![(0.0, 0.0); count];
        for (value, &group) in values.iter().zip(groups) {
            sums[group as usize].0 += 1.0;
            sums[group as usize].1 += value;
        }
        Self { groups: sums }
    }
}

impl Arithmetic for Mean {
    #[inline(always)]
    fn sum_up<S: Simd, const N: usize>(&self, _: Wide<S, N>, times: &[Lanes]) -> Lanes {
        let (mut rows, mut sum) = ([0.0; LANES], [0.0; LANES]);
        for (&(count, total), times) in self.groups.iter().zip(times) {
            for lane in 0..LANES {
                rows[lane] += count * times[lane];
                sum[lane] += total * times[lane];
            }
        }
        std::array::from_fn(|lane| sum[lane] / rows[lane])
    }
}

/// The standard deviation of all rows, over the number of rows less one. NaN for fewer than two rows.
#[derive(Debug, Clone)]
pub struct Spread {
    /// For each group the number of its rows, and the sums of their distances from `centre` and of the squares of these.
    groups: Vec<[f64; 3]>,
}

impl Spread {
    /// As for [`Mean::new`].
    pub fn new(values: &[f64], groups: &[u32], count: usize) -> Self {
        // Distances from some value in the middle of things: squares of the values themselves would cancel.
        let centre = values.first().copied().unwrap_or_default();
        let mut sums = vec![[0.0; 3]; count];
        for (value, &group) in values.iter().zip(groups) {
            let [rows, sum, squares] = &mut sums[group as usize];
            let distance = value - centre;
            *rows += 1.0;
            *sum += distance;
            *squares += distance * distance;
        }
        Self { groups: sums }
    }
}

impl Arithmetic for Spread {
    #[inline(always)]
    fn sum_up<S: Simd, const N: usize>(&self, _: Wide<S, N>, times: &[Lanes]) -> Lanes {
        let mut sums = [[0.0; LANES]; 3];
        for (group, times) in self.groups.iter().zip(times) {
            for (sum, part) in sums.iter_mut().zip(group) {
                for lane in 0..LANES {
                    sum[lane] += part * times[lane];
                }
            }
        }
        let [rows, sum, squares] = &sums;
        std::array::from_fn(|lane| {
            let n = rows[lane];
            // Rounding may leave a hair below zero.
            let variance = ((squares[lane] - sum[lane] * sum[lane] / n) / (n - 1.0)).max(0.0);
            if n < 2.0 { f64::NAN } else { variance.sqrt() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluated, grouped, repeated};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn weights_are_repetitions((rows, times) in grouped()) {
            let values: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let groups: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let all = repeated(&rows, &times).0;
            let n = all.len() as f64;
            let mean = all.iter().sum::<f64>() / n;
            let found = evaluated(&Mean::new(&values, &groups, times.len()), &times);
            prop_assert_eq!(found.is_nan(), all.is_empty());
            prop_assert!(all.is_empty() || (found - mean).abs() < 1e-12);
            let spread = (all.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
            let found = evaluated(&Spread::new(&values, &groups, times.len()), &times);
            prop_assert_eq!(found.is_nan(), all.len() < 2);
            prop_assert!(all.len() < 2 || (found - spread).abs() < 1e-7);
        }
    }
}
