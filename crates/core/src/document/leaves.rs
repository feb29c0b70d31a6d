//! What leaves hold: strings and numbers, each once, and the classes of values.
//!
//! Strings and numbers outlive the documents. The class of what a leaf holds is that of one generation of documents, and of
//! those that stay: to forget documents is to begin another generation.

use super::arena::{Class, Kind};
use super::number::{Number, Numbers};
use super::strings::Strings;
use serde_json::Value;

#[derive(Debug)]
pub(super) struct Leaves {
    pub(super) strings: Strings,
    pub(super) numbers: Numbers,
    /// How many classes there are, of containers too.
    pub(super) classes: u32,
    generation: u64,
    /// The generation of the documents that stay.
    kept: u64,
    /// Classes by string and by number; an entry of another generation is none.
    of_strings: Vec<(u64, Class)>,
    of_numbers: Vec<(u64, Class)>,
    /// null, false, true.
    of_others: [(u64, Class); 3],
}

/// Generation 0 is before the first.
const NONE: (u64, Class) = (0, Class(0));

impl Default for Leaves {
    fn default() -> Self {
        Self {
            strings: Strings::default(),
            numbers: Numbers::default(),
            classes: 0,
            generation: 1,
            kept: 1,
            of_strings: Vec::new(),
            of_numbers: Vec::new(),
            of_others: [NONE; 3],
        }
    }
}

impl Leaves {
    /// The kind of a leaf, what it holds (see [`super::arena::Node`]) and its class; `None` for a container.
    #[inline]
    pub(super) fn read(&mut self, value: &Value) -> Option<(Kind, u32, Class)> {
        let (kind, content, slot) = match value {
            Value::Null => (Kind::Null, 0, &mut self.of_others[0]),
            Value::Bool(boolean) => {
                let content = u32::from(*boolean);
                (Kind::Boolean, content, &mut self.of_others[1 + content as usize])
            }
            Value::Number(number) => {
                let content = self.numbers.intern(Number::parse(number));
                (Kind::Number, content, entry(&mut self.of_numbers, content))
            }
            Value::String(string) => {
                let content = self.strings.intern(string).0;
                (Kind::String, content, entry(&mut self.of_strings, content))
            }
            Value::Array(_) | Value::Object(_) => return None,
        };
        if slot.0 != self.generation && slot.0 != self.kept {
            *slot = (self.generation, Class(self.classes));
            self.classes += 1;
        }
        Some((kind, content, slot.1))
    }

    /// The documents from here on are others; those that stay have so many classes.
    pub(super) fn begin(&mut self, classes: u32) {
        self.classes = classes;
        self.generation += 1;
    }

    /// The documents of this generation stay.
    pub(super) fn keep(&mut self) {
        self.kept = self.generation;
    }
}

fn entry(table: &mut Vec<(u64, Class)>, at: u32) -> &mut (u64, Class) {
    let at = at as usize;
    if table.len() <= at {
        table.resize(at + 1, NONE);
    }
    &mut table[at]
}
