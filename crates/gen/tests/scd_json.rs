//! The JSON tasks are what they are said to be: counts, depth, uniqueness, references that are right in everything, and ablations that
//! turn one thing.

use objalign_core::scd::{Path, Step, required_paths};
use objalign_gen::corrupt::{Change, replay};
use objalign_gen::scd::check::{Compiled, check};
use objalign_gen::scd::damage::ClosedForm;
use objalign_gen::scd::damage::Damage;
use objalign_gen::scd::damage::format::Fault;
use objalign_gen::scd::json::ScdJson;
use objalign_gen::scd::json::params::Params;
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::task::{Planted, Question, TaskRow};
use objalign_gen::streams::stream;
use rayon::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn source() -> ScdJson {
    ScdJson::new(Params::published()).expect("parameters")
}

/// The first tasks of a condition.
fn tasks(source: &ScdJson, set: &str, condition: &str, count: u64) -> Vec<TaskRow> {
    let sets = source.sets();
    let at = sets.iter().position(|of| of.name == set).expect("a set");
    let of = sets[at].conditions.iter().position(|of| of.name == condition).expect("a condition");
    (0..count).into_par_iter().map(|index| source.task(at, of, index)).collect()
}

fn question(task: &TaskRow) -> (&Value, &[Planted]) {
    match &task.question {
        Question::Json { schema, planted } => (schema, planted),
        Question::Table { .. } => panic!("a table"),
    }
}

fn paths(task: &TaskRow) -> Vec<Path> {
    question(task).1.iter().map(|planted| planted.path.parse().expect("a path")).collect()
}

/// On which level of nodes a path ends: `$.root.x` is on the first.
fn level(path: &Path) -> usize {
    let metadata = path.steps().contains(&Step::Key("metadata".into()));
    path.steps().len() - 1 - usize::from(metadata)
}

#[test]
fn the_sets_are_as_many_as_published() {
    let sets = source().sets();
    let counts: Vec<(&str, usize, u64)> =
        sets.iter().map(|set| (set.name.as_str(), set.conditions.len(), set.tasks())).collect();
    let expected = [
        ("core", 3, 1500),
        ("depth", 3, 300),
        ("count", 4, 400),
        ("cues", 2, 200),
        ("names", 2, 200),
        ("train", 3, 3000),
    ];
    assert_eq!(counts, expected);
}

#[test]
fn every_set_has_references_that_are_right_in_everything() {
    let source = source();
    let mut seen = BTreeSet::new();
    let places = source.sets().into_iter().enumerate().flat_map(|(at, set)| {
        (0..set.conditions.len()).flat_map(move |condition| (0..18).map(move |index| (at, condition, index)))
    });
    let places: Vec<_> = places.collect();
    let tasks: Vec<TaskRow> =
        places.par_iter().map(|&(set, condition, index)| source.task(set, condition, index)).collect();
    assert_eq!(tasks.len(), 17 * 18);
    tasks.par_iter().for_each(|task| assert_eq!(check(task), Ok(()), "{}", task.id));
    for task in &tasks {
        assert!(seen.insert(&task.prompt), "{} is there twice", task.id);
        assert_eq!(source.again(task).as_ref(), Some(task));
        // As a line it is the same task.
        let line = serde_json::to_string(task).expect("JSON");
        assert_eq!(serde_json::from_str::<TaskRow>(&line).expect("a task"), *task);
    }
}

#[test]
fn levels_differ_in_depth_and_number_and_keep_to_the_deep_paths() {
    let source = source();
    for (name, depth, planted, deep) in [("S", 2, 12, 12), ("M", 3, 15, 11), ("L", 4, 20, 14)] {
        let tasks = tasks(&source, "core", name, 80);
        for task in &tasks {
            assert_eq!((task.level.as_str(), &task.ablation), (name, &None));
            let (schema, values) = question(task);
            let paths = paths(task);
            assert_eq!(values.len(), planted, "{}", task.id);
            let on_last_two = paths.iter().filter(|path| level(path) + 2 > depth).count();
            assert_eq!(on_last_two, deep, "{}", task.id);
            let required = required_paths(schema).expect("a schema");
            assert_eq!(required.len(), 7 * ((1 << depth) - 1));
            assert_eq!(required.iter().map(level).max(), Some(depth));
            assert!(paths.iter().all(|path| required.contains(path)));
        }
        // Fields are drawn anew for each task.
        let names: BTreeSet<Vec<&String>> = tasks
            .iter()
            .map(|task| {
                question(task).0["properties"]["root"]["properties"].as_object().expect("fields").keys().collect()
            })
            .collect();
        assert!(names.len() > 50, "{}", names.len());
    }
}

#[test]
fn values_are_unique_typed_as_their_fields_and_nowhere_else() {
    let source = source();
    for name in ["S", "M", "L"] {
        for task in tasks(&source, "core", name, 100) {
            let (schema, planted) = question(&task);
            let distinct: BTreeSet<String> = planted.iter().map(|planted| planted.value.to_string()).collect();
            assert_eq!(distinct.len(), planted.len());
            for Planted { path, value } in planted {
                let path: Path = path.parse().expect("a path");
                let steps = path.steps().iter().map(|step| match step {
                    Step::Key(key) => format!("/properties/{key}"),
                    Step::Index(_) => panic!("no arrays"),
                });
                let kind = &schema.pointer(&steps.collect::<String>()).expect("a field")["type"];
                let fits = match kind.as_str().expect("a type") {
                    "string" => {
                        value.as_str().is_some_and(|word| word.chars().all(|letter| letter.is_ascii_uppercase()))
                    }
                    "integer" => value.is_i64(),
                    "number" => value.as_f64().is_some_and(|number| number.fract() != 0.0),
                    _ => false,
                };
                assert!(fits, "{path}: {value} in a field of type {kind}");
                assert!(
                    task.prompt.contains(&format!("{path} = {value}\n"))
                        || task.prompt.contains(&format!("{path} = {value}\n\n"))
                );
                // Once in the reference: at its path.
                let reference: Value = serde_json::from_str(&task.reference).expect("JSON");
                assert_eq!(leaves(&reference).filter(|leaf| *leaf == value).count(), 1, "{value}");
            }
        }
    }
}

fn leaves(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Object(members) => Box::new(members.values().flat_map(leaves)),
        leaf => Box::new(std::iter::once(leaf)),
    }
}

#[test]
fn there_are_siblings_to_swap() {
    let source = source();
    for (set, condition) in [
        ("core", "S"),
        ("core", "M"),
        ("core", "L"),
        ("depth", "depth=2"),
        ("count", "planted=5"),
        ("train", "depth=5"),
    ] {
        for task in tasks(&source, set, condition, 40) {
            let paths = paths(&task);
            let differ_in_one_node = |one: &Path, other: &Path| {
                let steps = one.steps().iter().zip(other.steps());
                one.steps().len() == other.steps().len()
                    && steps.clone().filter(|(one, other)| one != other).count() == 1
                    && one.steps().last() == other.steps().last()
            };
            let pairs =
                paths.iter().enumerate().flat_map(|(at, one)| paths[..at].iter().map(move |other| (one, other)));
            // In a binary tree the same field has one sibling on the last step of the nodes.
            let siblings = pairs.filter(|(one, other)| {
                let node = |path: &Path| {
                    path.steps()
                        .iter()
                        .rposition(|step| matches!(step, Step::Key(key) if key == "left" || key == "right"))
                };
                differ_in_one_node(one, other) && node(one) == node(other) && {
                    let at = node(one).unwrap_or(0);
                    one.steps()[..at] == other.steps()[..at]
                }
            });
            assert!(siblings.count() >= paths.len().div_ceil(4), "{}: {paths:?}", task.id);
        }
    }
}

#[test]
fn large_schemas_stay_within_eight_thousand_characters() {
    let source = source();
    for (name, most) in [("S", 2_000), ("M", 4_000), ("L", 8_000)] {
        let longest = tasks(&source, "core", name, 250).iter().map(|task| question(task).0.to_string().len()).max();
        assert!(longest.is_some_and(|longest| longest <= most), "{name}: {longest:?}");
    }
}

#[test]
fn an_ablation_turns_one_thing() {
    let source = source();
    let values =
        |task: &TaskRow| -> Vec<Value> { question(task).1.iter().map(|planted| planted.value.clone()).collect() };
    let last = |path: &Path| path.steps().last().cloned();

    let (opaque, descriptive) =
        (tasks(&source, "cues", "cues=opaque", 40), tasks(&source, "cues", "cues=descriptive", 40));
    for (one, other) in opaque.iter().zip(&descriptive) {
        assert_eq!(
            (values(one), one.ablation.as_deref(), one.level.as_str()),
            (values(other), Some("cues=opaque"), "M")
        );
        assert_eq!(paths(one).iter().map(last).collect::<Vec<_>>(), paths(other).iter().map(last).collect::<Vec<_>>());
        assert!(one.reference.contains("\"left\"") && !other.reference.contains("\"left\""));
    }

    let (repeated, unique) =
        (tasks(&source, "names", "names=repeated", 40), tasks(&source, "names", "names=unique", 40));
    for (one, other) in repeated.iter().zip(&unique) {
        assert_eq!(values(one), values(other));
        let nodes = |task: &TaskRow| {
            paths(task).iter().map(|path| path.steps()[..path.steps().len() - 1].to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(nodes(one), nodes(other));
        let names = |task: &TaskRow| {
            required_paths(question(task).0).expect("a schema").iter().map(last).collect::<BTreeSet<_>>()
        };
        assert_eq!((names(one).len(), names(other).len()), (7, 49));
    }

    for depth in 1..=3 {
        for task in tasks(&source, "depth", &format!("depth={depth}"), 20) {
            assert_eq!(question(&task).1.len(), 6);
            assert_eq!(required_paths(question(&task).0).expect("a schema").iter().map(level).max(), Some(depth));
        }
    }
    for planted in [5, 10, 15, 20] {
        for task in tasks(&source, "count", &format!("planted={planted}"), 20) {
            assert_eq!(
                (question(&task).1.len(), Compiled::new(&task).expect("a task").measure("{}").required),
                (planted, 49)
            );
        }
    }
    for depth in 3..=5 {
        for task in tasks(&source, "train", &format!("depth={depth}"), 20) {
            assert_eq!((task.level.as_str(), &task.ablation), ("train", &None));
            assert!((12..=20).contains(&question(&task).1.len()));
        }
    }
}

/// The laws of the operators, and that the measures read back what was done: exactly, at every dose.
#[test]
fn damage_is_read_back_by_its_closed_form() {
    let source = source();
    let mut reached = BTreeMap::new();
    for condition in ["S", "M", "L"] {
        for (index, task) in tasks(&source, "core", condition, 4).iter().enumerate() {
            let compiled = Compiled::new(task).expect("a task");
            let gold: Value = serde_json::from_str(&task.reference).expect("JSON");
            let (planted, n) = (question(task).1, question(task).1.len());
            let damage = Damage::of(task).expect("a JSON task");
            for operator in damage.operators().iter() {
                for dose in [0, 1, 2, 3, n / 2, n - 3, n, n + 1].map(|dose| dose as u32) {
                    let mut random = stream(9, index as u64, operator.name());
                    let outcome = operator.apply(&gold, dose, &mut random).expect("the reference of the task");
                    assert_eq!(
                        outcome,
                        operator.apply(&gold, dose, &mut stream(9, index as u64, operator.name())).expect("again")
                    );
                    let at = format!("{} {} at {dose}", task.id, operator.name());
                    assert_eq!(replay(&gold, &outcome.edits).as_ref(), Ok(&outcome.candidate), "{at}");
                    assert!(outcome.reached() <= dose);
                    assert_eq!(outcome.candidate == gold, outcome.reached() == 0, "{at}");
                    let closed = damage.closed_form(operator.name(), &outcome.edits).expect("an operator");
                    let measures = compiled.measure(&outcome.candidate.to_string());
                    assert_eq!(ClosedForm::of(&measures), closed, "{at}");
                    assert!(closed.agrees(&measures));
                    // The same from the table of the documentation, by the dose alone.
                    let k = outcome.reached() as usize;
                    let required = closed.required;
                    let found = (closed.placed, closed.present, closed.required_found);
                    match operator.name() {
                        "sibling_swap" => assert_eq!(found, (n - 2 * k, n, required)),
                        "cousin_rotation" => assert_eq!(found, (n - k, n, required)),
                        "value_replacement" => assert_eq!(found, (n - k, n - k, required)),
                        "leaf_drop" => assert_eq!(found, (n - k, n - k, required - k)),
                        "subtree_drop" => assert!(found.0 == found.1 && (k == 0) == (found.2 == required)),
                        "undeclared_paths" => assert_eq!(found, (n, n, required)),
                        other => panic!("{other}"),
                    }
                    let most = reached.entry((condition, operator.name().to_owned())).or_insert((u32::MAX, 0));
                    if dose as usize == n + 1 {
                        *most = (most.0.min(outcome.reached()), most.1.max(outcome.reached()));
                    }
                    if operator.name() == "cousin_rotation" && dose >= 2 && dose as usize <= n - 3 {
                        assert_eq!(outcome.reached(), dose, "{at}");
                    }
                    // What comes in is typed as what it takes the place of, and is no planted value.
                    if operator.name() == "value_replacement" {
                        for change in outcome.edits.iter().flat_map(|edit| &edit.changes) {
                            let Change::Replaced { from, to, .. } = change else { panic!("{change:?}") };
                            assert_eq!((from.is_string(), from.is_i64()), (to.is_string(), to.is_i64()));
                            assert!(
                                planted.iter().all(|planted| planted.value != *to)
                                    && !task.reference.contains(&to.to_string())
                            );
                        }
                    }
                }
            }
        }
    }
    for (condition, n) in [("S", 12_u32), ("M", 15), ("L", 20)] {
        let of = |name: &str| reached[&(condition, name.to_owned())];
        assert!(of("sibling_swap").0 >= n.div_ceil(4));
        assert!(of("cousin_rotation").0 >= n - 3);
        assert_eq!((of("value_replacement").0, of("leaf_drop").0, of("undeclared_paths").0), (n, n, n + 1));
        assert!(of("subtree_drop").0 >= 2);
    }
}

/// So many pairs of siblings can be swapped as the planting promises, wherever there is more than one node. Where names are unique,
/// siblings have no name in common and the operator cannot see which were planted as a pair: there are some.
#[test]
fn a_quarter_of_the_values_can_be_swapped_in_pairs() {
    let source = source();
    for (at, set) in source.sets().iter().enumerate() {
        for (of, condition) in set.conditions.iter().enumerate().filter(|(_, condition)| condition.name != "depth=1") {
            for index in 0..12 {
                let task = source.task(at, of, index);
                let gold: Value = serde_json::from_str(&task.reference).expect("JSON");
                let damage = Damage::of(&task).expect("a JSON task");
                let swap = damage.operators().get("sibling_swap").expect("an operator");
                let outcome = swap.apply(&gold, 100, &mut stream(1, index, "test")).expect("the reference");
                let planted = question(&task).1.len();
                let least = if condition.name == "names=unique" { 1 } else { planted.div_ceil(4) };
                assert!(outcome.edits.len() >= least, "{}: {}", task.id, outcome.edits.len());
            }
        }
    }
}

#[test]
fn damage_is_only_done_to_the_reference() {
    let source = source();
    let task = &tasks(&source, "core", "S", 1)[0];
    let planted = &question(task).1[0];
    let pointer = planted.path.parse::<Path>().expect("a path").pointer();
    let damage = Damage::of(task).expect("a JSON task");
    let swap = damage.operators().get("sibling_swap").expect("an operator");
    let error = swap.apply(&Value::Null, 1, &mut stream(1, 0, "test")).expect_err("no reference").to_string();
    assert_eq!(error, format!("{pointer}: {} is planted and should be here", planted.value));
    assert_eq!(
        damage.closed_form("other", &[]).expect_err("none").to_string(),
        "(root): no operator \"other\" on JSON tasks"
    );
}

#[test]
fn faults_of_format_are_read_at_their_level() {
    let source = source();
    for task in ["S", "M", "L"].iter().flat_map(|level| tasks(&source, "core", level, 10)) {
        let compiled = Compiled::new(&task).expect("a task");
        for fault in Fault::ALL {
            let measures = compiled.measure(&fault.apply(&task.reference, &mut stream(3, 0, fault.name())));
            assert_eq!(measures.format.as_ref().ok().copied(), fault.level(), "{}", fault.name());
            let content = (measures.scr(), measures.vpa(), measures.vp());
            match (fault.level(), fault.keeps_content()) {
                (None, _) => assert_eq!(content, (0.0, 0.0, 0.0)),
                (_, true) => assert_eq!(content, (1.0, 1.0, 1.0), "{}", fault.name()),
                (_, false) => assert!(measures.placed == measures.present && measures.scr() <= 1.0),
            }
        }
    }
}
