//! The flags of `score`.

use super::ColorName;
use clap::{Args, ValueEnum};
use objalign_core::{Confidence, Invalid, Options, Structure};
use objalign_probe::scoring::sink::Format;
use std::path::PathBuf;

const SCORE_HELP: &str = "\
A row of --pairs: {\"id\": \"a\", \"gold\": ..., \"pred\": ..., \"schema\": {...}}, one a line.
Exit code: 0 all scored, 1 some rows failed, 2 the call is wrong or the run could not finish.

Examples:
  objalign score --pairs examples/pairs.jsonl --out scores.csv
  objalign score --schema invoice.jsonc gold.json pred.json";

/// Score a file of pairs, or one pair of files
#[derive(Args)]
#[command(after_help = SCORE_HELP)]
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
    /// What a candidate that does not fit the schema scores: zero, or what it is worth
    #[arg(long, default_value = "zero")]
    pub(crate) invalid: InvalidName,
    /// Measure how clear each pairing was
    #[arg(long)]
    pub(crate) confidence: Option<ConfidenceName>,
    /// How references help to pair records: `tie_break`, `none`, or `blend=SHARE` with a share from 0 to 1
    #[arg(long, default_value = "tie_break", value_parser = structure)]
    pub(crate) structure: Structure,
    /// How many expansions the search for the best bijection may make
    #[arg(long, value_name = "N", default_value_t = Options::new().budget)]
    pub(crate) budget: u64,
    /// Add the match tree as JSON
    #[arg(long)]
    pub(crate) explain: bool,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512), requires = "pairs")]
    pub(crate) threads: Option<u16>,
    /// Whether the tree has colours (auto: on a terminal, unless `NO_COLOR` is set)
    #[arg(long, default_value = "auto")]
    pub(crate) color: ColorName,
}

impl Score {
    pub(crate) fn options(&self) -> Options {
        let options = Options::new().invalid(match self.invalid {
            InvalidName::Zero => Invalid::Zero,
            InvalidName::Score => Invalid::Score,
        });
        let options = options.structure(self.structure).budget(self.budget);
        match self.confidence {
            None => options,
            Some(ConfidenceName::Margin) => options.confidence(Confidence::Margin),
            Some(ConfidenceName::Entropy) => options.confidence(Confidence::Entropy),
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

pub(super) fn structure(text: &str) -> Result<Structure, String> {
    match (text, text.strip_prefix("blend=")) {
        ("tie_break", _) => Ok(Structure::TieBreak),
        ("none", _) => Ok(Structure::None),
        (_, Some(share)) => match share.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Structure::Blend(share)),
            _ => Err("the share must be a number from 0 to 1".to_owned()),
        },
        _ => Err("allowed: tie_break, none, blend=SHARE".to_owned()),
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FormatName {
    Jsonl,
    Csv,
    Parquet,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum InvalidName {
    Zero,
    Score,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ConfidenceName {
    Margin,
    Entropy,
}
