//! Kendall distance: how many pairs of items two orders put differently, which is how many adjacent swaps lead from one to the other.

use serde_json::Value;
use std::collections::HashMap;

/// The distance of two orders of the same labels, from 0 to n(n-1)/2. None when they are not orders of the same labels, each once.
///
/// Counts the inversions while sorting by merging: O(n log n).
///
/// ```
/// use objalign_gen::corrupt::kendall::distance;
/// use serde_json::json;
///
/// let of = |one: serde_json::Value, other: serde_json::Value| distance(one.as_array()?, other.as_array()?);
/// assert_eq!(of(json!([1, 2, 3]), json!([3, 2, 1])), Some(3));
/// assert_eq!(of(json!([1, 2, 3]), json!([1, 2])), None);
/// ```
pub fn distance(gold: &[Value], candidate: &[Value]) -> Option<u64> {
    if gold.len() != candidate.len() {
        return None;
    }
    let places: HashMap<&Value, usize> = gold.iter().zip(0..).collect();
    let mut ranks: Vec<usize> = candidate.iter().map(|label| places.get(label).copied()).collect::<Option<_>>()?;
    let inversions = sort(&mut ranks, &mut Vec::with_capacity(gold.len()));
    // Equal lengths, no label unknown: it remains that each occurs once.
    (places.len() == gold.len() && ranks.into_iter().eq(0..gold.len())).then_some(inversions)
}

fn sort(ranks: &mut [usize], merged: &mut Vec<usize>) -> u64 {
    if ranks.len() < 2 {
        return 0;
    }
    let (left, right) = ranks.split_at_mut(ranks.len() / 2);
    let mut inversions = sort(left, merged) + sort(right, merged);
    merged.clear();
    let (mut one, mut other) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(&&first), Some(&&second)) = (one.peek(), other.peek()) {
        if second < first {
            inversions += one.len() as u64;
            merged.extend(other.next());
        } else {
            merged.extend(one.next());
        }
    }
    merged.extend(one);
    merged.extend(other);
    ranks.copy_from_slice(merged);
    inversions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::{distinct, stream};
    use serde_json::json;

    #[test]
    fn it_counts_the_pairs_that_stand_differently() {
        let mut random = stream(1, 0, "test");
        for size in 0..20 {
            let gold: Vec<Value> = (0..size).map(Value::from).collect();
            let order = distinct(&mut random, size, size);
            let candidate: Vec<Value> = order.iter().map(|&label| label.into()).collect();
            let pairs = (0..size).flat_map(|one| (one + 1..size).map(move |other| (one, other)));
            let different = pairs.filter(|&(one, other)| order[one] > order[other]).count();
            assert_eq!(distance(&gold, &candidate), Some(different as u64));
            assert_eq!(distance(&candidate, &gold), Some(different as u64));
        }
    }

    #[test]
    fn only_orders_of_the_same_labels_have_a_distance() {
        let of =
            |one: Value, other: Value| distance(one.as_array().expect("a list"), other.as_array().expect("a list"));
        assert_eq!(of(json!([1, 2]), json!([1, 1])), None);
        assert_eq!(of(json!([1, 1]), json!([1, 1])), None);
        assert_eq!(of(json!([1, 2]), json!([1, 3])), None);
        assert_eq!(of(json!(["a", "b"]), json!(["b", "a"])), Some(1));
    }
}
