//! Golds and pairs, as JSON lines.
//!
//! A gold is `{"id", "people", "gold"}` (`people` for graphs); a pair has the columns of its probe. Golds of the two graph probes
//! come from seeds of their own, so that the second has fresh ones.

use super::StudyError;
use super::config::Config;
use super::settings::ConfigError;
use objalign_gen::corrupt::recipe::{Pair, Recipe, Subject, Sweep};
use objalign_gen::corrupt::{Operators, Shape};
use objalign_gen::facts2order::Facts2Order;
use objalign_gen::org2graph::Org2Graph;
use objalign_gen::symmetric;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::path::Path;
use std::sync::Arc;

/// Where the labels of an order are.
const LABELS: &str = "/indices";

/// A gold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Gold {
    pub(super) id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) people: Option<u32>,
    #[serde(rename = "gold")]
    pub(super) document: Value,
}

/// A set of golds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Golds {
    Invariance,
    Sensitivity,
    Order,
}

/// A set of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pairs {
    Copies,
    Shuffled,
    Symmetric,
    Edits,
    Orders,
}

impl Golds {
    pub(super) const ALL: [Self; 3] = [Self::Invariance, Self::Sensitivity, Self::Order];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Invariance => "invariance",
            Self::Sensitivity => "sensitivity",
            Self::Order => "order",
        }
    }

    pub(super) fn make(self, config: &Config) -> Result<Vec<Gold>, ConfigError> {
        let graphs = |count: u32, seed: u64| {
            let generator = Org2Graph::new(config.graphs.clone()).map_err(|error| named("graphs", &error))?;
            let gold = |index: u32| {
                let instance = generator.instance(seed, u64::from(index));
                Gold {
                    id: format!("g{index:04}"),
                    people: Some(instance.drawn.people),
                    document: instance.graph.to_value(),
                }
            };
            Ok((0..count).into_par_iter().map(gold).collect())
        };
        // Two seeds for each study: neighbouring studies share none.
        match self {
            Self::Invariance => graphs(config.invariance.golds, config.seed.wrapping_mul(2)),
            Self::Sensitivity => graphs(config.sensitivity.golds, config.seed.wrapping_mul(2).wrapping_add(1)),
            Self::Order => {
                let generator = Facts2Order::new(config.orders.clone()).map_err(|error| named("orders", &error))?;
                let gold = |index: u32| {
                    let instance = generator.instance(config.seed, u64::from(index));
                    Gold { id: format!("o{index:04}"), people: None, document: instance.gold() }
                };
                Ok((0..config.order.golds).into_par_iter().map(gold).collect())
            }
        }
    }
}

/// A parameter of a generator, as the config calls it.
fn named(table: &str, error: &objalign_gen::bounds::ParamsError) -> ConfigError {
    ConfigError::new(format_args!("`{table}.{}`: {}", error.key, error.message))
}

impl Pairs {
    pub(super) const ALL: [Self; 5] = [Self::Copies, Self::Shuffled, Self::Symmetric, Self::Edits, Self::Orders];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Copies => "copies",
            Self::Shuffled => "shuffled",
            Self::Symmetric => "symmetric",
            Self::Edits => "edits",
            Self::Orders => "orders",
        }
    }

    /// What they are made of; symmetric graphs are made of nothing.
    pub(super) fn golds(self) -> Option<Golds> {
        match self {
            Self::Copies | Self::Shuffled => Some(Golds::Invariance),
            Self::Symmetric => None,
            Self::Edits => Some(Golds::Sensitivity),
            Self::Orders => Some(Golds::Order),
        }
    }

    fn recipe(self, config: &Config) -> Recipe {
        let copies =
            |count: u32, shuffle: bool| Sweep { copies: count, shuffle, ..Sweep::new("identifier_relabel", [1]) };
        let op = match self {
            Self::Copies | Self::Symmetric => vec![copies(config.invariance.copies, false)],
            Self::Shuffled => vec![copies(config.invariance.shuffled, true)],
            Self::Edits => {
                let sweeps = |relabel: bool| {
                    let doses = &config.sensitivity.doses;
                    config
                        .sensitivity
                        .operators
                        .iter()
                        .map(move |name| Sweep { relabel, ..Sweep::new(name, doses.clone()) })
                };
                let control = config.sensitivity.control.then(|| sweeps(false));
                sweeps(true).chain(control.into_iter().flatten()).collect()
            }
            Self::Orders => {
                let order = &config.order;
                let few = |name: &str, most: u32| Sweep { below_length: true, ..Sweep::new(name, 1..=most) };
                let several = |name: &str, copies: u32| Sweep { copies, ..Sweep::new(name, [1]) };
                let mut sweeps = vec![Sweep {
                    below_length: true,
                    ..Sweep::new("adjacent_transposition", 0..=order.transpositions)
                }];
                sweeps.extend((order.reversals > 0).then(|| several("block_reversal", order.reversals)));
                sweeps.extend((order.moves > 0).then(|| several("block_move", order.moves)));
                sweeps.extend((order.deletions > 0).then(|| few("label_deletion", order.deletions)));
                sweeps.extend((order.insertions > 0).then(|| Sweep::new("label_insertion", 1..=order.insertions)));
                sweeps
            }
        };
        Recipe { seed: config.seed, op }
    }

    /// The pairs as JSON lines, in the order of the golds and of the recipe.
    pub(super) fn make(self, config: &Config, golds: &[Gold]) -> Result<Vec<u8>, StudyError> {
        if self == Self::Symmetric {
            return Ok(lines(&symmetric_pairs(config)));
        }
        let recipe = self.recipe(config);
        let (operators, subject) = if self == Self::Orders {
            (Operators::on_orders(LABELS), Subject::Order(LABELS.to_owned()))
        } else {
            let generator = Org2Graph::new(config.graphs.clone()).map_err(|error| named("graphs", &error))?;
            let shape: Arc<Shape> = Arc::new(generator.shape());
            (Operators::on_graphs(&shape), Subject::Graph)
        };
        recipe
            .check(&operators)
            .map_err(|error| ConfigError::new(format_args!("sensitivity.operators: {}", error.message)))?;
        let indexed: Vec<(u64, &Gold)> = (0..).zip(golds).collect();
        let of_gold = |&(index, gold): &(u64, &Gold)| {
            let id = Value::from(gold.id.as_str());
            let pairs = recipe.pairs(&operators, &subject, (index, &id, &gold.document));
            let pairs = pairs.map_err(|error| ConfigError::new(format_args!("gold {}: {error}", gold.id)))?;
            let text = to_raw_value(&gold.document).map_err(ConfigError::new)?;
            let rows: Vec<Row<'_>> = pairs.iter().map(|pair| Row::of(self, pair, &text)).collect();
            Ok(lines(&rows))
        };
        let parts: Result<Vec<Vec<u8>>, ConfigError> = indexed.par_iter().map(of_gold).collect();
        Ok(parts?.concat())
    }
}

/// The columns of a probe.
#[derive(Serialize)]
struct Row<'p> {
    id: &'p str,
    gold_id: &'p Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    op: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    family: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relabel: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kendall_distance: Option<Value>,
    /// Written once for all pairs of the gold.
    gold: &'p RawValue,
    pred: &'p Value,
}

impl<'p> Row<'p> {
    fn of(pairs: Pairs, pair: &'p Pair<'_>, gold: &'p RawValue) -> Self {
        let (edits, orders) = (pairs == Pairs::Edits, pairs == Pairs::Orders);
        Self {
            id: &pair.id,
            gold_id: pair.gold_id,
            op: edits.then_some(pair.op.as_str()),
            family: orders.then_some(pair.op.as_str()),
            k: (edits || orders).then_some(pair.k),
            relabel: edits.then_some(pair.relabel),
            // Null for what is no permutation, and not there where nothing is ordered.
            kendall_distance: orders.then(|| pair.kendall_distance.flatten().into()),
            gold,
            pred: &pair.pred,
        }
    }
}

fn symmetric_pairs(config: &Config) -> Vec<Value> {
    let mut pairs = Vec::new();
    for structure in symmetric::structures() {
        let gold = structure.document(config.seed, 0);
        for copy in 1..=config.invariance.symmetric {
            pairs.push(serde_json::json!({
                "id": format!("{}/{copy}", structure.name),
                "gold_id": structure.name,
                "gold": gold,
                "pred": structure.document(config.seed, u64::from(copy)),
            }));
        }
    }
    pairs
}

/// One line for each.
pub(super) fn lines<T: Serialize>(rows: &[T]) -> Vec<u8> {
    rows.iter().fold(Vec::new(), |mut bytes, row| {
        // A row is texts and numbers: there is nothing in it that JSON cannot say.
        if serde_json::to_writer(&mut bytes, row).is_ok() {
            bytes.push(b'\n');
        }
        bytes
    })
}

/// The golds of a file.
pub(super) fn read_golds(path: &Path, bytes: &[u8]) -> Result<Vec<Gold>, StudyError> {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    lines.par_iter().map(|line| serde_json::from_slice(line).map_err(|error| StudyError::spoilt(path, error))).collect()
}
