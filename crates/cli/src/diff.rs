//! `diff`: two documents side by side.

use crate::args::Diff;
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL, tell, written};
use crate::files;
use crate::output::Output;
use anstream::AutoStream;
use objalign_core::Aligner;
use objalign_report::diff::{page, rows, terminal};
use std::io::{self, Write};
use std::process::ExitCode;

/// Where there is no terminal to ask.
const WIDTH: u16 = 120;

pub(crate) fn run(args: &Diff) -> Result<ExitCode, Failure> {
    let plan = files::plan(&args.schema, WRONG_CALL)?;
    let (gold, pred) = (files::document(&args.gold)?, files::document(&args.pred)?);
    let mut aligner = Aligner::new(&plan);
    let alignment = aligner.align(&gold, &pred).map_err(|error| {
        Failure::new(SOME_FAILED, format_args!("{} against {}: {error}", args.pred.display(), args.gold.display()))
    })?;
    for warning in alignment.pair_warnings() {
        tell(format_args!("warning: {warning}"));
    }
    let rows = rows::rows(&alignment);
    if let Some(path) = &args.html {
        return Output::whole(path, page::page(&rows, alignment.score()).as_bytes());
    }
    let width = args.width.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0)).unwrap_or(WIDTH);
    let text = format!("{}\n{}", alignment.score(), terminal::draw(&rows, usize::from(width), true));
    written(AutoStream::new(io::stdout(), args.color.into()).lock().write_all(text.as_bytes()), ExitCode::SUCCESS)
}
