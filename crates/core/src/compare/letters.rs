//! How alike two strings can be at most, from the letters they share: a few nanoseconds instead of a comparison.
//!
//! Every edit mends at most one letter that one string has and the other lacks, and a match needs a letter of each: so no
//! built-in metric exceeds what it would say of strings whose common letters stood in the same order. Letters are counted in
//! 32 buckets, which can only make two strings look more alike than they are.

use super::string::StringMetric;

const BUCKETS: usize = 32;

/// Strings longer than this are judged by their lengths alone.
const MOST_COUNTED: usize = u8::MAX as usize;

/// The letters of a string: Unicode scalar values, as the metrics count them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letters {
    len: u32,
    /// Zero throughout in strings that are too long.
    counts: [u8; BUCKETS],
    /// The first four, which `jaro_winkler` rewards; beyond the end of a string whatever comes is taken for equal.
    start: [u32; 4],
}

const ANY: u32 = u32::MAX;

impl Letters {
    pub(crate) fn of(text: &str) -> Self {
        let mut letters = Self { len: 0, counts: [0; BUCKETS], start: [ANY; 4] };
        for (place, letter) in letters.start.iter_mut().zip(text.chars()) {
            *place = u32::from(letter);
        }
        letters.len = text.chars().count() as u32;
        if letters.len as usize <= MOST_COUNTED {
            for letter in text.chars() {
                letters.counts[u32::from(letter) as usize % BUCKETS] += 1;
            }
        }
        letters
    }

    /// At least as many letters as the two have in common.
    fn shared(&self, other: &Self) -> u32 {
        if self.len.max(other.len) as usize > MOST_COUNTED {
            return self.len.min(other.len);
        }
        // No more than the shorter one's letters: a byte holds it.
        u32::from(self.counts.iter().zip(&other.counts).map(|(&a, &b)| a.min(b)).sum::<u8>())
    }

    fn may_share_start(&self, other: &Self) -> usize {
        self.start.iter().zip(&other.start).take_while(|&(&a, &b)| a == b || a == ANY || b == ANY).count()
    }
}

impl StringMetric {
    /// No less than the similarity of two different strings with these letters, up to rounding; in [0, 1], and 0 only if
    /// the similarity is 0.
    pub(crate) fn at_most(self, gold: &Letters, candidate: &Letters) -> f64 {
        let shared = gold.shared(candidate);
        if shared == 0 && !matches!(self, Self::Custom(_)) {
            return 0.0;
        }
        let shared = f64::from(shared);
        let (gold_len, candidate_len) = (f64::from(gold.len), f64::from(candidate.len));
        let jaro = || (shared / gold_len + shared / candidate_len + 1.0) / 3.0;
        match self {
            Self::Exact => 0.0,
            Self::Jaro => jaro(),
            Self::JaroWinkler => jaro() + 0.1 * gold.may_share_start(candidate) as f64 * (1.0 - jaro()),
            Self::Levenshtein | Self::DamerauLevenshtein | Self::Osa | Self::LcsSeq => {
                shared / gold_len.max(candidate_len)
            }
            Self::Indel => 2.0 * shared / (gold_len + candidate_len),
            Self::Custom(_) => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::string::STRING_METRICS;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn strings_without_a_common_letter_are_settled() {
        for (name, metric) in STRING_METRICS {
            assert_eq!(metric.at_most(&Letters::of("abc"), &Letters::of("xyz")), 0.0, "{name}");
            assert_eq!(metric.at_most(&Letters::of(""), &Letters::of("xyz")), 0.0, "{name}");
        }
        let most = StringMetric::Levenshtein.at_most(&Letters::of("abcd"), &Letters::of("abxy"));
        assert_eq!(most, 0.5);
    }

    fn check(a: &str, b: &str) -> Result<(), TestCaseError> {
        for (name, metric) in STRING_METRICS {
            let most = metric.at_most(&Letters::of(a), &Letters::of(b));
            let similarity = metric.similarity(a, b).expect("built in");
            prop_assert!(a == b || similarity <= most + 1e-12, "{name} {a:?} {b:?}: {similarity} > {most}");
            prop_assert!(a == b || most > 0.0 || similarity == 0.0, "{name} {a:?} {b:?}");
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn no_similarity_is_above_it(a in "[a-eé🦀]{0,12}", b in "[a-eé🦀]{0,12}") {
            check(&a, &b)?;
        }

        #[test]
        fn nor_that_of_long_strings(a in "[ab]{0,9}", b in "[ab]{0,9}", times in 1_usize..60) {
            check(&a.repeat(times), &b.repeat(times))?;
        }
    }
}
