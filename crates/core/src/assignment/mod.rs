//! Matching the children of two nodes: which algorithm serves which list.
//!
//! | module | matching | objective | cost |
//! |---|---|---|---|
//! | [`optimal`] | any partial matching of rows and columns | largest total, then most pairs | O(n² m) at worst for n ≤ m; near O(n m) when most rows have a best column of their own |
//! | [`monotone`] | order-preserving partial matchings | largest total, then most pairs | O(n m) time, O(m) memory for the value, n m bytes for the pairs |
//! | [`ties`] | not one optimal matching but all of them, narrowed by decisions | the same | as `optimal`, for N = max(n, m) on both sides; N² bits of memory |
//!
//! All take similarities in units of 2^-40 (see [`crate::fixed`]), so totals are integers and ties are ties. A pair of
//! similarity 0 is no pair and never returned. The largest total and the number of pairs are functions of the two
//! multisets (for `monotone`: of the two sequences); *which* pairs are returned among equals is settled by position.

pub(crate) mod monotone;
pub(crate) mod optimal;
pub(crate) mod ties;

use crate::fixed::ONE;

/// The value of a matching: the total similarity in units and, next in rank, the number of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Total {
    pub(crate) units: i64,
    pub(crate) pairs: u32,
}

impl Total {
    /// That many pairs of equals.
    pub(crate) fn of_equals(pairs: usize) -> Self {
        let pairs = pairs as u32;
        Self { units: ONE * i64::from(pairs), pairs }
    }

    /// The total with one more pair, unless its similarity is 0.
    pub(crate) fn with(self, units: i64) -> Self {
        if units == 0 { self } else { Self { units: self.units + units, pairs: self.pairs + 1 } }
    }
}
