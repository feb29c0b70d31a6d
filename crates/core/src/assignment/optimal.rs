//! The rectangular assignment problem with a lexicographic objective.
//!
//! Given similarities of n rows and m columns, find a matching of largest total similarity and, among those, one with the
//! most pairs of positive similarity. Ties that remain are settled by position: the result depends on nothing but the
//! matrix.
//!
//! **Cost.** O(min² max) time, O(n m) memory. Rows whose best column is free are settled in one scan, so lists that mostly
//! agree take O(n m).
//!
//! **Source.** Shortest augmenting paths with dual variables in the rectangular form of D. F. Crouse, *On implementing 2D
//! rectangular assignment algorithms*, IEEE Transactions on Aerospace and Electronic Systems 52(4), 2016 (after Jonker and
//! Volgenant 1987). The lexicographic objective is folded into one integer weight, `units * (min + 1) + [units > 0]`: no
//! number of pairs can outweigh one unit of similarity. An `i64` holds that up to 2^19 rows: while a row
//! is matched some column is free, its dual is 0, and the direct way to it bounds every distance and every dual by the largest
//! weight, so nothing exceeds six times 2^40 * (min + 1).

use super::Total;

/// The solver and its scratch space, reused from one matrix to the next.
#[derive(Debug, Default)]
pub(crate) struct Solver {
    scratch: Scratch,
    matched: Vec<Option<u32>>,
}

impl Solver {
    /// Solves for `similarities`, an n × m matrix in row order of units in [0, 2^40].
    ///
    /// Returns for each row its column, if any, and the value of the matching.
    pub(crate) fn solve(&mut self, similarities: &[i64], n: usize, m: usize) -> (&[Option<u32>], Total) {
        debug_assert_eq!(similarities.len(), n * m);
        self.scratch.solve(similarities, n, m);
        self.scratch.read(similarities, n, m, &mut self.matched);
        let total = self
            .matched
            .iter()
            .enumerate()
            .filter_map(|(row, column)| column.map(|column| similarities[row * m + column as usize]))
            .fold(Total::default(), Total::with);
        (&self.matched, total)
    }

    /// What [`Solver::solve`] found last: for each row its column, if any.
    pub(crate) fn last(&self) -> &[Option<u32>] {
        &self.matched
    }
}

impl Solver {
    /// The value of the best matching alone. Small matrices, of which lists within lists make many, are tried through.
    pub(crate) fn value(&mut self, similarities: &[i64], n: usize, m: usize) -> Total {
        if n.min(m) <= 3 && n.max(m) <= 4 { try_all(similarities, n, m) } else { self.solve(similarities, n, m).1 }
    }
}

/// Tries every way to give each row (column, if those are fewer) of at most three a partner of its own. Leaving one alone
/// is never better: similarities are not negative, and one of 0 is no pair.
fn try_all(similarities: &[i64], n: usize, m: usize) -> Total {
    let (rows, columns) = (n.min(m), n.max(m));
    let at = |row: usize, column: usize| similarities[if n <= m { row * m + column } else { column * m + row }];
    let mut best = Total::default();
    if rows == 0 {
        return best;
    }
    for first in 0..columns {
        let one = Total::default().with(at(0, first));
        if rows == 1 {
            best = best.max(one);
            continue;
        }
        for second in (0..columns).filter(|&second| second != first) {
            let two = one.with(at(1, second));
            if rows == 2 {
                best = best.max(two);
                continue;
            }
            for third in (0..columns).filter(|&third| third != first && third != second) {
                best = best.max(two.with(at(2, third)));
            }
        }
    }
    best
}

/// The matrix padded to a square, and which of its edges an optimal assignment may use.
#[derive(Debug, Clone)]
pub(crate) struct TightGraph {
    pub(crate) size: usize,
    /// One optimal assignment; padding included, every row has a column.
    pub(crate) column_of: Vec<u32>,
    tight: Vec<u64>,
}

impl TightGraph {
    pub(crate) fn is_tight(&self, row: usize, column: usize) -> bool {
        let at = row * self.size + column;
        self.tight[at / 64] & (1 << (at % 64)) != 0
    }
}

impl Solver {
    /// Solves for the matrix padded with zeros to a square, and tells by the duals which edges are tight: an assignment of
    /// all rows is optimal exactly when all its edges are.
    pub(crate) fn tight_graph(&mut self, similarities: &[i64], n: usize, m: usize) -> TightGraph {
        let size = n.max(m);
        let mut padded = vec![0; size * size];
        for (row, units) in similarities.chunks_exact(m.max(1)).enumerate() {
            padded[row * size..][..units.len()].copy_from_slice(units);
        }
        self.scratch.solve(&padded, size, size);
        self.scratch.tight_graph(size)
    }
}

/// Beyond this many rows of the smaller side weights could overflow; the matrix alone would take terabytes.
const MOST_ROWS: usize = 1 << 19;

/// The weight of a pair: similarity first, then the pair itself.
fn weigh(units: i64, scale: i64) -> i64 {
    units * scale + i64::from(units > 0)
}

const FREE: u32 = u32::MAX;

/// The state of one solve; `rows` are the smaller side.
#[derive(Debug, Default)]
struct Scratch {
    /// Costs (negated weights), rows × columns.
    costs: Vec<i64>,
    row_dual: Vec<i64>,
    column_dual: Vec<i64>,
    column_of: Vec<u32>,
    row_of: Vec<u32>,
    distance: Vec<i64>,
    /// The row from which the shortest path enters a column.
    previous: Vec<u32>,
    /// Columns that the search has not reached yet.
    open: Vec<u32>,
    /// Columns of the finished part of the search tree, in the order they were reached.
    done: Vec<u32>,
}

impl Scratch {
    fn solve(&mut self, similarities: &[i64], n: usize, m: usize) {
        let (rows, columns) = (n.min(m), n.max(m));
        assert!(rows <= MOST_ROWS, "lists of more than {MOST_ROWS} items cannot be matched in any order");
        let scale = i64::from(rows as u32) + 1;
        self.costs.clear();
        if n <= m {
            self.costs.extend(similarities.iter().map(|&units| -weigh(units, scale)));
        } else {
            for row in 0..rows {
                self.costs.extend((0..columns).map(|column| -weigh(similarities[column * m + row], scale)));
            }
        }
        reset(&mut self.row_dual, rows, 0);
        reset(&mut self.column_dual, columns, 0);
        reset(&mut self.column_of, rows, FREE);
        reset(&mut self.row_of, columns, FREE);
        reset(&mut self.distance, columns, 0);
        reset(&mut self.previous, columns, FREE);
        for row in 0..rows {
            self.take_best_if_free(row, columns);
        }
        for row in 0..rows {
            if self.column_of[row] == FREE {
                self.augment(row, columns);
            }
        }
    }

    /// Sets the dual of a row to its least cost and takes a free column of that cost, if there is one.
    fn take_best_if_free(&mut self, row: usize, columns: usize) {
        let mut least = i64::MAX;
        let mut free = FREE;
        for (column, &cost) in self.costs[row * columns..][..columns].iter().enumerate() {
            if cost < least {
                least = cost;
                free = FREE;
            }
            if cost == least && free == FREE && self.row_of[column] == FREE {
                free = column as u32;
            }
        }
        self.row_dual[row] = least;
        if free != FREE {
            self.column_of[row] = free;
            self.row_of[free as usize] = row as u32;
        }
    }

    /// Matches `start` along a shortest augmenting path and updates the duals.
    fn augment(&mut self, start: usize, columns: usize) {
        for distance in &mut self.distance {
            *distance = i64::MAX;
        }
        self.open.clear();
        self.open.extend(0..columns as u32);
        self.done.clear();
        let mut row = start;
        let mut reached = 0;
        let end = loop {
            let base = reached - self.row_dual[row];
            let costs = &self.costs[row * columns..][..columns];
            let mut least = i64::MAX;
            let mut best = 0;
            for (place, &column) in self.open.iter().enumerate() {
                let column = column as usize;
                let distance = base + costs[column] - self.column_dual[column];
                if distance < self.distance[column] {
                    self.distance[column] = distance;
                    self.previous[column] = row as u32;
                }
                let distance = self.distance[column];
                let free = self.row_of[column] == FREE;
                let ahead = distance < least
                    // Among equals a free column ends the search at once; then the leftmost, so that the order in
                    // which columns left the open list does not show.
                    || distance == least && {
                        let rival = self.open[best] as usize;
                        let rival_free = self.row_of[rival] == FREE;
                        free && !rival_free || free == rival_free && column < rival
                    };
                if ahead {
                    least = distance;
                    best = place;
                }
            }
            reached = least;
            let column = self.open.swap_remove(best);
            let owner = self.row_of[column as usize];
            if owner == FREE {
                break column as usize;
            }
            self.done.push(column);
            row = owner as usize;
        };
        self.row_dual[start] += reached;
        for &column in &self.done {
            let column = column as usize;
            let slack = reached - self.distance[column];
            self.row_dual[self.row_of[column] as usize] += slack;
            self.column_dual[column] -= slack;
        }
        let mut column = end;
        loop {
            let row = self.previous[column] as usize;
            self.row_of[column] = row as u32;
            let next = std::mem::replace(&mut self.column_of[row], column as u32);
            if row == start {
                break;
            }
            column = next as usize;
        }
    }

    fn tight_graph(&self, size: usize) -> TightGraph {
        let mut tight = vec![0_u64; (size * size).div_ceil(64)];
        for row in 0..size {
            for column in 0..size {
                let at = row * size + column;
                if self.costs[at] - self.row_dual[row] == self.column_dual[column] {
                    tight[at / 64] |= 1 << (at % 64);
                }
            }
        }
        TightGraph { size, column_of: self.column_of.clone(), tight }
    }

    /// The matching in the caller's orientation, without pairs of similarity 0.
    fn read(&self, similarities: &[i64], n: usize, m: usize, matched: &mut Vec<Option<u32>>) {
        matched.clear();
        let column_of = if n <= m { &self.column_of } else { &self.row_of };
        matched.extend((0..n).map(|row| {
            let column = column_of[row];
            (column != FREE && similarities[row * m + column as usize] > 0).then_some(column)
        }));
    }
}

fn reset<T: Copy>(scratch: &mut Vec<T>, len: usize, value: T) {
    scratch.clear();
    scratch.resize(len, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::ONE;
    use proptest::prelude::*;

    fn brute(similarities: &[i64], n: usize, m: usize, row: usize, used: u32) -> Total {
        if row == n {
            return Total::default();
        }
        let mut best = brute(similarities, n, m, row + 1, used);
        for column in (0..m).filter(|column| used & (1 << column) == 0) {
            let rest = brute(similarities, n, m, row + 1, used | 1 << column);
            best = best.max(rest.with(similarities[row * m + column]));
        }
        best
    }

    fn check(similarities: &[i64], n: usize, m: usize) -> Total {
        let mut solver = Solver::default();
        let (matched, total) = solver.solve(similarities, n, m);
        assert_eq!(matched.len(), n);
        let mut columns: Vec<u32> = matched.iter().flatten().copied().collect();
        columns.sort_unstable();
        let all = columns.len();
        columns.dedup();
        assert_eq!(columns.len(), all, "a column was used twice");
        assert_eq!(total.pairs as usize, all);
        assert_eq!(solver.value(similarities, n, m), total);
        total
    }

    #[test]
    fn more_pairs_win_among_equal_totals() {
        let half = ONE / 2;
        // 1 + 0 against 1/2 + 1/2: the same total, two pairs instead of one.
        assert_eq!(check(&[ONE, half, half, 0], 2, 2), Total { units: ONE, pairs: 2 });
        // One unit more of similarity beats any number of pairs.
        assert_eq!(check(&[ONE, half, half - 1, 0], 2, 2), Total { units: ONE, pairs: 1 });
    }

    #[test]
    fn empty_sides_and_zero_matrices() {
        assert_eq!(check(&[], 0, 0), Total::default());
        assert_eq!(check(&[], 0, 3), Total::default());
        assert_eq!(check(&[], 3, 0), Total::default());
        assert_eq!(check(&[0; 6], 2, 3), Total::default());
    }

    #[test]
    fn a_full_scale_matrix_does_not_overflow() {
        let n = 300;
        let ones = vec![ONE; n * n];
        assert_eq!(check(&ones, n, n), Total::of_equals(n));
        // Every row prefers the same column, in a chain: the longest augmenting paths.
        let chain: Vec<i64> =
            (0..300).flat_map(|row| (0..300).map(move |column| if column <= row { ONE - column } else { 0 })).collect();
        assert_eq!(check(&chain, n, n).pairs, n as u32);
    }

    proptest! {
        #[test]
        fn agrees_with_brute_force(
            (n, m, similarities) in (0_usize..6, 0_usize..6).prop_flat_map(|(n, m)| {
                let entry = prop_oneof![
                    3 => (0_i64..4).prop_map(|quarters| quarters * ONE / 4),
                    1 => Just(ONE),
                    1 => 0..=ONE,
                ];
                (Just(n), Just(m), proptest::collection::vec(entry, n * m))
            })
        ) {
            prop_assert_eq!(check(&similarities, n, m), brute(&similarities, n, m, 0, 0));
        }

        #[test]
        fn the_value_does_not_depend_on_the_order(
            (similarities, rows, columns) in (1_usize..8, 1_usize..8).prop_flat_map(|(n, m)| {
                (
                    proptest::collection::vec((0_i64..5).prop_map(|fifths| fifths * ONE / 5), n * m),
                    Just((0..n).collect::<Vec<_>>()).prop_shuffle(),
                    Just((0..m).collect::<Vec<_>>()).prop_shuffle(),
                )
            })
        ) {
            let (n, m) = (rows.len(), columns.len());
            let at = |row: usize| columns.iter().map(move |column| row * m + column);
            let shuffled: Vec<i64> = rows.iter().flat_map(|&row| at(row)).map(|place| similarities[place]).collect();
            prop_assert_eq!(check(&similarities, n, m), check(&shuffled, n, m));
        }
    }
}
