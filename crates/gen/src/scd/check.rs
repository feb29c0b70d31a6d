//! Whether a task is one: it can be measured, and its reference is right in everything.

use super::task::{Question, TaskRow};
use objalign_core::scd::{Measures, Path, TableTarget, TableTask, Task};
use objalign_core::{Aligner, Plan};
use serde_json::Value;

/// A task compiled for measuring.
#[derive(Debug, Clone)]
pub enum Compiled {
    /// Values at paths.
    Json(Box<Task>),
    /// Values in cells.
    Table(TableTask),
}

impl Compiled {
    /// Compiles the question of a row.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub fn new(row: &TaskRow) -> Result<Self, String> {
        match &row.question {
            Question::Json { schema, planted } => {
                let mut pairs = Vec::with_capacity(planted.len());
                for planted in planted {
                    let path = planted.path.parse::<Path>().map_err(|error| error.to_string())?;
                    pairs.push((path, planted.value.clone()));
                }
                let task = Task::of_schema(schema, pairs).map_err(|error| error.to_string())?;
                Ok(Self::Json(Box::new(task)))
            }
            Question::Table { targets, .. } => {
                let mut compiled = Vec::with_capacity(targets.len());
                for target in targets {
                    let row = target.html.parse().map_err(|error| format!("target {:?}: {error}", target.id))?;
                    let (id, replacement) = (target.id.clone(), target.value.clone());
                    compiled.push(TableTarget { id, row, cell: target.cell, replacement });
                }
                Ok(Self::Table(TableTask::new(compiled).map_err(|error| error.to_string())?))
            }
        }
    }

    /// Measures a completion.
    pub fn measure(&self, completion: &str) -> Measures {
        match self {
            Self::Json(task) => task.measure(completion),
            Self::Table(task) => task.measure(completion),
        }
    }
}

/// Checks a task: its question compiles; its reference scores `FmtOK` = SCR = VPA = VP = 1 as it stands; a schema is one, and
/// the reference fits it.
///
/// # Errors
///
/// Says what is wrong.
pub fn check(row: &TaskRow) -> Result<(), String> {
    let measures = Compiled::new(row)?.measure(&row.reference);
    let level = measures.format.as_ref().map_err(|refusal| format!("the reference cannot be read: {refusal}"))?;
    if *level != objalign_core::scd::Level::Strict {
        return Err(format!("the reference is no strict JSON, it had to be {}", level.name()));
    }
    for (measure, found, wanted) in [
        ("SCR", measures.required_found, measures.required),
        ("VPA", measures.placed, measures.planted),
        ("VP", measures.present, measures.planted),
    ] {
        if found != wanted {
            return Err(format!("the reference does not score 1: {measure} is {found} of {wanted}"));
        }
    }
    if measures.planted == 0 {
        return Err("nothing is planted".to_owned());
    }
    if let Question::Json { schema, .. } = &row.question {
        let reference = serde_json::from_str(&row.reference).map_err(|error| error.to_string())?;
        fits(schema, &reference)?;
    }
    Ok(())
}

/// Whether a schema is one, and a document fits it: by the validator that the aligner uses.
pub(super) fn fits(schema: &Value, document: &Value) -> Result<(), String> {
    let plan = Plan::compile(schema).map_err(|errors| {
        let all = errors.to_string();
        format!("the schema cannot be used: {}", all.lines().next().unwrap_or_default())
    })?;
    match Aligner::new(&plan).align(document, document) {
        Ok(_) => Ok(()),
        Err(error) => {
            Err(format!("the reference does not fit its schema: {}", error.to_string().replacen("gold ", "", 1)))
        }
    }
}
