//! Two columns of a sample in groups, sorted and counted once, for statistics that are then asked for again and again with
//! other weights of the groups.
//!
//! Rows that agree in both columns and in the group become one cell with a count; cells of the same `x` stand together in a
//! block, blocks ascending. O(n log n) to build.

use super::ranks::dense_ranks;
use super::wide::{Row, Wide};
use pulp::Simd;

/// The sorted sample.
#[derive(Debug, Clone)]
pub struct Crossed {
    cells: Vec<Cell>,
    levels: usize,
    /// For each level the groups that have rows there, with their numbers.
    of_level: Vec<Vec<(u32, f64)>>,
}

/// Rows of one group that agree in both columns.
#[derive(Debug, Clone, Copy)]
struct Cell {
    count: f64,
    group: u32,
    /// Twice the rank of `y` among its distinct values, from 0; and one more for the last cell of its block.
    place: u32,
}

impl Crossed {
    /// The rows `(x[i], y[i])` of group `groups[i]`.
    ///
    /// # Panics
    ///
    /// The columns differ in length.
    pub fn new(x: &[f64], y: &[f64], groups: &[u32]) -> Self {
        assert!(x.len() == y.len() && x.len() == groups.len(), "columns of one length");
        let (blocks, levels) = (dense_ranks(x), dense_ranks(y));
        let mut rows: Vec<(u32, u32, u32)> = blocks
            .into_iter()
            .zip(&levels)
            .zip(groups)
            .map(|((block, &level), &group)| (block, level, group))
            .collect();
        rows.sort_unstable();
        let mut cells: Vec<Cell> = Vec::new();
        for same in rows.chunk_by(|a, b| a == b) {
            cells.push(Cell { count: same.len() as f64, group: same[0].2, place: 2 * same[0].1 });
        }
        let mut last = 0;
        for block in rows.chunk_by(|a, b| a.0 == b.0) {
            last += block.chunk_by(|a, b| a == b).count();
            cells[last - 1].place += 1;
        }
        let levels = levels.into_iter().max().map_or(0, |level| level as usize + 1);
        let mut of_level = vec![Vec::new(); levels];
        let mut by_level: Vec<(u32, u32)> = rows.iter().map(|row| (row.1, row.2)).collect();
        by_level.sort_unstable();
        for same in by_level.chunk_by(|a, b| a == b) {
            of_level[same[0].0 as usize].push((same[0].1, same.len() as f64));
        }
        Self { cells, levels, of_level }
    }

    /// The weight of each level.
    #[inline(always)]
    pub(super) fn weighted_levels<S: Simd, const N: usize>(
        &self,
        wide: Wide<S, N>,
        times: &[S::f64s],
    ) -> Vec<Row<S, N>> {
        let mut weights = Vec::with_capacity(self.levels);
        for groups in &self.of_level {
            let mut weight = wide.zero();
            for &(group, count) in groups {
                weight = wide.plus_times(&weight, &wide.splat(count), Wide::<S, N>::row(times, group as usize));
            }
            weights.push(weight);
        }
        weights
    }

    /// How many distinct values `y` has.
    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// Whether either column has fewer than two values.
    pub fn is_constant(&self) -> bool {
        self.levels < 2 || self.cells.iter().filter(|cell| cell.place % 2 == 1).count() < 2
    }

    /// How many groups there are, as far as they have rows.
    pub(super) fn groups(&self) -> usize {
        self.cells.iter().map(|cell| cell.group as usize + 1).max().unwrap_or_default()
    }

    /// How many cells there are: what a walk over all of them costs.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The blocks in order, each as its cells: `(level, group, count)`.
    pub(super) fn blocks(&self) -> Vec<Vec<(usize, usize, f64)>> {
        let ends = |cell: &Cell, _: &Cell| cell.place.is_multiple_of(2);
        let of_cell = |cell: &Cell| ((cell.place / 2) as usize, cell.group as usize, cell.count);
        self.cells.chunk_by(ends).map(|block| block.iter().map(of_cell).collect()).collect()
    }

    /// The cells with their weights, in order: `(level, weight, ends_block)`.
    #[inline(always)]
    pub(super) fn weighted_cells<'a, S: Simd, const N: usize>(
        &'a self,
        wide: Wide<S, N>,
        times: &'a [S::f64s],
    ) -> WeightedCells<'a, S, N> {
        WeightedCells { cells: self.cells.iter(), wide, times }
    }
}

/// A walk over the cells; no closure, which would not be compiled for the registers.
pub(super) struct WeightedCells<'a, S: Simd, const N: usize> {
    cells: std::slice::Iter<'a, Cell>,
    wide: Wide<S, N>,
    times: &'a [S::f64s],
}

impl<S: Simd, const N: usize> Iterator for WeightedCells<'_, S, N> {
    type Item = (usize, Row<S, N>, bool);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let cell = self.cells.next()?;
        let times = Wide::<S, N>::row(self.times, cell.group as usize);
        // Nearly all counts are 1.
        let weight = if cell.count == 1.0 { *times } else { self.wide.times(&self.wide.splat(cell.count), times) };
        Some(((cell.place / 2) as usize, weight, cell.place % 2 == 1))
    }
}
