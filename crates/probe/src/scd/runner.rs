//! Completions in, outcomes out, in parallel and in the order of the input.
//!
//! A row is `{"id", "completion"}`; several rows of one id are samples of one task, numbered in their order. A row that
//! cannot be measured has its error in place, and the run goes on.

use super::outcome::Outcome;
use super::tasks::{Kind, Tasks, identifier};
use crate::chunks::{self, Line, RunError};
use crate::scoring::sink::SinkError;
use objalign_core::scd::Fate;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::num::NonZeroUsize;

/// How to run.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'t> {
    /// The tasks.
    pub tasks: &'t Tasks,
    /// Whether to say where each planted value ended up.
    pub fates: bool,
    /// Over how many threads the rows are spread.
    pub threads: NonZeroUsize,
}

#[derive(Deserialize)]
struct Row {
    id: Option<Value>,
    completion: Option<String>,
}

/// Measures every completion of `input`.
///
/// # Errors
///
/// Only where the run cannot go on: see [`RunError`].
pub fn run(
    input: impl BufRead,
    setup: &Setup<'_>,
    mut emit: impl FnMut(Vec<Outcome>) -> Result<(), SinkError>,
) -> Result<(), RunError> {
    let mut samples: BTreeMap<u32, u64> = BTreeMap::new();
    let work = |chunk: &[Line]| chunk.par_iter().map(|line| measured(line, setup)).collect();
    chunks::run(input, setup.threads, work, &mut |mut outcomes: Vec<Outcome>| {
        for outcome in outcomes.iter_mut().filter(|outcome| outcome.measures.is_some()) {
            let next = samples.entry(outcome.task).or_default();
            outcome.sample = *next;
            *next += 1;
        }
        emit(outcomes)
    })
}

fn measured(line: &Line, setup: &Setup<'_>) -> Outcome {
    let mut outcome =
        Outcome { id: None, sample: 0, measures: None, fates: None, error: None, group: String::new(), task: 0 };
    if let Err(message) = measure(line, setup, &mut outcome) {
        outcome.error = Some(format!("line {}: {message}", line.number));
    }
    outcome
}

fn measure(line: &Line, setup: &Setup<'_>, outcome: &mut Outcome) -> Result<(), String> {
    let text =
        std::str::from_utf8(&line.bytes).map_err(|error| format!("not UTF-8, at byte {}", error.valid_up_to()))?;
    let row: Row =
        serde_json::from_str(text).map_err(|error| error.to_string().replace(" at line 1 column", ", at column"))?;
    let id = identifier(row.id)?;
    let task = setup.tasks.get(&id).ok_or_else(|| format!("there is no task {:?}", id.to_string()));
    outcome.id = Some(id);
    let task = task?;
    let completion = row.completion.ok_or("the row has no \"completion\"")?;
    (outcome.group, outcome.task) = (task.group.clone(), task.number);
    outcome.measures = Some(task.measure(&completion));
    if setup.fates {
        outcome.fates = match &task.kind {
            Kind::Json(task) => task.fates(&completion).ok().map(|fates| {
                task.planted().iter().map(|(path, _)| path.to_string()).zip(fates).collect::<Vec<(String, Fate)>>()
            }),
            Kind::Table(task) => task.fates(&completion).ok(),
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use objalign_core::scd::Reward;

    const TASKS: &str = r#"{"id": "j", "level": "S", "planted": [{"path": "$.a", "value": "X"}, {"path": "$.b", "value": 2}], "schema": {"type": "object", "required": ["a", "b"]}}
{"id": 7, "level": "S", "targets": [{"id": "T1", "html": "<tr><td>a<td>b</tr>", "cell": 0, "value": "X"}]}"#;

    fn lines(completions: &str, threads: usize) -> Vec<String> {
        let tasks = Tasks::read(TASKS.as_bytes()).expect("tasks");
        let setup = Setup { tasks: &tasks, fates: true, threads: NonZeroUsize::new(threads).expect("some") };
        let mut lines = Vec::new();
        run(completions.as_bytes(), &setup, |outcomes| {
            lines.extend(outcomes.iter().map(|outcome| outcome.line(Reward::COMPOSITE)));
            Ok(())
        })
        .expect("a run");
        lines
    }

    #[test]
    fn every_row_has_its_outcome_in_place() {
        let found = lines(
            concat!(
                r#"{"id": "j", "completion": "{\"a\": 2, \"b\": \"X\"}"}"#,
                "\n\n",
                r#"{"id": "j", "completion": "sorry"}"#,
                "\n",
                r#"{"id": "k", "completion": ""}"#,
                "\n",
                r#"{"id": 7, "completion": "{\"T1\": \"<tr><td>b<td>X</tr>\"}"}"#,
                "\n[",
            ),
            1,
        );
        assert_eq!(
            found[0],
            concat!(
                r#"{"id":"j","sample":0,"fmt_ok":true,"recovery":"strict","scr":1.0,"vpa":0.0,"vp":1.0,"scg":1.0,"dr":1.0,"#,
                r#""reward_exact":0.0,"reward_vpa":0.0,"reward_composite":0.3,"duplicate_keys":0,"refusal":null,"error":null,"#,
                r#""fates":[{"path":"$.a","fate":"displaced","to":"$.b"},{"path":"$.b","fate":"displaced","to":"$.a"}]}"#
            )
        );
        let rows: Vec<Value> = found.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!((&rows[1]["sample"], &rows[1]["fmt_ok"], &rows[1]["vp"]), (&1.into(), &false.into(), &0.0.into()));
        assert_eq!(rows[1]["refusal"], "byte 0: a value must stand here, not 's'");
        assert_eq!(rows[2]["error"], "line 4: there is no task \"k\"");
        assert_eq!((&rows[3]["vp"], &rows[3]["vpa"]), (&1.0.into(), &0.0.into()));
        assert_eq!(rows[3]["fates"][0]["to"], "$[1]");
        assert!(rows[4]["error"].as_str().is_some_and(|error| error.starts_with("line 6: ")), "{}", rows[4]);
    }

    #[test]
    fn threads_change_nothing() {
        let rows: Vec<String> = (0..2000)
            .map(|index| format!("{{\"id\": \"j\", \"completion\": \"{{\\\"a\\\": {}}}\"}}", index % 5))
            .collect();
        let completions = rows.join("\n");
        assert_eq!(lines(&completions, 1), lines(&completions, 8));
    }
}
