//! What can be wrong with a schema.

use crate::pointer;
use std::fmt;

/// One mistake in a schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SchemaError {
    /// JSON Pointer to the offending keyword or subschema; empty for the root.
    pub path: String,
    /// What is wrong and what is allowed.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", pointer::shown(&self.path), self.message)
    }
}

/// Every mistake found in a schema, in the order of their paths; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.line())]
pub struct SchemaErrors(pub(crate) Vec<SchemaError>);

impl SchemaErrors {
    /// The mistakes, sorted by path.
    pub fn iter(&self) -> std::slice::Iter<'_, SchemaError> {
        self.0.iter()
    }

    fn line(&self) -> String {
        match self.0.as_slice() {
            [only] => only.to_string(),
            [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
            [] => "no mistakes".to_owned(),
        }
    }
}

impl<'a> IntoIterator for &'a SchemaErrors {
    type Item = &'a SchemaError;
    type IntoIter = std::slice::Iter<'a, SchemaError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
