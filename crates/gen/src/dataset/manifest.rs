//! The manifest: what was made, exactly. From its configuration the same files can be made again, byte for byte, by the same version.

use super::config::Config;
use super::source::{Graphs, Orders, Source};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "manifest.json";
/// What made it.
pub const TOOL: &str = "objalign";

/// What `manifest.json` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The program.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// The kind of data: `org2graph`.
    pub dataset: String,
    /// The variant: `pw`; empty where a kind has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// The extension of the files of rows.
    pub format: String,
    /// Every parameter, the seed and the sizes.
    pub config: Value,
    /// How many instances were looked at for these rows.
    pub examined: u64,
    /// The rows of each split, by stratum; of each set of tasks, by condition.
    pub rows: BTreeMap<String, BTreeMap<String, u64>>,
    /// Every file but this one.
    pub files: BTreeMap<String, Digested>,
}

/// A file's size and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digested {
    /// How many bytes it has.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

impl Digested {
    /// Of a file.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        let mut bytes = 0;
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                count => {
                    hash.update(&buffer[..count]);
                    bytes += count as u64;
                }
            }
        }
        Ok(Self { bytes, sha256: hex(&hash.finalize()) })
    }
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A directory that is no data set, or none that this version knows.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// There is none that can be read.
    #[error("{FILE} cannot be read: {0}; a data set of `generate` has one")]
    Unreadable(#[from] io::Error),
    /// It says something else.
    #[error("{FILE}: {0}")]
    Malformed(String),
}

impl Manifest {
    /// One of this version that has no files and no rows yet.
    pub(crate) fn new(dataset: &str, variant: &str, format: &str, config: Value) -> Self {
        Self {
            tool: TOOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            dataset: dataset.to_owned(),
            variant: variant.to_owned(),
            format: format.to_owned(),
            config,
            examined: 0,
            rows: BTreeMap::new(),
            files: BTreeMap::new(),
        }
    }

    /// That of a directory.
    ///
    /// # Errors
    ///
    /// There is none, or it is of another form.
    pub fn read(directory: &Path) -> Result<Self, ManifestError> {
        let text = std::fs::read_to_string(directory.join(FILE))?;
        let manifest: Self =
            serde_json::from_str(&text).map_err(|error| ManifestError::Malformed(error.to_string()))?;
        if manifest.tool != TOOL {
            return Err(ManifestError::Malformed(format!("made by \"{}\"; allowed: \"{TOOL}\"", manifest.tool)));
        }
        Ok(manifest)
    }

    /// The data set that this is the manifest of.
    ///
    /// # Errors
    ///
    /// The kind is unknown, or the configuration is none of that kind.
    pub fn source(&self) -> Result<Box<dyn Source>, ManifestError> {
        fn config<P: serde::de::DeserializeOwned>(value: &Value) -> Result<Config<P>, ManifestError> {
            serde_path_to_error::deserialize(value)
                .map_err(|error| ManifestError::Malformed(format!("`config.{}`: {}", error.path(), error.inner())))
        }
        let impossible =
            |error: crate::bounds::ParamsError| ManifestError::Malformed(format!("`config.params`: {error}"));
        match self.dataset.as_str() {
            "org2graph" => Ok(Box::new(Graphs::new(config(&self.config)?).map_err(impossible)?)),
            "facts2order" => Ok(Box::new(Orders::new(config(&self.config)?).map_err(impossible)?)),
            other => Err(ManifestError::Malformed(format!("`dataset`: \"{other}\"; allowed: org2graph, facts2order"))),
        }
    }
}
