//! A document as a coloured graph, such that two documents are equal up to renamed identifiers and shuffled order-agnostic
//! lists exactly when their graphs are isomorphic.
//!
//! A vertex stands for each record and for each object or array that holds identifiers or references somewhere below. Edges
//! lead from containers to what they contain (labelled by key, by index where order counts, by one common label where it
//! does not) and from whatever holds a reference to the record it means. A colour is everything else: the contents that
//! have nothing to do with identifiers, in a canonical spelling. Colours and labels are numbered by their text, over both
//! documents at once, so that the numbers mean the same in both graphs and do not hang on any order.
//!
//! Linear in the documents, but for the sorting of contents.

use super::records::{Choose, Records, item_rule, member_rule};
use crate::document::{Arena, Kind, NodeId, Number, Slot};
use crate::graph::{Graph, GraphBuilder};
use crate::schema::plan::{Order, Plan, PlanId, Role, ScopeId};
use std::collections::{BTreeMap, BTreeSet};

/// The graph of a document.
#[derive(Debug)]
pub(crate) struct Structure {
    pub(crate) graph: Graph,
    /// The vertex of each record, by scope.
    pub(crate) vertex_of_record: Vec<Vec<u32>>,
}

/// A graph whose colours and labels are still texts.
#[derive(Debug, Default)]
struct Draft {
    colours: Vec<Vec<u8>>,
    edges: Vec<(u32, u32, Vec<u8>)>,
    vertex_of_record: Vec<Vec<u32>>,
}

/// The graphs of two documents, with common numbers for colours and labels.
pub(crate) fn of_pair(
    plan: &Plan,
    arena: &Arena,
    first: (NodeId, &Records),
    second: (NodeId, &Records),
    choose: &mut Choose<'_>,
) -> (Structure, Structure) {
    let first = Draft::new(plan, arena, first.0, first.1, choose);
    let second = Draft::new(plan, arena, second.0, second.1, choose);
    let colours = numbers(first.colours.iter().chain(&second.colours));
    let labels = numbers(first.edges.iter().chain(&second.edges).map(|(_, _, label)| label));
    let first = first.finish(&colours, &labels);
    let second = second.finish(&colours, &labels);
    (first, second)
}

/// Texts numbered in their own order.
fn numbers<'a>(texts: impl Iterator<Item = &'a Vec<u8>>) -> BTreeMap<Vec<u8>, u32> {
    let mut numbers: BTreeMap<Vec<u8>, u32> = texts.map(|text| (text.clone(), 0)).collect();
    for (number, slot) in numbers.values_mut().enumerate() {
        *slot = number as u32;
    }
    numbers
}

impl Draft {
    fn new(plan: &Plan, arena: &Arena, root: NodeId, records: &Records, choose: &mut Choose<'_>) -> Self {
        let mut writer = Writer { plan, arena, choose };
        let mut draft = Self { vertex_of_record: vec![Vec::new(); records.scopes.len()], ..Self::default() };
        let items: BTreeSet<NodeId> = records.scopes.iter().flatten().map(|record| record.item).collect();
        let mut vertex_of: BTreeMap<NodeId, u32> = BTreeMap::new();
        let containers = records.plan_of.keys().filter(|node| matches!(arena.kind(**node), Kind::Array | Kind::Object));
        for &node in containers.chain(&items).chain([&root]) {
            let next = vertex_of.len() as u32;
            vertex_of.entry(node).or_insert(next);
        }
        draft.colours = vec![Vec::new(); vertex_of.len()];
        // Where every reference that means nothing points.
        let nowhere = draft.colours.len() as u32;
        draft.colours.push(b"nowhere".to_vec());
        let mut target_of = BTreeMap::new();
        for (scope, of_scope) in records.scopes.iter().enumerate() {
            for record in of_scope {
                let vertex = vertex_of[&record.item];
                draft.vertex_of_record[scope].push(vertex);
                if let Some(id) = record.id {
                    target_of.insert((ScopeId(scope as u32), id), vertex);
                }
            }
        }
        let mut contents: Vec<Vec<Vec<u8>>> = vec![Vec::new(); vertex_of.len()];
        for (&node, &vertex) in &vertex_of {
            let mut kind = vec![arena.kind(node) as u8];
            if let Some(parent) = arena.parent(node).and_then(|parent| vertex_of.get(&parent)) {
                draft.edges.push((*parent, vertex, writer.label(b'c', records, node)));
            } else {
                kind.push(b'r');
            }
            contents[vertex as usize].push(kind);
            let children = matches!(arena.kind(node), Kind::Array | Kind::Object)
                .then(|| arena.children(node))
                .into_iter()
                .flatten();
            for child in children.filter(|child| !records.plan_of.contains_key(child)) {
                let mut content = writer.label(b'v', records, child);
                if let Some(&rule) = records.plan_of.get(&node) {
                    let rule = writer.rule_of(rule, child);
                    writer.write(rule, child, &mut content);
                }
                contents[vertex as usize].push(content);
            }
        }
        for (&leaf, &rule) in &records.plan_of {
            if matches!(arena.kind(leaf), Kind::Array | Kind::Object) {
                continue;
            }
            // A leaf that is itself a record hangs its content on its own vertex, any other on its container's.
            let Some(holder) = arena.parent(leaf).and_then(|parent| vertex_of.get(&parent)).or(vertex_of.get(&leaf))
            else {
                continue;
            };
            let holder = if items.contains(&leaf) { vertex_of[&leaf] } else { *holder };
            match (plan.node(rule).role, arena.kind(leaf)) {
                (Role::Reference(scope), Kind::String | Kind::Number) => {
                    let target = target_of.get(&(scope, arena.class(leaf))).copied().unwrap_or(nowhere);
                    draft.edges.push((holder, target, writer.label(b'f', records, leaf)));
                }
                (Role::Identifier(scope), Kind::String | Kind::Number) => {
                    let mut content = writer.label(b'i', records, leaf);
                    let shadowed = !target_of.contains_key(&(scope, arena.class(leaf)))
                        || !records.scopes[scope.0 as usize]
                            .iter()
                            .any(|record| record.id_leaf == Some(leaf) && record.id.is_some());
                    content.push(u8::from(shadowed));
                    contents[holder as usize].push(content);
                }
                _ => {
                    let mut content = writer.label(b'v', records, leaf);
                    writer.write(rule, leaf, &mut content);
                    contents[holder as usize].push(content);
                }
            }
        }
        for (colour, mut contents) in draft.colours.iter_mut().zip(contents) {
            // Members come in the order of their keys and items of ordered lists carry their index: only the contents of
            // order-agnostic lists are really sorted here.
            contents.sort();
            for content in contents {
                write_text(&content, colour);
            }
        }
        draft
    }

    fn finish(self, colours: &BTreeMap<Vec<u8>, u32>, labels: &BTreeMap<Vec<u8>, u32>) -> Structure {
        let mut builder = GraphBuilder::new(self.colours.iter().map(|colour| colours[colour]).collect());
        for (from, to, label) in &self.edges {
            builder.edge(*from, *to, labels[label]);
        }
        Structure { graph: builder.build(), vertex_of_record: self.vertex_of_record }
    }
}

/// Writes contents in a canonical spelling.
struct Writer<'a, 'c> {
    plan: &'a Plan,
    arena: &'a Arena,
    choose: &'a mut Choose<'c>,
}

impl Writer<'_, '_> {
    /// What a container calls a child: its key, its index where order counts, nothing where it does not.
    fn label(&self, tag: u8, records: &Records, node: NodeId) -> Vec<u8> {
        let mut label = vec![tag];
        match self.arena.slot(node) {
            Slot::Root => {}
            Slot::Key(key) => {
                label.push(b'k');
                label.extend_from_slice(self.arena.text(key).as_bytes());
                // So that no key is the beginning of another label.
                label.push(0xff);
            }
            Slot::Index(index) => {
                let parent = self.arena.parent(node).and_then(|parent| records.plan_of.get(&parent));
                if parent.is_none_or(|&parent| self.order_counts(parent, index as usize)) {
                    label.push(b'i');
                    label.extend_from_slice(&index.to_be_bytes());
                }
            }
        }
        label
    }

    fn order_counts(&self, list: PlanId, index: usize) -> bool {
        let rule = &self.plan.node(list).array;
        rule.order == Order::Fixed || index < rule.prefix.len() || rule.items.is_none()
    }

    fn rule_of(&self, container: PlanId, child: NodeId) -> PlanId {
        let node = self.plan.node(container);
        match self.arena.slot(child) {
            Slot::Index(index) => item_rule(node, index as usize).0,
            Slot::Key(_) => member_rule(&node.object, self.arena, child),
            Slot::Root => container,
        }
    }

    /// Appends a value, the items of order-agnostic lists sorted. Depth is bounded by the loader.
    fn write(&mut self, rule: PlanId, node: NodeId, out: &mut Vec<u8>) {
        let mut rule = rule;
        while !self.plan.node(rule).branches.is_empty() && self.arena.kind(node) != Kind::Null {
            rule = (self.choose)(rule, node);
        }
        out.push(self.arena.kind(node) as u8);
        match self.arena.kind(node) {
            Kind::Null => {}
            Kind::Boolean => out.push(u8::from(self.arena.boolean(node))),
            Kind::String => write_text(self.arena.text(self.arena.string(node)).as_bytes(), out),
            Kind::Number => match self.arena.number(node) {
                Number::Integer(integer) => out.extend_from_slice(&integer.to_be_bytes()),
                Number::Fraction(bits) => out.extend_from_slice(&bits.to_be_bytes()),
                huge @ Number::Huge { .. } => write_text(format!("{huge:?}").as_bytes(), out),
            },
            Kind::Object => {
                for child in self.arena.children(node) {
                    write_text(self.arena.text(self.arena.key(child)).as_bytes(), out);
                    let mut content = Vec::new();
                    let rule = self.rule_of(rule, child);
                    self.write(rule, child, &mut content);
                    write_text(&content, out);
                }
            }
            Kind::Array => {
                let mut items: Vec<(Option<u32>, Vec<u8>)> = Vec::new();
                for (index, child) in self.arena.children(node).enumerate() {
                    let mut content = Vec::new();
                    let item = self.rule_of(rule, child);
                    self.write(item, child, &mut content);
                    items.push((self.order_counts(rule, index).then_some(index as u32), content));
                }
                items.sort();
                for (_, content) in items {
                    write_text(&content, out);
                }
            }
        }
    }
}

/// A text with its length before it, so that texts in a row can be told apart.
fn write_text(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u64).to_be_bytes());
    out.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::canonical_form;
    use serde_json::{Value, json};

    fn plan() -> Plan {
        Plan::compile(&json!({"type": "object", "properties": {
            "nodes": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
                "id": {"type": "integer", "idScope": "n"},
                "tags": {"type": "array", "order": "align", "items": {"type": "string"}},
                "steps": {"type": "array", "items": {"type": "string"}}}}},
            "paths": {"type": "array", "order": "align", "items": {"type": "array", "items": {"type": "integer", "ref": "n"}}}
        }}))
        .expect("a schema")
    }

    /// Whether two documents have isomorphic graphs.
    fn same(first: &Value, second: &Value) -> bool {
        let plan = plan();
        let mut arena = Arena::default();
        for key in &plan.keys {
            arena.intern(key);
        }
        let (first, second) = (arena.load(first).expect("small"), arena.load(second).expect("small"));
        let records = |root| Records::collect(&plan, &arena, root, &mut |union, _| union);
        let (of_first, of_second) = (records(first), records(second));
        let (a, b) = of_pair(&plan, &arena, (first, &of_first), (second, &of_second), &mut |union, _| union);
        assert_eq!(a.vertex_of_record[0].len(), of_first.scopes[0].len());
        canonical_form(&a.graph, 1000).certificate == canonical_form(&b.graph, 1000).certificate
    }

    #[test]
    fn names_and_free_orders_do_not_show_and_all_else_does() {
        let node = |id: u32, tags: &[&str], steps: &[&str]| json!({"id": id, "tags": tags, "steps": steps});
        let of = |nodes: Vec<Value>, paths: Value| json!({"nodes": nodes, "paths": paths});
        let base = of(vec![node(1, &["a", "b"], &["x", "y"]), node(2, &[], &["x"])], json!([[1, 2], [2]]));
        let alike = of(vec![node(8, &[], &["x"]), node(9, &["b", "a"], &["x", "y"])], json!([[8], [9, 8]]));
        assert!(same(&base, &alike));
        for other in [
            // Ordered steps in another order; a path the other way round; another target; a path less; another tag.
            of(vec![node(1, &["a", "b"], &["y", "x"]), node(2, &[], &["x"])], json!([[1, 2], [2]])),
            of(vec![node(1, &["a", "b"], &["x", "y"]), node(2, &[], &["x"])], json!([[2, 1], [2]])),
            of(vec![node(1, &["a", "b"], &["x", "y"]), node(2, &[], &["x"])], json!([[1, 2], [1]])),
            of(vec![node(1, &["a", "b"], &["x", "y"]), node(2, &[], &["x"])], json!([[1, 2]])),
            of(vec![node(1, &["a", "c"], &["x", "y"]), node(2, &[], &["x"])], json!([[1, 2], [2]])),
        ] {
            assert!(!same(&base, &other), "{other}");
        }
    }
}
