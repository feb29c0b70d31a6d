//! Does a document fit its schema, and if not, where and why: one line for a person.

use crate::schema::guarded::guarded;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// The first fault of a document: the pointer to the place, and what the schema asks for there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    pub(crate) path: String,
    pub(crate) reason: String,
}

/// `None` if the document is valid.
pub(crate) fn fault(validator: &Validator, document: &Value) -> Option<Fault> {
    let found = guarded(|| {
        if validator.is_valid(document) {
            return None;
        }
        // The least by path, so that the same document gives the same line whatever order the validator works in.
        validator.iter_errors(document).map(|error| describe(&error)).min()
    });
    found.unwrap_or_else(|| {
        Some(Fault {
            path: String::new(),
            reason: "it holds a number too large to be compared with the schema's".into(),
        })
    })
}

/// Whether a value fits; not if the validator cannot tell.
pub(crate) fn fits(validator: &Validator, value: &Value) -> bool {
    guarded(|| validator.is_valid(value)).unwrap_or(false)
}

/// A union that no alternative fits says little by itself; the alternative that was met furthest down says more.
fn describe(error: &ValidationError<'_>) -> Fault {
    let own = Fault { path: error.instance_path().as_str().to_owned(), reason: reason(error) };
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) = error.kind() else {
        return own;
    };
    context
        .iter()
        .flatten()
        .map(describe)
        .filter(|deeper| deeper.path.len() > own.path.len())
        .max_by_key(|deeper| (deeper.path.matches('/').count(), std::cmp::Reverse(deeper.clone())))
        .unwrap_or(own)
}

fn reason(error: &ValidationError<'_>) -> String {
    let full = error.to_string();
    if full.chars().count() <= 160 { full } else { error.masked().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_that_cannot_be_compared_are_a_fault() {
        let number = |text: &str| serde_json::from_str::<Value>(text).expect("a number");
        let schema = json!({"enum": [number("123456789012345678901234567890")]});
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        assert!(!fits(&validator, &number("1e400")));
        assert!(fault(&validator, &number("1e400")).is_some());
    }

    #[test]
    fn the_place_inside_a_union_is_named() {
        let schema = json!({
            "anyOf": [
                {"type": "string"},
                {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}}
            ]
        });
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let found = fault(&validator, &json!({"kind": "a", "n": "three"})).expect("invalid");
        assert_eq!(found, Fault { path: "/n".into(), reason: r#""three" is not of type "integer""#.into() });
        assert_eq!(fault(&validator, &json!({"kind": "a", "n": 3})), None);
        assert_eq!(fault(&validator, &json!(7)).expect("invalid").path, "");
    }
}
