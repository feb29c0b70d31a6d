//! Faults of the text of a completion, each with the recovery level that it must get (*Where vs What*, appendix B).
//!
//! | fault | level | what is left |
//! |---|---|---|
//! | `fence`, `fence_without_tag` | repaired | everything |
//! | `byte_order_mark` | repaired | everything |
//! | `trailing_comma` | repaired | everything |
//! | `unclosed` | repaired | everything: only closing brackets are missing |
//! | `truncation` | repaired | what stands before the cut |
//! | `prose_before`, `prose_after`, `fence_in_prose` | extracted | everything |
//! | `comment_after` | extracted | everything |
//! | `extra_bracket` | extracted | everything |
//! | `single_quotes`, `typographic_quotes` | refused | nothing: `FmtOK` is 0 |
//! | `bare_keys`, `missing_comma`, `comments` | refused | nothing: `FmtOK` is 0 |
//!
//! The levels hold for a text that is strict JSON, an object with a member or more. In tables the level is that of the map of rows: a row
//! that is cut off may be none any more. What brackets, commas and quotes mean is found with regard to strings; linear in the text.

use crate::streams::below;
use objalign_core::scd::Level;
use rand::Rng;

/// One kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A Markdown fence with a tag around it.
    Fence,
    /// A Markdown fence without a tag around it.
    FenceWithoutTag,
    /// A byte-order mark before it.
    ByteOrderMark,
    /// A comma before a closing bracket.
    TrailingComma,
    /// The last closing brackets are missing: one or more.
    Unclosed,
    /// The end is missing: everything after the first bracket may be.
    Truncation,
    /// A sentence before it.
    ProseBefore,
    /// A sentence after it.
    ProseAfter,
    /// A fence, and a sentence before and after.
    FenceInProse,
    /// A comment after it.
    CommentAfter,
    /// A closing bracket too many.
    ExtraBracket,
    /// Single quotes for double ones.
    SingleQuotes,
    /// Curly quotes for straight ones.
    TypographicQuotes,
    /// A key without quotes.
    BareKeys,
    /// No comma between two members.
    MissingComma,
    /// A comment between members.
    Comments,
}

const BEFORE: [&str; 3] =
    ["Here is the object you asked for:", "Sure, this should fit the schema.", "The completed answer:"];
const AFTER: [&str; 3] =
    ["Let me know if anything should change.", "All values are at their paths.", "I hope this helps!"];
const COMMENTS: [&str; 3] = ["as requested", "see the schema", "value taken from the list"];

impl Fault {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 16] = [
        Self::Fence,
        Self::FenceWithoutTag,
        Self::ByteOrderMark,
        Self::TrailingComma,
        Self::Unclosed,
        Self::Truncation,
        Self::ProseBefore,
        Self::ProseAfter,
        Self::FenceInProse,
        Self::CommentAfter,
        Self::ExtraBracket,
        Self::SingleQuotes,
        Self::TypographicQuotes,
        Self::BareKeys,
        Self::MissingComma,
        Self::Comments,
    ];

    /// A stable name for programs, in `snake_case`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fence => "fence",
            Self::FenceWithoutTag => "fence_without_tag",
            Self::ByteOrderMark => "byte_order_mark",
            Self::TrailingComma => "trailing_comma",
            Self::Unclosed => "unclosed",
            Self::Truncation => "truncation",
            Self::ProseBefore => "prose_before",
            Self::ProseAfter => "prose_after",
            Self::FenceInProse => "fence_in_prose",
            Self::CommentAfter => "comment_after",
            Self::ExtraBracket => "extra_bracket",
            Self::SingleQuotes => "single_quotes",
            Self::TypographicQuotes => "typographic_quotes",
            Self::BareKeys => "bare_keys",
            Self::MissingComma => "missing_comma",
            Self::Comments => "comments",
        }
    }

    /// The level at which the text must be read; `None`: it must be refused.
    pub const fn level(self) -> Option<Level> {
        match self {
            Self::Fence
            | Self::FenceWithoutTag
            | Self::ByteOrderMark
            | Self::TrailingComma
            | Self::Unclosed
            | Self::Truncation => Some(Level::Repaired),
            Self::ProseBefore | Self::ProseAfter | Self::FenceInProse | Self::CommentAfter | Self::ExtraBracket => {
                Some(Level::Extracted)
            }
            Self::SingleQuotes | Self::TypographicQuotes | Self::BareKeys | Self::MissingComma | Self::Comments => None,
        }
    }

    /// Whether everything that the text says is there after recovery.
    pub const fn keeps_content(self) -> bool {
        self.level().is_some() && !matches!(self, Self::Truncation)
    }

    /// The text with the fault in it, at a place that is drawn where there is a choice. `text` is an object with a member or more.
    pub fn apply(self, text: &str, random: &mut dyn Rng) -> String {
        let mut pick = |lines: &[&'static str]| lines[below(random, lines.len())];
        match self {
            Self::Fence => format!("```json\n{text}\n```"),
            Self::FenceWithoutTag => format!("```\n{text}\n```"),
            Self::ByteOrderMark => format!("\u{feff}{text}"),
            Self::ProseBefore => format!("{}\n\n{text}", pick(&BEFORE)),
            Self::ProseAfter => format!("{text}\n\n{}", pick(&AFTER)),
            Self::FenceInProse => format!("{}\n\n```json\n{text}\n```\n\n{}", pick(&BEFORE), pick(&AFTER)),
            Self::CommentAfter => format!("{text} // {}", pick(&COMMENTS)),
            Self::ExtraBracket => format!("{}}}", text.trim_end()),
            Self::SingleQuotes => quotes(text, "'", "'"),
            Self::TypographicQuotes => quotes(text, "\u{201c}", "\u{201d}"),
            Self::TrailingComma => {
                let marks = marks(text);
                let closers = marks.iter().filter(|mark| {
                    // Of nothing there is no last one.
                    matches!(mark.byte, b'}' | b']') && !text[..mark.at].trim_end().ends_with(['{', '['])
                });
                let closers: Vec<usize> = closers.map(|mark| mark.at).collect();
                insert(text, drawn(&closers, random), ",")
            }
            Self::Unclosed => {
                let bare = text.trim_end();
                let kept =
                    bare.trim_end_matches(|letter: char| matches!(letter, '}' | ']') || letter.is_ascii_whitespace());
                let cuts: Vec<usize> = (kept.len()..bare.len()).collect();
                text[..drawn(&cuts, random).unwrap_or(bare.len())].to_owned()
            }
            Self::Truncation => {
                let first = text.find('{').map_or(0, |at| at + 1);
                let cuts: Vec<usize> = (first..text.trim_end().len()).filter(|&at| text.is_char_boundary(at)).collect();
                text[..drawn(&cuts, random).unwrap_or(text.len())].to_owned()
            }
            Self::BareKeys => {
                let marks = marks(text);
                let keys = marks.windows(3).filter(|marks| {
                    let [open, close, colon] = marks else { return false };
                    // A key that is no name would stay no name.
                    let name = &text[open.at + 1..close.at];
                    (open.byte, close.byte, colon.byte) == (b'"', b'"', b':') && !name.contains(['"', '\\'])
                });
                let keys: Vec<(usize, usize)> = keys.map(|marks| (marks[0].at, marks[1].at)).collect();
                match drawn(&keys, random) {
                    Some((open, close)) => format!("{}{}{}", &text[..open], &text[open + 1..close], &text[close + 1..]),
                    None => text.to_owned(),
                }
            }
            Self::MissingComma => {
                let marks = marks(text);
                let of =
                    |byte: u8| marks.iter().filter(|mark| mark.byte == byte).map(|mark| mark.at).collect::<Vec<_>>();
                // With one member there is only a colon to lose.
                let at = drawn(&of(b','), random).or_else(|| drawn(&of(b':'), random));
                match at {
                    Some(at) => format!("{} {}", &text[..at], &text[at + 1..]),
                    None => text.to_owned(),
                }
            }
            Self::Comments => {
                let marks = marks(text);
                let places: Vec<usize> =
                    marks.iter().filter(|mark| matches!(mark.byte, b',' | b'{')).map(|mark| mark.at + 1).collect();
                let at = drawn(&places, random);
                let comment = COMMENTS[below(random, COMMENTS.len())];
                insert(text, at, &format!(" /* {comment} */ "))
            }
        }
    }
}

fn drawn<T: Copy>(from: &[T], random: &mut dyn Rng) -> Option<T> {
    if from.is_empty() { None } else { Some(from[below(random, from.len())]) }
}

fn insert(text: &str, at: Option<usize>, what: &str) -> String {
    match at {
        Some(at) => format!("{}{what}{}", &text[..at], &text[at..]),
        None => text.to_owned(),
    }
}

/// A byte that means something: a bracket, a comma, a colon, or a quote that opens or closes a string.
struct Mark {
    at: usize,
    byte: u8,
}

fn marks(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            if byte == b'"' && !escaped {
                in_string = false;
                marks.push(Mark { at, byte });
            }
            escaped = byte == b'\\' && !escaped;
        } else if matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"') {
            in_string = byte == b'"';
            marks.push(Mark { at, byte });
        }
    }
    marks
}

fn quotes(text: &str, opening: &str, closing: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut from, mut opens) = (0, true);
    for mark in marks(text).iter().filter(|mark| mark.byte == b'"') {
        out.push_str(&text[from..mark.at]);
        out.push_str(if opens { opening } else { closing });
        (from, opens) = (mark.at + 1, !opens);
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;
    use objalign_core::scd::{Limits, recover};
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    #[test]
    fn each_fault_is_read_at_its_level() {
        let texts = [
            json!({"a": 1}).to_string(),
            json!({"T1": "<tr><td colspan=\"2\">{x}, [y]: 'z'</td></tr>", "T2": "<tr><td>\\</td></tr>"}).to_string(),
            format!("{:#}", json!({"root": {"list": [[], {}, [1.5, "ä"]], "odd \"key\"": {"b": true}}, "c": null})),
        ];
        for text in &texts {
            let whole: Value = serde_json::from_str(text).expect("JSON");
            for fault in Fault::ALL {
                for index in 0..60 {
                    let faulty = fault.apply(text, &mut stream(1, index, fault.name()));
                    assert_ne!(faulty, *text, "{}", fault.name());
                    let read = recover(&faulty, &Limits::default());
                    assert_eq!(read.as_ref().ok().map(|read| read.level), fault.level(), "{}: {faulty}", fault.name());
                    if fault.keeps_content() {
                        assert_eq!(read.expect("read").value, whole, "{}: {faulty}", fault.name());
                    }
                }
            }
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            "[a-c{}\\[\\],:\"'\\\\/ é]{0,6}".prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            Just(Value::Null),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec(("[a-c\"{,]{0,3}", inner), 0..4)
                    .prop_map(|members| Value::from(members.into_iter().collect::<Map<_, _>>())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_levels_hold_for_any_object(value in value(), index in 0_u64..1000) {
            let whole = json!({"a": value});
            for text in [whole.to_string(), format!("{whole:#}")] {
                for fault in Fault::ALL {
                    let faulty = fault.apply(&text, &mut stream(1, index, fault.name()));
                    let read = recover(&faulty, &Limits::default());
                    prop_assert_eq!(read.as_ref().ok().map(|read| read.level), fault.level(), "{}: {}", fault.name(), faulty);
                    if fault.keeps_content() {
                        prop_assert_eq!(&read.expect("read").value, &whole, "{}: {}", fault.name(), faulty);
                    }
                }
            }
        }
    }
}
