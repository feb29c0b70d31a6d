//! What is wrong with a schema: each mistake by its path and its words.

mod common;

use common::{mistakes, plan};
use objalign_core::{Comparators, Plan, parse_schema};
use serde_json::{Value, json};

/// A schema and all it is told.
fn check(schema: &Value, expected: &[&str]) {
    assert_eq!(mistakes(schema), expected, "{schema}");
}

#[test]
fn comparators_must_be_known() {
    check(
        &json!({"type": "string", "score": "jarro"}),
        &[
            r#"/score: score of string must be one of jaro, exact, jaro_winkler, levenshtein, damerau_levenshtein, osa, indel, lcsseq, not "jarro""#,
        ],
    );
    check(
        &json!({"type": "integer", "score": "jaro"}),
        &[r#"/score: score of integer must be invdiff or exact, not "jaro""#],
    );
    check(
        &json!({"type": ["number", "null"], "score": "nearly"}),
        &[r#"/score: score of null or number must be invdiff or exact, not "nearly""#],
    );
    check(&json!({"type": "string", "score": 1}), &["/score: score must be the name of a comparator, not 1"]);
    let own = Comparators::new().string("mine", |_: &str, _: &str| 1.0).number("near", |_: &f64, _: &f64| 1.0);
    let told = |schema: &Value| Plan::compile_with(schema, &own).expect_err("unknown").to_string();
    assert!(told(&json!({"type": "string", "score": "near"})).ends_with(r#"lcsseq, mine, not "near""#));
    assert!(told(&json!({"type": "number", "score": "mine"})).ends_with(r#"one of invdiff, exact, near, not "mine""#));
    assert!(Plan::compile_with(&json!({"type": "integer", "score": "near"}), &own).is_ok());
}

#[test]
fn keywords_have_a_type_and_a_range() {
    check(
        &json!({"type": "string", "threshold": "high"}),
        &[r#"/threshold: threshold must be a number from 0 to 1, not "high""#],
    );
    check(
        &json!({"type": "string", "threshold": 1.5}),
        &["/threshold: threshold must be a number from 0 to 1, not 1.5"],
    );
    check(
        &json!({"type": "string", "threshold": null}),
        &["/threshold: threshold must be a number from 0 to 1, not null"],
    );
    check(&json!({"nullScore": -0.1}), &["/nullScore: nullScore must be a number from 0 to 1, not -0.1"]);
    check(&json!({"type": "array", "order": "sorted"}), &[r#"/order: order must be fixed or align, not "sorted""#]);
    check(&json!({"type": "array", "order": true}), &["/order: order must be fixed or align, not true"]);
    check(&json!({"type": "array", "ignoreExcess": 1}), &["/ignoreExcess: ignoreExcess must be true or false, not 1"]);
    check(
        &json!({"type": "array", "ignoreMissing": "yes"}),
        &[r#"/ignoreMissing: ignoreMissing must be true or false, not "yes""#],
    );
    check(&json!({"type": "object", "keyScore": "osa"}), &[r#"/keyScore: keyScore must be jaro or exact, not "osa""#]);
    check(
        &json!({"type": "object", "keyThreshold": 2}),
        &["/keyThreshold: keyThreshold must be a number from 0 to 1, not 2"],
    );
    check(
        &json!({"type": "object", "keyImportance": -1}),
        &["/keyImportance: keyImportance must be a number from 0 to 1e100, not -1"],
    );
    check(
        &json!({"type": "object", "valueImportance": []}),
        &["/valueImportance: valueImportance must be a number from 0 to 1e100, not []"],
    );
    check(
        &json!({"type": "object", "properties": {"a": {"type": "integer", "valueWeight": "much"}}}),
        &[r#"/properties/a/valueWeight: valueWeight must be a number from 0 to 1e100, not "much""#],
    );
    check(
        &json!({"type": "object", "properties": {"a": {"type": "integer", "valueWeight": 1e308}}}),
        &["/properties/a/valueWeight: valueWeight must be a number from 0 to 1e100, not 1e+308"],
    );
    let long = "x".repeat(100);
    check(
        &json!({"type": "array", "order": long}),
        &[&format!("/order: order must be fixed or align, not \"{}...", "x".repeat(36))],
    );
}

#[test]
fn ignoring_both_sides_is_a_mistake() {
    check(
        &json!({"type": "array", "ignoreExcess": true, "ignoreMissing": true}),
        &["/ignoreMissing: ignoreExcess and ignoreMissing together would reward leaving everything out; choose one"],
    );
    check(&json!({"type": "array", "ignoreExcess": true, "ignoreMissing": false}), &[]);
    // Also where the two come from different places.
    check(
        &json!({"$ref": "#/$defs/list", "ignoreExcess": true, "$defs": {"list": {"type": "array", "ignoreMissing": true}}}),
        &[
            "/$defs/list/ignoreMissing: ignoreExcess and ignoreMissing together would reward leaving everything out; choose one",
        ],
    );
}

#[test]
fn weights_must_not_sum_to_zero() {
    check(
        &json!({"type": "object", "properties": {"a": {"valueWeight": 0}, "b": {"valueWeight": 0.0}}}),
        &["/properties: the valueWeights of all properties are zero; one must be positive"],
    );
    check(
        &json!({"type": "object", "keyImportance": 0, "valueImportance": 0}),
        &[
            "/valueImportance: keyImportance (default 0) and valueImportance (default 1) sum to zero; one must be positive",
        ],
    );
    check(
        &json!({"type": "object", "valueImportance": 0}),
        &[
            "/valueImportance: keyImportance (default 0) and valueImportance (default 1) sum to zero; one must be positive",
        ],
    );
    check(
        &json!({"type": "array", "prefixItems": [{}, {}], "prefixWeights": [0, 0]}),
        &["/prefixWeights: prefixWeights sum to zero; one must be positive"],
    );
    check(
        &json!({"type": "array", "prefixItems": [{}], "items": {}, "prefixImportance": 0, "restImportance": 0}),
        &["/prefixImportance: prefixImportance and restImportance sum to zero; one must be positive"],
    );
    // Keys alone may count: then the values need no weight.
    check(
        &json!({"type": "object", "keyImportance": 1, "valueImportance": 0, "properties": {"a": {"valueWeight": 0}}}),
        &[],
    );
}

#[test]
fn tuples_say_how_their_parts_weigh() {
    check(
        &json!({"type": "array", "prefixItems": [{}, {}], "prefixWeights": [1]}),
        &["/prefixWeights: prefixWeights must be a list of 2 weights, one for each slot"],
    );
    check(
        &json!({"type": "array", "prefixItems": [{}, {}], "prefixWeights": 1}),
        &["/prefixWeights: prefixWeights must be a list of 2 weights, one for each slot"],
    );
    check(
        &json!({"type": "array", "prefixItems": [{}, {}], "prefixWeights": [1, -2]}),
        &["/prefixWeights/1: a weight must be a number from 0 to 1e100, not -2"],
    );
    check(
        &json!({"properties": {"t": {"type": "array", "prefixItems": [{}], "items": {"type": "string"}}}}),
        &[
            "/properties/t: an array with prefixItems and items needs prefixImportance: the weight of that part, at least 0",
            "/properties/t: an array with prefixItems and items needs restImportance: the weight of that part, at least 0",
        ],
    );
    check(
        &json!({"type": "array", "prefixItems": [{}], "items": {"type": "string"}, "prefixImportance": 1}),
        &["(root): an array with prefixItems and items needs restImportance: the weight of that part, at least 0"],
    );
    check(&json!({"type": "array", "prefixItems": [{}], "items": false}), &[]);
}

#[test]
fn references_must_lead_somewhere() {
    check(
        &json!({"properties": {"a": {"$ref": "#/$defs/nothing"}}}),
        &[
            r##"/properties/a/$ref: "#/$defs/nothing" points at nothing in this schema; only this document is searched, nothing is fetched"##,
        ],
    );
    check(
        &json!({"$ref": "https://example.org/other.json"}),
        &[
            r#"/$ref: "https://example.org/other.json" points at nothing in this schema; only this document is searched, nothing is fetched"#,
        ],
    );
    check(
        &json!({"$ref": "other.json#/x"}),
        &[
            r#"/$ref: "other.json#/x" points at nothing in this schema; only this document is searched, nothing is fetched"#,
        ],
    );
}

#[test]
fn schemas_must_not_refer_to_themselves_in_place() {
    let told = "this schema refers to itself without going into a part of the value";
    check(&json!({"$ref": "#"}), &[&format!("(root): {told}")]);
    check(
        &json!({"anyOf": [{"$ref": "#"}, {"type": "null"}], "unevaluatedProperties": false}),
        &[&format!("/anyOf/0: {told}")],
    );
    check(
        &json!({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}}),
        &[&format!("/$defs/a: {told}")],
    );
    // Unions of each other, each with a way out: a validator would go round, the way out is never the only one.
    let unions: Value = (0..9)
        .map(|n| {
            let others = (0..9).filter(|other| *other != n).map(|other| json!({"$ref": format!("#/$defs/u{other}")}));
            (format!("u{n}"), json!({"anyOf": others.collect::<Vec<_>>()}))
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    assert_eq!(mistakes(&json!({"items": {"$ref": "#/$defs/u0"}, "$defs": unions})).len(), 1);
    // Into a part of the value and back is how trees are told.
    check(&json!({"items": {"$ref": "#"}, "unevaluatedProperties": false}), &[]);
}

#[test]
fn json_schema_itself_is_checked() {
    check(
        &json!({"type": "strin"}),
        &[r#"/type: "strin" is not valid under any of the schemas listed in the 'anyOf' keyword"#],
    );
    check(&json!({"properties": []}), &[r#"/properties: [] is not of type "object""#]);
    check(&json!({"items": 5}), &[r#"/items: 5 is not of types "boolean", "object""#]);
    check(&json!({"required": "a"}), &[r#"/required: "a" is not of type "array""#]);
    check(&json!({"minLength": -1}), &["/minLength: -1 is less than the minimum of 0"]);
    check(&json!([]), &["(root): a schema is a JSON object, not []"]);
    check(&json!("x"), &[r#"(root): a schema is a JSON object, not "x""#]);
    for schema in [
        json!({"type": "string", "pattern": "("}),
        json!({"properties": {"a": {"type": "string", "pattern": "[z-a]"}}}),
    ] {
        let told = mistakes(&schema);
        assert!(told.len() == 1 && told[0].contains("/pattern: "), "{told:?}");
    }
    let told = mistakes(&json!({"patternProperties": {"(": {"type": "string"}}}));
    assert!(told.iter().any(|line| line.starts_with("/patternProperties/(: the pattern cannot be read: ")), "{told:?}");
    assert_eq!(mistakes(&json!({"$schema": "https://example.org/no-such-dialect"})).len(), 1);
}

#[test]
fn all_mistakes_are_told_at_once_by_path() {
    check(
        &json!({
            "type": "object",
            "keyThreshold": 7,
            "properties": {
                "b": {"type": "array", "order": "any", "items": {"type": "string", "score": "no"}},
                "a": {"type": "integer", "threshold": -1, "minimum": "low"}
            }
        }),
        &[
            "/keyThreshold: keyThreshold must be a number from 0 to 1, not 7",
            r#"/properties/a/minimum: "low" is not of type "number""#,
            "/properties/a/threshold: threshold must be a number from 0 to 1, not -1",
            r#"/properties/b/items/score: score of string must be one of jaro, exact, jaro_winkler, levenshtein, damerau_levenshtein, osa, indel, lcsseq, not "no""#,
            r#"/properties/b/order: order must be fixed or align, not "any""#,
        ],
    );
    let errors = Plan::compile(&json!({"order": 1, "nullScore": 2})).expect_err("two mistakes");
    assert_eq!(errors.to_string(), "/nullScore: nullScore must be a number from 0 to 1, not 2 (and 1 more)");
    // One mistake in a definition that is used three times is one mistake.
    check(
        &json!({
            "properties": {"a": {"$ref": "#/$defs/d"}, "b": {"$ref": "#/$defs/d"}, "c": {"allOf": [{"$ref": "#/$defs/d"}]}},
            "$defs": {"d": {"type": "string", "threshold": 2}}
        }),
        &["/$defs/d/threshold: threshold must be a number from 0 to 1, not 2"],
    );
}

#[test]
fn scopes_have_one_definer_in_an_array() {
    let records = |id: Value| json!({"type": "array", "items": {"type": "object", "properties": {"id": id}}});
    let id = json!({"type": "string", "idScope": "node"});
    check(&json!({"properties": {"nodes": records(id.clone()), "root": {"type": "string", "ref": "node"}}}), &[]);
    check(
        &json!({"properties": {"root": {"type": "string", "ref": "node"}}}),
        &[r#"/properties/root/ref: ref names the scope "node", which no idScope defines; defined: nothing"#],
    );
    check(
        &json!({"properties": {"id": id}}),
        &[
            r#"/properties/id/idScope: scope "node" is defined outside an array; idScope marks the identifier of an array's items"#,
        ],
    );
    check(
        &json!({"properties": {"a": records(id.clone()), "b": records(id.clone())}}),
        &[
            r#"/properties/b/items/properties/id/idScope: scope "node" is defined at /properties/a/items/properties/id/idScope already; a scope has one definer"#,
        ],
    );
    check(
        &json!({"properties": {"nodes": records(id.clone()), "root": {"type": "integer", "ref": "node"}}}),
        &[
            r#"/properties/root/ref: a reference to "node" must have the type of its identifier (string, at /properties/nodes/items/properties/id), not integer"#,
        ],
    );
    check(
        &json!({"properties": {"nodes": records(json!({"type": "array", "idScope": "node"}))}}),
        &[
            "/properties/nodes/items/properties/id/idScope: idScope belongs on a string, integer or number; the type here is array",
        ],
    );
    check(
        &json!({"properties": {"nodes": records(json!({"type": "string", "idScope": 5}))}}),
        &["/properties/nodes/items/properties/id/idScope: idScope must be the name of a scope, not 5"],
    );
    check(
        &json!({"properties": {"nodes": records(json!({"type": "string", "idScope": "node", "ref": "node"}))}}),
        &[
            "/properties/nodes/items/properties/id/idScope: a leaf is an identifier or a reference, not both",
            // With the definition refused there is nothing to refer to.
            r#"/properties/nodes/items/properties/id/ref: ref names the scope "node", which no idScope defines; defined: nothing"#,
        ],
    );
    let shared = json!({
        "properties": {"a": {"$ref": "#/$defs/list"}, "b": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
        "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/item"}}, "item": {"properties": {"id": id}}}
    });
    check(
        &shared,
        &[
            r#"/$defs/item/properties/id/idScope: scope "node" would hold the items of several arrays; a scope has one array of records"#,
        ],
    );
}

#[test]
fn keywords_of_references_that_count_for_nothing_are_warned_of() {
    let schema = json!({"properties": {
        "nodes": {"type": "array", "items": {"properties": {"id": {"type": "string", "idScope": "n", "score": "exact"}}}},
        "root": {"type": "string", "ref": "n", "threshold": 0.5}
    }});
    let paths: Vec<String> = plan(&schema).warnings().iter().map(|warning| warning.path().to_owned()).collect();
    assert_eq!(paths, ["/properties/nodes/items/properties/id/score", "/properties/root/threshold"]);
}

#[test]
fn texts_that_are_no_json_name_the_place() {
    for (text, start) in [
        ("{\"a\": }", "line 1, column "),
        ("{\n  \"type\": \"string\",\n  \"score\" \"exact\"\n}", "line 3, column "),
        ("", "the file is empty"),
        ("{} {}", "line 1, column "),
        ("{\"type\": \"string\"", "line 1, column "),
        ("{\"a\": NaN}", "line 1, column "),
    ] {
        let error = parse_schema(text).expect_err(text).to_string();
        assert!(error.starts_with(start), "{text}: {error}");
    }
    assert_eq!(parse_schema("// note\n{'type': 'string',}").expect("JSON5"), json!({"type": "string"}));
    assert_eq!(parse_schema("{\"a\": 1e400}").expect("JSON")["a"].to_string(), "1e+400");
}

#[test]
fn numbers_that_cannot_be_compared_are_an_error_with_a_path() {
    let number = |text: &str| serde_json::from_str::<Value>(text).expect("a number");
    let schema = json!({"type": [0.5, number("1e99999999999")]});
    let errors = Plan::compile(&schema).expect_err("refused").to_string();
    assert_eq!(errors, "/type/1: numbers beyond the range of a double cannot be compared here");
}
