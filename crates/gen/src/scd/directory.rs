//! Sets of tasks as a directory, and whether one is what it says.
//!
//! ```text
//! DIR/
//!   core.jsonl depth.jsonl ...    tasks, one a line
//!   manifest.json                 every parameter, how many tasks of which condition, SHA-256 of each file
//!   README.md                     a card that the Hugging Face loader reads
//! ```
//!
//! The bytes are a function of the configuration (and of the schemas that were given), whatever the number of threads.

use super::check::check;
use super::json::ScdJson;
use super::sets::{Set, TaskSource};
use super::table::Tables;
use super::task::{Domain, Question, TaskRow};
use crate::dataset::directory::{Draft, WriteError};
use crate::dataset::manifest::{Manifest, ManifestError};
use crate::dataset::split::fingerprint;
use crate::dataset::verify::{Problem, Verified};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// How many tasks are in memory at a time.
const CHUNK: usize = 512;

/// Makes a directory of task sets, and gives its manifest. `progress` hears of tasks that are done.
///
/// # Errors
///
/// As the variants of the error say; [`WriteError::Exhausted`] if two tasks are the same.
pub fn write(
    source: &dyn TaskSource,
    directory: &Path,
    force: bool,
    mut progress: impl FnMut(usize),
) -> Result<Manifest, WriteError> {
    let draft = Draft::begin(directory, force)?;
    let sets = source.sets();
    let mut contents: HashMap<u128, String> = HashMap::new();
    let mut rows: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let mut names = vec!["README.md".to_owned()];
    for (at, set) in sets.iter().enumerate() {
        let name = format!("{}.jsonl", set.name);
        let path = draft.path(&name);
        let failed = |error| WriteError::Io { path: path.clone(), error };
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&path).map_err(failed)?);
        let conditions = set.conditions.iter().enumerate();
        let places: Vec<(usize, u64)> =
            conditions.flat_map(|(condition, of)| (0..of.tasks).map(move |index| (condition, index))).collect();
        for chunk in places.chunks(CHUNK) {
            let tasks: Vec<(String, u128, String)> = chunk
                .par_iter()
                .map(|&(condition, index)| {
                    let row = source.task(at, condition, index);
                    (line(&row), content(&row), row.id)
                })
                .collect();
            progress(tasks.len());
            for (line, content, id) in tasks {
                file.write_all(line.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(failed)?;
                if let Some(other) = contents.insert(content, id.clone()) {
                    return Err(WriteError::Exhausted(format!(
                        "the tasks {other} and {id} are the same; another seed may help"
                    )));
                }
            }
        }
        file.flush().map_err(failed)?;
        let counts = set.conditions.iter().map(|condition| (condition.name.clone(), condition.tasks));
        rows.insert(set.name.clone(), counts.collect());
        names.push(name);
    }
    draft.add("README.md", &card(source.domain(), &sets))?;
    let manifest = Manifest::new(&source.domain().dataset(), "", "jsonl", source.config());
    draft.finish(&names, Manifest { examined: contents.len() as u64, rows, ..manifest })
}

/// A task as a line of its file.
pub fn line(row: &TaskRow) -> String {
    serde_json::to_string(row).expect("a task is JSON")
}

/// A task as people read it: its id, its prompt, its reference.
pub fn shown(row: &TaskRow) -> String {
    format!("{}\n\n{}\n\n{}\n", row.id, row.prompt.trim_end(), row.reference)
}

/// What a task is about: two with the same prompt are the same.
fn content(row: &TaskRow) -> u128 {
    fingerprint(&row.prompt)
}

/// The text of `README.md`.
fn card(domain: Domain, sets: &[Set]) -> String {
    let kind = domain.dataset();
    let mut configs = String::new();
    let mut table = String::new();
    for set in sets {
        let split = if set.name == "train" { "train" } else { "test" };
        let _ = write!(
            configs,
            "  - config_name: {name}\n    data_files:\n      - split: {split}\n        path: {name}.jsonl\n",
            name = set.name
        );
        let _ = writeln!(table, "| `{}` | {} | {} |", set.name, set.tasks(), set.about);
    }
    let first = sets.first().map_or("core", |set| &set.name);
    format!(
        "\
---
pretty_name: {kind}
configs:
{configs}---

# {kind}

Made by `objalign generate {kind}`. Every parameter and the SHA-256 of every file is in `manifest.json`; `objalign verify DIR` makes
each task again and measures its reference.

| set | tasks | what |
|---|---|---|
{table}
Each row is a task: the `prompt` is for a model, the `reference` a completion that is right in everything. Rows of completions,
`{{\"id\", \"completion\"}}`, are measured by

```sh
objalign scd --tasks DIR/{first}.jsonl --completions completions.jsonl
```

```python
datasets.load_dataset(\"DIR\", \"{first}\")
```
"
    )
}

/// The source of a manifest's tasks; `None` if it is of no kind of tasks.
fn source(manifest: &Manifest) -> Option<Result<Box<dyn TaskSource>, ManifestError>> {
    fn config<P: serde::de::DeserializeOwned>(value: &serde_json::Value) -> Result<P, ManifestError> {
        serde_path_to_error::deserialize(value)
            .map_err(|error| ManifestError::Malformed(format!("`config.{}`: {}", error.path(), error.inner())))
    }
    let impossible = |error| ManifestError::Malformed(format!("`config`: {error}"));
    match manifest.dataset.as_str() {
        "scd-json" => Some(config(&manifest.config).and_then(|params| {
            let source = ScdJson::new(params).map_err(impossible)?;
            Ok(Box::new(source) as Box<dyn TaskSource>)
        })),
        "scd-table" => Some(config(&manifest.config).and_then(|params| {
            let source = Tables::new(params).map_err(impossible)?;
            Ok(Box::new(source) as Box<dyn TaskSource>)
        })),
        _ => None,
    }
}

/// Checks a directory, if it is one of task sets: each file has its size and hash; each task is what its generator makes of its
/// id alone, and passes [`check`]; no two are the same. `progress` hears of tasks that are done.
pub(crate) fn verify(
    directory: &Path,
    manifest: &Manifest,
    mut progress: impl FnMut(usize),
) -> Option<Result<Verified, ManifestError>> {
    let source = match source(manifest)? {
        Ok(source) => source,
        Err(error) => return Some(Err(error)),
    };
    let mut verified = Verified::default();
    verified.compare_files(directory, manifest);
    let mut contents = HashMap::new();
    for (set, conditions) in &manifest.rows {
        let file = format!("{set}.jsonl");
        let lines = match File::open(directory.join(&file)) {
            Ok(opened) => BufReader::with_capacity(1 << 16, opened).lines(),
            Err(error) => {
                let message = format!("cannot be read: {error}");
                verified.add(Problem { file: file.clone(), row: None, message });
                continue;
            }
        };
        let mut lines = lines.peekable();
        let mut rows = 0;
        while lines.peek().is_some() {
            let chunk: Vec<_> = lines.by_ref().take(CHUNK).collect();
            let checked: Vec<Result<TaskRow, String>> = chunk
                .into_par_iter()
                .map(|line| line.map_err(|error| format!("cannot be read: {error}")))
                .map(|line| checked(source.as_ref(), set, &line?))
                .collect();
            progress(checked.len());
            for outcome in checked {
                rows += 1;
                let problem = match outcome {
                    Err(message) => Some(message),
                    Ok(row) => contents
                        .insert(content(&row), row.id.clone())
                        .map(|other| format!("{}: is the same task as {other}", row.id)),
                };
                if let Some(message) = problem {
                    verified.add(Problem { file: file.clone(), row: Some(rows), message });
                }
            }
        }
        verified.rows += rows;
        let expected: u64 = conditions.values().sum();
        if rows != expected {
            let message = format!("{rows} rows; the manifest says {expected}");
            verified.add(Problem { file, row: None, message });
        }
    }
    Some(Ok(verified))
}

fn checked(source: &dyn TaskSource, set: &str, text: &str) -> Result<TaskRow, String> {
    let row: TaskRow = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let id = &row.id;
    check(&row).map_err(|message| format!("{id}: {message}"))?;
    if let Question::Table { table, targets } = &row.question {
        super::table::check(table, targets).map_err(|message| format!("{id}: {message}"))?;
    }
    let of_set = id.strip_prefix(source.domain().name()).and_then(|rest| rest.strip_prefix('/'));
    let of_set = of_set.and_then(|rest| rest.strip_prefix(set)).is_some_and(|rest| rest.starts_with('/'));
    let again = source.again(&row).filter(|_| of_set).ok_or_else(|| format!("{id}: is no id of this set"))?;
    if line(&again) != text {
        return Err(format!("{id}: is not what the generator makes of its id"));
    }
    Ok(row)
}
