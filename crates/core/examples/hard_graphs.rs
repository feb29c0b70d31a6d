//! Times pairs of graphs whose records attributes cannot tell apart: copies, which score 1, and others, which do not.
//!
//! `cargo run --release -p objalign-core --example hard_graphs`

#[path = "../tests/graphs/mod.rs"]
mod graphs;

use graphs::{Graph, Random, cai_furer_immerman, copies, cubic, cycle, disjoint_edges, document, k4, petersen, rook};
use objalign_core::{Aligner, Plan, Warning};
use serde_json::Value;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let plan = Plan::compile(&graphs::schema())?;
    let mut random = Random(1);
    println!("{:<44} {:>7} {:>6} {:>9} {:>9}  note", "pair", "records", "links", "score", "ms");
    let alike: Vec<Graph> = vec![
        disjoint_edges(30),
        cycle(100, false),
        cycle(100, true),
        graphs::tree(127),
        copies(&petersen(), 4),
        cubic(80, 1),
        cubic(80, 2),
        rook(),
        graphs::shrikhande(),
        copies(&rook(), 4),
        graphs::complete_bipartite(10, 10),
        cai_furer_immerman(&k4(), false),
        cai_furer_immerman(&graphs::complete_bipartite(3, 3), true),
        cai_furer_immerman(&petersen(), false),
        cai_furer_immerman(&cubic(16, 3), true),
    ];
    for graph in &alike {
        report(&plan, graph, &graph.name, &document(graph, &mut random), &document(graph, &mut random))?;
    }
    let pairs = [
        (rook(), graphs::shrikhande()),
        (cai_furer_immerman(&k4(), false), cai_furer_immerman(&k4(), true)),
        (cai_furer_immerman(&petersen(), false), cai_furer_immerman(&petersen(), true)),
        (cycle(100, true), copies(&cycle(50, true), 2)),
        (cubic(80, 1), cubic(80, 2)),
    ];
    for (a, b) in &pairs {
        let name = format!("{} / {}", a.name, b.name);
        report(&plan, a, &name, &document(a, &mut random), &document(b, &mut random))?;
    }
    for graph in &alike {
        let mut damaged = graph.clone();
        damaged.edges.swap_remove(graph.edges.len() / 2);
        if let Some(edge) = damaged.edges.first_mut() {
            edge.1 = (edge.1 + 2) % graph.n;
        }
        let name = format!("{}, damaged", graph.name);
        report(&plan, graph, &name, &document(graph, &mut random), &document(&damaged, &mut random))?;
    }
    for q in [2, 3, 5] {
        let (n, lines) = graphs::plane(q);
        let plan = Plan::compile(&graphs::team_schema())?;
        let (a, b) = (graphs::teams(n, &lines, &mut random), graphs::teams(n, &lines, &mut random));
        let graph = Graph { name: String::new(), n, edges: vec![(0, 0); lines.len()], both_ways: false };
        report(&plan, &graph, &format!("projective plane of order {q}"), &a, &b)?;
        let mut damaged = lines.clone();
        damaged[0].pop();
        let b = graphs::teams(n, &damaged, &mut random);
        report(&plan, &graph, &format!("projective plane of order {q}, damaged"), &a, &b)?;
    }
    Ok(())
}

fn report(plan: &Plan, graph: &Graph, name: &str, gold: &Value, candidate: &Value) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut aligner = Aligner::new(plan);
    let alignment = aligner.align(gold, candidate)?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let cut = alignment.pair_warnings().iter().any(|warning| matches!(warning, Warning::BudgetExhausted { .. }));
    let links = graph.edges.len() * (1 + usize::from(graph.both_ways));
    let note = if cut { "budget" } else { "" };
    println!("{name:<44} {:>7} {links:>6} {:>9.6} {milliseconds:>9.1}  {note}", graph.n, alignment.score());
    Ok(())
}
