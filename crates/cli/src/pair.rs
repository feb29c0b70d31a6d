//! `score GOLD PRED`: one pair, drawn as a tree.

use crate::args::Score;
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL, tell, written};
use crate::files;
use crate::pairs;
use anstream::AutoStream;
use objalign_core::{Aligner, Alignment, Palette};
use objalign_probe::scoring::outcome::{Extras, Outcome};
use objalign_probe::scoring::sink::{self, Columns, Format};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Score, gold: &Path, pred: &Path) -> Result<ExitCode, Failure> {
    let Some(schema) = &args.schema else {
        return Err(Failure::new(WRONG_CALL, "a pair of files needs --schema FILE"));
    };
    let plan = files::plan(schema, WRONG_CALL)?;
    let (gold_value, pred_value) = (files::document(gold)?, files::document(pred)?);
    let mut aligner = Aligner::with_options(&plan, args.options());
    let alignment = aligner.align(&gold_value, &pred_value).map_err(|error| {
        Failure::new(SOME_FAILED, format_args!("{} against {}: {error}", pred.display(), gold.display()))
    })?;
    for warning in alignment.warnings() {
        tell(format_args!("warning: {warning}"));
    }
    if args.has_extras() {
        return written(line(&alignment, &pairs::extras(args)?, args.columns()), ExitCode::SUCCESS);
    }
    let score = format!("{}\n", alignment.score());
    let confidence = alignment.confidence().map_or(String::new(), |confidence| format!("confidence {confidence}\n"));
    let text = score + &confidence + &alignment.draw(Palette::colour());
    written(AutoStream::new(io::stdout(), args.color.into()).lock().write_all(text.as_bytes()), ExitCode::SUCCESS)
}

/// The same line that a row of a pairs file gets.
fn line(alignment: &Alignment<'_>, extras: &Extras, columns: Columns) -> io::Result<()> {
    let outcome = Outcome::scored(None, alignment, extras)?;
    let mut sink = sink::open(Format::Jsonl, columns, io::stdout().lock())?;
    sink.write(&[outcome])?;
    Ok(sink.finish()?)
}
