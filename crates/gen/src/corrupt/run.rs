//! A recipe over a whole data set: rows in, pairs out, in order, in flat memory.
//!
//! Golds are looked at twice: once for what the schema and the legend leave open (the values that occur, see [`Shape::learn`]), once
//! to corrupt them. Rows are corrupted in parallel, a chunk at a time; what comes out does not depend on the threads.

use super::recipe::{Recipe, Subject};
use super::{Operators, Shape};
use crate::dataset::rows::{Lines, Row};
use rayon::prelude::*;
use serde_json::Value;
use std::io;
use std::sync::Arc;

/// How many golds are in memory at a time, with all their pairs.
const CHUNK: usize = 64;

/// What one gold gave: its pairs as lines, and whether each reached its dose.
type Outcome = Result<Vec<(String, bool)>, String>;

/// What a data set is, to operators: its subject, and the operators that work on it.
pub struct Work {
    /// Graphs or orders.
    pub subject: Subject,
    /// What can be done to them.
    pub operators: Operators,
}

/// A run that could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The schema says neither records and links nor one list of labels.
    #[error("{0}")]
    Schema(String),
    /// Rows cannot be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// Pairs cannot be written.
    #[error("cannot be written: {0}")]
    Write(io::Error),
}

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// The golds that were corrupted.
    pub golds: u64,
    /// The pairs that came out.
    pub pairs: u64,
    /// The pairs among them whose dose could not be reached.
    pub unreached: u64,
    /// The rows that failed.
    pub failed: u64,
}

impl Work {
    /// What can be done to the data of a schema. `golds` are its rows, and are read only where the schema and the legend leave
    /// something open.
    ///
    /// # Errors
    ///
    /// The schema is of no data that operators work on, or the rows cannot be read.
    pub fn of_schema(
        schema: &Value,
        legend: Option<&Value>,
        golds: impl FnOnce() -> io::Result<Lines>,
    ) -> Result<Self, RunError> {
        let no_graph = match Shape::of_schema(schema) {
            Ok(mut shape) => {
                if let Some(legend) = legend {
                    shape.take_legend(legend);
                }
                let mut learning = shape.learning();
                for line in golds().map_err(RunError::Read)? {
                    // Rows that cannot be used are told when their turn comes.
                    if let Ok(row) = Row::parse(&line.map_err(RunError::Read)?) {
                        learning.take(&row.gold);
                    }
                }
                learning.finish(&mut shape);
                return Ok(Self { subject: Subject::Graph, operators: Operators::on_graphs(&Arc::new(shape)) });
            }
            Err(error) => error,
        };
        match labels(schema)[..] {
            [ref at] => Ok(Self { subject: Subject::Order(at.clone()), operators: Operators::on_orders(at) }),
            ref lists => Err(RunError::Schema(format!(
                "{no_graph}; and operators on orders need one list of labels, not {}",
                lists.len()
            ))),
        }
    }
}

/// The lists of strings or integers that are properties of the root.
fn labels(schema: &Value) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let is_label = |items: &Value| matches!(items["type"].as_str(), Some("integer" | "string"));
    properties
        .filter(|(_, property)| property.get("items").is_some_and(is_label))
        .map(|(key, _)| super::table::pointer(key))
        .collect()
}

/// Corrupts every row. Each pair goes to `write` as a line of JSON; a row that fails goes to `fault`, by its number from 1, with
/// what is wrong; the run goes on.
///
/// # Errors
///
/// The rows cannot be read, or the pairs cannot be written.
pub fn run(
    lines: Lines,
    work: &Work,
    recipe: &Recipe,
    mut write: impl FnMut(&str) -> io::Result<()>,
    mut fault: impl FnMut(u64, String),
) -> Result<Totals, RunError> {
    let mut totals = Totals::default();
    let mut lines = lines.enumerate();
    loop {
        let mut chunk = Vec::with_capacity(CHUNK);
        for (at, line) in lines.by_ref().take(CHUNK) {
            let line = line.map_err(RunError::Read)?;
            if !line.trim().is_empty() {
                chunk.push((at as u64, line));
            }
        }
        // Blank lines may fill a chunk.
        if chunk.is_empty() {
            match lines.next() {
                None => return Ok(totals),
                Some((at, line)) => chunk.push((at as u64, line.map_err(RunError::Read)?)),
            }
        }
        let done: Vec<(u64, Outcome)> =
            chunk.into_par_iter().map(|(at, line)| (at, corrupt(&line, at, work, recipe))).collect();
        for (at, outcome) in done {
            match outcome {
                Err(message) => {
                    totals.failed += 1;
                    fault(at + 1, message);
                }
                Ok(pairs) => {
                    totals.golds += 1;
                    for (pair, reached) in pairs {
                        write(&pair).map_err(RunError::Write)?;
                        totals.pairs += 1;
                        totals.unreached += u64::from(!reached);
                    }
                }
            }
        }
    }
}

fn corrupt(line: &str, at: u64, work: &Work, recipe: &Recipe) -> Result<Vec<(String, bool)>, String> {
    if line.trim().is_empty() {
        return Ok(Vec::new());
    }
    let row = Row::parse(line)?;
    let id = if row.id.is_null() { Value::from(at) } else { row.id };
    let pairs = recipe.pairs(&work.operators, &work.subject, (at, &id, &row.gold));
    let pairs = pairs.map_err(|misfit| format!("gold: {misfit}"))?;
    let text = |pair: &super::recipe::Pair<'_>| serde_json::to_string(pair).map_err(|error| error.to_string());
    pairs.iter().map(|pair| Ok((text(pair)?, pair.reached == pair.k))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corrupt::recipe::Sweep;
    use crate::facts2order;
    use crate::org2graph::{Org2Graph, params::Params, schemas};
    use serde_json::json;

    fn lines(rows: &[String]) -> Lines {
        let rows: Vec<String> = rows.to_vec();
        Box::new(rows.into_iter().map(Ok))
    }

    fn collect(rows: &[String], work: &Work, recipe: &Recipe) -> (Vec<Value>, Vec<(u64, String)>, Totals) {
        let (mut pairs, mut faults) = (Vec::new(), Vec::new());
        let write = |pair: &str| {
            pairs.push(serde_json::from_str(pair).expect("JSON"));
            Ok(())
        };
        let totals = run(lines(rows), work, recipe, write, |row, message| faults.push((row, message)));
        (pairs, faults, totals.expect("a run"))
    }

    #[test]
    fn graphs_are_corrupted_as_the_recipe_says() {
        let generator = Org2Graph::new(Params::CN).expect("parameters");
        let mut rows: Vec<String> = (0..70)
            .map(|index| json!({"id": format!("g{index}"), "gold": generator.instance(1, index).graph}).to_string())
            .collect();
        rows[1] = "{\"id\": 1}".into();
        rows[2] = json!({"id": 2, "gold": {"people": 3}}).to_string();
        rows.insert(3, String::new());
        let legend = json!({"books": generator.legend().books()});
        let work = Work::of_schema(&schemas::ra(), Some(&legend), || Ok(lines(&rows))).expect("a graph");
        let recipe = Recipe {
            seed: 5,
            op: vec![
                Sweep::new("categorical_relabel", 0..=2).relabelled(),
                Sweep { copies: 2, shuffle: true, ..Sweep::new("edge_deletion", [40]) },
                Sweep { keep_unreached: false, ..Sweep::new("edge_deletion", [400]) },
            ],
        };
        recipe.check(&work.operators).expect("a recipe");
        let (pairs, faults, totals) = collect(&rows, &work, &recipe);
        let told = [(2, "missing field `gold` at line 1 column 9"), (3, "gold: /people: a list should be here")];
        assert_eq!(faults, told.map(|(row, message)| (row, message.to_owned())));
        assert_eq!((totals.failed, totals.pairs, pairs.len()), (2, 68 * 5, 68 * 5));
        assert_eq!(pairs[1]["id"], "g0/categorical_relabel/1/relabelled");
        assert_eq!(pairs[4]["id"], "g0/edge_deletion/40/shuffled/1");
        let pair = &pairs[1];
        assert_eq!(pair["edits"].as_array().map(Vec::len), Some(2), "the renaming and one relabel");
        let edits: Vec<super::super::Edit> = serde_json::from_value(pair["edits"].clone()).expect("edits");
        assert_eq!(super::super::replay(&pair["gold"], &edits).expect("its own edits"), pair["pred"]);
        assert!(pair.get("family").is_none() && pair["relabel"] == true && pair["k"] == 1);
    }

    #[test]
    fn one_sweep_does_not_move_another() {
        let generator = Org2Graph::new(Params::PN).expect("parameters");
        let work = Work { subject: Subject::Graph, operators: Operators::on_graphs(&Arc::new(generator.shape())) };
        let (id, gold) = (json!("g"), generator.instance(1, 0).graph.to_value());
        let pairs = |op| {
            let recipe = Recipe { seed: 0, op };
            recipe.pairs(&work.operators, &work.subject, (0, &id, &gold)).expect("pairs")
        };
        let alone = pairs(vec![Sweep::new("edge_insertion", [3])]);
        let among = pairs(vec![Sweep::new("record_deletion", 0..9), Sweep::new("edge_insertion", [1, 3])]);
        assert_eq!(alone[0], among[10]);
    }

    #[test]
    fn orders_have_a_distance() {
        let work = Work::of_schema(&facts2order::schemas::sequence(), None, || Ok(lines(&[]))).expect("an order");
        assert_eq!(work.subject, Subject::Order("/indices".into()));
        let rows = [json!({"gold": {"indices": [3, 1, 2]}}).to_string()];
        let sweep = |name: &str| Sweep { below_length: true, ..Sweep::new(name, 1..9) };
        let recipe = Recipe { seed: 0, op: vec![sweep("adjacent_transposition"), sweep("label_deletion")] };
        let (pairs, _, totals) = collect(&rows, &work, &recipe);
        assert_eq!(totals, Totals { golds: 1, pairs: 4, unreached: 0, failed: 0 });
        let of = |at: usize| (pairs[at]["family"].as_str(), pairs[at]["kendall_distance"].as_u64());
        assert_eq!(
            [of(0), of(1)],
            [(Some("adjacent_transposition"), Some(1)), (Some("adjacent_transposition"), Some(2))]
        );
        assert_eq!(of(2), (Some("label_deletion"), None));
    }

    #[test]
    fn recipes_are_checked_against_the_data() {
        let work = Work::of_schema(&facts2order::schemas::set(), None, || Ok(lines(&[]))).expect("an order");
        let refused = |op| Recipe { seed: 0, op }.check(&work.operators).expect_err("refused").to_string();
        assert_eq!(
            refused(vec![Sweep::new("edge_deletion", [1])]),
            "`op[0].name`: no operator \"edge_deletion\" for this data; allowed: adjacent_transposition, block_reversal, \
             block_move, label_deletion, label_insertion"
        );
        assert_eq!(
            refused(vec![Sweep::new("block_move", [])]),
            "`op[0].doses`: allowed: one or more, each from 0 to 10000"
        );
        assert_eq!(
            refused(vec![Sweep::new("block_move", [1]).relabelled()]),
            "`op[0].relabel`: there are no identifiers in this data; allowed: false"
        );
        assert_eq!(refused(vec![]), "`op`: no operators; allowed: one [[op]] or more");
        let error = Work::of_schema(&json!({"type": "object", "properties": {}}), None, || Ok(lines(&[])));
        let told = error.err().expect("no data").to_string();
        assert!(told.ends_with("and operators on orders need one list of labels, not 0"), "{told}");
    }
}
