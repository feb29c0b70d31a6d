//! Colour refinement (one-dimensional Weisfeiler-Leman).
//!
//! *Contract.* [`Scratch::refine`] turns an ordered partition into the coarsest
//! equitable one that is finer: any two vertices of a cell have, for each kind
//! of arc and each cell, the same number of arcs of that kind into that cell.
//! Isomorphic inputs give the same ordered partition and the same sequence of
//! trace events: everything below is decided by kinds, counts and positions of
//! cells in the order, and by nothing that depends on vertex numbers or on the
//! order of elements inside a cell. A cell splits by ascending count, and among
//! fragments of the largest size it is the first that is not queued.
//!
//! *Complexity.* `O((n + m) log n)` splitting work, as each vertex leaves the
//! queue `O(log n)` times; touched cells are brought into order by sorting,
//! which costs another logarithm of the number of cells one splitter touches.
//!
//! *Source.* Hopcroft (1971); Paige and Tarjan (1987); `McKay` and Piperno,
//! "Practical graph isomorphism, II" (2014), for the trace.

use std::collections::VecDeque;

use super::arcs::{Arc, Arcs};
use super::partition::Partition;

/// Receives what refinement sees, in an order that isomorphism preserves.
pub(crate) trait Trace {
    /// One event; `false` asks refinement to stop.
    fn event(&mut self, hash: u64) -> bool;
}

/// Folds all events into one number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Folded(pub(crate) u64);

impl Trace for Folded {
    fn event(&mut self, hash: u64) -> bool {
        self.0 = mix(self.0, hash);
        true
    }
}

/// Scrambles two numbers into one.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b;
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 32)
}

fn mix2(a: u64, b: u32, c: u32) -> u64 {
    mix(a, (u64::from(b) << 32) | u64::from(c))
}

/// Buffers of refinement, reused between calls. Between calls all counters are
/// zero and the queue is empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// By vertex: arcs of the present kind from the splitter.
    count: Vec<u32>,
    /// By cell start: how many of its vertices have a count.
    touched: Vec<u32>,
    /// Starts of the cells with `touched` above zero.
    touched_cells: Vec<u32>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    gathered: Vec<Arc>,
    by_kind: Vec<Arc>,
    kind_slots: Vec<u32>,
    kinds_seen: Vec<u32>,
    buckets: Vec<u32>,
    reordered: Vec<u32>,
    /// Starts of the fragments of the cell that is being split.
    fragments: Vec<u32>,
}

impl Scratch {
    fn fit(&mut self, n: usize, kinds: usize) {
        if self.count.len() < n {
            self.count.resize(n, 0);
            self.touched.resize(n, 0);
            self.queued.resize(n, false);
        }
        if self.kind_slots.len() < kinds {
            self.kind_slots.resize(kinds, 0);
        }
    }

    /// Refines from all cells; `false` when the trace asked to stop, and then
    /// the partition is some refinement of the given one, to be undone.
    pub(crate) fn refine_all<T: Trace>(&mut self, arcs: &Arcs, partition: &mut Partition, trace: &mut T) -> bool {
        self.fit(arcs.len(), arcs.kinds() as usize);
        for start in partition.starts() {
            self.enqueue(start, partition.length(start));
            trace.event(mix2(1, start, partition.length(start)));
        }
        self.refine(arcs, partition, trace)
    }

    /// Makes `v` a cell of its own in an equitable partition, and refines.
    pub(crate) fn refine_at<T: Trace>(
        &mut self,
        arcs: &Arcs,
        partition: &mut Partition,
        v: u32,
        trace: &mut T,
    ) -> bool {
        self.fit(arcs.len(), arcs.kinds() as usize);
        let start = partition.individualise(v);
        if !trace.event(mix2(2, partition.cell_of(v), start)) {
            return false;
        }
        // The partition was equitable, so the rest of the old cell would tell
        // nothing that the single vertex does not.
        self.enqueue(start, 1);
        self.refine(arcs, partition, trace)
    }

    fn enqueue(&mut self, start: u32, length: u32) {
        self.queued[start as usize] = true;
        // Single vertices are the cheapest splitters and cut the finest.
        if length == 1 {
            self.queue.push_front(start);
        } else {
            self.queue.push_back(start);
        }
    }

    fn clear_queue(&mut self) {
        for start in self.queue.drain(..) {
            self.queued[start as usize] = false;
        }
    }

    fn refine<T: Trace>(&mut self, arcs: &Arcs, partition: &mut Partition, trace: &mut T) -> bool {
        while let Some(splitter) = self.queue.pop_front() {
            self.queued[splitter as usize] = false;
            if partition.is_discrete() {
                break;
            }
            let cell = partition.cell(splitter);
            let going_on = if let [v] = *cell {
                self.split_by_row(arcs.row(v), splitter, partition, trace)
            } else {
                // All arcs are gathered before anything is split, so that the
                // splitter may split itself and still counts as used in full.
                let row = self.gather(arcs, cell);
                let going_on = self.split_by_row(&row, splitter, partition, trace);
                self.by_kind = row;
                going_on
            };
            if !going_on {
                self.clear_queue();
                return false;
            }
        }
        self.clear_queue();
        trace.event(mix2(3, partition.cells() as u32, 0))
    }

    /// All arcs of the vertices of a cell, ordered by kind only.
    fn gather(&mut self, arcs: &Arcs, cell: &[u32]) -> Vec<Arc> {
        let mut result = std::mem::take(&mut self.by_kind);
        result.clear();
        if arcs.kinds() <= 1 {
            for &v in cell {
                result.extend_from_slice(arcs.row(v));
            }
            return result;
        }
        self.gathered.clear();
        for &v in cell {
            for &arc in arcs.row(v) {
                let slot = &mut self.kind_slots[arc.0 as usize];
                if *slot == 0 {
                    self.kinds_seen.push(arc.0);
                }
                *slot += 1;
                self.gathered.push(arc);
            }
        }
        self.kinds_seen.sort_unstable();
        let mut at = 0;
        for &kind in &self.kinds_seen {
            let slot = &mut self.kind_slots[kind as usize];
            let size = *slot;
            *slot = at;
            at += size;
        }
        result.resize(self.gathered.len(), (0, 0));
        for &arc in &self.gathered {
            let slot = &mut self.kind_slots[arc.0 as usize];
            result[*slot as usize] = arc;
            *slot += 1;
        }
        for kind in self.kinds_seen.drain(..) {
            self.kind_slots[kind as usize] = 0;
        }
        result
    }

    /// Splits all cells by the given arcs of a splitter, kind after kind.
    fn split_by_row<T: Trace>(&mut self, row: &[Arc], splitter: u32, partition: &mut Partition, trace: &mut T) -> bool {
        for group in row.chunk_by(|a, b| a.0 == b.0) {
            let mut hash = mix2(4, splitter, group[0].0);
            // A sum, as the order inside the splitter must not matter.
            let mut alone = 0u64;
            for &(_, v) in group {
                let start = partition.cell_of(v);
                let length = partition.length(start);
                if length == 1 {
                    alone = alone.wrapping_add(mix2(5, start, 0));
                    continue;
                }
                if self.count[v as usize] == 0 {
                    let touched = &mut self.touched[start as usize];
                    if *touched == 0 {
                        self.touched_cells.push(start);
                    }
                    *touched += 1;
                    partition.move_to(v, start + length - *touched);
                }
                self.count[v as usize] += 1;
            }
            hash = mix(hash, alone);
            self.touched_cells.sort_unstable();
            let cells = std::mem::take(&mut self.touched_cells);
            for &start in &cells {
                hash = self.split_cell(start, partition, hash);
            }
            self.touched_cells = cells;
            self.touched_cells.clear();
            if !trace.event(hash) {
                return false;
            }
        }
        true
    }

    /// Splits one cell by count, queues what has to be queued, clears the
    /// counts, and returns the hash with the event mixed in.
    fn split_cell(&mut self, start: u32, partition: &mut Partition, mut hash: u64) -> u64 {
        let end = start + partition.length(start);
        let touched = std::mem::take(&mut self.touched[start as usize]);
        let from = end - touched;
        let count = &mut self.count;
        let (mut least, mut most) = (u32::MAX, 0);
        for &mut v in partition.range_mut(from, end) {
            least = least.min(count[v as usize]);
            most = most.max(count[v as usize]);
        }
        self.fragments.clear();
        self.fragments.push(start);
        if from > start {
            self.fragments.push(from);
        }
        if least < most {
            let range = partition.range_mut(from, end);
            if range.len() < 24 {
                range.sort_unstable_by_key(|&v| count[v as usize]);
            } else {
                // The counts of one kind add up to at most the number of arcs
                // gathered, so the buckets cost no more than gathering did.
                self.buckets.clear();
                self.buckets.resize((most - least) as usize + 2, 0);
                for &v in range.iter() {
                    self.buckets[(count[v as usize] - least) as usize + 1] += 1;
                }
                for i in 1..self.buckets.len() {
                    self.buckets[i] += self.buckets[i - 1];
                }
                self.reordered.clear();
                self.reordered.extend_from_slice(range);
                for &v in &self.reordered {
                    let slot = &mut self.buckets[(count[v as usize] - least) as usize];
                    range[*slot as usize] = v;
                    *slot += 1;
                }
            }
            for (i, pair) in range.windows(2).enumerate() {
                if count[pair[0] as usize] != count[pair[1] as usize] {
                    self.fragments.push(from + i as u32 + 1);
                }
            }
            partition.renumber(from, end);
        }
        for &at in &self.fragments {
            let first = partition.elements()[at as usize];
            hash = mix2(hash, at, count[first as usize]);
        }
        for &mut v in partition.range_mut(from, end) {
            count[v as usize] = 0;
        }
        if self.fragments.len() == 1 {
            return hash;
        }
        // From the back, so that each vertex is given its new cell once.
        for &at in self.fragments[1..].iter().rev() {
            partition.split(start, at);
        }
        let skipped = if self.queued[start as usize] {
            // The old name now means the first fragment, still queued.
            start
        } else {
            let mut largest = start;
            for &at in &self.fragments {
                if partition.length(at) > partition.length(largest) {
                    largest = at;
                }
            }
            largest
        };
        for i in 0..self.fragments.len() {
            let at = self.fragments[i];
            if at != skipped {
                self.enqueue(at, partition.length(at));
            }
        }
        hash
    }
}
