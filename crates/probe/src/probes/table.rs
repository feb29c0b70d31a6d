//! The scores of a probe as a table: what the rows say about themselves, a column for each scorer, and `error`.
//!
//! Invariance: `id, gold_id`; sensitivity: `id, gold_id, op, k, relabel`; order: `id, gold_id, family, k, kendall_distance`.

use super::rows::Probe;
use super::scored::{Scored, ScoredRow};
use crate::scoring::sink::SinkError;
use polars::prelude::{Column, CsvWriter, DataFrame, ParquetWriter, SerWriter};
use std::io::Write;

/// The table.
#[derive(Debug)]
pub struct Table(DataFrame);

impl Table {
    /// The table of these rows.
    ///
    /// # Errors
    ///
    /// Two columns have one name: a scorer is called `id`, say.
    pub fn new(probe: Probe, scored: &Scored) -> Result<Self, SinkError> {
        let rows = &scored.rows;
        let text = |name: &str, of: &dyn Fn(&ScoredRow) -> String| {
            Column::new(name.into(), rows.iter().map(of).collect::<Vec<_>>())
        };
        let count = |name: &str, of: &dyn Fn(&ScoredRow) -> Option<u32>| {
            Column::new(name.into(), rows.iter().map(of).collect::<Vec<_>>())
        };
        let mut columns =
            vec![text("id", &|row| row.facts.id.clone()), text("gold_id", &|row| row.facts.gold_id.clone())];
        match probe {
            Probe::Invariance => {}
            Probe::Sensitivity => {
                columns.push(text("op", &|row| row.facts.kind.clone()));
                columns.push(count("k", &|row| row.facts.k));
                columns
                    .push(Column::new("relabel".into(), rows.iter().map(|row| row.facts.relabel).collect::<Vec<_>>()));
            }
            Probe::Order => {
                columns.push(text("family", &|row| row.facts.kind.clone()));
                columns.push(count("k", &|row| row.facts.k));
                columns.push(count("kendall_distance", &|row| row.facts.distance));
            }
        }
        for (at, name) in scored.scorers.iter().enumerate() {
            let scores: Vec<Option<f64>> = rows.iter().map(|row| Some(row.scores.as_ref().ok()?[at])).collect();
            columns.push(Column::new(name.as_str().into(), scores));
        }
        let errors: Vec<Option<&str>> = rows.iter().map(|row| row.scores.as_ref().err().map(String::as_str)).collect();
        columns.push(Column::new("error".into(), errors));
        Ok(Self(DataFrame::new(rows.len(), columns)?))
    }

    /// Writes it as Parquet.
    ///
    /// # Errors
    ///
    /// The writer fails.
    pub fn write_parquet(&mut self, writer: impl Write) -> Result<(), SinkError> {
        ParquetWriter::new(writer).set_parallel(false).finish(&mut self.0)?;
        Ok(())
    }

    /// Writes it as CSV.
    ///
    /// # Errors
    ///
    /// The writer fails.
    pub fn write_csv(&mut self, writer: impl Write) -> Result<(), SinkError> {
        CsvWriter::new(writer).n_threads(1).finish(&mut self.0)?;
        Ok(())
    }
}
