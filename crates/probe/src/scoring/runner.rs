//! Lines to outcomes: read in chunks, scored in parallel, handed on in the order of the input.
//!
//! Memory does not grow with the number of rows: at any time there are two chunks, one being scored while the next is read and
//! the outcomes of the last are written. A row that fails has its error in place, and the run goes on. The outcomes are
//! the same for any number of threads.

use super::outcome::Outcome;
use super::plans::{Compiled, Plans};
use super::row::Row;
use super::sink::SinkError;
use objalign_core::{Aligner, Options, Plan};
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A chunk ends at this many rows or bytes, whichever comes first.
const CHUNK_ROWS: usize = 512;
const CHUNK_BYTES: usize = 4 << 20;

/// Aligners of inline schemas that one thread keeps at a time; each has a memory of its own.
const KEPT_ALIGNERS: usize = 8;

/// Far more than documents of the greatest depth need, also in a debug build.
const STACK_BYTES: usize = 16 << 20;

/// How to run.
#[derive(Debug, Clone)]
pub struct Setup<'p> {
    /// The plan for rows that bring no schema.
    pub plan: Option<&'p Plan>,
    /// How to align.
    pub options: Options,
    /// Whether outcomes carry the match tree.
    pub explain: bool,
    /// Over how many threads the rows are spread.
    pub threads: NonZeroUsize,
}

/// Why a run ended before its input did. Outcomes handed on by then are good.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The input could not be read further.
    #[error("cannot be read after line {line}: {source}")]
    Read {
        /// The last line that was read.
        line: usize,
        /// Why.
        source: io::Error,
    },
    /// The outcomes could not be handed on.
    #[error(transparent)]
    Write(#[from] SinkError),
}

/// Scores every row of `input`, and hands the outcomes to `emit` in the order of the rows. Blank lines are no rows.
///
/// Input is read a few hundred rows ahead, so `emit` sees nothing of a slow input until that many came or it ends.
///
/// # Errors
///
/// Only where the run cannot go on: see [`RunError`]. What is wrong with a row is in its outcome.
pub fn run(
    input: impl BufRead,
    setup: &Setup<'_>,
    mut emit: impl FnMut(Vec<Outcome>) -> Result<(), SinkError>,
) -> Result<(), RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(setup.threads.get()).stack_size(STACK_BYTES).build()?;
    let mut scorer = Scorer::new(setup, &pool);
    let mut lines = Lines { input, line: 0, fault: None };
    let mut finished = Vec::new();
    let mut chunk = lines.chunk();
    while !chunk.is_empty() {
        let mut outcomes = Vec::new();
        let (emitted, next) = pool.in_place_scope(|scope| {
            scope.spawn(|_| outcomes = scorer.score(&chunk));
            (emit(std::mem::take(&mut finished)), lines.chunk())
        });
        emitted?;
        (finished, chunk) = (outcomes, next);
    }
    emit(finished)?;
    match lines.fault {
        Some(source) => Err(RunError::Read { line: lines.line, source }),
        None => Ok(()),
    }
}

struct Line {
    number: usize,
    bytes: Vec<u8>,
}

struct Lines<R> {
    input: R,
    line: usize,
    fault: Option<io::Error>,
}

impl<R: BufRead> Lines<R> {
    /// The next lines that are not blank; none at the end of the input, or where it cannot be read.
    fn chunk(&mut self) -> Vec<Line> {
        let (mut chunk, mut size) = (Vec::new(), 0);
        while chunk.len() < CHUNK_ROWS && size < CHUNK_BYTES && self.fault.is_none() {
            let mut bytes = Vec::new();
            match self.input.read_until(b'\n', &mut bytes) {
                Ok(0) => break,
                // A line cut short by the fault is not scored: what is left of it might look like a whole row.
                Err(fault) => self.fault = Some(fault),
                Ok(_) => {
                    self.line += 1;
                    if self.line == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
                        bytes.drain(..3);
                    }
                    while bytes.last().is_some_and(u8::is_ascii_whitespace) {
                        bytes.pop();
                    }
                    if !bytes.iter().all(u8::is_ascii_whitespace) {
                        size += bytes.len();
                        chunk.push(Line { number: self.line, bytes });
                    }
                }
            }
        }
        chunk
    }
}

/// What lives as long as the run: plans, and for each thread an aligner of the run's own plan.
struct Scorer<'p> {
    setup: Setup<'p>,
    plans: Plans,
    aligners: Vec<Mutex<Option<Aligner<'p>>>>,
}

impl<'p> Scorer<'p> {
    fn new(setup: &Setup<'p>, pool: &ThreadPool) -> Self {
        let aligners = (0..pool.current_num_threads()).map(|_| Mutex::new(None)).collect();
        Self { setup: setup.clone(), plans: Plans::default(), aligners }
    }

    fn score(&mut self, chunk: &[Line]) -> Vec<Outcome> {
        let rows: Vec<_> = chunk.par_iter().map(|line| (line.number, Row::parse(&line.bytes))).collect();
        let texts = rows.iter().filter_map(|(_, row)| row.as_ref().ok()?.schema).collect();
        let plans = self.plans.resolve(texts);
        let own: Vec<_> = self.aligners.iter().map(|_| Mutex::new(BTreeMap::new())).collect();
        rows.into_par_iter()
            .map(|(line, row)| match row {
                Ok(row) => {
                    let id = row.id.clone();
                    self.score_row(&row, &plans, &own)
                        .unwrap_or_else(|error| Outcome::failed(id, format!("line {line}: {error}")))
                }
                Err(error) => Outcome::failed(error.id, format!("line {line}: {}", error.message)),
            })
            .collect()
    }

    fn score_row<'c>(
        &self,
        row: &Row<'c>,
        plans: &'c BTreeMap<&'c str, Compiled>,
        own: &[Mutex<BTreeMap<&'c str, Aligner<'c>>>],
    ) -> Result<Outcome, String> {
        let thread = rayon::current_thread_index().unwrap_or_default();
        let Some(text) = row.schema else {
            let plan = self.setup.plan.ok_or("the row has no \"schema\", and the run has none for all rows")?;
            let mut aligner = locked(&self.aligners[thread]);
            let outcome = align(
                aligner.get_or_insert_with(|| Aligner::with_options(plan, self.setup.options)),
                row,
                None,
                self.setup.explain,
            );
            return outcome.unwrap_or_else(|panic| {
                *aligner = None;
                Err(panic)
            });
        };
        let plan = match plans.get(text).map(|compiled| &**compiled) {
            Some(Ok(plan)) => plan,
            Some(Err(error)) => return Err(error.clone()),
            None => return Err("the schema was lost".to_owned()),
        };
        let mut aligners = locked(&own[thread]);
        if aligners.len() >= KEPT_ALIGNERS && !aligners.contains_key(text) {
            aligners.clear();
        }
        let aligner = aligners.entry(text).or_insert_with(|| Aligner::with_options(plan, self.setup.options));
        align(aligner, row, Some(plan), self.setup.explain).unwrap_or_else(|panic| {
            aligners.clear();
            Err(panic)
        })
    }
}

/// A thread only ever takes its own lock, and nothing panics under it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The outer error is that of a panic, after which the aligner is not to be used again: a fault of this program must not
/// cost the rows that are done and those that are still to come.
fn align(
    aligner: &mut Aligner<'_>,
    row: &Row<'_>,
    own_plan: Option<&Plan>,
    explain: bool,
) -> Result<Result<Outcome, String>, String> {
    catch_unwind(AssertUnwindSafe(|| {
        let alignment = aligner.align(&row.gold, &row.pred).map_err(|error| error.to_string())?;
        let mut outcome = Outcome::scored(row.id.clone(), &alignment, explain).map_err(|error| error.to_string())?;
        outcome.warnings.extend_from_slice(own_plan.map(Plan::warnings).unwrap_or_default());
        Ok(outcome)
    }))
    .map_err(|_| "the scorer failed on this pair; this is a fault of the program, please report the row".to_owned())
}
