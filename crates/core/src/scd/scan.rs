//! One pass over a text: JSON to a [`Document`], strictly or with the conservative repairs.
//!
//! **Contract.** Strict scanning accepts the texts of RFC 8259 within the limits (duplicate keys included: the last wins;
//! half a surrogate pair reads as U+FFFD), and nothing else. Repairs never invent a value: they drop a comma before a closing
//! bracket, close at the end what is open there, finish a literal of which only one ending is possible, and drop a member
//! that has no value yet.
//!
//! **Cost.** Linear in the text; no recursion.

use super::document::{Content, Document, Link, Node, Text, hash, hash_from};
use super::recovery::{Limits, Repair};
use hashbrown::HashTable;

/// How to take what is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Strict,
    /// With repairs.
    Repairing,
    /// With repairs, and without a look at what follows the first value.
    Block,
}

/// Where and why a text cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) at: usize,
    pub(super) why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Expected(&'static str),
    End,
    Rest,
    Escape,
    Control,
    Number,
    Depth,
    LongNumber,
}

/// A scanner's memory, kept from text to text.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    stack: Vec<Frame>,
    /// Members of large objects by (object, key), to find those that come twice.
    members: HashTable<u32>,
}

/// Up to so many members of an object are compared one by one.
const FEW: u32 = 8;

#[derive(Debug, Clone, Copy)]
struct Frame {
    node: u32,
    is_object: bool,
    after: After,
    /// The last member, and how many there are.
    last: u32,
    members: u32,
    /// A bit for each key, by its hash: most keys are seen to be new by it.
    keys: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Opening,
    Value,
    Comma,
}

/// What became of a value that was asked for.
enum Read {
    Done,
    /// The text ended before there was any.
    Nothing,
}

struct Scanner<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    mode: Mode,
    limits: &'a Limits,
    document: &'a mut Document,
    scratch: &'a mut Scratch,
    repairs: &'a mut Vec<Repair>,
    /// Where and why, once a step has come back [`Halted`].
    stopped: Stop,
}

/// The text cannot be read on. Small, since every step may come back with it.
struct Halted;

/// Scans the value that starts at `start`. The document holds it, root first, whatever was there before is gone.
pub(super) fn scan(
    source: &str,
    start: usize,
    mode: Mode,
    limits: &Limits,
    (document, scratch): (&mut Document, &mut Scratch),
    repairs: &mut Vec<Repair>,
) -> Result<(), Stop> {
    document.clear();
    scratch.stack.clear();
    scratch.members.clear();
    let bytes = source.as_bytes();
    let stopped = Stop { at: start, why: Why::End };
    let mut scanner = Scanner { source, bytes, at: start, mode, limits, document, scratch, repairs, stopped };
    if scanner.run().is_err() {
        return Err(scanner.stopped);
    }
    if scanner.document.duplicates > 0 {
        spread_replacement(scanner.document);
    }
    Ok(())
}

/// What hangs below a replaced member is replaced with it.
fn spread_replacement(document: &mut Document) {
    for id in 1..document.nodes.len() {
        let parent = document.nodes[id].parent as usize;
        document.nodes[id].replaced |= document.nodes[parent].replaced;
    }
}

impl Scanner<'_> {
    fn run(&mut self) -> Result<(), Halted> {
        self.skip_space();
        if let Read::Nothing = self.value(0, Link::Root)? {
            return self.stop(Why::End);
        }
        while let Some(&frame) = self.scratch.stack.last() {
            self.skip_space();
            let Some(&byte) = self.bytes.get(self.at) else {
                self.close_all()?;
                break;
            };
            let closer = if frame.is_object { b'}' } else { b']' };
            match (frame.after, byte) {
                (After::Opening | After::Value, _) if byte == closer => self.close(),
                (After::Comma, _) if byte == closer && self.mode != Mode::Strict => {
                    self.repaired(Repair::TrailingComma);
                    self.close();
                }
                (After::Value, b',') => {
                    self.at += 1;
                    self.set(After::Comma);
                    self.skip_space();
                    if frame.is_object && self.bytes.get(self.at) == Some(&b'"') {
                        self.member(frame.node)?;
                    }
                }
                (After::Value, _) => {
                    return self.stop(Why::Expected(if frame.is_object { "a comma or }" } else { "a comma or ]" }));
                }
                (_, b'"') if frame.is_object => self.member(frame.node)?,
                _ if frame.is_object => {
                    return self.stop(Why::Expected(if frame.after == After::Comma {
                        "a key in double quotes"
                    } else {
                        "a key in double quotes or }"
                    }));
                }
                _ => {
                    let index = self.document.nodes[frame.node as usize].children;
                    self.set(After::Value);
                    if let Read::Nothing = self.value(frame.node, Link::Index(index))? {
                        self.close_all()?;
                    }
                }
            }
        }
        if self.mode != Mode::Block {
            self.skip_space();
            if self.at < self.bytes.len() {
                return self.stop(Why::Rest);
            }
        }
        Ok(())
    }

    fn stop<T>(&mut self, why: Why) -> Result<T, Halted> {
        self.stopped = Stop { at: self.at, why };
        Err(Halted)
    }

    fn repaired(&mut self, repair: Repair) {
        if !self.repairs.contains(&repair) {
            self.repairs.push(repair);
        }
    }

    fn set(&mut self, after: After) {
        if let Some(frame) = self.scratch.stack.last_mut() {
            frame.after = after;
        }
    }

    fn close(&mut self) {
        self.at += 1;
        self.scratch.stack.pop();
    }

    /// The end of the text, with containers open.
    fn close_all(&mut self) -> Result<(), Halted> {
        if self.mode == Mode::Strict {
            return self.stop(Why::End);
        }
        if self.scratch.stack.last().is_some_and(|frame| frame.after == After::Comma) {
            self.repaired(Repair::TrailingComma);
        }
        self.repaired(Repair::ClosedBrackets);
        self.scratch.stack.clear();
        Ok(())
    }

    fn skip_space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// A key, its colon and its value.
    fn member(&mut self, object: u32) -> Result<(), Halted> {
        let (key, whole) = self.string()?;
        if whole {
            self.skip_space();
            match self.bytes.get(self.at) {
                Some(b':') => {
                    self.at += 1;
                    self.skip_space();
                    self.set(After::Value);
                    if let Read::Done = self.value(object, Link::Key(key))? {
                        return Ok(());
                    }
                }
                Some(_) => return self.stop(Why::Expected("a colon")),
                None => {}
            }
        }
        // The text ended within the key, or before its value began.
        if self.mode == Mode::Strict {
            return self.stop(Why::End);
        }
        self.repaired(Repair::DroppedKey);
        self.close_all()
    }

    fn value(&mut self, parent: u32, link: Link) -> Result<Read, Halted> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return if self.mode == Mode::Strict { self.stop(Why::End) } else { Ok(Read::Nothing) };
        };
        let content = match byte {
            b'"' => Content::String(self.string()?.0),
            b'{' | b'[' => {
                if self.scratch.stack.len() >= self.limits.depth {
                    return self.stop(Why::Depth);
                }
                self.at += 1;
                self.push(parent, link, if byte == b'{' { Content::Object } else { Content::Array });
                let node = self.document.nodes.len() as u32 - 1;
                let frame =
                    Frame { node, is_object: byte == b'{', after: After::Opening, last: 0, members: 0, keys: 0 };
                self.scratch.stack.push(frame);
                return Ok(Read::Done);
            }
            b'-' | b'0'..=b'9' => match self.number()? {
                Some(text) => Content::Number(text),
                None => return Ok(Read::Nothing),
            },
            b't' => self.literal("true", Content::Boolean(true))?,
            b'f' => self.literal("false", Content::Boolean(false))?,
            b'n' => self.literal("null", Content::Null)?,
            _ => return self.stop(Why::Expected("a value")),
        };
        self.push(parent, link, content);
        Ok(Read::Done)
    }

    fn push(&mut self, parent: u32, link: Link, content: Content) {
        let id = self.document.nodes.len() as u32;
        if let Some(parent) = self.document.nodes.get_mut(parent as usize) {
            parent.children += 1;
        }
        let (mut before, mut key_hash) = (id, 0);
        if let Link::Key(key) = link {
            key_hash = hash(self.document.bytes(self.source, key));
            before = self.note_member(id, parent, key, key_hash);
        }
        let node = Node { parent, link, hash: key_hash, before, content, children: 0, replaced: false };
        self.document.nodes.push(node);
    }

    /// Remembers a member, and replaces an earlier one of the same key. Gives the member before it.
    fn note_member(&mut self, id: u32, object: u32, key: Text, hash: u64) -> u32 {
        let Self { source, document, scratch, .. } = self;
        let Scratch { members, stack } = &mut **scratch;
        let Some(frame) = stack.last_mut() else { return id };
        let text = document.bytes(source, key);
        let is_same = |member: u32| {
            let node = &document.nodes[member as usize];
            let of = |link: Link| if let Link::Key(key) = link { document.bytes(source, key) } else { &[] };
            node.hash == hash && node.parent == object && of(node.link) == text
        };
        let before = if frame.members == 0 { id } else { frame.last };
        let (mut earlier, mut at) = (None, before);
        let sign = 1 << (hash >> 58);
        let may_be_known = frame.keys & sign != 0;
        frame.keys |= sign;
        if may_be_known && frame.members <= FEW {
            for _ in 0..frame.members {
                // One that was replaced already has the later one, of the same key, behind it.
                if earlier.is_none() && is_same(at) {
                    earlier = Some(at);
                }
                at = document.nodes[at as usize].before;
            }
        }
        if frame.members >= FEW {
            let hash_of = |&member: &u32| hash_from(object_of(document, member), document.nodes[member as usize].hash);
            if frame.members == FEW {
                let mut at = before;
                for _ in 0..FEW {
                    if !document.nodes[at as usize].replaced {
                        members.insert_unique(hash_of(&at), at, hash_of);
                    }
                    at = document.nodes[at as usize].before;
                }
            }
            let place = hash_from(object, hash);
            match members.find_mut(place, |&member| is_same(member)) {
                Some(known) => earlier = Some(std::mem::replace(known, id)),
                None => {
                    members.insert_unique(place, id, hash_of);
                }
            }
        }
        frame.members += 1;
        frame.last = id;
        if let Some(earlier) = earlier {
            document.nodes[earlier as usize].replaced = true;
            document.nodes[object as usize].children -= 1;
            document.duplicates += 1;
        }
        before
    }

    fn literal(&mut self, word: &'static str, content: Content) -> Result<Content, Halted> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(content);
        }
        if self.mode != Mode::Strict && word.as_bytes().starts_with(rest) {
            self.at = self.bytes.len();
            self.repaired(Repair::FinishedLiteral);
            return Ok(content);
        }
        self.stop(Why::Expected("a value"))
    }

    /// A number; `None` if the text ends before it is one.
    fn number(&mut self) -> Result<Option<Text>, Halted> {
        let rest = &self.bytes[self.at..];
        let goes_on = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let reach = rest.iter().position(|byte| !goes_on(byte));
        let len = reach.unwrap_or(rest.len());
        if len > self.limits.number {
            return self.stop(Why::LongNumber);
        }
        let start = self.at;
        let good = number_prefix(&rest[..len]);
        let cut = reach.is_none() && self.mode != Mode::Strict && !self.scratch.stack.is_empty();
        if good.end < len && !(cut && good.may_go_on) {
            return self.stop(Why::Number);
        }
        self.at += len;
        if cut {
            self.repaired(Repair::CutNumber);
        }
        let text = Text { start: start as u32, end: (start + good.end) as u32, written_out: false };
        Ok((good.end > 0).then_some(text))
    }

    /// A string; whether its closing quote was there.
    fn string(&mut self) -> Result<(Text, bool), Halted> {
        self.at += 1;
        let start = self.at;
        self.at += plain(&self.bytes[start..]);
        let within = |end: usize| Text { start: start as u32, end: end as u32, written_out: false };
        match self.bytes.get(self.at) {
            Some(b'"') => {
                self.at += 1;
                return Ok((within(self.at - 1), true));
            }
            None => return self.unclosed(within(self.at)),
            Some(b'\\') => {}
            Some(_) => return self.stop(Why::Control),
        }
        let begin = self.document.decoded.len();
        self.document.decoded.push_str(&self.source[start..self.at]);
        loop {
            let written = |document: &Document| Text {
                start: begin as u32,
                end: document.decoded.len() as u32,
                written_out: true,
            };
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok((written(self.document), true));
                }
                None => return self.unclosed(written(self.document)),
                Some(b'\\') => {
                    if !self.escape()? {
                        // The text ends within an escape: what it would have been is unknown.
                        self.at = self.bytes.len();
                        return self.unclosed(written(self.document));
                    }
                }
                Some(byte) if *byte < 0x20 => return self.stop(Why::Control),
                Some(_) => {
                    let from = self.at;
                    self.at += plain(&self.bytes[from..]);
                    self.document.decoded.push_str(&self.source[from..self.at]);
                }
            }
        }
    }

    fn unclosed(&mut self, text: Text) -> Result<(Text, bool), Halted> {
        if self.mode == Mode::Strict || self.scratch.stack.is_empty() {
            return self.stop(Why::End);
        }
        self.repaired(Repair::ClosedString);
        Ok((text, false))
    }

    /// Decodes an escape; whether all of it was there.
    fn escape(&mut self) -> Result<bool, Halted> {
        let Some(&letter) = self.bytes.get(self.at + 1) else { return Ok(false) };
        let decoded = match letter {
            b'"' | b'\\' | b'/' => letter as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(),
            _ => return self.stop(Why::Escape),
        };
        self.document.decoded.push(decoded);
        self.at += 2;
        Ok(true)
    }

    fn unicode_escape(&mut self) -> Result<bool, Halted> {
        let Some(unit) = self.code_unit(self.at)? else { return Ok(false) };
        self.at += 6;
        let mut letter = char::from_u32(unit);
        if (0xd800..0xdc00).contains(&unit) && self.bytes[self.at..].starts_with(b"\\u") {
            match self.code_unit(self.at)? {
                None => return Ok(false),
                Some(low) if (0xdc00..0xe000).contains(&low) => {
                    self.at += 6;
                    letter = char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
                }
                Some(_) => {}
            }
        }
        if letter.is_none() {
            self.repaired(Repair::LoneSurrogate);
        }
        self.document.decoded.push(letter.unwrap_or(char::REPLACEMENT_CHARACTER));
        Ok(true)
    }

    /// The number in a `\u` escape at `at`; `None` if the text ends within it.
    fn code_unit(&mut self, at: usize) -> Result<Option<u32>, Halted> {
        let mut unit = 0;
        for place in at + 2..at + 6 {
            let Some(&byte) = self.bytes.get(place) else { return Ok(None) };
            let Some(digit) = (byte as char).to_digit(16) else {
                self.at = place;
                return self.stop(Why::Escape);
            };
            unit = unit * 16 + digit;
        }
        Ok(Some(unit))
    }
}

fn object_of(document: &Document, member: u32) -> u32 {
    document.nodes[member as usize].parent
}

/// How many bytes there are before the first quote, backslash or control character: eight at a time.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    // The lowest byte that is marked is one that counts; those above it may be marked by a borrow.
    let less = |word: u64, than: u64| word.wrapping_sub(ONES * than) & !word & HIGH;
    let (chunks, rest) = bytes.as_chunks();
    let mut at = 0;
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk);
        let marks =
            less(word, 0x20) | less(word ^ (ONES * u64::from(b'"')), 1) | less(word ^ (ONES * u64::from(b'\\')), 1);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let is_plain = |byte: &&u8| **byte != b'"' && **byte != b'\\' && **byte >= 0x20;
    at + rest.iter().take_while(is_plain).count()
}

/// How much of a text is a JSON number, and whether more digits could make all of it one.
struct NumberPrefix {
    end: usize,
    may_go_on: bool,
}

fn number_prefix(text: &[u8]) -> NumberPrefix {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(text.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 {
        return NumberPrefix { end: 0, may_go_on: at == text.len() };
    }
    at += if text[at] == b'0' { 1 } else { whole };
    let mut end = at;
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return NumberPrefix { end, may_go_on: at + 1 == text.len() };
        }
        at += 1 + fraction;
        end = at;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits((at + 1 + sign).min(text.len()));
        if exponent == 0 {
            return NumberPrefix { end, may_go_on: at + 1 + sign == text.len() };
        }
        end = at + 1 + sign + exponent;
    }
    NumberPrefix { end, may_go_on: end == text.len() }
}
