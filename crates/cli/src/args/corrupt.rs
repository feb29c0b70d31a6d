//! The flags of `corrupt`.

use clap::Args;
use std::path::PathBuf;

const HELP: &str = "\
A row of the output: id, gold_id, gold, pred, op, k (the dose), reached, relabel, shuffle, edits; of an order
also family and kendall_distance. `score --pairs` takes it as it is, with --schema.
Exit code: 0 all done, 1 some rows failed, 2 the call is wrong or the run could not finish.

Examples:
  objalign corrupt --input data/pn --ops configs/corrupt-graph.toml --out pairs.jsonl
  objalign corrupt --input mine.jsonl --schema mine.schema.json --ops configs/corrupt-graph.toml --out -";

/// Damage the golds of a data set, in known doses
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Corrupt {
    /// A data set, or a file of rows that have a `gold`; - is standard input
    #[arg(short, long, value_name = "DATA")]
    pub(crate) input: PathBuf,
    /// The operators and their doses, TOML
    #[arg(long, value_name = "FILE")]
    pub(crate) ops: PathBuf,
    /// Where the pairs go, as JSON lines; - is standard output
    #[arg(short, long, value_name = "PAIRS")]
    pub(crate) out: PathBuf,
    /// Which split of a data set
    #[arg(long, default_value = "test")]
    pub(crate) split: String,
    /// The schema of the rows, where the data set has none
    #[arg(short, long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// The values that leaves may take, where the data set has no legend
    #[arg(long, value_name = "FILE")]
    pub(crate) legend: Option<PathBuf>,
    /// Another seed than that of --ops
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
}
