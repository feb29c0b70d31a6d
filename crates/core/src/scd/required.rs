//! The leaf paths that a JSON Schema requires: R of the Schema Compliance Rate.
//!
//! From the root, through `required` members, `$ref`, `allOf` and the first `minItems` items of arrays, to whatever is
//! neither an object nor an array. Of alternatives (`anyOf`, `oneOf`) only what all of them require is required. Linear in
//! the paths found and the schema around them.

use super::path::{Path, Step};
use crate::MAX_DEPTH;
use crate::pointer;
use crate::schema::Targets;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// More required paths than this, and the schema is not one to fill in.
const MOST_PATHS: usize = 1_000_000;

/// Why a schema's required paths cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequiredError {
    /// A `$ref` points at nothing in the schema.
    #[error("{}: $ref {reference:?} points at nothing in this schema", pointer::shown(path))]
    Reference {
        /// JSON Pointer to the subschema.
        path: String,
        /// The reference.
        reference: String,
    },
    /// What is required has no end: no finite value fits.
    #[error("{path}: what is required here is deeper than {MAX_DEPTH} levels; does it require itself?")]
    Endless {
        /// The leaf path where the walk gave up, shortened.
        path: String,
    },
    /// Too many paths.
    #[error("more than {MOST_PATHS} paths are required")]
    TooMany,
}

/// The leaf paths that `schema` requires, in the order of the schema, each once.
///
/// ```
/// use objalign_core::scd::required_paths;
/// use serde_json::json;
///
/// let paths = required_paths(&json!({
///     "type": "object",
///     "required": ["name", "tags"],
///     "properties": {
///         "name": {"type": "string"},
///         "note": {"type": "string"},
///         "tags": {"type": "array", "minItems": 2, "items": {"type": "string"}}
///     }
/// }))?;
/// let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
/// assert_eq!(paths, ["$.name", "$.tags[0]", "$.tags[1]"]);
/// # Ok::<(), objalign_core::scd::RequiredError>(())
/// ```
///
/// # Errors
///
/// A reference that points at nothing, requirements without an end, or more than a million paths.
pub fn required_paths(schema: &Value) -> Result<Vec<Path>, RequiredError> {
    let mut walk = Walk { schema, targets: Targets::new(schema), found: Vec::new(), seen: BTreeSet::new(), visits: 0 };
    walk.visit(&[String::new()], &Path::root(), 0)?;
    Ok(walk.found)
}

struct Walk<'a> {
    schema: &'a Value,
    targets: Targets,
    found: Vec<Path>,
    seen: BTreeSet<Path>,
    visits: usize,
}

/// What the subschemas that apply to one place say together.
#[derive(Default)]
struct Merged<'a> {
    required: Vec<&'a str>,
    properties: BTreeMap<&'a str, Vec<String>>,
    min_items: u64,
    prefix: Vec<Vec<String>>,
    items: Vec<String>,
    /// Each `anyOf` and `oneOf`, with the pointers of its alternatives.
    unions: Vec<Vec<String>>,
    types: Option<BTreeSet<&'a str>>,
    object: bool,
    array: bool,
}

impl Merged<'_> {
    fn is(&self, kind: &str, hinted: bool) -> bool {
        match &self.types {
            Some(types) => types.len() == 1 && types.contains(kind),
            None => hinted,
        }
    }

    /// Whether a value here is a leaf, as far as this place alone says.
    fn is_leaf(&self) -> bool {
        self.unions.is_empty() && !self.is("object", self.object) && !self.is("array", self.array)
    }
}

impl<'a> Walk<'a> {
    /// Lists what is required at a place to which all of these subschemas (by pointer) apply.
    fn visit(&mut self, subschemas: &[String], at: &Path, depth: usize) -> Result<(), RequiredError> {
        self.visits += 1;
        if depth > MAX_DEPTH {
            let path: String = at.to_string().chars().take(60).collect();
            return Err(RequiredError::Endless { path: format!("{path}...") });
        }
        if self.visits > MOST_PATHS {
            return Err(RequiredError::TooMany);
        }
        let mut merged = self.merge(subschemas)?;
        if merged.is_leaf() {
            return self.add(at.clone());
        }
        if merged.is("object", merged.object) {
            for key in std::mem::take(&mut merged.required) {
                let below = merged.properties.remove(key).unwrap_or_default();
                self.visit(&below, &at.join(Step::Key(key.to_owned())), depth + 1)?;
            }
        } else if merged.is("array", merged.array) {
            for index in 0..merged.min_items {
                let below = merged.prefix.get(index as usize).unwrap_or(&merged.items);
                self.visit(below, &at.join(Step::Index(index as usize)), depth + 1)?;
            }
        }
        for alternatives in merged.unions {
            self.visit_union(&alternatives, at, depth)?;
        }
        Ok(())
    }

    /// Adds what every alternative requires.
    fn visit_union(&mut self, alternatives: &[String], at: &Path, depth: usize) -> Result<(), RequiredError> {
        let mut leaves = 0;
        for alternative in alternatives {
            leaves += usize::from(self.merge(std::slice::from_ref(alternative))?.is_leaf());
        }
        if leaves == alternatives.len() {
            return self.add(at.clone());
        }
        if leaves > 0 {
            // A leaf and a container have no leaf path in common, whatever is in the container.
            return Ok(());
        }
        let before = (std::mem::take(&mut self.found), std::mem::take(&mut self.seen));
        let mut common: Option<Vec<Path>> = None;
        for alternative in alternatives {
            self.visit(std::slice::from_ref(alternative), at, depth + 1)?;
            let (found, seen) = (std::mem::take(&mut self.found), std::mem::take(&mut self.seen));
            common = Some(match common {
                None => found,
                Some(paths) => paths.into_iter().filter(|path| seen.contains(path)).collect(),
            });
        }
        (self.found, self.seen) = before;
        common.into_iter().flatten().try_for_each(|path| self.add(path))
    }

    fn add(&mut self, path: Path) -> Result<(), RequiredError> {
        if self.found.len() >= MOST_PATHS {
            return Err(RequiredError::TooMany);
        }
        if self.seen.insert(path.clone()) {
            self.found.push(path);
        }
        Ok(())
    }

    /// What subschemas say together, with everything that they refer to.
    fn merge(&self, subschemas: &[String]) -> Result<Merged<'a>, RequiredError> {
        let mut merged = Merged::default();
        let mut known = BTreeSet::new();
        let mut open: Vec<String> = subschemas.iter().rev().cloned().collect();
        while let Some(path) = open.pop() {
            if !known.insert(path.clone()) {
                continue;
            }
            let Some(Value::Object(subschema)) = self.schema.pointer(&path) else { continue };
            if let Some(Value::Array(parts)) = subschema.get("allOf") {
                let all = pointer::join(&path, "allOf");
                open.extend((0..parts.len()).rev().map(|index| pointer::index(&all, index)));
            }
            if let Some(Value::String(reference)) = subschema.get("$ref") {
                let target = self.targets.resolve(self.schema, &path, reference);
                open.push(
                    target
                        .ok_or_else(|| RequiredError::Reference { path: path.clone(), reference: reference.clone() })?,
                );
            }
            merged.add(&path, subschema);
        }
        Ok(merged)
    }
}

impl<'a> Merged<'a> {
    /// Adds what one subschema says by itself.
    fn add(&mut self, path: &str, subschema: &'a Map<String, Value>) {
        let below = |keyword: &str| pointer::join(path, keyword);
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(parts)) = subschema.get(keyword) {
                let alternatives = (0..parts.len()).map(|index| pointer::index(&below(keyword), index));
                self.unions.push(alternatives.collect());
            }
        }
        if let Some(types) = types(subschema) {
            self.types = Some(match self.types.take() {
                None => types,
                Some(before) => before.intersection(&types).copied().collect(),
            });
        }
        if let Some(Value::Array(keys)) = subschema.get("required") {
            self.object = true;
            for key in keys.iter().filter_map(Value::as_str) {
                if !self.required.contains(&key) {
                    self.required.push(key);
                }
            }
        }
        if let Some(Value::Object(properties)) = subschema.get("properties") {
            self.object = true;
            for key in properties.keys() {
                let place = pointer::join(&below("properties"), key);
                self.properties.entry(key).or_default().push(place);
            }
        }
        if let Some(least) = subschema.get("minItems").and_then(Value::as_u64) {
            self.array = true;
            self.min_items = self.min_items.max(least);
        }
        if let Some(Value::Array(slots)) = subschema.get("prefixItems") {
            self.array = true;
            for index in 0..slots.len() {
                if self.prefix.len() <= index {
                    self.prefix.push(Vec::new());
                }
                self.prefix[index].push(pointer::index(&below("prefixItems"), index));
            }
        }
        if subschema.contains_key("items") {
            self.array = true;
            self.items.push(below("items"));
        }
    }
}

fn types(subschema: &Map<String, Value>) -> Option<BTreeSet<&str>> {
    match subschema.get("type")? {
        Value::String(name) => Some(BTreeSet::from([name.as_str()])),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(schema: &Value) -> Vec<String> {
        required_paths(schema).expect("listable").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn references_parts_and_items_are_followed() {
        let schema = json!({
            "$defs": {
                "node": {
                    "type": "object",
                    "required": ["value", "meta"],
                    "properties": {"value": {"type": "integer"}, "meta": {"$ref": "#/$defs/meta"}, "left": {"$ref": "#/$defs/node"}}
                },
                "meta": {"allOf": [{"required": ["code"]}, {"properties": {"code": {"const": 1}, "free": {}}}]}
            },
            "type": "object",
            "required": ["root", "rows", "pair", "any"],
            "properties": {
                "root": {"$ref": "#/$defs/node"},
                "rows": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/meta"}},
                "pair": {"type": "array", "minItems": 2, "prefixItems": [{"type": "null"}], "items": {"type": "boolean"}}
            }
        });
        let expected = ["$.root.value", "$.root.meta.code", "$.rows[0].code", "$.pair[0]", "$.pair[1]", "$.any"];
        assert_eq!(found(&schema), expected);
    }

    #[test]
    fn alternatives_require_what_they_share() {
        let schema = json!({
            "type": "object",
            "required": ["a", "b", "c"],
            "properties": {
                "a": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "b": {"oneOf": [
                    {"type": "object", "required": ["x", "y"], "properties": {}},
                    {"type": "object", "required": ["y", "z"], "properties": {}}
                ]},
                "c": {"anyOf": [{"type": "object", "required": ["x"]}, {"type": "null"}]}
            }
        });
        assert_eq!(found(&schema), ["$.a", "$.b.y"]);
    }

    #[test]
    fn optional_members_and_empty_containers_require_nothing() {
        let schema = json!({"type": "object", "required": ["o", "l"], "properties": {
            "o": {"type": "object"}, "l": {"type": "array"}, "n": {"type": "string"}
        }});
        assert_eq!(found(&schema), Vec::<String>::new());
        assert_eq!(found(&json!({"type": "string"})), ["$"]);
    }

    #[test]
    fn what_has_no_end_is_said() {
        let endless = json!({"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}});
        assert!(matches!(required_paths(&endless), Err(RequiredError::Endless { .. })));
        let nowhere = json!({"$ref": "#/$defs/gone"});
        let error = required_paths(&nowhere).expect_err("nothing there");
        assert_eq!(error.to_string(), r##"(root): $ref "#/$defs/gone" points at nothing in this schema"##);
        let wide = json!({"type": "array", "minItems": 2_000_000, "items": {"type": "null"}});
        assert_eq!(required_paths(&wide), Err(RequiredError::TooMany));
    }
}
