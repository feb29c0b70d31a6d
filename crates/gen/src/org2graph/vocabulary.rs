//! The words of Org2Graph: names, codebooks and sentences, and the proof that a paragraph can be read in one way only.
//!
//! The words come from a data file (`data/org2graph.toml`) and are checked when loaded. What is checked makes reading exact:
//!
//! 1. *Sentences are found.* A sentence ends with the only full stop in it, so a paragraph splits at its full stops.
//! 2. *Mentions are found.* No word of a name occurs in a sentence's wording or in a value, no word is in two names, and no ordinal
//!    occurs there either. So every run of name words is one name, and "the" before an ordinal belongs to the mention.
//! 3. *Wording is unambiguous.* A sentence with its mentions blanked out is its *skeleton*. There are finitely many: wordings times
//!    values. All of them are made, and no two are equal; the table of them is what the reader looks up. This covers what
//!    a relation is, which value a sentence states, and which of two people is the source.
//! 4. *Mentions are unambiguous.* A name that one record bears alone is mentioned as it is; the bearers of a shared name are
//!    numbered, "the first Milo Reyes", "the second Milo Reyes", in every mention. So two mentions name the same record
//!    iff they are the same words.
//!
//! Each person has one sentence with a title and each company one with an industry, so no record goes unmentioned. Hence the
//! paragraph determines the graph up to ids, which are arbitrary. ∎

use super::params::Width;
use crate::words::{ORDINALS, article};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// The words that come with the crate.
pub(super) static BUILT_IN: LazyLock<Arc<Vocabulary>> = LazyLock::new(|| {
    let words = Vocabulary::parse(include_str!("../../data/org2graph.toml"));
    Arc::new(words.expect("data/org2graph.toml is tested with the crate"))
});

/// How many phrasings a relation has at least.
const PHRASINGS: usize = 3;

/// Names, codebooks and sentences, checked.
#[derive(Debug)]
pub struct Vocabulary {
    people: Vec<String>,
    companies: Vec<String>,
    books: [Book; 5],
    openings: Vec<String>,
    /// The sentences by their skeletons.
    pub(super) readings: HashMap<String, Reading>,
    /// The names by their first words.
    pub(super) names: HashMap<String, NameEntry>,
}

/// What a categorical value is about, and so which codebook it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// A person's title.
    Title,
    /// A company's industry.
    Industry,
    /// What a person is employed as.
    Role,
    /// How two people are related.
    Acquaintance,
    /// How two companies are related.
    Partnership,
}

impl Topic {
    /// All of them, in the order of the record.
    pub const ALL: [Self; 5] = [Self::Title, Self::Industry, Self::Role, Self::Acquaintance, Self::Partnership];

    /// The field that holds the value.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Industry => "industry",
            Self::Role => "role",
            Self::Acquaintance | Self::Partnership => "relation",
        }
    }

    /// The list that holds the field.
    pub const fn list(self) -> &'static str {
        match self {
            Self::Title => "people",
            Self::Industry => "companies",
            Self::Role => "employment",
            Self::Acquaintance => "acquaintance",
            Self::Partnership => "partnership",
        }
    }

    /// The letter that codes begin with.
    pub(super) const fn letter(self) -> char {
        match self {
            Self::Title => 'T',
            Self::Industry => 'I',
            Self::Role => 'R',
            Self::Acquaintance => 'A',
            Self::Partnership => 'P',
        }
    }

    /// The sizes of the wide book and of the narrow one.
    const fn sizes(self) -> (usize, usize) {
        match self {
            Self::Title => (24, 6),
            Self::Industry | Self::Role => (20, 6),
            Self::Acquaintance | Self::Partnership => (12, 3),
        }
    }

    /// What a value is called among its sentences' slots.
    const fn slot(self) -> Option<&'static str> {
        match self {
            Self::Title => Some("title"),
            Self::Industry => Some("industry"),
            Self::Role => Some("role"),
            Self::Acquaintance | Self::Partnership => None,
        }
    }

    /// The mentions that a sentence of this topic makes, by their slots.
    const fn mentions(self) -> &'static [(&'static str, Kind)] {
        match self {
            Self::Title => &[("person", Kind::Person)],
            Self::Industry => &[("company", Kind::Company)],
            Self::Role => &[("person", Kind::Person), ("company", Kind::Company)],
            Self::Acquaintance => &[("source", Kind::Person), ("target", Kind::Person)],
            Self::Partnership => &[("source", Kind::Company), ("target", Kind::Company)],
        }
    }
}

/// What bears a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Person,
    Company,
}

impl Kind {
    /// What stands for a mention in a skeleton.
    pub(super) const fn blank(self) -> &'static str {
        match self {
            Self::Person => "{person}",
            Self::Company => "{company}",
        }
    }
}

/// A codebook: its words, and the sentences that state each.
#[derive(Debug)]
struct Book {
    words: Vec<String>,
    /// The wordings of each word.
    wordings: Vec<Vec<Wording>>,
}

/// A sentence with a place for each mention: wording, mention, wording, ..., wording.
#[derive(Debug, Clone)]
pub(super) struct Wording {
    pub(super) pieces: Vec<String>,
    /// Which of the topic's mentions stands in each gap.
    pub(super) gaps: Vec<usize>,
}

/// What a skeleton says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) topic: Topic,
    /// The word, by its place in the wide book.
    pub(super) word: usize,
    /// Which of the topic's mentions stands in each gap.
    pub(super) gaps: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct NameEntry {
    pub(super) words: Vec<String>,
    pub(super) kind: Kind,
    pub(super) index: usize,
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
    people: Vec<String>,
    companies: Vec<String>,
    titles: Vec<String>,
    industries: Vec<String>,
    roles: Vec<String>,
    title_sentences: Vec<String>,
    industry_sentences: Vec<String>,
    employment_sentences: Vec<String>,
    openings: Vec<String>,
    acquaintance: Vec<Relation>,
    partnership: Vec<Relation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Relation {
    value: String,
    sentences: Vec<String>,
}

impl Vocabulary {
    /// Reads and checks words in the form of `data/org2graph.toml`.
    ///
    /// # Errors
    ///
    /// The text has another form, a codebook is not of its size, or what the module promises does not hold: says which word or sentence is at fault.
    pub fn parse(text: &str) -> Result<Self, VocabularyError> {
        let words = Self::parse_any_size(text)?;
        for (topic, book) in Topic::ALL.into_iter().zip(&words.books) {
            let (wide, _) = topic.sizes();
            if book.words.len() != wide {
                return refuse(format_args!("{}: {} words; allowed: {wide}", topic.list(), book.words.len()));
            }
        }
        Ok(words)
    }

    /// As [`Self::parse`], with codebooks of any size from that of the narrow ones to 99, which two digits still number.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn parse_any_size(text: &str) -> Result<Self, VocabularyError> {
        let data: Data = toml::from_str(text).map_err(|error| VocabularyError(error.to_string()))?;
        let plain = |topic: Topic, entries: &[String], sentences: &[String]| -> Result<Book, VocabularyError> {
            let mut words = Vec::with_capacity(entries.len());
            let mut wordings = Vec::with_capacity(entries.len());
            for entry in entries {
                let (with_article, word) = with_article(topic, entry)?;
                let of_word: Result<Vec<Wording>, _> =
                    sentences.iter().map(|sentence| Wording::parse(topic, sentence, &with_article, &word)).collect();
                wordings.push(of_word?);
                words.push(word);
            }
            Ok(Book { words, wordings })
        };
        let related = |topic: Topic, relations: &[Relation]| -> Result<Book, VocabularyError> {
            let mut words = Vec::with_capacity(relations.len());
            let mut wordings = Vec::with_capacity(relations.len());
            for relation in relations {
                let of_word: Result<Vec<Wording>, _> =
                    relation.sentences.iter().map(|sentence| Wording::parse(topic, sentence, "", "")).collect();
                wordings.push(of_word?);
                words.push(relation.value.clone());
            }
            Ok(Book { words, wordings })
        };
        let books = [
            plain(Topic::Title, &data.titles, &data.title_sentences)?,
            plain(Topic::Industry, &data.industries, &data.industry_sentences)?,
            plain(Topic::Role, &data.roles, &data.employment_sentences)?,
            related(Topic::Acquaintance, &data.acquaintance)?,
            related(Topic::Partnership, &data.partnership)?,
        ];
        let readings = readings(&books)?;
        let names = names(&data.people, &data.companies)?;
        for (topic, book) in Topic::ALL.into_iter().zip(&books) {
            let (_, narrow) = topic.sizes();
            let count = book.words.len();
            if count < narrow || count > 99 {
                return refuse(format_args!("{}: {count} words; allowed: {narrow} to 99", topic.list()));
            }
            if let Some(word) = repeated(&book.words) {
                return refuse(format_args!("{}: \"{word}\" occurs twice", topic.list()));
            }
        }
        if let Some(word) = repeated(books[0].words.iter().chain(&books[2].words)) {
            return refuse(format_args!("\"{word}\" is a title and a role"));
        }
        for skeleton in readings.keys().chain(&data.openings) {
            // Sorted out by the skeletons' own blanks: what is left is wording and values.
            for word in skeleton.split([' ', ',', '.']).filter(|word| !word.starts_with('{')) {
                let plain = word.to_lowercase();
                if names.values().any(|name| name.words.iter().any(|part| part.to_lowercase() == plain)) {
                    return refuse(format_args!("\"{word}\" is in a name and in \"{skeleton}\""));
                }
                if ORDINALS.number(&plain).is_some() {
                    return refuse(format_args!(
                        "\"{word}\", an ordinal, is in \"{skeleton}\": ordinals tell twins apart"
                    ));
                }
            }
        }
        for opening in &data.openings {
            if opening.matches('.').count() != 1 || !opening.ends_with('.') || opening.contains(['{', '}']) {
                return refuse(format_args!("opening \"{opening}\" is not one sentence"));
            }
        }
        if data.openings.is_empty() || repeated(&data.openings).is_some() {
            return refuse("openings: at least one, each once");
        }
        let Data { people, companies, openings, .. } = data;
        Ok(Self { people, companies, books, openings, readings, names })
    }

    /// The names of people.
    pub fn people(&self) -> &[String] {
        &self.people
    }

    /// The names of companies.
    pub fn companies(&self) -> &[String] {
        &self.companies
    }

    /// The words of a topic.
    pub fn words(&self, topic: Topic, width: Width) -> &[String] {
        &self.books[topic as usize].words[self.range(topic, width)]
    }

    pub(super) fn titles(&self, width: Width) -> &[String] {
        self.words(Topic::Title, width)
    }

    pub(super) fn industries(&self, width: Width) -> &[String] {
        self.words(Topic::Industry, width)
    }

    pub(super) fn openings(&self) -> &[String] {
        &self.openings
    }

    pub(super) fn wordings(&self, topic: Topic, word: usize) -> &[Wording] {
        &self.books[topic as usize].wordings[word]
    }

    fn range(&self, topic: Topic, width: Width) -> Range<usize> {
        match width {
            Width::Wide => 0..self.books[topic as usize].words.len(),
            Width::Narrow => 0..topic.sizes().1,
        }
    }
}

/// An entry of a book as it stands after "as", and the word alone. Titles and roles come with their articles, industries without.
fn with_article(topic: Topic, entry: &str) -> Result<(String, String), VocabularyError> {
    if topic == Topic::Industry {
        return Ok((entry.to_owned(), entry.to_owned()));
    }
    match entry.split_once(' ') {
        Some((found, word)) if found == article(word) => Ok((entry.to_owned(), word.to_owned())),
        Some(("a" | "an", word)) => {
            refuse(format_args!("\"{entry}\": the article is wrong; \"{} {word}\"", article(word)))
        }
        _ => refuse(format_args!("\"{entry}\" has no article; allowed: \"a ...\" or \"an ...\"")),
    }
}

impl Wording {
    /// A sentence with its value filled in.
    fn parse(topic: Topic, sentence: &str, with_article: &str, word: &str) -> Result<Self, VocabularyError> {
        let mut pieces = vec![String::new()];
        let mut gaps = Vec::new();
        let mut values = 0;
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((slot, after)) = after.split_once('}') else {
                return refuse(format_args!("\"{sentence}\": a brace is not closed"));
            };
            let piece = pieces.last_mut().expect("there is always a last piece");
            piece.push_str(before);
            let bare = slot.strip_prefix("a ");
            if topic.slot().is_some_and(|value| value == bare.unwrap_or(slot)) {
                piece.push_str(if bare.is_some() { with_article } else { word });
                values += 1;
            } else if let Some(mention) = topic.mentions().iter().position(|(name, _)| *name == slot) {
                let apart = (piece.is_empty() || piece.ends_with(' ')) && after.starts_with([' ', ',', '.']);
                if !apart {
                    return refuse(format_args!("\"{sentence}\": {{{slot}}} does not stand apart from other words"));
                }
                gaps.push(mention);
                pieces.push(String::new());
            } else {
                return refuse(format_args!("\"{sentence}\": unknown slot {{{slot}}}"));
            }
            rest = after;
        }
        pieces.last_mut().expect("there is always a last piece").push_str(rest);
        let mut each: Vec<usize> = gaps.clone();
        each.sort_unstable();
        if each != (0..topic.mentions().len()).collect::<Vec<_>>() || values != usize::from(topic.slot().is_some()) {
            return refuse(format_args!("\"{sentence}\" does not have each of its slots once"));
        }
        let begins_well = pieces[0].is_empty() || pieces[0].starts_with(char::is_uppercase);
        let stops: usize = pieces.iter().map(|piece| piece.matches('.').count()).sum();
        if stops != 1 || !sentence.ends_with('.') || !begins_well {
            return refuse(format_args!("\"{sentence}\" is not one sentence: a capital, words, one full stop"));
        }
        Ok(Self { pieces, gaps })
    }

    fn skeleton(&self, topic: Topic) -> String {
        let mut skeleton = self.pieces[0].clone();
        for (piece, &gap) in self.pieces[1..].iter().zip(&self.gaps) {
            skeleton.push_str(topic.mentions()[gap].1.blank());
            skeleton.push_str(piece);
        }
        skeleton
    }
}

/// Every sentence that can be said, by its skeleton. Point 3 of the proof.
fn readings(books: &[Book; 5]) -> Result<HashMap<String, Reading>, VocabularyError> {
    let mut readings = HashMap::new();
    for (topic, book) in Topic::ALL.into_iter().zip(books) {
        for (word, wordings) in book.wordings.iter().enumerate() {
            if wordings.len() < PHRASINGS {
                let value = &book.words[word];
                let count = wordings.len();
                return refuse(format_args!("\"{value}\" has {count} phrasings; allowed: {PHRASINGS} or more"));
            }
            for wording in wordings {
                let skeleton = wording.skeleton(topic);
                let reading = Reading { topic, word, gaps: wording.gaps.clone() };
                if readings.insert(skeleton.clone(), reading).is_some() {
                    return refuse(format_args!("\"{skeleton}\" is said in two places"));
                }
            }
        }
    }
    Ok(readings)
}

/// The names by their first words. Point 2 of the proof: no word is in two names.
fn names(people: &[String], companies: &[String]) -> Result<HashMap<String, NameEntry>, VocabularyError> {
    let mut names = HashMap::new();
    let mut seen = HashSet::new();
    let kinds = people.iter().enumerate().map(|(index, name)| (Kind::Person, index, name));
    let kinds = kinds.chain(companies.iter().enumerate().map(|(index, name)| (Kind::Company, index, name)));
    for (kind, index, name) in kinds {
        let words: Vec<String> = name.split(' ').map(str::to_owned).collect();
        for word in &words {
            if !word.starts_with(char::is_uppercase) || word.contains(['{', '}', ',', '.']) {
                return refuse(format_args!("\"{name}\": a name is made of words with capitals"));
            }
            if !seen.insert(word.clone()) {
                return refuse(format_args!("\"{word}\" is in two names, \"{name}\" being one"));
            }
        }
        names.insert(words[0].clone(), NameEntry { words, kind, index });
    }
    Ok(names)
}

fn repeated<'w>(words: impl IntoIterator<Item = &'w String>) -> Option<&'w String> {
    let mut seen = HashSet::new();
    words.into_iter().find(|word| !seen.insert(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = include_str!("../../data/org2graph.toml");

    #[test]
    fn the_words_have_the_promised_sizes() {
        let words = &*BUILT_IN;
        assert_eq!((words.people().len(), words.companies().len()), (100, 40));
        let sizes = |width| Topic::ALL.map(|topic| words.words(topic, width).len());
        assert_eq!((sizes(Width::Wide), sizes(Width::Narrow)), ([24, 20, 20, 12, 12], [6, 6, 6, 3, 3]));
        // 4 sentences for each title, industry and role, 3 for each relation.
        assert_eq!(words.readings.len(), 4 * (24 + 20 + 20) + 3 * (12 + 12));
    }

    #[test]
    fn the_narrow_books_are_the_head_of_the_wide_ones() {
        for topic in Topic::ALL {
            assert!(BUILT_IN.words(topic, Width::Wide).starts_with(BUILT_IN.words(topic, Width::Narrow)));
        }
    }

    #[test]
    fn words_that_would_be_ambiguous_are_refused() {
        let cases = [
            ("\"a baker\"", "\"an baker\"", "\"an baker\": the article is wrong; \"a baker\""),
            ("\"a baker\"", "\"baker\"", "\"baker\" has no article; allowed: \"a ...\" or \"an ...\""),
            ("\"a baker\"", "\"a nurse\"", "\"{person} is a nurse.\" is said in two places"),
            ("\"a treasurer\"", "\"a baker\"", "\"baker\" is a title and a role"),
            (
                "{source} trusts {target}.",
                "{source} knows {target}.",
                "\"{person} knows {person}.\" is said in two places",
            ),
            (
                "{source} trusts {target}.",
                "{target} knows {source}.",
                "\"{person} knows {person}.\" is said in two places",
            ),
            (
                "{source} trusts {target}.",
                "{source} trusts {target}'s word.",
                "\"{source} trusts {target}'s word.\": {target} does not stand apart from other words",
            ),
            (
                "{source} trusts {target}.",
                "{source} came first and {target} second.",
                "\"first\", an ordinal, is in \"{person} came first and {person} second.\": ordinals tell twins apart",
            ),
            (
                "{source} trusts {target}.",
                "{source} trusts nobody.",
                "\"{source} trusts nobody.\" does not have each of its slots once",
            ),
            ("\"{source} trusts {target}.\", ", "", "\"trusts\" has 2 phrasings; allowed: 3 or more"),
            ("\"Anouk Vasser\"", "\"Anouk Reyes\"", "\"Reyes\" is in two names, \"Anouk Reyes\" being one"),
            ("\"Tallowfield Brothers\"", "\"Tallowfield Money\"", "\"money\" is in a name and in "),
            ("  \"shipbuilding\",", "  ", "companies: 19 words; allowed: 20"),
        ];
        for (from, to, told) in cases {
            assert!(DATA.contains(from), "{from}");
            let error = Vocabulary::parse(&DATA.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(error.starts_with(told), "{to}: {error}");
        }
    }
}
