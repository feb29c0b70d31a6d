//! What gives a score: a schema, or one of the two measures of order that need none.
//!
//! - `exact`: 1 if the candidate's list is the gold's, else 0 (the perfect-match ratio of sentence ordering).
//! - `tau`: Kendall's tau of the candidate's order against the gold's, from -1 to 1; 0 where the candidate is no permutation of
//!   the gold.
//!
//! The list is the document itself, or the one list in it.

use crate::statistics::kendall::sort_counting;
use objalign_core::{Aligner, Options, Plan};
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The name of exact match.
pub const EXACT: &str = "exact";
/// The name of Kendall's tau.
pub const TAU: &str = "tau";

/// Names that the tables and summaries of the probes use for other things.
const TAKEN: [&str; 13] = [
    "id",
    "gold_id",
    "op",
    "k",
    "relabel",
    "family",
    "kendall_distance",
    "error",
    "isomorphic_edits",
    "edits",
    "difference",
    "without_relabel",
    TAU,
];

/// Whether a scorer may be called so: letters, digits, `_` and `-`, and no name that stands for something else.
pub fn is_allowed(name: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    !name.is_empty() && name.chars().all(plain) && !TAKEN.contains(&name) && name != EXACT
}

/// The scorers of a probe, by name.
#[derive(Debug, Default)]
pub struct Scorers {
    scorers: Vec<(String, Scorer)>,
}

#[derive(Debug)]
enum Scorer {
    Schema(Box<Plan>, Options),
    Exact,
    Tau,
}

impl Scorers {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more, or another of the same name.
    #[must_use]
    pub fn with_schema(self, name: &str, plan: Plan, options: Options) -> Self {
        self.with(name, Scorer::Schema(Box::new(plan), options))
    }

    /// Those that every probe of order has.
    #[must_use]
    pub fn with_order_measures(self) -> Self {
        self.with(EXACT, Scorer::Exact).with(TAU, Scorer::Tau)
    }

    fn with(mut self, name: &str, scorer: Scorer) -> Self {
        match self.scorers.iter_mut().find(|(other, _)| other == name) {
            Some(old) => old.1 = scorer,
            None => self.scorers.push((name.to_owned(), scorer)),
        }
        self
    }

    /// Their names, in order.
    pub fn names(&self) -> Vec<String> {
        self.scorers.iter().map(|(name, _)| name.clone()).collect()
    }

    /// What one thread scores with.
    pub(super) fn bench(&self) -> Bench<'_> {
        let seats = self.scorers.iter().map(|(name, scorer)| Seat {
            name,
            scorer,
            aligner: match scorer {
                Scorer::Schema(plan, options) => Some(Aligner::with_options(plan, *options)),
                Scorer::Exact | Scorer::Tau => None,
            },
            gold: None,
        });
        Bench { seats: seats.collect(), gold: Gold::default() }
    }
}

/// The scorers with their memories.
pub(super) struct Bench<'p> {
    seats: Vec<Seat<'p>>,
    gold: Gold,
}

/// The gold that was read last.
#[derive(Default)]
pub(super) struct Gold {
    text: String,
    pub(super) value: Value,
    /// How many were read before it.
    number: u64,
}

struct Seat<'p> {
    name: &'p str,
    scorer: &'p Scorer,
    aligner: Option<Aligner<'p>>,
    /// The number of the gold that the aligner has taken.
    gold: Option<u64>,
}

impl Bench<'_> {
    /// Scores against a gold that is still a text; it is read if it is not the one that was read last.
    ///
    /// # Errors
    ///
    /// The text is no JSON.
    pub(super) fn against<T>(
        &mut self,
        text: &str,
        run: impl FnOnce(&mut Self, &Gold) -> T,
    ) -> Result<T, serde_json::Error> {
        if self.gold.text != text {
            let value = serde_json::from_str(text)?;
            self.gold = Gold { text: text.to_owned(), value, number: self.gold.number + 1 };
        }
        let gold = std::mem::take(&mut self.gold);
        let result = run(self, &gold);
        self.gold = gold;
        Ok(result)
    }

    /// A score by each scorer, or the first reason why there is none.
    pub(super) fn score(&mut self, gold: &Gold, pred: &Value) -> Result<Vec<f64>, String> {
        self.seats
            .iter_mut()
            .map(|seat| seat.score(gold, pred).map_err(|why| format!("{}: {why}", seat.name)))
            .collect()
    }
}

impl Seat<'_> {
    fn score(&mut self, gold: &Gold, pred: &Value) -> Result<f64, String> {
        match self.scorer {
            Scorer::Exact => Ok(f64::from(u8::from(Some(labels(&gold.value)?) == labels(pred).ok()))),
            Scorer::Tau => Ok(tau(&labels(&gold.value)?, labels(pred).ok().as_deref())),
            Scorer::Schema(plan, options) => {
                let aligner = self.aligner.get_or_insert_with(|| Aligner::with_options(plan, *options));
                let taken = self.gold.replace(gold.number) == Some(gold.number);
                let scored = catch_unwind(AssertUnwindSafe(|| {
                    let mut gold = match aligner.last_gold().filter(|_| taken) {
                        Some(gold) => gold,
                        None => aligner.gold(&gold.value)?,
                    };
                    gold.score(pred).map(|score| score.score())
                }));
                scored.map_or_else(
                    |_| {
                        // After a panic its memory is not to be trusted.
                        self.aligner = None;
                        Err("the scorer failed on this pair; this is a fault of the program, please report the row"
                            .into())
                    },
                    |score| score.map_err(|error| error.to_string()),
                )
            }
        }
    }
}

/// The labels of a list, as texts.
pub(super) fn labels(document: &Value) -> Result<Vec<String>, String> {
    let list = match document {
        Value::Array(items) => Some(items),
        Value::Object(members) => {
            let mut lists = members.values().filter_map(Value::as_array);
            lists.next().filter(|_| lists.next().is_none())
        }
        _ => None,
    };
    let list = list.ok_or("a list of labels is wanted, or an object with one list in it")?;
    Ok(list.iter().map(ToString::to_string).collect())
}

/// Kendall's tau of an order against the gold's; 0 where it is no permutation of it.
fn tau(gold: &[String], pred: Option<&[String]>) -> f64 {
    let Some(distance) = pred.and_then(|pred| kendall_distance(gold, pred)) else {
        return 0.0;
    };
    let n = gold.len() as u64;
    let pairs = n * n.saturating_sub(1) / 2;
    // A list of one label has one order.
    if pairs == 0 { 1.0 } else { 1.0 - 2.0 * distance as f64 / pairs as f64 }
}

/// How many pairs of labels stand in the other order; none where one list is no permutation of the other. Labels that
/// occur twice are paired in order.
pub(super) fn kendall_distance(gold: &[String], pred: &[String]) -> Option<u64> {
    if gold.len() != pred.len() {
        return None;
    }
    let mut places: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (at, label) in gold.iter().enumerate().rev() {
        places.entry(label).or_default().push(at as u32);
    }
    let mut order: Vec<u32> = pred.iter().map(|label| places.get_mut(label.as_str())?.pop()).collect::<Option<_>>()?;
    Some(sort_counting(&mut order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn scores(gold: &Value, pred: &Value) -> Result<Vec<f64>, String> {
        let gold = Gold { value: gold.clone(), ..Gold::default() };
        Scorers::new().with_order_measures().bench().score(&gold, pred)
    }

    #[test]
    fn order_measures_read_the_list() {
        assert_eq!(scores(&json!([1, 2, 3]), &json!([1, 2, 3])), Ok(vec![1.0, 1.0]));
        assert_eq!(scores(&json!({"indices": [1, 2, 3]}), &json!({"indices": [3, 2, 1]})), Ok(vec![0.0, -1.0]));
        assert_eq!(scores(&json!([4, 5, 6, 7]), &json!([4, 5, 7, 6])), Ok(vec![0.0, 1.0 - 2.0 / 6.0]));
        assert_eq!(scores(&json!(["a"]), &json!(["a"])), Ok(vec![1.0, 1.0]));
        // No permutations: one short, one doubled, one foreign, no list at all.
        for pred in [json!([1, 2]), json!([1, 2, 2]), json!([1, 2, 9]), json!([1, 2, 3, 3]), json!("x"), json!({})] {
            assert_eq!(scores(&json!([1, 2, 3]), &pred), Ok(vec![0.0, 0.0]), "{pred}");
        }
        let error = scores(&json!({"a": [], "b": []}), &json!([])).expect_err("two lists");
        assert_eq!(error, "exact: a list of labels is wanted, or an object with one list in it");
    }

    #[test]
    fn a_name_is_taken_once() {
        let plan = || Plan::compile(&json!({"type": "array", "items": {}})).expect("a schema");
        let scorers = Scorers::new().with_order_measures().with_schema("exact", plan(), Options::new());
        assert_eq!(scorers.names(), ["exact", "tau"]);
        let gold = Gold { value: json!([1, 2]), ..Gold::default() };
        assert_eq!(scorers.bench().score(&gold, &json!([1])), Ok(vec![0.5, 0.0]));
    }
}
