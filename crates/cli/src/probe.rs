//! `probe`: pairs that exist, put to the score.

use crate::args::Probe;
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL, tell, written};
use crate::files;
use crate::output::Output;
use objalign_core::Options;
use objalign_probe::probes::rows::Probe as Which;
use objalign_probe::probes::scored::{self, PairsError};
use objalign_probe::probes::scorers::Scorers;
use objalign_probe::probes::table::Table;
use objalign_probe::probes::{bundled, invariance, order, sensitivity};
use objalign_probe::statistics::bca::Bootstrap;
use objalign_report::digest;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

/// How many rows that failed are told one by one.
const TOLD: usize = 5;

pub(crate) fn run(args: &Probe) -> Result<ExitCode, Failure> {
    let which = Which::from(args.which);
    let options = Options::new().structure(args.structure).budget(args.budget);
    let mut scorers = if args.schema.is_empty() { bundled::scorers(which, options) } else { Scorers::new() };
    for (name, path) in &args.schema {
        scorers = scorers.with_schema(name, files::plan(path, WRONG_CALL)?, options);
    }
    if which == Which::Order {
        scorers = scorers.with_order_measures();
    }
    let input: Box<dyn Read + Send> = if args.pairs == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(&args.pairs).map_err(|error| Failure::cannot_read(&args.pairs, &error))?)
    };
    let threads = args.threads.map(usize::from).and_then(NonZeroUsize::new);
    let pool = scored::threads(threads).map_err(|error| Failure::new(WRONG_CALL, error))?;
    let bootstrap = Bootstrap { resamples: args.resamples, seed: args.seed };

    let (scored, summary, digest) = pool
        .install(|| -> Result<_, PairsError> {
            let scored = scored::score(BufReader::with_capacity(1 << 20, input), which, &scorers)?;
            let (summary, digest) = match which {
                Which::Invariance => {
                    let summary = invariance::summary(&scored, bootstrap);
                    (serde_json::to_string_pretty(&summary), digest::invariance(&summary))
                }
                Which::Sensitivity => {
                    let summary = sensitivity::summary(&scored, bootstrap);
                    (serde_json::to_string_pretty(&summary), digest::sensitivity(&summary))
                }
                Which::Order => {
                    let summary = order::summary(&scored, bootstrap);
                    (serde_json::to_string_pretty(&summary), digest::order(&summary))
                }
            };
            Ok((scored, summary, digest))
        })
        .map_err(|error| Failure::new(WRONG_CALL, format_args!("{}: {error}", args.pairs.display())))?;

    fs::create_dir_all(&args.out).map_err(|error| Failure::cannot_write(&args.out, &error))?;
    let mut table = Table::new(which, &scored).map_err(|error| Failure::cannot_write(&args.out, &error))?;
    file(&args.out.join("scores.parquet"), |output| Ok(table.write_parquet(output)?))?;
    file(&args.out.join("scores.csv"), |output| Ok(table.write_csv(output)?))?;
    file(&args.out.join("summary.json"), |output| writeln!(output, "{}", summary?))?;
    let failed: Vec<_> = scored.failed().collect();
    for (facts, why) in failed.iter().take(TOLD) {
        tell(format_args!("{}: {why}", facts.id));
    }
    let (rows, folder) = (scored.rows.len(), args.out.display());
    let left_out =
        if failed.is_empty() { String::new() } else { format!(", {} failed and are left out", failed.len()) };
    tell(format_args!("{rows} rows{left_out}; figures in {folder}/summary.json, scores in {folder}/scores.parquet"));
    let code = if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(SOME_FAILED) };
    written(io::stdout().lock().write_all(digest.as_bytes()), code)
}

/// A file that appears when it is whole.
fn file(path: &Path, write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<(), Failure> {
    let mut output = Output::open(path)?;
    write(&mut output).map_err(|error| Failure::cannot_write(path, &error))?;
    output.commit().map_err(|(error, _)| Failure::cannot_write(path, &error))
}
