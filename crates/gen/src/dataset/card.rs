//! The card of a data set: for people, and with a head that tells the Hugging Face loader which file is which split.

use super::source::Source;
use super::split::Split;

/// The text of `README.md`.
pub(super) fn card(source: &dyn Source, extension: &str, beside: &[&str]) -> String {
    let (kind, variant) = (source.kind(), source.variant());
    // The loader's name for `val`.
    let files = [(Split::Train, "train"), (Split::Val, "validation"), (Split::Test, "test")]
        .iter()
        .map(|(split, name)| format!("      - split: {name}\n        path: {}.{extension}", split.name()))
        .collect::<Vec<_>>()
        .join("\n");
    let beside = beside.iter().map(|name| format!("- `{name}`")).collect::<Vec<_>>().join("\n");
    format!(
        "\
---
pretty_name: {kind} {variant}
configs:
  - config_name: default
    data_files:
{files}
---

# {kind} {variant}

Made by `objalign generate {kind}`. Rows have `id`, `context` (the text), `gold` (what it says) and `parameters` (what was drawn
for it). Every parameter and the SHA-256 of every file is in `manifest.json`; `objalign verify DIR` reads the texts back and
compares them with the golds.

```python
datasets.load_dataset(\"DIR\")
```

Besides the rows:

{beside}
"
    )
}
