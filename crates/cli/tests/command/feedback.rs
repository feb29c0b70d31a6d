//! `objalign feedback`, end to end.

use crate::support::{Call, example, objalign};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;

fn call(more: &[&str]) -> Call {
    let mut args: Vec<OsString> = vec!["feedback".into(), "--schema".into(), example("invoice.jsonc").into()];
    args.extend(["invoice.gold.json", "invoice.pred.json"].map(|name| example(name).into_os_string()));
    args.extend(more.iter().map(Into::into));
    objalign(args)
}

#[test]
fn the_costliest_come_first() {
    let told = call(&[]);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let lines: Vec<&str> = told.text().lines().collect();
    assert_eq!(lines[0], "Score 0.785 out of 1; 0.215 is lost. 5 of 11 fixes:");
    assert_eq!(lines[1], "1. /total: write 482.5 instead of 483.5. (+0.094)");
    assert_eq!(lines.len(), 7, "{}", told.text());
    assert_eq!(call(&["--top", "all", "--style", "compact"]).text().lines().count(), 13);
    assert_eq!(call(&["--top", "2"]).text().lines().count(), 4);
}

#[test]
fn the_flags_say_which_and_how() {
    let json: Value = serde_json::from_str(call(&["--style", "json"]).text()).expect("JSON");
    assert_eq!((json["shown"].as_u64(), json["total"].as_u64()), (Some(5), Some(11)));
    let semantic = call(&["--references", "semantic", "--top", "all"]);
    assert!(semantic.text().contains(": the line must be the record with text \""), "{}", semantic.text());
    let subtree = call(&["--granularity", "subtree", "--top", "all"]);
    assert!(subtree.text().contains("/lines/1: write {\"id\":20,"), "{}", subtree.text());
    let large = call(&["--min-delta", "0.04"]);
    assert!(large.text().starts_with("Score 0.785 out of 1; 0.215 is lost. 2 fixes:\n"), "{}", large.text());
    let sure = call(&["--rank", "confidence"]);
    assert_eq!(sure.code, 0, "{}", sure.err);
    assert_ne!(sure.text(), call(&[]).text());
    let short = call(&["--value-length", "8", "--top", "all"]);
    assert!(short.text().contains("\"Ke...s\""), "{}", short.text());
    let exact = call(&["--exact"]);
    assert_eq!((exact.code, exact.text().lines().count()), (0, 7));
    let worth = call(&["--invalid", "score", "--structure", "none", "--confidence", "entropy"]);
    assert_eq!(worth.code, 0, "{}", worth.err);
}

#[test]
fn templates_are_checked_when_they_are_loaded() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("words.toml");
    let flags = ["--templates", file.to_str().expect("UTF-8")];
    fs::write(&file, "[prose]\nline = \"* {text}\"\n").expect("written");
    assert_eq!(call(&flags).text().lines().filter(|line| line.starts_with("* /")).count(), 5);
    fs::write(&file, "[prose]\nlines = \"{text}\"\n").expect("written");
    let refused = call(&flags);
    assert_eq!((refused.code, refused.text()), (2, ""));
    let name = file.display();
    assert!(refused.err.starts_with(&format!("error: {name}: prose.lines: there is no such key; allowed here: ")));
    let gone = call(&["--templates", "none.toml"]);
    assert!(gone.code == 2 && gone.err.starts_with("error: none.toml: cannot be read: "), "{}", gone.err);
}

#[test]
fn the_operations_are_a_patch_that_leads_to_1() {
    let directory = tempfile::tempdir().expect("a directory");
    let (patch, repaired) = (directory.path().join("patch.json"), directory.path().join("repaired.json"));
    let text = call(&["--repairs-out", patch.to_str().expect("UTF-8"), "--top", "1"]);
    assert_eq!(text.text().lines().count(), 2, "the text is there as well");
    let written = fs::read_to_string(&patch).expect("the patch");
    assert_eq!(written.lines().count(), 2 + 11, "one operation a line:\n{written}");
    assert_eq!(call(&["--repairs-out", "-"]).text(), written);
    let operations: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(operations[0]["op"], json!("replace"));

    let pred = example("invoice.pred.json");
    let args = ["apply".into(), "--repairs".into(), patch.into_os_string(), pred.into_os_string()];
    let applied = objalign(args.into_iter().chain(["--out".into(), repaired.clone().into_os_string()]));
    assert_eq!((applied.code, applied.text(), applied.err.as_str()), (0, "", ""));
    let files = [example("invoice.jsonc"), example("invoice.gold.json"), repaired].map(OsString::from);
    let scored = objalign(["score".into(), "--schema".into()].into_iter().chain(files));
    assert_eq!(scored.text().lines().next(), Some("1"));
}

#[test]
fn a_wrong_call_says_what_is_allowed() {
    for (flags, says) in [
        (["--top", "0"], "allowed: a number from 1, or all"),
        (["--style", "verse"], "[possible values: prose, compact, json]"),
        (["--references", "x"], "[possible values: literal, semantic]"),
        (["--granularity", "x"], "[possible values: leaf, subtree]"),
        (["--rank", "x"], "[possible values: delta, confidence, delta_confidence]"),
        (["--min-delta", "2"], "allowed: 0 to 1"),
        (["--value-length", "7"], "7 is not in 8.."),
    ] {
        let call = call(&flags);
        assert_eq!((call.code, call.text()), (2, ""), "{flags:?}");
        assert!(call.err.contains(says), "{flags:?}: {}", call.err);
    }
}
