//! How often the linear delta of a repair is what applying it truly recovers, by kind.
//!
//! `cargo run --release -p objalign-core --example exact_deltas -- FILE...`
//!
//! A row is `{"id", "schema", "gold", "pred"}`, one JSON object a line. The repairs of each row are applied one after the
//! other and scored again. `same`: both deltas agree to 1e-9; `above`: it recovers more than the linear delta says;
//! `falls`: the score is lower after it than before; `error`: the mean distance of the two. Operations of delta 0 are not
//! counted.

use objalign_core::{Aligner, Invalid, Options, Plan, RepairOptions};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;

const TOLERANCE: f64 = 1e-9;

#[derive(Default)]
struct Count {
    all: usize,
    same: usize,
    above: usize,
    falls: usize,
    error: f64,
}

impl Count {
    fn add(&mut self, linear: f64, exact: f64) {
        self.all += 1;
        self.same += usize::from((linear - exact).abs() <= TOLERANCE);
        self.above += usize::from(exact > linear + TOLERANCE);
        self.falls += usize::from(exact < -TOLERANCE);
        self.error += (linear - exact).abs();
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut kinds: BTreeMap<&str, Count> = BTreeMap::new();
    let (mut rows, mut imperfect) = (0, 0);
    for file in std::env::args().skip(1) {
        for line in std::fs::read_to_string(&file)?.lines() {
            let row: Value = serde_json::from_str(line)?;
            rows += 1;
            let plan = Plan::compile(&row["schema"])?;
            // What does not fit its schema on the way is scored for what it is worth.
            let mut aligner = Aligner::with_options(&plan, Options::new().invalid(Invalid::Score));
            let repairs = aligner.align(&row["gold"], &row["pred"])?.repairs(&RepairOptions::new());
            let exact = aligner.exact_deltas(&row["gold"], &row["pred"], &repairs)?;
            for (repair, exact) in repairs.iter().zip(exact).filter(|(repair, _)| repair.delta > 0.0) {
                kinds.entry(repair.kind.name()).or_default().add(repair.delta, exact);
            }
            imperfect += usize::from(!repairs.is_empty());
        }
    }
    println!("{rows} rows, {imperfect} with repairs");
    println!("{:18} {:>6} {:>7} {:>7} {:>7} {:>7}", "kind", "count", "same", "above", "falls", "error");
    let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    for (kind, count) in kinds {
        println!(
            "{kind:18} {:6} {:6.1}% {:6.1}% {:6.1}% {:7.4}",
            count.all,
            share(count.same, count.all),
            share(count.above, count.all),
            share(count.falls, count.all),
            count.error / count.all.max(1) as f64
        );
    }
    Ok(())
}
