//! Reading a paragraph back: the graph from the sentences alone.
//!
//! The reader knows the words and the legend and nothing else; it never sees what the writer drew. The proof that it finds the
//! one graph that a paragraph can mean is in [`super::vocabulary`]. Linear in the length of the text.

use super::graph::{Company, Employment, Graph, Link, Person};
use super::legend::Legend;
use super::vocabulary::{Kind, Topic, Vocabulary};
use crate::words::ORDINALS;
use std::borrow::Cow;
use std::collections::HashMap;

/// A paragraph that does not say a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A sentence that nobody here would write.
    #[error("cannot read \"{0}\"")]
    Sentence(String),
    /// A record without the sentence that says what it is, or with two.
    #[error("{mention}: {count} sentences say what it is, instead of one")]
    Record {
        /// What the text calls it.
        mention: String,
        /// How many there are.
        count: usize,
    },
}

/// One record, as the text tells it from others: the name, and its number where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Mention {
    kind: Kind,
    name: usize,
    number: u32,
}

/// The records of a scope in the order of their first mention: their mentions, and the words said of them.
#[derive(Default)]
struct Scope {
    places: HashMap<Mention, usize>,
    records: Vec<(Mention, Vec<usize>)>,
}

impl Scope {
    fn place(&mut self, mention: Mention) -> usize {
        *self.places.entry(mention).or_insert_with(|| {
            self.records.push((mention, Vec::new()));
            self.records.len() - 1
        })
    }
}

/// The graph that a paragraph says. Ids are numbers in the order of mention; values are those of the legend.
///
/// # Errors
///
/// The text is not a paragraph of this vocabulary.
pub fn read<'g>(text: &str, vocabulary: &'g Vocabulary, legend: &'g Legend) -> Result<Graph<'g>, ReadError> {
    let (mut people, mut companies) = (Scope::default(), Scope::default());
    let mut links: Vec<(Topic, usize, [usize; 2])> = Vec::new();
    for sentence in text.split_inclusive('.').map(str::trim_start) {
        if vocabulary.openings().iter().any(|opening| opening == sentence) {
            continue;
        }
        let unreadable = || ReadError::Sentence(sentence.to_owned());
        let (skeleton, mentions) = skeleton(sentence, vocabulary);
        let reading = vocabulary.readings.get(&skeleton).ok_or_else(unreadable)?;
        let mut places = [0; 2];
        for (&mention, &gap) in mentions.iter().zip(&reading.gaps) {
            let scope = if mention.kind == Kind::Person { &mut people } else { &mut companies };
            places[gap] = scope.place(mention);
        }
        match reading.topic {
            Topic::Title => people.records[places[0]].1.push(reading.word),
            Topic::Industry => companies.records[places[0]].1.push(reading.word),
            topic => links.push((topic, reading.word, places)),
        }
    }

    let id = |kind: Kind, place: usize| -> Cow<'_, str> {
        match kind {
            Kind::Person => format!("p{place}").into(),
            Kind::Company => format!("c{place}").into(),
        }
    };
    let one_word = |(mention, words): &(Mention, Vec<usize>)| match words[..] {
        [word] => Ok(word),
        _ => Err(ReadError::Record { mention: shown(*mention, vocabulary), count: words.len() }),
    };
    let mut graph = Graph {
        people: Vec::with_capacity(people.records.len()),
        companies: Vec::with_capacity(companies.records.len()),
        employment: Vec::new(),
        acquaintance: Vec::new(),
        partnership: Vec::new(),
    };
    for (place, record) in people.records.iter().enumerate() {
        graph.people.push(Person {
            id: id(Kind::Person, place),
            name: vocabulary.people()[record.0.name].as_str().into(),
            title: legend.value(Topic::Title, one_word(record)?).into(),
        });
    }
    for (place, record) in companies.records.iter().enumerate() {
        graph.companies.push(Company {
            id: id(Kind::Company, place),
            name: vocabulary.companies()[record.0.name].as_str().into(),
            industry: legend.value(Topic::Industry, one_word(record)?).into(),
        });
    }
    for (topic, word, [one, other]) in links {
        let value = legend.value(topic, word).into();
        let link = |kind, value| Link { source: id(kind, one), target: id(kind, other), relation: value };
        match topic {
            Topic::Acquaintance => graph.acquaintance.push(link(Kind::Person, value)),
            Topic::Partnership => graph.partnership.push(link(Kind::Company, value)),
            _ => graph.employment.push(Employment {
                person: id(Kind::Person, one),
                company: id(Kind::Company, other),
                role: value,
            }),
        }
    }
    Ok(graph)
}

/// A sentence with its mentions blanked out, and the mentions.
fn skeleton(sentence: &str, vocabulary: &Vocabulary) -> (String, Vec<Mention>) {
    let words: Vec<&str> = sentence.split(' ').collect();
    let mut skeleton = String::with_capacity(sentence.len());
    let mut mentions = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if at > 0 {
            skeleton.push(' ');
        }
        // "The" and an ordinal are of a mention; nothing else here has ordinals.
        let number = match words.get(at + 1) {
            Some(ordinal) if matches!(words[at], "the" | "The") => ORDINALS.number(ordinal),
            _ => None,
        };
        let begins = at + if number.is_some() { 2 } else { 0 };
        if let Some((kind, name, length, after)) = name(&words[begins..], vocabulary) {
            mentions.push(Mention { kind, name, number: number.unwrap_or(0) });
            skeleton.push_str(kind.blank());
            skeleton.push_str(after);
            at = begins + length;
        } else {
            skeleton.push_str(words[at]);
            at += 1;
        }
    }
    (skeleton, mentions)
}

/// The name that the words begin with: what it is of, its place, its length, and the mark after it.
fn name<'t>(words: &[&'t str], vocabulary: &Vocabulary) -> Option<(Kind, usize, usize, &'t str)> {
    let bare = |word: &'t str| word.trim_end_matches([',', '.']);
    let entry = vocabulary.names.get(bare(words.first()?))?;
    let length = entry.words.len();
    let (last, before) = words.get(..length)?.split_last()?;
    let (tail, head) = entry.words.split_last()?;
    (before == head && bare(last) == tail).then(|| (entry.kind, entry.index, length, &last[tail.len()..]))
}

fn shown(mention: Mention, vocabulary: &Vocabulary) -> String {
    let names = if mention.kind == Kind::Person { vocabulary.people() } else { vocabulary.companies() };
    let name = &names[mention.name];
    if mention.number == 0 { name.clone() } else { format!("the {} {name}", ORDINALS.word(mention.number)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::org2graph::{Org2Graph, params::Params, sample, schemas, text};
    use objalign_core::{Aligner, Plan};

    /// The graph that was drawn, in the reader's terms: ids by the order in which the text mentions the records.
    ///
    /// It renames the gold by the writer's own mentions, which the reader does not see; no scorer is involved.
    fn expected(generator: &Org2Graph, seed: u64, index: u64) -> (Vec<String>, Vec<String>) {
        let instance = generator.instance(seed, index);
        let graph = read(&instance.context, generator.vocabulary(), generator.legend()).expect("a paragraph");
        let facts = |graph: &Graph<'_>| {
            let record = |id: &str| {
                let person = graph.people.iter().find(|person| person.id == id);
                let company = graph.companies.iter().find(|company| company.id == id);
                person.map_or_else(
                    || company.map(|company| format!("{} {}", company.name, company.industry)).expect("a record"),
                    |person| format!("{} {}", person.name, person.title),
                )
            };
            let link = |link: &Link<'_>| format!("{} {} {}", record(&link.source), link.relation, record(&link.target));
            let mut facts: Vec<String> = graph.people.iter().map(|person| record(&person.id)).collect();
            facts.extend(graph.companies.iter().map(|company| record(&company.id)));
            facts.extend(graph.acquaintance.iter().chain(&graph.partnership).map(link));
            let employed = |of: &Employment<'_>| format!("{} {} {}", record(&of.person), of.role, record(&of.company));
            facts.extend(graph.employment.iter().map(employed));
            facts.sort();
            facts
        };
        (facts(&graph), facts(&instance.graph))
    }

    #[test]
    fn every_fact_is_read_back() {
        for params in [Params::PW, Params::CN] {
            let generator = Org2Graph::new(params).expect("parameters");
            for index in 0..300 {
                let (read, drawn) = expected(&generator, 2, index);
                assert_eq!(read, drawn, "{index}");
            }
        }
    }

    /// Facts by attributes cannot tell twins apart: here the whole graphs are compared, up to ids.
    #[test]
    fn the_graph_is_read_back_with_its_twins() {
        let plan = Plan::compile(&schemas::ra()).expect("a schema");
        let mut aligner = Aligner::new(&plan);
        let twins = Params { twins: Bounds::new(0.5, 1.0), people: Bounds::new(3, 16), ..Params::CN };
        for params in [Params::PN, twins] {
            let generator = Org2Graph::new(params).expect("parameters");
            for index in 0..150 {
                let instance = generator.instance(4, index);
                let graph = read(&instance.context, generator.vocabulary(), generator.legend()).expect("a paragraph");
                let alignment = aligner.align(&instance.graph.to_value(), &graph.to_value()).expect("valid");
                assert_eq!(alignment.score(), 1.0, "{index}: {}", instance.context);
            }
        }
    }

    #[test]
    fn shared_names_are_numbered_in_every_sentence() {
        let params = Params { people: Bounds::only(8), twins: Bounds::only(1.0), ..Params::PN };
        let generator = Org2Graph::new(params.clone()).expect("parameters");
        let sample = sample::draw(&generator, 1, 0);
        let text = text::render(generator.vocabulary(), &sample, &params, 1, 0);
        let name = &generator.vocabulary().people()[sample.people[0].name];
        let (_, mentions): (Vec<_>, Vec<_>) =
            text.split_inclusive('.').map(|sentence| skeleton(sentence.trim_start(), generator.vocabulary())).unzip();
        let numbers: Vec<u32> =
            mentions.concat().iter().filter(|at| at.kind == Kind::Person).map(|at| at.number).collect();
        assert_eq!(text.matches(name.as_str()).count(), numbers.len());
        assert!((1..=8).all(|number| numbers.contains(&number)) && !numbers.contains(&0), "{text}");
    }

    #[test]
    fn what_is_no_paragraph_says_where() {
        let generator = Org2Graph::new(Params::PN).expect("parameters");
        let read = |text| read(text, generator.vocabulary(), generator.legend()).expect_err("no paragraph").to_string();
        assert_eq!(read("Milo Reyes is a baker. Milo Reyes sings."), "cannot read \"Milo Reyes sings.\"");
        assert_eq!(
            read("The first Milo Reyes is a baker. The first Milo Reyes mentors the second Milo Reyes."),
            "the second Milo Reyes: 0 sentences say what it is, instead of one"
        );
        assert_eq!(
            read("Milo Reyes is a baker. Milo Reyes trained as a nurse."),
            "Milo Reyes: 2 sentences say what it is, instead of one"
        );
        assert_eq!(read("Milo Reyes is a baker"), "cannot read \"Milo Reyes is a baker\"");
    }
}
