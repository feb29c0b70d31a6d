//! One instance: a binary tree of nodes, its schema, where values are planted, and a document that is right in everything.
//!
//! Every node has value fields, a metadata object with fields, and two children, down to a depth. Nodes are numbered level by
//! level: the children of node i are 2i + 1 and 2i + 2.
//!
//! **Planting.** So many values on the last two levels as the parameters say, the rest above. First ceil(n / 4) pairs of the same
//! field of sibling nodes, so that there is something to swap; then places drawn evenly from those that are left. Which value goes
//! where, and in which order they are listed, is drawn too.
//!
//! Linear in the number of fields.

use super::params::{Cues, Level, Names, Nodes};
use super::vocabulary::{Bank, Kind, Pool, VOCABULARY};
use crate::scd::task::Planted;
use crate::streams::{below, distinct, stream};
use objalign_core::scd::{Path, Step};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// How many nodes a tree of this depth has.
const fn size(depth: u32) -> usize {
    (1 << depth) - 1
}

/// On which level a node stands, the root on the first.
const fn level_of(node: usize) -> u32 {
    usize::BITS - (node + 1).leading_zeros()
}

/// Of how many fields nodes are, and where they are planted.
pub(super) struct Shape;

impl Shape {
    /// How many values are to stand on the last two levels.
    pub(super) const fn deep(level: Level, nodes: &Nodes) -> u32 {
        if level.depth <= 2 { level.planted } else { (level.planted * nodes.deep_percent + 50) / 100 }
    }

    /// How many values there is room for: above the last two levels, and on them. One field of each node may be a boolean.
    pub(super) const fn room(depth: u32, nodes: &Nodes) -> (u32, u32) {
        let each = nodes.values + nodes.metadata - 1;
        let above = if depth <= 2 { 0 } else { size(depth - 2) as u32 };
        (above * each, (size(depth) as u32 - above) * each)
    }
}

/// Where the draws of an instance come from: instances that share a key and an index share what their parameters have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draws<'k> {
    pub(super) seed: u64,
    pub(super) index: u64,
    pub(super) key: &'k str,
}

impl Draws<'_> {
    pub(super) fn of(&self, purpose: &str) -> ChaCha12Rng {
        stream(self.seed, self.index, &format!("scd-json/{}/{purpose}", self.key))
    }
}

/// A field of a node: its number there. Values come first, then metadata.
type Slot = usize;

/// An instance.
pub(super) struct Tree {
    depth: u32,
    values: usize,
    /// What each field of a node holds; the same in every node.
    kinds: Vec<Kind>,
    /// What each field of each node is called.
    names: Vec<Vec<&'static str>>,
    /// What the children of the nodes of each level are called.
    branches: Vec<[&'static str; 2]>,
    /// The planted values, in the order of listing.
    planted: Vec<(usize, Slot, Value)>,
}

impl Tree {
    pub(super) fn draw(level: Level, nodes: &Nodes, draws: Draws<'_>) -> Self {
        let bank = below(&mut draws.of("domain"), VOCABULARY.banks.len());
        let kinds = kinds(nodes, &mut draws.of("kinds"));
        let mut naming = draws.of("names");
        let names = match nodes.names {
            Names::Repeated => {
                let one = Namer::new(vec![&VOCABULARY.banks[bank]]).name(&kinds, &mut naming);
                vec![one; size(level.depth)]
            }
            Names::Unique => {
                // The domain of the instance first, the others in an order of their own.
                let mut banks: Vec<&Bank> = VOCABULARY.banks.iter().collect();
                let own = banks.remove(bank);
                banks.shuffle(&mut draws.of("banks"));
                banks.insert(0, own);
                let mut namer = Namer::new(banks);
                (0..size(level.depth)).map(|_| namer.name(&kinds, &mut naming)).collect()
            }
        };
        let mut pairs: Vec<&[String; 2]> = VOCABULARY.banks[bank].branches.iter().collect();
        pairs.shuffle(&mut draws.of("branches"));
        let branch = |pair: &'static [String; 2]| match nodes.cues {
            Cues::Opaque => ["left", "right"],
            Cues::Descriptive => [pair[0].as_str(), pair[1].as_str()],
        };
        let branches = pairs.into_iter().map(branch).collect();
        let mut tree =
            Self { depth: level.depth, values: nodes.values as usize, kinds, names, branches, planted: Vec::new() };
        let places = tree.places(level, nodes, &mut draws.of("places"));
        tree.planted = assign(places, &tree.kinds, &VOCABULARY.planted, &mut draws.of("values"));
        tree
    }

    /// Where values are planted.
    fn places(&self, level: Level, nodes: &Nodes, random: &mut ChaCha12Rng) -> Vec<(usize, Slot)> {
        let deep = Shape::deep(level, nodes) as usize;
        let on_deep = |node: usize| level_of(node) + 2 > self.depth;
        let mut taken: Vec<(usize, Slot)> = Vec::new();
        let pairs = (level.planted.div_ceil(4) as usize).min(deep / 2);
        let mut siblings = self.siblings();
        siblings.retain(|[(node, _), _]| on_deep(*node));
        siblings.shuffle(random);
        for pair in siblings {
            if taken.len() == 2 * pairs {
                break;
            }
            if pair.iter().all(|place| !taken.contains(place)) {
                taken.extend(pair);
            }
        }
        for (wanted, is_deep) in [(deep, true), (level.planted as usize, false)] {
            let slots = (0..size(self.depth)).flat_map(|node| (0..self.kinds.len()).map(move |slot| (node, slot)));
            let free = |place: &(usize, Slot)| {
                on_deep(place.0) == is_deep && self.kinds[place.1] != Kind::Boolean && !taken.contains(place)
            };
            let mut free: Vec<(usize, Slot)> = slots.filter(free).collect();
            free.shuffle(random);
            free.truncate(wanted - taken.len());
            taken.extend(free);
        }
        taken
    }

    /// Pairs of places to swap values between: the same field of sibling nodes; in a tree of one node, fields of one kind of one
    /// object.
    fn siblings(&self) -> Vec<[(usize, Slot); 2]> {
        let plantable = (0..self.kinds.len()).filter(|&slot| self.kinds[slot] != Kind::Boolean);
        if self.depth > 1 {
            let lefts = (1..size(self.depth)).step_by(2);
            return lefts
                .flat_map(|node| plantable.clone().map(move |slot| [(node, slot), (node + 1, slot)]))
                .collect();
        }
        let alike = |one: Slot, other: Slot| {
            self.kinds[one] == self.kinds[other] && (one < self.values) == (other < self.values)
        };
        let pairs = plantable.clone().flat_map(|one| plantable.clone().map(move |other| (one, other)));
        pairs
            .filter(|&(one, other)| one < other && alike(one, other))
            .map(|(one, other)| [(0, one), (0, other)])
            .collect()
    }

    fn path(&self, node: usize, slot: Slot) -> Path {
        let mut steps = vec![self.names[node][slot]];
        if slot >= self.values {
            steps.push("metadata");
        }
        let mut at = node;
        while at > 0 {
            let parent = (at - 1) / 2;
            steps.push(self.branches[level_of(parent) as usize - 1][(at - 1) % 2]);
            at = parent;
        }
        steps.push("root");
        Path::new(steps.into_iter().rev().map(|key| Step::Key(key.to_owned())).collect())
    }

    /// The planted values, in the order of listing.
    pub(super) fn planted(&self) -> Vec<Planted> {
        let planted = self.planted.iter();
        planted
            .map(|(node, slot, value)| Planted { path: self.path(*node, *slot).to_string(), value: value.clone() })
            .collect()
    }

    /// JSON Schema 2020-12: every field is required, and no other allowed.
    pub(super) fn schema(&self) -> Value {
        let mut schema = closed(Map::from_iter([(
            "root".to_owned(),
            self.build(0, &mut |_, slot| json!({"type": self.kinds[slot].name()}), &mut closed),
        )]));
        let head = json!("https://json-schema.org/draft/2020-12/schema");
        if let Value::Object(schema) = &mut schema {
            schema.shift_insert(0, "$schema".to_owned(), head);
        }
        schema
    }

    /// A document with every planted value at its place, and fillers everywhere else.
    pub(super) fn reference(&self, random: &mut ChaCha12Rng) -> Value {
        let planted: HashMap<(usize, Slot), &Value> =
            self.planted.iter().map(|(node, slot, value)| ((*node, *slot), value)).collect();
        let mut leaf = |node, slot| match (planted.get(&(node, slot)), self.kinds[slot]) {
            (Some(value), _) => (*value).clone(),
            (None, Kind::Boolean) => Value::from(below(random, 2) == 1),
            (None, kind) => {
                let fillers = VOCABULARY.fillers.of(kind);
                fillers[below(random, fillers.len())].clone()
            }
        };
        json!({"root": self.build(0, &mut leaf, &mut Value::Object)})
    }

    /// A node and all below it, by what stands for a leaf and for an object.
    fn build(
        &self,
        node: usize,
        leaf: &mut impl FnMut(usize, Slot) -> Value,
        object: &mut impl FnMut(Map<String, Value>) -> Value,
    ) -> Value {
        let mut field = |slot: Slot| (self.names[node][slot].to_owned(), leaf(node, slot));
        let mut members: Map<String, Value> = (0..self.values).map(&mut field).collect();
        let metadata = (self.values..self.kinds.len()).map(&mut field).collect();
        members.insert("metadata".to_owned(), object(metadata));
        let level = level_of(node);
        if level < self.depth {
            for (nth, name) in self.branches[level as usize - 1].iter().enumerate() {
                members.insert((*name).to_owned(), self.build(2 * node + 1 + nth, leaf, object));
            }
        }
        object(members)
    }
}

/// An object schema that requires its properties and allows no other.
#[expect(clippy::needless_pass_by_value, reason = "what makes an object of members takes them")]
fn closed(properties: Map<String, Value>) -> Value {
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}

/// What the fields of a node hold: each plantable kind among its values; a boolean at most as the last of the metadata.
fn kinds(nodes: &Nodes, random: &mut ChaCha12Rng) -> Vec<Kind> {
    let mut kinds = Kind::PLANTABLE.to_vec();
    while kinds.len() < nodes.values as usize {
        kinds.push(Kind::PLANTABLE[below(random, 3)]);
    }
    kinds.shuffle(random);
    for _ in 1..nodes.metadata {
        kinds.push(Kind::PLANTABLE[below(random, 3)]);
    }
    let last = [Kind::String, Kind::Integer, Kind::Number, Kind::Boolean];
    kinds.push(last[below(random, last.len())]);
    kinds
}

/// Gives names, none twice.
struct Namer {
    banks: Vec<&'static Bank>,
    used: HashSet<&'static str>,
}

impl Namer {
    fn new(banks: Vec<&'static Bank>) -> Self {
        Self { banks, used: HashSet::new() }
    }

    /// A name for each of these fields, from the first bank that still has one of its kind.
    fn name(&mut self, kinds: &[Kind], random: &mut ChaCha12Rng) -> Vec<&'static str> {
        let mut names = Vec::with_capacity(kinds.len());
        for &kind in kinds {
            let free = self.banks.iter().map(|bank| {
                let free = bank.names(kind).iter().map(String::as_str);
                free.filter(|name| !self.used.contains(name)).collect::<Vec<&'static str>>()
            });
            let free =
                free.into_iter().find(|free| !free.is_empty()).expect("the banks have names for the largest tree");
            let name = free[below(random, free.len())];
            self.used.insert(name);
            names.push(name);
        }
        names
    }
}

/// Gives each place a value of its kind, none twice, and all of them an order.
pub(super) fn assign<P>(
    mut places: Vec<(P, Slot)>,
    kinds: &[Kind],
    pool: &Pool,
    random: &mut ChaCha12Rng,
) -> Vec<(P, Slot, Value)> {
    places.shuffle(random);
    let mut drawn: HashMap<Kind, Vec<usize>> = HashMap::new();
    for kind in Kind::PLANTABLE {
        let wanted = places.iter().filter(|(_, slot)| kinds[*slot] == kind).count();
        drawn.insert(kind, distinct(random, wanted, pool.of(kind).len()));
    }
    let planted = places.into_iter().map(|(place, slot)| {
        let kind = kinds[slot];
        let at = drawn.get_mut(&kind).and_then(Vec::pop).expect("there are as many values as places of a kind");
        (place, slot, pool.of(kind)[at].clone())
    });
    planted.collect()
}
