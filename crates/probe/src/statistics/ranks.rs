//! Mid-ranks: equal values share the mean of the places they take together.
//!
//! Ranks are handed out doubled, so that they are whole numbers. O(n log n).

/// Twice the mid-rank of each value, ranks from 1. `-0.0` and `0.0` are equal; NaN is greater than anything, and equal to
/// itself.
///
/// ```
/// use objalign_probe::statistics::ranks::doubled_mid_ranks;
///
/// assert_eq!(doubled_mid_ranks(&[0.5, 0.2, 0.5, 0.9]), [5, 2, 5, 8]);
/// ```
pub fn doubled_mid_ranks(values: &[f64]) -> Vec<u64> {
    let (order, dense) = order_and_dense(values);
    let mut ranks = vec![0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let level = dense[order[start]];
        let end = start + order[start..].iter().take_while(|&&at| dense[at] == level).count();
        for &at in &order[start..end] {
            // The places are start + 1 to end.
            ranks[at] = (start + 1 + end) as u64;
        }
        start = end;
    }
    ranks
}

/// For each value, how many distinct smaller ones there are.
pub fn dense_ranks(values: &[f64]) -> Vec<u32> {
    order_and_dense(values).1
}

fn order_and_dense(values: &[f64]) -> (Vec<usize>, Vec<u32>) {
    // Adding 0.0 turns -0.0 into 0.0.
    let key = |at: usize| values[at] + 0.0;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
    let mut dense = vec![0; values.len()];
    let mut level = 0;
    for two in order.windows(2) {
        level += u32::from(key(two[0]).total_cmp(&key(two[1])).is_ne());
        dense[two[1]] = level;
    }
    (order, dense)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_values_share_their_places() {
        assert!(doubled_mid_ranks(&[]).is_empty());
        assert_eq!(doubled_mid_ranks(&[-0.0, 1.0, 0.0]), [3, 6, 3]);
        assert_eq!(dense_ranks(&[-0.0, 1.0, 0.0, -7.0]), [1, 2, 1, 0]);
    }

    proptest! {
        #[test]
        fn a_rank_counts_what_is_below_and_half_of_what_is_equal(values in proptest::collection::vec(-4_i8..5, 0..40)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let ranks = doubled_mid_ranks(&values);
            for (value, rank) in values.iter().zip(&ranks) {
                let below = values.iter().filter(|other| *other < value).count();
                let equal = values.iter().filter(|other| *other == value).count();
                prop_assert_eq!(*rank, (2 * below + equal + 1) as u64);
            }
            let n = values.len() as u64;
            prop_assert_eq!(ranks.iter().sum::<u64>(), n * (n + 1));
        }
    }
}
