//! The table tasks as sets, and damage to them that the measures read back.

use objalign_core::scd::Row;
use objalign_gen::corrupt::{Change, replay};
use objalign_gen::scd::check::Compiled;
use objalign_gen::scd::damage::ClosedForm;
use objalign_gen::scd::damage::Damage;
use objalign_gen::scd::damage::format::Fault;
use objalign_gen::scd::directory::{line, write};
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::table::Tables;
use objalign_gen::scd::table::params::Params;
use objalign_gen::scd::task::{Question, Target, TaskRow};
use objalign_gen::streams::stream;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

fn source() -> Tables {
    Tables::new(Params::published()).expect("parameters")
}

fn targets(task: &TaskRow) -> &[Target] {
    match &task.question {
        Question::Table { targets, .. } => targets,
        Question::Json { .. } => panic!("no table"),
    }
}

#[test]
fn the_sets_are_as_many_as_published() {
    let sets = source().sets();
    let counts: Vec<(&str, usize, u64)> =
        sets.iter().map(|set| (set.name.as_str(), set.conditions.len(), set.tasks())).collect();
    assert_eq!(counts, [("core", 3, 600), ("rows", 3, 300), ("count", 3, 300), ("train", 3, 900)]);
}

#[test]
fn the_configuration_that_comes_along_is_the_published_one() {
    let text = include_str!("../../../configs/scd-table.toml");
    let read: Params = objalign_gen::dataset::config::parse(text).expect("a configuration");
    assert_eq!(read, Params::published());
}

#[test]
fn sets_that_have_no_tasks_are_left_out() {
    let mut params = Params::published();
    (params.core.tasks, params.rows.tasks) = (0, 0);
    let source = Tables::new(params).expect("parameters");
    let task = source.task(0, 1, 4);
    assert_eq!((task.id.as_str(), task.level.as_str()), ("table/count/targets=10/0004", "L"));
    assert_eq!(source.again(&task).as_ref(), Some(&task));
    let train = source.task(1, 0, 0);
    assert_eq!((train.level.as_str(), train.ablation.as_deref(), source.sets().len()), ("train", None, 2));
    // As a line it is the same task.
    assert_eq!(serde_json::from_str::<TaskRow>(&line(&task)).expect("a task"), task);
}

/// The laws of the operators, and that the measures read back what was done: exactly, at every dose.
#[test]
fn damage_is_read_back_by_its_closed_form() {
    let source = source();
    let mut reached = BTreeMap::new();
    for (condition, level) in ["S", "M", "L"].into_iter().enumerate() {
        for index in 0..4 {
            let task = source.task(0, condition, index);
            let compiled = Compiled::new(&task).expect("a task");
            let gold: Value = serde_json::from_str(&task.reference).expect("JSON");
            let n = targets(&task).len();
            let damage = Damage::of(&task).expect("a table task");
            for operator in damage.operators().iter() {
                let name = operator.name();
                for dose in [0, 1, 2, n / 2, n, n + 1] {
                    let outcome =
                        operator.apply(&gold, dose as u32, &mut stream(9, index, name)).expect("the reference");
                    let at = format!("{} {name} at {dose}", task.id);
                    assert_eq!(replay(&gold, &outcome.edits).as_ref(), Ok(&outcome.candidate), "{at}");
                    let k = outcome.reached() as usize;
                    assert!(k <= dose && (outcome.candidate == gold) == (k == 0), "{at}");
                    let closed = damage.closed_form(name, &outcome.edits).expect("an operator");
                    let measures = compiled.measure(&outcome.candidate.to_string());
                    assert!(closed.agrees(&measures), "{at}: {closed:?}, {:?}", ClosedForm::of(&measures));
                    // The same from the table of the documentation, by the dose alone.
                    let counts = (closed.placed, closed.present, closed.required_found);
                    match name {
                        "cell_move" => assert_eq!(counts, (n - k, n, n)),
                        "value_replacement" | "wrong_row" => assert_eq!(counts, (n - k, n - k, n)),
                        "wrong_row_unlike" | "target_drop" => assert_eq!(counts, (n - k, n - k, n - k)),
                        "wrong_row_edited" => assert_eq!(counts, (n, n, n)),
                        "row_swap" => {
                            assert_eq!(counts.0, n - 2 * k);
                            assert!(counts.1 == n - 2 * k && counts.2 >= n - 2 * k && (level != "S" || counts.2 == n));
                        }
                        "cell_count" => assert_eq!(counts, (n, n, n - k)),
                        other => panic!("{other}"),
                    }
                    if name == "cell_move" {
                        the_old_text_is_back(&task, &outcome.candidate, k);
                    }
                    if dose == n + 1 {
                        let most = reached.entry((level, name.to_owned())).or_insert((k, k));
                        *most = (most.0.min(k), most.1.max(k));
                    }
                }
            }
        }
    }
    println!("{reached:?}");
    for (level, n) in [("S", 5), ("M", 10), ("L", 15)] {
        let of = |name: &str| reached[&(level, name.to_owned())];
        for name in ["cell_move", "value_replacement", "cell_count", "target_drop"] {
            assert_eq!(of(name), (n, n), "{level} {name}");
        }
        assert_eq!(of("row_swap"), (n / 2, n / 2));
        // A flat grid has one shape only.
        let unlike = if level == "S" { 0 } else { n };
        assert_eq!(of("wrong_row_unlike"), (unlike, unlike));
        assert!(of("wrong_row").0 >= n / 5 && of("wrong_row_edited").0 >= n / 5);
    }
}

fn the_old_text_is_back(task: &TaskRow, candidate: &Value, dose: usize) {
    let back = targets(task).iter().filter(|target| {
        let before: Row = target.html.parse().expect("a row");
        let after: Row = candidate[&target.id].as_str().expect("a row").parse().expect("a row");
        after.cells[target.cell].text == before.cells[target.cell].text
    });
    assert_eq!(back.count(), dose);
}

#[test]
fn damage_is_only_done_to_the_reference() {
    let task = source().task(0, 0, 0);
    let damage = Damage::of(&task).expect("a table task");
    let operators = damage.operators();
    assert_eq!(
        operators.names(),
        "cell_move, value_replacement, wrong_row, wrong_row_unlike, wrong_row_edited, row_swap, cell_count, target_drop"
    );
    let move_of = operators.get("cell_move").expect("an operator");
    let error = move_of.apply(&Value::Null, 1, &mut stream(1, 0, "test")).expect_err("no reference").to_string();
    assert_eq!(error, "/T1: the target's row with its one change should be here");
    let none = damage.closed_form("other", &[]).expect_err("none").to_string();
    assert_eq!(none, "(root): no operator \"other\" on table tasks");
    let gold: Value = serde_json::from_str(&task.reference).expect("JSON");
    let outcome = operators.get("target_drop").expect("an operator").apply(&gold, 1, &mut stream(1, 0, "test"));
    assert!(matches!(outcome.expect("an outcome").edits[0].changes[..], [Change::Dropped { .. }]));
}

#[test]
fn faults_of_format_are_read_at_their_level() {
    let source = source();
    for (condition, index) in [(0, 0), (1, 1), (2, 2)] {
        let task = source.task(0, condition, index);
        let compiled = Compiled::new(&task).expect("a task");
        for fault in Fault::ALL.into_iter().filter(|fault| *fault != Fault::Truncation) {
            let measures = compiled.measure(&fault.apply(&task.reference, &mut stream(3, 0, fault.name())));
            assert_eq!(measures.format.as_ref().ok().copied(), fault.level(), "{}", fault.name());
            let content = (measures.scr(), measures.vpa(), measures.vp());
            let expected = if fault.level().is_some() { (1.0, 1.0, 1.0) } else { (0.0, 0.0, 0.0) };
            assert_eq!(content, expected, "{}", fault.name());
        }
    }
}

#[test]
fn a_directory_passes_its_own_check_and_what_is_changed_is_found() {
    use objalign_gen::dataset::rows::JSONL;
    use objalign_gen::dataset::verify::verify;
    let mut params = Params::published();
    (params.core.tasks, params.rows.tasks, params.count.tasks, params.train.tasks) = (2, 1, 1, 1);
    let source = Tables::new(params).expect("parameters");
    let room = tempfile::tempdir().expect("a directory");
    let directory = room.path().join("tables");
    write(&source, &directory, false, |_| ()).expect("written");
    let checked = || verify(&directory, &[JSONL], |_| ()).expect("a directory of tasks");
    let found = checked();
    assert_eq!((found.rows, found.files, found.wrong), (15, 5, 0), "{:?}", found.problems);
    let path = directory.join("core.jsonl");
    let rows = fs::read_to_string(&path).expect("rows");
    // The address of another cell, in the target and in the prompt: the row is still one, but not what it says.
    let first: TaskRow = serde_json::from_str(rows.lines().next().expect("a task")).expect("a task");
    let [one, other, ..] = targets(&first) else { panic!("no targets") };
    let quoted = |address: &str| Value::from(address).to_string();
    fs::write(&path, rows.replacen(&quoted(&one.address), &quoted(&other.address), 1)).expect("written");
    let told: Vec<String> = checked().problems.iter().map(ToString::to_string).collect();
    assert_eq!(told[1], "core.jsonl: row 1: table/core/S/0000: target T1: the address leads to another cell");
}
