//! Repairs: on every pair the deltas sum up to what the score lacks of 1, and all operations, applied by a foreign
//! implementation of RFC 6902, reach exactly 1.

mod common;
mod graphs;
#[path = "common/repaired.rs"]
mod repaired;
#[path = "common/tape.rs"]
mod tape;

use common::plan;
use graphs::{Graph, Random, document};
use objalign_core::{
    Aligner, Confidence, Invalid, Options, Plan, Rank, Repair, RepairKind, RepairOptions, Structure, apply,
};
use proptest::prelude::*;
use repaired::check;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tape::{Tape, tapes};

fn config() -> ProptestConfig {
    let cases = std::env::var("CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(150);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 4000, ..ProptestConfig::default() }
}

fn both_ways(schema: &Value, plan: &Plan, gold: &Value, candidate: &Value) -> Result<(), TestCaseError> {
    let blend = Options::new().structure(Structure::Blend(0.5));
    for options in [Options::new(), Options::new().invalid(Invalid::Score), blend] {
        if let Err(reason) = check(plan, options, gold, candidate) {
            let message = format!("{reason}\nschema {schema}\ngold {gold}\ncandidate {candidate}");
            return Err(TestCaseError::fail(message));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_pairs_are_repaired(numbers in tapes()) {
        let mut tape = Tape::new(numbers);
        let shape = tape.any_root();
        let plan = plan(&shape.schema);
        let gold = shape.draw(&mut tape);
        let candidate = tape.damage(&gold);
        if Aligner::new(&plan).align(&gold, &gold).is_ok() {
            both_ways(&shape.schema, &plan, &gold, &candidate)?;
        }
    }

    #[test]
    fn random_records_are_repaired(numbers in tapes()) {
        let (schema, gold, candidate) = records(&mut Tape::new(numbers));
        let plan = plan(&schema);
        both_ways(&schema, &plan, &gold, &candidate)?;
        // The gold's identifiers and the candidate's are told apart by their spelling, where they are texts.
        let mut aligner = Aligner::new(&plan);
        for repair in aligner.align(&gold, &candidate).expect("a pair").repairs(&RepairOptions::new()) {
            let value = repair.value.map_or(String::new(), |value| value.to_string());
            prop_assert!(!value.contains("\"g") && !value.contains("\"desk "), "{} {}", repair.path, value);
            let places = [repair.at.unwrap_or_default(), repair.record.unwrap_or_default()];
            prop_assert!(places.iter().all(|place| candidate.pointer(place).is_some()), "{:?}", places);
        }
    }
}

/// Records of two scopes, one spread over several lists, that refer to each other from everywhere, and what damage makes of
/// them. Lists in order or not; identifiers texts or numbers.
fn records(tape: &mut Tape) -> (Value, Value, Value) {
    let id = if tape.one_in(2) { "integer" } else { "string" };
    let order = |tape: &mut Tape| if tape.one_in(2) { "fixed" } else { "align" };
    let mut people = json!({"type": "array", "order": order(tape), "items": {"type": "object", "properties": {
        "id": {"type": id, "idScope": "person"},
        "name": {"type": "string"},
        "boss": {"type": [id, "null"], "ref": "person", "nullScore": ([0.0, 0.5][tape.below(2)])},
        "desk": {"type": "string", "ref": "desk"}
    }}});
    match tape.below(6) {
        4 => people["ignoreExcess"] = json!(true),
        5 => people["ignoreMissing"] = json!(true),
        _ => {}
    }
    let schema = json!({"type": "object", "properties": {
        "people": people,
        "rooms": {"type": "array", "order": order(tape), "items": {"type": "object", "properties": {
            "title": {"type": "string", "score": "exact"},
            "desks": {"type": "array", "order": order(tape), "items": {"type": "object", "properties": {
                "key": {"type": "string", "idScope": "desk"},
                "legs": {"type": "integer", "score": "exact"},
                "of": {"type": id, "ref": "person"}
            }}}
        }}},
        "knows": {"type": "array", "order": order(tape), "items": {"type": "object", "properties": {
            "a": {"type": id, "ref": "person"}, "b": {"type": id, "ref": "person"}
        }, "keyImportance": tape.below(2)}},
        "rota": {"type": "array", "order": order(tape), "items": {"type": id, "ref": "person"}},
        "lead": {"anyOf": [{"type": id, "ref": "person"}, {"type": "object", "properties": {
            "who": {"type": id, "ref": "person"}, "since": {"type": "integer"}}}]}
    }});
    let (n, rooms) = (1 + tape.below(5), tape.below(3));
    let mut number = 0;
    let desks: Vec<usize> = (0..rooms).map(|_| tape.below(4)).collect();
    let desk_count: usize = desks.iter().sum();
    let person = |at: usize| if id == "integer" { json!(at + 40) } else { json!(format!("g{at}")) };
    let name = |tape: &mut Tape| Value::from(["Ann", "Bob", "Ann", "Cyd"][tape.below(4)]);
    let mut gold = json!({});
    gold["people"] = (0..n)
        .map(|at| {
            let mut record = json!({"id": person(at), "name": name(tape)});
            match tape.below(4) {
                0 => {}
                1 => record["boss"] = json!(null),
                _ => record["boss"] = person(tape.below(n)),
            }
            if desk_count > 0 && tape.one_in(2) {
                record["desk"] = json!(format!("desk {}", tape.below(desk_count)));
            }
            record
        })
        .collect();
    gold["rooms"] = desks
        .iter()
        .map(|&count| {
            let desks: Vec<Value> = (0..count)
                .map(|_| {
                    number += 1;
                    json!({"key": format!("desk {}", number - 1), "legs": tape.below(2), "of": person(tape.below(n))})
                })
                .collect();
            json!({"title": name(tape), "desks": desks})
        })
        .collect();
    let knows = tape.below(5);
    gold["knows"] = (0..knows).map(|_| json!({"a": person(tape.below(n)), "b": person(tape.below(n))})).collect();
    let rota = tape.below(4);
    gold["rota"] = (0..rota).map(|_| person(tape.below(n))).collect();
    gold["lead"] = match tape.below(3) {
        0 => person(tape.below(n)),
        1 => json!({"who": person(tape.below(n)), "since": 4}),
        _ => json!({"who": person(tape.below(n))}),
    };
    let mut candidate = gold.clone();
    rename(&mut candidate, &mut BTreeMap::new());
    if tape.one_in(2) {
        candidate = tape.reorder(&candidate, true);
    }
    let rounds = tape.below(3);
    for _ in 0..rounds {
        // Something local: most of the time the rest is to stay comparable.
        let keys: Vec<String> = candidate.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
        if let Some(key) = keys.get(tape.below(keys.len().max(1))) {
            candidate[key] = tape.damage(&candidate[key]);
        }
    }
    if tape.one_in(4) {
        candidate = tape.damage(&candidate);
    }
    (schema, gold, candidate)
}

/// Every identifier and reference under another name.
fn rename(value: &mut Value, names: &mut BTreeMap<String, Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        Value::Object(members) => {
            members.iter_mut().for_each(|(_, member)| rename(member, names));
        }
        Value::Number(number) if number.as_i64() >= Some(40) => *value = json!(number.as_i64().unwrap_or(0) + 7),
        Value::String(text) if text.starts_with('g') => {
            let next = json!(format!("p{:02}", names.len() + 1));
            *value = names.entry(text.clone()).or_insert(next).clone();
        }
        Value::String(text) if text.starts_with("desk ") => *text = text.replace("desk ", "table-"),
        _ => {}
    }
}

#[test]
fn conformance_rows_are_repaired() {
    let files = [
        include_str!("data/values.jsonl"),
        include_str!("data/references.jsonl"),
        include_str!("data/symmetric.jsonl"),
    ];
    for line in files.iter().flat_map(|file| file.lines()) {
        let row: Value = serde_json::from_str(line).expect("a row");
        let plan = plan(&row["schema"]);
        check(&plan, Options::new(), &row["gold"], &row["pred"])
            .unwrap_or_else(|reason| panic!("{}: {reason}", row["id"]));
    }
}

fn repairs(schema: &Value, gold: &Value, candidate: &Value) -> Vec<Repair> {
    let plan = plan(schema);
    check(&plan, Options::new(), gold, candidate).unwrap_or_else(|reason| panic!("{reason}"));
    Aligner::new(&plan).align(gold, candidate).expect("a pair").repairs(&RepairOptions::new())
}

/// The operations as `op path <from = value: kind` lines.
fn lines(repairs: &[Repair]) -> Vec<String> {
    let line = |repair: &Repair| {
        let from = repair.from.as_ref().map_or(String::new(), |from| format!(" < {from}"));
        let value = repair.value.as_ref().map_or(String::new(), |value| format!(" = {value}"));
        format!("{} {}{from}{value}: {}", repair.op, repair.path, repair.kind)
    };
    repairs.iter().map(line).collect()
}

#[test]
fn an_item_out_of_place_moves() {
    let schema = json!({"type": "array", "items": {"type": "string", "score": "exact"}});
    let found = repairs(&schema, &json!(["a", "b", "c", "d"]), &json!(["d", "a", "x", "b", "c"]));
    assert_eq!(lines(&found), ["move /4 < /0: item_move", "remove /1: item_remove"]);
    assert_eq!(found[0].at.as_deref(), Some("/0"));
    assert_eq!(found[0].gold_path.as_deref(), Some("/3"));
}

#[test]
fn a_key_is_free_before_another_takes_it() {
    let schema = json!({"type": "object", "keyImportance": 1, "keyThreshold": 0.85, "additionalProperties": {"type": "integer"}});
    let found = repairs(&schema, &json!({"zyxwvu": 1, "yxwvut": 2}), &json!({"yxwvut": 1, "xwvuts": 2}));
    assert_eq!(lines(&found), ["move /zyxwvu < /yxwvut: key_rename", "move /yxwvut < /xwvuts: key_rename"]);
}

fn team() -> Value {
    json!({"type": "object", "properties": {
        "people": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "id": {"type": "string", "idScope": "person"}, "name": {"type": "string", "score": "exact"}}}},
        "lead": {"type": "string", "ref": "person"},
        "deputy": {"type": "string", "ref": "person"}
    }})
}

#[test]
fn a_missing_record_comes_before_the_references_to_it() {
    let gold =
        json!({"people": [{"id": "g1", "name": "Ann"}, {"id": "g2", "name": "Bob"}], "lead": "g2", "deputy": "g1"});
    let candidate = json!({"people": [{"id": "p7", "name": "Ann"}], "lead": "p7", "deputy": "nobody"});
    let found = repairs(&team(), &gold, &candidate);
    assert_eq!(
        lines(&found),
        [
            r#"replace /deputy = "p7": ref_fix"#,
            r#"add /people/1 = {"id":"p8","name":"Bob"}: item_add"#,
            r#"replace /lead = "p8": ref_unresolved"#,
        ]
    );
    assert_eq!(found[0].record.as_deref(), Some("/people/0"));
    assert_eq!(found[0].scope.as_deref(), Some("person"));
    assert_eq!((found[2].record.as_deref(), found[2].scope.as_deref()), (None, Some("person")));
    assert_eq!(found[2].gold, Some(json!("g2")));
    assert_eq!(found[2].candidate, Some(json!("p7")));
}

#[test]
fn two_records_of_one_identifier_are_told_apart_where_references_need_it() {
    let gold =
        json!({"people": [{"id": "g1", "name": "Ann"}, {"id": "g2", "name": "Bob"}], "lead": "g2", "deputy": "g1"});
    let candidate =
        json!({"people": [{"id": "p", "name": "Ann"}, {"id": "p", "name": "Bob"}], "lead": "p", "deputy": "p"});
    let found = repairs(&team(), &gold, &candidate);
    assert_eq!(
        lines(&found),
        [r#"replace /lead = "new-1": ref_fix"#, r#"replace /people/1/id = "new-1": primitive_replace"#]
    );
}

#[test]
fn twins_are_paired_as_references_mean_them() {
    let twins =
        |a: &str, b: &str| json!([{"id": a, "name": "Ann"}, {"id": b, "name": "Ann"}, {"id": "p", "name": "Bob"}]);
    let gold = json!({"people": twins("g1", "g2"), "lead": "g2", "deputy": "p"});
    let candidate = json!({"people": twins("p1", "p2"), "lead": "p1", "deputy": "p1"});
    let found = repairs(&team(), &gold, &candidate);
    assert_eq!(lines(&found), [r#"replace /deputy = "p": ref_fix"#]);
}

#[test]
fn damaged_symmetric_graphs_are_repaired() {
    let plan = plan(&graphs::schema());
    let mut random = Random(23);
    let families: [Graph; 6] = [
        graphs::disjoint_edges(6),
        graphs::cycle(9, false),
        graphs::copies(&graphs::cycle(3, true), 3),
        graphs::petersen(),
        graphs::complete_bipartite(3, 3),
        graphs::cubic(12, 5),
    ];
    for graph in families {
        for _ in 0..2 {
            let (gold, mut candidate) = (document(&graph, &mut random), document(&graph, &mut random));
            for _ in 0..=random.below(3) {
                let list = ["nodes", "links"][random.below(2)];
                let items = candidate[list].as_array_mut().expect("a list");
                let at = random.below(items.len());
                if list == "links" && random.below(2) == 0 {
                    let other = items[random.below(items.len())]["from"].clone();
                    items[at]["to"] = other;
                } else {
                    items.remove(at);
                }
            }
            for options in [Options::new(), Options::new().budget(3), Options::new().structure(Structure::Blend(0.5))] {
                check(&plan, options, &gold, &candidate)
                    .unwrap_or_else(|reason| panic!("{}: {reason}\n{gold}\n{candidate}", graph.name));
            }
        }
    }
}

#[test]
fn what_costs_nothing_is_left_alone() {
    let schema = json!({"type": "object", "properties": {
        "tags": {"type": "array", "ignoreExcess": true, "order": "align", "items": {"type": "string", "score": "exact"}},
        "note": {"type": "string", "valueWeight": 0},
        "n": {"type": "integer"}
    }});
    let gold = json!({"tags": ["a", "b"], "note": "x", "n": 1});
    let found = repairs(&schema, &gold, &json!({"tags": ["b", "c", "a"], "note": "y", "n": 2}));
    assert_eq!(lines(&found), ["replace /n = 1: primitive_replace"]);
    assert_eq!(repairs(&schema, &gold, &json!({"tags": ["b", "c", "a"], "note": "y", "n": 1})), []);
}

#[test]
fn an_invalid_candidate_has_one_repair_that_says_so() {
    let schema = json!({"type": "object", "required": ["a", "b"], "properties": {
        "a": {"type": "integer"}, "b": {"type": "integer"}, "note": {"type": "string", "valueWeight": 0}}});
    let gold = json!({"a": 1, "b": 2, "note": "x"});
    let found = repairs(&schema, &gold, &json!({"a": 1, "note": "y"}));
    assert_eq!(lines(&found), ["add /b = 2: invalid", r#"replace /note = "x": primitive_replace"#]);
    assert_eq!((found[0].delta, found[1].delta), (1.0, 0.0));
    assert_eq!(found[0].at.as_deref(), Some(""));
}

#[test]
fn the_first_few_apply_by_themselves() {
    let schema = json!({"type": "array", "items": {"type": "object", "properties": {
        "a": {"type": "string", "score": "exact"}, "b": {"type": "string", "score": "exact"}}}});
    let gold = json!([{"a": "1", "b": "2"}, {"a": "3", "b": "4"}, {"a": "5", "b": "6"}]);
    let candidate = json!([{"a": "9", "b": "9"}, {"a": "1", "b": "x"}, {"a": "y", "b": "6"}]);
    let plan = plan(&schema);
    let mut aligner = Aligner::with_options(&plan, Options::new().confidence(Confidence::Margin));
    let alignment = aligner.align(&gold, &candidate).expect("a pair");
    let all = alignment.repairs(&RepairOptions::new());
    for k in 0..=all.len() {
        let first = alignment.repairs(&RepairOptions::new().top_k(k));
        assert_eq!(first, all[..k]);
        apply(&candidate, &first).expect("they fit");
    }
    for rank in [Rank::Delta, Rank::DeltaConfidence, Rank::Confidence] {
        let ranked = alignment.repairs(&RepairOptions::new().rank(rank));
        let worth = |repair: &Repair| match rank {
            Rank::Delta => repair.delta,
            Rank::DeltaConfidence => repair.delta * repair.confidence.unwrap_or(1.0),
            Rank::Confidence => repair.confidence.unwrap_or(1.0),
        };
        assert!(ranked.windows(2).all(|pair| worth(&pair[0]) >= worth(&pair[1])), "{rank:?}");
        let repaired = apply(&candidate, &ranked).expect("they fit");
        assert_eq!(Aligner::new(&plan).align(&gold, &repaired).expect("a pair").score(), 1.0);
    }
    let large = alignment.repairs(&RepairOptions::new().min_delta(0.2));
    assert!(!large.is_empty() && large.len() < all.len() && large.iter().all(|repair| repair.delta >= 0.2));
}

#[test]
fn repairs_are_a_json_patch_and_read_back() {
    let found = repairs(
        &json!({"properties": {"a": {"type": ["integer", "null"]}}}),
        &json!({"a": 1}),
        &json!({"a": null, "b": 1}),
    );
    let written = serde_json::to_value(&found).expect("JSON");
    assert_eq!(
        written,
        json!([
            {"op": "replace", "path": "/a", "value": 1, "kind": "null_replace", "delta": 0.5},
            {"op": "remove", "path": "/b", "kind": "key_remove", "delta": 0.5}
        ])
    );
    let read: Vec<Repair> = serde_json::from_value(written).expect("repairs");
    assert_eq!(apply(&json!({"a": null, "b": 1}), &read), Ok(json!({"a": 1})));
    let plain: Repair = serde_json::from_value(json!({"op": "replace", "path": "/a", "value": null})).expect("a patch");
    assert_eq!(apply(&json!({"a": 1}), &[plain]), Ok(json!({"a": null})));
}

#[test]
fn operations_that_do_not_fit_are_refused_with_their_place() {
    let document = json!({"list": [1, 2], "leaf": 3, "a/b": {"~": 4}});
    let refusal = |operation: Value| {
        let repair: Repair = serde_json::from_value(operation).expect("an operation");
        apply(&document, &[repair]).expect_err("no such place").to_string()
    };
    assert_eq!(refusal(json!({"op": "remove", "path": "/list/2"})), "operation 1 (remove /list/2): nothing is there");
    assert_eq!(
        refusal(json!({"op": "add", "path": "/list/3", "value": 1})),
        "operation 1 (add /list/3): the list has no such place"
    );
    assert_eq!(
        refusal(json!({"op": "add", "path": "/leaf/x", "value": 1})),
        "operation 1 (add /leaf/x): the value above is neither a list nor an object"
    );
    assert_eq!(
        refusal(json!({"op": "add", "path": "/none/x", "value": 1})),
        "operation 1 (add /none/x): nothing is there to add to"
    );
    assert_eq!(
        refusal(json!({"op": "replace", "path": "/list/01", "value": 1})),
        "operation 1 (replace /list/01): nothing is there"
    );
    assert_eq!(
        refusal(json!({"op": "replace", "path": "/leaf"})),
        "operation 1 (replace /leaf): the operation has no value"
    );
    assert_eq!(
        refusal(json!({"op": "move", "path": "/leaf"})),
        "operation 1 (move /leaf): the operation has no source"
    );
    assert_eq!(
        refusal(json!({"op": "move", "from": "/list", "path": "/list/0"})),
        "operation 1 (move /list/0): a value cannot move into itself"
    );
    assert_eq!(
        refusal(json!({"op": "remove", "path": ""})),
        "operation 1 (remove (root)): the whole document cannot be removed"
    );
    assert_eq!(refusal(json!({"op": "remove", "path": "x"})), "operation 1 (remove x): a JSON Pointer starts with /");
    let moved: Repair =
        serde_json::from_value(json!({"op": "move", "from": "/a~1b/~0", "path": "/list/-"})).expect("a move");
    assert_eq!(apply(&document, &[moved]), Ok(json!({"list": [1, 2, 4], "leaf": 3, "a/b": {}})));
}

#[test]
fn exact_deltas_sum_up_to_the_same() {
    let gold =
        json!({"people": [{"id": "g1", "name": "Ann"}, {"id": "g2", "name": "Bob"}], "lead": "g2", "deputy": "g1"});
    let candidate = json!({"people": [{"id": "p7", "name": "Ann"}], "lead": "p7", "deputy": "nobody"});
    let plan = plan(&team());
    let mut aligner = Aligner::new(&plan);
    let alignment = aligner.align(&gold, &candidate).expect("a pair");
    let (score, found) = (alignment.score(), alignment.repairs(&RepairOptions::new()));
    let exact = aligner.exact_deltas(&gold, &candidate, &found).expect("they fit");
    assert_eq!(exact.len(), found.len());
    common::assert_close(exact.iter().sum(), 1.0 - score);
    assert!(found.iter().all(|repair| repair.kind != RepairKind::SubtreeReplace));
}
