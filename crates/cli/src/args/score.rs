//! The flags of `score`.

use super::ColorName;
use super::aligning::Aligning;
use super::wording::{self, Top, Wording};
use clap::{Args, ValueEnum};
use objalign_core::Options;
use objalign_probe::scoring::sink::{Columns, Format};
use std::path::PathBuf;

const SCORE_HELP: &str = "\
A row of --pairs: {\"id\": \"a\", \"gold\": ..., \"pred\": ..., \"schema\": {...}}, one a line.
Exit code: 0 all scored, 1 some rows failed, 2 the call is wrong or the run could not finish.

Examples:
  objalign score --pairs examples/pairs.jsonl --out scores.csv
  objalign score --pairs examples/pairs.jsonl --feedback 3 --repairs
  objalign score --schema invoice.jsonc gold.json pred.json";

/// Score a file of pairs, or one pair of files
#[derive(Args)]
#[command(after_help = SCORE_HELP, mut_args = wording::out_of_help)]
pub(crate) struct Score {
    /// The reference, a JSON file
    #[arg(requires_all = ["pred", "schema"], required_unless_present = "pairs", conflicts_with = "pairs")]
    pub(crate) gold: Option<PathBuf>,
    /// What is scored, a JSON file
    pub(crate) pred: Option<PathBuf>,
    /// Rows to score, one JSON object a line; - is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// The schema (JSON, comments allowed) of the pair, or of the rows that carry none
    #[arg(short, long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Where the results go; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true, requires = "pairs")]
    pub(crate) out: PathBuf,
    /// How they are written [default: by the extension of --out, else jsonl]
    #[arg(short, long, requires = "pairs")]
    pub(crate) format: Option<FormatName>,
    #[command(flatten)]
    pub(crate) aligning: Aligning,
    /// Add the match tree as JSON
    #[arg(long)]
    pub(crate) explain: bool,
    /// Add what to change in words: the first K fixes, or all. The flags of `feedback` word it
    #[arg(long, value_name = "K")]
    pub(crate) feedback: Option<Top>,
    /// Add the operations that repair the candidate, as JSON; `apply` carries them out
    #[arg(long)]
    pub(crate) repairs: bool,
    #[command(flatten)]
    pub(crate) wording: Wording,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512), requires = "pairs")]
    pub(crate) threads: Option<u16>,
    /// Whether the tree has colours (auto: on a terminal, unless `NO_COLOR` is set)
    #[arg(long, default_value = "auto")]
    pub(crate) color: ColorName,
}

impl Score {
    pub(crate) fn options(&self) -> Options {
        self.aligning.options(self.wording.needs_confidence())
    }

    /// Whether what is written of a pair is a line of JSON.
    pub(crate) fn has_extras(&self) -> bool {
        self.explain || self.feedback.is_some() || self.repairs
    }

    pub(crate) fn columns(&self) -> Columns {
        Columns {
            confidence: self.aligning.confidence.is_some(),
            explain: self.explain,
            feedback: self.feedback.is_some(),
            repairs: self.repairs,
        }
    }

    pub(crate) fn format(&self) -> Format {
        match self.format {
            None => Format::of_path(&self.out).unwrap_or(Format::Jsonl),
            Some(FormatName::Jsonl) => Format::Jsonl,
            Some(FormatName::Csv) => Format::Csv,
            Some(FormatName::Parquet) => Format::Parquet,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FormatName {
    Jsonl,
    Csv,
    Parquet,
}
