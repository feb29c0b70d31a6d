//! Damage to records: deleting one with its links, inserting one.

use super::links::{fill, new_link};
use super::table::{At, Table, check, pick};
use super::{Misfit, Operator, Outcome, Shape, repeat};
use rand::Rng;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// `record_deletion`: a random record of a random scope that has two or more goes, and all that refers to it. Impossible when
/// every scope is down to one record.
pub struct RecordDeletion {
    shape: Arc<Shape>,
}

/// `record_insertion`: a new record in a random scope, with a new id and random attributes. Where each record of the scope
/// has one link in some list (an employment), so has the new one. Impossible when there is no scope.
pub struct RecordInsertion {
    shape: Arc<Shape>,
}

impl RecordDeletion {
    /// For data of a shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

impl Operator for RecordDeletion {
    fn name(&self) -> &'static str {
        "record_deletion"
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        check(&self.shape, gold)?;
        Ok(repeat(gold, dose, random, |document, random| {
            let mut table = Table::new(&self.shape, document);
            let scopes: Vec<usize> = (0..self.shape.lists.len())
                .filter(|&list| self.shape.lists[list].id.is_some() && table.objects(list).len() >= 2)
                .collect();
            let &list = pick(&scopes, random)?;
            let place = crate::streams::below(random, table.objects(list).len());
            // Links first, so that no change leaves a reference to nothing; from the end, so that places stay what they were.
            let record = At { list, place };
            let mut falls = falling_with(&table, record);
            falls.remove(&record);
            for &at in falls.iter().rev() {
                table.remove(at);
            }
            let earlier = falls.iter().filter(|at| at.list == list && at.place < place).count();
            table.remove(At { list, place: place - earlier });
            table.edit()
        }))
    }
}

/// A record and all that refers to it, and, where that has an identifier itself, all that refers to that.
fn falling_with(table: &Table<'_>, record: At) -> BTreeSet<At> {
    let mut falls = BTreeSet::from([record]);
    let mut queue = vec![record];
    while let Some(at) = queue.pop() {
        let Some(id) = &table.shape.lists[at.list].id else { continue };
        let value = table.field(at, &id.field);
        for other in table.all(|list| list.ends.iter().any(|end| end.scope == id.scope)) {
            let mut ends = table.shape.lists[other.list].ends.iter().filter(|end| end.scope == id.scope);
            if ends.any(|end| table.field(other, &end.field) == value) && falls.insert(other) {
                queue.push(other);
            }
        }
    }
    falls
}

impl RecordInsertion {
    /// For data of a shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

impl Operator for RecordInsertion {
    fn name(&self) -> &'static str {
        "record_insertion"
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        check(&self.shape, gold)?;
        Ok(repeat(gold, dose, random, |document, random| {
            let mut table = Table::new(&self.shape, document);
            let scopes: Vec<usize> =
                (0..self.shape.lists.len()).filter(|&list| self.shape.lists[list].id.is_some()).collect();
            let &list = pick(&scopes, random)?;
            let of = &self.shape.lists[list];
            let (field, scope) = of.id.as_ref().map(|id| (&id.field, &id.scope))?;
            let like = table.ids(scope).first().map_or(Value::from(""), |id| (*id).clone());
            let id = table.fresh_ids(&[&like], random).pop()?;
            let mut record = Map::new();
            record.insert(field.clone(), id.clone());
            // A record that refers gets its references as a link does.
            let rest = if of.ends.is_empty() { Map::new() } else { new_link(&table, list, None, random)? };
            record.extend(rest);
            if of.ends.is_empty() {
                fill(&mut record, of, random);
            }
            table.insert(list, record, random);
            for (other, links) in self.shape.lists.iter().enumerate() {
                let end = links.ends.iter().find(|end| links.one_for_each.as_ref() == Some(&end.field));
                if let Some(end) = end.filter(|end| end.scope == *scope) {
                    // Without a record for the other end there is no link to be had.
                    if let Some(link) = new_link(&table, other, Some((&end.field, &id)), random) {
                        table.insert(other, link, random);
                    }
                }
            }
            table.edit()
        }))
    }
}
