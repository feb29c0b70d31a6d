//! Disjoint sets whose representative is the smallest member.
//!
//! *Contract.* Starts as singletons; sets only ever merge. Used for the orbits
//! of the automorphisms found so far, and for connected components.
//!
//! *Complexity.* `O(log n)` amortised for each operation.

#[derive(Clone, Debug, Default)]
pub(crate) struct Orbits {
    parent: Vec<u32>,
}

impl Orbits {
    pub(crate) fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }

    /// Adds singletons until there are `n` members.
    pub(crate) fn fit(&mut self, n: usize) {
        self.parent.extend(self.parent.len() as u32..n as u32);
    }

    /// Makes `v` a singleton again; all others of its set must be reset too.
    pub(crate) fn reset(&mut self, v: u32) {
        self.parent[v as usize] = v;
    }

    /// The smallest member of the set of `v`.
    pub(crate) fn smallest(&mut self, v: u32) -> u32 {
        let mut at = v;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// Merges two sets; `false` when they were one already.
    pub(crate) fn merge(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.smallest(a), self.smallest(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
        low != high
    }

    /// Merges every vertex with its image; `false` when nothing changed.
    pub(crate) fn merge_all(&mut self, moved: &[(u32, u32)]) -> bool {
        let mut changed = false;
        for &(v, image) in moved {
            changed |= self.merge(v, image);
        }
        changed
    }
}
