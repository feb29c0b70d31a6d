//! From two documents to the bijections of their scopes (*Object Aligner*, section III-E).
//!
//! Three ways, the cheaper ones first:
//!
//! 1. every scope's tie set holds one assignment: that is the bijection, whatever the order of the records;
//! 2. the documents are copies of each other up to renaming and shuffling: their canonical forms agree, and records of the
//!    same canonical position belong together;
//! 3. the score is maximised over the tie sets, with the records in canonical order.
//!
//! Scopes that refer to themselves or to each other start from there and are then improved jointly: records are scored
//! again with every reference compared under the present bijections, until that makes the score no better. What is
//! returned never scores below the start.

use super::engine::Engine;
use super::trace::{Layout, Tracer};
use crate::assignment::ties::{Choice, Ties};
use crate::document::{Arena, NodeId};
use crate::fixed::quantise;
use crate::graph::{Canonical, Rounds, canonical_form, joint_colours};
use crate::reference::bijections::{Bijections, Mapping, NOBODY};
use crate::reference::program::Program;
use crate::reference::records::{Choose, Flaw, Records};
use crate::reference::search::{Problem, ScopeProblem, search};
use crate::reference::structure::{self, Draft};
use crate::schema::plan::{DEFAULT_NODE, Plan, PlanId, ScopeId};
use crate::warning::Warning;
use std::collections::{BTreeMap, BTreeSet};

/// How the structure of references takes part in pairing records.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Structure {
    /// Attributes decide; references choose among assignments that attributes cannot tell apart.
    #[default]
    TieBreak,
    /// Agreement in structure (the colours of a joint refinement of both documents) counts for this share, 0 to 1, of the
    /// score by which records are paired; attributes for the rest.
    Blend(f64),
    /// Attributes alone decide; ties are settled by the canonical order of the documents.
    None,
}

/// The default of [`Options::budget`](crate::Options::budget).
pub(super) const DEFAULT_BUDGET: u64 = 2_000;

/// Nodes of the canonical-form search; see the option's documentation.
const CANONICAL_NODES: u64 = 20_000;

/// Rounds of joint improvement of cyclic scopes.
const ROUNDS: usize = 16;

/// Programs of more pair scores than this are not searched: attributes and colours decide alone.
const LARGEST_PROGRAM: usize = 4_000_000;

/// The budget of expansions times the size of the program stays below this.
const LARGEST_WORK: u64 = 200_000_000;

/// Rounds of refinement by which surroundings are compared, and the work that they may take.
const LOOK_AROUND: usize = 128;
const LOOK_AROUND_WORK: usize = 4_000_000;

impl Engine<'_> {
    /// Finds the bijections and leaves them in the workspace.
    pub(super) fn resolve(&mut self, gold_root: NodeId, candidate_root: NodeId) -> Result<(), Flaw> {
        if self.plan.scopes.is_empty() {
            return Ok(());
        }
        let mut gold = self.collect(gold_root);
        let mut candidate = self.collect(candidate_root);
        if let Some(flaw) = gold.flaw(&self.work.arena) {
            return Err(flaw);
        }
        gold.shadow_duplicates();
        candidate.shadow_duplicates();
        self.work.bijections = Bijections::new(&gold, &candidate, self.work.arena.classes());
        let cyclic = self.plan.is_cyclic();
        let unique = !matches!(self.structure, Structure::Blend(_)) && self.resolve_unique(&gold, &candidate);
        // A cycle may still improve on what attributes say, and does so in canonical order.
        if !unique || cyclic && self.score(self.plan.root, gold_root, candidate_root) < 1.0 {
            self.resolve_canonically(gold_root, candidate_root, &mut gold, &mut candidate);
        }
        self.keep_records(gold, candidate);
        Ok(())
    }

    /// Leaves the records, and who is whose partner, to the match tree and its views.
    fn keep_records(&mut self, gold: Records, candidate: Records) {
        let work = &mut *self.work;
        work.partners.clear();
        for scope in self.plan.scope_ids() {
            let Mapping::To(partners) = work.bijections.mapping(scope) else { continue };
            let (golds, candidates) = (&gold.scopes[scope.0 as usize], &candidate.scopes[scope.0 as usize]);
            for (record, &partner) in golds.iter().zip(partners).filter(|(_, partner)| **partner != NOBODY) {
                // Records of two scopes at once keep the partner of the first.
                work.partners.entry(record.item).or_insert(candidates[partner as usize].item);
            }
        }
        work.records = [gold, candidate];
    }

    fn collect(&mut self, root: NodeId) -> Records {
        self.deciding_unions(|plan, arena, choose| Records::collect(plan, arena, root, choose))
    }

    /// Runs a walk over documents that asks which alternative of a union describes a value. The walk reads the arena that the
    /// answers need as well: it runs until it asks nothing new, with what it asked for answered in between.
    fn deciding_unions<T>(&mut self, mut walk: impl FnMut(&Plan, &Arena, &mut Choose<'_>) -> T) -> T {
        let mut chosen: BTreeMap<(PlanId, NodeId), PlanId> = BTreeMap::new();
        loop {
            let mut asked = Vec::new();
            let found = walk(self.plan, &self.work.arena, &mut |union, value| {
                chosen.get(&(union, value)).copied().unwrap_or_else(|| {
                    asked.push((union, value));
                    DEFAULT_NODE
                })
            });
            if asked.is_empty() {
                return found;
            }
            for (union, value) in asked {
                let branch = self.choose_branch(union, value, value);
                chosen.insert((union, value), branch);
            }
        }
    }

    /// Scores the records of a scope under the present bijections, in units.
    fn record_scores(&mut self, scope: ScopeId, gold: &Records, candidate: &Records) -> Vec<i64> {
        let items = self.record_plan(scope);
        let (gold, candidate) = (&gold.scopes[scope.0 as usize], &candidate.scopes[scope.0 as usize]);
        let mut matrix = Vec::with_capacity(gold.len() * candidate.len());
        for gold in gold {
            for candidate in candidate {
                matrix.push(quantise(self.score(items, gold.item, candidate.item)));
            }
        }
        matrix
    }

    fn record_plan(&self, scope: ScopeId) -> PlanId {
        let list = self.plan.scopes[scope.0 as usize].list;
        self.node(list).array.items.unwrap_or(DEFAULT_NODE)
    }

    /// Takes the tie set of each scope while it holds one assignment; whether all of them did.
    fn resolve_unique(&mut self, gold: &Records, candidate: &Records) -> bool {
        self.pair_attributes(gold, candidate, true)
    }

    /// Pairs the records of each scope by attributes, group after group; where a tie set holds several assignments, by the
    /// solver's own choice, or not at all if only unique ones will do.
    fn pair_attributes(&mut self, gold: &Records, candidate: &Records, unique: bool) -> bool {
        let mut pending: Vec<(ScopeId, Mapping)> = Vec::new();
        for scope in self.plan.scope_ids() {
            if self.plan.scopes[scope.0 as usize].group == scope {
                for (scope, mapping) in pending.drain(..) {
                    self.work.bijections.set(scope, mapping);
                }
            }
            let ties = self.ties(scope, gold, candidate);
            if unique && !ties.is_unique() {
                return false;
            }
            pending.push((scope, Mapping::To(partners(&ties))));
        }
        for (scope, mapping) in pending {
            self.work.bijections.set(scope, mapping);
        }
        true
    }

    /// The tie set of a scope under the present bijections.
    fn ties(&mut self, scope: ScopeId, gold: &Records, candidate: &Records) -> Ties {
        let matrix = self.record_scores(scope, gold, candidate);
        let (n, m) = (gold.scopes[scope.0 as usize].len(), candidate.scopes[scope.0 as usize].len());
        Ties::new(&mut self.work.optimal, &matrix, n, m)
    }

    fn resolve_canonically(
        &mut self,
        gold_root: NodeId,
        candidate_root: NodeId,
        gold: &mut Records,
        candidate: &mut Records,
    ) {
        let gold_draft = match self.work.gold_draft.take() {
            Some(draft) => draft,
            None => self.draft(gold_root, gold),
        };
        let (gold_structure, candidate_structure) =
            structure::of_pair(&gold_draft, &self.draft(candidate_root, candidate));
        self.work.gold_draft = Some(gold_draft);
        let gold_form = canonical_form(&gold_structure.graph, CANONICAL_NODES);
        let candidate_form = canonical_form(&candidate_structure.graph, CANONICAL_NODES);
        let in_order = |structure: &structure::Structure, form: &Canonical| -> Vec<Vec<u32>> {
            let mut position = vec![0; form.order.len()];
            for (place, &vertex) in form.order.iter().enumerate() {
                position[vertex as usize] = place;
            }
            structure
                .vertex_of_record
                .iter()
                .map(|vertices| {
                    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
                    order.sort_by_key(|&record| position[vertices[record as usize] as usize]);
                    order
                })
                .collect()
        };
        let gold_order = in_order(&gold_structure, &gold_form);
        let candidate_order = in_order(&candidate_structure, &candidate_form);
        gold.reorder(&gold_order);
        candidate.reorder(&candidate_order);
        self.work.bijections = Bijections::new(gold, candidate, self.work.arena.classes());
        let exact = gold_form.exact && candidate_form.exact;
        self.warn_of_symmetry(&gold_structure, &gold_form);
        if gold_form.certificate == candidate_form.certificate && self.structure != Structure::None {
            for scope in self.plan.scope_ids() {
                let len = gold.scopes[scope.0 as usize].len() as u32;
                self.work.bijections.set(scope, Mapping::To((0..len).collect()));
            }
            return;
        }
        let (gold_colours, candidate_colours) = joint_colours(&gold_structure.graph, &candidate_structure.graph);
        let colours = |structure: &structure::Structure, orders: &[Vec<u32>], colours: &[u32]| -> Vec<Vec<u32>> {
            structure
                .vertex_of_record
                .iter()
                .zip(orders)
                .map(|(vertices, order)| {
                    order.iter().map(|&record| colours[vertices[record as usize] as usize]).collect()
                })
                .collect()
        };
        let gold_colours = colours(&gold_structure, &gold_order, &gold_colours);
        let candidate_colours = colours(&candidate_structure, &candidate_order, &candidate_colours);
        let agreement = agreement(&gold_structure, &gold_order, &candidate_structure, &candidate_order);
        let automorphisms = record_moves(&candidate_structure, &candidate_order, &candidate_form);
        let cut_short = match self.structure {
            Structure::None => {
                self.pair_attributes(gold, candidate, false);
                false
            }
            _ => self.search(
                (gold_root, candidate_root),
                (gold, candidate),
                gold_colours,
                candidate_colours,
                agreement,
                automorphisms,
            ),
        };
        if self.plan.is_cyclic() {
            self.improve_jointly(gold_root, candidate_root, gold, candidate);
        }
        if cut_short || !exact {
            self.work.warnings.push(Warning::BudgetExhausted { canonical: exact });
        }
    }

    fn draft(&mut self, root: NodeId, records: &Records) -> Draft {
        self.deciding_unions(|plan, arena, choose| Draft::new(plan, arena, root, records, choose))
    }

    /// Whether the budget ended the search.
    fn search(
        &mut self,
        (gold_root, candidate_root): (NodeId, NodeId),
        (gold, candidate): (&Records, &Records),
        gold_colours: Vec<Vec<u32>>,
        candidate_colours: Vec<Vec<u32>>,
        mut agreement: Vec<Vec<u32>>,
        automorphisms: Vec<Vec<(usize, u32, u32)>>,
    ) -> bool {
        let sizes = gold.scopes.iter().zip(&candidate.scopes).map(|(gold, candidate)| (gold.len(), candidate.len()));
        let layout = Layout::new(sizes.clone());
        let (mut groups, group_count) = self.groups(gold);
        let mut scopes = Vec::new();
        let colours = gold_colours.into_iter().zip(candidate_colours);
        for ((scope, (n, m)), (gold_colours, candidate_colours)) in self.plan.scope_ids().zip(sizes).zip(colours) {
            let items = self.record_plan(scope);
            let mut tracer = Tracer {
                layout: &layout,
                masked_from: Some(self.plan.scopes[scope.0 as usize].group),
                program: Program::default(),
            };
            for gold in &gold.scopes[scope.0 as usize] {
                for candidate in &candidate.scopes[scope.0 as usize] {
                    let sum = self.trace(&mut tracer, items, gold.item, candidate.item);
                    tracer.program.add_root(&sum);
                }
            }
            scopes.push(ScopeProblem {
                n,
                m,
                records: tracer.program,
                first_reference: layout.first[scope.0 as usize] as usize,
                gold_colours,
                candidate_colours,
                agreement: std::mem::take(&mut agreement[scope.0 as usize]),
                groups: std::mem::take(&mut groups[scope.0 as usize]),
            });
        }
        let large = self.pairs_below(gold_root, candidate_root) > LARGEST_PROGRAM;
        let mut tracer = Tracer { layout: &layout, masked_from: None, program: Program::default() };
        if !large {
            let sum = self.trace(&mut tracer, self.plan.root, gold_root, candidate_root);
            tracer.program.add_root(&sum);
        }
        let blend = match self.structure {
            Structure::Blend(share) => share.clamp(0.0, 1.0),
            _ => 0.0,
        };
        // Large programs get fewer expansions: each costs in proportion.
        let affordable = LARGEST_WORK / tracer.program.size().max(1) as u64;
        let problem = Problem {
            scopes,
            score: tracer.program,
            references: layout.len,
            groups: group_count,
            automorphisms,
            blend,
            budget: if large { 0 } else { self.budget.min(affordable) },
        };
        let found = search(&problem);
        for (scope, partners) in self.plan.scope_ids().zip(found.partners) {
            self.work.bijections.set(scope, Mapping::To(partners));
        }
        found.cut_short || large
    }

    /// How many pair scores the lists of references may hold at most: the square of the references is the order of it.
    fn pairs_below(&self, gold: NodeId, candidate: NodeId) -> usize {
        let widest = |root: NodeId| {
            let mut widest = 0;
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if matches!(self.kind(node), crate::document::Kind::Array | crate::document::Kind::Object) {
                    widest = widest.max(self.work.arena.len(node));
                    open.extend(self.work.arena.children(node));
                }
            }
            widest
        };
        widest(gold) * widest(candidate)
    }

    /// Groups of gold records that are mentioned together: in one object that is an item of a list, a link say, or
    /// directly below one. By scope and record, the groups it belongs to; and how many groups there are.
    fn groups(&self, gold: &Records) -> (Vec<Vec<Vec<u32>>>, usize) {
        let arena = &self.work.arena;
        let mut by_id = BTreeMap::new();
        let mut by_item = BTreeMap::new();
        for (scope, records) in gold.scopes.iter().enumerate() {
            for (at, record) in records.iter().enumerate() {
                by_item.insert(record.item, (scope, at));
                if let Some(id) = record.id {
                    by_id.insert((scope, id), at);
                }
            }
        }
        let mut members: BTreeMap<NodeId, BTreeSet<(usize, usize)>> = BTreeMap::new();
        for reference in &gold.references {
            let scope = reference.scope.0 as usize;
            let Some(&record) = by_id.get(&(scope, arena.class(reference.leaf))) else { continue };
            let mut relation = arena.parent(reference.leaf).unwrap_or(reference.leaf);
            while arena.kind(relation) != crate::document::Kind::Object
                || !matches!(arena.slot(relation), crate::document::Slot::Index(_))
            {
                match arena.parent(relation) {
                    Some(parent) => relation = parent,
                    None => break,
                }
            }
            let group = members.entry(relation).or_default();
            group.insert((scope, record));
            group.extend(by_item.get(&relation));
        }
        let mut groups: Vec<Vec<Vec<u32>>> =
            gold.scopes.iter().map(|records| vec![Vec::new(); records.len()]).collect();
        for (number, group) in members.values().enumerate() {
            for &(scope, record) in group {
                groups[scope][record].push(number as u32);
            }
        }
        (groups, members.len())
    }

    /// Iterates cyclic scopes to a fixed point from where they stand, keeping the best.
    fn improve_jointly(&mut self, gold_root: NodeId, candidate_root: NodeId, gold: &Records, candidate: &Records) {
        let mut best_score = self.score(self.plan.root, gold_root, candidate_root);
        let mut best = self.mappings();
        for _ in 0..ROUNDS {
            let before = self.mappings();
            for scope in self.plan.scope_ids() {
                let mut ties = self.ties(scope, gold, candidate);
                // Among equals stay where you are: otherwise the iteration could go round in circles.
                if let Mapping::To(present) = &before[scope.0 as usize] {
                    for (row, &partner) in present.iter().enumerate() {
                        let choice = if partner == NOBODY { Choice::Nobody } else { Choice::To(partner) };
                        if ties.choices(row).any(|possible| possible == choice) {
                            ties.decide(row, choice);
                        }
                    }
                }
                self.work.bijections.set(scope, Mapping::To(partners(&ties)));
            }
            let score = self.score(self.plan.root, gold_root, candidate_root);
            if score > best_score {
                best_score = score;
                best = self.mappings();
            }
            if self.mappings() == before {
                break;
            }
        }
        for (scope, mapping) in self.plan.scope_ids().zip(best) {
            self.work.bijections.set(scope, mapping);
        }
    }

    fn mappings(&self) -> Vec<Mapping> {
        self.plan.scope_ids().map(|scope| self.work.bijections.mapping(scope).clone()).collect()
    }

    /// Says which scopes hold records that a symmetry of the gold exchanges: their bijection is one of several equals.
    fn warn_of_symmetry(&mut self, structure: &structure::Structure, form: &Canonical) {
        for (scope, vertices) in structure.vertex_of_record.iter().enumerate() {
            let mut orbit_sizes: BTreeMap<u32, usize> = BTreeMap::new();
            for &vertex in vertices {
                *orbit_sizes.entry(form.orbits[vertex as usize]).or_default() += 1;
            }
            let records = orbit_sizes.values().filter(|size| **size > 1).sum();
            if records > 0 {
                let scope = self.plan.scopes[scope].name.to_string();
                self.work.warnings.push(Warning::AmbiguousBijection { scope, records });
            }
        }
    }
}

/// The bijection that a tie set's witness stands for.
fn partners(ties: &Ties) -> Vec<u32> {
    (0..ties.rows())
        .map(|row| match ties.witness(row) {
            Choice::To(column) => column,
            Choice::Nobody => NOBODY,
        })
        .collect()
}

/// For how many rounds of refinement the records of each scope look alike, gold × candidate, in canonical order.
fn agreement(
    gold: &structure::Structure,
    gold_order: &[Vec<u32>],
    candidate: &structure::Structure,
    candidate_order: &[Vec<u32>],
) -> Vec<Vec<u32>> {
    let size = |graph: &crate::graph::Graph| graph.len() + graph.edge_count();
    let rounds = LOOK_AROUND.min(LOOK_AROUND_WORK / (size(&gold.graph) + size(&candidate.graph)).max(1));
    let rounds = Rounds::new(&gold.graph, &candidate.graph, rounds);
    let by_scope =
        gold.vertex_of_record.iter().zip(gold_order).zip(candidate.vertex_of_record.iter().zip(candidate_order));
    by_scope
        .map(|((gold_vertices, gold_order), (candidate_vertices, candidate_order))| {
            let pairs =
                gold_order.iter().flat_map(|gold| candidate_order.iter().map(move |candidate| (gold, candidate)));
            pairs
                .map(|(&gold, &candidate)| {
                    rounds.agreement(gold_vertices[gold as usize], candidate_vertices[candidate as usize])
                })
                .collect()
        })
        .collect()
}

/// The automorphisms of a structure as moves of records, numbered in canonical order.
fn record_moves(
    structure: &structure::Structure,
    orders: &[Vec<u32>],
    form: &Canonical,
) -> Vec<Vec<(usize, u32, u32)>> {
    let mut record_of: BTreeMap<u32, (usize, u32)> = BTreeMap::new();
    for (scope, (vertices, order)) in structure.vertex_of_record.iter().zip(orders).enumerate() {
        for (place, &record) in order.iter().enumerate() {
            record_of.insert(vertices[record as usize], (scope, place as u32));
        }
    }
    form.generators
        .iter()
        .map(|generator| {
            generator
                .moved()
                .iter()
                .filter_map(|(from, to)| {
                    let (&(scope, from), &(_, to)) = (record_of.get(from)?, record_of.get(to)?);
                    Some((scope, from, to))
                })
                .collect()
        })
        .filter(|moves: &Vec<_>| !moves.is_empty())
        .collect()
}
