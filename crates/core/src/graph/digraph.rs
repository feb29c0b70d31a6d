//! The graphs: vertex-coloured, directed, edge-labelled multigraphs.
//!
//! *Contract.* Vertices are `0..n`. A vertex carries a colour and an edge a
//! label, both plain `u32` with the same meaning in every graph. Edges with the
//! same ends and label may repeat, and then count as often as they were added;
//! an edge may lead from a vertex to itself. A graph is collected in a
//! [`GraphBuilder`] and frozen into compressed rows by [`GraphBuilder::build`];
//! the order in which edges were added leaves no trace.
//!
//! *Complexity.* Building costs `O(n + m log d)` for `m` edges and largest
//! degree `d`; rows are slices.

/// Collects vertices and edges, and freezes them into a [`Graph`].
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphBuilder {
    colours: Vec<u32>,
    edges: Vec<(u32, u32, u32)>,
}

impl GraphBuilder {
    /// A builder for the graph whose vertex `v` has colour `colours[v]`, with
    /// no edge yet.
    ///
    /// # Panics
    /// When there are more than `u32::MAX / 4` vertices.
    pub(crate) fn new(colours: Vec<u32>) -> Self {
        assert!(colours.len() <= LIMIT, "too many vertices");
        Self { colours, edges: Vec::new() }
    }

    /// Adds one more edge `from -> to` with that label.
    ///
    /// # Panics
    /// When `from` or `to` is not a vertex, or when there are already
    /// `u32::MAX / 4` edges.
    pub(crate) fn edge(&mut self, from: u32, to: u32, label: u32) -> &mut Self {
        let n = self.colours.len();
        assert!((from as usize) < n && (to as usize) < n, "edge end out of range");
        assert!(self.edges.len() < LIMIT, "too many edges");
        self.edges.push((from, to, label));
        self
    }

    /// Freezes the graph.
    pub(crate) fn build(self) -> Graph {
        let n = self.colours.len();
        let out = Rows::new(n, self.edges.iter().map(|&(a, b, l)| (a, (l, b))));
        let into = Rows::new(n, self.edges.iter().map(|&(a, b, l)| (b, (l, a))));
        Graph { colours: self.colours, out, into }
    }
}

/// Keeps twice the number of edges, and of vertices, within `u32`.
const LIMIT: usize = (u32::MAX / 4) as usize;

/// A frozen vertex-coloured, directed, edge-labelled multigraph.
///
/// Two values are equal when they have the same vertices, colours and edges
/// under the same numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    colours: Vec<u32>,
    out: Rows,
    into: Rows,
}

impl Graph {
    /// Number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.colours.len()
    }

    /// Number of edges, repeated edges counted each time.
    pub(crate) fn edge_count(&self) -> usize {
        self.out.items.len()
    }

    /// The colours, by vertex.
    pub(crate) fn colours(&self) -> &[u32] {
        &self.colours
    }

    /// The edges leaving `v` as `(label, to)`, sorted.
    ///
    /// # Panics
    /// When `v` is not a vertex.
    pub(crate) fn outgoing(&self, v: u32) -> &[(u32, u32)] {
        self.out.row(v)
    }

    /// The edges entering `v` as `(label, from)`, sorted.
    ///
    /// # Panics
    /// When `v` is not a vertex.
    pub(crate) fn incoming(&self, v: u32) -> &[(u32, u32)] {
        self.into.row(v)
    }
}

/// One sorted row of pairs for each vertex, in one block of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows {
    offsets: Vec<u32>,
    items: Vec<(u32, u32)>,
}

impl Rows {
    fn new(n: usize, pairs: impl Iterator<Item = (u32, (u32, u32))> + Clone) -> Self {
        let mut offsets = vec![0u32; n + 1];
        for (v, _) in pairs.clone() {
            offsets[v as usize + 1] += 1;
        }
        for v in 0..n {
            offsets[v + 1] += offsets[v];
        }
        let mut next = offsets.clone();
        let mut items = vec![(0, 0); offsets[n] as usize];
        for (v, item) in pairs {
            let slot = &mut next[v as usize];
            items[*slot as usize] = item;
            *slot += 1;
        }
        for v in 0..n {
            items[offsets[v] as usize..offsets[v + 1] as usize].sort_unstable();
        }
        Self { offsets, items }
    }

    fn row(&self, v: u32) -> &[(u32, u32)] {
        let v = v as usize;
        &self.items[self.offsets[v] as usize..self.offsets[v + 1] as usize]
    }
}
