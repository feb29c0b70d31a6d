//! Two graphs at once.
//!
//! *Contract.* [`joint_colours`] refines the disjoint union of two graphs, so
//! that colours mean the same in both.
//!
//! *Complexity.* That of `refine` on the two graphs.

use super::arcs::Arcs;
use super::digraph::{Graph, GraphBuilder};
use super::partition::Partition;
use super::refine::{Folded, Scratch};

/// The coarsest equitable colouring of the disjoint union of two graphs, as one
/// colour for each vertex of the first, and of the second. Colours are numbered
/// from 0 without gaps, in the order of the cells. Vertices that some
/// isomorphism maps to each other get the same colour.
///
/// # Panics
/// When the two together exceed the limits of [`GraphBuilder`].
pub(crate) fn joint_colours(first: &Graph, second: &Graph) -> (Vec<u32>, Vec<u32>) {
    let offset = first.len() as u32;
    let mut builder = GraphBuilder::new([first.colours(), second.colours()].concat());
    for (graph, offset) in [(first, 0), (second, offset)] {
        for v in 0..graph.len() as u32 {
            for &(label, to) in graph.outgoing(v) {
                builder.edge(v + offset, to + offset, label);
            }
        }
    }
    let union = builder.build();
    let mut partition = Partition::by_colour(union.colours());
    Scratch::default().refine_all(&Arcs::of_graph(&union), &mut partition, &mut Folded::default());
    let mut colours = vec![0; union.len()];
    for (rank, start) in partition.starts().enumerate() {
        for &v in partition.cell(start) {
            colours[v as usize] = rank as u32;
        }
    }
    let rest = colours.split_off(first.len());
    (colours, rest)
}
