//! Where the rows, the schema and the legend of a data set are: of a directory that [`super::write`] made, or of any other in that form.
//!
//! The form is: a file of rows for each split, `SPLIT.jsonl`, each row with a `gold`; a schema, `schema.ra.json`, `schema.sequence.json` or
//! `schema.json`, the first that is there; and, if there is one, a `legend.json`.

use super::rows::Form;
use std::path::{Path, PathBuf};

/// The schemas that operators can go by, in the order of preference.
const SCHEMAS: [&str; 3] = ["schema.ra.json", "schema.sequence.json", "schema.json"];

/// Files of a data set.
pub struct Layout {
    /// The rows.
    pub rows: PathBuf,
    /// Their form.
    pub form: Form,
    /// The schema.
    pub schema: PathBuf,
    /// The legend.
    pub legend: Option<PathBuf>,
}

/// Finds the files of one split.
///
/// # Errors
///
/// There are no rows or there is no schema: says which names were looked for.
pub fn find(directory: &Path, split: &str, forms: &[Form]) -> Result<Layout, String> {
    let there = |name: &str| Some(directory.join(name)).filter(|path| path.is_file());
    let rows = forms.iter().find_map(|form| Some((there(&format!("{split}.{}", form.extension))?, *form)));
    let (rows, form) = rows.ok_or_else(|| {
        let names: Vec<String> = forms.iter().map(|form| format!("{split}.{}", form.extension)).collect();
        format!("no rows; looked for {}", names.join(", "))
    })?;
    let schema = SCHEMAS.iter().find_map(|name| there(name));
    let schema = schema.ok_or_else(|| format!("no schema; looked for {}", SCHEMAS.join(", ")))?;
    Ok(Layout { rows, form, schema, legend: there("legend.json") })
}
