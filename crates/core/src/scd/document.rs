//! What was read from a completion: its values in the order of the text, each with its parent. No tree of owned strings:
//! texts stay where they are, only those with escapes are written out.

use super::path::{Path, Step};
use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hasher};

/// The place of a decoded text: in the completion itself, or among the texts that had escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) written_out: bool,
}

/// The hash of a key, taken once for all that is looked up by it.
pub(super) fn hash(text: &[u8]) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(text);
    hasher.finish()
}

/// The hash of a step from a numbered place.
pub(super) fn hash_from(place: u32, key: u64) -> u64 {
    (key ^ u64::from(place).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

/// How a value hangs in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Root,
    Key(Text),
    Index(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Null,
    Boolean(bool),
    /// As it is spelled.
    Number(Text),
    String(Text),
    Array,
    Object,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) link: Link,
    /// Of the key; 0 without one.
    pub(super) hash: u64,
    /// The member before it in its object, itself for the first.
    pub(super) before: u32,
    pub(super) content: Content,
    /// How many values hang below it directly.
    pub(super) children: u32,
    /// A later member of the same key took its place, or that of a value above it.
    pub(super) replaced: bool,
}

impl Node {
    /// Whether it is a leaf: no container, or an empty one.
    pub(super) fn is_leaf(&self) -> bool {
        !matches!(self.content, Content::Array | Content::Object) || self.children == 0
    }
}

/// The values of one text. Parents come before their children.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) nodes: Vec<Node>,
    /// Decoded texts that had escapes.
    pub(super) decoded: String,
    /// How many members were replaced by later ones of the same key.
    pub(super) duplicates: u32,
}

impl Document {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.decoded.clear();
        self.duplicates = 0;
    }

    /// A text's bytes: as long as it need not be a `str`, its ends need not be looked at.
    pub(super) fn bytes<'a>(&'a self, source: &'a str, text: Text) -> &'a [u8] {
        let from = if text.written_out { &self.decoded } else { source };
        &from.as_bytes()[text.start as usize..text.end as usize]
    }

    pub(super) fn text<'a>(&'a self, source: &'a str, text: Text) -> &'a str {
        let from = if text.written_out { &self.decoded } else { source };
        &from[text.start as usize..text.end as usize]
    }

    /// The values that count, with their numbers.
    pub(super) fn leaves(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().filter(|(_, node)| node.is_leaf() && !node.replaced)
    }

    pub(super) fn path(&self, source: &str, id: usize) -> Path {
        let mut steps = Vec::new();
        let mut at = id;
        loop {
            let node = &self.nodes[at];
            match node.link {
                Link::Root => break,
                Link::Key(key) => steps.push(Step::Key(self.text(source, key).to_owned())),
                Link::Index(index) => steps.push(Step::Index(index as usize)),
            }
            at = node.parent as usize;
        }
        steps.reverse();
        Path::new(steps)
    }

    /// The value of a leaf.
    pub(super) fn value(&self, source: &str, id: usize) -> serde_json::Value {
        use serde_json::Value;
        match self.nodes[id].content {
            Content::Null => Value::Null,
            Content::Boolean(boolean) => boolean.into(),
            // The scanner lets nothing through that is no JSON number.
            Content::Number(text) => {
                self.text(source, text).parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
            }
            Content::String(text) => self.text(source, text).into(),
            Content::Array => Value::Array(Vec::new()),
            Content::Object => Value::Object(serde_json::Map::new()),
        }
    }
}
