//! The flags of `reproduce` and of `sweep`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

const REPRODUCE_HELP: &str = "\
intrinsic: generate golds, corrupt them, score the pairs, probe the scores, report.
scd: generate tasks, complete them by simulated models, measure, probe the measures, report.
What has not changed since the last run is not done again; a run that was cut short goes on where it was.
Exit code: 0 done, 2 the call is wrong or the run could not finish.

Examples:
  objalign reproduce intrinsic
  objalign reproduce intrinsic --config mine.toml --out results/mine
  objalign reproduce scd";

/// Reproduce a study of a paper, from nothing to figures
#[derive(Args)]
#[command(after_help = REPRODUCE_HELP)]
pub(crate) struct Reproduce {
    /// Which study
    pub(crate) study: StudyName,
    /// What differs from configs/STUDY.toml, a TOML file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The folder of the study [default: results/STUDY]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum StudyName {
    /// Is a score invariant, sensitive, aware of order? (Object Aligner)
    Intrinsic,
    /// Is it wrong, or in the wrong place? (Structure-Content Decomposition)
    Scd,
}

impl StudyName {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Intrinsic => "intrinsic",
            Self::Scd => "scd",
        }
    }
}

const SWEEP_HELP: &str = "\
The config is that of `reproduce` with a table [ablation]: grid (lists of values by key), figures (paths in
summary.json), published (count how often the published figures lie inside), caption.
Exit code: 0 done, 2 the call is wrong or the run could not finish.

Example:
  objalign sweep configs/ablation-twins.toml";

/// Run a study at each point of a grid, and tabulate what comes out
#[derive(Args)]
#[command(after_help = SWEEP_HELP)]
pub(crate) struct Sweep {
    /// What is varied, a TOML file
    pub(crate) config: PathBuf,
    /// The folder of the tables [default: results/ and the name of the config]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
}
