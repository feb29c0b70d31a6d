//! Drawing a graph: a stream for each knob, and every draw made whether or not its outcome matters.
//!
//! Twins: of a scope's n records the nearest whole number to the twin fraction of n, if that is at least 2, share one name and one value;
//! all other records have combinations of their own, drawn evenly from those that are left. So there is exactly one group of
//! records with equal attributes, or none. Names may still recur with different values.

use super::graph::{Company, Employment, Graph, Link, Person};
use super::legend::Legend;
use super::vocabulary::{Topic, Vocabulary};
use super::{Drawn, Org2Graph};
use crate::streams::{below, distinct, stream};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use std::borrow::Cow;
use std::fmt::Write as _;

/// How many ids there are.
const IDS: usize = 1 << 24;

/// A graph by the places of its words.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) people: Vec<Record>,
    pub(super) companies: Vec<Record>,
    /// Of each person: the company, and the role.
    pub(super) employment: Vec<(usize, usize)>,
    pub(super) acquaintance: Vec<Edge>,
    pub(super) partnership: Vec<Edge>,
    pub(super) drawn: Drawn,
}

#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) id: String,
    pub(super) name: usize,
    pub(super) word: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) word: usize,
}

/// The streams of an instance, by name.
struct Streams {
    seed: u64,
    index: u64,
}

/// A sentence to be: its topic, the two ends of what it says (name and word), and its own word.
type Fact = (Topic, (usize, usize), (usize, usize), usize);

impl Streams {
    fn of(&self, name: &str) -> ChaCha12Rng {
        stream(self.seed, self.index, name)
    }
}

pub(super) fn draw(generator: &Org2Graph, seed: u64, index: u64) -> Sample {
    let streams = Streams { seed, index };
    let (params, vocabulary) = (&generator.params, &*generator.vocabulary);
    let count_people = params.people.draw(&mut streams.of("org2graph/people"));
    let bounds = params.companies.bounds(count_people);
    let count_companies = bounds.draw(&mut streams.of("org2graph/companies"));
    let twins = params.twins.draw(&mut streams.of("org2graph/twins"));
    let acquaintance_density = params.acquaintance_density.draw(&mut streams.of("org2graph/acquaintance_density"));
    let partnership_density = params.partnership_density.draw(&mut streams.of("org2graph/partnership_density"));
    let words = |topic| vocabulary.words(topic, params.width).len();

    let mut ids = distinct(&mut streams.of("org2graph/ids"), (count_people + count_companies) as usize, IDS)
        .into_iter()
        .map(|id| format!("{id:06x}"));
    let (people_twins, company_twins) = (twins_of(twins, count_people), twins_of(twins, count_companies));
    let scope = |topic: Topic, count: u32, twins: u32, names: usize| {
        records(&streams, topic.list(), (count as usize, twins as usize), (names, words(topic)))
    };
    let people = scope(Topic::Title, count_people, people_twins, vocabulary.people().len());
    let companies = scope(Topic::Industry, count_companies, company_twins, vocabulary.companies().len());
    let mut with_ids = |records: Vec<(usize, usize)>| -> Vec<Record> {
        let record = |((name, word), id): ((usize, usize), String)| Record { id, name, word };
        records.into_iter().zip(&mut ids).map(record).collect()
    };
    let (people, companies) = (with_ids(people), with_ids(companies));

    let (mut company, mut role) = (streams.of("org2graph/employment/company"), streams.of("org2graph/employment/role"));
    let employment =
        people.iter().map(|_| (below(&mut company, companies.len()), below(&mut role, words(Topic::Role)))).collect();
    Sample {
        employment,
        acquaintance: edges(
            &streams,
            Topic::Acquaintance,
            people.len(),
            acquaintance_density,
            words(Topic::Acquaintance),
        ),
        partnership: edges(
            &streams,
            Topic::Partnership,
            companies.len(),
            partnership_density,
            words(Topic::Partnership),
        ),
        people,
        companies,
        drawn: Drawn {
            people: count_people,
            companies: count_companies,
            twins,
            people_twins,
            company_twins,
            acquaintance_density,
            partnership_density,
        },
    }
}

/// How many of `count` records are twins.
pub(super) fn twins_of(fraction: f64, count: u32) -> u32 {
    let twins = (fraction * f64::from(count)).round() as u32;
    if twins < 2 { 0 } else { twins }
}

/// The records of a scope, as (name, word).
fn records(
    streams: &Streams,
    list: &str,
    (count, twins): (usize, usize),
    (names, words): (usize, usize),
) -> Vec<(usize, usize)> {
    let kinds = if twins == 0 { count } else { count - twins + 1 };
    let mut attributes = distinct(&mut streams.of(&format!("org2graph/{list}/attributes")), kinds, names * words)
        .into_iter()
        .map(|pair| (pair / words, pair % words));
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(&mut streams.of(&format!("org2graph/{list}/twins")));
    let is_twin = |record: &usize| order[..twins].contains(record);
    let twin = if twins > 0 { attributes.next() } else { None };
    (0..count)
        .map(|record| match twin {
            Some(twin) if is_twin(&record) => twin,
            _ => attributes.next().expect("as many as there are records that are no twins"),
        })
        .collect()
}

/// The links among `count` records.
fn edges(streams: &Streams, topic: Topic, count: usize, density: f64, words: usize) -> Vec<Edge> {
    let of = |what: &str| streams.of(&format!("org2graph/{}/{what}", topic.list()));
    let (mut linked, mut direction, mut relation) = (of("edge"), of("direction"), of("relation"));
    let mut edges = Vec::new();
    for (one, other) in (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))) {
        let (is_linked, forward, word) =
            (linked.random_bool(density), direction.random_bool(0.5), below(&mut relation, words));
        if is_linked {
            let (source, target) = if forward { (one, other) } else { (other, one) };
            edges.push(Edge { source, target, word });
        }
    }
    edges
}

impl Sample {
    /// The gold.
    pub(super) fn graph<'g>(&self, vocabulary: &'g Vocabulary, legend: &'g Legend) -> Graph<'g> {
        let id = |records: &[Record], at: usize| Cow::Owned(records[at].id.clone());
        let value = |topic, word| Cow::Borrowed(legend.value(topic, word));
        let name = |names: &'g [String], name: usize| Cow::Borrowed(names[name].as_str());
        let links = |topic: Topic, edges: &[Edge], records: &[Record]| {
            let link = |edge: &Edge| Link {
                source: id(records, edge.source),
                target: id(records, edge.target),
                relation: value(topic, edge.word),
            };
            edges.iter().map(link).collect()
        };
        let person = |person: &Record| Person {
            id: person.id.clone().into(),
            name: name(vocabulary.people(), person.name),
            title: value(Topic::Title, person.word),
        };
        let company = |company: &Record| Company {
            id: company.id.clone().into(),
            name: name(vocabulary.companies(), company.name),
            industry: value(Topic::Industry, company.word),
        };
        let employment = |(person, &(company, role)): (usize, &(usize, usize))| Employment {
            person: id(&self.people, person),
            company: id(&self.companies, company),
            role: value(Topic::Role, role),
        };
        Graph {
            people: self.people.iter().map(person).collect(),
            companies: self.companies.iter().map(company).collect(),
            employment: self.employment.iter().enumerate().map(employment).collect(),
            acquaintance: links(Topic::Acquaintance, &self.acquaintance, &self.people),
            partnership: links(Topic::Partnership, &self.partnership, &self.companies),
        }
    }

    /// The facts, with each record told by its attributes: equal for graphs that are equal up to ids and order.
    pub(super) fn content(&self, vocabulary: &Vocabulary) -> String {
        let record = |record: &Record| (record.name, record.word);
        let link =
            |records: &[Record], edge: &Edge| (record(&records[edge.source]), record(&records[edge.target]), edge.word);
        let mut facts: Vec<Fact> = Vec::new();
        facts.extend(self.people.iter().map(|person| (Topic::Title, record(person), (0, 0), 0)));
        facts.extend(self.companies.iter().map(|company| (Topic::Industry, record(company), (0, 0), 0)));
        facts.extend(
            self.people.iter().zip(&self.employment).map(|(person, &(company, role))| {
                (Topic::Role, record(person), record(&self.companies[company]), role)
            }),
        );
        for (topic, edges, records) in [
            (Topic::Acquaintance, &self.acquaintance, &self.people),
            (Topic::Partnership, &self.partnership, &self.companies),
        ] {
            facts.extend(
                edges
                    .iter()
                    .map(|edge| link(records, edge))
                    .map(|(source, target, word)| (topic, source, target, word)),
            );
        }
        facts.sort_unstable_by_key(|&(topic, one, other, word)| (topic as usize, one, other, word));
        debug_assert!(facts.iter().all(|fact| fact.1.0 < vocabulary.people().len().max(vocabulary.companies().len())));
        facts.into_iter().fold(String::new(), |mut content, (topic, one, other, word)| {
            let _ = write!(content, "{}{}.{}-{}.{}:{word} ", topic.letter(), one.0, one.1, other.0, other.1);
            content
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::org2graph::params::Params;
    use std::collections::BTreeMap;

    /// How often each combination of attributes occurs in a scope.
    fn groups(records: &[Record]) -> Vec<usize> {
        let mut counts = BTreeMap::new();
        for record in records {
            *counts.entry((record.name, record.word)).or_insert(0) += 1;
        }
        let mut groups: Vec<usize> = counts.into_values().filter(|&count| count > 1).collect();
        groups.sort_unstable();
        groups
    }

    #[test]
    fn there_is_one_group_of_twins_in_a_scope_or_none() {
        for params in [Params::PW, Params::PN] {
            let generator = Org2Graph::new(params).expect("parameters");
            for index in 0..2000 {
                let sample = draw(&generator, 1, index);
                for (records, twins) in
                    [(&sample.people, sample.drawn.people_twins), (&sample.companies, sample.drawn.company_twins)]
                {
                    let expected = if twins == 0 { vec![] } else { vec![twins as usize] };
                    assert_eq!(groups(records), expected);
                    assert_eq!(twins, twins_of(sample.drawn.twins, records.len() as u32));
                }
            }
        }
    }

    #[test]
    fn the_last_combination_is_reached() {
        let params = Params { people: Bounds::only(99), twins: Bounds::only(0.0), ..Params::PN };
        let generator = Org2Graph::new(params).expect("parameters");
        assert!(groups(&draw(&generator, 1, 0).people).is_empty());
        // As many records as there are combinations.
        let mut all = records(&Streams { seed: 1, index: 0 }, "people", (12, 0), (4, 3));
        all.sort_unstable();
        assert_eq!(all, (0..12).map(|pair| (pair / 3, pair % 3)).collect::<Vec<_>>());
    }

    #[test]
    fn fractions_are_rounded_to_the_nearest_and_one_twin_is_none() {
        assert_eq!(
            [0.0, 0.14, 0.16, 0.24, 0.25, 0.9, 1.0].map(|fraction| twins_of(fraction, 10)),
            [0, 0, 2, 2, 3, 9, 10]
        );
    }

    #[test]
    fn variants_share_all_but_the_knob_that_differs() {
        let plain = Org2Graph::new(Params::PN).expect("parameters");
        let coded = Org2Graph::new(Params::CN).expect("parameters");
        let denser = Params { acquaintance_density: Bounds::only(0.9), ..Params::PN };
        let denser = Org2Graph::new(denser).expect("parameters");
        for index in 0..50 {
            let (one, two, three) = (plain.instance(5, index), coded.instance(5, index), denser.instance(5, index));
            assert_eq!((&one.context, &one.content), (&two.context, &two.content));
            let decoded =
                plain.legend().books().iter().zip(coded.legend().books()).fold(
                    serde_json::to_string(&two.graph).expect("a graph"),
                    |text, (plain, coded)| {
                        plain.values.iter().zip(&coded.values).fold(text, |text, ((_, word), (_, code))| {
                            text.replace(&code.to_string(), &word.to_string())
                        })
                    },
                );
            assert_eq!(decoded, serde_json::to_string(&one.graph).expect("a graph"));
            assert_eq!((&one.graph.people, &one.graph.employment), (&three.graph.people, &three.graph.employment));
            assert_eq!(one.graph.partnership, three.graph.partnership);
        }
    }

    #[test]
    fn content_knows_no_ids() {
        let generator = Org2Graph::new(Params::PN).expect("parameters");
        let mut sample = draw(&generator, 1, 3);
        let content = sample.content(generator.vocabulary());
        sample.people[0].id = "000000".into();
        sample.acquaintance.reverse();
        assert_eq!(sample.content(generator.vocabulary()), content);
        sample.people[0].word += 1;
        assert_ne!(sample.content(generator.vocabulary()), content);
    }
}
