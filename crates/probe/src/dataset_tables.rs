//! Data sets as Parquet: columns `id`, `context`, `gold`, `parameters`, all text, the last two JSON.
//!
//! Rows are written and read in groups, so memory does not grow with their number; the groups depend on the rows alone, and so do the
//! bytes of the file.

use objalign_gen::dataset::rows::{Form, Lines, RowWriter, line};
use objalign_gen::dataset::source::Example;
use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{
    Column, DataFrame, DataType, Field, ParquetReader, ParquetWriter, PolarsError, Schema, SerReader, StringChunked,
};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Parquet files of rows.
pub const PARQUET: Form = Form { extension: "parquet", create, read };

/// The rows of a group, read or written.
const GROUP: usize = 1 << 13;
const COLUMNS: [&str; 4] = ["id", "context", "gold", "parameters"];

fn failed(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => io::Error::new(error.kind(), error.to_string()),
        other => io::Error::other(other.to_string()),
    }
}

fn create(file: File) -> io::Result<Box<dyn RowWriter>> {
    let schema: Schema = COLUMNS.map(|name| Field::new(name.into(), DataType::String)).into_iter().collect();
    let batches = ParquetWriter::new(file).set_parallel(false).batched(&schema).map_err(failed)?;
    Ok(Box::new(Table { batches, columns: Default::default() }))
}

struct Table {
    batches: BatchedWriter<File>,
    columns: [Vec<String>; 4],
}

impl Table {
    fn flush(&mut self) -> io::Result<()> {
        let columns = std::mem::take(&mut self.columns);
        let height = columns[0].len();
        if height == 0 {
            return Ok(());
        }
        let columns = COLUMNS.into_iter().zip(columns).map(|(name, values)| Column::new(name.into(), values));
        let frame = DataFrame::new(height, columns.collect()).map_err(failed)?;
        self.batches.write_batch(&frame).map_err(failed)
    }
}

impl RowWriter for Table {
    fn write(&mut self, example: &Example) -> io::Result<()> {
        let values = [&example.id, &example.context, &example.gold, &example.parameters];
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value.clone());
        }
        if self.columns[0].len() >= GROUP { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()?;
        self.batches.finish().map_err(failed)?;
        Ok(())
    }
}

fn read(path: &Path) -> io::Result<Lines> {
    // What is no Parquet is found out here, not at the first row.
    File::open(path)?;
    let mut groups = Groups { path: path.to_owned(), next: 0, rows: Vec::new().into_iter() };
    groups.refill()?;
    Ok(Box::new(groups))
}

/// The rows of a file, a group in memory at a time.
struct Groups {
    path: PathBuf,
    next: usize,
    rows: std::vec::IntoIter<String>,
}

impl Groups {
    fn refill(&mut self) -> io::Result<()> {
        let reader = ParquetReader::new(File::open(&self.path)?).with_slice(Some((self.next, GROUP)));
        let frame = reader.finish().map_err(failed)?;
        self.next += frame.height();
        let mut columns = Vec::with_capacity(COLUMNS.len());
        for name in COLUMNS {
            columns.push(frame.column(name).and_then(Column::str).map_err(failed)?);
        }
        let text = |column: &StringChunked, row| column.get(row).unwrap_or("null").to_owned();
        let rows: Vec<String> = (0..frame.height())
            .map(|row| {
                line(&Example {
                    id: text(columns[0], row),
                    context: text(columns[1], row),
                    gold: text(columns[2], row),
                    parameters: text(columns[3], row),
                    content: String::new(),
                    stratum: 0,
                })
            })
            .collect();
        self.rows = rows.into_iter();
        Ok(())
    }
}

impl Iterator for Groups {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rows.len() == 0
            && let Err(error) = self.refill()
        {
            return Some(Err(error));
        }
        self.rows.next().map(Ok)
    }
}
