//! The figures of the paper, beside ours.
//!
//! A published figure lies inside when what it may have been before it was rounded meets our interval. It is the figure of
//! another sample of golds, just as uncertain as ours: two such samples of one population disagree in this way in some
//! 17 of 100 cases, since the difference of two means spreads 1.4 times as wide as one of them.

use super::findings::Findings;
use super::settings::{ConfigError, parse};
use crate::figures::agreement::Compared;
use serde::Deserialize;
use serde_json::Value;

/// The file that comes with the program.
const FILE: &str = include_str!("../../../../configs/published/intrinsic.toml");

/// A figure of the paper.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Where ours is in `summary.json`.
    pub figure: String,
    /// What it is.
    pub label: String,
    /// As it was published.
    pub value: f64,
    /// With how many decimals.
    #[serde(default = "three")]
    pub decimals: u32,
}

fn three() -> u32 {
    3
}

/// Ours beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// The paper's.
    pub published: Published,
    /// Ours.
    pub measured: Option<f64>,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
    /// Whether the paper's lies inside; none where there is no interval to lie in.
    pub inside: Option<bool>,
}

/// The figures of the paper.
///
/// # Errors
///
/// Never: a test reads them.
pub fn figures() -> Result<Vec<Published>, ConfigError> {
    let list = parse(FILE)?.remove("published").unwrap_or(toml::Value::Array(Vec::new()));
    list.try_into().map_err(|error: toml::de::Error| ConfigError::new(error.message()))
}

/// A number in `summary.json`, with its interval.
pub fn look_up(summary: &Value, path: &str) -> Option<(f64, Option<[f64; 2]>)> {
    let found = path.split('.').try_fold(summary, |value, part| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        other => other.get(part),
    })?;
    if let Some(number) = found.as_f64() {
        return Some((number, None));
    }
    let ends = found
        .get("ci95")
        .and_then(Value::as_array)
        .and_then(|ends| Some([ends.first()?.as_f64()?, ends.get(1)?.as_f64()?]));
    Some((found.get("value")?.as_f64()?, ends))
}

/// The figures of the paper beside these.
///
/// # Errors
///
/// As [`figures`].
pub fn beside(findings: &Findings) -> Result<Vec<Beside>, ConfigError> {
    let summary = serde_json::to_value(findings).map_err(ConfigError::new)?;
    Ok(figures()?.into_iter().map(|published| compare(published, &summary)).collect())
}

/// One figure of the paper beside a summary's.
pub fn compare(published: Published, summary: &Value) -> Beside {
    let found = look_up(summary, &published.figure);
    let rounding = 0.5 / 10_f64.powi(published.decimals.min(12).cast_signed()) + 1e-9;
    let interval = found.and_then(|(_, interval)| interval);
    let inside = interval.map(|[low, high]| published.value + rounding >= low && published.value - rounding <= high);
    Beside { measured: found.map(|(value, _)| value), published, interval, inside }
}

impl Beside {
    /// As a mark of a figure; none for what has no interval.
    pub(super) fn compared(&self) -> Option<Compared> {
        Some(Compared {
            label: self.published.label.clone(),
            published: self.published.value,
            measured: self.measured?,
            interval: self.interval,
            inside: self.inside?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_published_figure_can_be_read() {
        let all = figures().expect("figures");
        assert!(all.len() > 40, "{}", all.len());
        assert!(all.iter().all(|published| published.label.chars().count() <= 36 && !published.figure.is_empty()));
    }

    #[test]
    fn rounding_counts_for_the_published_figure() {
        let summary =
            json!({"a": {"value": 0.74, "ci95": [0.7384, 0.75]}, "n": 41, "list": [{"value": 1.0, "ci95": null}]});
        let compare = |figure: &str, value: f64| {
            compare(Published { figure: figure.into(), label: String::new(), value, decimals: 3 }, &summary)
        };
        assert_eq!(compare("a", 0.738).inside, Some(true));
        assert_eq!(compare("a", 0.737).inside, Some(false));
        assert_eq!((compare("n", 42.0).measured, compare("n", 42.0).inside), (Some(41.0), None));
        assert_eq!((compare("list.0", 1.0).measured, compare("b", 1.0).measured), (Some(1.0), None));
    }
}
