//! A JSON task compiled for measuring: required paths and planted values in one trie.
//!
//! Measuring is one walk over what was read: linear in the completion, whatever the number of paths and values.

use super::document::{Content, Document, Link, hash, hash_from};
use super::measures::Measures;
use super::path::{Path, Step};
use super::recovery::{Limits, Refusal, with_reader};
use super::required::{RequiredError, required_paths};
use super::signs::Signs;
use crate::document::Number;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};
use serde_json::Value;

/// A task: what must be there, and which values belong where.
#[derive(Debug, Clone)]
pub struct Task {
    trie: Vec<TrieNode>,
    /// The nodes of the trie that are members, by (node above, key).
    members: HashTable<u32>,
    required: usize,
    planted: Vec<(Path, Value)>,
    /// For each planted value its number among the distinct ones.
    value_of: Vec<u32>,
    /// How often each distinct value is planted.
    wanted: Vec<u32>,
    strings: HashMap<Box<str>, u32, FixedState>,
    signs: Signs,
    numbers: HashMap<Number, u32, FixedState>,
    others: HashMap<Other, u32, FixedState>,
    limits: Limits,
}

#[derive(Debug, Clone, Default)]
struct TrieNode {
    above: u32,
    key: Box<str>,
    items: HashMap<u32, u32, FixedState>,
    required: bool,
    /// The value planted here: its place in the list.
    planted: Option<u32>,
}

/// Values that are neither strings nor numbers; containers only when empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Other {
    Null,
    Boolean(bool),
    Array,
    Object,
}

/// Why a task makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// The schema's required paths cannot be listed.
    #[error(transparent)]
    Required(#[from] RequiredError),
    /// Two values at one path.
    #[error("{path}: two values are planted here")]
    Twice {
        /// The path.
        path: Path,
    },
    /// A planted value is a container with something in it.
    #[error("{path}: an object or array with something in it cannot be planted, plant its leaves")]
    NotALeaf {
        /// The path.
        path: Path,
    },
    /// A table's target is no cell.
    #[error("target {id:?}: {reason}")]
    Target {
        /// The target.
        id: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Where a planted value ended up.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// At its path.
    Placed,
    /// At another path; a leaf is named for one value at most.
    Displaced {
        /// Where it stands instead.
        to: Path,
    },
    /// Nowhere; at its path stands another value.
    Altered {
        /// That value.
        to: Value,
    },
    /// Nowhere, and its path is no leaf.
    Absent,
}

const NOWHERE: u32 = u32::MAX;

impl Task {
    /// A task with these required paths and planted values.
    ///
    /// # Errors
    ///
    /// Two values at one path, or a value that is no leaf.
    pub fn new(required: Vec<Path>, planted: Vec<(Path, Value)>) -> Result<Self, TaskError> {
        let mut task = Self {
            trie: vec![TrieNode::default()],
            members: HashTable::new(),
            signs: Signs::default(),
            required: 0,
            planted: Vec::new(),
            value_of: Vec::new(),
            wanted: Vec::new(),
            strings: HashMap::default(),
            numbers: HashMap::default(),
            others: HashMap::default(),
            limits: Limits::default(),
        };
        for path in required {
            let node = task.node_of(&path);
            task.required += usize::from(!std::mem::replace(&mut task.trie[node].required, true));
        }
        for (index, (path, value)) in planted.iter().enumerate() {
            let node = task.node_of(path);
            if task.trie[node].planted.replace(index as u32).is_some() {
                return Err(TaskError::Twice { path: path.clone() });
            }
            let number = task.number_of(value).ok_or_else(|| TaskError::NotALeaf { path: path.clone() })?;
            task.value_of.push(number);
            task.wanted[number as usize] += 1;
        }
        task.planted = planted;
        Ok(task)
    }

    /// A task whose required paths are those of a schema.
    ///
    /// # Errors
    ///
    /// As [`Task::new`] and [`required_paths`].
    pub fn of_schema(schema: &Value, planted: Vec<(Path, Value)>) -> Result<Self, TaskError> {
        Self::new(required_paths(schema)?, planted)
    }

    /// Sets the limits on completions.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The planted values, in the order in which they were given.
    pub fn planted(&self) -> &[(Path, Value)] {
        &self.planted
    }

    /// Measures a completion.
    pub fn measure(&self, completion: &str) -> Measures {
        with_reader(|reader| {
            let mut measures = Measures {
                format: Ok(super::Level::Strict),
                required: self.required,
                required_found: 0,
                planted: self.planted.len(),
                placed: 0,
                present: 0,
                duplicate_keys: 0,
            };
            match reader.read(completion, &self.limits) {
                Ok(reading) => {
                    measures.format = Ok(reading.level);
                    measures.duplicate_keys = reader.document.duplicates as usize;
                    self.count(&reader.document, completion, &mut measures);
                }
                Err(refusal) => measures.format = Err(refusal),
            }
            measures
        })
    }

    /// Where each planted value ended up, in the order of [`Task::planted`].
    ///
    /// # Errors
    ///
    /// The completion cannot be read.
    pub fn fates(&self, completion: &str) -> Result<Vec<Fate>, Refusal> {
        with_reader(|reader| {
            reader.read(completion, &self.limits)?;
            Ok(self.trace(&reader.document, completion))
        })
    }

    fn node_of(&mut self, path: &Path) -> usize {
        let mut at = 0;
        for step in path.steps() {
            let fresh = self.trie.len() as u32;
            let next = match step {
                Step::Key(key) => self.member(at as u32, key.as_bytes(), hash(key.as_bytes())).unwrap_or(fresh),
                Step::Index(index) => *self.trie[at].items.entry(*index as u32).or_insert(fresh),
            };
            if next == fresh {
                let mut node = TrieNode { above: at as u32, ..TrieNode::default() };
                if let Step::Key(key) = step {
                    node.key = key.as_str().into();
                }
                self.trie.push(node);
                if let Step::Key(key) = step {
                    let trie = &self.trie;
                    let hash_of =
                        |&node: &u32| hash_from(trie[node as usize].above, hash(trie[node as usize].key.as_bytes()));
                    self.members.insert_unique(hash_from(at as u32, hash(key.as_bytes())), fresh, hash_of);
                }
            }
            at = next as usize;
        }
        at
    }

    /// The member of a trie node by its key, whose hash is known.
    fn member(&self, above: u32, key: &[u8], hash: u64) -> Option<u32> {
        let is_it =
            |&node: &u32| self.trie[node as usize].above == above && self.trie[node as usize].key.as_bytes() == key;
        self.members.find(hash_from(above, hash), is_it).copied()
    }

    /// The number of a planted value, a new one if it is new.
    fn number_of(&mut self, value: &Value) -> Option<u32> {
        let fresh = self.wanted.len() as u32;
        let number = match value {
            Value::String(text) => {
                self.signs.add_text(text.as_bytes());
                *self.strings.entry(text.as_str().into()).or_insert(fresh)
            }
            Value::Number(number) => {
                self.signs.add_number(number.as_str().as_bytes());
                *self.numbers.entry(Number::parse(number)).or_insert(fresh)
            }
            Value::Null => *self.others.entry(Other::Null).or_insert(fresh),
            Value::Bool(boolean) => *self.others.entry(Other::Boolean(*boolean)).or_insert(fresh),
            Value::Array(items) if items.is_empty() => *self.others.entry(Other::Array).or_insert(fresh),
            Value::Object(members) if members.is_empty() => *self.others.entry(Other::Object).or_insert(fresh),
            _ => return None,
        };
        if number == fresh {
            self.wanted.push(0);
        }
        Some(number)
    }

    /// The number of a leaf's value; `None` if it is not planted anywhere.
    fn find(&self, document: &Document, source: &str, content: Content) -> Option<u32> {
        match content {
            Content::String(text) => {
                if !self.signs.may_have_text(document.bytes(source, text)) {
                    return None;
                }
                self.strings.get(document.text(source, text)).copied()
            }
            Content::Number(text) => {
                if !self.signs.may_have_number(document.bytes(source, text)) {
                    return None;
                }
                self.numbers.get(&Number::parse_text(document.text(source, text))).copied()
            }
            _ if self.others.is_empty() => None,
            Content::Null => self.others.get(&Other::Null).copied(),
            Content::Boolean(boolean) => self.others.get(&Other::Boolean(boolean)).copied(),
            Content::Array => self.others.get(&Other::Array).copied(),
            Content::Object => self.others.get(&Other::Object).copied(),
        }
    }

    /// The trie node of each document node, [`NOWHERE`] beside the trie.
    fn places(&self, document: &Document, source: &str) -> Vec<u32> {
        let mut places = Vec::with_capacity(document.nodes.len());
        for node in &document.nodes {
            let above = if node.link == Link::Root { NOWHERE } else { places[node.parent as usize] };
            let place = match node.link {
                Link::Root => Some(0),
                _ if above == NOWHERE => None,
                Link::Key(key) => self.member(above, document.bytes(source, key), node.hash),
                Link::Index(index) => self.trie[above as usize].items.get(&index).copied(),
            };
            places.push(place.unwrap_or(NOWHERE));
        }
        places
    }

    fn count(&self, document: &Document, source: &str, measures: &mut Measures) {
        let places = self.places(document, source);
        let mut found = vec![0_u32; self.wanted.len()];
        for (id, leaf) in document.leaves() {
            let value = self.find(document, source, leaf.content);
            if let Some(value) = value {
                found[value as usize] += 1;
            }
            if let Some(place) = self.trie.get(places[id] as usize) {
                measures.required_found += usize::from(place.required);
                let right = place.planted.is_some_and(|planted| value == Some(self.value_of[planted as usize]));
                measures.placed += usize::from(right);
            }
        }
        measures.present = self.wanted.iter().zip(&found).map(|(&wanted, &found)| wanted.min(found) as usize).sum();
    }

    fn trace(&self, document: &Document, source: &str) -> Vec<Fate> {
        let places = self.places(document, source);
        // For each planted value the leaf at its path; for each distinct value the leaves that hold it and are not placed.
        let mut at_path: Vec<Option<usize>> = vec![None; self.planted.len()];
        let mut loose: Vec<Vec<usize>> = vec![Vec::new(); self.wanted.len()];
        let mut stands = vec![false; self.planted.len()];
        for (id, leaf) in document.leaves() {
            let value = self.find(document, source, leaf.content);
            let planted = self.trie.get(places[id] as usize).and_then(|place| place.planted);
            if let Some(planted) = planted {
                at_path[planted as usize] = Some(id);
                if value == Some(self.value_of[planted as usize]) {
                    stands[planted as usize] = true;
                    continue;
                }
            }
            if let Some(value) = value {
                loose[value as usize].push(id);
            }
        }
        for leaves in &mut loose {
            leaves.reverse();
        }
        (0..self.planted.len())
            .map(|planted| {
                if stands[planted] {
                    return Fate::Placed;
                }
                match (loose[self.value_of[planted] as usize].pop(), at_path[planted]) {
                    (Some(leaf), _) => Fate::Displaced { to: document.path(source, leaf) },
                    (None, Some(leaf)) => Fate::Altered { to: document.value(source, leaf) },
                    (None, None) => Fate::Absent,
                }
            })
            .collect()
    }
}
