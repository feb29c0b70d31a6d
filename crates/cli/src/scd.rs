//! `scd`: completions against tasks.

use crate::args::Scd;
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL, tell, written};
use crate::output::Output;
use crate::pairs;
use crate::progress::Progress;
use objalign_core::scd::Reward;
use objalign_probe::scd::runner::{self, Setup};
use objalign_probe::scd::summary::Summary;
use objalign_probe::scd::tasks::Tasks;
use objalign_probe::scoring::runner::RunError;
use objalign_probe::scoring::sink::SinkError;
use objalign_probe::statistics::bca::Bootstrap;
use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread;

pub(crate) fn run(args: &Scd) -> Result<ExitCode, Failure> {
    let file = File::open(&args.tasks).map_err(|error| Failure::cannot_read(&args.tasks, &error))?;
    let tasks = Tasks::read(BufReader::new(file))
        .map_err(|error| Failure::new(WRONG_CALL, format_args!("{}: {error}", args.tasks.display())))?;
    let (input, length) = pairs::open(&args.completions)?;
    let mut output = Output::open(&args.out)?;
    let threads = args.threads.map(usize::from).and_then(NonZeroUsize::new);
    let threads = threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let setup = Setup { tasks: &tasks, fates: args.fates, threads };
    let composite = Reward::Weighted { vpa: args.vpa_weight, scr: args.scr_weight };
    let mut progress = Progress::new(length, io::stderr().is_terminal() && !output.is_terminal());
    let input = BufReader::with_capacity(1 << 16, progress.count(input));
    let mut summary = Summary::new();

    let (name, is_stdout) = (output.path().to_owned(), output.is_stdout());
    let ran = runner::run(input, &setup, |outcomes| {
        for outcome in &outcomes {
            writeln!(output, "{}", outcome.line(composite)).map_err(SinkError::Io)?;
            summary.add(outcome);
        }
        progress.advance(outcomes.len());
        output.flush().map_err(SinkError::Io)
    });
    drop(progress);
    let ended = match ran {
        Ok(()) => output.commit(),
        Err(RunError::Write(SinkError::Io(error))) => Err((error, output.rescue())),
        Err(error) => {
            let kept = output.rescue();
            let mut failure = Failure::new(WRONG_CALL, format_args!("{}: {error}", args.completions.display()));
            failure.lines.extend(kept.map(|path| format!("what was measured until then is in {}", path.display())));
            return Err(failure);
        }
    };
    if let Err((error, kept)) = ended {
        if is_stdout {
            return written(Err(error), ExitCode::SUCCESS);
        }
        let mut failure = Failure::cannot_write(&name, &error);
        failure.lines.extend(kept.map(|path| format!("what was measured until then is in {}", path.display())));
        return Err(failure);
    }
    if let Some(path) = &args.summary {
        let figures = summary.figures(Bootstrap { seed: args.seed, ..Bootstrap::default() });
        let text = serde_json::to_string_pretty(&figures).unwrap_or_default();
        fs::write(path, text + "\n").map_err(|error| Failure::cannot_write(path, &error))?;
    }
    let (measured, failed) = (summary.measured(), summary.failed());
    tell(format_args!("{} completions: {measured} measured, {failed} failed", measured as u64 + failed));
    Ok(if failed > 0 { ExitCode::from(SOME_FAILED) } else { ExitCode::SUCCESS })
}
