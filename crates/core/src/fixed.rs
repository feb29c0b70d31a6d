//! Similarities at a fixed resolution.
//!
//! Wherever a sum of similarities decides something (which assignment is best) or must not depend on the order of its
//! terms (the score of a list), similarities are counted in multiples of 2^-40 and added as integers: integer addition
//! has one result whatever the order, and two totals are equal or they are not. A similarity is rounded once, when it
//! enters such a sum; the quotient that leaves it is an ordinary `f64` again.

/// How many units make a similarity of 1.
pub(crate) const ONE: i64 = 1 << 40;

/// The nearest multiple of 2^-40.
///
/// Three facts survive the rounding, since later rules hang on them: 0 stays 0 ("no pair"), anything above 0 stays above
/// 0, and anything below 1 stays below 1. `NaN` counts as 0.
pub(crate) fn quantise(similarity: f64) -> i64 {
    if similarity >= 1.0 {
        ONE
    } else if similarity > 0.0 {
        nearest(similarity * ONE as f64).clamp(1, ONE - 1)
    } else {
        0
    }
}

/// The nearest integer of a positive number below 2^52, halves up; as `f64::round` says, which is a call on most machines.
fn nearest(positive: f64) -> i64 {
    let floor = positive as i64;
    floor + i64::from(positive - floor as f64 >= 0.5)
}

/// `units` spread over `entries` list entries: a score in [0, 1]; the empty list is vacuously 1.
pub(crate) fn mean(units: i64, entries: usize) -> f64 {
    if entries == 0 {
        1.0
    } else {
        // One division: when every entry is ONE the quotient is exactly 1.
        units as f64 / (ONE as f64 * entries as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_the_ends_apart() {
        assert_eq!(quantise(0.0), 0);
        assert_eq!(quantise(-0.5), 0);
        assert_eq!(quantise(f64::NAN), 0);
        assert_eq!(quantise(1e-300), 1);
        assert_eq!(quantise(1.0 - f64::EPSILON), ONE - 1);
        assert_eq!(quantise(1.0), ONE);
        assert_eq!(quantise(7.0), ONE);
        assert_eq!(quantise(0.5), ONE / 2);
    }

    #[test]
    fn rounding_is_that_of_the_library() {
        let mut value = 1e-3_f64;
        while value < (1_u64 << 41) as f64 {
            for near in [value, value.floor() + 0.5, (value.floor() + 0.5).next_down(), value.floor().next_down()] {
                assert!(near <= 0.0 || nearest(near) == near.round() as i64, "{near}");
            }
            value *= 1.000_37;
        }
        assert_eq!(nearest(0.5_f64.next_down()), 0);
    }

    #[test]
    fn a_mean_of_ones_is_one() {
        for entries in 0..2000_u32 {
            assert_eq!(mean(ONE * i64::from(entries), entries as usize), 1.0);
        }
        assert_eq!(mean(2 * ONE, 3), 2.0 / 3.0);
    }
}
