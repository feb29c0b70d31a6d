//! Runs the built binary, as a shell would.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a call came to.
pub(crate) struct Call {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Call {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("UTF-8")
    }

    /// The output as JSON, line by line.
    pub(crate) fn rows(&self) -> Vec<serde_json::Value> {
        rows(self.text())
    }
}

pub(crate) fn rows(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

pub(crate) fn objalign<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Call {
    with_input(args, b"")
}

pub(crate) fn with_input<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>, input: &[u8]) -> Call {
    let mut child = Command::new(env!("CARGO_BIN_EXE_objalign"))
        .args(args)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("piped");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A call that is wrong ends without reading.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the binary ends")
    });
    Call {
        code: output.status.code().expect("an exit code"),
        out: output.stdout,
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A file of the workspace's `examples`.
pub(crate) fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Rows of four records each, without a schema.
pub(crate) fn generated_rows(count: u64) -> String {
    use objalign_gen::records::{Damage, candidate, gold};
    let rows = (0..count).map(|index| {
        let gold = gold(1, index, 4);
        let pred = candidate(&gold, 1, index, Damage::TYPICAL);
        serde_json::json!({"id": index, "gold": gold, "pred": pred})
    });
    rows.fold(String::new(), |text, row| text + &row.to_string() + "\n")
}
