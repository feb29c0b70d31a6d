//! `objalign score --pairs`, end to end.

use crate::support::{example, generated_rows, objalign, rows, with_input};
use polars::prelude::{DataFrame, ParquetReader, SerReader};
use serde_json::json;
use std::fs;

const GOOD: &str =
    r#"{"id": "a", "gold": ["x", "y"], "pred": ["x"], "schema": {"type": "array", "items": {"score": "exact"}}}"#;

fn names(frame: &DataFrame) -> Vec<&str> {
    frame.get_column_names().into_iter().map(polars::prelude::PlSmallStr::as_str).collect()
}

fn strings(values: &[&str]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

#[test]
fn the_examples_are_scored() {
    let call = objalign([&"score".into(), &"--pairs".into(), &example("pairs.jsonl")]);
    assert_eq!(call.code, 0, "{}", call.err);
    let found = call.rows();
    assert_eq!(found.len(), 14);
    let of = |id: &str| found.iter().find(|row| row["id"] == id).expect("a row")["score"].as_f64();
    assert_eq!(of("shuffled-tags"), Some(1.0));
    assert_eq!(of("shuffled-steps"), Some(0.6));
    assert_eq!(of("invalid-missing-field"), Some(0.0));
    assert!(call.err.starts_with("14 rows: 14 scored (1 invalid, so 0), 0 failed; mean "), "{}", call.err);
    assert_eq!(call.err.lines().count(), 1);
}

#[test]
fn renumbered_records_score_1() {
    let call = objalign([&"score".into(), &"--pairs".into(), &example("pairs.jsonl")]);
    for row in call.rows() {
        if row["id"] == "renumbered-ids" || row["id"] == "renumbered-ring-of-twins" {
            assert_eq!(row["score"], json!(1.0), "{row}");
        }
    }
}

#[test]
fn the_schemas_of_other_tools_are_scored_as_they_are() {
    let sets = [
        ("pydantic/invoice.pairs.jsonl", "pydantic/invoice.schema.json", 12),
        ("pydantic/ticket.pairs.jsonl", "pydantic/ticket.schema.json", 14),
        ("pydantic/itinerary.pairs.jsonl", "pydantic/itinerary.schema.json", 11),
        ("pydantic/filetree.pairs.jsonl", "pydantic/filetree.schema.json", 10),
        ("pydantic/trial.pairs.jsonl", "pydantic/trial.schema.json", 12),
        ("openai/minutes.pairs.jsonl", "openai/minutes.schema.json", 3),
        ("zod/listing.pairs.jsonl", "zod/listing.schema.json", 3),
        ("zod/listing.pairs.jsonl", "zod/listing.zod4.schema.json", 3),
    ];
    for (pairs, schema, count) in sets {
        let call =
            objalign([&"score".into(), &"--pairs".into(), &example(pairs), &"--schema".into(), &example(schema)]);
        assert_eq!(call.code, 0, "{pairs}: {}", call.err);
        let found = call.rows();
        assert_eq!(found.len(), count, "{pairs}");
        for row in found {
            let invalid = row["id"].as_str().expect("an id").starts_with("invalid-");
            let warned =
                row["warnings"].as_array().expect("a list").iter().any(|told| told["kind"] == "invalid_candidate");
            assert_eq!(invalid, warned, "{pairs}: {row}");
        }
    }
}

#[test]
fn a_row_that_fails_has_its_error_in_place() {
    let input = [
        GOOD.as_bytes(),
        br#"{"id": 7, "gold": 1, "pred": 1}"#,
        b"",
        br#"{"id": "c", "gold": 1, "#,
        b"{\"id\": \"\xff\"}",
        br#"{"id": "d", "pred": 1, "schema": {}}"#,
        br#"{"id": "e", "gold": 1, "schema": {}}"#,
        br#"["f"]"#,
        br#"{"id": "g", "gold": 1, "pred": 1, "schema": {"type": "strin", "score": "best"}}"#,
        br#"{"id": "h", "gold": 1, "pred": "1", "schema": {"type": "string"}}"#,
        br#"{"id": true, "gold": 1, "pred": 1, "schema": {}}"#,
        GOOD.as_bytes(),
    ]
    .join(&b'\n');
    let call = with_input(["score", "--pairs", "-"], &input);
    assert_eq!(call.code, 1);
    let found = call.rows();
    let errors: Vec<_> =
        found.iter().map(|row| (row["id"].to_string(), row["error"].as_str().unwrap_or("-"))).collect();
    let expected = [
        (r#""a""#, "-"),
        ("7", "line 2: the row has no \"schema\", and the run has none for all rows"),
        ("null", "line 4: EOF while parsing a value, at column 22"),
        ("null", "line 5: not UTF-8, at column 9"),
        (r#""d""#, "line 6: the row has no \"gold\""),
        (r#""e""#, "line 7: the row has no \"pred\""),
        ("null", "line 8: a row is a JSON object, not a list"),
        (r#""g""#, "?"),
        (r#""h""#, "line 10: gold (root): 1 is not of type \"string\""),
        ("null", "line 11: \"id\" must be a string or an integer, not a boolean"),
        (r#""a""#, "-"),
    ];
    assert_eq!(errors.len(), expected.len());
    for (found, expected) in errors.iter().zip(expected) {
        if expected.1 == "?" {
            assert!(found.1.starts_with("line 9: schema /"), "{found:?}");
        } else {
            assert_eq!((found.0.as_str(), found.1), expected);
        }
    }
    assert!(found.iter().all(|row| row["score"].is_null() == row["error"].is_string()));
    assert!(call.err.starts_with("11 rows: 2 scored, 9 failed; mean 0.5000; "), "{}", call.err);
}

#[test]
fn a_line_has_its_fields_in_order() {
    let call = with_input(["score", "--pairs", "-"], GOOD.as_bytes());
    assert_eq!(call.text(), "{\"id\":\"a\",\"score\":0.5,\"warnings\":[],\"error\":null}\n");
    let call = with_input(["score", "--pairs", "-", "--explain", "--confidence", "margin"], GOOD.as_bytes());
    let keys: Vec<String> = call.rows()[0].as_object().expect("an object").keys().cloned().collect();
    assert_eq!(keys, ["id", "score", "warnings", "error", "confidence", "explain"]);
    assert_eq!(call.rows()[0]["explain"]["children"][1]["kind"], json!("missing"));
}

#[test]
fn nesting_of_ten_thousand_levels_is_an_error_of_its_row() {
    let deep =
        format!(r#"{{"id": 1, "gold": {}{}, "pred": 1, "schema": {{}}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    let call = with_input(["score", "--pairs", "-"], format!("{deep}\n{GOOD}\n").as_bytes());
    assert_eq!(call.code, 1);
    assert_eq!(call.rows()[0]["error"], json!("line 1: nested deeper than 127 levels, at column 145"));
    assert_eq!(call.rows()[1]["score"], json!(0.5));
}

#[test]
fn the_deepest_allowed_row_is_scored() {
    let value = format!("{}{}", "[".repeat(126), "]".repeat(126));
    let row = format!(r#"{{"id": 1, "gold": {value}, "pred": {value}, "schema": {{}}}}"#);
    for threads in ["1", "8"] {
        let call = with_input(["score", "--pairs", "-", "--threads", threads], row.as_bytes());
        assert_eq!(call.code, 0, "{}", call.text());
        assert_eq!(call.rows()[0]["score"], json!(1.0));
    }
}

#[test]
fn thread_count_does_not_show() {
    let directory = tempfile::tempdir().expect("a directory");
    let (pairs, schema) = (directory.path().join("pairs.jsonl"), directory.path().join("schema.json"));
    let mut text = generated_rows(2000);
    text.insert_str(text.find('\n').expect("a line") + 1, "not JSON\n");
    fs::write(&pairs, &text).expect("written");
    fs::write(&schema, objalign_gen::records::schema().to_string()).expect("written");
    for extension in ["jsonl", "csv", "parquet"] {
        let outputs = ["1", "8"].map(|threads| {
            let out = directory.path().join(format!("{threads}.{extension}"));
            let call = objalign([
                "score".as_ref(),
                "--pairs".as_ref(),
                pairs.as_os_str(),
                "--schema".as_ref(),
                schema.as_os_str(),
                "--out".as_ref(),
                out.as_os_str(),
                "--threads".as_ref(),
                threads.as_ref(),
            ]);
            assert_eq!((call.code, call.out.len()), (1, 0), "{}", call.err);
            (fs::read(out).expect("the output"), call.err)
        });
        assert!(outputs[0] == outputs[1], "{extension}");
    }
    let found = rows(&fs::read_to_string(directory.path().join("8.jsonl")).expect("the output"));
    assert_eq!(found.len(), 2001);
    assert_eq!((&found[0]["id"], &found[1]["id"], &found[2000]["id"]), (&json!(0), &json!(null), &json!(1999)));
}

#[test]
fn tables_hold_what_json_lines_hold() {
    let directory = tempfile::tempdir().expect("a directory");
    let input = [
        GOOD,
        r#"{"id": 12345678901234567890, "gold": {"k, \"q\"": "v"}, "pred": {"k, \"q\"": "v"}, "schema": {"type": "object"}}"#,
        "broken",
        r#"{"id": "né", "gold": 0.1, "pred": 0.3, "schema": {"type": "number"}}"#,
    ]
    .join("\n");
    let out = |name: &str| directory.path().join(name).into_os_string();
    let flags = ["score", "--pairs", "-", "--confidence", "entropy", "--explain", "--out"];
    for name in ["t.jsonl", "t.csv", "t.parquet"] {
        let args = flags.iter().map(Into::into).chain([out(name)]);
        assert_eq!(with_input(args, input.as_bytes()).code, 1);
    }
    let lines = rows(&fs::read_to_string(out("t.jsonl")).expect("the output"));

    let frame = ParquetReader::new(fs::File::open(out("t.parquet")).expect("the output")).finish().expect("Parquet");
    assert_eq!(names(&frame), ["id", "score", "warnings", "error", "confidence", "explain"]);
    let text =
        |name: &str, at: usize| frame.column(name).expect("a column").str().expect("text").get(at).map(str::to_owned);
    let number = |name: &str, at: usize| frame.column(name).expect("a column").f64().expect("numbers").get(at);
    assert_eq!(frame.height(), 4);
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(number("score", at).map(f64::to_bits), line["score"].as_f64().map(f64::to_bits));
        assert_eq!(number("confidence", at), line["confidence"].as_f64());
        assert_eq!(text("error", at).as_deref(), line["error"].as_str());
        let explain = text("explain", at).map_or(json!(null), |text| serde_json::from_str(&text).expect("JSON"));
        assert_eq!(explain, line["explain"]);
    }
    assert_eq!(text("id", 1).as_deref(), Some("12345678901234567890"));
    assert_eq!(text("id", 2), None);
    let warning = r#"gold /k, "q": the schema does not declare this key; compared by the defaults of its type"#;
    assert_eq!(text("warnings", 1).as_deref(), Some(warning));

    let csv = fs::read_to_string(out("t.csv")).expect("the output");
    let csv: Vec<&str> = csv.lines().collect();
    assert_eq!(csv[0], "id,score,warnings,error,confidence,explain");
    assert!(csv[1].starts_with("a,0.5,,,"), "{}", csv[1]);
    assert!(
        csv[2].starts_with(&format!("12345678901234567890,1.0,\"{}\",,", warning.replace('"', "\"\""))),
        "{}",
        csv[2]
    );
    assert_eq!(csv[3], ",,,\"line 3: expected value, at column 1\",,");
    let score = csv[4].split(',').nth(1).expect("a score").parse::<f64>().expect("a number");
    assert_eq!(Some(score), lines[3]["score"].as_f64());
}

#[test]
fn the_format_flag_wins_over_the_extension() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().join("t.jsonl");
    let args = ["score", "--pairs", "-", "--format", "csv", "--out"].map(Into::into).into_iter();
    let call = with_input(args.chain([out.clone().into_os_string()]), GOOD.as_bytes());
    assert_eq!((call.code, call.text()), (0, ""));
    assert_eq!(fs::read_to_string(&out).expect("the output"), "id,score,warnings,error\na,0.5,,\n");
    let names: Vec<_> = fs::read_dir(directory.path()).expect("a directory").collect();
    assert_eq!(names.len(), 1, "nothing is left beside the output: {names:?}");
}

#[test]
fn parquet_may_go_to_a_pipe() {
    let call = with_input(["score", "--pairs", "-", "--format", "parquet"], GOOD.as_bytes());
    assert_eq!(call.code, 0, "{}", call.err);
    assert!(call.out.starts_with(b"PAR1") && call.out.ends_with(b"PAR1"));
}

#[test]
fn no_rows_make_an_empty_file_of_each_format() {
    for format in ["jsonl", "csv", "parquet"] {
        let call = with_input(["score", "--pairs", "-", "--format", format], b"\n  \n");
        assert_eq!((call.code, call.err.as_str()), (0, "0 rows: 0 scored, 0 failed\n"));
        match format {
            "jsonl" => assert_eq!(call.text(), ""),
            "csv" => assert_eq!(call.text(), "id,score,warnings,error\n"),
            _ => {
                let frame = ParquetReader::new(std::io::Cursor::new(call.out)).finish().expect("Parquet");
                assert_eq!((frame.height(), names(&frame)), (0, vec!["id", "score", "warnings", "error"]));
            }
        }
    }
}

#[test]
fn invalid_candidates_can_be_scored_for_what_they_are_worth() {
    let row = r#"{"id": 1, "gold": {"a": "x", "b": "y"}, "pred": {"a": "x"}, "schema": {"type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]}}"#
        .replace('\n', "");
    let score = |flag: &str| {
        let call = with_input(["score", "--pairs", "-", "--invalid", flag], row.as_bytes());
        assert_eq!(call.code, 0);
        let row = call.rows().remove(0);
        assert_eq!(row["warnings"][0]["kind"], json!("invalid_candidate"));
        row["score"].as_f64().expect("a score")
    };
    assert_eq!((score("zero"), score("score")), (0.0, 0.5));
}

#[test]
fn the_search_for_bijections_takes_its_options() {
    // A ring of six alike records and its copy: attributes alone do not tell which is which.
    let ring = |names: [&str; 6]| {
        let nodes = names.map(|name| json!({"id": name}));
        let links: Vec<_> = (0..6).map(|at| json!({"from": names[at], "to": names[(at + 1) % 6]})).collect();
        json!({"nodes": nodes, "links": links})
    };
    let schema = json!({"type": "object", "properties": {
        "nodes": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "id": {"type": "string", "idScope": "node"}}}},
        "links": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
            "from": {"type": "string", "ref": "node"}, "to": {"type": "string", "ref": "node"}}}}}});
    let gold = ring(["a", "b", "c", "d", "e", "f"]);
    let mut pred = ring(["3", "1", "6", "2", "5", "4"]);
    pred["nodes"].as_array_mut().expect("a list").sort_by_key(ToString::to_string);
    let row = json!({"id": 1, "gold": gold, "pred": pred, "schema": schema}).to_string();
    let score = |flags: &[&str]| {
        let call = with_input(["score", "--pairs", "-"].iter().chain(flags), row.as_bytes());
        assert_eq!(call.code, 0, "{}", call.err);
        call.rows()[0]["score"].as_f64().expect("a score")
    };
    assert_eq!(score(&[]), 1.0);
    assert_eq!(score(&["--structure", "tie_break", "--budget", "100000"]), 1.0);
    assert_eq!(score(&["--structure", "blend=0.5"]), 1.0);
    assert!((0.0..=1.0).contains(&score(&["--structure", "none"])));
}

#[test]
fn a_row_of_its_own_schema_wins_over_the_schema_of_the_run() {
    let directory = tempfile::tempdir().expect("a directory");
    let schema = directory.path().join("s.jsonc");
    fs::write(&schema, "// all rows\n{\"type\": \"string\", \"score\": \"exact\", \"keyScore\": \"jaro\",}")
        .expect("written");
    let input = "\u{feff}{\"id\": 1, \"gold\": \"abcd\", \"pred\": \"abce\"}\r\n\
        {\"id\": 2, \"gold\": \"abcd\", \"pred\": \"abce\", \"schema\": {\"score\": \"levenshtein\", \"type\": \"string\"}}\r\n";
    let args = ["score", "--pairs", "-", "--schema"].map(Into::into).into_iter();
    let call = with_input(args.chain([schema.clone().into_os_string()]), input.as_bytes());
    assert_eq!(call.code, 0, "{}", call.err);
    let scores: Vec<_> = call.rows().iter().map(|row| row["score"].as_f64()).collect();
    assert_eq!(scores, [Some(0.0), Some(0.75)]);
    // What is wrong with the run's schema is said once, not in every row.
    assert_eq!(call.rows()[0]["warnings"], json!([]));
    let warning = format!("warning: {}: schema /keyScore: ignored: ", schema.display());
    assert!(call.err.starts_with(&warning), "{}", call.err);
}

#[test]
fn a_wrong_call_exits_with_2_and_says_what_is_allowed() {
    let pairs = example("pairs.jsonl").into_os_string().into_string().expect("UTF-8");
    let cases: [(&[&str], &str); 12] = [
        (&["score"], "required arguments were not provided"),
        (&["score", "gold.json"], "required arguments were not provided"),
        (&["score", "g.json", "p.json"], "--schema <FILE>"),
        (&["score", "--pairs", &pairs, "--format", "xls"], "[possible values: jsonl, csv, parquet]"),
        (&["score", "--pairs", &pairs, "--invalid", "no"], "[possible values: zero, score]"),
        (&["score", "--pairs", &pairs, "--confidence", "no"], "[possible values: margin, entropy]"),
        (&["score", "--pairs", &pairs, "--structure", "some"], "allowed: tie_break, none, blend=SHARE"),
        (&["score", "--pairs", &pairs, "--structure", "blend=2"], "the share must be a number from 0 to 1"),
        (&["score", "--pairs", &pairs, "--budget", "many"], "invalid value 'many' for '--budget <N>'"),
        (&["score", "--pairs", &pairs, "--threads", "0"], "0 is not in 1..=512"),
        (&["score", "--pairs", &pairs, "a.json", "b.json"], "cannot be used with"),
        (&["scor"], "unrecognized subcommand"),
    ];
    for (args, says) in cases {
        let call = objalign(strings(args));
        assert_eq!((call.code, call.text()), (2, ""), "{args:?}");
        assert!(call.err.contains(says), "{args:?}: {}", call.err);
    }
}

#[cfg(unix)]
#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let pairs = example("pairs.jsonl").into_os_string().into_string().expect("UTF-8");
    let gone = "No such file or directory (os error 2)\n";
    let cases: [(&[&str], String); 4] = [
        (&["score", "--pairs", "none.jsonl"], format!("error: none.jsonl: cannot be read: {gone}")),
        (&["score", "--pairs", &pairs, "--schema", "none.json"], format!("error: none.json: cannot be read: {gone}")),
        (&["score", "--pairs", "/"], "error: /: cannot be read after line 0: Is a directory (os error 21)\n".into()),
        (&["check", "none.json"], format!("error: none.json: cannot be read: {gone}")),
    ];
    for (args, expected) in cases {
        let call = objalign(strings(args));
        assert_eq!((call.code, call.text(), call.err.as_str()), (2, "", expected.as_str()), "{args:?}");
    }
    let call = objalign(["score", "--pairs", &pairs, "--out", "/none/x.csv"]);
    assert_eq!(call.code, 2);
    assert!(call.err.starts_with("error: /none/x.csv: cannot be written: No such file"), "{}", call.err);
}

#[test]
fn every_mistake_of_a_schema_has_a_line() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("s.json");
    fs::write(&path, r#"{"type": "array", "order": "shuffled", "items": {"type": "string", "threshold": 2}}"#)
        .expect("written");
    let name = path.display();
    let pairs = example("pairs.jsonl");
    let call =
        objalign(["score".as_ref(), "--pairs".as_ref(), pairs.as_os_str(), "--schema".as_ref(), path.as_os_str()]);
    assert_eq!((call.code, call.text()), (2, ""));
    let lines: Vec<&str> = call.err.lines().collect();
    assert_eq!(lines.len(), 2, "{}", call.err);
    assert!(lines[0].starts_with(&format!("{name}: /items/threshold: threshold must be ")), "{}", lines[0]);
    assert_eq!(lines[1], format!("{name}: /order: order must be fixed or align, not \"shuffled\""));
    let check = objalign(["check".as_ref(), path.as_os_str()]);
    assert_eq!((check.code, check.err), (1, call.err));
}

#[cfg(unix)]
#[test]
fn an_existing_output_is_replaced_only_when_the_run_is_through() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let directory = tempfile::tempdir().expect("a directory");
    let (real, link) = (directory.path().join("real.jsonl"), directory.path().join("link.jsonl"));
    fs::write(&real, "old").expect("written");
    symlink(&real, &link).expect("linked");
    let args = |pairs: &str| {
        let flags = ["score", "--pairs", pairs, "--out"].map(Into::into).into_iter();
        flags.chain([link.clone().into_os_string()])
    };
    assert_eq!(objalign(args("/")).code, 2);
    assert_eq!(fs::read_to_string(&real).expect("still there"), "old");
    assert_eq!(with_input(args("-"), GOOD.as_bytes()).code, 0);
    assert!(fs::read_to_string(&real).expect("replaced").starts_with("{\"id\":\"a\""));
    assert!(fs::symlink_metadata(&link).expect("still there").is_symlink());
    assert_ne!(
        fs::metadata(&real).expect("there").permissions().mode() & 0o044,
        0,
        "others may read it, as any new file"
    );
    // Not a file to be replaced.
    let flags = ["score", "--pairs", "-", "--out", "/dev/null"];
    assert_eq!(with_input(flags, GOOD.as_bytes()).code, 0);
    assert!(!fs::metadata("/dev/null").expect("still there").is_file());
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_failure() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let directory = tempfile::tempdir().expect("a directory");
    let pairs = directory.path().join("pairs.jsonl");
    fs::write(&pairs, format!("{GOOD}\n").repeat(5_000)).expect("written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_objalign"))
        .args(["score", "--explain", "--pairs"])
        .arg(&pairs)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut first = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut first).expect("a line");
    let output = child.wait_with_output().expect("it ends");
    assert!(first.starts_with("{\"id\":\"a\""));
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let call = with_input(["score", "--pairs", "-", "--out", "/dev/full"], GOOD.as_bytes());
    assert_eq!(call.code, 2);
    assert_eq!(call.err, "error: /dev/full: cannot be written: No space left on device (os error 28)\n");
}
