//! The public entry: load two documents, check them against the schema, align them.

use super::alignment::{Alignment, Score};
use super::engine::{Engine, Workspace};
use super::error::{AlignError, Side};
use super::options::{Invalid, Options};
use super::validity::{self, Fault};
use crate::document::{Arena, LoadError, NodeId};
use crate::reference::records::Flaw;
use crate::schema::plan::{Plan, ScopeId};
use crate::warning::Warning;
use serde_json::Value;

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
    /// The gold in the arena, if it fits the schema.
    gold: Option<NodeId>,
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
        let mut aligner = Self { plan, options, work: Workspace::default(), gold: None };
        aligner.forget();
        aligner
    }

    /// Aligns a candidate with its gold.
    ///
    /// # Errors
    ///
    /// The gold does not fit the schema, or a document is nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH). A candidate that
    /// does not fit is no error, see [`Options::invalid`].
    pub fn align(&mut self, gold: &Value, candidate: &Value) -> Result<Alignment<'_>, AlignError> {
        self.take(gold)?;
        self.align_next(candidate)
    }

    /// The score alone, without the match tree: a third less work. It is that of [`Aligner::align`] to the last bit.
    ///
    /// # Errors
    ///
    /// As [`Aligner::align`].
    pub fn score(&mut self, gold: &Value, candidate: &Value) -> Result<Score<'_>, AlignError> {
        self.take(gold)?;
        self.score_next(candidate)
    }

    /// Takes a gold for the candidates to come: it is read and checked once.
    ///
    /// ```
    /// # use objalign_core::{Aligner, Plan};
    /// # use serde_json::json;
    /// # let plan = Plan::compile(&json!({"type": "array", "order": "align", "items": {"type": "integer"}}))?;
    /// let mut aligner = Aligner::new(&plan);
    /// let mut gold = aligner.gold(&json!([1, 2, 3, 4]))?;
    /// assert_eq!(gold.score(&json!([4, 3, 2, 1]))?.score(), 1.0);
    /// assert_eq!(gold.score(&json!([1, 2]))?.score(), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The gold does not fit the schema or is nested too deep. The identifiers in it are looked at with the first candidate.
    pub fn gold(&mut self, gold: &Value) -> Result<Gold<'_, 'p>, AlignError> {
        self.take(gold)?;
        Ok(Gold { aligner: self })
    }

    /// The gold that was taken last, by whatever call, if there was nothing wrong with it.
    pub fn last_gold(&mut self) -> Option<Gold<'_, 'p>> {
        self.gold.is_some().then_some(Gold { aligner: self })
    }

    fn take(&mut self, gold: &Value) -> Result<(), AlignError> {
        self.gold = None;
        if self.is_full() {
            self.forget();
        }
        self.work.arena.clear();
        let root = load(&mut self.work.arena, Side::Gold, gold)?;
        if let Some(fault) = validity::fault(&self.plan.validator, gold) {
            return Err(AlignError::InvalidGold { path: fault.path, reason: fault.reason });
        }
        self.keep(root);
        Ok(())
    }

    /// The gold alone is loaded, and all that is known is known of it.
    fn keep(&mut self, gold: NodeId) {
        self.work.arena.keep();
        self.work.fits.clear();
        self.work.gold_draft = None;
        self.gold = Some(gold);
    }

    /// Loads a candidate and pairs the records of both documents; the roots, and what is wrong with the candidate.
    fn prepare(&mut self, candidate: &Value) -> Result<Prepared, AlignError> {
        let mut gold = self.gold.expect("a gold is taken before its candidates");
        if self.is_full() {
            let value = self.work.arena.value(gold);
            self.forget();
            gold = load(&mut self.work.arena, Side::Gold, &value)?;
            self.keep(gold);
        }
        self.work.arena.clear_later();
        let kept = self.work.arena.kept_classes();
        self.work.fits.retain(|&(_, _, class), _| class.0 < kept);
        self.work.warnings.clear();
        let candidate_root = load(&mut self.work.arena, Side::Candidate, candidate)?;
        let fault = validity::fault(&self.plan.validator, candidate);
        let rejected = fault.is_some() && self.options.invalid == Invalid::Zero;
        if let Err(flaw) = self.engine().resolve(gold, candidate_root) {
            return Err(self.flawed(&flaw));
        }
        Ok(Prepared { gold, candidate: candidate_root, fault, rejected })
    }

    fn engine(&mut self) -> Engine<'_> {
        Engine {
            plan: self.plan,
            confidence: self.options.confidence,
            structure: self.options.structure,
            budget: self.options.budget,
            work: &mut self.work,
        }
    }

    fn align_next(&mut self, candidate: &Value) -> Result<Alignment<'_>, AlignError> {
        let Prepared { gold, candidate, fault, rejected } = self.prepare(candidate)?;
        let built = self.engine().build(gold, candidate);
        self.add_fault(fault);
        Ok(Alignment {
            plan: self.plan,
            options: self.options,
            work: &self.work,
            score: if rejected { 0.0 } else { built },
            rejected,
        })
    }

    fn score_next(&mut self, candidate: &Value) -> Result<Score<'_>, AlignError> {
        let Prepared { gold, candidate, fault, rejected } = self.prepare(candidate)?;
        let root = self.plan.root;
        let mut engine = self.engine();
        let found = if engine.may_be_undeclared(root, gold) {
            // Which of the keys are worth a warning is for the match tree to say.
            engine.build(gold, candidate)
        } else {
            engine.score(root, gold, candidate)
        };
        self.add_fault(fault);
        Ok(Score { value: if rejected { 0.0 } else { found }, rejected, warnings: &self.work.warnings })
    }

    fn add_fault(&mut self, fault: Option<Fault>) {
        let warnings = &mut self.work.warnings;
        warnings.extend(fault.map(|fault| Warning::InvalidCandidate { path: fault.path, reason: fault.reason }));
        warnings.sort();
        warnings.dedup();
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

    fn is_full(&self) -> bool {
        let (strings, bytes) = self.work.arena.kept();
        strings > KEPT_STRINGS
            || bytes > KEPT_BYTES
            || self.work.memo.len() + self.work.pairings.len() > KEPT_SIMILARITIES
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

/// A pair that is loaded, with its bijections.
struct Prepared {
    gold: NodeId,
    candidate: NodeId,
    fault: Option<Fault>,
    rejected: bool,
}

/// A gold that is taken, for any number of candidates: what [`Aligner::align`] and [`Aligner::score`] do, less the gold.
#[derive(Debug)]
pub struct Gold<'a, 'p> {
    aligner: &'a mut Aligner<'p>,
}

impl Gold<'_, '_> {
    /// Aligns a candidate with it.
    ///
    /// # Errors
    ///
    /// As [`Aligner::align`].
    pub fn align(&mut self, candidate: &Value) -> Result<Alignment<'_>, AlignError> {
        self.aligner.align_next(candidate)
    }

    /// The score of a candidate alone.
    ///
    /// # Errors
    ///
    /// As [`Aligner::align`].
    pub fn score(&mut self, candidate: &Value) -> Result<Score<'_>, AlignError> {
        self.aligner.score_next(candidate)
    }
}

fn load(arena: &mut Arena, side: Side, document: &Value) -> Result<NodeId, AlignError> {
    arena.load(document).map_err(|error| match error {
        LoadError::TooDeep { path } => AlignError::TooDeep { side, path },
        LoadError::TooLarge => AlignError::TooLarge { side },
    })
}
