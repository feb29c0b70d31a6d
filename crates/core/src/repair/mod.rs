//! Repairs: the operations that turn a candidate into one that scores 1, read from the match tree (*Object Aligner*,
//! section III-F).
//!
//! | room | what |
//! |---|---|
//! | [`collect`] | from the match tree to the edits it asks for, with what each recovers |
//! | [`identity`] | which record of the candidate stands for which of the gold, and under which identifier |
//! | [`place`] | from edits to operations: their order, and their paths at the moment of application |
//! | [`apply`] | the operations applied to a document |
//! | [`exact`] | what the first k operations recover when they are scored again |
//! | [`attribution`] | what each location costs |
//!
//! **Contract.** The deltas of all repairs sum to 1 less the score. All repairs, applied in the order of the list by any
//! implementation of RFC 6902, give a document that scores exactly 1; neither document is ever written to. Operations
//! that recover nothing by themselves and are needed for that all the same come last. The cost is linear in the match
//! tree, plus for each operation the length of its path and of the list it works on.

mod apply;
mod attribution;
mod collect;
mod exact;
mod identity;
mod place;

pub use apply::{ApplyError, apply};
pub(crate) use collect::find;
pub use exact::ExactError;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::fmt;

/// What an operation does; the words of RFC 6902.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RepairOp {
    /// A value comes.
    Add,
    /// A value goes.
    Remove,
    /// A value takes the place of another.
    Replace,
    /// A value goes to another place.
    Move,
}

impl RepairOp {
    /// The name that RFC 6902 gives the operation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Replace => "replace",
            Self::Move => "move",
        }
    }
}

impl fmt::Display for RepairOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is wrong that an operation puts right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RepairKind {
    /// A string, number or boolean is not the one that is expected.
    PrimitiveReplace,
    /// Exactly one side is null.
    NullReplace,
    /// The value is of another JSON type than expected.
    TypeReplace,
    /// An object lacks a key.
    KeyAdd,
    /// An object has a key too many.
    KeyRemove,
    /// A key is spelled differently.
    KeyRename,
    /// A list lacks an item.
    ItemAdd,
    /// A list has an item too many.
    ItemRemove,
    /// An item of an ordered list is present but out of place.
    ItemMove,
    /// A reference means another record than it should; the record that it should mean is there.
    RefFix,
    /// A reference means a record that the candidate lacks: it comes with that record's `item_add`, which is listed before.
    RefUnresolved,
    /// A list item that is wrong in some part is replaced as a whole ([`Granularity::Subtree`] only), or, where no smaller
    /// operations lead to a score of 1, the document is.
    SubtreeReplace,
    /// The candidate does not fit its schema, and therefore scored 0 whatever it is worth. One repair has this kind: the
    /// one that puts right the place of the fault (if several do, the one that recovers most). Its delta is what the
    /// validity of the whole candidate is worth, on top of its own.
    Invalid,
}

impl RepairKind {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::PrimitiveReplace,
        Self::NullReplace,
        Self::TypeReplace,
        Self::KeyAdd,
        Self::KeyRemove,
        Self::KeyRename,
        Self::ItemAdd,
        Self::ItemRemove,
        Self::ItemMove,
        Self::RefFix,
        Self::RefUnresolved,
        Self::SubtreeReplace,
        Self::Invalid,
    ];

    /// A stable name for programs, in `snake_case`.
    pub fn name(self) -> &'static str {
        match self {
            Self::PrimitiveReplace => "primitive_replace",
            Self::NullReplace => "null_replace",
            Self::TypeReplace => "type_replace",
            Self::KeyAdd => "key_add",
            Self::KeyRemove => "key_remove",
            Self::KeyRename => "key_rename",
            Self::ItemAdd => "item_add",
            Self::ItemRemove => "item_remove",
            Self::ItemMove => "item_move",
            Self::RefFix => "ref_fix",
            Self::RefUnresolved => "ref_unresolved",
            Self::SubtreeReplace => "subtree_replace",
            Self::Invalid => "invalid",
        }
    }
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One operation on the candidate, in the vocabulary of RFC 6902, and what it is for.
///
/// Serialises to `op`, `path`, `from`, `value`, `kind`, `delta` and `confidence`, which is a JSON Patch with three members
/// more; reads back from the same, and from a plain JSON Patch of these four operations (whose `kind` then says nothing).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Repair {
    /// What to do.
    pub op: RepairOp,
    /// JSON Pointer to where, in the document as the operations before this one left it.
    pub path: String,
    /// Moves: JSON Pointer to where the value was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Additions and replacements: the new value. Identifiers and references in it are the candidate's own.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub value: Option<Value>,
    /// What is wrong.
    #[serde(default = "unknown_kind")]
    pub kind: RepairKind,
    /// The score that this recovers under the pairing behind the score, in [0, 1]. The deltas of all repairs sum to 1 less
    /// the score. With [`RepairOptions::exact`], what it recovers when it is applied in its turn, which may be below 0.
    #[serde(default)]
    pub delta: f64,
    /// How clear the pairing was that this rests on, in [0, 1]: that of the nearest pair at or above the place. `None` unless
    /// [`Options`](crate::Options) ask for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The kind that it would have if the candidate fitted its schema: that of [`Repair::kind`], but for
    /// [`RepairKind::Invalid`].
    #[serde(skip, default = "unknown_kind")]
    pub remedy: RepairKind,
    /// List items that come or move: the index that the item has in the end. `None` where the order does not count.
    #[serde(skip)]
    pub index: Option<usize>,
    /// JSON Pointer into the original candidate: what is wrong, or for what is missing the object or list that lacks it.
    /// `None` only for a repair that was read back.
    #[serde(skip)]
    pub at: Option<String>,
    /// JSON Pointer into the gold: what is expected. `None` for what is in excess.
    #[serde(skip)]
    pub gold_path: Option<String>,
    /// The expected value as the gold has it, its own identifiers and all: not to be shown to a model.
    #[serde(skip)]
    pub gold: Option<Value>,
    /// The candidate's value.
    #[serde(skip)]
    pub candidate: Option<Value>,
    /// References: the name of the scope.
    #[serde(skip)]
    pub scope: Option<String>,
    /// References: JSON Pointer into the original candidate, to the record that is meant. `None` if the candidate lacks it.
    #[serde(skip)]
    pub record: Option<String>,
    /// References: JSON Pointer into the gold, to the record that is meant.
    #[serde(skip)]
    pub gold_record: Option<String>,
    /// References: JSON Pointer into the original candidate, to the record that it means as it stands. `None` if there is
    /// none of that identifier.
    #[serde(skip)]
    pub named_record: Option<String>,
}

/// Tells a value of null from no value.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A plain JSON Patch says nothing of kinds.
fn unknown_kind() -> RepairKind {
    RepairKind::SubtreeReplace
}

/// How much one operation replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Granularity {
    /// The least that is wrong: a leaf, a key, an item.
    #[default]
    Leaf,
    /// An object or array that is an item of a list is replaced as a whole if a part of it is wrong that is in no such item
    /// further down. What is in no list is repaired as with [`Granularity::Leaf`].
    Subtree,
}

/// What repairs are listed by, the greatest first. Ties go by path (in the original candidate, or where the addition goes),
/// operation and kind. An operation that needs another (the key it writes to must be free, the record it mentions must be
/// there) waits for it; operations of delta 0 come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rank {
    /// The score recovered.
    #[default]
    Delta,
    /// The score recovered times the confidence; a confidence that was not measured counts as 1.
    DeltaConfidence,
    /// The confidence.
    Confidence,
}

/// Which repairs to list, and how.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct RepairOptions {
    /// How much one operation replaces.
    pub granularity: Granularity,
    /// Leave out what recovers less than this, unless an operation that stays needs it. With the default of 0 nothing is
    /// left out.
    pub min_delta: f64,
    /// List this many at most.
    pub top_k: Option<usize>,
    /// The order.
    pub rank: Rank,
    /// Measure what each operation recovers by applying it and scoring again, see [`Aligner::exact_deltas`]. One alignment
    /// an operation. What is listed, and in which order, stays as it is without.
    ///
    /// [`Aligner::exact_deltas`]: crate::Aligner::exact_deltas
    pub exact: bool,
}

impl RepairOptions {
    /// The defaults: every operation, on leaves, by the score it recovers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how much one operation replaces.
    #[must_use]
    pub fn granularity(mut self, granularity: Granularity) -> Self {
        self.granularity = granularity;
        self
    }

    /// Sets the least delta.
    #[must_use]
    pub fn min_delta(mut self, min_delta: f64) -> Self {
        self.min_delta = min_delta;
        self
    }

    /// Sets how many to list at most.
    #[must_use]
    pub fn top_k(mut self, top_k: usize) -> Self {
        self.top_k = Some(top_k);
        self
    }

    /// Sets the order.
    #[must_use]
    pub fn rank(mut self, rank: Rank) -> Self {
        self.rank = rank;
        self
    }

    /// Sets whether deltas are measured by scoring again.
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }
}
