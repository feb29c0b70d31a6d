//! Flags and help: the command itself, and a file for each subcommand.

mod aligning;
mod apply;
mod check;
mod corrupt;
mod diff;
mod feedback;
mod generate;
mod probe;
mod reproduce;
mod scd;
mod score;
mod verify;
mod wording;

pub(crate) use apply::Apply;
pub(crate) use check::Check;
pub(crate) use corrupt::Corrupt;
pub(crate) use diff::Diff;
pub(crate) use feedback::Feedback;
pub(crate) use generate::{Generate, JsonTasks, Kind, Making, TaskMaking};
pub(crate) use probe::Probe;
pub(crate) use reproduce::{Reproduce, StudyName, Sweep};
pub(crate) use scd::Scd;
pub(crate) use score::Score;
pub(crate) use verify::Verify;
pub(crate) use wording::Wording;

use clap::{Parser, Subcommand, ValueEnum};

/// Score JSON values against references, under a schema that says how.
#[derive(Parser)]
#[command(name = "objalign", version, after_help = HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const HELP: &str = "\
Examples:
  objalign reproduce intrinsic
  objalign score --pairs examples/pairs.jsonl
  objalign score --schema schema.jsonc gold.json pred.json
  objalign feedback --schema schema.jsonc gold.json pred.json
  objalign check examples/invoice.jsonc
  objalign generate org2graph --config configs/org2graph-pn.toml --out data/pn";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Score a file of pairs, or one pair of files
    Score(Score),
    /// Put pairs that exist to the score: is it invariant, sensitive, aware of order?
    Probe(Probe),
    /// Reproduce a study of a paper, from nothing to figures
    Reproduce(Reproduce),
    /// Run a study at each point of a grid, and tabulate what comes out
    Sweep(Sweep),
    /// Say what a schema means to the scorer, or what is wrong with it
    Check(Check),
    /// Show two documents side by side: what was paired with what
    Diff(Diff),
    /// Say what to change in a candidate, the costliest first
    Feedback(Feedback),
    /// Carry out repairs: the repaired candidate
    Apply(Apply),
    /// Make a data set whose right answers are known
    Generate(Generate),
    /// Damage the golds of a data set, in known doses
    Corrupt(Corrupt),
    /// Check a generated data set: hashes, and that its texts say its golds
    Verify(Verify),
    /// Measure structure and content of completions, apart
    Scd(Scd),
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ColorName {
    Auto,
    Always,
    Never,
}

impl From<ColorName> for anstream::ColorChoice {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::Auto => Self::Auto,
            ColorName::Always => Self::Always,
            ColorName::Never => Self::Never,
        }
    }
}
