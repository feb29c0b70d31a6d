//! The public entry: load two documents, check them against the schema, align them.

use super::confidence::{self, Confidence};
use super::engine::{Engine, Workspace};
use super::resolve::{DEFAULT_BUDGET, Structure};
use super::tree::{Match, MatchRef};
use super::validity;
use crate::MAX_DEPTH;
use crate::document::{Arena, LoadError, NodeId};
use crate::pointer;
use crate::reference::bijections::Bijections;
use crate::reference::records::{Flaw, Records};
use crate::schema::plan::{Plan, ScopeId};
use crate::warning::Warning;
use serde_json::Value;
use std::fmt;

/// What to do with a candidate that does not fit its schema. Either way the result carries a warning that names the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Invalid {
    /// It scores 0.
    #[default]
    Zero,
    /// It is scored for what it is worth.
    Score,
}

/// How to align.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// What to do with a candidate that does not fit its schema.
    pub invalid: Invalid,
    /// Whether, and how, to measure how clear each pairing was. Never changes a score.
    pub confidence: Option<Confidence>,
    /// How the structure of references takes part in pairing records.
    pub structure: Structure,
    /// How many expansions the search for the best bijections may make: evaluations of a bound on the score. Only pairs
    /// whose records attributes alone cannot tell apart are searched at all, and copies are recognised before. When the
    /// budget ends a search the result says so ([`Warning::BudgetExhausted`]), and is still independent of identifiers and
    /// of the order of records. The default is 2,000.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { invalid: Invalid::Zero, confidence: None, structure: Structure::TieBreak, budget: DEFAULT_BUDGET }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what to do with invalid candidates.
    #[must_use]
    pub fn invalid(mut self, invalid: Invalid) -> Self {
        self.invalid = invalid;
        self
    }

    /// Sets how the structure of references takes part.
    #[must_use]
    pub fn structure(mut self, structure: Structure) -> Self {
        self.structure = structure;
        self
    }

    /// Sets the search budget, in expansions.
    #[must_use]
    pub fn budget(mut self, budget: u64) -> Self {
        self.budget = budget;
        self
    }

    /// Asks for the confidence of each pairing.
    #[must_use]
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = Some(confidence);
        self
    }
}

/// One of the two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The reference.
    Gold,
    /// What is scored.
    Candidate,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gold => "gold",
            Self::Candidate => "candidate",
        })
    }
}

/// Why a pair cannot be aligned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AlignError {
    /// The gold does not fit its schema: no score against it would mean anything.
    #[error("gold {}: {reason}", pointer::shown(path))]
    InvalidGold {
        /// JSON Pointer to the place.
        path: String,
        /// What the schema asks for there.
        reason: String,
    },
    /// Two records of a scope have the same identifier.
    #[error("gold {path}: the scope {scope:?} has a record of this identifier at {first} already")]
    DuplicateId {
        /// The scope's name.
        scope: String,
        /// JSON Pointer to the second identifier.
        path: String,
        /// JSON Pointer to the first.
        first: String,
    },
    /// A reference means no record.
    #[error("gold {path}: no record of the scope {scope:?} has this identifier")]
    DanglingReference {
        /// The scope's name.
        scope: String,
        /// JSON Pointer to the reference.
        path: String,
    },
    /// A document is nested deeper than [`MAX_DEPTH`].
    #[error("{side} {}: nested deeper than {MAX_DEPTH} levels", shortened(path))]
    TooDeep {
        /// Which document.
        side: Side,
        /// JSON Pointer to the first value that is too deep.
        path: String,
    },
    /// A document has more than 2^32 values.
    #[error("{side}: more than 4294967295 values")]
    TooLarge {
        /// Which document.
        side: Side,
    },
}

/// A path of a hundred steps helps nobody.
fn shortened(path: &str) -> String {
    match path.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &path[..at]),
        None => path.to_owned(),
    }
}

/// Aligns pairs of documents under one plan.
///
/// Keeps its memory from pair to pair: buffers, and the similarities of all strings it has compared (up to a bound). Use
/// one aligner per thread. Results never depend on what was aligned before.
///
/// ```
/// use objalign_core::{Aligner, Plan};
/// use serde_json::json;
///
/// let plan = Plan::compile(&json!({
///     "type": "object",
///     "properties": {
///         "name": {"type": "string", "score": "jaro_winkler"},
///         "tags": {"type": "array", "order": "align", "items": {"type": "string", "score": "exact"}}
///     }
/// }))?;
/// let mut aligner = Aligner::new(&plan);
/// let gold = json!({"name": "Ada", "tags": ["a", "b"]});
///
/// assert_eq!(aligner.align(&gold, &json!({"tags": ["b", "a"], "name": "Ada"}))?.score(), 1.0);
/// assert_eq!(aligner.align(&gold, &json!({"name": "Ada", "tags": ["a"]}))?.score(), 0.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Aligner<'p> {
    plan: &'p Plan,
    options: Options,
    work: Workspace,
}

/// Remembered strings and similarities are dropped beyond these sizes, so that memory stays flat however many pairs come.
const KEPT_STRINGS: usize = 1 << 18;
const KEPT_BYTES: usize = 1 << 25;
const KEPT_SIMILARITIES: usize = 1 << 20;

impl<'p> Aligner<'p> {
    /// An aligner with the default options.
    pub fn new(plan: &'p Plan) -> Self {
        Self::with_options(plan, Options::default())
    }

    /// An aligner with options of its own.
    pub fn with_options(plan: &'p Plan, options: Options) -> Self {
        let mut aligner = Self { plan, options, work: Workspace::default() };
        aligner.forget();
        aligner
    }

    /// Aligns a candidate with its gold.
    ///
    /// # Errors
    ///
    /// The gold does not fit the schema, or a document is nested deeper than [`MAX_DEPTH`]. A candidate that does not fit
    /// is no error, see [`Options::invalid`].
    pub fn align(&mut self, gold: &Value, candidate: &Value) -> Result<Alignment<'_>, AlignError> {
        self.reset();
        let arena = &mut self.work.arena;
        let (gold_root, candidate_root) = (load(arena, Side::Gold, gold)?, load(arena, Side::Candidate, candidate)?);
        if let Some(fault) = validity::fault(&self.plan.validator, gold) {
            return Err(AlignError::InvalidGold { path: fault.path, reason: fault.reason });
        }
        let fault = validity::fault(&self.plan.validator, candidate);
        let rejected = fault.is_some() && self.options.invalid == Invalid::Zero;
        let mut engine = Engine {
            plan: self.plan,
            confidence: self.options.confidence,
            structure: self.options.structure,
            budget: self.options.budget,
            work: &mut self.work,
        };
        if let Err(flaw) = engine.resolve(gold_root, candidate_root) {
            return Err(self.flawed(&flaw));
        }
        let built = engine.build(gold_root, candidate_root);
        self.work
            .warnings
            .extend(fault.map(|fault| Warning::InvalidCandidate { path: fault.path, reason: fault.reason }));
        self.work.warnings.sort();
        self.work.warnings.dedup();
        Ok(Alignment {
            plan: self.plan,
            options: self.options,
            work: &self.work,
            score: if rejected { 0.0 } else { built },
            rejected,
        })
    }

    fn flawed(&self, flaw: &Flaw) -> AlignError {
        let arena = &self.work.arena;
        let name = |scope: ScopeId| self.plan.scopes[scope.0 as usize].name.to_string();
        match *flaw {
            Flaw::Duplicate { scope, leaf, first } => {
                AlignError::DuplicateId { scope: name(scope), path: arena.path(leaf), first: arena.path(first) }
            }
            Flaw::Dangling { scope, leaf } => {
                AlignError::DanglingReference { scope: name(scope), path: arena.path(leaf) }
            }
        }
    }

    fn reset(&mut self) {
        let (strings, bytes) = self.work.arena.kept();
        if strings > KEPT_STRINGS
            || bytes > KEPT_BYTES
            || self.work.memo.len() + self.work.pairings.len() > KEPT_SIMILARITIES
        {
            self.forget();
        }
        self.work.arena.clear();
        self.work.fits.clear();
        self.work.warnings.clear();
    }

    /// Drops what was remembered of strings, and interns the plan's keys first: their ids are their indices there.
    fn forget(&mut self) {
        self.work.arena = Arena::default();
        self.work.memo.clear();
        self.work.patterned.clear();
        self.work.pairings.clear();
        for key in &self.plan.keys {
            self.work.arena.intern(key);
        }
    }
}

fn load(arena: &mut Arena, side: Side, document: &Value) -> Result<NodeId, AlignError> {
    arena.load(document).map_err(|error| match error {
        LoadError::TooDeep { path } => AlignError::TooDeep { side, path },
        LoadError::TooLarge => AlignError::TooLarge { side },
    })
}

/// The result for one pair: the score, and the match tree behind it.
pub struct Alignment<'a> {
    plan: &'a Plan,
    options: Options,
    pub(super) work: &'a Workspace,
    score: f64,
    rejected: bool,
}

impl<'a> Alignment<'a> {
    /// The similarity of the pair, in [0, 1]; exactly 1 for a candidate that says what the gold says. 0 for a candidate
    /// that does not fit the schema, unless [`Options::invalid`] says otherwise.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// Whether the score is 0 because the candidate does not fit the schema. The match tree is there all the same.
    pub fn is_rejected(&self) -> bool {
        self.rejected
    }

    /// What there is to say beside the score, about this pair and about the schema.
    pub fn warnings(&self) -> impl Iterator<Item = &'a Warning> + use<'a> {
        self.work.warnings.iter().chain(self.plan.warnings())
    }

    /// What there is to say about this pair alone: the schema's own warnings are the same for every pair.
    pub fn pair_warnings(&self) -> &'a [Warning] {
        &self.work.warnings
    }

    /// The mean confidence over all matched pairs, in [0, 1]; `None` unless asked for, or if nothing was matched.
    pub fn confidence(&self) -> Option<f64> {
        confidence::mean(self.work.tree.iter().filter_map(|node| node.confidence))
    }

    pub(crate) fn plan(&self) -> &'a Plan {
        self.plan
    }

    pub(crate) fn options(&self) -> Options {
        self.options
    }

    pub(crate) fn arena(&self) -> &'a Arena {
        &self.work.arena
    }

    /// The nodes of the match tree, the root first.
    pub(crate) fn matches(&self) -> &'a [Match] {
        &self.work.tree
    }

    /// The records of the gold and of the candidate.
    pub(crate) fn records(&self) -> [&'a Records; 2] {
        let [gold, candidate] = &self.work.records;
        [gold, candidate]
    }

    pub(crate) fn bijections(&self) -> &'a Bijections {
        &self.work.bijections
    }

    /// What a candidate that does not fit its schema would have scored, and the place of its fault; `None` unless that was
    /// the reason for a score of 0.
    pub(crate) fn validity_cost(&self) -> Option<(&'a str, f64)> {
        let fault = self.work.warnings.iter().find_map(|warning| match warning {
            Warning::InvalidCandidate { path, .. } => Some(path.as_str()),
            _ => None,
        });
        self.rejected.then_some((fault.unwrap_or_default(), self.root().score()))
    }

    /// The root of the match tree.
    pub fn root(&'a self) -> MatchRef<'a> {
        MatchRef { alignment: self, index: 0 }
    }
}

impl fmt::Debug for Alignment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Alignment")
            .field("score", &self.score)
            .field("rejected", &self.rejected)
            .finish_non_exhaustive()
    }
}
