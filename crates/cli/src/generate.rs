//! `generate`: data sets from configurations.

use crate::args::{Generate, Kind, Making};
use crate::failure::{Failure, WRONG_CALL, tell, threads, written};
use crate::progress::Progress;
use objalign_gen::bounds::ParamsError;
use objalign_gen::dataset::config::{self, Config, Splits};
use objalign_gen::dataset::source::{Graphs, Orders, Source};
use objalign_gen::dataset::{rows, write};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Generate) -> Result<ExitCode, Failure> {
    match &args.kind {
        Kind::Org2Graph(making) => make(making, Graphs::new),
        Kind::Facts2Order(making) => make(making, Orders::new),
    }
}

fn make<P, S>(args: &Making, source: fn(Config<P>) -> Result<S, ParamsError>) -> Result<ExitCode, Failure>
where
    P: Serialize + DeserializeOwned,
    S: Source,
{
    let path = &args.config;
    let text = fs::read_to_string(path).map_err(|error| Failure::cannot_read(path, &error))?;
    let in_file = |error| Failure::new(WRONG_CALL, format_args!("{}: {error}", path.display()));
    let mut config: Config<P> = config::parse(&text).map_err(in_file)?;
    let overrides = args.overrides();
    for (key, value) in &overrides {
        config = config::set(&config, key, value).map_err(|error| Failure::new(WRONG_CALL, error))?;
    }
    let splits = config.splits;
    let source = source(config).map_err(|error| {
        let at = format!("params.{}", error.key);
        if overrides.iter().any(|(key, _)| key.starts_with(&at)) {
            return Failure::new(WRONG_CALL, format_args!("`{at}`: {}", error.message));
        }
        in_file(config::locate(&text, "params", &error))
    })?;
    threads(args.threads)?;
    if let Some(count) = args.print {
        let code = written(print(&source, count), ExitCode::SUCCESS)?;
        if args.out.is_none() {
            return Ok(code);
        }
    }
    match &args.out {
        Some(out) => into(&source, splits, out, args),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn print(source: &dyn Source, count: u64) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for index in 0..count {
        writeln!(out, "{}", rows::shown(&source.example(index)))?;
    }
    Ok(())
}

fn into(source: &dyn Source, splits: Splits, out: &Path, args: &Making) -> Result<ExitCode, Failure> {
    let total = splits.train.saturating_add(splits.val).saturating_add(splits.test);
    let mut progress = Progress::of_rows(Some(total), io::stderr().is_terminal());
    let made = write::write(source, splits, out, (args.format.into(), args.force), || progress.advance_rows(1));
    drop(progress);
    made.map_err(|error| Failure::new(WRONG_CALL, error))?;
    let Splits { train, val, test } = splits;
    let (kind, variant) = (source.kind(), source.variant());
    tell(format_args!("{}: {kind} {variant}, {train} train, {val} val and {test} test rows", out.display()));
    Ok(ExitCode::SUCCESS)
}
