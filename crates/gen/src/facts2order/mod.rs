//! Facts2Order: labelled items, a sentence for each, and the order that the sentences imply (paper section IV-B).
//!
//! Each item states a key: a whole number, a date, or a place in a row. Keys are drawn distinct, so there is one right order of the labels.
//! In *hidden* instances the key stands among decoys: other facts of the same items, in a shuffled order.
//!
//! An instance is a function of (parameters, seed, index); each knob draws from a stream of its own ([`crate::streams`]).
//!
//! | room | what |
//! |---|---|
//! | [`params`] | the knobs, their limits, the published variants |
//! | [`keys`] | types of keys, and drawing and writing their values |
//! | [`vocabulary`] | names, clauses and distractors, checked so that they can be read back |
//! | [`text`] | the sentences |
//! | [`read`] | from the sentences back to the order |
//! | [`schemas`] | the two schemas |

pub mod keys;
pub mod params;
pub mod read;
pub mod schemas;
mod text;
pub mod vocabulary;

use crate::bounds::ParamsError;
use crate::streams::{below, distinct, stream};
use keys::{Closeness, KeyType};
use params::{Direction, Mode, Params};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use vocabulary::Vocabulary;

/// Where the labels stand in a gold, as a JSON Pointer.
pub const INDICES: &str = "/indices";

/// Makes instances of one set of parameters.
///
/// ```
/// use objalign_gen::facts2order::{Facts2Order, params::Params};
///
/// let generator = Facts2Order::new(Params::stated())?;
/// let instance = generator.instance(7, 0);
/// assert_eq!(instance.context.lines().count(), instance.indices.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Facts2Order {
    params: Params,
    vocabulary: Arc<Vocabulary>,
}

/// What was drawn for an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Drawn {
    /// The number of items.
    pub items: u32,
    /// The type of the keys.
    pub key_type: KeyType,
    /// How far apart they are.
    pub closeness: Closeness,
    /// How many sentences without a key come with each item.
    pub distractors: u32,
    /// How many clauses of each item are not the key.
    pub decoys: u32,
}

/// One instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The items, one a line, each with its label.
    pub context: String,
    /// The labels, sorted by key.
    pub indices: Vec<u32>,
    /// What was drawn for it.
    pub drawn: Drawn,
    /// What it is about, whatever the labels, the decoys and the wording.
    pub content: String,
}

impl Instance {
    /// The gold: `{"indices": [...]}`.
    pub fn gold(&self) -> Value {
        json!({ "indices": self.indices })
    }
}

/// The items of an instance, by the places of their words; the label of an item is its place and one.
#[derive(Debug, Clone)]
struct Sample {
    noun: usize,
    names: Vec<usize>,
    keys: Vec<u32>,
    /// The decoys, by their places in the vocabulary.
    decoys: Vec<usize>,
    drawn: Drawn,
}

impl Facts2Order {
    /// A generator with the words that come with the crate.
    ///
    /// # Errors
    ///
    /// A parameter is out of its range.
    pub fn new(params: Params) -> Result<Self, ParamsError> {
        Self::with_vocabulary(params, Arc::clone(&vocabulary::BUILT_IN))
    }

    /// A generator with words of your own.
    ///
    /// # Errors
    ///
    /// As [`Self::new`], or the words are too few for the parameters.
    pub fn with_vocabulary(params: Params, vocabulary: Arc<Vocabulary>) -> Result<Self, ParamsError> {
        params.check(&vocabulary)?;
        Ok(Self { params, vocabulary })
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The words.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Instance `index` of the data set of `seed`.
    pub fn instance(&self, seed: u64, index: u64) -> Instance {
        let sample = self.draw(seed, index);
        let mut indices: Vec<u32> = (1..=sample.drawn.items).collect();
        indices.sort_unstable_by_key(|&label| sample.keys[label as usize - 1]);
        if self.params.direction == Direction::Descending {
            indices.reverse();
        }
        Instance {
            context: text::render(&self.vocabulary, &sample, seed, index),
            indices,
            drawn: sample.drawn,
            content: sample.content(),
        }
    }

    fn draw(&self, seed: u64, index: u64) -> Sample {
        let of = |name: &str| stream(seed, index, &format!("facts2order/{name}"));
        let params = &self.params;
        let items = choose(&params.items, of("items"));
        let key_type = choose(&params.key_types, of("key_type"));
        let closeness = choose(&params.closeness, of("closeness"));
        let distractors = choose(&params.distractors, of("distractors"));
        let count = choose(&params.decoys, of("decoys"));
        let decoys = match params.mode {
            Mode::Stated => Vec::new(),
            Mode::Hidden => self.decoys(key_type, count as usize, [of("decoys/which"), of("decoys/alike")]),
        };
        Sample {
            noun: below(&mut of("noun"), self.vocabulary.nouns().len()),
            names: distinct(&mut of("names"), items as usize, self.vocabulary.names().len()),
            keys: keys::draw(key_type, closeness, items as usize, &mut of("keys")),
            drawn: Drawn { items, key_type, closeness, distractors, decoys: decoys.len() as u32 },
            decoys,
        }
    }

    /// `count` numeric decoys; and, if that is asked for, one of the key's own type for keys that are no numbers.
    fn decoys(&self, key_type: KeyType, count: usize, [mut which, mut alike]: [ChaCha12Rng; 2]) -> Vec<usize> {
        let of = |kind| self.vocabulary.decoys_of(kind);
        let numeric = of(KeyType::Integer);
        let mut decoys: Vec<usize> =
            distinct(&mut which, count, numeric.len()).into_iter().map(|decoy| numeric[decoy]).collect();
        if self.params.decoy_alike && key_type != KeyType::Integer {
            let alike_ones = of(key_type);
            decoys.push(alike_ones[below(&mut alike, alike_ones.len())]);
        }
        decoys
    }
}

fn choose<T: Copy>(choices: &[T], mut random: ChaCha12Rng) -> T {
    choices[below(&mut random, choices.len())]
}

impl Sample {
    fn content(&self) -> String {
        let mut facts: Vec<(u32, usize)> = self.keys.iter().copied().zip(self.names.iter().copied()).collect();
        facts.sort_unstable();
        let start = format!("{:?} {}", self.drawn.key_type, self.noun);
        facts.into_iter().fold(start, |mut content, (key, name)| {
            let _ = write!(content, " {name}:{key}");
            content
        })
    }
}

/// A shuffled 0..count.
fn shuffled(count: usize, random: &mut ChaCha12Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(random);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_order_is_that_of_the_keys() {
        let ascending = Facts2Order::new(Params::probe()).expect("parameters");
        let descending = Params { direction: Direction::Descending, ..Params::probe() };
        let descending = Facts2Order::new(descending).expect("parameters");
        for index in 0..500 {
            let (sample, instance) = (ascending.draw(1, index), ascending.instance(1, index));
            let keys: Vec<u32> = instance.indices.iter().map(|&label| sample.keys[label as usize - 1]).collect();
            assert!(keys.is_sorted_by(|one, other| one < other), "distinct, and in order");
            let other = descending.instance(1, index);
            assert_eq!(other.context, instance.context);
            assert!(other.indices.iter().rev().eq(&instance.indices));
        }
    }

    #[test]
    fn hidden_instances_are_stated_ones_with_decoys() {
        let stated = Facts2Order::new(Params::stated()).expect("parameters");
        let [integer, date, ordinal] = [KeyType::Integer, KeyType::Date, KeyType::Ordinal];
        for (decoy_alike, more) in [(false, 0), (true, 1)] {
            let hidden = Facts2Order::new(Params { decoy_alike, ..Params::hidden() }).expect("parameters");
            let mut counts = BTreeSet::new();
            for index in 0..300 {
                let (one, other) = (stated.instance(2, index), hidden.instance(2, index));
                assert_eq!((&one.indices, &one.content), (&other.indices, &other.content));
                assert_eq!(one.drawn.decoys, 0);
                counts.insert((other.drawn.key_type, other.drawn.decoys));
            }
            let (few, many) = (2 + more, 3 + more);
            let expected = [(integer, 2), (integer, 3), (date, few), (date, many), (ordinal, few), (ordinal, many)];
            assert_eq!(counts, BTreeSet::from(expected));
        }
    }
}
