//! What a `$ref` points at, within one schema document: pointers (`#/$defs/X`), anchors (`#name`), and the `$id`s of
//! embedded resources. Nothing is ever fetched.

use crate::pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// All targets of a schema document.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Resource bases: `$id` as written, without an empty fragment, to the pointer of its subschema.
    resources: BTreeMap<String, String>,
    /// Anchors: (pointer of the enclosing resource, name) to the pointer of their subschema.
    anchors: BTreeMap<(String, String), String>,
}

impl Targets {
    /// Walks the whole document once.
    pub(crate) fn new(schema: &Value) -> Self {
        let mut targets = Self::default();
        // A plain `id` names a resource in draft 4 and before; since then it is a word like any other.
        let old = schema.get("$schema").and_then(Value::as_str).is_some_and(|dialect| dialect.contains("draft-04"));
        let mut open: Vec<(String, &Value, String)> = vec![(String::new(), schema, String::new())];
        while let Some((path, value, mut resource)) = open.pop() {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(id)) = members.get(if old { "id" } else { "$id" }) {
                        resource.clone_from(&path);
                        targets.resources.insert(id.trim_end_matches('#').to_owned(), path.clone());
                    }
                    for keyword in ["$anchor", "$dynamicAnchor"] {
                        if let Some(Value::String(name)) = members.get(keyword) {
                            targets.anchors.insert((resource.clone(), name.clone()), path.clone());
                        }
                    }
                    for (key, member) in members {
                        open.push((pointer::join(&path, key), member, resource.clone()));
                    }
                }
                Value::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        open.push((pointer::index(&path, index), item, resource.clone()));
                    }
                }
                _ => {}
            }
        }
        targets
    }

    /// The pointer that `reference`, standing at `from`, means; `None` if nothing is there.
    pub(crate) fn resolve(&self, schema: &Value, from: &str, reference: &str) -> Option<String> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if base.is_empty() { self.enclosing(from) } else { self.resource(base)? };
        let fragment = percent_decode(fragment);
        let target = if fragment.is_empty() || fragment.starts_with('/') {
            format!("{resource}{fragment}")
        } else {
            self.anchors.get(&(resource.clone(), fragment))?.clone()
        };
        schema.pointer(&target).is_some().then_some(target)
    }

    /// The innermost resource around a pointer.
    fn enclosing(&self, from: &str) -> String {
        self.resources
            .values()
            .filter(|resource| {
                from.strip_prefix(resource.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
            .max_by_key(|resource| resource.len())
            .cloned()
            .unwrap_or_default()
    }

    /// A resource by its `$id`, or by the last segment of it: relative references are resolved against a base that
    /// shares the rest.
    fn resource(&self, base: &str) -> Option<String> {
        self.resources
            .get(base)
            .or_else(|| {
                self.resources
                    .iter()
                    .find(|(id, _)| id.rsplit('/').next() == base.rsplit('/').next())
                    .map(|(_, pointer)| pointer)
            })
            .cloned()
    }
}

/// Undoes `%41` and the like; malformed escapes stay as they are.
fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(byte) = escaped {
            decoded.push(byte);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pointers_anchors_and_ids_are_found() {
        let schema = json!({
            "$id": "https://example.org/root.json",
            "$defs": {
                "a/b c": {"type": "string"},
                "named": {"$anchor": "here", "type": "integer"},
                "inner": {"$id": "inner.json", "$defs": {"x": {"type": "null"}}}
            }
        });
        let targets = Targets::new(&schema);
        let resolve = |from: &str, reference: &str| targets.resolve(&schema, from, reference);
        assert_eq!(resolve("", "#").as_deref(), Some(""));
        assert_eq!(resolve("/items", "#/$defs/named").as_deref(), Some("/$defs/named"));
        assert_eq!(resolve("", "#/$defs/a~1b%20c").as_deref(), Some("/$defs/a~1b c"));
        assert_eq!(resolve("", "#here").as_deref(), Some("/$defs/named"));
        assert_eq!(resolve("", "inner.json#/$defs/x").as_deref(), Some("/$defs/inner/$defs/x"));
        assert_eq!(resolve("/$defs/inner/items", "#/$defs/x").as_deref(), Some("/$defs/inner/$defs/x"));
        assert_eq!(resolve("", "https://example.org/root.json").as_deref(), Some(""));
        assert_eq!(resolve("", "#/$defs/nothing"), None);
        assert_eq!(resolve("", "#nowhere"), None);
        assert_eq!(resolve("", "https://example.org/other.json"), None);
    }

    #[test]
    fn a_plain_id_names_a_resource_in_draft_4_only() {
        let mut schema = json!({"$defs": {"x": {"id": "inner", "$defs": {}}, "y": {}}});
        let found = |schema: &Value| Targets::new(schema).resolve(schema, "/$defs/x/items", "#/$defs/y");
        assert_eq!(found(&schema).as_deref(), Some("/$defs/y"));
        schema["$schema"] = json!("http://json-schema.org/draft-04/schema#");
        assert_eq!(found(&schema), None);
    }
}
