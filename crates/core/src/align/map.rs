//! Maps: keys decide who is compared with whom, values are never consulted for that (*Object Aligner*, section III-D).
//!
//! Equal key sets need no assignment. Otherwise one assignment over the similarities of the keys, cubic in the number of
//! keys; keys are taken in the order of their text, so that the order in which a document writes them never shows. Since
//! values have no say, this is done once for each two sets of keys under a plan node, not once for each two objects.

use super::engine::Engine;
use super::leaf::below;
use crate::assignment::ties::{Choice, Ties};
use crate::compare::string::StringMetric;
use crate::document::{NodeId, StringId};
use crate::fixed::quantise;
use crate::schema::plan::{Additional, DEFAULT_NODE, ObjectRule, PlanId, Role};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How the members of two objects pair up, and all of their score that does not depend on values. Gold members in key
/// order, paired or missing, then the excess of the candidate.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    pub(super) members: Vec<PairedMember>,
    /// The members whose values count, which is all that a score alone needs to see.
    pub(super) compared: Vec<Compared>,
    /// Complete but for the values.
    pub(super) sums: MapSums,
    /// Whether the schema says nothing of a gold key; and the gold members in whose values that may be so as well.
    pub(super) undeclared: bool,
    pub(super) silent: Vec<(u32, PlanId)>,
    /// Whether `compared` is all members of both, each with the one at its own place.
    pub(super) is_parallel: bool,
}

/// Members by their places among the children of their objects.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairedMember {
    pub(super) gold: Option<u32>,
    pub(super) candidate: Option<u32>,
    /// Similarity of the two keys; 0 where one is absent.
    pub(super) similarity: f64,
    /// How the value is compared, and what it weighs; for the excess, the defaults.
    pub(super) node: PlanId,
    pub(super) weight: f64,
    pub(super) undeclared: bool,
}

/// A member on both sides, of a weight above 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared {
    pub(super) gold: u32,
    pub(super) candidate: u32,
    pub(super) node: PlanId,
    pub(super) weight: f64,
    /// Whether equal values score 1.
    pub(super) reflexive: bool,
    /// Whether different strings score 0.
    pub(super) exact: bool,
}

/// The pairings that were met. They live as long as strings do.
#[derive(Debug, Default)]
pub(super) struct Pairings {
    known: HashMap<Sets, PairingId, FixedState>,
    /// The last that was asked for of those whose sets fall into the same place. Few are in use at a time, and one of these is
    /// found without hashing.
    recent: [Option<(Sets, PairingId)>; RECENT],
    all: Vec<Pairing>,
    members: usize,
}

/// A plan node, and the numbers of two sets of keys.
type Sets = (PlanId, u32, u32);

const RECENT: usize = 32;

fn place(sets: Sets) -> usize {
    (sets.0.0 as usize).wrapping_mul(13).wrapping_add(sets.1 as usize * 5).wrapping_add(sets.2 as usize) % RECENT
}

impl Pairings {
    /// How many members there are in all.
    pub(super) fn len(&self) -> usize {
        self.members
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn get(&self, id: PairingId) -> &Pairing {
        &self.all[id.0 as usize]
    }

    /// The pairing of two sets of keys, if it was met.
    pub(super) fn find(&self, sets: Sets) -> Option<PairingId> {
        match self.recent[place(sets)] {
            Some((kept, id)) if kept == sets => Some(id),
            _ => self.known.get(&sets).copied(),
        }
    }

    /// The same, and remembers that it was asked for.
    fn recall(&mut self, sets: Sets) -> Option<PairingId> {
        let id = self.find(sets)?;
        self.recent[place(sets)] = Some((sets, id));
        Some(id)
    }

    fn add(&mut self, sets: Sets, pairing: Pairing) -> PairingId {
        let id = PairingId(self.all.len() as u32);
        self.members += pairing.members.len();
        self.all.push(pairing);
        self.known.insert(sets, id);
        id
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct PairingId(u32);

/// How the value under a gold key is compared.
#[derive(Debug, Clone, Copy)]
struct Member {
    node: PlanId,
    weight: f64,
    undeclared: bool,
}

/// The sums of a map's score.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct MapSums {
    /// The mean similarity of the keys; of no meaning without entries.
    keys: f64,
    entries: f64,
    pub(super) values: f64,
    weights: f64,
}

impl MapSums {
    /// The score of the map, and what one key similarity and one unit of value weight are worth in it.
    pub(super) fn finish(self, rule: &ObjectRule) -> (f64, f64, f64) {
        if self.entries == 0.0 {
            return (1.0, 0.0, 0.0);
        }
        let importance = rule.key_importance + rule.value_importance;
        // Only weightless members: nothing to get wrong.
        let values = if self.weights == 0.0 { 1.0 } else { self.values / self.weights };
        let per_key = rule.key_importance / importance / self.entries;
        let per_value = if self.weights == 0.0 { 0.0 } else { rule.value_importance / importance / self.weights };
        let score = if rule.key_importance == 0.0 {
            values
        } else if rule.value_importance == 0.0 {
            self.keys
        } else {
            (rule.key_importance * self.keys + rule.value_importance * values) / importance
        };
        (score, per_key, per_value)
    }
}

impl Engine<'_> {
    pub(super) fn map_score(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> f64 {
        let rule = &self.node(plan).object;
        let (id, mut sums) = self.open_map(plan, gold, candidate);
        if rule.value_importance > 0.0 {
            for index in 0..self.work.pairings.get(id).compared.len() {
                let member = self.work.pairings.get(id).compared[index];
                let gold = self.work.arena.child(gold, member.gold as usize);
                let candidate = self.work.arena.child(candidate, member.candidate as usize);
                sums.values += member.weight * self.score(member.node, gold, candidate);
            }
        }
        sums.finish(rule).0
    }

    /// The pairing of two objects, and their sums before any value is compared.
    pub(super) fn open_map(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> (PairingId, MapSums) {
        let id = self.pairing(plan, gold, candidate);
        (id, self.work.pairings.get(id).sums)
    }

    /// The pairing of two objects, made at first sight of their two sets of keys.
    #[inline]
    pub(super) fn pairing(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> PairingId {
        let sets = (plan, self.work.arena.shape(gold), self.work.arena.shape(candidate));
        match self.work.pairings.recall(sets) {
            Some(id) => id,
            None => self.new_pairing(sets, gold, candidate),
        }
    }

    #[cold]
    fn new_pairing(&mut self, sets: Sets, gold: NodeId, candidate: NodeId) -> PairingId {
        let pairing = self.pair_members(sets.0, gold, candidate);
        self.work.pairings.add(sets, pairing)
    }

    /// The two values of a paired member.
    pub(super) fn both(&self, member: PairedMember, gold: NodeId, candidate: NodeId) -> Option<(NodeId, NodeId)> {
        let arena = &self.work.arena;
        Some((arena.child(gold, member.gold? as usize), arena.child(candidate, member.candidate? as usize)))
    }

    fn pair_members(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> Pairing {
        let rule = &self.node(plan).object;
        let mut pairing = Pairing::default();
        for (of_gold, of_candidate, similarity) in self.pair_keys(rule, gold, candidate) {
            let value = match of_gold {
                Some(index) => self.member(plan, rule, self.work.arena.child(gold, index as usize)),
                None => Member { node: DEFAULT_NODE, weight: 1.0, undeclared: false },
            };
            let Member { node, weight, undeclared } = value;
            pairing.sums.entries += 1.0;
            pairing.sums.keys += similarity;
            pairing.sums.weights += weight;
            pairing.undeclared |= undeclared;
            pairing.silent.extend(of_gold.filter(|_| self.node(node).silent).map(|gold| (gold, node)));
            if let (Some(gold), Some(candidate)) = (of_gold, of_candidate)
                && weight > 0.0
            {
                let rule = self.node(node);
                let by_value = rule.branches.is_empty() && rule.role == Role::Value;
                let exact = by_value && rule.string == StringMetric::Exact;
                let reflexive = rule.reflexive;
                pairing.compared.push(Compared { gold, candidate, node, weight, reflexive, exact });
            }
            pairing.members.push(PairedMember {
                gold: of_gold,
                candidate: of_candidate,
                similarity,
                node,
                weight,
                undeclared,
            });
        }
        pairing.sums.keys /= pairing.sums.entries;
        let (n, m) = (self.work.arena.len(gold), self.work.arena.len(candidate));
        let in_place = (0..).zip(&pairing.compared).all(|(at, pair)| pair.gold == at && pair.candidate == at);
        pairing.is_parallel = in_place && pairing.compared.len() == n && n == m;
        pairing
    }

    /// Pairs the keys of two objects: places among their members, and the similarity.
    fn pair_keys(
        &mut self,
        rule: &ObjectRule,
        gold: NodeId,
        candidate: NodeId,
    ) -> Vec<(Option<u32>, Option<u32>, f64)> {
        let arena = &self.work.arena;
        if arena.same_keys(gold, candidate) {
            // Every key with itself: the largest total there is, and the only way to reach it.
            return (0..arena.len(gold) as u32).map(|index| (Some(index), Some(index), 1.0)).collect();
        }
        let keys = |object| arena.children(object).map(|member| arena.key(member)).collect::<Vec<_>>();
        let (gold_keys, candidate_keys) = (keys(gold), keys(candidate));
        let (n, m) = (gold_keys.len(), candidate_keys.len());
        let mut similarities = Vec::with_capacity(n * m);
        for &gold_key in &gold_keys {
            for &candidate_key in &candidate_keys {
                similarities.push(self.key_similarity(rule, gold_key, candidate_key));
            }
        }
        let units: Vec<i64> = similarities.iter().copied().map(quantise).collect();
        let mut ties = Ties::new(&mut self.work.optimal, &units, n, m);
        if !ties.is_unique() {
            // Among equal totals a key goes to itself where it can; then keys take the first partner, by text, that is left.
            for (i, key) in gold_keys.iter().enumerate() {
                if let Some(j) = candidate_keys.iter().position(|other| other == key) {
                    ties.decide(i, Choice::To(j as u32));
                }
            }
            for i in 0..n {
                let choices: Vec<Choice> = ties.choices(i).collect();
                if !ties.is_decided(i) {
                    let _ = choices.into_iter().any(|choice| ties.decide(i, choice));
                }
            }
        }
        let mut taken = vec![false; m];
        let mut pairs = Vec::with_capacity(n.max(m));
        for i in 0..n {
            pairs.push(match ties.witness(i) {
                Choice::To(j) => {
                    taken[j as usize] = true;
                    (Some(i as u32), Some(j), similarities[i * m + j as usize])
                }
                Choice::Nobody => (Some(i as u32), None, 0.0),
            });
        }
        pairs.extend((0..m as u32).filter(|&j| !taken[j as usize]).map(|j| (None, Some(j), 0.0)));
        pairs
    }

    pub(super) fn key_similarity(&mut self, rule: &ObjectRule, gold: StringId, candidate: StringId) -> f64 {
        let similarity = self.string_similarity(rule.key_metric, gold, candidate);
        if below(similarity, rule.key_threshold) { 0.0 } else { similarity }
    }

    /// What speaks for the value of a gold member: its property, the first pattern (by text) that matches its key, the
    /// schema of additional properties, or the defaults.
    fn member(&mut self, plan: PlanId, rule: &ObjectRule, gold: NodeId) -> Member {
        let key = self.work.arena.key(gold);
        if let Ok(found) = rule.lookup.binary_search_by_key(&key, |(key, _)| *key) {
            let property = &rule.properties[rule.lookup[found].1 as usize];
            return Member { node: property.node, weight: property.weight, undeclared: false };
        }
        if !rule.patterns.is_empty() {
            let arena = &self.work.arena;
            let found = *self.work.patterned.entry((plan, key)).or_insert_with(|| {
                let key = arena.text(key);
                rule.patterns
                    .iter()
                    .position(|pattern| pattern.regex.is_match(key).unwrap_or(false))
                    .map(|at| at as u32)
            });
            if let Some(at) = found {
                let pattern = &rule.patterns[at as usize];
                return Member { node: pattern.node, weight: pattern.weight, undeclared: false };
            }
        }
        match rule.additional {
            Additional::Schema(node, weight) => Member { node, weight, undeclared: false },
            Additional::Undeclared => Member { node: DEFAULT_NODE, weight: 1.0, undeclared: true },
        }
    }
}
