//! Kendall's tau-b: concordant less discordant pairs of rows, over the geometric mean of the numbers of pairs that are not
//! tied in one column and in the other. From -1 to 1.
//!
//! A column with a single value: see [`super::spearman`]. O(n log n), also for each weighting: a Fenwick tree over the
//! distinct values of `y` counts what lies below while the blocks of `x` are walked upwards.
//! Few groups of many rows are not walked but added up as pairs of groups, once ([`super::form`]).
//!
//! **Source.** Kendall (1945) for the correction for ties; Knight (1966) for the cost.

use super::crossed::Crossed;
use super::form::{Form, pays};
use super::ranks::dense_ranks;
use super::wide::{Row, Wide};
use super::{Arithmetic, Lanes, Undefined};
use pulp::Simd;

/// Tau-b of two columns of one length.
///
/// # Errors
///
/// [`Undefined::Empty`], and [`Undefined::Constant`] where a column has a single value.
pub fn tau_b(x: &[f64], y: &[f64]) -> Result<f64, Undefined> {
    if x.is_empty() {
        return Err(Undefined::Empty);
    }
    let mut rows: Vec<(u32, u32)> = dense_ranks(x).into_iter().zip(dense_ranks(y)).collect();
    rows.sort_unstable();
    let tied_x = tied(rows.iter().map(|row| row.0));
    let tied_both = tied(rows.iter().copied());
    let mut values: Vec<u32> = rows.iter().map(|row| row.1).collect();
    let discordant = sort_counting(&mut values);
    let tied_y = tied(values.iter().copied());
    let n = rows.len() as u64;
    let all = n * (n - 1) / 2;
    let (x_pairs, y_pairs) = (all - tied_x, all - tied_y);
    if x_pairs == 0 || y_pairs == 0 {
        return Err(Undefined::Constant);
    }
    let concordant = all + tied_both - tied_x - tied_y - discordant;
    let lead = concordant as f64 - discordant as f64;
    Ok(lead / (x_pairs as f64 * y_pairs as f64).sqrt())
}

/// How many pairs of equal items a sorted sequence has.
fn tied<T: PartialEq>(sorted: impl Iterator<Item = T>) -> u64 {
    let (mut pairs, mut run, mut last) = (0, 0, None);
    for item in sorted {
        run = if last.as_ref() == Some(&item) { run + 1 } else { 0 };
        pairs += run;
        last = Some(item);
    }
    pairs
}

/// Sorts, and counts the pairs that stood in the wrong order: a merge sort from the bottom.
pub(crate) fn sort_counting(values: &mut [u32]) -> u64 {
    let (mut inversions, mut width) = (0, 1);
    let mut merged = Vec::with_capacity(values.len());
    while width < values.len() {
        for slice in values.chunks_mut(2 * width) {
            let (left, right) = slice.split_at(width.min(slice.len()));
            let (mut i, mut j) = (0, 0);
            while i < left.len() || j < right.len() {
                if j == right.len() || (i < left.len() && left[i] <= right[j]) {
                    merged.push(left[i]);
                    i += 1;
                } else {
                    inversions += (left.len() - i) as u64;
                    merged.push(right[j]);
                    j += 1;
                }
            }
            slice.copy_from_slice(&merged);
            merged.clear();
        }
        width *= 2;
    }
    inversions
}

/// Tau-b for rows in groups.
#[derive(Debug, Clone)]
pub struct TauB {
    crossed: Crossed,
    form: Option<Form<2>>,
}

impl TauB {
    /// The columns are of one length; groups count from 0.
    pub fn new(x: &[f64], y: &[f64], groups: &[u32]) -> Self {
        let crossed = Crossed::new(x, y, groups);
        let few = crossed.levels() <= MOST_LEVELS && pays(crossed.groups(), crossed.len());
        let form = few.then(|| pairs_of_groups(&crossed));
        Self { crossed, form }
    }
}

/// With more values of `y` than that, adding up the pairs of two groups takes longer than it saves.
const MOST_LEVELS: usize = 64;

/// Concordant less discordant pairs, and ordered pairs that are tied in `x` (a row with itself, too), by their groups.
fn pairs_of_groups(crossed: &Crossed) -> Form<2> {
    let (groups, levels) = (crossed.groups(), crossed.levels());
    let (mut lead, mut tied) = (vec![0.0; groups * groups], vec![0.0; groups * groups]);
    // For each level, of each group, the rows below in x: those below in y less those above.
    let mut ahead = vec![0.0; levels * groups];
    for mut block in crossed.blocks() {
        for &(level, group, count) in &block {
            let ahead = &ahead[level * groups..][..groups];
            for (lead, ahead) in lead[group * groups..][..groups].iter_mut().zip(ahead) {
                *lead += count * ahead;
            }
        }
        for &(level, group, count) in &block {
            for other in 0..levels {
                let side = f64::from(i8::from(other > level) - i8::from(other < level));
                ahead[other * groups + group] += side * count;
            }
        }
        block.sort_unstable_by_key(|&(_, group, _)| group);
        let sums: Vec<(usize, f64)> = block
            .chunk_by(|a, b| a.1 == b.1)
            .map(|same| (same[0].1, same.iter().map(|(_, _, count)| count).sum()))
            .collect();
        for &(one, of_one) in &sums {
            for &(other, of_other) in &sums {
                tied[one * groups + other] += of_one * of_other;
            }
        }
    }
    Form::new([&lead, &tied], groups)
}

impl Arithmetic for TauB {
    #[inline(always)]
    fn sum_up<S: Simd, const N: usize>(&self, wide: Wide<S, N>, times: &[Lanes]) -> Lanes {
        let times = Wide::<S, N>::registers(times);
        let [lead, squares] = match &self.form {
            Some(form) => form.sums(wide, times),
            None => walk(&self.crossed, wide, times),
        };
        let (mut total, mut level_squares) = (wide.zero(), wide.zero());
        for weight in self.crossed.weighted_levels(wide, times) {
            total = wide.add(&total, &weight);
            level_squares = wide.plus_times(&level_squares, &weight, &weight);
        }
        let [total, lead, squares, level_squares] = [total, lead, squares, level_squares].map(Wide::<S, N>::lanes);
        std::array::from_fn(|lane| {
            let n = total[lane];
            let all = n * (n - 1.0) / 2.0;
            // The sums of n (n - 1) / 2 over the blocks, and over the levels.
            let (tied_x, tied_y) = ((squares[lane] - n) / 2.0, (level_squares[lane] - n) / 2.0);
            let spread = (all - tied_x) * (all - tied_y);
            if n == 0.0 {
                f64::NAN
            } else if spread == 0.0 {
                0.0
            } else {
                lead[lane] / spread.sqrt()
            }
        })
    }
}

/// Concordant less discordant pairs, and the squares of the weights of the blocks of `x`: a walk over all cells.
#[inline(always)]
fn walk<S: Simd, const N: usize>(crossed: &Crossed, wide: Wide<S, N>, times: &[S::f64s]) -> [Row<S, N>; 2] {
    let mut below = Fenwick { wide, nodes: vec![wide.zero(); crossed.levels()] };
    let mut of_level = vec![wide.zero(); crossed.levels()];
    let mut block: Vec<(usize, Row<S, N>)> = Vec::new();
    let (mut total, mut here) = (wide.zero(), wide.zero());
    let (mut lead, mut squares) = (wide.zero(), wide.zero());
    for (level, weight, ends_block) in crossed.weighted_cells(wide, times) {
        let lower = below.sum(level);
        // Twice what is lower, plus what is equal, less all: what is lower less what is higher.
        let ahead = wide.less(&wide.add(&wide.add(&lower, &lower), &of_level[level]), &total);
        lead = wide.plus_times(&lead, &weight, &ahead);
        here = wide.add(&here, &weight);
        block.push((level, weight));
        if ends_block {
            for &(level, weight) in &block {
                below.add(level, &weight);
                of_level[level] = wide.add(&of_level[level], &weight);
            }
            block.clear();
            squares = wide.plus_times(&squares, &here, &here);
            total = wide.add(&total, &here);
            here = wide.zero();
        }
    }
    [lead, squares]
}

/// Sums over the first levels, in O(log levels) for each question and each change.
struct Fenwick<S: Simd, const N: usize> {
    wide: Wide<S, N>,
    nodes: Vec<Row<S, N>>,
}

impl<S: Simd, const N: usize> Fenwick<S, N> {
    #[inline(always)]
    fn add(&mut self, level: usize, weight: &Row<S, N>) {
        let mut at = level;
        while at < self.nodes.len() {
            self.nodes[at] = self.wide.add(&self.nodes[at], weight);
            at |= at + 1;
        }
    }

    /// Over all levels before this one.
    #[inline(always)]
    fn sum(&self, level: usize) -> Row<S, N> {
        let (mut sum, mut at) = (self.wide.zero(), level);
        while at > 0 {
            sum = self.wide.add(&sum, &self.nodes[at - 1]);
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::Weighted;
    use super::super::testing::{evaluated, grouped, numbers, reference, repeated, some_times};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scipy_finds_the_same() {
        for row in reference("rank") {
            match (tau_b(&numbers(&row["x"]), &numbers(&row["y"])), row["kendall_tau_b"].as_f64()) {
                (Ok(found), Some(expected)) => assert!((found - expected).abs() < 1e-12, "{found} {expected}"),
                (found, expected) => assert_eq!((found, expected), (Err(Undefined::Constant), None)),
            }
        }
    }

    #[test]
    fn a_walk_gives_the_same_bits_as_a_form() {
        let groups: Vec<u32> = (0..300).map(|at| at * at % 7).collect();
        let scores: Vec<f64> = (0..300).map(|at| f64::from(at * 37 % 53)).collect();
        let other: Vec<f64> = (0..300).map(|at| f64::from(at * 11 % 5)).collect();
        let formed = TauB::new(&scores, &other, &groups);
        assert!(formed.form.is_some());
        let walked = TauB { form: None, ..formed.clone() };
        let times = some_times(7);
        let [formed, walked] = [formed, walked].map(|statistic| statistic.evaluate(&times).map(f64::to_bits));
        assert_eq!(formed, walked);
    }

    proptest! {
        #[test]
        fn it_counts_pairs(rows in proptest::collection::vec((-3_i8..4, -2_i8..3), 1..40)) {
            let (x, y): (Vec<f64>, Vec<f64>) = rows.iter().map(|row| (f64::from(row.0), f64::from(row.1))).unzip();
            let (mut lead, mut x_pairs, mut y_pairs) = (0_i32, 0_i32, 0_i32);
            for (at, a) in rows.iter().enumerate() {
                for b in &rows[..at] {
                    let (dx, dy) = ((a.0 - b.0).signum(), (a.1 - b.1).signum());
                    lead += i32::from(dx * dy);
                    x_pairs += i32::from(dx.abs());
                    y_pairs += i32::from(dy.abs());
                }
            }
            let (found, spread) = (tau_b(&x, &y), f64::from(x_pairs * y_pairs).sqrt());
            prop_assert_eq!(found.is_err(), spread == 0.0);
            prop_assert!(found.is_ok_and(|found| (found - f64::from(lead) / spread).abs() < 1e-12) || spread == 0.0);
        }

        #[test]
        fn weights_are_repetitions((rows, times) in grouped()) {
            let (x, y): (Vec<f64>, Vec<f64>) = rows.iter().map(|row| (f64::from(row.1), f64::from(row.2))).unzip();
            let groups: Vec<u32> = rows.iter().map(|row| row.0).collect();
            for (x, y) in [(&x, &y), (&y, &x)] {
                let found = evaluated(&TauB::new(x, y, &groups), &times);
                let repeat = |values: &[f64]| -> Vec<f64> {
                    let each = values.iter().zip(&groups);
                    each.flat_map(|(value, group)| std::iter::repeat_n(*value, times[*group as usize] as usize)).collect()
                };
                match tau_b(&repeat(x), &repeat(y)) {
                    Ok(expected) => prop_assert_eq!(found, expected),
                    Err(Undefined::Constant) => prop_assert_eq!(found, 0.0),
                    Err(_) => prop_assert!(found.is_nan()),
                }
            }
            prop_assert_eq!(repeated(&rows, &times).0.len() as u32, rows.iter().map(|row| times[row.0 as usize]).sum::<u32>());
        }

        #[test]
        fn sorting_counts_inversions(mut values in proptest::collection::vec(0_u32..9, 0..40)) {
            let expected = (0..values.len()).map(|at| values[..at].iter().filter(|other| **other > values[at]).count()).sum::<usize>();
            prop_assert_eq!(sort_counting(&mut values), expected as u64);
            prop_assert!(values.is_sorted());
        }
    }
}
