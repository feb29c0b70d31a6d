//! What the study found.

use objalign_probe::probes::figure::Named;
use objalign_probe::scd::cross::Cross;
use objalign_probe::scd::metrology::Metrology;
use objalign_probe::scd::summary::Of;
use serde::{Deserialize, Serialize};

/// The figures of a study: what `summary.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// Models, simulated and given: by domain, then by level or condition.
    pub models: Named<Named<Named<Of>>>,
    /// Whether the measures read back damage that is known.
    pub metrology: Metrology,
    /// What the measures see, and what the aligner sees.
    pub cross: Cross,
}

/// Whether a condition is a level of complexity, rather than one of an ablation.
pub(super) fn is_level(condition: &str) -> bool {
    ["S", "M", "L"].contains(&condition)
}

/// Where a condition of an ablation stands among its like: numbers by their size, words by what they mean.
pub(super) fn rank(value: &str) -> (u32, usize) {
    const WORDS: [&str; 7] = ["near", "middle", "far", "opaque", "descriptive", "repeated", "unique"];
    (value.parse().unwrap_or_default(), WORDS.iter().position(|known| *known == value).unwrap_or(WORDS.len()))
}
