//! Maps: keys decide who is compared with whom, values are never consulted for that (*Object Aligner*, section III-D).
//!
//! Equal key sets need no assignment. Otherwise one assignment over the similarities of the keys, cubic in the number of
//! keys; keys are taken in the order of their text, so that the order in which a document writes them never shows.

use super::engine::Engine;
use super::leaf::below;
use crate::assignment::ties::{Choice, Ties};
use crate::compare::string::StringMetric;
use crate::document::{NodeId, StringId};
use crate::fixed::quantise;
use crate::schema::plan::{Additional, DEFAULT_NODE, ObjectRule, PlanId};
use std::sync::Arc;

/// The entries of two objects: gold members in key order, paired or missing, then the excess of the candidate.
#[derive(Debug, Default)]
pub(super) struct KeyPairs {
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) gold: Option<NodeId>,
    pub(super) candidate: Option<NodeId>,
    /// Similarity of the two keys; 0 where one is absent.
    pub(super) similarity: f64,
}

/// Two sets of keys and how they are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct KeySets {
    exact: bool,
    threshold: u64,
    gold: u32,
    candidate: u32,
}

/// An entry by the places of its keys in their sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyMatch {
    gold: Option<u32>,
    candidate: Option<u32>,
    similarity: f64,
}

/// How the value under a gold key is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) node: PlanId,
    pub(super) weight: f64,
    pub(super) undeclared: bool,
}

/// The sums of a map's score.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct MapSums {
    pub(super) keys: f64,
    pub(super) entries: f64,
    pub(super) values: f64,
    pub(super) weights: f64,
}

impl MapSums {
    /// The score of the map, and what one key similarity and one unit of value weight are worth in it.
    pub(super) fn finish(self, rule: &ObjectRule) -> (f64, f64, f64) {
        if self.entries == 0.0 {
            return (1.0, 0.0, 0.0);
        }
        let importance = rule.key_importance + rule.value_importance;
        let keys = self.keys / self.entries;
        // Only weightless members: nothing to get wrong.
        let values = if self.weights == 0.0 { 1.0 } else { self.values / self.weights };
        let per_key = rule.key_importance / importance / self.entries;
        let per_value = if self.weights == 0.0 { 0.0 } else { rule.value_importance / importance / self.weights };
        let score = if rule.key_importance == 0.0 {
            values
        } else if rule.value_importance == 0.0 {
            keys
        } else {
            (rule.key_importance * keys + rule.value_importance * values) / importance
        };
        (score, per_key, per_value)
    }
}

impl Engine<'_> {
    pub(super) fn map_score(&mut self, plan: PlanId, gold: NodeId, candidate: NodeId) -> f64 {
        let rule = &self.node(plan).object;
        let mut sums = MapSums::default();
        if self.work.arena.same_keys(gold, candidate) {
            // Every key with itself, see `pair_keys`; most pairs are of this kind, and this is the inmost loop.
            for (gold, candidate) in self.work.arena.children(gold).zip(self.work.arena.children(candidate)) {
                let entry = Entry { gold: Some(gold), candidate: Some(candidate), similarity: 1.0 };
                self.add_entry(&mut sums, plan, rule, entry);
            }
        } else {
            let pairs = self.pair_keys(rule, gold, candidate);
            for &entry in &pairs.entries {
                self.add_entry(&mut sums, plan, rule, entry);
            }
            self.work.key_pairs.push(pairs);
        }
        sums.finish(rule).0
    }

    fn add_entry(&mut self, sums: &mut MapSums, plan: PlanId, rule: &ObjectRule, entry: Entry) {
        sums.entries += 1.0;
        sums.keys += entry.similarity;
        sums.weights += match (entry.gold, entry.candidate) {
            (Some(gold), Some(candidate)) => {
                let member = self.member(plan, rule, gold);
                if member.weight > 0.0 && rule.value_importance > 0.0 {
                    sums.values += member.weight * self.score(member.node, gold, candidate);
                }
                member.weight
            }
            (Some(gold), None) => self.member(plan, rule, gold).weight,
            _ => 1.0,
        };
    }

    /// Pairs the keys of two objects.
    pub(super) fn pair_keys(&mut self, rule: &ObjectRule, gold: NodeId, candidate: NodeId) -> KeyPairs {
        let mut pairs = self.work.key_pairs.pop().unwrap_or_default();
        pairs.entries.clear();
        let arena = &self.work.arena;
        if arena.same_keys(gold, candidate) {
            // Every key with itself: the largest total there is, and the only way to reach it.
            pairs.entries.extend(arena.children(gold).zip(arena.children(candidate)).map(|(gold, candidate)| Entry {
                gold: Some(gold),
                candidate: Some(candidate),
                similarity: 1.0,
            }));
            return pairs;
        }
        let matches = self.key_matches(rule, gold, candidate);
        let arena = &self.work.arena;
        pairs.entries.extend(matches.iter().map(|matched| Entry {
            gold: matched.gold.map(|index| arena.child(gold, index as usize)),
            candidate: matched.candidate.map(|index| arena.child(candidate, index as usize)),
            similarity: matched.similarity,
        }));
        pairs
    }

    /// Pairs two sets of keys, once for each pair of sets.
    fn key_matches(&mut self, rule: &ObjectRule, gold: NodeId, candidate: NodeId) -> Arc<[KeyMatch]> {
        let arena = &self.work.arena;
        let known = KeySets {
            exact: rule.key_metric == StringMetric::Exact,
            threshold: rule.key_threshold.to_bits(),
            gold: arena.shape(gold),
            candidate: arena.shape(candidate),
        };
        if let Some(matches) = self.work.key_matches.get(&known) {
            return Arc::clone(matches);
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
        let mut matches: Vec<KeyMatch> = (0..n)
            .map(|i| match ties.witness(i) {
                Choice::To(j) => {
                    taken[j as usize] = true;
                    let similarity = similarities[i * m + j as usize];
                    KeyMatch { gold: Some(i as u32), candidate: Some(j), similarity }
                }
                Choice::Nobody => KeyMatch { gold: Some(i as u32), candidate: None, similarity: 0.0 },
            })
            .collect();
        let excess = (0..m as u32).filter(|&j| !taken[j as usize]);
        matches.extend(excess.map(|j| KeyMatch { gold: None, candidate: Some(j), similarity: 0.0 }));
        let matches: Arc<[KeyMatch]> = matches.into();
        self.work.key_matches.insert(known, Arc::clone(&matches));
        matches
    }

    pub(super) fn key_similarity(&mut self, rule: &ObjectRule, gold: StringId, candidate: StringId) -> f64 {
        let similarity = self.string_similarity(rule.key_metric, gold, candidate);
        if below(similarity, rule.key_threshold) { 0.0 } else { similarity }
    }

    /// What speaks for the value of a gold member: its property, the first pattern (by text) that matches its key, the
    /// schema of additional properties, or the defaults.
    pub(super) fn member(&mut self, plan: PlanId, rule: &ObjectRule, gold: NodeId) -> Member {
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
