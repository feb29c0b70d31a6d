//! What the texts show is what the program says: each block that begins with `$ objalign` is run and compared.

use crate::support::{example, with_input};
use std::ffi::OsString;
use std::fs;

/// The commands in the blocks of a text, each with the output that stands below it.
fn shown(text: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (line.strip_prefix("```"), line.strip_prefix("$ ")) {
            (Some(_), _) => inside = !inside,
            (None, Some(command)) if inside => commands.push((command.to_owned(), String::new())),
            (None, None) if inside => {
                if let Some((_, output)) = commands.last_mut() {
                    *output += line;
                    output.push('\n');
                }
            }
            _ => {}
        }
    }
    commands
}

/// Runs a command, which may be a pipe, in the root of the workspace. Two commands in a block have a blank line between them.
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
    let commands = shown(&text).into_iter().filter(|(command, _)| command.starts_with("objalign feedback"));
    let compared: Vec<()> = commands
        .map(|(command, output)| assert_eq!(run(&command).trim_end(), output.trim_end(), "{command}"))
        .collect();
    assert_eq!(compared.len(), 1);
}
