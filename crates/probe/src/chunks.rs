//! Lines to results: read in chunks, worked on in parallel, handed on in the order of the input.
//!
//! Memory does not grow with the number of lines: at any time there are two chunks, one being worked on while the next is read
//! and the results of the last are written. The results are the same for any number of threads.

use crate::scoring::sink::SinkError;
use std::io::{self, BufRead};
use std::num::NonZeroUsize;

/// A chunk ends at this many rows or bytes, whichever comes first.
const CHUNK_ROWS: usize = 512;
const CHUNK_BYTES: usize = 4 << 20;

/// Far more than documents of the greatest depth need, also in a debug build.
const STACK_BYTES: usize = 16 << 20;

/// Why a run ended before its input did. Outcomes handed on by then are good.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The input could not be read further.
    #[error("cannot be read after line {line}: {source}")]
    Read {
        /// The last line that was read.
        line: usize,
        /// Why.
        source: io::Error,
    },
    /// The outcomes could not be handed on.
    #[error(transparent)]
    Write(#[from] SinkError),
}

/// Works on every line of `input`, and hands the results to `emit` in order. Blank lines are no lines.
///
/// `work` runs within a pool of that many threads, one chunk at a time.
///
/// # Errors
///
/// Only where the run cannot go on: see [`RunError`].
pub(crate) fn run<T: Send>(
    input: impl BufRead,
    threads: NonZeroUsize,
    mut work: impl FnMut(&[Line]) -> Vec<T> + Send,
    emit: &mut impl FnMut(Vec<T>) -> Result<(), SinkError>,
) -> Result<(), RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).stack_size(STACK_BYTES).build()?;
    let mut lines = Lines { input, line: 0, fault: None };
    let mut finished = Vec::new();
    let mut chunk = lines.chunk();
    while !chunk.is_empty() {
        let mut results = Vec::new();
        let (emitted, next) = pool.in_place_scope(|scope| {
            scope.spawn(|_| results = work(&chunk));
            (emit(std::mem::take(&mut finished)), lines.chunk())
        });
        emitted?;
        (finished, chunk) = (results, next);
    }
    emit(finished)?;
    match lines.fault {
        Some(source) => Err(RunError::Read { line: lines.line, source }),
        None => Ok(()),
    }
}

/// A line that is not blank, without the white space at its end.
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) bytes: Vec<u8>,
}

struct Lines<R> {
    input: R,
    line: usize,
    fault: Option<io::Error>,
}

impl<R: BufRead> Lines<R> {
    /// The next lines that are not blank; none at the end of the input, or where it cannot be read.
    fn chunk(&mut self) -> Vec<Line> {
        let (mut chunk, mut size) = (Vec::new(), 0);
        while chunk.len() < CHUNK_ROWS && size < CHUNK_BYTES && self.fault.is_none() {
            let mut bytes = Vec::new();
            match self.input.read_until(b'\n', &mut bytes) {
                Ok(0) => break,
                // A line cut short by the fault is not scored: what is left of it might look like a whole row.
                Err(fault) => self.fault = Some(fault),
                Ok(_) => {
                    self.line += 1;
                    if self.line == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
                        bytes.drain(..3);
                    }
                    while bytes.last().is_some_and(u8::is_ascii_whitespace) {
                        bytes.pop();
                    }
                    if !bytes.iter().all(u8::is_ascii_whitespace) {
                        size += bytes.len();
                        chunk.push(Line { number: self.line, bytes });
                    }
                }
            }
        }
        chunk
    }
}
