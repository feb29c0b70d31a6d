//! Outcomes to CSV and Parquet: columns `id`, `score`, `warnings`, `error`, then `confidence`, `explain`,
//! `feedback` and `repairs` where asked for.
//!
//! Ids are text, warnings the messages joined by "; ", the match tree and the repairs are JSON texts. Outcomes are written in groups, so memory
//! does not grow with their number; the groups depend on the outcomes alone, and so do the bytes of the file.

use super::outcome::Outcome;
use super::sink::{Columns, Sink, SinkError};
use polars::io::csv::write::BatchedWriter as CsvBatches;
use polars::io::parquet::write::BatchedWriter as ParquetBatches;
use polars::prelude::{Column, CsvWriter, DataFrame, DataType, Field, ParquetWriter, PolarsError, Schema, SerWriter};
use std::io::{self, Write};

/// A row group is as large as memory may be: readers skip and decode by the group.
const GROUP_ROWS: usize = 1 << 14;
const GROUP_BYTES: usize = 16 << 20;

impl From<PolarsError> for SinkError {
    fn from(error: PolarsError) -> Self {
        match error {
            PolarsError::IO { error, .. } => Self::Io(io::Error::new(error.kind(), error.to_string())),
            other => Self::Table(other.to_string()),
        }
    }
}

fn schema(columns: Columns) -> Schema {
    let text = |name: &str| Field::new(name.into(), DataType::String);
    let number = |name: &str| Field::new(name.into(), DataType::Float64);
    let fixed = [text("id"), number("score"), text("warnings"), text("error")];
    fixed
        .into_iter()
        .chain(columns.confidence.then(|| number("confidence")))
        .chain(columns.explain.then(|| text("explain")))
        .chain(columns.feedback.then(|| text("feedback")))
        .chain(columns.repairs.then(|| text("repairs")))
        .collect()
}

/// Outcomes, column by column.
#[derive(Default)]
struct Group {
    ids: Vec<Option<String>>,
    scores: Vec<Option<f64>>,
    warnings: Vec<Option<String>>,
    errors: Vec<Option<String>>,
    confidences: Vec<Option<f64>>,
    explanations: Vec<Option<String>>,
    feedback: Vec<Option<String>>,
    repairs: Vec<Option<String>>,
    bytes: usize,
}

impl Group {
    fn push(&mut self, outcome: &Outcome) {
        let warnings: Vec<String> = outcome.warnings.iter().map(ToString::to_string).collect();
        self.ids.push(outcome.id.as_ref().map(ToString::to_string));
        self.scores.push(outcome.score);
        self.warnings.push((!warnings.is_empty()).then(|| warnings.join("; ")));
        self.errors.push(outcome.error.clone());
        self.confidences.push(outcome.confidence);
        self.explanations.push(outcome.explain.as_ref().map(|explain| explain.get().to_owned()));
        self.feedback.push(outcome.feedback.clone());
        self.repairs.push(outcome.repairs.as_ref().map(|repairs| repairs.get().to_owned()));
        self.bytes += [&self.ids, &self.warnings, &self.errors, &self.explanations, &self.feedback, &self.repairs]
            .into_iter()
            .filter_map(|column| Some(column.last()?.as_ref()?.len()))
            .sum::<usize>();
    }

    fn is_full(&self) -> bool {
        self.ids.len() >= GROUP_ROWS || self.bytes >= GROUP_BYTES
    }

    /// The group as a frame; leaves an empty group.
    fn take(&mut self, columns: Columns) -> Result<DataFrame, PolarsError> {
        let group = std::mem::take(self);
        let height = group.ids.len();
        let mut frame = vec![
            Column::new("id".into(), group.ids),
            Column::new("score".into(), group.scores),
            Column::new("warnings".into(), group.warnings),
            Column::new("error".into(), group.errors),
        ];
        if columns.confidence {
            frame.push(Column::new("confidence".into(), group.confidences));
        }
        if columns.explain {
            frame.push(Column::new("explain".into(), group.explanations));
        }
        if columns.feedback {
            frame.push(Column::new("feedback".into(), group.feedback));
        }
        if columns.repairs {
            frame.push(Column::new("repairs".into(), group.repairs));
        }
        DataFrame::new(height, frame)
    }
}

pub(super) struct Csv<W: Write> {
    batches: CsvBatches<W>,
    columns: Columns,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(writer: W, columns: Columns) -> Result<Self, SinkError> {
        let batches = CsvWriter::new(writer).n_threads(1).batched(&schema(columns))?;
        Ok(Self { batches, columns })
    }
}

impl<W: Write> Sink for Csv<W> {
    fn write(&mut self, outcomes: &[Outcome]) -> Result<(), SinkError> {
        if outcomes.is_empty() {
            return Ok(());
        }
        let mut group = Group::default();
        for outcome in outcomes {
            group.push(outcome);
        }
        Ok(self.batches.write_batch(&group.take(self.columns)?)?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.batches.finish()?)
    }
}

pub(super) struct Parquet<W: Write> {
    batches: ParquetBatches<W>,
    columns: Columns,
    group: Group,
}

impl<W: Write> Parquet<W> {
    pub(super) fn new(writer: W, columns: Columns) -> Result<Self, SinkError> {
        // The threads belong to the scorer.
        let batches = ParquetWriter::new(writer).set_parallel(false).batched(&schema(columns))?;
        Ok(Self { batches, columns, group: Group::default() })
    }

    fn write_group(&mut self) -> Result<(), SinkError> {
        if self.group.ids.is_empty() {
            return Ok(());
        }
        Ok(self.batches.write_batch(&self.group.take(self.columns)?)?)
    }
}

impl<W: Write> Sink for Parquet<W> {
    fn write(&mut self, outcomes: &[Outcome]) -> Result<(), SinkError> {
        for outcome in outcomes {
            self.group.push(outcome);
            if self.group.is_full() {
                self.write_group()?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        self.write_group()?;
        self.batches.finish()?;
        Ok(())
    }
}
