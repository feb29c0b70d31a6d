//! The arena: nodes in breadth-first order, the children of a node contiguous.

use super::leaves::Leaves;
use super::number::Number;
use super::shapes::Shapes;
use super::strings::StringId;
use crate::compare::letters::Letters;
use crate::pointer;
use hashbrown::HashTable;
use serde_json::Value;
use std::fmt::Write as _;

/// A place in a loaded document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// The number of a value: two nodes of an arena have equal values exactly when they have the same class. Key order does
/// not count, item order does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Class(pub(crate) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// Where a node hangs in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Root,
    Key(StringId),
    Index(u32),
}

/// A node; [`Arena`]'s methods say what its parts mean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) class: Class,
    pub(super) parent: NodeId,
    pub(super) slot: Slot,
    /// Containers: the first child. Leaves: the boolean, the string id or the index of the number.
    pub(crate) first: u32,
    /// Containers: how many children.
    pub(crate) len: u32,
    /// Objects: the number of their set of keys.
    pub(super) shape: u32,
    /// Place among the siblings as written (children of objects are stored in the order of their keys).
    pub(super) written: u32,
}

/// Two documents, or more, that can be compared with each other.
///
/// [`Arena::clear`] forgets the documents and keeps the strings and numbers, so that comparisons of strings can be
/// remembered from one pair to the next. [`Arena::keep`] makes the documents stay that are loaded: a gold for many candidates.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    pub(super) nodes: Vec<Node>,
    pub(super) leaves: Leaves,
    pub(super) shapes: Shapes,
    /// For each class of containers its first node, in the documents that stay and in the later ones.
    pub(super) kept_index: HashTable<NodeId>,
    pub(super) class_index: HashTable<NodeId>,
    kept: Kept,
    /// How many containers the last document had: the next will have about as many.
    pub(super) last_containers: usize,
}

/// How far the documents reach that stay when others are forgotten.
#[derive(Debug, Clone, Copy, Default)]
struct Kept {
    nodes: usize,
    classes: u32,
}

impl Arena {
    /// Forgets the documents; strings and numbers keep their ids.
    pub(crate) fn clear(&mut self) {
        self.kept = Kept::default();
        self.kept_index.clear();
        self.clear_later();
        self.leaves.keep();
    }

    /// From here on the documents that are loaded stay until [`Arena::clear`].
    pub(crate) fn keep(&mut self) {
        self.kept = Kept { nodes: self.nodes.len(), classes: self.leaves.classes };
        std::mem::swap(&mut self.kept_index, &mut self.class_index);
        self.leaves.keep();
        self.clear_later();
    }

    /// Forgets the documents that came after those that stay.
    pub(crate) fn clear_later(&mut self) {
        self.nodes.truncate(self.kept.nodes);
        self.leaves.begin(self.kept.classes);
        self.class_index.clear();
    }

    /// How many distinct values the documents have that stay: their classes are below it.
    pub(crate) fn kept_classes(&self) -> u32 {
        self.kept.classes
    }

    /// How much the parts that [`Arena::clear`] keeps have grown: distinct strings and numbers, and bytes of text.
    pub(crate) fn kept(&self) -> (usize, usize) {
        let Leaves { strings, numbers, .. } = &self.leaves;
        (strings.len() + numbers.len() + self.shapes.len(), strings.bytes())
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    pub(crate) fn class(&self, id: NodeId) -> Class {
        self.node(id).class
    }

    pub(crate) fn classes(&self) -> usize {
        self.leaves.classes as usize
    }

    pub(crate) fn slot(&self, id: NodeId) -> Slot {
        self.node(id).slot
    }

    pub(crate) fn written(&self, id: NodeId) -> u32 {
        self.node(id).written
    }

    /// The number of children; 0 for leaves.
    pub(crate) fn len(&self, id: NodeId) -> usize {
        self.node(id).len as usize
    }

    /// Child `index`: by position in an array, by the order of keys in an object.
    pub(crate) fn child(&self, id: NodeId, index: usize) -> NodeId {
        debug_assert!(index < self.len(id));
        NodeId(self.node(id).first + index as u32)
    }

    /// The children of a container themselves.
    pub(crate) fn siblings(&self, id: NodeId) -> &[Node] {
        let node = self.node(id);
        &self.nodes[node.first as usize..(node.first + node.len) as usize]
    }

    pub(crate) fn children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        let node = self.node(id);
        (node.first..node.first + node.len).map(NodeId)
    }

    /// The container of a node; `None` at the root.
    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        (self.slot(id) != Slot::Root).then(|| self.node(id).parent)
    }

    /// The key under which a member of an object hangs.
    pub(crate) fn key(&self, id: NodeId) -> StringId {
        match self.node(id).slot {
            Slot::Key(key) => key,
            Slot::Root | Slot::Index(_) => unreachable!("only members of objects are asked for their key"),
        }
    }

    pub(crate) fn text(&self, id: StringId) -> &str {
        self.leaves.strings.get(id)
    }

    pub(crate) fn letters(&self, id: StringId) -> &Letters {
        self.leaves.strings.letters(id)
    }

    pub(crate) fn intern(&mut self, string: &str) -> StringId {
        self.leaves.strings.intern(string)
    }

    pub(crate) fn string(&self, id: NodeId) -> StringId {
        debug_assert_eq!(self.kind(id), Kind::String);
        StringId(self.node(id).first)
    }

    pub(crate) fn number(&self, id: NodeId) -> &Number {
        debug_assert_eq!(self.kind(id), Kind::Number);
        self.leaves.numbers.get(self.node(id).first)
    }

    pub(crate) fn boolean(&self, id: NodeId) -> bool {
        debug_assert_eq!(self.kind(id), Kind::Boolean);
        self.node(id).first != 0
    }

    /// The number of an object's set of keys: equal numbers, equal keys. Outlives [`Arena::clear`], as strings do.
    pub(crate) fn shape(&self, id: NodeId) -> u32 {
        debug_assert_eq!(self.kind(id), Kind::Object);
        self.node(id).shape
    }

    /// Whether two objects have the same keys.
    pub(crate) fn same_keys(&self, a: NodeId, b: NodeId) -> bool {
        self.shape(a) == self.shape(b)
    }

    /// The JSON Pointer (RFC 6901) of a node in its own document.
    pub(crate) fn path(&self, id: NodeId) -> String {
        let mut slots = Vec::new();
        let mut at = id;
        loop {
            let node = self.node(at);
            match node.slot {
                Slot::Root => break,
                slot => slots.push(slot),
            }
            at = node.parent;
        }
        let mut path = String::new();
        for slot in slots.into_iter().rev() {
            match slot {
                Slot::Key(key) => pointer::push(&mut path, self.text(key)),
                Slot::Index(index) => {
                    let _ = write!(path, "/{index}");
                }
                Slot::Root => {}
            }
        }
        path
    }

    /// The value below a node, as it was loaded (numbers in their plainest spelling). Depth is bounded by the loader.
    pub(crate) fn value(&self, id: NodeId) -> Value {
        match self.kind(id) {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Bool(self.boolean(id)),
            Kind::String => Value::String(self.text(self.string(id)).to_owned()),
            Kind::Number => number_value(self.number(id)),
            Kind::Array => self.children(id).map(|child| self.value(child)).collect(),
            Kind::Object => {
                let mut members: Vec<NodeId> = self.children(id).collect();
                members.sort_unstable_by_key(|&member| self.written(member));
                members
                    .into_iter()
                    .map(|member| (self.text(self.key(member)).to_owned(), self.value(member)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }
        }
    }
}

fn number_value(number: &Number) -> Value {
    let text = match number {
        Number::Integer(integer) => integer.to_string(),
        Number::Fraction(bits) => {
            return serde_json::Number::from_f64(f64::from_bits(*bits)).map_or(Value::Null, Value::Number);
        }
        Number::Huge { negative, digits, power } => {
            format!("{}{digits}e{power}", if *negative { "-" } else { "" })
        }
    };
    text.parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
}
