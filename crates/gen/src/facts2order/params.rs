//! The knobs of Facts2Order, their limits, and the variants of the paper.

use super::keys::{Closeness, KeyType};
use super::vocabulary::Vocabulary;
use crate::bounds::ParamsError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whether the key is the only fact of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It is.
    Stated,
    /// It stands among decoys, in a shuffled order: what counts has to be found out.
    Hidden,
}

/// Which end comes first: one for the whole data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The least key first.
    Ascending,
    /// The greatest key first.
    Descending,
}

/// The knobs. From lists, each instance draws one, evenly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// How many items there are, 2 to 50.
    pub items: Vec<u32>,
    /// What they are sorted by.
    pub key_types: Vec<KeyType>,
    /// How far apart the keys are.
    pub closeness: Vec<Closeness>,
    /// How many sentences without a key come with each item, 0 to 10.
    pub distractors: Vec<u32>,
    /// Whether the key is the only fact of an item.
    pub mode: Mode,
    /// Where it is not: how many numeric decoys there are, 1 to 5.
    pub decoys: Vec<u32>,
    /// Whether dates and places in a row get one decoy more, of their own type: without it they stand out among numbers.
    #[serde(default)]
    pub decoy_alike: bool,
    /// Which end comes first.
    pub direction: Direction,
}

impl Params {
    /// The variant S of the paper: 4, 5, 7 or 9 items, 0 or 2 distractors (section V-D).
    pub fn stated() -> Self {
        Self {
            items: vec![4, 5, 7, 9],
            key_types: vec![KeyType::Integer, KeyType::Date, KeyType::Ordinal],
            closeness: vec![Closeness::Wide, Closeness::Tight],
            distractors: vec![0, 2],
            mode: Mode::Stated,
            decoys: vec![2, 3],
            decoy_alike: false,
            direction: Direction::Ascending,
        }
    }

    /// The variant H: as S, with decoys.
    pub fn hidden() -> Self {
        Self { mode: Mode::Hidden, ..Self::stated() }
    }

    /// The golds of the paper's probe of orders (section V-A): 3 to 12 items, 0 to 3 distractors.
    pub fn probe() -> Self {
        Self { items: (3..=12).collect(), distractors: (0..=3).collect(), ..Self::stated() }
    }

    /// The name of the variant: `stated` or `hidden`.
    pub fn variant(&self) -> &'static str {
        match self.mode {
            Mode::Stated => "stated",
            Mode::Hidden => "hidden",
        }
    }

    pub(super) fn check(&self, vocabulary: &Vocabulary) -> Result<(), ParamsError> {
        let most = 50.min(vocabulary.names().len() as u32);
        numbers("items", &self.items, 2, most)?;
        choices("key_types", &self.key_types)?;
        choices("closeness", &self.closeness)?;
        numbers("distractors", &self.distractors, 0, 10.min(vocabulary.distractors().len() as u32))?;
        numbers("decoys", &self.decoys, 1, vocabulary.decoys_of(KeyType::Integer).len() as u32)
    }
}

fn choices<T: PartialEq + fmt::Debug>(key: &str, choices: &[T]) -> Result<(), ParamsError> {
    let twice = choices.iter().enumerate().find(|(at, choice)| choices[..*at].contains(choice));
    match twice {
        Some((_, choice)) => Err(ParamsError::new(key, format_args!("{choice:?} is there twice; allowed: once"))),
        None if choices.is_empty() => Err(ParamsError::new(key, "the list is empty; allowed: one choice or more")),
        None => Ok(()),
    }
}

fn numbers(key: &str, list: &[u32], least: u32, most: u32) -> Result<(), ParamsError> {
    choices(key, list)?;
    match list.iter().find(|number| !(least..=most).contains(*number)) {
        Some(number) => Err(ParamsError::new(key, format_args!("{number}; allowed: {least} to {most}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts2order::Facts2Order;

    #[test]
    fn impossible_choices_name_the_key_and_what_is_allowed() {
        let refused = |params| Facts2Order::new(params).expect_err("refused").to_string();
        let items = |items: &[u32]| refused(Params { items: items.to_vec(), ..Params::stated() });
        assert_eq!(items(&[4, 1]), "`items`: 1; allowed: 2 to 50");
        assert_eq!(items(&[]), "`items`: the list is empty; allowed: one choice or more");
        assert_eq!(items(&[4, 4]), "`items`: 4 is there twice; allowed: once");
        let decoys = refused(Params { decoys: vec![6], ..Params::hidden() });
        assert_eq!(decoys, "`decoys`: 6; allowed: 1 to 5");
    }
}
