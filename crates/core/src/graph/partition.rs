//! Ordered partitions of `0..n`.
//!
//! *Contract.* The elements stand in one array, each cell a contiguous range
//! of it, named by the position where it starts. The order of the cells is
//! meaningful; the order of elements inside a cell is not, and changes freely.
//! Splits are remembered, and can be taken back, last first.
//!
//! *Complexity.* Naming the cell of an element, its length and its members is
//! `O(1)`. Splitting off the tail of a cell, and taking that back, costs the
//! length of the tail.
//!
//! *Source.* Paige and Tarjan, "Three partition refinement algorithms" (1987);
//! `McKay` and Piperno, "Practical graph isomorphism, II" (2014).

/// An ordered partition of `0..n` with undo.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partition {
    /// All elements, cell after cell.
    elements: Vec<u32>,
    /// Where each element stands in `elements`.
    position: Vec<u32>,
    /// Start of the cell of each element.
    start_of: Vec<u32>,
    /// Length of the cell, by its start; meaningless elsewhere.
    length: Vec<u32>,
    cells: usize,
    /// Starts of the cells made by splits, oldest first.
    history: Vec<u32>,
}

impl Partition {
    /// Elements with the same colour share a cell, cells in order of colour.
    /// `O(n log n)`.
    pub(crate) fn by_colour(colours: &[u32]) -> Self {
        let n = colours.len();
        let mut elements: Vec<u32> = (0..n as u32).collect();
        elements.sort_by_key(|&v| colours[v as usize]);
        let mut partition = Self {
            position: vec![0; n],
            start_of: vec![0; n],
            length: vec![0; n],
            cells: 0,
            history: Vec::new(),
            elements: Vec::new(),
        };
        let mut start = 0;
        for cell in elements.chunk_by(|&a, &b| colours[a as usize] == colours[b as usize]) {
            partition.length[start] = cell.len() as u32;
            partition.cells += 1;
            for (i, &v) in cell.iter().enumerate() {
                partition.position[v as usize] = (start + i) as u32;
                partition.start_of[v as usize] = start as u32;
            }
            start += cell.len();
        }
        partition.elements = elements;
        partition
    }

    /// Number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.cells
    }

    /// Whether every cell has one element.
    pub(crate) fn is_discrete(&self) -> bool {
        self.cells == self.elements.len()
    }

    /// Start of the cell of `v`.
    pub(crate) fn cell_of(&self, v: u32) -> u32 {
        self.start_of[v as usize]
    }

    /// Length of the cell that starts at `start`.
    pub(crate) fn length(&self, start: u32) -> u32 {
        self.length[start as usize]
    }

    /// Whether `v` is a cell of its own.
    pub(crate) fn cell_is_single(&self, v: u32) -> bool {
        self.length(self.cell_of(v)) == 1
    }

    /// Elements of the cell that starts at `start`.
    pub(crate) fn cell(&self, start: u32) -> &[u32] {
        let from = start as usize;
        &self.elements[from..from + self.length[from] as usize]
    }

    /// All elements, cell after cell.
    pub(crate) fn elements(&self) -> &[u32] {
        &self.elements
    }

    /// Where each element stands in [`Partition::elements`].
    pub(crate) fn positions(&self) -> &[u32] {
        &self.position
    }

    /// Starts of the cells, in order.
    pub(crate) fn starts(&self) -> impl Iterator<Item = u32> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at;
            let length = *self.length.get(start)?;
            at += length as usize;
            Some(start as u32)
        })
    }

    /// Exchanges `v` with whatever stands at `to`, both in the same cell.
    pub(crate) fn move_to(&mut self, v: u32, to: u32) {
        let from = self.position[v as usize];
        let other = self.elements[to as usize];
        debug_assert_eq!(self.cell_of(v), self.cell_of(other));
        self.elements[from as usize] = other;
        self.position[other as usize] = from;
        self.elements[to as usize] = v;
        self.position[v as usize] = to;
    }

    /// The elements from `from` to before `end`, for reordering within a cell;
    /// to be followed by [`Partition::renumber`].
    pub(crate) fn range_mut(&mut self, from: u32, end: u32) -> &mut [u32] {
        &mut self.elements[from as usize..end as usize]
    }

    /// Records where the elements of a reordered range now stand.
    pub(crate) fn renumber(&mut self, from: u32, end: u32) {
        for at in from..end {
            self.position[self.elements[at as usize] as usize] = at;
        }
    }

    /// Splits the tail from position `at` off the cell that starts at `start`.
    pub(crate) fn split(&mut self, start: u32, at: u32) {
        let end = start + self.length[start as usize];
        debug_assert!(start < at && at < end);
        self.length[start as usize] = at - start;
        self.length[at as usize] = end - at;
        for &v in &self.elements[at as usize..end as usize] {
            self.start_of[v as usize] = at;
        }
        self.cells += 1;
        self.history.push(at);
    }

    /// A name for the present state, for [`Partition::undo_to`].
    pub(crate) fn mark(&self) -> usize {
        self.history.len()
    }

    /// Takes back every split made since the mark.
    pub(crate) fn undo_to(&mut self, mark: usize) {
        while self.history.len() > mark {
            let Some(at) = self.history.pop() else { return };
            // What a split cut off stands right behind what it was cut from,
            // for later splits of either have been taken back before.
            let start = self.start_of[self.elements[at as usize - 1] as usize];
            let length = self.length[at as usize];
            for &v in &self.elements[at as usize..(at + length) as usize] {
                self.start_of[v as usize] = start;
            }
            self.length[start as usize] += length;
            self.cells -= 1;
        }
    }

    /// Makes `v` a cell of its own, right behind the rest of its old cell;
    /// returns its start. Nothing changes when `v` was alone already.
    pub(crate) fn individualise(&mut self, v: u32) -> u32 {
        let start = self.cell_of(v);
        let last = start + self.length(start) - 1;
        if last > start {
            self.move_to(v, last);
            self.split(start, last);
        }
        last
    }
}
