//! Edges: numbers that no `f64` holds, odd keys, great depth, great length, and what there is to warn of.

mod common;

use common::{assert_close, plan, score, worth};
use objalign_core::{AlignError, Aligner, Invalid, MAX_DEPTH, Options, Plan, Side, Warning};
use serde_json::{Map, Value, json};

fn number(text: &str) -> Value {
    serde_json::from_str(text).expect("a JSON number")
}

fn in_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread").join().expect("no panic");
}

#[test]
fn integers_compare_exactly_at_any_size() {
    let exact = json!({"type": "integer", "score": "exact"});
    let near = json!({"type": "integer"});
    let huge = |last: char| number(&format!("1{}{last}", "0".repeat(399)));
    for (a, b) in [
        (number("9007199254740992"), number("9007199254740993")),
        (number("18446744073709551615"), number("18446744073709551616")),
        (number("-170141183460469231731687303715884105728"), number("-170141183460469231731687303715884105727")),
        (number("1000000000000000000000000000000000000000"), number("1000000000000000000000000000000000000001")),
        (huge('0'), huge('1')),
    ] {
        assert_eq!(score(&exact, &a, &a), 1.0);
        assert_eq!(score(&exact, &a, &b), 0.0, "{a} {b}");
        assert_eq!(score(&near, &a, &a), 1.0);
        assert_eq!(score(&near, &a, &b), 0.5, "{a} {b}");
        assert_eq!(score(&near, &b, &a), 0.5, "{b} {a}");
    }
    let (ten, hundred) = (number("1e400"), number("1e401"));
    assert_eq!(score(&near, &ten, &hundred), 0.0);
    assert_eq!(score(&near, &ten, &number("-1e400")), 0.0);
    assert_eq!(score(&near, &ten, &number("10e399")), 1.0);
    // 10^40 apart by 3, one written with an exponent.
    let (round, odd) = (number("1e40"), number("10000000000000000000000000000000000000003"));
    assert_eq!(score(&near, &round, &odd), 0.25);
    assert_eq!(score(&near, &number("-1e40"), &number("-10000000000000000000000000000000000000003")), 0.25);
    // On both sides of what an i128 holds.
    assert_eq!(
        score(
            &near,
            &number("99999999999999999999999999999999999999"),
            &number("100000000000000000000000000000000000001")
        ),
        1.0 / 3.0
    );
}

#[test]
fn fractions_beyond_the_range_of_doubles_are_no_trouble() {
    let schema = json!({"type": "array", "order": "align", "items": {"type": "number"}});
    let long = format!("1{}.5", "0".repeat(400));
    let all = json!([number(&long), number("1e-400"), number("-0.0"), number("0.1"), number("1e308")]);
    assert_eq!(score(&schema, &all, &all), 1.0);
    let found = score(&schema, &all, &json!([0, 1, 2]));
    assert!((0.0..1.0).contains(&found));
    let plan = plan(&json!({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}, {"type": "integer"}]}));
    let mut aligner = Aligner::new(&plan);
    assert_eq!(aligner.align(&number(&long), &number(&long)).expect("valid").score(), 1.0);
    assert_eq!(aligner.align(&number(&long), &json!("x")).expect("valid").score(), 0.0);
    assert!(aligner.align(&number(&long), &json!(1)).expect("valid").score() < 1e-300);
}

#[test]
fn one_is_1_0_and_nothing_else() {
    let any = json!({});
    assert_eq!(score(&any, &json!(1), &number("1.0")), 1.0);
    assert_eq!(score(&any, &number("1.0"), &number("10e-1")), 1.0);
    for other in [json!(true), json!("1"), json!([1]), json!({"1": 1}), json!(null)] {
        assert_eq!(score(&any, &json!(1), &other), 0.0, "{other}");
        assert_eq!(score(&any, &other, &json!(1)), 0.0, "{other}");
    }
    assert_eq!(score(&any, &json!(true), &json!(true)), 1.0);
    assert_eq!(score(&any, &json!(true), &json!(false)), 0.0);
    assert_eq!(score(&any, &json!(0), &number("-0.0")), 1.0);
    assert_eq!(score(&json!({"type": "array", "order": "align"}), &json!([1, true]), &json!([true, 1.0])), 1.0);
    assert_eq!(score(&json!({"const": 1}), &json!(1), &number("1.0")), 1.0);
}

#[test]
fn text_is_compared_by_scalar_values() {
    let schema = json!({"type": "string", "score": "levenshtein"});
    assert_close(score(&schema, &json!("Łódź"), &json!("Łodz")), 0.5);
    assert_close(score(&schema, &json!("🦀🦀"), &json!("🦀")), 0.5);
    // A letter with a combining accent is two scalar values; no normalisation takes place.
    assert_close(score(&schema, &json!("é"), &json!("e\u{301}")), 0.0);
    let map = json!({"type": "object", "properties": {"東京": {"type": "integer", "score": "exact"}}});
    assert_eq!(score(&map, &json!({"東京": 1}), &json!({"東京": 1})), 1.0);
    assert_eq!(score(&map, &json!({"東京": 1}), &json!({"東": 1})), 1.0, "keys are paired by similarity");
    assert_eq!(score(&map, &json!({"東京": 1}), &json!({"東": 2})), 0.0);
}

#[test]
fn odd_keys_are_keys() {
    let schema = json!({
        "type": "object",
        "properties": {
            "": {"type": "integer", "valueWeight": 3, "score": "exact"},
            "a/b": {"type": "integer", "score": "exact"},
            "m~n": {"type": "integer", "score": "exact"},
            "~1": {"type": "integer", "score": "exact"},
            "$ref": {"type": "string"},
            "properties": {"type": "string"}
        }
    });
    let gold = json!({"": 1, "a/b": 2, "m~n": 3, "~1": 4, "$ref": "x", "properties": "y"});
    assert_eq!(score(&schema, &gold, &gold), 1.0);
    let mut candidate = gold.clone();
    candidate[""] = json!(7);
    assert_close(score(&schema, &gold, &candidate), 5.0 / 8.0);
    let plan = plan(&schema);
    let mut aligner = Aligner::new(&plan);
    let alignment = aligner.align(&gold, &candidate).expect("valid");
    assert_eq!(alignment.pair_warnings(), []);
    let paths: Vec<String> = alignment.root().children().filter_map(|child| child.gold_path()).collect();
    assert_eq!(paths, ["/", "/a~1b", "/m~0n", "/~01", "/$ref", "/properties"]);
    for path in paths {
        assert!(gold.pointer(&path).is_some(), "{path}");
    }
    let mut wrong = gold;
    wrong["a/b"] = json!("two");
    match aligner.align(&wrong, &candidate) {
        Err(AlignError::InvalidGold { path, .. }) => assert_eq!(path, "/a~1b"),
        other => panic!("{other:?}"),
    }
}

/// `depth` containers around a number.
fn nested(depth: usize, object: bool) -> Value {
    let mut value = json!(1);
    for _ in 0..depth {
        value =
            if object { Value::Object(Map::from_iter([("a".to_owned(), value)])) } else { Value::Array(vec![value]) };
    }
    value
}

#[test]
fn documents_too_deep_are_named_not_crashed_on() {
    in_small_stack(|| {
        let plan = plan(&json!({}));
        let mut aligner = Aligner::new(&plan);
        for object in [false, true] {
            let deep = nested(10_000, object);
            for (gold, candidate, side) in
                [(&deep, &json!(1), Side::Gold), (&json!(1), &deep, Side::Candidate), (&deep, &deep, Side::Gold)]
            {
                let error = aligner.align(gold, candidate).expect_err("too deep");
                assert!(matches!(&error, AlignError::TooDeep { side: found, .. } if *found == side), "{error}");
                let text = error.to_string();
                assert!(text.ends_with("nested deeper than 127 levels") && text.len() < 150, "{text}");
            }
            let at_the_edge = nested(MAX_DEPTH + 1, object);
            assert!(aligner.align(&at_the_edge, &json!(1)).is_err());
        }
        // What went wrong leaves nothing behind.
        assert_eq!(aligner.align(&json!([1]), &json!([1])).expect("valid").score(), 1.0);
    });
}

#[test]
fn documents_of_full_depth_align_in_a_small_stack() {
    in_small_stack(|| {
        let recursive = json!({
            "$ref": "#/$defs/any",
            "$defs": {"any": {"anyOf": [
                {"type": "array", "order": "align", "items": {"$ref": "#/$defs/any"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}},
                {"type": "integer"}
            ]}}
        });
        for schema in [json!({}), recursive] {
            let plan = plan(&schema);
            let options = Options::new().confidence(objalign_core::Confidence::Margin);
            let mut aligner = Aligner::with_options(&plan, options);
            for object in [false, true] {
                let deep = nested(MAX_DEPTH, object);
                let mut other = serde_json::from_str::<Value>(&deep.to_string().replace('1', "2")).expect("JSON");
                assert_eq!(aligner.align(&deep, &deep).expect("not too deep").score(), 1.0);
                let alignment = aligner.align(&deep, &other).expect("not too deep");
                assert_close(alignment.score(), 0.5);
                assert!(alignment.explain().is_object());
                assert!(alignment.draw(objalign_core::Palette::plain()).lines().count() > MAX_DEPTH);
                other = nested(MAX_DEPTH - 1, object);
                assert_eq!(aligner.align(&deep, &other).expect("not too deep").score(), 0.0);
            }
        }
    });
}

#[test]
fn schemas_too_deep_are_refused() {
    in_small_stack(|| {
        let mut schema = json!({"type": "integer"});
        for _ in 0..5_000 {
            schema = Value::Object(Map::from_iter([("items".to_owned(), schema)]));
        }
        let errors = Plan::compile(&schema).expect_err("too deep");
        let only = errors.iter().next().expect("a mistake");
        assert_eq!(only.message, "nested deeper than 127 levels");
        assert!(only.path.starts_with("/items/items/items"));
        let mut schema = json!({"type": "integer"});
        for _ in 0..MAX_DEPTH - 1 {
            schema = Value::Object(Map::from_iter([("items".to_owned(), schema)]));
        }
        let plan = plan(&schema);
        let deep = nested(MAX_DEPTH - 1, false);
        assert_eq!(Aligner::new(&plan).align(&deep, &deep).expect("valid").score(), 1.0);
    });
}

#[test]
fn long_texts_are_compared() {
    let long = (0..1_500).flat_map(|n| [n.to_string(), " ".to_owned()]).collect::<String>();
    let mut other = long.clone();
    other.replace_range(5_000..5_001, "#");
    for metric in ["jaro", "jaro_winkler", "levenshtein", "damerau_levenshtein", "osa", "indel", "lcsseq"] {
        let schema = json!({"type": "string", "score": metric});
        let found = score(&schema, &json!(long), &json!(other));
        assert!((0.9..1.0).contains(&found), "{metric} {found}");
    }
}

#[test]
fn a_long_list_finds_its_shuffled_copy() {
    let schema = json!({"type": "array", "order": "align", "items": {"type": "object", "properties": {
        "n": {"type": "integer"}, "name": {"type": "string", "score": "exact"}
    }}});
    let gold: Vec<Value> = (0..2_000).map(|n| json!({"n": n, "name": format!("item {n}")})).collect();
    let mut candidate = gold.clone();
    for at in 0..candidate.len() {
        candidate.swap(at, (at * 7_919 + 13) % 2_000);
    }
    assert_eq!(score(&schema, &json!(gold), &json!(candidate)), 1.0);
    let plain = json!({"type": "array", "order": "align", "items": {"type": "string", "score": "exact"}});
    let gold: Vec<String> = (0..2_000).map(|n| format!("item {n}")).collect();
    let mut candidate: Vec<String> = gold.iter().rev().cloned().collect();
    assert_eq!(score(&plain, &json!(gold), &json!(candidate)), 1.0);
    "something else".clone_into(&mut candidate[1_000]);
    assert_close(score(&plain, &json!(gold), &json!(candidate)), 1_999.0 / 2_001.0);
    // Nothing but duplicates.
    assert_eq!(score(&plain, &json!(vec!["x"; 2_000]), &json!(vec!["x"; 1_000])), 0.5);
}

#[test]
fn undeclared_keys_are_compared_by_their_type_and_said() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let plan = plan(&schema);
    let mut aligner = Aligner::new(&plan);
    let gold = json!({"a": 1, "text": "MARTHA", "n": 6, "list": ["x", "y"], "map": {"k": true}});
    let alignment = aligner.align(&gold, &gold).expect("valid");
    assert_eq!(alignment.score(), 1.0);
    let undeclared = |path: &str| Warning::UndeclaredKey { path: path.into() };
    assert_eq!(alignment.pair_warnings(), ["/list", "/map", "/n", "/text"].map(undeclared));
    let candidate = json!({"a": 1, "text": "MARHTA", "n": 3, "list": ["y", "x"], "map": {"k": false}});
    // jaro, invdiff, fixed order, map.
    let expected = (1.0 + 17.0 / 18.0 + 0.25 + 1.0 / 3.0 + 0.0) / 5.0;
    assert_close(aligner.align(&gold, &candidate).expect("valid").score(), expected);
    // A missing undeclared key weighs 1, as does one in excess.
    assert_close(aligner.align(&json!({"a": 1, "zz": 2}), &json!({"a": 1})).expect("valid").score(), 0.5);
    assert_close(aligner.align(&json!({"a": 1}), &json!({"a": 1, "zz": 2})).expect("valid").score(), 0.5);
    // Only the gold's keys are anything to warn of.
    assert_eq!(aligner.align(&json!({"a": 1}), &json!({"a": 1, "zz": 2})).expect("valid").pair_warnings(), []);
}

#[test]
fn a_missing_key_is_charged_its_declared_weight() {
    let schema = json!({"type": "object", "properties": {
        "heavy": {"type": "string", "score": "exact", "valueWeight": 9}, "light": {"type": "string", "score": "exact"}
    }});
    let gold = json!({"heavy": "x", "light": "y"});
    assert_close(score(&schema, &gold, &json!({"light": "y"})), 0.1);
    assert_close(score(&schema, &gold, &json!({"heavy": "z", "light": "y"})), 0.1);
    assert_close(score(&schema, &gold, &json!({"heavy": "x"})), 0.9);
    // Through a reference, a pattern and the schema of additional keys as well.
    let schema = json!({
        "type": "object",
        "properties": {"r": {"$ref": "#/$defs/heavy"}},
        "patternProperties": {"^p": {"type": "integer", "score": "exact", "valueWeight": 4}},
        "additionalProperties": {"type": "integer", "score": "exact", "valueWeight": 2},
        "$defs": {"heavy": {"type": "integer", "score": "exact", "valueWeight": 3}}
    });
    let gold = json!({"r": 1, "p": 1, "zz": 1});
    assert_close(score(&schema, &gold, &json!({"p": 1, "zz": 1})), 6.0 / 9.0);
    assert_close(score(&schema, &gold, &json!({"r": 1, "zz": 1})), 5.0 / 9.0);
    assert_close(score(&schema, &gold, &json!({"r": 1, "p": 1})), 7.0 / 9.0);
}

#[test]
fn invalid_gold_is_an_error_with_a_path() {
    let schema = json!({"type": "object", "properties": {"lines": {"type": "array", "items": {
        "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]
    }}}});
    let plan = plan(&schema);
    let mut aligner = Aligner::with_options(&plan, Options::new().invalid(Invalid::Score));
    let error = aligner.align(&json!({"lines": [{"n": 1}, {"n": "two"}]}), &json!({})).expect_err("invalid");
    assert_eq!(error.to_string(), r#"gold /lines/1/n: "two" is not of type "integer""#);
    let error = aligner.align(&json!({"lines": [{}]}), &json!({})).expect_err("invalid");
    assert_eq!(error.to_string(), r#"gold /lines/0: "n" is a required property"#);
    let error = aligner.align(&json!([]), &json!({})).expect_err("invalid");
    assert_eq!(error.to_string(), r#"gold (root): [] is not of type "object""#);
}

#[test]
fn invalid_candidates_score_0_or_what_they_are_worth() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "integer"}, "b": {"type": "string", "maxLength": 3}
    }, "required": ["a", "b"]});
    let plan = plan(&schema);
    let gold = json!({"a": 1, "b": "abc"});
    for (candidate, path, value) in [
        (json!({"a": 1}), "", 0.5),
        (json!({"a": "1", "b": "abc"}), "/a", 0.5),
        (json!({"a": 1, "b": "abcdef"}), "/b", 0.5 + 0.5 * (1.0 + 0.5 + 1.0) / 3.0),
        (json!([1]), "", 0.0),
        (json!(null), "", 0.0),
    ] {
        let mut strict = Aligner::new(&plan);
        let alignment = strict.align(&gold, &candidate).expect("a valid gold");
        assert_eq!((alignment.score(), alignment.is_rejected()), (0.0, true), "{candidate}");
        let [Warning::InvalidCandidate { path: found, reason }] = alignment.pair_warnings() else {
            panic!("{:?}", alignment.pair_warnings())
        };
        assert_eq!(found, path, "{reason}");
        assert_close(worth(&schema, &gold, &candidate), value);
        let mut lenient = Aligner::with_options(&plan, Options::new().invalid(Invalid::Score));
        let alignment = lenient.align(&gold, &candidate).expect("a valid gold");
        assert!(!alignment.is_rejected());
        assert_eq!(alignment.pair_warnings().len(), 1);
    }
}

#[test]
fn keywords_without_a_meaning_are_warned_of() {
    let ignored =
        |schema: &Value| -> Vec<String> { plan(schema).warnings().iter().map(|w| w.path().to_owned()).collect() };
    assert_eq!(ignored(&json!({"type": "string", "order": "align"})), ["/order"]);
    assert_eq!(ignored(&json!({"type": "array", "score": "exact", "keyScore": "exact"})), ["/keyScore", "/score"]);
    assert_eq!(
        ignored(&json!({"type": "object", "ignoreExcess": true, "threshold": 0.5})),
        ["/ignoreExcess", "/threshold"]
    );
    assert_eq!(
        ignored(&json!({"type": "array", "items": {"type": "integer", "valueWeight": 2}})),
        ["/items/valueWeight"]
    );
    assert_eq!(
        ignored(&json!({"type": "object", "properties": {"a": {"type": "integer", "valueWeight": 2}}})),
        Vec::<String>::new()
    );
    let warning = &plan(&json!({"type": "string", "order": "align"})).warnings()[0].clone();
    assert_eq!(warning.kind(), "ignored_keyword");
    assert_eq!(warning.to_string(), "schema /order: ignored: order has a meaning on arrays only");
    // The schema's warnings are there for every pair.
    let plan = plan(&json!({"type": "string", "order": "align"}));
    let mut aligner = Aligner::new(&plan);
    assert_eq!(aligner.align(&json!("a"), &json!("a")).expect("valid").warnings().count(), 1);
}

#[test]
fn patterns_and_additional_properties_speak_for_undeclared_keys() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string", "score": "exact"}},
        "patternProperties": {"^n_": {"type": "integer", "score": "exact"}, "_t$": {"type": "integer"}},
        "additionalProperties": {"type": "array", "order": "align", "items": {"type": "integer"}}
    });
    let gold = json!({"name": "x", "n_a": 1, "a_t": 1, "rest": [1, 2]});
    let plan = plan(&schema);
    let mut aligner = Aligner::new(&plan);
    let alignment = aligner.align(&gold, &json!({"name": "x", "n_a": 2, "a_t": 2, "rest": [2, 1]})).expect("valid");
    assert_close(alignment.score(), (1.0 + 0.0 + 0.5 + 1.0) / 4.0);
    assert_eq!(alignment.pair_warnings(), []);
    // Both patterns fit: the first by text, however the schema is written.
    let found = score(&schema, &json!({"n_t": 1}), &json!({"n_t": 2}));
    let mut turned = schema.clone();
    turned["patternProperties"] = json!({"_t$": {"type": "integer"}, "^n_": {"type": "integer", "score": "exact"}});
    assert_eq!(found, score(&turned, &json!({"n_t": 1}), &json!({"n_t": 2})));
    // The gold's key decides, also where the candidate's key is another.
    assert_close(score(&schema, &json!({"n_a": 1}), &json!({"n_b": 1})), 1.0);
}

#[test]
fn tuples_longer_than_their_slots_go_on_slot_by_slot() {
    let schema = json!({"type": "array", "prefixItems": [{"type": "string", "score": "exact"}], "prefixWeights": [2]});
    assert_eq!(score(&schema, &json!(["a", 1, 2]), &json!(["a", 1, 2])), 1.0);
    assert_close(score(&schema, &json!(["a", 1, 2]), &json!(["a", 2, 1])), (2.0 + 0.5 + 0.5) / 4.0);
    assert_close(score(&schema, &json!(["a", 1, 2]), &json!(["a", 1])), 3.0 / 4.0);
    assert_close(score(&schema, &json!(["a"]), &json!(["a", 1])), 2.0 / 3.0);
    assert_close(score(&schema, &json!(["a"]), &json!([])), 0.0);
    let tail = json!({
        "type": "array", "prefixItems": [{"type": "string", "score": "exact"}], "items": {"type": "integer", "score": "exact"},
        "prefixImportance": 3, "restImportance": 1, "order": "align"
    });
    assert_close(score(&tail, &json!(["a", 1, 2]), &json!(["a", 2, 1])), 1.0);
    assert_close(score(&tail, &json!(["a", 1, 2]), &json!(["b", 2, 1])), 0.25);
    assert_close(score(&tail, &json!(["a", 1, 2]), &json!(["a"])), 0.75);
    assert_close(score(&tail, &json!(["a"]), &json!(["a"])), 1.0);
    // As before 2020-12.
    let old = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "array", "items": [{"type": "string", "score": "exact"}], "additionalItems": {"type": "integer", "score": "exact"},
        "prefixImportance": 3, "restImportance": 1, "order": "align"
    });
    assert_close(score(&old, &json!(["a", 1, 2]), &json!(["b", 2, 1])), 0.25);
}

#[test]
fn boolean_schemas_of_a_tail_are_schemas() {
    let mut schema = json!({
        "type": "array", "prefixItems": [{"type": "string", "score": "exact"}], "items": {},
        "prefixImportance": 1, "restImportance": 1, "order": "align"
    });
    let (gold, candidate) = (json!(["a", 1, 5]), json!(["a", 5, 1]));
    assert_close(score(&schema, &gold, &candidate), 1.0);
    // `true` says what `{}` says.
    schema["items"] = json!(true);
    assert_close(score(&schema, &gold, &candidate), 1.0);
    assert_close(
        score(&json!({"type": "array", "items": true, "order": "align"}), &json!([1, 5]), &json!([5, 1])),
        1.0,
    );
    assert_close(score(&json!(true), &json!([1, "a"]), &json!([1, "a"])), 1.0);
    assert!(matches!(
        Aligner::new(&plan(&json!(false))).align(&json!(1), &json!(1)),
        Err(AlignError::InvalidGold { .. })
    ));
}

#[test]
fn weights_may_be_extreme() {
    let weights = |a: f64, b: f64| {
        json!({"type": "object", "properties": {
            "a": {"type": "integer", "score": "exact", "valueWeight": a}, "b": {"type": "integer", "score": "exact", "valueWeight": b}
        }})
    };
    let gold = json!({"a": 1, "b": 2});
    for (a, b) in [(1e100, 1e100), (1e100, 1.0), (5e-324, 5e-324), (1e-300, 1e100)] {
        assert_eq!(score(&weights(a, b), &gold, &gold), 1.0, "{a} {b}");
        let found = score(&weights(a, b), &gold, &json!({"a": 1, "b": 3}));
        assert!((0.0..=1.0).contains(&found), "{a} {b} {found}");
    }
    let shares = json!({"type": "object", "keyImportance": 1e100, "valueImportance": 1e100});
    assert_eq!(score(&shares, &gold, &gold), 1.0);
    let tuple = json!({"type": "array", "prefixItems": [{}, {}], "prefixWeights": [1e100, 1e100]});
    assert_eq!(score(&tuple, &json!([1, 2]), &json!([1, 2])), 1.0);
    let parts = json!({
        "type": "array", "prefixItems": [{}], "items": {}, "prefixImportance": 1e100, "restImportance": 1e100
    });
    assert_eq!(score(&parts, &json!([1, 2]), &json!([1, 2])), 1.0);
}

#[test]
fn the_score_of_null_may_stand_on_either_level_of_a_nullable() {
    for nullable in [
        json!({"anyOf": [{"type": "integer", "nullScore": 0.5}, {"type": "null"}]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "null"}], "nullScore": 0.5}),
        json!({"type": ["integer", "null"], "nullScore": 0.5}),
    ] {
        assert_eq!(score(&nullable, &json!(null), &json!(3)), 0.5);
        assert_eq!(score(&nullable, &json!(null), &json!(null)), 1.0);
    }
}

#[test]
fn null_beside_a_value_is_scored_under_the_branch_that_both_fit() {
    let schema = json!({"anyOf": [
        {"type": "string"},
        {"anyOf": [{"type": "integer"}, {"type": "null"}], "nullScore": 0.5}
    ]});
    assert_eq!(score(&schema, &json!(null), &json!(3)), 0.5);
    assert_eq!(score(&schema, &json!(3), &json!(null)), 0.5);
    assert_eq!(score(&schema, &json!("a"), &json!(null)), 0.0);
}
