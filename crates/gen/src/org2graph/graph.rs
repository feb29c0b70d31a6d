//! The gold of Org2Graph.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Five lists: two of records, three of links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph<'a> {
    /// The people.
    pub people: Vec<Person<'a>>,
    /// The companies.
    pub companies: Vec<Company<'a>>,
    /// Who works where: each person once.
    pub employment: Vec<Employment<'a>>,
    /// Who is related to whom: each two people at most once.
    pub acquaintance: Vec<Link<'a>>,
    /// Which companies are related: each two at most once.
    pub partnership: Vec<Link<'a>>,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person<'a> {
    /// Six hexadecimal digits.
    pub id: Cow<'a, str>,
    /// Given name and family name.
    pub name: Cow<'a, str>,
    /// A value of the titles' book.
    pub title: Cow<'a, str>,
}

/// A company.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Company<'a> {
    /// Six hexadecimal digits.
    pub id: Cow<'a, str>,
    /// The firm.
    pub name: Cow<'a, str>,
    /// A value of the industries' book.
    pub industry: Cow<'a, str>,
}

/// That a person works for a company.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Employment<'a> {
    /// The id of the person.
    pub person: Cow<'a, str>,
    /// The id of the company.
    pub company: Cow<'a, str>,
    /// A value of the roles' book.
    pub role: Cow<'a, str>,
}

/// A directed link between two people, or between two companies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link<'a> {
    /// The id of the one.
    pub source: Cow<'a, str>,
    /// The id of the other.
    pub target: Cow<'a, str>,
    /// A value of the relation's book.
    pub relation: Cow<'a, str>,
}

fn object(fields: [(&str, &Cow<'_, str>); 3]) -> Value {
    fields.into_iter().map(|(key, value)| (key.to_owned(), Value::from(value.as_ref()))).collect::<Map<_, _>>().into()
}

impl Graph<'_> {
    /// The graph as JSON.
    pub fn to_value(&self) -> Value {
        let links = |links: &[Link<'_>]| -> Value {
            let link = |link: &Link<'_>| {
                object([("source", &link.source), ("target", &link.target), ("relation", &link.relation)])
            };
            links.iter().map(link).collect()
        };
        let people =
            |person: &Person<'_>| object([("id", &person.id), ("name", &person.name), ("title", &person.title)]);
        let companies = |company: &Company<'_>| {
            object([("id", &company.id), ("name", &company.name), ("industry", &company.industry)])
        };
        let employment = |employed: &Employment<'_>| {
            object([("person", &employed.person), ("company", &employed.company), ("role", &employed.role)])
        };
        let mut graph = Map::new();
        graph.insert("people".to_owned(), self.people.iter().map(people).collect());
        graph.insert("companies".to_owned(), self.companies.iter().map(companies).collect());
        graph.insert("employment".to_owned(), self.employment.iter().map(employment).collect());
        graph.insert("acquaintance".to_owned(), links(&self.acquaintance));
        graph.insert("partnership".to_owned(), links(&self.partnership));
        graph.into()
    }
}

#[cfg(test)]
mod tests {
    use crate::org2graph::{Org2Graph, params::Params};

    #[test]
    fn the_value_is_what_serde_writes() {
        let generator = Org2Graph::new(Params::CN).expect("parameters");
        for index in 0..20 {
            let graph = generator.instance(3, index).graph;
            assert_eq!(graph.to_value().to_string(), serde_json::to_string(&graph).expect("a graph"));
        }
    }
}
