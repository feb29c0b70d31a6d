//! `objalign probe`, end to end.

use crate::support::{objalign, with_input};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn graph(ids: [&str; 3], title: &str) -> Value {
    let [a, b, company] = ids;
    json!({
        "people": [{"id": a, "name": "Ann Lee", "title": "chemist"}, {"id": b, "name": "Bo Dahl", "title": title}],
        "companies": [{"id": company, "name": "Kestrel Feeds", "industry": "farming"}],
        "employment": [{"person": a, "company": company, "role": "lead"}, {"person": b, "company": company, "role": "lead"}],
        "acquaintance": [{"source": a, "target": b, "relation": "knows"}],
        "partnership": []
    })
}

const GOLD: [&str; 3] = ["aaaaaa", "bbbbbb", "cccccc"];
const OTHER: [&str; 3] = ["123456", "654321", "fedcba"];

fn lines(rows: &[Value]) -> String {
    rows.iter().fold(String::new(), |text, row| text + &row.to_string() + "\n")
}

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).expect("a summary")).expect("JSON")
}

fn run(probe: &str, input: &str, folder: &Path) -> crate::support::Call {
    let out = folder.to_str().expect("a path");
    with_input(["probe", probe, "--pairs", "-", "--out", out, "--resamples", "200"], input.as_bytes())
}

#[test]
fn copies_score_1_where_references_are_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: Vec<Value> = (0..3)
        .flat_map(|gold| [GOLD, OTHER].map(|ids| (gold, ids)))
        .map(|(gold, ids)| json!({"id": format!("{gold}{}", ids[0]), "gold_id": gold, "gold": graph(GOLD, "baker"), "pred": graph(ids, "baker")}))
        .collect();
    let call = run("invariance", &lines(&rows), folder.path());
    assert_eq!(call.code, 0, "{}", call.err);
    let found = summary(folder.path());
    assert_eq!(found["ra"]["pairs"], 6);
    assert_eq!(found["ra"]["mean"], json!({"value": 1.0, "ci95": [1.0, 1.0]}));
    assert_eq!(found["ra"]["max_gold_variance"]["value"], 0.0);
    assert!(found["plain"]["max_gold_variance"]["value"].as_f64() > Some(0.0));
    let csv = fs::read_to_string(folder.path().join("scores.csv")).expect("scores");
    assert!(csv.starts_with("id,gold_id,ra,plain,error\n0aaaaaa,0,1.0,1.0,\n"), "{csv}");
    assert!(folder.path().join("scores.parquet").is_file());
    assert!(call.text().starts_with("| scorer | pairs |"), "{}", call.text());
}

#[test]
fn damage_is_told_by_operation_and_dose() {
    let folder = tempfile::tempdir().expect("a folder");
    let row = |gold: u32, k: u32, relabel: bool, title: &str| {
        let pred = graph(if relabel { OTHER } else { GOLD }, title);
        json!({"id": format!("{gold}/{k}/{relabel}"), "gold_id": gold, "gold": graph(GOLD, "baker"), "pred": pred,
               "op": "categorical_relabel", "k": k, "relabel": relabel, "note": "ignored"})
    };
    // The second edit of the second gold undoes the first.
    let rows: Vec<Value> = [true, false]
        .into_iter()
        .flat_map(|relabel| {
            [
                row(0, 0, relabel, "baker"),
                row(0, 1, relabel, "pilot"),
                row(1, 0, relabel, "baker"),
                row(1, 2, relabel, "baker"),
            ]
        })
        .collect();
    let call = run("sensitivity", &lines(&rows), folder.path());
    assert_eq!(call.code, 0, "{}", call.err);
    let found = summary(folder.path());
    assert_eq!((&found["isomorphic_edits"], &found["edits"], &found["relabel"]), (&json!(1), &json!(2), &json!(true)));
    assert_eq!(found["ra"]["auroc"]["value"], 0.75);
    let means = found["ra"]["mean"]["categorical_relabel"].as_array().expect("by dose");
    assert_eq!((means.len(), &means[0]["value"]), (3, &json!(1.0)));
    assert_eq!(found["without_relabel"]["plain"]["mean"]["categorical_relabel"][0]["value"], 1.0);
    assert_eq!(found["difference"]["of"], json!(["ra", "plain"]));
}

#[test]
fn order_has_its_measures_and_says_what_is_constant() {
    let folder = tempfile::tempdir().expect("a folder");
    let row = |id: &str, family: &str, k: u32, distance: Option<u32>, pred: Value| {
        json!({"id": id, "gold_id": 1, "gold": {"indices": [1, 2, 3, 4]}, "pred": {"indices": pred}, "family": family, "k": k,
               "kendall_distance": distance})
    };
    let rows = [
        row("a", "identity", 0, Some(0), json!([1, 2, 3, 4])),
        row("b", "adjacent_transposition", 1, Some(1), json!([2, 1, 3, 4])),
        row("c", "adjacent_transposition", 2, Some(2), json!([2, 3, 1, 4])),
        row("d", "deletion", 1, None, json!([1, 2, 3])),
        row("e", "insertion", 1, None, json!([1, 2, 3, 4, 4])),
    ];
    let call = run("order", &lines(&rows), folder.path());
    assert_eq!(call.code, 0, "{}", call.err);
    let found = summary(folder.path());
    assert_eq!(found.as_object().expect("scorers").keys().collect::<Vec<_>>(), ["sequence", "set", "exact", "tau"]);
    assert_eq!((&found["sequence"]["auroc"]["value"], &found["set"]["auroc"]["value"]), (&json!(1.0), &json!(0.75)));
    assert_eq!(
        (&found["set"]["spearman"]["value"], &found["sequence"]["spearman"]["value"]),
        (&json!(0.0), &json!(-0.866_025_403_784))
    );
    let note = found["set"]["spearman"]["note"].as_str().expect("a note");
    assert!(note.starts_with("one of the columns has a single value: 0 by convention"), "{note}");
    assert_eq!(found["tau"]["by_distance"]["2"]["value"], 0.333_333_333_333);
    assert_eq!(found["sequence"]["by_deletions"]["1"]["value"], 0.75);
    assert_eq!(found["set"]["by_insertions"]["1"]["value"], 0.8);
    assert_eq!(found["exact"]["by_insertions"]["1"]["value"], 0.0);
}

#[test]
fn what_is_wrong_is_said_plainly() {
    let folder = tempfile::tempdir().expect("a folder");
    let call = run("sensitivity", "", folder.path());
    let told = "error: -: has no rows; the sensitivity probe needs rows of id, gold_id, gold, pred, op, k, relabel, one JSON object a line\n";
    assert_eq!((call.code, call.err.as_str()), (2, told));
    let call = run("order", "\n{\"id\": 1, \"gold_id\": 2, \"gold\": [], \"pred\": [], \"k\": 1}\n", folder.path());
    let told = "error: -: line 2: the row has no \"family\", \"kendall_distance\"; the order probe needs id, gold_id, gold, pred, family, k, \
                kendall_distance\n";
    assert_eq!((call.code, call.err.as_str()), (2, told));
    // One class, and one gold that does not fit its schema.
    let row = |id: u32, gold: Value| json!({"id": id, "gold_id": id, "gold": gold, "pred": graph(GOLD, "baker"), "op": "x", "k": 1, "relabel": true});
    let rows = [row(1, graph(GOLD, "baker")), row(2, json!([])), row(3, graph(GOLD, "baker"))];
    let call = run("sensitivity", &lines(&rows), folder.path());
    assert_eq!(call.code, 1);
    assert!(
        call.err.contains("2: line 2: ra: gold (root): ") && call.err.contains("3 rows, 1 failed and are left out"),
        "{}",
        call.err
    );
    let found = summary(folder.path());
    assert_eq!(found["ra"]["auroc"]["value"], Value::Null);
    assert_eq!(found["ra"]["auroc"]["note"], "only one class of rows: it takes clean and damaged ones");
    let text = fs::read_to_string(folder.path().join("summary.json")).expect("a summary");
    assert!(!text.contains("NaN"), "{text}");
}

#[test]
fn scorers_are_named_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (schema, pairs) = (folder.path().join("s.json"), folder.path().join("p.jsonl"));
    fs::write(&schema, r#"{"type": "string", "score": "levenshtein"}"#).expect("written");
    fs::write(&pairs, "{\"id\": 1, \"gold_id\": 1, \"gold\": \"abcd\", \"pred\": \"abce\"}\n").expect("written");
    let call = |name: &str| {
        let named = format!("{name}={}", schema.display());
        let words = [
            "probe".as_ref(),
            "invariance".as_ref(),
            "--pairs".as_ref(),
            pairs.as_os_str(),
            "--out".as_ref(),
            folder.path().as_os_str(),
        ];
        objalign(words.into_iter().chain(["--schema".as_ref(), named.as_ref()]))
    };
    assert_eq!(call("mine").code, 0);
    assert_eq!(summary(folder.path())["mine"]["mean"]["value"], 0.75);
    assert_eq!(summary(folder.path())["mine"]["mean"]["note"], "no interval: it takes two golds or more");
    let refused = call("tau");
    assert!(refused.code == 2 && refused.err.contains("a scorer cannot be called \"tau\""), "{}", refused.err);
}
