//! The match tree as rows of two cells, gold on the left, candidate on the right. Linear in the tree.
//!
//! An item of an ordered list that is missing in one place and in excess in another, with the same value, has moved: its two
//! rows point at each other. So do the two sides of an item that found its partner at another index of an unordered list,
//! which costs nothing.

use objalign_core::{Alignment, MatchKind, MatchRef};
use serde_json::Value;

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Both sides say the same.
    Same,
    /// A leaf that differs, or a container with differences in it.
    Changed,
    /// Only the gold has it.
    Missing,
    /// Only the candidate has it.
    Excess,
    /// Only here on its side, and elsewhere in the same list on the other.
    Moved,
}

impl State {
    /// A stable name, in `snake_case`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::Excess => "excess",
            Self::Moved => "moved",
        }
    }
}

/// One side of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The key or index under which it hangs; empty at the root.
    pub name: String,
    /// The value on one line; of a container that has rows of its own, its brackets.
    pub value: String,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// How deep it is nested.
    pub depth: usize,
    /// The gold's side.
    pub gold: Option<Cell>,
    /// The candidate's.
    pub candidate: Option<Cell>,
    /// What it shows.
    pub state: State,
    /// The score of the pair, in [0, 1].
    pub score: f64,
    /// Where the other half of a moved item stands in the other document: its index.
    pub elsewhere: Option<String>,
}

/// The rows of an alignment, root first.
pub fn rows(alignment: &Alignment<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    add(&mut rows, alignment.root(), 0, None);
    rows
}

fn last(path: Option<String>) -> Option<String> {
    let path = path?;
    let token = path.rsplit_once('/').map_or("", |(_, token)| token);
    Some(token.replace("~1", "/").replace("~0", "~"))
}

fn add(rows: &mut Vec<Row>, node: MatchRef<'_>, depth: usize, moved_to: Option<String>) {
    let children: Vec<MatchRef<'_>> = node.children().collect();
    let open = !children.is_empty();
    let cell = |path: Option<String>, value: Option<Value>| {
        let value = value?;
        let value = match (&value, open) {
            (Value::Array(_), true) => "[ ]".to_owned(),
            (Value::Object(_), true) => "{ }".to_owned(),
            _ => value.to_string(),
        };
        Some(Cell { name: last(path)?, value })
    };
    let gold = cell(node.gold_path(), node.gold_value());
    let candidate = cell(node.candidate_path(), node.candidate_value());
    let state = match node.kind() {
        _ if moved_to.is_some() && (gold.is_none() || candidate.is_none()) => State::Moved,
        MatchKind::Missing => State::Missing,
        MatchKind::Excess => State::Excess,
        _ if node.score() == 1.0 && node.key_similarity().is_none_or(|key| key == 1.0) => State::Same,
        _ => State::Changed,
    };
    rows.push(Row { depth, gold, candidate, state, score: node.score(), elsewhere: moved_to });
    let mut partners = vec![None; children.len()];
    if node.kind() == MatchKind::Sequence {
        pair_moved(&children, &mut partners);
    }
    for (child, partner) in children.into_iter().zip(partners) {
        add(rows, child, depth + 1, partner);
    }
}

/// For each item that has moved, where its other half stands.
fn pair_moved(children: &[MatchRef<'_>], partners: &mut [Option<String>]) {
    for (at, child) in children.iter().enumerate() {
        if child.kind() != MatchKind::Missing {
            continue;
        }
        let value = child.gold_value();
        let other = (0..children.len()).find(|&other| {
            partners[other].is_none()
                && children[other].kind() == MatchKind::Excess
                && children[other].candidate_value() == value
        });
        if let Some(other) = other {
            partners[at] = last(children[other].candidate_path());
            partners[other] = last(child.gold_path());
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use objalign_core::{Aligner, Plan};
    use serde_json::json;

    /// One difference of each kind.
    pub(in crate::diff) fn example() -> Vec<Row> {
        let plan = Plan::compile(&json!({
            "type": "object",
            "properties": {
                "title": {"type": "string", "score": "exact"},
                "agenda": {"type": "array", "order": "fixed", "items": {"type": "string", "score": "exact"}},
                "tags": {"type": "array", "order": "align", "items": {"type": "string", "score": "exact"}},
                "room": {"type": "string"}
            }
        }))
        .expect("a schema");
        let gold = json!({"title": "Q3 <plan>", "agenda": ["a", "b", "c"], "tags": ["x", "y"], "room": "12"});
        let candidate = json!({"title": "Q4", "agenda": ["b", "c", "a"], "tags": ["y", "x", "z"], "note": "hm"});
        let mut aligner = Aligner::new(&plan);
        rows(&aligner.align(&gold, &candidate).expect("a valid gold"))
    }

    #[test]
    fn moved_items_point_at_each_other() {
        let rows = example();
        let moved: Vec<_> = rows.iter().filter(|row| row.state == State::Moved).collect();
        assert_eq!(moved.len(), 2, "{rows:#?}");
        let name = |cell: &Option<Cell>| cell.as_ref().map(|cell| cell.name.clone());
        assert_eq!((name(&moved[0].gold), moved[0].elsewhere.as_deref()), (Some("0".into()), Some("2")));
        assert_eq!((name(&moved[1].candidate), moved[1].elsewhere.as_deref()), (Some("2".into()), Some("0")));
    }

    #[test]
    fn every_part_of_both_documents_has_a_row() {
        let rows = example();
        let states = |state: State| rows.iter().filter(|row| row.state == state).count();
        assert_eq!(rows.iter().filter(|row| row.gold.is_some()).count(), 10);
        assert!(states(State::Excess) >= 1 && states(State::Changed) >= 2 && states(State::Same) >= 4, "{rows:#?}");
    }
}
