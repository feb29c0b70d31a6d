//! What the texts show is what the program says: each block that begins with `$ objalign` is run and compared.

use crate::support::{example, with_input};
use std::ffi::OsString;
use std::fs;

/// The blocks of a text that begin with a command: the command, and the output that stands below it.
fn shown(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("```").skip(1).step_by(2);
    let commands = blocks.filter_map(|block| {
        let (_, lines) = block.split_once('\n')?;
        let (command, output) = lines.strip_prefix("$ ")?.split_once('\n')?;
        Some((command.to_owned(), output.to_owned()))
    });
    commands.collect()
}

/// Runs a command, which may be a pipe, in the root of the workspace.
fn run(command: &str) -> String {
    let mut input = Vec::new();
    for part in command.split(" | ") {
        let mut words = part.split_whitespace();
        assert_eq!(words.next(), Some("objalign"), "{command}");
        let args = words.map(|word| match word.strip_prefix("examples/") {
            Some(name) => example(name).into_os_string(),
            None => OsString::from(word),
        });
        let call = with_input(args, &input);
        assert_eq!(call.code, 0, "{command}: {}", call.err);
        input = call.out;
    }
    String::from_utf8(input).expect("UTF-8")
}

#[test]
fn the_walk_through_of_an_organisation_is_what_the_program_says() {
    let text = fs::read_to_string(example("org_chart/README.md")).expect("the text");
    let commands = shown(&text);
    assert_eq!(commands.len(), 5);
    for (command, output) in commands {
        assert_eq!(run(&command).trim_end(), output.trim_end(), "{command}");
    }
}

#[test]
fn the_fixes_in_the_first_text_are_what_the_program_says() {
    let text = fs::read_to_string(example("../README.md")).expect("the text");
    let mut commands = shown(&text);
    commands.retain(|(command, _)| command.starts_with("objalign feedback"));
    assert_eq!(commands.len(), 1);
    for (command, output) in commands {
        assert_eq!(run(&command).trim_end(), output.trim_end(), "{command}");
    }
}
