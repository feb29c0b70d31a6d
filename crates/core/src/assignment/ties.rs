//! The tie set of an assignment problem: all assignments that reach the largest total and, among those, the most pairs.
//!
//! By complementary slackness an assignment is optimal exactly when it uses tight edges only, once the matrix is padded to a
//! square with edges of weight 0. So the set is "all perfect matchings of the tight graph", and it is narrowed by restricting
//! rows: to one column, or to nobody (the edges of weight 0). One perfect matching that obeys the decisions is kept as the
//! witness that they can be completed.
//!
//! **Cost.** Building: one assignment and O(N²) for N = max(n, m). A decision: one augmenting path, O(N²) at worst.

use super::optimal::{Solver, TightGraph};

/// What a row is restricted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    To(u32),
    Nobody,
}

/// The tie set, narrowed by decisions.
#[derive(Debug, Clone)]
pub(crate) struct Ties {
    /// Real rows and columns; beyond them is padding.
    rows: usize,
    graph: TightGraph,
    /// Columns that some optimal assignment gives to the row, of positive weight, ascending.
    options: Vec<Vec<u32>>,
    /// Whether some optimal assignment leaves the row unmatched.
    can_be_alone: Vec<bool>,
    restricted: Vec<Option<Choice>>,
    /// The witness.
    column_of: Vec<u32>,
    row_of: Vec<u32>,
}

impl Ties {
    /// The tie set for an n × m matrix of similarities in units.
    pub(crate) fn new(solver: &mut Solver, similarities: &[i64], n: usize, m: usize) -> Self {
        let graph = solver.tight_graph(similarities, n, m);
        let size = graph.size;
        let column_of = graph.column_of.clone();
        let mut row_of = vec![0; size];
        for (row, &column) in column_of.iter().enumerate() {
            row_of[column as usize] = row as u32;
        }
        let component = components(&graph, &row_of);
        let mut options = vec![Vec::new(); n];
        let mut can_be_alone = vec![false; n];
        for row in 0..n {
            for column in 0..size {
                // An edge outside the witness is in some optimal assignment when it closes an alternating cycle.
                let usable = column_of[row] == column as u32
                    || graph.is_tight(row, column) && component[row] == component[row_of[column] as usize];
                if usable {
                    if column < m && similarities[row * m + column] > 0 {
                        options[row].push(column as u32);
                    } else {
                        can_be_alone[row] = true;
                    }
                }
            }
        }
        Self { rows: n, graph, options, can_be_alone, restricted: vec![None; size], column_of, row_of }
    }

    /// Whether there is one optimal assignment only.
    pub(crate) fn is_unique(&self) -> bool {
        self.options.iter().zip(&self.can_be_alone).all(|(options, &alone)| options.len() + usize::from(alone) <= 1)
    }

    /// How many choices a row has that no decision but its own has been looked at for.
    pub(crate) fn width(&self, row: usize) -> usize {
        self.options[row].len() + usize::from(self.can_be_alone[row])
    }

    /// The choices of a row; a later decision elsewhere may have taken some of them.
    pub(crate) fn choices(&self, row: usize) -> impl Iterator<Item = Choice> + '_ {
        let columns = self.options[row].iter().map(|&column| Choice::To(column));
        columns.chain(self.can_be_alone[row].then_some(Choice::Nobody))
    }

    /// What the witness says of a row.
    pub(crate) fn witness(&self, row: usize) -> Choice {
        let column = self.column_of[row];
        if self.options[row].binary_search(&column).is_ok() { Choice::To(column) } else { Choice::Nobody }
    }

    /// Restricts a row, if the decisions can still be completed then; otherwise changes nothing.
    pub(crate) fn decide(&mut self, row: usize, choice: Choice) -> bool {
        let before = self.restricted[row].replace(choice);
        if self.allows(row, self.column_of[row]) || self.augment(row) {
            return true;
        }
        self.restricted[row] = before;
        false
    }

    /// Lifts the restriction of a row. The witness obeys what is left.
    pub(crate) fn release(&mut self, row: usize) {
        self.restricted[row] = None;
    }

    pub(crate) fn is_decided(&self, row: usize) -> bool {
        self.restricted[row].is_some()
    }

    fn allows(&self, row: usize, column: u32) -> bool {
        if !self.graph.is_tight(row, column as usize) {
            return false;
        }
        match self.restricted[row] {
            None => true,
            Some(Choice::To(only)) => column == only,
            Some(Choice::Nobody) => self.options[row].binary_search(&column).is_err(),
        }
    }

    /// Finds another column for `start` along an alternating path that ends at the column it gives up.
    fn augment(&mut self, start: usize) -> bool {
        let size = self.graph.size;
        let target = self.column_of[start];
        let mut reached_from = vec![u32::MAX; size];
        let mut queue = vec![start];
        let mut at = 0;
        while at < queue.len() {
            let row = queue[at];
            at += 1;
            for column in 0..size as u32 {
                if reached_from[column as usize] != u32::MAX || !self.allows(row, column) {
                    continue;
                }
                reached_from[column as usize] = row as u32;
                if column == target {
                    let mut column = column;
                    loop {
                        let row = reached_from[column as usize];
                        let next = std::mem::replace(&mut self.column_of[row as usize], column);
                        self.row_of[column as usize] = row;
                        if row as usize == start {
                            return true;
                        }
                        column = next;
                    }
                }
                queue.push(self.row_of[column as usize] as usize);
            }
        }
        false
    }

    /// How many real rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }
}

/// Strongly connected components of the rows, where a row leads to the owners of its tight columns (Tarjan 1972, with an
/// explicit stack).
fn components(graph: &TightGraph, row_of: &[u32]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let size = graph.size;
    let mut component = vec![NEW; size];
    let mut index = vec![NEW; size];
    let mut low = vec![0; size];
    let mut stack = Vec::new();
    let (mut next_index, mut next_component) = (0, 0);
    for root in 0..size {
        if index[root] != NEW {
            continue;
        }
        let mut path = vec![(root, 0)];
        index[root] = next_index;
        low[root] = next_index;
        next_index += 1;
        stack.push(root);
        while let Some(&mut (row, ref mut column)) = path.last_mut() {
            if *column < size {
                let at = *column;
                *column += 1;
                if !graph.is_tight(row, at) {
                    continue;
                }
                let next = row_of[at] as usize;
                if index[next] == NEW {
                    index[next] = next_index;
                    low[next] = next_index;
                    next_index += 1;
                    stack.push(next);
                    path.push((next, 0));
                } else if component[next] == NEW {
                    low[row] = low[row].min(index[next]);
                }
            } else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[row]);
                }
                if low[row] == index[row] {
                    while let Some(member) = stack.pop() {
                        component[member] = next_component;
                        if member == row {
                            break;
                        }
                    }
                    next_component += 1;
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::Total;
    use crate::fixed::ONE;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// All optimal assignments by trying all.
    fn brute(similarities: &[i64], n: usize, m: usize) -> BTreeSet<Vec<Option<u32>>> {
        fn go(
            similarities: &[i64],
            m: usize,
            row: usize,
            n: usize,
            total: Total,
            chosen: &mut Vec<Option<u32>>,
            all: &mut Vec<(Total, Vec<Option<u32>>)>,
        ) {
            if row == n {
                all.push((total, chosen.clone()));
                return;
            }
            chosen.push(None);
            go(similarities, m, row + 1, n, total, chosen, all);
            chosen.pop();
            for column in 0..m {
                let units = similarities[row * m + column];
                if units > 0 && !chosen.contains(&Some(column as u32)) {
                    chosen.push(Some(column as u32));
                    go(similarities, m, row + 1, n, total.with(units), chosen, all);
                    chosen.pop();
                }
            }
        }
        let mut all = Vec::new();
        go(similarities, m, 0, n, Total::default(), &mut Vec::new(), &mut all);
        let best = all.iter().map(|(total, _)| *total).max().unwrap_or_default();
        all.into_iter().filter(|(total, _)| *total == best).map(|(_, chosen)| chosen).collect()
    }

    /// All completions of a tie set by deciding row after row.
    fn enumerate(ties: &mut Ties, row: usize, chosen: &mut Vec<Option<u32>>, found: &mut BTreeSet<Vec<Option<u32>>>) {
        if row == ties.rows() {
            assert!(found.insert(chosen.clone()), "met twice: {chosen:?}");
            return;
        }
        let choices: Vec<Choice> = ties.choices(row).collect();
        for choice in choices {
            if ties.decide(row, choice) {
                assert_eq!(ties.witness(row), choice);
                chosen.push(match choice {
                    Choice::To(column) => Some(column),
                    Choice::Nobody => None,
                });
                enumerate(ties, row + 1, chosen, found);
                chosen.pop();
                ties.release(row);
            }
        }
    }

    proptest! {
        #[test]
        fn decisions_enumerate_exactly_the_optimal_assignments(
            (n, m, similarities) in (0_usize..5, 0_usize..5).prop_flat_map(|(n, m)| {
                (Just(n), Just(m), proptest::collection::vec((0_i64..3).prop_map(|halves| halves * ONE / 2), n * m))
            })
        ) {
            let expected = brute(&similarities, n, m);
            let mut ties = Ties::new(&mut Solver::default(), &similarities, n, m);
            prop_assert_eq!(ties.is_unique(), expected.len() == 1);
            let mut found = BTreeSet::new();
            enumerate(&mut ties, 0, &mut Vec::new(), &mut found);
            prop_assert_eq!(found, expected);
        }
    }
}
