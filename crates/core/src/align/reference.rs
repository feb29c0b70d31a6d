//! References: two leaves that point at records are compared by the records they mean, never by value.

use super::engine::Engine;
use crate::document::NodeId;
use crate::schema::plan::ScopeId;

impl Engine<'_> {
    /// 1 if the two references mean records that belong together, or may still, else 0.
    pub(super) fn reference_score(&self, scope: ScopeId, gold: NodeId, candidate: NodeId) -> f64 {
        let arena = &self.work.arena;
        f64::from(self.work.bijections.agree(scope, arena.class(gold), arena.class(candidate)))
    }
}
