//! Comparators of a user's own, registered by name before a schema is compiled (*Object Aligner*, section III-B).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A similarity of two values: of strings (`V = str`), integers (`V = i128`) or numbers (`V = f64`).
///
/// Every `Fn(&V, &V) -> f64` is one. Results are clamped to [0, 1]; `NaN` counts as 0. A comparator must be a pure
/// function: results are remembered for equal arguments.
pub trait Comparator<V: ?Sized>: Send + Sync {
    /// How alike the two values are, 0 to 1.
    fn similarity(&self, gold: &V, candidate: &V) -> f64;

    /// Whether equal values always score 1. Then equal subtrees need not be looked into, which is faster; the default
    /// makes no such promise.
    fn is_reflexive(&self) -> bool {
        false
    }
}

impl<V: ?Sized, F: Fn(&V, &V) -> f64 + Send + Sync> Comparator<V> for F {
    fn similarity(&self, gold: &V, candidate: &V) -> f64 {
        self(gold, candidate)
    }
}

/// The comparators that a schema's `score` may name beside the built-in ones.
///
/// ```
/// use objalign_core::{Comparators, Plan, Aligner};
/// use serde_json::json;
///
/// let comparators = Comparators::new()
///     .string("same_length", |a: &str, b: &str| if a.len() == b.len() { 1.0 } else { 0.0 });
/// let plan = Plan::compile_with(&json!({"type": "string", "score": "same_length"}), &comparators)?;
/// let mut aligner = Aligner::new(&plan);
/// assert_eq!(aligner.align(&json!("abc"), &json!("xyz"))?.score(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Comparators {
    pub(crate) strings: BTreeMap<String, Arc<dyn Comparator<str>>>,
    pub(crate) integers: BTreeMap<String, Arc<dyn Comparator<i128>>>,
    pub(crate) numbers: BTreeMap<String, Arc<dyn Comparator<f64>>>,
}

impl Comparators {
    /// None but the built-in ones.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a comparator of strings. A built-in name is hidden by it; an earlier one of that name is replaced.
    #[must_use]
    pub fn string(mut self, name: impl Into<String>, comparator: impl Comparator<str> + 'static) -> Self {
        self.strings.insert(name.into(), Arc::new(comparator));
        self
    }

    /// Registers a comparator of integers: where `type` is `integer`, this register is searched before that of numbers.
    /// A value that is no integer, or none that an `i128` holds, scores 0 under it.
    #[must_use]
    pub fn integer(mut self, name: impl Into<String>, comparator: impl Comparator<i128> + 'static) -> Self {
        self.integers.insert(name.into(), Arc::new(comparator));
        self
    }

    /// Registers a comparator of numbers.
    #[must_use]
    pub fn number(mut self, name: impl Into<String>, comparator: impl Comparator<f64> + 'static) -> Self {
        self.numbers.insert(name.into(), Arc::new(comparator));
        self
    }
}

impl fmt::Debug for Comparators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparators")
            .field("strings", &self.strings.keys())
            .field("integers", &self.integers.keys())
            .field("numbers", &self.numbers.keys())
            .finish()
    }
}

/// A user's result made safe: in [0, 1], `NaN` as 0.
pub(crate) fn clamp(similarity: f64) -> f64 {
    if similarity.is_nan() { 0.0 } else { similarity.clamp(0.0, 1.0) }
}
