//! The flags of `verify`.

use clap::Args;
use std::path::PathBuf;

const HELP: &str = "\
Each file is compared with its hash; each text is read by its sentences alone and compared with its gold; each
instance is made again alone; no two rows may be about the same. Of tasks, each reference must score 1 in everything,
and each address in a table must lead to its one cell.
Exit code: 0 all is well, 1 something is wrong, 2 it is no data set of `generate`.

Example:
  objalign verify data/pn";

/// Check a generated data set: hashes, and that its texts say its golds
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Verify {
    /// The data set
    pub(crate) directory: PathBuf,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
}
