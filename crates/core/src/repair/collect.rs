//! From the match tree to the edits it asks for, with what each recovers (*Object Aligner*, section III-F).
//!
//! One walk, top-down. A node's *worth* is what a score of 1 there adds to the whole: the product of the weights on the way.
//! What an imperfect leaf, a key spelled differently, a missing or an excess part loses is its worth times what it lacks
//! of 1, and since the weights and the vacuous rest of each container sum to 1, these losses sum to what the root lacks.
//!
//! Differences that lose nothing (members of weight 0, items that the schema ignores, keys where only values count) are
//! left as they are, unless the parts around them need them right: once one key of an object or one slot of a tuple has to
//! come or go, all do. They can count after all where the repaired candidate must fit the schema, and below unions and in
//! records, where the pairing depends on them. The repaired candidate is therefore validated, and scored where such
//! differences were left; if it fails, they are repaired as well, and as a last resort the document is replaced.

use super::identity::{Identity, Naming};
use super::place::{order, place};
use super::{Granularity, Repair, RepairKind, RepairOp, RepairOptions, apply};
use crate::align::validity::fits;
use crate::align::{Aligner, Alignment, Invalid, Match, MatchKind};
use crate::document::{Arena, Kind, NodeId, Slot, StringId};
use crate::pointer;
use crate::schema::plan::{Order, Role};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// What an edit works on, by identity.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    Replace {
        candidate: NodeId,
        gold: NodeId,
    },
    Add {
        container: NodeId,
        gold: NodeId,
    },
    Remove {
        candidate: NodeId,
    },
    /// A member gets the key of a member of the gold.
    Rename {
        candidate: NodeId,
        gold: NodeId,
    },
    /// An item goes to the place of an item of the gold.
    Move {
        candidate: NodeId,
        gold: NodeId,
    },
}

/// One thing to do.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub(super) target: Target,
    pub(super) kind: RepairKind,
    pub(super) delta: f64,
    pub(super) confidence: Option<f64>,
    /// The kind but for the fault of the candidate that the edit puts right.
    remedy: RepairKind,
    /// The last resort: the gold as it is, identifiers and all, takes the place of the whole document.
    pub(super) verbatim: bool,
}

impl Edit {
    pub(super) fn op(&self) -> RepairOp {
        match self.target {
            Target::Replace { .. } => RepairOp::Replace,
            Target::Add { .. } => RepairOp::Add,
            Target::Remove { .. } => RepairOp::Remove,
            Target::Rename { .. } | Target::Move { .. } => RepairOp::Move,
        }
    }

    fn gold(&self) -> Option<NodeId> {
        match self.target {
            Target::Replace { gold, .. }
            | Target::Add { gold, .. }
            | Target::Rename { gold, .. }
            | Target::Move { gold, .. } => Some(gold),
            Target::Remove { .. } => None,
        }
    }

    fn candidate(&self) -> Option<NodeId> {
        match self.target {
            Target::Replace { candidate, .. }
            | Target::Remove { candidate }
            | Target::Rename { candidate, .. }
            | Target::Move { candidate, .. } => Some(candidate),
            Target::Add { .. } => None,
        }
    }

    /// What ties are broken by: the place in the original candidate, or where the addition goes.
    pub(super) fn name(&self, arena: &Arena) -> String {
        match self.target {
            Target::Add { container, gold } => match arena.slot(gold) {
                Slot::Key(key) => pointer::join(&arena.path(container), arena.text(key)),
                Slot::Index(index) => pointer::index(&arena.path(container), index as usize),
                Slot::Root => arena.path(container),
            },
            Target::Replace { candidate, .. }
            | Target::Remove { candidate }
            | Target::Rename { candidate, .. }
            | Target::Move { candidate, .. } => arena.path(candidate),
        }
    }

    /// The container that changes, or the value itself if it is replaced.
    fn place(&self, arena: &Arena) -> NodeId {
        match self.target {
            Target::Add { container, .. } => container,
            Target::Replace { candidate, .. } => candidate,
            Target::Remove { candidate } | Target::Rename { candidate, .. } | Target::Move { candidate, .. } => {
                arena.parent(candidate).unwrap_or(candidate)
            }
        }
    }
}

/// A list of the candidate that changes.
#[derive(Debug, Default)]
pub(super) struct ListOrder {
    /// Items whose gold index is below this stand in the order of the gold; the others anywhere.
    pub(super) ordered: u32,
    /// The gold index of the items that are in such a place.
    pub(super) settled: HashMap<NodeId, u32, FixedState>,
}

/// All there is to do.
#[derive(Debug, Default)]
pub(super) struct Edits {
    pub(super) all: Vec<Edit>,
    /// Which node of the candidate stays for which of the gold.
    pub(super) pairs: HashMap<NodeId, NodeId, FixedState>,
    pub(super) lists: HashMap<NodeId, ListOrder, FixedState>,
    /// The gold record, by its item, that the reference of an edit means and that has to be added.
    meant: HashMap<usize, NodeId, FixedState>,
    /// Nodes of the candidate that are removed or replaced.
    gone: HashSet<NodeId, FixedState>,
    /// References, to be looked at once it is known who stands for whom: the leaves, and what is lost there.
    references: Vec<(NodeId, NodeId, f64, Option<f64>)>,
    identifiers: Vec<(NodeId, NodeId, Option<f64>)>,
    /// Some difference that loses nothing was left.
    left: bool,
    /// Some list whose order does not count is in another order.
    reordered: bool,
    /// The union of some pair had to be settled.
    union: bool,
}

impl Edits {
    fn push(&mut self, target: Target, kind: RepairKind, delta: f64, confidence: Option<f64>) {
        let edit = Edit { target, kind, delta, confidence, remedy: kind, verbatim: false };
        if let Target::Replace { candidate, .. } | Target::Remove { candidate } = target {
            self.gone.insert(candidate);
        }
        self.all.push(edit);
    }

    /// Whether a node of the candidate, or something around it, is removed or replaced.
    pub(super) fn goes(&self, arena: &Arena, candidate: NodeId) -> bool {
        lineage(arena, candidate).any(|node| self.gone.contains(&node))
    }

    /// Where an item that comes or moves is in the end, if the order of its list counts.
    fn index(&self, arena: &Arena, edit: &Edit) -> Option<usize> {
        let (list, gold) = match edit.target {
            Target::Add { container, gold } => (container, gold),
            Target::Move { candidate, gold } => (arena.parent(candidate)?, gold),
            _ => return None,
        };
        let Slot::Index(index) = arena.slot(gold) else { return None };
        self.lists.get(&list).is_none_or(|list| index < list.ordered).then_some(index as usize)
    }

    /// For each edit those that must come before it: a key must be free before another member takes it, and a record must
    /// be there before a reference means it.
    pub(super) fn blockers(&self, arena: &Arena) -> Vec<Vec<usize>> {
        let mut vacates: HashMap<(NodeId, StringId), usize, FixedState> = HashMap::default();
        let mut brings: HashMap<NodeId, usize, FixedState> = HashMap::default();
        for (index, edit) in self.all.iter().enumerate() {
            match edit.target {
                Target::Remove { candidate } | Target::Rename { candidate, .. } => {
                    if let (Slot::Key(key), Some(object)) = (arena.slot(candidate), arena.parent(candidate)) {
                        vacates.insert((object, key), index);
                    }
                }
                Target::Add { gold, .. } | Target::Replace { gold, .. } => {
                    brings.insert(gold, index);
                }
                Target::Move { .. } => {}
            }
        }
        let blocker = |index: usize, edit: &Edit| -> Option<usize> {
            let found = match edit.target {
                Target::Add { container, gold } => match arena.slot(gold) {
                    Slot::Key(key) => vacates.get(&(container, key)).copied(),
                    _ => None,
                },
                Target::Rename { candidate, gold } => {
                    vacates.get(&(arena.parent(candidate)?, arena.key(gold))).copied()
                }
                Target::Replace { .. } if edit.kind == RepairKind::RefUnresolved => {
                    let item = self.meant.get(&index)?;
                    lineage(arena, *item).find_map(|node| brings.get(&node).copied())
                }
                _ => None,
            };
            found.filter(|&found| found != index)
        };
        self.all.iter().enumerate().map(|(index, edit)| blocker(index, edit).into_iter().collect()).collect()
    }
}

/// A node and everything around it, innermost first.
fn lineage(arena: &Arena, node: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(node), |&node| arena.parent(node))
}

impl Alignment<'_> {
    /// The operations that turn the candidate into one that scores 1, as the options ask for them.
    ///
    /// Read from the match tree. Together their deltas sum to what the score lacks of 1, and applied in their order all of
    /// them lead to a score of exactly 1. Where the order of items counts, an item that is all right but out of place is
    /// moved. A record that is added gets an identifier that neither document uses (or that of the record whose place it
    /// takes), and so do the references that mean it. A candidate that scored 0 because it does not fit its schema is
    /// repaired in everything, see [`RepairKind::Invalid`].
    ///
    /// Two things are beyond repair: a comparator of one's own that does not score equal values 1, and
    /// [`Structure::None`](crate::Structure::None), under which not even every copy scores 1.
    ///
    /// ```
    /// use objalign_core::{Aligner, Plan, RepairKind, RepairOptions};
    /// use serde_json::json;
    ///
    /// let plan = Plan::compile(&json!({"properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}))?;
    /// let mut aligner = Aligner::new(&plan);
    /// let alignment = aligner.align(&json!({"name": "Ada", "age": 36}), &json!({"name": "Ada", "agee": 36, "x": 1}))?;
    /// let repairs = alignment.repairs(&RepairOptions::new());
    /// assert_eq!(repairs[0].kind, RepairKind::KeyRemove);
    /// assert_eq!(serde_json::to_value(&repairs[0])?["path"], "/x");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repairs(&self, options: &RepairOptions) -> Vec<Repair> {
        let mut repairs = self.leading(options, options.top_k).1;
        if options.exact {
            self.exactly(&mut repairs);
        }
        repairs
    }

    /// How many repairs there are up to the last that recovers something, and the first `count` of all. Only these are
    /// written out; `top_k` and `exact` are not looked at.
    pub(crate) fn leading(&self, options: &RepairOptions, count: Option<usize>) -> (usize, Vec<Repair>) {
        if self.score() == 1.0 {
            return (0, Vec::new());
        }
        let arena = self.arena();
        let (edits, identity) = self.edits(options.granularity);
        let mut order = order(arena, &edits, options);
        let costly = order.iter().rposition(|&edit| edits.all[edit].delta > 0.0).map_or(0, |last| last + 1);
        order.truncate(count.unwrap_or(usize::MAX));
        let repairs = place(arena, &edits, &order)
            .into_iter()
            .map(|placed| self.finish(&edits.all[placed.edit], &edits, &identity, (placed.path, placed.from)))
            .collect();
        (costly, repairs)
    }

    /// Edits that lead to a score of 1.
    fn edits(&self, granularity: Granularity) -> (Edits, Identity<'_>) {
        let strict = self.is_rejected();
        let mut attempts = vec![(strict, Naming::Fresh), (true, Naming::Fresh), (true, Naming::Gold)];
        attempts.dedup();
        let mut last = None;
        for (strict, naming) in attempts {
            let (edits, identity) = self.collect(granularity, strict, naming);
            if self.suffices(&edits, &identity) {
                return (edits, identity);
            }
            last = Some((edits, identity));
        }
        let (mut edits, identity) = last.unwrap_or_else(|| self.collect(granularity, true, Naming::Gold));
        if let &[Match { gold: Some(gold), candidate: Some(candidate), .. }, ..] = self.matches() {
            edits.push(Target::Replace { candidate, gold }, RepairKind::SubtreeReplace, 0.0, None);
            if let Some(edit) = edits.all.last_mut() {
                edit.verbatim = true;
            }
        }
        (edits, identity)
    }

    /// Whether the repaired candidate fits the schema and, where that is not plain from the edits, scores 1.
    fn suffices(&self, edits: &Edits, identity: &Identity<'_>) -> bool {
        let Some(&Match { gold: Some(gold), candidate: Some(candidate), .. }) = self.matches().first() else {
            return true;
        };
        let arena = self.arena();
        let order = order(arena, edits, &RepairOptions::new());
        let repairs: Vec<Repair> = place(arena, edits, &order)
            .into_iter()
            .map(|placed| self.bare(&edits.all[placed.edit], identity, (placed.path, placed.from)))
            .collect();
        let Ok(repaired) = apply(&arena.value(candidate), &repairs) else { return false };
        let valid = self.options().invalid == Invalid::Score || fits(&self.plan().validator, &repaired);
        // What was left can change who is paired with whom in records, and which alternative of a union speaks.
        let by_records = edits.left && !self.plan().scopes.is_empty();
        let by_union = (edits.left || edits.reordered) && edits.union;
        let plain = !by_records && !by_union;
        valid
            && (plain
                || Aligner::with_options(self.plan(), self.options())
                    .align(&arena.value(gold), &repaired)
                    .is_ok_and(|alignment| alignment.score() == 1.0))
    }

    fn collect(&self, granularity: Granularity, strict: bool, naming: Naming) -> (Edits, Identity<'_>) {
        let mut walk = Walk { alignment: self, granularity, strict, edits: Edits::default() };
        walk.node(0, 1.0, None);
        let mut edits = walk.edits;
        let identity = Identity::new(self, &edits, naming);
        self.mend_references(&mut edits, &identity, strict);
        if let Some((path, cost)) = self.validity_cost() {
            self.mend_fault(&mut edits, path, cost);
        }
        (edits, identity)
    }

    /// References and identifiers, now that it is known who stands for whom.
    fn mend_references(&self, edits: &mut Edits, identity: &Identity<'_>, strict: bool) {
        let arena = self.arena();
        for (candidate, gold, confidence) in std::mem::take(&mut edits.identifiers) {
            let Some((stand_in, mentioned)) = identity.identified(gold) else { continue };
            if stand_in.own != Some(arena.class(candidate)) && (mentioned || strict) {
                edits.push(Target::Replace { candidate, gold }, RepairKind::PrimitiveReplace, 0.0, confidence);
            }
        }
        for (candidate, gold, delta, confidence) in std::mem::take(&mut edits.references) {
            let referent = identity.referent(gold);
            let right = match referent {
                Some((_, _, stand_in)) => stand_in.own == Some(arena.class(candidate)),
                None => arena.class(gold) == arena.class(candidate),
            };
            if right && delta == 0.0 {
                continue;
            }
            let unresolved = referent.filter(|(_, _, stand_in)| stand_in.item.is_none());
            if let Some((_, item, _)) = unresolved {
                edits.meant.insert(edits.all.len(), item);
            }
            let kind = if unresolved.is_some() { RepairKind::RefUnresolved } else { RepairKind::RefFix };
            edits.push(Target::Replace { candidate, gold }, kind, delta, confidence);
        }
    }

    /// Gives what validity is worth to the edit that puts right the place of the fault.
    fn mend_fault(&self, edits: &mut Edits, path: &str, cost: f64) {
        let arena = self.arena();
        let Some(&Match { gold: Some(gold), candidate: Some(root), .. }) = self.matches().first() else { return };
        let place = find(arena, root, path);
        let at = |edit: &Edit| edit.place(arena) == place;
        let below = |edit: &Edit| lineage(arena, edit.place(arena)).any(|node| node == place);
        let above = |edit: &Edit| {
            matches!(edit.target, Target::Replace { candidate, .. } | Target::Remove { candidate }
                if lineage(arena, place).any(|node| node == candidate))
        };
        let best = |edits: &Edits, fits: &dyn Fn(&Edit) -> bool| {
            let fitting = edits.all.iter().enumerate().filter(|(_, edit)| fits(edit));
            fitting.max_by(|(a, left), (b, right)| left.delta.total_cmp(&right.delta).then(b.cmp(a))).map(|(at, _)| at)
        };
        let found = best(edits, &at).or_else(|| best(edits, &above)).or_else(|| best(edits, &below));
        let found = found.unwrap_or_else(|| {
            let pair = self.matches().iter().find(|node| node.candidate == Some(place));
            let (candidate, gold) = pair.and_then(|node| Some((place, node.gold?))).unwrap_or((root, gold));
            edits.push(Target::Replace { candidate, gold }, RepairKind::SubtreeReplace, 0.0, None);
            edits.all.len() - 1
        });
        let edit = &mut edits.all[found];
        edit.kind = RepairKind::Invalid;
        edit.delta += cost;
    }

    /// An operation with what is needed to apply it.
    fn bare(&self, edit: &Edit, identity: &Identity<'_>, (path, from): (String, Option<String>)) -> Repair {
        let value = match edit.target {
            Target::Replace { gold, .. } if edit.verbatim => Some(self.arena().value(gold)),
            Target::Replace { gold, .. } | Target::Add { gold, .. } => Some(identity.translate(gold)),
            Target::Remove { .. } | Target::Rename { .. } | Target::Move { .. } => None,
        };
        Repair {
            op: edit.op(),
            path,
            from,
            value,
            kind: edit.kind,
            delta: edit.delta,
            confidence: edit.confidence,
            remedy: edit.remedy,
            index: None,
            at: None,
            gold_path: None,
            gold: None,
            candidate: None,
            scope: None,
            record: None,
            gold_record: None,
            named_record: None,
        }
    }

    fn finish(&self, edit: &Edit, edits: &Edits, identity: &Identity<'_>, place: (String, Option<String>)) -> Repair {
        let arena = self.arena();
        let referent = edit.gold().and_then(|gold| identity.referent(gold));
        Repair {
            index: edits.index(arena, edit),
            at: Some(match edit.target {
                Target::Add { container, .. } => arena.path(container),
                Target::Replace { candidate, .. }
                | Target::Remove { candidate }
                | Target::Rename { candidate, .. }
                | Target::Move { candidate, .. } => arena.path(candidate),
            }),
            gold_path: edit.gold().map(|node| arena.path(node)),
            gold: edit.gold().map(|node| arena.value(node)),
            candidate: edit.candidate().map(|node| arena.value(node)),
            scope: referent.map(|(scope, ..)| self.plan().scopes[scope.0 as usize].name.to_string()),
            record: referent.and_then(|(_, _, stand_in)| stand_in.item).map(|item| arena.path(item)),
            gold_record: referent.map(|(_, item, _)| arena.path(item)),
            named_record: referent.zip(edit.candidate()).and_then(|((scope, ..), leaf)| {
                let [_, candidate] = self.records();
                let means =
                    candidate.scopes[scope.0 as usize].iter().find(|record| record.id == Some(arena.class(leaf)));
                means.map(|record| arena.path(record.item))
            }),
            ..self.bare(edit, identity, place)
        }
    }
}

/// The node that a pointer leads to, or as far as it leads.
pub(crate) fn find(arena: &Arena, root: NodeId, path: &str) -> NodeId {
    let mut at = root;
    for token in path.split('/').skip(1) {
        let next = match arena.kind(at) {
            Kind::Array => {
                token.parse().ok().filter(|&index| index < arena.len(at)).map(|index| arena.child(at, index))
            }
            Kind::Object => {
                let key = pointer::unescape(token);
                arena.children(at).find(|&member| arena.text(arena.key(member)) == key)
            }
            _ => None,
        };
        let Some(next) = next else { break };
        at = next;
    }
    at
}

/// The walk over the match tree.
struct Walk<'a, 'b> {
    alignment: &'a Alignment<'b>,
    granularity: Granularity,
    /// Repair differences that lose nothing, too.
    strict: bool,
    edits: Edits,
}

impl<'b> Walk<'_, 'b> {
    fn arena(&self) -> &'b Arena {
        self.alignment.arena()
    }

    fn matched(&self, index: u32) -> &'b Match {
        &self.alignment.matches()[index as usize]
    }

    /// A pair of values; `worth` is what a score of 1 here adds to the whole.
    fn node(&mut self, index: u32, worth: f64, around: Option<f64>) {
        let node = self.matched(index);
        let (Some(gold), Some(candidate)) = (node.gold, node.candidate) else { return };
        let confidence = node.confidence.or(around);
        let lost = worth * (1.0 - node.score);
        self.edits.union |= node.union;
        match node.kind {
            MatchKind::Sequence | MatchKind::Map => {
                self.edits.pairs.insert(gold, candidate);
                if node.kind == MatchKind::Sequence {
                    self.list(node, candidate, worth, confidence);
                } else {
                    self.members(node, candidate, worth, confidence);
                }
            }
            MatchKind::Identifier => self.edits.identifiers.push((candidate, gold, confidence)),
            MatchKind::Reference => self.edits.references.push((candidate, gold, lost, confidence)),
            MatchKind::Leaf | MatchKind::Null | MatchKind::TypeMismatch => {
                let kind = match node.kind {
                    MatchKind::Null => RepairKind::NullReplace,
                    MatchKind::TypeMismatch => RepairKind::TypeReplace,
                    _ => RepairKind::PrimitiveReplace,
                };
                let differs = self.arena().class(gold) != self.arena().class(candidate);
                if self.asked(lost, differs) {
                    self.edits.push(Target::Replace { candidate, gold }, kind, lost, confidence);
                }
            }
            MatchKind::Missing | MatchKind::Excess => {}
        }
    }

    /// Whether to repair a place: it loses something, or it differs and everything is to be right.
    fn asked(&mut self, lost: f64, differs: bool) -> bool {
        let asked = lost > 0.0 || (differs && self.strict);
        self.edits.left |= differs && !asked;
        asked
    }

    fn members(&mut self, node: &Match, candidate: NodeId, worth: f64, confidence: Option<f64>) {
        let arena = self.arena();
        let mut changes = Vec::new();
        for index in node.first..node.first + node.len {
            let member = self.matched(index);
            let (similarity, key_worth) = member.key.unwrap_or((1.0, 0.0));
            let confidence = member.confidence.or(confidence);
            let lost = worth * (key_worth + member.weight);
            match (member.gold, member.candidate) {
                (Some(gold), None) => {
                    changes.push((Target::Add { container: candidate, gold }, RepairKind::KeyAdd, lost, confidence));
                }
                (None, Some(candidate)) => {
                    changes.push((Target::Remove { candidate }, RepairKind::KeyRemove, lost, confidence));
                }
                (Some(gold), Some(candidate)) => {
                    if arena.key(gold) != arena.key(candidate) {
                        let lost = worth * key_worth * (1.0 - similarity);
                        changes.push((Target::Rename { candidate, gold }, RepairKind::KeyRename, lost, confidence));
                    }
                    self.node(index, worth * member.weight, confidence);
                }
                (None, None) => {}
            }
        }
        // Which key goes with which depends on all of them: once one has to change, all have to.
        let lost = changes.iter().map(|(_, _, lost, _)| lost).sum();
        if self.asked(lost, !changes.is_empty()) {
            for (target, kind, lost, confidence) in changes {
                self.edits.push(target, kind, lost, confidence);
            }
        }
    }

    fn list(&mut self, node: &Match, candidate: NodeId, worth: f64, confidence: Option<f64>) {
        let arena = self.arena();
        let rule = &self.alignment.plan().node(node.plan).array;
        // Slots have their places whatever the order of the items behind them.
        let (slots, ordered) = match rule.items {
            None => (u32::MAX, u32::MAX),
            Some(_) if rule.order == Order::Fixed => (rule.prefix.len() as u32, u32::MAX),
            Some(_) => (rule.prefix.len() as u32, rule.prefix.len() as u32),
        };
        let place = |node: NodeId| match arena.slot(node) {
            Slot::Index(index) => index,
            Slot::Root | Slot::Key(_) => 0,
        };
        let mut order = ListOrder { ordered, ..ListOrder::default() };
        let (mut missing, mut excess) = (Vec::new(), Vec::new());
        for index in node.first..node.first + node.len {
            let item = self.matched(index);
            match (item.gold, item.candidate) {
                (Some(gold), Some(candidate)) => {
                    if place(gold) < ordered {
                        order.settled.insert(candidate, place(gold));
                    } else if place(gold) != place(candidate) {
                        self.edits.reordered = true;
                    }
                    self.item(index, worth * item.weight, confidence);
                }
                (Some(gold), None) => missing.push((gold, worth * item.weight)),
                (None, Some(candidate)) => excess.push((candidate, worth * item.weight)),
                (None, None) => {}
            }
        }
        missing.sort_unstable_by_key(|&(gold, _)| gold);
        excess.sort_unstable_by_key(|&(candidate, _)| candidate);
        let any_lost = missing.iter().chain(&excess).any(|&(_, lost)| lost > 0.0);
        // A slot is told from the next by its place alone: once one item has to come or go, all have to.
        let all = slots > 0 && any_lost;
        for (gold, lost) in missing {
            let tail = place(gold) >= slots;
            let same = excess.iter().position(|&(candidate, other)| {
                tail && ordered == u32::MAX
                    && place(candidate) >= slots
                    && (all || self.strict || lost + other > 0.0)
                    && self.same(gold, candidate)
            });
            if let Some(same) = same {
                let (candidate, other) = excess.remove(same);
                self.pair_moved(gold, candidate, confidence);
                self.edits.push(Target::Move { candidate, gold }, RepairKind::ItemMove, lost + other, confidence);
            } else if all || self.asked(lost, true) {
                let target = Target::Add { container: candidate, gold };
                self.edits.push(target, RepairKind::ItemAdd, lost, confidence);
            }
        }
        for (candidate, lost) in excess {
            if all || self.asked(lost, true) {
                self.edits.push(Target::Remove { candidate }, RepairKind::ItemRemove, lost, confidence);
            }
        }
        self.edits.lists.insert(candidate, order);
    }

    /// An item of a list, which is replaced as a whole if that is what is asked for.
    fn item(&mut self, index: u32, worth: f64, around: Option<f64>) {
        let node = self.matched(index);
        let is_container = matches!(node.kind, MatchKind::Sequence | MatchKind::Map);
        let (Some(gold), Some(candidate)) = (node.gold, node.candidate) else { return };
        if self.granularity == Granularity::Subtree && is_container && self.flawed(node, worth) {
            let lost = worth * (1.0 - node.score);
            self.keep_pairs(node);
            self.edits.union |= node.union;
            let confidence = node.confidence.or(around);
            self.edits.push(Target::Replace { candidate, gold }, RepairKind::SubtreeReplace, lost, confidence);
        } else {
            self.node(index, worth, around);
        }
    }

    /// Whether something is lost in a container, not counting the containers that are items of lists in it.
    fn flawed(&self, node: &Match, worth: f64) -> bool {
        (node.first..node.first + node.len).any(|index| {
            let child = self.matched(index);
            let (similarity, key_worth) = child.key.unwrap_or((1.0, 0.0));
            let key = worth * key_worth * (1.0 - similarity) > 0.0;
            let worth = worth * child.weight;
            key || match child.kind {
                MatchKind::Sequence | MatchKind::Map if node.kind == MatchKind::Sequence => false,
                MatchKind::Sequence | MatchKind::Map => self.flawed(child, worth),
                _ => worth * (1.0 - child.score) > 0.0,
            }
        })
    }

    /// The records within a replaced item stay who they are.
    fn keep_pairs(&mut self, node: &Match) {
        if let (Some(gold), Some(candidate)) = (node.gold, node.candidate) {
            self.edits.pairs.insert(gold, candidate);
        }
        for index in node.first..node.first + node.len {
            self.keep_pairs(self.matched(index));
        }
    }

    /// Whether two values say the same: equal but for identifiers, with references to records that belong together.
    fn same(&self, gold: NodeId, candidate: NodeId) -> bool {
        let (arena, alignment) = (self.arena(), self.alignment);
        if alignment.plan().scopes.is_empty() {
            return arena.class(gold) == arena.class(candidate);
        }
        if arena.kind(gold) != arena.kind(candidate) {
            return false;
        }
        match self.role(gold) {
            Role::Identifier(_) => true,
            Role::Reference(scope) => alignment.bijections().agree(scope, arena.class(gold), arena.class(candidate)),
            Role::Value => match arena.kind(gold) {
                Kind::Array | Kind::Object => {
                    arena.len(gold) == arena.len(candidate)
                        && (arena.kind(gold) == Kind::Array || arena.same_keys(gold, candidate))
                        && arena
                            .children(gold)
                            .zip(arena.children(candidate))
                            .all(|(gold, candidate)| self.same(gold, candidate))
                }
                _ => arena.class(gold) == arena.class(candidate),
            },
        }
    }

    /// What a leaf of the gold means.
    fn role(&self, gold: NodeId) -> Role {
        let [records, _] = self.alignment.records();
        records.plan_of.get(&gold).map_or(Role::Value, |&plan| self.alignment.plan().node(plan).role)
    }

    /// A moved item keeps its identity, and that of what is in it.
    fn pair_moved(&mut self, gold: NodeId, candidate: NodeId, confidence: Option<f64>) {
        let arena = self.arena();
        if self.alignment.plan().scopes.is_empty() {
            return;
        }
        self.edits.pairs.insert(gold, candidate);
        match self.role(gold) {
            Role::Identifier(_) => self.edits.identifiers.push((candidate, gold, confidence)),
            Role::Reference(_) => self.edits.references.push((candidate, gold, 0.0, confidence)),
            Role::Value if matches!(arena.kind(gold), Kind::Array | Kind::Object) => {
                for (gold, candidate) in arena.children(gold).zip(arena.children(candidate)) {
                    self.pair_moved(gold, candidate, confidence);
                }
            }
            Role::Value => {}
        }
    }
}
