//! What stands in the cells of forms: kinds of values, each a list of patterns (`data/scd_tables/values.toml`).
//!
//! In a pattern `#` is a digit, `*` a digit but 0, `^` a capital letter, `{kind}` a value of a kind that was defined before or after;
//! all else stands for itself. Kinds that would need themselves are refused, so every value ends.

use super::forms::{FormsError, refuse};
use crate::streams::below;
use rand_chacha::ChaCha12Rng;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A kind of value, by its place among the [`Banks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Kind(usize);

/// All kinds of values.
#[derive(Debug)]
pub(super) struct Banks {
    names: Vec<String>,
    patterns: Vec<Vec<Vec<Piece>>>,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Digit,
    NotZero,
    Letter,
    Value(Kind),
}

#[derive(Deserialize)]
#[serde(transparent)]
struct Data(BTreeMap<String, Vec<String>>);

impl Banks {
    pub(super) fn parse(text: &str) -> Result<Self, FormsError> {
        let Data(kinds) = toml::from_str(text).map_err(|error| FormsError::new(format_args!("values: {error}")))?;
        let names: Vec<String> = kinds.keys().cloned().collect();
        let mut banks = Self { names, patterns: Vec::new() };
        for (name, patterns) in &kinds {
            let of = patterns.iter().map(|pattern| banks.pieces(name, pattern)).collect::<Result<Vec<_>, _>>()?;
            if of.is_empty() {
                return refuse(format_args!("values: \"{name}\" has no patterns"));
            }
            banks.patterns.push(of);
        }
        for kind in 0..banks.names.len() {
            banks.ends(Kind(kind), &mut Vec::new())?;
        }
        Ok(banks)
    }

    pub(super) fn kind(&self, name: &str) -> Option<Kind> {
        self.names.iter().position(|known| known == name).map(Kind)
    }

    /// A value of a kind, each pattern and each choice in it as likely.
    pub(super) fn draw(&self, kind: Kind, random: &mut ChaCha12Rng) -> String {
        let mut value = String::new();
        self.write(kind, random, &mut value);
        value
    }

    fn write(&self, kind: Kind, random: &mut ChaCha12Rng, value: &mut String) {
        let patterns = &self.patterns[kind.0];
        for piece in &patterns[below(random, patterns.len())] {
            match piece {
                Piece::Text(text) => value.push_str(text),
                Piece::Digit => value.push(char::from(b'0' + below(random, 10) as u8)),
                Piece::NotZero => value.push(char::from(b'1' + below(random, 9) as u8)),
                Piece::Letter => value.push(char::from(b'A' + below(random, 26) as u8)),
                Piece::Value(kind) => self.write(*kind, random, value),
            }
        }
    }

    fn pieces(&self, name: &str, pattern: &str) -> Result<Vec<Piece>, FormsError> {
        if pattern.is_empty() || pattern.trim() != pattern || pattern.contains("  ") {
            return refuse(format_args!(
                "values: \"{pattern}\" of \"{name}\" is empty, or has spaces that HTML would lose"
            ));
        }
        let mut pieces = Vec::new();
        let mut rest = pattern;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            pieces.push(match first {
                '#' => Piece::Digit,
                '*' => Piece::NotZero,
                '^' => Piece::Letter,
                '{' => {
                    length = rest.find('}').unwrap_or(rest.len() - 1) + 1;
                    let wanted = rest[1..length].trim_end_matches('}');
                    let kind = self.kind(wanted).ok_or_else(|| {
                        FormsError::new(format_args!(
                            "values: \"{pattern}\" of \"{name}\" needs \"{wanted}\", which is no kind"
                        ))
                    })?;
                    Piece::Value(kind)
                }
                _ => {
                    length = rest.find(['#', '*', '^', '{']).unwrap_or(rest.len());
                    Piece::Text(rest[..length].to_owned())
                }
            });
            rest = &rest[length..];
        }
        Ok(pieces)
    }

    fn ends(&self, kind: Kind, within: &mut Vec<Kind>) -> Result<(), FormsError> {
        if within.contains(&kind) {
            return refuse(format_args!("values: \"{}\" needs itself", self.names[kind.0]));
        }
        within.push(kind);
        for piece in self.patterns[kind.0].iter().flatten() {
            if let Piece::Value(kind) = piece {
                self.ends(*kind, within)?;
            }
        }
        within.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;

    #[test]
    fn patterns_are_filled() {
        let banks = Banks::parse("a = [\"^#*-{b}!\"]\nb = [\"x & y\"]").expect("banks");
        let kind = banks.kind("a").expect("a kind");
        let mut random = stream(1, 0, "test");
        for _ in 0..50 {
            let value = banks.draw(kind, &mut random);
            let [letter, digit, not_zero, rest @ ..] = value.as_bytes() else { panic!("{value}") };
            assert!(
                letter.is_ascii_uppercase() && digit.is_ascii_digit() && (b'1'..=b'9').contains(not_zero),
                "{value}"
            );
            assert_eq!(rest, b"-x & y!");
        }
    }

    #[test]
    fn bad_patterns_are_refused() {
        let told = |text: &str| Banks::parse(text).expect_err("refused").to_string();
        assert_eq!(told("a = [\"{b}\"]\nb = [\"{a}\"]"), "values: \"a\" needs itself");
        assert_eq!(told("a = [\"x {c\"]"), "values: \"x {c\" of \"a\" needs \"c\", which is no kind");
        assert_eq!(told("a = []"), "values: \"a\" has no patterns");
        assert_eq!(told("a = [\"x  y\"]"), "values: \"x  y\" of \"a\" is empty, or has spaces that HTML would lose");
    }
}
