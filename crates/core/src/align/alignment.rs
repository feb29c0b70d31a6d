//! The result for one pair.

use super::confidence;
use super::engine::Workspace;
use super::options::Options;
use super::tree::{Match, MatchRef};
use crate::document::Arena;
use crate::reference::bijections::Bijections;
use crate::reference::records::Records;
use crate::schema::plan::Plan;
use crate::warning::Warning;
use std::fmt;

/// The result for one pair: the score, and the match tree behind it.
pub struct Alignment<'a> {
    pub(super) plan: &'a Plan,
    pub(super) options: Options,
    pub(super) work: &'a Workspace,
    pub(super) score: f64,
    pub(super) rejected: bool,
}

/// The result for one pair without its match tree.
#[derive(Debug, Clone, Copy)]
pub struct Score<'a> {
    pub(super) value: f64,
    pub(super) rejected: bool,
    pub(super) warnings: &'a [Warning],
}

impl<'a> Score<'a> {
    /// As [`Alignment::score`], to the last bit.
    pub fn score(&self) -> f64 {
        self.value
    }

    /// As [`Alignment::is_rejected`].
    pub fn is_rejected(&self) -> bool {
        self.rejected
    }

    /// As [`Alignment::pair_warnings`].
    pub fn pair_warnings(&self) -> &'a [Warning] {
        self.warnings
    }
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
