//! The interner: each distinct string once, named by a small integer.

use crate::compare::letters::Letters;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// A distinct string of an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StringId(pub(crate) u32);

/// All strings in one buffer. Ids count up from 0 in the order of first sight.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<usize>,
    letters: Vec<Letters>,
    index: HashTable<u32>,
    hasher: FixedState,
}

impl Strings {
    pub(crate) fn get(&self, id: StringId) -> &str {
        slice(&self.text, &self.ends, id.0)
    }

    pub(crate) fn letters(&self, id: StringId) -> &Letters {
        &self.letters[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn intern(&mut self, string: &str) -> StringId {
        let Self { text, ends, letters, index, hasher } = self;
        let hash = hasher.hash_one(string);
        if let Some(&id) = index.find(hash, |&id| bytes(text, ends, id) == string.as_bytes()) {
            return StringId(id);
        }
        let id = ends.len() as u32;
        text.push_str(string);
        ends.push(text.len());
        letters.push(Letters::of(string));
        index.insert_unique(hash, id, |&id| hasher.hash_one(slice(text, ends, id)));
        StringId(id)
    }
}

/// As [`slice`], without asking whether the ends are those of letters: for comparisons alone.
fn bytes<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a [u8] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &text.as_bytes()[start..ends[id]]
}

fn slice<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &text[start..ends[id]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_share_an_id() {
        let mut strings = Strings::default();
        let names = ["", "a", "ab", "é", "a\u{301}", "🦀", "a"];
        let ids: Vec<_> = names.iter().map(|name| strings.intern(name)).collect();
        assert_eq!(ids[1], ids[6]);
        assert_eq!(strings.len(), 6);
        for (name, id) in names.iter().zip(ids) {
            assert_eq!(strings.get(id), *name);
        }
    }
}
