//! The words of Facts2Order: nouns and names, clauses, distractors; and the proof that items can be read in one way only.
//!
//! The words come from a data file (`data/facts2order.toml`) and are checked when loaded:
//!
//! 1. *Sentences and clauses are found.* A sentence ends with the only full stop in it; clauses have no commas, and commas part them.
//! 2. *Values are found.* No wording has a digit, the name of a month or an ordinal, so in a clause the one run of such words is
//!    its value, and says of which type it is.
//! 3. *Clauses are unambiguous.* Without its value a clause is its *skeleton*; no two clauses of one type share one.
//! 4. *Distractors state nothing*: they are a list, and no name is the second word of one, as it is in every sentence about an item.
//!
//! So each item's key can be read, and the keys are distinct: there is one order. ∎

use super::keys::KeyType;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The words that come with the crate.
pub(super) static BUILT_IN: LazyLock<Arc<Vocabulary>> = LazyLock::new(|| {
    let words = Vocabulary::parse(include_str!("../../data/facts2order.toml"));
    Arc::new(words.expect("data/facts2order.toml is tested with the crate"))
});

/// How many clauses an attribute has at least.
const PHRASINGS: usize = 3;

/// Nouns, names, attributes and distractors, checked.
#[derive(Debug)]
pub struct Vocabulary {
    nouns: Vec<String>,
    names: Vec<String>,
    keys: Vec<Attribute>,
    decoys: Vec<Attribute>,
    distractors: Vec<String>,
    /// Clauses by type and skeleton: whether they state the key.
    pub(super) readings: HashMap<(KeyType, String), bool>,
}

/// Something that items have, and the clauses that state it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// The type of its values.
    pub kind: KeyType,
    /// What it is called.
    pub name: String,
    /// Clauses, with `{}` for the value.
    pub clauses: Vec<String>,
}

/// Words that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct VocabularyError(String);

fn refuse<T>(message: impl fmt::Display) -> Result<T, VocabularyError> {
    Err(VocabularyError(message.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    nouns: Vec<String>,
    names: Vec<String>,
    key: Vec<Attribute>,
    decoy: Vec<Attribute>,
    distractors: Vec<String>,
}

impl Vocabulary {
    /// Reads and checks words in the form of `data/facts2order.toml`.
    ///
    /// # Errors
    ///
    /// The text has another form, or what the module promises does not hold: says which word or sentence is at fault.
    pub fn parse(text: &str) -> Result<Self, VocabularyError> {
        let Data { nouns, names, key: keys, decoy: decoys, distractors } =
            toml::from_str(text).map_err(|error| VocabularyError(error.to_string()))?;
        for (what, words) in [("nouns", &nouns), ("names", &names), ("distractors", &distractors)] {
            let mut seen = HashSet::new();
            if let Some(word) = words.iter().find(|word| !seen.insert(*word)) {
                return refuse(format_args!("{what}: \"{word}\" occurs twice"));
            }
            if words.is_empty() {
                return refuse(format_args!("{what}: there are none"));
            }
        }
        if let Some(word) = nouns.iter().chain(&names).find(|word| !word.chars().all(char::is_alphabetic)) {
            return refuse(format_args!("\"{word}\" is not one word of letters"));
        }
        for kind in KeyType::ALL {
            if keys.iter().filter(|key| key.kind == kind).count() != 1 {
                return refuse(format_args!("there should be one key of type {kind:?}"));
            }
            if !decoys.iter().any(|decoy| decoy.kind == kind) {
                return refuse(format_args!("there should be a decoy of type {kind:?}"));
            }
        }
        for text in distractors.iter().chain(keys.iter().chain(&decoys).flat_map(|attribute| &attribute.clauses)) {
            if let Some(word) = text.split([' ', ',', '.']).find(|word| KeyType::occurs_in(word)) {
                return refuse(format_args!("\"{word}\", which could be a value, is in \"{text}\""));
            }
        }
        for text in &distractors {
            if text.matches('.').count() != 1 || !text.ends_with('.') || !text.starts_with(char::is_uppercase) {
                return refuse(format_args!("\"{text}\" is not one sentence: a capital, words, one full stop"));
            }
            if let Some(name) = names.iter().find(|name| text.split(' ').nth(1) == Some(name)) {
                return refuse(format_args!("\"{text}\" reads as if it were about {name}"));
            }
        }
        let mut readings = HashMap::new();
        for (attribute, is_key) in keys.iter().map(|key| (key, true)).chain(decoys.iter().map(|decoy| (decoy, false))) {
            if attribute.clauses.len() < PHRASINGS {
                let (name, count) = (&attribute.name, attribute.clauses.len());
                return refuse(format_args!("\"{name}\" has {count} clauses; allowed: {PHRASINGS} or more"));
            }
            for clause in &attribute.clauses {
                let slots = clause.split(' ').filter(|word| *word == "{}").count();
                if slots != 1 || clause.matches(['{', '}']).count() != 2 || clause.contains([',', '.']) {
                    return refuse(format_args!(
                        "\"{clause}\" is not one clause: words and one {{}}, no commas or stops"
                    ));
                }
                if readings.insert((attribute.kind, clause.clone()), is_key).is_some() {
                    return refuse(format_args!("\"{clause}\" is said in two places"));
                }
            }
        }
        Ok(Self { nouns, names, keys, decoys, distractors, readings })
    }

    /// What items are: all those of an instance the same.
    pub fn nouns(&self) -> &[String] {
        &self.nouns
    }

    /// What items are called: each once in an instance.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Sentences that state nothing.
    pub fn distractors(&self) -> &[String] {
        &self.distractors
    }

    /// What items are sorted by where the key is of a type.
    pub fn key(&self, kind: KeyType) -> &Attribute {
        self.keys.iter().find(|key| key.kind == kind).expect("there is a key of each type")
    }

    pub(super) fn decoy(&self, place: usize) -> &Attribute {
        &self.decoys[place]
    }

    /// The places of the decoys of a type.
    pub(super) fn decoys_of(&self, kind: KeyType) -> Vec<usize> {
        (0..self.decoys.len()).filter(|&decoy| self.decoys[decoy].kind == kind).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = include_str!("../../data/facts2order.toml");

    #[test]
    fn the_words_are_enough_for_every_setting() {
        let words = &*BUILT_IN;
        assert_eq!((words.names().len(), words.nouns().len(), words.distractors().len()), (60, 8, 20));
        assert_eq!(KeyType::ALL.map(|kind| words.decoys_of(kind).len()), [5, 1, 1]);
        assert_eq!(words.readings.len(), 3 * (3 + 7));
    }

    #[test]
    fn words_that_would_be_ambiguous_are_refused() {
        let cases = [
            ("costs {} dollars", "weighs {} kilograms", "\"weighs {} kilograms\" is said in two places"),
            ("costs {} dollars", "costs 3 times {} dollars", "\"3\", which could be a value, is in "),
            ("costs {} dollars", "costs {} dollars, no less", "\"costs {} dollars, no less\" is not one clause"),
            ("costs {} dollars", "costs money", "\"costs money\" is not one clause"),
            ("Dust had gathered", "The second label had gathered", "\"second\", which could be a value, is in "),
            ("Dust had gathered", "The Larkspur crate had", "\"The Larkspur crate had along the edges.\" reads as if"),
            ("\"costs {} dollars\", ", "", "\"price\" has 2 clauses; allowed: 3 or more"),
            ("\"Bramble\"", "\"Larkspur\"", "names: \"Larkspur\" occurs twice"),
            (
                "kind = \"date\"\nname = \"insurance\"",
                "kind = \"integer\"\nname = \"insurance\"",
                "there should be a decoy of",
            ),
        ];
        for (from, to, told) in cases {
            assert!(DATA.contains(from), "{from}");
            let error = Vocabulary::parse(&DATA.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(error.starts_with(told), "{to}: {error}");
        }
    }
}
