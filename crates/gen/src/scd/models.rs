//! Simulated models: completions of graded skill, whose damage grows with the distance of a value's place.
//!
//! A model goes to a value's place step by step, and each step can go wrong: a value `d` steps away is put in the place of another with
//! probability `1 - (1 - misstep)^d`. Whatever the distance, it forgets a value with probability `forget` (another stands there, or
//! nothing), adds what nobody asked for with probability `stray`, once for each value, and spoils the text with probability `fault`.
//!
//! A step is one of a path's beyond the first, or twelve rows of a table. The damage is done by the operators of [`super::damage`], so how
//! much of each kind there is depends on distances, and where it is does not. The models know nothing of names: where an ablation
//! turns nothing but these, they have to come out level.
//!
//! A completion is a function of (model, task, seed). Linear in the task, but for the operators.

use super::damage::Damage;
use super::damage::format::Fault;
use super::damage::json::ROTATION;
use super::damage::mixed::mix;
use super::table::find;
use super::task::{Question, TaskRow};
use crate::bounds::ParamsError;
use crate::corrupt::Misfit;
use crate::streams::{below, stream};
use objalign_core::scd::Path;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How many rows of a table are one step.
const ROWS_OF_A_STEP: usize = 12;

/// How skilled a model is. All but the name are probabilities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What it is called.
    pub name: String,
    /// Of each step to a value's place, that it goes wrong.
    pub misstep: f64,
    /// Of each value, that it is not there.
    pub forget: f64,
    /// Of each value, that something comes with it that nobody asked for.
    pub stray: f64,
    /// Of the whole text, that it has a fault of format.
    pub fault: f64,
}

impl Model {
    /// Whether there is such a model.
    ///
    /// # Errors
    ///
    /// A probability is none.
    pub fn check(&self) -> Result<(), ParamsError> {
        for (key, value) in
            [("misstep", self.misstep), ("forget", self.forget), ("stray", self.stray), ("fault", self.fault)]
        {
            if !(0.0..=1.0).contains(&value) {
                return Err(ParamsError::new(key, format_args!("{value}; allowed: 0 to 1")));
            }
        }
        Ok(())
    }
}

/// What a model writes, asked a task, whose damage is given.
///
/// # Errors
///
/// The row is no task, or the damage is that of another.
pub fn complete(model: &Model, row: &TaskRow, damage: &Damage, seed: u64) -> Result<String, Misfit> {
    let mut random = stream(seed, 0, &format!("scd/model/{}/{}", model.name, row.id));
    let gold: Value = serde_json::from_str(&row.reference)
        .map_err(|error| Misfit::new("/reference", format!("JSON should be here: {error}")))?;
    let distances = distances(row)?;
    let mut chance = |share: f64| random.random::<f64>() < share;
    let (mut misplaced, mut altered, mut absent, mut strays) = (0, 0, 0, 0);
    for steps in distances {
        if chance(model.forget) {
            if chance(0.5) { altered += 1 } else { absent += 1 }
        } else if (0..steps).any(|_| chance(model.misstep)) {
            misplaced += 1;
        }
        strays += u32::from(chance(model.stray));
    }
    let parts: Vec<(&str, u32)> = match &row.question {
        Question::Json { .. } => {
            // One value alone has nowhere to go: half the time two change places, so that it is one in the mean.
            let pairs = if misplaced == 1 { u32::from(chance(0.5)) } else { misplaced / 4 };
            vec![
                (ROTATION, misplaced.saturating_sub(2 * pairs)),
                ("sibling_swap", pairs),
                ("value_replacement", altered),
                ("leaf_drop", absent),
                ("undeclared_paths", strays),
            ]
        }
        Question::Table { .. } => vec![
            ("cell_move", misplaced),
            ("value_replacement", altered / 2),
            ("wrong_row", altered - altered / 2),
            ("target_drop", absent),
            ("cell_count", strays),
        ],
    };
    let is_faulty = chance(model.fault);
    let candidate = mix(damage, &gold, &parts, &mut random)?.outcome.candidate;
    let text = candidate.to_string();
    let is_empty = candidate.as_object().is_none_or(serde_json::Map::is_empty);
    if is_faulty && !is_empty { Ok(spoilt(&text, &mut random)) } else { Ok(text) }
}

fn spoilt(text: &str, random: &mut dyn Rng) -> String {
    Fault::ALL[below(random, Fault::ALL.len())].apply(text, random)
}

/// How far away the place of each value is, in steps.
fn distances(row: &TaskRow) -> Result<Vec<usize>, Misfit> {
    match &row.question {
        Question::Json { planted, .. } => planted
            .iter()
            .map(|planted| {
                let path: Path = planted.path.parse().map_err(|error| Misfit::new("/planted", format!("{error}")))?;
                Ok(path.steps().len().saturating_sub(1).max(1))
            })
            .collect(),
        Question::Table { table, targets } => {
            let rows = find::rows(table).map_err(|error| Misfit::new("/table", error.to_string()))?;
            let steps = |html: &str| {
                let above = rows.iter().position(|(text, _)| *text == html);
                above.map(|above| 1 + above / ROWS_OF_A_STEP)
            };
            targets
                .iter()
                .map(|target| {
                    steps(&target.html).ok_or_else(|| {
                        Misfit::new("/targets", format!("{}: its row should be in the table", target.id))
                    })
                })
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scd::check::Compiled;
    use crate::scd::json::{ScdJson, params::Params as JsonParams};
    use crate::scd::sets::TaskSource;
    use crate::scd::table::{Tables, params::Params as TableParams};

    fn model(misstep: f64, forget: f64, stray: f64, fault: f64) -> Model {
        Model { name: "m".into(), misstep, forget, stray, fault }
    }

    /// Sums of (placed, present, planted) by level.
    fn run(model: &Model, source: &dyn TaskSource) -> Vec<[usize; 3]> {
        let of_level = |level: usize| {
            (0..8).fold([0; 3], |sum, index| {
                let row = source.task(0, level, index);
                let damage = Damage::of(&row).expect("a task");
                let text = complete(model, &row, &damage, 5).expect("a task");
                assert_eq!(text, complete(model, &row, &damage, 5).expect("a task"));
                let measures = Compiled::new(&row).expect("a task").measure(&text);
                let counts = [measures.placed, measures.present, measures.planted];
                std::array::from_fn(|at| sum[at] + counts[at])
            })
        };
        (0..3).map(of_level).collect()
    }

    #[test]
    fn placement_falls_with_the_level_and_presence_does_not() {
        let trees = ScdJson::new(JsonParams::published()).expect("parameters");
        let tables = Tables::new(TableParams::published()).expect("parameters");
        for source in [&trees as &dyn TaskSource, &tables] {
            let perfect = run(&model(0.0, 0.0, 0.0, 0.0), source);
            assert!(perfect.iter().all(|[placed, present, planted]| placed == planted && present == planted));
            let lost = run(&model(0.12, 0.0, 0.3, 0.0), source);
            assert!(lost.iter().all(|[_, present, planted]| present == planted), "{lost:?}");
            let placed: Vec<f64> = lost.iter().map(|[placed, _, planted]| *placed as f64 / *planted as f64).collect();
            // Small and middle tables have nearly as many rows.
            assert!(placed[0] > placed[2] + 0.03, "{placed:?}");
            let forgetful = run(&model(0.0, 0.3, 0.0, 0.0), source);
            for [placed, present, planted] in forgetful {
                assert_eq!(placed, present);
                assert!((0.55..0.85).contains(&(present as f64 / planted as f64)), "{present} of {planted}");
            }
        }
    }

    #[test]
    fn what_is_no_probability_is_said() {
        assert!(model(0.0, 1.0, 0.5, 0.0).check().is_ok());
        let error = model(0.0, 1.5, 0.5, 0.0).check().expect_err("too much");
        assert_eq!((error.key.as_str(), error.message.as_str()), ("forget", "1.5; allowed: 0 to 1"));
        assert!(model(f64::NAN, 0.0, 0.5, 0.0).check().is_err());
    }
}
