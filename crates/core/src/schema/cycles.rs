//! Schemas that refer to themselves without going into a part of the value, `{"$ref": "#"}` say: they mean nothing, and who
//! follows them (a validator, this compiler) may not come to an end.

use super::locate::Targets;
use crate::pointer;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A place where a subschema applies itself to the very value that it is applied to; `None` if there is none.
///
/// A depth-first search over all subschemas, linear in the schema's size.
pub(super) fn find(schema: &Value, targets: &Targets) -> Option<String> {
    let mut finished: BTreeMap<String, bool> = BTreeMap::new();
    for start in referring(schema) {
        let mut open = vec![(start, false)];
        while let Some((at, left)) = open.pop() {
            if left {
                finished.insert(at, true);
                continue;
            }
            match finished.get(&at) {
                Some(true) => continue,
                Some(false) => return Some(at),
                None => {}
            }
            let next = schema
                .pointer(&at)
                .and_then(Value::as_object)
                .map(|keywords| in_place(schema, targets, &at, keywords))
                .unwrap_or_default();
            finished.insert(at.clone(), false);
            open.push((at, true));
            for target in next.into_iter().rev() {
                match finished.get(&target) {
                    Some(false) => return Some(target),
                    Some(true) => {}
                    None => open.push((target, false)),
                }
            }
        }
    }
    None
}

/// A subschema with `unevaluatedProperties` or `unevaluatedItems` that, by the references it makes in place, contains itself;
/// `None` if there is none. What is unevaluated can only be told by following those references, and here that has no end.
///
/// Quadratic in the number of such subschemas, of which there are few.
pub(super) fn find_unevaluated(schema: &Value, targets: &Targets) -> Option<String> {
    let bearers = bearing(schema, &UNEVALUATED);
    let contained: Vec<Vec<usize>> = bearers
        .iter()
        .map(|bearer| {
            let mut reached = vec![bearer.clone()];
            let mut at = 0;
            while at < reached.len() {
                let keywords = schema.pointer(&reached[at]).and_then(Value::as_object);
                let next =
                    keywords.map(|keywords| in_place(schema, targets, &reached[at], keywords)).unwrap_or_default();
                for target in next {
                    if !reached.contains(&target) {
                        reached.push(target);
                    }
                }
                at += 1;
            }
            let within = |other: &String| {
                reached.iter().any(|place| {
                    let rest = other.strip_prefix(place.as_str());
                    rest.is_some_and(|rest| rest.starts_with('/') || rest.is_empty() && place != bearer)
                })
            };
            (0..bearers.len()).filter(|&other| within(&bearers[other])).collect()
        })
        .collect();
    // Take away those that contain none that is left; what then remains goes round in circles.
    let mut left = vec![true; bearers.len()];
    loop {
        let ends = (0..bearers.len()).find(|&at| left[at] && contained[at].iter().all(|&other| !left[other]));
        match ends {
            Some(at) => left[at] = false,
            None => break,
        }
    }
    left.iter().position(|&left| left).map(|at| bearers[at].clone())
}

const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

/// The pointers of everything that has a reference, sorted.
fn referring(schema: &Value) -> Vec<String> {
    bearing(schema, &REFERENCES)
}

/// The pointers of everything that has one of these keywords, sorted.
fn bearing(schema: &Value, keywords: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), schema)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Array(items) => {
                open.extend(items.iter().enumerate().map(|(index, item)| (pointer::index(&path, index), item)));
            }
            Value::Object(members) => {
                open.extend(members.iter().map(|(key, member)| (pointer::join(&path, key), member)));
                if keywords.iter().any(|keyword| members.contains_key(*keyword)) {
                    found.push(path);
                }
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// The subschemas that speak for the same value as the one at `at`.
fn in_place(schema: &Value, targets: &Targets, at: &str, keywords: &Map<String, Value>) -> Vec<String> {
    let mut found: Vec<String> = REFERENCES
        .iter()
        .filter_map(|keyword| targets.resolve(schema, at, keywords.get(*keyword)?.as_str()?))
        .collect();
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let count = keywords.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
        let list = pointer::join(at, keyword);
        found.extend((0..count).map(|index| pointer::index(&list, index)));
    }
    let single = ["not", "if", "then", "else"].into_iter().filter(|keyword| keywords.contains_key(*keyword));
    found.extend(single.map(|keyword| pointer::join(at, keyword)));
    if let Some(Value::Object(dependent)) = keywords.get("dependentSchemas") {
        let map = pointer::join(at, "dependentSchemas");
        let mut names: Vec<&String> = dependent.keys().collect();
        names.sort_unstable();
        found.extend(names.into_iter().map(|name| pointer::join(&map, name)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(schema: &Value) -> Option<String> {
        find(schema, &Targets::new(schema))
    }

    #[test]
    fn recursion_into_a_part_is_no_cycle() {
        for schema in [
            json!({"items": {"$ref": "#"}, "properties": {"a": {"$ref": "#"}}, "additionalProperties": {"$ref": "#"}}),
            json!({"$ref": "#/$defs/j", "$defs": {"j": {"anyOf": [{"items": {"$ref": "#/$defs/j"}}, {"type": "null"}]}}}),
            // Twice the same definition, and a definition of a definition.
            json!({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {"a": {}, "b": {"$ref": "#/$defs/a"}}}),
        ] {
            assert_eq!(found(&schema), None, "{schema}");
        }
    }

    #[test]
    fn what_is_unevaluated_must_come_to_an_end() {
        let found = |schema: &Value| find_unevaluated(schema, &Targets::new(schema));
        for schema in [
            json!({"properties": {"child": {"$ref": "#"}}, "unevaluatedProperties": false}),
            json!({"$defs": {"a": {"type": "object"}}, "allOf": [{"$ref": "#/$defs/a"}], "unevaluatedProperties": false}),
            json!({"unevaluatedItems": {"unevaluatedItems": {"$ref": "#"}}}),
        ] {
            assert_eq!(found(&schema), None, "{schema}");
        }
        for (schema, place) in [
            (json!({"additionalProperties": {"$ref": "#", "unevaluatedProperties": false}}), "/additionalProperties"),
            (
                json!({"properties": {"a": {"allOf": [{"$ref": "#/$defs/d"}], "unevaluatedItems": false}},
                       "$defs": {"d": {"items": {"$ref": "#", "unevaluatedItems": true}}}}),
                "/$defs/d/items",
            ),
        ] {
            assert_eq!(found(&schema).as_deref(), Some(place), "{schema}");
        }
    }

    #[test]
    fn what_applies_itself_in_place_is_found() {
        for (schema, place) in [
            (json!({"$ref": "#"}), ""),
            (json!({"allOf": [{"$ref": "#"}]}), ""),
            (json!({"properties": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#/properties/a"}]}}}), "/properties/a"),
            (json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}}), "/$defs/a"),
            (json!({"if": {"dependentSchemas": {"k": {"$ref": "#"}}}}), ""),
        ] {
            let at = found(&schema).unwrap_or_else(|| panic!("{schema}"));
            assert!(at.starts_with(place), "{schema}: {at}");
        }
    }
}
