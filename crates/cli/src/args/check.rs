//! The flags of `check`.

use clap::Args;
use std::path::PathBuf;

const CHECK_HELP: &str = "\
Exit code: 0 the schema is good, 1 it has mistakes, 2 it cannot be read.

Example:
  objalign check examples/invoice.jsonc";

/// Say what a schema means to the scorer, or what is wrong with it
#[derive(Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct Check {
    /// The schema (JSON, comments allowed)
    pub(crate) schema: PathBuf,
}
