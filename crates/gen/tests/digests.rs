//! The same seed gives the same bytes on every machine: pinned digests of a hundred instances of each variant, and of the
//! pairs that a recipe makes of them.
//!
//! If one of these fails, every data set of that variant has changed: that is a new version, never an accident.

use objalign_gen::corrupt::Operators;
use objalign_gen::corrupt::recipe::{Recipe, Subject, Sweep};
use objalign_gen::dataset::config::{self, Config, Splits};
use objalign_gen::dataset::manifest::sha256;
use objalign_gen::dataset::rows::line;
use objalign_gen::dataset::source::{Graphs, Orders, Source};
use objalign_gen::facts2order::{self, Facts2Order, INDICES};
use objalign_gen::org2graph::{self, Org2Graph};
use objalign_gen::scd::damage::Damage;
use objalign_gen::scd::damage::format::Fault;
use objalign_gen::scd::directory;
use objalign_gen::scd::json::{self, ScdJson};
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::streams::stream;
use serde_json::Value;
use std::sync::Arc;

const SPLITS: Splits = Splits { train: 1, val: 1, test: 1 };

fn digest(source: &dyn Source) -> String {
    let rows: String = (0..100).map(|index| line(&source.example(index)) + "\n").collect();
    sha256(rows.as_bytes())[..16].to_owned()
}

fn graphs(params: org2graph::params::Params) -> String {
    digest(&Graphs::new(Config { seed: 20, splits: SPLITS, params }).expect("parameters"))
}

fn orders(params: facts2order::params::Params) -> String {
    digest(&Orders::new(Config { seed: 20, splits: SPLITS, params }).expect("parameters"))
}

#[test]
fn org2graph() {
    use org2graph::params::Params;
    let found = [Params::PW, Params::PN, Params::CW, Params::CN].map(graphs);
    assert_eq!(found, ["c598c810a1bd5089", "d56130708886a601", "36cad14b9df15e12", "dc429c935d8e0faf"]);
}

#[test]
fn facts2order() {
    use facts2order::params::Params;
    let found = [Params::stated(), Params::hidden(), Params::probe()].map(orders);
    assert_eq!(found, ["93aa7dfca6d5ddb9", "98b09c66e4e34a29", "46a2713b7cf0eca4"]);
}

/// Ten tasks of each condition of each set.
fn tasks(source: &dyn TaskSource) -> String {
    let mut text = String::new();
    for (set, of) in source.sets().iter().enumerate() {
        for condition in 0..of.conditions.len() {
            for index in 0..10 {
                text += &directory::line(&source.task(set, condition, index));
            }
        }
    }
    sha256(text.as_bytes())[..16].to_owned()
}

#[test]
fn scd_json() {
    let source = ScdJson::new(json::params::Params::published()).expect("parameters");
    assert_eq!(tasks(&source), "60ad6b1c8cdea887");
    // What damage makes of one task of each level.
    let mut text = String::new();
    for condition in 0..3 {
        let task = source.task(0, condition, 0);
        let gold: Value = serde_json::from_str(&task.reference).expect("JSON");
        for operator in Damage::of(&task).expect("a JSON task").operators().iter() {
            let outcome =
                operator.apply(&gold, 3, &mut stream(20, condition as u64, operator.name())).expect("a reference");
            text += &outcome.candidate.to_string();
        }
        for fault in Fault::ALL {
            text += &fault.apply(&task.reference, &mut stream(20, condition as u64, fault.name()));
        }
    }
    assert_eq!(sha256(text.as_bytes())[..16], *"6081e38dfccb757c");
}

/// The configuration that comes with the project is the published setting.
#[test]
fn the_configuration_of_the_json_tasks_is_the_published_setting() {
    let text = include_str!("../../../configs/scd-json.toml");
    assert_eq!(config::parse(text), Ok(json::params::Params::published()));
}

#[test]
fn scd_table() {
    use objalign_gen::scd::directory::line;
    use objalign_gen::scd::sets::TaskSource;
    use objalign_gen::scd::table::{Tables, params::Params};
    let source = Tables::new(Params::published()).expect("parameters");
    let places = source.sets().into_iter().enumerate();
    let places = places.flat_map(|(set, of)| (0..of.conditions.len()).map(move |condition| (set, condition)));
    let (mut tasks, mut damage) = (String::new(), String::new());
    for (set, condition) in places {
        for index in 0..5 {
            let task = source.task(set, condition, index);
            let gold: Value = serde_json::from_str(&task.reference).expect("JSON");
            for operator in Damage::of(&task).expect("a table task").operators().iter() {
                let random = &mut objalign_gen::streams::stream(20, index, operator.name());
                damage += &operator.apply(&gold, 2, random).expect("the reference").candidate.to_string();
            }
            tasks += &(line(&task) + "\n");
        }
    }
    let found = [tasks, damage].map(|text| sha256(text.as_bytes())[..16].to_owned());
    assert_eq!(found, ["29e8e7810bce4d89", "f248e7821894c512"]);
}

#[test]
fn operators() {
    let graphs = Org2Graph::new(org2graph::params::Params::PROBE).expect("parameters");
    let orders = Facts2Order::new(facts2order::params::Params::probe()).expect("parameters");
    let pairs = |operators: Operators, subject: Subject, gold: &dyn Fn(u64) -> Value| {
        let sweeps = operators.iter().map(|operator| Sweep::new(operator.name(), 0..=3)).collect();
        let recipe = Recipe { seed: 20, op: sweeps };
        let mut text = String::new();
        for index in 0..50 {
            let (id, gold) = (Value::from(index), gold(index));
            let pairs = recipe.pairs(&operators, &subject, (index, &id, &gold));
            for pair in pairs.expect("golds of their form") {
                text += &serde_json::to_string(&pair).expect("JSON");
            }
        }
        sha256(text.as_bytes())[..16].to_owned()
    };
    let shape = Arc::new(graphs.shape());
    let found = [
        pairs(Operators::on_graphs(&shape), Subject::Graph, &|index| graphs.instance(20, index).graph.to_value()),
        pairs(Operators::on_orders(INDICES), Subject::Order(INDICES.into()), &|index| {
            orders.instance(20, index).gold()
        }),
    ];
    assert_eq!(found, ["1a74c88c98286b35", "e0381ab97b6b92b9"]);
}
