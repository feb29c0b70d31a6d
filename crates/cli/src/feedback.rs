//! `feedback`: what to change, in words.

use crate::args::{Feedback, Wording};
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL, tell, written};
use crate::files;
use crate::output::Output;
use objalign_core::{Aligner, Alignment, FeedbackOptions, Templates};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Feedback) -> Result<ExitCode, Failure> {
    let options = options(&args.wording, args.top.0)?;
    let plan = files::plan(&args.schema, WRONG_CALL)?;
    let (gold, pred) = (files::document(&args.gold)?, files::document(&args.pred)?);
    let mut aligner = Aligner::with_options(&plan, args.aligning.options(args.wording.needs_confidence()));
    let alignment = aligner.align(&gold, &pred).map_err(|error| {
        Failure::new(SOME_FAILED, format_args!("{} against {}: {error}", args.pred.display(), args.gold.display()))
    })?;
    for warning in plan.warnings() {
        tell(format_args!("warning: {warning}"));
    }
    if let Some(path) = &args.repairs_out {
        let instead = path == Path::new("-");
        let done = write_repairs(path, &alignment, &options)?;
        if instead {
            return Ok(done);
        }
    }
    written(io::stdout().lock().write_all(alignment.feedback(&options).as_bytes()), ExitCode::SUCCESS)
}

/// What the flags ask for.
pub(crate) fn options(wording: &Wording, top: Option<usize>) -> Result<FeedbackOptions, Failure> {
    let mut options = FeedbackOptions::new();
    options.top = top;
    options.style = wording.style.into();
    options.references = wording.references.into();
    options.value_length = wording.value_length as usize;
    options.repairs = wording.repairs();
    if let Some(path) = &wording.templates {
        let text = fs::read_to_string(path).map_err(|error| Failure::cannot_read(path, &error))?;
        options.templates = Templates::default()
            .with(&text)
            .map_err(|error| Failure::new(WRONG_CALL, format_args!("{}: {error}", path.display())))?;
    }
    Ok(options)
}

/// All repairs as one JSON list, an operation a line.
fn write_repairs(path: &Path, alignment: &Alignment<'_>, options: &FeedbackOptions) -> Result<ExitCode, Failure> {
    let repairs = alignment.repairs(&options.repairs);
    let lines: Result<Vec<String>, _> = repairs.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| Failure::cannot_write(path, &error))?;
    let text = if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) };
    Output::whole(path, text.as_bytes())
}
