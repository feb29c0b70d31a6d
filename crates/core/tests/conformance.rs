//! Known scores: rows of schema, gold, candidate and score, each to 1e-9 (a score of 1 exactly).
//!
//! `data/values.jsonl` is chosen so that every combination of keywords, comparators and shapes that occurs together in
//! the full conformance set occurs here.

use objalign_core::{Aligner, Plan};
use serde_json::Value;

#[test]
fn every_row_has_its_score() {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in include_str!("data/values.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a row of JSON");
        rows += 1;
        if let Err(reason) = check(&row) {
            wrong.push(format!("{}: {reason}", row["id"]));
        }
    }
    assert!(rows > 350, "only {rows} rows were read");
    assert!(wrong.is_empty(), "{} of {rows} rows are wrong: {wrong:#?}", wrong.len());
}

fn check(row: &Value) -> Result<(), String> {
    let plan = Plan::compile(&row["schema"]).map_err(|error| error.to_string())?;
    let expected = row["score"].as_f64().ok_or("the row has no score")?;
    let mut aligner = Aligner::new(&plan);
    let found = aligner.align(&row["gold"], &row["pred"]).map_err(|error| error.to_string())?.score();
    let alone = aligner.score(&row["gold"], &row["pred"]).map_err(|error| error.to_string())?.score();
    if alone.to_bits() != found.to_bits() {
        return Err(format!("{found} with its match tree, {alone} without"));
    }
    let agrees = if expected == 1.0 { found == 1.0 } else { (found - expected).abs() <= 1e-9 };
    if agrees { Ok(()) } else { Err(format!("expected {expected}, found {found}")) }
}
