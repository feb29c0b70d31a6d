//! The knobs of Org2Graph, their limits, and the variants of the paper.

use super::vocabulary::Vocabulary;
use crate::bounds::{Bounds, ParamsError};
use crate::words::ORDINALS;
use serde::{Deserialize, Serialize};

/// How categorical values stand in the gold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    /// As the words of the text.
    Plain,
    /// As opaque codes: `T07` for what the text calls an engineer.
    Coded,
}

/// How much of the codebooks is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// All: 24 titles, 20 industries, 20 roles, 12 and 12 relations.
    Wide,
    /// The first 6, 6, 6, 3 and 3 of them.
    Narrow,
}

/// How many companies there are, by the number of people: evenly from `min` to the larger of `min` and
/// `per_person` times the people, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Companies {
    /// The least number; at least 1.
    pub min: u32,
    /// The most for each person, in [0, 1].
    pub per_person: f64,
}

impl Companies {
    pub(super) fn bounds(self, people: u32) -> Bounds<u32> {
        let most = (self.per_person * f64::from(people)).ceil() as u32;
        Bounds::new(self.min, most.max(self.min))
    }
}

/// The knobs. What has bounds is drawn for each instance, evenly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Words or codes.
    pub values: Values,
    /// All of the codebooks or the head of them.
    pub width: Width,
    /// The number of people, 1 to 99.
    pub people: Bounds<u32>,
    /// The number of companies.
    pub companies: Companies,
    /// The fraction of each scope's records that are twins, in [0, 1]. Of n records, the nearest whole number to the fraction of n
    /// are; where that is below 2, none. (Rounding to the nearest explains the paper's nine golds of a hundred in which every
    /// record is a twin: rounded down there would be none.)
    pub twins: Bounds<f64>,
    /// The chance that two people are acquainted, in [0, 1].
    pub acquaintance_density: Bounds<f64>,
    /// The chance that two companies are partners, in [0, 1].
    pub partnership_density: Bounds<f64>,
    /// The chance that the paragraph has an opening line, in [0, 1].
    pub opening: f64,
    /// The seed of the legend: one legend serves data sets of any seed.
    pub legend_seed: u64,
}

impl Params {
    /// The golds of the paper's probes: plain words, narrow books, every size and twin fraction (section V-A).
    pub const PROBE: Self = Self {
        values: Values::Plain,
        width: Width::Narrow,
        people: Bounds::new(3, 10),
        companies: Companies { min: 2, per_person: 0.5 },
        twins: Bounds::new(0.0, 1.0),
        acquaintance_density: Bounds::new(0.2, 0.5),
        partnership_density: Bounds::new(0.3, 0.7),
        opening: 0.5,
        legend_seed: 0,
    };
    /// Plain words, narrow books.
    pub const PN: Self = Self::PROBE;
    /// Plain words, wide books.
    pub const PW: Self = Self { width: Width::Wide, ..Self::PROBE };
    /// Codes, narrow books.
    pub const CN: Self = Self { values: Values::Coded, ..Self::PN };
    /// Codes, wide books.
    pub const CW: Self = Self { values: Values::Coded, ..Self::PW };

    /// The letters of the variant, as the paper calls it: `pw`, `pn`, `cw`, `cn`.
    pub fn variant(&self) -> &'static str {
        match (self.values, self.width) {
            (Values::Plain, Width::Wide) => "pw",
            (Values::Plain, Width::Narrow) => "pn",
            (Values::Coded, Width::Wide) => "cw",
            (Values::Coded, Width::Narrow) => "cn",
        }
    }

    pub(super) fn check(&self, vocabulary: &Vocabulary) -> Result<(), ParamsError> {
        self.people.check("people", 1, ORDINALS.greatest())?;
        let Companies { min, per_person } = self.companies;
        if min == 0 || min > ORDINALS.greatest() || !(0.0..=1.0).contains(&per_person) {
            return Err(ParamsError::new(
                "companies",
                format_args!(
                    "min {min} and per_person {per_person}; allowed: min 1 to {}, per_person 0 to 1",
                    ORDINALS.greatest()
                ),
            ));
        }
        self.twins.check("twins", 0.0, 1.0)?;
        self.acquaintance_density.check("acquaintance_density", 0.0, 1.0)?;
        self.partnership_density.check("partnership_density", 0.0, 1.0)?;
        if !(0.0..=1.0).contains(&self.opening) {
            return Err(ParamsError::new("opening", format_args!("{}; allowed: 0 to 1", self.opening)));
        }
        let enough = |key: &str, most: u32, names: usize, values: usize, what: &str| {
            if most as usize <= names * values {
                return Ok(());
            }
            Err(ParamsError::new(
                key,
                format_args!(
                    "{most} records that differ cannot be made of {names} names and {values} {what}; allowed: up to {}",
                    names * values
                ),
            ))
        };
        let titles = vocabulary.titles(self.width).len();
        enough("people", self.people.max, vocabulary.people().len(), titles, "titles")?;
        let industries = vocabulary.industries(self.width).len();
        let companies = self.companies.bounds(self.people.max).max;
        enough("companies", companies, vocabulary.companies().len(), industries, "industries")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::org2graph::{Org2Graph, vocabulary};
    use std::fmt::Write as _;

    fn refused(params: Params) -> String {
        Org2Graph::new(params).expect_err("refused").to_string()
    }

    #[test]
    fn the_variants_are_called_what_they_are() {
        let named = [(Params::PW, "pw"), (Params::PN, "pn"), (Params::CW, "cw"), (Params::CN, "cn")];
        assert!(named.iter().all(|(params, name)| params.variant() == *name && Org2Graph::new(params.clone()).is_ok()));
    }

    #[test]
    fn companies_are_bounded_by_the_people() {
        let most = |people| Params::PROBE.companies.bounds(people).max;
        assert_eq!((most(3), most(4), most(5), most(9), most(10)), (2, 2, 3, 5, 5));
    }

    #[test]
    fn impossible_ranges_name_the_key_and_what_is_allowed() {
        let people = refused(Params { people: Bounds::new(0, 5), ..Params::PN });
        assert_eq!(people, "`people`: min 0 and max 5 make no range; allowed: 1 to 99, min no greater than max");
        let twins = refused(Params { twins: Bounds::new(0.5, 1.5), ..Params::PN });
        assert_eq!(twins, "`twins`: min 0.5 and max 1.5 make no range; allowed: 0 to 1, min no greater than max");
        let companies = refused(Params { companies: Companies { min: 0, per_person: 0.5 }, ..Params::PN });
        assert_eq!(companies, "`companies`: min 0 and per_person 0.5; allowed: min 1 to 99, per_person 0 to 1");
        assert_eq!(refused(Params { opening: 2.0, ..Params::PN }), "`opening`: 2; allowed: 0 to 1");
    }

    #[test]
    fn words_that_do_not_suffice_are_an_error() {
        let few =
            include_str!("../../data/org2graph.toml").replace("people = [", "people = [\"Solo Person\"]\nunused = [");
        assert!(vocabulary::Vocabulary::parse(&few).is_err(), "unknown keys are refused");
        let table: toml::Table = toml::from_str(include_str!("../../data/org2graph.toml")).expect("a table");
        let mut table = table;
        table.insert("people".into(), toml::Value::Array(vec!["Solo Person".into()]));
        let text = toml_text(&table);
        let vocabulary = vocabulary::Vocabulary::parse_any_size(&text).expect("words");
        let error = Org2Graph::with_vocabulary(Params::PN, vocabulary.into()).expect_err("too few");
        let told = "`people`: 10 records that differ cannot be made of 1 names and 6 titles; allowed: up to 6";
        assert_eq!(error.to_string(), told);
    }

    /// TOML values are written as JSON is, but for tables: enough for this file.
    fn toml_text(table: &toml::Table) -> String {
        let mut text = String::new();
        let is_tables =
            |value: &toml::Value| value.as_array().is_some_and(|list| list.iter().all(toml::Value::is_table));
        for (key, value) in table.iter().filter(|(_, value)| !is_tables(value)) {
            let _ = writeln!(text, "{key} = {value}");
        }
        for (key, value) in table.iter().filter(|(_, value)| is_tables(value)) {
            for entry in value.as_array().into_iter().flatten().filter_map(toml::Value::as_table) {
                let _ = writeln!(text, "[[{key}]]\nvalue = {}\nsentences = {}", entry["value"], entry["sentences"]);
            }
        }
        text
    }
}
