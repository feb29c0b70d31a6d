//! The area under the ROC curve: how often a score puts a clean row above a damaged one, ties counted half.
//!
//! It is the Mann-Whitney U of the two classes, with mid-ranks, over the number of pairs. 1: the classes are parted
//! completely; 0.5: the score tells nothing. O(n log n); O(n) for each weighting.
//!
//! **Source.** Mann and Whitney (1947); *Object Aligner*, section V-A.

use super::crossed::Crossed;
use super::ranks::doubled_mid_ranks;
use super::{Arithmetic, LANES, Lanes, Undefined, add, add_product};

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
pub struct Auroc(Crossed);

impl Auroc {
    /// The columns are of one length; groups count from 0.
    pub fn new(scores: &[f64], clean: &[bool], groups: &[u32]) -> Self {
        let class: Vec<f64> = clean.iter().map(|&clean| f64::from(u8::from(clean))).collect();
        Self(Crossed::new(scores, &class, groups))
    }
}

impl Arithmetic for Auroc {
    #[inline(always)]
    fn sum_up(&self, times: &[Lanes]) -> Lanes {
        if self.0.levels() < 2 {
            return [f64::NAN; LANES];
        }
        // Of the blocks below, and of this block: weights of the damaged (0) and the clean (1).
        let (mut below, mut here) = ([[0.0; LANES]; 2], [[0.0; LANES]; 2]);
        let mut doubled = [0.0; LANES];
        for (level, weight, ends_block) in self.0.weighted_runs(times) {
            add(&mut here[level], &weight);
            if ends_block {
                let mut beaten = here[0];
                add(&mut beaten, &below[0]);
                add(&mut beaten, &below[0]);
                add_product(&mut doubled, &here[1], &beaten);
                add(&mut below[0], &here[0]);
                add(&mut below[1], &here[1]);
                here = [[0.0; LANES]; 2];
            }
        }
        // Without pairs this is 0 / 0, the NaN that is asked for.
        std::array::from_fn(|lane| doubled[lane] / (2.0 * below[0][lane] * below[1][lane]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluated, grouped, numbers, reference, repeated};
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
