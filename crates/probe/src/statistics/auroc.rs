//! The area under the ROC curve: how often a score puts a clean row above a damaged one, ties counted half.
//!
//! It is the Mann-Whitney U of the two classes, with mid-ranks, over the number of pairs. 1: the classes are parted
//! completely; 0.5: the score tells nothing. O(n log n); O(n) for each weighting, or the square of the number of groups where
//! that is less ([`super::form`]).
//!
//! **Source.** Mann and Whitney (1947); *Object Aligner*, section V-A.

use super::crossed::Crossed;
use super::form::{Form, pays};
use super::ranks::doubled_mid_ranks;
use super::wide::Wide;
use super::{Arithmetic, LANES, Lanes, Undefined};
use pulp::Simd;

/// The share of pairs of a clean and a damaged row in which the clean one has the higher score, from 0 to 1.
///
/// # Errors
///
/// [`Undefined::OneClass`] where there are no pairs to count.
///
/// ```
/// use objalign_probe::statistics::auroc::auroc;
///
/// assert_eq!(auroc(&[0.9, 0.4, 0.4, 0.1], &[true, true, false, false]), Ok(0.875));
/// ```
pub fn auroc(scores: &[f64], clean: &[bool]) -> Result<f64, Undefined> {
    let count = clean.iter().filter(|clean| **clean).count() as u64;
    let others = clean.len() as u64 - count;
    if count == 0 || others == 0 {
        return Err(if clean.is_empty() { Undefined::Empty } else { Undefined::OneClass });
    }
    let ranks = doubled_mid_ranks(scores);
    let sum: u64 = ranks.iter().zip(clean).filter(|(_, clean)| **clean).map(|(rank, _)| rank).sum();
    Ok((sum - count * (count + 1)) as f64 / (2 * count * others) as f64)
}

/// The area for rows in groups.
#[derive(Debug, Clone)]
pub struct Auroc {
    crossed: Crossed,
    form: Option<Form<1>>,
}

impl Auroc {
    /// The columns are of one length; groups count from 0.
    pub fn new(scores: &[f64], clean: &[bool], groups: &[u32]) -> Self {
        let class: Vec<f64> = clean.iter().map(|&clean| f64::from(u8::from(clean))).collect();
        let crossed = Crossed::new(scores, &class, groups);
        let form = (crossed.levels() == 2 && pays(crossed.groups(), crossed.len())).then(|| wins(&crossed));
        Self { crossed, form }
    }
}

/// Twice how often a clean row is above a damaged one, by their groups; once for a tie.
fn wins(crossed: &Crossed) -> Form<1> {
    let groups = crossed.groups();
    let (mut wins, mut below) = (vec![0.0; groups * groups], vec![0.0; groups]);
    for block in crossed.blocks() {
        let damaged = || block.iter().filter(|(level, ..)| *level == 0);
        // Here and below, each counted once; what is below is then counted again.
        damaged().for_each(|&(_, group, count)| below[group] += count / 2.0);
        for &(_, group, count) in block.iter().filter(|(level, ..)| *level == 1) {
            for (wins, below) in wins[group * groups..][..groups].iter_mut().zip(&below) {
                *wins += count * 2.0 * below;
            }
        }
        damaged().for_each(|&(_, group, count)| below[group] += count / 2.0);
    }
    Form::new([&wins], groups)
}

impl Arithmetic for Auroc {
    #[inline(always)]
    fn sum_up<S: Simd, const N: usize>(&self, wide: Wide<S, N>, times: &[Lanes]) -> Lanes {
        if self.crossed.levels() < 2 {
            return [f64::NAN; LANES];
        }
        let times = Wide::<S, N>::registers(times);
        let doubled = if let Some(form) = &self.form {
            form.sums(wide, times)[0]
        } else {
            let (mut doubled, mut below) = (wide.zero(), wide.zero());
            // Of this block: weights of the damaged and of the clean.
            let (mut damaged, mut clean) = (wide.zero(), wide.zero());
            for (level, weight, ends_block) in self.crossed.weighted_cells(wide, times) {
                if level == 0 {
                    damaged = wide.add(&damaged, &weight);
                } else {
                    clean = wide.add(&clean, &weight);
                }
                if ends_block {
                    let next = wide.add(&below, &damaged);
                    doubled = wide.plus_times(&doubled, &clean, &wide.add(&below, &next));
                    (below, damaged, clean) = (next, wide.zero(), wide.zero());
                }
            }
            doubled
        };
        let weights = self.crossed.weighted_levels(wide, times);
        let [doubled, damaged, clean] = [doubled, weights[0], weights[1]].map(Wide::<S, N>::lanes);
        // Without pairs this is 0 / 0, the NaN that is asked for.
        std::array::from_fn(|lane| doubled[lane] / (2.0 * damaged[lane] * clean[lane]))
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
        for row in reference("auroc") {
            let positive: Vec<bool> = numbers(&row["labels"]).into_iter().map(|label| label == 1.0).collect();
            let found = auroc(&numbers(&row["scores"]), &positive).expect("two classes");
            assert!((found - row["auroc"].as_f64().expect("a number")).abs() < 1e-12, "{found} {}", row["auroc"]);
        }
    }

    #[test]
    fn one_class_is_no_question() {
        assert_eq!(auroc(&[1.0, 2.0], &[true, true]), Err(Undefined::OneClass));
        assert_eq!(auroc(&[], &[]), Err(Undefined::Empty));
        assert!(evaluated(&Auroc::new(&[1.0, 2.0], &[false, false], &[0, 0]), &[1]).is_nan());
        assert!(evaluated(&Auroc::new(&[1.0, 2.0], &[false, true], &[0, 1]), &[1, 0]).is_nan());
    }

    #[test]
    fn a_walk_gives_the_same_bits_as_a_form() {
        let groups: Vec<u32> = (0..300).map(|at| at * at % 7).collect();
        let scores: Vec<f64> = (0..300).map(|at| f64::from(at * 37 % 53)).collect();
        let other: Vec<bool> = (0..300).map(|at| at * 11 % 5 == 0).collect();
        let formed = Auroc::new(&scores, &other, &groups);
        assert!(formed.form.is_some());
        let walked = Auroc { form: None, ..formed.clone() };
        let times = some_times(7);
        let [formed, walked] = [formed, walked].map(|statistic| statistic.evaluate(&times).map(f64::to_bits));
        assert_eq!(formed, walked);
    }

    proptest! {
        #[test]
        fn it_counts_pairs(rows in proptest::collection::vec((-3_i8..4, any::<bool>()), 1..40)) {
            let (scores, clean): (Vec<f64>, Vec<bool>) = rows.iter().map(|&(score, clean)| (f64::from(score), clean)).unzip();
            let (mut won, mut pairs) = (0.0, 0.0);
            for high in rows.iter().filter(|row| row.1) {
                for low in rows.iter().filter(|row| !row.1) {
                    pairs += 1.0;
                    won += f64::midpoint(f64::from((high.0 - low.0).signum()), 1.0);
                }
            }
            let found = auroc(&scores, &clean);
            prop_assert_eq!(found.is_err(), pairs == 0.0);
            prop_assert!(found.is_ok_and(|found| (found - won / pairs).abs() < 1e-12) || pairs == 0.0);
        }

        #[test]
        fn weights_are_repetitions((rows, times) in grouped()) {
            let (scores, classes): (Vec<f64>, Vec<bool>) = rows.iter().map(|row| (f64::from(row.1), row.2 == 0)).unzip();
            let groups: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let found = evaluated(&Auroc::new(&scores, &classes, &groups), &times);
            let (scores, classes) = repeated(&rows, &times);
            let classes: Vec<bool> = classes.into_iter().map(|class| class == 0.0).collect();
            match auroc(&scores, &classes) {
                Ok(expected) => prop_assert_eq!(found, expected),
                Err(_) => prop_assert!(found.is_nan()),
            }
        }
    }
}
