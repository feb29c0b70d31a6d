//! The match tree as an indented text, for a person at a terminal.

use crate::align::{Alignment, MatchKind, MatchRef};
use crate::pointer;
use anstyle::{AnsiColor, Style};
use serde_json::Value;
use std::fmt::Write as _;

/// The styles of a drawn match tree.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    good: Style,
    partial: Style,
    bad: Style,
    quiet: Style,
}

impl Palette {
    /// No styles at all.
    pub fn plain() -> Self {
        Self { good: Style::new(), partial: Style::new(), bad: Style::new(), quiet: Style::new() }
    }

    /// The sixteen colours every terminal has.
    pub fn colour() -> Self {
        Self {
            good: AnsiColor::Green.on_default(),
            partial: AnsiColor::Yellow.on_default(),
            bad: AnsiColor::Red.on_default(),
            quiet: Style::new().dimmed(),
        }
    }
}

/// Values longer than this are shortened in the middle.
const LONGEST: usize = 48;

impl Alignment<'_> {
    /// The match tree as a text of one line per node, ending with a newline: the score, what it is the score of, and for
    /// what is not perfect the two values. Equal subtrees take one line.
    pub fn draw(&self, palette: Palette) -> String {
        let mut text = String::new();
        draw(&mut text, self.root(), palette, 0);
        text
    }
}

fn draw(text: &mut String, node: MatchRef<'_>, palette: Palette, depth: usize) {
    let style = match node.score() {
        1.0 => palette.good,
        0.0 => palette.bad,
        _ => palette.partial,
    };
    let quiet = palette.quiet;
    let _ = write!(text, "{style}{}{style:#} {:indent$}", score(node.score()), "", indent = 2 * depth);
    let name = match node.name() {
        None => "(root)".to_owned(),
        Some((key, true)) => escape(&key),
        Some((index, false)) => format!("[{index}]"),
    };
    let _ = match node.kind() {
        MatchKind::Missing => write!(text, "{style}- {name}{style:#}"),
        MatchKind::Excess => write!(text, "{style}+ {name}{style:#}"),
        _ => write!(text, "{name}"),
    };
    if let Some(other) = node.renamed() {
        let _ = write!(text, " {quiet}~ {}{quiet:#}", escape(&other));
    }
    let shown = |value: Option<Value>| value.map_or(String::new(), |value| shorten(&value.to_string()));
    let _ = match node.kind() {
        MatchKind::Sequence | MatchKind::Map => Ok(()),
        MatchKind::Missing => write!(text, "  {}  {quiet}missing{quiet:#}", shown(node.gold_value())),
        MatchKind::Excess => write!(text, "  {}  {quiet}excess{quiet:#}", shown(node.candidate_value())),
        MatchKind::Identifier => {
            write!(text, "  {quiet}{} = {}{quiet:#}", shown(node.gold_value()), shown(node.candidate_value()))
        }
        _ if node.score() == 1.0 && node.gold_value() == node.candidate_value() => {
            write!(text, "  {quiet}{}{quiet:#}", shown(node.gold_value()))
        }
        _ => write!(
            text,
            "  {} {quiet}->{quiet:#} {style}{}{style:#}",
            shown(node.gold_value()),
            shown(node.candidate_value())
        ),
    };
    if let Some(confidence) = node.confidence() {
        let _ = write!(text, "  {quiet}confidence {confidence:.3}{quiet:#}");
    }
    text.push('\n');
    // What agrees in full is not spelled out, unless there is something to say about how sure the pairing was.
    let agrees = node.score() == 1.0 && node.gold_value() == node.candidate_value();
    if agrees && node.children_confidence().is_none() {
        return;
    }
    for child in node.children() {
        draw(text, child, palette, depth + 1);
    }
}

/// Three decimals, and never a rounded 1 or 0 for what is not.
fn score(score: f64) -> String {
    let text = format!("{score:.3}");
    match text.as_str() {
        "1.000" if score < 1.0 => "0.999".to_owned(),
        "0.000" if score > 0.0 => "0.001".to_owned(),
        _ => text,
    }
}

/// A key as it can be shown: control characters escaped, odd ones quoted.
fn escape(key: &str) -> String {
    if !key.is_empty() && key.chars().all(|character| character.is_alphanumeric() || "_-.$@/ ".contains(character)) {
        key.to_owned()
    } else {
        Value::from(key).to_string()
    }
}

fn shorten(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST {
        return text.to_owned();
    }
    let half = (LONGEST - 3) / 2;
    let head: String = text.chars().take(half + 1).collect();
    let tail: String = text.chars().skip(length - half).collect();
    format!("{head}...{tail}")
}

impl std::fmt::Debug for MatchRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MatchRef")
            .field("kind", &self.kind())
            .field("gold", &self.gold_path().as_deref().map(pointer::shown))
            .field("candidate", &self.candidate_path().as_deref().map(pointer::shown))
            .field("score", &self.score())
            .finish_non_exhaustive()
    }
}
