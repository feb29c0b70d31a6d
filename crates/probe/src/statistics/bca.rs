//! The bias-corrected and accelerated bootstrap interval, resampling groups.
//!
//! Rows that share a gold rise and fall together, so whole golds are drawn, not rows. A resample is a count for each group;
//! all statistics of a call see the same resamples. The interval takes the percentiles of the resampled values, moved by the
//! bias correction (how far the middle of the resampled values lies from the value, ties counted half) and by the
//! acceleration (the skewness of the values that leave one group out).
//!
//! Resample `i` draws from a stream of its own, so the bits do not hang on the number of threads, nor on how many resamples are
//! asked for. The ends are rounded to 12 decimals: the normal distribution is computed by the platform's own logarithms and
//! exponentials, which differ in their last digit.
//!
//! **Cost.** For each statistic, resamples / 8 evaluations, in parallel, and a sort.
//!
//! **Source.** Efron (1987), equations 2.3 and 6.6; the numerics follow `SciPy`'s `bootstrap`.

use super::{LANES, Lanes, Weighted};
use objalign_gen::streams::stream;
use rand::RngExt;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use statrs::distribution::{ContinuousCDF, Normal};

/// How many evaluations are one piece of work for a thread.
const PIECE: usize = 32;

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bootstrap {
    /// How many resamples.
    pub resamples: u32,
    /// What they are drawn from.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 20_000, seed: 0 }
    }
}

/// A value and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value for the sample itself; NaN where it has none.
    pub value: f64,
    /// The ends of the interval that covers the true value in 95 of 100 samples, or why there is none.
    pub interval: Result<(f64, f64), NoInterval>,
    /// The acceleration; 0 where leaving a group out changes nothing.
    pub acceleration: f64,
}

/// Why a value has no interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoInterval {
    /// The sample itself has no value.
    #[error("no value, so no interval")]
    NoValue,
    /// There is nothing to resample.
    #[error("no interval: it takes two golds or more")]
    OneGroup,
    /// More than one resample in a hundred has no value.
    #[error("no interval: too many resamples have no value")]
    Sparse,
}

impl Bootstrap {
    /// The estimates of some statistics of one sample of `groups` groups. All their resampled values are held at a time: 160 kB
    /// for each statistic.
    pub fn estimates(&self, groups: usize, statistics: &[&dyn Weighted]) -> Vec<Estimate> {
        self.with_differences(groups, statistics, &[])
    }

    /// The same, and then the estimates of differences: for each pair of places, the first statistic less the second.
    pub fn with_differences(
        &self,
        groups: usize,
        statistics: &[&dyn Weighted],
        differences: &[(usize, usize)],
    ) -> Vec<Estimate> {
        let pieces: Vec<Vec<Vec<Lanes>>> = if groups < 2 {
            Vec::new()
        } else {
            (0..(self.resamples as usize).div_ceil(LANES * PIECE))
                .into_par_iter()
                .map(|piece| self.piece(piece, groups, statistics))
                .collect()
        };
        let resampled = |at: usize| {
            pieces.iter().flat_map(move |piece| piece[at].iter().flatten().copied()).take(self.resamples as usize)
        };
        let jobs: Vec<(usize, Option<usize>)> = (0..statistics.len())
            .map(|at| (at, None))
            .chain(differences.iter().map(|&(first, second)| (first, Some(second))))
            .collect();
        jobs.par_iter()
            .map(|&(first, second)| match second {
                None => estimate(groups, statistics[first], resampled(first).collect()),
                Some(second) => {
                    let differences = resampled(first).zip(resampled(second)).map(|(first, second)| first - second);
                    estimate(groups, &Difference(statistics[first], statistics[second]), differences.collect())
                }
            })
            .collect()
    }

    /// The values of one piece of the resamples, statistic by statistic.
    fn piece(&self, piece: usize, groups: usize, statistics: &[&dyn Weighted]) -> Vec<Vec<Lanes>> {
        let mut values = vec![Vec::with_capacity(PIECE); statistics.len()];
        let mut times = vec![[0.0; LANES]; groups];
        let first = piece * PIECE;
        for chunk in first..first + PIECE {
            times.fill([0.0; LANES]);
            (0..LANES).for_each(|lane| {
                let mut random = stream(self.seed, (chunk * LANES + lane) as u64, "bootstrap");
                for _ in 0..groups {
                    times[random.random_range(0..groups as u32) as usize][lane] += 1.0;
                }
            });
            for (values, statistic) in values.iter_mut().zip(statistics) {
                values.push(statistic.evaluate(&times));
            }
            if (chunk + 1) * LANES >= self.resamples as usize {
                break;
            }
        }
        values
    }
}

/// Of two statistics of the same rows, the first less the second.
struct Difference<'s>(&'s dyn Weighted, &'s dyn Weighted);

impl Weighted for Difference<'_> {
    fn evaluate(&self, times: &[Lanes]) -> Lanes {
        let (first, second) = (self.0.evaluate(times), self.1.evaluate(times));
        std::array::from_fn(|lane| first[lane] - second[lane])
    }
}

fn estimate(groups: usize, statistic: &dyn Weighted, mut resampled: Vec<f64>) -> Estimate {
    let mut times = vec![[1.0; LANES]; groups];
    let value = statistic.evaluate(&times)[0];
    let failed = |reason| Estimate { value, interval: Err(reason), acceleration: 0.0 };
    if value.is_nan() {
        return failed(NoInterval::NoValue);
    }
    if groups < 2 {
        return failed(NoInterval::OneGroup);
    }
    let wanted = resampled.len();
    resampled.retain(|value| !value.is_nan());
    if resampled.len() * 100 < wanted * 99 || resampled.is_empty() {
        return failed(NoInterval::Sparse);
    }
    let acceleration = acceleration(statistic, &mut times);
    let below = resampled.iter().filter(|other| **other < value).count();
    let equal = resampled.iter().filter(|other| **other == value).count();
    let count = resampled.len() as f64;
    // Half a resample at least on either side: otherwise the correction has no bounds.
    let share = ((below as f64 + equal as f64 / 2.0) / count).clamp(0.5 / count, 1.0 - 0.5 / count);
    let normal = Normal::standard();
    let bias = normal.inverse_cdf(share);
    let mut end = |level: f64| {
        let shifted = bias + normal.inverse_cdf(level);
        let moved = normal.cdf(bias + shifted / (1.0 - acceleration * shifted));
        rounded(percentile(&mut resampled, moved))
    };
    Estimate { value, interval: Ok((end(0.025), end(0.975))), acceleration }
}

/// One sixth of the skewness of the values that leave one group out.
fn acceleration(statistic: &dyn Weighted, times: &mut [Lanes]) -> f64 {
    let mut left_out: Vec<f64> = Vec::with_capacity(times.len());
    for first in (0..times.len()).step_by(LANES) {
        let last = (first + LANES).min(times.len());
        for group in first..last {
            times[group][group - first] = 0.0;
        }
        left_out.extend(&statistic.evaluate(times)[..last - first]);
        for group in first..last {
            times[group][group - first] = 1.0;
        }
    }
    left_out.retain(|value| !value.is_nan());
    let mean = left_out.iter().sum::<f64>() / left_out.len() as f64;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in left_out {
        let distance = mean - value;
        squares += distance * distance;
        cubes += distance * distance * distance;
    }
    if squares == 0.0 { 0.0 } else { cubes / (6.0 * squares * squares.sqrt()) }
}

/// Between the two nearest values of those in order, by their distances. Puts them into another order.
fn percentile(values: &mut [f64], share: f64) -> f64 {
    let at = share * (values.len() - 1) as f64;
    let low = (at as usize).min(values.len() - 1);
    let (_, &mut lower, higher) = values.select_nth_unstable_by(low, f64::total_cmp);
    let next = higher.iter().copied().min_by(f64::total_cmp).unwrap_or(lower);
    lower + (next - lower) * (at - low as f64)
}

fn rounded(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}

#[cfg(test)]
mod tests {
    use super::super::auroc::Auroc;
    use super::super::mean::Mean;
    use super::super::spearman::Spearman;
    use super::super::testing::{numbers, reference};
    use super::*;
    use proptest::prelude::*;

    fn mean_of(values: &[f64], bootstrap: Bootstrap) -> Estimate {
        let groups: Vec<u32> = (0..values.len() as u32).collect();
        bootstrap.estimates(values.len(), &[&Mean::new(values, &groups, values.len())])[0]
    }

    #[test]
    fn scipy_finds_the_same() {
        for row in reference("bca") {
            let found = mean_of(&numbers(&row["x"]), Bootstrap { resamples: 40_000, seed: 1 });
            let expected = |key: &str| row[key].as_f64().expect("a number");
            assert!((found.value - expected("mean")).abs() < 1e-12);
            assert!((found.acceleration - expected("acceleration")).abs() < 1e-9, "{}", found.acceleration);
            let (low, high) = found.interval.expect("an interval");
            let ends = numbers(&row["ci95"]);
            assert!((low - ends[0]).abs() <= expected("tolerance"), "{low} {}", ends[0]);
            assert!((high - ends[1]).abs() <= expected("tolerance"), "{high} {}", ends[1]);
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let groups: Vec<u32> = (0..60).map(|at| at / 3).collect();
        let scores: Vec<f64> = (0..60).map(|at| f64::from(at * 37 % 23) / 22.0).collect();
        let clean: Vec<bool> = (0..60).map(|at| at % 3 == 0).collect();
        let doses: Vec<f64> = (0..60).map(|at| f64::from(at % 3)).collect();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let bootstrap = Bootstrap { resamples: 1_111, seed: 9 };
            let (auroc, spearman) = (Auroc::new(&scores, &clean, &groups), Spearman::new(&scores, &doses, &groups));
            pool.install(|| bootstrap.estimates(20, &[&auroc, &spearman]))
        };
        let one = run(1);
        assert_eq!(one, run(3));
        assert!(
            one.iter().all(|found| found.interval.is_ok_and(|(low, high)| low < found.value && found.value < high))
        );
    }

    #[test]
    fn a_difference_is_paired() {
        // The second column is the first and a half: each resample differs by exactly that.
        let groups: Vec<u32> = (0..20).collect();
        let first: Vec<f64> = (0..20).map(|at| f64::from(at * at % 17)).collect();
        let second: Vec<f64> = first.iter().map(|value| value + 0.5).collect();
        let (first, second) = (Mean::new(&first, &groups, 20), Mean::new(&second, &groups, 20));
        let bootstrap = Bootstrap { resamples: 400, seed: 2 };
        let found = bootstrap.with_differences(20, &[&first, &second], &[(1, 0)]);
        assert_eq!((found.len(), found[2].value, found[2].interval), (3, 0.5, Ok((0.5, 0.5))));
    }

    #[test]
    fn what_never_moves_has_an_interval_of_one_point() {
        let found = mean_of(&[1.0; 12], Bootstrap { resamples: 100, seed: 0 });
        assert_eq!(found, Estimate { value: 1.0, interval: Ok((1.0, 1.0)), acceleration: 0.0 });
    }

    #[test]
    fn what_has_no_interval_says_why() {
        let bootstrap = Bootstrap { resamples: 200, seed: 0 };
        assert_eq!(mean_of(&[3.0], bootstrap).interval, Err(NoInterval::OneGroup));
        assert_eq!(mean_of(&[], bootstrap).interval, Err(NoInterval::NoValue));
        // One clean row in three golds: a third of the resamples is without it.
        let sparse = Auroc::new(&[1.0, 0.5, 0.2], &[true, false, false], &[0, 1, 2]);
        assert_eq!(bootstrap.estimates(3, &[&sparse])[0].interval, Err(NoInterval::Sparse));
    }

    #[test]
    fn the_interval_covers_as_often_as_it_says() {
        // Means of 30 uniform draws: the true mean is 0.5.
        let covered = (0..200).filter(|sample| {
            let mut random = stream(3, *sample, "uniform");
            let values: Vec<f64> = (0..30).map(|_| f64::from(random.random_range(0..1000_u32)) / 999.0).collect();
            let (low, high) =
                mean_of(&values, Bootstrap { resamples: 600, seed: *sample }).interval.expect("an interval");
            low <= 0.5 && 0.5 <= high
        });
        let covered = covered.count();
        assert!((178..=200).contains(&covered), "{covered} of 200");
    }

    proptest! {
        #[test]
        fn rows_of_one_group_stay_together(values in proptest::collection::vec(0_u8..9, 2..12)) {
            // The same rows twice in each group: nothing is gained by copying.
            let once: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
            let twice: Vec<f64> = once.iter().chain(&once).copied().collect();
            let groups: Vec<u32> = (0..once.len() as u32).chain(0..once.len() as u32).collect();
            let bootstrap = Bootstrap { resamples: 80, seed: 5 };
            let alone = mean_of(&once, bootstrap);
            let copied = bootstrap.estimates(once.len(), &[&Mean::new(&twice, &groups, once.len())])[0];
            prop_assert_eq!(alone.interval, copied.interval);
        }
    }
}
