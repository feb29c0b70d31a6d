//! The cross probe: the same damage, seen by the measures of Structure-Content Decomposition and by the aligner. Neither paper has it.
//!
//! Each operator is applied to the references of tasks; each candidate is measured, and aligned with its reference under the task's own
//! schema (a table's: an object of texts). Three questions:
//!
//! - *Loss*: how much of each measure, and of the aligner's score, does each kind of damage take?
//! - *Correlation*: do they put candidates in the same order?
//! - *Telling apart*: given a candidate with displaced values and one with wrong values, how often does a number alone say which is
//!   which? For each measure the AUROC of displacement against value errors, 0.5 being chance, and 1 or 0 certainty. `both` is VP less the
//!   aligner's score: what is there and yet scored down is out of place.
//!
//! Linear in tasks x operators x doses, in parallel; a schema is compiled once for each task.

use crate::probes::figure::{Figure, Named};
use crate::probes::sample::{Questions, Sample};
use crate::statistics::bca::Bootstrap;
use objalign_core::{Aligner, Invalid, Options, Plan};
use objalign_gen::corrupt::Misfit;
use objalign_gen::scd::check::Compiled;
use objalign_gen::scd::damage::Damage;
use objalign_gen::scd::task::{Domain, Question, TaskRow};
use objalign_gen::streams::stream;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What the probe found, by domain (`json`, `table`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cross {
    /// By domain.
    pub domains: Named<CrossOf>,
}

/// What it found in one domain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossOf {
    /// How many candidates.
    pub pairs: usize,
    /// For each operator, the mean of 1 less each of `scr`, `vpa`, `vp`, `aligner`, over all doses that did something.
    pub loss: Named<Named<f64>>,
    /// The rank correlation of each measure with the aligner's score, over all candidates.
    pub spearman: Named<Figure>,
    /// How well each of `scr`, `vpa`, `vp`, `dr`, `aligner`, `both` tells displacement from value errors.
    pub auroc: Named<Figure>,
}

/// What an operator does to values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Displacement,
    ValueError,
    Other,
}

fn class(operator: &str) -> Class {
    match operator {
        "sibling_swap" | "cousin_rotation" | "cell_move" => Class::Displacement,
        "value_replacement" => Class::ValueError,
        _ => Class::Other,
    }
}

/// A candidate.
struct Seen {
    task: u32,
    operator: usize,
    class: Class,
    scr: f64,
    vpa: f64,
    vp: f64,
    /// 0 where it is undefined: nothing is there that could be out of place.
    dr: f64,
    aligner: f64,
}

/// Damages and scores tasks of either domain. Doses at which an operator finds nothing to do give no candidate.
///
/// # Errors
///
/// A row is no task.
pub fn run(tasks: &[TaskRow], doses: &[u32], seed: u64, bootstrap: Bootstrap) -> Result<Cross, Misfit> {
    let mut cross = Cross::default();
    for domain in [Domain::Json, Domain::Table] {
        let rows: Vec<(u32, &TaskRow)> = (0..).zip(tasks.iter().filter(|row| row.domain == domain)).collect();
        let Some((_, first)) = rows.first() else { continue };
        let names: Vec<String> =
            Damage::of(first)?.operators().iter().map(|operator| operator.name().to_owned()).collect();
        let seen: Result<Vec<Vec<Seen>>, Misfit> =
            rows.par_iter().map(|&(task, row)| of_task(task, row, doses, seed)).collect();
        let seen: Vec<Seen> = seen?.into_iter().flatten().collect();
        cross.domains.0.push((domain.name().to_owned(), summary(&names, &seen, bootstrap)));
    }
    Ok(cross)
}

fn of_task(task: u32, row: &TaskRow, doses: &[u32], seed: u64) -> Result<Vec<Seen>, Misfit> {
    let misfit = |expected: String| Misfit { at: row.id.clone(), expected };
    let compiled = Compiled::new(row).map_err(misfit)?;
    let gold: Value = serde_json::from_str(&row.reference).map_err(|error| misfit(error.to_string()))?;
    let of_rows = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let schema = match &row.question {
        Question::Json { schema, .. } => schema,
        Question::Table { .. } => &of_rows,
    };
    let plan = Plan::compile(schema).map_err(|error| misfit(error.to_string()))?;
    // Damage that the schema forbids is to be graded, not refused.
    let mut aligner = Aligner::with_options(&plan, Options::new().invalid(Invalid::Score));
    let mut taken = aligner.gold(&gold).map_err(|error| misfit(error.to_string()))?;
    let mut seen = Vec::new();
    for (at, operator) in Damage::of(row)?.operators().iter().enumerate() {
        for &dose in doses {
            let mut random = stream(seed, u64::from(dose), &format!("scd/cross/{}/{}", operator.name(), row.id));
            let outcome = operator.apply(&gold, dose, &mut random)?;
            if outcome.edits.is_empty() {
                continue;
            }
            let measures = compiled.measure(&outcome.candidate.to_string());
            let score = taken.score(&outcome.candidate).map_err(|error| misfit(error.to_string()))?.score();
            seen.push(Seen {
                task,
                operator: at,
                class: class(operator.name()),
                scr: measures.scr(),
                vpa: measures.vpa(),
                vp: measures.vp(),
                dr: measures.dr().unwrap_or_default(),
                aligner: score,
            });
        }
    }
    Ok(seen)
}

type Measure = (&'static str, fn(&Seen) -> f64);

fn summary(names: &[String], seen: &[Seen], bootstrap: Bootstrap) -> CrossOf {
    let column = |rows: &[&Seen], of: fn(&Seen) -> f64| rows.iter().map(|row| of(row)).collect::<Vec<f64>>();
    let measures: [Measure; 4] =
        [("scr", |row| row.scr), ("vpa", |row| row.vpa), ("vp", |row| row.vp), ("aligner", |row| row.aligner)];
    let loss = names.iter().enumerate().filter_map(|(at, name)| {
        let rows: Vec<&Seen> = seen.iter().filter(|row| row.operator == at).collect();
        let mean = |of: fn(&Seen) -> f64| {
            let lost: f64 = rows.iter().map(|row| 1.0 - of(row)).sum();
            (lost / rows.len() as f64 * 1e12).round() / 1e12
        };
        let means = measures.iter().map(|&(measure, of)| (measure.to_owned(), mean(of)));
        (!rows.is_empty()).then(|| (name.clone(), means.collect::<Named<f64>>()))
    });
    let loss = loss.collect();

    let mut questions = Questions::default();
    let all: Vec<&Seen> = seen.iter().collect();
    let sample = Sample::new(all.iter().map(|row| row.task));
    let aligner = column(&all, |row| row.aligner);
    let spearman: Vec<_> = [measures[0], measures[1], measures[2], ("dr", |row: &Seen| row.dr)]
        .into_iter()
        .map(|(name, of)| (name, questions.spearman(&sample, &column(&all, of), &aligner)))
        .collect();
    let apart: Vec<&Seen> = seen.iter().filter(|row| row.class != Class::Other).collect();
    let sample = Sample::new(apart.iter().map(|row| row.task));
    let displaced: Vec<bool> = apart.iter().map(|row| row.class == Class::Displacement).collect();
    let telling: [Measure; 6] = [
        measures[0],
        measures[1],
        measures[2],
        ("dr", |row| row.dr),
        measures[3],
        ("both", |row| row.vp - row.aligner),
    ];
    let auroc: Vec<_> = telling
        .into_iter()
        .map(|(name, of)| (name, questions.auroc(&sample, &column(&apart, of), &displaced)))
        .collect();
    let answers = questions.answer(bootstrap);
    CrossOf {
        pairs: seen.len(),
        loss,
        spearman: spearman.into_iter().map(|(name, ticket)| (name.to_owned(), answers.get(ticket))).collect(),
        auroc: auroc.into_iter().map(|(name, ticket)| (name.to_owned(), answers.get(ticket))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scd::testing::tasks;

    #[test]
    fn each_sees_what_the_other_does_not() {
        let found = run(&tasks(5), &[1, 2, 4], 3, Bootstrap { resamples: 200, seed: 1 }).expect("tasks");
        for (domain, of) in &found.domains.0 {
            let loss =
                |operator: &str, measure: &str| *of.loss.get(operator).and_then(|of| of.get(measure)).expect("a loss");
            let apart = |measure: &str| of.auroc.get(measure).and_then(|figure| figure.value).expect("an area");
            assert!(of.pairs > 150, "{domain}: {}", of.pairs);
            assert_eq!(loss("value_replacement", "vp"), loss("value_replacement", "vpa"), "{domain}");
            assert!(loss("value_replacement", "aligner") > 0.0, "{domain}");
            // Displacement is what VP does not see: it tells the two apart for certain, and so does DR.
            assert_eq!((apart("vp"), apart("dr")), (1.0, 1.0), "{domain}");
            assert!(apart("aligner") < 1.0 && apart("scr") == 0.5, "{domain}");
        }
        let of_trees = found.domains.get("json").expect("trees");
        let of = |operator: &str, measure: &str| {
            *of_trees.loss.get(operator).and_then(|of| of.get(measure)).expect("a loss")
        };
        assert_eq!((of("undeclared_paths", "vpa"), of("undeclared_paths", "scr")), (0.0, 0.0));
        assert!(of("undeclared_paths", "aligner") > 0.0, "only the aligner sees what nobody asked for");
    }
}
