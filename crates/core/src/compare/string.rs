//! The built-in string metrics: normalised similarities over Unicode scalar values (*Object Aligner*, section III-B).
//!
//! `rapidfuzz` computes them, many cells of its tables at once and in memory linear in the texts, so that texts of a hundred
//! thousand letters are compared within a second or two.

use rapidfuzz::distance::{damerau_levenshtein, indel, jaro, jaro_winkler, lcs_seq, levenshtein, osa};

/// A string metric, by the name that `score` uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StringMetric {
    Exact,
    Jaro,
    JaroWinkler,
    Levenshtein,
    DamerauLevenshtein,
    Osa,
    Indel,
    LcsSeq,
    /// A registered comparator, by its index in the plan.
    Custom(u16),
}

/// Every built-in metric under its name, the default first.
pub(crate) const STRING_METRICS: [(&str, StringMetric); 8] = [
    ("jaro", StringMetric::Jaro),
    ("exact", StringMetric::Exact),
    ("jaro_winkler", StringMetric::JaroWinkler),
    ("levenshtein", StringMetric::Levenshtein),
    ("damerau_levenshtein", StringMetric::DamerauLevenshtein),
    ("osa", StringMetric::Osa),
    ("indel", StringMetric::Indel),
    ("lcsseq", StringMetric::LcsSeq),
];

impl StringMetric {
    /// The similarity of two strings, in [0, 1]; 1 for equal strings. `None` for a custom comparator, which only the plan
    /// can call.
    pub(crate) fn similarity(self, gold: &str, candidate: &str) -> Option<f64> {
        if gold == candidate && !matches!(self, Self::Custom(_)) {
            return Some(1.0);
        }
        Some(match self {
            Self::Exact => 0.0,
            Self::Jaro => jaro::normalized_similarity(gold.chars(), candidate.chars()),
            Self::JaroWinkler => jaro_winkler::normalized_similarity(gold.chars(), candidate.chars()),
            Self::Levenshtein => levenshtein::normalized_similarity(gold.chars(), candidate.chars()),
            Self::DamerauLevenshtein => damerau_levenshtein::normalized_similarity(gold.chars(), candidate.chars()),
            Self::Osa => osa::normalized_similarity(gold.chars(), candidate.chars()),
            Self::Indel => indel::normalized_similarity(gold.chars(), candidate.chars()),
            Self::LcsSeq => lcs_seq::normalized_similarity(gold.chars(), candidate.chars()),
            Self::Custom(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_values() {
        let close = |metric: StringMetric, a, b, expected: f64| {
            let found = metric.similarity(a, b).expect("built in");
            assert!((found - expected).abs() < 1e-12, "{metric:?} {a} {b}: {found}");
        };
        close(StringMetric::Exact, "a", "A", 0.0);
        close(StringMetric::Jaro, "MARTHA", "MARHTA", 17.0 / 18.0);
        close(StringMetric::JaroWinkler, "MARTHA", "MARHTA", 17.0 / 18.0 + 3.0 * 0.1 / 18.0);
        close(StringMetric::Levenshtein, "kitten", "sitting", 1.0 - 3.0 / 7.0);
        close(StringMetric::DamerauLevenshtein, "ca", "abc", 1.0 - 2.0 / 3.0);
        close(StringMetric::Osa, "ca", "abc", 0.0);
        close(StringMetric::Indel, "kitten", "sitting", 8.0 / 13.0);
        close(StringMetric::LcsSeq, "kitten", "sitting", 4.0 / 7.0);
        // One scalar value of three, whatever the bytes.
        close(StringMetric::Levenshtein, "Łód", "Łod", 2.0 / 3.0);
    }

    proptest! {
        #[test]
        fn another_crate_computes_the_same(a in "[a-cé]{0,10}", b in "[a-cé]{0,10}") {
            let longest = a.chars().count().max(b.chars().count()).max(1) as f64;
            let osa = 1.0 - strsim::osa_distance(&a, &b) as f64 / longest;
            for (metric, expected) in [
                (StringMetric::Jaro, strsim::jaro(&a, &b)),
                (StringMetric::JaroWinkler, strsim::jaro_winkler(&a, &b)),
                (StringMetric::Levenshtein, strsim::normalized_levenshtein(&a, &b)),
                (StringMetric::DamerauLevenshtein, strsim::normalized_damerau_levenshtein(&a, &b)),
                (StringMetric::Osa, osa),
            ] {
                let found = metric.similarity(&a, &b).expect("built in");
                prop_assert!((found - expected).abs() < 1e-12, "{metric:?}: {found} {expected}");
            }
        }

        #[test]
        fn all_metrics_stay_in_range_and_know_equality(a in "\\PC{0,12}", b in "\\PC{0,12}") {
            for (name, metric) in STRING_METRICS {
                let similarity = metric.similarity(&a, &b).expect("built in");
                prop_assert!((0.0..=1.0).contains(&similarity), "{name}: {similarity}");
                prop_assert_eq!(metric.similarity(&a, &a), Some(1.0));
                if a != b {
                    prop_assert!(similarity < 1.0, "{name} {a:?} {b:?}");
                }
            }
        }
    }
}
