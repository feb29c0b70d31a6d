//! Trees of objects in which values have to be put at paths (*Where vs What*, section 4, "JSON Domain", and appendix A.1).
//!
//! A task shows a schema of nested objects and a list of values with their paths; the answer is a document that fits the schema and
//! has each value at its path. How hard that is depends on how deep the tree is, how many values there are, and whether names help
//! to tell nodes apart: the ablations turn one of these and leave everything else as it was, down to the draws.
//!
//! | set | conditions |
//! |---|---|
//! | `core` | `S` depth 2, 12 values; `M` depth 3, 15 values; `L` depth 4, 20 values |
//! | `depth` | `depth=1` to `depth=3`, the same number of values |
//! | `count` | `planted=5` to `planted=20`, the same depth |
//! | `cues` | `cues=opaque`: children are `left` and `right`; `cues=descriptive`: they are called by what they are about |
//! | `names` | `names=repeated`: all nodes have the same fields; `names=unique`: no name occurs twice |
//! | `train` | `depth=3` to `depth=5` |
//! | `real` | one condition for each schema that was given |
//!
//! | room | what |
//! |---|---|
//! | [`params`] | the knobs, their limits, the published setting |
//! | `vocabulary` | field names and values |
//! | `tree` | one instance: schema, planting, reference |
//! | [`real`] | tasks of schemas that were given |

pub mod params;
pub mod real;
mod tree;
pub(crate) mod vocabulary;

use super::sets::{Condition, Set, TaskSource, id, place};
use super::task::{Domain, Planted, Question, TaskRow};
use crate::bounds::ParamsError;
use params::{Cues, Level, Names, Nodes, Params};
use rayon::prelude::*;
use real::{Given, Skipped};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt::Write as _;
use tree::{Draws, Tree};

/// Makes the tasks of one configuration.
///
/// ```
/// use objalign_gen::scd::json::{ScdJson, params::Params};
/// use objalign_gen::scd::{check::check, sets::TaskSource};
///
/// let source = ScdJson::new(Params::published())?;
/// let task = source.task(0, 2, 7);
/// assert_eq!((task.id.as_str(), task.level.as_str()), ("json/core/L/0007", "L"));
/// assert_eq!(check(&task), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ScdJson {
    params: Params,
    plans: Vec<(Set, Vec<Recipe>)>,
    /// The set of schemas that were given, if any was.
    real: Option<(Set, Vec<Given>)>,
}

/// The set of schemas that were given.
const REAL: &str = "real";

/// How the tasks of one condition are made.
#[derive(Debug, Clone)]
struct Recipe {
    /// What their streams are called by.
    key: String,
    level: &'static str,
    is_ablation: bool,
    /// The depth and the number of values; the latter drawn where they differ.
    depth: u32,
    planted: (u32, u32),
    nodes: Nodes,
}

impl ScdJson {
    /// A source of tasks.
    ///
    /// # Errors
    ///
    /// A parameter is out of its range, or asks for more values than there is room for.
    pub fn new(params: Params) -> Result<Self, ParamsError> {
        params.check()?;
        let plans = plans(&params);
        Ok(Self { params, plans, real: None })
    }

    /// Adds a set of tasks for schemas that were given, and says which had to be passed over. In parallel.
    #[must_use]
    pub fn with_schemas(mut self, given: Vec<Given>) -> (Self, Vec<Skipped>) {
        let mut names = HashSet::new();
        let judged: Vec<(Given, bool)> = given
            .into_iter()
            .map(|given| {
                let is_first = names.insert(given.name.clone());
                (given, is_first)
            })
            .collect();
        let judged: Vec<Result<Given, Skipped>> = judged
            .into_par_iter()
            .map(|(given, is_first)| {
                let tasks = if is_first {
                    (0..self.params.real.tasks).try_for_each(|index| real::task(&self.params, &given, index).map(drop))
                } else {
                    Err("there is a schema of this name already".to_owned())
                };
                match tasks {
                    Ok(()) => Ok(given),
                    Err(reason) => Err(Skipped { name: given.name, reason }),
                }
            })
            .collect();
        let (mut taken, mut skipped) = (Vec::new(), Vec::new());
        for outcome in judged {
            match outcome {
                Ok(given) => taken.push(given),
                Err(reason) => skipped.push(reason),
            }
        }
        if !taken.is_empty() && self.params.real.tasks > 0 {
            let tasks = self.params.real.tasks;
            let conditions = taken.iter().map(|given| Condition { name: given.name.clone(), tasks }).collect();
            let about = "schemas that were given".to_owned();
            self.real = Some((Set { name: REAL.to_owned(), about, conditions }, taken));
        }
        (self, skipped)
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }
}

fn plans(params: &Params) -> Vec<(Set, Vec<Recipe>)> {
    let recipe = |key: &str, level, Level { depth, planted }| Recipe {
        key: key.to_owned(),
        level,
        is_ablation: true,
        depth,
        planted: (planted, planted),
        nodes: params.nodes.clone(),
    };
    let core = [("S", params.core.s), ("M", params.core.m), ("L", params.core.l)].map(|(name, level)| {
        (name.to_owned(), Recipe { is_ablation: false, ..recipe(&format!("core/{name}"), name, level) })
    });
    let depth = params.depth.depths.iter().map(|&depth| {
        let level = if depth < 3 { "S" } else { "M" };
        (format!("depth={depth}"), recipe("depth", level, Level { depth, planted: params.depth.planted }))
    });
    let count = params.count.planted.iter().map(|&planted| {
        (format!("planted={planted}"), recipe("count", "M", Level { depth: params.count.depth, planted }))
    });
    let cues = [("cues=opaque", Cues::Opaque), ("cues=descriptive", Cues::Descriptive)].map(|(name, cues)| {
        let nodes = Nodes { cues, ..params.nodes.clone() };
        (name.to_owned(), Recipe { nodes, ..recipe("cues", "M", params.core.m) })
    });
    let names = [("names=repeated", Names::Repeated), ("names=unique", Names::Unique)].map(|(name, names)| {
        let nodes = Nodes { names, ..params.nodes.clone() };
        (name.to_owned(), Recipe { nodes, ..recipe("names", "M", params.core.m) })
    });
    let train = params.train.depths.iter().map(|&depth| {
        let planted = (params.train.planted.min, params.train.planted.max);
        let one = recipe(&format!("train/{depth}"), "train", Level { depth, planted: 0 });
        (format!("depth={depth}"), Recipe { planted, is_ablation: false, ..one })
    });
    let set = |name: &str, about: &str, tasks: u64, conditions: Vec<(String, Recipe)>| {
        let (names, recipes): (Vec<String>, Vec<Recipe>) = conditions.into_iter().unzip();
        let conditions = names.into_iter().map(|name| Condition { name, tasks }).collect();
        (Set { name: name.to_owned(), about: about.to_owned(), conditions }, recipes)
    };
    let mut sets = vec![
        set("core", "levels S, M and L", params.core.tasks, core.into()),
        set("depth", "ablation: how deep the tree is", params.depth.tasks, depth.collect()),
        set("count", "ablation: how many values are planted", params.count.tasks, count.collect()),
        set(
            "cues",
            "ablation: children called `left` and `right`, or by what they are about",
            params.cues.tasks,
            cues.into(),
        ),
        set("names", "ablation: the same field names in every node, or none twice", params.names.tasks, names.into()),
        set("train", "what is learnt from: draws of its own", params.train.tasks, train.collect()),
    ];
    sets.retain(|(set, _)| set.tasks() > 0);
    sets
}

impl TaskSource for ScdJson {
    fn domain(&self) -> Domain {
        Domain::Json
    }

    fn config(&self) -> Value {
        json!(self.params)
    }

    fn sets(&self) -> Vec<Set> {
        self.plans.iter().map(|(set, _)| set).chain(self.real.iter().map(|(set, _)| set)).cloned().collect()
    }

    fn task(&self, set: usize, condition: usize, index: u64) -> TaskRow {
        let Some((set, recipes)) = self.plans.get(set) else {
            let given = self
                .real
                .as_ref()
                .and_then(|(_, given)| given.get(condition))
                .expect("a set and a condition of this source");
            return real::task(&self.params, given, index).expect("what cannot be was passed over");
        };
        let (condition, recipe) = (&set.conditions[condition].name, &recipes[condition]);
        let draws = Draws { seed: self.params.seed, index, key: &recipe.key };
        let (min, max) = recipe.planted;
        let planted = crate::bounds::Bounds::new(min, max).draw(&mut draws.of("planted"));
        let tree = Tree::draw(Level { depth: recipe.depth, planted }, &recipe.nodes, draws);
        let (schema, planted) = (tree.schema(), tree.planted());
        TaskRow {
            id: id(Domain::Json, &set.name, condition, index),
            domain: Domain::Json,
            level: recipe.level.to_owned(),
            ablation: recipe.is_ablation.then(|| condition.clone()),
            seed: self.params.seed,
            prompt: prompt(&schema, &planted),
            reference: tree.reference(&mut draws.of("fillers")).to_string(),
            question: Question::Json { schema, planted },
        }
    }

    fn again(&self, row: &TaskRow) -> Option<TaskRow> {
        if let Some((set, condition, index)) = place(Domain::Json, &self.sets(), &row.id) {
            return Some(self.task(set, condition, index));
        }
        // Which schemas there were is not in the configuration.
        real_again(&self.params, row).filter(|again| again.id == row.id)
    }
}

/// A row of the set of schemas that were given, made anew from the schema that it holds.
fn real_again(params: &Params, row: &TaskRow) -> Option<TaskRow> {
    let rest = row.id.strip_prefix(Domain::Json.name())?.strip_prefix('/')?;
    let (name, index) = rest.strip_prefix(REAL)?.strip_prefix('/')?.rsplit_once('/')?;
    let Question::Json { schema, .. } = &row.question else { return None };
    let given = Given { name: name.to_owned(), schema: schema.clone() };
    real::task(params, &given, index.parse().ok()?).ok()
}

/// The text for a model: the schema, the values, and that only JSON is wanted.
fn prompt(schema: &Value, planted: &[Planted]) -> String {
    let mut values = String::new();
    for Planted { path, value } in planted {
        let _ = writeln!(values, "{path} = {value}");
    }
    // The schema last: nothing is looked for in what was put in.
    include_str!("../../../data/prompt.scd_json.txt")
        .replace("{count}", &planted.len().to_string())
        .replace("{values}", values.trim_end())
        .replacen("{schema}", &schema.to_string(), 1)
}
