//! Two columns of a sample in groups, sorted and counted once, for statistics that are then asked for again and again with
//! other weights of the groups.
//!
//! Rows that agree in both columns and in the group become one cell with a count; cells that agree in both columns stand
//! together in a run; runs of the same `x` stand together in a block, blocks ascending. O(n log n) to build.

use super::ranks::dense_ranks;
use super::wide::{Row, Wide};
use pulp::Simd;

/// The sorted sample.
#[derive(Debug, Clone)]
pub struct Crossed {
    cells: Vec<Cell>,
    runs: Vec<Run>,
    levels: usize,
    /// For each level the groups that have rows there, with their numbers.
    of_level: Vec<Vec<(u32, f64)>>,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    group: u32,
    count: f64,
}

#[derive(Debug, Clone, Copy)]
struct Run {
    /// Where its cells end; they begin where those of the run before end.
    end: u32,
    /// The rank of `y` among its distinct values, from 0.
    level: u32,
    /// Whether it is the last of its block.
    ends_block: bool,
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
        let (mut cells, mut runs): (Vec<Cell>, Vec<Run>) = (Vec::new(), Vec::new());
        for (at, &row) in rows.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| rows[at]);
            if before == Some(row) {
                if let Some(cell) = cells.last_mut() {
                    cell.count += 1.0;
                }
                continue;
            }
            if before.is_none_or(|before| (before.0, before.1) != (row.0, row.1)) {
                if let (Some(last), Some(before)) = (runs.last_mut(), before) {
                    last.ends_block = before.0 != row.0;
                }
                runs.push(Run { end: 0, level: row.1, ends_block: true });
            }
            cells.push(Cell { group: row.2, count: 1.0 });
            if let Some(run) = runs.last_mut() {
                run.end = cells.len() as u32;
            }
        }
        let levels = levels.into_iter().max().map_or(0, |level| level as usize + 1);
        let mut of_level = vec![Vec::new(); levels];
        let mut by_level: Vec<(u32, u32)> = rows.iter().map(|row| (row.1, row.2)).collect();
        by_level.sort_unstable();
        for same in by_level.chunk_by(|a, b| a == b) {
            of_level[same[0].0 as usize].push((same[0].1, same.len() as f64));
        }
        Self { cells, runs, levels, of_level }
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
        self.levels < 2 || self.runs.iter().filter(|run| run.ends_block).count() < 2
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
        let (mut blocks, mut block, mut start) = (Vec::new(), Vec::new(), 0);
        for run in &self.runs {
            let cells = &self.cells[start..run.end as usize];
            block.extend(cells.iter().map(|cell| (run.level as usize, cell.group as usize, cell.count)));
            start = run.end as usize;
            if run.ends_block {
                blocks.push(std::mem::take(&mut block));
            }
        }
        blocks
    }

    /// The runs with their weights, in order: `(level, weight, ends_block)`.
    #[inline(always)]
    pub(super) fn weighted_runs<'a, S: Simd, const N: usize>(
        &'a self,
        wide: Wide<S, N>,
        times: &'a [S::f64s],
    ) -> WeightedRuns<'a, S, N> {
        WeightedRuns { crossed: self, wide, times, run: 0, cell: 0 }
    }
}

/// A walk over the runs; no closure, which would not be compiled for the registers.
pub(super) struct WeightedRuns<'a, S: Simd, const N: usize> {
    crossed: &'a Crossed,
    wide: Wide<S, N>,
    times: &'a [S::f64s],
    run: usize,
    cell: usize,
}

impl<S: Simd, const N: usize> Iterator for WeightedRuns<'_, S, N> {
    type Item = (usize, Row<S, N>, bool);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let run = self.crossed.runs.get(self.run)?;
        let mut weight = self.wide.zero();
        for cell in &self.crossed.cells[self.cell..run.end as usize] {
            let times = Wide::<S, N>::row(self.times, cell.group as usize);
            // Nearly all counts are 1.
            weight = if cell.count == 1.0 {
                self.wide.add(&weight, times)
            } else {
                self.wide.plus_times(&weight, &self.wide.splat(cell.count), times)
            };
        }
        self.run += 1;
        self.cell = run.end as usize;
        Some((run.level as usize, weight, run.ends_block))
    }
}
