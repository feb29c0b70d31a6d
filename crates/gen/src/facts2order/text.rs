//! The sentences of an instance: a line for each item, in the order of the labels.

use super::keys::{self, KeyType};
use super::vocabulary::{Attribute, Vocabulary};
use super::{Sample, shuffled};
use crate::streams::{below, distinct, stream};
use rand_chacha::ChaCha12Rng;

/// `1. The Larkspur crate weighs 14 kilograms.`, and the distractors before or after that.
pub(super) fn render(vocabulary: &Vocabulary, sample: &Sample, seed: u64, index: u64) -> String {
    let of = |name: &str| stream(seed, index, &format!("facts2order/text/{name}"));
    let (mut phrasing, mut decoy_phrasing, mut decoy_values) =
        (of("phrasing"), of("decoy_phrasing"), of("decoy_values"));
    let (mut clause_order, mut distractors, mut sentence_order) =
        (of("clause_order"), of("distractors"), of("sentence_order"));
    let noun = &vocabulary.nouns()[sample.noun];
    let key = vocabulary.key(sample.drawn.key_type);
    let lines = sample.names.iter().zip(&sample.keys).zip(1..).map(|((&name, &value), label)| {
        let mut clauses = vec![clause(key, value, &mut phrasing)];
        for &decoy in &sample.decoys {
            let decoy = vocabulary.decoy(decoy);
            let value = keys::free(decoy.kind, &mut decoy_values);
            clauses.push(clause(decoy, value, &mut decoy_phrasing));
        }
        let clauses: Vec<String> =
            shuffled(clauses.len(), &mut clause_order).into_iter().map(|at| std::mem::take(&mut clauses[at])).collect();
        let mut sentences = vec![format!("The {} {noun} {}.", vocabulary.names()[name], joined(&clauses))];
        let padding = distinct(&mut distractors, sample.drawn.distractors as usize, vocabulary.distractors().len());
        sentences.extend(padding.into_iter().map(|at| vocabulary.distractors()[at].clone()));
        let order = shuffled(sentences.len(), &mut sentence_order);
        let sentences: Vec<&str> = order.into_iter().map(|at| sentences[at].as_str()).collect();
        format!("{label}. {}", sentences.join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn clause(attribute: &Attribute, value: u32, phrasing: &mut ChaCha12Rng) -> String {
    let wording = &attribute.clauses[below(phrasing, attribute.clauses.len())];
    wording.replacen("{}", &KeyType::write(attribute.kind, value), 1)
}

fn joined(clauses: &[String]) -> String {
    match clauses {
        [] => String::new(),
        [clause] => clause.clone(),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}
