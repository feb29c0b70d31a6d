//! Vertex-coloured, directed, edge-labelled multigraphs, and the ordered
//! partitions of their vertices: colour refinement, canonical forms,
//! automorphisms and isomorphism.
//!
//! The module knows graphs and nothing else: no input or output, no clock, no
//! randomness. Every result is a function of its arguments alone.
//!
//! * [`Graph`] and [`GraphBuilder`]: the graphs.
//! * [`Refiner`]: colour refinement with individualisation and undo.
//! * [`joint_colours`]: colours comparable across two graphs.
//! * [`canonical_form`]: canonical order, certificate, automorphism generators.
//! * [`find_isomorphism`]: an isomorphism between two graphs, or none.

mod arcs;
mod canonical;
mod digraph;
mod individualise;
mod joint;
mod orbits;
mod partition;
mod reduce;
mod refine;
mod rounds;
mod search;

#[cfg(test)]
#[allow(clippy::many_single_char_names)]
mod families;
#[cfg(test)]
mod tests;

pub(crate) use canonical::{Canonical, canonical_form};
pub(crate) use digraph::{Graph, GraphBuilder};
#[cfg(test)]
pub(crate) use individualise::Refiner;
pub(crate) use joint::joint_colours;
pub(crate) use rounds::Rounds;
#[cfg(test)]
pub(crate) use joint::{Outcome, find_isomorphism};
