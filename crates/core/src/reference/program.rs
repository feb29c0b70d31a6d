//! The score of a pair as a function of the bijections.
//!
//! While bijections are searched for, only references change; everything else about a pair of documents is settled. A
//! program keeps just what can change: sums of references, and the lists whose matching depends on them. It answers two
//! questions for a state of knowledge about the references ("right", "wrong", "could still be right"): the exact score,
//! when all is decided, and an upper bound on it, when not.
//!
//! **The bound.** A reference that could still be right counts as right. The total of a list is at most the sum of its rows'
//! (its columns') best similarities, and the number of its pairs at most the number of rows (columns) that have any; the
//! fewer entries are left unpaired the smaller the denominator. So the quotient of both is a bound, though the true score
//! is not monotone in the similarities.

use crate::assignment::{Total, monotone, optimal};
use crate::fixed::{self, quantise};
use crate::schema::plan::Order;

/// A term of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Term {
    /// A reference: an index into the state.
    Reference(u32),
    /// The score of a list of the program.
    List(u32),
}

/// A constant and weighted terms.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sum {
    pub(crate) base: f64,
    pub(crate) terms: Vec<(f64, Term)>,
}

impl Sum {
    pub(crate) fn constant(base: f64) -> Self {
        Self { base, terms: Vec::new() }
    }

    pub(crate) fn term(term: Term) -> Self {
        Self { base: 0.0, terms: vec![(1.0, term)] }
    }

    /// Adds `weight` times a constant.
    pub(crate) fn add_constant(&mut self, weight: f64, constant: f64) {
        if weight != 0.0 {
            self.base += weight * constant;
        }
    }

    /// Adds `weight` times a term.
    pub(crate) fn add_term(&mut self, weight: f64, term: Term) {
        if weight != 0.0 {
            self.terms.push((weight, term));
        }
    }

    /// Adds `weight` times another sum.
    pub(crate) fn add(&mut self, weight: f64, other: Self) {
        if weight != 0.0 {
            self.base += weight * other.base;
            self.terms.extend(other.terms.into_iter().map(|(inner, term)| (weight * inner, term)));
        }
    }
}

/// How a list of a program is matched and counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListShape {
    pub(crate) n: usize,
    pub(crate) m: usize,
    pub(crate) order: Order,
    pub(crate) ignore_excess: bool,
    pub(crate) ignore_missing: bool,
}

impl ListShape {
    /// The score of a matching of this list.
    pub(super) fn score(&self, total: Total) -> f64 {
        fixed::mean(total.units, self.entries(total.pairs as usize))
    }

    fn entries(&self, pairs: usize) -> usize {
        let missing = if self.ignore_missing { 0 } else { self.n - pairs };
        let excess = if self.ignore_excess { 0 } else { self.m - pairs };
        pairs + missing + excess
    }
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    base: f64,
    first: u32,
    len: u32,
}

#[derive(Debug, Clone, Copy)]
struct List {
    shape: ListShape,
    first_cell: u32,
}

/// A program: lists, inner ones before outer ones, and the sums that are asked for.
#[derive(Debug, Default)]
pub(crate) struct Program {
    cells: Vec<Cell>,
    terms: Vec<(f64, Term)>,
    lists: Vec<List>,
    roots: Vec<Cell>,
}

/// Scratch space for running programs.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    lists: Vec<f64>,
    matrix: Vec<i64>,
    #[cfg(test)]
    columns: Vec<i64>,
    optimal: optimal::Solver,
    monotone: monotone::Aligner,
}

impl Program {
    fn cell(&mut self, sum: &Sum) -> Cell {
        let first = self.terms.len() as u32;
        self.terms.extend_from_slice(&sum.terms);
        Cell { base: sum.base, first, len: sum.terms.len() as u32 }
    }

    /// Adds a list of n × m pair scores, in row order; returns the term that stands for its score.
    pub(crate) fn add_list(&mut self, shape: ListShape, pairs: &[Sum]) -> Term {
        debug_assert_eq!(pairs.len(), shape.n * shape.m);
        let first_cell = self.cells.len() as u32;
        for sum in pairs {
            let cell = self.cell(sum);
            self.cells.push(cell);
        }
        self.lists.push(List { shape, first_cell });
        Term::List(self.lists.len() as u32 - 1)
    }

    /// Adds a sum that will be asked for.
    pub(crate) fn add_root(&mut self, sum: &Sum) {
        let cell = self.cell(sum);
        self.roots.push(cell);
    }

    /// How many pair scores the lists hold: the cost of one run.
    pub(crate) fn size(&self) -> usize {
        self.cells.len()
    }

    /// The roots' exact values; `right[k]` says whether reference k is right.
    pub(crate) fn run(&self, machine: &mut Machine, right: &[bool]) -> Vec<f64> {
        self.run_lists(machine, right, Machine::exact);
        self.roots.iter().map(|root| self.value(root, &machine.lists, right)).collect()
    }

    /// A bound from above on the value of the only root, computed afresh: `right[k]` says whether reference k is right or
    /// could be.
    #[cfg(test)]
    pub(crate) fn bound(&self, machine: &mut Machine, right: &[bool]) -> f64 {
        self.run_lists(machine, right, Machine::bound);
        self.roots.iter().map(|root| self.value(root, &machine.lists, right)).fold(0.0, f64::max)
    }

    pub(super) fn list_count(&self) -> usize {
        self.lists.len()
    }

    /// The first cell of a list and its shape.
    pub(super) fn list_shape(&self, list: usize) -> (usize, ListShape) {
        (self.lists[list].first_cell as usize, self.lists[list].shape)
    }

    pub(super) fn cell_terms(&self, cell: usize) -> &[(f64, Term)] {
        let cell = &self.cells[cell];
        &self.terms[cell.first as usize..][..cell.len as usize]
    }

    pub(super) fn cell_value(&self, cell: usize, lists: &[f64], right: &[bool]) -> f64 {
        self.value(&self.cells[cell], lists, right)
    }

    /// The value of the only root.
    pub(super) fn root_value(&self, lists: &[f64], right: &[bool]) -> f64 {
        self.roots.first().map_or(1.0, |root| self.value(root, lists, right))
    }

    fn run_lists(&self, machine: &mut Machine, right: &[bool], solve: fn(&mut Machine, ListShape) -> f64) {
        machine.lists.clear();
        for list in &self.lists {
            let cells = &self.cells[list.first_cell as usize..][..list.shape.n * list.shape.m];
            machine.matrix.clear();
            machine.matrix.extend(cells.iter().map(|cell| quantise(self.value(cell, &machine.lists, right))));
            let score = solve(machine, list.shape);
            machine.lists.push(score);
        }
    }

    fn value(&self, cell: &Cell, lists: &[f64], right: &[bool]) -> f64 {
        self.terms[cell.first as usize..][..cell.len as usize].iter().fold(cell.base, |sum, &(weight, term)| match term
        {
            Term::Reference(reference) => {
                if right[reference as usize] {
                    sum + weight
                } else {
                    sum
                }
            }
            Term::List(list) => sum + weight * lists[list as usize],
        })
    }
}

impl Machine {
    fn exact(&mut self, shape: ListShape) -> f64 {
        let total = match shape.order {
            Order::Align => self.optimal.value(&self.matrix, shape.n, shape.m),
            Order::Fixed => self.monotone.value(&self.matrix, shape.n, shape.m),
        };
        shape.score(total)
    }

    #[cfg(test)]
    fn bound(&mut self, shape: ListShape) -> f64 {
        self.columns.clear();
        self.columns.resize(shape.m, 0);
        let mut by_rows = Total::default();
        for row in self.matrix.chunks_exact(shape.m.max(1)) {
            let mut best = 0;
            for (column, &units) in self.columns.iter_mut().zip(row) {
                best = best.max(units);
                *column = (*column).max(units);
            }
            by_rows = by_rows.with(best);
        }
        let by_columns = self.columns.iter().fold(Total::default(), |total, &units| total.with(units));
        let bound = Total { units: by_rows.units.min(by_columns.units), pairs: by_rows.pairs.min(by_columns.pairs) };
        shape.score(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_state_scores_above_the_bound(
            n in 1_usize..4,
            m in 1_usize..4,
            fixed_order: bool,
            seed in proptest::collection::vec((0.0..0.5_f64, 0..4_u32, 0..4_u32), 9),
            state in proptest::collection::vec(any::<bool>(), 4),
            maybe in proptest::collection::vec(any::<bool>(), 4),
        ) {
            let shape = ListShape {
                n,
                m,
                order: if fixed_order { Order::Fixed } else { Order::Align },
                ignore_excess: false,
                ignore_missing: false,
            };
            let pairs: Vec<Sum> = seed.iter().take(n * m).map(|&(base, a, b)| Sum {
                base: if base < 0.1 { 0.0 } else { base },
                terms: vec![(0.25, Term::Reference(a)), (0.25, Term::Reference(b))],
            }).collect();
            let mut program = Program::default();
            let list = program.add_list(shape, &pairs);
            program.add_root(&Sum::term(list));
            let optimistic: Vec<bool> = state.iter().zip(&maybe).map(|(&right, &maybe)| right || maybe).collect();
            let mut machine = Machine::default();
            let bound = program.bound(&mut machine, &optimistic);
            let exact = program.run(&mut machine, &state)[0];
            prop_assert!(exact <= bound && bound <= 1.0, "{exact} {bound}");
        }
    }
}
