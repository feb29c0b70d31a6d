//! A file of tasks, one JSON object a line, compiled for measuring.
//!
//! `{"id", "schema", "planted": [{"path", "value"}], ...}` asks for a JSON object; `{"id", "targets": [{"id", "html", "cell",
//! "value"}], ...}` for rows of a table, where `html` is the original row and `cell` counts its cells from 0. `level` and
//! `ablation` say what the task is summarised under. Other fields are allowed and ignored.

use crate::scoring::row::{Id, is_integer, kind};
use objalign_core::scd::{Measures, Path, TableTarget, TableTask, Task};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead};

/// Tasks by their id.
#[derive(Debug, Default)]
pub struct Tasks {
    by_id: BTreeMap<String, Loaded>,
}

/// A task of either kind.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) kind: Kind,
    /// The group it is summarised under: its ablation, or else its level.
    pub(super) group: String,
    /// Its place in the file.
    pub(super) number: u32,
}

#[derive(Debug)]
pub(super) enum Kind {
    Json(Box<Task>),
    Table(TableTask),
}

impl Loaded {
    pub(super) fn measure(&self, completion: &str) -> Measures {
        match &self.kind {
            Kind::Json(task) => task.measure(completion),
            Kind::Table(task) => task.measure(completion),
        }
    }
}

/// Why a file of tasks is no good: nothing is measured against half of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TasksError {
    /// It cannot be read.
    #[error("cannot be read after line {line}: {source}")]
    Read {
        /// The last line that was read.
        line: usize,
        /// Why.
        source: io::Error,
    },
    /// A line is no task.
    #[error("line {line}: {message}")]
    Row {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// There is none.
    #[error("there are no tasks in it")]
    Empty,
}

#[derive(Deserialize)]
struct Row {
    id: Option<Value>,
    level: Option<Value>,
    ablation: Option<Value>,
    schema: Option<Value>,
    planted: Option<Vec<Planted>>,
    targets: Option<Vec<Target>>,
}

#[derive(Deserialize)]
struct Planted {
    path: String,
    value: Value,
}

#[derive(Deserialize)]
struct Target {
    id: String,
    html: String,
    cell: usize,
    value: String,
}

impl Tasks {
    /// Reads and compiles a file of tasks.
    ///
    /// # Errors
    ///
    /// It cannot be read, a line is no task, two tasks have one id, or there is none.
    pub fn read(input: impl BufRead) -> Result<Self, TasksError> {
        let mut tasks = Self::default();
        for (index, text) in input.lines().enumerate() {
            let line = index + 1;
            let text = text.map_err(|source| TasksError::Read { line: index, source })?;
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            if text.trim().is_empty() {
                continue;
            }
            tasks.add(text).map_err(|message| TasksError::Row { line, message })?;
        }
        if tasks.by_id.is_empty() { Err(TasksError::Empty) } else { Ok(tasks) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    pub(super) fn get(&self, id: &Id) -> Option<&Loaded> {
        self.by_id.get(&id.to_string())
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let row: Row = serde_json::from_str(text).map_err(|error| {
            let full = error.to_string();
            full.replace(" at line 1 column", ", at column")
        })?;
        let id = identifier(row.id)?;
        let kind = match (row.schema, row.planted, row.targets) {
            (schema, Some(planted), None) => {
                let mut pairs = Vec::with_capacity(planted.len());
                for Planted { path, value } in planted {
                    pairs.push((path.parse::<Path>().map_err(|error| error.to_string())?, value));
                }
                let task = match schema {
                    Some(schema) => Task::of_schema(&schema, pairs),
                    None => Task::new(Vec::new(), pairs),
                };
                Kind::Json(Box::new(task.map_err(|error| error.to_string())?))
            }
            (_, None, Some(targets)) => {
                let targets = targets.into_iter().map(|target| {
                    let row = target.html.parse().map_err(|error| format!("target {:?}: {error}", target.id))?;
                    Ok(TableTarget { id: target.id, row, cell: target.cell, replacement: target.value })
                });
                let targets = targets.collect::<Result<Vec<_>, String>>()?;
                Kind::Table(TableTask::new(targets).map_err(|error| error.to_string())?)
            }
            _ => return Err("a task has \"planted\" (with a \"schema\") or \"targets\", not both".to_owned()),
        };
        let group = match (row.ablation, row.level) {
            (Some(group), _) | (None, Some(group)) => match group {
                Value::String(text) => text,
                other => other.to_string(),
            },
            (None, None) => "all".to_owned(),
        };
        let number = self.by_id.len() as u32;
        if self.by_id.insert(id.to_string(), Loaded { kind, group, number }).is_some() {
            return Err(format!("there is a task {id:?} already", id = id.to_string()));
        }
        Ok(())
    }
}

/// The id of a task or completion: a string or an integer.
pub(super) fn identifier(id: Option<Value>) -> Result<Id, String> {
    match id {
        Some(Value::String(text)) => Ok(Id::Text(text)),
        Some(Value::Number(number)) if is_integer(&number) => Ok(Id::Integer(number)),
        None => Err("the row has no \"id\"".to_owned()),
        Some(other) => Err(format!("\"id\" must be a string or an integer, not {}", kind(&other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Tasks::read(text.as_bytes()).expect_err("no tasks").to_string()
    }

    #[test]
    fn what_is_no_task_is_said_with_its_line() {
        assert_eq!(message("\n \n"), "there are no tasks in it");
        assert_eq!(message("\n{\"planted\": []}"), "line 2: the row has no \"id\"");
        assert_eq!(
            message(r#"{"id": 1}"#),
            "line 1: a task has \"planted\" (with a \"schema\") or \"targets\", not both"
        );
        let twice = "{\"id\": 1, \"planted\": []}\n{\"id\": \"1\", \"planted\": []}";
        assert_eq!(message(twice), "line 2: there is a task \"1\" already");
        assert_eq!(
            message(r#"{"id": 1, "planted": [{"path": "a", "value": 1}]}"#),
            "line 1: \"a\" is no path: no $ at byte 0; paths look like $.a.b[0][\"odd key\"]"
        );
        assert_eq!(
            message(r#"{"id": 1, "targets": [{"id": "T1", "html": "x", "cell": 0, "value": "A"}]}"#),
            "line 1: target \"T1\": there is no <tr>"
        );
    }
}
