//! Graphs as documents: families on which colour refinement, or a greedy pairing, fails. Shared by the tests and by the
//! example that times them.

#![allow(dead_code, reason = "each user takes what it needs")]

use serde_json::{Value, json};

/// An edge list over vertices 0..n.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) name: String,
    pub(crate) n: usize,
    pub(crate) edges: Vec<(usize, usize)>,
    /// Whether each edge is written as two links, one each way.
    pub(crate) both_ways: bool,
}

/// A small generator of its own (`SplitMix64`), so that the test data hang on nothing.
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "nodes": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
                "id": {"type": "string", "idScope": "node"},
                "kind": {"type": "string", "score": "exact"}
            }}},
            "links": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
                "from": {"type": "string", "ref": "node"},
                "to": {"type": "string", "ref": "node"},
                "role": {"type": "string", "score": "exact"}
            }}}
        }
    })
}

/// The graph as a document, with fresh identifiers and everything in an order of the generator's choice.
pub(crate) fn document(graph: &Graph, random: &mut Random) -> Value {
    let mut names: Vec<String> = (0..graph.n).map(|at| format!("{:06x}", at * 7919 + 13)).collect();
    random.shuffle(&mut names);
    let mut nodes: Vec<Value> = names.iter().map(|name| json!({"id": name, "kind": "a"})).collect();
    let link = |from: usize, to: usize| json!({"from": names[from], "to": names[to], "role": "e"});
    let mut links: Vec<Value> = Vec::new();
    for &(from, to) in &graph.edges {
        links.push(link(from, to));
        if graph.both_ways {
            links.push(link(to, from));
        }
    }
    random.shuffle(&mut nodes);
    random.shuffle(&mut links);
    json!({"nodes": nodes, "links": links})
}

fn graph(name: &str, n: usize, edges: Vec<(usize, usize)>, both_ways: bool) -> Graph {
    Graph { name: name.to_owned(), n, edges, both_ways }
}

pub(crate) fn disjoint_edges(count: usize) -> Graph {
    graph(&format!("{count} disjoint edges"), 2 * count, (0..count).map(|at| (2 * at, 2 * at + 1)).collect(), false)
}

pub(crate) fn cycle(n: usize, both_ways: bool) -> Graph {
    graph(&format!("cycle of {n}"), n, (0..n).map(|at| (at, (at + 1) % n)).collect(), both_ways)
}

pub(crate) fn tree(n: usize) -> Graph {
    graph(&format!("binary tree of {n}"), n, (1..n).map(|at| ((at - 1) / 2, at)).collect(), false)
}

pub(crate) fn petersen() -> Graph {
    let mut edges = Vec::new();
    for at in 0..5 {
        edges.extend([(at, (at + 1) % 5), (at, at + 5), (at + 5, (at + 2) % 5 + 5)]);
    }
    graph("Petersen graph", 10, edges, true)
}

pub(crate) fn complete_bipartite(a: usize, b: usize) -> Graph {
    let edges = (0..a).flat_map(|left| (0..b).map(move |right| (left, a + right))).collect();
    graph(&format!("K{a},{b}"), a + b, edges, true)
}

pub(crate) fn copies(base: &Graph, count: usize) -> Graph {
    let edges = (0..count)
        .flat_map(|copy| base.edges.iter().map(move |&(from, to)| (from + copy * base.n, to + copy * base.n)))
        .collect();
    graph(&format!("{count} x {}", base.name), base.n * count, edges, base.both_ways)
}

/// A random 3-regular graph by the pairing model, drawn until it is simple.
pub(crate) fn cubic(n: usize, seed: u64) -> Graph {
    let mut random = Random(seed);
    loop {
        let mut stubs: Vec<usize> = (0..n).flat_map(|at| [at, at, at]).collect();
        random.shuffle(&mut stubs);
        let mut edges: Vec<(usize, usize)> =
            stubs.chunks(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))).collect();
        edges.sort_unstable();
        let simple = edges.iter().all(|(from, to)| from != to) && edges.windows(2).all(|two| two[0] != two[1]);
        if simple {
            return graph(&format!("random 3-regular {n}"), n, edges, true);
        }
    }
}

/// Strongly regular (16, 6, 2, 2): the 4 x 4 rook's graph.
pub(crate) fn rook() -> Graph {
    let edges = (0..16_usize)
        .flat_map(|a| (a + 1..16).map(move |b| (a, b)))
        .filter(|(a, b)| a / 4 == b / 4 || a % 4 == b % 4)
        .collect();
    graph("rook 4 x 4", 16, edges, true)
}

/// Strongly regular (16, 6, 2, 2): the Shrikhande graph.
pub(crate) fn shrikhande() -> Graph {
    let near = [(0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (3, 3)];
    let edges = (0..16_usize)
        .flat_map(|a| (a + 1..16).map(move |b| (a, b)))
        .filter(|(a, b)| near.contains(&((a / 4 + 4 - b / 4) % 4, (a % 4 + 4 - b % 4) % 4)))
        .collect();
    graph("Shrikhande", 16, edges, true)
}

/// The graph of Cai, Fürer and Immerman over a base graph, plain or with one twisted edge.
pub(crate) fn cai_furer_immerman(base: &Graph, twisted: bool) -> Graph {
    let mut ends: Vec<Vec<usize>> = vec![Vec::new(); base.n];
    for (edge, &(from, to)) in base.edges.iter().enumerate() {
        ends[from].push(edge);
        ends[to].push(edge);
    }
    let mut next = 0;
    let mut outer = vec![[0; 4]; base.edges.len()];
    let mut edges = Vec::new();
    for (vertex, incident) in ends.iter().enumerate() {
        // For each incident edge two outer vertices, 0 and 1; for each even subset an inner vertex joined to its choice.
        for &edge in incident {
            let side = if base.edges[edge].0 == vertex { 0 } else { 2 };
            outer[edge][side] = next;
            outer[edge][side + 1] = next + 1;
            next += 2;
        }
        for subset in (0..1_usize << incident.len()).filter(|subset| subset.count_ones() % 2 == 0) {
            let inner = next;
            next += 1;
            for (place, &edge) in incident.iter().enumerate() {
                let side = if base.edges[edge].0 == vertex { 0 } else { 2 };
                edges.push((inner, outer[edge][side + (subset >> place & 1)]));
            }
        }
    }
    for (edge, ends) in outer.iter().enumerate() {
        let cross = usize::from(twisted && edge == 0);
        edges.push((ends[0], ends[2 + cross]));
        edges.push((ends[1], ends[3 - cross]));
    }
    let name = format!("CFI over {}{}", base.name, if twisted { ", twisted" } else { "" });
    graph(&name, next, edges, true)
}

pub(crate) fn k4() -> Graph {
    graph("K4", 4, vec![(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], true)
}

/// Member lists instead of links.
pub(crate) fn team_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "people": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
                "id": {"type": "integer", "idScope": "person"},
                "job": {"type": "string", "score": "exact"}
            }}},
            "teams": {"type": "array", "order": "align", "items": {"type": "object", "properties": {
                "members": {"type": "array", "order": "align", "items": {"type": "integer", "ref": "person"}}
            }}}
        }
    })
}

/// A hypergraph as a document, renamed and shuffled.
pub(crate) fn teams(n: usize, teams: &[Vec<usize>], random: &mut Random) -> Value {
    let mut names: Vec<usize> = (0..n).map(|at| 1000 + at * 37).collect();
    random.shuffle(&mut names);
    let mut people: Vec<Value> = names.iter().map(|name| json!({"id": name, "job": "x"})).collect();
    let mut written: Vec<Value> = teams
        .iter()
        .map(|team| {
            let mut members: Vec<usize> = team.iter().map(|&at| names[at]).collect();
            random.shuffle(&mut members);
            json!({"members": members})
        })
        .collect();
    random.shuffle(&mut people);
    random.shuffle(&mut written);
    json!({"people": people, "teams": written})
}

/// The points and lines of the projective plane of prime order q.
pub(crate) fn plane(q: usize) -> (usize, Vec<Vec<usize>>) {
    let mut points = Vec::new();
    for x in 0..q {
        for y in 0..q {
            points.push([1, x, y]);
        }
        points.push([0, 1, x]);
    }
    points.push([0, 0, 1]);
    let lines = points
        .iter()
        .map(|line| {
            (0..points.len())
                .filter(|&point| (0..3).map(|k| line[k] * points[point][k]).sum::<usize>() % q == 0)
                .collect()
        })
        .collect();
    (points.len(), lines)
}
