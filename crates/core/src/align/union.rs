//! Unions: which alternative of an `anyOf` or `oneOf` speaks for a pair.
//!
//! The first, in the schema's order, that both sides fit. Where there is none the sides are of different kinds; the pair is
//! then compared under the first alternative that the gold fits. JSON types settle most unions; only what they leave open
//! is validated, once for each distinct value.

use super::engine::Engine;
use super::validity;
use crate::document::NodeId;
use crate::schema::plan::{Branch, PlanId};

impl Engine<'_> {
    /// The node of the alternative under which to score a pair.
    pub(super) fn choose_branch(&mut self, union: PlanId, gold: NodeId, candidate: NodeId) -> PlanId {
        let branches = &self.node(union).branches;
        let (gold_kind, candidate_kind) = (self.kind(gold), self.kind(candidate));
        let admits_both = |branch: &Branch| branch.types.admits(gold_kind) && branch.types.admits(candidate_kind);
        let mut possible = branches.iter().enumerate().filter(|(_, branch)| admits_both(branch));
        if let (Some((_, only)), None) = (possible.next(), possible.next()) {
            return only.node;
        }
        let both = branches.iter().enumerate().find(|(index, branch)| {
            admits_both(branch) && self.fits(union, *index, branch, gold) && self.fits(union, *index, branch, candidate)
        });
        let chosen = both
            .or_else(|| {
                branches
                    .iter()
                    .enumerate()
                    .find(|(index, branch)| branch.types.admits(gold_kind) && self.fits(union, *index, branch, gold))
            })
            .or_else(|| branches.iter().enumerate().find(|(_, branch)| branch.types.admits(gold_kind)))
            .or_else(|| branches.iter().enumerate().next());
        chosen.map_or(union, |(_, branch)| branch.node)
    }

    /// The score of a value against null: what the node says of it, or else the alternative that the value fits.
    pub(super) fn null_score(&mut self, plan: PlanId, value: NodeId) -> f64 {
        let mut at = plan;
        loop {
            let node = self.node(at);
            if let Some(score) = node.null_score {
                return score;
            }
            if node.branches.is_empty() {
                return 0.0;
            }
            at = self.choose_branch(at, value, value);
        }
    }

    fn fits(&mut self, union: PlanId, index: usize, branch: &Branch, value: NodeId) -> bool {
        let Some(validator) = &branch.validator else { return true };
        let (arena, fits) = (&self.work.arena, &mut self.work.fits);
        *fits
            .entry((union, index as u32, arena.class(value)))
            .or_insert_with(|| validity::fits(validator, &arena.value(value)))
    }
}
