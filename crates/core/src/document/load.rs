//! Loading: a `serde_json::Value` into the arena, in time linear in its size (objects: their members are sorted by key).
//!
//! Two passes, neither recursive: breadth first to lay the nodes out, then backwards to number the values, children
//! before parents.

use super::arena::{Arena, Class, Kind, Node, NodeId, Slot, WrittenShape};
use super::number::Number;
use super::strings::StringId;
use crate::MAX_DEPTH;
use serde_json::Value;
use std::hash::{BuildHasher, Hasher};

/// Why a document cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LoadError {
    /// Nested deeper than [`MAX_DEPTH`]; the path is that of the first value that is too deep.
    TooDeep { path: String },
    /// More nodes than 32-bit indices can name.
    TooLarge,
}

impl Arena {
    /// Adds a document and returns its root.
    pub(crate) fn load(&mut self, document: &Value) -> Result<NodeId, LoadError> {
        let root = self.nodes.len();
        // `values[k]` is the source of node `root + k`.
        let mut values: Vec<&Value> = Vec::with_capacity(self.last_len + 1);
        values.push(document);
        self.push(document, NodeId(root as u32), Slot::Root, 0);
        let mut members: Vec<&Value> = Vec::new();
        let mut keys: Vec<StringId> = Vec::new();
        let mut at = 0;
        // Breadth first: a level ends where the nodes known when it began end.
        let (mut depth, mut level_end) = (0, 1);
        while at < values.len() {
            if at == level_end {
                depth += 1;
                level_end = values.len();
            }
            let parent = NodeId((root + at) as u32);
            let first = self.nodes.len();
            match values[at] {
                Value::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        values.push(item);
                        self.push(item, parent, Slot::Index(index as u32), index as u32);
                    }
                }
                Value::Object(object) => {
                    members.clear();
                    keys.clear();
                    for (key, value) in object {
                        keys.push(self.strings.intern(key));
                        members.push(value);
                    }
                    if !self.written_shapes.contains_key(keys.as_slice()) {
                        self.learn_shape(&keys);
                    }
                    // Lent out while nodes are pushed: no shape is learnt meanwhile.
                    let known = std::mem::take(&mut self.written_shapes);
                    let written = &known[keys.as_slice()];
                    for &place in &written.sorted {
                        let value = members[place as usize];
                        values.push(value);
                        self.push(value, parent, Slot::Key(keys[place as usize]), place);
                    }
                    self.nodes[root + at].shape = written.shape;
                    self.written_shapes = known;
                }
                _ => {
                    at += 1;
                    continue;
                }
            }
            let len = self.nodes.len() - first;
            if u32::try_from(self.nodes.len()).is_err() {
                return Err(LoadError::TooLarge);
            }
            if len > 0 && depth + 1 > MAX_DEPTH {
                return Err(LoadError::TooDeep { path: self.path(NodeId(first as u32)) });
            }
            let node = &mut self.nodes[root + at];
            node.first = first as u32;
            node.len = len as u32;
            at += 1;
        }
        for id in (root..self.nodes.len()).rev() {
            self.number_value(NodeId(id as u32));
        }
        self.last_len = self.nodes.len() - root;
        Ok(NodeId(root as u32))
    }

    fn push(&mut self, value: &Value, parent: NodeId, slot: Slot, written: u32) {
        let (kind, first) = match value {
            Value::Null => (Kind::Null, 0),
            Value::Bool(boolean) => (Kind::Boolean, u32::from(*boolean)),
            Value::Number(number) => (Kind::Number, self.intern_number(Number::parse(number))),
            Value::String(string) => (Kind::String, self.strings.intern(string).0),
            Value::Array(_) => (Kind::Array, 0),
            Value::Object(_) => (Kind::Object, 0),
        };
        self.nodes.push(Node { kind, class: Class(u32::MAX), parent, slot, first, len: 0, shape: 0, written });
    }

    /// Sorts a set of keys, as it is written here for the first time.
    fn learn_shape(&mut self, keys: &[StringId]) {
        let mut sorted: Vec<u32> = (0..keys.len() as u32).collect();
        sorted.sort_unstable_by_key(|&place| self.strings.get(keys[place as usize]));
        let set: Box<[StringId]> = sorted.iter().map(|&place| keys[place as usize]).collect();
        let next = self.shapes.len() as u32;
        let shape = *self.shapes.entry(set).or_insert(next);
        self.written_shapes.insert(keys.into(), WrittenShape { shape, sorted: sorted.into() });
    }

    fn intern_number(&mut self, number: Number) -> u32 {
        if let Some(&id) = self.number_index.get(&number) {
            return id;
        }
        let id = self.numbers.len() as u32;
        self.numbers.push(number.clone());
        self.number_index.insert(number, id);
        id
    }

    /// Gives a node whose children are numbered already the class of its value.
    fn number_value(&mut self, id: NodeId) {
        let &Node { kind, first, .. } = &self.nodes[id.0 as usize];
        let next = Class(self.classes);
        if !matches!(kind, Kind::Array | Kind::Object) {
            let class = self.leaf_classes.of(kind, first, next);
            self.classes += u32::from(class == next);
            self.nodes[id.0 as usize].class = class;
            return;
        }
        let nodes = &self.nodes;
        let hash_of = |id: NodeId| {
            let node = &nodes[id.0 as usize];
            let mut state = self.hasher.build_hasher();
            state.write_u8(node.kind as u8);
            state.write_u32(node.len);
            state.write_u32(node.shape);
            for child in children(node, nodes) {
                state.write_u32(child.class.0);
            }
            state.finish()
        };
        let equal = |a: NodeId, b: NodeId| {
            let (a, b) = (&nodes[a.0 as usize], &nodes[b.0 as usize]);
            a.kind == b.kind
                && a.len == b.len
                && a.shape == b.shape
                && children(a, nodes).iter().zip(children(b, nodes)).all(|(a, b)| a.class == b.class)
        };
        let hash = hash_of(id);
        let class = if let Some(&known) = self.class_index.find(hash, |&known| equal(known, id)) {
            nodes[known.0 as usize].class
        } else {
            self.class_index.insert_unique(hash, id, |&id| hash_of(id));
            self.classes += 1;
            next
        };
        self.nodes[id.0 as usize].class = class;
    }
}

fn children<'a>(node: &Node, nodes: &'a [Node]) -> &'a [Node] {
    &nodes[node.first as usize..(node.first + node.len) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_values_have_equal_classes_and_no_others() {
        let mut arena = Arena::default();
        let values = [
            json!(null),
            json!(true),
            json!(false),
            json!(1),
            json!("1"),
            json!([]),
            json!({}),
            json!([1]),
            json!(["1"]),
            json!({"a": 1}),
            json!({"b": 1}),
            json!([1, 2]),
            json!([2, 1]),
            json!([[1], 2]),
            json!([1, [2]]),
            json!({"a": {"b": 1}}),
        ];
        let roots: Vec<_> = values.iter().map(|value| arena.load(value).expect("small")).collect();
        for (i, a) in roots.iter().enumerate() {
            for (j, b) in roots.iter().enumerate() {
                assert_eq!(arena.class(*a) == arena.class(*b), i == j, "{} {}", values[i], values[j]);
            }
        }
        let again = arena.load(&json!({"a": {"b": 1.0}})).expect("small");
        assert_eq!(arena.class(again), arena.class(roots[15]));
    }

    #[test]
    fn key_order_does_not_change_the_class() {
        let mut arena = Arena::default();
        let a = arena.load(&serde_json::from_str(r#"{"x":1,"y":[2]}"#).expect("JSON")).expect("small");
        let b = arena.load(&serde_json::from_str(r#"{"y":[2],"x":1}"#).expect("JSON")).expect("small");
        assert_eq!(arena.class(a), arena.class(b));
    }

    #[test]
    fn paths_and_values_come_back() {
        let mut arena = Arena::default();
        let value = json!({"a/b": [null, {"~": "x"}], "n": 1.5, "big": 1e300});
        let root = arena.load(&value).expect("small");
        assert_eq!(arena.path(root), "");
        let list = arena.child(root, 0);
        let tilde = arena.child(arena.child(list, 1), 0);
        assert_eq!(arena.path(tilde), "/a~1b/1/~0");
        assert_eq!(arena.value(root)["a/b"], value["a/b"]);
        assert_eq!(arena.value(root)["n"], value["n"]);
        let reloaded = arena.value(root);
        let reloaded = arena.load(&reloaded).expect("small");
        assert_eq!(arena.class(reloaded), arena.class(root));
    }

    #[test]
    fn depth_is_bounded_and_the_place_is_named() {
        let nest = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!([inner]));
        let mut arena = Arena::default();
        assert!(arena.load(&nest(MAX_DEPTH)).is_ok());
        match arena.load(&nest(MAX_DEPTH + 1)) {
            Err(LoadError::TooDeep { path }) => assert_eq!(path.matches('/').count(), MAX_DEPTH + 1),
            other => panic!("{other:?}"),
        }
    }
}
