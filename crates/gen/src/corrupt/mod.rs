//! Damage in known doses: operators that edit a copy of a gold and say what they did (paper section V-A and appendix C).
//!
//! An operator is a pure function (gold, dose, random generator) -> (candidate, edits), behind one trait, [`Operator`]. It applies its one edit as often
//! as the dose says, and
//! - stops when the edit has become impossible, and never does another in its place: [`Outcome::reached`] says how often it was done;
//! - never gives the gold back, where any edit was possible: edits that together undo each other are drawn anew. A graph that
//!   *says* what its gold says, in other words or in another order, may well come out: the paper's sweep has 42 of them;
//! - says each edit in JSON Pointers, so exactly that [`replay`] makes the candidate from the gold.
//!
//! Operators on graphs go by a [`Shape`], which is read off a schema, so they serve any data in records and links.
//! [`Operators`] is the list by name; what is not built in joins it with [`Operators::add`].
//!
//! | room | what |
//! |---|---|
//! | [`change`] | edits, and doing them again |
//! | [`shape`] | which lists hold records and links, and what values they take |
//! | `derive` | the shape of a schema |
//! | [`records`] | record deletion and insertion |
//! | [`links`] | reference rerouting, edge deletion and insertion |
//! | [`values`] | categorical relabel |
//! | [`harmless`] | identifier relabel, record shuffle: what a good score ignores |
//! | [`order`] | transpositions, block reversal and move, label deletion and insertion |
//! | [`kendall`] | Kendall distance |
//! | [`recipe`] | which operators at which doses
//! | [`run`] | and that for a whole data set |
//!
//! One application is linear in the size of the document.

pub mod change;
mod derive;
pub mod harmless;
pub mod kendall;
pub mod links;
pub mod order;
pub mod recipe;
pub mod records;
pub mod run;
pub mod shape;
mod table;
pub mod values;

pub use change::{Change, Edit, replay};
pub use shape::Shape;

use rand::Rng;
use serde_json::Value;
use std::sync::Arc;

/// One kind of damage.
pub trait Operator: Send + Sync {
    /// What it is called, in recipes and results: `snake_case`.
    fn name(&self) -> &str;

    /// The candidate that `dose` applications make of `gold`. A dose of 0 copies.
    ///
    /// # Errors
    ///
    /// The gold is not of the form that the operator works on.
    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit>;
}

/// What an operator made.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The damaged copy.
    pub candidate: Value,
    /// What was done, one entry for each application.
    pub edits: Vec<Edit>,
}

impl Outcome {
    /// How often the operator was applied: the dose, or less where it became impossible.
    pub fn reached(&self) -> u32 {
        self.edits.len() as u32
    }
}

/// A document that an operator cannot work on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {expected}", if .at.is_empty() { "(root)" } else { .at })]
pub struct Misfit {
    /// Where, as a JSON Pointer.
    pub at: String,
    /// What should be there.
    pub expected: String,
}

impl Misfit {
    pub(crate) fn new(at: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { at: at.into(), expected: expected.into() }
    }
}

/// A list of operators, each of its own name.
#[derive(Default)]
pub struct Operators(Vec<Box<dyn Operator>>);

impl Operators {
    /// The eight that work on records and links.
    pub fn on_graphs(shape: &Arc<Shape>) -> Self {
        let mut operators = Self::default();
        operators.add(Box::new(values::CategoricalRelabel::new(Arc::clone(shape))));
        operators.add(Box::new(links::ReferenceRerouting::new(Arc::clone(shape))));
        operators.add(Box::new(records::RecordDeletion::new(Arc::clone(shape))));
        operators.add(Box::new(links::EdgeDeletion::new(Arc::clone(shape))));
        operators.add(Box::new(records::RecordInsertion::new(Arc::clone(shape))));
        operators.add(Box::new(links::EdgeInsertion::new(Arc::clone(shape))));
        operators.add(Box::new(harmless::IdentifierRelabel::new(Arc::clone(shape))));
        operators.add(Box::new(harmless::RecordShuffle::new(Arc::clone(shape))));
        operators
    }

    /// The five that work on the list at a JSON Pointer.
    pub fn on_orders(at: &str) -> Self {
        let mut operators = Self::default();
        operators.add(Box::new(order::AdjacentTransposition::new(at)));
        operators.add(Box::new(order::BlockReversal::new(at)));
        operators.add(Box::new(order::BlockMove::new(at)));
        operators.add(Box::new(order::LabelDeletion::new(at)));
        operators.add(Box::new(order::LabelInsertion::new(at)));
        operators
    }

    /// One more. It takes the place of one that has the same name.
    pub fn add(&mut self, operator: Box<dyn Operator>) {
        match self.0.iter_mut().find(|known| known.name() == operator.name()) {
            Some(known) => *known = operator,
            None => self.0.push(operator),
        }
    }

    /// The operator of a name.
    pub fn get(&self, name: &str) -> Option<&dyn Operator> {
        self.iter().find(|operator| operator.name() == name)
    }

    /// All of them, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Operator> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// Their names, for messages.
    pub fn names(&self) -> String {
        self.iter().map(Operator::name).collect::<Vec<_>>().join(", ")
    }
}

impl<O: Operator + 'static> FromIterator<O> for Operators {
    fn from_iter<I: IntoIterator<Item = O>>(all: I) -> Self {
        let mut operators = Self::default();
        all.into_iter().for_each(|operator| operators.add(Box::new(operator)));
        operators
    }
}

/// How often edits are drawn anew when together they undid themselves. By then it is not bad luck: the dose is impossible.
const REDRAWS: usize = 64;

/// Applies one edit `dose` times, as [`Operator::apply`] promises: stops when `edit` has nothing left to do, draws anew when the
/// gold came out, and takes one edit less when it always does.
fn repeat(
    gold: &Value,
    dose: u32,
    random: &mut dyn Rng,
    edit: impl Fn(&mut Value, &mut dyn Rng) -> Option<Edit>,
) -> Outcome {
    let mut dose = dose;
    loop {
        for _ in 0..REDRAWS {
            let mut candidate = gold.clone();
            let edits: Vec<Edit> = (0..dose).map_while(|_| edit(&mut candidate, random)).collect();
            if edits.is_empty() || candidate != *gold {
                return Outcome { candidate, edits };
            }
        }
        dose -= 1;
    }
}
