//! A line of a pairs file of a probe: `id`, `gold_id`, `gold`, `pred`, and what was done to the gold.
//!
//! What was done is `op`, `k`, `relabel` for sensitivity, `family`, `k`, `kendall_distance` for order, nothing for invariance.
//! Other columns are ignored. Types are taken as they come: ids may be numbers, whole numbers may be written `3.0` or `"3"`,
//! and `relabel` is true, false, 1, 0, or one of these in quotes. Nulls are allowed where the column has nothing to say: `k` of
//! a reversal, `kendall_distance` of a candidate of another length.

use crate::scoring::json::JsonError;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// The probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// Copies under other identifiers, or in another order.
    Invariance,
    /// Damage by operation and dose.
    Sensitivity,
    /// Disorder, and lists that are too short or too long.
    Order,
}

impl Probe {
    /// Its name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invariance => "invariance",
            Self::Sensitivity => "sensitivity",
            Self::Order => "order",
        }
    }

    /// The columns that its rows must have.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Invariance => &["id", "gold_id", "gold", "pred"],
            Self::Sensitivity => &["id", "gold_id", "gold", "pred", "op", "k", "relabel"],
            Self::Order => &["id", "gold_id", "gold", "pred", "family", "k", "kendall_distance"],
        }
    }
}

/// What a row says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// What it is called.
    pub id: String,
    /// What its gold is called: rows of one gold rise and fall together.
    pub gold_id: String,
    /// The operation, or the family of disorder; empty for invariance.
    pub kind: String,
    /// How often the operation was applied.
    pub k: Option<u32>,
    /// Whether the candidate has other identifiers than the gold.
    pub relabel: bool,
    /// The Kendall distance of the candidate.
    pub distance: Option<u32>,
}

/// A row as it was read.
#[derive(Debug)]
pub(super) struct PairRow<'t> {
    pub(super) facts: Facts,
    /// As text: rows of one gold stand together, and need it read once.
    pub(super) gold: &'t str,
    pub(super) pred: Value,
}

#[derive(Deserialize)]
struct Fields<'t> {
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    gold_id: Option<Value>,
    #[serde(default, borrow, deserialize_with = "present_text")]
    gold: Option<&'t RawValue>,
    #[serde(default, deserialize_with = "present")]
    pred: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    op: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    family: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    k: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    relabel: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    kendall_distance: Option<Value>,
}

/// A null is a value here, unlike a field that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn present_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'t> PairRow<'t> {
    /// Reads a line. The error is one about the line alone, without its number.
    pub(super) fn parse(line: &'t [u8], probe: Probe) -> Result<Self, String> {
        let text = std::str::from_utf8(line).map_err(|_| "not UTF-8".to_owned())?;
        if !text.trim_start().starts_with('{') {
            return Err("a row is a JSON object".to_owned());
        }
        let mut fields: Fields = serde_json::from_str(text).map_err(|error| {
            let JsonError { message, column, .. } = JsonError::new(&error, text);
            format!("{message}, at column {column}")
        })?;
        let absent = |name: &&str| if *name == "gold" { fields.gold.is_none() } else { fields.of(name).is_none() };
        let missing: Vec<&str> = probe.columns().iter().copied().filter(absent).collect();
        if !missing.is_empty() {
            let (missing, columns) = (missing.join("\", \""), probe.columns().join(", "));
            return Err(format!("the row has no \"{missing}\"; the {} probe needs {columns}", probe.name()));
        }
        let gold = fields.gold.map_or("null", RawValue::get);
        let mut take = |name: &str| fields.of(name).take().unwrap_or(Value::Null);
        let kind = match probe {
            Probe::Invariance => String::new(),
            Probe::Sensitivity => name("op", &take("op"))?,
            Probe::Order => name("family", &take("family"))?,
        };
        let k = match probe {
            Probe::Invariance => None,
            Probe::Sensitivity => {
                Some(count("k", &take("k"))?.ok_or("\"k\" must be a whole number, not null".to_owned())?)
            }
            Probe::Order => count("k", &take("k"))?,
        };
        let relabel = match probe {
            Probe::Sensitivity => flag("relabel", &take("relabel"))?,
            _ => false,
        };
        let distance = match probe {
            // Some write -1 where there is none.
            Probe::Order => {
                let value = take("kendall_distance");
                if value.as_f64().is_some_and(|distance| distance < 0.0) {
                    None
                } else {
                    count("kendall_distance", &value)?
                }
            }
            _ => None,
        };
        let facts = Facts {
            id: name("id", &take("id"))?,
            gold_id: name("gold_id", &take("gold_id"))?,
            kind,
            k,
            relabel,
            distance,
        };
        Ok(Self { facts, gold, pred: take("pred") })
    }
}

impl Fields<'_> {
    fn of(&mut self, name: &str) -> &mut Option<Value> {
        match name {
            "id" => &mut self.id,
            "gold_id" => &mut self.gold_id,
            "op" => &mut self.op,
            "family" => &mut self.family,
            "k" => &mut self.k,
            "relabel" => &mut self.relabel,
            "kendall_distance" => &mut self.kendall_distance,
            _ => &mut self.pred,
        }
    }
}

fn name(column: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(format!("\"{column}\" must be a string, not {other}")),
    }
}

fn count(column: &str, value: &Value) -> Result<Option<u32>, String> {
    let number = match value {
        Value::Null => return Ok(None),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    match number {
        Some(number) if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) => {
            Ok(Some(number as u32))
        }
        _ => Err(format!("\"{column}\" must be a whole number from 0, not {value}")),
    }
}

fn flag(column: &str, value: &Value) -> Result<bool, String> {
    let text = match value {
        Value::Bool(flag) => return Ok(*flag),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_ascii_lowercase(),
        _ => String::new(),
    };
    match text.as_str() {
        "1" | "1.0" | "true" => Ok(true),
        "0" | "0.0" | "false" => Ok(false),
        _ => Err(format!("\"{column}\" must be true or false, not {value}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str, probe: Probe) -> Result<Facts, String> {
        PairRow::parse(line.as_bytes(), probe).map(|row| row.facts)
    }

    #[test]
    fn types_are_taken_as_they_come() {
        let line = r#"{"id": 7, "gold_id": "g", "gold": null, "pred": 1, "op": "edge_deletion", "k": 3.0, "relabel": 1, "x": []}"#;
        let expected = Facts {
            id: "7".into(),
            gold_id: "g".into(),
            kind: "edge_deletion".into(),
            k: Some(3),
            relabel: true,
            distance: None,
        };
        assert_eq!(parse(line, Probe::Sensitivity), Ok(expected));
        let line = r#"{"id": "a", "gold_id": 4, "gold": [], "pred": [], "family": "insertion", "k": "2", "kendall_distance": null}"#;
        assert_eq!(parse(line, Probe::Order).map(|facts| (facts.k, facts.distance)), Ok((Some(2), None)));
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let line = r#"{"id": 7, "gold": null, "pred": 1, "k": 0}"#;
        let expected = "the row has no \"gold_id\", \"op\", \"relabel\"; the sensitivity probe needs id, gold_id, gold, pred, \
                        op, k, relabel";
        assert_eq!(parse(line, Probe::Sensitivity), Err(expected.to_owned()));
        let with = |k: &str, relabel: &str| {
            let line = format!(
                r#"{{"id": 7, "gold_id": 1, "gold": 1, "pred": 1, "op": "a", "k": {k}, "relabel": {relabel}}}"#
            );
            parse(&line, Probe::Sensitivity).expect_err("wrong")
        };
        assert_eq!(with("1.5", "true"), "\"k\" must be a whole number from 0, not 1.5");
        assert_eq!(with("null", "true"), "\"k\" must be a whole number, not null");
        assert_eq!(with("1", "2"), "\"relabel\" must be true or false, not 2");
        assert_eq!(parse("[1]", Probe::Invariance), Err("a row is a JSON object".to_owned()));
        assert_eq!(
            parse(r#"{"id": true, "gold_id": 1, "gold": 1, "pred": 1}"#, Probe::Invariance),
            Err("\"id\" must be a string, not true".to_owned())
        );
    }
}
