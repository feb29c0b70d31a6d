//! `objalign apply`, end to end, and the way to it: `score --feedback --repairs`.

use crate::support::{example, objalign, rows, with_input};
use polars::prelude::{CsvReadOptions, ParquetReader, SerReader};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;

#[test]
fn scored_repaired_and_scored_again_is_1() {
    let directory = tempfile::tempdir().expect("a directory");
    let scored = directory.path().join("scored.jsonl");
    let flags = ["--repairs", "--feedback", "all", "--out"].map(OsString::from);
    let args = ["score".into(), "--pairs".into(), example("pairs.jsonl").into_os_string()].into_iter().chain(flags);
    assert_eq!(objalign(args.chain([scored.clone().into_os_string()])).code, 0);
    let scores = rows(&fs::read_to_string(&scored).expect("the output"));
    let mut again = String::new();
    let mut imperfect = 0;
    for (mut row, score) in rows(&fs::read_to_string(example("pairs.jsonl")).expect("pairs")).into_iter().zip(&scores) {
        let repairs = score["repairs"].as_array().expect("a list");
        let deltas: f64 = repairs.iter().map(|repair| repair["delta"].as_f64().expect("a number")).sum();
        let total = score["score"].as_f64().expect("a score");
        assert!((deltas - (1.0 - total)).abs() < 1e-9, "{score}");
        let text = score["feedback"].as_str().expect("a text");
        assert_eq!(text == "Score 1.000 out of 1. Change nothing.\n", total == 1.0, "{text}");
        imperfect += usize::from(total < 1.0);
        let args = ["apply".into(), "--repairs".into(), scored.clone().into_os_string(), "--id".into()];
        let id = score["id"].as_str().expect("a text").into();
        let call = with_input(args.into_iter().chain([id, "-".into()]), row["pred"].to_string().as_bytes());
        assert_eq!((call.code, call.err.as_str()), (0, ""), "{score}");
        row["pred"] = serde_json::from_slice(&call.out).expect("JSON");
        again += &row.to_string();
        again.push('\n');
    }
    assert!(imperfect > 5, "{imperfect}");
    let call = with_input(["score", "--pairs", "-", "--repairs"], again.as_bytes());
    for row in call.rows() {
        assert_eq!((&row["score"], &row["repairs"]), (&json!(1.0), &json!([])), "{row}");
    }
}

#[test]
fn a_patch_from_elsewhere_applies() {
    let directory = tempfile::tempdir().expect("a directory");
    let (patch, pred) = (directory.path().join("patch.json"), directory.path().join("pred.json"));
    fs::write(&pred, r#"{"a": [1, 2, 3], "b/c": null}"#).expect("written");
    let call = |patch_text: &str, more: &[&str]| {
        fs::write(&patch, patch_text).expect("written");
        let args = ["apply".into(), "--repairs".into(), patch.clone().into_os_string(), pred.clone().into_os_string()];
        objalign(args.into_iter().chain(more.iter().map(Into::into)))
    };
    let operations = r#"[
        {"op": "move", "from": "/a/0", "path": "/a/-"},
        {"op": "remove", "path": "/b~1c"},
        {"op": "add", "path": "/b", "value": null}
    ]"#;
    let done = call(operations, &[]);
    assert_eq!((done.code, done.text()), (0, "{\n  \"a\": [\n    2,\n    3,\n    1\n  ],\n  \"b\": null\n}\n"));
    let first = call(operations, &["--first", "1"]);
    assert_eq!(serde_json::from_slice::<Value>(&first.out).expect("JSON"), json!({"a": [2, 3, 1], "b/c": null}));
    assert_eq!(fs::read_to_string(&pred).expect("still there"), r#"{"a": [1, 2, 3], "b/c": null}"#);

    let name = patch.display();
    for (text, more, code, says) in [
        (
            r#"[{"op": "remove", "path": "/a/0"}, {"op": "remove", "path": "/a/2"}]"#,
            &[][..],
            1,
            "operation 2 (remove /a/2): nothing is there",
        ),
        (
            r#"[{"op": "test", "path": "/a"}]"#,
            &[],
            2,
            "operation 1: unknown variant `test`, expected one of `add`, `remove`, `replace`, `move`",
        ),
        ("[", &[], 2, "line 1, column 1: EOF while parsing a list"),
        ("{\"id\": 1}\n{\"id\": 2}", &[], 2, "it holds 2 rows: say which one by its id"),
        ("{\"id\": 1}\n{\"id\": 2}", &["--id", "3"], 2, "none of its 2 rows has the id 3"),
    ] {
        let refused = call(text, more);
        assert_eq!((refused.code, refused.text()), (code, ""), "{text}");
        assert_eq!(refused.err, format!("error: {name}: {says}\n"));
    }
    let both = objalign(["apply", "--repairs", "-", "-"]);
    assert_eq!((both.code, both.err.as_str()), (2, "error: only one of PRED and --repairs can be standard input\n"));
}

#[test]
fn tables_hold_feedback_and_repairs_as_text() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = |name: &str| directory.path().join(name);
    for name in ["t.jsonl", "t.csv", "t.parquet"] {
        let pairs = example("pairs.jsonl").into_os_string();
        let flags = ["--feedback", "2", "--style", "compact", "--repairs", "--out"].map(OsString::from);
        let args = ["score".into(), "--pairs".into(), pairs].into_iter().chain(flags);
        assert_eq!(objalign(args.chain([out(name).into_os_string()])).code, 0);
    }
    let lines = rows(&fs::read_to_string(out("t.jsonl")).expect("the output"));
    let parquet = ParquetReader::new(fs::File::open(out("t.parquet")).expect("the output")).finish().expect("Parquet");
    let csv = CsvReadOptions::default().try_into_reader_with_file_path(Some(out("t.csv"))).expect("the output");
    for frame in [parquet, csv.finish().expect("CSV")] {
        let text = |name: &str, at: usize| {
            frame.column(name).expect("a column").str().expect("text").get(at).map(str::to_owned)
        };
        assert_eq!(frame.height(), lines.len());
        for (at, line) in lines.iter().enumerate() {
            assert_eq!(text("feedback", at).as_deref(), line["feedback"].as_str());
            let repairs: Value = serde_json::from_str(&text("repairs", at).expect("a list")).expect("JSON");
            assert_eq!(repairs, line["repairs"]);
        }
    }
}

#[test]
fn one_pair_of_files_gives_a_row() {
    let files = ["invoice.jsonc", "invoice.gold.json", "invoice.pred.json"].map(|name| example(name).into_os_string());
    let args = ["score".into(), "--feedback".into(), "1".into(), "--repairs".into(), "--schema".into()];
    let call = objalign(args.into_iter().chain(files));
    assert_eq!(call.code, 0, "{}", call.err);
    let row = call.rows().remove(0);
    let names: Vec<&String> = row.as_object().expect("an object").keys().collect();
    assert_eq!(names, ["id", "score", "warnings", "error", "feedback", "repairs"]);
    assert_eq!(row["feedback"].as_str().expect("a text").lines().count(), 2);
    let keys: Vec<&String> = row["repairs"][0].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["op", "path", "value", "kind", "delta"]);
}
