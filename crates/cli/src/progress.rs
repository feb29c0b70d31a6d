//! The bar of a long run, on standard error when that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Read;
use std::time::{Duration, Instant};

/// A run that is over by then has no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// Counts what is read; shows itself when the run takes long.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    rows: usize,
    /// Whether it may still appear.
    waiting: bool,
}

impl Progress {
    /// `length` is the size of the input where it is known; `wanted`: whether there is a terminal to draw on.
    pub(crate) fn new(length: Option<u64>, wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        let template = match length {
            Some(_) => "{elapsed_precise} {wide_bar} {percent:>3} %  {msg}",
            None => "{elapsed_precise} {bytes} read  {msg}",
        };
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), rows: 0, waiting: wanted }
    }

    /// As [`Self::new`], for a run whose number of rows is known beforehand.
    pub(crate) fn of_rows(total: Option<u64>, wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => "{elapsed_precise} {wide_bar} {percent:>3} %  {msg}",
            None => "{elapsed_precise}  {msg}",
        };
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), rows: 0, waiting: wanted }
    }

    /// Counts rows that are done, of a run of rows.
    pub(crate) fn advance_rows(&mut self, rows: usize) {
        self.bar.inc(rows as u64);
        // A message for each row would be most of the work of a quick run.
        if self.rows / 1024 == (self.rows + rows) / 1024 {
            self.rows += rows;
        } else {
            self.advance(rows);
        }
    }

    /// Counts the bytes that are read.
    pub(crate) fn count<R: Read>(&self, input: R) -> impl Read + use<R> {
        self.bar.wrap_read(input)
    }

    /// Counts rows that are done.
    pub(crate) fn advance(&mut self, rows: usize) {
        self.rows += rows;
        if self.waiting && self.started.elapsed() > PATIENCE {
            self.waiting = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(format!("{} rows", self.rows));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
