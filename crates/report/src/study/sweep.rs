//! Many studies, one for each point of a grid, and one table of what came out.
//!
//! The config of a sweep is that of a study, with a table `[ablation]`: `grid` has a list of values for each key that is varied
//! (`"graphs.twins"`, say), `figures` the paths in `summary.json` that are tabulated. With `published = true` there is a second table: in how
//! many of the studies each published figure lies inside the interval.

use super::StudyError;
use super::cache::{hash, put};
use super::config::{Config, defaults};
use super::findings::Findings;
use super::published::{self, look_up};
use super::run::Study;
use super::settings::{ConfigError, merge, parse};
use super::watch::Watch;
use crate::digest::shown;
use crate::table::Table;
use objalign_probe::probes::figure::Figure;
use serde::Deserialize;
use std::fs;
use std::path::Path;
use toml::Value;

/// What is varied, and what is looked at.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ablation {
    /// What it asks, in a sentence.
    #[serde(default)]
    caption: String,
    /// Values by key; the last key varies fastest.
    grid: toml::Table,
    /// Paths in `summary.json`.
    #[serde(default)]
    figures: Vec<String>,
    /// Whether to count how often each published figure lies inside.
    #[serde(default)]
    published: bool,
}

/// A grid of studies.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    ablation: Ablation,
    cells: Vec<Cell>,
}

/// One study of it.
#[derive(Debug, Clone, PartialEq)]
struct Cell {
    values: Vec<(String, String)>,
    config: Config,
}

/// More studies than this are a mistake.
const MOST: usize = 10_000;

impl Sweep {
    /// Reads the config of a sweep. All of its studies are checked before any of them is run.
    ///
    /// # Errors
    ///
    /// Names the key, and what is allowed.
    pub fn read(text: &str) -> Result<Self, ConfigError> {
        let mut table = parse(text)?;
        let ablation = table.remove("ablation").ok_or_else(|| ConfigError::new("there is no table [ablation]"))?;
        let ablation: Ablation = serde_path_to_error::deserialize(ablation).map_err(|error| {
            ConfigError::new(format_args!("`ablation.{}`: {}", error.path(), error.inner().message()))
        })?;
        let mut base = defaults()?;
        merge(&mut base, table);
        let mut points: Vec<Vec<(String, Value)>> = vec![Vec::new()];
        for (key, values) in &ablation.grid {
            let values = values.as_array().filter(|values| !values.is_empty());
            let values = values
                .ok_or_else(|| ConfigError::new(format_args!("`ablation.grid.{key}`: a list of values is wanted")))?;
            let more = |point: Vec<(String, Value)>| {
                values.iter().map(move |value| point.iter().cloned().chain([(key.clone(), value.clone())]).collect())
            };
            points = points.into_iter().flat_map(more).collect();
            if points.len() > MOST {
                return Err(ConfigError::new(format_args!("`ablation.grid`: more than {MOST} studies")));
            }
        }
        let cells = points.into_iter().map(|point| {
            let mut table = base.clone();
            for (key, value) in &point {
                set(&mut table, key, value.clone());
            }
            let values = point.iter().map(|(key, value)| (key.clone(), named(value))).collect();
            Ok(Cell { values, config: Config::of_table(table)? })
        });
        let cells = cells.collect::<Result<_, ConfigError>>()?;
        Ok(Self { ablation, cells })
    }

    /// How many studies there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none: never, for one that was read.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Runs the studies in a folder, and writes the tables there. A study that is up to date is not run again. Its pairs are
    /// removed when its figures are there; `watch` gets a unit for each study.
    ///
    /// # Errors
    ///
    /// See [`StudyError`].
    pub fn run(&self, folder: &Path, tool: &str, watch: &mut dyn Watch) -> Result<Vec<Table>, StudyError> {
        watch.begin("sweep", self.cells.len());
        let mut found = Vec::new();
        for (at, cell) in self.cells.iter().enumerate() {
            let place = folder.join("work").join(format!("{at:04}"));
            let text = toml::to_string(&cell.config).map_err(ConfigError::new)?;
            let stamp = hash(format!("{tool}\n{text}").as_bytes());
            let (stamped, summary) = (place.join("stamp"), place.join("summary.json"));
            let fresh = fs::read_to_string(&stamped).is_ok_and(|known| known == stamp) && summary.is_file();
            if !fresh {
                Study::open(&cell.config, &place, tool)?.measure(&mut Quiet)?;
                let work = place.join("work");
                fs::remove_dir_all(&work).map_err(StudyError::file(&work))?;
                put(&stamped, stamp.as_bytes()).map_err(StudyError::file(&stamped))?;
            }
            let bytes = fs::read(&summary).map_err(StudyError::file(&summary))?;
            let findings: Findings =
                serde_json::from_slice(&bytes).map_err(|error| StudyError::spoilt(&summary, error))?;
            found.push(serde_json::to_value(&findings).map_err(|error| StudyError::spoilt(&summary, error))?);
            let name: Vec<String> = cell.values.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            watch.unit(&name.join(", "), fresh);
        }
        watch.end();
        let mut tables = Vec::new();
        if !self.ablation.figures.is_empty() {
            tables.push(self.outcome(&found));
        }
        if self.ablation.published {
            tables.push(coverage(&found)?);
        }
        for table in &tables {
            for (extension, text) in [("md", table.markdown()), ("tex", table.latex()), ("csv", table.csv())] {
                let path = folder.join(format!("{}.{extension}", table.name));
                put(&path, text.as_bytes()).map_err(StudyError::file(&path))?;
            }
        }
        Ok(tables)
    }

    fn outcome(&self, found: &[serde_json::Value]) -> Table {
        let keys = self.cells.first().map(|cell| cell.values.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>());
        let mut heads = keys.unwrap_or_default();
        heads.extend(self.ablation.figures.iter().map(String::as_str));
        let mut table = Table::new("ablation", &self.ablation.caption, &heads);
        for (cell, summary) in self.cells.iter().zip(found) {
            let values = cell.values.iter().map(|(_, value)| value.clone());
            let figures = self.ablation.figures.iter().map(|path| match look_up(summary, path) {
                Some((value, ci95)) => shown(&Figure { value: Some(value), ci95, note: None }),
                None => "not measured".to_owned(),
            });
            table.push(values.chain(figures));
        }
        table
    }
}

/// How often each published figure lies inside.
fn coverage(found: &[serde_json::Value]) -> Result<Table, ConfigError> {
    let caption = "In how many of the studies each published figure lies in the measured 95 % interval, and the range of the measured figures.";
    let mut table = Table::new("coverage", caption, &["figure", "published", "least", "mean", "greatest", "inside"]);
    let (mut all, mut judged) = (0, 0);
    for published in published::figures()? {
        let beside: Vec<_> = found.iter().map(|summary| published::compare(published.clone(), summary)).collect();
        let values: Vec<f64> = beside.iter().filter_map(|row| row.measured).collect();
        if values.is_empty() {
            continue;
        }
        let of =
            |judged: usize, inside: usize| if judged == 0 { "–".to_owned() } else { format!("{inside} of {judged}") };
        let (inside, of_these) = (
            beside.iter().filter(|row| row.inside == Some(true)).count(),
            beside.iter().filter(|row| row.inside.is_some()).count(),
        );
        (all, judged) = (all + inside, judged + of_these);
        // Two digits that mean something, for what is small.
        let number = |value: f64| match published.decimals {
            0 => format!("{value:.1}"),
            decimals => format!("{value:.*}", decimals as usize).replace('-', "−"),
        };
        table.push([
            published.label.clone(),
            format!("{:.*}", published.decimals as usize, published.value).replace('-', "−"),
            number(values.iter().copied().fold(f64::INFINITY, f64::min)),
            number(values.iter().sum::<f64>() / values.len() as f64),
            number(values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
            of(of_these, inside),
        ]);
    }
    table.push([
        "all".to_owned(),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        format!("{all} of {judged}"),
    ]);
    Ok(table)
}

/// A key with dots is a place in tables of tables.
fn set(table: &mut toml::Table, key: &str, value: Value) {
    match key.split_once('.') {
        None => _ = table.insert(key.to_owned(), value),
        Some((first, rest)) => {
            let inner = table.entry(first).or_insert_with(|| Value::Table(toml::Table::new()));
            if let Value::Table(inner) = inner {
                set(inner, rest, value);
            }
        }
    }
}

/// A value as short as it can be said: a range of one value is that value.
fn named(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Table(table) => match (table.get("min"), table.get("max")) {
            (Some(min), Some(max)) if table.len() == 2 => {
                if min == max {
                    min.to_string()
                } else {
                    format!("{min} to {max}")
                }
            }
            _ => value.to_string(),
        },
        other => other.to_string(),
    }
}

/// The steps of one study of many are not told.
struct Quiet;

impl Watch for Quiet {
    fn begin(&mut self, _: &'static str, _: usize) {}
    fn unit(&mut self, _: &str, _: bool) {}
    fn end(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_a_study_for_each_point() {
        let text = "seed = 3\n[ablation]\ngrid = { seed = [1, 2], \"graphs.twins\" = [{ min = 0.5, max = 0.5 }, { min = 0.0, max = 1.0 }] }\n";
        let sweep = Sweep::read(text).expect("a sweep");
        let points: Vec<String> =
            sweep.cells.iter().map(|cell| format!("{} {}", cell.config.seed, cell.config.graphs.twins.max)).collect();
        assert_eq!(points, ["1 0.5", "1 1", "2 0.5", "2 1"]);
        assert_eq!(
            sweep.cells[1].values,
            [("seed".to_owned(), "1".to_owned()), ("graphs.twins".to_owned(), "0.0 to 1.0".to_owned())]
        );
    }

    #[test]
    fn mistakes_name_the_key() {
        let error = |text: &str| Sweep::read(text).expect_err("a mistake").to_string();
        assert_eq!(error("seed = 1"), "there is no table [ablation]");
        assert_eq!(error("[ablation]\ngrid = { seed = 1 }"), "`ablation.grid.seed`: a list of values is wanted");
        let unknown = error("[ablation]\ngrid = { \"graphs.twin\" = [1] }");
        assert!(unknown.starts_with("`graphs.twin`: unknown field `twin`"), "{unknown}");
    }
}
