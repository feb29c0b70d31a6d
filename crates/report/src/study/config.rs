//! What drives a study, key by key. A file says what differs from the defaults, which are `configs/intrinsic.toml`; a key that
//! is not there, or a value that cannot be, is an error that names it.

use super::settings::{BootstrapConfig, ConfigError, merge, parse, typed, within};
use objalign_core::{Options, Plan, Structure};
use objalign_gen::{facts2order, org2graph};
use objalign_probe::probes::rows::Probe;
use objalign_probe::probes::{bundled, scorers::Scorers};
use objalign_probe::statistics::bca::Bootstrap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

/// The defaults, with every key explained.
pub const DEFAULT: &str = include_str!("../../../../configs/intrinsic.toml");

/// A study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What everything is drawn from.
    pub seed: u64,
    /// The graphs of the first two probes.
    pub graphs: org2graph::params::Params,
    /// The orders of the third.
    pub orders: facts2order::params::Params,
    /// Copies.
    pub invariance: Invariance,
    /// Damage.
    pub sensitivity: Sensitivity,
    /// Disorder.
    pub order: Order,
    /// What gives the scores.
    pub scorers: ScorersConfig,
    /// How intervals are made.
    pub bootstrap: BootstrapConfig,
    /// What is drawn.
    pub figures: Figures,
}

/// The first probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariance {
    /// How many golds.
    pub golds: u32,
    /// How many copies of each.
    pub copies: u32,
    /// How many copies of each under other identifiers and in another order.
    pub shuffled: u32,
    /// How many copies of each symmetric graph.
    pub symmetric: u32,
}

/// The second probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sensitivity {
    /// How many golds.
    pub golds: u32,
    /// What is done to them.
    pub operators: Vec<String>,
    /// How often.
    pub doses: Vec<u32>,
    /// Whether all of it is done once more without renaming first.
    pub control: bool,
}

/// The third probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// How many golds.
    pub golds: u32,
    /// The most adjacent transpositions; never as many as there are labels.
    pub transpositions: u32,
    /// How many candidates have a block turned round.
    pub reversals: u32,
    /// How many candidates have a block moved.
    pub moves: u32,
    /// The most labels left out; never all.
    pub deletions: u32,
    /// The most labels put in twice.
    pub insertions: u32,
}

/// What gives the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScorersConfig {
    /// Of graphs.
    pub graphs: Vec<String>,
    /// Of orders.
    pub orders: Vec<String>,
    /// How names are compared.
    pub names: String,
    /// How references help to pair records.
    pub structure: String,
    /// How far the best bijection is searched for.
    pub budget: u64,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Ranges of the number of people, to show graphs of different sizes apart.
    pub sizes: Vec<[u32; 2]>,
    /// Which gold of the first probe is drawn with its first copy; the first that fits.
    pub instance_people: u32,
}

/// The defaults, as a table.
///
/// # Errors
///
/// Never: a test reads them.
pub fn defaults() -> Result<Table, ConfigError> {
    parse(DEFAULT)
}

impl Config {
    /// The defaults with what a file says in their place.
    ///
    /// # Errors
    ///
    /// Names the key, and what is allowed.
    pub fn read(text: &str) -> Result<Self, ConfigError> {
        let mut table = defaults()?;
        merge(&mut table, parse(text)?);
        Self::of_table(table)
    }

    /// A whole config.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn of_table(table: Table) -> Result<Self, ConfigError> {
        let config: Self = typed(table)?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        within([
            ("invariance.golds", self.invariance.golds, 1, 100_000),
            ("invariance.copies", self.invariance.copies, 1, 1000),
            ("invariance.shuffled", self.invariance.shuffled, 0, 1000),
            ("invariance.symmetric", self.invariance.symmetric, 0, 1000),
            ("sensitivity.golds", self.sensitivity.golds, 1, 100_000),
            ("order.golds", self.order.golds, 1, 100_000),
            ("bootstrap.resamples", self.bootstrap.resamples, 100, 1_000_000),
        ])?;
        for (key, names, known) in [
            ("scorers.graphs", &self.scorers.graphs, ["ra", "plain"]),
            ("scorers.orders", &self.scorers.orders, ["sequence", "set"]),
        ] {
            if names.is_empty() || names.iter().any(|name| !known.contains(&name.as_str())) {
                return Err(ConfigError::new(format_args!("`{key}`: {names:?}; allowed: one or both of {known:?}")));
            }
        }
        self.structure()?;
        let comparators =
            ["exact", "jaro", "jaro_winkler", "levenshtein", "damerau_levenshtein", "osa", "indel", "lcsseq"];
        if !comparators.contains(&self.scorers.names.as_str()) {
            let (names, allowed) = (&self.scorers.names, comparators.join(", "));
            return Err(ConfigError::new(format_args!("`scorers.names`: \"{names}\"; allowed: {allowed}")));
        }
        if self.figures.sizes.iter().any(|[low, high]| low > high) {
            return Err(ConfigError::new("`figures.sizes`: a range is [least, most]"));
        }
        Ok(())
    }

    fn structure(&self) -> Result<Structure, ConfigError> {
        let text = self.scorers.structure.as_str();
        let share = text.strip_prefix("blend=").and_then(|share| share.parse().ok());
        match (text, share) {
            ("tie_break", _) => Ok(Structure::TieBreak),
            ("none", _) => Ok(Structure::None),
            (_, Some(share)) if (0.0..=1.0).contains(&share) => Ok(Structure::Blend(share)),
            _ => Err(ConfigError::new(format_args!(
                "`scorers.structure`: \"{text}\"; allowed: tie_break, none, blend=SHARE with a share from 0 to 1"
            ))),
        }
    }

    /// How intervals are made.
    pub fn bootstrap(&self) -> Bootstrap {
        self.bootstrap.into()
    }

    pub(super) fn options(&self) -> Result<Options, ConfigError> {
        Ok(Options::new().structure(self.structure()?).budget(self.scorers.budget))
    }

    /// The scorers of a probe.
    pub(super) fn scorers(&self, probe: Probe) -> Result<Scorers, ConfigError> {
        let wanted = if probe == Probe::Order { &self.scorers.orders } else { &self.scorers.graphs };
        let mut scorers = Scorers::new();
        for name in wanted {
            for (_, mut schema) in bundled::schemas(probe).into_iter().filter(|(known, _)| known == name) {
                compare_names(&mut schema, &self.scorers.names);
                scorers = scorers.with_schema(name, plan(&schema)?, self.options()?);
            }
        }
        Ok(if probe == Probe::Order { scorers.with_order_measures() } else { scorers })
    }
}

pub(super) fn plan(schema: &Value) -> Result<Plan, ConfigError> {
    Plan::compile(schema).map_err(ConfigError::new)
}

fn compare_names(schema: &mut Value, comparator: &str) {
    for list in ["people", "companies"] {
        if let Some(name) = schema.pointer_mut(&format!("/properties/{list}/items/properties/name/score")) {
            *name = comparator.into();
        }
    }
}
