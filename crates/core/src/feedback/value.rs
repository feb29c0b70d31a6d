//! Values as feedback shows them: JSON on one line, shortened in the middle, with nothing in it that a terminal or a model
//! could take for anything but data.

use serde_json::Value;

/// How many characters of a value are shown, by default.
pub(super) const SHOWN: usize = 80;

/// A value in at most `limit` characters (8 at least); what is left out in the middle is `...`.
pub(super) fn shown(value: &Value, limit: usize) -> String {
    shortened(&escaped(&value.to_string()), limit)
}

/// What cannot be seen as JSON escapes: control characters, those that set the direction of text, those without width, tags.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control()
            || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                escaped.push_str(&format_unit(*unit));
            }
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

fn format_unit(unit: u16) -> String {
    format!("\\u{unit:04x}")
}

fn shortened(text: &str, limit: usize) -> String {
    let limit = limit.max(8);
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let kept = limit - 3;
    let (front, back) = (kept - kept / 2, kept / 2);
    let start: String = text.chars().take(front).collect();
    let end: String = text.chars().skip(count - back).collect();
    format!("{start}...{end}")
}

/// What JSON calls the type of a value.
pub(super) fn type_name(value: Option<&Value>) -> &'static str {
    match value {
        None => "nothing",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "boolean",
        Some(Value::Number(number)) if number.is_i64() || number.is_u64() => "integer",
        Some(Value::Number(_)) => "number",
        Some(Value::String(_)) => "string",
        Some(Value::Array(_)) => "array",
        Some(Value::Object(_)) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_values_lose_their_middle() {
        assert_eq!(shown(&json!("short"), 80), "\"short\"");
        let long = shown(&json!("abcdefghijklmnopqrstuvwxyz"), 13);
        assert_eq!(long, "\"abcd...wxyz\"");
        assert_eq!(long.chars().count(), 13);
        assert_eq!(shown(&json!({"a": [1, 2]}), 80), r#"{"a":[1,2]}"#);
    }

    #[test]
    fn nothing_hides_in_a_value() {
        assert_eq!(shown(&json!("a\nb\u{1b}[31m\u{202e}c\u{7f}"), 80), "\"a\\nb\\u001b[31m\\u202ec\\u007f\"");
        assert_eq!(escaped("hi\u{e0041}\u{ad}"), "hi\\udb40\\udc41\\u00ad");
    }
}
