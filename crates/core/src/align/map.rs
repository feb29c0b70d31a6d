//! Maps: keys decide who is compared with whom, values are never consulted for that (*Object Aligner*, section III-D).
//!
//! Equal key sets need no assignment. Otherwise one assignment over the similarities of the keys, cubic in the number of
//! keys; keys are taken in the order of their text, so that the order in which a document writes them never shows.

use super::engine::Engine;
use super::leaf::below;
use crate::document::{NodeId, StringId};
use crate::fixed::quantise;
use crate::schema::plan::{Additional, DEFAULT_NODE, ObjectRule, PlanId};

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
        let pairs = self.pair_keys(rule, gold, candidate);
        let mut sums = MapSums::default();
        for entry in &pairs.entries {
            sums.entries += 1.0;
            sums.keys += entry.similarity;
            let weight = match (entry.gold, entry.candidate) {
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
            sums.weights += weight;
        }
        self.work.key_pairs.push(pairs);
        sums.finish(rule).0
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
        let (n, m) = (arena.len(gold), arena.len(candidate));
        let mut matrix = self.work.matrices.pop().unwrap_or_default();
        matrix.clear();
        for i in 0..n {
            let gold_key = self.work.arena.key(self.work.arena.child(gold, i));
            for j in 0..m {
                let candidate_key = self.work.arena.key(self.work.arena.child(candidate, j));
                matrix.push(quantise(self.key_similarity(rule, gold_key, candidate_key)));
            }
        }
        let (matched, _) = self.work.optimal.solve(&matrix, n, m);
        let arena = &self.work.arena;
        let mut taken = vec![false; m];
        for (i, column) in matched.iter().enumerate() {
            let column = column.map(|column| column as usize);
            if let Some(column) = column {
                taken[column] = true;
            }
            pairs.entries.push(Entry {
                gold: Some(arena.child(gold, i)),
                candidate: column.map(|column| arena.child(candidate, column)),
                similarity: 0.0,
            });
        }
        pairs.entries.extend((0..m).filter(|&j| !taken[j]).map(|j| Entry {
            gold: None,
            candidate: Some(arena.child(candidate, j)),
            similarity: 0.0,
        }));
        for entry in &mut pairs.entries {
            if let (Some(gold), Some(candidate)) = (entry.gold, entry.candidate) {
                let (gold, candidate) = (self.work.arena.key(gold), self.work.arena.key(candidate));
                entry.similarity = self.key_similarity(rule, gold, candidate);
            }
        }
        self.work.matrices.push(matrix);
        pairs
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
