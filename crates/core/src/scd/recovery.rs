//! What a completion says: the first of three readings that works (*Where vs What*, appendix B).
//!
//! | level | what is read | what may be wrong with it |
//! |---|---|---|
//! | [`Level::Strict`] | the whole text | nothing |
//! | [`Level::Repaired`] | the whole text | fences around it, a byte-order mark, commas before a closing bracket, a cut end |
//! | [`Level::Extracted`] | from the first `{` to the bracket that closes it, or to the end | the same, and anything before and after |
//!
//! A reading works if it gives a JSON object. Single quotes, comments, `NaN`, bare keys, missing commas in the middle are not
//! repaired: what they mean is a guess. A completion is hostile input: depth, length and numbers are limited, and every
//! reading is one pass over the text, so that no text costs more than three.
#![doc = "\n"]
#![doc = include_str!("recovery.md")]

use super::document::{Content, Document};
use super::scan::{Mode, Scratch, Stop, Why, scan};
use crate::MAX_DEPTH;
use std::cell::RefCell;
use std::fmt;

/// How a completion was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It is JSON as it stands.
    Strict,
    /// With conservative repairs.
    Repaired,
    /// The first object in it, with conservative repairs.
    Extracted,
}

impl Level {
    /// A stable name for programs, in `snake_case`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Repaired => "repaired",
            Self::Extracted => "extracted",
        }
    }
}

/// Something that a reading had to mend or to pass over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Repair {
    /// A byte-order mark was taken off.
    ByteOrderMark,
    /// A Markdown fence was taken off.
    Fence,
    /// A comma before a closing bracket, or at the end, was dropped.
    TrailingComma,
    /// Brackets that were open at the end were closed.
    ClosedBrackets,
    /// A string that was open at the end was closed.
    ClosedString,
    /// A key without a value, at the end, was dropped.
    DroppedKey,
    /// A number stands at the very end: digits of it may be lost.
    CutNumber,
    /// `tru`, at the end, was read as `true`, and so on.
    FinishedLiteral,
    /// Half a surrogate pair was read as U+FFFD. Strict JSON may hold one.
    LoneSurrogate,
    /// Text before or after the object was passed over.
    Surroundings,
}

impl Repair {
    /// A stable name for programs, in `snake_case`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "byte_order_mark",
            Self::Fence => "fence",
            Self::TrailingComma => "trailing_comma",
            Self::ClosedBrackets => "closed_brackets",
            Self::ClosedString => "closed_string",
            Self::DroppedKey => "dropped_key",
            Self::CutNumber => "cut_number",
            Self::FinishedLiteral => "finished_literal",
            Self::LoneSurrogate => "lone_surrogate",
            Self::Surroundings => "surroundings",
        }
    }
}

/// Bounds on what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest completion, in bytes; 16 MiB by default, and never more than 4 GiB.
    pub bytes: usize,
    /// How deep objects and arrays may nest; [`MAX_DEPTH`] by default.
    pub depth: usize,
    /// The longest number, in bytes; 1,024 by default.
    pub number: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 16 << 20, depth: MAX_DEPTH, number: 1024 }
    }
}

/// Why a completion cannot be read: what stopped the reading that came nearest to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Where, in bytes from the start of the completion.
    pub at: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.reason)
    }
}

impl std::error::Error for Refusal {}

/// A completion that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// Which reading worked.
    pub level: Level,
    /// What it had to mend, in the order in which it was met.
    pub repairs: Vec<Repair>,
    /// How many members were replaced by a later one of the same key.
    pub duplicate_keys: usize,
    /// The object.
    pub value: serde_json::Value,
}

/// A reading, and the document that it left in the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) level: Level,
    pub(super) repairs: Vec<Repair>,
}

/// Reads completions; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) document: Document,
    scratch: Scratch,
}

thread_local! {
    static READER: RefCell<Reader> = RefCell::default();
}

/// Lends this thread's reader.
pub(super) fn with_reader<T>(use_it: impl FnOnce(&mut Reader) -> T) -> T {
    READER.with(|reader| match reader.try_borrow_mut() {
        Ok(mut reader) => use_it(&mut reader),
        // Lent out already, further up the stack.
        Err(_) => use_it(&mut Reader::default()),
    })
}

/// Reads a completion.
///
/// ```
/// use objalign_core::scd::{Level, Limits, Repair, recover};
///
/// let read = recover("Sure!\n```json\n{\"a\": [1, 2,], \"b\": \"cut o", &Limits::default())?;
/// assert_eq!(read.level, Level::Extracted);
/// assert_eq!(read.value, serde_json::json!({"a": [1, 2], "b": "cut o"}));
/// assert!(read.repairs.contains(&Repair::ClosedString));
/// # Ok::<(), objalign_core::scd::Refusal>(())
/// ```
///
/// # Errors
///
/// None of the three readings gives an object.
pub fn recover(completion: &str, limits: &Limits) -> Result<Recovered, Refusal> {
    with_reader(|reader| {
        let Reading { level, repairs } = reader.read(completion, limits)?;
        let duplicate_keys = reader.document.duplicates as usize;
        Ok(Recovered { level, repairs, duplicate_keys, value: build(&reader.document, completion) })
    })
}

impl Reader {
    /// Reads a completion; the document is that of the reading that worked.
    pub(super) fn read(&mut self, completion: &str, limits: &Limits) -> Result<Reading, Refusal> {
        if completion.len() > limits.bytes.min(u32::MAX as usize) {
            let reason = format!("longer than {} bytes", limits.bytes.min(u32::MAX as usize));
            return Err(Refusal { at: 0, reason });
        }
        let mut repairs = Vec::new();
        let whole = self.object(completion, 0, Mode::Strict, limits, &mut repairs);
        if whole.is_ok() {
            return Ok(Reading { level: Level::Strict, repairs });
        }
        repairs.clear();
        let inner = unwrap(completion, &mut repairs);
        let mended = self.object(&completion[..inner.end], inner.start, Mode::Repairing, limits, &mut repairs);
        let Err(mended) = mended else { return Ok(Reading { level: Level::Repaired, repairs }) };
        let Some(start) = completion.find('{') else { return Err(mended.refusal(completion)) };
        repairs.clear();
        repairs.push(Repair::Surroundings);
        // A fence may close what is cut off within it.
        let end = if inner.end > start { inner.end } else { completion.len() };
        match self.object(&completion[..end], start, Mode::Block, limits, &mut repairs) {
            Ok(()) => Ok(Reading { level: Level::Extracted, repairs }),
            Err(stop) => Err(stop.refusal(completion)),
        }
    }

    fn object(
        &mut self,
        source: &str,
        start: usize,
        mode: Mode,
        limits: &Limits,
        repairs: &mut Vec<Repair>,
    ) -> Result<(), Stop> {
        scan(source, start, mode, limits, (&mut self.document, &mut self.scratch), repairs)?;
        match self.document.nodes.first() {
            Some(root) if root.content == Content::Object => Ok(()),
            _ => Err(Stop { at: start, why: Why::Expected("an object") }),
        }
    }
}

/// The text without a byte-order mark, the space around it, and a fence.
fn unwrap(text: &str, repairs: &mut Vec<Repair>) -> std::ops::Range<usize> {
    let mut start = 0;
    if text.starts_with('\u{feff}') {
        repairs.push(Repair::ByteOrderMark);
        start = '\u{feff}'.len_utf8();
    }
    let space = |letter: char| matches!(letter, ' ' | '\n' | '\t' | '\r');
    let mut end = start + text[start..].trim_end_matches(space).len();
    start = end - text[start..end].trim_start_matches(space).len();
    if let Some(opened) = text[start..end].strip_prefix("```") {
        repairs.push(Repair::Fence);
        let tag = opened.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || "+-_.".contains(letter));
        start = end - tag.len();
        // With nothing between them the two fences may be one.
        if let Some(closed) = text[start..end].strip_suffix("```") {
            end = start + closed.len();
        }
    }
    start..end
}

impl Stop {
    fn refusal(self, text: &str) -> Refusal {
        let found = || match text[self.at.min(text.len())..].chars().next() {
            Some(letter) => format!("{letter:?}"),
            None => "the end".to_owned(),
        };
        let reason = match self.why {
            Why::Expected(what) => format!("{what} must stand here, not {}", found()),
            Why::End => "the text ends before the value does".to_owned(),
            Why::Rest => format!("nothing may follow the value, but there is {}", found()),
            Why::Escape => "no escape of JSON".to_owned(),
            Why::Control => "a control character in a string must be escaped".to_owned(),
            Why::Number => "no number of JSON".to_owned(),
            Why::Depth => "nested too deep".to_owned(),
            Why::LongNumber => "a number with too many digits".to_owned(),
        };
        Refusal { at: self.at, reason }
    }
}

/// The document as a value. Children come after their parents, so it is built from the back.
fn build(document: &Document, source: &str) -> serde_json::Value {
    use super::document::Link;
    use serde_json::Value;
    let mut open: Vec<Vec<(Link, Value)>> = Vec::new();
    open.resize_with(document.nodes.len(), Vec::new);
    for (id, node) in document.nodes.iter().enumerate().rev() {
        if node.replaced {
            continue;
        }
        let parts = std::mem::take(&mut open[id]);
        let value = match node.content {
            Content::Array => parts.into_iter().rev().map(|(_, value)| value).collect(),
            Content::Object => parts
                .into_iter()
                .rev()
                .filter_map(|(link, value)| match link {
                    Link::Key(key) => Some((document.text(source, key).to_owned(), value)),
                    Link::Root | Link::Index(_) => None,
                })
                .collect::<serde_json::Map<_, _>>()
                .into(),
            _ => document.value(source, id),
        };
        match node.link {
            Link::Root => return value,
            link => open[node.parent as usize].push((link, value)),
        }
    }
    Value::Null
}
