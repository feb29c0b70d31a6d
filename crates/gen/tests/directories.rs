//! Data sets as directories: the same bytes each time, nothing half-made, nothing overwritten, and what is wrong with one is found.

use objalign_gen::dataset::config::{Config, Splits};
use objalign_gen::dataset::manifest::{FILE, Manifest};
use objalign_gen::dataset::rows::{Form, JSONL, RowWriter};
use objalign_gen::dataset::source::{Example, Graphs, Orders};
use objalign_gen::dataset::verify::{Verified, verify};
use objalign_gen::dataset::write::write;
use objalign_gen::{facts2order, org2graph};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SPLITS: Splits = Splits { train: 30, val: 10, test: 20 };

fn graphs() -> Graphs {
    Graphs::new(Config { seed: 3, splits: SPLITS, params: org2graph::params::Params::CN }).expect("parameters")
}

fn orders() -> Orders {
    Orders::new(Config { seed: 3, splits: SPLITS, params: facts2order::params::Params::hidden() }).expect("parameters")
}

fn made(name: &str) -> (TempDir, PathBuf) {
    let room = tempfile::tempdir().expect("a directory");
    let directory = room.path().join(name);
    write(&graphs(), SPLITS, &directory, (JSONL, false), || ()).expect("written");
    (room, directory)
}

fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file")))
        .collect()
}

fn checked(directory: &Path) -> Verified {
    verify(directory, &[JSONL], |_| ()).expect("a data set")
}

fn told(directory: &Path) -> Vec<String> {
    checked(directory).problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_directory_has_all_its_files_and_passes_its_own_check() {
    let room = tempfile::tempdir().expect("a directory");
    let (one, other) = (room.path().join("one"), room.path().join("other"));
    let mut rows = 0;
    write(&graphs(), SPLITS, &one, (JSONL, false), || rows += 1).expect("written");
    write(&orders(), SPLITS, &other, (JSONL, false), || ()).expect("written");
    assert_eq!(rows, 60);
    let names: Vec<String> = contents(&one).into_keys().collect();
    let expected = [
        "README.md",
        "legend.json",
        "manifest.json",
        "prompt.txt",
        "schema.plain.json",
        "schema.ra.json",
        "test.jsonl",
        "train.jsonl",
        "val.jsonl",
    ];
    assert_eq!(names, expected);
    assert!(other.join("schema.sequence.json").is_file() && other.join("schema.set.json").is_file());
    for directory in [&one, &other] {
        assert_eq!(checked(directory), Verified { rows: 60, files: 8, ..Verified::default() });
    }
    // Nothing else is left in the room.
    assert_eq!(fs::read_dir(room.path()).expect("a directory").count(), 2);

    let manifest = Manifest::read(&one).expect("a manifest");
    assert_eq!((manifest.variant.as_str(), &manifest.config["params"]["people"]["max"]), ("cn", &Value::from(10)));
    let row: Value =
        serde_json::from_str(fs::read_to_string(one.join("test.jsonl")).expect("rows").lines().next().expect("a row"))
            .expect("JSON");
    let keys: Vec<&String> = row.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["id", "context", "gold", "parameters"]);
    // No code of the legend is in a text.
    let legend: Value = serde_json::from_slice(&fs::read(one.join("legend.json")).expect("a legend")).expect("JSON");
    let codes: Vec<&str> = legend["books"]
        .as_array()
        .expect("books")
        .iter()
        .flat_map(|book| book["values"].as_object().expect("values").values())
        .map(|code| code.as_str().expect("a code"))
        .collect();
    assert_eq!(codes.len(), 6 + 6 + 6 + 3 + 3);
    for split in ["train", "val", "test"] {
        for line in fs::read_to_string(one.join(format!("{split}.jsonl"))).expect("rows").lines() {
            let row: Value = serde_json::from_str(line).expect("JSON");
            let context = row["context"].as_str().expect("a text");
            assert!(codes.iter().all(|code| !context.contains(code)));
        }
    }
}

#[test]
fn the_same_configuration_gives_the_same_bytes() {
    let ((_one, first), (_other, second)) = (made("data"), made("data"));
    assert_eq!(contents(&first), contents(&second));
}

#[test]
fn what_is_there_is_not_overwritten_but_by_force() {
    let (_room, directory) = made("data");
    let before = contents(&directory);
    let again = |force| write(&orders(), SPLITS, &directory, (JSONL, force), || ());
    let error = again(false).expect_err("it is there").to_string();
    assert_eq!(error, format!("{}: exists already; --force replaces a data set", directory.display()));
    assert_eq!(contents(&directory), before);
    again(true).expect("replaced");
    assert!(checked(&directory).wrong == 0 && !directory.join("schema.ra.json").exists());

    // What is not ours stays, whatever the flags.
    fs::write(directory.join(FILE), "{}").expect("written");
    let error = again(true).expect_err("it is foreign").to_string();
    assert!(error.contains("no data set of this program"), "{error}");
    assert_eq!(fs::read(directory.join(FILE)).expect("a file"), b"{}");
    let file = directory.join("prompt.txt");
    assert!(write(&orders(), SPLITS, &file, (JSONL, true), || ()).is_err());
    assert!(file.is_file());
}

#[test]
fn a_run_that_fails_leaves_nothing() {
    struct Full(u32);
    impl RowWriter for Full {
        fn write(&mut self, _: &Example) -> io::Result<()> {
            self.0 += 1;
            if self.0 > 5 { Err(io::Error::other("the disk is full")) } else { Ok(()) }
        }
        fn finish(self: Box<Self>) -> io::Result<()> {
            Ok(())
        }
    }
    let full = Form { create: |_| Ok(Box::new(Full(0))), ..JSONL };
    let room = tempfile::tempdir().expect("a directory");
    let directory = room.path().join("data");
    let error = write(&graphs(), SPLITS, &directory, (full, false), || ()).expect_err("full").to_string();
    assert_eq!(error, format!("{}: cannot be written: the disk is full", directory.display()));
    assert_eq!(fs::read_dir(room.path()).expect("a directory").count(), 0);
}

#[test]
fn whatever_is_changed_is_found() {
    let (_room, directory) = made("data");
    let path = directory.join("val.jsonl");
    let rows = fs::read_to_string(&path).expect("rows");
    let with = |rows: String| {
        fs::write(&path, rows).expect("written");
        told(&directory)
    };
    let lines: Vec<&str> = rows.lines().collect();
    let id = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["id"].as_str().expect("an id").to_owned();

    // A title in the gold that the text does not say.
    let mut row: Value = serde_json::from_str(lines[2]).expect("JSON");
    let title = row["gold"]["people"][0]["title"].take();
    let other = ["T01", "T02", "T03"].into_iter().find(|code| title != *code).expect("another");
    row["gold"]["people"][0]["title"] = other.into();
    let wrong = with(rows.replace(lines[2], &row.to_string()));
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(wrong[0].starts_with("val.jsonl: the SHA-256 is "), "{wrong:?}");
    let told = format!("val.jsonl: row 3: {}: the text says another graph than the gold (score ", id(lines[2]));
    assert!(wrong[1].starts_with(&told), "{wrong:?}");

    // A sentence less.
    let mut row: Value = serde_json::from_str(lines[0]).expect("JSON");
    let context = row["context"].as_str().expect("a text");
    row["context"] = context[..=context[..context.len() - 1].rfind('.').expect("two sentences")].into();
    let wrong = with(rows.replace(lines[0], &row.to_string()));
    assert!(wrong[1].starts_with(&format!("val.jsonl: row 1: {}: ", id(lines[0]))), "{wrong:?}");

    // Ids are arbitrary, but these are not the generator's.
    let mut row: Value = serde_json::from_str(lines[1]).expect("JSON");
    let first = row["gold"]["people"][0]["id"].as_str().expect("an id").to_owned();
    row = serde_json::from_str(&row.to_string().replace(&first, "zzzzzz")).expect("JSON");
    let wrong = with(rows.replace(lines[1], &row.to_string()));
    let told = format!("val.jsonl: row 2: {}: is not what the generator makes of its index", id(lines[1]));
    assert_eq!(wrong[1], told);

    // A row of another split, a row twice, a row less, a row that is none.
    let train = fs::read_to_string(directory.join("train.jsonl")).expect("rows");
    let stranger = train.lines().next().expect("a row");
    let wrong = with(rows.replace(lines[4], stranger));
    let id_of_stranger = id(stranger);
    let told =
        format!("val.jsonl: row 5: {id_of_stranger}: is about the same as a row of train.jsonl, {id_of_stranger}");
    assert_eq!(wrong[1], told);
    let wrong = with(lines[1..].join("\n"));
    assert_eq!(wrong[1], "val.jsonl: 9 rows; the manifest says 10");
    let wrong = with(rows.replace(lines[9], "{\"id\": 3}"));
    assert_eq!(wrong[1], "val.jsonl: row 10: missing field `gold` at line 1 column 9");
    assert_eq!(with(rows.clone()), [""; 0]);

    fs::remove_file(directory.join("legend.json")).expect("removed");
    assert!(self::told(&directory)[0].starts_with("legend.json: cannot be read: "));
}

#[test]
fn what_is_no_data_set_says_so() {
    let room = tempfile::tempdir().expect("a directory");
    let error = || verify(room.path(), &[JSONL], |_| ()).expect_err("no data set").to_string();
    assert!(error().starts_with("manifest.json cannot be read: "), "{}", error());
    let (_other, directory) = made("data");
    let mut manifest: Value =
        serde_json::from_slice(&fs::read(directory.join(FILE)).expect("a manifest")).expect("JSON");
    manifest["config"]["params"]["people"]["min"] = 50.into();
    fs::write(room.path().join(FILE), manifest.to_string()).expect("written");
    let told = "manifest.json: `config.params`: `people`: min 50 and max 10 make no range; allowed: 1 to 99, min no greater than max";
    assert_eq!(error(), told);
    manifest["config"]["params"]["people"]["least"] = 50.into();
    fs::write(room.path().join(FILE), manifest.to_string()).expect("written");
    assert!(error().contains("`config.params.people.least`: unknown field `least`"), "{}", error());
    manifest["dataset"] = "other".into();
    fs::write(room.path().join(FILE), manifest.to_string()).expect("written");
    assert_eq!(error(), "manifest.json: `dataset`: \"other\"; allowed: org2graph, facts2order");
}
