//! `check`: what a schema means.

use crate::args::Check;
use crate::failure::{Failure, SOME_FAILED, tell, written};
use crate::files;
use std::io::{self, Write};
use std::process::ExitCode;

pub(crate) fn run(args: &Check) -> Result<ExitCode, Failure> {
    let plan = files::plan(&args.schema, SOME_FAILED)?;
    for warning in plan.warnings() {
        tell(format_args!("warning: {}: {warning}", args.schema.display()));
    }
    written(write!(io::stdout().lock(), "{}", plan.describe()), ExitCode::SUCCESS)
}
