//! `objalign reproduce` and `objalign sweep`, end to end, on studies that are small enough for a debug build.

use crate::support::objalign;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const SMALL: &str = "
[invariance]
golds = 5
copies = 2
shuffled = 1
symmetric = 1
[sensitivity]
golds = 6
doses = [0, 1, 3]
[order]
golds = 12
[bootstrap]
resamples = 200
";

fn run(command: &[&str], config: &Path, out: &Path) -> crate::support::Call {
    let mut words: Vec<&str> = command.to_vec();
    let (config, out) = (config.to_str().expect("a path"), out.to_str().expect("a path"));
    if command[0] == "reproduce" {
        words.push("--config");
    }
    words.extend([config, "--out", out]);
    objalign(words)
}

/// What is in a folder, without what tells the time and what is only kept for the next run.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(place) = open.pop() {
        for entry in fs::read_dir(&place).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("inside").to_str().expect("a name").to_owned();
            if path.is_dir() {
                if name != "work" {
                    open.push(path);
                }
            } else if name == "report.html" {
                let text = fs::read_to_string(&path).expect("a page");
                let (before, rest) = text.split_once("<!-- seconds").expect("the seconds are marked");
                let (_, after) = rest.split_once("<!-- end of seconds -->").expect("to their end");
                found.insert(name, [before, after].concat().into_bytes());
            } else if name != "seconds.md" {
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

/// Runs a study on one thread, and elsewhere on two; what is in its folder, which is the same.
fn twice(study: &str, config: &Path, out: &Path) -> BTreeMap<String, Vec<u8>> {
    let first = run(&["reproduce", study, "--threads", "1"], config, out);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.text().ends_with(&format!("look at {}\n", out.join("report.html").display())), "{}", first.text());
    let other = out.with_extension("again");
    assert_eq!(run(&["reproduce", study, "--threads", "2"], config, &other).code, 0);
    let (found, again) = (contents(out), contents(&other));
    assert_eq!(found.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>());
    for (name, bytes) in &found {
        assert!(bytes == &again[name], "{name} differs");
    }
    for name in ["summary.json", "report.html", "config.toml"] {
        assert!(found.contains_key(name), "{name}: {:?}", found.keys());
    }
    found
}

/// Figures on any machine are those that were looked at. Where they have to change, the new file takes the place of the old one.
fn same_text(found: &BTreeMap<String, Vec<u8>>, name: &str, expected: &str) {
    let text = String::from_utf8(found[name].clone()).expect("text");
    assert_eq!(text, expected, "{name}");
}

/// The page of a study, which needs nothing but itself.
fn page(found: &BTreeMap<String, Vec<u8>>) -> String {
    let page = String::from_utf8(found["report.html"].clone()).expect("text");
    assert!(!page.contains("<script") && !page.contains("src=\"http") && page.contains("prefers-color-scheme: dark"));
    page
}

#[test]
fn a_study_has_the_same_bytes_again_and_does_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("small.toml");
    fs::write(&config, SMALL).expect("written");
    let one = folder.path().join("one");
    let found = twice("intrinsic", &config, &one);
    for name in ["figures/degradation.svg", "figures/order.png", "tables/published.tex"] {
        assert!(found.contains_key(name), "{name}: {:?}", found.keys());
    }
    same_text(&found, "tables/published.csv", include_str!("reduced/published.csv"));
    let page = page(&found);
    assert!(page.contains("perfect copies score exactly 1"), "{}", &page[..2000]);

    let second = run(&["reproduce", "intrinsic"], &config, &one);
    assert_eq!(second.err.matches("nothing has changed: not done again").count(), 5, "{}", second.err);
    // Other resamples need no new pairs and no new scores; a file that is gone is made again, and nothing else.
    fs::write(&config, SMALL.replace("resamples = 200", "resamples = 300")).expect("written");
    let third = run(&["reproduce", "intrinsic"], &config, &one);
    assert_eq!(third.err.matches("nothing has changed").count(), 3, "{}", third.err);
    fs::remove_file(one.join("work/scores/orders.parquet")).expect("removed");
    let fourth = run(&["reproduce", "intrinsic"], &config, &one);
    assert!(fourth.err.contains("unchanged, not done again: copies, shuffled, symmetric, edits)"), "{}", fourth.err);
    assert_eq!(fourth.err.matches("nothing has changed").count(), 4, "{}", fourth.err);
}

#[test]
fn a_key_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("wrong.toml");
    let told = |text: &str| {
        fs::write(&config, text).expect("written");
        let call = run(&["reproduce", "intrinsic"], &config, &folder.path().join("out"));
        assert_eq!(call.code, 2, "{}", call.err);
        call.err
    };
    let unknown = told("[sensitivity]\ngold = 3\n");
    assert!(
        unknown.contains("wrong.toml: `sensitivity.gold`: unknown field `gold`, expected one of `golds`, `operators`"),
        "{unknown}"
    );
    let nonsense = told("[bootstrap]\nresamples = 5\n");
    assert!(nonsense.ends_with("wrong.toml: `bootstrap.resamples`: 5; allowed: 100 to 1000000\n"), "{nonsense}");
    let operator = told("[sensitivity]\noperators = [\"arson\"]\n");
    assert!(operator.contains("no operator \"arson\""), "{operator}");
    let broken = told("seed = \n");
    assert!(broken.contains("line 1"), "{broken}");
}

const SMALL_SCD: &str = "
[json]
core = 4
depth = 2
count = 2
cues = 2
names = 2
[table]
core = 3
rows = 2
count = 0
[metrology]
tasks = 2
doses = [0, 2]
[cross]
tasks = 2
[bootstrap]
resamples = 200
";

#[test]
fn the_study_of_completions_has_the_same_bytes_again_and_does_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("small.toml");
    fs::write(&config, SMALL_SCD).expect("written");
    let one = folder.path().join("one");
    let found = twice("scd", &config, &one);
    for name in [
        "figures/scissors.svg",
        "figures/scissors_published_json.png",
        "figures/selectivity.svg",
        "figures/ablations.png",
        "tables/identities.tex",
        "tables/selectivity_table.csv",
    ] {
        assert!(found.contains_key(name), "{name}: {:?}", found.keys());
    }
    same_text(&found, "tables/levels_json.csv", include_str!("reduced/levels_json.csv"));
    let page = page(&found);
    assert!(page.contains("cases every count is that of the closed form;"), "{}", &page[..3000]);

    let second = run(&["reproduce", "scd"], &config, &one);
    assert_eq!(second.err.matches("nothing has changed: not done again").count(), 5, "{}", second.err);
    // Another model has tasks that are there; what one model said and the next is apart.
    let model = "[[model]]\nname = \"steady\"\nmisstep = 0.01\nforget = 0.01\nstray = 0.01\nfault = 0.01
[[model]]\nname = \"new\"\nmisstep = 0.5\nforget = 0.0\nstray = 0.0\nfault = 0.0\n";
    fs::write(&config, format!("{SMALL_SCD}{model}")).expect("written");
    let third = run(&["reproduce", "scd"], &config, &one);
    assert_eq!(third.err.matches("nothing has changed").count(), 1, "{}", third.err);
    assert!(third.err.contains("unchanged, not done again: steady json, steady table)"), "{}", third.err);
    assert!(third.err.contains("unchanged, not done again: metrology, cross)"), "{}", third.err);

    // What `scd --summary` says of a real model stands beside the simulated ones.
    let tasks = one.join("work/tasks/json-core.jsonl");
    let completions = one.join("work/completions/new/json-core.jsonl");
    let summary = folder.path().join("real.json");
    let paths = [&tasks, &completions, &summary].map(|path| path.to_str().expect("a path"));
    let call = objalign(["scd", "--tasks", paths[0], "--completions", paths[1], "--summary", paths[2]]);
    assert_eq!(call.code, 0, "{}", call.err);
    let results = format!("[[results]]\nname = \"real\"\ndomain = \"json\"\nsummary = '{}'\n", summary.display());
    fs::write(&config, format!("{SMALL_SCD}{model}{results}")).expect("written");
    assert_eq!(run(&["reproduce", "scd"], &config, &one).code, 0);
    let levels = fs::read_to_string(one.join("tables/levels_json.csv")).expect("a table");
    let vpa = |model: &str| {
        let row = levels.lines().find(|line| line.starts_with(&format!("\"{model}, L\"")))?;
        Some(row.split('"').nth(5)?.split(' ').next()?.to_owned())
    };
    assert!(vpa("real").is_some() && vpa("real") == vpa("new"), "{levels}");
}

#[test]
fn a_key_that_the_study_of_completions_has_not_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("wrong.toml");
    let told = |text: &str| {
        fs::write(&config, text).expect("written");
        let call = run(&["reproduce", "scd"], &config, &folder.path().join("out"));
        assert_eq!((call.code, call.err.lines().count()), (2, 1), "{}", call.err);
        call.err
    };
    let unknown = told("[table]\ncores = 3\n");
    assert!(unknown.contains("wrong.toml: `table.cores`: unknown field `cores`, expected one of `core`"), "{unknown}");
    let missing = told("[[results]]\nname = \"real\"\ndomain = \"json\"\nsummary = \"nowhere.json\"\n");
    assert!(missing.contains("nowhere.json: "), "{missing}");
    let other = format!("[[results]]\nname = \"real\"\ndomain = \"json\"\nsummary = '{}'\n", config.display());
    assert!(told(&other).contains("wrong.toml: this is no summary of `objalign scd --summary`: "));
}

#[test]
fn a_sweep_tabulates_a_grid() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("twins.toml");
    let ablation = "
[ablation]
caption = \"Twins.\"
figures = [\"invariance.ra.mean\", \"sensitivity.plain.auroc\"]
published = true
[ablation.grid]
\"graphs.twins\" = [{ min = 0.0, max = 0.0 }, { min = 1.0, max = 1.0 }]
";
    fs::write(&config, format!("{}{ablation}", SMALL.replace("golds = 12", "golds = 3"))).expect("written");
    let out = folder.path().join("out");
    let call = run(&["sweep"], &config, &out);
    assert_eq!(call.code, 0, "{}", call.err);
    let table = fs::read_to_string(out.join("ablation.csv")).expect("a table");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    assert_eq!(lines[0], "graphs.twins,invariance.ra.mean,sensitivity.plain.auroc");
    assert!(
        lines[1].starts_with("0.0,\"1.000 [1.000, 1.000]\",") && lines[2].starts_with("1.0,\"1.000 [1.000, 1.000]\","),
        "{table}"
    );
    assert!(fs::read_to_string(out.join("coverage.md")).expect("a table").contains("AUROC: plain"));
    let again = run(&["sweep"], &config, &out);
    assert_eq!(again.err.matches("not run again").count(), 2, "{}", again.err);
}
