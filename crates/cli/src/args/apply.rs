//! The flags of `apply`.

use clap::Args;
use std::path::PathBuf;

const HELP: &str = "\
Repairs: a list of operations (add, remove, replace, move) as in RFC 6902, or rows of `score --repairs`.
Exit code: 0 applied, 1 an operation does not fit or a document is broken, 2 the call is wrong.

Examples:
  objalign score --pairs examples/pairs.jsonl --repairs --out scored.jsonl
  objalign apply --repairs scored.jsonl --id invoice-1 pred.json";

/// Carry out repairs: the repaired candidate
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Apply {
    /// What is repaired, a JSON file; - is standard input. The file stays as it is
    pub(crate) pred: PathBuf,
    /// The operations, in the order to apply them; - is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) repairs: PathBuf,
    /// Of scored rows, the one whose repairs are meant
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// Apply the first K operations only
    #[arg(long, value_name = "K")]
    pub(crate) first: Option<usize>,
    /// Where the repaired candidate goes; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) out: PathBuf,
}
