//! What a pair can score at most, for less than what it takes to score it.
//!
//! Two bounds. The coarse one of two objects looks at which members are equal, and which are exact strings that are not.
//! The fine one looks into the members: numbers, booleans, exact strings and references are settled; other strings are bounded by the letters they share, lists by
//! their lengths. The bound of an object is its score with those in place of its members. Linear in the objects that are
//! nested in each other, whatever their lists and strings.

use super::engine::Engine;
use super::leaf::below;
use super::map::{Compared, PairingId, Pairings};
use crate::compare::number::{NumberMetric, inverse_difference};
use crate::compare::string::StringMetric;
use crate::document::{Arena, Kind, Node, NodeId, StringId};
use crate::fixed::{ONE, quantise};
use crate::reference::bijections::Bijections;
use crate::schema::plan::{ArrayRule, Node as PlanNode, Plan, PlanId, Role};

/// An upper bound on a score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    most: f64,
    /// Whether it is the score itself, to the last bit.
    pub(super) exact: bool,
}

/// More than rounding can make of the few sums and quotients in a bound.
const SLACK: f64 = 1e-9;

impl Bound {
    const OPEN: Self = Self { most: 1.0, exact: false };

    fn exact(score: f64) -> Self {
        Self { most: score, exact: true }
    }

    fn at_threshold(similarity: f64, node: &PlanNode) -> Self {
        Self::exact(if below(similarity, node.threshold) { 0.0 } else { similarity })
    }

    fn open(most: f64) -> Self {
        Self { most, exact: false }
    }

    /// In units; no less than the score's.
    pub(super) fn units(self) -> i64 {
        if self.exact { quantise(self.most) } else { quantise(self.most + SLACK).min(ONE) }
    }
}

/// All that bounds are made of, only read: the inner loop of the aligner.
struct Reader<'a> {
    plan: &'a Plan,
    arena: &'a Arena,
    pairings: &'a Pairings,
    bijections: &'a Bijections,
    /// Two objects whose pairing has to be found before there is a bound.
    unpaired: Option<(PlanId, NodeId, NodeId)>,
}

impl Engine<'_> {
    /// Coarse bounds on [`Engine::score`] of a gold item with each of a list of candidates: of objects by the members that
    /// are equal; of all else the fine ones.
    pub(super) fn coarse_bounds(
        &mut self,
        plan: PlanId,
        gold: NodeId,
        candidates: impl Iterator<Item = NodeId>,
        mut each: impl FnMut(Bound),
    ) {
        let node = self.node(plan);
        let left = *self.work.arena.node(gold);
        if left.kind != Kind::Object || !node.branches.is_empty() {
            for candidate in candidates {
                each(self.bound(plan, gold, candidate));
            }
            return;
        }
        let valued = node.object.value_importance > 0.0;
        // Candidates of the same keys mostly come one after the other.
        let mut last: Option<(u32, PairingId)> = None;
        for candidate in candidates {
            let right = self.work.arena.node(candidate);
            if right.kind != Kind::Object || node.reflexive && left.class == right.class {
                each(self.bound(plan, gold, candidate));
                continue;
            }
            let shape = self.work.arena.shape(candidate);
            let id = match last {
                Some((known, id)) if known == shape => id,
                _ => self.pairing(plan, gold, candidate),
            };
            last = Some((shape, id));
            let pairing = self.work.pairings.get(id);
            let mut sums = pairing.sums;
            let mut open = false;
            if valued {
                let arena = &self.work.arena;
                let (golds, candidates) = (arena.siblings(gold), arena.siblings(candidate));
                let mut look = |member: &Compared, gold: &Node, candidate: &Node| {
                    let equal = gold.class == candidate.class;
                    if equal || !member.exact || gold.kind != Kind::String || candidate.kind != Kind::String {
                        sums.values += member.weight;
                        open |= !(equal && member.reflexive);
                    }
                };
                if pairing.is_parallel {
                    for ((member, gold), candidate) in pairing.compared.iter().zip(golds).zip(candidates) {
                        look(member, gold, candidate);
                    }
                } else {
                    for member in &pairing.compared {
                        look(member, &golds[member.gold as usize], &candidates[member.candidate as usize]);
                    }
                }
            }
            each(Bound { most: sums.finish(&node.object).0, exact: !open });
        }
    }

    /// A bound on [`Engine::score`].
    pub(super) fn bound(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> Bound {
        loop {
            let mut reader = Reader {
                plan: self.plan,
                arena: &self.work.arena,
                pairings: &self.work.pairings,
                bijections: &self.work.bijections,
                unpaired: None,
            };
            let bound = reader.bound(plan, gold, candidate);
            match reader.unpaired {
                None => return bound,
                Some((plan, gold, candidate)) => self.open_map(plan, gold, candidate),
            };
        }
    }
}

impl Reader<'_> {
    fn bound(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> Bound {
        let node = self.plan.node(plan);
        let (left, right) = (self.arena.node(gold), self.arena.node(candidate));
        if node.reflexive && left.class == right.class {
            return Bound::exact(1.0);
        }
        match (left.kind, right.kind) {
            (Kind::Null, Kind::Null) => return Bound::exact(1.0),
            _ if !node.branches.is_empty() => return Bound::OPEN,
            (Kind::Null, _) | (_, Kind::Null) => return Bound::exact(node.null_score.unwrap_or(0.0)),
            _ => {}
        }
        match node.role {
            Role::Value => {}
            Role::Identifier(_) => return Bound::exact(1.0),
            Role::Reference(scope) => {
                return Bound::exact(f64::from(self.bijections.agree(scope, left.class, right.class)));
            }
        }
        match (left.kind, right.kind) {
            (Kind::Object, Kind::Object) => self.map_bound(plan, gold, candidate),
            (Kind::Array, Kind::Array) => list_bound(&node.array, left.len, right.len),
            (Kind::String, Kind::String) => self.string_bound(node, left, right),
            (Kind::Number, Kind::Number) => match node.number {
                NumberMetric::CustomNumber(_) | NumberMetric::CustomInteger(_) => Bound::OPEN,
                NumberMetric::Exact => Bound::at_threshold(f64::from(left.class == right.class), node),
                NumberMetric::InverseDifference => {
                    let (gold, candidate) = (self.arena.number(gold), self.arena.number(candidate));
                    Bound::at_threshold(inverse_difference(gold, candidate), node)
                }
            },
            (Kind::Boolean, Kind::Boolean) => Bound::at_threshold(f64::from(left.class == right.class), node),
            _ => Bound::exact(0.0),
        }
    }

    fn string_bound(&self, node: &PlanNode, gold: &Node, candidate: &Node) -> Bound {
        match node.string {
            StringMetric::Custom(_) => Bound::OPEN,
            _ if gold.class == candidate.class => Bound::exact(1.0),
            StringMetric::Exact => Bound::exact(0.0),
            metric => {
                let letters = |leaf: &Node| self.arena.letters(StringId(leaf.first));
                let most = metric.at_most(letters(gold), letters(candidate));
                if most == 0.0 || below(most + SLACK, node.threshold) { Bound::exact(0.0) } else { Bound::open(most) }
            }
        }
    }

    /// The arithmetic of [`Engine::map_score`](super::map), step by step.
    fn map_bound(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> Bound {
        let rule = &self.plan.node(plan).object;
        let sets = (plan, self.arena.shape(gold), self.arena.shape(candidate));
        let Some(pairing) = self.pairings.find(sets).map(|id| self.pairings.get(id)) else {
            self.unpaired = Some((plan, gold, candidate));
            return Bound::OPEN;
        };
        let mut sums = pairing.sums;
        let mut exact = true;
        if rule.value_importance > 0.0 {
            for &Compared { gold: of_gold, candidate: of_candidate, node, weight, .. } in &pairing.compared {
                let gold = self.arena.child(gold, of_gold as usize);
                let candidate = self.arena.child(candidate, of_candidate as usize);
                let bound = self.bound(node, gold, candidate);
                sums.values += weight * bound.most;
                exact &= bound.exact;
            }
        }
        Bound { most: sums.finish(rule).0, exact }
    }
}

/// Every pair uses an item of the shorter list, and every item of the longer one is an entry.
fn list_bound(rule: &ArrayRule, gold: u32, candidate: u32) -> Bound {
    let counts_all = rule.prefix.is_empty() && rule.items.is_some() && !rule.ignore_excess && !rule.ignore_missing;
    if !counts_all || gold == candidate {
        return Bound::OPEN;
    }
    let most = f64::from(gold.min(candidate)) / f64::from(gold.max(candidate));
    if most == 0.0 { Bound::exact(0.0) } else { Bound::open(most) }
}
