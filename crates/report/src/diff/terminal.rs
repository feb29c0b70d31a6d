//! The rows as text in two columns of equal width: of equal width on the screen, where letters may take two cells, or none.

use super::rows::{Cell, Row, State};
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What stands for the rest of a text that is cut.
const DOTS: &str = "...";
/// How many letters a cell may hold, marks and joiners included, before a text counts as too long without being measured.
const FAR: usize = 16;

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

/// Draws rows in `width` cells of a terminal (40 at least), coloured or plain. Every line ends with a line break.
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

/// Cut or filled up to a width in cells.
fn fitted(text: &str, width: usize) -> String {
    // No letter has more than a few marks on it: what is far beyond the width need not be measured.
    let far = text.char_indices().nth(FAR * width).map(|(at, _)| at);
    let mut kept = &text[..far.unwrap_or(text.len())];
    if far.is_none() && kept.width() <= width {
        return format!("{kept}{}", " ".repeat(width - kept.width()));
    }
    // Letter by letter first; joined letters may take fewer cells than that, or more, so the whole has the last word.
    let mut cells = 0;
    let past = kept.char_indices().find(|(_, letter)| {
        cells += letter.width().unwrap_or(0);
        cells > width - DOTS.len()
    });
    kept = &kept[..past.map_or(kept.len(), |(at, _)| at)];
    while kept.width() > width - DOTS.len() {
        kept = &kept[..kept.char_indices().next_back().map_or(0, |(at, _)| at)];
    }
    format!("{kept}{DOTS}{}", " ".repeat(width - DOTS.len() - kept.width()))
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

    #[test]
    fn columns_hold_their_width_whatever_the_letters() {
        let texts = [
            "plain",
            "\u{6771}\u{4eac}\u{90fd}\u{6771}\u{4eac}\u{90fd}\u{6771}\u{4eac}\u{90fd}\u{6771}\u{4eac}\u{90fd}",
            "a\u{6771}\u{4eac}\u{90fd}\u{6771}\u{4eac}\u{90fd}\u{6771}\u{4eac}\u{90fd}\u{6771}\u{4eac}\u{90fd}",
            "\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466} family",
            "\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}\u{263a}\u{fe0f}",
            "e\u{301}e\u{301}e\u{301}",
        ];
        for text in texts.map(str::to_owned).into_iter().chain([format!("e{}", "\u{301}".repeat(5_000))]) {
            for width in [18, 19, 20, 21] {
                let fitted = fitted(&text, width);
                assert_eq!(fitted.width(), width, "{fitted:?}");
                assert!(fitted.starts_with(&text.chars().take(1).collect::<String>()), "{fitted:?}");
            }
        }
        assert_eq!(fitted("\u{6771}\u{4eac}\u{90fd}\u{6771}\u{4eac}", 9), "\u{6771}\u{4eac}\u{90fd}...");
        assert_eq!(fitted("\u{6771}\u{4eac}\u{90fd}\u{6771}\u{4eac}", 8), "\u{6771}\u{4eac}... ");
        assert_eq!(fitted("\u{6771}\u{4eac}", 5), "\u{6771}\u{4eac} ");
    }
}
