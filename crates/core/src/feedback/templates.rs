//! The wording: a TOML file, overridable key by key.
//!
//! Everything is checked when it is loaded: a key that means nothing and a placeholder that is never filled are errors that
//! name themselves and what is allowed. Rendering cannot fail.

use std::collections::BTreeMap;
use toml::Value;

const DEFAULTS: &str = include_str!("templates.toml");

/// What operations may mention.
const OPERATION: &[&str] =
    &["path", "expected", "got", "expected_type", "got_type", "key", "index", "meant", "named", "field"];

/// The texts of feedback. The default is plain English.
#[derive(Debug, Clone)]
pub struct Templates {
    texts: BTreeMap<String, String>,
}

/// What is wrong with a file of templates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// It is no TOML.
    #[error("{0}")]
    Toml(String),
    /// A key that means nothing.
    #[error("{key}: there is no such key; allowed here: {allowed}")]
    Key {
        /// The key, with its tables.
        key: String,
        /// The keys there are.
        allowed: String,
    },
    /// A placeholder that is never filled.
    #[error("{key}: there is no placeholder {{{placeholder}}}; allowed here: {allowed}")]
    Placeholder {
        /// The key.
        key: String,
        /// The placeholder.
        placeholder: String,
        /// Those there are.
        allowed: String,
    },
    /// A value that is no text.
    #[error("{key}: a template is a text")]
    NoText {
        /// The key.
        key: String,
    },
}

impl Default for Templates {
    fn default() -> Self {
        let mut texts = BTreeMap::new();
        // The file is part of the program; a test reads it through the checks.
        if let Ok(table) = DEFAULTS.parse::<toml::Table>() {
            let _ = flatten("", &Value::Table(table), &mut texts);
        }
        Self { texts }
    }
}

impl Templates {
    /// These templates with some texts replaced.
    ///
    /// ```
    /// use objalign_core::Templates;
    ///
    /// assert!(Templates::default().with("[prose]\nperfect = \"Well done.\"").is_ok());
    /// let error = Templates::default().with("[prose]\nline = \"{rank} {cost}\"").unwrap_err();
    /// assert_eq!(error.to_string(), "prose.line: there is no placeholder {cost}; allowed here: {rank} {text} {delta}");
    /// ```
    ///
    /// # Errors
    ///
    /// Not TOML, an unknown key, an unknown placeholder, or a value that is no text.
    pub fn with(mut self, overrides: &str) -> Result<Self, TemplateError> {
        let table =
            overrides.parse::<toml::Table>().map_err(|error| TemplateError::Toml(one_line(&error.to_string())))?;
        let mut texts = BTreeMap::new();
        flatten("", &Value::Table(table), &mut texts)?;
        for (key, text) in texts {
            self.check(&key, &text)?;
            self.texts.insert(key, text);
        }
        Ok(self)
    }

    fn check(&self, key: &str, text: &str) -> Result<(), TemplateError> {
        if !self.texts.contains_key(key) {
            let table = key.rsplit_once('.').map_or("", |(table, _)| table);
            let inside = |known: &&String| known.rsplit_once('.').map_or("", |(table, _)| table) == table;
            let mut allowed: Vec<&str> =
                self.texts.keys().filter(inside).filter_map(|known| known.rsplit('.').next()).collect();
            if allowed.is_empty() {
                allowed = vec!["prose", "compact", "describe", "names"];
            }
            return Err(TemplateError::Key { key: key.to_owned(), allowed: allowed.join(", ") });
        }
        let allowed = placeholders_of(key);
        match placeholders(text).find(|placeholder| !allowed.contains(placeholder)) {
            None => Ok(()),
            Some(placeholder) => Err(TemplateError::Placeholder {
                key: key.to_owned(),
                placeholder: placeholder.to_owned(),
                allowed: allowed.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(" "),
            }),
        }
    }

    /// The text of a key with its placeholders filled. What is filled in is never looked into again.
    pub(super) fn fill(&self, key: &str, values: &[(&str, &str)]) -> String {
        let mut rest = self.texts.get(key).map_or("", String::as_str);
        let mut filled = String::new();
        while let Some((start, end)) = next_placeholder(rest) {
            filled.push_str(&rest[..start]);
            let name = &rest[start + 1..end];
            filled.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
            rest = &rest[end + 1..];
        }
        filled + rest
    }
}

fn placeholders_of(key: &str) -> &'static [&'static str] {
    match key {
        "prose.kinds.invalid" | "compact.kinds.invalid" => &["fix"],
        _ if key.contains(".head") => &["score", "deficit", "shown", "total"],
        "prose.invalid" | "compact.invalid" => &["path", "reason"],
        "prose.line" | "compact.line" => &["rank", "text", "delta"],
        "prose.dominant" | "compact.dominant" => &["share", "kind"],
        "describe.record" => &["attributes"],
        "describe.several" => &["attributes", "count"],
        "describe.bare" | "describe.dangling" => &["id"],
        "describe.attribute" => &["key", "value"],
        _ if key.contains(".kinds.") || key.contains(".semantic.") => OPERATION,
        _ => &[],
    }
}

fn flatten(at: &str, value: &Value, texts: &mut BTreeMap<String, String>) -> Result<(), TemplateError> {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                let key = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                flatten(&key, value, texts)?;
            }
            Ok(())
        }
        Value::String(text) => {
            texts.insert(at.to_owned(), text.clone());
            Ok(())
        }
        _ => Err(TemplateError::NoText { key: at.to_owned() }),
    }
}

/// Where the next `{word}` stands: its braces.
fn next_placeholder(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(start) = text[from..].find('{').map(|at| from + at) {
        let word = text[start + 1..].bytes().take_while(|byte| byte.is_ascii_lowercase() || *byte == b'_').count();
        if word > 0 && text.as_bytes().get(start + 1 + word) == Some(&b'}') {
            return Some((start, start + 1 + word));
        }
        from = start + 1;
    }
    None
}

fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (start, end) = next_placeholder(rest)?;
        let name = &rest[start + 1..end];
        rest = &rest[end + 1..];
        Some(name)
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_pass_their_own_checks() {
        let templates = Templates::default();
        assert!(templates.texts.len() > 60, "{}", templates.texts.len());
        assert!(templates.clone().with(DEFAULTS).is_ok());
        for kind in crate::repair::RepairKind::ALL {
            for table in ["prose.kinds", "compact.kinds", "names"] {
                assert!(templates.texts.contains_key(&format!("{table}.{}", kind.name())), "{table} {}", kind.name());
            }
        }
    }

    #[test]
    fn mistakes_name_themselves_and_what_is_allowed() {
        let message = |text: &str| Templates::default().with(text).expect_err("a mistake").to_string();
        assert_eq!(
            message("[prose]\nfoot = \"\""),
            "prose.foot: there is no such key; allowed here: dominant, head, head_all, head_first, head_none, head_one, invalid, line, perfect, spread"
        );
        assert_eq!(
            message("[verse]\nhead = \"\""),
            "verse.head: there is no such key; allowed here: prose, compact, describe, names"
        );
        assert_eq!(message("[prose]\nline = 1"), "prose.line: a template is a text");
        assert_eq!(
            message("[names]\nref_fix = \"{path}\""),
            "names.ref_fix: there is no placeholder {path}; allowed here: "
        );
        assert!(message("prose = [").contains("line 1"), "{}", message("prose = ["));
    }

    #[test]
    fn what_is_filled_in_is_data() {
        let templates = Templates::default().with("[prose]\nline = \"{rank} {text} {} {x\"").expect("good");
        assert_eq!(templates.fill("prose.line", &[("rank", "{text}"), ("text", "b")]), "{text} b {} {x");
    }
}
