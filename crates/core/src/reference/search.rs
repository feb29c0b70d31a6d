//! The best bijections among the tie sets: branch and bound, scope after scope.
//!
//! A decision gives one record of the gold its partner. The record is the one that decided records say most about; its
//! partners are tried in the order of what they promise: first those whose links match the most of its own (where there are no
//! links to look at, those of best bound), then those whose surroundings look alike the furthest (the rounds of a joint colour
//! refinement of both documents). Bounds alone decide what is left out. Partners that an automorphism of the candidate exchanges, while it fixes all that is decided, lead
//! to the same scores, so one of them stands for all.
//!
//! Records come in canonical order, so the walk, and what is returned when the budget ends it, does not depend on how the
//! documents were written. **Work** is counted in expansions: one evaluation of a bound. When they run out, the walk still
//! goes down to a first complete answer, by agreement alone, and stops there.

use super::bijections::NOBODY;
use super::bounds::Bounds;
use super::program::{Machine, Program, Term};
use crate::assignment::optimal::Solver;
use crate::assignment::ties::{Choice, Ties};
use crate::fixed::quantise;
use std::cmp::Reverse;

/// What the search knows of a scope.
#[derive(Debug)]
pub(crate) struct ScopeProblem {
    pub(crate) n: usize,
    pub(crate) m: usize,
    /// The n × m scores of the records, as a program of that many roots over the references into earlier scopes.
    pub(crate) records: Program,
    /// Where this scope's references stand in the state; see the aligner's layout.
    pub(crate) first_reference: usize,
    /// Colours of the joint refinement: equal colours, equal structure.
    pub(crate) gold_colours: Vec<u32>,
    pub(crate) candidate_colours: Vec<u32>,
    /// For how many rounds of refinement each gold record and candidate record look alike, n × m.
    pub(crate) agreement: Vec<u32>,
    /// The groups of gold records, of any scope, that are mentioned together.
    pub(crate) groups: Vec<Vec<u32>>,
}

/// A whole problem.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) scopes: Vec<ScopeProblem>,
    /// The score, as a program with one root.
    pub(crate) score: Program,
    pub(crate) references: usize,
    /// How many groups there are.
    pub(crate) groups: usize,
    /// Automorphisms of the candidate: for each the records that it moves, as (scope, record, image).
    pub(crate) automorphisms: Vec<Vec<(usize, u32, u32)>>,
    /// How much agreeing colours count in the scores of records (`blend`); 0 otherwise.
    pub(crate) blend: f64,
    pub(crate) budget: u64,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// For each scope and gold record its partner, or [`NOBODY`].
    pub(crate) partners: Vec<Vec<u32>>,
    pub(crate) expansions: u64,
    /// Whether the budget ended the search before it was sure.
    pub(crate) cut_short: bool,
}

/// A decision level.
struct Frame {
    scope: usize,
    row: usize,
    /// Choices, the most promising first, with their bounds where those were computed to rank them.
    choices: Vec<(Option<i64>, Choice)>,
    next: usize,
    /// The references that the choice in force settled as wrong; `None` while none is in force.
    settled: Option<Vec<u32>>,
}

/// In which rows (gold) and columns (candidate) of which lists each record is mentioned, for lists that are not part of
/// others: a link, mostly.
#[derive(Debug)]
struct Links {
    /// By scope and gold record: list and row.
    gold: Vec<Vec<Vec<(u32, u32)>>>,
    /// By scope and candidate record: list and column.
    candidate: Vec<Vec<Vec<(u32, u32)>>>,
}

impl Links {
    fn new(problem: &Problem) -> Self {
        let mut gold: Vec<Vec<Vec<(u32, u32)>>> =
            problem.scopes.iter().map(|scope| vec![Vec::new(); scope.n]).collect();
        let mut candidate: Vec<Vec<Vec<(u32, u32)>>> =
            problem.scopes.iter().map(|scope| vec![Vec::new(); scope.m]).collect();
        let program = &problem.score;
        let mut inner = vec![false; program.list_count()];
        for (_, term) in (0..program.size()).flat_map(|cell| program.cell_terms(cell)) {
            if let Term::List(list) = term {
                inner[*list as usize] = true;
            }
        }
        for list in (0..program.list_count() as u32).filter(|list| !inner[*list as usize]) {
            let (first, shape) = program.list_shape(list as usize);
            for row in 0..shape.n {
                for column in 0..shape.m {
                    for (_, term) in program.cell_terms(first + row * shape.m + column) {
                        let Term::Reference(reference) = *term else { continue };
                        let reference = reference as usize;
                        let after = problem.scopes.partition_point(|scope| scope.first_reference <= reference);
                        // Scopes without pairs share their start with the next; the last of them holds the reference.
                        let scope = after - 1;
                        let place = reference - problem.scopes[scope].first_reference;
                        let (of_gold, of_candidate) =
                            (place / problem.scopes[scope].m, place % problem.scopes[scope].m);
                        let mentions = &mut gold[scope][of_gold];
                        // Rows come in order: what was said last is all there is to look at.
                        if mentions.last() != Some(&(list, row as u32)) {
                            mentions.push((list, row as u32));
                        }
                        candidate[scope][of_candidate].push((list, column as u32));
                    }
                }
            }
        }
        for mentions in candidate.iter_mut().flatten() {
            mentions.sort_unstable();
            mentions.dedup();
        }
        Self { gold, candidate }
    }
}

struct Search<'p> {
    problem: &'p Problem,
    machine: Machine,
    solver: Solver,
    /// Whether each reference is right or could still be, and what that makes of the score.
    bounds: Bounds<'p>,
    links: Links,
    /// The tie sets of the scopes opened so far.
    ties: Vec<Ties>,
    /// References that opening a scope settled as wrong.
    closed_by_scope: Vec<Vec<u32>>,
    decided: Vec<Vec<bool>>,
    /// How many decided records each group holds.
    group_counts: Vec<u32>,
    expansions: u64,
    best: Option<(i64, Vec<Vec<u32>>)>,
}

/// Finds the best bijections.
pub(crate) fn search(problem: &Problem) -> Found {
    let mut search = Search {
        problem,
        machine: Machine::default(),
        solver: Solver::default(),
        bounds: Bounds::new(&problem.score, problem.references),
        links: Links::new(problem),
        ties: Vec::new(),
        closed_by_scope: Vec::new(),
        decided: problem.scopes.iter().map(|scope| vec![false; scope.n]).collect(),
        group_counts: vec![0; problem.groups],
        expansions: 0,
        best: None,
    };
    let cut_short = search.run();
    let partners = search.best.map(|(_, partners)| partners).unwrap_or_default();
    Found { partners, expansions: search.expansions, cut_short }
}

impl Search<'_> {
    /// Returns whether the budget ended it.
    fn run(&mut self) -> bool {
        let ceiling = quantise(self.bounds.bound());
        let mut frames: Vec<Frame> = Vec::new();
        self.descend(&mut frames);
        while let Some(frame) = frames.last_mut() {
            let best = self.best.as_ref().map_or(-1, |(best, _)| *best);
            if best >= ceiling {
                return false;
            }
            if best >= 0 && self.expansions >= self.problem.budget {
                return true;
            }
            let (scope, row) = (frame.scope, frame.row);
            if let Some(settled) = frame.settled.take() {
                while self.ties.len() > scope + 1 {
                    self.close_scope();
                }
                self.undecide(scope, row, &settled);
            }
            // Ranked by bound, behind a choice that cannot win none can.
            let hopeless = |bound: &Option<i64>| bound.is_some_and(|bound| bound <= best);
            let Some(&(bound, choice)) = frame.choices.get(frame.next).filter(|(bound, _)| !hopeless(bound)) else {
                frames.pop();
                continue;
            };
            frame.next += 1;
            let Some(settled) = self.decide(scope, row, choice) else { continue };
            if bound.is_none() && best >= 0 && self.bound() <= best {
                self.undecide(scope, row, &settled);
                continue;
            }
            if let Some(frame) = frames.last_mut() {
                frame.settled = Some(settled);
            }
            self.descend(&mut frames);
        }
        false
    }

    /// Opens the next frame: of the next record of the current scope, or of the first later scope that leaves a choice.
    /// Where nothing is left to decide, takes the score.
    fn descend(&mut self, frames: &mut Vec<Frame>) {
        loop {
            if let Some(scope) = self.ties.len().checked_sub(1)
                && let Some(row) = self.next_row(scope)
            {
                let choices = self.ranked_choices(scope, row);
                frames.push(Frame { scope, row, choices, next: 0, settled: None });
                return;
            }
            if self.ties.len() == self.problem.scopes.len() {
                return self.leaf();
            }
            self.open_scope(self.ties.len());
        }
    }

    /// Scores the records of a scope under what is decided and takes their tie set.
    fn open_scope(&mut self, scope: usize) {
        let problem = &self.problem.scopes[scope];
        let mut scores = problem.records.run(&mut self.machine, self.bounds.right());
        if self.problem.blend > 0.0 {
            for (at, score) in scores.iter_mut().enumerate() {
                let agree = problem.gold_colours[at / problem.m] == problem.candidate_colours[at % problem.m];
                *score = (1.0 - self.problem.blend) * *score + self.problem.blend * f64::from(agree);
            }
        }
        let units: Vec<i64> = scores.into_iter().map(quantise).collect();
        let ties = Ties::new(&mut self.solver, &units, problem.n, problem.m);
        let mut closed = Vec::new();
        for row in 0..problem.n {
            let mut possible = vec![false; problem.m];
            for choice in ties.choices(row) {
                if let Choice::To(column) = choice {
                    possible[column as usize] = true;
                }
            }
            closed.extend(
                (0..problem.m)
                    .filter(|&column| !possible[column])
                    .map(|column| (problem.first_reference + row * problem.m + column) as u32),
            );
            if ties.width(row) <= 1 {
                self.mark(scope, row, true);
            }
        }
        for &reference in &closed {
            self.bounds.set(reference, false);
        }
        self.ties.push(ties);
        self.closed_by_scope.push(closed);
    }

    fn close_scope(&mut self) {
        let (Some(ties), Some(closed)) = (self.ties.pop(), self.closed_by_scope.pop()) else { return };
        let scope = self.ties.len();
        for reference in closed {
            self.bounds.set(reference, true);
        }
        for row in 0..ties.rows() {
            if self.decided[scope][row] {
                self.mark(scope, row, false);
            }
        }
    }

    fn mark(&mut self, scope: usize, row: usize, decided: bool) {
        self.decided[scope][row] = decided;
        for &group in &self.problem.scopes[scope].groups[row] {
            if decided {
                self.group_counts[group as usize] += 1;
            } else {
                self.group_counts[group as usize] -= 1;
            }
        }
    }

    /// The undecided record that decided records say most about; then the one with the fewest choices.
    fn next_row(&self, scope: usize) -> Option<usize> {
        let ties = &self.ties[scope];
        (0..ties.rows()).filter(|&row| !self.decided[scope][row]).min_by_key(|&row| {
            let known: u32 = self.problem.scopes[scope].groups[row]
                .iter()
                .map(|&group| self.group_counts[group as usize].min(1))
                .sum();
            (Reverse(known), ties.width(row), row)
        })
    }

    /// Restricts a record to a choice; the references that are wrong now. `None` if no optimal assignment has them all.
    fn decide(&mut self, scope: usize, row: usize, choice: Choice) -> Option<Vec<u32>> {
        if !self.ties[scope].decide(row, choice) {
            return None;
        }
        let problem = &self.problem.scopes[scope];
        let chosen = match choice {
            Choice::To(column) => Some(column as usize),
            Choice::Nobody => None,
        };
        let mut settled = Vec::new();
        let reference = |row: usize, column: usize| problem.first_reference + row * problem.m + column;
        for column in (0..problem.m).filter(|column| Some(*column) != chosen) {
            settled.push(reference(row, column));
        }
        if let Some(column) = chosen {
            settled.extend((0..problem.n).filter(|other| *other != row).map(|other| reference(other, column)));
        }
        let bounds = &mut self.bounds;
        let settled = settled
            .into_iter()
            .map(|reference| reference as u32)
            .filter(|&reference| bounds.set(reference, false))
            .collect();
        self.mark(scope, row, true);
        Some(settled)
    }

    fn undecide(&mut self, scope: usize, row: usize, settled: &[u32]) {
        for &reference in settled {
            self.bounds.set(reference, true);
        }
        self.ties[scope].release(row);
        self.mark(scope, row, false);
    }

    /// The choices of a record that can be completed, one for each set of interchangeable partners, best bound first.
    fn ranked_choices(&mut self, scope: usize, row: usize) -> Vec<(Option<i64>, Choice)> {
        // Brings the pair scores up to date with the decisions.
        self.bounds.bound();
        let problem = &self.problem.scopes[scope];
        let representative = self.interchangeable(scope);
        let choices: Vec<Choice> = self.ties[scope].choices(row).collect();
        let mut met = vec![false; problem.m];
        let mut ranked = Vec::new();
        let has_links = !self.links.gold[scope][row].is_empty();
        for choice in choices {
            let agreement = match choice {
                Choice::To(column) => {
                    if std::mem::replace(&mut met[representative[column as usize] as usize], true) {
                        continue;
                    }
                    problem.agreement[row * problem.m + column as usize]
                }
                Choice::Nobody => 0,
            };
            if has_links {
                ranked.push((None, (self.links_kept(scope, row, choice), agreement), choice));
                continue;
            }
            // Out of budget, agreement alone leads to a first answer.
            let bound = if self.expansions < self.problem.budget {
                let Some(settled) = self.decide(scope, row, choice) else { continue };
                let bound = self.bound();
                self.undecide(scope, row, &settled);
                bound
            } else {
                i64::MAX
            };
            ranked.push((Some(bound), (bound, agreement), choice));
        }
        // Stable: choices come in canonical order.
        ranked.sort_by_key(|&(_, promise, _)| Reverse(promise));
        ranked.into_iter().map(|(bound, _, choice)| (bound, choice)).collect()
    }

    /// One expansion: the bound under what is decided.
    fn bound(&mut self) -> i64 {
        self.expansions += 1;
        quantise(self.bounds.bound())
    }

    /// How well the links of a gold record could be matched by those of a partner, in units, under what is decided. Looks at
    /// the links of the two records only: a cheap stand-in for the bound.
    fn links_kept(&self, scope: usize, row: usize, choice: Choice) -> i64 {
        let Choice::To(column) = choice else { return 0 };
        let partners = &self.links.candidate[scope][column as usize];
        let best = |&(list, link): &(u32, u32)| {
            let same_list = partners.iter().filter(|(of, _)| *of == list);
            same_list
                .map(|&(_, other)| self.bounds.units(list as usize, link as usize, other as usize))
                .max()
                .unwrap_or(0)
        };
        self.links.gold[scope][row].iter().map(best).sum()
    }

    /// For each candidate record of a scope the first one that an automorphism exchanges it with, among those that fix every
    /// partner decided so far.
    fn interchangeable(&self, scope: usize) -> Vec<u32> {
        fn root(parent: &mut [u32], mut at: u32) -> u32 {
            while parent[at as usize] != at {
                parent[at as usize] = parent[parent[at as usize] as usize];
                at = parent[at as usize];
            }
            at
        }
        let mut parent: Vec<u32> = (0..self.problem.scopes[scope].m as u32).collect();
        let mut fixed: Vec<Vec<bool>> = self.problem.scopes.iter().map(|scope| vec![false; scope.m]).collect();
        for (scope, ties) in self.ties.iter().enumerate() {
            for row in (0..ties.rows()).filter(|&row| self.decided[scope][row]) {
                if let Choice::To(column) = ties.witness(row) {
                    fixed[scope][column as usize] = true;
                }
            }
        }
        for moves in &self.problem.automorphisms {
            if moves.iter().any(|&(scope, record, _)| fixed[scope][record as usize]) {
                continue;
            }
            for &(_, record, image) in moves.iter().filter(|(of, ..)| *of == scope) {
                let (a, b) = (root(&mut parent, record), root(&mut parent, image));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        (0..parent.len() as u32).map(|record| root(&mut parent, record)).collect()
    }

    /// All is decided: the exact score.
    fn leaf(&mut self) {
        self.expansions += 1;
        let score = self.problem.score.run(&mut self.machine, self.bounds.right());
        let score = quantise(score.first().copied().unwrap_or(0.0));
        if self.best.as_ref().is_none_or(|(best, _)| score > *best) {
            let partners = self
                .ties
                .iter()
                .map(|ties| {
                    (0..ties.rows())
                        .map(|row| match ties.witness(row) {
                            Choice::To(column) => column,
                            Choice::Nobody => NOBODY,
                        })
                        .collect()
                })
                .collect();
            self.best = Some((score, partners));
        }
    }
}
