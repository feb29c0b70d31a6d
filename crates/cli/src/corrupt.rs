//! `corrupt`: pairs of golds and damaged copies.

use crate::args::Corrupt;
use crate::failure::{Failure, SOME_FAILED, WRONG_CALL, tell, threads, written};
use crate::output::Output;
use crate::progress::Progress;
use objalign_core::parse_schema;
use objalign_gen::corrupt::recipe::Recipe;
use objalign_gen::corrupt::run::{self, RunError, Work};
use objalign_gen::dataset::rows::{JSONL, Lines};
use objalign_gen::dataset::{config, layout};
use objalign_probe::dataset_tables::PARQUET;
use serde_json::Value;
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) fn run(args: &Corrupt) -> Result<ExitCode, Failure> {
    let text = read(&args.ops)?;
    let in_ops = |error| Failure::new(WRONG_CALL, format_args!("{}: {error}", args.ops.display()));
    let mut recipe: Recipe = config::parse(&text).map_err(in_ops)?;
    recipe.seed = args.seed.unwrap_or(recipe.seed);
    let input = Input::find(args)?;
    let schema = read(&input.schema)?;
    let in_schema =
        |error: &dyn std::fmt::Display| Failure::new(WRONG_CALL, format_args!("{}: {error}", input.schema.display()));
    let schema = parse_schema(&schema).map_err(|error| in_schema(&error))?;
    let legend = input.legend.as_deref().map(json).transpose()?;
    threads(args.threads)?;
    let work = Work::of_schema(&schema, legend.as_ref(), || input.lines()).map_err(|error| match error {
        RunError::Schema(_) => in_schema(&error),
        other => Failure::new(WRONG_CALL, format_args!("{}: {other}", input.name.display())),
    })?;
    recipe.check(&work.operators).map_err(|error| in_ops(config::locate(&text, "", &error)))?;

    let mut output = Output::open(&args.out)?;
    let (name, is_stdout) = (output.path().to_owned(), output.is_stdout());
    let mut progress = Progress::of_rows(None, io::stderr().is_terminal() && !output.is_terminal());
    let lines = input.lines().map_err(|error| Failure::cannot_read(&input.name, &error))?;
    let write = |pair: &str| {
        progress.advance_rows(1);
        writeln!(output, "{pair}")
    };
    let ran = run::run(lines, &work, &recipe, write, |row, message| {
        tell(format_args!("{}: row {row}: {message}", input.name.display()));
    });
    drop(progress);
    let failed = |error: io::Error, kept: Option<PathBuf>| {
        if is_stdout {
            return written(Err(error), ExitCode::SUCCESS);
        }
        Err(with_rescued(Failure::cannot_write(&name, &error), kept))
    };
    let totals = match ran {
        Ok(totals) => totals,
        Err(RunError::Write(error)) => return failed(error, output.rescue()),
        Err(error) => {
            let failure = Failure::new(WRONG_CALL, format_args!("{}: {error}", input.name.display()));
            return Err(with_rescued(failure, output.rescue()));
        }
    };
    if let Err((error, kept)) = output.commit() {
        return failed(error, kept);
    }
    let run::Totals { golds, pairs, unreached, failed } = totals;
    tell(format_args!("{golds} golds, {pairs} pairs ({unreached} short of their dose), {failed} rows failed"));
    Ok(if failed > 0 { ExitCode::from(SOME_FAILED) } else { ExitCode::SUCCESS })
}

/// Rows, and what says what they are.
struct Input {
    name: PathBuf,
    schema: PathBuf,
    legend: Option<PathBuf>,
    rows: Rows,
}

enum Rows {
    File(fn(&Path) -> io::Result<Lines>),
    /// Standard input can be read once; it is looked at twice.
    Memory(Vec<String>),
}

impl Input {
    fn find(args: &Corrupt) -> Result<Self, Failure> {
        let (name, legend) = (args.input.clone(), args.legend.clone());
        if args.input.is_dir() {
            let found = layout::find(&args.input, &args.split, &[JSONL, PARQUET])
                .map_err(|error| Failure::new(WRONG_CALL, format_args!("{}: {error}", name.display())))?;
            return Ok(Self {
                name: found.rows,
                schema: args.schema.clone().unwrap_or(found.schema),
                legend: legend.or(found.legend),
                rows: Rows::File(found.form.read),
            });
        }
        let Some(schema) = args.schema.clone() else {
            let told = format!("{}: no directory of a data set; rows of a file need --schema", name.display());
            return Err(Failure::new(WRONG_CALL, told));
        };
        let rows = if name == Path::new("-") {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map_err(|error| Failure::cannot_read(&name, &error))?;
            Rows::Memory(text.lines().map(str::to_owned).collect())
        } else {
            Rows::File(if name.extension().is_some_and(|end| end == PARQUET.extension) {
                PARQUET.read
            } else {
                JSONL.read
            })
        };
        Ok(Self { name, schema, legend, rows })
    }

    fn lines(&self) -> io::Result<Lines> {
        match &self.rows {
            Rows::File(read) => read(&self.name),
            Rows::Memory(lines) => Ok(Box::new(lines.clone().into_iter().map(Ok))),
        }
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::cannot_read(path, &error))
}

fn json(path: &Path) -> Result<Value, Failure> {
    crate::files::document(path).map_err(|failure| Failure { code: WRONG_CALL, ..failure })
}

fn with_rescued(mut failure: Failure, kept: Option<PathBuf>) -> Failure {
    failure.lines.extend(kept.map(|path| format!("the pairs until then are in {}", path.display())));
    failure
}
