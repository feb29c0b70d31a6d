//! Repairs read back, from wherever they were written: a list of them, an RFC 6902 patch, or scored rows that carry some.

use super::json::JsonError;
use objalign_core::Repair;
use serde_json::{Deserializer, Value};

/// A text that holds no repairs, or more than one list of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// Not JSON, nor JSON lines.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// JSON of another kind.
    #[error("{0}")]
    NoRepairs(String),
    /// An operation that is none.
    #[error("operation {number}: {message}")]
    Operation {
        /// Which of the list, from 1.
        number: usize,
        /// What is wrong with it.
        message: String,
    },
}

/// Reads the repairs in a text. Of scored rows (one JSON object a line, with `repairs`), those of the row called `id`; no
/// `id` is needed where there is but one row.
///
/// # Errors
///
/// The text is not JSON, holds no repairs or those of several rows, or an operation is not `add`, `remove`, `replace` or
/// `move`.
///
/// ```
/// use objalign_probe::scoring::patch;
///
/// let repairs = patch::read(br#"[{"op": "replace", "path": "/a", "value": null}]"#, None)?;
/// assert_eq!(repairs[0].path, "/a");
/// let error = patch::read(br#"[{"op": "test", "path": "/a"}]"#, None).unwrap_err();
/// assert!(error.to_string().starts_with("operation 1: unknown variant `test`, expected one of `add`"));
/// # Ok::<(), patch::PatchError>(())
/// ```
pub fn read(text: &[u8], id: Option<&str>) -> Result<Vec<Repair>, PatchError> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let good = &text[..error.valid_up_to()];
        let line = good.split(|byte| *byte == b'\n').count();
        JsonError { message: "not UTF-8".to_owned(), line, column: 0 }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let values: Result<Vec<Value>, _> = Deserializer::from_str(text).into_iter().collect();
    let mut values = values.map_err(|error| JsonError::new(&error, text))?;
    if let ([Value::Array(_)], None) = (&values[..], id) {
        return operations(values.remove(0));
    }
    let count = values.len();
    let is_meant = |row: &Value| {
        id.is_none_or(|id| match &row["id"] {
            Value::String(text) => text == id,
            Value::Number(number) => number.as_str() == id,
            _ => false,
        })
    };
    values.retain(is_meant);
    let none = |message: String| Err(PatchError::NoRepairs(message));
    match (values.len(), id) {
        (0, None) => {
            none("there is nothing in it; allowed: a list of operations, or scored rows with \"repairs\"".into())
        }
        (0, Some(id)) => none(format!("none of its {count} rows has the id {id}")),
        (1, _) => of_row(values.remove(0)),
        (rows, None) => none(format!("it holds {rows} rows: say which one by its id")),
        (rows, Some(id)) => none(format!("{rows} of its rows have the id {id}")),
    }
}

fn of_row(mut row: Value) -> Result<Vec<Repair>, PatchError> {
    let told = match (row.get_mut("repairs").map(Value::take), row.get("error").and_then(Value::as_str)) {
        (Some(repairs @ Value::Array(_)), _) => return operations(repairs),
        (_, Some(error)) => format!("the row was not scored: {error}"),
        _ => "the row has no list \"repairs\"; allowed: a list of operations, or a scored row with \"repairs\""
            .to_owned(),
    };
    Err(PatchError::NoRepairs(told))
}

fn operations(list: Value) -> Result<Vec<Repair>, PatchError> {
    let Value::Array(list) = list else { return Ok(Vec::new()) };
    list.into_iter()
        .enumerate()
        .map(|(at, operation)| {
            serde_json::from_value(operation)
                .map_err(|error| PatchError::Operation { number: at + 1, message: error.to_string() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REMOVE: &str = r#"{"op": "remove", "path": "/b", "kind": "key_remove", "delta": 0.5}"#;

    fn refusal(text: &str, id: Option<&str>) -> String {
        read(text.as_bytes(), id).expect_err("no repairs").to_string()
    }

    #[test]
    fn lists_and_rows_are_read() {
        let row = |id: &str| format!(r#"{{"id": {id}, "score": 0.5, "error": null, "repairs": [{REMOVE}]}}"#);
        let (list, one) = (format!("[\n{REMOVE}\n]\n"), row("\"a\""));
        let rows = format!("{}\n{}\n{}\n", row("\"a\""), row("7").replace("/b", "/c"), row("\"c\""));
        for (text, id, path) in
            [(&list, None, "/b"), (&one, None, "/b"), (&rows, Some("7"), "/c"), (&rows, Some("c"), "/b")]
        {
            let repairs = read(text.as_bytes(), id).expect("repairs");
            assert_eq!((repairs.len(), repairs[0].path.as_str(), repairs[0].delta), (1, path, 0.5));
        }
        assert_eq!(read(b"[]", None), Ok(Vec::new()));
    }

    #[test]
    fn what_holds_no_repairs_says_why() {
        assert_eq!(refusal("[{\"op\": \"add\"", None), "line 1, column 13: EOF while parsing an object");
        assert!(refusal(" \n", None).starts_with("there is nothing in it; allowed: "));
        assert!(refusal("{\"score\": 1}", None).starts_with("the row has no list \"repairs\"; allowed: "));
        assert!(refusal("3", None).starts_with("the row has no list"));
        let failed = r#"{"id": "a", "error": "line 1: the row has no \"gold\"", "repairs": null}"#;
        assert_eq!(refusal(failed, None), "the row was not scored: line 1: the row has no \"gold\"");
        let rows = "{\"id\": 1}\n{\"id\": 1}";
        assert_eq!(refusal(rows, None), "it holds 2 rows: say which one by its id");
        assert_eq!(refusal(rows, Some("1")), "2 of its rows have the id 1");
        assert_eq!(refusal(rows, Some("x")), "none of its 2 rows has the id x");
        assert_eq!(refusal(&format!("[{REMOVE}, {{\"op\": \"remove\"}}]"), None), "operation 2: missing field `path`");
    }
}
