//! Lists in any order: the best assignment, without scoring the pairs that cannot be in it.
//!
//! Most of n × m pairs are far from alike, and a [bound](super::bound) shows it. So the assignment is solved over bounds; the
//! pairs it chose are scored; and again, until it chooses scored pairs only. No assignment can then be better: none is worth
//! more than its bounds, and the chosen one is worth exactly them. The value is that of the full matrix, to the last unit.
//!
//! **Cost.** n m coarse bounds; about n scores where items have a clear partner; n m fine bounds where coarse ones leave
//! too much open; all n m scores, and a fixed number of assignments beside, where the bounds tell nothing.

use super::engine::Engine;
use super::sequence::Lists;
use crate::assignment::Total;
use crate::fixed::quantise;
use crate::schema::plan::PlanId;

/// After so many rounds whatever is not known yet is scored.
const ROUNDS: usize = 8;

/// Similarities of two lists in row order, some of them only bounds.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    units: Vec<i64>,
    /// Whether the entry is but a bound.
    open: Vec<bool>,
    any_open: bool,
    /// The open entries of the last assignment.
    chosen: Vec<usize>,
}

impl Engine<'_> {
    pub(super) fn match_in_any_order(
        &mut self,
        items: PlanId,
        lists: Lists,
        mut pairs: Option<&mut Vec<(u32, u32)>>,
    ) -> Total {
        if self.node(items).reflexive
            && lists.n == lists.m
            && let Some(total) = self.match_equal(lists, pairs.as_deref_mut())
        {
            return total;
        }
        let mut matrix = self.work.open_matrices.pop().unwrap_or_default();
        self.fill_bounds(&mut matrix, items, lists);
        let solved = matrix.any_open.then(|| self.settle(&mut matrix, items, lists)).flatten();
        let total = if let Some(pairs) = pairs {
            let total = solved.unwrap_or_else(|| self.work.optimal.solve(&matrix.units, lists.n, lists.m).1);
            let matched = self.work.optimal.last();
            pairs.extend(matched.iter().enumerate().filter_map(|(i, column)| column.map(|column| (i as u32, column))));
            total
        } else {
            solved.unwrap_or_else(|| self.work.optimal.value(&matrix.units, lists.n, lists.m))
        };
        self.work.open_matrices.push(matrix);
        total
    }

    /// Two lists of the same items, each as often: every item with its equal, which no matching can beat.
    fn match_equal(&mut self, lists: Lists, pairs: Option<&mut Vec<(u32, u32)>>) -> Option<Total> {
        let arena = &self.work.arena;
        let class = |list, index: u32| arena.class(arena.child(list, lists.skip + index as usize));
        let in_place = (0..lists.n as u32).all(|index| class(lists.gold, index) == class(lists.candidate, index));
        if in_place {
            if let Some(pairs) = pairs {
                pairs.extend((0..lists.n as u32).map(|index| (index, index)));
            }
            return Some(Total::of_equals(lists.n));
        }
        // The same items have the same sum of classes: most lists that differ are told apart by that.
        let sum = |list| (0..lists.n as u32).map(|index| u64::from(class(list, index).0)).sum::<u64>();
        if sum(lists.gold) != sum(lists.candidate) {
            return None;
        }
        let mut gold = self.work.indices.pop().unwrap_or_default();
        let mut candidate = self.work.indices.pop().unwrap_or_default();
        for (order, list) in [(&mut gold, lists.gold), (&mut candidate, lists.candidate)] {
            order.clear();
            order.extend(0..lists.n as u32);
            order.sort_unstable_by_key(|&index| (class(list, index), index));
        }
        let equal = gold.iter().zip(&candidate).all(|(&i, &j)| class(lists.gold, i) == class(lists.candidate, j));
        let total = equal.then(|| {
            if let Some(pairs) = pairs {
                pairs.extend(gold.iter().copied().zip(candidate.iter().copied()));
                pairs.sort_unstable();
            }
            Total::of_equals(lists.n)
        });
        self.work.indices.push(gold);
        self.work.indices.push(candidate);
        total
    }

    fn fill_bounds(&mut self, matrix: &mut Matrix, items: PlanId, lists: Lists) {
        matrix.units.clear();
        matrix.open.clear();
        matrix.any_open = false;
        matrix.units.reserve(lists.n * lists.m);
        matrix.open.reserve(lists.n * lists.m);
        for i in 0..lists.n {
            let gold = lists.gold_item(self, i);
            let candidates = self.work.arena.children(lists.candidate).skip(lists.skip).take(lists.m);
            self.coarse_bounds(items, gold, candidates, |bound| {
                matrix.units.push(bound.units());
                matrix.open.push(!bound.exact);
                matrix.any_open |= !bound.exact;
            });
        }
    }

    /// Scores open entries until the best assignment has none; its value, if that was the last thing solved for.
    fn settle(&mut self, matrix: &mut Matrix, items: PlanId, lists: Lists) -> Option<Total> {
        let mut solved = None;
        let rows = self.first_equal(lists.gold, lists.skip, lists.n);
        let columns = self.first_equal(lists.candidate, lists.skip, lists.m);
        let mut chosen = std::mem::take(&mut matrix.chosen);
        for round in 0..ROUNDS {
            chosen.clear();
            let (matched, total) = self.work.optimal.solve(&matrix.units, lists.n, lists.m);
            let places = matched.iter().enumerate().filter_map(|(i, j)| Some(i * lists.m + (*j)? as usize));
            chosen.extend(places.filter(|&at| matrix.open[at]));
            if chosen.is_empty() {
                solved = Some(total);
                break;
            }
            if round == 1 && chosen.len() > lists.n.min(lists.m) / 4 {
                self.refine(matrix, items, lists);
                continue;
            }
            for &at in &chosen {
                self.settle_entry(matrix, items, lists, (&rows, &columns), at);
            }
        }
        if !chosen.is_empty() {
            for at in 0..matrix.units.len() {
                if matrix.open[at] {
                    self.settle_entry(matrix, items, lists, (&rows, &columns), at);
                }
            }
        }
        matrix.chosen = chosen;
        self.work.indices.push(rows);
        self.work.indices.push(columns);
        solved
    }

    /// Fine bounds for what is open.
    fn refine(&mut self, matrix: &mut Matrix, items: PlanId, lists: Lists) {
        for at in 0..matrix.units.len() {
            if matrix.open[at] {
                let (gold, candidate) = (lists.gold_item(self, at / lists.m), lists.candidate_item(self, at % lists.m));
                let bound = self.bound(items, gold, candidate);
                matrix.units[at] = matrix.units[at].min(bound.units());
                matrix.open[at] = !bound.exact;
            }
        }
    }

    /// Scores one entry, or copies what equal items scored.
    fn settle_entry(
        &mut self,
        matrix: &mut Matrix,
        items: PlanId,
        lists: Lists,
        (rows, columns): (&[u32], &[u32]),
        at: usize,
    ) {
        let (i, j) = (at / lists.m, at % lists.m);
        let twin = rows[i] as usize * lists.m + columns[j] as usize;
        if matrix.open[twin] {
            let (gold, candidate) = (lists.gold_item(self, i), lists.candidate_item(self, j));
            matrix.units[twin] = quantise(self.score(items, gold, candidate));
            matrix.open[twin] = false;
        }
        matrix.units[at] = matrix.units[twin];
        matrix.open[at] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::Workspace;
    use super::super::resolve::Structure;
    use super::*;
    use crate::schema::plan::Plan;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn plan() -> Plan {
        Plan::compile(&json!({
            "type": "array",
            "order": "align",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "score": "jaro_winkler"},
                    "city": {"type": "string", "score": "levenshtein", "threshold": 0.4, "valueWeight": 2},
                    "code": {"type": "string", "score": "exact", "valueWeight": 0.5},
                    "amount": {"type": ["number", "null"], "nullScore": 0.25},
                    "size": {"type": "number", "threshold": 0.3},
                    "tags": {"type": "array", "order": "align", "items": {"type": "string"}},
                    "free": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "string"}}}]}
                }
            }
        }))
        .expect("a schema")
    }

    fn item() -> impl Strategy<Value = Value> {
        let text = || "[abé]{0,4}".prop_map(Value::from);
        let field = prop_oneof![
            text().prop_map(|text| ("name", text)),
            text().prop_map(|text| ("city", text)),
            text().prop_map(|text| ("code", text)),
            (0..4).prop_map(|amount| ("amount", if amount == 0 { Value::Null } else { json!(amount) })),
            (0..9).prop_map(|half| ("size", json!(f64::from(half) / 2.0))),
            proptest::collection::vec(text(), 0..3).prop_map(|tags| ("tags", Value::from(tags))),
            text().prop_map(|text| ("free", json!({"a": text}))),
            text().prop_map(|text| ("free", text)),
            text().prop_map(|text| ("frei", text)),
        ];
        proptest::collection::vec(field, 0..7).prop_map(|fields| {
            fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<serde_json::Map<_, _>>().into()
        })
    }

    proptest! {
        #[test]
        fn what_was_not_scored_could_not_matter(
            gold in proptest::collection::vec(item(), 0..9),
            candidate in proptest::collection::vec(item(), 0..9),
        ) {
            let plan = plan();
            let mut work = Workspace::default();
            for key in &plan.keys {
                work.arena.intern(key);
            }
            let gold = work.arena.load(&Value::from(gold)).expect("small");
            let candidate = work.arena.load(&Value::from(candidate)).expect("small");
            let mut engine =
                Engine { plan: &plan, confidence: None, structure: Structure::None, budget: 0, work: &mut work };
            let items = engine.node(plan.root).array.items.expect("a list");
            let lists = Lists::tail(&engine, gold, candidate, 0);
            let full = engine.pair_scores(items, lists);
            for (at, &units) in full.iter().enumerate() {
                let (gold, candidate) = (lists.gold_item(&engine, at / lists.m), lists.candidate_item(&engine, at % lists.m));
                let mut coarse = None;
                engine.coarse_bounds(items, gold, std::iter::once(candidate), |bound| coarse = Some(bound));
                for bound in [engine.bound(items, gold, candidate), coarse.expect("one each")] {
                    prop_assert!(bound.units() >= units);
                    prop_assert!(!bound.exact || bound.units() == units);
                }
            }
            let expected = engine.work.optimal.value(&full, lists.n, lists.m);
            prop_assert_eq!(engine.match_in_any_order(items, lists, None), expected);
            let mut pairs = Vec::new();
            prop_assert_eq!(engine.match_in_any_order(items, lists, Some(&mut pairs)), expected);
            let chosen = pairs.iter().map(|&(i, j)| full[i as usize * lists.m + j as usize]);
            prop_assert_eq!(chosen.fold(Total::default(), Total::with), expected);
        }
    }
}
