//! A document's records and references, found by walking it under the plan. Linear in the document.

use crate::document::{Arena, Class, Kind, NodeId};
use crate::schema::plan::{Additional, DEFAULT_NODE, Node, ObjectRule, Plan, PlanId, Role, ScopeId};
use std::collections::{BTreeMap, BTreeSet};

/// A record of a scope.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    /// The array item that is the record.
    pub(crate) item: NodeId,
    /// The value of its identifier, if it has one.
    pub(crate) id: Option<Class>,
    /// The leaf that holds the identifier.
    pub(crate) id_leaf: Option<NodeId>,
}

/// A reference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reference {
    pub(crate) scope: ScopeId,
    pub(crate) leaf: NodeId,
}

/// What one document holds.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// Records by scope, in document order.
    pub(crate) scopes: Vec<Vec<Record>>,
    pub(crate) references: Vec<Reference>,
    /// The plan node of every visited node that holds identifiers or references, or may.
    pub(crate) plan_of: BTreeMap<NodeId, PlanId>,
}

/// What is wrong with the identifiers of a gold document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    Duplicate { scope: ScopeId, leaf: NodeId, first: NodeId },
    Dangling { scope: ScopeId, leaf: NodeId },
}

/// Which alternative of a union describes a single value; asked of the aligner, which remembers what it validated.
pub(crate) type Choose<'a> = dyn FnMut(PlanId, NodeId) -> PlanId + 'a;

impl Records {
    pub(crate) fn collect(plan: &Plan, arena: &Arena, root: NodeId, choose: &mut Choose<'_>) -> Self {
        let mut found = Self { scopes: plan.scopes.iter().map(|_| Vec::new()).collect(), ..Self::default() };
        // The record index of each array item, by scope and item.
        let mut record_of: BTreeMap<(ScopeId, NodeId), u32> = BTreeMap::new();
        let mut open = vec![(plan.root, root, root)];
        while let Some((id, at, item)) = open.pop() {
            let mut id = id;
            while plan.node(id).referential && !plan.node(id).branches.is_empty() && arena.kind(at) != Kind::Null {
                id = choose(id, at);
            }
            let node = plan.node(id);
            if !node.referential {
                continue;
            }
            found.plan_of.insert(at, id);
            match (node.role, arena.kind(at)) {
                (Role::Identifier(scope), Kind::String | Kind::Number) => {
                    if let Some(&record) = record_of.get(&(scope, item)) {
                        let record = &mut found.scopes[scope.0 as usize][record as usize];
                        record.id = Some(arena.class(at));
                        record.id_leaf = Some(at);
                    }
                }
                (Role::Reference(scope), Kind::String | Kind::Number) => {
                    found.references.push(Reference { scope, leaf: at });
                }
                (Role::Value, Kind::Array) => {
                    for scope in plan.scopes_of(id) {
                        for child in arena.children(at) {
                            let records = &mut found.scopes[scope.0 as usize];
                            record_of.insert((scope, child), records.len() as u32);
                            records.push(Record { item: child, id: None, id_leaf: None });
                        }
                    }
                    for (index, child) in arena.children(at).enumerate().rev() {
                        let (rule, is_item) = item_rule(node, index);
                        open.push((rule, child, if is_item { child } else { item }));
                    }
                }
                (Role::Value, Kind::Object) => {
                    for child in arena.children(at).rev() {
                        open.push((member_rule(&node.object, arena, child), child, item));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Takes the identifier from every record that repeats an earlier one's: references mean the first.
    pub(crate) fn shadow_duplicates(&mut self) {
        for records in &mut self.scopes {
            let mut known = BTreeSet::new();
            for record in records {
                record.id = record.id.filter(|id| known.insert(*id));
            }
        }
    }

    /// Puts the records of each scope into a given order: `orders[scope][k]` is the record that becomes number k.
    pub(crate) fn reorder(&mut self, orders: &[Vec<u32>]) {
        for (records, order) in self.scopes.iter_mut().zip(orders) {
            *records = order.iter().map(|&record| records[record as usize]).collect();
        }
    }

    /// The first flaw, in document order: of the identifiers, then of the references.
    pub(crate) fn flaw(&self, arena: &Arena) -> Option<Flaw> {
        let mut ids: Vec<BTreeMap<Class, NodeId>> = Vec::new();
        for (scope, records) in self.scopes.iter().enumerate() {
            let mut known = BTreeMap::new();
            for (id, leaf) in records.iter().filter_map(|record| Some((record.id?, record.id_leaf?))) {
                if let Some(&first) = known.get(&id) {
                    return Some(Flaw::Duplicate { scope: ScopeId(scope as u32), leaf, first });
                }
                known.insert(id, leaf);
            }
            ids.push(known);
        }
        self.references
            .iter()
            .find(|reference| !ids[reference.scope.0 as usize].contains_key(&arena.class(reference.leaf)))
            .map(|reference| Flaw::Dangling { scope: reference.scope, leaf: reference.leaf })
    }
}

impl Plan {
    /// The scopes whose records are the items of an array.
    pub(crate) fn scopes_of(&self, list: PlanId) -> impl Iterator<Item = ScopeId> {
        (0..self.scopes.len() as u32).map(ScopeId).filter(move |scope| self.scopes[scope.0 as usize].list == list)
    }
}

/// The node for item `index` of an array, and whether it is an item proper or a slot of a tuple.
pub(crate) fn item_rule(node: &Node, index: usize) -> (PlanId, bool) {
    match node.array.prefix.get(index) {
        Some(&(slot, _)) => (slot, false),
        None => (node.array.items.unwrap_or(DEFAULT_NODE), true),
    }
}

/// The node for a member of an object by its own key, as for a gold key.
pub(super) fn member_rule(rule: &ObjectRule, arena: &Arena, member: NodeId) -> PlanId {
    let key = arena.key(member);
    if let Ok(found) = rule.lookup.binary_search_by_key(&key, |(key, _)| *key) {
        return rule.properties[rule.lookup[found].1 as usize].node;
    }
    let text = arena.text(key);
    let pattern = rule.patterns.iter().find(|pattern| pattern.regex.is_match(text).unwrap_or(false));
    match (pattern, rule.additional) {
        (Some(pattern), _) => pattern.node,
        (None, Additional::Schema(node, _)) => node,
        (None, Additional::Undeclared) => DEFAULT_NODE,
    }
}
