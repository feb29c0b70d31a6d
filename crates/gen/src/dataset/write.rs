//! Writing a data set: into a directory beside its final place, which takes its name when everything is there.

use super::card::card;
use super::config::Splits;
use super::manifest::{self, Digested, Manifest};
use super::rows::{Form, RowWriter};
use super::source::Source;
use super::split::{self, Split, SplitError};
use std::collections::BTreeMap;
use std::fs::{self, File};
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

/// Makes a data set, and gives its manifest. `progress` hears of each row.
///
/// # Errors
///
/// As the variants of the error say.
pub fn write(
    source: &dyn Source,
    splits: Splits,
    directory: &Path,
    (form, force): (Form, bool),
    mut progress: impl FnMut(),
) -> Result<Manifest, WriteError> {
    check_target(directory, force)?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| WriteError::Io { path, error }
    };
    let partial = beside(directory).map_err(failed(directory))?;
    let extension = form.extension;
    let open = |split: Split| -> Result<Box<dyn RowWriter>, WriteError> {
        let path = partial.path().join(format!("{}.{extension}", split.name()));
        File::create(&path).and_then(form.create).map_err(failed(&path))
    };
    let mut writers = [open(Split::Train)?, open(Split::Val)?, open(Split::Test)?];
    let strata = source.strata();
    let mut rows: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for split in Split::ALL {
        rows.insert(split.name().to_owned(), strata.iter().map(|stratum| (stratum.clone(), 0)).collect());
    }
    let examined = split::fill(source, splits, |split, example| {
        writers[split as usize].write(example).map_err(failed(directory))?;
        *rows.entry(split.name().to_owned()).or_default().entry(strata[example.stratum].clone()).or_insert(0) += 1;
        progress();
        Ok(())
    })
    .map_err(|error| match error {
        SplitError::Row(error) => error,
        exhausted @ SplitError::Exhausted { .. } => WriteError::Exhausted(exhausted.to_string()),
    })?;
    for writer in writers {
        writer.finish().map_err(failed(directory))?;
    }
    let mut beside_rows = source.files();
    let names: Vec<&str> = beside_rows.iter().map(|(name, _)| *name).collect();
    let card = card(source, extension, &names);
    beside_rows.push(("README.md", card));
    for (name, text) in &beside_rows {
        let path = partial.path().join(name);
        fs::write(&path, text).map_err(failed(&path))?;
    }

    let mut files = BTreeMap::new();
    let of_rows = Split::ALL.map(|split| format!("{}.{extension}", split.name()));
    for name in of_rows.into_iter().chain(beside_rows.into_iter().map(|(name, _)| name.to_owned())) {
        let path = partial.path().join(&name);
        files.insert(name, Digested::of(&path).map_err(failed(&path))?);
    }
    let manifest = Manifest {
        tool: manifest::TOOL.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        dataset: source.kind().to_owned(),
        variant: source.variant().to_owned(),
        format: extension.to_owned(),
        config: source.config(),
        examined,
        rows,
        files,
    };
    let text = serde_json::to_string_pretty(&manifest).expect("a manifest is JSON") + "\n";
    let path = partial.path().join(manifest::FILE);
    fs::write(&path, text).map_err(failed(&path))?;
    publish(partial, directory, force).map_err(failed(directory))?;
    Ok(manifest)
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
