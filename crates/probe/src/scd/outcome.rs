//! What a completion came to, as a line of JSON.

use crate::scoring::row::Id;
use objalign_core::scd::{Fate, Measures, Reward};
use serde::Serialize;
use serde_json::Value;

/// One completion, measured; or why it was not.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The task's id.
    pub id: Option<Id>,
    /// The how-manieth completion of that task it is, from 0.
    pub sample: u64,
    /// What it is worth; `None` where the row is no completion of any task.
    pub measures: Option<Measures>,
    /// Where each planted value ended up, if that was asked for and the completion can be read.
    pub fates: Option<Vec<(String, Fate)>>,
    /// Why it was not measured.
    pub error: Option<String>,
    pub(super) group: String,
    pub(super) task: u32,
}

/// The line that is written.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a Option<Id>,
    sample: u64,
    fmt_ok: Option<bool>,
    recovery: Option<&'static str>,
    scr: Option<f64>,
    vpa: Option<f64>,
    vp: Option<f64>,
    scg: Option<f64>,
    dr: Option<f64>,
    reward_exact: Option<f64>,
    reward_vpa: Option<f64>,
    reward_composite: Option<f64>,
    duplicate_keys: Option<usize>,
    refusal: Option<String>,
    error: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fates: Option<Vec<Told<'a>>>,
}

#[derive(Serialize)]
struct Told<'a> {
    path: &'a str,
    fate: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Value>,
}

impl Outcome {
    /// The outcome as one line of JSON. `composite` is the reward of that name.
    pub fn line(&self, composite: Reward) -> String {
        let measures = self.measures.as_ref();
        let of = |figure: fn(&Measures) -> f64| measures.map(figure);
        let reward = |reward: Reward| measures.map(|measures| reward.of(measures));
        let line = Line {
            id: &self.id,
            sample: self.sample,
            fmt_ok: measures.map(Measures::fmt_ok),
            recovery: measures.and_then(|measures| measures.format.as_ref().ok().map(|level| level.name())),
            scr: of(Measures::scr),
            vpa: of(Measures::vpa),
            vp: of(Measures::vp),
            scg: of(Measures::scg),
            dr: measures.and_then(Measures::dr),
            reward_exact: reward(Reward::Exact),
            reward_vpa: reward(Reward::VPA),
            reward_composite: reward(composite),
            duplicate_keys: measures.map(|measures| measures.duplicate_keys),
            refusal: measures.and_then(|measures| measures.format.as_ref().err().map(ToString::to_string)),
            error: &self.error,
            fates: self.fates.as_ref().map(|fates| fates.iter().map(|(path, fate)| told(path, fate)).collect()),
        };
        serde_json::to_string(&line).unwrap_or_default()
    }
}

fn told<'a>(path: &'a str, fate: &Fate) -> Told<'a> {
    let (fate, to) = match fate {
        Fate::Placed => ("placed", None),
        Fate::Displaced { to } => ("displaced", Some(Value::from(to.to_string()))),
        Fate::Altered { to } => ("altered", Some(to.clone())),
        Fate::Absent => ("absent", None),
    };
    Told { path, fate, to }
}
