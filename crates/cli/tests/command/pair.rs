//! `objalign score GOLD PRED` and `objalign check`, end to end.

use crate::support::{Call, example, objalign};
use serde_json::json;
use std::ffi::OsString;
use std::fs;

fn invoice(flags: &[&str]) -> Call {
    let files = [example("invoice.jsonc"), example("invoice.gold.json"), example("invoice.pred.json")];
    let args = ["score", "--schema"].map(OsString::from).into_iter().chain(files.map(OsString::from));
    objalign(args.chain(flags.iter().map(OsString::from)))
}

#[test]
fn a_pair_is_drawn_as_a_tree() {
    let call = invoice(&[]);
    assert_eq!((call.code, call.err.as_str()), (0, ""));
    let lines: Vec<&str> = call.text().lines().collect();
    assert!(lines[0].starts_with("0."), "{}", lines[0]);
    assert!(lines.contains(&"0.985   supplier  \"Kestrel Feeds\" -> \"Kestrel Feed\""), "{}", call.text());
    assert!(lines.contains(&"0.000     - [1]  \"depot\"  missing"), "{}", call.text());
}

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    assert!(!invoice(&[]).text().contains('\u{1b}'));
    assert!(!invoice(&["--color", "never"]).text().contains('\u{1b}'));
    assert!(invoice(&["--color", "always"]).text().contains("\u{1b}[32m"));
}

#[test]
fn a_pair_can_be_explained_for_programs() {
    let call = invoice(&["--explain", "--confidence", "margin"]);
    let row = call.rows().remove(0);
    assert_eq!(row["id"], json!(null));
    assert_eq!(row["explain"]["score"], row["score"]);
    assert!(row["confidence"].as_f64().is_some());
    assert!(invoice(&["--confidence", "entropy"]).text().lines().nth(1).expect("a line").starts_with("confidence 0."));
}

#[test]
fn what_is_wrong_with_a_pair_is_one_line() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).expect("written");
        path.into_os_string().into_string().expect("UTF-8")
    };
    let (schema, good) = (file("s.json", r#"{"type": "integer"}"#), file("good.json", "1"));
    let (broken, wrong) = (file("broken.json", "[1,\n 2"), file("wrong.json", "\"one\""));
    let score = |gold: &str, pred: &str| objalign(["score", "--schema", schema.as_str(), gold, pred]);

    let call = score(&good, &broken);
    assert_eq!((call.code, call.err), (1, format!("error: {broken}: line 2, column 2: EOF while parsing a list\n")));
    let call = score(&wrong, &good);
    let expected = format!("error: {good} against {wrong}: gold (root): \"one\" is not of type \"integer\"\n");
    assert_eq!((call.code, call.err), (1, expected));
    let call = score(&good, &wrong);
    assert_eq!((call.code, call.text().lines().next()), (0, Some("0")));
    assert_eq!(call.err, "warning: candidate (root): \"one\" is not of type \"integer\"\n");
    let none = format!("{good}.none");
    let call = score(&good, &none);
    assert_eq!(call.code, 2);
    assert!(call.err.starts_with(&format!("error: {none}: cannot be read: ")), "{}", call.err);
}

#[test]
fn check_says_what_a_schema_means() {
    let call = objalign(["check".into(), example("invoice.jsonc").into_os_string()]);
    assert_eq!((call.code, call.err.as_str()), (0, ""));
    assert!(call.text().contains("reference into scope \"line\""), "{}", call.text());
    assert!(call.text().lines().any(|line| line.starts_with("  supplier      string")), "{}", call.text());
}

#[test]
fn check_warns_and_tells_mistakes() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("s.jsonc");
    let check = |text: &str| {
        fs::write(&path, text).expect("written");
        objalign(["check".as_ref(), path.as_os_str()])
    };
    let name = path.display();
    let call = check(r#"{"type": "string", "order": "align"}"#);
    assert_eq!(call.code, 0);
    assert!(call.err.starts_with(&format!("warning: {name}: schema /order: ignored: ")), "{}", call.err);
    let call = check(r#"{"type": "string", "score": "best"}"#);
    assert_eq!((call.code, call.text()), (1, ""));
    assert!(call.err.starts_with(&format!("{name}: /score: ")), "{}", call.err);
    let call = check("{\n  \"type\": \"string\"\n  \"score\": 1\n}");
    assert_eq!(call.code, 1);
    assert!(call.err.starts_with(&format!("{name}: line ")), "{}", call.err);
}

#[test]
fn help_has_an_example_and_fits_a_screen() {
    for command in [&["--help"][..], &["score", "--help"], &["check", "--help"]] {
        let call = objalign(command);
        assert_eq!(call.code, 0);
        assert!(call.text().contains("Example"), "{command:?}");
        assert!(call.text().lines().count() <= 40, "{command:?}");
        assert!(call.text().lines().all(|line| line.chars().count() <= 100), "{command:?}");
    }
}

#[test]
fn the_version_is_the_crates() {
    assert_eq!(objalign(["--version"]).text(), format!("objalign {}\n", env!("CARGO_PKG_VERSION")));
}
