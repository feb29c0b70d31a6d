//! Reading one keyword of a schema: the right JSON type and range, or an error that says what is allowed.

use super::error::SchemaError;
use crate::pointer;
use serde_json::Value;

/// The keywords of the alignment, with the kind of value each belongs on.
pub(super) const KEYWORDS: [(&str, Place); 17] = [
    ("score", Place::Leaf),
    ("threshold", Place::Leaf),
    ("idScope", Place::Leaf),
    ("ref", Place::Leaf),
    ("nullScore", Place::Anywhere),
    ("order", Place::Array),
    ("ignoreExcess", Place::Array),
    ("ignoreMissing", Place::Array),
    ("prefixWeights", Place::Array),
    ("prefixImportance", Place::Array),
    ("restImportance", Place::Array),
    ("keyScore", Place::Object),
    ("keyThreshold", Place::Object),
    ("keyImportance", Place::Object),
    ("valueImportance", Place::Object),
    ("valueWeight", Place::Property),
    ("prefixItems", Place::Anywhere),
];

/// Where a keyword has a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Leaf,
    Array,
    Object,
    Property,
    Anywhere,
}

impl Place {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Leaf => "strings, integers and numbers",
            Self::Array => "arrays",
            Self::Object => "objects",
            Self::Property => "the schemas of an object's properties",
            Self::Anywhere => "any schema",
        }
    }
}

/// Collects errors while keywords are read.
#[derive(Debug, Default)]
pub(super) struct Errors(pub(super) Vec<SchemaError>);

impl Errors {
    pub(super) fn add(&mut self, path: String, message: impl Into<String>) {
        let error = SchemaError { path, message: message.into() };
        // A definition that is used twice is compiled twice and would report twice.
        if !self.0.contains(&error) {
            self.0.push(error);
        }
    }

    /// A number of at least 0, see [`weight`].
    pub(super) fn weight(&mut self, path: &str, keyword: &str, value: &Value) -> Option<f64> {
        let read = weight(value);
        if read.is_none() {
            self.add(pointer::join(path, keyword), format!("{keyword} must be {WEIGHT}, not {}", brief(value)));
        }
        read
    }

    /// A number between 0 and 1.
    pub(super) fn fraction(&mut self, path: &str, keyword: &str, value: &Value) -> Option<f64> {
        let fraction = value.as_f64().filter(|fraction| (0.0..=1.0).contains(fraction));
        if fraction.is_none() {
            self.add(
                pointer::join(path, keyword),
                format!("{keyword} must be a number from 0 to 1, not {}", brief(value)),
            );
        }
        fraction
    }

    pub(super) fn boolean(&mut self, path: &str, keyword: &str, value: &Value) -> Option<bool> {
        let boolean = value.as_bool();
        if boolean.is_none() {
            self.add(pointer::join(path, keyword), format!("{keyword} must be true or false, not {}", brief(value)));
        }
        boolean
    }

    /// One of the allowed names.
    pub(super) fn name<T: Copy>(
        &mut self,
        path: &str,
        keyword: &str,
        value: &Value,
        allowed: &[(&str, T)],
    ) -> Option<T> {
        let known = value.as_str().and_then(|name| allowed.iter().find(|(known, _)| *known == name));
        if known.is_none() {
            let names: Vec<&str> = allowed.iter().map(|(name, _)| *name).collect();
            self.add(
                pointer::join(path, keyword),
                format!("{keyword} must be {}, not {}", one_of(&names), brief(value)),
            );
        }
        known.map(|(_, meaning)| *meaning)
    }
}

/// What [`weight`] takes, in words.
pub(super) const WEIGHT: &str = "a number from 0 to 1e100";

/// A weight. The bound is far beyond any use, and keeps sums of weights finite.
pub(super) fn weight(value: &Value) -> Option<f64> {
    value.as_f64().filter(|weight| (0.0..=1e100).contains(weight))
}

/// `a`, `a or b`, `one of a, b, c`.
pub(super) fn one_of(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [first, second] => format!("{first} or {second}"),
        many => format!("one of {}", many.join(", ")),
    }
}

/// A value shortened for a message.
pub(super) fn brief(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 { text } else { text.chars().take(37).chain("...".chars()).collect() }
}
