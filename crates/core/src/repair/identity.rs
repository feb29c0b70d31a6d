//! Which record of the candidate stands for which of the gold once all is repaired, and under which identifier
//! (*Object Aligner*, sections III-E and III-F).
//!
//! A gold record that the match tree paired with one of the candidate goes by that one's identifier. One that has to be
//! added takes the identifier of the record that references took for it, if that one goes, or else one that neither
//! document uses. With that, any part of the gold can be written in the candidate's own identifiers.
//!
//! Linear in the records and references.

use super::collect::Edits;
use crate::align::Alignment;
use crate::document::{Arena, Class, Kind, NodeId};
use crate::reference::bijections::{Mapping, NOBODY};
use crate::reference::records::{Record, Records};
use crate::schema::plan::ScopeId;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Where the identifiers of added records come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// New ones, in the style of the candidate's own.
    Fresh,
    /// The gold's where they are free: for schemas that take few values as identifiers.
    Gold,
}

/// What a leaf of the gold means.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    /// The identifier of a record.
    Identifier(ScopeId, u32),
    /// A reference to a record.
    Reference(ScopeId, u32),
}

/// What stands for a gold record.
#[derive(Debug, Clone, Default)]
pub(super) struct StandIn {
    /// The record of the candidate; `None` if it has to be added.
    pub(super) item: Option<NodeId>,
    /// Its identifier; `None` if the gold's has none.
    pub(super) id: Option<Value>,
    /// The identifier as a value of the candidate, unless it is new to it.
    pub(super) own: Option<Class>,
}

/// Who stands for whom.
#[derive(Debug)]
pub(super) struct Identity<'a> {
    arena: &'a Arena,
    meanings: HashMap<NodeId, Meaning, FixedState>,
    stand_ins: Vec<Vec<StandIn>>,
    items: Vec<Vec<NodeId>>,
    mentioned: BTreeSet<(ScopeId, u32)>,
}

impl<'a> Identity<'a> {
    pub(super) fn new(alignment: &Alignment<'a>, edits: &Edits, naming: Naming) -> Self {
        let [gold, candidate] = alignment.records();
        let arena = alignment.arena();
        let mut identity = Self {
            arena,
            meanings: HashMap::default(),
            stand_ins: Vec::new(),
            items: gold.scopes.iter().map(|records| records.iter().map(|record| record.item).collect()).collect(),
            mentioned: BTreeSet::new(),
        };
        if gold.scopes.iter().all(Vec::is_empty) {
            return identity;
        }
        identity.read_gold(gold);
        let taken: HashSet<NodeId, FixedState> = edits.pairs.values().copied().collect();
        let mut namer = Namer::new(arena, gold, candidate);
        for (scope, records) in gold.scopes.iter().enumerate() {
            let theirs = &candidate.scopes[scope];
            let number_of: HashMap<NodeId, usize, FixedState> =
                theirs.iter().enumerate().map(|(number, record)| (record.item, number)).collect();
            let by_reference = match alignment.bijections().mapping(ScopeId(scope as u32)) {
                Mapping::To(partners) => Some(partners),
                Mapping::Masked => None,
            };
            let mut stand_ins = Vec::with_capacity(records.len());
            for (number, record) in records.iter().enumerate() {
                let paired = edits.pairs.get(&record.item).copied();
                let other = match paired {
                    Some(item) => number_of.get(&item).copied(),
                    // One that goes leaves its identifier behind.
                    None => by_reference
                        .map(|partners| partners[number])
                        .filter(|&other| other != NOBODY)
                        .map(|other| other as usize)
                        .filter(|&other| !taken.contains(&theirs[other].item) && edits.goes(arena, theirs[other].item)),
                };
                let own = other.and_then(|other| usable(arena, record, &theirs[other]));
                stand_ins.push(StandIn {
                    item: paired,
                    id: own.map(|leaf| arena.value(leaf)),
                    own: own.map(|leaf| arena.class(leaf)),
                });
            }
            for (record, stand_in) in records.iter().zip(&mut stand_ins) {
                if let (Some(leaf), None) = (record.id_leaf, &stand_in.id) {
                    stand_in.id = Some(namer.name(scope, arena, leaf, naming));
                }
            }
            identity.stand_ins.push(stand_ins);
        }
        identity
    }

    fn read_gold(&mut self, gold: &Records) {
        let mut by_id = BTreeMap::new();
        for (scope, records) in gold.scopes.iter().enumerate() {
            let scope = ScopeId(scope as u32);
            for (number, record) in records.iter().enumerate() {
                if let (Some(id), Some(leaf)) = (record.id, record.id_leaf) {
                    by_id.insert((scope, id), number as u32);
                    self.meanings.insert(leaf, Meaning::Identifier(scope, number as u32));
                }
            }
        }
        for reference in &gold.references {
            if let Some(&number) = by_id.get(&(reference.scope, self.arena.class(reference.leaf))) {
                self.meanings.insert(reference.leaf, Meaning::Reference(reference.scope, number));
                self.mentioned.insert((reference.scope, number));
            }
        }
    }

    /// What a reference of the gold means: the scope, the gold record's item, and what stands for it.
    pub(super) fn referent(&self, leaf: NodeId) -> Option<(ScopeId, NodeId, &StandIn)> {
        match self.meanings.get(&leaf)? {
            &Meaning::Reference(scope, number) => Some((
                scope,
                self.items[scope.0 as usize][number as usize],
                &self.stand_ins[scope.0 as usize][number as usize],
            )),
            Meaning::Identifier(..) => None,
        }
    }

    /// What stands for the record whose identifier a leaf of the gold is, and whether references mention it.
    pub(super) fn identified(&self, leaf: NodeId) -> Option<(&StandIn, bool)> {
        match self.meanings.get(&leaf)? {
            &Meaning::Identifier(scope, number) => {
                Some((&self.stand_ins[scope.0 as usize][number as usize], self.mentioned.contains(&(scope, number))))
            }
            Meaning::Reference(..) => None,
        }
    }

    /// A part of the gold in the candidate's identifiers.
    pub(super) fn translate(&self, gold: NodeId) -> Value {
        if self.meanings.is_empty() {
            return self.arena.value(gold);
        }
        match self.meanings.get(&gold) {
            Some(&(Meaning::Identifier(scope, number) | Meaning::Reference(scope, number))) => {
                self.stand_ins[scope.0 as usize][number as usize].id.clone().unwrap_or_else(|| self.arena.value(gold))
            }
            None => match self.arena.kind(gold) {
                Kind::Array => self.arena.children(gold).map(|child| self.translate(child)).collect(),
                Kind::Object => {
                    let mut members: Vec<NodeId> = self.arena.children(gold).collect();
                    members.sort_unstable_by_key(|&member| self.arena.written(member));
                    members
                        .into_iter()
                        .map(|member| (self.arena.text(self.arena.key(member)).to_owned(), self.translate(member)))
                        .collect::<serde_json::Map<_, _>>()
                        .into()
                }
                _ => self.arena.value(gold),
            },
        }
    }
}

/// The identifier of a candidate record, if references can mean it and it is of the gold's type.
fn usable(arena: &Arena, gold: &Record, candidate: &Record) -> Option<NodeId> {
    candidate.id?;
    candidate.id_leaf.filter(|&leaf| gold.id_leaf.is_some_and(|gold| arena.kind(gold) == arena.kind(leaf)))
}

/// Makes identifiers that neither document uses.
struct Namer {
    used: HashSet<String, FixedState>,
    used_by_candidate: HashSet<String, FixedState>,
    /// Of each scope, how its next identifiers are spelled: before the number, the number, its width.
    styles: Vec<Style>,
}

#[derive(Debug, Clone)]
struct Style {
    prefix: String,
    /// The next free number for texts, and for numbers.
    next: u64,
    width: usize,
    next_number: i64,
}

impl Namer {
    fn new(arena: &Arena, gold: &Records, candidate: &Records) -> Self {
        let texts = |side: &Records| -> HashSet<String, FixedState> {
            let ids = side.scopes.iter().flatten().filter_map(|record| record.id_leaf);
            ids.chain(side.references.iter().map(|reference| reference.leaf)).map(|leaf| text(arena, leaf)).collect()
        };
        let used_by_candidate = texts(candidate);
        let mut used = texts(gold);
        used.extend(used_by_candidate.iter().cloned());
        let styles = candidate.scopes.iter().map(|records| Style::of(arena, records)).collect();
        Self { used, used_by_candidate, styles }
    }

    fn name(&mut self, scope: usize, arena: &Arena, gold: NodeId, naming: Naming) -> Value {
        // Those of the gold are all different from each other.
        if naming == Naming::Gold && !self.used_by_candidate.contains(&text(arena, gold)) {
            return arena.value(gold);
        }
        let style = &mut self.styles[scope];
        loop {
            let name = if arena.kind(gold) == Kind::Number {
                style.next_number += 1;
                Value::from(style.next_number - 1)
            } else {
                style.next += 1;
                Value::from(format!("{}{:0width$}", style.prefix, style.next - 1, width = style.width))
            };
            let spelled = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
            if self.used.insert(spelled) {
                return name;
            }
        }
    }
}

fn text(arena: &Arena, leaf: NodeId) -> String {
    match arena.value(leaf) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

impl Style {
    /// The spelling of most of the identifiers that end in a number; `new-1`, `new-2` where none does.
    fn of(arena: &Arena, records: &[Record]) -> Self {
        let mut prefixes: BTreeMap<String, (usize, u64, usize)> = BTreeMap::new();
        let mut next_number = 1;
        for leaf in records.iter().filter_map(|record| record.id_leaf) {
            match arena.value(leaf) {
                Value::Number(number) => {
                    // Far below the limits, so that counting on stays within them.
                    let number = number.as_i64().filter(|number| number.unsigned_abs() < 1 << 53);
                    next_number = next_number.max(number.map_or(1, |number| number + 1));
                }
                Value::String(text) => {
                    let prefix = text.trim_end_matches(|character: char| character.is_ascii_digit());
                    let digits = &text[prefix.len()..];
                    if let Ok(number) = digits.parse::<u32>() {
                        let entry = prefixes.entry(prefix.to_owned()).or_default();
                        entry.0 += 1;
                        entry.1 = entry.1.max(u64::from(number));
                        let padded = digits.len() > 1 && digits.starts_with('0');
                        entry.2 = entry.2.max(if padded { digits.len() } else { 0 });
                    }
                }
                _ => {}
            }
        }
        let most = prefixes.into_iter().rev().max_by_key(|(_, (count, ..))| *count);
        let (prefix, next, width) =
            most.map_or_else(|| ("new-".to_owned(), 1, 0), |(prefix, (_, last, width))| (prefix, last + 1, width));
        Self { prefix, next, width, next_number }
    }
}
