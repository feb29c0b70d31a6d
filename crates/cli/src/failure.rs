//! What ends a command early, and with which exit code.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The exit code of a run in which some row failed, and of a schema with mistakes.
pub(crate) const SOME_FAILED: u8 = 1;
/// The exit code of a call that is wrong, or that could not be carried out to its end.
pub(crate) const WRONG_CALL: u8 = 2;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What to tell, one line each.
    pub(crate) lines: Vec<String>,
    pub(crate) code: u8,
}

impl Failure {
    pub(crate) fn new(code: u8, message: impl std::fmt::Display) -> Self {
        Self { lines: vec![format!("error: {message}")], code }
    }

    pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Self {
        Self::new(WRONG_CALL, format_args!("{}: cannot be read: {error}", path.display()))
    }

    pub(crate) fn cannot_write(path: &Path, error: &dyn std::error::Error) -> Self {
        Self::new(WRONG_CALL, format_args!("{}: cannot be written: {error}", path.display()))
    }

    /// Tells, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        for line in self.lines {
            tell(line);
        }
        ExitCode::from(self.code)
    }
}

/// Sets how many threads the work has, where that is asked for. To be called once.
pub(crate) fn threads(count: Option<u16>) -> Result<(), Failure> {
    match count {
        None => Ok(()),
        Some(count) => rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(count))
            .build_global()
            .map_err(|error| Failure::new(WRONG_CALL, error)),
    }
}

/// A line on standard error. Where nobody can hear, there is nobody to tell that.
pub(crate) fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// The end of writing to standard output: that the reader has gone (`... | head`) is no failure.
pub(crate) fn written(result: io::Result<()>, code: ExitCode) -> Result<ExitCode, Failure> {
    match result {
        Ok(()) => Ok(code),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Failure::cannot_write("standard output".as_ref(), &error)),
    }
}
