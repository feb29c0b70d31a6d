//! Runs a file of conformance rows and compares each score with the expected one.
//!
//! `cargo run --release -p objalign-core --example conformance -- FILE...`
//!
//! A row is `{"id", "family", "schema", "gold", "pred", "expect", "score"}`, one JSON object a line. `expect` is `equal`
//! (to 1e-9) or `below_1`. Exits with 1 if a row disagrees.

use objalign_core::{Aligner, Plan};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

const TOLERANCE: f64 = 1e-9;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut failed = 0;
    let mut families: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for file in std::env::args().skip(1) {
        for line in std::fs::read_to_string(&file)?.lines() {
            let row: Value = serde_json::from_str(line)?;
            let verdict = check(&row);
            let family = row["family"].as_str().or(row["name"].as_str()).unwrap_or("").to_owned();
            let count = families.entry(family).or_default();
            count.1 += 1;
            match verdict {
                Ok(()) => count.0 += 1,
                Err(reason) => {
                    failed += 1;
                    println!("{}: {reason}", row["id"]);
                }
            }
        }
    }
    for (family, (agree, all)) in families {
        println!("{family}: {agree} of {all} agree");
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(row: &Value) -> Result<(), String> {
    let plan = Plan::compile(&row["schema"]).map_err(|error| error.to_string())?;
    let score = Aligner::new(&plan).align(&row["gold"], &row["pred"]).map_err(|error| error.to_string())?.score();
    let expected = row["score"].as_f64().ok_or("no score")?;
    let agrees = match row["expect"].as_str() {
        Some("below_1") => score < 1.0,
        // An isomorphic copy is not almost right.
        _ if expected == 1.0 => score == 1.0,
        _ => (score - expected).abs() <= TOLERANCE,
    };
    if agrees { Ok(()) } else { Err(format!("expected {expected}, found {score}")) }
}
