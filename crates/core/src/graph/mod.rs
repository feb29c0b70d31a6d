//! Vertex-coloured, directed, edge-labelled multigraphs, and the ordered partitions of their vertices: colour refinement,
//! canonical forms and automorphisms.
//!
//! The module knows graphs and nothing else: no input or output, no clock, no randomness. Every result is a function of its
//! arguments alone.
//!
//! * [`Graph`] and [`GraphBuilder`]: the graphs.
//! * [`joint_colours`]: stable colours, comparable across two graphs.
//! * [`Rounds`]: for how many rounds of refinement two vertices look the same.
//! * [`canonical_form`]: canonical order, certificate, orbits and generators of the automorphism group.

mod arcs;
mod canonical;
mod digraph;
mod joint;
mod orbits;
mod partition;
mod reduce;
mod refine;
mod rounds;
mod search;

#[cfg(test)]
mod families;
#[cfg(test)]
mod tests;

pub(crate) use canonical::{Canonical, canonical_form};
pub(crate) use digraph::{Graph, GraphBuilder};
pub(crate) use joint::joint_colours;
pub(crate) use rounds::Rounds;
