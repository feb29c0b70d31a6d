//! The metrology probe: do the measures read back damage that is known? Not nearly, but exactly. (*Where vs What*, section 4; the closed
//! forms are those of [`objalign_gen::scd::damage`].)
//!
//! Each operator is applied to the reference of each task at each dose, alone, and all that can be mixed at once. What is measured is
//! compared with the closed form as counts. Over all cases of an operator a measure has a slope: by how much it changes for a share of
//! damaged values, k edits of n values, fitted through the origin (at no damage every measure says so). The same fit through the closed
//! forms has the same bits when all cases agree; a slope of 0 in both is a measure that does not see this damage, nor should.
//!
//! Linear in tasks x operators x doses, in parallel; the sums are made in the order of the tasks.

use crate::probes::figure::Named;
use objalign_core::scd::{Level, Limits, Measures, recover};
use objalign_gen::corrupt::{Misfit, Operator};
use objalign_gen::scd::check::Compiled;
use objalign_gen::scd::damage::format::Fault;
use objalign_gen::scd::damage::mixed::mix;
use objalign_gen::scd::damage::{ClosedForm, Damage};
use objalign_gen::scd::task::{Domain, TaskRow};
use objalign_gen::streams::stream;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is done with several operators at once.
pub const MIXED: &str = "mixed";

/// The measures, in the order in which they are shown.
pub const MEASURES: [&str; 5] = ["scr", "vpa", "vp", "scg", "dr"];

/// What the probe found, by domain (`json`, `table`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrology {
    /// For each operator what the measures read.
    pub operators: Named<Named<Readings>>,
    /// For each fault of format at which level it was read.
    pub faults: Named<Named<FaultReadings>>,
}

/// The cases of one operator.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Readings {
    /// How many there are: tasks x doses.
    pub cases: u64,
    /// In how many the measures are those of the closed form, each count.
    pub agree: u64,
    /// In how many there was less room than the dose asks for.
    pub unreached: u64,
    /// How each measure changes, per share of damaged values.
    pub slopes: Named<Slope>,
    /// The first case that does not agree.
    pub first_disagreement: Option<String>,
}

/// By how much a measure changes when all values are damaged, in a straight line from no damage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// As measured; none where nothing was damaged.
    pub measured: Option<f64>,
    /// By the closed forms of the same cases.
    pub closed_form: Option<f64>,
}

/// The cases of one fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FaultReadings {
    /// How many there are: tasks.
    pub cases: u64,
    /// In how many the text was read at its level, with everything in it where the fault leaves everything.
    pub agree: u64,
    /// The level at which it must be read, or `refused`.
    pub level: String,
    /// The first case that does not agree.
    pub first_disagreement: Option<String>,
}

/// The sums of a fit through the origin.
#[derive(Debug, Clone, Copy, Default)]
struct Fit {
    squares: f64,
    products: f64,
}

impl Fit {
    fn add(&mut self, x: f64, y: f64) {
        self.squares += x * x;
        self.products += x * y;
    }

    fn slope(self) -> Option<f64> {
        // Adding 0 turns -0.0 into 0.0.
        (self.squares > 0.0).then(|| (self.products / self.squares * 1e12).round() / 1e12 + 0.0)
    }
}

/// One case: an operator at a dose on a task.
struct Case {
    share: f64,
    is_reached: bool,
    measured: [f64; 5],
    expected: [f64; 5],
    disagreement: Option<String>,
}

/// The change of each measure from no damage. A rate that is undefined has not changed.
fn changes(form: &ClosedForm) -> [f64; 5] {
    let share = |part: usize, whole: usize| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
    let (vpa, vp) = (share(form.placed, form.planted), share(form.present, form.planted));
    let gap = (form.present - form.placed) as f64;
    let dr = if form.present == 0 { 0.0 } else { gap / form.present as f64 };
    [share(form.required_found, form.required) - 1.0, vpa - 1.0, vp - 1.0, gap / form.planted.max(1) as f64, dr]
}

/// The changes as the measures themselves say them.
fn read(measures: &Measures) -> [f64; 5] {
    [measures.scr() - 1.0, measures.vpa() - 1.0, measures.vp() - 1.0, measures.scg(), measures.dr().unwrap_or_default()]
}

/// Puts the measures to the test on tasks of either domain. Doses of 0 are copies.
///
/// # Errors
///
/// A row is no task.
pub fn run(tasks: &[TaskRow], doses: &[u32], seed: u64) -> Result<Metrology, Misfit> {
    let mut found = Metrology::default();
    for domain in [Domain::Json, Domain::Table] {
        let rows: Vec<&TaskRow> = tasks.iter().filter(|row| row.domain == domain).collect();
        let Some(first) = rows.first() else { continue };
        let mut names: Vec<String> =
            Damage::of(first)?.operators().iter().map(|operator| operator.name().to_owned()).collect();
        names.push(MIXED.to_owned());
        let of_tasks: Result<Vec<OfTask>, Misfit> =
            rows.par_iter().map(|row| OfTask::new(row, &names, doses, seed)).collect();
        let of_tasks = of_tasks?;
        let readings = names.into_iter().enumerate().map(|(at, name)| {
            let cases = of_tasks.iter().flat_map(|task| &task.operators[at]);
            (name, readings(cases))
        });
        found.operators.0.push((domain.name().to_owned(), readings.collect()));
        let faults = Fault::ALL.into_iter().enumerate().map(|(at, fault)| {
            let of = FaultReadings {
                cases: of_tasks.len() as u64,
                agree: of_tasks.iter().filter(|task| task.faults[at].is_none()).count() as u64,
                level: fault.level().map_or("refused", Level::name).to_owned(),
                first_disagreement: of_tasks.iter().find_map(|task| task.faults[at].clone()),
            };
            (fault.name().to_owned(), of)
        });
        found.faults.0.push((domain.name().to_owned(), faults.collect()));
    }
    Ok(found)
}

fn readings<'c>(cases: impl Iterator<Item = &'c Case>) -> Readings {
    let mut of = Readings::default();
    let mut fits = [[Fit::default(); 2]; 5];
    for case in cases {
        of.cases += 1;
        of.agree += u64::from(case.disagreement.is_none());
        of.unreached += u64::from(!case.is_reached);
        for (at, [measured, expected]) in fits.iter_mut().enumerate() {
            measured.add(case.share, case.measured[at]);
            expected.add(case.share, case.expected[at]);
        }
        if of.first_disagreement.is_none() {
            of.first_disagreement.clone_from(&case.disagreement);
        }
    }
    let slope = |(name, [measured, expected]): (&str, [Fit; 2])| {
        (name.to_owned(), Slope { measured: measured.slope(), closed_form: expected.slope() })
    };
    of.slopes = MEASURES.into_iter().zip(fits).map(slope).collect();
    of
}

/// The cases of one task.
struct OfTask {
    /// By operator.
    operators: Vec<Vec<Case>>,
    /// By fault, what is not as it must be.
    faults: Vec<Option<String>>,
}

impl OfTask {
    fn new(row: &TaskRow, names: &[String], doses: &[u32], seed: u64) -> Result<Self, Misfit> {
        let compiled = Compiled::new(row).map_err(|expected| misfit(row, expected))?;
        let gold: Value = serde_json::from_str(&row.reference).map_err(|error| misfit(row, error.to_string()))?;
        let damage = Damage::of(row)?;
        let on_task = damage.operators();
        // Rotations first: they are kept whole or not at all.
        let mut mixable: Vec<&str> = on_task.iter().map(Operator::name).collect();
        mixable.sort_by_key(|name| *name != "cousin_rotation");
        let mut by_operator = Vec::with_capacity(names.len());
        for name in names {
            let mut cases = Vec::with_capacity(doses.len());
            for &dose in doses {
                let mut random = stream(seed, u64::from(dose), &format!("scd/metrology/{name}/{}", row.id));
                let (outcome, form, wanted) = if name == MIXED {
                    let parts: Vec<(&str, u32)> = mixable.iter().map(|name| (*name, dose)).collect();
                    let mixed = mix(&damage, &gold, &parts, &mut random)?;
                    (mixed.outcome, mixed.form, dose * parts.len() as u32)
                } else {
                    let operator = on_task.get(name).ok_or_else(|| misfit(row, format!("no operator {name:?}")))?;
                    let outcome = operator.apply(&gold, dose, &mut random)?;
                    let form = damage.closed_form(name, &outcome.edits)?;
                    (outcome, form, dose)
                };
                let measures = compiled.measure(&outcome.candidate.to_string());
                let disagreement = (!form.agrees(&measures)).then(|| {
                    format!(
                        "{}, {name} at dose {dose}: {form:?} was to be read, not {:?}",
                        row.id,
                        ClosedForm::of(&measures)
                    )
                });
                cases.push(Case {
                    share: f64::from(outcome.reached()) / form.planted.max(1) as f64,
                    is_reached: outcome.reached() == wanted,
                    measured: read(&measures),
                    expected: changes(&form),
                    disagreement,
                });
            }
            by_operator.push(cases);
        }
        let perfect = damage.perfect();
        let faults = Fault::ALL.map(|fault| {
            let mut random = stream(seed, 0, &format!("scd/metrology/{}/{}", fault.name(), row.id));
            let text = fault.apply(&row.reference, &mut random);
            disagreement(fault, &text, &compiled.measure(&text), &perfect).map(|what| format!("{}: {what}", row.id))
        });
        Ok(Self { operators: by_operator, faults: faults.into() })
    }
}

/// In what a faulty text was not read as it must be.
fn disagreement(fault: Fault, text: &str, measures: &Measures, perfect: &ClosedForm) -> Option<String> {
    let name = fault.name();
    // What a table's rows are worth is another question than whether the text that has them can be read.
    let level = recover(text, &Limits::default()).ok().map(|read| read.level);
    if level != fault.level() {
        let said = |level: Option<Level>| level.map_or("refused", Level::name);
        return Some(format!("{name} was read as {}, not as {}", said(level), said(fault.level())));
    }
    if fault.level().is_none() && measures.fmt_ok() {
        return Some(format!("{name} was refused, and yet measured"));
    }
    if fault.keeps_content() && !perfect.agrees(measures) {
        return Some(format!("{name} leaves everything, but {:?} was read", ClosedForm::of(measures)));
    }
    None
}

fn misfit(row: &TaskRow, expected: String) -> Misfit {
    Misfit { at: row.id.clone(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scd::testing::tasks;

    #[test]
    fn every_case_is_its_closed_form() {
        let found = run(&tasks(4), &[0, 1, 2, 4, 40], 7).expect("tasks");
        assert_eq!(found.operators.0.iter().map(|(domain, _)| domain.as_str()).collect::<Vec<_>>(), ["json", "table"]);
        for (domain, operators) in &found.operators.0 {
            for (name, of) in &operators.0 {
                assert_eq!((of.agree, &of.first_disagreement), (of.cases, &None), "{domain} {name}");
                assert_eq!(of.cases, 3 * 4 * 5);
                for (measure, slope) in &of.slopes.0 {
                    assert_eq!(slope.measured, slope.closed_form, "{domain} {name} {measure}");
                }
            }
        }
        for (domain, faults) in &found.faults.0 {
            for (name, of) in &faults.0 {
                assert_eq!((of.agree, &of.first_disagreement), (of.cases, &None), "{domain} {name}");
            }
        }
        let slope = |domain: &str, operator: &str, measure: &str| {
            let of = found.operators.get(domain).and_then(|of| of.get(operator)).expect("an operator");
            of.slopes.get(measure).and_then(|slope| slope.measured).expect("a slope")
        };
        // An edit of two values costs twice.
        assert_eq!((slope("json", "sibling_swap", "vpa"), slope("json", "sibling_swap", "vp")), (-2.0, 0.0));
        assert_eq!((slope("json", "cousin_rotation", "dr"), slope("json", "value_replacement", "vp")), (1.0, -1.0));
        assert_eq!((slope("table", "cell_move", "vpa"), slope("table", "cell_count", "scr")), (-1.0, -1.0));
        assert_eq!(slope("json", "undeclared_paths", "scr"), 0.0);
    }

    #[test]
    fn what_is_read_wrongly_is_counted_and_told() {
        let mut rows = tasks(1);
        // A task whose reference has one of its values in the place of another is no task: its operators refuse it.
        rows[0].reference = "{}".to_owned();
        assert!(run(&rows, &[1], 7).is_err());
        let measures = Compiled::new(&tasks(1)[0]).expect("a task").measure("{}");
        let perfect = ClosedForm::perfect(measures.planted, measures.required);
        assert!(
            disagreement(Fault::Fence, "{}", &measures, &perfect).is_some_and(|what| what.contains("read as strict"))
        );
        let fenced = "```json\n{}\n```";
        assert!(
            disagreement(Fault::Fence, fenced, &measures, &perfect).is_some_and(|what| what.contains("everything"))
        );
    }
}
