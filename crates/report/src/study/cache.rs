//! What is up to date: for each unit of work what went in, and what came out, by content.
//!
//! A unit's stamp is written when its files are whole. A run that was cut short leaves the stamps of what it finished, so the next
//! one goes on from there; a file that was changed or removed since is made again.

use super::StudyError;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What a file holds, in the same digits: the hash of the hashes of its megabytes, which several threads can take at a time.
fn content_hash(bytes: &[u8]) -> String {
    let parts: Vec<String> = bytes.par_chunks(1 << 20).map(hash).collect();
    hash(parts.concat().as_bytes())
}

/// The stamps of a folder.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    /// What the program is: another one may find something else.
    tool: String,
    stamps: BTreeMap<String, Stamp>,
    /// What the files of this run hold, so that each is read once.
    known: BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    inputs: String,
    outputs: BTreeMap<String, String>,
}

const STAMPS: &str = "work/stamps.json";

impl Cache {
    /// A folder that has no stamps, or none that can be read, has nothing up to date.
    pub(crate) fn open(folder: &Path, tool: &str) -> Result<Self, StudyError> {
        let work = folder.join("work");
        fs::create_dir_all(&work).map_err(StudyError::file(&work))?;
        let stamps = fs::read(folder.join(STAMPS)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let (folder, tool) = (folder.to_owned(), tool.to_owned());
        Ok(Self { folder, tool, stamps: stamps.unwrap_or_default(), known: BTreeMap::new() })
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// What goes into a unit, as one hash: the program, the part of the config that it reads, and files by content.
    pub(crate) fn inputs(&mut self, unit: &str, config: &impl Serialize, files: &[String]) -> String {
        let mut all = format!("{}\n{unit}\n{}\n", self.tool, serde_json::to_string(config).unwrap_or_default());
        for file in files {
            all.extend([file, " ", &self.content(file), "\n"]);
        }
        hash(all.as_bytes())
    }

    pub(crate) fn read(&self, file: &str) -> Result<Vec<u8>, StudyError> {
        let path = self.path(file);
        fs::read(&path).map_err(StudyError::file(&path))
    }

    /// What a file holds, by content; empty where it is not there.
    pub(crate) fn content(&mut self, file: &str) -> String {
        if !self.known.contains_key(file) {
            let found = fs::read(self.path(file)).map(|bytes| content_hash(&bytes)).unwrap_or_default();
            self.known.insert(file.to_owned(), found);
        }
        self.known.get(file).cloned().unwrap_or_default()
    }

    /// Whether the unit was done from these inputs, and its files are as it left them.
    pub(crate) fn is_fresh(&mut self, unit: &str, inputs: &str) -> bool {
        let Some(stamp) = self.stamps.get(unit).filter(|stamp| stamp.inputs == inputs) else {
            return false;
        };
        let outputs: Vec<(String, String)> = stamp.outputs.clone().into_iter().collect();
        outputs.into_iter().all(|(file, content)| self.content(&file) == content)
    }

    /// Writes a file, whole or not at all.
    pub(crate) fn write(&mut self, file: &str, bytes: &[u8]) -> Result<(), StudyError> {
        let path = self.path(file);
        let (written, content) = rayon::join(|| put(&path, bytes), || content_hash(bytes));
        written.map_err(StudyError::file(&path))?;
        self.known.insert(file.to_owned(), content);
        Ok(())
    }

    /// The unit is done.
    pub(crate) fn stamp(&mut self, unit: &str, inputs: String, files: &[String]) -> Result<(), StudyError> {
        let outputs = files.iter().map(|file| (file.clone(), self.content(file))).collect();
        self.stamps.insert(unit.to_owned(), Stamp { inputs, outputs });
        let path = self.path(STAMPS);
        let text = serde_json::to_string_pretty(&self.stamps).map_err(|error| StudyError::spoilt(&path, error))?;
        put(&path, text.as_bytes()).map_err(StudyError::file(&path))
    }
}

/// Beside its place first, then renamed.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let mut file = fs::File::create(&partial)?;
    file.write_all(bytes)?;
    drop(file);
    fs::rename(&partial, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_stale() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut cache = Cache::open(folder.path(), "test").expect("opened");
        assert!(!cache.is_fresh("a", "1"));
        cache.write("work/a.txt", b"x").expect("written");
        cache.stamp("a", "1".into(), &["work/a.txt".into()]).expect("stamped");
        let again = || Cache::open(folder.path(), "test").expect("opened");
        assert!(again().is_fresh("a", "1") && !again().is_fresh("a", "2") && !again().is_fresh("b", "1"));
        fs::write(folder.path().join("work/a.txt"), b"y").expect("written");
        assert!(!again().is_fresh("a", "1"));
        fs::write(folder.path().join("work/a.txt"), b"x").expect("written");
        assert!(again().is_fresh("a", "1"));
        fs::remove_file(folder.path().join("work/a.txt")).expect("removed");
        assert!(!again().is_fresh("a", "1"));
        fs::write(folder.path().join(STAMPS), b"{").expect("written");
        assert!(!again().is_fresh("a", "1"));
    }
}
