//! Lines to outcomes, in the order of the input. A row that fails has its error in place, and the run goes on.

use super::outcome::{Extras, Outcome};
use super::plans::{Compiled, Plans};
use super::row::Row;
use super::sink::SinkError;
pub use crate::chunks::RunError;
use crate::chunks::{self, Line};
use objalign_core::{Aligner, Options, Plan};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Aligners of inline schemas that one thread keeps at a time; each has a memory of its own.
const KEPT_ALIGNERS: usize = 8;

/// How to run.
#[derive(Debug, Clone)]
pub struct Setup<'p> {
    /// The plan for rows that bring no schema.
    pub plan: Option<&'p Plan>,
    /// How to align.
    pub options: Options,
    /// What outcomes carry beside the score.
    pub extras: Extras,
    /// Over how many threads the rows are spread.
    pub threads: NonZeroUsize,
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
    let mut scorer = Scorer::new(setup);
    chunks::run(input, setup.threads, |chunk| scorer.score(chunk), &mut emit)
}

/// What lives as long as the run: plans, and for each thread an aligner of the run's own plan.
struct Scorer<'p> {
    setup: Setup<'p>,
    plans: Plans,
    aligners: Vec<Mutex<Option<Aligner<'p>>>>,
}

impl<'p> Scorer<'p> {
    fn new(setup: &Setup<'p>) -> Self {
        let aligners = (0..setup.threads.get()).map(|_| Mutex::new(None)).collect();
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
                &self.setup,
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
        align(aligner, row, Some(plan), &self.setup).unwrap_or_else(|panic| {
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
    setup: &Setup<'_>,
) -> Result<Result<Outcome, String>, String> {
    catch_unwind(AssertUnwindSafe(|| {
        let id = row.id.clone();
        let mut outcome = if !setup.extras.any() && setup.options.confidence.is_none() {
            Outcome::bare(id, &aligner.score(&row.gold, &row.pred).map_err(|error| error.to_string())?)
        } else {
            let alignment = aligner.align(&row.gold, &row.pred).map_err(|error| error.to_string())?;
            Outcome::scored(id, &alignment, &setup.extras).map_err(|error| error.to_string())?
        };
        outcome.warnings.extend_from_slice(own_plan.map(Plan::warnings).unwrap_or_default());
        Ok(outcome)
    }))
    .map_err(|_| "the scorer failed on this pair; this is a fault of the program, please report the row".to_owned())
}
