//! Sets of keys: each once, named by a small integer, so that objects of the same keys are told by comparing two numbers.
//!
//! Documents write the same keys again and again, mostly in the same order, and objects follow each other as they did before.
//! So the keys of an object are first compared with those of the object that came next the last time: one comparison of
//! text a key, nothing hashed.

use super::strings::{StringId, Strings};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use serde_json::{Map, Value};

/// All sets of keys that were met. They outlive documents, as strings do.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// Sets of keys, in the order of their text, by number.
    sets: HashMap<Box<[StringId]>, u32, FixedState>,
    /// The same sets by the order in which documents write them.
    index: HashMap<Box<[StringId]>, u32, FixedState>,
    written: Vec<WrittenShape>,
    /// What the last object wrote.
    last: u32,
    keys: Vec<StringId>,
}

/// A set of keys as some documents write it.
#[derive(Debug)]
pub(super) struct WrittenShape {
    pub(super) shape: u32,
    keys: Box<[StringId]>,
    /// The places of the keys as written, and the keys, in the order of their text.
    pub(super) sorted: Box<[(u32, StringId)]>,
    /// What was written next the last time that this was.
    next: u32,
}

impl Shapes {
    pub(super) fn len(&self) -> usize {
        self.written.len()
    }

    /// What an object writes; linear in its number of keys once they were met, sorted by text the first time.
    pub(super) fn of(&mut self, object: &Map<String, Value>, strings: &mut Strings) -> &WrittenShape {
        if let Some(last) = self.written.get(self.last as usize) {
            let guess = &self.written[last.next as usize];
            let fits = guess.keys.len() == object.len()
                && guess.keys.iter().zip(object.keys()).all(|(&id, key)| strings.is(id, key));
            if fits {
                self.last = last.next;
                return &self.written[self.last as usize];
            }
        }
        self.keys.clear();
        self.keys.extend(object.keys().map(|key| strings.intern(key)));
        let written = self.index.get(self.keys.as_slice()).copied().unwrap_or_else(|| self.learn(strings));
        if let Some(last) = self.written.get_mut(self.last as usize) {
            last.next = written;
        }
        self.last = written;
        &self.written[written as usize]
    }

    /// Sorts a set of keys, as it is written here for the first time.
    fn learn(&mut self, strings: &Strings) -> u32 {
        let mut sorted: Vec<(u32, StringId)> = (0..).zip(self.keys.iter().copied()).collect();
        sorted.sort_unstable_by_key(|&(_, key)| strings.get(key));
        let set: Box<[StringId]> = sorted.iter().map(|&(_, key)| key).collect();
        let next = self.sets.len() as u32;
        let shape = *self.sets.entry(set).or_insert(next);
        let written = self.written.len() as u32;
        let keys: Box<[StringId]> = self.keys.as_slice().into();
        self.index.insert(keys.clone(), written);
        self.written.push(WrittenShape { shape, keys, sorted: sorted.into(), next: written });
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_same_keys_in_any_order_are_one_set(
            objects in proptest::collection::vec(proptest::collection::vec("[ab]{0,2}", 0..4), 1..30),
        ) {
            let (mut shapes, mut strings) = (Shapes::default(), Strings::default());
            let mut seen: Vec<(Vec<String>, u32)> = Vec::new();
            for keys in objects {
                let object: Map<String, Value> = keys.into_iter().map(|key| (key, Value::Null)).collect();
                let known = shapes.of(&object, &mut strings);
                let mut keys: Vec<String> = object.keys().cloned().collect();
                for &(place, key) in &known.sorted {
                    prop_assert_eq!(strings.get(key), &keys[place as usize]);
                }
                keys.sort();
                for (other, shape) in &seen {
                    prop_assert_eq!(*other == keys, *shape == known.shape);
                }
                seen.push((keys, known.shape));
            }
        }
    }
}
