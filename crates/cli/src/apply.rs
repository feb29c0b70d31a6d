//! `apply`: repairs carried out.

use crate::args::Apply;
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL};
use crate::files;
use crate::output::Output;
use objalign_core::apply;
use objalign_probe::scoring::patch;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Apply) -> Result<ExitCode, Failure> {
    if [&args.pred, &args.repairs].iter().all(|path| path.as_path() == Path::new("-")) {
        return Err(Failure::new(WRONG_CALL, "only one of PRED and --repairs can be standard input"));
    }
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", args.repairs.display());
    let mut repairs = patch::read(&files::bytes(&args.repairs)?, args.id.as_deref())
        .map_err(|error| Failure::new(WRONG_CALL, told(&error)))?;
    repairs.truncate(args.first.unwrap_or(usize::MAX));
    let pred = files::document(&args.pred)?;
    let repaired = apply(&pred, &repairs).map_err(|error| Failure::new(SOME_FAILED, told(&error)))?;
    Output::whole(&args.out, format!("{repaired:#}\n").as_bytes())
}
