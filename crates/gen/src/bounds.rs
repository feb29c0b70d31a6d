//! Knobs that are drawn anew for each instance: the least and the greatest value, both included.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A range to draw from, evenly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds<T> {
    /// The least value.
    pub min: T,
    /// The greatest value, which is as likely as any other.
    pub max: T,
}

impl<T: Copy> Bounds<T> {
    /// From `min` to `max`.
    pub const fn new(min: T, max: T) -> Self {
        Self { min, max }
    }

    /// Always `value`.
    pub const fn only(value: T) -> Self {
        Self { min: value, max: value }
    }
}

impl Bounds<u32> {
    pub(crate) fn draw(self, random: &mut ChaCha12Rng) -> u32 {
        random.random_range(self.min..=self.max)
    }
}

impl Bounds<f64> {
    pub(crate) fn draw(self, random: &mut ChaCha12Rng) -> f64 {
        random.random_range(self.min..=self.max)
    }
}

/// A parameter that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: {message}")]
pub struct ParamsError {
    /// The parameter, as a configuration file calls it.
    pub key: String,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl ParamsError {
    pub(crate) fn new(key: &str, message: impl fmt::Display) -> Self {
        Self { key: key.to_owned(), message: message.to_string() }
    }
}

impl<T: Copy + PartialOrd + fmt::Display> Bounds<T> {
    /// Whether the range lies within `least` and `greatest`, and is one.
    pub(crate) fn check(self, key: &str, least: T, greatest: T) -> Result<(), ParamsError> {
        // Written so that a NaN is refused.
        if self.min >= least && self.max <= greatest && self.min <= self.max {
            return Ok(());
        }
        Err(ParamsError::new(
            key,
            format_args!(
                "min {} and max {} make no range; allowed: {least} to {greatest}, min no greater than max",
                self.min, self.max
            ),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_range_says_what_is_allowed() {
        assert_eq!(Bounds::new(2, 4).check("people", 2, 10), Ok(()));
        let error = Bounds::new(5, 4).check("people", 2, 10).expect_err("no range");
        let told = "`people`: min 5 and max 4 make no range; allowed: 2 to 10, min no greater than max";
        assert_eq!(error.to_string(), told);
        for (min, max) in [(-0.1, 0.5), (0.0, 1.1), (f64::NAN, 1.0), (0.0, f64::NAN)] {
            assert!(Bounds::new(min, max).check("twins", 0.0, 1.0).is_err());
        }
    }
}
