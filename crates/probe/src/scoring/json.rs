//! JSON texts, with errors that a person can find the place of.
//!
//! Linear. Nesting is limited to what `serde_json` allows, so no text can exhaust the stack.

use objalign_core::MAX_DEPTH;
pub use serde_json::Value;
use std::fmt;

/// A text that is no JSON, or not the JSON that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// What was met, or missing.
    pub message: String,
    /// The line of the text, from 1.
    pub line: usize,
    /// The column in that line, in characters from 1; 0 before the first.
    pub column: usize,
}

impl std::error::Error for JsonError {}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl JsonError {
    /// `text` is what `error` was met in: columns are counted in characters, not in bytes.
    pub(crate) fn new(error: &serde_json::Error, text: &str) -> Self {
        let (line, column) = (error.line(), error.column());
        let full = error.to_string();
        let message = full.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&full);
        let message = match message {
            "recursion limit exceeded" => format!("nested deeper than {MAX_DEPTH} levels"),
            other => other.to_owned(),
        };
        let before = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default().as_bytes();
        Self { message, line, column: characters(&before[..column.min(before.len())]) }
    }
}

/// The characters that begin in these bytes of UTF-8.
pub(super) fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

/// Reads a document.
///
/// # Errors
///
/// Says what was met and at which line and column.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let start = good.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        JsonError {
            message: "not UTF-8".to_owned(),
            line: good.split(|byte| *byte == b'\n').count(),
            column: characters(&good[start..]) + 1,
        }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| JsonError::new(&error, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(bytes: &[u8]) -> String {
        parse(bytes).expect_err("broken").to_string()
    }

    #[test]
    fn the_place_is_named_in_lines_and_characters() {
        assert_eq!(line(b"{\n  \"a\": 1\n  \"b\": 2\n}"), "line 3, column 3: expected `,` or `}`");
        assert_eq!(line("[\"größe\" 1]".as_bytes()), "line 1, column 10: expected `,` or `]`");
        assert_eq!(line("[\"größe\",\n \"é".as_bytes()), "line 2, column 3: EOF while parsing a string");
        assert_eq!(line(b"[1,\n\"ab\xff\"]"), "line 2, column 4: not UTF-8");
        assert_eq!(line(b""), "line 1, column 0: EOF while parsing a value");
    }

    #[test]
    fn depth_is_limited() {
        assert!(parse(format!("{}{}", "[".repeat(127), "]".repeat(127)).as_bytes()).is_ok());
        assert_eq!(line("[".repeat(100_000).as_bytes()), "line 1, column 128: nested deeper than 127 levels");
    }
}
