//! Rows to files and back, one row a JSON line. Other forms join by [`RowWriter`] and [`Lines`]; what they carry is the same.

use super::source::Example;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Takes the rows of a file in order.
pub trait RowWriter {
    /// One more.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    fn write(&mut self, example: &Example) -> io::Result<()>;

    /// What is held back, and what ends the file.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// How rows are written, and read.
#[derive(Clone, Copy)]
pub struct Form {
    /// What file names end with, without the dot.
    pub extension: &'static str,
    /// Begins a file.
    pub create: fn(File) -> io::Result<Box<dyn RowWriter>>,
    /// Reads a file.
    pub read: fn(&Path) -> io::Result<Lines>,
}

/// Rows as JSON lines, whatever the form of their file.
pub type Lines = Box<dyn Iterator<Item = io::Result<String>> + Send>;

/// JSON lines.
pub const JSONL: Form = Form { extension: "jsonl", create: create_jsonl, read: read_jsonl };

#[expect(clippy::unnecessary_wraps, reason = "other forms can fail to begin a file")]
fn create_jsonl(file: File) -> io::Result<Box<dyn RowWriter>> {
    Ok(Box::new(Jsonl(BufWriter::with_capacity(1 << 16, file))))
}

fn read_jsonl(path: &Path) -> io::Result<Lines> {
    let file = BufReader::with_capacity(1 << 16, File::open(path)?);
    Ok(Box::new(file.lines()))
}

struct Jsonl<W: Write>(BufWriter<W>);

impl<W: Write> RowWriter for Jsonl<W> {
    fn write(&mut self, example: &Example) -> io::Result<()> {
        self.0.write_all(line(example).as_bytes())?;
        self.0.write_all(b"\n")
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// A row: `{"id", "context", "gold", "parameters"}`.
pub fn line(example: &Example) -> String {
    let Example { id, context, gold, parameters, .. } = example;
    let text = |text: &str| Value::from(text).to_string();
    let (id, context) = (text(id), text(context));
    format!("{{\"id\":{id},\"context\":{context},\"gold\":{gold},\"parameters\":{parameters}}}")
}

/// An instance as people read it: its id, its text, its gold.
pub fn shown(example: &Example) -> String {
    let gold = serde_json::from_str::<serde_json::Map<String, Value>>(&example.gold);
    // A line for each field, and in lists of objects one for each object: a whole graph fits a screen.
    let fields = gold.into_iter().flatten().map(|(key, value)| match value {
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let items: Vec<String> = items.iter().map(|item| format!("    {item}")).collect();
            format!("  {key}:\n{}\n", items.join("\n"))
        }
        other => format!("  {key}: {other}\n"),
    });
    format!("{}\n\n{}\n\n{}", example.id, example.context, fields.collect::<String>())
}

/// A row that was read. What a foreign data set has besides is left alone.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Row {
    /// What it is called: a string or an integer.
    #[serde(default)]
    pub id: Value,
    /// The text, where there is one.
    #[serde(default)]
    pub context: String,
    /// What it says.
    pub gold: Value,
}

impl Row {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub fn parse(line: &str) -> Result<Self, String> {
        let row: Self = serde_json::from_str(line).map_err(|error| error.to_string())?;
        match row.id {
            Value::Null | Value::String(_) | Value::Number(_) => Ok(row),
            _ => Err("\"id\" must be a string or an integer".to_owned()),
        }
    }
}
