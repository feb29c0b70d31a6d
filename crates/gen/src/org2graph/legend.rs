//! The legend: which value of the gold stands for which word of the text.
//!
//! Plain values are the words themselves. Codes are a letter for the topic and two digits; the digits are dealt to the words of
//! the *wide* book by a shuffle with a seed of the legend's own. So a code says nothing about its word, not even its place in
//! the book, a word has one code in wide and narrow variants, and data sets of different seeds share the legend.

use super::params::{Params, Values, Width};
use super::vocabulary::{Topic, Vocabulary};
use crate::streams::{distinct, stream};
use serde::Serialize;
use serde_json::{Map, Value};

/// Words to values, for each topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legend {
    /// How many of each book are in use.
    used: [usize; 5],
    words: [Vec<String>; 5],
    /// By the word's place in the wide book.
    values: [Vec<String>; 5],
}

/// One book of a legend, as `legend.json` has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LegendBook {
    /// Where the values stand, as a JSON Pointer in which `*` is any item.
    pub at: String,
    /// Word to value.
    pub values: Map<String, Value>,
}

impl Legend {
    pub(super) fn new(vocabulary: &Vocabulary, params: &Params) -> Self {
        let words = Topic::ALL.map(|topic| vocabulary.words(topic, Width::Wide).to_vec());
        let values = match params.values {
            Values::Plain => words.clone(),
            Values::Coded => Topic::ALL.map(|topic| {
                let count = words[topic as usize].len();
                let mut random = stream(params.legend_seed, 0, &format!("org2graph/legend/{}", topic.list()));
                let numbers = distinct(&mut random, count, count);
                numbers.into_iter().map(|number| format!("{}{:02}", topic.letter(), number + 1)).collect()
            }),
        };
        let used = Topic::ALL.map(|topic| vocabulary.words(topic, params.width).len());
        Self { used, words, values }
    }

    /// The value of a word, by its place in the wide book.
    pub(super) fn value(&self, topic: Topic, word: usize) -> &str {
        &self.values[topic as usize][word]
    }

    /// The values that data of this legend can have for a topic.
    pub fn values(&self, topic: Topic) -> &[String] {
        &self.values[topic as usize][..self.used[topic as usize]]
    }

    /// The books, in the order of the record.
    pub fn books(&self) -> Vec<LegendBook> {
        let book = |topic: Topic| {
            let words = self.words[topic as usize].iter();
            let values = words.zip(self.values(topic)).map(|(word, value)| (word.clone(), value.as_str().into()));
            LegendBook { at: format!("/{}/*/{}", topic.list(), topic.field()), values: values.collect() }
        };
        Topic::ALL.map(book).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::org2graph::Org2Graph;
    use std::collections::BTreeSet;

    fn legend(params: Params) -> Legend {
        Org2Graph::new(params).expect("parameters").legend().clone()
    }

    #[test]
    fn codes_are_a_letter_and_two_digits_each_once() {
        let legend = legend(Params::CW);
        for (topic, size) in Topic::ALL.into_iter().zip([24, 20, 20, 12, 12]) {
            let codes: BTreeSet<&String> = legend.values(topic).iter().collect();
            let all: BTreeSet<String> = (1..=size).map(|number| format!("{}{number:02}", topic.letter())).collect();
            assert!(codes.into_iter().eq(&all), "{topic:?}");
            assert_ne!(legend.values(topic), all.into_iter().collect::<Vec<_>>(), "shuffled");
        }
    }

    #[test]
    fn narrow_variants_share_the_legend_of_wide_ones() {
        let (wide, narrow) = (legend(Params::CW), legend(Params::CN));
        for (wide, narrow) in wide.books().iter().zip(narrow.books()) {
            assert!(narrow.values.iter().all(|(word, code)| wide.values[word] == *code));
        }
        assert_ne!(wide, legend(Params { legend_seed: 1, ..Params::CW }));
    }

    #[test]
    fn plain_values_are_the_words() {
        let books = legend(Params::PN).books();
        assert_eq!(books[3].at, "/acquaintance/*/relation");
        assert!(books.iter().all(|book| book.values.iter().all(|(word, value)| value == word)));
        assert_eq!(books[3].values.len(), 3);
    }
}
