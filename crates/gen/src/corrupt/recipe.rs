//! Which operators at which doses: a recipe, and the pairs that it makes of a gold.
//!
//! Each pair draws from streams of its own, by (recipe seed, gold's index, operator, dose, copy): a pair stays as it is whatever else
//! the recipe asks for.

use super::{Misfit, Operators, Outcome, kendall};
use crate::bounds::ParamsError;
use crate::corrupt::Edit;
use crate::streams::stream;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// What is done to every gold of a data set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The seed.
    #[serde(default)]
    pub seed: u64,
    /// The operators, each with its doses.
    pub op: Vec<Sweep>,
}

/// One operator at some doses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a configuration file, each by its name")]
pub struct Sweep {
    /// The operator.
    pub name: String,
    /// The doses. 0 is a copy.
    pub doses: Vec<u32>,
    /// Where the gold is an order: leaves out doses that are as great as the number of labels, or greater (the paper's k = 1..N-1).
    #[serde(default)]
    pub below_length: bool,
    /// Whether all identifiers are renamed first (the paper's edits on a relabelled copy).
    #[serde(default)]
    pub relabel: bool,
    /// Whether all lists are put in another order first.
    #[serde(default)]
    pub shuffle: bool,
    /// How many candidates there are of each dose.
    #[serde(default = "one")]
    pub copies: u32,
    /// Whether a dose that could not be reached gives a pair all the same.
    #[serde(default = "yes")]
    pub keep_unreached: bool,
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}

impl Sweep {
    /// One candidate at each dose, on the gold as it is.
    pub fn new(name: impl Into<String>, doses: impl IntoIterator<Item = u32>) -> Self {
        Self {
            name: name.into(),
            doses: doses.into_iter().collect(),
            below_length: false,
            relabel: false,
            shuffle: false,
            copies: 1,
            keep_unreached: true,
        }
    }

    /// The same on relabelled copies.
    #[must_use]
    pub fn relabelled(self) -> Self {
        Self { relabel: true, ..self }
    }
}

/// A gold, and a candidate made of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair<'g> {
    /// `GOLD/OPERATOR/DOSE`, with a mark for a relabelled and a shuffled copy and the copy's number where there are several.
    pub id: String,
    /// The id of the gold.
    pub gold_id: &'g Value,
    /// The gold.
    pub gold: &'g Value,
    /// The candidate.
    pub pred: Value,
    /// The operator.
    pub op: String,
    /// The dose that was asked for.
    pub k: u32,
    /// The dose that was reached.
    pub reached: u32,
    /// Whether all identifiers were renamed first.
    pub relabel: bool,
    /// Whether all lists were shuffled first.
    pub shuffle: bool,
    /// Of an order: the operator once more, as tables of orders call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Of an order: how far it is from the gold; null where labels are missing or doubled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kendall_distance: Option<Option<u64>>,
    /// What was done to the gold: the renaming and the shuffle first, then an entry for each application.
    pub edits: Vec<Edit>,
}

/// What the golds are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Records and links.
    Graph,
    /// A list of labels, at a JSON Pointer.
    Order(String),
}

impl Recipe {
    /// Checks the recipe against the operators there are.
    ///
    /// # Errors
    ///
    /// An operator is unknown, or a sweep asks for nothing, or for what its operators cannot do: the error names the key.
    pub fn check(&self, operators: &Operators) -> Result<(), ParamsError> {
        if self.op.is_empty() {
            return Err(ParamsError::new("op", "no operators; allowed: one [[op]] or more"));
        }
        for (at, sweep) in self.op.iter().enumerate() {
            let key = |field: &str| format!("op[{at}].{field}");
            if operators.get(&sweep.name).is_none() {
                let told = format!("no operator \"{}\" for this data; allowed: {}", sweep.name, operators.names());
                return Err(ParamsError::new(&key("name"), told));
            }
            if sweep.doses.is_empty() || sweep.doses.iter().any(|&dose| dose > MOST) {
                return Err(ParamsError::new(
                    &key("doses"),
                    format_args!("allowed: one or more, each from 0 to {MOST}"),
                ));
            }
            if sweep.copies == 0 || sweep.copies > MOST {
                return Err(ParamsError::new(&key("copies"), format_args!("{}; allowed: 1 to {MOST}", sweep.copies)));
            }
            for (field, wanted, needed) in
                [("relabel", sweep.relabel, "identifier_relabel"), ("shuffle", sweep.shuffle, "record_shuffle")]
            {
                if wanted && operators.get(needed).is_none() {
                    return Err(ParamsError::new(&key(field), "there are no identifiers in this data; allowed: false"));
                }
            }
        }
        Ok(())
    }

    /// The pairs of one gold, in the order of the recipe.
    ///
    /// # Errors
    ///
    /// The gold is not of the form that the operators work on. The recipe is one that [`Self::check`] passes.
    pub fn pairs<'g>(
        &self,
        operators: &Operators,
        subject: &Subject,
        (index, gold_id, gold): (u64, &'g Value, &'g Value),
    ) -> Result<Vec<Pair<'g>>, Misfit> {
        let labels = |document: &Value| match subject {
            Subject::Order(at) => document.pointer(at).and_then(Value::as_array).cloned(),
            Subject::Graph => None,
        };
        let of_gold = labels(gold);
        let mut pairs = Vec::new();
        for sweep in &self.op {
            for &dose in &sweep.doses {
                if sweep.below_length && of_gold.as_ref().is_some_and(|labels| dose as usize >= labels.len()) {
                    continue;
                }
                for copy in 0..sweep.copies {
                    let Some(Made { id, outcome, before }) =
                        self.make(operators, sweep, (dose, copy), (index, gold_id, gold))?
                    else {
                        continue;
                    };
                    let reached = outcome.reached();
                    if reached < dose && !sweep.keep_unreached {
                        continue;
                    }
                    let family = matches!(subject, Subject::Order(_)).then(|| sweep.name.clone());
                    let kendall_distance = of_gold.as_ref().map(|gold| {
                        labels(&outcome.candidate).and_then(|candidate| kendall::distance(gold, &candidate))
                    });
                    let mut edits = before;
                    edits.extend(outcome.edits);
                    pairs.push(Pair {
                        id,
                        gold_id,
                        gold,
                        pred: outcome.candidate,
                        op: sweep.name.clone(),
                        k: dose,
                        reached,
                        relabel: sweep.relabel,
                        shuffle: sweep.shuffle,
                        family,
                        kendall_distance,
                        edits,
                    });
                }
            }
        }
        Ok(pairs)
    }

    fn make(
        &self,
        operators: &Operators,
        sweep: &Sweep,
        (dose, copy): (u32, u32),
        (index, gold_id, gold): (u64, &Value, &Value),
    ) -> Result<Option<Made>, Misfit> {
        let Some(operator) = operators.get(&sweep.name) else { return Ok(None) };
        let name = &sweep.name;
        let of = |what: &str| stream(self.seed, index, &format!("corrupt/{name}/{dose}/{copy}/{what}"));
        let (mut document, mut before) = (Cow::Borrowed(gold), Vec::new());
        for (wanted, first) in [(sweep.relabel, "identifier_relabel"), (sweep.shuffle, "record_shuffle")] {
            if let Some(first) = operators.get(first).filter(|_| wanted) {
                let outcome = first.apply(&document, 1, &mut of(first.name()))?;
                before.extend(outcome.edits);
                document = Cow::Owned(outcome.candidate);
            }
        }
        let outcome = operator.apply(&document, dose, &mut of("edit"))?;
        let gold_id = gold_id.as_str().map_or_else(|| gold_id.to_string(), str::to_owned);
        let marks = format!(
            "{}{}{}",
            if sweep.relabel { "/relabelled" } else { "" },
            if sweep.shuffle { "/shuffled" } else { "" },
            if sweep.copies > 1 { format!("/{copy}") } else { String::new() }
        );
        Ok(Some(Made { id: format!("{gold_id}/{name}/{dose}{marks}"), outcome, before }))
    }
}

struct Made {
    id: String,
    outcome: Outcome,
    before: Vec<Edit>,
}

/// The greatest dose, and the greatest number of copies.
const MOST: u32 = 10_000;
