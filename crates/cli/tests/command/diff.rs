//! `objalign diff`, end to end.

use crate::support::{example, objalign};
use std::fs;

fn call(more: &[&str]) -> crate::support::Call {
    let files = ["invoice.gold.json", "invoice.pred.json"].map(|name| example(name).into_os_string());
    let mut args: Vec<std::ffi::OsString> = vec!["diff".into()];
    args.extend(files);
    args.extend(["--schema".into(), example("invoice.jsonc").into_os_string()]);
    args.extend(more.iter().map(Into::into));
    objalign(args)
}

#[test]
fn two_columns_are_drawn() {
    let call = call(&["--width", "90"]);
    assert_eq!(call.code, 0, "{}", call.err);
    let lines: Vec<&str> = call.text().lines().collect();
    assert!(lines[0].parse::<f64>().is_ok(), "{}", lines[0]);
    let total = lines.iter().find(|line| line.contains("total: 482.5")).expect("the total");
    assert!(total.contains(" ~ ") && total.contains("total: 483.5"), "{total}");
    assert!(!call.text().contains('\u{1b}'));
}

#[test]
fn a_page_is_written() {
    let dir = tempfile::tempdir().expect("a directory");
    let page = dir.path().join("diff.html");
    let call = call(&["--html", page.to_str().expect("UTF-8")]);
    assert_eq!((call.code, call.text()), (0, ""), "{}", call.err);
    let page = fs::read_to_string(page).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("483.5"), "{page}");
}
