//! Pairs to scores, in parallel and in order.
//!
//! The documents of a chunk are gone when its scores are there: memory grows with the facts alone. A row that cannot be scored
//! (its gold does not fit the schema, say) keeps its place with the reason, and takes no part in the figures; a line that is
//! no row ends the run, since nothing after it can be trusted to be one.

use super::rows::{Facts, PairRow, Probe};
use super::scorers::{Bench, Scorers, kendall_distance, labels};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

const CHUNK_ROWS: usize = 2048;
const CHUNK_BYTES: usize = 16 << 20;
/// How many rows one thread takes at a time, at most: few enough that all threads are done at about the same time, and enough
/// that a gold, whose rows mostly stand together, is read once for many of them.
const TASK_ROWS: usize = 32;
/// Far more than documents of the greatest depth need, also in a debug build.
const STACK_BYTES: usize = 16 << 20;

/// A row with its scores.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredRow {
    /// What it says about itself.
    pub facts: Facts,
    /// The index of its gold, counted by first appearance.
    pub gold: u32,
    /// A score by each scorer, or why there is none.
    pub scores: Result<Vec<f64>, String>,
}

/// The rows of a file with their scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// The names of the scorers, in the order of the scores.
    pub scorers: Vec<String>,
    /// The rows, in the order of the file.
    pub rows: Vec<ScoredRow>,
}

impl Scored {
    /// Rows that could not be scored, with the reasons.
    pub fn failed(&self) -> impl Iterator<Item = (&Facts, &str)> {
        self.rows.iter().filter_map(|row| Some((&row.facts, row.scores.as_ref().err()?.as_str())))
    }

    /// The rows that have scores, with them.
    pub fn good(&self) -> impl Iterator<Item = (&ScoredRow, &[f64])> {
        self.rows.iter().filter_map(|row| Some((row, row.scores.as_ref().ok()?.as_slice())))
    }
}

/// Why there are no scores.
#[derive(Debug, thiserror::Error)]
pub enum PairsError {
    /// There is nothing in the file.
    #[error("has no rows; the {probe} probe needs rows of {columns}, one JSON object a line")]
    Empty {
        /// What the rows were wanted for.
        probe: &'static str,
        /// What they would be made of.
        columns: String,
    },
    /// A line is no row of this probe.
    #[error("line {line}: {reason}")]
    Row {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The file could not be read further.
    #[error("cannot be read after line {line}: {source}")]
    Read {
        /// The last line that was read.
        line: usize,
        /// Why.
        source: io::Error,
    },
}

/// Threads with room for documents of the greatest depth; `None` is one for each core.
///
/// # Errors
///
/// They could not be started.
pub fn threads(count: Option<NonZeroUsize>) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(count.map_or(0, NonZeroUsize::get)).stack_size(STACK_BYTES).build()
}

/// Scores every row of `input`, on the threads of the current pool.
///
/// # Errors
///
/// See [`PairsError`]. What is wrong with one pair is in its row.
pub fn score(mut input: impl BufRead, probe: Probe, scorers: &Scorers) -> Result<Scored, PairsError> {
    let mut scored = Scored { scorers: scorers.names(), rows: Vec::new() };
    let mut golds: BTreeMap<String, u32> = BTreeMap::new();
    // What a thread has read and compared serves it to the end. A thread only ever takes its own lock.
    let benches: Vec<_> = (0..rayon::current_num_threads()).map(|_| Mutex::new(scorers.bench())).collect();
    let mut line = 0;
    loop {
        let chunk = chunk(&mut input, &mut line)?;
        if chunk.is_empty() {
            break;
        }
        let rows: Vec<Result<ScoredRow, PairsError>> = chunk
            .par_iter()
            .with_max_len(TASK_ROWS)
            .map(|(line, bytes)| {
                let bench = &benches[rayon::current_thread_index().unwrap_or_default()];
                score_row(*line, bytes, probe, &mut bench.lock().unwrap_or_else(PoisonError::into_inner))
            })
            .collect();
        for row in rows {
            let mut row = row?;
            let next = golds.len() as u32;
            row.gold = *golds.entry(row.facts.gold_id.clone()).or_insert(next);
            scored.rows.push(row);
        }
    }
    if scored.rows.is_empty() {
        return Err(PairsError::Empty { probe: probe.name(), columns: probe.columns().join(", ") });
    }
    Ok(scored)
}

fn chunk(input: &mut impl BufRead, line: &mut usize) -> Result<Vec<(usize, Vec<u8>)>, PairsError> {
    let (mut chunk, mut size) = (Vec::new(), 0);
    while chunk.len() < CHUNK_ROWS && size < CHUNK_BYTES {
        let mut bytes = Vec::new();
        let read = input.read_until(b'\n', &mut bytes).map_err(|source| PairsError::Read { line: *line, source })?;
        if read == 0 {
            break;
        }
        *line += 1;
        if *line == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..3);
        }
        if !bytes.trim_ascii().is_empty() {
            size += bytes.len();
            chunk.push((*line, bytes));
        }
    }
    Ok(chunk)
}

fn score_row(line: usize, bytes: &[u8], probe: Probe, bench: &mut Bench<'_>) -> Result<ScoredRow, PairsError> {
    let wrong = |reason: String| PairsError::Row { line, reason };
    let PairRow { mut facts, gold, pred } = PairRow::parse(bytes, probe).map_err(wrong)?;
    let scored = bench.against(gold, |bench, gold| {
        if probe == Probe::Order {
            settle_distance(&mut facts, &gold.value, &pred)?;
        }
        Ok(bench.score(gold, &pred).map_err(|why| format!("line {line}: {why}")))
    });
    let scores = scored.map_err(|error| wrong(error.to_string()))?.map_err(wrong)?;
    Ok(ScoredRow { facts, gold: 0, scores })
}

/// Only a candidate as long as the gold has a distance, and a permutation must have one.
fn settle_distance(facts: &mut Facts, gold: &Value, pred: &Value) -> Result<(), String> {
    let (Ok(gold), Ok(pred)) = (labels(gold), labels(pred)) else { return Ok(()) };
    if gold.len() != pred.len() {
        facts.distance = None;
    } else if facts.distance.is_none() && kendall_distance(&gold, &pred).is_some() {
        return Err("\"kendall_distance\" is null, though the candidate is a permutation of the gold".to_owned());
    }
    Ok(())
}
