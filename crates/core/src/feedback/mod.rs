//! Feedback: the repairs that matter most, in words (*Object Aligner*, section III-F).
//!
//! Text for a person or a language model that wrote the candidate: it speaks of the candidate's own places and identifiers,
//! never of the gold's. What either document holds is data: it is shown as JSON, shortened, with control characters escaped.
//!
//! | room | what |
//! |---|---|
//! | [`templates`] | the wording, overridable key by key |
//! | [`value`] | values on one line |
//! | [`describe`] | records by what tells them apart |

mod describe;
mod templates;
mod value;

pub use templates::{TemplateError, Templates};

use crate::align::Alignment;
use crate::pointer;
use crate::repair::{Repair, RepairKind, RepairOptions};
use crate::schema::plan::ScopeId;
use crate::warning::Warning;
use describe::Scope;
use serde_json::{Value, json};
use value::{escaped, shown, type_name};

/// The form of feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Sentences.
    #[default]
    Prose,
    /// One short line an operation.
    Compact,
    /// One JSON object.
    Json,
}

/// How feedback speaks of the records that references mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum References {
    /// By the candidate's identifiers.
    #[default]
    Literal,
    /// By the attributes that tell them apart.
    Semantic,
}

/// What feedback says, and how.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FeedbackOptions {
    /// How many operations are shown; `None`: all. 5 by default.
    pub top: Option<usize>,
    /// The form.
    pub style: Style,
    /// How references are spoken of.
    pub references: References,
    /// How many characters of a value are shown: 80 by default, 8 at least. What is left out is in the middle.
    pub value_length: usize,
    /// Which repairs, and in which order. Its `top_k` is not looked at.
    pub repairs: RepairOptions,
    /// The wording.
    pub templates: Templates,
}

impl Default for FeedbackOptions {
    fn default() -> Self {
        Self {
            top: Some(5),
            style: Style::Prose,
            references: References::Literal,
            value_length: value::SHOWN,
            repairs: RepairOptions::default(),
            templates: Templates::default(),
        }
    }
}

impl FeedbackOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }
}

/// A closing line names a kind that makes up this share of what is shown.
const DOMINANT: f64 = 0.6;

impl Alignment<'_> {
    /// What to change in the candidate, the costliest first, as text that ends with a line break.
    ///
    /// ```
    /// use objalign_core::{Aligner, FeedbackOptions, Plan};
    /// use serde_json::json;
    ///
    /// let plan = Plan::compile(&json!({"type": "object", "properties": {
    ///     "name": {"type": "string", "score": "exact"}, "age": {"type": "integer", "score": "exact"}
    /// }}))?;
    /// let mut aligner = Aligner::new(&plan);
    /// let alignment = aligner.align(&json!({"name": "Ada", "age": 36}), &json!({"name": "Eda", "age": 36}))?;
    /// assert_eq!(
    ///     alignment.feedback(&FeedbackOptions::new()),
    ///     "Score 0.500: 0.500 is lost, in one place:\n1. /name: write \"Ada\" instead of \"Eda\". (+0.500)\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn feedback(&self, options: &FeedbackOptions) -> String {
        let repairs = self.repairs(&RepairOptions { top_k: None, ..options.repairs });
        let costly: Vec<&Repair> = repairs.iter().filter(|repair| repair.delta > 0.0).collect();
        let count = options.top.unwrap_or(costly.len()).min(costly.len());
        Writer { alignment: self, options, all: &costly, shown: &costly[..count] }.write()
    }
}

struct Writer<'a> {
    alignment: &'a Alignment<'a>,
    options: &'a FeedbackOptions,
    all: &'a [&'a Repair],
    shown: &'a [&'a Repair],
}

/// One operation as it is spoken of.
struct Spoken {
    path: String,
    from: String,
    expected: String,
    got: String,
    expected_type: &'static str,
    got_type: &'static str,
    key: String,
    index: String,
    meant: String,
    named: String,
    field: String,
}

fn three(number: f64) -> String {
    format!("{number:.3}")
}

impl Writer<'_> {
    fn write(&self) -> String {
        let score = self.alignment.score();
        let fault = self.alignment.pair_warnings().iter().find_map(|warning| match warning {
            Warning::InvalidCandidate { path, reason } => Some((path, reason)),
            _ => None,
        });
        if self.options.style == Style::Json {
            return self.json(score, fault) + "\n";
        }
        let templates = &self.options.templates;
        let style = if self.options.style == Style::Prose { "prose" } else { "compact" };
        let fill = |key: &str, values: &[(&str, &str)]| templates.fill(&format!("{style}.{key}"), values);
        let mut lines = Vec::new();
        if let Some((path, reason)) = fault {
            lines.push(fill("invalid", &[("path", &place(path)), ("reason", &escaped(reason))]));
        }
        if self.all.is_empty() {
            if fault.is_none() || score == 1.0 {
                lines.push(fill("perfect", &[]));
            }
            return lines.join("\n") + "\n";
        }
        let (score, deficit) = (three(score), three(1.0 - score));
        let (shown, total) = (self.shown.len().to_string(), self.all.len().to_string());
        let head = match (self.shown.len(), self.all.len()) {
            (_, 1) => "head_one",
            (shown, total) if shown == total => "head_all",
            _ => "head",
        };
        let values = [("score", &*score), ("deficit", &*deficit), ("shown", &*shown), ("total", &*total)];
        lines.push(fill(head, &values));
        for (index, repair) in self.shown.iter().enumerate() {
            let text = self.line(style, repair);
            let rank = (index + 1).to_string();
            lines.push(fill("line", &[("rank", &rank), ("text", &text), ("delta", &three(repair.delta))]));
        }
        if self.shown.len() > 1 {
            lines.push(match self.dominant() {
                Some((kind, share)) => {
                    let name = templates.fill(&format!("names.{}", kind.name()), &[]);
                    fill("dominant", &[("kind", &name), ("share", &format!("{:.0}", share * 100.0))])
                }
                None => fill("spread", &[]),
            });
        }
        lines.join("\n") + "\n"
    }

    /// The kind that makes up most of what is shown, and its share.
    fn dominant(&self) -> Option<(RepairKind, f64)> {
        let sum: f64 = self.shown.iter().map(|repair| repair.delta).sum();
        RepairKind::ALL
            .into_iter()
            .map(|kind| {
                let of_kind = self.shown.iter().filter(|repair| repair.kind == kind);
                (kind, of_kind.map(|repair| repair.delta).sum::<f64>() / sum)
            })
            .find(|(_, share)| *share >= DOMINANT)
    }

    fn line(&self, style: &str, repair: &Repair) -> String {
        let spoken = self.spoken(repair);
        let reference = matches!(repair.kind, RepairKind::RefFix | RepairKind::RefUnresolved);
        let described = reference && self.options.references == References::Semantic && !spoken.meant.is_empty();
        let table = if described { "semantic" } else { "kinds" };
        self.options.templates.fill(
            &format!("{style}.{table}.{}", repair.kind.name()),
            &[
                ("path", &spoken.path),
                ("from", &spoken.from),
                ("expected", &spoken.expected),
                ("got", &spoken.got),
                ("expected_type", spoken.expected_type),
                ("got_type", spoken.got_type),
                ("key", &spoken.key),
                ("index", &spoken.index),
                ("meant", &spoken.meant),
                ("named", &spoken.named),
                ("field", &spoken.field),
            ],
        )
    }

    fn spoken(&self, repair: &Repair) -> Spoken {
        let length = self.options.value_length;
        let (container, last) = repair.path.rsplit_once('/').unwrap_or(("", ""));
        let path = match (&repair.at, repair.kind) {
            (Some(at), _) => at.clone(),
            (None, RepairKind::KeyAdd | RepairKind::ItemAdd) => container.to_owned(),
            (None, _) => repair.path.clone(),
        };
        let value = |value: Option<&Value>| value.map(|value| shown(value, length)).unwrap_or_default();
        let field = path.rsplit('/').find(|step| step.parse::<usize>().is_err()).unwrap_or_default();
        let (meant, named) = match self.options.references {
            References::Semantic => (self.meant(repair), self.named(repair)),
            References::Literal => (String::new(), String::new()),
        };
        Spoken {
            from: place(repair.at.as_ref().unwrap_or(&path)),
            expected: value(repair.value.as_ref()),
            got: value(repair.candidate.as_ref()),
            expected_type: type_name(repair.value.as_ref()),
            got_type: type_name(repair.candidate.as_ref()),
            key: shown(&Value::from(pointer::unescape(last)), length),
            index: last.to_owned(),
            field: escaped(&pointer::unescape(field)),
            path: place(&path),
            meant,
            named,
        }
    }

    /// The record that a reference should mean, described.
    fn meant(&self, repair: &Repair) -> String {
        let root = self.alignment.root();
        let (document, record) = match (&repair.record, &repair.gold_record) {
            (Some(record), _) => (root.candidate_value(), record),
            (None, Some(record)) => (root.gold_value(), record),
            (None, None) => return String::new(),
        };
        self.described(repair, document.as_ref(), record).unwrap_or_default()
    }

    /// The record that it means instead.
    fn named(&self, repair: &Repair) -> String {
        let document = self.alignment.root().candidate_value();
        let named = repair.named_record.as_ref();
        named.and_then(|record| self.described(repair, document.as_ref(), record)).unwrap_or_else(|| {
            let id = repair.candidate.as_ref().map(|id| shown(id, self.options.value_length)).unwrap_or_default();
            self.options.templates.fill("describe.dangling", &[("id", &id)])
        })
    }

    fn described(&self, repair: &Repair, document: Option<&Value>, record: &str) -> Option<String> {
        let plan = self.alignment.plan();
        let at = plan.scopes.iter().position(|scope| repair.scope.as_deref() == Some(&*scope.name))?;
        let (list, _) = record.rsplit_once('/')?;
        let document = document?;
        let scope = Scope::new(plan, ScopeId(at as u32), document.pointer(list));
        Some(scope.describe(document.pointer(record)?, &self.options.templates))
    }

    fn json(&self, score: f64, fault: Option<(&String, &String)>) -> String {
        let length = self.options.value_length;
        let lines: Vec<Value> = self
            .shown
            .iter()
            .enumerate()
            .map(|(index, repair)| {
                let spoken = self.spoken(repair);
                let mut line = json!({
                    "rank": index + 1,
                    "kind": repair.kind.name(),
                    "path": repair.at.clone().unwrap_or_else(|| repair.path.clone()),
                    "expected": repair.value.as_ref().map(|value| shown(value, length)),
                    "got": repair.candidate.as_ref().map(|value| shown(value, length)),
                    "delta": rounded(repair.delta),
                });
                if !spoken.meant.is_empty() {
                    line["meant"] = spoken.meant.into();
                }
                line
            })
            .collect();
        let mut whole = json!({
            "score": rounded(score),
            "deficit": rounded(1.0 - score),
            "shown": self.shown.len(),
            "total": self.all.len(),
            "mainly": self.dominant().map(|(kind, _)| kind.name()),
            "repairs": lines,
        });
        if let Some((path, reason)) = fault {
            whole["invalid"] = json!({"path": path, "reason": reason});
        }
        escaped(&whole.to_string())
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn place(path: &str) -> String {
    escaped(pointer::shown(path))
}
