//! One task as a row: what is asked, the prompt that asks it, and an answer that is right in everything.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A task. Its JSON line is what `objalign scd --tasks` reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// What it is called: domain, set, condition and index, by which it can be made again alone.
    pub id: String,
    /// Trees or grids.
    pub domain: Domain,
    /// How complex it is: `S`, `M` or `L`; `train` for what is learnt from, `real` for schemas that were given.
    pub level: String,
    /// The condition of an ablation, such as `depth=2`. Its tasks are summarised under it and not under their level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ablation: Option<String>,
    /// The seed of the whole set.
    pub seed: u64,
    /// What is asked.
    #[serde(flatten)]
    pub question: Question,
    /// The text for a model.
    pub prompt: String,
    /// A completion that scores `FmtOK` = SCR = VPA = VP = 1.
    pub reference: String,
}

/// Where values have to be put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// At paths of a JSON object.
    Json,
    /// In cells of a table.
    Table,
}

impl Domain {
    /// What ids begin with: `json` or `table`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Table => "table",
        }
    }

    /// The kind of data set: `scd-json`.
    pub fn dataset(self) -> String {
        format!("scd-{}", self.name())
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Question {
    /// An object that conforms to a schema and has some values at given paths.
    Json {
        /// JSON Schema 2020-12.
        schema: Value,
        /// What must be where.
        planted: Vec<Planted>,
    },
    /// Rows of a table, each with one cell changed.
    Table {
        /// The whole table, HTML.
        table: String,
        /// What to change.
        targets: Vec<Target>,
    },
}

/// A value and its path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planted {
    /// As [`objalign_core::scd::Path`] is written: `$.root.left.code`.
    pub path: String,
    /// A string or a number that is unique in its task.
    pub value: Value,
}

/// A cell and its new text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The key of the row in the answer: `T1`.
    pub id: String,
    /// The row as the table has it, HTML.
    pub html: String,
    /// Which cell of that row, counted from 0.
    pub cell: usize,
    /// The text that belongs there.
    pub value: String,
    /// How the prompt names the cell, without ambiguity: section, record of a block, label.
    pub address: String,
}
