//! What one row costs: the score alone, the alignment with its match tree, and with reading its JSON; equality of the parsed
//! values is there to compare with.
//!
//! An aligner remembers the strings it has compared. Rows of real data are somewhere between the two extremes measured here:
//! all strings new (an aligner made for the pair, which is part of the time), and all strings seen before.
//!
//! `cargo bench -p objalign-gen`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use objalign_core::{Aligner, Plan};
use objalign_gen::records::{self, Damage};
use serde_json::Value;
use std::hint::black_box;

/// Pairs in turn, so that no figure is that of one lucky pair.
const PAIRS: u64 = 64;

fn score(criterion: &mut Criterion) {
    let plan = Plan::compile(&records::schema()).expect("the schema of the records");
    for count in [10, 100] {
        let pairs: Vec<(Value, Value)> = (0..PAIRS)
            .map(|index| {
                let gold = records::gold(1, index, count);
                let candidate = records::candidate(&gold, 1, index, Damage::TYPICAL);
                (gold, candidate)
            })
            .collect();
        let texts: Vec<(String, String)> =
            pairs.iter().map(|(gold, candidate)| (gold.to_string(), candidate.to_string())).collect();
        let copies = pairs.clone();

        let mut group = criterion.benchmark_group(format!("{count} records"));
        group.throughput(Throughput::Elements(1)).sample_size(20);
        group.bench_function("align, strings new", |bencher| {
            let mut turn = pairs.iter().cycle();
            bencher.iter(|| {
                let (gold, candidate) = turn.next().expect("a cycle");
                Aligner::new(&plan).align(black_box(gold), black_box(candidate)).expect("valid").score()
            });
        });
        group.bench_function("score, strings new", |bencher| {
            let mut turn = pairs.iter().cycle();
            bencher.iter(|| {
                let (gold, candidate) = turn.next().expect("a cycle");
                Aligner::new(&plan).score(black_box(gold), black_box(candidate)).expect("valid").score()
            });
        });
        group.bench_function("score, strings seen before", |bencher| {
            let mut aligner = Aligner::new(&plan);
            let mut turn = pairs.iter().cycle();
            bencher.iter(|| {
                let (gold, candidate) = turn.next().expect("a cycle");
                aligner.score(black_box(gold), black_box(candidate)).expect("valid").score()
            });
        });
        // Eight candidates of one gold, as in a group of completions that are rewarded together.
        group.bench_function("score, gold taken before", |bencher| {
            let mut aligner = Aligner::new(&plan);
            let candidates: Vec<Value> =
                (0..8).map(|copy| records::candidate(&pairs[0].0, 1, PAIRS + copy, Damage::TYPICAL)).collect();
            let mut gold = aligner.gold(&pairs[0].0).expect("valid");
            let mut turn = candidates.iter().cycle();
            bencher.iter(|| gold.score(black_box(turn.next().expect("a cycle"))).expect("valid").score());
        });
        group.bench_function("align, strings seen before", |bencher| {
            let mut aligner = Aligner::new(&plan);
            let mut turn = pairs.iter().cycle();
            bencher.iter(|| {
                let (gold, candidate) = turn.next().expect("a cycle");
                aligner.align(black_box(gold), black_box(candidate)).expect("valid").score()
            });
        });
        group.bench_function("parse and align, strings seen before", |bencher| {
            let mut aligner = Aligner::new(&plan);
            let mut turn = texts.iter().cycle();
            bencher.iter(|| {
                let (gold, candidate) = turn.next().expect("a cycle");
                let gold: Value = serde_json::from_str(black_box(gold)).expect("JSON");
                let candidate: Value = serde_json::from_str(black_box(candidate)).expect("JSON");
                aligner.align(&gold, &candidate).expect("valid").score()
            });
        });
        group.bench_function("parse and align, strings new", |bencher| {
            let mut turn = texts.iter().cycle();
            bencher.iter(|| {
                let (gold, candidate) = turn.next().expect("a cycle");
                let gold: Value = serde_json::from_str(black_box(gold)).expect("JSON");
                let candidate: Value = serde_json::from_str(black_box(candidate)).expect("JSON");
                Aligner::new(&plan).align(&gold, &candidate).expect("valid").score()
            });
        });
        group.bench_function("equality of a copy", |bencher| {
            let mut turn = pairs.iter().zip(&copies).cycle();
            bencher.iter(|| {
                let ((gold, _), (copy, _)) = turn.next().expect("a cycle");
                black_box(gold) == black_box(copy)
            });
        });
        group.finish();
    }
}

criterion_group!(benches, score);
criterion_main!(benches);
