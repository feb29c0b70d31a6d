//! What measuring a completion costs: completions of 20 kB, of trees and of tables, whole and with faults of format, on all cores.
//!
//! `cargo bench -p objalign-gen --bench scd`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use objalign_gen::scd::check::Compiled;
use objalign_gen::scd::damage::format::Fault;
use objalign_gen::scd::json::{ScdJson, params::Params as JsonParams};
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::table::{Tables, params::Params as TableParams};
use objalign_gen::streams::stream;
use rayon::prelude::*;
use serde_json::Value;
use std::hint::black_box;

const BYTES: usize = 20_000;
const COMPLETIONS: usize = 1000;

/// Tasks and completions of about 20 kB: a reference, and members that no schema declares where it is shorter.
fn completions(source: &dyn TaskSource) -> Vec<(Compiled, String)> {
    let set = source.sets().len() - 1;
    let condition = source.sets()[set].conditions.len() - 1;
    (0..40)
        .map(|index| {
            let row = source.task(set, condition, index);
            let mut answer: Value = serde_json::from_str(&row.reference).expect("JSON");
            let members = answer.as_object_mut().expect("an object");
            let known: Vec<(String, Value)> = members.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            let mut size = row.reference.len();
            for (number, (key, value)) in known.iter().cycle().enumerate() {
                let more = value.to_string().len() + key.len() + 8;
                if size + more > BYTES {
                    break;
                }
                members.insert(format!("{key} {number}"), value.clone());
                size += more;
            }
            let mut text = answer.to_string();
            // What is left to 20 kB are blanks at the end: they are read too.
            text.extend(std::iter::repeat_n(' ', BYTES.saturating_sub(text.len())));
            (Compiled::new(&row).expect("a task"), text)
        })
        .collect()
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("measure 20 kB");
    group.sample_size(10).throughput(Throughput::Elements(COMPLETIONS as u64));
    let trees = ScdJson::new(JsonParams::published()).expect("parameters");
    let tables = Tables::new(TableParams::published()).expect("parameters");
    for (name, source) in [("json", &trees as &dyn TaskSource), ("table", &tables)] {
        let whole = completions(source);
        let faulty: Vec<(Compiled, String)> = (0..)
            .zip(&whole)
            .map(|(index, (task, text))| {
                let fault = Fault::ALL[index % Fault::ALL.len()];
                (task.clone(), fault.apply(text, &mut stream(1, index as u64, fault.name())))
            })
            .collect();
        for (kind, texts) in [("whole", &whole), ("with faults", &faulty)] {
            group.bench_function(format!("{name}, {kind}"), |bencher| {
                bencher.iter(|| {
                    (0..COMPLETIONS).into_par_iter().for_each(|at| {
                        let (task, text) = &texts[at % texts.len()];
                        black_box(task.measure(text));
                    });
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, measure);
criterion_main!(benches);
