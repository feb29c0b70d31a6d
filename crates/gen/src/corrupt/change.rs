//! What an operator did, exactly enough to do it again.
//!
//! The pointers of a change are those of the document as the changes before it left it.

use super::Misfit;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One application of an operator: what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Edit {
    /// The changes, in order: at least one.
    pub changes: Vec<Change>,
}

impl Edit {
    /// An edit of one change.
    pub fn one(change: Change) -> Self {
        Self { changes: vec![change] }
    }
}

/// One change of a document. Places are JSON Pointers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// A value took the place of another.
    Replaced {
        /// Where.
        at: String,
        /// What was there.
        from: Value,
        /// What is there now.
        to: Value,
    },
    /// An item of a list went; those after it moved up.
    Removed {
        /// Where it was.
        at: String,
        /// What it was.
        value: Value,
    },
    /// An item came into a list; those from there on moved down.
    Inserted {
        /// Where it is.
        at: String,
        /// What it is.
        value: Value,
    },
    /// A member of an object went.
    Dropped {
        /// Where it was.
        at: String,
        /// What it was.
        value: Value,
    },
    /// A member came into an object, after all others.
    Added {
        /// Where it is.
        at: String,
        /// What it is.
        value: Value,
    },
    /// An identifier got another name, in its record and wherever it is referred to.
    Renamed {
        /// The old identifier.
        from: Value,
        /// The new one.
        to: Value,
        /// Where it stands: the record first.
        at: Vec<String>,
    },
    /// A list was put in another order.
    Reordered {
        /// Which list.
        at: String,
        /// For each place, where its item was before.
        order: Vec<usize>,
    },
}

/// Does the edits again.
///
/// # Errors
///
/// They are not edits of this document: a place does not exist, or something else stands there.
pub fn replay(gold: &Value, edits: &[Edit]) -> Result<Value, Misfit> {
    let mut document = gold.clone();
    for change in edits.iter().flat_map(|edit| &edit.changes) {
        apply(&mut document, change)?;
    }
    Ok(document)
}

pub(super) fn apply(document: &mut Value, change: &Change) -> Result<(), Misfit> {
    match change {
        Change::Replaced { at, from, to } => replace(document, at, from, to),
        Change::Removed { at, value } => {
            let (list, index) = list_and_index(document, at)?;
            if list.get(index) != Some(value) {
                return Err(Misfit::new(at, format!("{value} should be here")));
            }
            list.remove(index);
            Ok(())
        }
        Change::Inserted { at, value } => {
            let (list, index) = list_and_index(document, at)?;
            if index > list.len() {
                return Err(Misfit::new(at, "beyond the end of the list"));
            }
            list.insert(index, value.clone());
            Ok(())
        }
        Change::Dropped { at, value } => {
            let (members, key) = members_and_key(document, at)?;
            if members.get(&key) != Some(value) {
                return Err(Misfit::new(at, format!("{value} should be here")));
            }
            members.shift_remove(&key);
            Ok(())
        }
        Change::Added { at, value } => {
            let (members, key) = members_and_key(document, at)?;
            if members.contains_key(&key) {
                return Err(Misfit::new(at, "nothing should be here"));
            }
            members.insert(key, value.clone());
            Ok(())
        }
        Change::Renamed { from, to, at } => at.iter().try_for_each(|at| replace(document, at, from, to)),
        Change::Reordered { at, order } => {
            let list = find(document, at).and_then(Value::as_array_mut);
            let list = list.ok_or_else(|| Misfit::new(at, "a list should be here"))?;
            let mut places = order.clone();
            places.sort_unstable();
            if !places.into_iter().eq(0..list.len()) {
                return Err(Misfit::new(at, "the order is not one of this list"));
            }
            *list = order.iter().map(|&place| list[place].clone()).collect();
            Ok(())
        }
    }
}

fn replace(document: &mut Value, at: &str, from: &Value, to: &Value) -> Result<(), Misfit> {
    match find(document, at) {
        Some(place) if place == from => {
            *place = to.clone();
            Ok(())
        }
        _ => Err(Misfit::new(at, format!("{from} should be here"))),
    }
}

/// What is at a JSON Pointer: `Value::pointer_mut`, without a copy of every step.
fn find<'d>(document: &'d mut Value, at: &str) -> Option<&'d mut Value> {
    if at.is_empty() {
        return Some(document);
    }
    at.strip_prefix('/')?.split('/').try_fold(document, |value, step| match value {
        Value::Object(members) => {
            let escaped = step.contains('~').then(|| step.replace("~1", "/").replace("~0", "~"));
            members.get_mut(escaped.as_deref().unwrap_or(step))
        }
        Value::Array(items) => {
            let plain = step == "0" || step.starts_with(|first| ('1'..='9').contains(&first));
            items.get_mut(step.parse::<usize>().ok().filter(|_| plain)?)
        }
        _ => None,
    })
}

fn list_and_index<'d>(document: &'d mut Value, at: &str) -> Result<(&'d mut Vec<Value>, usize), Misfit> {
    let parts = at.rsplit_once('/').and_then(|(list, index)| Some((list, index.parse().ok()?)));
    let (list, index) = parts.ok_or_else(|| Misfit::new(at, "an item of a list should be here"))?;
    let list = find(document, list).and_then(Value::as_array_mut);
    Ok((list.ok_or_else(|| Misfit::new(at, "an item of a list should be here"))?, index))
}

fn members_and_key<'d>(document: &'d mut Value, at: &str) -> Result<(&'d mut Map<String, Value>, String), Misfit> {
    let misfit = || Misfit::new(at, "a member of an object should be here");
    let (object, key) = at.rsplit_once('/').ok_or_else(misfit)?;
    let members = find(document, object).and_then(Value::as_object_mut).ok_or_else(misfit)?;
    Ok((members, key.replace("~1", "/").replace("~0", "~")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn edits_of_another_document_are_refused() {
        let document = json!({"a": [1, 2], "b": 3});
        let refused = |change: Change| replay(&document, &[Edit::one(change)]).expect_err("refused").to_string();
        let replaced = Change::Replaced { at: "/b".into(), from: json!(4), to: json!(5) };
        assert_eq!(refused(replaced), "/b: 4 should be here");
        let removed = Change::Removed { at: "/a/2".into(), value: json!(1) };
        assert_eq!(refused(removed), "/a/2: 1 should be here");
        let inserted = Change::Inserted { at: "/a/3".into(), value: json!(1) };
        assert_eq!(refused(inserted), "/a/3: beyond the end of the list");
        let reordered = Change::Reordered { at: "/a".into(), order: vec![0, 0] };
        assert_eq!(refused(reordered), "/a: the order is not one of this list");
        let dropped = Change::Dropped { at: "/b".into(), value: json!(4) };
        assert_eq!(refused(dropped), "/b: 4 should be here");
        let added = Change::Added { at: "/b".into(), value: json!(4) };
        assert_eq!(refused(added), "/b: nothing should be here");
        let added = Change::Added { at: "/a/b".into(), value: json!(4) };
        assert_eq!(refused(added), "/a/b: a member of an object should be here");
        let nowhere = Change::Inserted { at: String::new(), value: json!(1) };
        assert_eq!(refused(nowhere), "(root): an item of a list should be here");
    }

    #[test]
    fn places_are_found_as_the_library_finds_them() {
        let mut document = json!({"a": [1, {"b~/": 2, "": 3}], "": {"0": 4}});
        for at in
            ["", "/", "/a", "/a/0", "/a/1/b~0~1", "/a/1/", "//0", "/a/01", "/a/+1", "/a/-", "/a/2", "/a/0/x", "a", "/x"]
        {
            let expected = document.clone().pointer_mut(at).cloned();
            assert_eq!(find(&mut document, at).cloned(), expected, "{at}");
        }
    }

    #[test]
    fn members_go_and_come_under_odd_keys() {
        let document = json!({"a/b": {"~": 1, "c": 2, "d": 3}});
        let edits = [
            Edit::one(Change::Dropped { at: "/a~1b/~0".into(), value: json!(1) }),
            Edit::one(Change::Added { at: "/a~1b/x~1y".into(), value: json!(4) }),
        ];
        let changed = replay(&document, &edits).expect("edits of this document");
        assert_eq!(changed.to_string(), r#"{"a/b":{"c":2,"d":3,"x/y":4}}"#);
    }

    #[test]
    fn edits_are_written_by_their_names() {
        let edit = Edit::one(Change::Replaced { at: "/b".into(), from: json!(3), to: json!(4) });
        let text = serde_json::to_string(&edit).expect("JSON");
        assert_eq!(text, r#"[{"change":"replaced","at":"/b","from":3,"to":4}]"#);
        assert_eq!(serde_json::from_str::<Edit>(&text).expect("an edit"), edit);
    }
}
