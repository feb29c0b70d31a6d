//! Damage to the reference of a table task: replacements that move or change, rows that are others, cells that come or go.
//!
//! The operators are built for a task, since they need its rows; what they are applied to is its reference, an object of rows. Each edit
//! takes a target that no other edit of the application takes (an exchange takes two), so the closed forms hold for every dose that is
//! reached. Rows that are changed are written anew: tags, spans and texts only. Linear in the table for each target that an edit takes.

use super::{ClosedForm, Damage, Forms};
use crate::corrupt::change::{Change, Edit, replay};
use crate::corrupt::{Misfit, Operator, Outcome};
use crate::scd::json::vocabulary::{Kind, VOCABULARY};
use crate::scd::table::{find, html};
use crate::scd::task::{Question, TaskRow};
use crate::streams::below;
use objalign_core::scd::Row;
use rand::Rng;
use rand::seq::SliceRandom;
use serde_json::Value;
use std::sync::Arc;

/// What the operators know of a task.
#[derive(Debug)]
struct Subject {
    targets: Vec<Site>,
    /// The rows of the table.
    rows: Vec<Row>,
}

/// A target.
#[derive(Debug, Clone)]
struct Site {
    pointer: String,
    /// The row as the table has it.
    row: Row,
    cell: usize,
    replacement: String,
}

impl Site {
    /// The row that answers it.
    fn answer(&self) -> Row {
        let mut row = self.row.clone();
        self.replacement.clone_into(&mut row.cells[self.cell].text);
        row
    }

    /// Whether a row has its replacement in some cell.
    fn is_in(&self, row: &Row) -> bool {
        row.cells.iter().any(|cell| cell.text == self.replacement)
    }

    fn replaced(&self, gold: &Value, to: Value) -> Change {
        let from = gold.pointer(&self.pointer).cloned().unwrap_or_default();
        Change::Replaced { at: self.pointer.clone(), from, to }
    }

    fn rewritten(&self, gold: &Value, row: &Row) -> Edit {
        Edit::one(self.replaced(gold, html::row(row).into()))
    }
}

/// The targets of a task.
fn sites(task: &TaskRow) -> Result<Vec<Site>, Misfit> {
    let Question::Table { targets, .. } = &task.question else {
        return Err(Misfit::new("", "a table task should be here, not one of JSON"));
    };
    let sites = targets.iter().map(|target| {
        let misfit = |expected: String| Misfit::new("/targets", format!("{}: {expected}", target.id));
        let row: Row = target.html.parse().map_err(|error| misfit(format!("{error}")))?;
        if target.cell >= row.cells.len() {
            return Err(misfit(format!("its row has no cell {}", target.cell)));
        }
        if row.cells[target.cell].text == target.value {
            return Err(misfit("its cell should say something else before".to_owned()));
        }
        let pointer = format!("/{}", target.id.replace('~', "~0").replace('/', "~1"));
        Ok(Site { pointer, row, cell: target.cell, replacement: target.value.clone() })
    });
    sites.collect()
}

impl Subject {
    fn new(task: &TaskRow) -> Result<Self, Misfit> {
        let targets = sites(task)?;
        let Question::Table { table, .. } = &task.question else { return Ok(Self { targets, rows: Vec::new() }) };
        let rows = find::rows(table).map_err(|error| Misfit::new("/table", error.to_string()))?;
        Ok(Self { targets, rows: rows.into_iter().map(|(_, row)| row).collect() })
    }

    /// Whether a document is the task's reference.
    fn check(&self, gold: &Value) -> Result<(), Misfit> {
        for site in &self.targets {
            let row = gold.pointer(&site.pointer).and_then(Value::as_str).and_then(|html| html.parse::<Row>().ok());
            if row != Some(site.answer()) {
                return Err(Misfit::new(&site.pointer, "the target's row with its one change should be here"));
            }
        }
        Ok(())
    }

    /// Other rows of the table that have no target's change in them, of the shape of a target's row or of another.
    fn others<'s>(&'s self, site: &'s Site, alike: bool) -> impl Iterator<Item = &'s Row> {
        let rows = self.rows.iter().filter(move |row| **row != site.row && !site.is_in(row));
        rows.filter(move |row| row.has_shape_of(&site.row) == alike)
    }
}

/// The damage of a task.
pub(super) fn damage(row: &TaskRow) -> Result<Damage, Misfit> {
    let subject = Arc::new(Subject::new(row)?);
    let on_task = |kind| OnTask { kind, subject: Arc::clone(&subject) };
    Ok(Damage { operators: Operation::ALL.map(on_task).into_iter().collect(), forms: subject })
}

impl Forms for Subject {
    fn perfect(&self) -> ClosedForm {
        ClosedForm::perfect(self.targets.len(), self.targets.len())
    }

    fn closed_form(&self, operator: &str, edits: &[Edit]) -> Result<ClosedForm, Misfit> {
        let kind = Operation::ALL.into_iter().find(|kind| kind.name() == operator);
        let kind = kind.ok_or_else(|| Misfit::new("", format!("no operator {operator:?} on table tasks")))?;
        let dose = edits.len();
        let (moved, lost, misshapen) = match kind {
            Operation::CellMove => (dose, 0, 0),
            Operation::ValueReplacement | Operation::WrongRow => (0, dose, 0),
            Operation::WrongRowEdited => (0, 0, 0),
            Operation::WrongRowUnlike | Operation::TargetDrop => (0, dose, dose),
            Operation::RowSwap => {
                let changes = edits.iter().flat_map(|edit| &edit.changes);
                (0, 2 * dose, changes.filter(|change| misshapes(&self.targets, change)).count())
            }
            Operation::CellCount => (0, 0, dose),
        };
        Ok(self.perfect().less(moved, lost, misshapen))
    }
}

/// Whether a change gives a target a row of another shape.
fn misshapes(targets: &[Site], change: &Change) -> bool {
    let Change::Replaced { at, to, .. } = change else { return false };
    let site = targets.iter().find(|site| site.pointer == *at);
    let row = to.as_str().and_then(|html| html.parse::<Row>().ok());
    site.zip(row).is_some_and(|(site, row)| !row.has_shape_of(&site.row))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    CellMove,
    ValueReplacement,
    WrongRow,
    WrongRowUnlike,
    WrongRowEdited,
    RowSwap,
    CellCount,
    TargetDrop,
}

impl Operation {
    const ALL: [Self; 8] = [
        Self::CellMove,
        Self::ValueReplacement,
        Self::WrongRow,
        Self::WrongRowUnlike,
        Self::WrongRowEdited,
        Self::RowSwap,
        Self::CellCount,
        Self::TargetDrop,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::CellMove => "cell_move",
            Self::ValueReplacement => "value_replacement",
            Self::WrongRow => "wrong_row",
            Self::WrongRowUnlike => "wrong_row_unlike",
            Self::WrongRowEdited => "wrong_row_edited",
            Self::RowSwap => "row_swap",
            Self::CellCount => "cell_count",
            Self::TargetDrop => "target_drop",
        }
    }
}

struct OnTask {
    kind: Operation,
    subject: Arc<Subject>,
}

impl Operator for OnTask {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        self.subject.check(gold)?;
        let mut targets: Vec<&Site> = self.subject.targets.iter().collect();
        targets.shuffle(random);
        let dose = dose as usize;
        let edits: Vec<Edit> = if self.kind == Operation::RowSwap {
            let answer = |site: &Site| gold.pointer(&site.pointer).cloned().unwrap_or_default();
            let swap = |pair: &[&Site]| Edit {
                changes: vec![pair[0].replaced(gold, answer(pair[1])), pair[1].replaced(gold, answer(pair[0]))],
            };
            targets.chunks_exact(2).take(dose).map(swap).collect()
        } else {
            targets.into_iter().filter_map(|site| self.edit(gold, site, random)).take(dose).collect()
        };
        Ok(Outcome { candidate: replay(gold, &edits)?, edits })
    }
}

impl OnTask {
    /// The edit of one target; none where it is impossible.
    fn edit(&self, gold: &Value, site: &Site, random: &mut dyn Rng) -> Option<Edit> {
        let mut row = site.row.clone();
        match self.kind {
            Operation::CellMove => {
                // To the cell of another value; where there is none, to that of a label.
                let others = |header: bool| {
                    let cells = site.row.cells.iter().enumerate();
                    let places = cells.filter(|(at, cell)| *at != site.cell && cell.header == header);
                    places.map(|(at, _)| at).collect::<Vec<_>>()
                };
                let to = pick(&others(false), random).or_else(|| pick(&others(true), random))?;
                site.replacement.clone_into(&mut row.cells[to].text);
            }
            Operation::ValueReplacement => {
                let is_free =
                    |word: &&str| *word != site.replacement && site.row.cells.iter().all(|cell| cell.text != **word);
                let words = VOCABULARY.damage.of(Kind::String).iter().filter_map(Value::as_str);
                let word = pick(&words.filter(is_free).collect::<Vec<_>>(), random)?;
                word.clone_into(&mut row.cells[site.cell].text);
            }
            Operation::WrongRow | Operation::WrongRowUnlike => {
                let rows: Vec<&Row> = self.subject.others(site, self.kind == Operation::WrongRow).collect();
                row.clone_from(pick(&rows, random)?);
            }
            Operation::WrongRowEdited => {
                let rows: Vec<&Row> = self.subject.others(site, true).collect();
                row.clone_from(pick(&rows, random)?);
                site.replacement.clone_into(&mut row.cells[site.cell].text);
                // Rows that differ in the cell alone become the answer itself.
                if row == site.answer() {
                    return None;
                }
            }
            Operation::CellCount => {
                row = site.answer();
                // Behind the target, which so stays where it is: a cell goes, or one without a text comes.
                let behind = row.cells.len() - site.cell - 1;
                let place = below(random, 2 * behind + 1);
                if place < behind {
                    row.cells.remove(site.cell + 1 + place);
                } else {
                    row.cells.insert(site.cell + 1 + place - behind, html::cell(false, 1, ""));
                }
            }
            Operation::TargetDrop => {
                let value = gold.pointer(&site.pointer)?.clone();
                return Some(Edit::one(Change::Dropped { at: site.pointer.clone(), value }));
            }
            // An edit of two targets.
            Operation::RowSwap => return None,
        }
        Some(site.rewritten(gold, &row))
    }
}

fn pick<T: Copy>(from: &[T], random: &mut dyn Rng) -> Option<T> {
    if from.is_empty() { None } else { Some(from[below(random, from.len())]) }
}
