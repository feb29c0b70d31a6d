//! Text to JSON: schemas may be written as JSON, or with comments, trailing commas and the rest of JSON5.

use crate::MAX_DEPTH;
use jsonc_parser::ParseOptions;
use serde_json::Value;

/// A schema text that is no JSON, nor JSON with comments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SourceError {
    message: String,
}

/// Reads a schema: JSON, JSONC or JSON5.
///
/// # Errors
///
/// Says what was met and at which line and column. Nesting is limited as in documents, see [`MAX_DEPTH`].
pub fn parse_schema(text: &str) -> Result<Value, SourceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Strict JSON first: it keeps every number as written, and is what most schemas are.
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    if text.trim().is_empty() {
        return Err(SourceError { message: "the file is empty; a schema is a JSON object".to_owned() });
    }
    // The lenient parser recurses; the strict one has a limit of its own.
    if brackets(text) > MAX_DEPTH {
        return Err(SourceError { message: format!("nested deeper than {MAX_DEPTH} levels") });
    }
    let options = ParseOptions { allow_missing_commas: false, allow_non_finite_numbers: false, ..Default::default() };
    jsonc_parser::parse_to_serde_value(text, &options).map_err(|error| SourceError {
        message: format!(
            "line {}, column {}: {}",
            error.line_display(),
            error.column_display(),
            error.kind().to_string().to_lowercase()
        ),
    })
}

/// How deep the brackets nest at most; those within strings and comments count too, which errs on the safe side.
fn brackets(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn comments_and_json5_are_read() {
        let text = "\u{feff}{\n  // a comment\n  type: 'string', /* and */ \"score\": \"exact\",\n}";
        assert_eq!(parse_schema(text).expect("JSON5"), json!({"type": "string", "score": "exact"}));
    }

    #[test]
    fn errors_name_the_place() {
        let error = parse_schema("{\n  \"type\": \"string\"\n  \"score\": 1\n}").expect_err("a comma is missing");
        assert!(error.to_string().starts_with("line "), "{error}");
        assert!(parse_schema("  ").expect_err("empty").to_string().contains("empty"));
        let deep = "[".repeat(100_000);
        assert!(parse_schema(&deep).expect_err("deep").to_string().contains("nested deeper"));
    }
}
