//! Families of graphs for the tests. Randomness is seeded.

#![expect(clippy::many_single_char_names, reason = "vertices, rows and columns go by the letters of the definitions")]

use super::{Graph, GraphBuilder};

/// A small seeded generator (splitmix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(bound)) as u32
    }

    pub(super) fn permutation(&mut self, n: u32) -> Vec<u32> {
        let mut image: Vec<u32> = (0..n).collect();
        for i in (1..n).rev() {
            image.swap(i as usize, self.below(i + 1) as usize);
        }
        image
    }
}

pub(super) type Edges = Vec<(u32, u32)>;

/// Adds the two edges `a -> b` and `b -> a`, the usual reading of an undirected edge.
pub(super) fn both(builder: &mut GraphBuilder, a: u32, b: u32, label: u32) {
    builder.edge(a, b, label);
    builder.edge(b, a, label);
}

pub(super) fn undirected(n: u32, edges: &[(u32, u32)]) -> Graph {
    let mut builder = GraphBuilder::new(vec![0; n as usize]);
    for &(a, b) in edges {
        both(&mut builder, a, b, 0);
    }
    builder.build()
}

/// The graph with vertex `v` renamed to `image[v]`.
pub(super) fn renamed(graph: &Graph, image: &[u32]) -> Graph {
    let mut colours = vec![0; image.len()];
    for (v, &w) in image.iter().enumerate() {
        colours[w as usize] = graph.colours()[v];
    }
    let mut builder = GraphBuilder::new(colours);
    for v in 0..graph.len() as u32 {
        for &(label, to) in graph.outgoing(v) {
            builder.edge(image[v as usize], image[to as usize], label);
        }
    }
    builder.build()
}

pub(super) fn union(parts: &[&Graph]) -> Graph {
    let colours: Vec<&[u32]> = parts.iter().map(|g| g.colours()).collect();
    let mut builder = GraphBuilder::new(colours.concat());
    let mut offset = 0;
    for graph in parts {
        for v in 0..graph.len() as u32 {
            for &(label, to) in graph.outgoing(v) {
                builder.edge(v + offset, to + offset, label);
            }
        }
        offset += graph.len() as u32;
    }
    builder.build()
}

pub(super) fn copies(graph: &Graph, times: usize) -> Graph {
    union(&vec![graph; times])
}

/// For graphs with one kind of undirected edge.
pub(super) fn complement(graph: &Graph) -> Graph {
    let n = graph.len() as u32;
    undirected(n, &pairs(n, |a, b| !graph.outgoing(a).contains(&(0, b))))
}

/// All pairs `a < b` with the property.
pub(super) fn pairs(n: u32, adjacent: impl Fn(u32, u32) -> bool) -> Edges {
    (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).filter(|&(a, b)| adjacent(a, b)).collect()
}

pub(super) fn cycle(n: u32) -> Edges {
    (0..n).map(|v| (v, (v + 1) % n)).collect()
}

pub(super) fn path(n: u32) -> Edges {
    (1..n).map(|v| (v - 1, v)).collect()
}

pub(super) fn binary_tree(n: u32) -> Edges {
    (1..n).map(|v| ((v - 1) / 2, v)).collect()
}

pub(super) fn star(leaves: u32) -> Edges {
    (1..=leaves).map(|v| (0, v)).collect()
}

pub(super) fn complete_bipartite(a: u32, b: u32) -> Edges {
    (0..a).flat_map(|v| (a..a + b).map(move |w| (v, w))).collect()
}

pub(super) fn petersen() -> Edges {
    let mut edges = cycle(5);
    edges.extend((0..5).map(|v| (v, v + 5)));
    edges.extend((0..5).map(|v| (v + 5, (v + 2) % 5 + 5)));
    edges
}

/// The grid of `side^dimension` vertices, wrapped around.
pub(super) fn torus(side: u32, dimension: u32) -> (u32, Edges) {
    let n = side.pow(dimension);
    let mut edges = Vec::new();
    for v in 0..n {
        for d in 0..dimension {
            let step = side.pow(d);
            let digit = v / step % side;
            edges.push((v, v - digit * step + (digit + 1) % side * step));
        }
    }
    (n, edges)
}

pub(super) fn grid(side: u32, dimension: u32) -> (u32, Edges) {
    let (n, mut edges) = torus(side, dimension);
    edges.retain(|&(a, b)| a < b);
    (n, edges)
}

pub(super) fn hypercube(dimension: u32) -> (u32, Edges) {
    let n = 1 << dimension;
    (n, pairs(n, |a, b| (a ^ b).is_power_of_two()))
}

pub(super) fn shrikhande() -> Edges {
    pairs(16, |a, b| {
        let step = ((a / 4 + 4 - b / 4) % 4, (a + 16 - b) % 4);
        [(1, 0), (3, 0), (0, 1), (0, 3), (1, 1), (3, 3)].contains(&step)
    })
}

pub(super) fn rook(side: u32) -> Edges {
    pairs(side * side, |a, b| a / side == b / side || a % side == b % side)
}

/// For a prime that leaves 1 when divided by 4.
pub(super) fn paley(p: u32) -> Edges {
    let squares: Vec<u32> = (1..p).map(|x| x * x % p).collect();
    pairs(p, |a, b| squares.contains(&(b - a)))
}

/// The Latin-square graph of a table of order `k`.
pub(super) fn latin(k: u32, entry: impl Fn(u32, u32) -> u32) -> Edges {
    pairs(k * k, |a, b| {
        let (i, j, x, y) = (a / k, a % k, b / k, b % k);
        i == x || j == y || entry(i, j) == entry(x, y)
    })
}

/// Points and lines of the projective plane over the field of order `q`, for
/// `q` prime or 4.
pub(super) fn plane(q: u32) -> (u32, Edges) {
    let times = |a: u32, b: u32| {
        if q == 4 {
            // Polynomials over two elements, modulo x^2 + x + 1.
            let product = (a * (b & 1)) ^ ((a * (b >> 1)) << 1);
            if product & 4 == 0 { product } else { product ^ 7 }
        } else {
            a * b % q
        }
    };
    let plus = |a: u32, b: u32| if q == 4 { a ^ b } else { (a + b) % q };
    let mut points = vec![[0, 0, 1]];
    points.extend((0..q).map(|z| [0, 1, z]));
    points.extend((0..q).flat_map(|y| (0..q).map(move |z| [1, y, z])));
    let n = points.len() as u32;
    let mut edges = Vec::new();
    for (i, p) in points.iter().enumerate() {
        for (j, l) in points.iter().enumerate() {
            let sum = (0..3).fold(0, |s, c| plus(s, times(p[c], l[c])));
            if sum == 0 {
                edges.push((i as u32, n + j as u32));
            }
        }
    }
    (2 * n, edges)
}

/// A random simple regular graph, by pairing ends until it is simple.
pub(super) fn random_regular(n: u32, degree: u32, random: &mut Random) -> Edges {
    loop {
        let ends = random.permutation(n * degree);
        let mut edges: Edges =
            ends.chunks(2).map(|c| (c[0] / degree, c[1] / degree)).map(|(a, b)| (a.min(b), a.max(b))).collect();
        edges.sort_unstable();
        let simple = edges.iter().all(|e| e.0 != e.1) && edges.windows(2).all(|w| w[0] != w[1]);
        if simple {
            return edges;
        }
    }
}

pub(super) fn random_edges(n: u32, m: usize, random: &mut Random) -> Edges {
    (0..m).map(|_| (random.below(n), random.below(n))).collect()
}

/// The Cai-Fürer-Immerman graph over a base graph, twisted at its first edge
/// or not.
pub(super) fn cfi(n: u32, base: &[(u32, u32)], twisted: bool) -> (u32, Edges) {
    let mut edges = Vec::new();
    // Ends of base edges: two vertices each, first and second end of edge `e`
    // at `4e` and `4e + 2`.
    let mut next = 4 * base.len() as u32;
    for v in 0..n {
        let ends: Vec<u32> = (0..base.len())
            .flat_map(|e| {
                let at = 4 * e as u32;
                let (a, b) = base[e];
                [(a, at), (b, at + 2)].into_iter().filter(move |x| x.0 == v)
            })
            .map(|x| x.1)
            .collect();
        for set in (0u32..1 << ends.len()).filter(|s| s.count_ones() % 2 == 0) {
            for (i, end) in ends.iter().enumerate() {
                edges.push((next, end + (set >> i & 1)));
            }
            next += 1;
        }
    }
    for e in 0..base.len() as u32 {
        let twist = u32::from(twisted && e == 0);
        edges.push((4 * e, 4 * e + 2 + twist));
        edges.push((4 * e + 1, 4 * e + 3 - twist));
    }
    (next, edges)
}

/// The Latin-square graph of the table of exclusive or, with some two-by-two
/// subsquares turned; few symmetries are left.
pub(super) fn switched_latin(k: u32, turns: u32, seed: u64) -> Edges {
    let mut random = Random(seed);
    let mut table: Vec<Vec<u32>> = (0..k).map(|i| (0..k).map(|j| i ^ j).collect()).collect();
    for _ in 0..turns {
        loop {
            let [i, j, x] = [0; 3].map(|_: u32| random.below(k) as usize);
            let Some(y) = (0..k as usize).find(|&y| table[i][y] == table[j][x]) else {
                continue;
            };
            if i != j && x != y && table[i][x] == table[j][y] {
                let (p, q) = (table[i][x], table[i][y]);
                (table[i][x], table[i][y], table[j][x], table[j][y]) = (q, p, p, q);
                break;
            }
        }
    }
    latin(k, |i, j| table[i as usize][j as usize])
}

/// The graph of the Paley-Hadamard matrix of order `p + 1`: two vertices, for
/// the signs, for each row and for each column.
pub(super) fn hadamard(p: u32) -> (u32, Edges) {
    let squares: Vec<u32> = (1..p).map(|x| x * x % p).collect();
    let n = p + 1;
    let plus = |i: u32, j: u32| i == 0 || j == 0 || (i != j && squares.contains(&((i + p - j) % p)));
    let mut edges = Vec::new();
    for i in 0..n {
        for j in 0..n {
            for sign in 0..2 {
                let other = sign ^ u32::from(!plus(i, j));
                edges.push((2 * i + sign, 2 * (n + j) + other));
            }
        }
    }
    for x in 0..2 * n {
        edges.push((2 * x, 2 * x + 1));
    }
    (4 * n, edges)
}

/// A ring of hubs, each joined to all vertices of one pearl.
pub(super) fn necklace(pearls: &[Graph]) -> Graph {
    let count = pearls.len() as u32;
    let mut builder = GraphBuilder::new(vec![0; pearls.iter().map(Graph::len).sum::<usize>() + pearls.len()]);
    for (a, b) in cycle(count) {
        both(&mut builder, a, b, 0);
    }
    let mut offset = count;
    for (hub, pearl) in (0..).zip(pearls) {
        for v in 0..pearl.len() as u32 {
            both(&mut builder, hub, offset + v, 0);
            for &(label, to) in pearl.outgoing(v) {
                builder.edge(offset + v, offset + to, label);
            }
        }
        offset += pearl.len() as u32;
    }
    builder.build()
}
