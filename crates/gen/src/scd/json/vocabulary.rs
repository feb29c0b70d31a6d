//! Field names by domain, and the values that are planted, that fill the rest, and that damage puts in their place.
//!
//! Three pools that share nothing: a planted value is never a filler, and neither is what damage writes. Names have one kind
//! wherever they occur.

use serde::Deserialize;
use serde_json::{Number, Value};
use std::sync::LazyLock;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    String,
    Integer,
    Number,
    /// Never planted: two values are too few to tell places apart.
    Boolean,
}

impl Kind {
    /// Those that can be planted.
    pub(crate) const PLANTABLE: [Self; 3] = [Self::String, Self::Integer, Self::Number];

    /// As `type` in a schema says it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
        }
    }
}

/// Values by kind. Numbers keep the spelling of the data file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    words: Vec<String>,
    integers: Vec<i64>,
    numbers: Vec<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DamageData {
    words: Vec<String>,
    integers: Vec<i64>,
    numbers: Vec<f64>,
    names: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    words: Vec<String>,
    integers: Vec<i64>,
    numbers: Vec<f64>,
    fillers: Lists,
    damage: DamageData,
    domain: Vec<Bank>,
}

/// The words of one domain.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bank {
    #[cfg_attr(not(test), expect(dead_code, reason = "named for people and tests"))]
    pub(crate) name: String,
    /// Names for the two children of a node, a pair for each level.
    pub(crate) branches: Vec<[String; 2]>,
    strings: Vec<String>,
    integers: Vec<String>,
    numbers: Vec<String>,
    booleans: Vec<String>,
}

impl Bank {
    /// The names of fields of a kind.
    pub(crate) fn names(&self, kind: Kind) -> &[String] {
        match kind {
            Kind::String => &self.strings,
            Kind::Integer => &self.integers,
            Kind::Number => &self.numbers,
            Kind::Boolean => &self.booleans,
        }
    }
}

/// Values of the kinds that can be planted.
#[derive(Debug)]
pub(crate) struct Pool([Vec<Value>; 3]);

impl Pool {
    fn new(words: Vec<String>, integers: Vec<i64>, numbers: &[f64]) -> Self {
        let number = |number: &f64| Number::from_f64(*number).map_or(Value::Null, Value::Number);
        Self([
            words.into_iter().map(Value::from).collect(),
            integers.into_iter().map(Value::from).collect(),
            numbers.iter().map(number).collect(),
        ])
    }

    /// Those of a kind; none for booleans.
    pub(crate) fn of(&self, kind: Kind) -> &[Value] {
        match kind {
            Kind::String => &self.0[0],
            Kind::Integer => &self.0[1],
            Kind::Number => &self.0[2],
            Kind::Boolean => &[],
        }
    }
}

/// All of it.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// What is planted: a value of these stands at most once in a task.
    pub(crate) planted: Pool,
    /// What stands in the other fields.
    pub(crate) fillers: Pool,
    /// What damage puts in the place of planted values.
    pub(crate) damage: Pool,
    /// Names that damage gives to fields which no schema declares.
    pub(crate) strangers: Vec<String>,
    pub(crate) banks: Vec<Bank>,
}

pub(crate) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let data: Data = toml::from_str(include_str!("../../../data/scd_json.toml"))
        .expect("data/scd_json.toml is tested with the crate");
    Vocabulary {
        planted: Pool::new(data.words, data.integers, &data.numbers),
        fillers: Pool::new(data.fillers.words, data.fillers.integers, &data.fillers.numbers),
        damage: Pool::new(data.damage.words, data.damage.integers, &data.damage.numbers),
        strangers: data.damage.names,
        banks: data.domain,
    }
});

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn there_are_ten_banks_of_forty_names_or_more() {
        let names: Vec<&str> = VOCABULARY.banks.iter().map(|bank| bank.name.as_str()).collect();
        let expected = [
            "healthcare",
            "e-commerce",
            "logistics",
            "finance",
            "education",
            "travel",
            "energy",
            "manufacturing",
            "media",
            "public sector",
        ];
        assert_eq!(names, expected);
        let mut kinds: BTreeMap<&String, Kind> = BTreeMap::new();
        for bank in &VOCABULARY.banks {
            let mut here = BTreeSet::new();
            for kind in [Kind::String, Kind::Integer, Kind::Number, Kind::Boolean] {
                let least = if kind == Kind::Boolean { 4 } else { 12 };
                assert!(bank.names(kind).len() >= least, "{}: {kind:?}", bank.name);
                for name in bank.names(kind) {
                    assert!(here.insert(name), "{}: {name} is there twice", bank.name);
                    assert_eq!(*kinds.entry(name).or_insert(kind), kind, "{name} has two kinds");
                    assert!(
                        !["root", "metadata", "left", "right"].contains(&name.as_str()),
                        "{name} means something else"
                    );
                }
            }
            assert!(here.len() >= 40, "{}: {}", bank.name, here.len());
            assert!(bank.branches.len() >= 4);
            for branch in bank.branches.iter().flatten() {
                assert!(here.insert(branch), "{}: {branch} is there twice", bank.name);
            }
            for name in here {
                let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
                assert!(name.chars().all(plain), "{name}");
            }
        }
        for stranger in &VOCABULARY.strangers {
            assert!(!kinds.contains_key(stranger), "{stranger} is declared somewhere");
        }
    }

    #[test]
    fn the_pools_share_nothing() {
        let mut seen = BTreeSet::new();
        for pool in [&VOCABULARY.planted, &VOCABULARY.fillers, &VOCABULARY.damage] {
            for (kind, fits) in [
                (Kind::String, Value::is_string as fn(&Value) -> bool),
                (Kind::Integer, Value::is_i64),
                (Kind::Number, |value| value.as_f64().is_some_and(|number| number.fract() != 0.0)),
            ] {
                assert!(pool.of(kind).len() >= 20, "{kind:?}");
                for value in pool.of(kind) {
                    assert!(fits(value), "{value}");
                    assert!(seen.insert(value.to_string().to_lowercase()), "{value} is there twice");
                }
            }
        }
        assert_eq!(VOCABULARY.planted.of(Kind::String).len(), 26);
    }
}
