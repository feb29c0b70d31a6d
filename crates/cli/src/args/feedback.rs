//! The flags of `feedback`.

use super::aligning::{self, Aligning};
use super::wording::{Top, Wording};
use clap::Args;
use std::path::PathBuf;

const HELP: &str = "\
The flags of `score` that say how a pair is aligned work here, too.
Exit code: 0 told, 1 the pair cannot be aligned, 2 the call is wrong.

Examples:
  objalign feedback -s examples/invoice.jsonc examples/invoice.gold.json examples/invoice.pred.json
  objalign feedback -s S.json GOLD PRED --repairs-out - | objalign apply --repairs - PRED";

/// Say what to change in a candidate, the costliest first
#[derive(Args)]
#[command(after_help = HELP, mut_args = aligning::out_of_help)]
pub(crate) struct Feedback {
    /// The reference, a JSON file
    pub(crate) gold: PathBuf,
    /// What is to be changed, a JSON file; - is standard input
    pub(crate) pred: PathBuf,
    /// The schema (JSON, comments allowed)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    /// How many fixes are shown, or all
    #[arg(long, value_name = "K", default_value = "5")]
    pub(crate) top: Top,
    /// Also write all operations as a JSON patch; - writes it instead of the text
    #[arg(long, value_name = "FILE")]
    pub(crate) repairs_out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) aligning: Aligning,
    #[command(flatten)]
    pub(crate) wording: Wording,
}
