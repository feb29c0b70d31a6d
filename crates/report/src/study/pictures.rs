//! The figures of a study, from its scores and findings.

use super::config::Config;
use super::findings::Findings;
use super::make::Gold;
use super::published::Beside;
use crate::figures::copies::Strip;
use crate::figures::degradation::Means;
use crate::figures::drawing::Drawing;
use crate::figures::{agreement, copies, degradation, instance, order};
use objalign_probe::probes::scored::{Scored, ScoredRow};
use objalign_probe::probes::sensitivity;
use objalign_probe::statistics::bca::Bootstrap;
use serde_json::Value;
use std::collections::BTreeMap;

/// How many resamples the bands of the curves are made of.
const BAND_RESAMPLES: u32 = 2000;

/// The scores of the sets of pairs that are drawn.
pub(super) struct Scores {
    pub(super) copies: Scored,
    pub(super) shuffled: Option<Scored>,
    pub(super) symmetric: Option<Scored>,
    pub(super) edits: Scored,
}

/// A gold with a copy, to be drawn.
pub(super) struct Specimen {
    pub(super) gold: Value,
    pub(super) copy: Value,
    pub(super) scores: Vec<(String, f64)>,
}

/// All of them, in the order of the page.
pub(super) fn all(
    config: &Config,
    findings: &Findings,
    beside: &[Beside],
    scores: &Scores,
    golds: &[Gold],
    specimen: Option<&Specimen>,
) -> Vec<Drawing> {
    let mut drawings = vec![strips(scores)];
    if let Some(specimen) = specimen {
        let caption = "A gold graph and its copy under other identifiers. Records that share name and title are told apart by their links alone.";
        drawings.push(instance::graphs("instance", caption, &specimen.gold, &specimen.copy, &specimen.scores));
    }
    drawings.extend(curves(config, &scores.edits, golds));
    let caption = "Mean score of an order by Kendall distance, and by the number of labels left out or put in twice: only the sequence score is graded throughout.";
    drawings.push(order::curves("order", caption, &findings.order));
    // What cannot move says nothing here, and where sequence and set are one by construction one of them will do.
    let moves = |row: &Beside| row.interval.is_some_and(|[low, high]| low < high);
    let doubled = |row: &Beside| row.published.figure.starts_with("order.set.by_");
    let rows: Vec<_> = beside.iter().filter(|row| moves(row) && !doubled(row)).filter_map(Beside::compared).collect();
    let caption = "Published beside measured: published less measured, with the 95 % interval of the measured figure.";
    drawings.push(agreement::intervals("agreement", caption, &rows));
    drawings
}

fn strips(scores: &Scores) -> Drawing {
    let mut all = Vec::new();
    let kinds = [
        ("other identifiers", Some(&scores.copies)),
        ("and another order", scores.shuffled.as_ref()),
        ("symmetric graphs", scores.symmetric.as_ref()),
    ];
    for (copies, scored) in kinds {
        let Some(scored) = scored else { continue };
        for (at, scorer) in scored.scorers.iter().enumerate() {
            let scores = scored.good().map(|(_, scores)| scores[at]).collect();
            all.push(Strip { copies: copies.to_owned(), scorer: scorer.clone(), scores });
        }
    }
    let caption = "Scores of perfect copies. With references followed every copy scores exactly 1; without, the score depends on which identifiers the copy happens to have.";
    copies::strips("copies", caption, &all)
}

/// Operation by operation for graphs of all sizes and of each size, then pooled by size.
fn curves(config: &Config, edits: &Scored, golds: &[Gold]) -> Vec<Drawing> {
    let people: BTreeMap<&str, u32> = golds.iter().filter_map(|gold| Some((gold.id.as_str(), gold.people?))).collect();
    let within = |row: &ScoredRow, [low, high]: [u32; 2]| {
        people.get(row.facts.gold_id.as_str()).is_some_and(|count| (low..=high).contains(count))
    };
    // A band is a few pixels wide: a tenth of the resamples places it as well.
    let bootstrap = Bootstrap { resamples: config.bootstrap.resamples.min(BAND_RESAMPLES), ..config.bootstrap() };
    let means = |scored: &Scored, relabel: bool, size: [u32; 2]| -> Means {
        sensitivity::means(scored, bootstrap, |row| row.facts.relabel == relabel && within(row, size))
    };
    let everything = [0, u32::MAX];
    let caption = |who: &str| {
        format!(
            "Mean score by number of edits{who}, on candidates with other identifiers (solid) and on candidates that kept them (dashed). \
             Following references, both are the same."
        )
    };
    let mut drawings = Vec::new();
    let pooled = pooled(edits);
    let mut by_size = Vec::new();
    let sizes = config.figures.sizes.iter().copied().chain([everything]);
    for size in sizes {
        let [low, high] = size;
        let (name, who, label) = if size == everything {
            ("degradation".to_owned(), String::new(), "all".to_owned())
        } else {
            (
                format!("degradation-{low}-{high}"),
                format!(", graphs of {low} to {high} people"),
                format!("{low}–{high}"),
            )
        };
        if !edits.good().any(|(row, _)| within(row, size)) {
            continue;
        }
        drawings.push(degradation::by_operation(
            &name,
            &caption(&who),
            &means(edits, true, size),
            &means(edits, false, size),
        ));
        by_size.push((label, means(&pooled, true, size), means(&pooled, false, size)));
    }
    // The one of all sizes first.
    drawings.rotate_right(1);
    let caption = "Mean score by number of edits, pooled over the operations, for graphs of different sizes: the same damage weighs more in a small graph.";
    drawings.push(degradation::by_size("sizes", caption, &by_size));
    drawings
}

/// As if there were one operation.
fn pooled(edits: &Scored) -> Scored {
    let mut pooled = edits.clone();
    for row in &mut pooled.rows {
        "all".clone_into(&mut row.facts.kind);
    }
    pooled
}

/// The first gold of the wanted size with a pair of twins, and its first copy.
pub(super) fn specimen(config: &Config, golds: &[Gold], scored: &Scored, pairs: &[u8]) -> Option<Specimen> {
    let fits = |gold: &&Gold| gold.people == Some(config.figures.instance_people) && has_twins(&gold.document);
    let gold =
        golds.iter().find(fits).or_else(|| golds.iter().find(|gold| has_twins(&gold.document))).or(golds.first())?;
    let at = scored.rows.iter().position(|row| row.facts.gold_id == gold.id)?;
    let line = pairs.split(|byte| *byte == b'\n').nth(at)?;
    let copy = serde_json::from_slice::<Value>(line).ok()?.get("pred")?.clone();
    let scores = scored.rows.get(at)?.scores.as_ref().ok()?;
    Some(Specimen {
        gold: gold.document.clone(),
        copy,
        scores: scored.scorers.iter().cloned().zip(scores.iter().copied()).collect(),
    })
}

/// Whether two people share name and title.
fn has_twins(gold: &Value) -> bool {
    let people = gold.get("people").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let same = |a: &Value, b: &Value| a.get("name") == b.get("name") && a.get("title") == b.get("title");
    people.iter().enumerate().any(|(at, person)| people[..at].iter().any(|other| same(person, other)))
}
