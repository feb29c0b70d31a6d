//! Configurations: TOML to parameters.
//!
//! Unknown keys, wrong types and impossible ranges are errors of one line, which name the key, the line it stands on and
//! what is allowed.

use crate::bounds::ParamsError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// A data set: its seed, its sizes and the knobs of its generator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config<P> {
    /// The seed of every draw.
    pub seed: u64,
    /// How many rows each split has.
    pub splits: Splits,
    /// The generator's knobs.
    pub params: P,
}

/// How many rows each split has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Splits {
    /// Rows to learn from.
    pub train: u64,
    /// Rows to choose by.
    pub val: u64,
    /// Rows to measure with.
    pub test: u64,
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// The line, where the fault has one: not where a key is missing, or came by an override.
    pub line: Option<usize>,
    /// The key, the fault, and what is allowed.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Reads a TOML text.
///
/// # Errors
///
/// It is not TOML, or not what is asked for.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ConfigError> {
    let line = |error: &toml::de::Error| error.span().map(|span| line_at(text, span.start));
    let deserializer = toml::Deserializer::parse(text)
        .map_err(|error| ConfigError { line: line(&error), message: one_line(error.message()) })?;
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let path = error.path().to_string();
        let error = error.into_inner();
        ConfigError { line: line(&error), message: with_key(&path, error.message()) }
    })
}

/// The error of a parameter, with the line that it stands on in the text: `prefix` is the table that holds it.
pub fn locate(text: &str, prefix: &str, error: &ParamsError) -> ConfigError {
    let path = if prefix.is_empty() { error.key.clone() } else { format!("{prefix}.{}", error.key) };
    let line = DeTable::parse(text).ok().and_then(|table| find(table.get_ref(), &path)).map(|at| line_at(text, at));
    ConfigError { line, message: format!("`{path}`: {}", error.message) }
}

/// Sets one value: `path` is dotted, `value` TOML (a word that is no TOML is taken as a string).
///
/// # Errors
///
/// There is no such key, or the value is not one that it takes.
pub fn set<T: Serialize + DeserializeOwned>(config: &T, path: &str, value: &str) -> Result<T, ConfigError> {
    let fail = |message: String| ConfigError { line: None, message };
    let mut table = Table::try_from(config).map_err(|error| fail(one_line(&error.to_string())))?;
    let parsed = toml::from_str::<Table>(&format!("value = {value}")).ok().and_then(|mut table| table.remove("value"));
    let parsed = parsed.unwrap_or_else(|| Value::String(value.to_owned()));
    let (parents, last) = path.rsplit_once('.').map_or((None, path), |(parents, last)| (Some(parents), last));
    let mut at = &mut table;
    for key in parents.into_iter().flat_map(|parents| parents.split('.')) {
        let known = keys(at);
        at = match at.get_mut(key) {
            Some(Value::Table(inner)) => inner,
            _ => return Err(fail(format!("`{path}`: no table `{key}`; allowed: {known}"))),
        };
    }
    let known = keys(at);
    match at.get_mut(last) {
        Some(place) => *place = parsed,
        None => return Err(fail(format!("`{path}`: no key `{last}`; allowed: {known}"))),
    }
    serde_path_to_error::deserialize(table).map_err(|error| {
        let at = error.path().to_string();
        fail(with_key(&at, error.into_inner().message()))
    })
}

fn keys(table: &Table) -> String {
    // Whether a table keeps its order depends on what else is in the build.
    let mut keys: Vec<&str> = table.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys.join(", ")
}

fn with_key(path: &str, message: &str) -> String {
    if path == "." { one_line(message) } else { format!("`{path}`: {}", one_line(message)) }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line_at(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|byte| *byte == b'\n').count() + 1
}

/// Where the key of a dotted path begins; `op[2].name` names a key of the third table of a list.
fn find(table: &DeTable<'_>, path: &str) -> Option<usize> {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let (key, index) = match key.strip_suffix(']').and_then(|key| key.split_once('[')) {
        Some((key, index)) => (key, index.parse::<usize>().ok()),
        None => (key, None),
    };
    let (at, mut value): (_, &Spanned<DeValue<'_>>) = table.iter().find(|(found, _)| found.get_ref() == key)?;
    let mut span = at.span();
    if let (Some(index), DeValue::Array(items)) = (index, value.get_ref()) {
        value = items.get(index)?;
        span = value.span();
    }
    match (rest, value.get_ref()) {
        // The nearest that is there: a key may be missing, and so have its default.
        (Some(rest), DeValue::Table(inner)) => find(inner, rest).or(Some(span.start)),
        _ => Some(span.start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corrupt::recipe::Recipe;
    use crate::org2graph::params::Params;

    const GOOD: &str = "\
seed = 7

[splits]
train = 10
val = 5
test = 5

[params]
values = \"plain\"
width = \"narrow\"
people = { min = 3, max = 10 }
companies = { min = 2, per_person = 0.5 }
twins = { min = 0.0, max = 1.0 }
acquaintance_density = { min = 0.2, max = 0.5 }
partnership_density = { min = 0.3, max = 0.7 }
opening = 0.5
legend_seed = 0
";

    fn error(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from));
        parse::<Config<Params>>(&GOOD.replacen(from, to, 1)).expect_err(to).to_string()
    }

    #[test]
    fn a_good_one_is_read() {
        let config: Config<Params> = parse(GOOD).expect("a configuration");
        assert_eq!((config.seed, config.splits.val, config.params), (7, 5, Params::PN));
    }

    #[test]
    fn mistakes_name_the_key_the_line_and_what_is_allowed() {
        assert_eq!(
            error("test = 5", "tset = 5"),
            "line 6: `splits.tset`: unknown field `tset`, expected one of `train`, `val`, `test`"
        );
        assert_eq!(
            error("max = 10 }", "most = 10 }"),
            "line 11: `params.people.most`: unknown field `most`, expected `min` or `max`"
        );
        assert_eq!(
            error("\"narrow\"", "\"tiny\""),
            "line 10: `params.width`: unknown variant `tiny`, expected `wide` or `narrow`"
        );
        assert_eq!(
            error("min = 3", "min = -3"),
            "line 11: `params.people.min`: invalid value: integer `-3`, expected u32"
        );
        assert!(error("opening = 0.5\n", "").contains("missing field `opening`"));
        assert!(error("seed = 7", "seed 7").starts_with("line 1: "));
    }

    #[test]
    fn impossible_values_are_found_in_the_text() {
        let text = GOOD.replace("min = 3, max = 10", "min = 30, max = 10");
        let params = ParamsError::new("people", "min 30 and max 10 make no range");
        let told = "line 11: `params.people`: min 30 and max 10 make no range";
        assert_eq!(locate(&text, "params", &params).to_string(), told);
        let recipe = "seed = 1\n[[op]]\nname = \"a\"\ndoses = [1]\n[[op]]\nname = \"b\"\ndoses = [1]\n";
        assert!(parse::<Recipe>(recipe).is_ok());
        assert_eq!(locate(recipe, "", &ParamsError::new("op[1].name", "x")).line, Some(6));
        assert_eq!(locate(recipe, "", &ParamsError::new("op[1].copies", "x")).line, Some(5));
    }

    #[test]
    fn values_can_be_overridden_one_by_one() {
        let config: Config<Params> = parse(GOOD).expect("a configuration");
        let set = |path, value| set(&config, path, value);
        assert_eq!(set("params.people.max", "4").expect("a value").params.people.max, 4);
        assert_eq!(set("params.width", "wide").expect("a word").params.variant(), "pw");
        let error = |path, value| set(path, value).expect_err("refused").to_string();
        assert_eq!(error("params.people.most", "4"), "`params.people.most`: no key `most`; allowed: max, min");
        assert_eq!(error("prams.people", "4"), "`prams.people`: no table `prams`; allowed: params, seed, splits");
        assert!(error("params.people.max", "many").starts_with("`params.people.max`: invalid type: string \"many\""));
    }
}
