//! A document seen by its shape: the lists of objects that operators pick from and edit.

use super::change::{Change, apply};
use super::shape::{List, Shape};
use super::{Edit, Misfit};
use crate::streams::below;
use rand::{Rng, RngExt};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::fmt::Write as _;

/// One object: its list, and its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) list: usize,
    pub(super) place: usize,
}

/// Makes changes and keeps account of them.
pub(super) struct Table<'d> {
    pub(super) shape: &'d Shape,
    document: &'d mut Value,
    changes: Vec<Change>,
}

/// Checks that a gold has the lists, objects, identifiers and references of a shape.
pub(super) fn check(shape: &Shape, gold: &Value) -> Result<(), Misfit> {
    for list in &shape.lists {
        let at = pointer(&list.key);
        let Some(objects) = gold.get(&list.key).and_then(Value::as_array) else {
            return Err(Misfit::new(at, "a list should be here"));
        };
        for (place, object) in objects.iter().enumerate() {
            let Some(object) = object.as_object() else {
                return Err(Misfit::new(format!("{at}/{place}"), "an object should be here"));
            };
            let id = list.id.iter().map(|id| &id.field);
            if let Some(field) =
                id.chain(list.ends.iter().map(|end| &end.field)).find(|field| !object.contains_key(*field))
            {
                return Err(Misfit::new(format!("{at}/{place}"), format!("there is no \"{field}\"")));
            }
        }
    }
    Ok(())
}

/// A key as a JSON Pointer.
pub(super) fn pointer(key: &str) -> String {
    let mut at = String::with_capacity(key.len() + 1);
    push(&mut at, key);
    at
}

fn push(at: &mut String, key: &str) {
    at.push('/');
    if key.contains(['~', '/']) {
        at.push_str(&key.replace('~', "~0").replace('/', "~1"));
    } else {
        at.push_str(key);
    }
}

impl<'d> Table<'d> {
    /// The document has been checked.
    pub(super) fn new(shape: &'d Shape, document: &'d mut Value) -> Self {
        Self { shape, document, changes: Vec::new() }
    }

    /// What was done, if anything was.
    pub(super) fn edit(self) -> Option<Edit> {
        if self.changes.is_empty() { None } else { Some(Edit { changes: self.changes }) }
    }

    pub(super) fn objects(&self, list: usize) -> &[Value] {
        self.document.get(&self.shape.lists[list].key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    pub(super) fn field(&self, at: At, field: &str) -> &Value {
        &self.objects(at.list)[at.place][field]
    }

    /// Every object of the lists that `wanted` admits.
    pub(super) fn all(&self, wanted: impl Fn(&List) -> bool) -> impl Iterator<Item = At> {
        let lists = self.shape.lists.iter().enumerate().filter(move |(_, list)| wanted(list));
        lists.flat_map(|(list, _)| (0..self.objects(list).len()).map(move |place| At { list, place }))
    }

    /// How many records a scope has.
    pub(super) fn size(&self, scope: &str) -> usize {
        self.shape.of_scope(scope).map_or(0, |(list, _)| self.objects(list).len())
    }

    /// The identifiers of a scope, in the order of its records.
    pub(super) fn ids(&self, scope: &str) -> Vec<&Value> {
        let records = |(list, of): (usize, &'d List)| {
            let field = of.id.as_ref().map_or("", |id| &id.field);
            self.objects(list).iter().map(|record| &record[field]).collect()
        };
        self.shape.of_scope(scope).map_or_else(Vec::new, records)
    }

    pub(super) fn place(&self, at: At) -> String {
        let mut place = pointer(&self.shape.lists[at.list].key);
        let _ = write!(place, "/{}", at.place);
        place
    }

    pub(super) fn leaf(&self, at: At, field: &str) -> String {
        let mut leaf = self.place(at);
        push(&mut leaf, field);
        leaf
    }

    pub(super) fn replace(&mut self, at: At, field: &str, to: Value) {
        let from = self.field(at, field).clone();
        self.make(Change::Replaced { at: self.leaf(at, field), from, to });
    }

    pub(super) fn remove(&mut self, at: At) {
        self.make(Change::Removed { at: self.place(at), value: self.objects(at.list)[at.place].clone() });
    }

    /// Puts an object at a random place of its list.
    pub(super) fn insert(&mut self, list: usize, object: Map<String, Value>, random: &mut dyn Rng) {
        let place = below(random, self.objects(list).len() + 1);
        self.make(Change::Inserted { at: self.place(At { list, place }), value: object.into() });
    }

    pub(super) fn make(&mut self, change: Change) {
        apply(self.document, &change).expect("the change was made for this document");
        self.changes.push(change);
    }

    /// Identifiers, as many as asked for, that occur nowhere in the document: of six hexadecimal digits, or integers, by what
    /// the scope's are.
    pub(super) fn fresh_ids(&self, like: &[&Value], random: &mut dyn Rng) -> Vec<Value> {
        let scopes = self.shape.lists.iter().filter_map(|list| list.id.as_ref());
        let mut taken: HashSet<String> = scopes
            .flat_map(|id| self.ids(&id.scope))
            .map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned))
            .collect();
        let mut fresh = Vec::with_capacity(like.len());
        // Six digits are enough for any document but one of millions of records; that one has longer ones.
        let range = (1 << 24).max((taken.len() + like.len()) as u32 * 2);
        while fresh.len() < like.len() {
            let drawn = random.random_range(0..range);
            let number = like[fresh.len()].is_number();
            let id = if number { drawn.to_string() } else { format!("{drawn:06x}") };
            if taken.insert(id.clone()) {
                fresh.push(if number { Value::from(drawn) } else { Value::from(id) });
            }
        }
        fresh
    }
}

/// One of several, each as likely; none of none.
pub(super) fn pick<'i, T>(items: &'i [T], random: &mut dyn Rng) -> Option<&'i T> {
    if items.is_empty() { None } else { items.get(below(random, items.len())) }
}
