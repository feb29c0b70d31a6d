//! The same task for schemas that somebody has: files of JSON Schemas, or rows that hold them, as `JSONSchemaBench` has
//! (`{"json_schema": "...", "unique_id": "..."}`).
//!
//! Values are planted at leaves that the schema requires and that take any string, integer or number within bounds; the reference
//! is built from the schema, leaf by leaf. What cannot be satisfied so is passed over, with a reason: the reference that comes out is
//! validated, so a keyword that the building does not know makes a reason and no wrong task.
//!
//! | room | what |
//! |---|---|
//! | `fill` | a document that a schema accepts |
//! | `leaf` | what a leaf may hold |

mod fill;
mod leaf;

use super::super::check::check;
use super::super::sets::id;
use super::super::task::{Domain, Planted, Question, TaskRow};
use super::params::Params;
use super::prompt;
use super::vocabulary::VOCABULARY;
use crate::streams::stream;
use fill::Filler;
use objalign_core::scd::required_paths;
use rand::seq::SliceRandom;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

/// A schema that was given.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// Its file, or its id in a file of rows.
    pub name: String,
    /// What it says.
    pub schema: Value,
}

/// A schema that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its file, or its id in a file of rows.
    pub name: String,
    /// Why.
    pub reason: String,
}

impl std::fmt::Display for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}

/// Reads the schemas of a folder and the folders in it: of every `*.json` the whole, of every `*.jsonl` the `json_schema` of each row,
/// as text or as an object. In the order of their names.
///
/// # Errors
///
/// The folder, or a file in it, cannot be read. What is no schema is among those passed over.
pub fn read(folder: &Path) -> io::Result<(Vec<Given>, Vec<Skipped>)> {
    let (mut given, mut skipped) = (Vec::new(), Vec::new());
    for (name, path) in files(folder, "")? {
        let mut take = |name: String, schema: Result<Value, String>| match schema {
            Ok(schema) => given.push(Given { name, schema }),
            Err(reason) => skipped.push(Skipped { name, reason }),
        };
        let bytes = fs::read(&path)?;
        let Ok(text) = String::from_utf8(bytes) else {
            take(name, Err("is no UTF-8 text".to_owned()));
            continue;
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if path.extension().is_some_and(|extension| extension == "json") {
            take(name, serde_json::from_str(text).map_err(|error| format!("is no JSON: {error}")));
            continue;
        }
        for (line, text) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let at = format!("{name}:{}", line + 1);
            match serde_json::from_str::<Row>(text) {
                Err(error) => take(at, Err(format!("is no row with a \"json_schema\": {error}"))),
                Ok(row) => take(row.unique_id.clone().unwrap_or(at), row.schema()),
            }
        }
    }
    Ok((given, skipped))
}

/// A row of `JSONSchemaBench`.
#[derive(Deserialize)]
struct Row {
    json_schema: Value,
    #[serde(default)]
    unique_id: Option<String>,
}

impl Row {
    fn schema(self) -> Result<Value, String> {
        match self.json_schema {
            Value::String(text) => {
                serde_json::from_str(&text).map_err(|error| format!("its schema is no JSON: {error}"))
            }
            schema => Ok(schema),
        }
    }
}

fn files(folder: &Path, above: &str) -> io::Result<Vec<(String, std::path::PathBuf)>> {
    let mut entries: Vec<(String, std::path::PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        entries.push((format!("{above}{}", entry.file_name().to_string_lossy()), entry.path()));
    }
    entries.sort();
    let mut found = Vec::new();
    for (name, path) in entries {
        if path.is_dir() {
            found.extend(files(&path, &format!("{name}/"))?);
        } else if path.extension().is_some_and(|extension| extension == "json" || extension == "jsonl") {
            found.push((name, path));
        }
    }
    Ok(found)
}

/// The task of a schema.
///
/// # Errors
///
/// Says why there is none: no room for values, or no document that the schema accepts could be made.
pub(super) fn task(params: &Params, given: &Given, index: u64) -> Result<TaskRow, String> {
    let Given { name, schema } = given;
    if !schema.is_object() {
        return Err("is no schema: an object should be here".to_owned());
    }
    let length = schema.to_string().chars().count();
    if length > params.real.max_characters as usize {
        return Err(format!("{length} characters; allowed: {}", params.real.max_characters));
    }
    let draws = |purpose: &str| stream(params.seed, index, &format!("scd-json/real/{name}/{purpose}"));
    let required = required_paths(schema).map_err(|error| error.to_string())?;
    let required: HashSet<&objalign_core::scd::Path> = required.iter().collect();
    let (mut reference, mut leaves) = Filler::new(schema, draws("fillers")).document()?;
    if !reference.is_object() {
        return Err("asks for no object".to_owned());
    }
    leaves.retain(|(path, _)| required.contains(path));
    let mut random = draws("values");
    leaves.shuffle(&mut random);
    let mut used = Vec::new();
    values(&reference, &mut used);
    let mut planted = Vec::new();
    for (path, leaf) in leaves {
        if planted.len() == params.real.planted.max as usize {
            break;
        }
        let mut fitting: Vec<&Value> = VOCABULARY
            .planted
            .of(leaf.kind)
            .iter()
            .filter(|value| leaf.takes(value) && !used.contains(value))
            .collect();
        fitting.shuffle(&mut random);
        let (Some(value), Some(place)) = (fitting.first().copied(), reference.pointer_mut(&path.pointer())) else {
            continue;
        };
        *place = value.clone();
        used.push(value.clone());
        planted.push(Planted { path: path.to_string(), value: value.clone() });
    }
    let least = params.real.planted.min as usize;
    if planted.len() < least {
        return Err(format!("has room for too few values: {}; allowed: {least} or more", planted.len()));
    }
    let row = TaskRow {
        id: id(Domain::Json, super::REAL, name, index),
        domain: Domain::Json,
        level: "real".to_owned(),
        ablation: None,
        seed: params.seed,
        prompt: prompt(schema, &planted),
        reference: reference.to_string(),
        question: Question::Json { schema: schema.clone(), planted },
    };
    check(&row)?;
    Ok(row)
}

/// The leaves of a document.
fn values(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(members) => members.values().for_each(|value| values(value, found)),
        Value::Array(items) => items.iter().for_each(|value| values(value, found)),
        leaf => found.push(leaf.clone()),
    }
}
