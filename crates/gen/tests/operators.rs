//! The laws of the operators: each does what it says, never gives the gold back, stops when exhausted, and its dose can be
//! read back off the candidate.

use objalign_core::{Aligner, Plan};
use objalign_gen::corrupt::{Change, Edit, Misfit, Operator, Operators, Outcome, Shape, kendall, replay};
use objalign_gen::facts2order::{Facts2Order, INDICES, params::Params as OrderParams};
use objalign_gen::org2graph::{Org2Graph, params::Params, schemas};
use objalign_gen::streams::stream;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, LazyLock};

static GENERATOR: LazyLock<Org2Graph> = LazyLock::new(|| Org2Graph::new(Params::PN).expect("parameters"));
static SHAPE: LazyLock<Arc<Shape>> = LazyLock::new(|| Arc::new(GENERATOR.shape()));
static GRAPHS: LazyLock<Operators> = LazyLock::new(|| Operators::on_graphs(&SHAPE));
static ORDERS: LazyLock<Operators> = LazyLock::new(|| Operators::on_orders(INDICES));

fn graph(index: u64) -> Value {
    GENERATOR.instance(1, index).graph.to_value()
}

fn order(index: u64) -> Value {
    Facts2Order::new(OrderParams::probe()).expect("parameters").instance(1, index).gold()
}

fn apply(operators: &Operators, name: &str, gold: &Value, dose: u32, index: u64) -> Outcome {
    let operator = operators.get(name).expect("an operator");
    operator.apply(gold, dose, &mut stream(9, index, name)).expect("a gold of its form")
}

const LISTS: [&str; 5] = ["people", "companies", "employment", "acquaintance", "partnership"];

fn list<'v>(document: &'v Value, key: &str) -> &'v [Value] {
    document[key].as_array().expect("a list")
}

fn links(document: &Value) -> usize {
    LISTS[2..].iter().map(|key| list(document, key).len()).sum()
}

fn records(document: &Value) -> usize {
    LISTS[..2].iter().map(|key| list(document, key).len()).sum()
}

/// The fields of the leaves that differ, in documents whose lists are equally long.
fn differing(gold: &Value, candidate: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for key in LISTS {
        for (one, other) in list(gold, key).iter().zip(list(candidate, key)) {
            let fields = one.as_object().expect("an object").iter();
            found.extend(fields.filter(|(field, value)| other[*field] != **value).map(|(field, _)| field.clone()));
        }
    }
    found
}

/// Ids are distinct, every reference names a record, and no link names one record twice.
fn is_sound(document: &Value) -> bool {
    let ids = |key: &str| list(document, key).iter().map(|record| &record["id"]).collect::<Vec<_>>();
    let (people, companies) = (ids("people"), ids("companies"));
    let distinct = |ids: &[&Value]| ids.iter().collect::<HashSet<_>>().len() == ids.len();
    let all = |key: &str, ends: [(&str, &[&Value]); 2]| {
        list(document, key).iter().all(|link| {
            ends.iter().all(|(field, ids)| ids.contains(&&link[*field])) && link[ends[0].0] != link[ends[1].0]
        })
    };
    distinct(&people)
        && distinct(&companies)
        && all("employment", [("person", &people), ("company", &companies)])
        && all("acquaintance", [("source", &people), ("target", &people)])
        && all("partnership", [("source", &companies), ("target", &companies)])
}

fn distance(gold: &Value, candidate: &Value) -> Option<u64> {
    kendall::distance(list(gold, "indices"), list(candidate, "indices"))
}

fn place(edit: &Edit) -> &String {
    match &edit.changes[..] {
        [Change::Replaced { at, .. }] => at,
        other => panic!("one replacement, not {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// What all of them promise.
    #[test]
    fn replayed_edits_give_the_candidate_and_never_the_gold(index in 0..400_u64, dose in 0..9_u32) {
        for (operators, gold) in [(&*GRAPHS, graph(index)), (&*ORDERS, order(index))] {
            for operator in operators.iter() {
                let outcome = apply(operators, operator.name(), &gold, dose, index);
                prop_assert_eq!(&replay(&gold, &outcome.edits).expect("its own edits"), &outcome.candidate);
                prop_assert_eq!(outcome.candidate == gold, outcome.reached() == 0, "{}", operator.name());
                prop_assert!(outcome.reached() <= dose);
                prop_assert_eq!(&apply(operators, operator.name(), &gold, dose, index), &outcome, "a pure function");
                prop_assert!(outcome.edits.iter().all(|edit| !edit.changes.is_empty()));
            }
        }
    }

    #[test]
    fn graphs_stay_graphs(index in 0..400_u64, dose in 1..9_u32) {
        let gold = graph(index);
        for operator in GRAPHS.iter() {
            let outcome = apply(&GRAPHS, operator.name(), &gold, dose, index);
            prop_assert!(is_sound(&outcome.candidate), "{}: {}", operator.name(), outcome.candidate);
        }
    }

    #[test]
    fn the_dose_of_a_relabel_bounds_the_leaves_that_differ(index in 0..400_u64, dose in 1..9_u32) {
        let gold = graph(index);
        let outcome = apply(&GRAPHS, "categorical_relabel", &gold, dose, index);
        prop_assert_eq!(outcome.reached(), dose);
        let leaves = differing(&gold, &outcome.candidate);
        prop_assert!((1..=dose as usize).contains(&leaves.len()));
        prop_assert!(leaves.iter().all(|field| ["title", "industry", "role", "relation"].contains(&field.as_str())));
        // Read back exactly where no leaf was hit twice.
        let places: BTreeSet<&String> = outcome.edits.iter().map(place).collect();
        if places.len() == dose as usize {
            prop_assert_eq!(leaves.len(), dose as usize);
        }
        for of in &SHAPE.lists {
            let category = &of.categories[0];
            let mut objects = list(&outcome.candidate, &of.key).iter();
            prop_assert!(objects.all(|object| category.book.contains(&object[&category.field])));
        }
    }

    #[test]
    fn the_dose_of_a_rerouting_bounds_the_ends_that_differ(index in 0..400_u64, dose in 1..9_u32) {
        let gold = graph(index);
        let outcome = apply(&GRAPHS, "reference_rerouting", &gold, dose, index);
        // It stops where the end that was drawn has nowhere to go.
        let dose = outcome.reached();
        let leaves = differing(&gold, &outcome.candidate);
        prop_assert!((dose.min(1) as usize..=dose as usize).contains(&leaves.len()));
        prop_assert!(leaves.iter().all(|field| ["source", "target", "person", "company"].contains(&field.as_str())));
        let places: BTreeSet<&String> = outcome.edits.iter().map(place).collect();
        if places.len() == dose as usize {
            prop_assert_eq!(leaves.len(), dose as usize);
        }
    }

    #[test]
    fn the_dose_of_deletions_and_insertions_is_a_count(index in 0..400_u64, dose in 0..40_u32) {
        let gold = graph(index);
        let (of_records, of_links) = (records(&gold), links(&gold));

        let edges = apply(&GRAPHS, "edge_deletion", &gold, dose, index);
        prop_assert_eq!(edges.reached(), dose.min(of_links as u32));
        prop_assert_eq!(links(&edges.candidate), of_links - edges.reached() as usize);
        prop_assert_eq!(records(&edges.candidate), of_records);

        let fewer = apply(&GRAPHS, "record_deletion", &gold, dose, index);
        prop_assert_eq!(fewer.reached(), dose.min(of_records as u32 - 2), "down to one record in each scope");
        prop_assert_eq!(records(&fewer.candidate), of_records - fewer.reached() as usize);
        prop_assert!(LISTS[..2].iter().all(|key| !list(&fewer.candidate, key).is_empty()));

        let dose = dose.min(8);
        let edges = apply(&GRAPHS, "edge_insertion", &gold, dose, index);
        prop_assert_eq!(edges.reached(), dose);
        prop_assert_eq!(links(&edges.candidate), of_links + dose as usize);
        prop_assert_eq!(&edges.candidate["employment"], &gold["employment"]);

        let more = apply(&GRAPHS, "record_insertion", &gold, dose, index);
        prop_assert_eq!(records(&more.candidate), of_records + dose as usize);
        let people = list(&more.candidate, "people").len();
        prop_assert_eq!(list(&more.candidate, "employment").len(), people, "a new person has an employment");
        prop_assert_eq!(links(&more.candidate), of_links + people - list(&gold, "people").len());
    }

    #[test]
    fn harmless_operators_leave_the_score_at_1(index in 0..400_u64) {
        let plan = Plan::compile(&schemas::ra()).expect("a schema");
        let mut aligner = Aligner::new(&plan);
        let gold = graph(index);
        let ids = |document: &Value| -> BTreeSet<String> {
            LISTS[..2].iter().flat_map(|key| list(document, key)).map(|record| record["id"].to_string()).collect()
        };
        for name in ["identifier_relabel", "record_shuffle"] {
            let outcome = apply(&GRAPHS, name, &gold, 3, index);
            prop_assert_eq!(outcome.reached(), 1, "it has no degrees");
            prop_assert_eq!(aligner.align(&gold, &outcome.candidate).expect("valid").score(), 1.0);
        }
        let relabelled = apply(&GRAPHS, "identifier_relabel", &gold, 1, index).candidate;
        prop_assert!(ids(&gold).is_disjoint(&ids(&relabelled)));
        prop_assert_eq!(ids(&apply(&GRAPHS, "record_shuffle", &gold, 1, index).candidate), ids(&gold));
    }

    #[test]
    fn the_dose_of_transpositions_is_read_off_the_kendall_distance(index in 0..400_u64, dose in 1..12_u32) {
        let gold = order(index);
        let outcome = apply(&ORDERS, "adjacent_transposition", &gold, dose, index);
        prop_assert_eq!(outcome.reached(), dose);
        let distance = distance(&gold, &outcome.candidate).expect("an order of the same labels");
        prop_assert!((1..=u64::from(dose)).contains(&distance));
        prop_assert_eq!(distance % 2, u64::from(dose) % 2, "each swap changes it by one");
    }

    #[test]
    fn blocks_keep_the_labels_and_move_them(index in 0..400_u64, dose in 1..4_u32) {
        let gold = order(index);
        for name in ["block_reversal", "block_move"] {
            let outcome = apply(&ORDERS, name, &gold, dose, index);
            prop_assert_eq!(outcome.reached(), dose);
            prop_assert!(distance(&gold, &outcome.candidate).expect("an order of the same labels") >= 1);
        }
        let once = apply(&ORDERS, "block_move", &gold, 1, index).candidate;
        prop_assert!(distance(&gold, &once) >= Some(2), "a block of two or more passes a label or more");
    }

    #[test]
    fn the_dose_of_label_edits_is_a_count(index in 0..400_u64, dose in 0..20_u32) {
        let gold = order(index);
        let all = list(&gold, "indices");
        let fewer = apply(&ORDERS, "label_deletion", &gold, dose, index);
        prop_assert_eq!(fewer.reached(), dose.min(all.len() as u32 - 1), "one label stays");
        let kept = list(&fewer.candidate, "indices");
        prop_assert_eq!(kept.len(), all.len() - fewer.reached() as usize);
        prop_assert!(all.iter().filter(|label| kept.contains(label)).eq(kept), "in their order");
        let more = apply(&ORDERS, "label_insertion", &gold, dose, index);
        let longer = list(&more.candidate, "indices");
        prop_assert_eq!(longer.len(), all.len() + dose as usize);
        prop_assert!(longer.iter().all(|label| all.contains(label)));
    }
}

/// One person, one company, one employment: most operators find nothing to do, and say so.
#[test]
fn operators_stop_when_there_is_nothing_left_to_do() {
    let gold = json!({
        "people": [{"id": "a", "name": "Milo Reyes", "title": "baker"}],
        "companies": [{"id": "b", "name": "Kestrel Labs", "industry": "mining"}],
        "employment": [{"person": "a", "company": "b", "role": "buyer"}],
        "acquaintance": [],
        "partnership": []
    });
    let reached = |name: &str, dose| apply(&GRAPHS, name, &gold, dose, 0).reached();
    for name in ["reference_rerouting", "record_deletion", "edge_insertion", "record_shuffle"] {
        assert_eq!(reached(name, 5), 0, "{name}");
    }
    assert_eq!(reached("edge_deletion", 5), 1);
    for name in ["categorical_relabel", "record_insertion"] {
        assert_eq!(reached(name, 5), 5, "{name}");
    }
    let two = json!({"indices": [2, 1]});
    let reached = |name: &str, dose| apply(&ORDERS, name, &two, dose, 0).reached();
    assert_eq!(reached("adjacent_transposition", 3), 3);
    assert_eq!(reached("adjacent_transposition", 2), 1, "two swaps of two labels are the identity");
    assert_eq!((reached("block_move", 1), reached("block_reversal", 2), reached("label_deletion", 3)), (0, 1, 1));
    let none = json!({"indices": []});
    assert!(ORDERS.iter().all(|operator| apply(&ORDERS, operator.name(), &none, 3, 0).reached() == 0));
}

/// Two values and one leaf: two relabels could only undo each other.
#[test]
fn edits_that_could_only_undo_each_other_are_one_less() {
    let fields = json!({"id": {"type": "integer", "idScope": "part"}, "spare": {"type": "boolean"}});
    let parts = json!({"type": "array", "items": {"type": "object", "properties": fields}});
    let schema = json!({"type": "object", "properties": {"parts": parts}});
    let operators = Operators::on_graphs(&Arc::new(Shape::of_schema(&schema).expect("a shape")));
    let gold = json!({"parts": [{"id": 7, "spare": true}]});
    let outcome = apply(&operators, "categorical_relabel", &gold, 2, 0);
    assert_eq!((outcome.reached(), &outcome.candidate["parts"][0]["spare"]), (1, &json!(false)));
    let renamed = apply(&operators, "identifier_relabel", &gold, 1, 0).candidate;
    assert!(renamed["parts"][0]["id"].is_u64(), "integers stay integers: {renamed}");
}

/// Deleting a record takes all that refers to it, records included.
#[test]
fn deletion_takes_along_what_refers_to_the_record() {
    let node = json!({"id": {"type": "string", "idScope": "node"}, "parent": {"type": "string", "ref": "node"}});
    let note = json!({"about": {"type": "string", "ref": "node"}});
    let of = |fields: Value| json!({"type": "array", "items": {"type": "object", "properties": fields}});
    let schema = json!({"type": "object", "properties": {"nodes": of(node), "notes": of(note)}});
    let operators = Operators::on_graphs(&Arc::new(Shape::of_schema(&schema).expect("a shape")));
    let gold = json!({
        "nodes": [
            {"id": "leaf", "parent": "stem"},
            {"id": "root", "parent": null},
            {"id": "stem", "parent": "root"},
            {"id": "alone", "parent": null}
        ],
        "notes": [{"about": "leaf"}, {"about": "alone"}, {"about": "root"}]
    });
    let mut sizes = BTreeSet::new();
    for index in 0..40 {
        let outcome = apply(&operators, "record_deletion", &gold, 1, index);
        assert_eq!(replay(&gold, &outcome.edits).expect("its own edits"), outcome.candidate);
        let Some(Change::Removed { value, .. }) = outcome.edits[0].changes.last() else {
            panic!("the record goes last: {outcome:?}");
        };
        let removed = value["id"].as_str().expect("an id").to_owned();
        sizes.insert((removed, list(&outcome.candidate, "nodes").len(), list(&outcome.candidate, "notes").len()));
    }
    let expected = [("alone", 3, 2), ("leaf", 3, 2), ("root", 1, 1), ("stem", 2, 2)];
    assert_eq!(sizes, expected.map(|(id, nodes, notes)| (id.to_owned(), nodes, notes)).into());
}

#[test]
fn documents_of_another_form_are_an_error_with_a_place() {
    let error = |operators: &Operators, name: &str, gold: Value| {
        let operator = operators.get(name).expect("an operator");
        operator.apply(&gold, 1, &mut stream(1, 0, "test")).expect_err("another form").to_string()
    };
    assert_eq!(error(&GRAPHS, "edge_deletion", json!({})), "/people: a list should be here");
    let mut gold = graph(0);
    gold["people"][1] = json!("Milo");
    assert_eq!(error(&GRAPHS, "record_shuffle", gold.clone()), "/people/1: an object should be here");
    gold["people"][1] = json!({"name": "Milo"});
    assert_eq!(error(&GRAPHS, "record_shuffle", gold), "/people/1: there is no \"id\"");
    assert_eq!(error(&ORDERS, "block_move", json!({"indices": 3})), "/indices: a list should be here");
}

/// An operator of one's own joins the others, or takes the place of one with its name.
#[test]
fn operators_of_ones_own_join_the_list() {
    struct Own(&'static str);
    impl Operator for Own {
        fn name(&self) -> &str {
            self.0
        }
        fn apply(&self, _: &Value, _: u32, _: &mut dyn rand::Rng) -> Result<Outcome, Misfit> {
            Ok(Outcome { candidate: json!("mine"), edits: Vec::new() })
        }
    }
    let mut operators = Operators::on_graphs(&SHAPE);
    operators.add(Box::new(Own("edge_deletion")));
    operators.add(Box::new(Own("swap_siblings")));
    assert_eq!(operators.iter().count(), 9);
    assert!(operators.names().ends_with("record_shuffle, swap_siblings"));
    for name in ["edge_deletion", "swap_siblings"] {
        assert_eq!(apply(&operators, name, &graph(0), 3, 0).candidate, json!("mine"));
    }
}
