//! `objalign generate`, `corrupt` and `verify`, end to end.

use crate::support::{Call, objalign, rows, with_input};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn config(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs").join(name)
}

fn generate(kind: &str, name: &str, more: &[&str]) -> Call {
    let mut args =
        vec!["generate".to_owned(), kind.to_owned(), "--config".to_owned(), config(name).display().to_string()];
    args.extend(more.iter().map(ToString::to_string));
    objalign(args)
}

/// A small data set in a room of its own.
fn made(kind: &str, name: &str, more: &[&str]) -> (tempfile::TempDir, String) {
    let room = tempfile::tempdir().expect("a directory");
    let directory = room.path().join("data").display().to_string();
    let sizes = ["--train", "8", "--val", "4", "--test", "6", "--out", &directory];
    let call = generate(kind, name, &[&sizes, more].concat());
    assert_eq!(call.code, 0, "{}", call.err);
    (room, directory)
}

#[test]
fn every_configuration_makes_a_data_set_that_verifies() {
    for (kind, name) in [
        ("org2graph", "org2graph-pw.toml"),
        ("org2graph", "org2graph-pn.toml"),
        ("org2graph", "org2graph-cw.toml"),
        ("org2graph", "org2graph-cn.toml"),
        ("facts2order", "facts2order-stated.toml"),
        ("facts2order", "facts2order-hidden.toml"),
    ] {
        let (_room, directory) = made(kind, name, &[]);
        let call = objalign(["verify", &directory]);
        assert_eq!(call.code, 0, "{}", call.err);
        assert_eq!(call.text(), format!("{directory}: 8 files and 18 rows, all as they should be\n"));
    }
}

#[test]
fn parquet_holds_the_same_rows() {
    let (_one, jsonl) = made("org2graph", "org2graph-cn.toml", &[]);
    let (_other, parquet) = made("org2graph", "org2graph-cn.toml", &["--format", "parquet"]);
    let call = objalign(["verify", &parquet]);
    assert_eq!((call.code, call.text().contains("8 files and 18 rows")), (0, true), "{}", call.err);
    let ops = config("corrupt-graph.toml").display().to_string();
    let pairs = |directory: &str| objalign(["corrupt", "--input", directory, "--ops", &ops, "--out", "-"]).out;
    assert_eq!(pairs(&jsonl), pairs(&parquet));
    let card = fs::read_to_string(Path::new(&parquet).join("README.md")).expect("a card");
    assert!(card.contains("      - split: validation\n        path: val.parquet\n"), "{card}");
}

#[test]
fn instances_can_be_looked_at_and_knobs_turned() {
    let call =
        generate("org2graph", "org2graph-pn.toml", &["--print", "2", "--set", "params.people.max=3", "--seed", "5"]);
    assert_eq!(call.code, 0, "{}", call.err);
    assert!(call.text().starts_with("org2graph-pn-000000\n\n"), "{}", call.text());
    assert_eq!((call.text().matches("  people:\n").count(), call.text().matches("\"title\"").count()), (2, 6));
    let again = generate(
        "org2graph",
        "org2graph-pn.toml",
        &["--print", "2", "--set", "params.people.max=3", "--seed", "5", "--threads", "1"],
    );
    assert_eq!(call.out, again.out);
}

#[test]
fn a_bad_configuration_is_one_line_with_key_and_place() {
    let room = tempfile::tempdir().expect("a directory");
    let file = room.path().join("bad.toml");
    let good = fs::read_to_string(config("org2graph-pn.toml")).expect("a configuration");
    let refused = |from: &str, to: &str| {
        assert!(good.contains(from));
        fs::write(&file, good.replacen(from, to, 1)).expect("written");
        let call = objalign(["generate", "org2graph", "--print", "1", "--config", &file.display().to_string()]);
        assert_eq!((call.code, call.err.lines().count(), call.out.len()), (2, 1, 0), "{}", call.err);
        call.err.replace(&file.display().to_string(), "bad.toml")
    };
    assert_eq!(
        refused("train = 100", "trian = 100"),
        "error: bad.toml: line 10: `splits.trian`: unknown field `trian`, expected one of `train`, `val`, `test`\n"
    );
    assert_eq!(
        refused("people = { min = 3", "people = { min = 13"),
        "error: bad.toml: line 20: `params.people`: min 13 and max 10 make no range; allowed: 1 to 99, min no greater than max\n"
    );
    assert!(
        refused("seed = 20", "seed = -20").starts_with("error: bad.toml: line 6: `seed`: invalid value: integer `-20`")
    );
    let call = objalign(["generate", "org2graph", "--print", "1", "--config", "nowhere.toml"]);
    assert_eq!((call.code, call.err.lines().count()), (2, 1));
    assert!(call.err.starts_with("error: nowhere.toml: cannot be read: "), "{}", call.err);
    let call = generate("org2graph", "org2graph-pn.toml", &["--print", "1", "--set", "params.twins.min=2"]);
    assert_eq!(call.code, 2);
    assert_eq!(
        call.err,
        "error: `params.twins`: min 2 and max 1 make no range; allowed: 0 to 1, min no greater than max\n"
    );
}

#[test]
fn what_is_there_is_kept_and_damage_is_found() {
    let (_room, directory) = made("facts2order", "facts2order-hidden.toml", &[]);
    let again = generate("facts2order", "facts2order-hidden.toml", &["--out", &directory]);
    assert_eq!(again.code, 2);
    assert_eq!(again.err, format!("error: {directory}: exists already; --force replaces a data set\n"));
    let path = Path::new(&directory).join("test.jsonl");
    let text = fs::read_to_string(&path).expect("rows");
    let mut row = rows(&text)[0].clone();
    row["gold"]["indices"].as_array_mut().expect("labels").reverse();
    let rest = text.split_once('\n').expect("lines").1;
    fs::write(&path, format!("{row}\n{rest}")).expect("written");
    let call = objalign(["verify", &directory]);
    assert_eq!((call.code, call.out.len()), (1, 0));
    assert!(
        call.err.contains("test.jsonl: row 1: ") && call.err.contains(": the text says the order ["),
        "{}",
        call.err
    );
    let forced = generate("facts2order", "facts2order-hidden.toml", &["--out", &directory, "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.err);
    assert_eq!(objalign(["verify", &directory]).code, 0);
    let call = objalign(["verify", "/"]);
    assert_eq!((call.code, call.err.lines().count()), (2, 1), "{}", call.err);
}

#[test]
fn pairs_are_scored_as_they_come() {
    let (room, directory) = made("org2graph", "org2graph-cn.toml", &[]);
    let pairs = room.path().join("pairs.jsonl").display().to_string();
    let ops = config("corrupt-graph.toml").display().to_string();
    let call = objalign(["corrupt", "--input", &directory, "--ops", &ops, "--out", &pairs]);
    assert_eq!(call.code, 0, "{}", call.err);
    // Six golds, six operators, nine doses.
    assert!(call.err.starts_with("6 golds, 324 pairs ("), "{}", call.err);
    let made = rows(&fs::read_to_string(&pairs).expect("pairs"));
    assert_eq!(made.len(), 324);
    let schema = Path::new(&directory).join("schema.ra.json").display().to_string();
    let scored = objalign(["score", "--pairs", &pairs, "--schema", &schema]);
    assert_eq!(scored.code, 0, "{}", scored.err);
    for (pair, score) in made.iter().zip(scored.rows()) {
        assert_eq!(pair["id"], score["id"]);
        if pair["k"] == 0 {
            assert_eq!(score["score"], 1.0, "{}", pair["id"]);
        }
    }
    let mean = |dose: u64| {
        let of = made.iter().zip(scored.rows()).filter(|(pair, _)| pair["k"] == dose);
        of.map(|(_, score)| score["score"].as_f64().expect("a score")).sum::<f64>()
    };
    assert!(mean(0) > mean(2) && mean(2) > mean(8));
}

#[test]
fn orders_from_standard_input_and_rows_that_fail() {
    let ops = config("corrupt-order.toml").display().to_string();
    let room = tempfile::tempdir().expect("a directory");
    let schema = room.path().join("schema.json");
    let text = r#"{"type": "object", "properties": {"indices": {"type": "array", "items": {"type": "integer", "score": "exact"}}}}"#;
    fs::write(&schema, text).expect("written");
    let input =
        b"{\"id\": 1, \"gold\": {\"indices\": [3, 1, 2]}}\n{\"id\": 2}\n{\"id\": 3, \"gold\": {\"indices\": [2, 1]}}\n";
    let args = ["corrupt", "--input", "-", "--ops", &ops, "--out", "-", "--schema", &schema.display().to_string()];
    let call = with_input(args, input);
    assert_eq!(call.code, 1, "{}", call.err);
    assert!(call.err.starts_with("-: row 2: missing field `gold`"), "{}", call.err);
    let pairs = call.rows();
    let of = |id: u64| pairs.iter().filter(|pair| pair["gold_id"] == id).collect::<Vec<&Value>>();
    // Three labels: k = 0, 1, 2 swaps, a reversal, a move, two deletions, three insertions.
    assert_eq!((of(1).len(), of(3).len()), (10, 8));
    let distances: Vec<&Value> = of(1).iter().map(|pair| &pair["kendall_distance"]).collect();
    assert_eq!((distances[0], distances[1], distances[9]), (&0.into(), &1.into(), &Value::Null));

    let refused = with_input(["corrupt", "--input", "-", "--ops", &ops, "--out", "-"], input);
    assert_eq!((refused.code, refused.err.lines().count()), (2, 1));
    let graph_ops = config("corrupt-graph.toml").display().to_string();
    let args =
        ["corrupt", "--input", "-", "--ops", &graph_ops, "--out", "-", "--schema", &schema.display().to_string()];
    let refused = with_input(args, input);
    assert!(
        refused.err.contains("corrupt-graph.toml: line 15: `op[0].name`: no operator \"categorical_relabel\""),
        "{}",
        refused.err
    );
}

/// The tasks, few of each.
const FEW: [&str; 12] = [
    "--set",
    "core.tasks=3",
    "--set",
    "depth.tasks=1",
    "--set",
    "count.tasks=1",
    "--set",
    "cues.tasks=1",
    "--set",
    "names.tasks=1",
    "--set",
    "train.tasks=1",
];

#[test]
fn json_tasks_are_made_checked_and_measured() {
    let room = tempfile::tempdir().expect("a directory");
    let out = room.path().join("tasks").display().to_string();
    let call = generate("scd-json", "scd-json.toml", &[&FEW[..], &["--out", &out]].concat());
    assert_eq!((call.code, call.out.len()), (0, 0), "{}", call.err);
    let told = "scd-json tasks: 9 core, 3 depth, 4 count, 2 cues, 2 names, 3 train\n";
    assert_eq!(call.err, format!("{out}: {told}"));
    let call = objalign(["verify", &out]);
    assert_eq!(call.text(), format!("{out}: 7 files and 23 rows, all as they should be\n"), "{}", call.err);

    // The same bytes for any number of threads.
    let again = room.path().join("again").display().to_string();
    generate("scd-json", "scd-json.toml", &[&FEW[..], &["--out", &again, "--threads", "1"]].concat());
    let read = |directory: &str, name: &str| fs::read_to_string(Path::new(directory).join(name)).expect("a file");
    for name in ["core.jsonl", "train.jsonl", "README.md", "manifest.json"] {
        assert_eq!(read(&out, name), read(&again, name), "{name}");
    }
    assert!(
        read(&out, "README.md")
            .contains("  - config_name: core\n    data_files:\n      - split: test\n        path: core.jsonl\n")
    );

    // References are completions that are right in everything.
    let tasks = rows(&read(&out, "core.jsonl"));
    let completions = tasks.iter().fold(String::new(), |text, task| {
        text + &serde_json::json!({"id": task["id"], "completion": task["reference"]}).to_string() + "\n"
    });
    let path = Path::new(&out).join("core.jsonl").display().to_string();
    let call = with_input(["scd", "--tasks", &path, "--completions", "-"], completions.as_bytes());
    assert_eq!(call.code, 0, "{}", call.err);
    let measured = call.rows();
    assert_eq!(measured.len(), 9);
    assert!(measured.iter().all(|row| row["vpa"] == 1.0 && row["vp"] == 1.0 && row["scr"] == 1.0));

    // A planted value that the reference has elsewhere, and a row of another seed.
    let mut row = tasks[0].clone();
    row["planted"][0]["path"] = "$.root.nowhere".into();
    let text = read(&out, "core.jsonl");
    let first = text.lines().next().expect("a row");
    fs::write(&path, text.replace(first, &row.to_string())).expect("written");
    let call = objalign(["verify", &out]);
    assert_eq!(call.code, 1);
    assert!(
        call.err.contains("core.jsonl: row 1: json/core/S/0000: the reference does not score 1: VPA is 11 of 12"),
        "{}",
        call.err
    );
    let other = generate("scd-json", "scd-json.toml", &["--print", "1", "--seed", "21", "--set", "core.tasks=1"]);
    assert_eq!((other.code, other.text().matches("json/core/").count()), (0, 3));
    assert!(!other.text().contains(tasks[0]["reference"].as_str().expect("a text")));

    let refused = generate("scd-json", "scd-json.toml", &["--out", &out]);
    assert_eq!(refused.err, format!("error: {out}: exists already; --force replaces a data set\n"));
    let refused = generate("scd-json", "scd-json.toml", &["--print", "1", "--set", "core.l.depth=9"]);
    assert_eq!((refused.code, refused.err.as_str()), (2, "error: `core.l.depth`: 9; allowed: 1 to 5\n"));
}

#[test]
fn table_tasks_are_made_checked_and_measured() {
    let few = ["core.tasks=2", "rows.tasks=1", "count.tasks=1", "train.tasks=1"];
    let few: Vec<&str> = few.into_iter().flat_map(|set| ["--set", set]).collect();
    let room = tempfile::tempdir().expect("a directory");
    let out = room.path().join("tasks").display().to_string();
    let call = generate("scd-table", "scd-table.toml", &[&few[..], &["--out", &out]].concat());
    assert_eq!((call.code, call.out.len()), (0, 0), "{}", call.err);
    assert_eq!(call.err, format!("{out}: scd-table tasks: 6 core, 3 rows, 3 count, 3 train\n"));
    let call = objalign(["verify", &out]);
    assert_eq!(call.text(), format!("{out}: 5 files and 15 rows, all as they should be\n"), "{}", call.err);

    // The same bytes for any number of threads.
    let again = room.path().join("again").display().to_string();
    generate("scd-table", "scd-table.toml", &[&few[..], &["--out", &again, "--threads", "1"]].concat());
    let read = |directory: &str, name: &str| fs::read_to_string(Path::new(directory).join(name)).expect("a file");
    for name in ["core.jsonl", "rows.jsonl", "count.jsonl", "train.jsonl", "README.md", "manifest.json"] {
        assert_eq!(read(&out, name), read(&again, name), "{name}");
    }

    // References are completions that are right in everything.
    let tasks = rows(&read(&out, "rows.jsonl"));
    let completions = tasks.iter().fold(String::new(), |text, task| {
        text + &serde_json::json!({"id": task["id"], "completion": task["reference"]}).to_string() + "\n"
    });
    let path = Path::new(&out).join("rows.jsonl").display().to_string();
    let call = with_input(["scd", "--tasks", &path, "--completions", "-"], completions.as_bytes());
    assert_eq!(call.code, 0, "{}", call.err);
    let measured = call.rows();
    assert_eq!(measured.len(), 3);
    assert!(measured.iter().all(|row| row["vpa"] == 1.0 && row["vp"] == 1.0 && row["scr"] == 1.0));

    // A target that is said to be where another is.
    let mut row = tasks[0].clone();
    row["targets"][0]["address"] = row["targets"][1]["address"].clone();
    let text = read(&out, "rows.jsonl");
    let first = text.lines().next().expect("a row");
    fs::write(&path, text.replace(first, &row.to_string())).expect("written");
    let call = objalign(["verify", &out]);
    assert_eq!(call.code, 1);
    let told = "rows.jsonl: row 1: table/rows/rows=near/0000: target T1: the address leads to another cell";
    assert!(call.err.contains(told), "{}", call.err);

    let shown = generate("scd-table", "scd-table.toml", &["--print", "1", "--seed", "21"]);
    assert_eq!((shown.code, shown.text().matches("\ntable/core/").count()), (0, 2));
    let refused = generate("scd-table", "scd-table.toml", &["--print", "1", "--set", "core.l.pairs=4"]);
    let told = "error: `core.l.pairs`: 4; allowed: 5 to 12\n";
    assert_eq!((refused.code, refused.err.as_str()), (2, told));
}

#[test]
fn schemas_of_a_folder_make_tasks_or_are_told() {
    let room = tempfile::tempdir().expect("a directory");
    let folder = room.path().join("schemas");
    fs::create_dir(&folder).expect("made");
    let properties = serde_json::json!({"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "number"}});
    let schema = |required: &[&str]| {
        serde_json::json!({"type": "object", "required": required, "properties": properties}).to_string()
    };
    fs::write(folder.join("good.json"), schema(&["a", "b", "c"])).expect("written");
    fs::write(folder.join("poor.json"), schema(&["a"])).expect("written");
    let (out, folder) = (room.path().join("tasks").display().to_string(), folder.display().to_string());
    let call = generate(
        "scd-json",
        "scd-json.toml",
        &[&FEW[..], &["--set", "core.tasks=0", "--schemas", &folder, "--out", &out]].concat(),
    );
    assert_eq!(call.code, 0, "{}", call.err);
    let told = format!(
        "{folder}/poor.json: has room for too few values: 1; allowed: 3 or more\n{folder}: 1 of 2 schemas taken\n\
         {out}: scd-json tasks: 3 depth, 4 count, 2 cues, 2 names, 3 train, 1 real\n"
    );
    assert_eq!(call.err, told);
    let call = objalign(["verify", &out]);
    assert_eq!((call.code, call.text().contains("7 files and 15 rows")), (0, true), "{}", call.err);
    let call = generate("scd-json", "scd-json.toml", &["--schemas", "nowhere", "--print", "1"]);
    assert!(call.code == 2 && call.err.starts_with("error: nowhere: cannot be read: "), "{}", call.err);
}
