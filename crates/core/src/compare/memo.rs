//! Memory of string similarities: each distinct (metric, gold string, candidate string) is computed once per aligner.

use super::string::StringMetric;
use crate::document::StringId;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Similarities by metric and pair of interned strings. Valid as long as the ids mean the same strings.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    known: HashMap<(u16, StringId, StringId), f64, FixedState>,
}

impl Memo {
    pub(crate) fn get_or(
        &mut self,
        metric: StringMetric,
        gold: StringId,
        candidate: StringId,
        compute: impl FnOnce() -> f64,
    ) -> f64 {
        *self.known.entry((tag(metric), gold, candidate)).or_insert_with(compute)
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }
}

/// A number for each metric; custom ones follow the built-in ones.
fn tag(metric: StringMetric) -> u16 {
    match metric {
        StringMetric::Exact => 0,
        StringMetric::Jaro => 1,
        StringMetric::JaroWinkler => 2,
        StringMetric::Levenshtein => 3,
        StringMetric::DamerauLevenshtein => 4,
        StringMetric::Osa => 5,
        StringMetric::Indel => 6,
        StringMetric::LcsSeq => 7,
        StringMetric::Custom(index) => 8 + index,
    }
}
