//! May the gold hold keys of which the schema says nothing? Those that are matched are worth a warning, which only the match
//! tree can tell; where there are none, a score needs no tree. Linear in the containers of the gold.

use super::engine::Engine;
use crate::document::{Kind, NodeId};
use crate::reference::records::item_rule;
use crate::schema::plan::PlanId;

impl Engine<'_> {
    /// Never false if there are such keys; true as well where a container stands under a union.
    pub(super) fn may_be_undeclared(&mut self, plan: PlanId, gold: NodeId) -> bool {
        let node = self.node(plan);
        let kind = self.kind(gold);
        if !node.silent || !matches!(kind, Kind::Array | Kind::Object) {
            return false;
        }
        if !node.branches.is_empty() {
            return true;
        }
        if kind == Kind::Array {
            let mut children = self.work.arena.children(gold).enumerate();
            return children.any(|(index, child)| self.may_be_undeclared(item_rule(node, index).0, child));
        }
        let id = self.pairing(plan, gold, gold);
        if self.work.pairings.get(id).undeclared {
            return true;
        }
        (0..self.work.pairings.get(id).silent.len()).any(|index| {
            let (member, rule) = self.work.pairings.get(id).silent[index];
            self.may_be_undeclared(rule, self.work.arena.child(gold, member as usize))
        })
    }
}
