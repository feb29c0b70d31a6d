//! The flags of `scd`.

use clap::Args;
use std::path::PathBuf;

const HELP: &str = "\
A row of --completions: {\"id\": \"a\", \"completion\": \"...\"}, one a line; several of one id are samples.
Exit code: 0 all measured, 1 some rows failed, 2 the call is wrong or the run could not finish.

Example:
  objalign scd --tasks examples/scd/tasks.jsonl --completions examples/scd/completions.jsonl --fates";

/// Measure structure and content of completions, apart
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Scd {
    /// The tasks, one JSON object a line
    #[arg(short, long, value_name = "FILE")]
    pub(crate) tasks: PathBuf,
    /// What a model wrote, one JSON object a line; - is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) completions: PathBuf,
    /// Where the measures go, as JSON lines; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) out: PathBuf,
    /// Also write means by level or ablation, with 95 % intervals, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
    /// Say where each planted value ended up
    #[arg(long)]
    pub(crate) fates: bool,
    /// Weight of VPA in the composite reward
    #[arg(long, value_name = "W", default_value_t = 1.0)]
    pub(crate) vpa_weight: f64,
    /// Weight of SCR in the composite reward
    #[arg(long, value_name = "W", default_value_t = 0.3)]
    pub(crate) scr_weight: f64,
    /// Seed of the intervals
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
}
