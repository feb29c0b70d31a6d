//! The tables of the paper, and whether they agree with themselves: no data of the paper is public, but its figures are tied to each
//! other, and what is tied can be checked.
//!
//! In every row DR = 1 - VPA / VP and SCG = VP - VPA of the means, VPA <= VP <= `FmtOK` and SCR <= `FmtOK`, as far as the printed digits
//! tell: each stands for all that rounds to it, and a tie fails only where no choice of these will do. What two tables print for
//! one model and condition must be the same. Linear in the rows.

use crate::study::settings::{ConfigError, parse, typed};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The file that comes with the program.
const FILE: &str = include_str!("../../../../configs/published/scd.toml");

/// The columns that a table may have.
const MEASURES: [&str; 7] = ["fmt_ok", "scr", "vpa", "vp", "scg", "dr", "ddr"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    reasoning: Vec<String>,
    table: Vec<Printed>,
    alias: Vec<Alias>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Printed {
    number: String,
    domain: String,
    measures: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A condition that is another by its definition.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Alias {
    domain: String,
    condition: String,
    same_as: String,
}

/// A number as printed: 0.910, or 24.2%.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its digits.
    pub text: String,
    /// What they say; a percentage as a share.
    pub value: f64,
    /// Half of the last digit: how far the unrounded number may be away.
    pub half: f64,
}

impl Number {
    fn read(text: &str) -> Result<Self, ConfigError> {
        let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 0.01));
        let value: f64 = digits.parse().map_err(|_| ConfigError::new(format_args!("{text:?} is no number")))?;
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let half = 0.5 * unit / 10_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
        Ok(Self { text: text.to_owned(), value: value * unit, half })
    }

    /// The least and the greatest number that is rounded to this one; shares are no less than 0 and no more than 1.
    fn range(&self) -> [f64; 2] {
        [self.value - self.half, self.value + self.half]
    }
}

/// A row of a table of the paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The number of its table.
    pub table: String,
    /// `json` or `table`.
    pub domain: String,
    /// The model, or what was learnt from.
    pub model: String,
    /// Whether it was asked to reason first.
    pub is_reasoning: bool,
    /// A level, what an ablation holds fixed, or a split.
    pub condition: String,
    /// By measure.
    pub numbers: BTreeMap<String, Number>,
}

impl Row {
    /// What is printed of a measure.
    pub fn value(&self, measure: &str) -> Option<f64> {
        self.numbers.get(measure).map(|number| number.value)
    }
}

/// Something that the printed numbers of a row, or of two tables, are tied by.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    /// Which kind: `DR = 1 − VPA/VP`, say.
    pub identity: &'static str,
    /// The number of the table, or the numbers.
    pub table: String,
    /// Domain, model and condition.
    pub of: String,
    /// As printed.
    pub printed: String,
    /// What would have to be printed.
    pub implied: String,
    /// Whether it is.
    pub holds: bool,
}

/// All of the published rows, and what they are tied by.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// In the order of the paper.
    pub rows: Vec<Row>,
    /// In the order of the rows, then between tables.
    pub ties: Vec<Tie>,
}

/// DR of the means.
pub const DISPLACEMENT: &str = "DR = 1 − VPA/VP";
/// SCG of the means.
pub const GAP: &str = "SCG = VP − VPA";
/// The change of DR from one row to the next.
pub const CHANGE: &str = "ΔDR = DR − DR above";
/// What cannot be more than something else.
pub const BOUNDS: &str = "VPA ≤ VP ≤ FmtOK, SCR ≤ FmtOK";
/// One figure in several tables.
pub const SAME: &str = "the same in both tables";

impl Published {
    /// The tables of the paper.
    ///
    /// # Errors
    ///
    /// Never: a test reads them.
    pub fn read() -> Result<Self, ConfigError> {
        let file: File = typed(parse(FILE)?)?;
        let mut rows: Vec<Row> = Vec::new();
        let mut ties = Vec::new();
        for table in &file.table {
            for (at, cells) in table.rows.iter().enumerate() {
                let row = row(table, cells, &file.reasoning)?;
                let above = rows.last().filter(|_| at > 0);
                ties.extend(within(&row, above));
                rows.push(row);
            }
        }
        ties.extend(between(&rows, &file.alias));
        Ok(Self { rows, ties })
    }

    /// What does not hold.
    pub fn broken(&self) -> impl Iterator<Item = &Tie> {
        self.ties.iter().filter(|tie| !tie.holds)
    }

    /// The rows of a table.
    pub(super) fn of_table<'r>(&'r self, number: &'r str) -> impl Iterator<Item = &'r Row> {
        self.rows.iter().filter(move |row| row.table == number)
    }
}

fn row(table: &Printed, cells: &[String], reasoning: &[String]) -> Result<Row, ConfigError> {
    let wrong = |what: &str| ConfigError::new(format_args!("table {}, {cells:?}: {what}", table.number));
    let [model, condition, numbers @ ..] = cells else { return Err(wrong("a model and a condition are wanted")) };
    if numbers.len() != table.measures.len() {
        return Err(wrong("there should be a cell for each measure"));
    }
    if table.measures.iter().any(|measure| !MEASURES.contains(&measure.as_str())) {
        return Err(wrong("no such measure"));
    }
    let printed = table.measures.iter().zip(numbers).filter(|(_, text)| !text.is_empty());
    let numbers = printed.map(|(measure, text)| Ok((measure.clone(), Number::read(text)?)));
    Ok(Row {
        table: table.number.clone(),
        domain: table.domain.clone(),
        model: model.clone(),
        is_reasoning: reasoning.contains(model),
        condition: condition.clone(),
        numbers: numbers.collect::<Result<_, ConfigError>>()?,
    })
}

/// What ties the numbers of a row.
fn within(row: &Row, above: Option<&Row>) -> Vec<Tie> {
    let number = |measure: &str| row.numbers.get(measure);
    let tie = |identity, printed: &Number, implied: [f64; 2], percent: bool| Tie {
        identity,
        table: row.table.clone(),
        of: format!("{} {}, {}", row.domain, row.condition, row.model),
        printed: printed.text.replace('-', "−"),
        implied: shown(implied, percent),
        // What is a hair beyond is rounding of ours.
        holds: printed.range()[0] <= implied[1] + 1e-9 && printed.range()[1] >= implied[0] - 1e-9,
    };
    let mut ties = Vec::new();
    if let (Some(vpa), Some(vp)) = (number("vpa"), number("vp")) {
        let ([least, most], [low, high]) = (vpa.range(), vp.range());
        if let Some(dr) = number("dr") {
            ties.push(tie(DISPLACEMENT, dr, [1.0 - most / low, 1.0 - least / high].map(|rate| rate.max(0.0)), true));
        }
        if let Some(scg) = number("scg") {
            ties.push(tie(GAP, scg, [low - most, high - least], false));
        }
    }
    if let (Some(change), Some(dr), Some(before)) =
        (number("ddr"), number("dr"), above.and_then(|row| row.numbers.get("dr")))
    {
        ties.push(tie(CHANGE, change, [dr.range()[0] - before.range()[1], dr.range()[1] - before.range()[0]], true));
    }
    for (less, more) in [("vpa", "vp"), ("vp", "fmt_ok"), ("scr", "fmt_ok")] {
        if let (Some(less), Some(more)) = (number(less), number(more)) {
            ties.push(tie(BOUNDS, less, [0.0, more.range()[1]], false));
        }
    }
    ties
}

fn shown(range: [f64; 2], percent: bool) -> String {
    let text = if percent {
        format!("{:.1}% to {:.1}%", 100.0 * range[0], 100.0 * range[1])
    } else {
        format!("{:.3} to {:.3}", range[0], range[1])
    };
    text.replace('-', "−")
}

/// What is printed more than once, each time after the first against the first.
fn between(rows: &[Row], aliases: &[Alias]) -> Vec<Tie> {
    let mut first: BTreeMap<(&str, &str, &str, &str), (&Row, &Number)> = BTreeMap::new();
    let mut ties = Vec::new();
    for row in rows {
        let alias = aliases.iter().find(|alias| (&alias.domain, &alias.condition) == (&row.domain, &row.condition));
        let condition = alias.map_or(&row.condition, |alias| &alias.same_as);
        for (measure, number) in row.numbers.iter().filter(|(measure, _)| *measure != "ddr") {
            let key = (row.domain.as_str(), row.model.as_str(), condition.as_str(), measure.as_str());
            let Some((before, known)) = first.get(&key) else {
                first.insert(key, (row, number));
                continue;
            };
            let name = if measure == "fmt_ok" { "FmtOK".to_owned() } else { measure.to_uppercase() };
            ties.push(Tie {
                identity: SAME,
                table: format!("{} and {}", before.table, row.table),
                of: format!("{} {}, {}: {name}", row.domain, row.condition, row.model),
                printed: number.text.clone(),
                implied: known.text.clone(),
                holds: number.text == known.text,
            });
        }
    }
    ties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_know_how_far_they_were_rounded() {
        let of = |text: &str| Number::read(text).expect("a number").range().map(|end| (end * 1e6).round() as i64);
        assert_eq!((of("0.910"), of("24.2%")), ([909_500, 910_500], [241_500, 242_500]));
        assert_eq!((of("0%"), of("-7.5%")), ([-5_000, 5_000], [-75_500, -74_500]));
        assert!(Number::read("7,5").is_err());
    }

    /// The paper against itself: these do not hold, and no others.
    #[test]
    fn the_published_tables_agree_with_themselves_but_for_these() {
        let published = Published::read().expect("the published tables");
        let count = |identity: &str| published.ties.iter().filter(|tie| tie.identity == identity).count();
        let broken: Vec<String> = published
            .broken()
            .map(|tie| format!("{}: {}: {}: {} is {}", tie.table, tie.of, tie.identity, tie.printed, tie.implied))
            .collect();
        // Nine rows, one of them in two tables; and a figure that two tables print differently. The rates of table 10 all are lower than
        // those of the means: they may be means of single tasks' rates.
        let expected = [
            "2: table L, Qwen2.5-14B: DR = 1 − VPA/VP: 36.5% is 46.2% to 46.6%",
            "8: table S, Qwen2.5-14B: DR = 1 − VPA/VP: 34.7% is 38.6% to 38.9%",
            "8: table M, Qwen2.5-14B: DR = 1 − VPA/VP: 35.9% is 37.6% to 37.9%",
            "8: table L, Qwen2.5-14B: DR = 1 − VPA/VP: 36.5% is 46.2% to 46.6%",
            "10: table rows=near, DeepSeek-V3: DR = 1 − VPA/VP: 35.8% is 37.7% to 37.9%",
            "10: table rows=middle, DeepSeek-V3: DR = 1 − VPA/VP: 36.5% is 39.2% to 39.4%",
            "10: table rows=far, DeepSeek-V3: DR = 1 − VPA/VP: 44.6% is 45.3% to 45.5%",
            "10: table targets=5, DeepSeek-V3: DR = 1 − VPA/VP: 14.7% is 15.4% to 15.6%",
            "10: table targets=10, DeepSeek-V3: DR = 1 − VPA/VP: 21.7% is 22.7% to 23.0%",
            "10: table targets=15, DeepSeek-V3: DR = 1 − VPA/VP: 23.6% is 25.6% to 25.8%",
            "2 and 10: table targets=15, DeepSeek-V3: DR: the same in both tables: 23.6% is 25.7%",
        ];
        assert_eq!(broken, expected);
        assert_eq!([DISPLACEMENT, GAP, CHANGE, BOUNDS, SAME].map(count), [84, 6, 2, 151, 80]);
    }
}
