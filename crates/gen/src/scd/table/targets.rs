//! Which cells of a table are to be changed: each in a row of its own, so that every row of the answer has one change.
//!
//! At level L only cells are chosen whose label is in another section, or in another record, too. No row is chosen that another row
//! equals in all but the cell: the answer would be right for both.

use super::nato::NATO;
use super::params::Level;
use super::sheet::{Sheet, Slot, Streams};
use crate::streams::{below, distinct};
use objalign_core::scd::Row;
use rand::seq::SliceRandom;

/// Where in the table the rows to change are. A third has no fewer rows than there are targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// Anywhere.
    All,
    /// In the first third of the rows that have values to change.
    Near,
    /// In the third in the middle.
    Middle,
    /// In the last third.
    Far,
}

/// A cell that gets a new text.
#[derive(Debug, Clone)]
pub(super) struct Change<'s> {
    pub(super) slot: &'s Slot,
    pub(super) word: &'static str,
}

/// Chooses cells and words for them, in a random order.
pub(super) fn choose<'s>(
    sheet: &'s Sheet,
    level: Level,
    (zone, count): (Zone, u32),
    streams: &Streams<'_>,
) -> Vec<Change<'s>> {
    let of = streams.0;
    let serves = |slot: &&Slot| level != Level::L || slot.contested;
    let mut rows: Vec<usize> = sheet.slots.iter().filter(serves).map(|slot| slot.row).collect();
    rows.dedup();
    let count = (count as usize).min(rows.len());
    let third = (rows.len() / 3).max(count);
    let middle = (rows.len() - third) / 2;
    let range = match zone {
        Zone::All => 0..rows.len(),
        Zone::Near => 0..third,
        Zone::Middle => middle..middle + third,
        Zone::Far => rows.len() - third..rows.len(),
    };
    let mut rows = rows[range].to_vec();
    rows.shuffle(&mut of("target_rows"));
    let mut cells = of("target_cells");
    let slot = |row: usize| {
        let first = sheet.slots.partition_point(|slot| slot.row < row);
        let slots = sheet.slots[first..].iter().take_while(|slot| slot.row == row).filter(serves);
        let slots: Vec<&Slot> = slots.filter(|slot| is_alone(&sheet.rows, slot)).collect();
        if slots.is_empty() { None } else { Some(slots[below(&mut cells, slots.len())]) }
    };
    let slots: Vec<&Slot> = rows.into_iter().filter_map(slot).take(count).collect();
    let words = distinct(&mut of("words"), slots.len(), NATO.len());
    slots.into_iter().zip(words).map(|(slot, word)| Change { slot, word: NATO[word] }).collect()
}

fn is_alone(rows: &[Row], slot: &Slot) -> bool {
    let equal = |other: &Row| {
        let row = &rows[slot.row];
        let texts = row.cells.iter().zip(&other.cells).enumerate();
        row.has_shape_of(other) && texts.into_iter().all(|(at, (one, other))| at == slot.cell || one.text == other.text)
    };
    rows.iter().enumerate().all(|(at, other)| at == slot.row || !equal(other))
}
