//! Damage by operation and dose: a score must fall, in proportion.
//!
//! The figures are those of the relabelled sweep, where candidates have other identifiers than their golds; the control
//! sweep, where they kept them, has the same figures under `without_relabel`. A file with one of the two gives the figures of that
//! one.
//!
//! - AUROC: how well the score parts `k = 0` from `k >= 1`.
//! - Spearman and tau-b: of the score against `k`, over all rows, and by operation.
//!
//! **Source.** *Object Aligner*, section V-A, "Sensitivity to damage", and table VI.

use super::figure::{Figure, Named};
use super::sample::{Questions, Sample, Ticket};
use super::scored::{Scored, ScoredRow};
use crate::statistics::bca::Bootstrap;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, from_value};

/// The scorer whose perfect scores mean that a candidate is its gold under other identifiers.
const REFERENTIAL: &str = "ra";

/// How the scores fall, by scorer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sensitivity {
    /// By scorer.
    #[serde(flatten)]
    pub scorers: Named<Of>,
    /// How many candidates with `k >= 1` say exactly what their gold says: those that score exactly 1 under `ra`, which no other
    /// candidate can. Null without that scorer.
    pub isomorphic_edits: Option<usize>,
    /// How many candidates have `k >= 1`.
    pub edits: usize,
    /// Whether these are the figures of candidates with other identifiers than their golds.
    pub relabel: bool,
    /// The first scorer's figures less the second's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The control sweep, where the file has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_relabel: Option<Box<Sensitivity>>,
}

/// How the scores fall under one scorer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Of {
    /// Clean against damaged.
    pub auroc: Figure,
    /// Score against dose.
    pub spearman: Figure,
    /// Score against dose.
    pub kendall_tau_b: Figure,
    /// Score against dose, by operation.
    pub per_op: Named<Figure>,
    /// The mean score, by operation and, from 0, by dose.
    pub mean: Named<Vec<Figure>>,
}

/// How much better the first scorer does than the second, on the same pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The scorers.
    pub of: [String; 2],
    /// Of the areas.
    pub auroc: Figure,
    /// Of the correlations; negative where the first falls more surely.
    pub spearman: Figure,
}

/// By hand: scorers stand beside the other keys, and serde's own way of reading such maps loses numbers of any precision.
impl<'de> Deserialize<'de> for Sensitivity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        fn taken<T: serde::de::DeserializeOwned + Default, E: serde::de::Error>(
            map: &mut Map<String, Value>,
            key: &str,
        ) -> Result<T, E> {
            map.shift_remove(key).map_or_else(|| Ok(T::default()), |value| from_value(value).map_err(E::custom))
        }
        let mut map = Map::deserialize(deserializer)?;
        let (isomorphic_edits, edits) = (taken(&mut map, "isomorphic_edits")?, taken(&mut map, "edits")?);
        let (relabel, difference) = (taken(&mut map, "relabel")?, taken(&mut map, "difference")?);
        let without_relabel = taken(&mut map, "without_relabel")?;
        let scorers = from_value(Value::Object(map)).map_err(D::Error::custom)?;
        Ok(Self { scorers, isomorphic_edits, edits, relabel, difference, without_relabel })
    }
}

/// The figures of these rows.
pub fn summary(scored: &Scored, bootstrap: Bootstrap) -> Sensitivity {
    let relabelled = scored.good().any(|(row, _)| row.facts.relabel);
    let kept = scored.good().any(|(row, _)| !row.facts.relabel);
    let mut summary = sweep(scored, relabelled, bootstrap);
    if relabelled && kept {
        summary.without_relabel = Some(Box::new(sweep(scored, false, bootstrap)));
    }
    summary
}

/// The mean score of the rows that `wanted` takes, by scorer, operation and dose.
pub fn means(scored: &Scored, bootstrap: Bootstrap, wanted: impl Fn(&ScoredRow) -> bool) -> Named<Named<Vec<Figure>>> {
    let rows: Vec<(&ScoredRow, &[f64])> = scored.good().filter(|(row, _)| wanted(row)).collect();
    let mut questions = Questions::default();
    let asked: Vec<_> = (0..scored.scorers.len()).map(|scorer| ask_means(&rows, scorer, &mut questions)).collect();
    let answers = questions.answer(bootstrap);
    let figures = |asked: Vec<(String, Vec<Ticket>)>| {
        asked
            .into_iter()
            .map(|(op, tickets)| (op, tickets.into_iter().map(|ticket| answers.get(ticket)).collect()))
            .collect()
    };
    scored.scorers.iter().cloned().zip(asked.into_iter().map(figures)).collect()
}

fn sweep(scored: &Scored, relabel: bool, bootstrap: Bootstrap) -> Sensitivity {
    let rows: Vec<(&ScoredRow, &[f64])> = scored.good().filter(|(row, _)| row.facts.relabel == relabel).collect();
    let sample = Sample::new(rows.iter().map(|(row, _)| row.gold));
    let doses: Vec<f64> = rows.iter().map(|(row, _)| dose(row)).collect();
    let clean: Vec<bool> = doses.iter().map(|dose| *dose == 0.0).collect();
    let column = |scorer: usize| rows.iter().map(|(_, scores)| scores[scorer]).collect::<Vec<f64>>();

    let mut questions = Questions::default();
    let mut asked = Vec::new();
    for (at, name) in scored.scorers.iter().enumerate() {
        let scores = column(at);
        let pooled = [
            questions.auroc(&sample, &scores, &clean),
            questions.spearman(&sample, &scores, &doses),
            questions.tau_b(&sample, &scores, &doses),
        ];
        let mut per_op = Vec::new();
        for op in ops(&rows) {
            let of_op: Vec<&(&ScoredRow, &[f64])> = rows.iter().filter(|(row, _)| row.facts.kind == op).collect();
            let sample = Sample::new(of_op.iter().map(|(row, _)| row.gold));
            let scores: Vec<f64> = of_op.iter().map(|(_, scores)| scores[at]).collect();
            let doses: Vec<f64> = of_op.iter().map(|(row, _)| dose(row)).collect();
            per_op.push((op, questions.spearman(&sample, &scores, &doses)));
        }
        asked.push((name, pooled, per_op, ask_means(&rows, at, &mut questions)));
    }
    let difference = match &asked[..] {
        [(_, first, ..), (_, second, ..), ..] => {
            let ([auroc, spearman, _], [other_auroc, other_spearman, _]) = (*first, *second);
            Some((questions.difference(auroc, other_auroc), questions.difference(spearman, other_spearman)))
        }
        _ => None,
    };

    let answers = questions.answer(bootstrap);
    let scorers = asked
        .into_iter()
        .map(|(name, [auroc, spearman, tau_b], per_op, means)| {
            let of = Of {
                auroc: answers.get(auroc),
                spearman: answers.get(spearman),
                kendall_tau_b: answers.get(tau_b),
                per_op: per_op.into_iter().map(|(op, ticket)| (op, answers.get(ticket))).collect(),
                mean: means
                    .into_iter()
                    .map(|(op, tickets)| (op, tickets.into_iter().map(|ticket| answers.get(ticket)).collect()))
                    .collect(),
            };
            (name.clone(), of)
        })
        .collect();
    let referential = scored.scorers.iter().position(|name| name == REFERENTIAL);
    let edited = || rows.iter().zip(&clean).filter(|(_, clean)| !**clean).map(|(row, _)| row);
    Sensitivity {
        scorers,
        isomorphic_edits: referential.map(|at| edited().filter(|(_, scores)| scores[at] == 1.0).count()),
        edits: edited().count(),
        relabel,
        difference: difference.map(|(auroc, spearman)| Difference {
            of: [scored.scorers[0].clone(), scored.scorers[1].clone()],
            auroc: answers.get(auroc),
            spearman: answers.get(spearman),
        }),
        without_relabel: None,
    }
}

fn ask_means(rows: &[(&ScoredRow, &[f64])], scorer: usize, questions: &mut Questions) -> Vec<(String, Vec<Ticket>)> {
    let last = rows.iter().filter_map(|(row, _)| row.facts.k).max().unwrap_or_default();
    let mut of_op = |op: String| {
        let mut of_dose = |k: u32| {
            let cell: Vec<_> = rows.iter().filter(|(row, _)| row.facts.kind == op && row.facts.k == Some(k)).collect();
            let sample = Sample::new(cell.iter().map(|(row, _)| row.gold));
            questions.mean(&sample, &cell.iter().map(|(_, scores)| scores[scorer]).collect::<Vec<f64>>())
        };
        let tickets = (0..=last).map(&mut of_dose).collect();
        (op, tickets)
    };
    ops(rows).into_iter().map(&mut of_op).collect()
}

/// The operations, in the order in which they first appear.
fn ops(rows: &[(&ScoredRow, &[f64])]) -> Vec<String> {
    let mut ops: Vec<String> = Vec::new();
    for (row, _) in rows {
        if !ops.contains(&row.facts.kind) {
            ops.push(row.facts.kind.clone());
        }
    }
    ops
}

fn dose(row: &ScoredRow) -> f64 {
    f64::from(row.facts.k.unwrap_or_default())
}
