//! The flags of `probe`.

use super::aligning::structure;
use clap::{Args, ValueEnum};
use objalign_core::{Options, Structure};
use objalign_probe::probes::rows::Probe as Which;
use objalign_probe::probes::scorers::is_allowed;
use std::path::PathBuf;

const PROBE_HELP: &str = "\
Columns of --pairs, one JSON object a line: id, gold_id, gold, pred, and
  sensitivity: op, k, relabel
  order: family, k, kendall_distance (exact and tau are always among the scorers)
Without --schema: ra and plain (graphs of people and companies); order: sequence and set.
Exit code: 0 all scored, 1 some rows failed, 2 the call is wrong.

Example:
  objalign probe sensitivity --pairs edits.jsonl --out results/mine --schema mine=schema.jsonc";

/// Put pairs that exist to the score: is it invariant, sensitive, aware of order?
#[derive(Args)]
#[command(after_help = PROBE_HELP)]
pub(crate) struct Probe {
    /// What to ask
    #[arg(value_name = "PROBE")]
    pub(crate) which: ProbeName,
    /// The pairs; - is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) pairs: PathBuf,
    /// The folder for scores.parquet, scores.csv and summary.json; it is made if need be
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// A scorer by name, as often as wanted; the first two are compared
    #[arg(short, long, value_name = "NAME=FILE", value_parser = named)]
    pub(crate) schema: Vec<(String, PathBuf)>,
    /// How many resamples the intervals are made of
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(crate) resamples: u32,
    /// What they are drawn from
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
    /// How references help to pair records: `tie_break`, `none`, or `blend=SHARE`
    #[arg(long, default_value = "tie_break", value_parser = structure)]
    pub(crate) structure: Structure,
    /// How many expansions the search for the best bijection may make
    #[arg(long, value_name = "N", default_value_t = Options::new().budget)]
    pub(crate) budget: u64,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ProbeName {
    Invariance,
    Sensitivity,
    Order,
}

impl From<ProbeName> for Which {
    fn from(name: ProbeName) -> Self {
        match name {
            ProbeName::Invariance => Self::Invariance,
            ProbeName::Sensitivity => Self::Sensitivity,
            ProbeName::Order => Self::Order,
        }
    }
}

fn named(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if is_allowed(name) && !file.is_empty() => Ok((name.to_owned(), file.into())),
        Some((name, file)) if !file.is_empty() => Err(format!(
            "a scorer cannot be called \"{name}\"; allowed: letters, digits, _ and -, and no name of another column"
        )),
        _ => Err("allowed: NAME=FILE".to_owned()),
    }
}
