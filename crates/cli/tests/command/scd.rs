//! `objalign scd`, end to end.

use crate::support::{example, objalign, rows, with_input};
use std::fs;

#[test]
fn the_examples_are_measured_and_summarised() {
    let dir = tempfile::tempdir().expect("a directory");
    let (out, summary) = (dir.path().join("out.jsonl"), dir.path().join("summary.json"));
    let call = objalign([
        &"scd".into(),
        &"--tasks".into(),
        &example("scd/tasks.jsonl"),
        &"--completions".into(),
        &example("scd/completions.jsonl"),
        &"--fates".into(),
        &"--out".into(),
        &out,
        &"--summary".into(),
        &summary,
    ]);
    assert_eq!(call.code, 0, "{}", call.err);
    let found = rows(&fs::read_to_string(out).expect("the measures"));
    let vpa: Vec<f64> = found.iter().map(|row| row["vpa"].as_f64().expect("a number")).collect();
    assert_eq!(vpa, [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(found[1]["fates"][0]["to"], "$.root.right.value");
    assert_eq!(found[3]["dr"], 1.0);
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(summary).expect("the summary")).expect("JSON");
    assert_eq!(summary["S"]["completions"], 4);
    assert_eq!(summary["S"]["vp"]["value"], 0.75);
}

#[test]
fn rows_that_fail_have_their_error_in_place() {
    let tasks = example("scd/tasks.jsonl");
    let input = b"{\"id\": \"nobody\", \"completion\": \"{}\"}\n{\"id\": \"siblings\"}\n";
    let call = with_input([&"scd".into(), &"-t".into(), &tasks, &"-c".into(), &"-".into()], input);
    assert_eq!(call.code, 1);
    let found = call.rows();
    assert_eq!(found[0]["error"], "line 1: there is no task \"nobody\"");
    assert_eq!(found[1]["error"], "line 2: the row has no \"completion\"");
    let call = objalign(["scd", "-t", "nowhere.jsonl", "-c", "-"]);
    assert_eq!(call.code, 2);
    assert!(call.err.starts_with("error: nowhere.jsonl: cannot be read"), "{}", call.err);
}
