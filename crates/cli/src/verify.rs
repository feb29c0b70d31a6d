//! `verify`: whether a data set is what it says.

use crate::args::Verify;
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL, tell, threads, written};
use crate::progress::Progress;
use objalign_gen::dataset::rows::JSONL;
use objalign_gen::dataset::verify::verify;
use objalign_probe::dataset_tables::PARQUET;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

pub(crate) fn run(args: &Verify) -> Result<ExitCode, Failure> {
    threads(args.threads)?;
    let directory = args.directory.display();
    let mut progress = Progress::of_rows(None, io::stderr().is_terminal());
    let found = verify(&args.directory, &[JSONL, PARQUET], |rows| progress.advance_rows(rows));
    drop(progress);
    let found = found.map_err(|error| Failure::new(WRONG_CALL, format_args!("{directory}: {error}")))?;
    if found.wrong == 0 {
        let told = format!("{directory}: {} files and {} rows, all as they should be", found.files, found.rows);
        return written(writeln!(io::stdout().lock(), "{told}"), ExitCode::SUCCESS);
    }
    for problem in &found.problems {
        tell(format_args!("{directory}/{problem}"));
    }
    let more = found.wrong - found.problems.len() as u64;
    if more > 0 {
        tell(format_args!("and {more} more"));
    }
    tell(format_args!("{directory}: {} of {} rows or files are wrong", found.wrong, found.rows + found.files as u64));
    Ok(ExitCode::from(SOME_FAILED))
}
