//! Writing a data set of splits: rows to their files, and what goes beside them.

use super::card::card;
use super::config::Splits;
use super::directory::Draft;
pub use super::directory::WriteError;
use super::manifest::Manifest;
use super::rows::{Form, RowWriter};
use super::source::Source;
use super::split::{self, Split, SplitError};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

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
    let draft = Draft::begin(directory, force)?;
    let failed = draft.failed();
    let extension = form.extension;
    let file_of = |split: Split| format!("{}.{extension}", split.name());
    let open = |split: Split| -> Result<Box<dyn RowWriter>, WriteError> {
        let path = draft.path(&file_of(split));
        File::create(&path).and_then(form.create).map_err(|error| WriteError::Io { path, error })
    };
    let mut writers = [open(Split::Train)?, open(Split::Val)?, open(Split::Test)?];
    let strata = source.strata();
    let mut rows: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for split in Split::ALL {
        rows.insert(split.name().to_owned(), strata.iter().map(|stratum| (stratum.clone(), 0)).collect());
    }
    let examined = split::fill(source, splits, |split, example| {
        writers[split as usize].write(example).map_err(&failed)?;
        *rows.entry(split.name().to_owned()).or_default().entry(strata[example.stratum].clone()).or_insert(0) += 1;
        progress();
        Ok(())
    })
    .map_err(|error| match error {
        SplitError::Row(error) => error,
        exhausted @ SplitError::Exhausted { .. } => WriteError::Exhausted(exhausted.to_string()),
    })?;
    for writer in writers {
        writer.finish().map_err(&failed)?;
    }
    let mut beside_rows = source.files();
    let names: Vec<&str> = beside_rows.iter().map(|(name, _)| *name).collect();
    let card = card(source, extension, &names);
    beside_rows.push(("README.md", card));
    for (name, text) in &beside_rows {
        draft.add(name, text)?;
    }
    let names: Vec<String> =
        Split::ALL.map(file_of).into_iter().chain(beside_rows.iter().map(|(name, _)| (*name).to_owned())).collect();
    let manifest = Manifest::new(source.kind(), source.variant(), extension, source.config());
    draft.finish(&names, Manifest { examined, rows, ..manifest })
}
