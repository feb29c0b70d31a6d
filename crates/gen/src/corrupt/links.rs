//! Damage to links: rerouting an end, deleting a link, inserting one.

use super::table::{At, Table, check, pick};
use super::{Misfit, Operator, Outcome, Shape, repeat};
use rand::Rng;
use serde_json::{Map, Value};
use std::sync::Arc;

/// `reference_rerouting`: a random end of a random link moves to another record of its scope, but never onto another end of
/// the same link. Ends are drawn among those whose scope has two records or more; when the one that was drawn has nowhere to go
/// (the link of two companies, where there are no others) the edits stop, as they do in the paper's figures: with such
/// ends left out, rerouting would fall outside them.
pub struct ReferenceRerouting {
    shape: Arc<Shape>,
}

/// `edge_deletion`: a random link goes. Impossible when there is none.
pub struct EdgeDeletion {
    shape: Arc<Shape>,
}

/// `edge_insertion`: a new link between different random records, in a random one of the lists that may have any number
/// of links. Impossible when no such list has records enough.
pub struct EdgeInsertion {
    shape: Arc<Shape>,
}

impl ReferenceRerouting {
    /// For data of a shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

impl Operator for ReferenceRerouting {
    fn name(&self) -> &'static str {
        "reference_rerouting"
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        check(&self.shape, gold)?;
        Ok(repeat(gold, dose, random, |document, random| {
            let mut table = Table::new(&self.shape, document);
            let mut ends = Vec::new();
            for at in table.all(|list| !list.ends.is_empty()) {
                for end in &self.shape.lists[at.list].ends {
                    if !table.field(at, &end.field).is_null() && table.size(&end.scope) >= 2 {
                        ends.push((at, end));
                    }
                }
            }
            let &(at, end) = pick(&ends, random)?;
            let to = (*pick(&targets(&table, at, &end.field, &end.scope), random)?).clone();
            table.replace(at, &end.field, to);
            table.edit()
        }))
    }
}

/// The records that an end could name: neither the one it names, nor any that another end of the link names, nor the one that
/// holds it.
fn targets<'t>(table: &'t Table<'_>, at: At, field: &str, scope: &str) -> Vec<&'t Value> {
    let taken = taken(table, at, field, scope);
    table.ids(scope).into_iter().filter(|id| !taken.contains(id)).collect()
}

fn taken<'t>(table: &'t Table<'_>, at: At, field: &str, scope: &str) -> Vec<&'t Value> {
    let list = &table.shape.lists[at.list];
    let others = list.ends.iter().filter(|end| end.scope == scope && end.field != field).map(|end| end.field.as_str());
    let own = list.id.iter().filter(|id| id.scope == scope).map(|id| id.field.as_str());
    std::iter::once(field).chain(others).chain(own).map(|field| table.field(at, field)).collect()
}

impl EdgeDeletion {
    /// For data of a shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

impl Operator for EdgeDeletion {
    fn name(&self) -> &'static str {
        "edge_deletion"
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        check(&self.shape, gold)?;
        Ok(repeat(gold, dose, random, |document, random| {
            let mut table = Table::new(&self.shape, document);
            let links: Vec<At> = table.all(super::shape::List::is_links).collect();
            let &at = pick(&links, random)?;
            table.remove(at);
            table.edit()
        }))
    }
}

impl EdgeInsertion {
    /// For data of a shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

impl Operator for EdgeInsertion {
    fn name(&self) -> &'static str {
        "edge_insertion"
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        check(&self.shape, gold)?;
        Ok(repeat(gold, dose, random, |document, random| {
            let mut table = Table::new(&self.shape, document);
            let lists: Vec<usize> = (0..self.shape.lists.len()).filter(|&list| has_room(&table, list)).collect();
            let &list = pick(&lists, random)?;
            let link = new_link(&table, list, None, random)?;
            table.insert(list, link, random);
            table.edit()
        }))
    }
}

/// Whether a list may take one more link: it is not one for each record, and its scopes have different records for all its ends.
fn has_room(table: &Table<'_>, list: usize) -> bool {
    let list = &table.shape.lists[list];
    let enough = |scope: &str| table.size(scope) >= list.ends.iter().filter(|end| end.scope == scope).count();
    list.is_links() && list.one_for_each.is_none() && list.ends.iter().all(|end| enough(&end.scope))
}

/// A link between different random records, `fixed` being the end and the record that is given.
pub(super) fn new_link(
    table: &Table<'_>,
    list: usize,
    fixed: Option<(&str, &Value)>,
    random: &mut dyn Rng,
) -> Option<Map<String, Value>> {
    let of = &table.shape.lists[list];
    let mut ends: Vec<(&str, Value)> = fixed.into_iter().map(|(field, id)| (field, id.clone())).collect();
    for end in &of.ends {
        if ends.iter().any(|(field, _)| *field == end.field) {
            continue;
        }
        let named: Vec<&Value> = ends
            .iter()
            .filter(|(field, _)| of.ends.iter().any(|other| other.field == *field && other.scope == end.scope))
            .map(|(_, id)| id)
            .collect();
        let free: Vec<&Value> = table.ids(&end.scope).into_iter().filter(|id| !named.contains(id)).collect();
        let id = (*pick(&free, random)?).clone();
        ends.push((&end.field, id));
    }
    // In the order of the shape, which is that of the schema.
    let mut link = Map::new();
    for end in &of.ends {
        let (_, id) = ends.iter().find(|(field, _)| *field == end.field)?;
        link.insert(end.field.clone(), id.clone());
    }
    fill(&mut link, of, random);
    Some(link)
}

/// Gives an object its other leaves, each drawn from its book or pool.
pub(super) fn fill(object: &mut Map<String, Value>, list: &super::shape::List, random: &mut dyn Rng) {
    let free = list.free.iter().map(|free| (&free.field, &free.pool));
    let categories = list.categories.iter().map(|category| (&category.field, &category.book));
    for (field, values) in free.chain(categories) {
        if let Some(value) = pick(values, random) {
            object.insert(field.clone(), value.clone());
        }
    }
}
