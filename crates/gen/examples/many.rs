//! A large data set, with its time and its memory: `cargo run --release -p objalign-gen --example many -- ROWS`.

use objalign_gen::dataset::config::{Config, Splits};
use objalign_gen::dataset::rows::JSONL;
use objalign_gen::dataset::source::Graphs;
use objalign_gen::dataset::verify::verify;
use objalign_gen::dataset::write::write;
use objalign_gen::org2graph::params::Params;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows: u64 = std::env::args().nth(1).map_or(Ok(100_000), |rows| rows.parse())?;
    let splits = Splits { train: rows - rows / 5 * 2, val: rows / 5, test: rows / 5 };
    let source = Graphs::new(Config { seed: 1, splits, params: Params::CW })?;
    let directory = tempfile::tempdir()?;
    let data = directory.path().join("data");

    let started = Instant::now();
    let manifest = write(&source, splits, &data, (JSONL, false), || ())?;
    let bytes: u64 = manifest.files.values().map(|file| file.bytes).sum();
    let taken = started.elapsed().as_secs_f64();
    println!("{rows} rows, {:.0} MB written in {taken:.1} s; peak memory {}", bytes as f64 / 1e6, peak());

    let started = Instant::now();
    let verified = verify(&data, &[JSONL], |_| ())?;
    println!("verified in {:.1} s, {} wrong; peak memory {}", started.elapsed().as_secs_f64(), verified.wrong, peak());
    Ok(())
}

/// The most memory that was in use so far, where the system tells.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or("unknown".to_owned(), |peak| peak.trim().to_owned())
}
