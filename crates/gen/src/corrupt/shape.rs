//! What operators know of a data set: which lists hold records and links, what refers to what, and what values there are.
//!
//! A document is an object of lists; a list holds objects. Objects with an identifier are *records*; those that refer to
//! records and have none are *links*, and their references *ends*. Other leaves are *categorical*, of a book of values, or free.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The lists of a document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// In the order of the schema.
    pub lists: Vec<List>,
}

/// One list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// The key that holds it.
    pub key: String,
    /// The identifier of its objects, if they are records.
    pub id: Option<Identifier>,
    /// Their references.
    pub ends: Vec<End>,
    /// Their categorical leaves.
    pub categories: Vec<Category>,
    /// Their other leaves.
    pub free: Vec<Free>,
    /// The end, if any, whose records are each referred to by exactly one link of this list: a new record of that scope gets one too.
    pub one_for_each: Option<String>,
}

/// The leaf that names records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identifier {
    /// The field.
    pub field: String,
    /// The scope of the names.
    pub scope: String,
}

/// A leaf that names a record of a scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The field.
    pub field: String,
    /// Whose records it may name.
    pub scope: String,
}

/// A leaf with a value of a book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// The field.
    pub field: String,
    /// The values.
    pub book: Vec<Value>,
}

/// Any other leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Free {
    /// The field.
    pub field: String,
    /// What new records draw theirs from.
    pub pool: Vec<Value>,
}

impl Shape {
    /// The list of a scope's records.
    pub(super) fn of_scope(&self, scope: &str) -> Option<(usize, &List)> {
        let defines = |list: &List| list.id.as_ref().is_some_and(|id| id.scope == scope);
        self.lists.iter().enumerate().find(|(_, list)| defines(list))
    }
}

impl List {
    /// Whether its objects are links: they refer, and nothing refers to them.
    pub(super) fn is_links(&self) -> bool {
        self.id.is_none() && !self.ends.is_empty()
    }
}
