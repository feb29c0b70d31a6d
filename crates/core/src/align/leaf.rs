//! Leaves: strings, numbers, booleans (*Object Aligner*, section III-B).

use super::engine::Engine;
use crate::compare::custom::clamp;
use crate::compare::number::{NumberMetric, inverse_difference};
use crate::compare::string::StringMetric;
use crate::document::{Kind, NodeId, Number, StringId};
use crate::fixed::quantise;
use crate::schema::plan::Node;

/// Whether a similarity misses a threshold, at the resolution of similarities: 1 / (1 + 4) does not miss 0.2 by a last bit.
pub(super) fn below(similarity: f64, threshold: f64) -> bool {
    threshold > 0.0 && quantise(similarity) < quantise(threshold)
}

impl Engine<'_> {
    /// The score of two values that are not both containers and neither null: 0 across types.
    pub(super) fn leaf_score(&mut self, node: &Node, gold: NodeId, candidate: NodeId) -> f64 {
        let arena = &self.work.arena;
        let similarity = match (arena.kind(gold), arena.kind(candidate)) {
            (Kind::String, Kind::String) => {
                let (gold, candidate) = (arena.string(gold), arena.string(candidate));
                self.string_similarity(node.string, gold, candidate)
            }
            (Kind::Number, Kind::Number) => self.number_similarity(node.number, gold, candidate),
            (Kind::Boolean, Kind::Boolean) => f64::from(arena.boolean(gold) == arena.boolean(candidate)),
            _ => 0.0,
        };
        if below(similarity, node.threshold) { 0.0 } else { similarity }
    }

    pub(super) fn string_similarity(&mut self, metric: StringMetric, gold: StringId, candidate: StringId) -> f64 {
        let custom = matches!(metric, StringMetric::Custom(_));
        match metric {
            _ if gold == candidate && !custom => 1.0,
            StringMetric::Exact => 0.0,
            _ => {
                let (arena, plan) = (&self.work.arena, self.plan);
                self.work.memo.get_or(metric, gold, candidate, || {
                    let (gold, candidate) = (arena.text(gold), arena.text(candidate));
                    match metric {
                        StringMetric::Custom(index) => {
                            clamp(plan.custom_strings[index as usize].similarity(gold, candidate))
                        }
                        built_in => built_in.similarity(gold, candidate).unwrap_or(0.0),
                    }
                })
            }
        }
    }

    fn number_similarity(&self, metric: NumberMetric, gold: NodeId, candidate: NodeId) -> f64 {
        let (gold, candidate) = (self.work.arena.number(gold), self.work.arena.number(candidate));
        match metric {
            NumberMetric::InverseDifference => inverse_difference(gold, candidate),
            NumberMetric::Exact => f64::from(gold == candidate),
            NumberMetric::CustomNumber(index) => {
                clamp(self.plan.custom_numbers[index as usize].similarity(&gold.as_f64(), &candidate.as_f64()))
            }
            NumberMetric::CustomInteger(index) => match (gold, candidate) {
                (Number::Integer(gold), Number::Integer(candidate)) => {
                    clamp(self.plan.custom_integers[index as usize].similarity(gold, candidate))
                }
                _ => 0.0,
            },
        }
    }
}
