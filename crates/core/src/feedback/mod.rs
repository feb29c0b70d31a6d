//! Feedback: the repairs that matter most, in words (*Object Aligner*, section III-F).
//!
//! Text for a person or a language model that wrote the candidate: it speaks of the candidate's own places and identifiers,
//! never of the gold's (unless the schema leaves no other identifier to give to a record that is missing). What either
//! document holds is data: it is shown as JSON, shortened, with control characters escaped.
//!
//! The cost is that of the repairs; only those that are shown are written out. On objects of 1,000 leaves the five costliest add
//! about a tenth to the time of scoring (`cargo bench -p objalign-gen --bench feedback`).
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

use crate::align::{Alignment, Side};
use crate::pointer;
use crate::repair::{Repair, RepairKind, RepairOptions};
use crate::warning::Warning;
use describe::{ATTRIBUTE, Scope};
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
    /// One JSON object on one line: `score`, `deficit`, `shown`, `total`, `invalid` where that is so, `dominant` (a kind, or
    /// null) and `repairs`. Of each: `rank`, `kind`, `path`, and what there is of `key`, `index`, `expected`, `got`, `meant`,
    /// `named`, then `delta`. A value that is too long is given as its text, shortened. Templates have no part in it but
    /// to describe records.
    Json,
}

/// How feedback speaks of the records that references mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum References {
    /// By the candidate's identifiers.
    #[default]
    Literal,
    /// By the attributes that tell them apart, at most two where two will do. Where several records share all attributes,
    /// the text says how many.
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
    /// Which repairs, in which order, and whether their deltas are measured. Its `top_k` is not looked at: that is
    /// [`FeedbackOptions::top`].
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
    ///     "Score 0.500 out of 1; 0.500 is lost. 1 fix:\n1. /name: write \"Ada\" instead of \"Eda\". (+0.500)\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn feedback(&self, options: &FeedbackOptions) -> String {
        // What recovers nothing and comes after all that does is needed by none of it, and nothing to tell of.
        let (total, mut repairs) = self.leading(&options.repairs, options.top);
        repairs.truncate(total);
        if options.repairs.exact {
            self.exactly(&mut repairs);
        }
        Writer { alignment: self, options, total, shown: &repairs }.write()
    }
}

struct Writer<'a> {
    alignment: &'a Alignment<'a>,
    options: &'a FeedbackOptions,
    /// How many repairs there are to show.
    total: usize,
    shown: &'a [Repair],
}

/// One operation as it is spoken of.
struct Spoken {
    path: String,
    expected: String,
    got: String,
    key: String,
    index: String,
    field: String,
    /// References described: the record that is meant, and the one that it means as it stands.
    records: Option<(String, String)>,
}

/// Three decimals, and never a rounded 0 or 1 for what is neither.
fn share(number: f64) -> String {
    match format!("{number:.3}").as_str() {
        "1.000" if number < 1.0 => "0.999".to_owned(),
        "0.000" if number > 0.0 => "0.001".to_owned(),
        text => text.to_owned(),
    }
}

impl Writer<'_> {
    fn write(&self) -> String {
        if self.options.style == Style::Json {
            return self.json() + "\n";
        }
        let templates = &self.options.templates;
        let style = if self.options.style == Style::Compact { "compact" } else { "prose" };
        let fill = |key: &str, values: &[(&str, &str)]| templates.fill(&format!("{style}.{key}"), values);
        let mut lines = Vec::new();
        if let Some((path, reason)) = self.fault() {
            lines.push(fill("invalid", &[("path", &place(path)), ("reason", &escaped(reason))]));
        }
        let score = self.alignment.score();
        if score == 1.0 {
            lines.push(fill("perfect", &[]));
            return lines.join("\n") + "\n";
        }
        let head = match (self.shown.len(), self.total) {
            (0, _) => "head_none",
            (1, 1) => "head_one",
            (1, _) => "head_first",
            (shown, total) if shown == total => "head_all",
            _ => "head",
        };
        let (score, deficit) = (share(score), share(1.0 - score));
        let (shown, total) = (self.shown.len().to_string(), self.total.to_string());
        let values = [("score", &*score), ("deficit", &*deficit), ("shown", &*shown), ("total", &*total)];
        lines.push(fill(head, &values));
        for (index, repair) in self.shown.iter().enumerate() {
            let text = self.line(style, repair);
            let (rank, delta) = ((index + 1).to_string(), format!("{:+.3}", repair.delta));
            lines.push(fill("line", &[("rank", &rank), ("text", &text), ("delta", &delta)]));
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

    /// Where and why the candidate does not fit its schema.
    fn fault(&self) -> Option<(&str, &str)> {
        self.alignment.pair_warnings().iter().find_map(|warning| match warning {
            Warning::InvalidCandidate { path, reason } => Some((path.as_str(), reason.as_str())),
            _ => None,
        })
    }

    /// The kind that makes up most of what is shown, and its share. What an operation costs on the way (only deltas that
    /// were measured can be below 0) is not counted.
    fn dominant(&self) -> Option<(RepairKind, f64)> {
        let sum_of = |kind: Option<RepairKind>| -> f64 {
            let repairs = self.shown.iter().filter(|repair| kind.is_none_or(|kind| repair.kind == kind));
            repairs.map(|repair| repair.delta.max(0.0)).sum()
        };
        let sum = sum_of(None);
        let shares = RepairKind::ALL.into_iter().map(|kind| (kind, sum_of(Some(kind)) / sum));
        shares.into_iter().find(|(_, share)| *share >= DOMINANT)
    }

    fn line(&self, style: &str, repair: &Repair) -> String {
        let spoken = self.spoken(repair);
        let (meant, named) = spoken.records.clone().unwrap_or_default();
        let kind = repair.remedy;
        let (table, name) = match spoken.records {
            Some(_) if kind == RepairKind::RefFix && meant == named => ("semantic", "ref_fix_alike"),
            Some(_) => ("semantic", kind.name()),
            None if kind == RepairKind::ItemAdd && repair.index.is_some() => ("kinds", "item_add_at"),
            None => ("kinds", kind.name()),
        };
        let values = [
            ("path", &*spoken.path),
            ("expected", &spoken.expected),
            ("got", &spoken.got),
            ("expected_type", type_name(repair.value.as_ref())),
            ("got_type", type_name(repair.candidate.as_ref())),
            ("key", &spoken.key),
            ("index", &spoken.index),
            ("meant", &meant),
            ("named", &named),
            ("field", &spoken.field),
        ];
        let fix = self.options.templates.fill(&format!("{style}.{table}.{name}"), &values);
        if repair.kind == RepairKind::Invalid {
            return self.options.templates.fill(&format!("{style}.kinds.invalid"), &[("fix", &fix)]);
        }
        fix
    }

    fn spoken(&self, repair: &Repair) -> Spoken {
        let length = self.options.value_length;
        let path = repair.at.as_deref().unwrap_or(&repair.path);
        let value = |value: Option<&Value>| value.map(|value| shown(value, length)).unwrap_or_default();
        let field = path.rsplit('/').find(|step| !step.is_empty() && step.parse::<usize>().is_err());
        let by_records = self.options.references == References::Semantic
            && matches!(repair.remedy, RepairKind::RefFix | RepairKind::RefUnresolved);
        Spoken {
            path: place(path),
            expected: value(repair.value.as_ref()),
            got: value(repair.candidate.as_ref()),
            key: key(repair).map(|key| shown(&key.into(), length)).unwrap_or_default(),
            index: repair.index.map(|index| index.to_string()).unwrap_or_default(),
            field: field.map_or_else(
                || self.options.templates.fill("describe.reference", &[]),
                |field| escaped(&pointer::unescape(field)),
            ),
            records: if by_records { self.records(repair) } else { None },
        }
    }

    /// The record that a reference should mean and the one that it means instead, described; `None` if the gold's
    /// reference means none.
    fn records(&self, repair: &Repair) -> Option<(String, String)> {
        let templates = &self.options.templates;
        let scope = Scope::named(self.alignment, repair.scope.as_deref()?)?;
        let id = |value: &Option<Value>| value.as_ref().map(|id| shown(id, ATTRIBUTE)).unwrap_or_default();
        let meant = match (&repair.record, &repair.gold_record) {
            (Some(record), _) => scope.describe(Side::Candidate, record, &id(&repair.value), templates),
            (None, Some(record)) => scope.describe(Side::Gold, record, &id(&repair.value), templates),
            (None, None) => return None,
        };
        let named = match &repair.named_record {
            Some(record) => scope.describe(Side::Candidate, record, &id(&repair.candidate), templates),
            None => templates.fill("describe.dangling", &[("id", &id(&repair.candidate))]),
        };
        Some((meant, named))
    }

    fn json(&self) -> String {
        let score = self.alignment.score();
        let lines: Vec<Value> =
            self.shown.iter().enumerate().map(|(index, repair)| self.member(index, repair)).collect();
        let mut whole = json!({
            "score": rounded(score),
            "deficit": rounded(1.0 - score),
            "shown": self.shown.len(),
            "total": self.total,
        });
        if let Some((path, reason)) = self.fault() {
            whole["invalid"] = json!({"path": path, "reason": reason});
        }
        whole["dominant"] = json!(self.dominant().map(|(kind, _)| kind.name()));
        whole["repairs"] = lines.into();
        escaped(&whole.to_string())
    }

    /// An operation as a member of the JSON style.
    fn member(&self, index: usize, repair: &Repair) -> Value {
        let length = self.options.value_length;
        let whole_or_shortened = |value: &Value| {
            let text = value.to_string();
            if text.chars().count() <= length { value.clone() } else { shown(value, length).into() }
        };
        let mut member = json!({
            "rank": index + 1,
            "kind": repair.kind.name(),
            "path": repair.at.as_deref().unwrap_or(&repair.path),
        });
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                member[name] = value;
            }
        };
        put("key", key(repair).map(Value::from));
        put("index", repair.index.map(Value::from));
        put("expected", repair.value.as_ref().map(whole_or_shortened));
        put("got", repair.candidate.as_ref().map(whole_or_shortened));
        if let Some((meant, named)) = self.spoken(repair).records {
            put("meant", Some(meant.into()));
            put("named", Some(named.into()));
        }
        put("delta", Some(rounded(repair.delta).into()));
        member
    }
}

/// The key that comes, or that a member gets.
fn key(repair: &Repair) -> Option<String> {
    matches!(repair.remedy, RepairKind::KeyAdd | RepairKind::KeyRename)
        .then(|| pointer::unescape(repair.path.rsplit('/').next().unwrap_or_default()))
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn place(path: &str) -> String {
    escaped(pointer::shown(path))
}
