//! The bound of a program, kept up to date while references are settled and unsettled one by one.
//!
//! A decision changes few references, and a reference stands in few pair scores: so pair scores are kept, with the best of
//! each row and column of their list and how often it occurs, and only what a change touches is computed again.
//!
//! **Cost.** A change: the pair scores that mention the reference, and a row or column of its list where the last best entry
//! is lost. Memory linear in the program.

use super::program::{Program, Term};
use crate::assignment::Total;
use crate::fixed::quantise;
use std::collections::BTreeSet;

/// A program and the state of its references.
#[derive(Debug)]
pub(super) struct Bounds<'p> {
    program: &'p Program,
    right: Vec<bool>,
    /// For each reference the cells that mention it: `cells_of_reference[starts[k]..starts[k + 1]]`.
    cells_of_reference: Vec<u32>,
    starts: Vec<u32>,
    /// For each inner list the cells that mention it.
    cells_of_list: Vec<Vec<u32>>,
    /// The list of each cell.
    list_of: Vec<u32>,
    units: Vec<i64>,
    lists: Vec<ListBounds>,
    scores: Vec<f64>,
    is_stale: Vec<bool>,
    stale_cells: Vec<Vec<u32>>,
    stale_lists: BTreeSet<u32>,
}

/// The best entries along one direction of a list.
#[derive(Debug, Clone, Default)]
struct Best {
    units: i64,
    times: u32,
}

impl Best {
    /// Takes note that an entry changed; whether the best must be searched for again.
    fn change(&mut self, old: i64, new: i64) -> bool {
        if new > self.units {
            *self = Self { units: new, times: 1 };
            return false;
        }
        if new == self.units {
            self.times += 1;
        }
        if old == self.units {
            self.times -= 1;
        }
        self.times == 0
    }

    fn of(entries: impl Iterator<Item = i64>) -> Self {
        entries.fold(Self { units: -1, times: 0 }, |best, units| {
            if units > best.units {
                Self { units, times: 1 }
            } else {
                Self { times: best.times + u32::from(units == best.units), ..best }
            }
        })
    }
}

#[derive(Debug, Clone, Default)]
struct ListBounds {
    rows: Vec<Best>,
    columns: Vec<Best>,
}

impl<'p> Bounds<'p> {
    /// All references count as right.
    pub(super) fn new(program: &'p Program, references: usize) -> Self {
        let cells = program.size();
        let mut starts = vec![0_u32; references + 1];
        let mut cells_of_list = vec![Vec::new(); program.list_count()];
        for cell in 0..cells {
            for &(_, term) in program.cell_terms(cell) {
                match term {
                    Term::Reference(reference) => starts[reference as usize + 1] += 1,
                    Term::List(list) => cells_of_list[list as usize].push(cell as u32),
                }
            }
        }
        for reference in 0..references {
            starts[reference + 1] += starts[reference];
        }
        let mut next = starts.clone();
        let mut cells_of_reference = vec![0; starts[references] as usize];
        for cell in 0..cells {
            for &(_, term) in program.cell_terms(cell) {
                if let Term::Reference(reference) = term {
                    cells_of_reference[next[reference as usize] as usize] = cell as u32;
                    next[reference as usize] += 1;
                }
            }
        }
        let mut bounds = Self {
            program,
            right: vec![true; references],
            cells_of_reference,
            starts,
            cells_of_list,
            list_of: vec![0; cells],
            units: vec![0; cells],
            lists: vec![ListBounds::default(); program.list_count()],
            scores: vec![0.0; program.list_count()],
            is_stale: vec![false; cells],
            stale_cells: vec![Vec::new(); program.list_count()],
            stale_lists: BTreeSet::new(),
        };
        for list in 0..program.list_count() {
            let (first, shape) = program.list_shape(list);
            for cell in first..first + shape.n * shape.m {
                bounds.list_of[cell] = list as u32;
                bounds.units[cell] = quantise(program.cell_value(cell, &bounds.scores, &bounds.right));
            }
            let at = |row: usize, column: usize| bounds.units[first + row * shape.m + column];
            let rows = (0..shape.n).map(|row| Best::of((0..shape.m).map(|column| at(row, column)))).collect();
            let columns = (0..shape.m).map(|column| Best::of((0..shape.n).map(|row| at(row, column)))).collect();
            bounds.lists[list] = ListBounds { rows, columns };
            bounds.scores[list] = bounds.list_bound(list);
        }
        bounds
    }

    /// A pair score of a list as of the last bound, in units.
    pub(super) fn units(&self, list: usize, row: usize, column: usize) -> i64 {
        let (first, shape) = self.program.list_shape(list);
        self.units[first + row * shape.m + column]
    }

    pub(super) fn right(&self) -> &[bool] {
        &self.right
    }

    /// Says whether a reference is right or could be; returns what was said before.
    pub(super) fn set(&mut self, reference: u32, right: bool) -> bool {
        let before = std::mem::replace(&mut self.right[reference as usize], right);
        if before != right {
            let range = self.starts[reference as usize] as usize..self.starts[reference as usize + 1] as usize;
            for at in range {
                self.touch(self.cells_of_reference[at]);
            }
        }
        before
    }

    fn touch(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.is_stale[cell as usize], true) {
            let list = self.list_of[cell as usize];
            self.stale_cells[list as usize].push(cell);
            self.stale_lists.insert(list);
        }
    }

    /// The bound on the value of the only root.
    pub(super) fn bound(&mut self) -> f64 {
        // Inner lists come before outer ones.
        while let Some(list) = self.stale_lists.pop_first() {
            self.refresh(list as usize);
        }
        self.program.root_value(&self.scores, &self.right)
    }

    fn refresh(&mut self, list: usize) {
        let (first, shape) = self.program.list_shape(list);
        let mut cells = std::mem::take(&mut self.stale_cells[list]);
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        for cell in cells.drain(..) {
            let at = cell as usize;
            self.is_stale[at] = false;
            let new = quantise(self.program.cell_value(at, &self.scores, &self.right));
            let old = std::mem::replace(&mut self.units[at], new);
            if old == new {
                continue;
            }
            let (row, column) = ((at - first) / shape.m, (at - first) % shape.m);
            if self.lists[list].rows[row].change(old, new) {
                rows.push(row);
            }
            if self.lists[list].columns[column].change(old, new) {
                columns.push(column);
            }
        }
        self.stale_cells[list] = cells;
        for row in rows {
            let start = first + row * shape.m;
            self.lists[list].rows[row] = Best::of(self.units[start..start + shape.m].iter().copied());
        }
        for column in columns {
            let entries = (0..shape.n).map(|row| self.units[first + row * shape.m + column]);
            self.lists[list].columns[column] = Best::of(entries);
        }
        let score = self.list_bound(list);
        if score != self.scores[list] {
            self.scores[list] = score;
            for at in 0..self.cells_of_list[list].len() {
                self.touch(self.cells_of_list[list][at]);
            }
        }
    }

    fn list_bound(&self, list: usize) -> f64 {
        let sum = |best: &[Best]| best.iter().fold(Total::default(), |total, best| total.with(best.units.max(0)));
        let (rows, columns) = (sum(&self.lists[list].rows), sum(&self.lists[list].columns));
        let total = Total { units: rows.units.min(columns.units), pairs: rows.pairs.min(columns.pairs) };
        self.program.list_shape(list).1.score(total)
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::{ListShape, Machine, Sum};
    use super::*;
    use crate::schema::plan::Order;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn changes_lead_where_a_fresh_computation_does(
            n in 1_usize..4,
            m in 1_usize..4,
            cells in proptest::collection::vec((0.0..0.5_f64, 0..5_u32, 0..5_u32), 9),
            changes in proptest::collection::vec((0..5_u32, any::<bool>()), 0..40),
        ) {
            let shape = ListShape { n, m, order: Order::Align, ignore_excess: false, ignore_missing: false };
            let mut program = Program::default();
            // A list of references within a list of such lists.
            let inner = program.add_list(
                ListShape { n: 1, m: 2, ..shape },
                &[Sum::term(Term::Reference(0)), Sum::term(Term::Reference(1))],
            );
            let pairs: Vec<Sum> = cells.iter().take(n * m).map(|&(base, a, b)| Sum {
                base,
                terms: vec![(0.2, Term::Reference(a)), (0.2, Term::Reference(b)), (0.1, inner)],
            }).collect();
            let outer = program.add_list(shape, &pairs);
            program.add_root(&Sum::term(outer));
            let mut bounds = Bounds::new(&program, 5);
            let mut state = vec![true; 5];
            let mut machine = Machine::default();
            for (reference, right) in changes {
                bounds.set(reference, right);
                state[reference as usize] = right;
                prop_assert_eq!(bounds.bound(), program.bound(&mut machine, &state));
            }
        }
    }
}
