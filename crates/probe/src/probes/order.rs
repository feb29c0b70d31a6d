//! Disorder: a nearly sorted list must score above a scrambled one, and a list that is too short or too long must lose credit in
//! proportion.
//!
//! - AUROC: how well the score parts exact copies from all other candidates.
//! - Spearman and tau-b: of the score against the Kendall distance, over the pairs of equal length.
//! - Means: by Kendall distance under adjacent transpositions, and by the number of deletions or insertions.
//!
//! Families are known by their names: what has `transpos`, `adjacent` or `swap` in it, what has `delet` or `drop`, what has
//! `insert` or `dup`.
//!
//! **Source.** *Object Aligner*, section V-A, "Sequence regime", and table II.

use super::figure::{Figure, Named};
use super::sample::{Questions, Sample, Ticket};
use super::scored::{Scored, ScoredRow};
use super::scorers::EXACT;
use crate::statistics::bca::Bootstrap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the scores tell order, by scorer.
pub type Order = Named<Of>;

/// How one scorer tells order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Of {
    /// Exact copies against all else.
    pub auroc: Figure,
    /// Score against Kendall distance, pairs of equal length.
    pub spearman: Figure,
    /// Score against Kendall distance, pairs of equal length.
    pub kendall_tau_b: Figure,
    /// Means by Kendall distance, adjacent transpositions.
    pub by_distance: Named<Figure>,
    /// Means by the number of labels left out.
    pub by_deletions: Named<Figure>,
    /// Means by the number of labels put in twice.
    pub by_insertions: Named<Figure>,
}

/// What was done to a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Transpositions,
    Deletion,
    Insertion,
    Other,
}

impl Family {
    fn of(row: &ScoredRow) -> Self {
        let name = row.facts.kind.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        if has(&["transpos", "adjacent", "swap"]) {
            Self::Transpositions
        } else if has(&["delet", "drop"]) {
            Self::Deletion
        } else if has(&["insert", "dup"]) {
            Self::Insertion
        } else {
            Self::Other
        }
    }
}

/// The figures of these rows.
pub fn summary(scored: &Scored, bootstrap: Bootstrap) -> Order {
    let rows: Vec<(&ScoredRow, &[f64])> = scored.good().collect();
    let sample = Sample::new(rows.iter().map(|(row, _)| row.gold));
    let exact = scored.scorers.iter().position(|name| name == EXACT);
    let clean: Vec<bool> =
        rows.iter().map(|(row, scores)| exact.map_or(row.facts.k == Some(0), |at| scores[at] == 1.0)).collect();
    let equal: Vec<(&ScoredRow, &[f64], f64)> =
        rows.iter().filter_map(|&(row, scores)| Some((row, scores, f64::from(row.facts.distance?)))).collect();
    let equal_sample = Sample::new(equal.iter().map(|(row, ..)| row.gold));
    let distances: Vec<f64> = equal.iter().map(|row| row.2).collect();

    let mut questions = Questions::default();
    let mut asked = Vec::new();
    for (at, name) in scored.scorers.iter().enumerate() {
        let scores: Vec<f64> = rows.iter().map(|(_, scores)| scores[at]).collect();
        let equal_scores: Vec<f64> = equal.iter().map(|(_, scores, _)| scores[at]).collect();
        let pooled = [
            questions.auroc(&sample, &scores, &clean),
            questions.spearman(&equal_sample, &equal_scores, &distances),
            questions.tau_b(&equal_sample, &equal_scores, &distances),
        ];
        let curves = [Family::Transpositions, Family::Deletion, Family::Insertion]
            .map(|family| ask_curve(&rows, at, family, &mut questions));
        asked.push((name, pooled, curves));
    }
    let answers = questions.answer(bootstrap);
    asked
        .into_iter()
        .map(|(name, [auroc, spearman, tau_b], curves)| {
            let [by_distance, by_deletions, by_insertions] = curves
                .map(|curve| curve.into_iter().map(|(dose, ticket)| (dose.to_string(), answers.get(ticket))).collect());
            let of = Of {
                auroc: answers.get(auroc),
                spearman: answers.get(spearman),
                kendall_tau_b: answers.get(tau_b),
                by_distance,
                by_deletions,
                by_insertions,
            };
            (name.clone(), of)
        })
        .collect()
}

/// The means of a family by its dose: the distance for transpositions, else the number of edits.
fn ask_curve(
    rows: &[(&ScoredRow, &[f64])],
    scorer: usize,
    family: Family,
    questions: &mut Questions,
) -> BTreeMap<u32, Ticket> {
    let mut by_dose: BTreeMap<u32, Vec<(u32, f64)>> = BTreeMap::new();
    for (row, scores) in rows.iter().filter(|(row, _)| Family::of(row) == family) {
        let dose = if family == Family::Transpositions { row.facts.distance } else { row.facts.k };
        if let Some(dose) = dose {
            by_dose.entry(dose).or_default().push((row.gold, scores[scorer]));
        }
    }
    let ask = |(dose, cell): (u32, Vec<(u32, f64)>)| {
        let (golds, scores): (Vec<u32>, Vec<f64>) = cell.into_iter().unzip();
        (dose, questions.mean(&Sample::new(golds), &scores))
    };
    by_dose.into_iter().map(ask).collect()
}
