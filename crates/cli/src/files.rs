//! Reading schemas and documents.

use crate::failure::{Failure, SOME_FAILED, WRONG_CALL};
use objalign_core::{Plan, parse_schema};
use objalign_probe::scoring::json;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The plan of a schema file. `code` is the exit code for a schema with mistakes: every one of them gets a line.
pub(crate) fn plan(path: &Path, code: u8) -> Result<Plan, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::cannot_read(path, &error))?;
    let name = path.display();
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::new(WRONG_CALL, format_args!("{name}: not UTF-8; a schema is a text file")))?;
    let schema = parse_schema(&text).map_err(|error| Failure { lines: vec![format!("{name}: {error}")], code })?;
    Plan::compile(&schema).map_err(|mistakes| Failure {
        lines: mistakes.iter().map(|mistake| format!("{name}: {mistake}")).collect(),
        code,
    })
}

/// All of a file; `-` is standard input.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read =
        if path == Path::new("-") { io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes) } else { fs::read(path) };
    read.map_err(|error| Failure::cannot_read(path, &error))
}

/// A document of a pair; `-` is standard input.
pub(crate) fn document(path: &Path) -> Result<json::Value, Failure> {
    json::parse(&bytes(path)?).map_err(|error| Failure::new(SOME_FAILED, format_args!("{}: {error}", path.display())))
}
