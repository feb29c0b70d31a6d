//! Structure and content, apart: the paper's worked examples, closed forms under known damage, and hostile completions.

use objalign_core::scd::{
    Fate, Level, Limits, Path, Reward, TableTarget, TableTask, Task, TaskError, recover, required_paths,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn path(text: &str) -> Path {
    text.parse().expect("a path")
}

fn planted(pairs: &[(&str, Value)]) -> Vec<(Path, Value)> {
    pairs.iter().map(|(at, value)| (path(at), value.clone())).collect()
}

#[test]
fn the_example_of_listing_3() {
    let schema = json!({
        "type": "object", "required": ["root"],
        "properties": {"root": {
            "type": "object", "required": ["left", "right"],
            "properties": {"left": {"$ref": "#/$defs/leaf"}, "right": {"$ref": "#/$defs/leaf"}}
        }},
        "$defs": {"leaf": {"type": "object", "required": ["value"], "properties": {"value": {"type": "string"}}}}
    });
    let values = planted(&[("$.root.left.value", json!("ALPHA")), ("$.root.right.value", json!("BRAVO"))]);
    let task = Task::of_schema(&schema, values).expect("a task");
    let displaced = r#"{"root": {"left": {"value": "BRAVO"}, "right": {"value": "ALPHA"}}}"#;
    let found = task.measure(displaced);
    assert!(found.fmt_ok());
    assert_eq!((found.planted, found.present, found.placed), (2, 2, 0));
    assert_eq!((found.scr(), found.vp(), found.vpa(), found.scg(), found.dr()), (1.0, 1.0, 0.0, 1.0, Some(1.0)));
    assert_eq!(
        task.fates(displaced).expect("readable"),
        [Fate::Displaced { to: path("$.root.right.value") }, Fate::Displaced { to: path("$.root.left.value") }]
    );
}

#[test]
fn the_example_of_listing_5() {
    let values =
        planted(&[("$.root.left.metadata.code", json!("ALPHA")), ("$.root.right.metadata.code", json!("BRAVO"))]);
    let task = Task::new(vec![], values).expect("a task");
    let found = task
        .measure(r#"{"root": {"left": {"metadata": {"code": "BRAVO"}}, "right": {"metadata": {"code": "ALPHA"}}}}"#);
    assert_eq!((found.present, found.placed, found.dr()), (2, 0, Some(1.0)));
}

fn target(id: &str, row: &str, cell: usize, replacement: &str) -> TableTarget {
    TableTarget { id: id.into(), row: row.parse().expect("a row"), cell, replacement: replacement.into() }
}

#[test]
fn the_example_of_listing_6() {
    let row = "<tr><th>Name</th><td>Ada</td><th>Status</th><td>Pending</td></tr>";
    let task = TableTask::new(vec![target("T1", row, 3, "ALPHA")]).expect("a task");
    let found = task.measure(r#"{"T1": "<tr><th>Name</th><td>ALPHA</td><th>Status</th><td>Pending</td></tr>"}"#);
    assert_eq!((found.scr(), found.vp(), found.vpa(), found.dr()), (1.0, 1.0, 0.0, Some(1.0)));
}

#[test]
fn rows_are_measured_one_by_one() {
    let row = "<tr><th>Name</th><td colspan=2>Ada</td></tr>";
    let targets = vec![target("T1", row, 1, "ALPHA"), target("T2", row, 1, "BRAVO"), target("T3", row, 1, "CHARLIE")];
    let task = TableTask::new(targets).expect("a task");
    let measure = |completion: Value| {
        let found = task.measure(&completion.to_string());
        (found.fmt_ok(), found.required_found, found.present, found.placed)
    };
    let right = |text: &str| format!("<tr><th>Name</th><td colspan=\"2\">{text}</td></tr>");
    assert_eq!(measure(json!({"T1": right("ALPHA"), "T2": right("BRAVO"), "T3": right("CHARLIE")})), (true, 3, 3, 3));
    // The rows of two targets exchanged: each holds a replacement, but not its own.
    assert_eq!(measure(json!({"T1": right("BRAVO"), "T2": right("ALPHA"), "T3": right("CHARLIE")})), (true, 3, 1, 1));
    // A column span lost, a row lost.
    assert_eq!(measure(json!({"T1": "<tr><th>Name<td>ALPHA</tr>", "T2": right("BRAVO")})), (true, 1, 2, 2));
    // One value that is no row is enough: this is no map from targets to rows.
    assert_eq!(measure(json!({"T1": right("ALPHA"), "T2": "BRAVO"})), (false, 0, 0, 0));
    assert_eq!(measure(json!({"T1": right("ALPHA"), "T2": 7})), (false, 0, 0, 0));
    assert_eq!(measure(json!([right("ALPHA")])), (false, 0, 0, 0));
    let said = task.measure(r#"{"T2": "BRAVO"}"#).format.expect_err("no row");
    assert_eq!(said.reason, r#"the row of "T2": there is no <tr>"#);
}

#[test]
fn tasks_that_make_no_sense_are_refused() {
    let twice = Task::new(vec![], planted(&[("$.a", json!(1)), ("$.a", json!(2))]));
    assert_eq!(twice.expect_err("twice").to_string(), "$.a: two values are planted here");
    let deep = Task::new(vec![], planted(&[("$.a", json!([1]))]));
    assert!(matches!(deep, Err(TaskError::NotALeaf { .. })));
    let row = "<tr><td>a</td></tr>";
    let beyond = TableTask::new(vec![target("T1", row, 1, "X")]).expect_err("no such cell");
    assert_eq!(beyond.to_string(), r#"target "T1": cell 1 of a row of 1 cells"#);
    assert!(TableTask::new(vec![target("T1", row, 0, "X"), target("T1", row, 0, "Y")]).is_err());
}

#[test]
fn equality_is_strict_about_everything_but_the_spelling_of_numbers() {
    let fate = |value: Value, completion: &str| {
        let task = Task::new(vec![], vec![(path("$.a"), value)]).expect("a task");
        task.fates(completion).expect("readable").remove(0)
    };
    for (value, completion) in [
        (json!(3), r#"{"a": 3.0}"#),
        (json!(3), r#"{"a": 30e-1}"#),
        (json!(0.1), r#"{"a": 1e-1}"#),
        (json!("é"), r#"{"a": "\u00e9"}"#),
        (json!(null), r#"{"a": null}"#),
        (json!([]), r#"{"a": [ ]}"#),
        (json!({}), r#"{"a": {}}"#),
        (json!(9_007_199_254_740_993_i64), r#"{"a": 9007199254740993}"#),
    ] {
        assert_eq!(fate(value, completion), Fate::Placed, "{completion}");
    }
    for (value, completion) in [
        (json!(1), r#"{"a": true}"#),
        (json!(1), r#"{"a": "1"}"#),
        (json!("a"), r#"{"a": "a "}"#),
        (json!("é"), r#"{"a": "e\u0301"}"#),
        (json!(9_007_199_254_740_993_i64), r#"{"a": 9007199254740992}"#),
    ] {
        assert!(matches!(fate(value, completion), Fate::Altered { .. }), "{completion}");
    }
    assert_eq!(fate(json!([]), r#"{"a": [1]}"#), Fate::Absent);
    assert_eq!(fate(json!(1), r#"{"b": 2}"#), Fate::Absent);
}

#[test]
fn a_leaf_serves_one_value_only_and_replaced_members_none() {
    let task = Task::new(
        vec![path("$.a"), path("$.b"), path("$.c")],
        planted(&[("$.a", json!("X")), ("$.b", json!("X")), ("$.c", json!("Y"))]),
    )
    .expect("a task");
    let counts = |completion: &str| {
        let found = task.measure(completion);
        (found.required_found, found.present, found.placed, found.duplicate_keys)
    };
    assert_eq!(counts(r#"{"c": "X"}"#), (1, 1, 0, 0));
    assert_eq!(counts(r#"{"a": "X", "d": "X", "e": "X"}"#), (1, 2, 1, 0));
    assert_eq!(counts(r#"{"a": "X", "a": "Z"}"#), (1, 0, 0, 1));
    assert_eq!(counts(r#"{"a": {"deep": ["X", "Y"]}, "a": "X"}"#), (1, 1, 1, 1));
    assert_eq!(counts(r#"{"a": {"x": "X"}}"#), (0, 1, 0, 0));
    // Which of two leaves stands for which value: the placed ones first, then in the order of the text.
    let fates = task.fates(r#"{"z": "X", "b": "X", "y": "Y"}"#).expect("readable");
    assert_eq!(fates, [Fate::Displaced { to: path("$.z") }, Fate::Placed, Fate::Displaced { to: path("$.y") }]);
}

#[test]
fn rewards() {
    let task =
        Task::new(vec![path("$.a"), path("$.b")], planted(&[("$.a", json!(1)), ("$.b", json!(2))])).expect("a task");
    let rewards = |completion: &str| {
        let found = task.measure(completion);
        [Reward::Exact, Reward::VPA, Reward::COMPOSITE].map(|reward| reward.of(&found))
    };
    assert_eq!(rewards(r#"{"a": 1, "b": 2}"#), [1.0, 1.0, 1.3]);
    assert_eq!(rewards(r#"{"a": 1, "b": 1}"#), [0.0, 0.5, 0.8]);
    assert_eq!(rewards(r#"{"a": 1}"#), [0.0, 0.5, 0.65]);
    assert_eq!(rewards("sorry"), [0.0, 0.0, 0.0]);
}

/// The table in the documentation, row by row.
#[test]
fn broken_completions_are_read_as_the_table_says() {
    let table = include_str!("../src/scd/recovery.md");
    let mut rows = 0;
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let fields: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [completion, read_as, object, _why] = fields[..] else { panic!("four columns: {line}") };
        let completion: String = serde_json::from_str(completion.trim_matches('`')).expect("a JSON string");
        let (found, value) = match recover(&completion, &Limits::default()) {
            Ok(read) => {
                let repairs: Vec<_> = read.repairs.iter().map(|repair| repair.name()).collect();
                let mut found = read.level.name().to_owned();
                if !repairs.is_empty() {
                    found = format!("{found}: {}", repairs.join(", "));
                }
                if read.duplicate_keys > 0 {
                    found = format!("{found}; {} duplicate", read.duplicate_keys);
                }
                (found, format!("`{}`", read.value))
            }
            Err(refusal) => (format!("refused at {refusal}"), "none".to_owned()),
        };
        assert_eq!((found.as_str(), value.as_str()), (read_as, object), "{line}");
        rows += 1;
    }
    assert!(rows >= 40, "{rows} rows");
}

#[test]
fn limits_are_kept() {
    let deep = |levels: usize| format!("{{\"a\": {}1{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(recover(&deep(126), &Limits::default()).is_ok());
    assert_eq!(recover(&deep(127), &Limits::default()).expect_err("too deep").reason, "nested too deep");
    assert!(recover(&deep(1_000_000), &Limits::default()).is_err());
    assert!(recover(&format!("{{\"a\": {}}}", "9".repeat(1024)), &Limits::default()).is_ok());
    assert!(recover(&format!("{{\"a\": {}}}", "9".repeat(1025)), &Limits::default()).is_err());
    assert!(recover(&" ".repeat((16 << 20) + 1), &Limits::default()).is_err());
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
        "[a\"\\\\\n{}\u{e9}\u{1f600}]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec(("[ab\"]{0,2}", inner), 0..5)
                .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// All leaves of a value with their paths.
fn leaves(value: &Value, at: &Path, found: &mut Vec<(Path, Value)>) {
    use objalign_core::scd::Step;
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, member) in members {
                leaves(member, &at.join(Step::Key(key.clone())), found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, &at.join(Step::Index(index)), found);
            }
        }
        leaf => found.push((at.clone(), leaf.clone())),
    }
}

proptest! {
    #[test]
    fn json_is_read_as_another_parser_reads_it(members in proptest::collection::vec(("[ab]{0,2}", value()), 0..4), pretty: bool) {
        let object: Value = members.into_iter().collect::<serde_json::Map<_, _>>().into();
        let text = if pretty { format!("{object:#}") } else { object.to_string() };
        let read = recover(&text, &Limits::default()).expect("JSON");
        prop_assert_eq!(read.level, Level::Strict);
        prop_assert!(read.repairs.is_empty());
        prop_assert_eq!(read.value, object);
    }

    #[test]
    fn strict_means_what_another_parser_accepts(text in "(\\{\"a\": )?[\\[\\]{}:,\"\\\\a0-9.eE+ntrufalse -]{0,12}\\}?") {
        let other = serde_json::from_str::<Value>(&text).ok().filter(Value::is_object);
        let read = recover(&text, &Limits::default()).ok().filter(|read| read.level == Level::Strict);
        prop_assert_eq!(read.map(|read| read.value), other, "{}", text);
    }

    #[test]
    fn what_is_planted_where_it_stands_is_placed(object in value().prop_filter("an object", Value::is_object)) {
        let mut planted = Vec::new();
        leaves(&object, &Path::root(), &mut planted);
        let required = planted.iter().map(|(path, _)| path.clone()).collect();
        let task = Task::new(required, planted).expect("a task");
        let found = task.measure(&object.to_string());
        prop_assert_eq!((found.scr(), found.vpa(), found.vp()), (1.0, 1.0, 1.0));
    }

    /// However a text is cut, it is read, and nothing stands in it that was not there: the leaves are those of the whole
    /// text, but for the last one.
    #[test]
    fn a_cut_text_loses_only_its_end(object in value().prop_filter("an object", Value::is_object), share in 0.0..1.0_f64) {
        let text = object.to_string();
        let mut end = 1 + ((text.len() - 1) as f64 * share) as usize;
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let read = recover(&text[..end], &Limits::default()).expect("the beginning of an object");
        let (mut whole, mut part) = (Vec::new(), Vec::new());
        leaves(&object, &Path::root(), &mut whole);
        leaves(&read.value, &Path::root(), &mut part);
        let strange: Vec<_> = part.iter().filter(|leaf| !whole.contains(leaf)).collect();
        prop_assert!(strange.len() <= 1, "{} -> {:?}", &text[..end], strange);
        prop_assert!(strange.iter().all(|leaf| part.last() == Some(leaf)));
    }

    #[test]
    fn no_completion_is_fatal(text in "([{}\\[\\]:,\"\\\\`a1 .eE+-]|\\\\u[d0-9a-f]{0,4}|true|```json|\u{feff}|\u{1f600}){0,40}") {
        let task = Task::new(vec![path("$.a")], planted(&[("$.a", json!(1)), ("$.b[0]", json!("a"))])).expect("a task");
        let found = task.measure(&text);
        prop_assert!(found.placed <= found.present && found.present <= found.planted);
        prop_assert_eq!(task.fates(&text).is_ok(), found.fmt_ok());
    }
}

#[test]
fn what_a_task_requires_is_what_its_schema_requires() {
    let schema = json!({"type": "object", "required": ["a b"], "properties": {"a b": {"type": "integer"}}});
    assert_eq!(required_paths(&schema).expect("finite"), [path(r#"$["a b"]"#)]);
    let found = Task::of_schema(&schema, vec![]).expect("a task").measure("{}");
    assert_eq!((found.scr(), found.vpa(), found.vp(), found.scg(), found.dr()), (0.0, 1.0, 1.0, 0.0, None));
}
