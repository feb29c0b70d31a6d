//! Reading an order back from the sentences alone.
//!
//! The reader knows the words and the direction, and nothing that was drawn. Why it cannot go wrong is in [`super::vocabulary`].

use super::keys::KeyType;
use super::params::Direction;
use super::vocabulary::Vocabulary;

/// Lines that do not say an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A line, a sentence or a clause that nobody here would write.
    #[error("cannot read \"{0}\"")]
    Words(String),
    /// An item without a key, or with two.
    #[error("item {label}: {count} keys instead of one")]
    Keys {
        /// The item.
        label: u32,
        /// How many there are.
        count: usize,
    },
    /// Two items with keys of different types, or with the same key.
    #[error("items {0} and {1} cannot be ordered")]
    Order(u32, u32),
}

/// The labels in the order of their keys.
///
/// # Errors
///
/// The text is not one of this vocabulary.
pub fn read(text: &str, vocabulary: &Vocabulary, direction: Direction) -> Result<Vec<u32>, ReadError> {
    let mut items: Vec<(KeyType, u32, u32)> = Vec::new();
    for line in text.lines() {
        let unreadable = |text: &str| ReadError::Words(text.to_owned());
        let (label, sentences) = line.split_once(". ").ok_or_else(|| unreadable(line))?;
        let label: u32 = label.parse().map_err(|_| unreadable(line))?;
        let mut keys = Vec::new();
        for sentence in sentences.split_inclusive('.').map(str::trim_start) {
            if vocabulary.distractors().iter().any(|distractor| distractor == sentence) {
                continue;
            }
            let clauses = clauses(sentence, vocabulary).ok_or_else(|| unreadable(sentence))?;
            for clause in clauses.split(", ") {
                let clause = clause.strip_prefix("and ").unwrap_or(clause);
                let (kind, value, skeleton) = value(clause).ok_or_else(|| unreadable(clause))?;
                if *vocabulary.readings.get(&(kind, skeleton)).ok_or_else(|| unreadable(clause))? {
                    keys.push((kind, value));
                }
            }
        }
        match keys[..] {
            [(kind, value)] => items.push((kind, value, label)),
            _ => return Err(ReadError::Keys { label, count: keys.len() }),
        }
    }
    items.sort_unstable();
    if let Some(pair) = items.windows(2).find(|pair| pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1) {
        return Err(ReadError::Order(pair[0].2, pair[1].2));
    }
    if direction == Direction::Descending {
        items.reverse();
    }
    Ok(items.into_iter().map(|(_, _, label)| label).collect())
}

/// What a sentence says of its item.
fn clauses<'t>(sentence: &'t str, vocabulary: &Vocabulary) -> Option<&'t str> {
    let mut parts = sentence.strip_suffix('.')?.strip_prefix("The ")?.splitn(3, ' ');
    let (name, noun, clauses) = (parts.next()?, parts.next()?, parts.next()?);
    let known = |words: &[String], word: &str| words.iter().any(|known| known == word);
    (known(vocabulary.names(), name) && known(vocabulary.nouns(), noun)).then_some(clauses)
}

/// The value of a clause, and the clause without it.
fn value(clause: &str) -> Option<(KeyType, u32, String)> {
    let words: Vec<&str> = clause.split(' ').collect();
    let found = (0..words.len()).find_map(|at| Some((at, KeyType::read(&words[at..])?)));
    let (at, (kind, value, length)) = found?;
    let skeleton = [&words[..at], &["{}"], &words[at + length..]].concat().join(" ");
    Some((kind, value, skeleton))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts2order::{Facts2Order, params::Params};

    #[test]
    fn every_order_is_read_back() {
        for params in
            [Params::probe(), Params::stated(), Params::hidden(), Params { decoy_alike: true, ..Params::hidden() }]
        {
            for direction in [Direction::Ascending, Direction::Descending] {
                let generator = Facts2Order::new(Params { direction, ..params.clone() }).expect("parameters");
                for index in 0..300 {
                    let instance = generator.instance(3, index);
                    let order = read(&instance.context, generator.vocabulary(), direction);
                    assert_eq!(order, Ok(instance.indices), "{}", instance.context);
                }
            }
        }
    }

    #[test]
    fn what_is_no_order_says_where() {
        let generator = Facts2Order::new(Params::hidden()).expect("parameters");
        let read = |text| read(text, generator.vocabulary(), Direction::Ascending).expect_err("no order").to_string();
        assert_eq!(
            read("The Larkspur crate weighs 4 kilograms."),
            "cannot read \"The Larkspur crate weighs 4 kilograms.\""
        );
        assert_eq!(read("1. The Larkspur crate costs 4 dollars."), "item 1: 0 keys instead of one");
        assert_eq!(
            read("1. The Larkspur crate weighs 4 kilograms, and has a weight of 5 kilograms."),
            "item 1: 2 keys instead of one"
        );
        assert_eq!(
            read("1. The Larkspur crate weighs 4 kilograms.\n2. The Gorse crate weighs 4 kilograms."),
            "items 1 and 2 cannot be ordered"
        );
        assert_eq!(read("1. The Larkspur crate weighs 4 tons."), "cannot read \"weighs 4 tons\"");
        assert_eq!(read("1. The Larkspur crate is red."), "cannot read \"is red\"");
    }
}
