//! The interner: each distinct string once, named by a small integer.

use crate::compare::letters::Letters;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// A distinct string of an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StringId(pub(crate) u32);

/// All strings in one buffer. Ids count up from 0 in the order of first sight.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    places: Vec<Place>,
    letters: Vec<Letters>,
    index: HashTable<u32>,
    hasher: FixedState,
}

/// Where a string stands in the buffer.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
}

impl Strings {
    pub(crate) fn get(&self, id: StringId) -> &str {
        slice(&self.text, self.places[id.0 as usize])
    }

    /// Whether this is the string of `id`.
    pub(crate) fn is(&self, id: StringId, string: &str) -> bool {
        same(bytes(&self.text, self.places[id.0 as usize]), string.as_bytes())
    }

    pub(crate) fn letters(&self, id: StringId) -> &Letters {
        &self.letters[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn intern(&mut self, string: &str) -> StringId {
        let Self { text, places, letters, index, hasher } = self;
        let hash = hash(hasher, string);
        if let Some(&id) = index.find(hash, |&id| same(bytes(text, places[id as usize]), string.as_bytes())) {
            return StringId(id);
        }
        let id = places.len() as u32;
        let start = text.len();
        text.push_str(string);
        places.push(Place { start, end: text.len() });
        letters.push(Letters::of(string));
        index.insert_unique(hash, id, |&id| self::hash(hasher, slice(text, places[id as usize])));
        StringId(id)
    }
}

fn hash(hasher: &FixedState, string: &str) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(string.as_bytes());
    state.finish()
}

/// Equality of texts, most of which are short: those are compared as one or two words, without a call.
fn same(a: &[u8], b: &[u8]) -> bool {
    let ends_agree = |a: &[u8], b: &[u8]| match a.len() {
        8..=16 => a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk(),
        4..=7 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
        _ => a == b,
    };
    a.len() == b.len() && ends_agree(a, b)
}

/// As [`slice`], without asking whether the ends are those of letters: for comparisons alone.
fn bytes(text: &str, place: Place) -> &[u8] {
    &text.as_bytes()[place.start..place.end]
}

fn slice(text: &str, place: Place) -> &str {
    &text[place.start..place.end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_texts_are_compared_as_long_ones(a in "[ab]{0,20}", at in 0_usize..20) {
            let mut b = a.clone().into_bytes();
            prop_assert!(same(a.as_bytes(), &b));
            if let Some(byte) = b.get_mut(at) {
                *byte = b'c';
                prop_assert!(!same(a.as_bytes(), &b));
            }
        }
    }

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
