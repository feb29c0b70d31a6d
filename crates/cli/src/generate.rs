//! `generate`: data sets from configurations.

use crate::args::{Generate, JsonTasks, Kind, Making, TaskMaking};
use crate::failure::{Failure, WRONG_CALL, tell, threads, written};
use crate::progress::Progress;
use objalign_gen::bounds::ParamsError;
use objalign_gen::dataset::config::{self, Config, Splits};
use objalign_gen::dataset::source::{Graphs, Orders, Source};
use objalign_gen::dataset::{rows, write};
use objalign_gen::scd::directory;
use objalign_gen::scd::json::{ScdJson, real};
use objalign_gen::scd::sets::{Set, TaskSource};
use objalign_gen::scd::table::Tables;
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
        Kind::ScdJson(tasks) => json_tasks(tasks),
        Kind::ScdTable(making) => table_tasks(making),
    }
}

fn make<P, S>(args: &Making, source: fn(Config<P>) -> Result<S, ParamsError>) -> Result<ExitCode, Failure>
where
    P: Serialize + DeserializeOwned,
    S: Source,
{
    let (splits, source) = configured(&args.config, &args.overrides(), "params", |config: Config<P>| {
        let splits = config.splits;
        Ok((splits, source(config)?))
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

/// What a configuration makes, with what the flags change in it. `table` is the key that holds the parameters.
fn configured<C, S>(
    path: &Path,
    overrides: &[(String, String)],
    table: &str,
    source: impl FnOnce(C) -> Result<S, ParamsError>,
) -> Result<S, Failure>
where
    C: Serialize + DeserializeOwned,
{
    let text = fs::read_to_string(path).map_err(|error| Failure::cannot_read(path, &error))?;
    let in_file = |error| Failure::new(WRONG_CALL, format_args!("{}: {error}", path.display()));
    let mut config: C = config::parse(&text).map_err(in_file)?;
    for (key, value) in overrides {
        config = config::set(&config, key, value).map_err(|error| Failure::new(WRONG_CALL, error))?;
    }
    source(config).map_err(|error| {
        let at = if table.is_empty() { error.key.clone() } else { format!("{table}.{}", error.key) };
        if overrides.iter().any(|(key, _)| key.starts_with(&at)) {
            return Failure::new(WRONG_CALL, format_args!("`{at}`: {}", error.message));
        }
        in_file(config::locate(&text, table, &error))
    })
}

fn json_tasks(args: &JsonTasks) -> Result<ExitCode, Failure> {
    let source = configured(&args.making.config, &args.making.overrides(), "", ScdJson::new)?;
    threads(args.making.threads)?;
    let Some(folder) = &args.schemas else { return make_tasks(&source, &args.making) };
    let (given, unread) = real::read(folder).map_err(|error| Failure::cannot_read(folder, &error))?;
    let total = given.len() + unread.len();
    let (source, skipped) = source.with_schemas(given);
    let skipped: Vec<_> = unread.iter().chain(&skipped).collect();
    for schema in &skipped {
        tell(format_args!("{}/{schema}", folder.display()));
    }
    tell(format_args!("{}: {} of {total} schemas taken", folder.display(), total - skipped.len()));
    make_tasks(&source, &args.making)
}

fn table_tasks(args: &TaskMaking) -> Result<ExitCode, Failure> {
    let source = configured(&args.config, &args.overrides(), "", Tables::new)?;
    threads(args.threads)?;
    make_tasks(&source, args)
}

/// Shows and writes sets of tasks, as the flags say.
fn make_tasks(source: &dyn TaskSource, args: &TaskMaking) -> Result<ExitCode, Failure> {
    if let Some(count) = args.print {
        let code = written(print_tasks(source, count), ExitCode::SUCCESS)?;
        if args.out.is_none() {
            return Ok(code);
        }
    }
    let Some(out) = &args.out else { return Ok(ExitCode::SUCCESS) };
    let sets = source.sets();
    let total = sets.iter().map(Set::tasks).sum();
    let mut progress = Progress::of_rows(Some(total), io::stderr().is_terminal());
    let made = directory::write(source, out, args.force, |tasks| progress.advance_rows(tasks));
    drop(progress);
    made.map_err(|error| Failure::new(WRONG_CALL, error))?;
    let counts: Vec<String> = sets.iter().map(|set| format!("{} {}", set.tasks(), set.name)).collect();
    tell(format_args!("{}: {} tasks: {}", out.display(), source.domain().dataset(), counts.join(", ")));
    Ok(ExitCode::SUCCESS)
}

fn print_tasks(source: &dyn TaskSource, count: u64) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let sets = source.sets();
    for (condition, of) in sets.iter().take(1).flat_map(|set| set.conditions.iter().enumerate()) {
        for index in 0..count.min(of.tasks) {
            writeln!(out, "{}", directory::shown(&source.task(0, condition, index)))?;
        }
    }
    Ok(())
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
