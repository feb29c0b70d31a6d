//! Configs as files: a TOML text over defaults. A key that is not known, or a value that cannot be, is an error that names it.

use objalign_probe::statistics::bca::Bootstrap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use toml::Table;

/// A config that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self(message.to_string())
    }
}

/// A TOML text.
///
/// # Errors
///
/// Says what is wrong, and in which line.
pub(crate) fn parse(text: &str) -> Result<Table, ConfigError> {
    toml::from_str(text).map_err(|error: toml::de::Error| ConfigError::new(error.to_string().trim_end()))
}

/// `table` with what `other` says in its place.
pub(crate) fn merge(table: &mut Table, other: Table) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) => merge(old, new),
            (_, value) => _ = table.insert(key, value),
        }
    }
}

/// A whole config.
///
/// # Errors
///
/// Names the key, and what is allowed.
pub(crate) fn typed<T: DeserializeOwned>(table: Table) -> Result<T, ConfigError> {
    serde_path_to_error::deserialize(toml::Value::Table(table)).map_err(|error| {
        let (path, message) = (error.path().to_string(), error.inner().message().to_owned());
        ConfigError::new(if path == "." { message } else { format!("`{path}`: {message}") })
    })
}

/// Whether numbers are within their limits: `(key, value, least, most)`.
pub(crate) fn within<'k>(counts: impl IntoIterator<Item = (&'k str, u32, u32, u32)>) -> Result<(), ConfigError> {
    for (key, value, least, most) in counts {
        if !(least..=most).contains(&value) {
            return Err(ConfigError::new(format_args!("`{key}`: {value}; allowed: {least} to {most}")));
        }
    }
    Ok(())
}

/// How intervals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BootstrapConfig {
    /// How many resamples.
    pub resamples: u32,
    /// What they are drawn from.
    pub seed: u64,
}

impl From<BootstrapConfig> for Bootstrap {
    fn from(config: BootstrapConfig) -> Self {
        Self { resamples: config.resamples, seed: config.seed }
    }
}
