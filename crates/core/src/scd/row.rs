//! Rows of HTML tables, read by the standard's own algorithm (`html5ever`, in the context of a table body).
//!
//! What counts of a row is its sequence of cells: tag, spans, and text with entities decoded and white space collapsed.
//! Linear in the text. The standard's algorithm alone is not: an end tag may look through all open elements, and formatting elements that
//! were not closed are opened again in every paragraph. So the text is fed in pieces, and given up once its tree is deeper than any row
//! that is meant, or has more nodes than the text has bytes.

use html5ever::interface::tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, local_name, ns, parse_fragment};
use std::borrow::Cow;
use std::cell::{Cell as Counter, RefCell};
use std::str::FromStr;

/// A cell of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Whether it is a header cell, `<th>`.
    pub header: bool,
    /// How many columns it spans, at least 1.
    pub colspan: u32,
    /// How many rows it spans; 0 means the rest of the table.
    pub rowspan: u32,
    /// Its text: entities decoded, white space collapsed and trimmed.
    pub text: String,
}

/// The cells of one `<tr>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// At least one, from left to right.
    pub cells: Vec<Cell>,
}

/// Why a text is not one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// No `<tr>`.
    #[error("there is no <tr>")]
    NoRow,
    /// More than one `<tr>`.
    #[error("there is more than one <tr>")]
    SeveralRows,
    /// A `<tr>` without cells.
    #[error("the <tr> has no cells")]
    NoCells,
    /// Something beside the row, or between its cells.
    #[error("there is something beside the cells of the row")]
    Surroundings,
    /// The row is longer than 1 MiB.
    #[error("the row is longer than 1 MiB")]
    TooLong,
    /// Elements more than 128 deep, or unclosed formatting that multiplies.
    #[error("elements are nested more than 128 deep, or multiply")]
    TooDeep,
}

const LONGEST: usize = 1 << 20;
const DEEPEST: usize = 128;
/// Bytes between two looks at the limits.
const PIECE: usize = 1024;

impl Row {
    /// Whether two rows have the same tags and column spans, whatever the texts.
    pub fn has_shape_of(&self, other: &Row) -> bool {
        let shape = |row: &Row| row.cells.iter().map(|cell| (cell.header, cell.colspan)).collect::<Vec<_>>();
        self.cells.len() == other.cells.len() && shape(self) == shape(other)
    }
}

impl FromStr for Row {
    type Err = RowError;

    /// ```
    /// use objalign_core::scd::Row;
    ///
    /// let row: Row = "<tr><th>Name <td colspan=2>Ada&nbsp;&amp; Bo</tr>".parse()?;
    /// assert_eq!(row.cells[1].text, "Ada & Bo");
    /// assert_eq!((row.cells[0].header, row.cells[1].colspan), (true, 2));
    /// # Ok::<(), objalign_core::scd::RowError>(())
    /// ```
    fn from_str(html: &str) -> Result<Self, RowError> {
        if html.len() > LONGEST {
            return Err(RowError::TooLong);
        }
        let context = QualName::new(None, ns!(html), local_name!("tbody"));
        let mut parser = parse_fragment(Tree::default(), ParseOpts::default(), context, Vec::new(), false);
        let mut rest = html;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
            parser.process(StrTendril::from(piece));
            if parser.tokenizer.sink.sink.is_beyond_limits(html.len()) {
                return Err(RowError::TooDeep);
            }
            rest = after;
        }
        parser.finish().row()
    }
}

/// The tree that the parser builds: nodes by number, the document being 0.
#[derive(Debug, Default)]
struct Tree {
    nodes: RefCell<Vec<Node>>,
    deepest: Counter<usize>,
}

#[derive(Debug, Default)]
struct Node {
    parent: Option<usize>,
    /// When it was inserted; what is moved later keeps the depths below it.
    depth: usize,
    children: Vec<usize>,
    content: Content,
}

#[derive(Debug, Default)]
enum Content {
    #[default]
    Document,
    Element(QualName, Vec<Attribute>),
    Text(StrTendril),
    /// Comments and the like.
    Ignored,
}

impl Tree {
    fn is_beyond_limits(&self, bytes: usize) -> bool {
        // The parser opens a few elements of its own.
        self.deepest.get() > DEEPEST || self.nodes.borrow().len() > bytes + 16
    }

    fn add(&self, content: Content) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        if nodes.is_empty() {
            nodes.push(Node::default());
        }
        nodes.push(Node { content, ..Node::default() });
        nodes.len() - 1
    }

    /// Appends at a place among the children of `parent`, joining adjacent texts.
    fn insert(&self, parent: usize, place: Option<usize>, child: NodeOrText<usize>) {
        let node = match child {
            NodeOrText::AppendText(text) => {
                let before = {
                    let nodes = self.nodes.borrow();
                    let children = &nodes[parent].children;
                    let place = place.unwrap_or(children.len());
                    place.checked_sub(1).map(|before| children[before])
                };
                if let Some(before) = before
                    && let Content::Text(joined) = &mut self.nodes.borrow_mut()[before].content
                {
                    joined.push_tendril(&text);
                    return;
                }
                self.add(Content::Text(text))
            }
            NodeOrText::AppendNode(node) => node,
        };
        let mut nodes = self.nodes.borrow_mut();
        let depth = nodes[parent].depth + 1;
        self.deepest.set(self.deepest.get().max(depth));
        nodes[node].parent = Some(parent);
        nodes[node].depth = depth;
        match place {
            Some(place) => nodes[parent].children.insert(place, node),
            None => nodes[parent].children.push(node),
        }
    }

    fn row(&self) -> Result<Row, RowError> {
        let nodes = self.nodes.borrow();
        // The parser hangs what it read below an `html` element of its own.
        let Some(&root) = nodes.first().and_then(|document| document.children.first()) else {
            return Err(RowError::NoRow);
        };
        let named = |id: usize, name: &LocalName| match &nodes[id].content {
            Content::Element(found, _) => found.ns == ns!(html) && found.local == *name,
            _ => false,
        };
        let counts = |id: &usize| match &nodes[*id].content {
            Content::Text(text) => !text.chars().all(char::is_whitespace),
            Content::Ignored => false,
            Content::Element(..) | Content::Document => true,
        };
        let top: Vec<usize> = nodes[root].children.iter().copied().filter(counts).collect();
        let rows: Vec<usize> = top.iter().copied().filter(|&id| named(id, &local_name!("tr"))).collect();
        match (rows.as_slice(), top.len()) {
            ([], _) => Err(RowError::NoRow),
            ([_, _, ..], _) => Err(RowError::SeveralRows),
            ([row], 1) => {
                let cells: Vec<usize> = nodes[*row].children.iter().copied().filter(counts).collect();
                let is_header = |id: usize| match () {
                    () if named(id, &local_name!("th")) => Some(true),
                    () if named(id, &local_name!("td")) => Some(false),
                    () => None,
                };
                if cells.is_empty() {
                    return Err(RowError::NoCells);
                }
                let cells = cells.into_iter().map(|id| {
                    let header = is_header(id).ok_or(RowError::Surroundings)?;
                    let span = |name: &LocalName, least: u32, most: u32| span(&nodes[id].content, name, least, most);
                    Ok(Cell {
                        header,
                        colspan: span(&local_name!("colspan"), 1, 1000),
                        rowspan: span(&local_name!("rowspan"), 0, 65_534),
                        text: text_below(&nodes, id),
                    })
                });
                Ok(Row { cells: cells.collect::<Result<_, _>>()? })
            }
            _ => Err(RowError::Surroundings),
        }
    }
}

/// A span by the standard's rules for them: leading digits, else 1; clamped.
fn span(content: &Content, name: &LocalName, least: u32, most: u32) -> u32 {
    let Content::Element(_, attributes) = content else { return 1 };
    let Some(attribute) = attributes.iter().find(|attribute| attribute.name.local == *name) else { return 1 };
    let text = attribute.value.trim_start();
    let digits = &text[..text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len())];
    if digits.is_empty() {
        return 1;
    }
    match digits.parse::<u32>() {
        Ok(number) if number < least => 1,
        Ok(number) => number.min(most),
        Err(_) => most,
    }
}

fn text_below(nodes: &[Node], id: usize) -> String {
    let mut text = String::new();
    let mut gap = false;
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if let Content::Text(piece) = &nodes[id].content {
            for letter in piece.chars() {
                if letter.is_whitespace() {
                    gap = true;
                } else {
                    if gap && !text.is_empty() {
                        text.push(' ');
                    }
                    gap = false;
                    text.push(letter);
                }
            }
        }
        // A line break separates words as a space does.
        gap |= matches!(&nodes[id].content, Content::Element(name, _) if name.local == local_name!("br"));
        open.extend(nodes[id].children.iter().rev());
    }
    text
}

/// An element's name, held rather than borrowed.
#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Tree {
    type Handle = usize;
    type Output = Self;
    type ElemName<'a> = Name;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        if nodes.is_empty() {
            nodes.push(Node::default());
        }
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Name {
        match &self.nodes.borrow()[*target].content {
            Content::Element(name, _) => Name(name.clone()),
            _ => Name(QualName::new(None, ns!(), local_name!(""))),
        }
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> usize {
        self.add(Content::Element(name, attributes))
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.add(Content::Ignored)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.add(Content::Ignored)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, None, child);
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        let has_parent = self.nodes.borrow()[*element].parent.is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(node) = &child {
            self.remove_from_parent(node);
        }
        let place = {
            let nodes = self.nodes.borrow();
            nodes[*sibling].parent.and_then(|parent| {
                nodes[parent].children.iter().rposition(|child| child == sibling).map(|place| (parent, place))
            })
        };
        if let Some((parent, place)) = place {
            self.insert(parent, Some(place), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &usize, new: Vec<Attribute>) {
        if let Content::Element(_, attributes) = &mut self.nodes.borrow_mut()[*target].content {
            for attribute in new {
                if attributes.iter().all(|known| known.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[*target].parent.take()
            && let Some(place) = nodes[parent].children.iter().rposition(|child| child == target)
        {
            nodes[parent].children.remove(place);
        }
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        let moved = std::mem::take(&mut nodes[*node].children);
        for &child in &moved {
            nodes[child].parent = Some(*new_parent);
        }
        nodes[*new_parent].children.extend(moved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells(html: &str) -> Result<Vec<(bool, u32, String)>, RowError> {
        html.parse::<Row>()
            .map(|row| row.cells.into_iter().map(|cell| (cell.header, cell.colspan, cell.text)).collect())
    }

    #[test]
    fn rows_as_models_write_them() {
        let plain = Ok(vec![(true, 1, "Name".to_owned()), (false, 2, "A & B".to_owned())]);
        for html in [
            "<tr><th>Name</th><td colspan=\"2\">A &amp; B</td></tr>",
            "  <tr class='x'>\n <th> Name </th>\n <td colspan=2>A\n&amp; <b>B</b></td>\n</tr>\n",
            "<TR><TH>Name<TD COLSPAN='2'>A & B",
            "<th>Name</th><td colspan=2>A &#38;<br>B</td>",
            "<!-- a row --><tr><th>Name</th><td colspan=2 rowspan=3>A &amp;&nbsp;B</td></tr>",
        ] {
            assert_eq!(cells(html), plain, "{html}");
        }
    }

    #[test]
    fn what_is_not_one_row_is_refused() {
        assert_eq!(cells(""), Err(RowError::NoRow));
        assert_eq!(cells("ALPHA"), Err(RowError::NoRow));
        assert_eq!(cells("<tr></tr>"), Err(RowError::NoCells));
        assert_eq!(cells("<tr><td>a</td></tr><tr><td>b</td></tr>"), Err(RowError::SeveralRows));
        assert_eq!(cells("Here it is: <tr><td>a</td></tr>"), Err(RowError::Surroundings));
        assert_eq!(cells("<tr><td>a</td></tr> done"), Err(RowError::Surroundings));
        assert_eq!(cells(&"<td>".repeat(300_000)), Err(RowError::TooLong));
        assert_eq!(cells(&format!("<tr><td>{}deep</td></tr>", "<div>".repeat(300))), Err(RowError::TooDeep));
        assert!(cells(&format!("<tr><td>{}deep</td></tr>", "<div>".repeat(100))).is_ok());
    }

    /// Each of these takes the standard's algorithm alone a time that grows with the square of its length.
    #[test]
    fn what_multiplies_is_given_up() {
        let nested = "<td>a</td><th>b <svg>".repeat(20_000);
        let formats = (0..200).map(|at| format!("<b id={at}>")).collect::<Vec<_>>().concat();
        let reopened = format!("<tr><td><p>{formats}{}", "<p>x".repeat(50_000));
        for html in [nested, reopened] {
            assert_eq!(cells(&html), Err(RowError::TooDeep));
        }
        let fostered = format!("<tr><td><table>{}", "<br>".repeat(100_000));
        assert_eq!(cells(&fostered).expect("a row").len(), 1);
    }

    #[test]
    fn spans_follow_the_standard() {
        let span = |text: &str| cells(&format!("<tr><td colspan='{text}'>x</td></tr>")).expect("a row")[0].1;
        let spans: Vec<u32> = ["2", " 3x", "0", "-1", "x", "", "99999999999"].into_iter().map(span).collect();
        assert_eq!(spans, [2, 3, 1, 1, 1, 1, 1000]);
    }

    proptest! {
        #[test]
        fn no_text_is_fatal(html in "(<[/]?(tr|td|th|table|b|a|template|svg|p)[ >]|[a&;<>= ]){0,30}") {
            let _ = html.parse::<Row>();
        }
    }
}
