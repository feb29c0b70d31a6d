//! The handle for callers that want refinement itself.
//!
//! *Contract.* A [`Refiner`] holds the coarsest equitable ordered partition of a
//! graph that is finer than its colours. Vertices can be individualised, after
//! which the partition is refined again, and this can be undone, last first.
//! Cells and traces are the same, up to the isomorphism, for isomorphic graphs
//! when corresponding vertices are individualised.
//!
//! *Complexity.* See each operation; refinement is that of `refine`.

use super::arcs::Arcs;
use super::digraph::Graph;
use super::partition::Partition;
use super::refine::{Folded, Scratch, Trace};

/// An equitable ordered partition of the vertices of a graph: two vertices of a
/// cell have the same number of edges of each label and direction into each
/// cell. Cells are named by numbers below the number of vertices: a cell's name
/// is the number of vertices in the cells before it.
#[derive(Clone, Debug)]
pub struct Refiner {
    arcs: Arcs,
    partition: Partition,
    scratch: Scratch,
    /// State before each individualisation: of the partition, and the trace.
    before: Vec<(usize, Folded)>,
    trace: Folded,
}

impl Refiner {
    /// Refines the colours of the graph. `O((n + m) log n)` in practice.
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        let mut refiner = Self {
            arcs: Arcs::of_graph(graph),
            partition: Partition::by_colour(graph.colours()),
            scratch: Scratch::default(),
            before: Vec::new(),
            trace: Folded::default(),
        };
        // Cells and kinds are only ranks of these.
        let mut colours = graph.colours().to_vec();
        colours.sort_unstable();
        let mut labels: Vec<u32> = (0..graph.len() as u32)
            .flat_map(|v| graph.outgoing(v).iter().map(|e| e.0))
            .collect();
        labels.sort_unstable();
        for value in colours.into_iter().chain(labels) {
            refiner.trace.event(u64::from(value));
        }
        refiner
            .scratch
            .refine_all(&refiner.arcs, &mut refiner.partition, &mut refiner.trace);
        refiner
    }

    /// Makes `v` a cell of its own, behind the rest of its cell, and refines.
    /// Costs the arcs of the vertices whose cells change, times a logarithm.
    ///
    /// # Panics
    /// When `v` is not a vertex.
    pub fn individualise(&mut self, v: u32) {
        self.before.push((self.partition.mark(), self.trace));
        self.scratch
            .refine_at(&self.arcs, &mut self.partition, v, &mut self.trace);
    }

    /// Takes the last individualisation back; `false` when there is none. Costs
    /// no more than that did.
    pub fn undo(&mut self) -> bool {
        let Some((mark, trace)) = self.before.pop() else {
            return false;
        };
        self.partition.undo_to(mark);
        self.trace = trace;
        true
    }

    /// The name of the cell of `v`. `O(1)`.
    ///
    /// # Panics
    /// When `v` is not a vertex.
    #[must_use]
    pub fn cell_of(&self, v: u32) -> u32 {
        self.partition.cell_of(v)
    }

    /// The vertices of the cell of `v`, in no particular order. `O(1)`.
    ///
    /// # Panics
    /// When `v` is not a vertex.
    #[must_use]
    pub fn cellmates(&self, v: u32) -> &[u32] {
        self.partition.cell(self.partition.cell_of(v))
    }

    /// Number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.partition.cells()
    }

    /// The cells, in order, as slices of vertices.
    pub fn cells(&self) -> impl Iterator<Item = &[u32]> + '_ {
        self.partition
            .starts()
            .map(|start| self.partition.cell(start))
    }

    /// A hash of all that refinement saw since the start. Equal for isomorphic
    /// graphs with corresponding vertices individualised in the same order.
    #[must_use]
    pub fn trace(&self) -> u64 {
        self.trace.0
    }
}
