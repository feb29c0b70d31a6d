//! Rows by the standard's own algorithm: `html5ever`, in the context of a table body.
//!
//! **Cost.** Linear in the text. The standard's algorithm alone is not: an end tag may look through all open elements, and formatting
//! elements that were not closed are opened again in every paragraph. So the text is fed in pieces, and given up once its tree is
//! deeper than any row that is meant, or has more nodes than the text has bytes.

use super::{COLUMNS, Cell, Collapsed, ROWS, Row, RowError};
use html5ever::interface::tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, local_name, ns, parse_fragment};
use std::borrow::Cow;
use std::cell::{Cell as Counter, RefCell};

const DEEPEST: usize = 128;
/// Bytes between two looks at the limits.
const PIECE: usize = 1024;

/// The one row of a text.
pub(super) fn row(html: &str) -> Result<Row, RowError> {
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
                    Ok(Cell {
                        header,
                        colspan: COLUMNS.read(attribute(&nodes[id].content, &local_name!("colspan"))),
                        rowspan: ROWS.read(attribute(&nodes[id].content, &local_name!("rowspan"))),
                        text: text_below(&nodes, id),
                    })
                });
                Ok(Row { cells: cells.collect::<Result<_, _>>()? })
            }
            _ => Err(RowError::Surroundings),
        }
    }
}

fn attribute<'a>(content: &'a Content, name: &LocalName) -> Option<&'a str> {
    let Content::Element(_, attributes) = content else { return None };
    attributes.iter().find(|attribute| attribute.name.local == *name).map(|attribute| &*attribute.value)
}

fn text_below(nodes: &[Node], id: usize) -> String {
    let mut text = Collapsed::default();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match &nodes[id].content {
            Content::Text(piece) => text.push(piece),
            // A line break separates words as a space does.
            Content::Element(name, _) if name.local == local_name!("br") => text.push(" "),
            _ => {}
        }
        open.extend(nodes[id].children.iter().rev());
    }
    text.finish()
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
