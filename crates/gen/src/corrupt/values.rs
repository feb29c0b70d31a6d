//! Categorical relabel: a random categorical leaf takes another value of its book.
//!
//! Each application picks from all leaves anew, so k applications change k leaves or fewer (the paper's procedure).

use super::table::{Table, check, pick};
use super::{Misfit, Operator, Outcome, Shape, repeat};
use rand::Rng;
use serde_json::Value;
use std::sync::Arc;

/// `categorical_relabel`. Impossible when no leaf has another value to take.
pub struct CategoricalRelabel {
    shape: Arc<Shape>,
}

impl CategoricalRelabel {
    /// For data of a shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

impl Operator for CategoricalRelabel {
    fn name(&self) -> &'static str {
        "categorical_relabel"
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        check(&self.shape, gold)?;
        Ok(repeat(gold, dose, random, |document, random| {
            let mut table = Table::new(&self.shape, document);
            let mut leaves = Vec::new();
            for at in table.all(|list| !list.categories.is_empty()) {
                for category in &self.shape.lists[at.list].categories {
                    let value = table.field(at, &category.field);
                    // A leaf may be absent or null: there is nothing to relabel then.
                    if !value.is_null() && category.book.iter().any(|other| other != value) {
                        leaves.push((at, category));
                    }
                }
            }
            let &(at, category) = pick(&leaves, random)?;
            let now = table.field(at, &category.field);
            let others: Vec<&Value> = category.book.iter().filter(|other| *other != now).collect();
            let to = (*pick(&others, random)?).clone();
            table.replace(at, &category.field, to);
            table.edit()
        }))
    }
}
