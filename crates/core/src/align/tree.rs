//! The match tree: which part of the gold was compared with which part of the candidate, and what each is worth.
//!
//! Built once per pair, in time linear in the tree beside the matchings themselves; every view of a result (warnings,
//! confidence, explanation) is read from it.

use super::alignment::Alignment;
use super::confidence::{self, Confidence};
use super::engine::{Engine, Step};
use super::sequence::{self, Lists, TupleSums};
use crate::assignment::Total;
use crate::document::{Kind, NodeId, Slot};
use crate::fixed::{self, ONE, quantise};
use crate::schema::plan::{ArrayRule, DEFAULT_NODE, Order, PlanId, Role};
use crate::warning::Warning;
use serde_json::Value;

/// What kind of comparison a node of the match tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatchKind {
    /// Two strings, numbers or booleans.
    Leaf,
    /// At least one side is null.
    Null,
    /// The sides have different JSON types.
    TypeMismatch,
    /// Two identifiers of records; always 1.
    Identifier,
    /// Two references, compared by the records they mean.
    Reference,
    /// Two arrays.
    Sequence,
    /// Two objects.
    Map,
    /// A part of the gold that nothing in the candidate stands for.
    Missing,
    /// A part of the candidate that stands for nothing in the gold.
    Excess,
}

impl MatchKind {
    /// A stable name for programs, in `snake_case`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Leaf => "leaf",
            Self::Null => "null",
            Self::TypeMismatch => "type_mismatch",
            Self::Identifier => "identifier",
            Self::Reference => "reference",
            Self::Sequence => "sequence",
            Self::Map => "map",
            Self::Missing => "missing",
            Self::Excess => "excess",
        }
    }
}

/// A node of the tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match {
    pub(crate) kind: MatchKind,
    pub(crate) gold: Option<NodeId>,
    pub(crate) candidate: Option<NodeId>,
    pub(crate) score: f64,
    /// What a score of 1 here adds to the parent's score.
    pub(crate) weight: f64,
    /// Members of maps: how alike the keys are, and what a similarity of 1 adds to the parent's score.
    pub(crate) key: Option<(f64, f64)>,
    pub(crate) confidence: Option<f64>,
    /// The rule that compared the two sides; unions are settled.
    pub(crate) plan: PlanId,
    /// Whether a union was settled on the way to it.
    pub(crate) union: bool,
    pub(crate) first: u32,
    pub(crate) len: u32,
}

impl Match {
    fn open(gold: Option<NodeId>, candidate: Option<NodeId>, weight: f64) -> Self {
        Self {
            kind: MatchKind::Leaf,
            gold,
            candidate,
            score: 0.0,
            weight,
            key: None,
            confidence: None,
            plan: DEFAULT_NODE,
            union: false,
            first: 0,
            len: 0,
        }
    }

    fn missing(gold: NodeId, weight: f64) -> Self {
        Self { kind: MatchKind::Missing, ..Self::open(Some(gold), None, weight) }
    }

    fn excess(candidate: NodeId, weight: f64) -> Self {
        Self { kind: MatchKind::Excess, ..Self::open(None, Some(candidate), weight) }
    }
}

impl Engine<'_> {
    /// Aligns two documents and leaves the tree, root first, in the workspace. Returns the score.
    pub(super) fn build(&mut self, gold: NodeId, candidate: NodeId) -> f64 {
        self.work.tree.clear();
        self.work.tree.push(Match::open(Some(gold), Some(candidate), 1.0));
        self.fill(0, self.plan.root, gold, candidate)
    }

    /// Fills in the node at `at`, whose place in the tree is taken, and everything below it.
    fn fill(&mut self, at: usize, plan: PlanId, gold: NodeId, candidate: NodeId) -> f64 {
        let union = !self.node(plan).branches.is_empty();
        let (kind, score, plan) = match self.dispatch(plan, gold, candidate) {
            Step::Done(score, plan) => (self.leaf_kind(plan, gold, candidate), score, plan),
            Step::Sequence(plan) => (MatchKind::Sequence, self.fill_sequence(at, plan, gold, candidate), plan),
            Step::Map(plan) => (MatchKind::Map, self.fill_map(at, plan, gold, candidate), plan),
        };
        let node = &mut self.work.tree[at];
        node.kind = kind;
        node.plan = plan;
        node.union = union;
        node.score = score;
        score
    }

    fn leaf_kind(&self, plan: PlanId, gold: NodeId, candidate: NodeId) -> MatchKind {
        match (self.kind(gold), self.kind(candidate)) {
            (Kind::Null, _) | (_, Kind::Null) => MatchKind::Null,
            (a, b) => match self.node(plan).role {
                Role::Identifier(_) => MatchKind::Identifier,
                Role::Reference(_) => MatchKind::Reference,
                Role::Value if a != b => MatchKind::TypeMismatch,
                Role::Value => MatchKind::Leaf,
            },
        }
    }

    /// Takes places for the children of `at`.
    fn adopt(&mut self, at: usize, children: impl IntoIterator<Item = Match>) -> usize {
        let first = self.work.tree.len();
        self.work.tree.extend(children);
        self.adopted(at, first);
        first
    }

    /// Makes the nodes from `first` on the children of `at`.
    fn adopted(&mut self, at: usize, first: usize) {
        let len = self.work.tree.len() - first;
        self.work.tree[at].first = first as u32;
        self.work.tree[at].len = len as u32;
    }

    fn fill_map(&mut self, at: usize, plan: PlanId, gold: NodeId, candidate: NodeId) -> f64 {
        let rule = &self.node(plan).object;
        let (id, mut sums) = self.open_map(plan, gold, candidate);
        let len = self.work.pairings.get(id).members.len();
        let arena = &self.work.arena;
        let opened = self.work.pairings.get(id).members.iter().map(|member| {
            let child = |object, index: Option<u32>| index.map(|index| arena.child(object, index as usize));
            let mut node = Match::open(child(gold, member.gold), child(candidate, member.candidate), member.weight);
            node.kind = match (member.gold, member.candidate) {
                (Some(_), None) => MatchKind::Missing,
                (None, _) => MatchKind::Excess,
                _ => MatchKind::Leaf,
            };
            node.key = Some((member.similarity, 0.0));
            node
        });
        let first = self.work.tree.len();
        self.work.tree.extend(opened);
        self.adopted(at, first);
        for index in 0..len {
            let member = self.work.pairings.get(id).members[index];
            let place = first + index;
            if member.undeclared
                && let Some(gold) = self.work.tree[place].gold
            {
                let path = self.work.arena.path(gold);
                self.work.warnings.push(Warning::UndeclaredKey { path });
            }
            if let Some((gold, candidate)) = self.both(member, gold, candidate) {
                sums.values += member.weight * self.fill(place, member.node, gold, candidate);
            }
        }
        let (score, per_key, per_value) = sums.finish(rule);
        for node in &mut self.work.tree[first..first + len] {
            node.weight *= per_value;
            if let Some((_, worth)) = &mut node.key {
                *worth = per_key;
            }
        }
        if let Some(measure) = self.confidence {
            self.map_confidence(measure, at, plan, gold, candidate);
        }
        score
    }

    fn fill_sequence(&mut self, at: usize, plan: PlanId, gold: NodeId, candidate: NodeId) -> f64 {
        let rule = &self.node(plan).array;
        let (gold_len, candidate_len) = (self.work.arena.len(gold), self.work.arena.len(candidate));
        if rule.prefix.is_empty()
            && let Some(items) = rule.items
        {
            let lists = Lists::tail(self, gold, candidate, 0);
            let children = self.list_children(rule, items, lists, 1.0);
            let first = self.adopt(at, children.nodes);
            let total = self.fill_list(first, items, lists, &children.pairs);
            debug_assert_eq!(total, children.units);
            self.list_confidence(items, lists, first, &children.pairs);
            return fixed::mean(total, children.entries);
        }
        let slots = sequence::slots(rule, gold_len, candidate_len);
        let rest = rule.items.map(|items| (items, Lists::tail(self, gold, candidate, rule.prefix.len())));
        let (tuple_share, rest_share) = if rest.is_some() {
            let importance = rule.prefix_importance + rule.rest_importance;
            (rule.prefix_importance / importance, rule.rest_importance / importance)
        } else {
            (1.0, 0.0)
        };
        let weights: f64 = (0..slots).map(|index| sequence::slot(rule, index).1).sum();
        let worth = |weight: f64| if weights == 0.0 { 0.0 } else { tuple_share * weight / weights };
        let mut nodes: Vec<Match> = (0..slots)
            .map(|index| {
                let weight = worth(sequence::slot(rule, index).1);
                let item = |list, len| (index < len).then(|| self.work.arena.child(list, index));
                match (item(gold, gold_len), item(candidate, candidate_len)) {
                    (Some(gold), None) => Match::missing(gold, weight),
                    (None, Some(candidate)) => Match::excess(candidate, weight),
                    (gold, candidate) => Match::open(gold, candidate, weight),
                }
            })
            .collect();
        let tail = rest.map(|(items, lists)| self.list_children(rule, items, lists, rest_share));
        if let Some(tail) = &tail {
            nodes.extend(tail.nodes.iter().copied());
        }
        let first = self.adopt(at, nodes);
        let mut sums = TupleSums::default();
        for index in 0..slots {
            let (node, weight) = sequence::slot(rule, index);
            if index < gold_len && index < candidate_len {
                let (gold, candidate) = (self.work.arena.child(gold, index), self.work.arena.child(candidate, index));
                sums.values += weight * self.fill(first + index, node, gold, candidate);
            }
            sums.weights += weight;
        }
        let (Some((items, lists)), Some(tail)) = (rest, tail) else { return sums.score() };
        let units = self.fill_list(first + slots, items, lists, &tail.pairs);
        self.list_confidence(items, lists, first + slots, &tail.pairs);
        (rule.prefix_importance * sums.score() + rule.rest_importance * fixed::mean(units, tail.entries))
            / (rule.prefix_importance + rule.rest_importance)
    }

    /// Matches two lists and lays out their entries: gold items in order, then the excess of the candidate.
    fn list_children(&mut self, rule: &ArrayRule, items: PlanId, lists: Lists, share: f64) -> ListChildren {
        let mut pairs = Vec::new();
        let total = self.match_list(rule, items, lists, Some(&mut pairs));
        if rule.order == Order::Align {
            self.follow_bijection(items, lists, &mut pairs, total);
        }
        let entries = sequence::entries(rule, lists.n, lists.m, total);
        let worth = if entries == 0 { 0.0 } else { share / entries as f64 };
        let missing_worth = if rule.ignore_missing { 0.0 } else { worth };
        let excess_worth = if rule.ignore_excess { 0.0 } else { worth };
        let mut partner_of_candidate = vec![false; lists.m];
        let mut nodes: Vec<Match> =
            (0..lists.n).map(|i| Match::missing(lists.gold_item(self, i), missing_worth)).collect();
        for &(i, j) in &pairs {
            partner_of_candidate[j as usize] = true;
            nodes[i as usize] =
                Match::open(nodes[i as usize].gold, Some(lists.candidate_item(self, j as usize)), worth);
        }
        nodes.extend(
            (0..lists.m)
                .filter(|&j| !partner_of_candidate[j])
                .map(|j| Match::excess(lists.candidate_item(self, j), excess_worth)),
        );
        ListChildren { nodes, pairs, entries, units: total.units }
    }

    /// Among the best matchings of a list of records the tree takes the one by which references are compared.
    fn follow_bijection(&mut self, items: PlanId, lists: Lists, pairs: &mut Vec<(u32, u32)>, total: Total) {
        if self.work.partners.is_empty() || lists.n == 0 || lists.m == 0 {
            return;
        }
        let first = lists.candidate_item(self, 0).0;
        let mut meant: Vec<(u32, u32)> = (0..lists.n as u32)
            .filter_map(|i| {
                let partner = self.work.partners.get(&lists.gold_item(self, i as usize))?;
                let j = partner.0.checked_sub(first)?;
                (j < lists.m as u32).then_some((i, j))
            })
            .collect();
        if meant == *pairs {
            return;
        }
        let mut units = 0;
        meant.retain(|&(i, j)| {
            let (gold, candidate) = (lists.gold_item(self, i as usize), lists.candidate_item(self, j as usize));
            let worth = quantise(self.score(items, gold, candidate));
            units += worth;
            worth > 0
        });
        if units == total.units && meant.len() == total.pairs as usize {
            *pairs = meant;
        }
    }

    /// Fills in the paired items of a list whose nodes start at `first`; returns the sum of their scores in units.
    fn fill_list(&mut self, first: usize, items: PlanId, lists: Lists, pairs: &[(u32, u32)]) -> i64 {
        let mut units = 0;
        for &(i, j) in pairs {
            let (gold, candidate) = (lists.gold_item(self, i as usize), lists.candidate_item(self, j as usize));
            units += quantise(self.fill(first + i as usize, items, gold, candidate));
        }
        units
    }

    fn list_confidence(&mut self, items: PlanId, lists: Lists, first: usize, pairs: &[(u32, u32)]) {
        let Some(measure) = self.confidence else { return };
        let units = self.pair_scores(items, lists);
        let matrix: Vec<f64> = units.iter().map(|&units| units as f64 / ONE as f64).collect();
        self.work.matrices.push(units);
        let chosen: Vec<(usize, usize, usize)> =
            pairs.iter().map(|&(i, j)| (first + i as usize, i as usize, j as usize)).collect();
        self.note_confidence(measure, &matrix, lists.m, &chosen);
    }

    fn map_confidence(&mut self, measure: Confidence, at: usize, plan: PlanId, gold: NodeId, candidate: NodeId) {
        let rule = &self.node(plan).object;
        let (n, m) = (self.work.arena.len(gold), self.work.arena.len(candidate));
        let mut matrix = Vec::with_capacity(n * m);
        for i in 0..n {
            for j in 0..m {
                let key = |list, index| self.work.arena.key(self.work.arena.child(list, index));
                let (gold, candidate) = (key(gold, i), key(candidate, j));
                matrix.push(self.key_similarity(rule, gold, candidate));
            }
        }
        let first = self.work.tree[at].first as usize;
        let len = self.work.tree[at].len as usize;
        let place = |list: NodeId, child: NodeId| (child.0 - self.work.arena.child(list, 0).0) as usize;
        let chosen: Vec<(usize, usize, usize)> = (first..first + len)
            .filter_map(|node| {
                let entry = &self.work.tree[node];
                Some((node, place(gold, entry.gold?), place(candidate, entry.candidate?)))
            })
            .collect();
        self.note_confidence(measure, &matrix, m, &chosen);
    }

    /// Writes the confidence of each chosen pair (node, row, column).
    fn note_confidence(&mut self, measure: Confidence, matrix: &[f64], m: usize, chosen: &[(usize, usize, usize)]) {
        for &(node, row, column) in chosen {
            self.work.tree[node].confidence = Some(confidence::of_pair(measure, matrix, m, row, column));
        }
    }
}

/// The entries of a list, before the pairs among them are looked into.
struct ListChildren {
    nodes: Vec<Match>,
    pairs: Vec<(u32, u32)>,
    entries: usize,
    units: i64,
}

/// A node of the match tree of an [`Alignment`].
#[derive(Clone, Copy)]
pub struct MatchRef<'a> {
    pub(super) alignment: &'a Alignment<'a>,
    pub(super) index: u32,
}

impl<'a> MatchRef<'a> {
    fn node(&self) -> &'a Match {
        &self.alignment.work.tree[self.index as usize]
    }

    /// What kind of comparison this is.
    pub fn kind(&self) -> MatchKind {
        self.node().kind
    }

    /// The score of this pair, in [0, 1]; 0 for what is missing or in excess.
    pub fn score(&self) -> f64 {
        self.node().score
    }

    /// What a score of 1 here adds to the parent's score, in [0, 1]; 1 at the root. The score of a sequence or map is the
    /// sum of `weight * score` over its children, plus `key_weight * key_similarity` in maps; what is vacuously right (an
    /// empty list beside an empty list) makes up the rest.
    pub fn weight(&self) -> f64 {
        self.node().weight
    }

    /// How alike the keys of a map's member are, in [0, 1]; `None` elsewhere.
    pub fn key_similarity(&self) -> Option<f64> {
        self.node().key.map(|(similarity, _)| similarity)
    }

    /// What a key similarity of 1 adds to the parent's score; `None` but for members of maps.
    pub fn key_weight(&self) -> Option<f64> {
        self.node().key.map(|(_, weight)| weight)
    }

    /// How clear it was that this pair belongs together, in [0, 1]; `None` unless [`Options`](crate::Options) ask for it.
    pub fn confidence(&self) -> Option<f64> {
        self.node().confidence
    }

    /// The mean confidence of the pairs directly below; `None` where nothing was paired or nothing was asked for.
    pub fn children_confidence(&self) -> Option<f64> {
        let node = self.node();
        let children = &self.alignment.work.tree[node.first as usize..(node.first + node.len) as usize];
        confidence::mean(children.iter().filter_map(|child| child.confidence))
    }

    /// JSON Pointer into the gold; `None` for what is in excess.
    pub fn gold_path(&self) -> Option<String> {
        self.node().gold.map(|gold| self.alignment.work.arena.path(gold))
    }

    /// JSON Pointer into the candidate; `None` for what is missing.
    pub fn candidate_path(&self) -> Option<String> {
        self.node().candidate.map(|candidate| self.alignment.work.arena.path(candidate))
    }

    /// The gold value compared here.
    pub fn gold_value(&self) -> Option<Value> {
        self.node().gold.map(|gold| self.alignment.work.arena.value(gold))
    }

    /// The candidate value compared here.
    pub fn candidate_value(&self) -> Option<Value> {
        self.node().candidate.map(|candidate| self.alignment.work.arena.value(candidate))
    }

    /// The last step of the gold path (of the candidate path for what is in excess): a key, or an index as text. `None`
    /// at the root.
    pub(crate) fn name(&self) -> Option<(String, bool)> {
        let arena = &self.alignment.work.arena;
        match arena.slot(self.node().gold.or(self.node().candidate)?) {
            Slot::Root => None,
            Slot::Key(key) => Some((arena.text(key).to_owned(), true)),
            Slot::Index(index) => Some((index.to_string(), false)),
        }
    }

    /// The candidate's name of this node where it differs from the gold's: another key, another index.
    pub(crate) fn renamed(&self) -> Option<String> {
        let arena = &self.alignment.work.arena;
        let (gold, candidate) = (self.node().gold?, self.node().candidate?);
        let (gold, candidate) = (arena.slot(gold), arena.slot(candidate));
        if gold == candidate {
            return None;
        }
        match candidate {
            Slot::Root => None,
            Slot::Key(key) => Some(arena.text(key).to_owned()),
            Slot::Index(index) => Some(index.to_string()),
        }
    }

    /// The parts, in the order in which the gold writes them, then what is in excess.
    pub fn children(&self) -> impl Iterator<Item = MatchRef<'a>> + use<'a> {
        let node = self.node();
        let alignment = self.alignment;
        let arena = &alignment.work.arena;
        let mut order: Vec<u32> = (node.first..node.first + node.len).collect();
        order.sort_by_key(|&child| {
            let child = &alignment.work.tree[child as usize];
            (child.gold.is_none(), child.gold.or(child.candidate).map(|node| arena.written(node)))
        });
        order.into_iter().map(move |index| MatchRef { alignment, index })
    }
}
