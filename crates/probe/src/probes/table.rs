//! The scores of a probe as a table: what the rows say about themselves, a column for each scorer, and `error`.
//!
//! Invariance: `id, gold_id`; sensitivity: `id, gold_id, op, k, relabel`; order: `id, gold_id, family, k, kendall_distance`.

use super::rows::{Facts, Probe};
use super::scored::{Scored, ScoredRow};
use crate::scoring::sink::SinkError;
use polars::io::mmap::MmapBytesReader;
use polars::prelude::{Column, CsvWriter, DataFrame, ParquetReader, ParquetWriter, PolarsError, SerReader, SerWriter};
use std::collections::BTreeMap;
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

    /// Reads what [`Self::write_parquet`] wrote.
    ///
    /// # Errors
    ///
    /// The file is no such table.
    pub fn read_parquet(reader: impl MmapBytesReader, probe: Probe) -> Result<Scored, SinkError> {
        let frame = ParquetReader::new(reader).finish()?;
        let facts: &[&str] = match probe {
            Probe::Invariance => &["id", "gold_id"],
            Probe::Sensitivity => &["id", "gold_id", "op", "k", "relabel"],
            Probe::Order => &["id", "gold_id", "family", "k", "kendall_distance"],
        };
        let names = frame.get_column_names();
        let scorers: Vec<String> = names
            .iter()
            .map(ToString::to_string)
            .filter(|name| !facts.contains(&name.as_str()) && name != "error")
            .collect();
        let texts = |name: &str| -> Result<Vec<Option<String>>, PolarsError> {
            Ok(frame.column(name)?.str()?.iter().map(|text| text.map(str::to_owned)).collect())
        };
        let counts = |name: &str| -> Result<Vec<Option<u32>>, PolarsError> {
            if facts.contains(&name) {
                Ok(frame.column(name)?.u32()?.iter().collect())
            } else {
                Ok(vec![None; frame.height()])
            }
        };
        let (ids, gold_ids, errors) = (texts("id")?, texts("gold_id")?, texts("error")?);
        let kinds = match probe {
            Probe::Invariance => vec![None; frame.height()],
            Probe::Sensitivity => texts("op")?,
            Probe::Order => texts("family")?,
        };
        let (doses, distances) = (counts("k")?, counts("kendall_distance")?);
        let relabels: Vec<bool> = match probe {
            Probe::Sensitivity => frame.column("relabel")?.bool()?.iter().map(Option::unwrap_or_default).collect(),
            _ => vec![false; frame.height()],
        };
        let scores: Vec<Vec<Option<f64>>> = scorers
            .iter()
            .map(|name| Ok(frame.column(name)?.f64()?.iter().collect()))
            .collect::<Result<_, PolarsError>>()?;
        let mut golds: BTreeMap<String, u32> = BTreeMap::new();
        let rows = (0..frame.height()).map(|at| {
            let gold_id = gold_ids[at].clone().unwrap_or_default();
            let next = golds.len() as u32;
            let gold = *golds.entry(gold_id.clone()).or_insert(next);
            let facts = Facts {
                id: ids[at].clone().unwrap_or_default(),
                gold_id,
                kind: kinds[at].clone().unwrap_or_default(),
                k: doses[at],
                relabel: relabels[at],
                distance: distances[at],
            };
            let scores = match &errors[at] {
                Some(error) => Err(error.clone()),
                None => Ok(scores.iter().map(|column| column[at].unwrap_or_default()).collect()),
            };
            ScoredRow { facts, gold, scores }
        });
        Ok(Scored { rows: rows.collect(), scorers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let row = |id: &str, gold: u32, k, distance, scores| ScoredRow {
            facts: Facts {
                id: id.to_owned(),
                gold_id: format!("g{gold}"),
                kind: "swap".to_owned(),
                k,
                relabel: false,
                distance,
            },
            gold,
            scores,
        };
        let rows = vec![
            row("a", 0, Some(1), Some(2), Ok(vec![0.1, 1.0])),
            row("b", 1, None, None, Err("line 2: why".to_owned())),
            row("c", 0, Some(3), None, Ok(vec![0.0, 0.5])),
        ];
        let scored = Scored { scorers: vec!["x".to_owned(), "y".to_owned()], rows };
        let mut table = Table::new(Probe::Order, &scored).expect("a table");
        let (mut parquet, mut csv) = (Vec::new(), Vec::new());
        table.write_parquet(&mut parquet).expect("written");
        table.write_csv(&mut csv).expect("written");
        assert_eq!(Table::read_parquet(std::io::Cursor::new(parquet), Probe::Order).expect("read"), scored);
        let expected = "id,gold_id,family,k,kendall_distance,x,y,error\na,g0,swap,1,2,0.1,1.0,\n\
                        b,g1,swap,,,,,line 2: why\nc,g0,swap,3,,0.0,0.5,\n";
        assert_eq!(String::from_utf8(csv).expect("text"), expected);
    }
}
