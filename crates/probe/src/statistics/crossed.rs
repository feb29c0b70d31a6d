//! Two columns of a sample in groups, sorted and counted once, for statistics that are then asked for again and again with
//! other weights of the groups.
//!
//! Rows that agree in both columns and in the group become one cell with a count; cells that agree in both columns stand
//! together in a run; runs of the same `x` stand together in a block, blocks ascending. O(n log n) to build.

use super::ranks::dense_ranks;
use super::{LANES, Lanes};

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
    pub(super) fn weighted_levels(&self, times: &[Lanes]) -> Vec<Lanes> {
        let weight = |groups: &Vec<(u32, f64)>| {
            let mut weight = [0.0; LANES];
            for &(group, count) in groups {
                for (weight, times) in weight.iter_mut().zip(&times[group as usize]) {
                    *weight += count * times;
                }
            }
            weight
        };
        self.of_level.iter().map(weight).collect()
    }

    /// How many distinct values `y` has.
    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// Whether either column has fewer than two values.
    pub fn is_constant(&self) -> bool {
        self.levels < 2 || self.runs.iter().filter(|run| run.ends_block).count() < 2
    }

    /// The runs with their weights, in order: `(level, weight, ends_block)`.
    #[inline(always)]
    pub(super) fn weighted_runs<'a>(&'a self, times: &'a [Lanes]) -> impl Iterator<Item = (usize, Lanes, bool)> + 'a {
        let mut start = 0;
        self.runs.iter().map(move |run| {
            let mut weight = [0.0; LANES];
            for cell in &self.cells[start..run.end as usize] {
                let times = &times[cell.group as usize];
                for (weight, times) in weight.iter_mut().zip(times) {
                    *weight += cell.count * times;
                }
            }
            start = run.end as usize;
            (run.level as usize, weight, run.ends_block)
        })
    }
}
