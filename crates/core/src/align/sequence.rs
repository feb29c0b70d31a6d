//! Lists and tuples (*Object Aligner*, section III-C).
//!
//! | rule | matching | cost for n and m items |
//! |---|---|---|
//! | `order: align` | optimal assignment, see [`unordered`](super::unordered) | n m bounds, some n pair scores; cubic at worst |
//! | `order: fixed` | monotone alignment | n m pair scores and steps; equal ends are not looked at |
//! | `prefixItems` | slot by slot | n + m |
//!
//! Equal items are compared once, and two lists of the same items not at all.

use super::engine::Engine;
use crate::assignment::Total;
use crate::document::NodeId;
use crate::fixed::{self, quantise};
use crate::schema::plan::{ArrayRule, DEFAULT_NODE, Order, PlanId};

/// Two lists, less the first `skip` items of each, which a tuple has taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists {
    pub(super) gold: NodeId,
    pub(super) candidate: NodeId,
    pub(super) skip: usize,
    /// How many items are left.
    pub(super) n: usize,
    pub(super) m: usize,
}

impl Lists {
    pub(super) fn tail(engine: &Engine<'_>, gold: NodeId, candidate: NodeId, skip: usize) -> Self {
        let left = |list| engine.work.arena.len(list).saturating_sub(skip);
        Self { gold, candidate, skip, n: left(gold), m: left(candidate) }
    }

    /// Both lists less `front` items at their start and `back` at their end.
    fn trimmed(self, front: usize, back: usize) -> Self {
        Self { skip: self.skip + front, n: self.n - front - back, m: self.m - front - back, ..self }
    }

    pub(super) fn gold_item(&self, engine: &Engine<'_>, index: usize) -> NodeId {
        engine.work.arena.child(self.gold, self.skip + index)
    }

    pub(super) fn candidate_item(&self, engine: &Engine<'_>, index: usize) -> NodeId {
        engine.work.arena.child(self.candidate, self.skip + index)
    }
}

/// The sums of a tuple's score.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct TupleSums {
    pub(super) values: f64,
    pub(super) weights: f64,
}

impl TupleSums {
    pub(super) fn score(self) -> f64 {
        if self.weights == 0.0 { 1.0 } else { self.values / self.weights }
    }
}

/// How many entries a list's score is the mean of.
pub(super) fn entries(rule: &ArrayRule, n: usize, m: usize, total: Total) -> usize {
    let pairs = total.pairs as usize;
    let missing = if rule.ignore_missing { 0 } else { n - pairs };
    let excess = if rule.ignore_excess { 0 } else { m - pairs };
    pairs + missing + excess
}

/// Slot `index` of a tuple: its node and weight. Beyond the declared slots of a tuple without `items`, the defaults.
pub(super) fn slot(rule: &ArrayRule, index: usize) -> (PlanId, f64) {
    rule.prefix.get(index).copied().unwrap_or((DEFAULT_NODE, 1.0))
}

/// How many slots a tuple compares, and how many items it takes from each list.
pub(super) fn slots(rule: &ArrayRule, gold_len: usize, candidate_len: usize) -> usize {
    let longest = gold_len.max(candidate_len);
    if rule.items.is_none() { longest } else { longest.min(rule.prefix.len()) }
}

impl Engine<'_> {
    pub(super) fn sequence_score(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> f64 {
        let rule = &self.node(plan).array;
        if rule.prefix.is_empty()
            && let Some(items) = rule.items
        {
            return self.list_score(rule, items, Lists::tail(self, gold, candidate, 0));
        }
        let (gold_len, candidate_len) = (self.work.arena.len(gold), self.work.arena.len(candidate));
        let mut sums = TupleSums::default();
        for index in 0..slots(rule, gold_len, candidate_len) {
            let (node, weight) = slot(rule, index);
            if index < gold_len && index < candidate_len && weight > 0.0 {
                let (gold, candidate) = (self.work.arena.child(gold, index), self.work.arena.child(candidate, index));
                sums.values += weight * self.score(node, gold, candidate);
            }
            sums.weights += weight;
        }
        let Some(items) = rule.items else { return sums.score() };
        let rest = self.list_score(rule, items, Lists::tail(self, gold, candidate, rule.prefix.len()));
        (rule.prefix_importance * sums.score() + rule.rest_importance * rest)
            / (rule.prefix_importance + rule.rest_importance)
    }

    pub(super) fn list_score(&mut self, rule: &ArrayRule, items: PlanId, lists: Lists) -> f64 {
        let total = self.match_list(rule, items, lists, None);
        fixed::mean(total.units, entries(rule, lists.n, lists.m, total))
    }

    /// Matches two lists: the value of the matching, and its pairs (indices after `skip`) where they are wanted.
    pub(super) fn match_list(
        &mut self,
        rule: &ArrayRule,
        items: PlanId,
        lists: Lists,
        pairs: Option<&mut Vec<(u32, u32)>>,
    ) -> Total {
        match rule.order {
            Order::Fixed => self.match_in_order(items, lists, pairs),
            Order::Align => self.match_in_any_order(items, lists, pairs),
        }
    }

    fn match_in_order(&mut self, items: PlanId, lists: Lists, pairs: Option<&mut Vec<(u32, u32)>>) -> Total {
        // A pair of equal items at an end scores the most a pair can, and no other pair can use either of them together
        // with the rest: some best alignment has it.
        let equal_at = |engine: &Self, i: usize, j: usize| {
            let arena = &engine.work.arena;
            arena.class(lists.gold_item(engine, i)) == arena.class(lists.candidate_item(engine, j))
        };
        let (mut front, mut back) = (0, 0);
        if self.node(items).reflexive {
            let shorter = lists.n.min(lists.m);
            while front < shorter && equal_at(self, front, front) {
                front += 1;
            }
            while front + back < shorter && equal_at(self, lists.n - 1 - back, lists.m - 1 - back) {
                back += 1;
            }
        }
        let middle = lists.trimmed(front, back);
        let ends = Total::of_equals(front + back);
        let matrix = self.pair_scores(items, middle);
        let inner = match pairs {
            None => self.work.monotone.value(&matrix, middle.n, middle.m),
            Some(pairs) => {
                pairs.extend((0..front as u32).map(|index| (index, index)));
                let (found, total) = self.work.monotone.solve(&matrix, middle.n, middle.m);
                let shift = front as u32;
                pairs.extend(found.iter().map(|&(i, j)| (i + shift, j + shift)));
                pairs.extend((0..back).rev().map(|index| ((lists.n - 1 - index) as u32, (lists.m - 1 - index) as u32)));
                total
            }
        };
        self.work.matrices.push(matrix);
        Total { units: ends.units + inner.units, pairs: ends.pairs + inner.pairs }
    }

    /// The n × m similarities of the items, in row order; equal items are scored once. Give the buffer back to
    /// `work.matrices`.
    pub(super) fn pair_scores(&mut self, items: PlanId, lists: Lists) -> Vec<i64> {
        let (n, m) = (lists.n, lists.m);
        let mut matrix = self.work.matrices.pop().unwrap_or_default();
        matrix.clear();
        if n == 0 || m == 0 {
            return matrix;
        }
        matrix.reserve(n * m);
        let rows = self.first_equal(lists.gold, lists.skip, n);
        let columns = self.first_equal(lists.candidate, lists.skip, m);
        for i in 0..n {
            let twin = rows[i] as usize;
            if twin < i {
                matrix.extend_from_within(twin * m..(twin + 1) * m);
                continue;
            }
            let gold = lists.gold_item(self, i);
            for (j, &twin) in columns.iter().enumerate() {
                let twin = twin as usize;
                let units = if twin < j {
                    matrix[i * m + twin]
                } else {
                    quantise(self.score(items, gold, lists.candidate_item(self, j)))
                };
                matrix.push(units);
            }
        }
        self.work.indices.push(rows);
        self.work.indices.push(columns);
        matrix
    }

    /// For each item the index of the first item equal to it.
    pub(super) fn first_equal(&mut self, list: NodeId, skip: usize, len: usize) -> Vec<u32> {
        let work = &mut *self.work;
        let mut first = work.indices.pop().unwrap_or_default();
        first.clear();
        if work.first_of_class.len() < work.arena.classes() {
            work.first_of_class.resize(work.arena.classes(), u32::MAX);
        }
        for index in 0..len {
            let class = work.arena.class(work.arena.child(list, skip + index)).0 as usize;
            let seen = &mut work.first_of_class[class];
            if *seen == u32::MAX {
                *seen = index as u32;
            }
            first.push(*seen);
        }
        for index in 0..len {
            let class = work.arena.class(work.arena.child(list, skip + index)).0 as usize;
            work.first_of_class[class] = u32::MAX;
        }
        first
    }
}
