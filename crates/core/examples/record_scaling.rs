//! Time against the number of records of a scope, and the exponent fitted to it.
//!
//! `cargo run --release -p objalign-core --example record_scaling`
//!
//! Records have a distinct name and a kind; three links for each record; the candidate is renamed, shuffled and damaged in
//! one record and one link of twenty.

#[path = "../tests/graphs/mod.rs"]
mod graphs;

use graphs::Random;
use objalign_core::{Aligner, Plan};
use serde_json::{Value, json};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut schema = graphs::schema();
    schema["properties"]["nodes"]["items"]["properties"]["name"] = json!({"type": "string", "score": "jaro_winkler"});
    let plan = Plan::compile(&schema)?;
    let mut points = Vec::new();
    println!("{:>8} {:>8} {:>10} {:>10}", "records", "links", "seconds", "score");
    for n in [10, 20, 50, 100, 200, 500, 1000, 2000] {
        let mut random = Random(n as u64);
        let (gold, candidate) = pair(n, &mut random);
        let mut aligner = Aligner::new(&plan);
        let (mut best, mut score) = (f64::INFINITY, 0.0);
        for _ in 0..if n <= 200 { 5 } else { 1 } {
            let start = Instant::now();
            score = aligner.align(&gold, &candidate)?.score();
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{n:>8} {:>8} {best:>10.5} {score:>10.6}", 3 * n);
        points.push(((n as f64).ln(), best.ln()));
    }
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>()
        / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
    println!("fitted exponent: {slope:.2}");
    Ok(())
}

fn pair(n: usize, random: &mut Random) -> (Value, Value) {
    let names: Vec<String> = (0..n).map(|at| format!("{:05x}-{:04x}", at * 40_503, random.below(65_536))).collect();
    let links: Vec<(usize, usize)> = (0..3 * n).map(|_| (random.below(n), random.below(n))).collect();
    let mut write = |damage: bool| {
        let mut ids: Vec<String> = (0..n).map(|at| format!("r{at}")).collect();
        random.shuffle(&mut ids);
        let mut nodes: Vec<Value> = names
            .iter()
            .zip(&ids)
            .map(|(name, id)| {
                let name = if damage && random.below(20) == 0 { format!("{name}x") } else { name.clone() };
                json!({"id": id, "name": name, "kind": "a"})
            })
            .collect();
        let mut written: Vec<Value> = links
            .iter()
            .map(|&(from, to)| {
                let to = if damage && random.below(20) == 0 { random.below(n) } else { to };
                json!({"from": ids[from], "to": ids[to], "role": "e"})
            })
            .collect();
        random.shuffle(&mut nodes);
        random.shuffle(&mut written);
        json!({"nodes": nodes, "links": written})
    };
    (write(false), write(true))
}
