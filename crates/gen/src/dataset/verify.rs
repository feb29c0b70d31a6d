//! Whether a data set is what its manifest says, and whether its texts say its golds.
//!
//! Each file has its size and hash. Each row has a text that, read by the sentences alone, says its gold; is what the generator
//! makes of its index, made alone; and is about something that no other row is about. Rows are read a chunk at a time and checked in
//! parallel.

use super::manifest::{Digested, Manifest, ManifestError};
use super::rows::{Form, Row, line};
use super::source::Source;
use super::split::{Split, fingerprint};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::Path;

/// How many rows are in memory at a time.
const CHUNK: usize = 1024;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The row, counted from 1, where it is a row that is wrong.
    pub row: Option<u64>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.row {
            Some(row) => write!(f, "{}: row {row}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many rows were read.
    pub rows: u64,
    /// How many files were compared with their hashes.
    pub files: usize,
    /// How many problems there are.
    pub wrong: u64,
    /// The first of them.
    pub problems: Vec<Problem>,
}

/// How many problems are told.
const TOLD: usize = 20;

impl Verified {
    /// Compares each file with its hash.
    pub(crate) fn compare_files(&mut self, directory: &Path, manifest: &Manifest) {
        for (name, expected) in &manifest.files {
            self.files += 1;
            let problem = |message: String| Problem { file: name.clone(), row: None, message };
            match Digested::of(&directory.join(name)) {
                Err(error) => self.add(problem(format!("cannot be read: {error}"))),
                Ok(found) if found != *expected => {
                    self.add(problem(format!("the SHA-256 is {}, not {}", found.sha256, expected.sha256)));
                }
                Ok(_) => {}
            }
        }
    }

    pub(crate) fn add(&mut self, problem: Problem) {
        self.wrong += 1;
        if self.problems.len() < TOLD {
            self.problems.push(problem);
        }
    }
}

/// Checks a directory. `forms` are those that its rows may have; `progress` hears of rows that are done.
///
/// # Errors
///
/// It is no data set. What is wrong with one is in the result.
pub fn verify(directory: &Path, forms: &[Form], mut progress: impl FnMut(usize)) -> Result<Verified, ManifestError> {
    let manifest = Manifest::read(directory)?;
    if let Some(verified) = crate::scd::directory::verify(directory, &manifest, &mut progress) {
        return verified;
    }
    let source = manifest.source()?;
    let form = forms.iter().find(|form| form.extension == manifest.format).ok_or_else(|| {
        ManifestError::Malformed(format!("`format`: \"{}\" is none that can be read here", manifest.format))
    })?;
    let mut verified = Verified::default();
    verified.compare_files(directory, &manifest);
    let mut contents = HashMap::new();
    for split in Split::ALL {
        let file = format!("{}.{}", split.name(), form.extension);
        let before = verified.rows;
        match (form.read)(&directory.join(&file)) {
            Err(error) => {
                verified.add(Problem { file: file.clone(), row: None, message: format!("cannot be read: {error}") });
            }
            Ok(mut lines) => loop {
                let chunk: Vec<_> = lines.by_ref().take(CHUNK).collect();
                if chunk.is_empty() {
                    break;
                }
                let checked: Vec<Result<Checked, String>> = chunk
                    .into_par_iter()
                    .map(|line| line.map_err(|error| format!("cannot be read: {error}")))
                    .map(|line| check(source.as_ref(), &line?))
                    .collect();
                progress(checked.len());
                for outcome in checked {
                    verified.rows += 1;
                    let row = verified.rows - before;
                    let mut tell = |message| verified.add(Problem { file: file.clone(), row: Some(row), message });
                    match outcome {
                        Err(message) => tell(message),
                        Ok(Checked { content, id }) => {
                            let place = format!("{file}, {id}");
                            if let Some(other) = contents.insert(content, place) {
                                tell(format!("{id}: is about the same as a row of {other}"));
                            }
                        }
                    }
                }
            },
        }
        let expected: u64 = manifest.rows.get(split.name()).into_iter().flat_map(|strata| strata.values()).sum();
        if verified.rows - before != expected {
            let message = format!("{} rows; the manifest says {expected}", verified.rows - before);
            verified.add(Problem { file, row: None, message });
        }
    }
    Ok(verified)
}

struct Checked {
    content: u128,
    id: String,
}

fn check(source: &dyn Source, text: &str) -> Result<Checked, String> {
    let row = Row::parse(text)?;
    let id = row.id.as_str().ok_or("\"id\" must be a string")?;
    source.check(&row.context, &row.gold).map_err(|message| format!("{id}: {message}"))?;
    let index = id.rsplit_once('-').and_then(|(_, index)| index.parse().ok());
    let alone = index.map(|index| source.example(index)).filter(|alone| alone.id == id);
    let alone = alone.ok_or_else(|| format!("{id}: is no id of this data set"))?;
    if line(&alone) != text {
        return Err(format!("{id}: is not what the generator makes of its index"));
    }
    Ok(Checked { content: fingerprint(&alone.content), id: alone.id })
}
