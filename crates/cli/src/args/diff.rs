//! The flags of `diff`.

use super::ColorName;
use clap::Args;
use std::path::PathBuf;

const HELP: &str = "\
Marks: ~ differs, - missing, + in excess, > moved.
Exit code: 0 drawn, 1 the pair cannot be aligned, 2 the call is wrong.

Example:
  objalign diff examples/invoice.gold.json examples/invoice.pred.json -s examples/invoice.jsonc --html diff.html";

/// Show two documents side by side: what was paired with what
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Diff {
    /// The reference, a JSON file
    pub(crate) gold: PathBuf,
    /// What is compared with it, a JSON file
    pub(crate) pred: PathBuf,
    /// The schema (JSON, comments allowed)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    /// Write one self-contained HTML page instead
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// How many characters wide the drawing is [default: the terminal's width, or 120]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..))]
    pub(crate) width: Option<u16>,
    /// Whether the drawing has colours (auto: on a terminal, unless `NO_COLOR` is set)
    #[arg(long, default_value = "auto")]
    pub(crate) color: ColorName,
}
