//! Arcs: the one shape of adjacency that refinement and search work on.
//!
//! *Contract.* An [`Arcs`] gives each vertex one row of `(kind, to)`, sorted.
//! A kind is a small number; what it stands for is the business of whoever
//! built the value. Two builders exist:
//!
//! * [`Arcs::of_graph`]: kinds are the pairs (label, direction), in that order;
//!   a label whose edges all come in both directions equally often gets one
//!   kind, as the second direction would repeat the first. Repeated edges give
//!   repeated arcs. This is what plain colour refinement counts.
//! * [`Relations::of_graph`]: at most one arc for an ordered pair of distinct
//!   vertices, its kind standing for *all* edges between the two; so the arc
//!   from `u` to `v` determines the one back. Loops become part of the colour.
//!   This is what canonical forms are computed from.
//!
//! Kind numbers depend on the set of labels in use only, so isomorphic graphs
//! get the same ones.
//!
//! *Complexity.* `O((n + m) log m)` each.

use std::collections::BTreeMap;

use super::digraph::Graph;

/// One arc of a row: its kind, then the vertex at the other end.
pub(crate) type Arc = (u32, u32);

/// Sorted rows of arcs; see the module documentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arcs {
    offsets: Vec<u32>,
    items: Vec<Arc>,
    /// All kinds are below this number.
    kinds: u32,
}

impl Arcs {
    /// Starts a value with no vertex, to be filled by [`Arcs::push_row`].
    pub(crate) fn with_kinds(kinds: u32) -> Self {
        Self { offsets: vec![0], items: Vec::new(), kinds }
    }

    /// Adds an arc to the row under construction.
    pub(crate) fn push(&mut self, kind: u32, to: u32) {
        debug_assert!(kind < self.kinds);
        self.items.push((kind, to));
    }

    /// Ends the row under construction and sorts it.
    pub(crate) fn end_row(&mut self) {
        let start = self.offsets.last().map_or(0, |&o| o as usize);
        self.items[start..].sort_unstable();
        self.offsets.push(self.items.len() as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn arc_count(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn kinds(&self) -> u32 {
        self.kinds
    }

    pub(crate) fn row(&self, v: u32) -> &[Arc] {
        let v = v as usize;
        &self.items[self.offsets[v] as usize..self.offsets[v + 1] as usize]
    }

    /// Kinds are (label, direction); see the module documentation.
    pub(crate) fn of_graph(graph: &Graph) -> Self {
        let n = graph.len() as u32;
        // For each label: whether its edges come equally often in both directions.
        let mut symmetric: BTreeMap<u32, bool> = BTreeMap::new();
        for v in 0..n {
            let (out, into) = (graph.outgoing(v), graph.incoming(v));
            for &(label, _) in out {
                symmetric.entry(label).or_insert(true);
            }
            if out == into {
                continue;
            }
            for side in [out, into] {
                for group in side.chunk_by(|a, b| a.0 == b.0) {
                    let label = group[0].0;
                    if label_group(out, label) != label_group(into, label) {
                        symmetric.insert(label, false);
                    }
                }
            }
        }
        let mut kinds = 0;
        let mut table: Vec<(u32, u32, bool)> = Vec::with_capacity(symmetric.len());
        for (label, both) in symmetric {
            table.push((label, kinds, both));
            kinds += if both { 1 } else { 2 };
        }
        let mut arcs = Self::with_kinds(kinds);
        for v in 0..n {
            push_side(&mut arcs, &table, graph.outgoing(v), false);
            push_side(&mut arcs, &table, graph.incoming(v), true);
            arcs.end_row();
        }
        arcs
    }
}

/// The part of a sorted row with that label.
fn label_group(row: &[(u32, u32)], label: u32) -> &[(u32, u32)] {
    let start = row.partition_point(|e| e.0 < label);
    let end = row.partition_point(|e| e.0 <= label);
    &row[start..end]
}

fn push_side(arcs: &mut Arcs, table: &[(u32, u32, bool)], row: &[(u32, u32)], into: bool) {
    for group in row.chunk_by(|a, b| a.0 == b.0) {
        let label = group[0].0;
        let at = table.partition_point(|e| e.0 < label);
        let (_, kind, both) = table[at];
        if into && both {
            continue;
        }
        for &(_, to) in group {
            arcs.push(kind + u32::from(into), to);
        }
    }
}

/// The kind of the arc back along an arc of a given kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reverse(Vec<u32>);

impl Reverse {
    /// Kinds that were added later are their own reverses.
    pub(crate) fn of(&self, kind: u32) -> u32 {
        self.0.get(kind as usize).copied().unwrap_or(kind)
    }
}

/// A graph with at most one arc for each ordered pair of vertices.
pub(crate) struct Relations {
    pub(crate) arcs: Arcs,
    /// Colour of each vertex: rank of (its colour, the labels of its loops).
    pub(crate) colours: Vec<u32>,
    pub(crate) reverse: Reverse,
}

impl Relations {
    /// Merges all edges between two vertices into one arc each way.
    pub(crate) fn of_graph(graph: &Graph) -> Self {
        let n = graph.len();
        // All edge ends as (vertex at the other end, code), row by row, where
        // the code keeps direction and label.
        let mut ends: Vec<(u32, u64)> = Vec::with_capacity(2 * graph.edge_count());
        let mut starts: Vec<usize> = Vec::with_capacity(n + 1);
        let mut loops: Vec<Vec<u32>> = Vec::with_capacity(n);
        for v in 0..n as u32 {
            let start = ends.len();
            starts.push(start);
            let row = graph.outgoing(v);
            loops.push(row.iter().filter(|e| e.1 == v).map(|e| e.0).collect());
            ends.extend(row.iter().map(|&(label, to)| (to, u64::from(label))));
            let row = graph.incoming(v);
            ends.extend(row.iter().map(|&(label, from)| (from, INTO | u64::from(label))));
            ends[start..].sort_unstable();
        }
        starts.push(ends.len());

        let codes: Vec<u64> = ends.iter().map(|e| e.1).collect();
        let mut table: BTreeMap<&[u64], u32> = BTreeMap::new();
        // Groups are the ranges of `ends` that lead from one vertex to another.
        let mut groups: Vec<(usize, usize)> = Vec::new();
        let mut group_starts: Vec<usize> = Vec::with_capacity(n + 1);
        for v in 0..n {
            group_starts.push(groups.len());
            let mut at = starts[v];
            for group in ends[starts[v]..starts[v + 1]].chunk_by(|a, b| a.0 == b.0) {
                let end = at + group.len();
                if group[0].0 as usize != v {
                    groups.push((at, end));
                    table.insert(&codes[at..end], 0);
                }
                at = end;
            }
        }
        group_starts.push(groups.len());
        for (rank, value) in table.values_mut().enumerate() {
            *value = rank as u32;
        }
        let reverse = table
            .keys()
            .map(|key| {
                let mut back: Vec<u64> = key.iter().map(|c| c ^ INTO).collect();
                back.sort_unstable();
                // Every arc has an arc back, so the reversed key is present.
                table.get(back.as_slice()).copied().unwrap_or(0)
            })
            .collect();

        let mut arcs = Arcs::with_kinds(table.len() as u32);
        for v in 0..n {
            for &(from, end) in &groups[group_starts[v]..group_starts[v + 1]] {
                let kind = table.get(&codes[from..end]).copied().unwrap_or(0);
                arcs.push(kind, ends[from].0);
            }
            arcs.end_row();
        }
        let keys: Vec<(u32, &[u32])> =
            graph.colours().iter().zip(&loops).map(|(&colour, labels)| (colour, labels.as_slice())).collect();
        Self { arcs, colours: ranks(&keys), reverse: Reverse(reverse) }
    }
}

/// Marks the code of an edge end that enters the vertex.
const INTO: u64 = 1 << 32;

/// The rank of each key among the distinct keys, counted from 0.
pub(crate) fn ranks<K: Ord>(keys: &[K]) -> Vec<u32> {
    let mut by_key: Vec<u32> = (0..keys.len() as u32).collect();
    by_key.sort_by(|&a, &b| keys[a as usize].cmp(&keys[b as usize]));
    let mut result = vec![0; keys.len()];
    let mut rank = 0;
    for pair in by_key.windows(2) {
        if keys[pair[0] as usize] != keys[pair[1] as usize] {
            rank += 1;
        }
        result[pair[1] as usize] = rank;
    }
    result
}
