//! The plan: a schema compiled into what the aligner asks at each node. Immutable, shared between threads.

use crate::compare::custom::Comparator;
use crate::compare::number::NumberMetric;
use crate::compare::string::StringMetric;
use crate::document::{Kind, StringId};
use crate::warning::Warning;
use fancy_regex::Regex;
use jsonschema::Validator;
use std::fmt;
use std::sync::Arc;

/// A node of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlanId(pub(crate) u32);

/// The node that compares whatever the schema says nothing about by the defaults of its type.
pub(crate) const DEFAULT_NODE: PlanId = PlanId(0);

/// An identifier scope, by its rank in dependency order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ScopeId(pub(crate) u32);

/// A compiled schema (*Object Aligner*, section III-A and appendix A): what to compare with what, and how.
///
/// ```
/// use objalign_core::Plan;
/// use serde_json::json;
///
/// let plan = Plan::compile(&json!({"type": "array", "order": "align", "items": {"type": "string"}}))?;
/// assert!(plan.warnings().is_empty());
///
/// let mistakes = Plan::compile(&json!({"type": "array", "order": "shuffled"})).unwrap_err();
/// assert_eq!(mistakes.to_string(), r#"/order: order must be fixed or align, not "shuffled""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Plan {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: PlanId,
    /// The keys that the schema declares; an arena for this plan interns them first, so that a key's id is its index.
    pub(crate) keys: Vec<Box<str>>,
    pub(crate) custom_strings: Vec<Arc<dyn Comparator<str>>>,
    pub(crate) custom_integers: Vec<Arc<dyn Comparator<i128>>>,
    pub(crate) custom_numbers: Vec<Arc<dyn Comparator<f64>>>,
    pub(crate) validator: Validator,
    pub(crate) scopes: Vec<Scope>,
    pub(super) warnings: Vec<Warning>,
}

impl Plan {
    /// What the schema says that has no effect (a keyword on the wrong type, say). Never a reason not to score.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    pub(crate) fn scope_ids(&self) -> impl Iterator<Item = ScopeId> + use<> {
        (0..self.scopes.len() as u32).map(ScopeId)
    }

    /// Whether a scope's records refer to their own scope or, through others, to each other.
    pub(crate) fn is_cyclic(&self) -> bool {
        self.scopes.iter().any(|scope| scope.in_cycle)
    }

    pub(crate) fn node(&self, id: PlanId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("nodes", &self.nodes.len())
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

/// How the values at one place of the schema are compared, whatever their type turns out to be.
#[derive(Debug)]
pub(crate) struct Node {
    /// Pointer to the subschema; of the first one where several apply.
    pub(crate) path: Box<str>,
    pub(crate) types: Types,
    /// The score when exactly one side is null, if the schema says one; 0 if not.
    pub(crate) null_score: Option<f64>,
    pub(crate) threshold: f64,
    pub(crate) string: StringMetric,
    pub(crate) number: NumberMetric,
    pub(crate) array: ArrayRule,
    pub(crate) object: ObjectRule,
    pub(crate) role: Role,
    /// Two or more alternatives (`anyOf`, `oneOf`); empty if the node has none.
    pub(crate) branches: Vec<Branch>,
    /// Equal values score 1 here without being looked into.
    pub(crate) reflexive: bool,
    /// An identifier or a reference may stand here or below.
    pub(crate) referential: bool,
    /// An object may stand here or below of whose keys the schema need not say anything.
    pub(crate) silent: bool,
}

/// What a leaf means beside its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Value,
    Identifier(ScopeId),
    Reference(ScopeId),
}

#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) node: PlanId,
    pub(crate) types: Types,
    /// Says whether a value fits; `None` where only the types tell.
    pub(crate) validator: Option<Validator>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Fixed,
    Align,
}

#[derive(Debug)]
pub(crate) struct ArrayRule {
    /// Slots of a tuple with their weights.
    pub(crate) prefix: Vec<(PlanId, f64)>,
    pub(crate) prefix_importance: f64,
    /// The schema of the items after the prefix. `None`: there is none, and what follows a prefix is further slots.
    pub(crate) items: Option<PlanId>,
    pub(crate) rest_importance: f64,
    pub(crate) order: Order,
    pub(crate) ignore_excess: bool,
    pub(crate) ignore_missing: bool,
}

#[derive(Debug)]
pub(crate) struct ObjectRule {
    /// Declared properties in the order of the schema.
    pub(crate) properties: Vec<Property>,
    /// Property indices by key, sorted by key id.
    pub(crate) lookup: Vec<(StringId, u32)>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) additional: Additional,
    pub(crate) key_metric: StringMetric,
    pub(crate) key_threshold: f64,
    pub(crate) key_importance: f64,
    pub(crate) value_importance: f64,
}

#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) key: StringId,
    pub(crate) node: PlanId,
    pub(crate) weight: f64,
}

#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) regex: Regex,
    pub(crate) source: Box<str>,
    pub(crate) node: PlanId,
    pub(crate) weight: f64,
}

/// What an undeclared key is compared by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Additional {
    /// Nothing is said: the defaults, and a warning.
    Undeclared,
    /// A schema; `additionalProperties: true` is one that means the defaults.
    Schema(PlanId, f64),
}

/// Where the records of an identifier scope stand.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) name: Box<str>,
    /// The array whose items are the records.
    pub(crate) list: PlanId,
    /// The first of the scopes that are resolved together with it: those it is in a cycle with. While its records are
    /// paired, references into this scope and all that follow count as right.
    pub(crate) group: ScopeId,
    /// Whether its records refer to it, directly or through other scopes.
    pub(crate) in_cycle: bool,
}

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Types(pub(crate) u8);

impl Types {
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    /// Integers, and the numbers that are none.
    pub(crate) const NUMBER: Self = Self(12);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ALL: Self = Self(127);
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn admits(self, kind: Kind) -> bool {
        self.meets(match kind {
            Kind::Null => Self::NULL,
            Kind::Boolean => Self::BOOLEAN,
            Kind::Number => Self::NUMBER,
            Kind::String => Self::STRING,
            Kind::Array => Self::ARRAY,
            Kind::Object => Self::OBJECT,
        })
    }

    pub(crate) fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }

    pub(crate) fn of(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::NULL,
            serde_json::Value::Bool(_) => Self::BOOLEAN,
            serde_json::Value::Number(number) if number.is_f64() => Self::NUMBER,
            serde_json::Value::Number(_) => Self::INTEGER,
            serde_json::Value::String(_) => Self::STRING,
            serde_json::Value::Array(_) => Self::ARRAY,
            serde_json::Value::Object(_) => Self::OBJECT,
        }
    }

    /// The names of the types, in JSON Schema's words.
    pub(crate) fn names(self) -> Vec<&'static str> {
        if self == Self::ALL {
            return vec!["any"];
        }
        [
            (Self::NULL, "null"),
            (Self::BOOLEAN, "boolean"),
            (Self::STRING, "string"),
            (Self::ARRAY, "array"),
            (Self::OBJECT, "object"),
        ]
        .into_iter()
        .filter(|(bit, _)| self.meets(*bit))
        .map(|(_, name)| name)
        .chain(match self.intersection(Self::NUMBER) {
            Self::NONE => None,
            Self::INTEGER => Some("integer"),
            _ => Some("number"),
        })
        .collect()
    }
}
