//! Damage to an order: a list of labels at some place of the document.
//!
//! Deletions and insertions change which labels there are; the others only where they stand. Each application of a transposition swaps two
//! neighbours, so k of them lead to a Kendall distance of k, k - 2, ..., and never 0.

use super::change::{Change, apply};
use super::{Edit, Misfit, Operator, Outcome, repeat};
use crate::streams::below;
use rand::Rng;
use serde_json::Value;

macro_rules! operators {
    ($($(#[$about:meta])* $operator:ident $name:literal $edit:ident;)*) => {
        $(
            $(#[$about])*
            pub struct $operator {
                at: String,
            }

            impl $operator {
                /// For the list at a JSON Pointer.
                pub fn new(at: impl Into<String>) -> Self {
                    Self { at: at.into() }
                }
            }

            impl Operator for $operator {
                fn name(&self) -> &'static str {
                    $name
                }

                fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
                    labels(gold, &self.at).ok_or_else(|| Misfit::new(&self.at, "a list should be here"))?;
                    Ok(repeat(gold, dose, random, |document, random| {
                        let change = $edit(labels(document, &self.at)?, &self.at, random)?;
                        apply(document, &change).expect("the change was made for this document");
                        Some(Edit::one(change))
                    }))
                }
            }
        )*
    };
}

operators! {
    /// `adjacent_transposition`: two random neighbours change places. Impossible when there are no two.
    AdjacentTransposition "adjacent_transposition" transposition;
    /// `block_reversal`: a random run of two labels or more is turned round. Impossible when there is none.
    BlockReversal "block_reversal" reversal;
    /// `block_move`: a random run of two labels or more is cut out and put in elsewhere. Impossible with fewer than three labels.
    BlockMove "block_move" relocation;
    /// `label_deletion`: a random label goes. Impossible when one is left.
    LabelDeletion "label_deletion" deletion;
    /// `label_insertion`: a copy of a random label comes in at a random place. Impossible when there is none.
    LabelInsertion "label_insertion" insertion;
}

fn labels<'d>(document: &'d Value, at: &str) -> Option<&'d [Value]> {
    document.pointer(at).and_then(Value::as_array).map(Vec::as_slice)
}

fn reordered(at: &str, order: Vec<usize>) -> Change {
    Change::Reordered { at: at.to_owned(), order }
}

fn transposition(labels: &[Value], at: &str, random: &mut dyn Rng) -> Option<Change> {
    let gaps = labels.len().checked_sub(1).filter(|&gaps| gaps > 0)?;
    let first = below(random, gaps);
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.swap(first, first + 1);
    Some(reordered(at, order))
}

/// A random run of two or more, `most` at most: its length evenly, then its place evenly.
fn run(length: usize, most: usize, random: &mut dyn Rng) -> Option<std::ops::Range<usize>> {
    let lengths = most.checked_sub(1).filter(|&lengths| lengths > 0)?;
    let size = 2 + below(random, lengths);
    let begins = below(random, length - size + 1);
    Some(begins..begins + size)
}

fn reversal(labels: &[Value], at: &str, random: &mut dyn Rng) -> Option<Change> {
    let run = run(labels.len(), labels.len(), random)?;
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order[run].reverse();
    Some(reordered(at, order))
}

fn relocation(labels: &[Value], at: &str, random: &mut dyn Rng) -> Option<Change> {
    let run = run(labels.len(), labels.len().saturating_sub(1), random)?;
    let mut order: Vec<usize> = (0..labels.len()).collect();
    let block: Vec<usize> = order.drain(run.clone()).collect();
    // Everywhere but where it was.
    let mut to = below(random, order.len());
    to += usize::from(to >= run.start);
    order.splice(to..to, block);
    Some(reordered(at, order))
}

fn deletion(labels: &[Value], at: &str, random: &mut dyn Rng) -> Option<Change> {
    if labels.len() < 2 {
        return None;
    }
    let place = below(random, labels.len());
    Some(Change::Removed { at: format!("{at}/{place}"), value: labels[place].clone() })
}

fn insertion(labels: &[Value], at: &str, random: &mut dyn Rng) -> Option<Change> {
    if labels.is_empty() {
        return None;
    }
    let value = labels[below(random, labels.len())].clone();
    let place = below(random, labels.len() + 1);
    Some(Change::Inserted { at: format!("{at}/{place}"), value })
}
