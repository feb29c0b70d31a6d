//! Taking a refined graph apart, before any search.
//!
//! *Contract.* Given an equitable partition whose cells are fixed anyway:
//!
//! * [`strip`] drops, between any two cells, the relation that most pairs are
//!   in, making the absence of an arc explicit where that relation was not
//!   absence itself. The isomorphisms that keep the cells stay the same: which
//!   relation was dropped is a function of the pair of cells. Blocks that are
//!   all alike vanish, and so single-vertex cells become isolated.
//! * [`components`] are then independent problems.
//! * [`twins`] are classes of vertices any two of which may be exchanged with
//!   nothing else moving; a class can be solved as one vertex.
//!
//! All need at most one arc for each ordered pair, and kinds with reverses.
//!
//! *Complexity.* `O((n + m) log m)` each.
//!
//! *Source.* Junttila and Kaski, "Conflict propagation and component recursion
//! for canonical labeling" (2011), for the use of components.

use super::arcs::{Arc, Arcs, Reverse};
use super::orbits::Orbits;
use super::partition::Partition;

/// Stands for the absence of an arc where kinds are compared, and for the
/// absence of a vertex.
pub(crate) const ABSENT: u32 = u32::MAX;

/// The graph without the most frequent relation of each pair of cells. The kind
/// for explicit absence is `arcs.kinds()`, its own reverse; `reverse` is for
/// all others.
pub(crate) fn strip(arcs: &Arcs, partition: &Partition, reverse: &Reverse) -> Arcs {
    let n = arcs.len();
    // What is dropped, for each ordered pair of cells.
    let mut drops: Vec<Drop> = Vec::new();
    let mut ends: Vec<(u32, u32)> = Vec::new();
    for cell in partition.starts() {
        let row = arcs.row(partition.cell(cell)[0]);
        ends.clear();
        ends.extend(row.iter().map(|&(kind, to)| (partition.cell_of(to), kind)));
        ends.sort_unstable();
        for block in ends.chunk_by(|a, b| a.0 == b.0) {
            let other = block[0].0;
            if other < cell {
                // Decided from the other side, so that both sides agree.
                continue;
            }
            let all = partition.length(other) as usize - usize::from(other == cell);
            let absent = all - block.len();
            let mut most = (absent, ABSENT);
            for group in block.chunk_by(|a, b| a.1 == b.1) {
                let kind = group[0].1;
                // Inside a cell, a relation may only be dropped both ways.
                if group.len() > most.0 && (other != cell || reverse.of(kind) == kind) {
                    most = (group.len(), kind);
                }
            }
            let kind = most.1;
            if kind == ABSENT {
                continue;
            }
            let explicit = absent > 0;
            drops.push(Drop { cell, other, kind, explicit });
            if other != cell {
                let kind = reverse.of(kind);
                drops.push(Drop { cell: other, other: cell, kind, explicit });
            }
        }
    }
    drops.sort_unstable_by_key(|d| (d.cell, d.other));

    let absence = arcs.kinds();
    let any_explicit = drops.iter().any(|d| d.explicit);
    // Rows in the order of cells, and where each vertex has its own.
    let mut rows: Vec<Arc> = Vec::with_capacity(arcs.arc_count());
    let mut range = vec![(0usize, 0usize); n];
    let mut dropped = vec![ABSENT; n];
    let mut adjacent = vec![false; n];
    let mut left = drops.as_slice();
    for cell in partition.starts() {
        let (here, later) = left.split_at(left.partition_point(|d| d.cell <= cell));
        left = later;
        for drop in here {
            dropped[drop.other as usize] = drop.kind;
        }
        for &v in partition.cell(cell) {
            let from = rows.len();
            let kept = arcs.row(v).iter();
            rows.extend(kept.filter(|a| dropped[partition.cell_of(a.1) as usize] != a.0));
            if here.iter().any(|d| d.explicit) {
                adjacent[v as usize] = true;
                for &(_, to) in arcs.row(v) {
                    adjacent[to as usize] = true;
                }
                for drop in here.iter().filter(|d| d.explicit) {
                    let others = partition.cell(drop.other).iter();
                    let absent = others.filter(|&&u| !adjacent[u as usize]);
                    rows.extend(absent.map(|&u| (absence, u)));
                }
                adjacent[v as usize] = false;
                for &(_, to) in arcs.row(v) {
                    adjacent[to as usize] = false;
                }
            }
            range[v as usize] = (from, rows.len());
        }
        for drop in here {
            dropped[drop.other as usize] = ABSENT;
        }
    }
    let mut result = Arcs::with_kinds(absence + u32::from(any_explicit));
    for (from, end) in range {
        for &(kind, to) in &rows[from..end] {
            result.push(kind, to);
        }
        result.end_row();
    }
    result
}

/// What is dropped between two cells, seen from the first.
struct Drop {
    cell: u32,
    other: u32,
    kind: u32,
    /// Whether some pairs have no arc, which is now to be explicit.
    explicit: bool,
}

/// The connected components, each ascending, in order of smallest vertex.
pub(crate) fn components(arcs: &Arcs) -> Vec<Vec<u32>> {
    let n = arcs.len() as u32;
    let mut sets = Orbits::new(n as usize);
    for v in 0..n {
        for &(_, to) in arcs.row(v) {
            sets.merge(v, to);
        }
    }
    classes(&mut sets, n)
}

fn classes(sets: &mut Orbits, n: u32) -> Vec<Vec<u32>> {
    let mut index = vec![0u32; n as usize];
    let mut result: Vec<Vec<u32>> = Vec::new();
    for v in 0..n {
        let smallest = sets.smallest(v);
        if smallest == v {
            index[v as usize] = result.len() as u32;
            result.push(vec![v]);
        } else {
            result[index[smallest as usize] as usize].push(v);
        }
    }
    result
}

/// The arcs among some vertices, which become `0, 1, ...` in the order given.
/// `local` is a buffer for at least `arcs.len()` numbers.
pub(crate) fn induced(arcs: &Arcs, vertices: &[u32], local: &mut [u32]) -> Arcs {
    for (i, &v) in vertices.iter().enumerate() {
        local[v as usize] = i as u32;
    }
    let mut result = Arcs::with_kinds(arcs.kinds());
    for &v in vertices {
        for &(kind, to) in arcs.row(v) {
            let to = local[to as usize];
            if to != ABSENT {
                result.push(kind, to);
            }
        }
        result.end_row();
    }
    for &v in vertices {
        local[v as usize] = ABSENT;
    }
    result
}

/// A buffer as [`induced`] wants it.
pub(crate) fn local_buffer(n: usize) -> Vec<u32> {
    vec![ABSENT; n]
}

/// The classes of twins within cells, each ascending, in order of smallest
/// vertex; or nothing when every class has one vertex.
pub(crate) fn twins(arcs: &Arcs, partition: &Partition, reverse: &Reverse) -> Option<Vec<Vec<u32>>> {
    let n = arcs.len() as u32;
    let mut sets = Orbits::new(n as usize);
    let mut any = false;

    // Twins with no arc between them have the same row.
    let mut by_row: Vec<u32> = (0..n).collect();
    let key = |v: u32| (partition.cell_of(v), arcs.row(v));
    by_row.sort_by(|&a, &b| key(a).cmp(&key(b)));
    for pair in by_row.windows(2) {
        if key(pair[0]) == key(pair[1]) {
            any |= sets.merge(pair[0], pair[1]);
        }
    }
    // Twins with an arc between them have the same row but for that arc.
    for v in 0..n {
        for &(kind, u) in arcs.row(v) {
            if u > v
                && partition.cell_of(u) == partition.cell_of(v)
                && reverse.of(kind) == kind
                && sets.smallest(u) != sets.smallest(v)
            {
                let rest_of_v = arcs.row(v).iter().filter(|a| a.1 != u);
                let rest_of_u = arcs.row(u).iter().filter(|a| a.1 != v);
                if rest_of_v.eq(rest_of_u) {
                    any |= sets.merge(u, v);
                }
            }
        }
    }
    any.then(|| classes(&mut sets, n))
}
