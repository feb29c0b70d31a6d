//! The score of a pair as a function of the bijections: the walk of the aligner, leaving a program instead of a number.
//!
//! What holds no reference is scored on the spot; see [`crate::reference::program`] for what is left.

use super::engine::Engine;
use super::sequence::{self, Lists};
use crate::document::{Kind, NodeId};
use crate::reference::bijections::NOBODY;
use crate::reference::program::{ListShape, Program, Sum, Term};
use crate::schema::plan::{ArrayRule, PlanId, Role, ScopeId};

/// Where in the state the references of each scope stand: reference (gold record r, candidate record c) of scope s is number
/// `first[s] + r * candidates[s] + c`.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) first: Vec<u32>,
    pub(super) candidates: Vec<u32>,
    pub(super) len: usize,
}

impl Layout {
    pub(super) fn new(sizes: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut layout = Self { first: Vec::new(), candidates: Vec::new(), len: 0 };
        for (n, m) in sizes {
            layout.first.push(layout.len as u32);
            layout.candidates.push(m as u32);
            layout.len += n * m;
        }
        layout
    }

    pub(super) fn reference(&self, scope: ScopeId, gold: u32, candidate: u32) -> u32 {
        let scope = scope.0 as usize;
        self.first[scope] + gold * self.candidates[scope] + candidate
    }
}

/// A program in the making.
pub(super) struct Tracer<'a> {
    pub(super) layout: &'a Layout,
    /// References into this scope and those after it count as right.
    pub(super) masked_from: Option<ScopeId>,
    pub(super) program: Program,
}

/// Two references: what they score, where that hangs on no bijection that is still open, or the term that will tell.
enum Link {
    Settled(f64),
    Open(Term),
}

impl Engine<'_> {
    /// The score of a pair, traced.
    pub(super) fn trace(&mut self, tracer: &mut Tracer<'_>, plan: PlanId, gold: NodeId, candidate: NodeId) -> Sum {
        let node = self.node(plan);
        if !node.referential {
            return Sum::constant(self.score(plan, gold, candidate));
        }
        match (self.kind(gold), self.kind(candidate)) {
            (Kind::Null, Kind::Null) => return Sum::constant(1.0),
            (Kind::Null, _) => return Sum::constant(self.null_score(plan, candidate)),
            (_, Kind::Null) => return Sum::constant(self.null_score(plan, gold)),
            _ => {}
        }
        if !node.branches.is_empty() {
            let branch = self.choose_branch(plan, gold, candidate);
            return self.trace(tracer, branch, gold, candidate);
        }
        match node.role {
            Role::Identifier(_) => return Sum::constant(1.0),
            Role::Reference(scope) => return self.trace_reference(tracer, scope, gold, candidate),
            Role::Value => {}
        }
        match (self.kind(gold), self.kind(candidate)) {
            (Kind::Array, Kind::Array) => self.trace_sequence(tracer, plan, gold, candidate),
            (Kind::Object, Kind::Object) => self.trace_map(tracer, plan, gold, candidate),
            _ => Sum::constant(self.leaf_score(node, gold, candidate)),
        }
    }

    fn trace_reference(&self, tracer: &Tracer<'_>, scope: ScopeId, gold: NodeId, candidate: NodeId) -> Sum {
        match self.look_up(tracer, scope, gold, candidate) {
            Link::Settled(score) => Sum::constant(score),
            Link::Open(term) => Sum::term(term),
        }
    }

    fn look_up(&self, tracer: &Tracer<'_>, scope: ScopeId, gold: NodeId, candidate: NodeId) -> Link {
        if tracer.masked_from.is_some_and(|masked| scope >= masked) {
            return Link::Settled(1.0);
        }
        let arena = &self.work.arena;
        match self.work.bijections.records(scope, arena.class(gold), arena.class(candidate)) {
            (NOBODY, _) | (_, NOBODY) => Link::Settled(0.0),
            (gold, candidate) => Link::Open(Term::Reference(tracer.layout.reference(scope, gold, candidate))),
        }
    }

    /// Neither is null.
    fn are_values(&self, gold: NodeId, candidate: NodeId) -> bool {
        self.kind(gold) != Kind::Null && self.kind(candidate) != Kind::Null
    }

    fn trace_map(&mut self, tracer: &mut Tracer<'_>, plan: PlanId, gold: NodeId, candidate: NodeId) -> Sum {
        let rule = &self.node(plan).object;
        let (id, sums) = self.open_map(plan, gold, candidate);
        // With no value right yet, the score is what the keys give.
        let (keys_only, _, per_value) = sums.finish(rule);
        let mut sum = Sum::constant(keys_only);
        for index in 0..self.work.pairings.get(id).members.len() {
            let member = self.work.pairings.get(id).members[index];
            if let Some((gold, candidate)) = self.both(member, gold, candidate) {
                let weight = per_value * member.weight;
                let node = self.node(member.node);
                match node.role {
                    // Most of what is traced are links: a sum of its own for each end would be nothing but one term.
                    Role::Reference(scope) if node.branches.is_empty() && self.are_values(gold, candidate) => {
                        match self.look_up(tracer, scope, gold, candidate) {
                            Link::Settled(score) => sum.add_constant(weight, score),
                            Link::Open(term) => sum.add_term(weight, term),
                        }
                    }
                    _ => sum.add(weight, self.trace(tracer, member.node, gold, candidate)),
                }
            }
        }
        sum
    }

    fn trace_sequence(&mut self, tracer: &mut Tracer<'_>, plan: PlanId, gold: NodeId, candidate: NodeId) -> Sum {
        let rule = &self.node(plan).array;
        if rule.prefix.is_empty()
            && let Some(items) = rule.items
        {
            return self.trace_list(tracer, rule, items, Lists::tail(self, gold, candidate, 0));
        }
        let (gold_len, candidate_len) = (self.work.arena.len(gold), self.work.arena.len(candidate));
        let slots = sequence::slots(rule, gold_len, candidate_len);
        let weights: f64 = (0..slots).map(|index| sequence::slot(rule, index).1).sum();
        let mut tuple = Sum::constant(if weights == 0.0 { 1.0 } else { 0.0 });
        for index in 0..slots {
            let (node, weight) = sequence::slot(rule, index);
            if index < gold_len && index < candidate_len && weight > 0.0 {
                let (gold, candidate) = (self.work.arena.child(gold, index), self.work.arena.child(candidate, index));
                tuple.add(weight / weights, self.trace(tracer, node, gold, candidate));
            }
        }
        let Some(items) = rule.items else { return tuple };
        let rest = self.trace_list(tracer, rule, items, Lists::tail(self, gold, candidate, rule.prefix.len()));
        let importance = rule.prefix_importance + rule.rest_importance;
        let mut sum = Sum::default();
        sum.add(rule.prefix_importance / importance, tuple);
        sum.add(rule.rest_importance / importance, rest);
        sum
    }

    fn trace_list(&mut self, tracer: &mut Tracer<'_>, rule: &ArrayRule, items: PlanId, lists: Lists) -> Sum {
        if !self.node(items).referential {
            return Sum::constant(self.list_score(rule, items, lists));
        }
        let mut pairs = Vec::with_capacity(lists.n * lists.m);
        for i in 0..lists.n {
            for j in 0..lists.m {
                let (gold, candidate) = (lists.gold_item(self, i), lists.candidate_item(self, j));
                pairs.push(self.trace(tracer, items, gold, candidate));
            }
        }
        let shape = ListShape {
            n: lists.n,
            m: lists.m,
            order: rule.order,
            ignore_excess: rule.ignore_excess,
            ignore_missing: rule.ignore_missing,
        };
        Sum::term(tracer.program.add_list(shape, &pairs))
    }
}
