//! Known scores of schemas with identifiers and references.
//!
//! `data/references.jsonl`: the maximum over the tie set, found by brute force, to 1e-9. `data/symmetric.jsonl`:
//! relabelled and shuffled copies of symmetric graphs, which score exactly 1, and pairs of graphs that colour refinement
//! cannot tell apart, which score below 1.

use objalign_core::{Aligner, Plan};
use serde_json::Value;

#[test]
fn references_have_their_scores() {
    run(include_str!("data/references.jsonl"));
}

#[test]
fn symmetric_copies_score_exactly_one_and_lookalikes_do_not() {
    run(include_str!("data/symmetric.jsonl"));
}

fn run(file: &str) {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in file.lines() {
        let row: Value = serde_json::from_str(line).expect("a row of JSON");
        rows += 1;
        if let Err(reason) = check(&row) {
            wrong.push(format!("{} {}: {reason}", row["id"], row["name"]));
        }
    }
    assert!(rows > 0);
    assert!(wrong.is_empty(), "{} of {rows} rows are wrong: {wrong:#?}", wrong.len());
}

fn check(row: &Value) -> Result<(), String> {
    let plan = Plan::compile(&row["schema"]).map_err(|error| error.to_string())?;
    let mut aligner = Aligner::new(&plan);
    let found = aligner.align(&row["gold"], &row["pred"]).map_err(|error| error.to_string())?.score();
    let alone = aligner.score(&row["gold"], &row["pred"]).map_err(|error| error.to_string())?.score();
    if alone.to_bits() != found.to_bits() {
        return Err(format!("{found} with its match tree, {alone} without"));
    }
    if row["expect"] == "below_1" {
        return if found < 1.0 { Ok(()) } else { Err(format!("expected less than 1, found {found}")) };
    }
    let expected = row["score"].as_f64().ok_or("the row has no score")?;
    let agrees = if expected == 1.0 { found == 1.0 } else { (found - expected).abs() <= 1e-9 };
    if agrees { Ok(()) } else { Err(format!("expected {expected}, found {found}")) }
}
