//! Anything at all as a schema and as documents: an error or a score, never a panic, and soon.

use objalign_core::{Aligner, Confidence, Invalid, Options, Palette, Plan, parse_schema};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const KEYWORDS: [&str; 48] = [
    "type",
    "properties",
    "items",
    "prefixItems",
    "additionalProperties",
    "patternProperties",
    "required",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "$ref",
    "$defs",
    "definitions",
    "$id",
    "id",
    "$anchor",
    "$dynamicRef",
    "$schema",
    "if",
    "then",
    "contains",
    "minItems",
    "pattern",
    "format",
    "minimum",
    "multipleOf",
    "uniqueItems",
    "additionalItems",
    "unevaluatedProperties",
    "score",
    "threshold",
    "idScope",
    "ref",
    "nullScore",
    "order",
    "ignoreExcess",
    "ignoreMissing",
    "prefixWeights",
    "prefixImportance",
    "restImportance",
    "keyScore",
    "keyThreshold",
    "keyImportance",
    "valueImportance",
    "valueWeight",
];

const TEXTS: [&str; 30] = [
    "",
    "a",
    "b",
    "string",
    "integer",
    "number",
    "null",
    "array",
    "object",
    "boolean",
    "exact",
    "jaro",
    "align",
    "fixed",
    "node",
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/properties/a",
    "#/items",
    "#/anyOf/0",
    "#/allOf/0",
    "#a",
    "a.json",
    "#/",
    "^a",
    "(",
    "date",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2020-12/schema",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..12).prop_map(Value::from),
        prop::sample::select(vec![0.5, 1.0, 0.25, 1e308, 1e-320, -0.0]).prop_map(Value::from),
        prop::sample::select(vec!["1e400", "-1e-400", "18446744073709551616", "1e99999999999"])
            .prop_map(|text| serde_json::from_str(text).expect("a number")),
        prop::sample::select(TEXTS.to_vec()).prop_map(Value::from),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(KEYWORDS.to_vec()).prop_map(String::from),
        2 => prop::sample::select(vec!["a", "b", "", "a/b", "~"]).prop_map(String::from),
    ]
}

/// JSON that looks a little like a schema.
fn anything() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..5)
                .prop_map(|members| members.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

/// A schema most of whose parts are where they belong.
fn plausible() -> impl Strategy<Value = Value> {
    let keyword = |name: &'static str, values: Vec<Value>| {
        prop::sample::select(values).prop_map(move |value| (name.to_owned(), value))
    };
    let small = prop_oneof![
        keyword(
            "type",
            vec![
                json!("string"),
                json!("integer"),
                json!("array"),
                json!("object"),
                json!(["null", "number"]),
                json!("boolean")
            ]
        ),
        keyword("score", vec![json!("exact"), json!("jaro"), json!("invdiff")]),
        keyword("threshold", vec![json!(0.5), json!(1)]),
        keyword("nullScore", vec![json!(0.5), json!(0)]),
        keyword("order", vec![json!("align"), json!("fixed")]),
        keyword("ignoreExcess", vec![json!(true), json!(false)]),
        keyword("keyImportance", vec![json!(0), json!(1)]),
        keyword("valueWeight", vec![json!(0), json!(2)]),
        keyword("const", vec![json!(1), json!(null), json!([1, "a"]), json!({"a": 1})]),
        keyword("enum", vec![json!(["a", null]), json!([1, 2.5]), json!([true, {}])]),
        keyword(
            "$ref",
            vec![
                json!("#"),
                json!("#/$defs/a"),
                json!("#/$defs/b"),
                json!("#/properties/a"),
                json!("#/items"),
                json!("#/anyOf/1"),
                json!("#/allOf/0")
            ]
        ),
        keyword("prefixImportance", vec![json!(1), json!(0)]),
        keyword("restImportance", vec![json!(1)]),
    ];
    let bottom = prop_oneof![
        4 => prop::collection::vec(small.clone(), 0..3).prop_map(|members| members.into_iter().collect::<Map<_, _>>().into()),
        1 => any::<bool>().prop_map(Value::from),
    ];
    let nested = bottom.prop_recursive(4, 30, 4, move |inner: BoxedStrategy<Value>| {
        let list = prop::collection::vec(inner.clone(), 1..4).prop_map(Value::from);
        let map = prop::collection::vec((prop::sample::select(vec!["a", "b", "kind"]), inner.clone()), 0..3).prop_map(
            |members| members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into(),
        );
        let big = prop_oneof![
            (prop::sample::select(vec!["items", "additionalProperties", "not", "unevaluatedProperties"]), inner),
            (prop::sample::select(vec!["prefixItems", "anyOf", "oneOf", "allOf"]), list),
            (prop::sample::select(vec!["properties", "patternProperties", "$defs"]), map),
        ];
        (prop::collection::vec(big, 1..3), prop::collection::vec(small.clone(), 0..3)).prop_map(|(big, small)| {
            big.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(small).collect::<Map<_, _>>().into()
        })
    });
    (nested, prop::collection::vec(anything(), 0..1)).prop_map(|(mut schema, _)| {
        if let Value::Object(keywords) = &mut schema {
            let definitions = keywords.entry("$defs").or_insert_with(|| json!({}));
            if let Value::Object(definitions) = definitions {
                definitions.entry("a").or_insert_with(|| json!({"type": "object", "properties": {"a": {"$ref": "#"}}}));
                definitions.entry("b").or_insert_with(
                    || json!({"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}, {"type": "integer"}]}),
                );
            }
        }
        schema
    })
}

fn try_all(schema: &Value, documents: &[Value]) -> Result<(), TestCaseError> {
    let plan = match Plan::compile(schema) {
        Ok(plan) => plan,
        Err(errors) => {
            prop_assert!(errors.iter().count() > 0);
            prop_assert!(!errors.to_string().is_empty());
            return Ok(());
        }
    };
    let options = Options::new().invalid(Invalid::Score).confidence(Confidence::Entropy);
    let mut aligner = Aligner::with_options(&plan, options);
    for gold in documents {
        for candidate in documents {
            let Ok(alignment) = aligner.align(gold, candidate) else { continue };
            let score = alignment.score();
            prop_assert!((0.0..=1.0).contains(&score), "{score}");
            prop_assert!(alignment.explain().is_object());
            prop_assert!(!alignment.draw(Palette::colour()).is_empty());
            if gold == candidate {
                prop_assert_eq!(score, 1.0, "{} {}", schema, gold);
            }
            let expected = (score.to_bits(), alignment.pair_warnings().to_vec());
            let alone = aligner.score(gold, candidate).expect("as before");
            prop_assert_eq!((alone.score().to_bits(), alone.pair_warnings().to_vec()), expected);
        }
    }
    Ok(())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 3000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn anything_as_a_schema(schema in anything(), documents in prop::collection::vec(anything(), 1..4)) {
        try_all(&schema, &documents)?;
    }

    #[test]
    fn plausible_schemas(schema in plausible(), documents in prop::collection::vec(anything(), 1..5)) {
        try_all(&schema, &documents)?;
    }

    #[test]
    fn any_text_as_a_schema(text in "\\PC{0,60}|[\\[\\]{}\"':,0-9a-z/* \\n]{0,60}") {
        if let Ok(schema) = parse_schema(&text) {
            let _ = Plan::compile(&schema);
        }
    }
}

#[test]
fn odd_schemas_are_refused_or_used() {
    let documents = [json!(null), json!(1), json!("a"), json!([1, [2]]), json!({"a": {"a": 1}, "b": [null]})];
    let enumeration: Vec<Value> = (0..20_000).map(|n| json!(format!("value {n}"))).collect();
    for schema in [
        json!(true),
        json!(false),
        json!({}),
        json!({"items": true}),
        json!({"items": false}),
        json!({"prefixItems": [true, false], "items": false}),
        json!({"properties": {"a": true, "b": false}}),
        json!({"additionalProperties": false}),
        json!({"patternProperties": {"a": true, ".": false}}),
        json!({"anyOf": [true, false]}),
        json!({"anyOf": [false, false]}),
        json!({"anyOf": [{"type": "null"}]}),
        json!({"anyOf": [{"type": "null"}, {"type": "null"}]}),
        json!({"oneOf": [{"type": "integer"}]}),
        json!({"allOf": [true, {"allOf": [true]}]}),
        json!({"not": {}}),
        json!({"enum": enumeration}),
        json!({"const": {"a": {"a": 1}, "b": [null]}}),
        json!({"$ref": "#"}),
        json!({"$ref": "#", "type": "integer"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"allOf": [{"$ref": "#"}]}}}),
        json!({"anyOf": [{"$ref": "#"}, {"type": "integer"}]}),
        json!({"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "$defs": {"a": {"anyOf": [{"$ref": "#"}, {"type": "string"}]}}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"items": {"$ref": "#"}, "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/properties/a"}}}),
        json!({"$ref": "#/$defs/a", "threshold": 0.5, "$defs": {"a": {"type": "string", "threshold": 0.9}}}),
        json!({"$ref": "#/enum/0", "enum": [{"type": "integer"}]}),
        json!({"unevaluatedProperties": {"type": "integer"}, "unevaluatedItems": false}),
        json!({"enum": []}),
        json!({"items": []}),
        json!({"prefixItems": []}),
        json!({"prefixItems": [], "prefixWeights": []}),
        json!({"properties": {"a": 5}}),
        json!({"patternProperties": {"(?=a)b|\\p{L}+": {"type": "object"}}}),
        json!({"type": []}),
        json!({"type": ["integer", "integer"]}),
        json!({"$defs": {"x": {"id": "whatever", "$ref": "#/$defs/y"}, "y": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/x"}}}),
        json!({"if": {"type": "object"}, "then": {"required": ["a"]}, "else": {"type": ["null", "number", "string", "array"]}}),
    ] {
        try_all(&schema, &documents)
            .unwrap_or_else(|error| panic!("{error}: {}", schema.to_string().chars().take(200).collect::<String>()));
    }
}

#[test]
fn numbers_with_great_exponents_take_no_time() {
    let plan = Plan::compile(&json!({"type": "integer", "minimum": 0, "multipleOf": 1})).expect("a schema");
    let mut aligner = Aligner::new(&plan);
    let huge: Value = serde_json::from_str("1e999999999").expect("a JSON number");
    let _ = aligner.align(&huge, &json!(1));
    let _ = aligner.align(&json!(1), &huge);
}
