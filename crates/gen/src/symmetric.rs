//! Graphs whose records nothing but the whole structure tells apart, or nothing at all: copies of them are the hard case of
//! invariance.
//!
//! Every record has the same attributes. Two disjoint links, chains of twins, cycles, regular and strongly regular graphs, a graph of Cai,
//! Fürer and Immerman (which no refinement by neighbourhoods tells from its twisted twin), a projective plane as lists of
//! members. A copy has identifiers of its own, and all its lists in an order of its own. Linear in the number of links.

use crate::streams::stream;
use rand::seq::SliceRandom;
use serde_json::{Value, json};

/// A structure over vertices 0..n.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// What it is called.
    pub name: &'static str,
    /// How many vertices it has.
    pub vertices: usize,
    /// Directed links.
    pub links: Vec<(usize, usize)>,
    /// Sets of vertices.
    pub groups: Vec<Vec<usize>>,
}

/// How documents of structures are scored: with references, or, `plain`, with identifiers as strings like any other.
pub fn schema(references: bool) -> Value {
    let leaf =
        |keyword: &str| if references { json!({"type": "string", keyword: "node"}) } else { json!({"type": "string"}) };
    let list = |items: Value| json!({"type": "array", "order": "align", "items": items});
    let exact = || json!({"type": "string", "score": "exact"});
    json!({
        "type": "object",
        "properties": {
            "nodes": list(json!({"type": "object", "properties": {"id": leaf("idScope"), "kind": exact()}})),
            "links": list(json!({"type": "object", "properties": {"from": leaf("ref"), "to": leaf("ref"), "role": exact()}})),
            "groups": list(json!({"type": "object", "properties": {"members": list(leaf("ref"))}}))
        }
    })
}

impl Structure {
    /// Copy `index` of the structure: names and orders are drawn.
    pub fn document(&self, seed: u64, index: u64) -> Value {
        let mut random = stream(seed, index, &format!("symmetric/{}", self.name));
        let mut names: Vec<String> = (0..self.vertices).map(|at| format!("{:06x}", at * 7919 + 13)).collect();
        names.shuffle(&mut random);
        let mut nodes: Vec<Value> = names.iter().map(|name| json!({"id": name, "kind": "a"})).collect();
        let mut links: Vec<Value> =
            self.links.iter().map(|&(from, to)| json!({"from": names[from], "to": names[to], "role": "e"})).collect();
        let mut groups: Vec<Value> = Vec::new();
        for group in &self.groups {
            let mut members: Vec<&String> = group.iter().map(|&at| &names[at]).collect();
            members.shuffle(&mut random);
            groups.push(json!({ "members": members }));
        }
        nodes.shuffle(&mut random);
        links.shuffle(&mut random);
        groups.shuffle(&mut random);
        json!({"nodes": nodes, "links": links, "groups": groups})
    }
}

/// The structures.
pub fn structures() -> Vec<Structure> {
    let directed = |name, vertices, links| Structure { name, vertices, links, groups: Vec::new() };
    let mutual = |name, vertices, edges: Vec<(usize, usize)>| {
        directed(name, vertices, edges.into_iter().flat_map(|(from, to)| [(from, to), (to, from)]).collect())
    };
    let k4 = vec![(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let (cfi_vertices, cfi) = cai_furer_immerman(4, &k4);
    let (points, lines) = plane(2);
    vec![
        directed("two links", 4, vec![(0, 1), (2, 3)]),
        directed("ten links", 20, (0..10).map(|at| (2 * at, 2 * at + 1)).collect()),
        directed("twin chains", 12, (0..12).filter(|at| at % 4 != 3).map(|at| (at, at + 1)).collect()),
        directed("6-cycle", 6, (0..6).map(|at| (at, (at + 1) % 6)).collect()),
        directed("two 5-cycles", 10, (0..10).map(|at| (at, at / 5 * 5 + (at + 1) % 5)).collect()),
        mutual("8-cycle, both ways", 8, (0..8).map(|at| (at, (at + 1) % 8)).collect()),
        mutual("K3,3", 6, (0..3).flat_map(|left| (3..6).map(move |right| (left, right))).collect()),
        mutual(
            "cube",
            8,
            (0..8_usize).flat_map(|at| [1, 2, 4].map(|bit| (at, at ^ bit))).filter(|(a, b)| a < b).collect(),
        ),
        mutual(
            "Petersen",
            10,
            (0..5).flat_map(|at| [(at, (at + 1) % 5), (at, at + 5), (at + 5, (at + 2) % 5 + 5)]).collect(),
        ),
        mutual("rook 4 x 4", 16, pairs(16).filter(|(a, b)| a / 4 == b / 4 || a % 4 == b % 4).collect()),
        mutual("Shrikhande", 16, pairs(16).filter(|&(a, b)| is_shrikhande(a, b)).collect()),
        directed("CFI over K4", cfi_vertices, cfi),
        Structure { name: "Fano plane", vertices: points, links: Vec::new(), groups: lines },
    ]
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

fn is_shrikhande(a: usize, b: usize) -> bool {
    let apart = ((a / 4 + 4 - b / 4) % 4, (a % 4 + 4 - b % 4) % 4);
    [(0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (3, 3)].contains(&apart)
}

/// For each edge at a vertex two outer vertices; for each even set of these edges an inner vertex, linked to the one or the
/// other of each; outer vertices of one edge are linked straight across.
fn cai_furer_immerman(vertices: usize, base: &[(usize, usize)]) -> (usize, Vec<(usize, usize)>) {
    let (mut next, mut links, mut outer) = (0, Vec::new(), vec![[0; 4]; base.len()]);
    for vertex in 0..vertices {
        let incident: Vec<(usize, usize)> = base
            .iter()
            .enumerate()
            .filter_map(|(edge, ends)| {
                (ends.0 == vertex || ends.1 == vertex).then_some((edge, if ends.0 == vertex { 0 } else { 2 }))
            })
            .collect();
        for &(edge, side) in &incident {
            (outer[edge][side], outer[edge][side + 1]) = (next, next + 1);
            next += 2;
        }
        for set in (0..1_usize << incident.len()).filter(|set| set.count_ones() % 2 == 0) {
            for (place, &(edge, side)) in incident.iter().enumerate() {
                links.push((next, outer[edge][side + (set >> place & 1)]));
            }
            next += 1;
        }
    }
    for ends in outer {
        links.extend([(ends[0], ends[2]), (ends[1], ends[3])]);
    }
    (next, links)
}

/// The points and lines of the projective plane of prime order q.
fn plane(q: usize) -> (usize, Vec<Vec<usize>>) {
    let mut points = vec![[0, 0, 1]];
    for x in 0..q {
        points.push([0, 1, x]);
        points.extend((0..q).map(|y| [1, x, y]));
    }
    let on = |line: &[usize; 3], point: &[usize; 3]| (0..3).map(|k| line[k] * point[k]).sum::<usize>() % q == 0;
    let line = |line| (0..points.len()).filter(|&at| on(line, &points[at])).collect();
    (points.len(), points.iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structures_are_what_they_are_called() {
        let all = structures();
        let size = |name: &str| {
            let found = all.iter().find(|structure| structure.name == name).expect("a structure");
            (found.vertices, found.links.len(), found.groups.len())
        };
        assert_eq!(size("Petersen"), (10, 30, 0));
        assert_eq!((size("rook 4 x 4"), size("Shrikhande")), ((16, 96, 0), (16, 96, 0)));
        assert_eq!(size("CFI over K4"), (40, 60, 0));
        assert_eq!(size("Fano plane"), (7, 0, 7));
        let fano = &all.last().expect("the plane").groups;
        assert!(fano.iter().all(|line| line.len() == 3));
        for structure in &all {
            assert!(structure.links.iter().all(|&(from, to)| from != to && from.max(to) < structure.vertices));
        }
    }

    #[test]
    fn copies_differ_in_names_and_order_alone() {
        let cycle = &structures()[3];
        let (a, b) = (cycle.document(1, 0), cycle.document(1, 1));
        assert_ne!(a, b);
        assert_eq!(a, cycle.document(1, 0));
        assert_eq!((a["nodes"].as_array().map(Vec::len), a["links"].as_array().map(Vec::len)), (Some(6), Some(6)));
    }
}
