//! What drives the study, key by key. A file says what differs from the defaults, which are `configs/scd.toml`; a key that is not
//! there, or a value that cannot be, is an error that names it.

use crate::study::settings::{BootstrapConfig, ConfigError, merge, parse, typed, within};
use objalign_gen::scd::json::{ScdJson, params::Params as Trees};
use objalign_gen::scd::models::Model;
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::table::{Tables, params::Params as Forms};
use objalign_gen::scd::task::Domain;
use objalign_probe::statistics::bca::Bootstrap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The defaults, with every key explained.
pub const DEFAULT: &str = include_str!("../../../../configs/scd.toml");

/// A study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What everything is drawn from.
    pub seed: u64,
    /// How many tasks of trees.
    pub json: JsonTasks,
    /// How many tasks of grids.
    pub table: TableTasks,
    /// Do the measures read back damage that is known?
    pub metrology: Probe,
    /// What do the measures see, and what does the aligner see?
    pub cross: Probe,
    /// How intervals are made.
    pub bootstrap: BootstrapConfig,
    /// The simulated models.
    pub model: Vec<Model>,
    /// Results of real models, to be shown beside them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Results>,
}

/// Tasks of each condition of a set of trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonTasks {
    /// Levels S, M and L.
    pub core: u32,
    /// Depths.
    pub depth: u32,
    /// Numbers of planted values.
    pub count: u32,
    /// Names of children.
    pub cues: u32,
    /// Names of fields.
    pub names: u32,
}

/// Tasks of each condition of a set of grids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableTasks {
    /// Levels S, M and L.
    pub core: u32,
    /// Where the rows to change are.
    pub rows: u32,
    /// Numbers of cells to change.
    pub count: u32,
}

/// A probe of the measures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// How many tasks of each level and domain.
    pub tasks: u32,
    /// How often each operator is applied.
    pub doses: Vec<u32>,
}

/// What `objalign scd --summary` found of a real model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// What the model is called.
    pub name: String,
    /// Trees or grids.
    pub domain: Domain,
    /// The file that was written.
    pub summary: PathBuf,
}

impl Config {
    /// The defaults with what a file says in their place.
    ///
    /// # Errors
    ///
    /// Names the key, and what is allowed.
    pub fn read(text: &str) -> Result<Self, ConfigError> {
        let mut table = parse(DEFAULT)?;
        merge(&mut table, parse(text)?);
        let config: Self = typed(table)?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        within([
            ("json.core", self.json.core, 1, 10_000),
            ("json.depth", self.json.depth, 0, 10_000),
            ("json.count", self.json.count, 0, 10_000),
            ("json.cues", self.json.cues, 0, 10_000),
            ("json.names", self.json.names, 0, 10_000),
            ("table.core", self.table.core, 1, 10_000),
            ("table.rows", self.table.rows, 0, 10_000),
            ("table.count", self.table.count, 0, 10_000),
            ("metrology.tasks", self.metrology.tasks, 1, 10_000),
            ("cross.tasks", self.cross.tasks, 1, 10_000),
            ("bootstrap.resamples", self.bootstrap.resamples, 100, 1_000_000),
        ])?;
        for (key, probe) in [("metrology", &self.metrology), ("cross", &self.cross)] {
            if probe.doses.is_empty() || probe.doses.iter().any(|dose| *dose > 100) {
                let doses = &probe.doses;
                return Err(ConfigError::new(format_args!("`{key}.doses`: {doses:?}; allowed: some, each 0 to 100")));
            }
        }
        let mut names = BTreeSet::new();
        for (at, model) in self.model.iter().enumerate() {
            let name = &model.name;
            if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') {
                let why = "allowed: letters, digits and -";
                return Err(ConfigError::new(format_args!("`model[{at}].name`: \"{name}\"; {why}")));
            }
            model
                .check()
                .map_err(|error| ConfigError::new(format_args!("`model[{at}].{}`: {}", error.key, error.message)))?;
            // Files are called by them, and not all machines tell letters by their case.
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(ConfigError::new(format_args!("`model[{at}].name`: there is a \"{name}\" already")));
            }
        }
        let mut given = BTreeSet::new();
        for (at, Results { name, domain, .. }) in self.results.iter().enumerate() {
            if names.contains(&name.to_ascii_lowercase()) || !given.insert((name, domain.name())) {
                return Err(ConfigError::new(format_args!("`results[{at}].name`: there is a \"{name}\" already")));
            }
        }
        Ok(())
    }

    /// What makes the tasks of a domain.
    pub(super) fn source(&self, domain: Domain) -> Result<Box<dyn TaskSource>, ConfigError> {
        match domain {
            Domain::Json => {
                let mut params = Trees::published();
                params.seed = self.seed;
                params.core.tasks = self.json.core.into();
                params.depth.tasks = self.json.depth.into();
                params.count.tasks = self.json.count.into();
                params.cues.tasks = self.json.cues.into();
                params.names.tasks = self.json.names.into();
                params.train.tasks = 0;
                Ok(Box::new(ScdJson::new(params).map_err(ConfigError::new)?))
            }
            Domain::Table => {
                let mut params = Forms::published();
                params.seed = self.seed;
                params.core.tasks = self.table.core.into();
                params.rows.tasks = self.table.rows.into();
                params.count.tasks = self.table.count.into();
                params.train.tasks = 0;
                Ok(Box::new(Tables::new(params).map_err(ConfigError::new)?))
            }
        }
    }

    /// How intervals are made.
    pub fn bootstrap(&self) -> Bootstrap {
        self.bootstrap.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Config::read(text).expect_err("a mistake").to_string()
    }

    #[test]
    fn a_config_says_what_differs() {
        let default = Config::read("").expect("the defaults");
        assert_eq!((default.json.core, default.table.core, default.model.len()), (500, 200, 3));
        let other = "[json]\ncore = 7\n[[model]]\nname = \"one\"\nmisstep = 0.5\nforget = 0\nstray = 0\nfault = 0\n";
        let other = Config::read(other).expect("a config");
        assert_eq!((other.json.core, other.json.depth, other.model.len()), (7, default.json.depth, 1));
        assert_eq!(Config { model: default.model.clone(), json: default.json, ..other }, default);
    }

    #[test]
    fn mistakes_name_the_key() {
        assert!(error("[json]\ncores = 7").starts_with("`json.cores`: unknown field `cores`, expected one of `core`"));
        assert_eq!(error("[cross]\ntasks = 0"), "`cross.tasks`: 0; allowed: 1 to 10000");
        assert_eq!(error("[metrology]\ndoses = []"), "`metrology.doses`: []; allowed: some, each 0 to 100");
        let model = |name: &str, misstep: f64| {
            format!("[[model]]\nname = \"{name}\"\nmisstep = {misstep:?}\nforget = 0.0\nstray = 0.0\nfault = 0.0\n")
        };
        assert_eq!(error(&model("a/b", 0.0)), "`model[0].name`: \"a/b\"; allowed: letters, digits and -");
        assert_eq!(error(&model("a", 2.0)), "`model[0].misstep`: 2; allowed: 0 to 1");
        let twice = model("a", 0.5) + &model("A", 0.5);
        assert_eq!(error(&twice), "`model[1].name`: there is a \"A\" already");
        let results = "[[results]]\nname = \"lost\"\ndomain = \"json\"\nsummary = \"x.json\"\n";
        assert_eq!(error(results), "`results[0].name`: there is a \"lost\" already");
    }
}
