//! Records by what tells them apart, for feedback that does not rely on identifiers.
//!
//! The fewest attributes (one, then two, then all) that no other record of the scope on the same side shares, in the order
//! of the schema; where all of them together are shared, it says how many records look alike. Identifiers, references and
//! whatever holds some are no attributes. Linear in the records of the scope, times the pairs of attributes.

use super::templates::Templates;
use super::value::{escaped, shown};
use crate::align::{Alignment, Side};
use crate::document::{Arena, Class, Kind, NodeId, StringId};
use crate::repair::find;
use crate::schema::plan::{Plan, PlanId, Role};

/// How many characters of an attribute, or of an identifier beside attributes, are shown.
pub(super) const ATTRIBUTE: usize = 40;

/// A scope of identifiers: its records, and which of their members are attributes.
pub(super) struct Scope<'a> {
    alignment: &'a Alignment<'a>,
    number: usize,
    attributes: Vec<StringId>,
}

impl<'a> Scope<'a> {
    pub(super) fn named(alignment: &'a Alignment<'a>, name: &str) -> Option<Self> {
        let plan = alignment.plan();
        let number = plan.scopes.iter().position(|scope| &*scope.name == name)?;
        let items = plan.node(plan.scopes[number].list).array.items?;
        let properties = plan.node(items).object.properties.iter();
        let attributes =
            properties.filter(|property| is_attribute(plan, property.node)).map(|property| property.key).collect();
        Some(Self { alignment, number, attributes })
    }

    /// Describes the record at a pointer into the document of a side. `id` is what to call it where it has no attributes.
    pub(super) fn describe(&self, side: Side, record: &str, id: &str, templates: &Templates) -> String {
        let arena = self.alignment.arena();
        let root = self.alignment.matches().first().and_then(|root| match side {
            Side::Gold => root.gold,
            Side::Candidate => root.candidate,
        });
        let Some(root) = root else { return String::new() };
        let values = self.values(find(arena, root, record));
        let keys: Vec<usize> = (0..values.len()).filter(|&at| values[at].is_some()).collect();
        if keys.is_empty() {
            return templates.fill("describe.bare", &[("id", id)]);
        }
        let [gold, candidate] = self.alignment.records();
        let records = match side {
            Side::Gold => &gold.scopes[self.number],
            Side::Candidate => &candidate.scopes[self.number],
        };
        let classes = |values: &[Option<NodeId>]| -> Vec<Option<Class>> {
            values.iter().map(|value| value.map(|leaf| arena.class(leaf))).collect()
        };
        let own = classes(&values);
        let table: Vec<_> = records.iter().map(|record| classes(&self.values(record.item))).collect();
        let alike = |keys: &[usize]| table.iter().filter(|row| keys.iter().all(|&key| row[key] == own[key])).count();
        let one = keys.iter().map(|&key| vec![key]);
        let two = keys.iter().enumerate().flat_map(|(at, &a)| keys[at + 1..].iter().map(move |&b| vec![a, b]));
        // It is itself among the records.
        let clear = one.chain(two).find(|keys| alike(keys) <= 1);
        let chosen = clear.unwrap_or(keys);
        let attribute = |&key: &usize| {
            let value = values[key].map(|leaf| shown(&arena.value(leaf), ATTRIBUTE)).unwrap_or_default();
            let key = escaped(arena.text(self.attributes[key]));
            templates.fill("describe.attribute", &[("key", &key), ("value", &value)])
        };
        let attributes: Vec<String> = chosen.iter().map(attribute).collect();
        let attributes = attributes.join(&templates.fill("describe.and", &[]));
        match alike(&chosen) {
            0 | 1 => templates.fill("describe.record", &[("attributes", &attributes)]),
            count => templates.fill("describe.several", &[("attributes", &attributes), ("count", &count.to_string())]),
        }
    }

    /// The attributes of a record, in the order of the schema: the leaves.
    fn values(&self, record: NodeId) -> Vec<Option<NodeId>> {
        let arena: &Arena = self.alignment.arena();
        let mut values = vec![None; self.attributes.len()];
        if arena.kind(record) == Kind::Object {
            for member in arena.children(record) {
                let at = self.attributes.iter().position(|&key| key == arena.key(member));
                if let Some(at) = at.filter(|_| !matches!(arena.kind(member), Kind::Array | Kind::Object)) {
                    values[at] = Some(member);
                }
            }
        }
        values
    }
}

fn is_attribute(plan: &Plan, node: PlanId) -> bool {
    let node = plan.node(node);
    node.role == Role::Value && !node.referential
}
