//! What a data set is made of: instances by index, and the files beside them.

use super::config::Config;
use crate::bounds::ParamsError;
use crate::facts2order::{self, Facts2Order, keys::KeyType};
use crate::org2graph::{self, Org2Graph};
use serde_json::{Map, Value, json};

/// One instance, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// What it is called: the data set, the variant and the index, by which it can be made again alone.
    pub id: String,
    /// The text.
    pub context: String,
    /// What it says, as JSON.
    pub gold: String,
    /// What was drawn for it, as JSON.
    pub parameters: String,
    /// What it is about, whatever the ids and the wording: the same for two instances that must not be in two splits.
    pub content: String,
    /// Its degree of difficulty, by its place among [`Source::strata`].
    pub stratum: usize,
}

/// A data set of some kind.
pub trait Source: Sync {
    /// The kind: `org2graph`.
    fn kind(&self) -> &'static str;
    /// The variant: `pw`.
    fn variant(&self) -> &'static str;
    /// The configuration, as the manifest has it.
    fn config(&self) -> Value;
    /// The degrees of difficulty: one or more.
    fn strata(&self) -> Vec<String>;
    /// The instance of an index.
    fn example(&self, index: u64) -> Example;
    /// The files that go with the rows: names and contents.
    fn files(&self) -> Vec<(&'static str, String)>;
    /// Reads a context and compares what it says with the gold.
    ///
    /// # Errors
    ///
    /// Says in what they differ.
    fn check(&self, context: &str, gold: &Value) -> Result<(), String>;
}

/// An Org2Graph data set.
pub struct Graphs {
    config: Config<org2graph::params::Params>,
    generator: Org2Graph,
    plan: objalign_core::Plan,
}

/// A Facts2Order data set.
pub struct Orders {
    config: Config<facts2order::params::Params>,
    generator: Facts2Order,
    strata: Vec<(u32, u32)>,
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

impl Graphs {
    /// The data set of a configuration.
    ///
    /// # Errors
    ///
    /// A parameter is impossible.
    pub fn new(config: Config<org2graph::params::Params>) -> Result<Self, ParamsError> {
        let generator = Org2Graph::new(config.params.clone())?;
        let plan =
            objalign_core::Plan::compile(&org2graph::schemas::ra()).expect("the schema is tested with the crate");
        Ok(Self { config, generator, plan })
    }
}

impl Source for Graphs {
    fn kind(&self) -> &'static str {
        "org2graph"
    }

    fn variant(&self) -> &'static str {
        self.config.params.variant()
    }

    fn config(&self) -> Value {
        json!(self.config)
    }

    fn strata(&self) -> Vec<String> {
        vec!["all".to_owned()]
    }

    fn example(&self, index: u64) -> Example {
        let instance = self.generator.instance(self.config.seed, index);
        Example {
            id: format!("org2graph-{}-{index:06}", self.variant()),
            gold: serde_json::to_string(&instance.graph).expect("a graph is JSON"),
            parameters: serde_json::to_string(&instance.drawn).expect("numbers are JSON"),
            context: instance.context,
            content: instance.content,
            stratum: 0,
        }
    }

    fn files(&self) -> Vec<(&'static str, String)> {
        let legend = json!({"seed": self.config.params.legend_seed, "books": self.generator.legend().books()});
        vec![
            ("schema.ra.json", pretty(&org2graph::schemas::ra())),
            ("schema.plain.json", pretty(&org2graph::schemas::plain())),
            ("legend.json", pretty(&legend)),
            ("prompt.txt", include_str!("../../data/prompt.org2graph.txt").to_owned()),
        ]
    }

    fn check(&self, context: &str, gold: &Value) -> Result<(), String> {
        let (vocabulary, legend) = (self.generator.vocabulary(), self.generator.legend());
        let read = org2graph::read::read(context, vocabulary, legend).map_err(|error| error.to_string())?;
        // Ids are arbitrary, so the graphs are equal iff they are isomorphic, which is what a score of 1 says.
        let mut aligner = objalign_core::Aligner::new(&self.plan);
        let alignment = aligner.align(gold, &read.to_value()).map_err(|error| error.to_string())?;
        match alignment.score() {
            1.0 => Ok(()),
            score => Err(format!("the text says another graph than the gold (score {score})")),
        }
    }
}

impl Orders {
    /// The data set of a configuration.
    ///
    /// # Errors
    ///
    /// A parameter is impossible.
    pub fn new(config: Config<facts2order::params::Params>) -> Result<Self, ParamsError> {
        let generator = Facts2Order::new(config.params.clone())?;
        let params = &config.params;
        let items = params.items.iter();
        let strata = items.flat_map(|&items| params.distractors.iter().map(move |&padding| (items, padding))).collect();
        Ok(Self { config, generator, strata })
    }
}

impl Source for Orders {
    fn kind(&self) -> &'static str {
        "facts2order"
    }

    fn variant(&self) -> &'static str {
        self.config.params.variant()
    }

    fn config(&self) -> Value {
        json!(self.config)
    }

    /// How many items there are, and how much padding: what makes a task long.
    fn strata(&self) -> Vec<String> {
        self.strata.iter().map(|(items, padding)| format!("{items} items, {padding} distractors")).collect()
    }

    fn example(&self, index: u64) -> Example {
        let instance = self.generator.instance(self.config.seed, index);
        let stratum = (instance.drawn.items, instance.drawn.distractors);
        Example {
            id: format!("facts2order-{}-{index:06}", self.variant()),
            gold: instance.gold().to_string(),
            parameters: serde_json::to_string(&instance.drawn).expect("numbers are JSON"),
            context: instance.context,
            content: instance.content,
            stratum: self.strata.iter().position(|of| *of == stratum).unwrap_or(0),
        }
    }

    fn files(&self) -> Vec<(&'static str, String)> {
        let keys: Map<String, Value> = KeyType::ALL
            .into_iter()
            .map(|kind| {
                let key = self.generator.vocabulary().key(kind);
                (json!(kind).as_str().unwrap_or_default().to_owned(), json!({"name": key.name, "clauses": key.clauses}))
            })
            .collect();
        let legend = json!({"direction": self.config.params.direction, "keys": keys});
        vec![
            ("schema.sequence.json", pretty(&facts2order::schemas::sequence())),
            ("schema.set.json", pretty(&facts2order::schemas::set())),
            ("legend.json", pretty(&legend)),
            ("prompt.txt", include_str!("../../data/prompt.facts2order.txt").to_owned()),
        ]
    }

    fn check(&self, context: &str, gold: &Value) -> Result<(), String> {
        let direction = self.config.params.direction;
        let order = facts2order::read::read(context, self.generator.vocabulary(), direction);
        let order = order.map_err(|error| error.to_string())?;
        if json!({ "indices": order }) == *gold {
            return Ok(());
        }
        Err(format!("the text says the order {order:?}, the gold {}", gold["indices"]))
    }
}
