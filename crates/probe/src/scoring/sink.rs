//! Outcomes to bytes: the formats behind one trait, and the first of them, JSON lines.
//!
//! A line is `{"id", "score", "warnings", "error"}`, always all four, then `confidence`, `explain`, `feedback` and
//! `repairs` where asked for.
//! Scores are written with as many digits as it takes to read the same bits back.

use super::outcome::Outcome;
use super::table::{Csv, Parquet};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::{self, Write};
use std::path::Path;

/// How outcomes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a header.
    Csv,
    /// A Parquet file.
    Parquet,
}

impl Format {
    /// The format that a file's extension asks for.
    ///
    /// ```
    /// use objalign_probe::scoring::sink::Format;
    ///
    /// assert_eq!(Format::of_path("scores.parquet".as_ref()), Some(Format::Parquet));
    /// assert_eq!(Format::of_path("scores".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// What is written beside the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "columns, each there or not")]
pub struct Columns {
    /// The confidence.
    pub confidence: bool,
    /// The match tree.
    pub explain: bool,
    /// What to change, in words.
    pub feedback: bool,
    /// The operations that repair the candidate.
    pub repairs: bool,
}

/// Outcomes that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The table could not be made.
    #[error("cannot make the table: {0}")]
    Table(String),
}

impl From<SinkError> for io::Error {
    fn from(error: SinkError) -> Self {
        match error {
            SinkError::Io(error) => error,
            SinkError::Table(_) => Self::other(error),
        }
    }
}

/// Takes outcomes in order.
pub trait Sink {
    /// Writes some more.
    ///
    /// # Errors
    ///
    /// The writer fails.
    fn write(&mut self, outcomes: &[Outcome]) -> Result<(), SinkError>;

    /// Writes what is still held back, and what ends the file. Without any outcome the file is valid, and empty. A writer
    /// with a buffer of its own is left to its owner to flush.
    ///
    /// # Errors
    ///
    /// The writer fails.
    fn finish(self: Box<Self>) -> Result<(), SinkError>;
}

/// The sink of a format.
///
/// # Errors
///
/// The writer fails.
pub fn open<'w>(format: Format, columns: Columns, writer: impl Write + 'w) -> Result<Box<dyn Sink + 'w>, SinkError> {
    Ok(match format {
        Format::Jsonl => Box::new(Jsonl { writer, columns }),
        Format::Csv => Box::new(Csv::new(writer, columns)?),
        Format::Parquet => Box::new(Parquet::new(writer, columns)?),
    })
}

struct Jsonl<W> {
    writer: W,
    columns: Columns,
}

struct Line<'a> {
    outcome: &'a Outcome,
    columns: Columns,
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Outcome { id, score, warnings, error, confidence, explain, feedback, repairs, .. } = self.outcome;
        let warnings: Vec<Told<'_>> = warnings
            .iter()
            .map(|warning| Told { kind: warning.kind(), path: warning.path(), message: warning.to_string() })
            .collect();
        let mut line = serializer.serialize_map(None)?;
        line.serialize_entry("id", id)?;
        line.serialize_entry("score", score)?;
        line.serialize_entry("warnings", &warnings)?;
        line.serialize_entry("error", error)?;
        if self.columns.confidence {
            line.serialize_entry("confidence", confidence)?;
        }
        if self.columns.explain {
            line.serialize_entry("explain", explain)?;
        }
        if self.columns.feedback {
            line.serialize_entry("feedback", feedback)?;
        }
        if self.columns.repairs {
            line.serialize_entry("repairs", repairs)?;
        }
        line.end()
    }
}

#[derive(serde::Serialize)]
struct Told<'a> {
    kind: &'static str,
    path: &'a str,
    message: String,
}

impl<W: Write> Sink for Jsonl<W> {
    fn write(&mut self, outcomes: &[Outcome]) -> Result<(), SinkError> {
        for outcome in outcomes {
            let line = Line { outcome, columns: self.columns };
            serde_json::to_writer(&mut self.writer, &line).map_err(io::Error::from)?;
            self.writer.write_all(b"\n")?;
        }
        self.writer.flush()?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), SinkError> {
        Ok(())
    }
}
