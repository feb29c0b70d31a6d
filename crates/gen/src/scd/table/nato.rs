//! The NATO spelling words: what is put into cells. There are more than a task needs, and no form has one.

use crate::scd::json::vocabulary::{Kind, VOCABULARY};
use serde_json::Value;
use std::sync::LazyLock;

/// Those of the JSON tasks.
pub(super) static NATO: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| VOCABULARY.planted.of(Kind::String).iter().filter_map(Value::as_str).collect());
