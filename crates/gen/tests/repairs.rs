//! Repairs and feedback on generated pairs of every operator: the deltas sum up to what the score lacks of 1, a foreign
//! implementation of RFC 6902 reaches exactly 1, and no identifier of the gold shows in any text.

#[path = "../../core/tests/common/repaired.rs"]
mod repaired;

use objalign_core::{Aligner, FeedbackOptions, Granularity, Options, Plan, References, RepairOptions, Style};
use objalign_gen::corrupt::Operators;
use objalign_gen::facts2order::{Facts2Order, INDICES, params::Params as OrderParams, schemas as order_schemas};
use objalign_gen::org2graph::{Org2Graph, params::Params, schemas};
use objalign_gen::streams::stream;
use proptest::prelude::*;
use serde_json::Value;
use std::sync::{Arc, LazyLock};

static GENERATOR: LazyLock<Org2Graph> = LazyLock::new(|| Org2Graph::new(Params::PN).expect("parameters"));
static GRAPHS: LazyLock<Operators> = LazyLock::new(|| Operators::on_graphs(&Arc::new(GENERATOR.shape())));
static ORDERS: LazyLock<Operators> = LazyLock::new(|| Operators::on_orders(INDICES));
static GRAPH_PLAN: LazyLock<Plan> = LazyLock::new(|| Plan::compile(&schemas::ra()).expect("the schema"));

/// What no candidate and no text of this program has in it.
const TOKEN: &str = "\u{a7}gold\u{a7}";

/// The graph with every identifier unmistakable.
fn marked(value: &mut Value) {
    const FIELDS: [&str; 5] = ["id", "person", "company", "source", "target"];
    match value {
        Value::Array(items) => items.iter_mut().for_each(marked),
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                match member {
                    Value::String(id) if FIELDS.contains(&key.as_str()) => *id = format!("{TOKEN}{id}"),
                    _ => marked(member),
                }
            }
        }
        _ => {}
    }
}

/// A gold, and what some operators, one after the other, make of it.
fn pair(instance: u64, damage: &[(usize, u32)]) -> (Value, Value) {
    let mut gold = GENERATOR.instance(1, instance).graph.to_value();
    let mut candidate = gold.clone();
    for (at, &(operator, dose)) in damage.iter().enumerate() {
        let operator = GRAPHS.iter().nth(operator).expect("one of the operators");
        let random = &mut stream(at as u64, instance, operator.name());
        candidate = operator.apply(&candidate, dose, random).expect("a graph").candidate;
    }
    marked(&mut gold);
    (gold, candidate)
}

fn check(instance: u64, damage: &[(usize, u32)]) -> Result<(), String> {
    let (gold, candidate) = pair(instance, damage);
    repaired::check(&GRAPH_PLAN, Options::new(), &gold, &candidate)?;
    let mut aligner = Aligner::new(&GRAPH_PLAN);
    let alignment = aligner.align(&gold, &candidate).map_err(|error| error.to_string())?;
    let mut options = FeedbackOptions::new();
    options.top = None;
    for granularity in [Granularity::Leaf, Granularity::Subtree] {
        options.repairs = RepairOptions::new().granularity(granularity);
        for references in [References::Literal, References::Semantic] {
            options.references = references;
            for style in [Style::Prose, Style::Compact, Style::Json] {
                options.style = style;
                let text = alignment.feedback(&options);
                // Shortened values have either end of an identifier left: one of the two marks is enough.
                if text.contains('\u{a7}') {
                    return Err(format!("{style:?}, {references:?}: {text}"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn every_operator_alone_is_repaired() {
    for operator in 0..GRAPHS.iter().count() {
        for (instance, dose) in [(1, 1), (2, 3), (3, 8)] {
            check(instance, &[(operator, dose)]).unwrap_or_else(|reason| panic!("{operator} at {dose}: {reason}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_mixture_of_operators_is_repaired(
        instance in 0_u64..1000,
        damage in prop::collection::vec((0_usize..8, 1_u32..6), 1..5),
    ) {
        check(instance, &damage).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn orders_are_repaired(instance in 0_u64..1000, operator in 0_usize..5, dose in 1_u32..6) {
        let gold = Facts2Order::new(OrderParams::probe()).expect("parameters").instance(1, instance).gold();
        let operator = ORDERS.iter().nth(operator).expect("one of the operators");
        let outcome = operator.apply(&gold, dose, &mut stream(5, instance, operator.name())).expect("an order");
        let plan = Plan::compile(&order_schemas::sequence()).expect("the schema");
        repaired::check(&plan, Options::new(), &gold, &outcome.candidate).map_err(TestCaseError::fail)?;
    }
}
