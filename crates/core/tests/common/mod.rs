//! What the test files share.

#![allow(dead_code)] // Each test file is a crate of its own and uses a part of this.

use objalign_core::{Aligner, Alignment, Invalid, MatchKind, MatchRef, Options, Plan};
use serde_json::Value;

/// Compiles a schema that is right.
pub(crate) fn plan(schema: &Value) -> Plan {
    Plan::compile(schema).unwrap_or_else(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{all:#?} in {schema}")
    })
}

/// The score of one pair, with the default options.
pub(crate) fn score(schema: &Value, gold: &Value, candidate: &Value) -> f64 {
    let plan = plan(schema);
    let mut aligner = Aligner::new(&plan);
    aligner.align(gold, candidate).unwrap_or_else(|error| panic!("{error}: {schema}")).score()
}

/// The score of one pair, whether or not the candidate fits its schema.
pub(crate) fn worth(schema: &Value, gold: &Value, candidate: &Value) -> f64 {
    let plan = plan(schema);
    let mut aligner = Aligner::with_options(&plan, Options::new().invalid(Invalid::Score));
    aligner.align(gold, candidate).unwrap_or_else(|error| panic!("{error}: {schema}")).score()
}

/// Every node of a match tree, the root first.
pub(crate) fn nodes<'a>(alignment: &'a Alignment<'a>) -> Vec<MatchRef<'a>> {
    let mut found = Vec::new();
    let mut open = vec![alignment.root()];
    while let Some(node) = open.pop() {
        open.extend(node.children());
        found.push(node);
    }
    found
}

/// How many nodes of the match tree are of a kind.
pub(crate) fn count(alignment: &Alignment<'_>, kind: MatchKind) -> usize {
    nodes(alignment).iter().filter(|node| node.kind() == kind).count()
}

/// The mistakes of a schema, as `path: message` lines.
pub(crate) fn mistakes(schema: &Value) -> Vec<String> {
    match Plan::compile(schema) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

pub(crate) fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "expected {expected}, found {found}");
}
