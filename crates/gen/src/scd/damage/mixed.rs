//! Damage of several kinds at once, that does not meet: what one operator touches the others leave alone, so the closed forms add up.
//!
//! Operators are applied to the reference one by one, and of each later one only those edits are kept that touch nothing, nor anything
//! around or within, of what was touched before. A rotation is kept whole or not at all: a part of it would lose a value.
//! Quadratic in the number of edits.

use super::{ClosedForm, Damage};
use crate::corrupt::change::{Change, Edit, replay};
use crate::corrupt::{Misfit, Outcome};
use rand::Rng;
use serde_json::Value;

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixed {
    /// The damaged copy, and every edit.
    pub outcome: Outcome,
    /// What the measures must count.
    pub form: ClosedForm,
}

/// Applies `(operator, dose)` one after the other to the reference of a task. A dose may be reached in part only; one of 0 draws nothing.
///
/// # Errors
///
/// There is no such operator for the task, or `gold` is not its reference.
pub fn mix(damage: &Damage, gold: &Value, parts: &[(&str, u32)], random: &mut dyn Rng) -> Result<Mixed, Misfit> {
    let operators = damage.operators();
    let perfect = damage.perfect();
    let mut form = perfect;
    let mut kept: Vec<Edit> = Vec::new();
    for &(name, dose) in parts.iter().filter(|(_, dose)| *dose > 0) {
        let operator = operators.get(name).ok_or_else(|| {
            Misfit::new("", format!("no operator {name:?} on this task; there are {}", operators.names()))
        })?;
        let edits = operator.apply(gold, dose, random)?.edits;
        let is_free = |edit: &Edit| !kept.iter().any(|other| meet(edit, other));
        let edits: Vec<Edit> = if name == super::json::ROTATION {
            if edits.iter().all(is_free) { edits } else { Vec::new() }
        } else {
            edits.into_iter().filter(is_free).collect()
        };
        let alone = damage.closed_form(name, &edits)?;
        form.placed -= perfect.placed - alone.placed;
        form.present -= perfect.present - alone.present;
        form.required_found -= perfect.required_found - alone.required_found;
        kept.extend(edits);
    }
    Ok(Mixed { outcome: Outcome { candidate: replay(gold, &kept)?, edits: kept }, form })
}

/// Whether two edits touch one place, or one a place within the other's.
fn meet(one: &Edit, other: &Edit) -> bool {
    places(one).any(|place| places(other).any(|other| is_within(place, other) || is_within(other, place)))
}

fn places(edit: &Edit) -> impl Iterator<Item = &str> {
    edit.changes.iter().flat_map(|change| match change {
        Change::Replaced { at, .. }
        | Change::Removed { at, .. }
        | Change::Inserted { at, .. }
        | Change::Dropped { at, .. }
        | Change::Added { at, .. }
        | Change::Reordered { at, .. } => std::slice::from_ref(at).iter().map(String::as_str),
        Change::Renamed { at, .. } => at.iter().map(String::as_str),
    })
}

fn is_within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scd::check::Compiled;
    use crate::scd::json::{ScdJson, params::Params as JsonParams};
    use crate::scd::sets::TaskSource;
    use crate::scd::table::{Tables, params::Params as TableParams};
    use crate::streams::stream;

    #[test]
    fn what_does_not_meet_adds_up() {
        let trees = ScdJson::new(JsonParams::published()).expect("parameters");
        let tables = Tables::new(TableParams::published()).expect("parameters");
        let of_trees =
            ["cousin_rotation", "sibling_swap", "value_replacement", "subtree_drop", "leaf_drop", "undeclared_paths"];
        let of_tables = ["row_swap", "cell_move", "value_replacement", "wrong_row_unlike", "cell_count", "target_drop"];
        let mut several = 0;
        for (source, names) in [(&trees as &dyn TaskSource, of_trees), (&tables, of_tables)] {
            for level in 0..3 {
                for index in 0..6 {
                    let row = source.task(0, level, index);
                    let gold: Value = serde_json::from_str(&row.reference).expect("JSON");
                    let (compiled, damage) = (Compiled::new(&row).expect("a task"), Damage::of(&row).expect("a task"));
                    for dose in 0..4 {
                        let mut random = stream(3, index, "test/mixed");
                        let parts = names.map(|name| (name, dose));
                        let mixed = mix(&damage, &gold, &parts, &mut random).expect("a mixture");
                        let measures = compiled.measure(&mixed.outcome.candidate.to_string());
                        assert!(mixed.form.agrees(&measures), "{}: {:?} {measures:?}", row.id, mixed.form);
                        assert_eq!(dose == 0, mixed.outcome.edits.is_empty());
                        several += usize::from(mixed.outcome.edits.len() > 2 * dose as usize && dose > 0);
                    }
                }
            }
        }
        assert!(several > 70, "{several} mixtures of several kinds");
    }
}
