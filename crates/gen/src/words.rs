//! English words that follow rules: ordinals (first to ninety-ninth) and the articles a and an.
//!
//! The rules' exceptions are data (`data/ordinals.toml`, `data/articles.toml`).

use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrdinalData {
    units: Vec<String>,
    tens: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArticleData {
    an: Vec<String>,
    a: Vec<String>,
}

/// The ordinals by number, and the numbers by ordinal.
pub(crate) struct Ordinals {
    words: Vec<String>,
    numbers: HashMap<String, u32>,
}

pub(crate) static ORDINALS: LazyLock<Ordinals> = LazyLock::new(|| {
    let data: OrdinalData =
        toml::from_str(include_str!("../data/ordinals.toml")).expect("data/ordinals.toml is tested with the crate");
    let mut words = data.units.clone();
    for (alone, before_a_unit) in &data.tens {
        words.push(alone.clone());
        words.extend(data.units[..9].iter().map(|unit| format!("{before_a_unit}-{unit}")));
    }
    let numbers = words.iter().zip(1..).map(|(word, number)| (word.clone(), number)).collect();
    Ordinals { words, numbers }
});

static ARTICLES: LazyLock<ArticleData> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/articles.toml")).expect("data/articles.toml is tested with the crate")
});

impl Ordinals {
    /// The greatest number that has a word here.
    pub(crate) fn greatest(&self) -> u32 {
        self.words.len() as u32
    }

    /// The word of a number from 1 on.
    pub(crate) fn word(&self, number: u32) -> &str {
        &self.words[number as usize - 1]
    }

    /// The number of a word.
    pub(crate) fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }
}

/// The article that a word takes: by its first letter, but for the exceptions.
pub(crate) fn article(word: &str) -> &'static str {
    let begins = |with: &String| word.starts_with(with.as_str());
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']);
    if ARTICLES.an.iter().any(begins) || (vowel && !ARTICLES.a.iter().any(begins)) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_go_to_ninety_ninth_and_back() {
        assert_eq!(ORDINALS.greatest(), 99);
        for (number, word) in
            [(1, "first"), (19, "nineteenth"), (20, "twentieth"), (21, "twenty-first"), (99, "ninety-ninth")]
        {
            assert_eq!(ORDINALS.word(number), word);
        }
        assert!((1..=99).all(|number| ORDINALS.number(ORDINALS.word(number)) == Some(number)));
        assert_eq!(ORDINALS.number("hundredth"), None);
    }

    #[test]
    fn articles_go_by_the_sound() {
        for word in ["engineer", "hour", "heiress", "umbrella", "usher"] {
            assert_eq!(article(word), "an", "{word}");
        }
        for word in ["baker", "user", "union", "one", "utensil", "hotel"] {
            assert_eq!(article(word), "a", "{word}");
        }
    }
}
