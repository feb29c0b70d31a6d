//! From edits to operations: their order, and their paths at the moment of application.
//!
//! Edits name places by what is there, not by where it is. Here they are carried out, in the order of the list, on a
//! sketch of the candidate that knows the present key of every renamed member and the present items of every list that
//! changes; the pointers of each operation are read from the sketch when its turn comes.
//!
//! An item that comes goes behind the nearest item before it in the gold that is in place by then; so the items in place
//! are in the gold's order at all times. An operation costs the depth of its place plus the length of its list.

use super::collect::{Edit, Edits, Target};
use super::{Rank, RepairOptions};
use crate::document::{Arena, NodeId, Slot};
use crate::pointer;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Ordering;

/// An edit's operation with its pointers.
#[derive(Debug)]
pub(super) struct Placed {
    /// Which edit.
    pub(super) edit: usize,
    pub(super) path: String,
    pub(super) from: Option<String>,
}

/// Which edits to carry out, in order: by rank, each after those it needs.
pub(super) fn order(arena: &Arena, edits: &Edits, options: &RepairOptions) -> Vec<usize> {
    let all = &edits.all;
    let names: Vec<String> = all.iter().map(|edit| edit.name(arena)).collect();
    // Where the document is replaced in the end, nothing else is needed but what recovers something.
    let replaced = all.iter().any(|edit| edit.verbatim);
    let wanted = |edit: &Edit| edit.delta >= options.min_delta && (edit.delta > 0.0 || edit.verbatim || !replaced);
    let mut ranked: Vec<usize> = (0..all.len()).filter(|&edit| wanted(&all[edit])).collect();
    ranked.sort_by(|&a, &b| {
        by_rank(&all[a], &all[b], options.rank)
            .then_with(|| names[a].cmp(&names[b]))
            .then_with(|| (all[a].op(), all[a].kind).cmp(&(all[b].op(), all[b].kind)))
    });
    let blockers = edits.blockers(arena);
    let mut listed = vec![false; all.len()];
    let mut order = Vec::with_capacity(ranked.len());
    for edit in ranked {
        // Depth first through what it needs; `listed` is set on the way in, so that nothing is waited for twice.
        let mut open = vec![(edit, false)];
        while let Some((edit, ready)) = open.pop() {
            if ready {
                order.push(edit);
            } else if !std::mem::replace(&mut listed[edit], true) {
                open.push((edit, true));
                open.extend(blockers[edit].iter().map(|&blocker| (blocker, false)));
            }
        }
    }
    order
}

fn by_rank(a: &Edit, b: &Edit, rank: Rank) -> Ordering {
    let worth = |edit: &Edit| match rank {
        Rank::Delta => edit.delta,
        Rank::DeltaConfidence => edit.delta * edit.confidence.unwrap_or(1.0),
        Rank::Confidence => edit.confidence.unwrap_or(1.0),
    };
    let nothing = |edit: &Edit| edit.delta == 0.0;
    nothing(a).cmp(&nothing(b)).then_with(|| worth(b).total_cmp(&worth(a)))
}

/// Carries out edits in order.
pub(super) fn place(arena: &Arena, edits: &Edits, order: &[usize]) -> Vec<Placed> {
    let mut sketch = Sketch { arena, edits, keys: HashMap::default(), lists: HashMap::default() };
    order
        .iter()
        .map(|&edit| {
            let (path, from) = sketch.perform(edits.all[edit].target);
            Placed { edit, path, from }
        })
        .collect()
}

/// An item of a list that changes.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// A node of the candidate, or of the gold if it was added.
    node: NodeId,
    /// Its index in the gold, if it is in its place.
    settled: Option<u32>,
}

/// The candidate as the edits so far left it.
struct Sketch<'a> {
    arena: &'a Arena,
    edits: &'a Edits,
    /// The gold member whose key a renamed member has now.
    keys: HashMap<NodeId, NodeId, FixedState>,
    lists: HashMap<NodeId, Vec<Item>, FixedState>,
}

impl Sketch<'_> {
    /// The path and the source of an edit, which is done then.
    fn perform(&mut self, target: Target) -> (String, Option<String>) {
        match target {
            Target::Replace { candidate, .. } => (self.path(candidate), None),
            Target::Remove { candidate } => {
                let path = self.path(candidate);
                self.take(candidate);
                (path, None)
            }
            Target::Rename { candidate, gold } => {
                let from = self.path(candidate);
                self.keys.insert(candidate, gold);
                (self.path(candidate), Some(from))
            }
            Target::Move { candidate, gold } => {
                let from = self.path(candidate);
                self.take(candidate);
                let Some(list) = self.arena.parent(candidate) else { return (from.clone(), Some(from)) };
                (self.insert(list, gold, candidate), Some(from))
            }
            Target::Add { container, gold } => match self.arena.slot(gold) {
                Slot::Key(key) => (pointer::join(&self.path(container), self.arena.text(key)), None),
                _ => (self.insert(container, gold, gold), None),
            },
        }
    }

    /// Where a node of the candidate is now.
    fn path(&self, candidate: NodeId) -> String {
        let mut steps = Vec::new();
        let mut at = candidate;
        while let Some(parent) = self.arena.parent(at) {
            steps.push((parent, at));
            at = parent;
        }
        let mut path = String::new();
        for (parent, node) in steps.into_iter().rev() {
            match self.arena.slot(node) {
                Slot::Root => {}
                Slot::Key(key) => {
                    let key = self.keys.get(&node).map_or(key, |&gold| self.arena.key(gold));
                    pointer::push(&mut path, self.arena.text(key));
                }
                Slot::Index(index) => {
                    let items = self.lists.get(&parent);
                    let now = items.and_then(|items| items.iter().position(|item| item.node == node));
                    path = pointer::index(&path, now.unwrap_or(index as usize));
                }
            }
        }
        path
    }

    fn items(&mut self, list: NodeId) -> &mut Vec<Item> {
        let (arena, edits) = (self.arena, self.edits);
        self.lists.entry(list).or_insert_with(|| {
            let settled = edits.lists.get(&list);
            arena
                .children(list)
                .map(|node| Item { node, settled: settled.and_then(|list| list.settled.get(&node).copied()) })
                .collect()
        })
    }

    /// Takes an item out of its list; members of objects leave no trace.
    fn take(&mut self, candidate: NodeId) {
        if let (Some(list), Slot::Index(_)) = (self.arena.parent(candidate), self.arena.slot(candidate)) {
            self.items(list).retain(|item| item.node != candidate);
        }
    }

    /// Puts `node` in the place that `gold` has; returns the path.
    fn insert(&mut self, list: NodeId, gold: NodeId, node: NodeId) -> String {
        let index = match self.arena.slot(gold) {
            Slot::Index(index) => index,
            Slot::Root | Slot::Key(_) => 0,
        };
        let ordered = self.edits.lists.get(&list).is_none_or(|list| index < list.ordered);
        let items = self.items(list);
        let at = if ordered {
            // Items in place stand in the order of the gold: the last before `index` is the nearest.
            items.iter().rposition(|item| item.settled.is_some_and(|settled| settled < index)).map_or(0, |at| at + 1)
        } else {
            items.len()
        };
        items.insert(at, Item { node, settled: ordered.then_some(index) });
        pointer::index(&self.path(list), at)
    }
}
