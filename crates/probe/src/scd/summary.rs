//! Means by level or ablation, with intervals that resample tasks.
//!
//! The displacement rate of a group is 1 - mean VPA / mean VP, as it is published; beside it, named apart, stands the mean of
//! the rates of single completions, over those that have one.

use super::outcome::Outcome;
use crate::probes::figure::{Figure, Named};
use crate::statistics::bca::Bootstrap;
use crate::statistics::mean::Mean;
use crate::statistics::{LANES, Lanes, Weighted};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the completions of a run amount to.
#[derive(Debug, Default)]
pub struct Summary {
    groups: BTreeMap<String, Vec<Counted>>,
    /// Rows that could not be measured.
    failed: u64,
}

#[derive(Debug)]
struct Counted {
    task: u32,
    fmt_ok: bool,
    scr: f64,
    vpa: f64,
    vp: f64,
    dr: Option<f64>,
}

/// The figures of one level or ablation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Of {
    /// How many completions.
    pub completions: usize,
    /// Of how many tasks.
    pub tasks: usize,
    /// The share that can be read.
    pub fmt_ok: Figure,
    /// Mean schema compliance rate.
    pub scr: Figure,
    /// Mean value placement accuracy.
    pub vpa: Figure,
    /// Mean value presence.
    pub vp: Figure,
    /// Mean VP less mean VPA.
    pub scg: Figure,
    /// 1 - mean VPA / mean VP.
    pub dr: Figure,
    /// The mean of 1 - VPA / VP over the completions that have one.
    pub mean_dr: Figure,
    /// How many completions have none: nothing of what was planted is in them.
    pub dr_undefined: usize,
}

impl Summary {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an outcome.
    pub fn add(&mut self, outcome: &Outcome) {
        let Some(measures) = &outcome.measures else {
            self.failed += 1;
            return;
        };
        self.groups.entry(outcome.group.clone()).or_default().push(Counted {
            task: outcome.task,
            fmt_ok: measures.fmt_ok(),
            scr: measures.scr(),
            vpa: measures.vpa(),
            vp: measures.vp(),
            dr: measures.dr(),
        });
    }

    /// Rows that were measured.
    pub fn measured(&self) -> usize {
        self.groups.values().map(Vec::len).sum()
    }

    /// Rows that were not.
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// The figures by group, S before M before L before all others by name.
    pub fn figures(&self, bootstrap: Bootstrap) -> Named<Of> {
        let order = |name: &str| ["S", "M", "L"].iter().position(|level| *level == name).unwrap_or(3);
        let mut names: Vec<&String> = self.groups.keys().collect();
        names.sort_by_key(|name| (order(name), name.as_str()));
        names.into_iter().map(|name| (name.clone(), of(&self.groups[name], bootstrap))).collect()
    }
}

fn of(rows: &[Counted], bootstrap: Bootstrap) -> Of {
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    for row in rows {
        let next = numbers.len() as u32;
        numbers.entry(row.task).or_insert(next);
    }
    let count = numbers.len();
    let groups: Vec<u32> = rows.iter().map(|row| numbers[&row.task]).collect();
    let mean = |value: fn(&Counted) -> f64| {
        let values: Vec<f64> = rows.iter().map(value).collect();
        Mean::new(&values, &groups, count)
    };
    let (fmt_ok, scr) = (mean(|row| f64::from(u8::from(row.fmt_ok))), mean(|row| row.scr));
    let (vpa, vp, scg) = (mean(|row| row.vpa), mean(|row| row.vp), mean(|row| row.vp - row.vpa));
    let dr = Displacement { vpa: vpa.clone(), vp: vp.clone() };
    let defined: Vec<(f64, u32)> =
        rows.iter().zip(&groups).filter_map(|(row, &group)| Some((row.dr?, group))).collect();
    let (rates, rate_groups): (Vec<f64>, Vec<u32>) = defined.into_iter().unzip();
    let mean_dr = Mean::new(&rates, &rate_groups, count);
    let statistics: [&dyn Weighted; 7] = [&fmt_ok, &scr, &vpa, &vp, &scg, &dr, &mean_dr];
    let mut figures = bootstrap.estimates(count, &statistics).into_iter().map(Figure::from);
    let mut next = || figures.next().unwrap_or_else(|| Figure::none("not estimated"));
    let (fmt_ok, scr, vpa, vp, scg) = (next(), next(), next(), next(), next());
    let undefined = "nothing of what was planted is in any completion";
    let said = |figure: Figure| if figure.value.is_none() { Figure::none(undefined) } else { figure };
    Of {
        completions: rows.len(),
        tasks: count,
        fmt_ok,
        scr,
        vpa,
        vp,
        scg,
        dr: said(next()),
        mean_dr: said(next()),
        dr_undefined: rows.len() - rates.len(),
    }
}

/// 1 - mean VPA / mean VP. NaN where the latter is 0.
struct Displacement {
    vpa: Mean,
    vp: Mean,
}

impl Weighted for Displacement {
    fn evaluate(&self, times: &[Lanes]) -> Lanes {
        let (vpa, vp) = (self.vpa.evaluate(times), self.vp.evaluate(times));
        let rate = |lane: usize| if vp[lane] > 0.0 { 1.0 - vpa[lane] / vp[lane] } else { f64::NAN };
        let mut rates = [0.0; LANES];
        for (lane, slot) in rates.iter_mut().enumerate() {
            *slot = rate(lane);
        }
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(task: u32, vpa: f64, vp: f64) -> Counted {
        let dr = (vp > 0.0).then(|| 1.0 - vpa / vp);
        Counted { task, fmt_ok: true, scr: 1.0, vpa, vp, dr }
    }

    #[test]
    fn the_published_rate_is_of_means() {
        let bootstrap = Bootstrap { resamples: 1000, seed: 1 };
        let found = of(&[row(0, 0.5, 1.0), row(1, 0.25, 0.25), row(2, 0.0, 0.0)], bootstrap);
        assert_eq!(found.dr.value, Some(0.4));
        assert_eq!(found.mean_dr.value, Some(0.25));
        assert_eq!((found.dr_undefined, found.completions, found.tasks), (1, 3, 3));
        let none = of(&[row(0, 0.0, 0.0)], bootstrap);
        assert_eq!(none.dr.value, None);
        assert_eq!(none.dr.note.as_deref(), Some("nothing of what was planted is in any completion"));
    }
}
