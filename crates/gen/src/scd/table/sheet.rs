//! Drawing a table: a template and a configuration, which labels (trimmed), in which order (shuffled), over how many columns (merged).
//!
//! The grid has two columns for each pair of a label and a value. A merged pair gives its two columns to another one of its row, so
//! rows have fewer cells and always the same width. Linear in the number of cells.

use super::forms::{Block, Configuration, Field, Forms, Order, Part, Template, qualified};
use super::html::cell;
use super::params::{Grid, Level, ROWS_OF_A_SECTION};
use super::values::Kind;
use crate::streams::{below, distinct};
use objalign_core::scd::{Cell, Row};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A filled form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sheet {
    pub(super) title: String,
    pub(super) rows: Vec<Row>,
    /// The cells that hold values, in the order of the table.
    pub(super) slots: Vec<Slot>,
}

/// A cell that holds a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) row: usize,
    pub(super) cell: usize,
    pub(super) address: Address,
    /// Whether its address needs all of its parts: its label is in another section, or record, too.
    pub(super) contested: bool,
}

/// Where a cell is, as people say it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Address {
    Field { section: Option<String>, label: String },
    Record { block: String, record: usize, column: String },
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { section: None, label } => write!(f, "field \"{label}\""),
            Self::Field { section: Some(section), label } => write!(f, "section \"{section}\", field \"{label}\""),
            Self::Record { block, record, column } => {
                write!(f, "block \"{block}\", record {record}, column \"{column}\"")
            }
        }
    }
}

#[cfg(test)]
impl Sheet {
    /// What is left without the values: tags, spans and labels.
    pub(super) fn layout(&self) -> String {
        let mut layout = self.title.clone();
        for row in &self.rows {
            layout.push('\n');
            for cell in &row.cells {
                let text = if cell.header { cell.text.as_str() } else { "" };
                layout.push(if cell.header { 'h' } else { 'd' });
                layout.push_str(&cell.colspan.to_string());
                layout.push_str(text);
            }
        }
        layout
    }
}

/// Where a form's draws come from: one stream for each purpose.
pub(super) struct Streams<'s>(pub(super) &'s dyn Fn(&str) -> ChaCha12Rng);

/// A section or a block before it is in the table.
enum Piece<'f> {
    Fields { heading: Option<String>, addressed: bool, rows: Vec<Vec<Span>>, fields: Vec<Labelled> },
    Records { heading: String, columns: Vec<(&'f Field, u32)>, records: usize },
}

/// The columns of a label and of its value.
#[derive(Debug, Clone, Copy)]
struct Span {
    label: u32,
    value: u32,
}

#[derive(Debug, Clone)]
struct Labelled {
    label: String,
    kind: Kind,
}

/// Draws a table of a level.
pub(super) fn draw(forms: &Forms, level: Level, grid: &Grid, streams: &Streams<'_>) -> Sheet {
    let of = streams.0;
    let template = &forms.templates[below(&mut of("template"), forms.templates.len())];
    let arranged = level.arranged().map(|level| {
        let configurations: Vec<&Configuration> =
            forms.configurations.iter().filter(|configuration| configuration.level == level).collect();
        configurations[below(&mut of("configuration"), configurations.len())]
    });
    let mut plan = Plan { forms, template, grid, arranged, streams };
    let pieces = plan.pieces(level);
    plan.write(pieces)
}

struct Plan<'f> {
    forms: &'f Forms,
    template: &'f Template,
    grid: &'f Grid,
    arranged: Option<&'f Configuration>,
    streams: &'f Streams<'f>,
}

impl<'f> Plan<'f> {
    fn of(&self, name: &str) -> ChaCha12Rng {
        (self.streams.0)(name)
    }

    fn pieces(&mut self, level: Level) -> Vec<Piece<'f>> {
        let flat = [Part::Section];
        let order: &[Part] = self.arranged.map_or(&flat, |configuration| &configuration.order);
        let count = |part| order.iter().filter(|other| **other == part).count();
        let (sections, blocks) = (count(Part::Section), count(Part::Block));
        let blocks = self.blocks(blocks);
        let fixed: usize = blocks.iter().map(|(_, _, records)| 2 + records).sum();
        let headings = if self.arranged.is_some() { sections } else { 0 };
        let rows = self.grid.rows.draw(&mut self.of("rows")) as usize - fixed - headings;
        let heights = self.heights(rows, sections);
        let mut widths = self.of("merged");
        let shapes: Vec<Vec<Vec<Span>>> =
            heights.iter().map(|&height| (0..height).map(|_| self.spans(&mut widths)).collect()).collect();
        let columns_of_blocks: HashSet<&str> =
            blocks.iter().flat_map(|(block, ..)| block.columns.iter().map(|field| field.label.as_str())).collect();
        let mut fields = match level {
            Level::S | Level::M => self.flat(&shapes, &columns_of_blocks),
            Level::L => self.by_party(shapes),
        }
        .into_iter();
        let mut blocks = blocks.into_iter();
        let mut block_widths = self.of("block_widths");
        let piece = |part: &Part| match part {
            Part::Section => fields.next(),
            Part::Block => blocks.next().map(|(block, heading, records)| {
                let columns = self.columns(block, &mut block_widths);
                Piece::Records { heading, columns, records }
            }),
        };
        order.iter().filter_map(piece).collect()
    }

    /// Which blocks, what they are called, and how many records they have.
    fn blocks(&self, count: usize) -> Vec<(&'f Block, String, usize)> {
        let (mut headings, mut records) = (self.of("block_headings"), self.of("records"));
        let drawn = distinct(&mut self.of("blocks"), count, self.template.blocks.len());
        let block = |at: usize| {
            let block = &self.forms.blocks[self.template.blocks[at]];
            let heading = block.headings[below(&mut headings, block.headings.len())].clone();
            (block, heading, self.grid.records.draw(&mut records) as usize)
        };
        drawn.into_iter().map(block).collect()
    }

    /// How many rows each section has: all alike, but for some that go from one to the next.
    fn heights(&self, rows: usize, sections: usize) -> Vec<usize> {
        let (each, over) = (rows / sections, rows % sections);
        let mut heights: Vec<usize> = (0..sections).map(|section| each + usize::from(section < over)).collect();
        let mut random = self.of("heights");
        for section in 1..sections {
            let given = below(&mut random, 3);
            if heights[section - 1] >= ROWS_OF_A_SECTION as usize + given {
                heights[section - 1] -= given;
                heights[section] += given;
            }
        }
        heights
    }

    /// A row of fields, with some pairs merged into others.
    fn spans(&self, random: &mut ChaCha12Rng) -> Vec<Span> {
        let merged = self.grid.merged.draw(random);
        let mut spans = vec![Span { label: 1, value: 1 }; (self.grid.pairs - merged) as usize];
        for _ in 0..merged {
            widen(&mut spans, random);
        }
        spans
    }

    /// Fields of a grid in which each label is there once: those of the form, of its first party, and of one other with its name.
    fn flat(&self, shapes: &[Vec<Vec<Span>>], taken: &HashSet<&str>) -> Vec<Piece<'f>> {
        let template = self.template;
        let other = &template.parties[1 + below(&mut self.of("party"), template.parties.len() - 1)];
        let mut pool: Vec<Labelled> =
            template.fields.iter().map(|field| Labelled { label: field.label.clone(), kind: field.kind }).collect();
        for field in self.groups("groups/flat") {
            pool.push(Labelled { label: field.label.clone(), kind: field.kind });
        }
        for field in self.groups("groups/other") {
            pool.push(Labelled { label: qualified(other, &field.label), kind: field.kind });
        }
        pool.retain(|field| !taken.contains(field.label.as_str()));
        let mut all: Vec<Vec<Span>> = shapes.iter().flatten().cloned().collect();
        let mut random = self.of("fit");
        fit(&mut all, pool.len(), &mut random);
        let count: usize = all.iter().map(Vec::len).sum();
        let mut fields = self.arrange(&pool, count, "fields").into_iter();
        let mut rows = all.into_iter();
        let names = ["Particulars", "Further Particulars"];
        let piece = |(nth, shape): (usize, &Vec<Vec<Span>>)| {
            let rows: Vec<Vec<Span>> = rows.by_ref().take(shape.len()).collect();
            let fields = fields.by_ref().take(rows.iter().map(Vec::len).sum()).collect();
            let heading = self.arranged.map(|configuration| configuration.heading(names[nth % names.len()], nth));
            Piece::Fields { heading, addressed: false, rows, fields }
        };
        shapes.iter().enumerate().map(piece).collect()
    }

    /// Sections about some of the parties, the first one's with the form's own fields: what they ask is much the same.
    fn by_party(&self, shapes: Vec<Vec<Vec<Span>>>) -> Vec<Piece<'f>> {
        let template = self.template;
        let others = distinct(&mut self.of("parties"), shapes.len() - 1, template.parties.len() - 1);
        let mut parties: Vec<usize> = others.into_iter().map(|other| other + 1).chain([0]).collect();
        parties.sort_unstable();
        let mut random = self.of("fit");
        let piece = |(nth, (party, mut rows)): (usize, (usize, Vec<Vec<Span>>))| {
            let own: &[Field] = if party == 0 { &template.fields } else { &[] };
            let groups = self.groups(&format!("groups/{nth}"));
            let pool: Vec<Labelled> = own
                .iter()
                .chain(groups)
                .map(|field| Labelled { label: field.label.clone(), kind: field.kind })
                .collect();
            fit(&mut rows, pool.len(), &mut random);
            let fields = self.arrange(&pool, rows.iter().map(Vec::len).sum(), &format!("fields/{nth}"));
            let heading = self.arranged.map(|configuration| configuration.heading(&template.parties[party], nth));
            Piece::Fields { heading, addressed: true, rows, fields }
        };
        parties.into_iter().zip(shapes).enumerate().map(piece).collect()
    }

    /// The template's groups of fields, the groups in a random order.
    fn groups(&self, stream: &str) -> Vec<&'f Field> {
        let mut topics = self.template.topics.clone();
        topics.shuffle(&mut self.of(stream));
        topics.into_iter().flat_map(|topic| &self.forms.topics[topic].fields).collect()
    }

    /// Some of the fields, in the configuration's order.
    fn arrange(&self, pool: &[Labelled], count: usize, stream: &str) -> Vec<Labelled> {
        let mut drawn = distinct(&mut self.of(stream), count, pool.len());
        match self.arranged.map_or(Order::Shuffled, |configuration| configuration.fields) {
            Order::Shuffled => {}
            Order::Grouped => drawn.sort_unstable(),
            Order::Sorted => drawn.sort_unstable_by(|one, other| pool[*one].label.cmp(&pool[*other].label)),
        }
        drawn.into_iter().map(|at| pool[at].clone()).collect()
    }

    /// Some of a block's columns and how wide they are; together with the number of the record they fill the grid.
    fn columns(&self, block: &'f Block, random: &mut ChaCha12Rng) -> Vec<(&'f Field, u32)> {
        let width = self.grid.pairs * 2 - 1;
        let optional = block.columns.len() - block.keep;
        let kept = below(random, optional + 1).min(width as usize - block.keep);
        let mut places: Vec<usize> = (0..block.keep).collect();
        places.extend(distinct(random, kept, optional).into_iter().map(|extra| block.keep + extra));
        // As often as not in another order than the data's.
        if below(random, 2) == 0 {
            places.sort_unstable();
        } else {
            places.shuffle(random);
        }
        let mut columns: Vec<(&Field, u32)> = places.into_iter().map(|place| (&block.columns[place], 1)).collect();
        for _ in columns.len() as u32..width {
            let at = below(random, columns.len());
            columns[at].1 += 1;
        }
        columns
    }

    fn write(&self, pieces: Vec<Piece<'_>>) -> Sheet {
        let mut sheet = Sheet { title: self.template.title.clone(), rows: Vec::new(), slots: Vec::new() };
        let mut random = self.of("values");
        let heading = |text: String| Row { cells: vec![cell(true, self.grid.pairs * 2, text)] };
        for piece in pieces {
            match piece {
                Piece::Fields { heading: name, addressed, rows, fields } => {
                    sheet.rows.extend(name.clone().map(heading));
                    let section = name.filter(|_| addressed);
                    let mut fields = fields.into_iter();
                    for spans in rows {
                        let mut cells = Vec::with_capacity(2 * spans.len());
                        for (span, field) in spans.into_iter().zip(fields.by_ref()) {
                            let address = Address::Field { section: section.clone(), label: field.label.clone() };
                            cells.push(cell(true, span.label, field.label));
                            sheet.slots.push(Slot {
                                row: sheet.rows.len(),
                                cell: cells.len(),
                                address,
                                contested: false,
                            });
                            cells.push(cell(false, span.value, self.forms.banks.draw(field.kind, &mut random)));
                        }
                        sheet.rows.push(Row { cells });
                    }
                }
                Piece::Records { heading: name, columns, records } => {
                    sheet.rows.push(heading(name.clone()));
                    let labels = columns.iter().map(|(field, width)| cell(true, *width, field.label.as_str()));
                    sheet.rows.push(Row { cells: std::iter::once(cell(true, 1, "No.")).chain(labels).collect() });
                    for record in 1..=records {
                        let mut cells: Vec<Cell> = vec![cell(true, 1, record.to_string())];
                        for (field, width) in &columns {
                            let address = Address::Record { block: name.clone(), record, column: field.label.clone() };
                            sheet.slots.push(Slot {
                                row: sheet.rows.len(),
                                cell: cells.len(),
                                address,
                                contested: records > 1,
                            });
                            cells.push(cell(false, *width, self.forms.banks.draw(field.kind, &mut random)));
                        }
                        sheet.rows.push(Row { cells });
                    }
                }
            }
        }
        contest(&mut sheet.slots);
        sheet
    }
}

/// Marks the fields whose label is in another section too.
fn contest(slots: &mut [Slot]) {
    let mut sections: HashMap<String, u32> = HashMap::new();
    for slot in slots.iter() {
        if let Address::Field { label, .. } = &slot.address {
            *sections.entry(label.clone()).or_insert(0) += 1;
        }
    }
    for slot in slots {
        if let Address::Field { label, .. } = &slot.address {
            slot.contested = sections[label] > 1;
        }
    }
}

/// Two columns more for a random pair: mostly for the value, else one for each.
fn widen(spans: &mut [Span], random: &mut ChaCha12Rng) {
    let at = below(random, spans.len());
    if below(random, 4) == 0 {
        spans[at].label += 1;
        spans[at].value += 1;
    } else {
        spans[at].value += 2;
    }
}

/// Merges more, where there are more places than labels.
fn fit(rows: &mut [Vec<Span>], labels: usize, random: &mut ChaCha12Rng) {
    let mut places: usize = rows.iter().map(Vec::len).sum();
    while places > labels {
        let Some(longest) = rows.iter_mut().max_by_key(|row| row.len()) else { return };
        let Some(gone) = longest.pop() else { return };
        for _ in 0..gone.label.midpoint(gone.value) {
            widen(longest, random);
        }
        places -= 1;
    }
}
