//! What feedback costs: scoring alone against scoring with the five costliest repairs in words, on objects of 1,000 leaves.
//!
//! Plain records in any order, where pairing is most of the work, and a graph, where references are. An aligner has seen all
//! strings before, which is the case least favourable to feedback: its share of the time is the largest then.
//!
//! `cargo bench -p objalign-gen --bench feedback`

use criterion::{Criterion, criterion_group, criterion_main};
use objalign_core::{Aligner, FeedbackOptions, Plan};
use objalign_gen::bounds::Bounds;
use objalign_gen::corrupt::Operators;
use objalign_gen::org2graph::params::{Companies, Params};
use objalign_gen::org2graph::{Org2Graph, schemas};
use objalign_gen::records::{self, Damage};
use objalign_gen::streams::stream;
use serde_json::Value;
use std::hint::black_box;
use std::sync::Arc;

/// Pairs in turn, so that no figure is that of one lucky pair.
const PAIRS: u64 = 8;
const LEAVES: usize = 1000;

fn leaves(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(leaves).sum(),
        Value::Object(members) => members.values().map(leaves).sum(),
        _ => 1,
    }
}

/// As many records as it takes to have 1,000 leaves.
fn of_records() -> Vec<(Value, Value)> {
    (0..PAIRS)
        .map(|index| {
            let mut golds = (1..).map(|count| records::gold(1, index, count));
            let gold = golds.find(|gold| leaves(gold) >= LEAVES).expect("there is no end of them");
            let candidate = records::candidate(&gold, 1, index, Damage::TYPICAL);
            (gold, candidate)
        })
        .collect()
}

/// Organisations of 40 people; each kind of damage twice, under other identifiers and in another order.
fn of_graphs() -> Vec<(Value, Value)> {
    let params = Params {
        people: Bounds::new(40, 40),
        companies: Companies { min: 20, per_person: 0.5 },
        acquaintance_density: Bounds::new(0.24, 0.24),
        partnership_density: Bounds::new(0.3, 0.3),
        ..Params::PW
    };
    let generator = Org2Graph::new(params).expect("parameters");
    let operators = Operators::on_graphs(&Arc::new(generator.shape()));
    (0..PAIRS)
        .map(|index| {
            let gold = generator.instance(1, index).graph.to_value();
            let mut candidate = gold.clone();
            for operator in operators.iter() {
                let random = &mut stream(1, index, operator.name());
                candidate = operator.apply(&candidate, 2, random).expect("a graph").candidate;
            }
            (gold, candidate)
        })
        .collect()
}

fn feedback(criterion: &mut Criterion) {
    let plan = |schema: Value| Plan::compile(&schema).expect("a schema");
    let options = FeedbackOptions::new();
    for (name, plan, pairs) in
        [("records", plan(records::schema()), of_records()), ("graph", plan(schemas::ra()), of_graphs())]
    {
        let mean = pairs.iter().map(|(gold, _)| leaves(gold)).sum::<usize>() / pairs.len();
        let mut group = criterion.benchmark_group(format!("{name}, {mean} leaves"));
        group.sample_size(20);
        let mut aligner = Aligner::new(&plan);
        for (gold, candidate) in &pairs {
            let score = aligner.align(gold, candidate).expect("valid").score();
            assert!(score > 0.0 && score < 1.0, "there is something to tell: {score}");
        }
        group.bench_function("score", |bencher| {
            let mut turn = pairs.iter().cycle();
            bencher.iter(|| {
                let (gold, candidate) = turn.next().expect("a cycle");
                aligner.align(black_box(gold), black_box(candidate)).expect("valid").score()
            });
        });
        group.bench_function("score and feedback", |bencher| {
            let mut turn = pairs.iter().cycle();
            bencher.iter(|| {
                let (gold, candidate) = turn.next().expect("a cycle");
                let alignment = aligner.align(black_box(gold), black_box(candidate)).expect("valid");
                (alignment.score(), alignment.feedback(&options))
            });
        });
        group.finish();
    }
}

criterion_group!(benches, feedback);
criterion_main!(benches);
