//! One line of a pairs file: `{"id": ..., "gold": ..., "pred": ..., "schema": {...}}`.
//!
//! `id` is a string or an integer and may be absent; `schema` may be absent or null where the run has one for all rows. Fields of
//! other names are allowed and ignored: people keep prompts and model names beside their pairs. The schema is left as text:
//! most rows bring one that was met, and compiled, before.

use super::json::{JsonError, characters};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value};
use std::fmt;

/// What a row is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Id {
    /// A string.
    Text(String),
    /// An integer, of any size.
    Integer(Number),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Integer(number) => write!(f, "{number}"),
        }
    }
}

/// A row as it was read.
#[derive(Debug)]
pub struct Row<'t> {
    /// What it is called.
    pub id: Option<Id>,
    /// The reference.
    pub gold: Value,
    /// What is scored.
    pub pred: Value,
    /// The text of the row's own schema.
    pub schema: Option<&'t str>,
}

/// A line that is no row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RowError {
    /// The id, where that much could be read.
    pub id: Option<Id>,
    /// What is wrong; in the line alone, so without its number.
    pub message: String,
}

#[derive(Deserialize)]
struct Fields<'t> {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    gold: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    pred: Option<Value>,
    #[serde(default, borrow)]
    schema: Option<&'t RawValue>,
}

/// A null is a value here, unlike a field that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl<'t> Row<'t> {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// The line is not UTF-8, not JSON, or not a row.
    pub fn parse(line: &'t [u8]) -> Result<Self, RowError> {
        let nameless = |message: String| RowError { id: None, message };
        let text = std::str::from_utf8(line).map_err(|error| {
            nameless(format!("not UTF-8, at column {}", characters(&line[..error.valid_up_to()]) + 1))
        })?;
        let broken = |error: &serde_json::Error| {
            let JsonError { message, column, .. } = JsonError::new(error, text);
            nameless(format!("{message}, at column {column}"))
        };
        // Serde would also take a list for the fields in their order.
        if !text.trim_start().starts_with('{') {
            let value: Value = serde_json::from_str(text).map_err(|error| broken(&error))?;
            return Err(nameless(format!("a row is a JSON object, not {}", kind(&value))));
        }
        let Fields { id, gold, pred, schema } = serde_json::from_str(text).map_err(|error| broken(&error))?;
        let id = match id {
            None => None,
            Some(Value::String(text)) => Some(Id::Text(text)),
            Some(Value::Number(number)) if is_integer(&number) => Some(Id::Integer(number)),
            Some(other) => {
                return Err(nameless(format!("\"id\" must be a string or an integer, not {}", kind(&other))));
            }
        };
        let missing = |name: &str| RowError { id: id.clone(), message: format!("the row has no \"{name}\"") };
        let (gold, pred) = (gold.ok_or_else(|| missing("gold"))?, pred.ok_or_else(|| missing("pred"))?);
        Ok(Self { id, gold, pred, schema: schema.map(RawValue::get) })
    }
}

pub(crate) fn is_integer(number: &Number) -> bool {
    number.as_str().bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
}

pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if is_integer(number) => "an integer",
        Value::Number(_) => "a fraction",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(line: &[u8]) -> String {
        Row::parse(line).expect_err("no row").message
    }

    #[test]
    fn a_row_may_carry_more_than_is_asked_for() {
        let line = br#" {"model": {"x": [1e400]}, "id": 12345678901234567890123, "pred": null, "gold": 1.50, "schema": {"type": [] } }"#;
        let row = Row::parse(line).expect("a row");
        assert_eq!(row.id.expect("an id").to_string(), "12345678901234567890123");
        assert_eq!((row.gold.to_string(), row.pred), ("1.50".to_owned(), json!(null)));
        assert_eq!(row.schema, Some(r#"{"type": [] }"#));
        let bare = Row::parse(br#"{"gold": 1, "pred": 2, "schema": null, "id": null}"#).expect("a row");
        assert_eq!((bare.id, bare.schema), (None, None));
    }

    #[test]
    fn what_is_missing_is_named_beside_the_id() {
        let error = Row::parse(br#"{"id": "a", "pred": 1}"#).expect_err("no gold");
        assert_eq!(error, RowError { id: Some(Id::Text("a".into())), message: "the row has no \"gold\"".into() });
        assert_eq!(message(br#"{"gold": null}"#), "the row has no \"pred\"");
    }

    #[test]
    fn what_is_no_row_says_why() {
        assert_eq!(message(br#"["a", 1, 2]"#), "a row is a JSON object, not a list");
        assert_eq!(
            message(br#"{"id": 1.5, "gold": 1, "pred": 1}"#),
            "\"id\" must be a string or an integer, not a fraction"
        );
        assert_eq!(message(br#"{"id": 1, "gold": 1, "gold": 1, "pred": 1}"#), "duplicate field `gold`, at column 27");
        assert_eq!(message(br#"{"id": 1, "gold": "#), "EOF while parsing a value, at column 18");
        assert_eq!(message("{\"é\": tru}".as_bytes()), "expected ident, at column 10");
        assert_eq!(message(b"{\"id\": \"\xc3\xa9\xff\"}"), "not UTF-8, at column 10");
        assert_eq!(message(br#"{"id": 1, "gold": "\ud800", "pred": 1}"#), "unexpected end of hex escape, at column 26");
    }

    #[test]
    fn deep_rows_are_refused_where_they_get_too_deep() {
        let line = format!(r#"{{"id": 1, "gold": {}{}, "pred": 1}}"#, "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(message(line.as_bytes()), "nested deeper than 127 levels, at column 145");
    }
}
