//! What the aligner asks when it meets a reference: which records the two sides mean, and whether those belong together.

use super::records::Records;
use crate::document::Class;
use crate::schema::plan::ScopeId;

/// No record.
pub(crate) const NOBODY: u32 = u32::MAX;

/// How far a scope is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mapping {
    /// Not yet: every reference into the scope counts as right.
    Masked,
    /// For each gold record the candidate record, or [`NOBODY`].
    To(Vec<u32>),
}

/// One scope on both sides.
#[derive(Debug)]
struct Scope {
    /// Record by the class of its identifier; [`NOBODY`] for other values.
    gold: Vec<u32>,
    candidate: Vec<u32>,
    mapping: Mapping,
}

/// The bijections of a pair of documents.
#[derive(Debug, Default)]
pub(crate) struct Bijections {
    scopes: Vec<Scope>,
}

impl Bijections {
    /// All scopes masked. `classes` is the number of distinct values in the arena.
    pub(crate) fn new(gold: &Records, candidate: &Records, classes: usize) -> Self {
        let index = |side: &Records, scope: usize| {
            let mut index = vec![NOBODY; classes];
            for (record, id) in
                side.scopes[scope].iter().enumerate().filter_map(|(at, record)| record.id.map(|id| (at, id)))
            {
                let slot = &mut index[id.0 as usize];
                // The first record of an identifier is the one that references mean.
                if *slot == NOBODY {
                    *slot = record as u32;
                }
            }
            index
        };
        let scopes = (0..gold.scopes.len())
            .map(|scope| Scope {
                gold: index(gold, scope),
                candidate: index(candidate, scope),
                mapping: Mapping::Masked,
            })
            .collect();
        Self { scopes }
    }

    pub(crate) fn set(&mut self, scope: ScopeId, mapping: Mapping) {
        self.scopes[scope.0 as usize].mapping = mapping;
    }

    pub(crate) fn mapping(&self, scope: ScopeId) -> &Mapping {
        &self.scopes[scope.0 as usize].mapping
    }

    /// The records that two references mean; [`NOBODY`] where a reference dangles.
    pub(crate) fn records(&self, scope: ScopeId, gold: Class, candidate: Class) -> (u32, u32) {
        let scope = &self.scopes[scope.0 as usize];
        (scope.gold[gold.0 as usize], scope.candidate[candidate.0 as usize])
    }

    /// Whether two references count as right.
    pub(crate) fn agree(&self, scope: ScopeId, gold: Class, candidate: Class) -> bool {
        match &self.scopes[scope.0 as usize].mapping {
            Mapping::Masked => true,
            Mapping::To(partner) => {
                let (gold, candidate) = self.records(scope, gold, candidate);
                gold != NOBODY && candidate != NOBODY && partner[gold as usize] == candidate
            }
        }
    }
}
