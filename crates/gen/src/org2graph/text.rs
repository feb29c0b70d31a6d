//! Saying a graph: one sentence for each title, industry and link, in random order, after an opening line or none.
//!
//! Records that share a name are numbered, in a random order that has nothing to do with that of the gold, and every mention
//! carries the number: "the second Milo Reyes". Why that can be read in one way only is proved in [`super::vocabulary`].

use super::params::Params;
use super::sample::{Record, Sample};
use super::vocabulary::{Topic, Vocabulary};
use crate::streams::{below, stream};
use crate::words::ORDINALS;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;

/// The paragraph of a graph.
pub(super) fn render(vocabulary: &Vocabulary, sample: &Sample, params: &Params, seed: u64, index: u64) -> String {
    let mut marks = stream(seed, index, "org2graph/text/marks");
    let people = mentions(&sample.people, vocabulary.people(), &mut marks);
    let companies = mentions(&sample.companies, vocabulary.companies(), &mut marks);

    let mut facts: Vec<(Topic, usize, Vec<&str>)> = Vec::new();
    for (person, mention) in sample.people.iter().zip(&people) {
        facts.push((Topic::Title, person.word, vec![mention]));
    }
    for (company, mention) in sample.companies.iter().zip(&companies) {
        facts.push((Topic::Industry, company.word, vec![mention]));
    }
    for (mention, &(company, role)) in people.iter().zip(&sample.employment) {
        facts.push((Topic::Role, role, vec![mention, &companies[company]]));
    }
    for edge in &sample.acquaintance {
        facts.push((Topic::Acquaintance, edge.word, vec![&people[edge.source], &people[edge.target]]));
    }
    for edge in &sample.partnership {
        facts.push((Topic::Partnership, edge.word, vec![&companies[edge.source], &companies[edge.target]]));
    }

    let mut phrasing = stream(seed, index, "org2graph/text/phrasing");
    let mut sentences: Vec<String> = facts
        .iter()
        .map(|(topic, word, mentions)| {
            let wordings = vocabulary.wordings(*topic, *word);
            let wording = &wordings[below(&mut phrasing, wordings.len())];
            let mut sentence = wording.pieces[0].clone();
            for (piece, &gap) in wording.pieces[1..].iter().zip(&wording.gaps) {
                let mention = mentions[gap];
                match mention.strip_prefix("the ") {
                    Some(rest) if sentence.is_empty() => {
                        sentence.push_str("The ");
                        sentence.push_str(rest);
                    }
                    _ => sentence.push_str(mention),
                }
                sentence.push_str(piece);
            }
            sentence
        })
        .collect();
    sentences.shuffle(&mut stream(seed, index, "org2graph/text/order"));

    let mut opening = stream(seed, index, "org2graph/text/opening");
    let openings = vocabulary.openings();
    let (opened, which) = (opening.random_bool(params.opening), below(&mut opening, openings.len()));
    if opened {
        sentences.insert(0, openings[which].clone());
    }
    sentences.join(" ")
}

/// What each record is called in every sentence.
fn mentions(records: &[Record], names: &[String], marks: &mut ChaCha12Rng) -> Vec<String> {
    // The order of the numbers among the bearers of a name.
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.shuffle(marks);
    let mut mentions: Vec<String> = records.iter().map(|record| names[record.name].clone()).collect();
    for (place, &at) in order.iter().enumerate() {
        let bears = |other: &&usize| records[**other].name == records[at].name;
        let earlier = order[..place].iter().filter(bears).count();
        if earlier > 0 || order[place + 1..].iter().any(|other| bears(&other)) {
            let ordinal = ORDINALS.word(earlier as u32 + 1);
            mentions[at] = format!("the {ordinal} {}", names[records[at].name]);
        }
    }
    mentions
}
