//! A directory that appears under its name when it is whole: made beside its final place, renamed at the end.

use super::manifest::{self, Digested, Manifest};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A data set that could not be written. Nothing is left under its name then but what was there before.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Something of the name is there.
    #[error("{}: exists already; --force replaces a data set", .0.display())]
    Exists(PathBuf),
    /// Something of the name is there, and is no data set of ours.
    #[error("{}: is no data set of this program (no {}), so it is not replaced", .0.display(), manifest::FILE)]
    Foreign(PathBuf),
    /// A file cannot be written.
    #[error("{}: cannot be written: {error}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There are too few different instances.
    #[error("{0}")]
    Exhausted(String),
}

/// A directory in the making. Dropped before it is finished, it leaves nothing.
pub(crate) struct Draft<'d> {
    partial: TempDir,
    directory: &'d Path,
    force: bool,
}

impl<'d> Draft<'d> {
    /// Begins one; `force` allows it to take the place of a data set that is there.
    pub(crate) fn begin(directory: &'d Path, force: bool) -> Result<Self, WriteError> {
        check_target(directory, force)?;
        let partial = beside(directory).map_err(failed(directory))?;
        Ok(Self { partial, directory, force })
    }

    /// Where a file of it is to be written.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.partial.path().join(name)
    }

    /// What makes an error of the files of rows one of the directory.
    pub(crate) fn failed(&self) -> impl Fn(io::Error) -> WriteError + use<> {
        failed(self.directory)
    }

    /// Writes a file whole.
    pub(crate) fn add(&self, name: &str, text: &str) -> Result<(), WriteError> {
        let path = self.path(name);
        fs::write(&path, text).map_err(failed(&path))
    }

    /// Hashes the files that are named, writes the manifest, and gives the directory its name.
    pub(crate) fn finish(self, names: &[String], mut manifest: Manifest) -> Result<Manifest, WriteError> {
        let mut files = BTreeMap::new();
        for name in names {
            let path = self.path(name);
            files.insert(name.clone(), Digested::of(&path).map_err(failed(&path))?);
        }
        manifest.files = files;
        let text = serde_json::to_string_pretty(&manifest).expect("a manifest is JSON") + "\n";
        self.add(manifest::FILE, &text)?;
        let failed = self.failed();
        publish(self.partial, self.directory, self.force).map_err(failed)?;
        Ok(manifest)
    }
}

/// What makes an error of a file one of ours.
fn failed(path: &Path) -> impl Fn(io::Error) -> WriteError + use<> {
    let path = path.to_owned();
    move |error| WriteError::Io { path: path.clone(), error }
}

fn check_target(directory: &Path, force: bool) -> Result<(), WriteError> {
    if fs::symlink_metadata(directory).is_err() {
        return Ok(());
    }
    if !force {
        return Err(WriteError::Exists(directory.to_owned()));
    }
    let is_empty = || fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none());
    if Manifest::read(directory).is_ok() || is_empty() {
        return Ok(());
    }
    Err(WriteError::Foreign(directory.to_owned()))
}

/// A new directory `.NAME.xxxxxx.partial` beside the one that is wanted. It goes with its handle.
fn beside(directory: &Path) -> io::Result<TempDir> {
    let name = directory.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let parent = match directory.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent)?;
    let prefix = format!(".{}.", name.to_string_lossy());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".partial");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Those of an ordinary new directory; the umask takes its part of them.
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    builder.tempdir_in(parent)
}

/// Gives the finished directory its name.
fn publish(partial: TempDir, directory: &Path, force: bool) -> io::Result<()> {
    if force && fs::symlink_metadata(directory).is_ok() {
        // The old one steps aside, and goes when the new one is in its place.
        let aside = beside(directory)?;
        let old = aside.path().join("old");
        fs::rename(directory, &old)?;
        if let Err(error) = fs::rename(partial.path(), directory) {
            fs::rename(&old, directory)?;
            return Err(error);
        }
    } else {
        fs::rename(partial.path(), directory)?;
    }
    // It has gone from where it was.
    let _ = partial.keep();
    Ok(())
}
