//! What must hold of the repairs of any pair.

use objalign_core::{Aligner, Granularity, Options, Plan, RepairOptions, apply};
use serde_json::Value;

/// Checks the repairs of a pair: the deltas sum up to what the score lacks of 1, and a foreign implementation of RFC 6902
/// that applies them reaches exactly 1. `Err` says what does not hold.
pub(crate) fn check(plan: &Plan, options: Options, gold: &Value, candidate: &Value) -> Result<(), String> {
    let mut aligner = Aligner::with_options(plan, options);
    for granularity in [Granularity::Leaf, Granularity::Subtree] {
        let alignment = aligner.align(gold, candidate).map_err(|error| error.to_string())?;
        let score = alignment.score();
        let repairs = alignment.repairs(&RepairOptions::new().granularity(granularity));
        let costs: f64 = alignment.attribution().iter().map(|(_, cost)| cost).sum();
        let all = serde_json::to_string(&repairs).map_err(|error| error.to_string())?;
        let sum: f64 = repairs.iter().map(|repair| repair.delta).sum();
        if (sum - (1.0 - score)).abs() > 1e-9 {
            return Err(format!("{granularity:?}: the deltas sum to {sum}, the score is {score}: {all}"));
        }
        if (costs - (1.0 - score)).abs() > 1e-9 {
            return Err(format!("the costs sum to {costs}, the score is {score}"));
        }
        if repairs.iter().any(|repair| !(0.0..=1.0 + 1e-9).contains(&repair.delta)) {
            return Err(format!("a delta beyond [0, 1]: {all}"));
        }
        let patch: json_patch::Patch = serde_json::from_str(&all).map_err(|error| format!("{error}: {all}"))?;
        let mut repaired = candidate.clone();
        json_patch::patch(&mut repaired, &patch).map_err(|error| format!("{granularity:?}: {error}: {all}"))?;
        if apply(candidate, &repairs).as_ref() != Ok(&repaired) {
            return Err(format!("two ways of applying differ: {all}"));
        }
        let reached = aligner.align(gold, &repaired).map_err(|error| error.to_string())?.score();
        if reached != 1.0 {
            return Err(format!("{granularity:?}: reached {reached}: {all}: {repaired}"));
        }
    }
    Ok(())
}
