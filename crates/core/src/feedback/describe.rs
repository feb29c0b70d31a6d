//! Records by what tells them apart, for feedback that does not rely on identifiers.
//!
//! The fewest attributes (one, then two, then all) that no other record of the scope shares, in the order of the schema;
//! where all of them together are shared, it says how many records look alike. Identifiers and references are no attributes.

use super::templates::Templates;
use super::value::{escaped, shown};
use crate::schema::plan::{Plan, PlanId, Role, ScopeId};
use serde_json::{Map, Value};

/// The records of a scope on one side, and which of their members are attributes.
pub(super) struct Scope<'a> {
    pub(super) records: Vec<&'a Value>,
    pub(super) attributes: Vec<String>,
}

impl<'a> Scope<'a> {
    /// `list` is the list of records.
    pub(super) fn new(plan: &Plan, scope: ScopeId, list: Option<&'a Value>) -> Self {
        let items = plan.node(plan.scopes[scope.0 as usize].list).array.items;
        let records: Vec<&Value> = list.and_then(Value::as_array).into_iter().flatten().collect();
        let mut attributes: Vec<String> = Vec::new();
        if let Some(items) = items {
            let rule = &plan.node(items).object;
            attributes.extend(
                rule.properties
                    .iter()
                    .filter(|property| is_attribute(plan, property.node))
                    .map(|property| plan.keys[property.key.0 as usize].to_string()),
            );
        }
        Self { records, attributes }
    }

    /// Describes a record.
    pub(super) fn describe(&self, record: &Value, templates: &Templates) -> String {
        let empty = Map::new();
        let members = record.as_object().unwrap_or(&empty);
        let scalar = |key: &&String| members.get(*key).is_some_and(|value| !value.is_array() && !value.is_object());
        let keys: Vec<&String> = self.attributes.iter().filter(scalar).collect();
        let alike = |keys: &[&String]| {
            let same = |other: &&&Value| keys.iter().all(|key| other.get(key.as_str()) == record.get(key.as_str()));
            self.records.iter().filter(same).count()
        };
        if keys.is_empty() {
            return templates.fill("describe.bare", &[("id", &shown(record, 40))]);
        }
        let one = keys.iter().map(|key| vec![*key]);
        let two = keys.iter().enumerate().flat_map(|(at, a)| keys[at + 1..].iter().map(move |b| vec![*a, *b]));
        // A record that is missing has no peer of its own among the records.
        let clear = one.chain(two).find(|keys| alike(keys) <= 1);
        let chosen = clear.unwrap_or_else(|| keys.clone());
        let parts: Vec<String> = chosen
            .iter()
            .map(|key| {
                let value = members.get(key.as_str()).map(|value| shown(value, 40)).unwrap_or_default();
                templates.fill("describe.attribute", &[("key", &escaped(key)), ("value", &value)])
            })
            .collect();
        let attributes = parts.join(&templates.fill("describe.and", &[]));
        let count = alike(&chosen);
        if count > 1 {
            templates.fill("describe.several", &[("attributes", &attributes), ("count", &count.to_string())])
        } else {
            templates.fill("describe.record", &[("attributes", &attributes)])
        }
    }
}

fn is_attribute(plan: &Plan, node: PlanId) -> bool {
    let node = plan.node(node);
    node.role == Role::Value && !node.referential
}
