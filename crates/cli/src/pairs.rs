//! `score --pairs`: a file of rows.

use crate::args::Score;
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL, tell, written};
use crate::feedback;
use crate::files;
use crate::output::Output;
use crate::progress::Progress;
use objalign_probe::scoring::outcome::Extras;
use objalign_probe::scoring::runner::{self, RunError, Setup};
use objalign_probe::scoring::sink::{self, Format, SinkError};
use objalign_report::summary::Summary;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

pub(crate) fn run(args: &Score) -> Result<ExitCode, Failure> {
    let Some(pairs) = &args.pairs else {
        return Err(Failure::new(WRONG_CALL, "give --pairs FILE, or --schema FILE GOLD PRED"));
    };
    let plan = args.schema.as_deref().map(|path| files::plan(path, WRONG_CALL)).transpose()?;
    let (input, length) = open(pairs)?;
    let mut output = Output::open(&args.out)?;
    let format = args.format();
    if format == Format::Parquet && output.is_terminal() {
        return Err(Failure::new(
            WRONG_CALL,
            "a terminal cannot show Parquet: give --out FILE, or --format jsonl or csv",
        ));
    }
    if let (Some(plan), Some(path)) = (&plan, &args.schema) {
        for warning in plan.warnings() {
            tell(format_args!("warning: {}: {warning}", path.display()));
        }
    }
    let threads = args.threads.map(usize::from).and_then(NonZeroUsize::new);
    let setup = Setup {
        plan: plan.as_ref(),
        options: args.options(),
        extras: extras(args)?,
        threads: threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN),
    };
    let mut progress = Progress::new(length, io::stderr().is_terminal() && !output.is_terminal());
    let input = BufReader::with_capacity(1 << 16, progress.count(input));
    let mut summary = Summary::new();

    let (name, is_stdout) = (output.path().to_owned(), output.is_stdout());
    let mut sink =
        sink::open(format, args.columns(), &mut output).map_err(|error| Failure::cannot_write(&name, &error))?;
    let ran = runner::run(input, &setup, |outcomes| {
        sink.write(&outcomes)?;
        for outcome in &outcomes {
            summary.add(outcome);
        }
        progress.advance(outcomes.len());
        Ok(())
    });
    // Also after a failure: what is finished becomes a file that can be read.
    let ended = sink.finish();
    drop(progress);
    let ended = match ran {
        Ok(()) => ended.map_err(RunError::Write),
        Err(error) => Err(error),
    };
    match ended {
        Ok(()) => {
            if let Err((error, kept)) = output.commit() {
                if is_stdout {
                    return written(Err(error), ExitCode::SUCCESS);
                }
                return Err(with_rescued(Failure::cannot_write(&name, &error), kept, &summary));
            }
        }
        Err(RunError::Write(SinkError::Io(error))) if is_stdout => {
            return written(Err(error), ExitCode::SUCCESS);
        }
        Err(error) => {
            let failure = match &error {
                RunError::Write(error) => Failure::cannot_write(&name, error),
                RunError::Read { .. } => Failure::new(WRONG_CALL, format_args!("{}: {error}", pairs.display())),
                RunError::Threads(_) => Failure::new(WRONG_CALL, &error),
            };
            let kept = if summary.rows() > 0 { output.rescue() } else { None };
            return Err(with_rescued(failure, kept, &summary));
        }
    }
    tell(&summary);
    Ok(if summary.failed() > 0 { ExitCode::from(SOME_FAILED) } else { ExitCode::SUCCESS })
}

/// What is written beside the score.
pub(crate) fn extras(args: &Score) -> Result<Extras, Failure> {
    Ok(Extras {
        explain: args.explain,
        feedback: args.feedback.map(|top| feedback::options(&args.wording, top.0)).transpose()?,
        repairs: args.repairs.then(|| args.wording.repairs()),
    })
}

fn with_rescued(mut failure: Failure, kept: Option<PathBuf>, summary: &Summary) -> Failure {
    if let Some(path) = kept {
        failure.lines.push(format!("what was scored until then ({summary}) is in {}", path.display()));
    }
    failure
}

/// An input and its length, where that is known; `-` is standard input.
pub(crate) fn open(path: &Path) -> Result<(Box<dyn Read>, Option<u64>), Failure> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path).map_err(|error| Failure::cannot_read(path, &error))?;
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|found| found.len());
    Ok((Box::new(file), length))
}
