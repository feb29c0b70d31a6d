//! Referential alignment: copies score 1, no relabelling or shuffling of either side changes a bit, and small cases agree
//! with a search over all bijections.

mod graphs;

use graphs::{Graph, Random, document, schema};
use objalign_core::{AlignError, Aligner, Options, Plan, Structure, Warning};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

fn score(plan: &Plan, gold: &Value, candidate: &Value) -> f64 {
    Aligner::new(plan).align(gold, candidate).expect("a pair").score()
}

/// Renames every identifier of the scopes of `schema` and shuffles every order-agnostic list.
fn disguise(schema: &Value, value: &Value, random: &mut Random) -> Value {
    fn walk(schema: &Value, value: &Value, names: &mut BTreeMap<String, Value>, random: &mut Random) -> Value {
        if !value.is_null() && (schema.get("idScope").is_some() || schema.get("ref").is_some()) {
            let scope = schema.get("idScope").or(schema.get("ref")).and_then(Value::as_str).unwrap_or_default();
            let key = format!("{scope}\u{0}{value}");
            let fresh = names.len() as u64 * 1_000_003 + random.next() % 1_000_000;
            return names
                .entry(key)
                .or_insert_with(|| if value.is_string() { json!(format!("id{fresh}")) } else { json!(fresh) })
                .clone();
        }
        match value {
            Value::Array(items) => {
                let mut items: Vec<Value> =
                    items.iter().map(|item| walk(&schema["items"], item, names, random)).collect();
                if schema["order"] == "align" {
                    random.shuffle(&mut items);
                }
                items.into()
            }
            Value::Object(members) => {
                let mut members: Vec<(String, Value)> = members
                    .iter()
                    .map(|(key, member)| (key.clone(), walk(&schema["properties"][key], member, names, random)))
                    .collect();
                random.shuffle(&mut members);
                members.into_iter().collect::<Map<_, _>>().into()
            }
            leaf => leaf.clone(),
        }
    }
    walk(schema, value, &mut BTreeMap::new(), random)
}

#[test]
fn conformance_rows_keep_their_bits_in_every_disguise() {
    let mut random = Random(7);
    for line in include_str!("data/references.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let plan = Plan::compile(&row["schema"]).expect("a schema");
        let expected = score(&plan, &row["gold"], &row["pred"]);
        for _ in 0..8 {
            let gold = disguise(&row["schema"], &row["gold"], &mut random);
            let candidate = disguise(&row["schema"], &row["pred"], &mut random);
            let found = score(&plan, &gold, &candidate);
            assert_eq!(found.to_bits(), expected.to_bits(), "{}: {found} {expected}", row["id"]);
        }
    }
}

#[test]
fn copies_of_symmetric_graphs_score_exactly_1() {
    let plan = Plan::compile(&schema()).expect("a schema");
    let mut random = Random(11);
    let families: Vec<Graph> = vec![
        graphs::disjoint_edges(2),
        graphs::disjoint_edges(30),
        graphs::cycle(6, false),
        graphs::cycle(100, false),
        graphs::cycle(100, true),
        graphs::tree(127),
        graphs::copies(&graphs::petersen(), 4),
        graphs::copies(&graphs::cycle(3, false), 2),
        graphs::complete_bipartite(3, 3),
        graphs::cubic(80, 5),
        graphs::rook(),
        graphs::shrikhande(),
        graphs::cai_furer_immerman(&graphs::k4(), true),
        graphs::cai_furer_immerman(&graphs::petersen(), false),
    ];
    for graph in families {
        for _ in 0..3 {
            let (gold, candidate) = (document(&graph, &mut random), document(&graph, &mut random));
            assert_eq!(score(&plan, &gold, &candidate), 1.0, "{}", graph.name);
        }
    }
    for order in [2, 3, 5] {
        let (n, lines) = graphs::plane(order);
        let plan = Plan::compile(&graphs::team_schema()).expect("a schema");
        let (gold, candidate) = (graphs::teams(n, &lines, &mut random), graphs::teams(n, &lines, &mut random));
        assert_eq!(score(&plan, &gold, &candidate), 1.0, "plane of order {order}");
    }
}

#[test]
fn graphs_that_refinement_cannot_tell_apart_score_below_1() {
    let plan = Plan::compile(&schema()).expect("a schema");
    let mut random = Random(13);
    let pairs = [
        (graphs::cycle(6, false), graphs::copies(&graphs::cycle(3, false), 2)),
        (graphs::rook(), graphs::shrikhande()),
        (graphs::cai_furer_immerman(&graphs::k4(), false), graphs::cai_furer_immerman(&graphs::k4(), true)),
    ];
    for (a, b) in pairs {
        let mut found = Vec::new();
        for _ in 0..3 {
            found.push(score(&plan, &document(&a, &mut random), &document(&b, &mut random)).to_bits());
        }
        assert!(f64::from_bits(found[0]) < 1.0, "{} / {}", a.name, b.name);
        assert!(found.iter().all(|bits| *bits == found[0]), "{} / {}: depends on the order", a.name, b.name);
    }
}

/// A random small document of two scopes, links, member lists and a root, and a damaged disguise of it.
fn case(seed: u64, records: usize) -> (Value, Value, Value) {
    let schema = json!({"type": "object", "properties": {
        "people": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "id": {"type": "string", "idScope": "person"}, "job": {"type": "string", "score": "exact"}}}},
        "knows": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "a": {"type": "string", "ref": "person"}, "b": {"type": "string", "ref": "person"},
            "how": {"type": "string", "score": "exact"}}}},
        "teams": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "tid": {"type": "integer", "idScope": "team"}, "name": {"type": "string", "score": "exact"},
            "members": {"type": "array", "order": "align", "items": {"type": "string", "ref": "person"}}}}},
        "owns": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "team": {"type": "integer", "ref": "team"}, "by": {"type": "string", "ref": "person"}}}},
        "lead": {"type": "string", "ref": "person"}
    }});
    let mut random = Random(seed);
    let n = 1 + random.below(records);
    let id = |at: usize| format!("p{at}");
    let mut gold = json!({
        "people": (0..n).map(|at| json!({"id": id(at), "job": (["x", "y"][random.below(4) / 3])})).collect::<Vec<_>>(),
        "lead": id(random.below(n)),
    });
    gold["knows"] = (0..random.below(2 * n + 1))
        .map(|_| json!({"a": id(random.below(n)), "b": id(random.below(n)), "how": (["r", "s"][random.below(4) / 3])}))
        .collect();
    let teams = random.below(4);
    gold["teams"] = (0..teams)
        .map(|at| {
            let members: Vec<String> = (0..n).filter(|_| random.below(2) == 0).map(id).collect();
            json!({"tid": at, "name": "t", "members": members})
        })
        .collect();
    gold["owns"] = (0..if teams == 0 { 0 } else { random.below(4) })
        .map(|_| json!({"team": random.below(teams), "by": id(random.below(n))}))
        .collect();
    let mut candidate = disguise(&schema, &gold, &mut random);
    for _ in 0..random.below(4) {
        damage(&mut candidate, &mut random);
    }
    (schema, gold, candidate)
}

fn damage(candidate: &mut Value, random: &mut Random) {
    let ids: Vec<Value> =
        candidate["people"].as_array().expect("a list").iter().map(|person| person["id"].clone()).collect();
    let list = ["people", "knows", "teams", "owns"][random.below(4)];
    let items = candidate[list].as_array_mut().expect("a list");
    match (random.below(3), items.len()) {
        (_, 0) => {}
        (0, len) => {
            items.remove(random.below(len));
        }
        (1, len) if list == "knows" && !ids.is_empty() => {
            items[random.below(len)]["a"] = ids[random.below(ids.len())].clone();
        }
        (2, len) => {
            let copy = items[random.below(len)].clone();
            if list != "people" && list != "teams" {
                items.push(copy);
            }
        }
        _ => {}
    }
}

#[test]
fn damaged_pairs_keep_their_bits_in_every_disguise() {
    for seed in 0..150 {
        let (schema, gold, candidate) = case(seed, 9);
        let plan = Plan::compile(&schema).expect("a schema");
        let expected = score(&plan, &gold, &candidate);
        let mut random = Random(seed + 1_000_000);
        for _ in 0..4 {
            let (gold, candidate) = (disguise(&schema, &gold, &mut random), disguise(&schema, &candidate, &mut random));
            assert_eq!(score(&plan, &gold, &candidate).to_bits(), expected.to_bits(), "seed {seed}");
        }
    }
}

#[test]
fn a_search_cut_short_still_does_not_depend_on_the_order() {
    let plan = Plan::compile(&schema()).expect("a schema");
    let mut random = Random(17);
    let (whole, mut damaged) = (graphs::cubic(20, 3), graphs::cubic(20, 3));
    damaged.edges.truncate(27);
    let options = Options::new().budget(5);
    let mut bits = Vec::new();
    for _ in 0..5 {
        let (gold, candidate) = (document(&whole, &mut random), document(&damaged, &mut random));
        let mut aligner = Aligner::with_options(&plan, options);
        let alignment = aligner.align(&gold, &candidate).expect("a pair");
        let cut = |warning: &&Warning| matches!(warning, Warning::BudgetExhausted { canonical: true });
        assert_eq!(alignment.pair_warnings().iter().filter(cut).count(), 1);
        bits.push(alignment.score().to_bits());
    }
    assert!(bits.iter().all(|other| *other == bits[0]), "{bits:?}");
}

/// The best score over all bijections of one scope of records that attributes cannot tell apart, by trying all: references
/// are replaced by what they mean, and identifiers left out.
fn best_of_all(gold: &Value, candidate: &Value) -> f64 {
    let plain = Plan::compile(&json!({"type": "object", "properties": {
        "nodes": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "id": {"type": "string", "score": "exact"}, "kind": {"type": "string", "score": "exact"}}}},
        "links": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "from": {"type": "string", "score": "exact"}, "to": {"type": "string", "score": "exact"},
            "role": {"type": "string", "score": "exact"}}}}
    }}))
    .expect("a schema");
    let ids = |document: &Value| -> Vec<String> {
        document["nodes"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|node| node["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let (gold_ids, candidate_ids) = (ids(gold), ids(candidate));
    let mut aligner = Aligner::new(&plain);
    let mut best = 0.0_f64;
    let size = gold_ids.len().max(candidate_ids.len());
    let mut order: Vec<usize> = (0..size).collect();
    permute(&mut order, 0, &mut |order| {
        let rename: BTreeMap<&str, &str> = order
            .iter()
            .enumerate()
            .filter_map(|(gold, &candidate)| {
                Some((candidate_ids.get(candidate)?.as_str(), gold_ids.get(gold).map_or("nobody", String::as_str)))
            })
            .collect();
        let mut renamed = candidate.clone();
        for node in renamed["nodes"].as_array_mut().expect("a list") {
            // Identifiers count as right whoever is paired: give every node the same.
            node["id"] = json!("*");
        }
        for link in renamed["links"].as_array_mut().expect("a list") {
            for end in ["from", "to"] {
                let name = rename.get(link[end].as_str().expect("an id")).copied().unwrap_or("nobody");
                link[end] = json!(name);
            }
        }
        let mut starred = gold.clone();
        for node in starred["nodes"].as_array_mut().expect("a list") {
            node["id"] = json!("*");
        }
        best = best.max(aligner.align(&starred, &renamed).expect("a pair").score());
    });
    best
}

fn permute(order: &mut Vec<usize>, from: usize, visit: &mut impl FnMut(&[usize])) {
    if from == order.len() {
        return visit(order);
    }
    for other in from..order.len() {
        order.swap(from, other);
        permute(order, from + 1, visit);
        order.swap(from, other);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn small_graphs_score_what_the_best_of_all_bijections_scores(
        n in 1_usize..7,
        m in 1_usize..7,
        gold_edges in proptest::collection::vec((0_usize..6, 0_usize..6), 0..7),
        candidate_edges in proptest::collection::vec((0_usize..6, 0_usize..6), 0..7),
        seed: u64,
    ) {
        let plan = Plan::compile(&schema()).expect("a schema");
        let mut random = Random(seed);
        let within = |edges: &[(usize, usize)], n: usize| edges.iter().map(|&(a, b)| (a % n, b % n)).collect();
        let of = |edges, n| Graph { name: String::new(), n, edges, both_ways: false };
        let gold = document(&of(within(&gold_edges, n), n), &mut random);
        let candidate = document(&of(within(&candidate_edges, m), m), &mut random);
        let expected = best_of_all(&gold, &candidate);
        let found = score(&plan, &gold, &candidate);
        prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
    }
}

fn staff_schema() -> Value {
    json!({"type": "object", "properties": {
        "departments": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "id": {"type": "string", "idScope": "department"}, "head": {"type": "string", "ref": "employee"}}}},
        "employees": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "id": {"type": "string", "idScope": "employee"}, "name": {"type": "string", "score": "exact"},
            "manager": {"type": ["string", "null"], "ref": "employee"},
            "department": {"type": "string", "ref": "department"}}}}
    }})
}

#[test]
fn cyclic_scopes_are_scored_jointly() {
    let schema = staff_schema();
    let plan = Plan::compile(&schema).expect("a schema");
    let gold = json!({
        "departments": [{"id": "d1", "head": "e1"}, {"id": "d2", "head": "e2"}],
        "employees": [
            {"id": "e1", "name": "Ann", "manager": null, "department": "d1"},
            {"id": "e2", "name": "Bo", "manager": "e1", "department": "d2"},
            {"id": "e3", "name": "Cy", "manager": "e2", "department": "d2"},
            {"id": "e4", "name": "Cy", "manager": "e1", "department": "d1"}
        ]
    });
    let mut random = Random(19);
    for _ in 0..5 {
        assert_eq!(score(&plan, &gold, &disguise(&schema, &gold, &mut random)), 1.0);
    }
    // One reference of thirteen entries is wrong: Cy of department 2 reports to Ann.
    let mut candidate = disguise(&schema, &gold, &mut random);
    let employees = candidate["employees"].as_array_mut().expect("a list");
    let ann = employees.iter().find(|employee| employee["name"] == "Ann").expect("Ann")["id"].clone();
    let bo = employees.iter().find(|employee| employee["name"] == "Bo").expect("Bo")["id"].clone();
    let cy = employees.iter_mut().find(|employee| employee["manager"] == bo).expect("Cy");
    cy["manager"] = ann;
    // Departments 1; employees (1 + 1 + 3/4 + 1) / 4; the two lists weigh the same.
    let expected = f64::midpoint(1.0, (3.0 + 0.75) / 4.0);
    assert!((score(&plan, &gold, &candidate) - expected).abs() < 1e-12);
}

#[test]
fn the_joint_score_is_never_below_the_one_by_attributes() {
    let schema = staff_schema();
    let plan = Plan::compile(&schema).expect("a schema");
    for seed in 0..200 {
        let mut random = Random(seed);
        let n = 2 + random.below(5);
        let departments = 1 + random.below(3);
        let document = |random: &mut Random| {
            json!({
                "departments": (0..departments)
                    .map(|at| json!({"id": format!("d{at}"), "head": format!("e{}", random.below(n))}))
                    .collect::<Vec<_>>(),
                "employees": (0..n)
                    .map(|at| json!({
                        "id": format!("e{at}"),
                        "name": (["Ann", "Bo", "Cy"][random.below(3)]),
                        "manager": if random.below(4) == 0 { Value::Null } else { json!(format!("e{}", random.below(n))) },
                        "department": format!("d{}", random.below(departments)),
                    }))
                    .collect::<Vec<_>>()
            })
        };
        let (gold, candidate) = (document(&mut random), document(&mut random));
        let joint = score(&plan, &gold, &candidate);
        let mut by_attributes = Aligner::with_options(&plan, Options::new().structure(Structure::None));
        let alone = by_attributes.align(&gold, &candidate).expect("a pair").score();
        assert!(joint >= alone, "seed {seed}: {joint} {alone}");
        let disguised =
            score(&plan, &disguise(&schema, &gold, &mut random), &disguise(&schema, &candidate, &mut random));
        assert_eq!(disguised.to_bits(), joint.to_bits(), "seed {seed}");
    }
}

#[test]
fn what_is_wrong_with_identifiers_is_said_with_its_path() {
    let plan = Plan::compile(&schema()).expect("a schema");
    let node = |id: &str| json!({"id": id, "kind": "a"});
    let link = |from: &str, to: &str| json!({"from": from, "to": to, "role": "e"});
    let sound = json!({"nodes": [node("a")], "links": []});
    let twice = json!({"nodes": [node("a"), node("b"), node("a")], "links": []});
    let mut aligner = Aligner::new(&plan);
    let error = aligner.align(&twice, &sound).expect_err("a duplicate");
    assert_eq!(
        error,
        AlignError::DuplicateId { scope: "node".into(), path: "/nodes/2/id".into(), first: "/nodes/0/id".into() }
    );
    let dangling = json!({"nodes": [node("a")], "links": [link("a", "a"), link("a", "z")]});
    let error = aligner.align(&dangling, &sound).expect_err("a dangling reference");
    assert_eq!(error.to_string(), r#"gold /links/1/to: no record of the scope "node" has this identifier"#);
    // In a candidate neither is an error: the first record counts, and what means nothing scores 0.
    assert_eq!(aligner.align(&sound, &twice).expect("a pair").score(), f64::midpoint(1.0 / 3.0, 1.0));
    let gold = json!({"nodes": [node("a")], "links": [link("a", "a")]});
    let candidate = json!({"nodes": [node("b")], "links": [link("b", "c")]});
    let found = aligner.align(&gold, &candidate).expect("a pair").score();
    assert!((found - f64::midpoint(1.0, 2.0 / 3.0)).abs() < 1e-11, "{found}");
}

#[test]
fn mistakes_of_scopes_are_found_when_the_schema_is_compiled() {
    let leaf = |keyword: &str, scope: &str| {
        let mut leaf = json!({"type": "string"});
        leaf[keyword] = json!(scope);
        leaf
    };
    let list = |properties: Value| json!({"type": "array", "items": {"type": "object", "properties": properties}});
    let of = |properties: Value| json!({"type": "object", "properties": properties});
    let message = |schema: &Value| Plan::compile(schema).expect_err("a mistake").to_string();
    assert_eq!(
        message(&of(json!({"a": list(json!({"id": leaf("idScope", "s")})), "b": leaf("ref", "t")}))),
        r#"/properties/b/ref: ref names the scope "t", which no idScope defines; defined: s"#
    );
    assert_eq!(
        message(&of(json!({"id": leaf("idScope", "s")}))),
        r#"/properties/id/idScope: scope "s" is defined outside an array; idScope marks the identifier of an array's items"#
    );
    assert_eq!(
        message(&of(
            json!({"a": list(json!({"id": leaf("idScope", "s")})), "b": list(json!({"id": leaf("idScope", "s")}))})
        )),
        r#"/properties/b/items/properties/id/idScope: scope "s" is defined at /properties/a/items/properties/id/idScope already; a scope has one definer"#
    );
    assert_eq!(
        message(&of(json!({"a": list(json!({"id": leaf("idScope", "s")})), "b": {"type": "integer", "ref": "s"}}))),
        r#"/properties/b/ref: a reference to "s" must have the type of its identifier (string, at /properties/a/items/properties/id), not integer"#
    );
}

#[test]
fn blended_structure_knows_copies_and_no_order() {
    for seed in 0..60 {
        let (schema, gold, candidate) = case(seed, 7);
        let plan = Plan::compile(&schema).expect("a schema");
        let mut random = Random(seed);
        for share in [0.0, 0.3, 1.0] {
            let mut aligner = Aligner::with_options(&plan, Options::new().structure(Structure::Blend(share)));
            let mut score = |gold: &Value, candidate: &Value| aligner.align(gold, candidate).expect("a pair").score();
            assert_eq!(score(&gold, &disguise(&schema, &gold, &mut random)), 1.0, "seed {seed}");
            let found = score(&gold, &candidate);
            assert!((0.0..=1.0).contains(&found));
            let (gold, candidate) = (disguise(&schema, &gold, &mut random), disguise(&schema, &candidate, &mut random));
            assert_eq!(score(&gold, &candidate).to_bits(), found.to_bits(), "seed {seed}, share {share}");
        }
    }
}

#[test]
fn without_structure_the_order_does_not_matter_either() {
    for seed in 0..60 {
        let (schema, gold, candidate) = case(seed, 7);
        let plan = Plan::compile(&schema).expect("a schema");
        let mut random = Random(seed);
        let mut aligner = Aligner::with_options(&plan, Options::new().structure(Structure::None));
        let mut score = |gold: &Value, candidate: &Value| aligner.align(gold, candidate).expect("a pair").score();
        let found = score(&gold, &candidate);
        let (gold, candidate) = (disguise(&schema, &gold, &mut random), disguise(&schema, &candidate, &mut random));
        assert_eq!(score(&gold, &candidate).to_bits(), found.to_bits(), "seed {seed}");
        assert!(found <= Aligner::new(&plan).align(&gold, &candidate).expect("a pair").score(), "seed {seed}");
    }
}

#[test]
fn a_symmetry_of_the_gold_is_reported() {
    let plan = Plan::compile(&schema()).expect("a schema");
    let mut random = Random(23);
    let graph = graphs::cycle(4, false);
    let (gold, candidate) = (document(&graph, &mut random), document(&graph, &mut random));
    let mut aligner = Aligner::new(&plan);
    let alignment = aligner.align(&gold, &candidate).expect("a pair");
    assert_eq!(alignment.pair_warnings(), [Warning::AmbiguousBijection { scope: "node".into(), records: 4 }]);
}
