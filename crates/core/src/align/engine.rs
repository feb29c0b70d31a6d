//! One node against one node (*Object Aligner*, Algorithm 1).
//!
//! The engine answers two questions with the same arithmetic: [`Engine::score`] gives the score of a pair and keeps
//! nothing, for the many pairs of a list that are tried; [`Engine::build`](super::tree) gives the score and leaves the
//! match tree behind, for the pairs that are chosen. Recursion follows the nesting of the documents, which the loader
//! bounds.

use super::confidence::Confidence;
use super::map::Pairings;
use super::resolve::Structure;
use super::tree::Match;
use super::unordered::Matrix;
use crate::assignment::{monotone, optimal};
use crate::compare::memo::Memo;
use crate::document::{Arena, Class, Kind, NodeId, StringId};
use crate::reference::bijections::Bijections;
use crate::reference::records::Records;
use crate::reference::structure::Draft;
use crate::schema::plan::{Node, Plan, PlanId, Role};
use crate::warning::Warning;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What is kept from one pair of documents to the next: strings and their similarities, and scratch space.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(super) arena: Arena,
    pub(super) memo: Memo,
    pub(super) optimal: optimal::Solver,
    pub(super) monotone: monotone::Aligner,
    /// Free buffers for matrices of similarities; a nested list takes one while its parent's is in use.
    pub(super) matrices: Vec<Vec<i64>>,
    pub(super) open_matrices: Vec<Matrix>,
    pub(super) pairings: Pairings,
    /// Free buffers of list indices.
    pub(super) indices: Vec<Vec<u32>>,
    /// For each class the list index where it was first met; `u32::MAX` everywhere between uses.
    pub(super) first_of_class: Vec<u32>,
    /// Which plan node and weight speak for a key that only a pattern can tell.
    pub(super) patterned: HashMap<(PlanId, StringId), Option<u32>, FixedState>,
    /// Whether a value fits an alternative of a union: (union, alternative, value). Classes live as long as one pair.
    pub(super) fits: HashMap<(PlanId, u32, Class), bool, FixedState>,
    /// The gold as a graph, once it was needed: it serves for all candidates.
    pub(super) gold_draft: Option<Draft>,
    pub(super) bijections: Bijections,
    /// The records of gold and candidate, numbered as the bijections number them; none where the plan has no scopes.
    pub(super) records: [Records; 2],
    /// By the bijections: the candidate item of each gold item that is a record.
    pub(super) partners: HashMap<NodeId, NodeId, FixedState>,
    pub(super) tree: Vec<Match>,
    pub(super) warnings: Vec<Warning>,
}

/// An aligner at work on one pair.
pub(super) struct Engine<'a> {
    pub(super) plan: &'a Plan,
    pub(super) confidence: Option<Confidence>,
    pub(super) structure: Structure,
    pub(super) budget: u64,
    pub(super) work: &'a mut Workspace,
}

impl<'a> Engine<'a> {
    pub(super) fn node(&self, id: PlanId) -> &'a Node {
        self.plan.node(id)
    }

    pub(super) fn kind(&self, id: NodeId) -> Kind {
        self.work.arena.kind(id)
    }

    /// The score of a pair, in [0, 1].
    pub(super) fn score(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> f64 {
        if self.node(plan).reflexive && self.work.arena.class(gold) == self.work.arena.class(candidate) {
            return 1.0;
        }
        match self.dispatch(plan, gold, candidate) {
            Step::Done(score, _) => score,
            Step::Sequence(plan) => self.sequence_score(plan, gold, candidate),
            Step::Map(plan) => self.map_score(plan, gold, candidate),
        }
    }

    /// Settles a pair, or says which rule must look into it.
    pub(super) fn dispatch(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> Step {
        let node = self.node(plan);
        match (self.kind(gold), self.kind(candidate)) {
            (Kind::Null, Kind::Null) => return Step::Done(1.0, plan),
            (Kind::Null, _) => return Step::Done(self.null_score(plan, candidate), plan),
            (_, Kind::Null) => return Step::Done(self.null_score(plan, gold), plan),
            _ => {}
        }
        if !node.branches.is_empty() {
            let branch = self.choose_branch(plan, gold, candidate);
            return self.dispatch(branch, gold, candidate);
        }
        match node.role {
            Role::Value => {}
            Role::Identifier(_) => return Step::Done(1.0, plan),
            Role::Reference(scope) => return Step::Done(self.reference_score(scope, gold, candidate), plan),
        }
        match (self.kind(gold), self.kind(candidate)) {
            (Kind::Array, Kind::Array) => Step::Sequence(plan),
            (Kind::Object, Kind::Object) => Step::Map(plan),
            _ => Step::Done(self.leaf_score(node, gold, candidate), plan),
        }
    }
}

/// What the dispatch found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// The score, and the plan node that gave it.
    Done(f64, PlanId),
    Sequence(PlanId),
    Map(PlanId),
}
