//! What an instance costs: made, made and written, read back, and corrupted.
//!
//! `cargo bench -p objalign-gen --bench generate`; for a whole data set, with its memory, see `examples/many.rs`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use objalign_gen::corrupt::Operators;
use objalign_gen::dataset::config::{Config, Splits};
use objalign_gen::dataset::rows::line;
use objalign_gen::dataset::source::{Graphs, Orders, Source};
use objalign_gen::facts2order;
use objalign_gen::org2graph::{Org2Graph, params::Params, read::read};
use objalign_gen::scd::check::check;
use objalign_gen::scd::directory;
use objalign_gen::scd::json::{self, ScdJson};
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::table::{self, Tables};
use objalign_gen::streams::stream;
use std::hint::black_box;
use std::sync::Arc;

const SPLITS: Splits = Splits { train: 1, val: 1, test: 1 };

fn generate(criterion: &mut Criterion) {
    let graphs = Org2Graph::new(Params::CW).expect("parameters");
    let rows = Graphs::new(Config { seed: 1, splits: SPLITS, params: Params::CW }).expect("parameters");
    let orders = Config { seed: 1, splits: SPLITS, params: facts2order::params::Params::hidden() };
    let orders = Orders::new(orders).expect("parameters");

    let mut group = criterion.benchmark_group("an instance");
    group.throughput(Throughput::Elements(1)).sample_size(20);
    let mut index = 0;
    let mut next = move || {
        index += 1;
        index
    };
    group.bench_function("org2graph, made", |bencher| bencher.iter(|| black_box(graphs.instance(1, next()))));
    let mut index = 0..;
    group.bench_function("org2graph, as a row", |bencher| {
        bencher.iter(|| line(&rows.example(index.next().expect("endless"))));
    });
    let mut index = 0..;
    group.bench_function("facts2order, as a row", |bencher| {
        bencher.iter(|| line(&orders.example(index.next().expect("endless"))));
    });
    let tasks = ScdJson::new(json::params::Params::published()).expect("parameters");
    for (condition, level) in ["S", "M", "L"].into_iter().enumerate() {
        let mut index = 0..;
        group.bench_function(format!("scd-json {level}, as a row"), |bencher| {
            bencher.iter(|| directory::line(&tasks.task(0, condition, index.next().expect("endless"))));
        });
        let task = tasks.task(0, condition, 0);
        group.bench_function(format!("scd-json {level}, checked"), |bencher| bencher.iter(|| check(&task)));
    }
    let tables = Tables::new(table::params::Params::published()).expect("parameters");
    for (condition, level) in ["S", "M", "L"].into_iter().enumerate() {
        let mut index = 0..;
        group.bench_function(format!("scd-table {level}, as a row"), |bencher| {
            bencher.iter(|| directory::line(&tables.task(0, condition, index.next().expect("endless"))));
        });
        let task = tables.task(0, condition, 0);
        group.bench_function(format!("scd-table {level}, checked"), |bencher| bencher.iter(|| check(&task)));
    }
    let texts: Vec<String> = (0..64).map(|index| graphs.instance(1, index).context).collect();
    let mut turn = texts.iter().cycle();
    group.bench_function("org2graph, read back", |bencher| {
        bencher.iter(|| read(turn.next().expect("a cycle"), graphs.vocabulary(), graphs.legend()));
    });
    let golds: Vec<_> = (0..64).map(|index| graphs.instance(1, index).graph.to_value()).collect();
    let operators = Operators::on_graphs(&Arc::new(graphs.shape()));
    for operator in operators.iter() {
        let mut turn = golds.iter().zip(0..).cycle();
        group.bench_function(format!("{}, 4 times", operator.name()), |bencher| {
            bencher.iter(|| {
                let (gold, index) = turn.next().expect("a cycle");
                operator.apply(gold, 4, &mut stream(1, index, "bench"))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, generate);
criterion_main!(benches);
