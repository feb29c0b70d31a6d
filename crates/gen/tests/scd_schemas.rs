//! Tasks of schemas that were given: what can be satisfied is, and what cannot is passed over with its reason.

use objalign_gen::scd::check::check;
use objalign_gen::scd::directory::line;
use objalign_gen::scd::json::ScdJson;
use objalign_gen::scd::json::params::Params;
use objalign_gen::scd::json::real::{Given, read};
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::task::{Question, TaskRow};
use serde_json::{Value, json};
use std::fs;

fn params() -> Params {
    let mut params = Params::published();
    for tasks in [
        &mut params.core.tasks,
        &mut params.depth.tasks,
        &mut params.count.tasks,
        &mut params.cues.tasks,
        &mut params.names.tasks,
        &mut params.train.tasks,
    ] {
        *tasks = 0;
    }
    params.real.tasks = 2;
    params
}

fn of(schemas: &[(&str, Value)]) -> (ScdJson, Vec<String>) {
    let given = schemas.iter().map(|(name, schema)| Given { name: (*name).to_owned(), schema: schema.clone() });
    let (source, skipped) = ScdJson::new(params()).expect("parameters").with_schemas(given.collect());
    (source, skipped.iter().map(ToString::to_string).collect())
}

fn tasks(source: &ScdJson) -> Vec<TaskRow> {
    let sets = source.sets();
    let places = sets.iter().enumerate().flat_map(|(at, set)| {
        set.conditions
            .iter()
            .enumerate()
            .flat_map(move |(of, condition)| (0..condition.tasks).map(move |index| (at, of, index)))
    });
    places.map(|(set, condition, index)| source.task(set, condition, index)).collect()
}

fn good() -> Vec<(&'static str, Value)> {
    let three = json!({"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "number"}});
    vec![
        ("plain.json", json!({"type": "object", "required": ["a", "b", "c"], "properties": three})),
        // References in both spellings, parts, arrays, odd keys, and everything that is no place to plant.
        (
            "rich.json",
            json!({
                "$schema": "http://json-schema.org/draft-07/schema#",
                "definitions": {
                    "person": {
                        "type": "object", "required": ["name", "age", "born", "kind"], "additionalProperties": false,
                        "properties": {
                            "name": {"type": "string", "minLength": 5, "maxLength": 8},
                            "age": {"type": "integer", "minimum": 1000, "exclusiveMaximum": 2000},
                            "born": {"type": "string", "format": "date"},
                            "kind": {"enum": ["a", "b"]},
                            "friend": {"$ref": "#/definitions/person"}
                        }
                    }
                },
                "allOf": [{"required": ["owner"]}, {"properties": {"owner": {"$ref": "#/definitions/person"}}}],
                "type": "object",
                "required": ["odd \"key\"", "people", "code", "version", "either", "flags", "weight", "nothing", "open"],
                "properties": {
                    "odd \"key\"": {"type": "number", "exclusiveMinimum": 0},
                    "people": {"type": "array", "minItems": 2, "uniqueItems": true, "items": {"$ref": "#/definitions/person"}},
                    "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
                    "version": {"const": 3},
                    "either": {"oneOf": [{"type": "null"}, {"type": "object", "required": ["x"], "properties": {"x": {"type": "string"}}}]},
                    "flags": {"type": "array", "items": {"type": "boolean"}, "contains": {"const": true}},
                    "weight": {"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.25},
                    "nothing": {"type": ["null", "string"]}
                }
            }),
        ),
        (
            "draft4.json",
            json!({
                "$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.org/s", "type": "object",
                "required": ["a", "b", "c"],
                "properties": {
                    "a": {"type": "string"},
                    "b": {"type": "integer", "minimum": 1009, "exclusiveMinimum": true},
                    "c": {"type": "number"}
                },
                "dependencies": {"a": ["d"]}
            }),
        ),
    ]
}

#[test]
fn what_can_be_satisfied_is() {
    let (source, skipped) = of(&good());
    assert_eq!(skipped, [""; 0]);
    let tasks = tasks(&source);
    assert_eq!(tasks.len(), 6);
    for task in &tasks {
        assert_eq!((check(task), task.level.as_str()), (Ok(()), "real"), "{}", task.id);
    }
    assert_eq!(tasks[2].id, "json/real/rich.json/0000");
    let paths = |task: &TaskRow| -> Vec<String> {
        let Question::Json { planted, .. } = &task.question else { panic!("a table") };
        let mut paths: Vec<String> = planted.iter().map(|planted| planted.path.clone()).collect();
        paths.sort();
        paths
    };
    let expected = [
        "$.owner.age",
        "$.owner.name",
        "$.people[0].age",
        "$.people[0].name",
        "$.people[1].age",
        "$.people[1].name",
        "$[\"odd \\\"key\\\"\"]",
    ];
    assert_eq!(paths(&tasks[2]), expected);
    assert_ne!(tasks[2].reference, tasks[3].reference);
    // A row is enough to make it again, without the folder.
    let alone = ScdJson::new(params()).expect("parameters");
    for task in &tasks {
        assert_eq!(alone.again(task).as_ref().map(line), Some(line(task)));
    }
}

#[test]
fn what_cannot_be_is_passed_over_with_its_reason() {
    let object =
        |required: Value, properties: Value| json!({"type": "object", "required": required, "properties": properties});
    let text = json!({"type": "string"});
    let (source, skipped) = of(&[
        ("array.json", json!([1])),
        ("few.json", object(json!(["a", "b"]), json!({"a": text, "b": text}))),
        ("optional.json", object(json!([]), json!({"a": text, "b": text, "c": text}))),
        ("list.json", json!({"type": "array", "minItems": 3, "items": text})),
        ("endless.json", object(json!(["next"]), json!({"next": {"$ref": "#"}}))),
        ("away.json", object(json!(["a"]), json!({"a": {"$ref": "https://example.org/other.json"}}))),
        ("forbidden.json", json!({"type": "object", "required": ["a"], "additionalProperties": false})),
        ("pattern.json", object(json!(["a"]), json!({"a": {"type": "string", "pattern": "^(ab){7}c$"}}))),
        ("bounds.json", object(json!(["a"]), json!({"a": {"type": "integer", "minimum": 4, "maximum": 3}}))),
        ("not.json", {
            let mut schema = object(json!(["a", "b", "c"]), json!({"a": text, "b": text, "c": text}));
            schema["not"] = json!({"required": ["a"]});
            schema
        }),
        ("wrong.json", json!({"type": "obj", "required": 3})),
        ("few.json", object(json!(["a"]), json!({"a": text}))),
        ("long.json", json!({"type": "object", "description": "x".repeat(30_000)})),
    ]);
    assert!(source.sets().is_empty());
    let expected = [
        "array.json: is no schema: an object should be here",
        "few.json: has room for too few values: 2; allowed: 3 or more",
        "optional.json: has room for too few values: 0; allowed: 3 or more",
        "list.json: asks for no object",
        "endless.json: $.next.next.next",
        "away.json: /properties/a: $ref \"https://example.org/other.json\" points at nothing in this schema",
        "forbidden.json: $.a: is required, and not allowed",
        "pattern.json: $.a: no string was found that fits",
        "bounds.json: $.a: no integer was found that fits",
        "not.json: the reference does not fit its schema: (root): ",
        "wrong.json: ",
        "few.json: there is a schema of this name already",
        "long.json: 30034 characters; allowed: 20000",
    ];
    assert_eq!(skipped.len(), expected.len(), "{skipped:#?}");
    for (found, expected) in skipped.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn folders_are_read_in_order_whatever_is_in_them() {
    let room = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| fs::write(room.path().join(name), text).expect("written");
    fs::create_dir(room.path().join("sub")).expect("made");
    let plain = good()[0].1.to_string();
    write("b.json", &plain);
    write("a.json", "{");
    write("notes.txt", "no schema");
    write("sub/c.json", &plain);
    let text = Value::from(plain.as_str());
    write(
        "rows.jsonl",
        &format!("{{\"json_schema\": {text}, \"unique_id\": \"one\"}}\n\n{{\"json_schema\": {plain}}}\n{{\"x\": 1}}\n"),
    );
    let (given, skipped) = read(room.path()).expect("a folder");
    let names: Vec<&str> = given.iter().map(|given| given.name.as_str()).collect();
    assert_eq!(names, ["b.json", "one", "rows.jsonl:3", "sub/c.json"]);
    assert!(given.iter().all(|given| given.schema == good()[0].1));
    let told: Vec<String> = skipped.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2);
    assert!(
        told[0].starts_with("a.json: is no JSON: ")
            && told[1].starts_with("rows.jsonl:4: is no row with a \"json_schema\": "),
        "{told:?}"
    );
    assert!(read(&room.path().join("nowhere")).is_err());
}
