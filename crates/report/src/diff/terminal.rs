//! The rows as text in two columns of equal width.

use super::rows::{Cell, Row, State};
use std::fmt::Write as _;

/// What marks each state between the columns.
fn mark(state: State) -> char {
    match state {
        State::Same => ' ',
        State::Changed => '~',
        State::Missing => '-',
        State::Excess => '+',
        State::Moved => '>',
    }
}

/// The escape codes around a line of that state.
fn colour(state: State) -> &'static str {
    match state {
        State::Same => "",
        State::Changed => "\u{1b}[33m",
        State::Missing => "\u{1b}[31m",
        State::Excess => "\u{1b}[32m",
        State::Moved => "\u{1b}[36m",
    }
}

/// Draws rows in `width` characters (40 at least), coloured or plain. Every line ends with a line break.
pub fn draw(rows: &[Row], width: usize, colours: bool) -> String {
    let column = (width.max(40) - 3) / 2;
    let mut drawn = String::new();
    for row in rows {
        let left = row.gold.as_ref().map(|cell| text(row, cell)).unwrap_or_default();
        let right = row.candidate.as_ref().map(|cell| text(row, cell)).unwrap_or_default();
        let line = format!("{} {} {}", fitted(&left, column), mark(row.state), fitted(&right, column));
        let (on, off) = if colours && row.state != State::Same { (colour(row.state), "\u{1b}[0m") } else { ("", "") };
        let _ = writeln!(drawn, "{on}{}{off}", line.trim_end());
    }
    drawn
}

fn text(row: &Row, cell: &Cell) -> String {
    let indent = "  ".repeat(row.depth);
    let name = if cell.name.is_empty() { String::new() } else { format!("{}: ", cell.name) };
    let moved = match (&row.elsewhere, row.gold.is_some()) {
        (Some(to), true) => format!("   (there at {to})"),
        (Some(from), false) => format!("   (there at {from})"),
        (None, _) => String::new(),
    };
    let plain: String = format!("{name}{}{moved}", cell.value)
        .chars()
        .map(|letter| if letter.is_control() { '\u{fffd}' } else { letter })
        .collect();
    format!("{indent}{plain}")
}

/// Cut or filled up to a width.
fn fitted(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count > width {
        let kept: String = text.chars().take(width - 3).collect();
        return format!("{kept}...");
    }
    format!("{text}{}", " ".repeat(width - count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_columns_show_what_was_paired() {
        let drawn = draw(&super::super::rows::tests::example(), 64, false);
        let title = drawn.lines().find(|line| line.contains("title")).expect("a title");
        assert_eq!(title.split_whitespace().collect::<Vec<_>>().join(" "), r#"title: "Q3 <plan>" ~ title: "Q4""#);
        assert!(
            drawn.lines().any(|line| line.starts_with("    0: \"a\"   (there at 2)") && line.ends_with('>')),
            "{drawn}"
        );
        assert!(drawn.lines().all(|line| line.chars().count() <= 64), "{drawn}");
        let coloured = draw(&super::super::rows::tests::example(), 64, true);
        assert_eq!(coloured.lines().count(), drawn.lines().count());
    }
}
