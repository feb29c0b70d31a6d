//! Runs the pairs of a file of conformance rows through their repairs.
//!
//! `cargo run --release -p objalign-core --example repairs -- FILE...`
//!
//! A row is `{"id", "schema", "gold", "pred"}`, one JSON object a line. Of each: the deltas sum up to what the score lacks
//! of 1, to 1e-9, and the crate `json-patch` that applies all operations reaches exactly 1. Exits with 1 if a row fails.

#[path = "../tests/common/repaired.rs"]
mod repaired;

use objalign_core::{Aligner, Invalid, Options, Plan, RepairOptions};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let (mut rows, mut imperfect, mut failed) = (0, 0, 0);
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for file in std::env::args().skip(1) {
        for line in std::fs::read_to_string(&file)?.lines() {
            let row: Value = serde_json::from_str(line)?;
            rows += 1;
            let plan = Plan::compile(&row["schema"])?;
            for options in [Options::new(), Options::new().invalid(Invalid::Score)] {
                if let Err(reason) = repaired::check(&plan, options, &row["gold"], &row["pred"]) {
                    failed += 1;
                    println!("{}: {reason}", row["id"]);
                }
            }
            let mut aligner = Aligner::new(&plan);
            let repairs = aligner.align(&row["gold"], &row["pred"])?.repairs(&RepairOptions::new());
            imperfect += usize::from(!repairs.is_empty());
            for repair in repairs {
                let count = kinds.entry(repair.kind.name()).or_default();
                count.0 += 1;
                count.1 += usize::from(repair.delta == 0.0);
            }
        }
    }
    println!("{rows} rows, {imperfect} with repairs, {failed} failures");
    for (kind, (count, idle)) in kinds {
        println!("{kind:18} {count:6}   of delta 0: {idle}");
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
