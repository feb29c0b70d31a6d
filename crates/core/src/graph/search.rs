//! The individualise-refine search tree.
//!
//! *Contract.* A [`Search`] takes [`Arcs`] with at most one arc for each ordered
//! pair, where every arc has an arc back whose kind is determined by its own,
//! and an equitable partition. It comes to an order of the vertices that keeps
//! the order of the cells and that depends, up to automorphism, on the
//! isomorphism class only; and to generators of all automorphisms that keep the
//! cells. When the budget of nodes runs out, the order is the best one seen,
//! the generators are those found, and the meter is no longer exact; the first
//! path is always completed.
//!
//! *How.* A node is an equitable partition; its children individualise each
//! vertex of a target cell in turn; a leaf is an order of the vertices. A node
//! whose non-singleton cells do not hang together, once uniform joins between
//! cells are dropped, is a leaf too: its components are independent, and the
//! caller is asked to solve them, lest the tree become their product. Among
//! the leaves, the smallest by (traces along the path, relabelled rows) wins.
//! A subtree is left as soon as its trace is larger than that of the best path,
//! unless it still equals that of the first path, where automorphisms come
//! from. An automorphism is found
//! * when a node agrees with the node of the first path on the same level in
//!   all but single-vertex cells, and mapping those by position is one (this
//!   includes leaves);
//! * when a leaf has the same rows as the best leaf.
//!
//! Either way the search returns to where the two paths part: the subtree there
//! is the image of one already searched. A vertex is passed over when a smaller
//! one of its cell is in the same orbit of the automorphisms known to fix the
//! path so far.
//!
//! *Complexity.* Exponential in the worst case. A node costs a refinement, plus
//! `O(n)`; a leaf, and an automorphism, `O(n + m log d)`.
//!
//! *Source.* `McKay` and Piperno, "Practical graph isomorphism, II" (2014);
//! Junttila and Kaski, "Engineering an efficient canonical labeling tool for
//! large and sparse graphs" (2007), for the comparison of traces during
//! refinement and the target cell.

use std::cmp::Ordering;

use super::arcs::{Arcs, Reverse};
use super::orbits::Orbits;
use super::partition::Partition;
use super::reduce::{components, strip};
use super::refine::{Scratch, Trace};

/// Counts nodes against a budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    pub(crate) budget: u64,
    pub(crate) nodes: u64,
    /// Whether all went well; `false` once something was left out.
    pub(crate) exact: bool,
}

/// What a search shares with the other searches.
pub(crate) struct Tools<'a> {
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) reverse: &'a Reverse,
    pub(crate) meter: &'a mut Meter,
}

/// Where [`Search::run`] stopped.
pub(crate) enum Step {
    /// The search is over.
    Done(Found),
    /// A leaf that has to be solved by components before the search goes on.
    Apart(Apart),
}

/// What a search comes to.
pub(crate) struct Found {
    pub(crate) order: Vec<u32>,
    /// Each as (vertex, image), sorted, for the vertices that move. Together
    /// with the automorphisms handed in with the first answer, if there was
    /// one, they generate the group.
    pub(crate) generators: Vec<Vec<(u32, u32)>>,
}

/// A node that has fallen apart.
pub(crate) struct Apart {
    pub(crate) arcs: Arcs,
    /// Start of the cell of each vertex.
    pub(crate) cells: Vec<u32>,
    pub(crate) components: Vec<Vec<u32>>,
}

/// The solution of an [`Apart`].
pub(crate) struct Answer {
    /// A canonical order of the vertices.
    pub(crate) order: Vec<u32>,
    /// Some automorphisms that keep the cells.
    pub(crate) automorphisms: Vec<Vec<(u32, u32)>>,
}

/// How many automorphisms that merge no orbits are kept for pruning.
const SPARE_AUTOMORPHISMS: usize = 64;

/// A leaf and the path to it.
#[derive(Default)]
struct Leaf {
    order: Vec<u32>,
    chosen: Vec<u32>,
    /// Events of the refinement on each level.
    traces: Vec<Vec<u64>>,
}

/// An inner node on the present path.
struct Level {
    /// The target cell, ascending.
    cell: Vec<u32>,
    /// How many of `cell` have been dealt with.
    next: usize,
    /// State of the partition at this node.
    mark: usize,
    on_first_path: bool,
    /// Whether the traces so far equal those of the first path.
    as_first: bool,
    /// The traces so far against those of the best path.
    against_best: Ordering,
    /// Orbits under the automorphisms that fix the path to this node, and how
    /// many of the known ones have been looked at; made when first needed.
    orbits: Option<(Orbits, usize)>,
}

/// A search in progress.
pub(crate) struct Search {
    arcs: Arcs,
    partition: Partition,
    path: Vec<Level>,
    /// Individualised vertices; one for each level but perhaps the last.
    chosen: Vec<u32>,
    /// Events of the present path, by level.
    traces: Vec<Vec<u64>>,
    /// The first leaf; its order is empty until it is reached.
    first: Leaf,
    best: Leaf,
    /// The relabelled rows of the best leaf, one after the other. A vertex at a
    /// given position has the same degree in all leaves.
    best_rows: Vec<u64>,
    known: Vec<Vec<(u32, u32)>>,
    /// For each known automorphism, whether it is one of the generators.
    needed: Vec<bool>,
    /// How many of the known ones are spare.
    spare: usize,
    /// Orbits of all that is known; what is known when a node of the first path
    /// is the fork fixes the path to that node.
    orbits: Orbits,
    survey: Survey,
    /// Kind plus one by vertex, all zero between uses.
    image_kind: Vec<u32>,
    /// How the node that is being solved by components compares.
    pending: (bool, Ordering),
}

impl Search {
    /// A search below an equitable, not discrete partition; for what else is
    /// asked of the arguments see the module documentation.
    pub(crate) fn new(arcs: Arcs, partition: Partition) -> Self {
        let n = arcs.len();
        Self {
            arcs,
            partition,
            path: Vec::new(),
            chosen: Vec::new(),
            traces: Vec::new(),
            first: Leaf::default(),
            best: Leaf::default(),
            best_rows: Vec::new(),
            known: Vec::new(),
            needed: Vec::new(),
            spare: 0,
            orbits: Orbits::new(n),
            survey: Survey::default(),
            image_kind: vec![0; n],
            pending: (true, Ordering::Equal),
        }
    }

    /// Starts the search, or goes on with the answer to the last step.
    pub(crate) fn run(&mut self, tools: &mut Tools, answer: Option<Answer>) -> Step {
        if let Some(answer) = answer {
            self.answered(answer);
        } else if let Some(apart) = self.first_path(tools) {
            return Step::Apart(apart);
        }
        if let Some(apart) = self.explore(tools) {
            return Step::Apart(apart);
        }
        let mut generators = std::mem::take(&mut self.known);
        let mut needed = self.needed.iter();
        generators.retain(|_| needed.next().is_some_and(|&keep| keep));
        Step::Done(Found { order: std::mem::take(&mut self.best.order), generators })
    }

    /// Whether the first leaf has been reached.
    pub(crate) fn has_first_leaf(&self) -> bool {
        !self.first.order.is_empty()
    }

    fn answered(&mut self, answer: Answer) {
        let mut order = answer.order;
        // Leaves keep the order of cells, which `onto_first` relies on.
        order.sort_by_key(|&v| self.partition.cell_of(v));
        if self.has_first_leaf() {
            let (as_first, against_best) = self.pending;
            self.arrive_at_leaf(&order, as_first, against_best);
        } else {
            self.first_leaf(&order);
            // They keep the first leaf's cells, hence fix the first path.
            for moved in answer.automorphisms {
                self.orbits.merge_all(&moved);
                self.known.push(moved);
                self.needed.push(false);
            }
        }
    }

    fn first_path(&mut self, tools: &mut Tools) -> Option<Apart> {
        while !self.partition.is_discrete() {
            let survey = self.survey.make(&self.arcs, &self.partition);
            if survey.apart {
                return Some(self.apart(tools));
            }
            let mut level = self.level(survey.target, true, Ordering::Equal);
            level.on_first_path = true;
            level.next = 1;
            let v = level.cell[0];
            self.path.push(level);
            let mut recorder = Recorder(Vec::new());
            tools.scratch.refine_at(&self.arcs, &mut self.partition, v, &mut recorder);
            tools.meter.nodes += 1;
            self.chosen.push(v);
            self.traces.push(recorder.0);
        }
        let order = self.partition.elements().to_vec();
        self.first_leaf(&order);
        None
    }

    fn first_leaf(&mut self, order: &[u32]) {
        self.set_best(order);
        self.first = self.leaf(order);
    }

    fn explore(&mut self, tools: &mut Tools) -> Option<Apart> {
        while let Some(depth) = self.path.len().checked_sub(1) {
            self.chosen.truncate(depth);
            self.partition.undo_to(self.path[depth].mark);
            let Some(v) = self.next_child(depth) else {
                self.path.pop();
                continue;
            };
            if tools.meter.nodes >= tools.meter.budget {
                tools.meter.exact = false;
                return None;
            }
            tools.meter.nodes += 1;
            self.chosen.push(v);
            let Some((as_first, against_best)) = self.descend(tools, depth, v) else {
                continue;
            };
            if as_first && let Some(moved) = self.onto_first() {
                self.back_to_first_path(moved);
            } else if self.partition.is_discrete() {
                let order = self.partition.elements().to_vec();
                self.arrive_at_leaf(&order, as_first, against_best);
            } else {
                let survey = self.survey.make(&self.arcs, &self.partition);
                if survey.apart {
                    self.pending = (as_first, against_best);
                    return Some(self.apart(tools));
                }
                let level = self.level(survey.target, as_first, against_best);
                self.path.push(level);
            }
        }
        None
    }

    /// The present node in pieces.
    fn apart(&self, tools: &Tools) -> Apart {
        let arcs = strip(&self.arcs, &self.partition, tools.reverse);
        Apart {
            cells: (0..arcs.len() as u32).map(|v| self.partition.cell_of(v)).collect(),
            components: components(&arcs),
            arcs,
        }
    }

    /// Individualises and refines; the comparison with the first and with the
    /// best path, or nothing when the child can be left at once.
    fn descend(&mut self, tools: &mut Tools, depth: usize, v: u32) -> Option<(bool, Ordering)> {
        let level = &self.path[depth];
        self.traces.truncate(depth + 1);
        if self.traces.len() <= depth {
            self.traces.push(Vec::new());
        }
        let mut seen = std::mem::take(&mut self.traces[depth]);
        seen.clear();
        let mut comparer = Comparer {
            seen,
            first: self.first.traces.get(depth).map_or(&[], Vec::as_slice),
            best: self.best.traces.get(depth).map_or(&[], Vec::as_slice),
            as_first: level.as_first,
            against_best: level.against_best,
        };
        let done = tools.scratch.refine_at(&self.arcs, &mut self.partition, v, &mut comparer);
        let verdict = comparer.finish();
        self.traces[depth] = comparer.seen;
        let (as_first, against_best) = verdict;
        (done && (as_first || against_best != Ordering::Greater)).then_some(verdict)
    }

    /// Compares a leaf with the first and with the best one.
    fn arrive_at_leaf(&mut self, order: &[u32], as_first: bool, against_best: Ordering) {
        if as_first {
            let moved = moved_points(&self.first.order, order);
            if self.is_automorphism(&moved) {
                self.back_to_first_path(moved);
                return;
            }
        }
        let better = match against_best {
            Ordering::Equal => self.compare_rows(order),
            other => other,
        };
        match better {
            Ordering::Less => self.set_best(order),
            Ordering::Equal => {
                let moved = moved_points(&self.best.order, order);
                let same = self.chosen.iter().zip(&self.best.chosen);
                let fork = same.take_while(|(a, b)| a == b).count();
                self.record(moved);
                self.path.truncate(fork + 1);
            }
            Ordering::Greater => {}
        }
    }

    /// Records an automorphism that maps a node of the first path to the
    /// present one, and leaves the subtree that forks off the first path.
    fn back_to_first_path(&mut self, moved: Vec<(u32, u32)>) {
        self.record(moved);
        let fork = self.path.iter().take_while(|l| l.on_first_path).count();
        self.path.truncate(fork);
    }

    fn level(&self, target: u32, as_first: bool, against_best: Ordering) -> Level {
        let mut cell = self.partition.cell(target).to_vec();
        cell.sort_unstable();
        Level { cell, next: 0, mark: self.partition.mark(), on_first_path: false, as_first, against_best, orbits: None }
    }

    /// The next vertex of the target cell that is the smallest of its orbit.
    fn next_child(&mut self, depth: usize) -> Option<u32> {
        let level = &mut self.path[depth];
        while let Some(&v) = level.cell.get(level.next) {
            level.next += 1;
            let smallest = if level.on_first_path {
                self.orbits.smallest(v)
            } else if level.next == 1 {
                v
            } else {
                let n = self.arcs.len();
                let (orbits, looked_at) = level.orbits.get_or_insert_with(|| (Orbits::new(n), 0));
                for automorphism in &self.known[*looked_at..] {
                    let fixes_path = self.chosen.iter().all(|u| automorphism.binary_search_by_key(u, |m| m.0).is_err());
                    if fixes_path {
                        orbits.merge_all(automorphism);
                    }
                }
                *looked_at = self.known.len();
                orbits.smallest(v)
            };
            if smallest == v {
                return Some(v);
            }
        }
        None
    }

    fn record(&mut self, moved: Vec<(u32, u32)>) {
        let merged = self.orbits.merge_all(&moved);
        // One that merges no orbit adds nothing to the group on the first path,
        // but may still prune elsewhere.
        if merged || self.spare < SPARE_AUTOMORPHISMS {
            self.spare += usize::from(!merged);
            self.known.push(moved);
            self.needed.push(merged);
        }
    }

    fn leaf(&self, order: &[u32]) -> Leaf {
        Leaf { order: order.to_vec(), chosen: self.chosen.clone(), traces: self.traces.clone() }
    }

    /// Makes the leaf just reached the best one.
    fn set_best(&mut self, order: &[u32]) {
        self.best = self.leaf(order);
        for level in &mut self.path {
            level.against_best = Ordering::Equal;
        }
        self.best_rows.clear();
        let position = positions(order);
        for &v in order {
            let from = self.best_rows.len();
            relabelled_row(&self.arcs, v, &position, &mut self.best_rows);
            self.best_rows[from..].sort_unstable();
        }
    }

    /// The rows of the leaf just reached against those of the best one.
    fn compare_rows(&self, order: &[u32]) -> Ordering {
        let position = positions(order);
        let mut row = Vec::new();
        let mut at = 0;
        for &v in order {
            row.clear();
            relabelled_row(&self.arcs, v, &position, &mut row);
            row.sort_unstable();
            let end = (at + row.len()).min(self.best_rows.len());
            let ordering = row.as_slice().cmp(&self.best_rows[at..end]);
            if ordering != Ordering::Equal {
                return ordering;
            }
            at = end;
        }
        Ordering::Equal
    }

    /// The automorphism that maps the first path's node on this level to the
    /// present one, when it is plain to see.
    fn onto_first(&mut self) -> Option<Vec<(u32, u32)>> {
        let elements = self.partition.elements();
        let position = self.partition.positions();
        for start in self.partition.starts() {
            let end = start + self.partition.length(start);
            if end - start == 1 {
                continue;
            }
            // The first leaf is finer than the first path's node, so it has
            // the elements of that node's cell in the same range.
            for &v in &self.first.order[start as usize..end as usize] {
                if position[v as usize] < start || position[v as usize] >= end {
                    return None;
                }
            }
        }
        let mut moved: Vec<(u32, u32)> = self
            .first
            .order
            .iter()
            .zip(elements)
            .filter(|&(v, &image)| *v != image && self.partition.cell_is_single(image))
            .map(|(&v, &image)| (v, image))
            .collect();
        moved.sort_unstable();
        self.is_automorphism(&moved).then_some(moved)
    }

    fn is_automorphism(&mut self, moved: &[(u32, u32)]) -> bool {
        let image_of = |v: u32| match moved.binary_search_by_key(&v, |m| m.0) {
            Ok(at) => moved[at].1,
            Err(_) => v,
        };
        // Arcs between vertices that stay are kept, and an arc from one that
        // stays has its arc back checked from the other end.
        for &(v, image) in moved {
            let (row, target) = (self.arcs.row(v), self.arcs.row(image));
            if row.len() != target.len() {
                return false;
            }
            for &(kind, to) in target {
                self.image_kind[to as usize] = kind + 1;
            }
            let fits = row.iter().all(|&(kind, to)| self.image_kind[image_of(to) as usize] == kind + 1);
            for &(_, to) in target {
                self.image_kind[to as usize] = 0;
            }
            if !fits {
                return false;
            }
        }
        true
    }
}

/// The vertices at the same place in two orders, where they differ, sorted.
fn moved_points(from: &[u32], to: &[u32]) -> Vec<(u32, u32)> {
    let pairs = from.iter().copied().zip(to.iter().copied());
    let mut moved: Vec<(u32, u32)> = pairs.filter(|(v, image)| v != image).collect();
    moved.sort_unstable();
    moved
}

fn positions(order: &[u32]) -> Vec<u32> {
    let mut position = vec![0; order.len()];
    for (k, &v) in order.iter().enumerate() {
        position[v as usize] = k as u32;
    }
    position
}

fn relabelled_row(arcs: &Arcs, v: u32, position: &[u32], into: &mut Vec<u64>) {
    into.extend(arcs.row(v).iter().map(|&(kind, to)| (u64::from(kind) << 32) | u64::from(position[to as usize])));
}

/// Keeps all events.
struct Recorder(Vec<u64>);

impl Trace for Recorder {
    fn event(&mut self, hash: u64) -> bool {
        self.0.push(hash);
        true
    }
}

/// Keeps all events and compares them with two recorded sequences, to stop as
/// soon as the node is of no use. Sequences compare as slices do.
struct Comparer<'a> {
    seen: Vec<u64>,
    first: &'a [u64],
    best: &'a [u64],
    as_first: bool,
    against_best: Ordering,
}

impl Comparer<'_> {
    fn finish(&mut self) -> (bool, Ordering) {
        if self.seen.len() < self.first.len() {
            self.as_first = false;
        }
        if self.against_best == Ordering::Equal && self.seen.len() < self.best.len() {
            self.against_best = Ordering::Less;
        }
        (self.as_first, self.against_best)
    }
}

impl Trace for Comparer<'_> {
    fn event(&mut self, hash: u64) -> bool {
        let at = self.seen.len();
        self.seen.push(hash);
        if self.as_first && self.first.get(at) != Some(&hash) {
            self.as_first = false;
        }
        if self.against_best == Ordering::Equal {
            // Beyond the end of the best sequence this one is the larger.
            self.against_best = self.best.get(at).map_or(Ordering::Greater, |b| hash.cmp(b));
        }
        self.as_first || self.against_best != Ordering::Greater
    }
}

/// What there is to know about the non-singleton cells of a node.
struct Surveyed {
    /// The cell that is joined unevenly (neither to all nor to none in one
    /// relation) with the most cells, the first among equals. By measurement
    /// this is about as good as the first or the largest cell, while taking
    /// the smallest is disastrous on projective planes.
    target: u32,
    /// Whether some of the cells are joined unevenly neither to each other nor
    /// through others, so that they are independent problems.
    apart: bool,
}

/// Makes surveys; keeps the buffers.
#[derive(Default)]
struct Survey {
    /// By cell start: arcs of one kind from one vertex; zero between uses.
    count: Vec<u32>,
    seen: Vec<u32>,
    joined: Orbits,
}

impl Survey {
    /// The partition must be equitable and not discrete; so any vertex can
    /// speak for its cell, and only one row for each cell is looked at.
    fn make(&mut self, arcs: &Arcs, partition: &Partition) -> Surveyed {
        self.count.resize(arcs.len(), 0);
        self.joined.fit(arcs.len());
        let mut groups = 0;
        for start in partition.starts().filter(|&s| partition.length(s) > 1) {
            self.joined.reset(start);
            groups += 1;
        }
        let mut lonely = false;
        let mut best: Option<(u32, u32)> = None;
        for start in partition.starts().filter(|&s| partition.length(s) > 1) {
            let mut score = 0;
            for group in arcs.row(partition.cell(start)[0]).chunk_by(|a, b| a.0 == b.0) {
                for &(_, to) in group {
                    let cell = partition.cell_of(to);
                    if partition.length(cell) > 1 {
                        if self.count[cell as usize] == 0 {
                            self.seen.push(cell);
                        }
                        self.count[cell as usize] += 1;
                    }
                }
                for cell in self.seen.drain(..) {
                    let all = partition.length(cell) - u32::from(cell == start);
                    if std::mem::take(&mut self.count[cell as usize]) < all {
                        score += 1;
                        groups -= u32::from(self.joined.merge(start, cell));
                    }
                }
            }
            lonely |= score == 0;
            if best.is_none_or(|b| score > b.0) {
                best = Some((score, start));
            }
        }
        Surveyed { target: best.map_or(0, |b| b.1), apart: groups > 1 || lonely }
    }
}
