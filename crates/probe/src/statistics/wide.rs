//! Lanes in the registers of the processor at hand.
//!
//! `N` registers hold the lanes: four of four numbers each on most machines of today, sixteen of one number where nothing is
//! known of the machine. Nothing is fused or reordered: the bits are those of any other machine.

use super::{LANES, Lanes};
use pulp::Simd;

/// A number for each lane, in registers.
pub(super) type Row<S, const N: usize> = [<S as Simd>::f64s; N];

/// Arithmetic on rows, lane by lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide<S, const N: usize>(pub(super) S);

impl<S: Simd, const N: usize> Wide<S, N> {
    /// The numbers of some lanes, register by register: `N` of them belong together.
    #[inline(always)]
    pub(super) fn registers(lanes: &[Lanes]) -> &[S::f64s] {
        debug_assert_eq!(S::F64_LANES * N, LANES);
        S::as_simd_f64s(lanes.as_flattened()).0
    }

    /// Row `at` of what [`Wide::registers`] gave.
    #[inline(always)]
    pub(super) fn row(registers: &[S::f64s], at: usize) -> &Row<S, N> {
        registers[at * N..].first_chunk().expect("N registers for each row")
    }

    #[inline(always)]
    pub(super) fn lanes(row: Row<S, N>) -> Lanes {
        let mut lanes = [0.0; LANES];
        S::as_mut_simd_f64s(&mut lanes).0.copy_from_slice(&row);
        lanes
    }

    #[inline(always)]
    pub(super) fn splat(self, number: f64) -> Row<S, N> {
        [self.0.splat_f64s(number); N]
    }

    #[inline(always)]
    pub(super) fn zero(self) -> Row<S, N> {
        self.splat(0.0)
    }

    #[inline(always)]
    pub(super) fn add(self, a: &Row<S, N>, b: &Row<S, N>) -> Row<S, N> {
        let mut result = *a;
        for at in 0..N {
            result[at] = self.0.add_f64s(a[at], b[at]);
        }
        result
    }

    #[inline(always)]
    pub(super) fn less(self, a: &Row<S, N>, b: &Row<S, N>) -> Row<S, N> {
        let mut result = *a;
        for at in 0..N {
            result[at] = self.0.sub_f64s(a[at], b[at]);
        }
        result
    }

    #[inline(always)]
    pub(super) fn times(self, a: &Row<S, N>, b: &Row<S, N>) -> Row<S, N> {
        let mut result = *a;
        for at in 0..N {
            result[at] = self.0.mul_f64s(a[at], b[at]);
        }
        result
    }

    /// `sum + a * b`, rounded twice.
    #[inline(always)]
    pub(super) fn plus_times(self, sum: &Row<S, N>, a: &Row<S, N>, b: &Row<S, N>) -> Row<S, N> {
        self.add(sum, &self.times(a, b))
    }
}
