//! Independent random generators, one for each (dataset seed, instance index, stream name).
//!
//! A generator that draws everything from one sequence changes all later draws when one knob is added. Here each purpose
//! has a stream of its own, by name: what a stream gives depends on nothing that other streams draw, nor on how many
//! instances came before. So a new knob, which takes a new name, leaves every old draw where it was; a stream's name is
//! part of the data's definition and is never reused for another purpose.
//!
//! The 32 bytes of the key are the facts themselves, little-endian: 8 of the seed, 8 of the index, 16 of the 128-bit FNV-1a
//! hash of the name. `ChaCha12` does the mixing: its output under two different keys is unrelated, however alike the keys.

use rand::{Rng, RngExt};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

/// The generator of one stream.
///
/// ```
/// use objalign_gen::streams::stream;
/// use rand::Rng;
///
/// let (mut names, mut again, mut other) = (stream(7, 0, "names"), stream(7, 0, "names"), stream(7, 0, "cities"));
/// let first = names.next_u64();
/// assert_eq!(first, again.next_u64());
/// assert_ne!(first, other.next_u64());
/// ```
pub fn stream(seed: u64, index: u64, name: &str) -> ChaCha12Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&index.to_le_bytes());
    key[16..].copy_from_slice(&fnv1a(name.as_bytes()).to_le_bytes());
    ChaCha12Rng::from_seed(key)
}

/// A number below `bound`, each as likely. Drawn in 32 bits, so that it is the same on machines of any word size.
pub(crate) fn below<R: Rng + ?Sized>(random: &mut R, bound: usize) -> usize {
    random.random_range(0..bound as u32) as usize
}

/// `count` different numbers below `bound`, in the order of drawing: every such sequence is as likely.
///
/// Each draw takes the k-th of the numbers that are left, so there is nothing to reject, however few are left. Quadratic in `count`.
pub(crate) fn distinct<R: Rng + ?Sized>(random: &mut R, count: usize, bound: usize) -> Vec<usize> {
    let mut taken: Vec<usize> = Vec::with_capacity(count);
    let mut drawn = Vec::with_capacity(count);
    for nth in 0..count {
        let mut number = below(random, bound - nth);
        let at = taken.iter().position(|&taken| {
            let passed = taken <= number;
            number += usize::from(passed);
            !passed
        });
        taken.insert(at.unwrap_or(taken.len()), number);
        drawn.push(number);
    }
    drawn
}

/// FNV-1a in its 128-bit size, as in <https://www.rfc-editor.org/rfc/rfc9923>.
fn fnv1a(bytes: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(BASIS, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    /// If this fails, every data set that was ever generated has changed.
    #[test]
    fn first_draws_are_pinned() {
        let draws = |seed, index, name| {
            let mut stream = stream(seed, index, name);
            [stream.next_u64(), stream.next_u64()]
        };
        assert_eq!(draws(0, 0, ""), [10_762_986_269_550_530_179, 15_369_463_569_052_677_847]);
        assert_eq!(draws(1, 2, "names"), [12_223_945_724_257_165_579, 8_505_576_401_106_440_412]);
    }

    #[test]
    fn distinct_numbers_come_in_every_order_equally_often() {
        let mut random = stream(1, 0, "test");
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            *seen.entry(distinct(&mut random, 2, 3)).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6, "{seen:?}");
        assert!(seen.values().all(|&count| (880..1120).contains(&count)), "{seen:?}");
        let mut all = distinct(&mut random, 50, 50);
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn each_part_of_the_key_counts() {
        let first = |seed, index, name| stream(seed, index, name).next_u64();
        let draws = [first(1, 2, "a"), first(2, 1, "a"), first(1, 2, "b"), first(1, 3, "a"), first(0, 2, "a")];
        for (at, draw) in draws.iter().enumerate() {
            assert!(!draws[..at].contains(draw));
        }
    }
}
