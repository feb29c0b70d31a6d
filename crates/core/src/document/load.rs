//! Loading: a `serde_json::Value` into the arena, in time linear in its size (objects: their members are sorted by key).
//!
//! Two passes, neither recursive: breadth first to lay the nodes out, then backwards to number the values of containers,
//! children before parents.

use super::arena::{Arena, Class, Kind, Node, NodeId, Slot};
use super::leaves::Leaves;
use crate::MAX_DEPTH;
use serde_json::Value;

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
        let Self { nodes, leaves, shapes, .. } = self;
        let root = NodeId(nodes.len() as u32);
        // The containers that were met, with their depth, in the order of their nodes.
        let mut containers: Vec<(NodeId, usize, &Value)> = Vec::with_capacity(self.last_containers);
        let mut members: Vec<&Value> = Vec::with_capacity(8);
        if push(nodes, leaves, document, root, Slot::Root, 0) {
            containers.push((root, 0, document));
        }
        let mut at = 0;
        while let Some(&(parent, depth, value)) = containers.get(at) {
            at += 1;
            let first = nodes.len();
            match value {
                Value::Array(items) => {
                    for (index, item) in (0..).zip(items) {
                        if push(nodes, leaves, item, parent, Slot::Index(index), index) {
                            containers.push((NodeId(nodes.len() as u32 - 1), depth + 1, item));
                        }
                    }
                }
                Value::Object(object) => {
                    members.clear();
                    members.extend(object.values());
                    let written = shapes.of(object, &mut leaves.strings);
                    for &(place, key) in &written.sorted {
                        let member = members[place as usize];
                        if push(nodes, leaves, member, parent, Slot::Key(key), place) {
                            containers.push((NodeId(nodes.len() as u32 - 1), depth + 1, member));
                        }
                    }
                    nodes[parent.0 as usize].shape = written.shape;
                }
                _ => unreachable!("only containers are kept for later"),
            }
            let len = nodes.len() - first;
            if u32::try_from(nodes.len()).is_err() {
                return Err(LoadError::TooLarge);
            }
            if len > 0 && depth + 1 > MAX_DEPTH {
                return Err(LoadError::TooDeep { path: self.path(NodeId(first as u32)) });
            }
            let node = &mut nodes[parent.0 as usize];
            node.first = first as u32;
            node.len = len as u32;
        }
        for &(id, ..) in containers.iter().rev() {
            self.number_container(id);
        }
        self.last_containers = containers.len();
        Ok(root)
    }

    /// Gives a container whose children are numbered already the class of its value.
    fn number_container(&mut self, id: NodeId) {
        let next = Class(self.leaves.classes);
        let nodes = &self.nodes;
        let hash_of = |id: NodeId| {
            let node = &nodes[id.0 as usize];
            let start = u64::from(node.shape) << 32 | u64::from(node.len) << 1 | u64::from(node.kind == Kind::Object);
            let mixed =
                children(node, nodes).iter().fold(mix(start), |hash, child| mix(hash ^ u64::from(child.class.0)));
            mixed ^ mixed >> 32
        };
        let equal = |a: NodeId, b: NodeId| {
            let (a, b) = (&nodes[a.0 as usize], &nodes[b.0 as usize]);
            a.kind == b.kind
                && a.len == b.len
                && a.shape == b.shape
                && children(a, nodes).iter().zip(children(b, nodes)).all(|(a, b)| a.class == b.class)
        };
        let hash = hash_of(id);
        let kept = self.kept_index.find(hash, |&known| equal(known, id));
        let known = kept.or_else(|| self.class_index.find(hash, |&known| equal(known, id)));
        let class = if let Some(&known) = known {
            nodes[known.0 as usize].class
        } else {
            self.class_index.insert_unique(hash, id, |&id| hash_of(id));
            self.leaves.classes += 1;
            next
        };
        self.nodes[id.0 as usize].class = class;
    }
}

/// Adds a node; whether it is a container, whose children and class are still to come.
#[inline]
fn push(nodes: &mut Vec<Node>, leaves: &mut Leaves, value: &Value, parent: NodeId, slot: Slot, written: u32) -> bool {
    let leaf = leaves.read(value);
    let (kind, first, class) =
        leaf.unwrap_or_else(|| (if value.is_array() { Kind::Array } else { Kind::Object }, 0, Class(u32::MAX)));
    nodes.push(Node { kind, class, parent, slot, first, len: 0, shape: 0, written });
    leaf.is_none()
}

/// One step of a hash: by an odd number (2^64 over the golden ratio), and its upper half back to the lower.
fn mix(value: u64) -> u64 {
    let product = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 29
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
    fn what_stays_has_the_classes_it_had() {
        let kept = json!({"a": [1, "x", null], "b": {"c": [true]}});
        let later = [json!({"a": [1, "y", null], "b": 2}), json!([2, "y", {"c": [true]}]), kept.clone(), json!("y")];
        let mut arena = Arena::default();
        let root = arena.load(&kept).expect("small");
        arena.keep();
        for value in later.iter().chain(&later) {
            arena.clear_later();
            let other = arena.load(value).expect("small");
            assert_eq!(arena.class(other) == arena.class(root), *value == kept);
            let mut fresh = Arena::default();
            fresh.load(&kept).expect("small");
            fresh.load(value).expect("small");
            for a in 0..fresh.nodes.len() as u32 {
                for b in 0..a {
                    let equal = |arena: &Arena| arena.class(NodeId(a)) == arena.class(NodeId(b));
                    assert_eq!(equal(&arena), equal(&fresh));
                }
            }
            assert_eq!(arena.classes(), fresh.classes());
        }
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
