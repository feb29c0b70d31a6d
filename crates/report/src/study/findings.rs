//! What the probes found.

use objalign_probe::probes::invariance::Invariance;
use objalign_probe::probes::order::Order;
use objalign_probe::probes::sensitivity::Sensitivity;
use serde::{Deserialize, Serialize};

/// The figures of a study: what `summary.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// Copies under other identifiers.
    pub invariance: Invariance,
    /// Copies in another order as well; none if none were wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffled: Option<Invariance>,
    /// Copies of symmetric graphs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symmetric: Option<Invariance>,
    /// Damage.
    pub sensitivity: Sensitivity,
    /// Disorder.
    pub order: Order,
}
