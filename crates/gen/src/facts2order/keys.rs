//! Keys: what items are sorted by. A key is a number within its type's range; how it is written depends on the type.

use crate::streams::{below, distinct};
use crate::words::ORDINALS;
use rand_chacha::ChaCha12Rng;
use serde::{Deserialize, Serialize};

/// What a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyType {
    /// A whole number, 2 to 999.
    Integer,
    /// A day, from 1 January 1990 to 31 December 2024.
    Date,
    /// A place in a row, first to ninety-ninth.
    Ordinal,
}

/// How far apart the keys of an instance are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closeness {
    /// Anywhere in the type's range.
    Wide,
    /// Within a run that has two places more than there are items.
    Tight,
}

/// How many places more than items a tight run has.
const SLACK: usize = 2;
/// The number that place 0 of the integers is: one kilogram would need a singular.
const FIRST_INTEGER: u32 = 2;
const FIRST_YEAR: u32 = 1990;
const LAST_YEAR: u32 = 2024;

const MONTHS: [(&str, u32); 12] = [
    ("January", 31),
    ("February", 28),
    ("March", 31),
    ("April", 30),
    ("May", 31),
    ("June", 30),
    ("July", 31),
    ("August", 31),
    ("September", 30),
    ("October", 31),
    ("November", 30),
    ("December", 31),
];

impl KeyType {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Integer, Self::Date, Self::Ordinal];

    /// How many values there are.
    fn range(self) -> usize {
        match self {
            Self::Integer => 998,
            Self::Date => (FIRST_YEAR..=LAST_YEAR).map(days_of).sum::<u32>() as usize,
            Self::Ordinal => ORDINALS.greatest() as usize,
        }
    }

    /// A value as it stands in a sentence.
    pub(super) fn write(self, key: u32) -> String {
        match self {
            Self::Integer => (key + FIRST_INTEGER).to_string(),
            Self::Date => date(key),
            Self::Ordinal => ORDINALS.word(key + 1).to_owned(),
        }
    }

    /// The value that words begin with, and how many of them it takes.
    pub(super) fn read(words: &[&str]) -> Option<(Self, u32, usize)> {
        let first = words.first()?;
        if let Some(number) = ORDINALS.number(first) {
            return Some((Self::Ordinal, number - 1, 1));
        }
        let number: u32 = first.bytes().all(|byte| byte.is_ascii_digit()).then(|| first.parse().ok())??;
        let month = words.get(1).and_then(|word| MONTHS.iter().position(|(name, _)| name == word));
        match month {
            Some(month) => Some((Self::Date, place_of(number, month, words.get(2)?.parse().ok()?)?, 3)),
            None => Some((Self::Integer, number.checked_sub(FIRST_INTEGER)?, 1)),
        }
    }

    /// Whether a word can be part of a value: wording must have no such words.
    pub(super) fn occurs_in(word: &str) -> bool {
        word.contains(|character: char| character.is_ascii_digit())
            || ORDINALS.number(&word.to_lowercase()).is_some()
            || MONTHS.iter().any(|(name, _)| *name == word)
    }
}

/// Keys of `count` items: distinct, in random order.
pub(super) fn draw(kind: KeyType, closeness: Closeness, count: usize, random: &mut ChaCha12Rng) -> Vec<u32> {
    let range = kind.range();
    let (first, run) = match closeness {
        Closeness::Wide => (0, range),
        Closeness::Tight => (below(random, range - (count + SLACK) + 1), count + SLACK),
    };
    distinct(random, count, run).into_iter().map(|key| (first + key) as u32).collect()
}

/// Any value at all: decoys are free.
pub(super) fn free(kind: KeyType, random: &mut ChaCha12Rng) -> u32 {
    below(random, kind.range()) as u32
}

fn is_leap(year: u32) -> bool {
    // The years here do not reach a century that is no leap year.
    year.is_multiple_of(4)
}

fn days_of(year: u32) -> u32 {
    365 + u32::from(is_leap(year))
}

fn days_in(month: usize, year: u32) -> u32 {
    MONTHS[month].1 + u32::from(month == 1 && is_leap(year))
}

/// "14 March 2019".
fn date(place: u32) -> String {
    let (mut left, mut year, mut month) = (place, FIRST_YEAR, 0);
    while left >= days_of(year) {
        left -= days_of(year);
        year += 1;
    }
    while left >= days_in(month, year) {
        left -= days_in(month, year);
        month += 1;
    }
    format!("{} {} {year}", left + 1, MONTHS[month].0)
}

fn place_of(day: u32, month: usize, year: u32) -> Option<u32> {
    if !(FIRST_YEAR..=LAST_YEAR).contains(&year) || day == 0 || day > days_in(month, year) {
        return None;
    }
    let years: u32 = (FIRST_YEAR..year).map(days_of).sum();
    let months: u32 = (0..month).map(|month| days_in(month, year)).sum();
    Some(years + months + day - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;

    #[test]
    fn every_value_is_read_as_it_was_written() {
        for kind in KeyType::ALL {
            for key in 0..kind.range() as u32 {
                let text = kind.write(key);
                let words: Vec<&str> = text.split(' ').collect();
                assert_eq!(KeyType::read(&words), Some((kind, key, words.len())), "{text}");
            }
        }
    }

    #[test]
    fn the_ranges_end_where_they_are_said_to() {
        let ends = |kind: KeyType| (kind.write(0), kind.write(kind.range() as u32 - 1));
        assert_eq!(ends(KeyType::Integer), ("2".into(), "999".into()));
        assert_eq!(ends(KeyType::Date), ("1 January 1990".into(), "31 December 2024".into()));
        assert_eq!(ends(KeyType::Ordinal), ("first".into(), "ninety-ninth".into()));
        assert_eq!(KeyType::Date.write(366 + 365 + 365 + 31 + 28 - 1), "28 February 1993");
        assert_eq!(KeyType::Date.write(365 + 365 + 31 + 28), "29 February 1992");
        assert_eq!(KeyType::read(&["30", "February", "1992"]), None);
    }

    #[test]
    fn tight_keys_lie_in_a_run_barely_longer_than_they_are_many() {
        let mut random = stream(1, 0, "test");
        for kind in KeyType::ALL {
            for count in 2..=50 {
                let keys = draw(kind, Closeness::Tight, count, &mut random);
                let (least, most) = (keys.iter().min().expect("keys"), keys.iter().max().expect("keys"));
                assert!(((most - least) as usize) < count + SLACK);
                assert!((*most as usize) < kind.range());
            }
        }
    }
}
