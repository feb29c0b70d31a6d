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
use crate::document::{Arena, Kind, NodeId, Number, Slot, StringId};
use crate::graph::{Graph, GraphBuilder};
use crate::schema::plan::{Order, Plan, PlanId, Role, ScopeId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The graph of a document.
#[derive(Debug)]
pub(crate) struct Structure {
    pub(crate) graph: Graph,
    /// The vertex of each record, by scope.
    pub(crate) vertex_of_record: Vec<Vec<u32>>,
}

/// A graph whose colours and labels are still texts. It is that of one document alone, and serves for every other that this one
/// is compared with, as long as strings keep their ids.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    colours: Texts,
    labels: Labels,
    /// From, to, and the place of the label.
    edges: Vec<(u32, u32, u32)>,
    vertex_of_record: Vec<Vec<u32>>,
}

/// The graphs of two documents, with common numbers for colours and labels.
pub(crate) fn of_pair(first: &Draft, second: &Draft) -> (Structure, Structure) {
    let (of_first, of_second) = numbers(&first.colours, &second.colours);
    let (labels_of_first, labels_of_second) = numbers(&first.labels.texts, &second.labels.texts);
    (first.finish(of_first, &labels_of_first), second.finish(of_second, &labels_of_second))
}

/// Texts in one piece of memory.
#[derive(Debug, Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    /// Ends the text under construction, which is all bytes since the one before.
    fn end(&mut self) -> u32 {
        self.ends.push(self.bytes.len());
        self.ends.len() as u32 - 1
    }

    fn get(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[at]]
    }
}

/// The number of each text of either side: equal texts get equal numbers, in their own order.
fn numbers(first: &Texts, second: &Texts) -> (Vec<u32>, Vec<u32>) {
    let of_first = (0..first.ends.len()).map(|at| (first.get(at), at));
    let of_second = (0..second.ends.len()).map(|at| (second.get(at), first.ends.len() + at));
    let mut all: Vec<(&[u8], usize)> = of_first.chain(of_second).collect();
    all.sort_unstable();
    let mut numbers = vec![0; all.len()];
    for (number, same) in all.chunk_by(|a, b| a.0 == b.0).enumerate() {
        for &(_, at) in same {
            numbers[at] = number as u32;
        }
    }
    let of_second = numbers.split_off(first.ends.len());
    (numbers, of_second)
}

/// The labels in use, each once: a document repeats a few of them all over.
#[derive(Debug, Default)]
struct Labels {
    texts: Texts,
    known: BTreeMap<(u8, Name), u32>,
}

/// What a container calls a child: its key, its index where order counts, nothing where it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    None,
    Index(u32),
    Key(StringId),
}

impl Labels {
    fn of(&mut self, tag: u8, name: Name, arena: &Arena) -> u32 {
        *self.known.entry((tag, name)).or_insert_with(|| {
            write_name(tag, name, arena, &mut self.texts.bytes);
            self.texts.end()
        })
    }
}

fn write_name(tag: u8, name: Name, arena: &Arena, out: &mut Vec<u8>) {
    out.push(tag);
    match name {
        Name::None => {}
        Name::Index(index) => {
            out.push(b'i');
            out.extend_from_slice(&index.to_be_bytes());
        }
        Name::Key(key) => {
            out.push(b'k');
            out.extend_from_slice(arena.text(key).as_bytes());
            // So that no key is the beginning of another label.
            out.push(0xff);
        }
    }
}

/// What hangs on vertices: texts, each with its vertex.
#[derive(Debug, Default)]
struct Contents {
    texts: Texts,
    vertices: Vec<u32>,
}

impl Contents {
    /// Ends the text under construction.
    fn end(&mut self, vertex: u32) {
        self.texts.end();
        self.vertices.push(vertex);
    }

    /// For each vertex all its contents in their own order, each with its length before it.
    fn colours(self, vertices: usize) -> Texts {
        // Members come in the order of their keys and items of ordered lists carry their index: only the contents of
        // order-agnostic lists are really sorted here.
        let mut order: Vec<usize> = (0..self.vertices.len()).collect();
        order.sort_unstable_by_key(|&at| (self.vertices[at], self.texts.get(at)));
        let mut colours = Texts::default();
        let mut sorted = order.into_iter().peekable();
        for vertex in 0..vertices as u32 {
            while let Some(at) = sorted.next_if(|&at| self.vertices[at] == vertex) {
                write_text(self.texts.get(at), &mut colours.bytes);
            }
            colours.end();
        }
        colours
    }
}

impl Draft {
    pub(crate) fn new(plan: &Plan, arena: &Arena, root: NodeId, records: &Records, choose: &mut Choose<'_>) -> Self {
        let mut writer = Writer { plan, arena, choose };
        let mut draft = Self { vertex_of_record: vec![Vec::new(); records.scopes.len()], ..Self::default() };
        let is_container = |node: NodeId| matches!(arena.kind(node), Kind::Array | Kind::Object);
        let items: BTreeSet<NodeId> = records.scopes.iter().flatten().map(|record| record.item).collect();
        let mut vertex_of: BTreeMap<NodeId, u32> = BTreeMap::new();
        for &node in records.plan_of.keys().filter(|node| is_container(**node)).chain(&items).chain([&root]) {
            let next = vertex_of.len() as u32;
            vertex_of.entry(node).or_insert(next);
        }
        // Where every reference that means nothing points.
        let nowhere = vertex_of.len() as u32;
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
        let mut contents = Contents::default();
        for (&node, &vertex) in &vertex_of {
            contents.texts.bytes.push(arena.kind(node) as u8);
            if let Some(parent) = arena.parent(node).and_then(|parent| vertex_of.get(&parent)) {
                let label = draft.labels.of(b'c', writer.name(records, node), arena);
                draft.edges.push((*parent, vertex, label));
            } else {
                contents.texts.bytes.push(b'r');
            }
            contents.end(vertex);
            let children = is_container(node).then(|| arena.children(node)).into_iter().flatten();
            for child in children.filter(|child| !records.plan_of.contains_key(child)) {
                let content = &mut contents.texts.bytes;
                write_name(b'v', writer.name(records, child), arena, content);
                if let Some(&rule) = records.plan_of.get(&node) {
                    let rule = writer.rule_of(rule, child);
                    writer.write(rule, child, content);
                }
                contents.end(vertex);
            }
        }
        for (&leaf, &rule) in &records.plan_of {
            if is_container(leaf) {
                continue;
            }
            // A leaf that is itself a record hangs its content on its own vertex, any other on its container's.
            let Some(holder) = arena.parent(leaf).and_then(|parent| vertex_of.get(&parent)).or(vertex_of.get(&leaf))
            else {
                continue;
            };
            let holder = if items.contains(&leaf) { vertex_of[&leaf] } else { *holder };
            let name = writer.name(records, leaf);
            match (plan.node(rule).role, arena.kind(leaf)) {
                (Role::Reference(scope), Kind::String | Kind::Number) => {
                    let target = target_of.get(&(scope, arena.class(leaf))).copied().unwrap_or(nowhere);
                    draft.edges.push((holder, target, draft.labels.of(b'f', name, arena)));
                }
                (Role::Identifier(scope), Kind::String | Kind::Number) => {
                    let shadowed = !target_of.contains_key(&(scope, arena.class(leaf)))
                        || !records.scopes[scope.0 as usize]
                            .iter()
                            .any(|record| record.id_leaf == Some(leaf) && record.id.is_some());
                    write_name(b'i', name, arena, &mut contents.texts.bytes);
                    contents.texts.bytes.push(u8::from(shadowed));
                    contents.end(holder);
                }
                _ => {
                    write_name(b'v', name, arena, &mut contents.texts.bytes);
                    writer.write(rule, leaf, &mut contents.texts.bytes);
                    contents.end(holder);
                }
            }
        }
        draft.colours = contents.colours(vertex_of.len());
        draft.colours.bytes.extend_from_slice(b"nowhere");
        draft.colours.end();
        draft
    }

    fn finish(&self, colours: Vec<u32>, labels: &[u32]) -> Structure {
        let mut builder = GraphBuilder::new(colours);
        for (from, to, label) in &self.edges {
            builder.edge(*from, *to, labels[*label as usize]);
        }
        Structure { graph: builder.build(), vertex_of_record: self.vertex_of_record.clone() }
    }
}

/// Writes contents in a canonical spelling.
struct Writer<'a, 'c> {
    plan: &'a Plan,
    arena: &'a Arena,
    choose: &'a mut Choose<'c>,
}

impl Writer<'_, '_> {
    fn name(&self, records: &Records, node: NodeId) -> Name {
        match self.arena.slot(node) {
            Slot::Root => Name::None,
            Slot::Key(key) => Name::Key(key),
            Slot::Index(index) => {
                let parent = self.arena.parent(node).and_then(|parent| records.plan_of.get(&parent));
                let counts = parent.is_none_or(|&parent| self.order_counts(parent, index as usize));
                if counts { Name::Index(index) } else { Name::None }
            }
        }
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
                    self.write_child(rule, child, out);
                }
            }
            Kind::Array => {
                let start = out.len();
                let mut items: Vec<(Option<u32>, Range<usize>)> = Vec::new();
                for (index, child) in self.arena.children(node).enumerate() {
                    let from = out.len();
                    self.write_child(rule, child, out);
                    items.push((self.order_counts(rule, index).then_some(index as u32), from..out.len()));
                }
                if items.iter().any(|(index, _)| index.is_none()) {
                    let written = out.split_off(start);
                    let text = |range: &Range<usize>| &written[range.start - start..range.end - start];
                    items.sort_by(|(a, first), (b, second)| a.cmp(b).then_with(|| text(first).cmp(text(second))));
                    for (_, range) in &items {
                        out.extend_from_slice(text(range));
                    }
                }
            }
        }
    }

    /// Appends a child with its length before it.
    fn write_child(&mut self, container: PlanId, child: NodeId, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&[0; LENGTH]);
        self.write(self.rule_of(container, child), child, out);
        let length = (out.len() - start - LENGTH) as u64;
        out[start..start + LENGTH].copy_from_slice(&length.to_be_bytes());
    }
}

/// How many bytes a length takes.
const LENGTH: usize = size_of::<u64>();

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
        let draft = |root, records| Draft::new(&plan, &arena, root, records, &mut |union, _| union);
        let (a, b) = of_pair(&draft(first, &of_first), &draft(second, &of_second));
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
