//! Tests of the whole module against brute force and known families.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::arcs::Arcs;
use super::canonical::Automorphism;
use super::families::*;
use super::partition::Partition;
use super::refine::{Folded, Scratch};
use super::{Canonical, Graph, GraphBuilder, canonical_form, joint_colours};

const BUDGET: u64 = 100_000;

fn form(graph: &Graph) -> Canonical {
    let form = canonical_form(graph, BUDGET);
    assert!(form.exact);
    let mut order = form.order.clone();
    order.sort_unstable();
    assert!(order.iter().copied().eq(0..graph.len() as u32));
    let mut position = vec![0; graph.len()];
    for (k, &v) in form.order.iter().enumerate() {
        position[v as usize] = k as u32;
    }
    assert_eq!(form.certificate, plain_certificate(&renamed(graph, &position)));
    for generator in &form.generators {
        assert!(is_automorphism(graph, generator));
    }
    form
}

/// The documented certificate of a graph as it is numbered.
fn plain_certificate(graph: &Graph) -> Vec<u32> {
    let mut result = vec![graph.len() as u32];
    result.extend(graph.colours());
    for v in 0..graph.len() as u32 {
        let row = graph.outgoing(v);
        result.push(row.len() as u32);
        result.extend(row.iter().flat_map(|&(label, to)| [label, to]));
    }
    result
}

/// The isomorphism that the canonical orders of two graphs give, if their certificates are equal.
fn isomorphism(first: &Canonical, second: &Canonical) -> Option<Vec<u32>> {
    (first.certificate == second.certificate).then(|| then(&inverse(&first.order), &second.order))
}

fn images(generator: &Automorphism, n: usize) -> Vec<u32> {
    let mut images: Vec<u32> = (0..n as u32).collect();
    for &(v, image) in generator.moved() {
        images[v as usize] = image;
    }
    images
}

fn is_automorphism(graph: &Graph, generator: &Automorphism) -> bool {
    assert!(!generator.moved().is_empty());
    let image = images(generator, graph.len());
    let distinct: BTreeSet<u32> = image.iter().copied().collect();
    distinct.len() == image.len() && renamed(graph, &image) == *graph
}

/// The labels of the edges from each vertex to each.
type Table = Vec<Vec<Vec<u32>>>;

/// All isomorphisms, by assigning images vertex after vertex.
fn brute_force(a: &Graph, b: &Graph) -> Vec<Vec<u32>> {
    fn labels(graph: &Graph, v: u32, w: u32) -> Vec<u32> {
        let row = graph.outgoing(v).iter();
        row.filter(|e| e.1 == w).map(|e| e.0).collect()
    }
    fn table(graph: &Graph) -> Table {
        let n = graph.len() as u32;
        (0..n).map(|v| (0..n).map(|w| labels(graph, v, w)).collect()).collect()
    }
    fn extend(graphs: (&Graph, &Graph), tables: (&Table, &Table), image: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        let v = image.len();
        if v == graphs.0.len() {
            all.push(image.clone());
            return;
        }
        for w in 0..v.max(graphs.1.len()) {
            if image.contains(&(w as u32)) || graphs.0.colours()[v] != graphs.1.colours()[w] {
                continue;
            }
            image.push(w as u32);
            let fits = (0..=v).all(|u| {
                let x = image[u] as usize;
                tables.0[v][u] == tables.1[w][x] && tables.0[u][v] == tables.1[x][w]
            });
            if fits {
                extend(graphs, tables, image, all);
            }
            image.pop();
        }
    }
    let mut all = Vec::new();
    if a.len() == b.len() {
        extend((a, b), (&table(a), &table(b)), &mut Vec::new(), &mut all);
    }
    all
}

/// Order of the group that permutations generate, by a stabiliser chain.
struct Chain {
    base: u32,
    generators: Vec<Vec<u32>>,
    /// For each point of the orbit, a permutation that takes the base there.
    reach: BTreeMap<u32, Vec<u32>>,
}

fn then(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().map(|&v| b[v as usize]).collect()
}

fn inverse(a: &[u32]) -> Vec<u32> {
    let mut result = vec![0; a.len()];
    for (v, &w) in a.iter().enumerate() {
        result[w as usize] = v as u32;
    }
    result
}

fn insert(chain: &mut Vec<Chain>, level: usize, permutation: Vec<u32>) {
    // What is left after dividing by representatives, and where it got stuck.
    let mut rest = permutation;
    let mut at = level;
    while at < chain.len() {
        let Some(reach) = chain[at].reach.get(&rest[chain[at].base as usize]) else {
            break;
        };
        rest = then(&rest, &inverse(reach));
        at += 1;
    }
    let Some(moved) = rest.iter().zip(0u32..).find(|(w, v)| *w != v) else {
        return;
    };
    if at == chain.len() {
        let base = moved.1;
        let identity = (0..rest.len() as u32).collect();
        chain.push(Chain { base, generators: Vec::new(), reach: BTreeMap::from([(base, identity)]) });
    }
    // It fixes the bases before `at`, and so belongs to every level down to it.
    for here in (level..=at).rev() {
        chain[here].generators.push(rest.clone());
        let mut todo: Vec<u32> = chain[here].reach.keys().copied().collect();
        while let Some(point) = todo.pop() {
            for generator in chain[here].generators.clone() {
                let image = generator[point as usize];
                if !chain[here].reach.contains_key(&image) {
                    let way = then(&chain[here].reach[&point], &generator);
                    chain[here].reach.insert(image, way);
                    todo.push(image);
                }
            }
        }
        let points: Vec<u32> = chain[here].reach.keys().copied().collect();
        for point in points {
            for generator in chain[here].generators.clone() {
                let way = then(&chain[here].reach[&point], &generator);
                let image = generator[point as usize];
                let loops = then(&way, &inverse(&chain[here].reach[&image]));
                insert(chain, here + 1, loops);
            }
        }
    }
}

fn group_order(graph: &Graph) -> u128 {
    let mut chain = Vec::new();
    for generator in &form(graph).generators {
        insert(&mut chain, 0, images(generator, graph.len()));
    }
    chain.iter().map(|level| level.reach.len() as u128).product()
}

fn graph_of(n: usize, colours: Vec<u32>, edges: &[(u32, u32, u32)], both: bool) -> Graph {
    let mut builder = GraphBuilder::new(colours);
    for &(a, b, label) in edges {
        let (a, b) = (a % n as u32, b % n as u32);
        builder.edge(a, b, label);
        if both {
            builder.edge(b, a, label);
        }
    }
    builder.build()
}

/// Random multigraphs of at most `most` vertices, some of them symmetric.
fn any_graph(most: usize) -> impl Strategy<Value = Graph> {
    (1..=most, 1u32..4, 1u32..4, any::<bool>()).prop_flat_map(|(n, colours, labels, both)| {
        let top = n as u32;
        (
            proptest::collection::vec((0..colours).prop_map(|c| c * 7), n),
            proptest::collection::vec((0..top, 0..top, 0..labels), 0..=2 * n),
        )
            .prop_map(move |(colours, edges)| graph_of(n, colours, &edges, both))
    })
}

fn permuted(graph: &Graph, seed: u64) -> (Graph, Vec<u32>) {
    let image = Random(seed).permutation(graph.len() as u32);
    (renamed(graph, &image), image)
}

/// The coarsest equitable colouring, by comparing multisets round after round.
fn naive_colours(graph: &Graph, mut colours: Vec<u32>) -> Vec<u32> {
    loop {
        let keys: Vec<_> = (0..graph.len() as u32)
            .map(|v| {
                let side = |row: &[(u32, u32)]| {
                    let mut ends: Vec<(u32, u32)> = row.iter().map(|e| (e.0, colours[e.1 as usize])).collect();
                    ends.sort_unstable();
                    ends
                };
                (colours[v as usize], side(graph.outgoing(v)), side(graph.incoming(v)))
            })
            .collect();
        let distinct: BTreeSet<_> = keys.iter().collect();
        let next: Vec<u32> =
            keys.iter().map(|key| distinct.iter().position(|k| *k == key).unwrap_or(0) as u32).collect();
        let before = colours.iter().collect::<BTreeSet<_>>().len();
        if before == distinct.len() {
            return colours;
        }
        colours = next;
    }
}

fn same_classes(a: &[u32], b: &[u32]) -> bool {
    let pairs: BTreeSet<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
    let left: BTreeSet<u32> = a.iter().copied().collect();
    let right: BTreeSet<u32> = b.iter().copied().collect();
    pairs.len() == left.len() && pairs.len() == right.len()
}

/// A partition that is refined step by step, with all that refinement saw.
struct Refined {
    arcs: Arcs,
    partition: Partition,
    scratch: Scratch,
    trace: Folded,
}

impl Refined {
    fn new(graph: &Graph) -> Self {
        let mut refined = Self {
            arcs: Arcs::of_graph(graph),
            partition: Partition::by_colour(graph.colours()),
            scratch: Scratch::default(),
            trace: Folded::default(),
        };
        refined.scratch.refine_all(&refined.arcs, &mut refined.partition, &mut refined.trace);
        refined
    }

    fn individualise(&mut self, v: u32) {
        self.scratch.refine_at(&self.arcs, &mut self.partition, v, &mut self.trace);
    }

    fn cells(&self) -> Vec<u32> {
        (0..self.arcs.len() as u32).map(|v| self.partition.cell_of(v)).collect()
    }
}

/// Moves one edge end, flips an edge, or changes a label.
fn altered(graph: &Graph, seed: u64) -> Graph {
    let mut random = Random(seed);
    let n = graph.len() as u32;
    let mut edges: Vec<(u32, u32, u32)> =
        (0..n).flat_map(|v| graph.outgoing(v).iter().map(move |e| (v, e.1, e.0))).collect();
    if !edges.is_empty() {
        let at = random.below(edges.len() as u32) as usize;
        let (a, b, label) = edges[at];
        edges[at] = match random.below(3) {
            0 => (a, random.below(n), label),
            1 => (b, a, label),
            _ => (a, b, edges[random.below(edges.len() as u32) as usize].2),
        };
    }
    graph_of(graph.len(), graph.colours().to_vec(), &edges, false)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn certificates_agree_with_brute_force(graph in any_graph(7), seed: u64) {
        let first = form(&graph);
        let (copy, _) = permuted(&graph, seed);
        prop_assert_eq!(&first.certificate, &form(&copy).certificate);
        let (other, _) = permuted(&altered(&graph, seed), seed ^ 1);
        let isomorphic = !brute_force(&graph, &other).is_empty();
        let image = isomorphism(&first, &form(&other));
        prop_assert_eq!(image.is_some(), isomorphic);
        if let Some(image) = image {
            prop_assert_eq!(renamed(&graph, &image), other);
        }
    }

    #[test]
    fn groups_agree_with_brute_force(graph in any_graph(7)) {
        let all = brute_force(&graph, &graph);
        prop_assert_eq!(group_order(&graph), all.len() as u128);
        let orbits = form(&graph).orbits;
        for v in 0..graph.len() {
            prop_assert_eq!(Some(orbits[v]), all.iter().map(|image| image[v]).min());
        }
    }

    #[test]
    fn refinement_is_the_coarsest_equitable_one(graph in any_graph(30), seed: u64) {
        let n = graph.len();
        let mut refined = Refined::new(&graph);
        let start = refined.cells();
        prop_assert!(same_classes(&start, &naive_colours(&graph, graph.colours().to_vec())));
        // Cells are in order of the initial colours.
        for v in 0..n {
            for w in 0..n {
                prop_assert!(start[v] > start[w] || graph.colours()[v] <= graph.colours()[w]);
            }
        }
        let (copy, image) = permuted(&graph, seed);
        let mut other = Refined::new(&copy);
        prop_assert_eq!(refined.trace.0, other.trace.0);
        let mut colours = start.clone();
        let mut states = Vec::new();
        for step in 0..3 {
            states.push((refined.partition.mark(), refined.cells()));
            let v = (seed >> (8 * step)) as u32 % n as u32;
            refined.individualise(v);
            other.individualise(image[v as usize]);
            prop_assert_eq!(refined.trace.0, other.trace.0);
            prop_assert_eq!(refined.partition.cells(), other.partition.cells());
            for (v, &w) in (0..).zip(&image) {
                prop_assert_eq!(refined.partition.cell_of(v), other.partition.cell_of(w));
            }
            colours[v as usize] = 1000 + step;
            colours = naive_colours(&graph, colours);
            prop_assert!(same_classes(&refined.cells(), &colours));
            prop_assert!(refined.partition.cell_is_single(v));
        }
        for (mark, cells) in states.into_iter().rev() {
            refined.partition.undo_to(mark);
            prop_assert_eq!(refined.cells(), cells);
        }
    }

    #[test]
    fn joint_colours_are_those_of_the_union(a in any_graph(15), b in any_graph(15)) {
        let (left, right) = joint_colours(&a, &b);
        let both = union(&[&a, &b]);
        let naive = naive_colours(&both, both.colours().to_vec());
        prop_assert!(same_classes(&[left, right].concat(), &naive));
    }

    #[test]
    fn renaming_keeps_the_certificate(graph in any_graph(60), seed: u64) {
        let (copy, _) = permuted(&graph, seed);
        let (a, b) = (form(&graph), form(&copy));
        prop_assert_eq!(a.certificate, b.certificate);
        let size = |f: &Canonical| f.orbits.iter().collect::<BTreeSet<_>>().len();
        prop_assert_eq!(a.generators.is_empty(), b.generators.is_empty());
        prop_assert_eq!(size(&canonical_form(&graph, BUDGET)), size(&canonical_form(&copy, BUDGET)));
    }

    #[test]
    fn symmetric_products_keep_the_certificate(
        a in any_graph(4), b in any_graph(4), kind in 0u32..4, seed: u64,
    ) {
        // Products and copies have the structure that random graphs lack.
        let (m, n) = (a.len() as u32, b.len() as u32);
        let mut builder = GraphBuilder::new(
            (0..m * n).map(|x| a.colours()[(x / n) as usize]).collect());
        for v in 0..m {
            for &(label, to) in a.outgoing(v) {
                for x in 0..n {
                    for y in 0..n {
                        if kind == 0 || (kind == 1 && x == y) {
                            builder.edge(v * n + x, to * n + y, label);
                        }
                    }
                }
            }
            for x in 0..n {
                for &(label, y) in b.outgoing(x) {
                    builder.edge(v * n + x, v * n + y, label + 10 * u32::from(kind == 1));
                }
            }
        }
        let graph = copies(&builder.build(), 1 + (kind as usize & 2));
        let (copy, _) = permuted(&graph, seed);
        let first = form(&graph);
        prop_assert_eq!(&first.certificate, &form(&copy).certificate);
        let (other, _) = permuted(&altered(&graph, seed), seed);
        if let Some(image) = isomorphism(&first, &form(&other)) {
            prop_assert_eq!(renamed(&graph, &image), other);
        }
    }

    #[test]
    fn small_budgets_give_an_order_all_the_same(
        graph in any_graph(40), budget in 0u64..4, seed: u64,
    ) {
        let cut = canonical_form(&graph, budget);
        let mut order = cut.order.clone();
        order.sort_unstable();
        prop_assert!(order.iter().copied().eq(0..graph.len() as u32));
        prop_assert!(cut.generators.iter().all(|g| is_automorphism(&graph, g)));
        if cut.exact {
            prop_assert_eq!(&cut.certificate, &form(&graph).certificate);
        }
        let (copy, _) = permuted(&graph, seed);
        let other = canonical_form(&copy, budget);
        prop_assert!(cut.certificate == other.certificate || !(cut.exact && other.exact));
    }

    #[test]
    fn circulants_agree_with_brute_force(
        n in 3u32..10, a in 0u32..512, b in 0u32..512, labels in 1u32..3, seed: u64,
    ) {
        let (first, second) = (circulant(n, a, labels), circulant(n, b, labels));
        let (second, _) = permuted(&second, seed);
        let isomorphic = !brute_force(&first, &second).is_empty();
        let same = form(&first).certificate == form(&second).certificate;
        prop_assert_eq!(same, isomorphic);
    }

    #[test]
    fn covers_keep_the_certificate(
        n in 3u32..9, fold in 2u32..5, set in 0u32..512, labels in 1u32..3, seed: u64,
    ) {
        // Random covers of circulants: much for refinement to confuse.
        let base = circulant(n, set, labels);
        let mut random = Random(seed);
        let mut builder = GraphBuilder::new(vec![0; (n * fold) as usize]);
        for v in 0..n {
            for &(label, to) in base.outgoing(v) {
                let turn = random.below(fold);
                for sheet in 0..fold {
                    builder.edge(v * fold + sheet, to * fold + (sheet + turn) % fold, label);
                }
            }
        }
        let graph = builder.build();
        let (copy, _) = permuted(&graph, seed);
        prop_assert_eq!(form(&graph).certificate, form(&copy).certificate);
    }
}

/// Steps around a circle, directed, labels by turns.
fn circulant(n: u32, set: u32, labels: u32) -> Graph {
    let mut builder = GraphBuilder::new(vec![0; n as usize]);
    for step in (1..n).filter(|s| set >> s & 1 == 1) {
        for v in 0..n {
            builder.edge(v, (v + step) % n, step % labels);
        }
    }
    builder.build()
}

/// Number of isomorphism classes among graphs given by bit patterns.
fn classes(bits: u32, make: impl Fn(u32) -> Graph) -> usize {
    let all: BTreeSet<Vec<u32>> = (0..1 << bits).map(|set| form(&make(set)).certificate).collect();
    all.len()
}

fn from_bits(n: u32, set: u32, slots: &[(u32, u32)]) -> Graph {
    let mut builder = GraphBuilder::new(vec![0; n as usize]);
    for (i, &(a, b)) in slots.iter().enumerate() {
        if set >> i & 1 == 1 {
            builder.edge(a, b, 0);
        }
    }
    builder.build()
}

#[test]
fn numbers_of_small_graphs_are_the_known_ones() {
    for (n, known) in [(3, 4), (4, 11), (5, 34), (6, 156)] {
        let slots = pairs(n, |_, _| true);
        // Every graph but the empty one has a copy with the first edge.
        let count = 1 + classes(slots.len() as u32 - 1, |set| {
            let chosen = slots.iter().enumerate().filter(|(i, _)| (2 * set + 1) >> i & 1 == 1);
            undirected(n, &chosen.map(|(_, &e)| e).collect::<Vec<_>>())
        });
        assert_eq!(count, known, "graphs on {n} vertices");
    }
    let ordered: Edges = (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
    assert_eq!(classes(12, |set| from_bits(4, set, &ordered)), 218, "digraphs");
    let with_loops: Edges = (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).collect();
    assert_eq!(classes(9, |set| from_bits(3, set, &with_loops)), 104, "relations");
    let slots = pairs(5, |_, _| true);
    let tournaments = classes(10, |set| {
        let edges: Edges =
            slots.iter().enumerate().map(|(i, &(a, b))| if set >> i & 1 == 1 { (a, b) } else { (b, a) }).collect();
        from_bits(5, u32::MAX, &edges)
    });
    assert_eq!(tournaments, 12);
    // Three edge labels on the pairs of four vertices.
    let slots = pairs(4, |_, _| true);
    let coloured: BTreeSet<Vec<u32>> = (0..3u32.pow(6))
        .map(|code| {
            let mut builder = GraphBuilder::new(vec![0; 4]);
            for (i, &(a, b)) in slots.iter().enumerate() {
                both(&mut builder, a, b, code / 3u32.pow(i as u32) % 3);
            }
            form(&builder.build()).certificate
        })
        .collect();
    assert_eq!(coloured.len(), 66);
}

#[test]
fn groups_of_known_graphs_have_the_known_order() {
    let of = |pair: (u32, Edges)| group_order(&undirected(pair.0, &pair.1));
    assert_eq!(of((10, petersen())), 120);
    assert_eq!(of((16, shrikhande())), 192);
    assert_eq!(of((16, rook(4))), 1152);
    for p in [13, 17, 29, 37] {
        assert_eq!(of((p, paley(p))), u128::from(p * (p - 1) / 2));
    }
    assert_eq!(of(hypercube(4)), 384);
    assert_eq!(of(hypercube(5)), 3840);
    assert_eq!(of(plane(2)), 2 * 168);
    assert_eq!(of(plane(3)), 2 * 5616);
    assert_eq!(of(plane(4)), 2 * 120_960);
    assert_eq!(of((40, cycle(40))), 80);
    assert_eq!(of((10, complete_bipartite(5, 5))), 28_800);
    let two = copies(&undirected(10, &petersen()), 2);
    assert_eq!(group_order(&two), 28_800);
    assert_eq!(group_order(&complement(&two)), 28_800);
    // Eight copies of a single vertex, four of an edge.
    assert_eq!(group_order(&undirected(8, &[])), 40_320);
    assert_eq!(group_order(&copies(&undirected(2, &path(2)), 4)), 384);
    assert_eq!(of((15, binary_tree(15))), 1 << 7);
}

#[test]
fn hard_families_are_recognised() {
    let mut graphs = vec![
        undirected(100, &cycle(100)),
        copies(&undirected(2, &path(2)), 30),
        copies(&undirected(3, &cycle(3)), 40),
        copies(&undirected(10, &petersen()), 4),
        undirected(127, &binary_tree(127)),
        undirected(201, &star(200)),
        undirected(500, &[]),
        undirected(40, &complete_bipartite(20, 20)),
        undirected(16, &shrikhande()),
        undirected(16, &rook(4)),
        undirected(64, &latin(8, |i, j| (i + j) % 8)),
        undirected(64, &latin(8, |i, j| i ^ j)),
    ];
    for p in [13, 17, 29, 37] {
        graphs.push(undirected(p, &paley(p)));
    }
    for q in 2..=5 {
        let (n, edges) = plane(q);
        graphs.push(undirected(n, &edges));
    }
    for (n, edges) in [torus(5, 2), torus(5, 3), grid(5, 3), hypercube(5), hypercube(6), hypercube(7)] {
        graphs.push(undirected(n, &edges));
    }
    let unions = union(&[&graphs[8], &graphs[9], &graphs[12], &graphs[8]]);
    graphs.push(complement(&unions));
    graphs.push(unions);
    for seed in 0..4 {
        graphs.push(undirected(80, &random_regular(80, 3, &mut Random(seed))));
    }
    for twisted in [false, true] {
        for (n, base) in [
            (4, pairs(4, |_, _| true)),
            (6, complete_bipartite(3, 3)),
            (10, petersen()),
            (12, random_regular(12, 3, &mut Random(1))),
            (16, random_regular(16, 3, &mut Random(2))),
            (20, random_regular(20, 3, &mut Random(3))),
        ] {
            let (n, edges) = cfi(n, &base, twisted);
            graphs.push(undirected(n, &edges));
        }
    }
    let mut certificates = BTreeSet::new();
    for (i, graph) in graphs.iter().enumerate() {
        let first = form(graph);
        let n = graph.len() as u64;
        assert!(first.nodes <= n * n, "graph {i}: {} nodes", first.nodes);
        let (copy, _) = permuted(graph, 7);
        let image = isomorphism(&first, &form(&copy)).unwrap_or_else(|| panic!("graph {i}: a copy is told apart"));
        assert_eq!(renamed(graph, &image), copy);
        // No two of them are isomorphic.
        assert!(certificates.insert(first.certificate), "graph {i}");
    }
}

#[test]
fn deep_structures_need_no_deep_stack() {
    let n = 20_000;
    for edges in [path(n), binary_tree(n), star(n - 1), cycle(n)] {
        assert!(canonical_form(&undirected(n, &edges), BUDGET).exact);
    }
}

#[test]
fn edge_cases() {
    let empty = form(&GraphBuilder::new(Vec::new()).build());
    assert_eq!(empty.certificate, [0]);
    let one = form(&GraphBuilder::new(vec![5]).build());
    assert_eq!(one.certificate, [1, 5, 0]);
    let mut builder = GraphBuilder::new(vec![u32::MAX; 2]);
    builder.edge(1, 1, u32::MAX).edge(1, 1, u32::MAX);
    let loops = form(&builder.build());
    assert_eq!(loops.order, [0, 1]);
    assert!(loops.generators.is_empty());
    // The same number of edges, but repeated, is another graph.
    let repeated = undirected(4, &[(0, 1), (0, 1), (2, 3)]);
    let spread = undirected(4, &[(0, 1), (2, 3), (2, 3)]);
    assert_eq!(form(&repeated).certificate, form(&spread).certificate);
    let single = undirected(4, &[(0, 1), (1, 2), (2, 3)]);
    assert_ne!(form(&repeated).certificate, form(&single).certificate);
}

/// Necklaces of pearls that refinement cannot tell apart, so that leaves are
/// solved by components; two necklaces are isomorphic when one is the other
/// turned or flipped.
fn necklaces(length: u32, pearls: &[Graph; 2]) -> BTreeSet<Vec<u32>> {
    (0..1u32 << length)
        .map(|set| {
            let row: Vec<Graph> = (0..length).map(|i| pearls[(set >> i & 1) as usize].clone()).collect();
            let graph = necklace(&row);
            let first = form(&graph);
            let (copy, _) = permuted(&graph, u64::from(set));
            assert_eq!(first.certificate, form(&copy).certificate);
            first.certificate
        })
        .collect()
}

#[test]
fn necklaces_are_told_apart() {
    let six = undirected(6, &cycle(6));
    let threes = copies(&undirected(3, &cycle(3)), 2);
    for (length, known) in [(3, 4), (4, 6), (5, 8), (6, 13)] {
        assert_eq!(necklaces(length, &[six.clone(), threes.clone()]).len(), known);
    }
    // Necklaces as pearls of necklaces: leaves within leaves.
    let pearls = [
        necklace(&[six.clone(), six.clone(), threes.clone()]),
        necklace(&[six.clone(), threes.clone(), threes.clone()]),
    ];
    for (length, known) in [(3, 4), (4, 6)] {
        assert_eq!(necklaces(length, &pearls).len(), known);
    }
    assert_eq!(group_order(&necklace(&vec![six.clone(); 4])), 12u128.pow(4) * 8);
    assert_eq!(group_order(&necklace(&vec![threes.clone(); 4])), 72u128.pow(4) * 8);
    // Flipping each small necklace exchanges its two like pearls.
    let small = 2 * 12u128.pow(2) * 72;
    assert_eq!(group_order(&pearls[0]), small);
}

#[test]
fn long_necklaces_stay_polynomial() {
    let pearls = [undirected(16, &rook(4)), undirected(16, &shrikhande())];
    let mut random = Random(5);
    let row: Vec<Graph> = (0..24).map(|_| pearls[random.below(2) as usize].clone()).collect();
    let graph = necklace(&row);
    let nodes = form(&graph).nodes;
    assert!(nodes < 24 * 24 * 16, "{nodes} nodes");
}

#[test]
fn large_and_nearly_rigid_graphs() {
    let mut random = Random(3);
    let (n, matrix) = hadamard(19);
    let graphs = [
        undirected(2000, &random_edges(2000, 4000, &mut random)),
        undirected(300, &random_regular(300, 3, &mut random)),
        undirected(64, &switched_latin(8, 10, 1)),
        undirected(n, &matrix),
    ];
    for (i, graph) in graphs.iter().enumerate() {
        let (copy, _) = permuted(graph, 5);
        assert_eq!(form(graph).certificate, form(&copy).certificate, "graph {i}");
    }
}
