//! The built-in number metrics (*Object Aligner*, section III-B).

use crate::document::Number;

/// A number metric, by the name that `score` uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberMetric {
    /// 1 / (1 + |gold - candidate|).
    InverseDifference,
    Exact,
    /// A registered comparator of integers, by its index in the plan.
    CustomInteger(u16),
    /// A registered comparator of numbers, by its index in the plan.
    CustomNumber(u16),
}

/// Every built-in metric under its name, the default first.
pub(crate) const NUMBER_METRICS: [(&str, NumberMetric); 2] =
    [("invdiff", NumberMetric::InverseDifference), ("exact", NumberMetric::Exact)];

/// 1 / (1 + |gold - candidate|), in [0, 1]; exact integer distances at any size.
pub(crate) fn inverse_difference(gold: &Number, candidate: &Number) -> f64 {
    1.0 / (1.0 + gold.distance(candidate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similarity(gold: &str, candidate: &str) -> f64 {
        let parse = |text: &str| Number::parse(&serde_json::from_str(text).expect("a JSON number"));
        inverse_difference(&parse(gold), &parse(candidate))
    }

    #[test]
    fn known_values() {
        assert_eq!(similarity("6", "3"), 0.25);
        assert_eq!(similarity("1", "1.0"), 1.0);
        assert_eq!(similarity("0.5", "1"), 1.0 / 1.5);
        assert_eq!(similarity("9007199254740993", "9007199254740992"), 0.5);
        assert_eq!(similarity("1e400", "-1e400"), 0.0);
        assert_eq!(similarity("1e400", "1e400"), 1.0);
    }
}
