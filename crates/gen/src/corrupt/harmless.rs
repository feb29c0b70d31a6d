//! What changes a document without changing what it says: other identifiers, another order of records and links.
//!
//! Neither has degrees: done twice it is what it was done once. Any dose from 1 on reaches 1.

use super::change::Change;
use super::table::{At, Table, check, pointer};
use super::{Misfit, Operator, Outcome, Shape, repeat};
use rand::Rng;
use rand::seq::SliceRandom;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// `identifier_relabel`: every record of every scope gets a new id, none of them an id of the gold, and every reference
/// follows. Impossible when there are no records.
pub struct IdentifierRelabel {
    shape: Arc<Shape>,
}

/// `record_shuffle`: every list is put in a random order. Impossible when no list has two different objects.
pub struct RecordShuffle {
    shape: Arc<Shape>,
}

impl IdentifierRelabel {
    /// For data of a shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

impl Operator for IdentifierRelabel {
    fn name(&self) -> &'static str {
        "identifier_relabel"
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        check(&self.shape, gold)?;
        Ok(repeat(gold, dose.min(1), random, |document, random| {
            let mut table = Table::new(&self.shape, document);
            let records: Vec<At> = table.all(|list| list.id.is_some()).collect();
            let id = |at: At| self.shape.lists[at.list].id.as_ref().expect("the lists of records have ids");
            let old: Vec<Value> = records.iter().map(|&at| table.field(at, &id(at).field).clone()).collect();
            let new = table.fresh_ids(&old.iter().collect::<Vec<_>>(), random);
            let mut places: Vec<Vec<String>> = records.iter().map(|&at| vec![table.leaf(at, &id(at).field)]).collect();
            // Of records of one id the first is the one that is meant.
            let mut known: HashMap<(&str, String), usize> = HashMap::new();
            for (record, (&at, old)) in records.iter().zip(&old).enumerate() {
                known.entry((&id(at).scope, old.to_string())).or_insert(record);
            }
            for at in table.all(|list| !list.ends.is_empty()) {
                for end in &self.shape.lists[at.list].ends {
                    if let Some(&record) = known.get(&(&end.scope, table.field(at, &end.field).to_string())) {
                        places[record].push(table.leaf(at, &end.field));
                    }
                }
            }
            for ((from, to), at) in old.into_iter().zip(new).zip(places) {
                table.make(Change::Renamed { from, to, at });
            }
            table.edit()
        }))
    }
}

impl RecordShuffle {
    /// For data of a shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

impl Operator for RecordShuffle {
    fn name(&self) -> &'static str {
        "record_shuffle"
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        check(&self.shape, gold)?;
        Ok(repeat(gold, dose.min(1), random, |document, random| {
            let mut table = Table::new(&self.shape, document);
            for (at, list) in self.shape.lists.iter().enumerate() {
                let mut order: Vec<usize> = (0..table.objects(at).len()).collect();
                order.shuffle(random);
                if order.len() > 1 {
                    table.make(Change::Reordered { at: pointer(&list.key), order });
                }
            }
            table.edit()
        }))
    }
}
