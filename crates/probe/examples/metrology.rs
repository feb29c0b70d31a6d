//! Puts the SCD measures to the test on so many tasks of each level and domain, and shows each operator and fault.
//!
//! `cargo run --release -p objalign-probe --example metrology -- 1000`
//!
//! Exits with 1 if any case is not its closed form.

use objalign_gen::scd::json::{ScdJson, params::Params as JsonParams};
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::table::{Tables, params::Params as TableParams};
use objalign_gen::scd::task::TaskRow;
use objalign_probe::scd::metrology::{self, Slope};
use std::error::Error;
use std::process::ExitCode;

const DOSES: [u32; 4] = [1, 2, 4, 8];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let count: u64 = std::env::args().nth(1).map_or(Ok(100), |count| count.parse())?;
    let (trees, tables) = (ScdJson::new(JsonParams::published())?, Tables::new(TableParams::published())?);
    let mut wrong = 0;
    for source in [&trees as &dyn TaskSource, &tables] {
        let tasks = |level: usize| (0..count).map(move |index| source.task(0, level, index));
        let tasks: Vec<TaskRow> = (0..3).flat_map(tasks).collect();
        let found = metrology::run(&tasks, &DOSES, 1)?;
        for (domain, operators) in &found.operators.0 {
            println!("{domain}, {} tasks: slope of each measure, as measured = by its closed form", tasks.len());
            for (name, of) in &operators.0 {
                wrong += of.cases - of.agree;
                let slopes: Vec<String> = of.slopes.0.iter().map(|(measure, slope)| shown(measure, slope)).collect();
                println!("  {name:<18} {:>6} of {:>6} agree   {}", of.agree, of.cases, slopes.join("  "));
                of.first_disagreement.iter().for_each(|case| println!("    {case}"));
            }
        }
        for (domain, faults) in &found.faults.0 {
            println!("{domain}, faults of format");
            for (name, of) in &faults.0 {
                wrong += of.cases - of.agree;
                println!("  {name:<18} {:>6} of {:>6} agree   {}", of.agree, of.cases, of.level);
                of.first_disagreement.iter().for_each(|case| println!("    {case}"));
            }
        }
    }
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn shown(measure: &str, slope: &Slope) -> String {
    let number = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.3}"));
    let sign = if slope.measured == slope.closed_form { "=" } else { "but" };
    format!("{measure} {} {sign} {}", number(slope.measured), number(slope.closed_form))
}
