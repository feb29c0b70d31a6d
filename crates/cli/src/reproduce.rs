//! `reproduce` and `sweep`: studies, step by step.

use crate::args::{Reproduce, StudyName, Sweep};
use crate::failure::{Failure, WRONG_CALL, tell, written};
use objalign_probe::probes::scored;
use objalign_report::scd;
use objalign_report::study::StudyError;
use objalign_report::study::config::Config;
use objalign_report::study::run::Study;
use objalign_report::study::settings::ConfigError;
use objalign_report::study::sweep;
use objalign_report::study::watch::{Timing, Watch};
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Instant, UNIX_EPOCH};

pub(crate) fn run(args: &Reproduce) -> Result<ExitCode, Failure> {
    match args.study {
        StudyName::Intrinsic => {
            let config = configured(args, Config::read)?;
            reproduce(args, |folder, steps| {
                let mut study = Study::open(&config, folder, &tool())?;
                let findings = study.measure(steps)?;
                study.report(&findings, steps)?;
                study.page(&findings, &steps.timings)
            })
        }
        StudyName::Scd => {
            let config = configured(args, scd::config::Config::read)?;
            reproduce(args, |folder, steps| {
                let mut study = scd::run::Study::open(&config, folder, &tool())?;
                let findings = study.measure(steps)?;
                study.report(&findings, steps)?;
                study.page(&findings, &steps.timings)
            })
        }
    }
}

fn configured<C>(args: &Reproduce, read: impl FnOnce(&str) -> Result<C, ConfigError>) -> Result<C, Failure> {
    let text = args.config.as_deref().map(self::read).transpose()?.unwrap_or_default();
    read(&text).map_err(|error| wrong(args.config.as_deref(), &error))
}

fn reproduce(
    args: &Reproduce,
    steps: impl FnOnce(&Path, &mut Steps) -> Result<(), StudyError> + Send,
) -> Result<ExitCode, Failure> {
    let folder = args.out.clone().unwrap_or_else(|| Path::new("results").join(args.study.name()));
    let watch = on_threads(args.threads, || {
        let mut watch = Steps::default();
        steps(&folder, &mut watch)?;
        Ok(watch)
    })?;
    let seconds: f64 = watch.timings.iter().map(|timing| timing.seconds).sum();
    let page = folder.join("report.html");
    let last = format!("done in {seconds:.1} s; look at {}\n", page.display());
    written(io::stdout().lock().write_all(last.as_bytes()), ExitCode::SUCCESS)
}

pub(crate) fn sweep(args: &Sweep) -> Result<ExitCode, Failure> {
    let sweep = sweep::Sweep::read(&read(&args.config)?).map_err(|error| wrong(Some(&args.config), &error))?;
    let name = args.config.file_stem().map(PathBuf::from).unwrap_or_default();
    let folder = args.out.clone().unwrap_or_else(|| Path::new("results").join(name));
    let tables = on_threads(args.threads, || sweep.run(&folder, &tool(), &mut Cells::new(sweep.len())))?;
    let mut text = String::new();
    for table in &tables {
        text.extend([&table.caption, "\n\n", &table.markdown(), "\n"]);
    }
    let mut out = io::stdout().lock();
    let told =
        out.write_all(text.as_bytes()).and_then(|()| writeln!(out, "done; the tables are in {}", folder.display()));
    written(told, ExitCode::SUCCESS)
}

fn on_threads<T: Send>(count: Option<u16>, run: impl FnOnce() -> Result<T, StudyError> + Send) -> Result<T, Failure> {
    let count = count.map(usize::from).and_then(NonZeroUsize::new);
    let pool = scored::threads(count).map_err(|error| Failure::new(WRONG_CALL, error))?;
    pool.install(run).map_err(|error| Failure::new(WRONG_CALL, error))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::cannot_read(path, &error))
}

fn wrong(path: Option<&Path>, error: &dyn std::error::Error) -> Failure {
    match path {
        Some(path) => Failure::new(WRONG_CALL, format_args!("{}: {error}", path.display())),
        None => Failure::new(WRONG_CALL, error),
    }
}

/// What tells this program from the one that a folder was made with: its version, and the file that it is.
fn tool() -> String {
    let file = std::env::current_exe().and_then(fs::metadata);
    let changed = file.as_ref().ok().and_then(|file| file.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    let size = file.map(|file| file.len()).unwrap_or_default();
    format!("{} {size} {}", env!("CARGO_PKG_VERSION"), changed.unwrap_or_default().as_nanos())
}

/// Tells the steps, and measures them.
#[derive(Default)]
struct Steps {
    timings: Vec<Timing>,
    begun: Option<Instant>,
    fresh: Vec<String>,
}

impl Watch for Steps {
    fn begin(&mut self, step: &'static str, units: usize) {
        self.timings.push(Timing { step: step.to_owned(), units, fresh: 0, seconds: 0.0 });
        self.fresh.clear();
        self.begun = Some(Instant::now());
    }

    fn unit(&mut self, name: &str, fresh: bool) {
        if fresh {
            self.fresh.push(name.to_owned());
        }
    }

    fn end(&mut self) {
        let seconds = self.begun.take().map_or(0.0, |begun| begun.elapsed().as_secs_f64());
        if let Some(timing) = self.timings.last_mut() {
            (timing.seconds, timing.fresh) = (seconds, self.fresh.len());
            let note = match self.fresh.len() {
                0 => String::new(),
                all if all == timing.units => "  (nothing has changed: not done again)".to_owned(),
                _ => format!("  (unchanged, not done again: {})", self.fresh.join(", ")),
            };
            tell(format_args!("{:<9} {seconds:>6.2} s{note}", timing.step));
        }
    }
}

/// Tells the studies of a sweep.
struct Cells {
    done: usize,
    all: usize,
    begun: Instant,
}

impl Cells {
    fn new(all: usize) -> Self {
        Self { done: 0, all, begun: Instant::now() }
    }
}

impl Watch for Cells {
    fn begin(&mut self, _: &'static str, _: usize) {
        self.begun = Instant::now();
    }

    fn unit(&mut self, name: &str, fresh: bool) {
        self.done += 1;
        let seconds = self.begun.elapsed().as_secs_f64();
        let note = if fresh { "  (nothing has changed: not run again)" } else { "" };
        tell(format_args!("{}/{} {seconds:>6.1} s  {name}{note}", self.done, self.all));
    }

    fn end(&mut self) {}
}
