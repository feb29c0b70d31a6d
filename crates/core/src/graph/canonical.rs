//! Canonical forms.
//!
//! *Contract.* [`canonical_form`] orders the vertices of a graph so that
//! isomorphic graphs become identical when renumbered by that order, and
//! returns the renumbered graph as a certificate, with generators of the
//! automorphism group.
//!
//! *How.* All edges between two vertices become one relation, and the graph is
//! taken apart before anything is searched. A part is refined; the most
//! frequent relation between any two cells is dropped; what falls into
//! connected components is solved component by component, equal ones being
//! interchangeable; a connected part with twins is solved with one vertex for
//! each class of twins; only a connected part without twins goes to the search
//! tree. Parts are kept on an explicit stack. Trees, disjoint unions, complete
//! multipartite graphs and the like never reach the search.
//!
//! *Complexity.* Each layer of taking apart costs `O((n + m) log m)`; there are
//! few layers in practice, though up to `n` are possible. The search is
//! exponential in the worst case, hence the budget.
//!
//! *Source.* See `refine`, `search` and `reduce`.

use super::arcs::{Arcs, Relations, Reverse, ranks};
use super::digraph::Graph;
use super::orbits::Orbits;
use super::partition::Partition;
use super::reduce::{ABSENT, components, induced, local_buffer, strip, twins};
use super::refine::{Folded, Scratch};
use super::search::{Answer, Apart, Meter, Search, Step, Tools};

/// What [`canonical_form`] returns.
#[derive(Clone, Debug)]
pub(crate) struct Canonical {
    /// `order[k]` is the vertex at canonical position `k`. Positions follow the
    /// initial colours in ascending order.
    pub(crate) order: Vec<u32>,
    /// The graph renumbered by `order`, in full: number of vertices; their
    /// colours; then for each position the number of outgoing edges and their
    /// sorted (label, position) pairs. Two certificates are equal exactly when
    /// the renumbered graphs are identical, so equal certificates always mean
    /// isomorphic graphs. Different ones mean non-isomorphic graphs when both
    /// are `exact`.
    pub(crate) certificate: Vec<u32>,
    /// Generators of the automorphism group; of a subgroup unless `exact`.
    pub(crate) generators: Vec<Automorphism>,
    /// `orbits[v]` is the smallest vertex in the orbit of `v` under the
    /// generators.
    pub(crate) orbits: Vec<u32>,
    /// Nodes of search trees that were expanded, for the tests that bound them.
    #[cfg(test)]
    pub(crate) nodes: u64,
    /// Whether the search was completed within the budget. When it was not, the
    /// order is only the best one seen.
    pub(crate) exact: bool,
}

/// A symmetry of a graph, kept as the vertices it moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Automorphism {
    moved: Vec<(u32, u32)>,
}

impl Automorphism {
    /// The (vertex, image) pairs that differ, ascending by vertex.
    pub(crate) fn moved(&self) -> &[(u32, u32)] {
        &self.moved
    }
}

/// The canonical form of a graph.
///
/// `budget` bounds the nodes of the search trees; a first path is completed in
/// each tree all the same, so there is an order in any case. Some ten nodes for
/// each vertex are plenty for all but graphs made to be hard; strongly regular
/// graphs with hardly any symmetry take nearly as many nodes as there are pairs
/// of vertices. For the complexity see the module documentation.
pub(crate) fn canonical_form(graph: &Graph, budget: u64) -> Canonical {
    let mut solver = Solver::new(graph, budget);
    let mut order = solver.solve();
    order.sort_by_key(|&v| graph.colours()[v as usize]);
    let mut orbits = Orbits::new(graph.len());
    for generator in &solver.generators {
        orbits.merge_all(&generator.moved);
    }
    Canonical {
        certificate: certificate(graph, &order),
        generators: solver.generators,
        orbits: (0..graph.len() as u32).map(|v| orbits.smallest(v)).collect(),
        #[cfg(test)]
        nodes: solver.meter.nodes,
        exact: solver.meter.exact,
        order,
    }
}

/// The graph renumbered by an order, as [`Canonical::certificate`] has it.
fn certificate(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let mut position = vec![0u32; order.len()];
    for (k, &v) in order.iter().enumerate() {
        position[v as usize] = k as u32;
    }
    let mut result = Vec::with_capacity(1 + 2 * order.len() + 2 * graph.edge_count());
    result.push(order.len() as u32);
    result.extend(order.iter().map(|&v| graph.colours()[v as usize]));
    let mut row: Vec<(u32, u32)> = Vec::new();
    for &v in order {
        row.clear();
        let edges = graph.outgoing(v).iter();
        row.extend(edges.map(|&(label, to)| (label, position[to as usize])));
        row.sort_unstable();
        result.push(row.len() as u32);
        result.extend(row.iter().flat_map(|&(label, to)| [label, to]));
    }
    result
}

/// A part of the graph to be solved.
#[derive(Default)]
struct Part {
    arcs: Arcs,
    /// Comparable between the parts that one part was taken into.
    colours: Vec<u32>,
    /// Whether the partition by colour is equitable already.
    equitable: bool,
    bundles: Bundles,
    /// The vertices in the part this one came from.
    origin: Vec<u32>,
    /// How this part was taken apart in turn.
    taken_apart: Option<TakenApart>,
    /// The canonical order of the vertices, once known.
    order: Vec<u32>,
}

/// The vertices of the whole graph that each vertex of a part stands for.
#[derive(Clone, Default)]
struct Bundles {
    ends: Vec<u32>,
    members: Vec<u32>,
}

impl Bundles {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn of(&self, v: u32) -> &[u32] {
        let v = v as usize;
        let start = if v == 0 { 0 } else { self.ends[v - 1] as usize };
        &self.members[start..self.ends[v] as usize]
    }

    /// Adds a vertex that stands for all that some vertices of `from` do.
    fn push(&mut self, from: &Bundles, vertices: &[u32]) {
        for &v in vertices {
            self.members.extend_from_slice(from.of(v));
        }
        self.ends.push(self.members.len() as u32);
    }
}

enum TakenApart {
    /// Isolated vertices in order of their cells; parts for the components.
    Components(Vec<u32>, Vec<usize>),
    /// Classes of twins, and the part that has one vertex for each.
    Twins(Vec<Vec<u32>>, usize),
    /// A search; the part that holds the leaf to be solved by components, and
    /// how many generators there were before.
    Search(Box<Search>, usize, usize),
}

struct Solver {
    parts: Vec<Part>,
    /// Parts to be taken apart, or put together when that has been done.
    stack: Vec<usize>,
    reverse: Reverse,
    scratch: Scratch,
    local: Vec<u32>,
    generators: Vec<Automorphism>,
    meter: Meter,
}

impl Solver {
    fn new(graph: &Graph, budget: u64) -> Self {
        let relations = Relations::of_graph(graph);
        let n = graph.len();
        let whole = Part {
            arcs: relations.arcs,
            colours: relations.colours,
            bundles: Bundles { ends: (1..=n as u32).collect(), members: (0..n as u32).collect() },
            ..Part::default()
        };
        Self {
            parts: vec![whole],
            stack: vec![0],
            reverse: relations.reverse,
            scratch: Scratch::default(),
            local: local_buffer(n),
            generators: Vec::new(),
            meter: Meter { budget, nodes: 0, exact: true },
        }
    }

    fn solve(&mut self) -> Vec<u32> {
        while let Some(index) = self.stack.pop() {
            let order = match self.parts[index].taken_apart.take() {
                Some(TakenApart::Components(isolated, parts)) => self.join_components(index, isolated, &parts),
                Some(TakenApart::Twins(classes, part)) => {
                    let order = std::mem::take(&mut self.parts[part].order);
                    self.parts.truncate(part);
                    order.iter().flat_map(|&c| classes[c as usize].iter().copied()).collect()
                }
                Some(TakenApart::Search(search, leaf, generators)) => {
                    let answer = self.answer(index, leaf, generators, &search);
                    match self.search(index, search, Some(answer)) {
                        Some(order) => order,
                        None => continue,
                    }
                }
                None => match self.take_apart(index) {
                    Some(order) => order,
                    None => continue,
                },
            };
            self.parts[index].order = order;
        }
        std::mem::take(&mut self.parts[0].order)
    }

    /// The order of a part that can be solved at once; otherwise nothing, and
    /// the smaller parts are on the stack, above the part itself.
    fn take_apart(&mut self, index: usize) -> Option<Vec<u32>> {
        let part = &self.parts[index];
        let n = part.arcs.len();
        if n <= 1 {
            return Some((0..n as u32).collect());
        }
        let mut partition = Partition::by_colour(&part.colours);
        if !part.equitable {
            self.scratch.refine_all(&part.arcs, &mut partition, &mut Folded::default());
        }
        if partition.is_discrete() {
            return Some(partition.elements().to_vec());
        }
        let arcs = strip(&part.arcs, &partition, &self.reverse);
        let found = components(&arcs);
        if found.len() > 1 {
            let cells: Vec<u32> = (0..n as u32).map(|v| partition.cell_of(v)).collect();
            self.part_components(index, &arcs, &cells, found);
            return None;
        }
        if let Some(classes) = twins(&arcs, &partition, &self.reverse) {
            self.part_twins(index, &arcs, &partition, classes);
            return None;
        }
        self.search(index, Box::new(Search::new(arcs, partition)), None)
    }

    /// Starts a search or goes on with it; as [`Solver::take_apart`].
    fn search(&mut self, index: usize, mut search: Box<Search>, answer: Option<Answer>) -> Option<Vec<u32>> {
        let mut tools = Tools { scratch: &mut self.scratch, reverse: &self.reverse, meter: &mut self.meter };
        match search.run(&mut tools, answer) {
            Step::Done(found) => {
                for generator in found.generators {
                    self.symmetry(index, &generator);
                }
                Some(found.order)
            }
            Step::Apart(Apart { arcs, cells, components }) => {
                let leaf = self.parts.len();
                self.parts.push(Part { bundles: self.parts[index].bundles.clone(), ..Part::default() });
                let generators = self.generators.len();
                self.parts[index].taken_apart = Some(TakenApart::Search(search, leaf, generators));
                self.stack.push(index);
                self.part_components(leaf, &arcs, &cells, components);
                None
            }
        }
    }

    /// Collects what became of a leaf that was solved by components.
    fn answer(&mut self, index: usize, leaf: usize, generators: usize, search: &Search) -> Answer {
        let order = std::mem::take(&mut self.parts[leaf].order);
        self.parts.truncate(leaf);
        let mut automorphisms = Vec::new();
        if search.has_first_leaf() {
            // The symmetries of other leaves are images of those of the first.
            self.generators.truncate(generators);
        } else {
            let bundles = &self.parts[index].bundles;
            for v in 0..bundles.len() as u32 {
                for &whole in bundles.of(v) {
                    self.local[whole as usize] = v;
                }
            }
            for generator in &self.generators[generators..] {
                let pairs = generator.moved.iter();
                let mut moved: Vec<(u32, u32)> = pairs
                    .map(|&(v, image)| (self.local[v as usize], self.local[image as usize]))
                    .filter(|(v, image)| v != image)
                    .collect();
                moved.sort_unstable();
                moved.dedup();
                automorphisms.push(moved);
            }
            for &whole in &bundles.members {
                self.local[whole as usize] = ABSENT;
            }
        }
        Answer { order, automorphisms }
    }

    fn part_components(&mut self, index: usize, arcs: &Arcs, cells: &[u32], found: Vec<Vec<u32>>) {
        let mut isolated = Vec::new();
        let mut children = Vec::new();
        self.stack.push(index);
        for component in found {
            if let [v] = component[..] {
                isolated.push(v);
                continue;
            }
            let mut bundles = Bundles::default();
            for &v in &component {
                bundles.push(&self.parts[index].bundles, &[v]);
            }
            let child = Part {
                arcs: induced(arcs, &component, &mut self.local),
                colours: component.iter().map(|&v| cells[v as usize]).collect(),
                // Each vertex keeps all its stripped arcs.
                equitable: true,
                bundles,
                origin: component,
                ..Part::default()
            };
            children.push(self.parts.len());
            self.stack.push(self.parts.len());
            self.parts.push(child);
        }
        isolated.sort_by_key(|&v| cells[v as usize]);
        // Isolated vertices of one cell can be exchanged at will.
        for pair in isolated.windows(2) {
            if cells[pair[0] as usize] == cells[pair[1] as usize] {
                self.symmetry(index, &[(pair[0], pair[1]), (pair[1], pair[0])]);
            }
        }
        self.parts[index].taken_apart = Some(TakenApart::Components(isolated, children));
    }

    fn part_twins(&mut self, index: usize, arcs: &Arcs, partition: &Partition, classes: Vec<Vec<u32>>) {
        for class in &classes {
            for pair in class.windows(2) {
                self.symmetry(index, &[(pair[0], pair[1]), (pair[1], pair[0])]);
            }
        }
        let first: Vec<u32> = classes.iter().map(|class| class[0]).collect();
        // Twins have the same relation to each other in all pairs of a class.
        let keys: Vec<(u32, usize, Option<u32>)> = classes
            .iter()
            .map(|class| {
                let within = class.get(1).and_then(|&second| {
                    let mut row = arcs.row(class[0]).iter();
                    row.find(|a| a.1 == second).map(|a| a.0)
                });
                (partition.cell_of(class[0]), class.len(), within)
            })
            .collect();
        let mut bundles = Bundles::default();
        for class in &classes {
            bundles.push(&self.parts[index].bundles, class);
        }
        let child = Part {
            arcs: induced(arcs, &first, &mut self.local),
            colours: ranks(&keys),
            bundles,
            origin: first,
            ..Part::default()
        };
        let at = self.parts.len();
        self.stack.push(index);
        self.stack.push(at);
        self.parts.push(child);
        self.parts[index].taken_apart = Some(TakenApart::Twins(classes, at));
    }

    /// Components in order of what they look like, isolated vertices first.
    fn join_components(&mut self, index: usize, isolated: Vec<u32>, parts: &[usize]) -> Vec<u32> {
        let mut solved: Vec<(Vec<u32>, Vec<u32>)> = Vec::with_capacity(parts.len());
        for &at in parts {
            let part = std::mem::take(&mut self.parts[at]);
            let looks = encode(&part.arcs, &part.colours, &part.order);
            let order = part.order.iter().map(|&v| part.origin[v as usize]);
            solved.push((looks, order.collect()));
        }
        // All parts that came after the first component came from these.
        if let Some(&first) = parts.first() {
            self.parts.truncate(first);
        }
        solved.sort();
        for pair in solved.windows(2) {
            if pair[0].0 == pair[1].0 {
                let there = pair[0].1.iter().zip(&pair[1].1);
                let swap: Vec<(u32, u32)> = there.flat_map(|(&a, &b)| [(a, b), (b, a)]).collect();
                self.symmetry(index, &swap);
            }
        }
        let mut order = isolated;
        order.extend(solved.into_iter().flat_map(|s| s.1));
        order
    }

    /// Records a symmetry of a part as one of the whole graph. Vertices that
    /// are mapped to each other stand for bundles of the same shape.
    fn symmetry(&mut self, index: usize, moved: &[(u32, u32)]) {
        let bundles = &self.parts[index].bundles;
        let mut all: Vec<(u32, u32)> = moved
            .iter()
            .flat_map(|&(v, image)| {
                let images = bundles.of(image).iter().copied();
                bundles.of(v).iter().copied().zip(images)
            })
            .collect();
        all.sort_unstable();
        self.generators.push(Automorphism { moved: all });
    }
}

/// A part renumbered by an order, in full.
fn encode(arcs: &Arcs, colours: &[u32], order: &[u32]) -> Vec<u32> {
    let mut position = vec![0u32; order.len()];
    for (k, &v) in order.iter().enumerate() {
        position[v as usize] = k as u32;
    }
    let mut result = Vec::with_capacity(1 + 2 * order.len() + 2 * arcs.arc_count());
    result.push(order.len() as u32);
    result.extend(order.iter().map(|&v| colours[v as usize]));
    let mut row: Vec<(u32, u32)> = Vec::new();
    for &v in order {
        row.clear();
        let arcs = arcs.row(v).iter();
        row.extend(arcs.map(|&(kind, to)| (kind, position[to as usize])));
        row.sort_unstable();
        result.push(row.len() as u32);
        result.extend(row.iter().flat_map(|&(kind, to)| [kind, to]));
    }
    result
}
