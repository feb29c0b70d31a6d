//! Two graphs at once.
//!
//! *Contract.* [`joint_colours`] refines the disjoint union of two graphs, so
//! that colours mean the same in both. [`find_isomorphism`] decides whether two
//! graphs are isomorphic, within a budget, and gives the mapping.
//!
//! *Complexity.* That of `refine` and `canonical` on the two graphs.

use super::canonical::canonical_form;
use super::digraph::{Graph, GraphBuilder};
use super::individualise::Refiner;

/// The coarsest equitable colouring of the disjoint union of two graphs, as one
/// colour for each vertex of the first, and of the second. Colours are numbered
/// from 0 without gaps, in the order of the cells. Vertices that some
/// isomorphism maps to each other get the same colour.
///
/// # Panics
/// When the two together exceed the limits of [`GraphBuilder`].
#[must_use]
pub fn joint_colours(first: &Graph, second: &Graph) -> (Vec<u32>, Vec<u32>) {
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
    let mut colours = vec![0; union.len()];
    for (rank, cell) in Refiner::new(&union).cells().enumerate() {
        for &v in cell {
            colours[v as usize] = rank as u32;
        }
    }
    let rest = colours.split_off(first.len());
    (colours, rest)
}

/// What [`find_isomorphism`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The graphs are isomorphic: the image of each vertex of the first.
    Found(Vec<u32>),
    /// The graphs are not isomorphic.
    None,
    /// The budget ran out before either was clear.
    BudgetHit,
}

/// Looks for an isomorphism from the first graph to the second. `budget` bounds
/// the nodes of the search trees, for each graph, as in [`canonical_form`].
#[must_use]
pub fn find_isomorphism(first: &Graph, second: &Graph, budget: u64) -> Outcome {
    if first.len() != second.len() || first.edge_count() != second.edge_count() {
        return Outcome::None;
    }
    let (mut a, mut b) = joint_colours(first, second);
    a.sort_unstable();
    b.sort_unstable();
    if a != b {
        return Outcome::None;
    }
    let (a, b) = (
        canonical_form(first, budget),
        canonical_form(second, budget),
    );
    if a.certificate == b.certificate {
        let mut image = vec![0; first.len()];
        for (&v, &w) in a.order.iter().zip(&b.order) {
            image[v as usize] = w;
        }
        return Outcome::Found(image);
    }
    if a.exact && b.exact {
        Outcome::None
    } else {
        Outcome::BudgetHit
    }
}
