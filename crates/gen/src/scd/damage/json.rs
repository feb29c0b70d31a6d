//! Damage to the reference of a JSON task: values that move, values that change, leaves and objects that go, members that come.
//!
//! The operators are built for a task, since they need its planted paths; what they are applied to is its reference. Each edit takes
//! a place that no other edit of the application takes, so the closed forms hold for every dose that is reached. Linear in the
//! document, but for the planted values, which are compared with one another.

use super::{ClosedForm, Damage, Forms};
use crate::corrupt::change::{Change, Edit, replay};
use crate::corrupt::{Misfit, Operator, Outcome};
use crate::scd::json::vocabulary::{Kind, VOCABULARY};
use crate::scd::task::{Question, TaskRow};
use crate::streams::below;
use objalign_core::scd::{Path, Step, required_paths};
use rand::Rng;
use rand::seq::SliceRandom;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// The operator whose edits only make sense together.
pub(in crate::scd) const ROTATION: &str = "cousin_rotation";

/// What the operators know of a task.
#[derive(Debug)]
struct Subject {
    planted: Vec<Site>,
    /// The pointers of the required leaves.
    required: HashSet<String>,
    /// Every name that the schema gives to some property.
    declared: HashSet<String>,
}

/// A planted value and its place.
#[derive(Debug, Clone)]
struct Site {
    path: Path,
    pointer: String,
    value: Value,
    kind: Kind,
}

impl Site {
    fn replaced(&self, to: &Value) -> Change {
        Change::Replaced { at: self.pointer.clone(), from: self.value.clone(), to: to.clone() }
    }

    /// Whether it is a member of an object: an item of a list that goes would move those after it.
    fn is_member(&self) -> bool {
        matches!(self.path.steps().last(), Some(Step::Key(_)))
    }
}

/// The kind of a value that can be planted.
fn kind(value: &Value) -> Option<Kind> {
    match value {
        Value::String(_) => Some(Kind::String),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(Kind::Integer),
        Value::Number(_) => Some(Kind::Number),
        _ => None,
    }
}

impl Subject {
    fn new(row: &TaskRow) -> Result<Self, Misfit> {
        let Question::Json { schema, planted } = &row.question else {
            return Err(Misfit::new("", "a JSON task should be here, not a table"));
        };
        let mut sites = Vec::with_capacity(planted.len());
        for planted in planted {
            let misfit = |expected: String| Misfit::new("/planted", expected);
            let path: Path = planted.path.parse().map_err(|error| misfit(format!("{error}")))?;
            let kind = kind(&planted.value)
                .ok_or_else(|| misfit(format!("{} should be a string or a number", planted.value)))?;
            sites.push(Site { pointer: path.pointer(), path, value: planted.value.clone(), kind });
        }
        let required = required_paths(schema).map_err(|error| Misfit::new("/schema", error.to_string()))?;
        let mut declared = HashSet::new();
        declare(schema, &mut declared);
        Ok(Self { planted: sites, required: required.iter().map(Path::pointer).collect(), declared })
    }

    /// Whether a document is the task's reference, as far as operators go by it.
    fn check(&self, gold: &Value) -> Result<(), Misfit> {
        for site in &self.planted {
            if gold.pointer(&site.pointer) != Some(&site.value) {
                return Err(Misfit::new(&site.pointer, format!("{} is planted and should be here", site.value)));
            }
        }
        Ok(())
    }
}

fn declare(schema: &Value, declared: &mut HashSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                declared.extend(properties.keys().cloned());
            }
            members.values().for_each(|value| declare(value, declared));
        }
        Value::Array(items) => items.iter().for_each(|item| declare(item, declared)),
        _ => {}
    }
}

/// The damage of a task.
pub(super) fn damage(row: &TaskRow) -> Result<Damage, Misfit> {
    let subject = Arc::new(Subject::new(row)?);
    let on_task = |kind| OnTask { kind, subject: Arc::clone(&subject) };
    Ok(Damage { operators: Operation::ALL.map(on_task).into_iter().collect(), forms: subject })
}

impl Forms for Subject {
    fn perfect(&self) -> ClosedForm {
        ClosedForm::perfect(self.planted.len(), self.required.len())
    }

    fn closed_form(&self, operator: &str, edits: &[Edit]) -> Result<ClosedForm, Misfit> {
        let kind = Operation::ALL.into_iter().find(|kind| kind.name() == operator);
        let kind = kind.ok_or_else(|| Misfit::new("", format!("no operator {operator:?} on JSON tasks")))?;
        let dose = edits.len();
        let (moved, lost, missing) = match kind {
            Operation::SiblingSwap => (2 * dose, 0, 0),
            Operation::CousinRotation => (dose, 0, 0),
            Operation::ValueReplacement => (0, dose, 0),
            Operation::LeafDrop | Operation::SubtreeDrop => {
                let dropped = edits.iter().flat_map(|edit| &edit.changes).filter_map(|change| match change {
                    Change::Dropped { at, value } => Some((at, value)),
                    _ => None,
                });
                let mut gone = Vec::new();
                for (at, value) in dropped {
                    leaves(value, at, &mut gone);
                }
                let planted = self.planted.iter().filter(|site| gone.contains(&site.pointer)).count();
                (0, planted, gone.iter().filter(|leaf| self.required.contains(*leaf)).count())
            }
            Operation::UndeclaredPaths => (0, 0, 0),
        };
        Ok(self.perfect().less(moved, lost, missing))
    }
}

/// The pointers of the leaves of a value.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.iter().for_each(|(key, value)| leaves(value, &member(at, key), found));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, item)| leaves(item, &format!("{at}/{index}"), found));
        }
        _ => found.push(at.to_owned()),
    }
}

fn member(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    SiblingSwap,
    CousinRotation,
    ValueReplacement,
    LeafDrop,
    SubtreeDrop,
    UndeclaredPaths,
}

impl Operation {
    const ALL: [Self; 6] = [
        Self::SiblingSwap,
        Self::CousinRotation,
        Self::ValueReplacement,
        Self::LeafDrop,
        Self::SubtreeDrop,
        Self::UndeclaredPaths,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::SiblingSwap => "sibling_swap",
            Self::CousinRotation => ROTATION,
            Self::ValueReplacement => "value_replacement",
            Self::LeafDrop => "leaf_drop",
            Self::SubtreeDrop => "subtree_drop",
            Self::UndeclaredPaths => "undeclared_paths",
        }
    }
}

struct OnTask {
    kind: Operation,
    subject: Arc<Subject>,
}

impl Operator for OnTask {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn apply(&self, gold: &Value, dose: u32, random: &mut dyn Rng) -> Result<Outcome, Misfit> {
        self.subject.check(gold)?;
        let (subject, dose) = (&*self.subject, dose as usize);
        let edits = match self.kind {
            Operation::SiblingSwap => swap(subject, dose, random),
            Operation::CousinRotation => rotate(subject, dose, random),
            Operation::ValueReplacement => {
                let mut fresh = Fresh::new(gold, subject);
                let sites = draw(subject.planted.iter(), dose, random);
                sites.into_iter().map(|site| Edit::one(site.replaced(&fresh.value(site.kind, random)))).collect()
            }
            Operation::LeafDrop => {
                let members = subject.planted.iter().filter(|site| site.is_member());
                let dropped = |site: &Site| Change::Dropped { at: site.pointer.clone(), value: site.value.clone() };
                draw(members, dose, random).into_iter().map(|site| Edit::one(dropped(site))).collect()
            }
            Operation::SubtreeDrop => drop_subtrees(subject, gold, dose, random),
            Operation::UndeclaredPaths => add_strangers(subject, gold, dose, random),
        };
        Ok(Outcome { candidate: replay(gold, &edits)?, edits })
    }
}

/// Up to `count` of some things, each as likely.
fn draw<T>(from: impl Iterator<Item = T>, count: usize, random: &mut dyn Rng) -> Vec<T> {
    let mut all: Vec<T> = from.collect();
    all.shuffle(random);
    all.truncate(count);
    all
}

/// Pairs of siblings change places: values of one type, under paths that differ in one step, or in their last step besides. Passes
/// go from the nearest to the furthest: the same field of two nodes, the deepest first; fields of one object; other fields of two
/// nodes. What a pass leaves single the next ones may pair, so of the same field of two sibling nodes both are always paired.
fn swap(subject: &Subject, dose: usize, random: &mut dyn Rng) -> Vec<Edit> {
    let longest = subject.planted.iter().map(|site| site.path.steps().len()).max().unwrap_or(0);
    // By how far from the end the step is that may differ, and whether the last may too.
    let passes = (1..longest).map(|back| (back, false)).chain((0..longest).map(|back| (back, true)));
    let mut single = draw(subject.planted.iter(), subject.planted.len(), random);
    let mut pairs: Vec<[&Site; 2]> = Vec::new();
    for (back, last_too) in passes {
        let mut groups: BTreeMap<(Vec<Option<&Step>>, Kind), Vec<&Site>> = BTreeMap::new();
        let mut rest = Vec::new();
        for site in single {
            let steps = site.path.steps();
            if back >= steps.len() {
                rest.push(site);
                continue;
            }
            let from_end = steps.iter().rev().enumerate();
            let key = from_end.map(|(at, step)| (at != back && !(last_too && at == 0)).then_some(step)).collect();
            groups.entry((key, site.kind)).or_default().push(site);
        }
        let mut found = Vec::new();
        for sites in groups.into_values() {
            let chunks = sites.chunks_exact(2);
            rest.extend(chunks.remainder());
            found.extend(chunks.map(|pair| [pair[0], pair[1]]));
        }
        found.shuffle(random);
        pairs.extend(found);
        single = rest;
    }
    let swapped =
        |[one, other]: [&Site; 2]| Edit { changes: vec![one.replaced(&other.value), other.replaced(&one.value)] };
    pairs.into_iter().take(dose).map(swapped).collect()
}

/// Values of one type change places in a circle, so that none stays. A circle has two values or more: of all ways to share the dose
/// among the types one is drawn, each as likely; where there is none, of the next smaller dose.
fn rotate(subject: &Subject, dose: usize, random: &mut dyn Rng) -> Vec<Edit> {
    let of =
        Kind::PLANTABLE.map(|kind| subject.planted.iter().filter(|site| site.kind == kind).collect::<Vec<&Site>>());
    let counts = |sites: &Vec<&Site>| (0..=sites.len()).filter(|&count| count != 1);
    let most = of.iter().map(Vec::len).sum::<usize>().min(dose);
    let shares = (2..=most).rev().find_map(|dose| {
        let mut shares = Vec::new();
        for words in counts(&of[0]) {
            for integers in counts(&of[1]).filter(|integers| words + integers <= dose) {
                let numbers = dose - words - integers;
                if numbers != 1 && numbers <= of[2].len() {
                    shares.push([words, integers, numbers]);
                }
            }
        }
        (!shares.is_empty()).then_some(shares)
    });
    let Some(shares) = shares else { return Vec::new() };
    let share = shares[below(random, shares.len())];
    let mut edits = Vec::new();
    for (sites, count) in of.into_iter().zip(share) {
        let circle = draw(sites.into_iter(), count, random);
        let next = circle.iter().cycle().skip(1);
        edits.extend(circle.iter().zip(next).map(|(from, to)| Edit::one(to.replaced(&from.value))));
    }
    edits
}

/// Objects go: members of an object, with a required leaf but not all of them, none within or around another.
fn drop_subtrees(subject: &Subject, gold: &Value, dose: usize, random: &mut dyn Rng) -> Vec<Edit> {
    let mut objects = Vec::new();
    subtrees(gold, "", &mut objects);
    let droppable = objects.into_iter().filter(|(at, value)| {
        let mut found = Vec::new();
        leaves(value, at, &mut found);
        let held = found.iter().filter(|leaf| subject.required.contains(*leaf)).count();
        held > 0 && held < subject.required.len()
    });
    let mut droppable: Vec<(String, &Value)> = droppable.collect();
    droppable.shuffle(random);
    let within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
    let mut edits = Vec::new();
    let mut gone: Vec<String> = Vec::new();
    for (at, value) in droppable {
        if edits.len() == dose {
            break;
        }
        if gone.iter().all(|other| !within(&at, other) && !within(other, &at)) {
            edits.push(Edit::one(Change::Dropped { at: at.clone(), value: value.clone() }));
            gone.push(at);
        }
    }
    edits
}

/// The objects that are members of objects.
fn subtrees<'v>(value: &'v Value, at: &str, found: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let at = member(at, key);
                subtrees(value, &at, found);
                if value.is_object() {
                    found.push((at, value));
                }
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| subtrees(item, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

/// Members come into objects that have some: under names that the schema gives to nothing, with values that stand nowhere else.
fn add_strangers(subject: &Subject, gold: &Value, dose: usize, random: &mut dyn Rng) -> Vec<Edit> {
    let mut objects = Vec::new();
    subtrees(gold, "", &mut objects);
    objects.push((String::new(), gold));
    objects.retain(|(_, value)| value.as_object().is_some_and(|members| !members.is_empty()));
    if objects.is_empty() {
        return Vec::new();
    }
    let mut fresh = Fresh::new(gold, subject);
    let mut taken: HashSet<String> = HashSet::new();
    let mut edits = Vec::with_capacity(dose);
    for nth in 0..dose {
        let (at, value) = &objects[below(random, objects.len())];
        let name = &VOCABULARY.strangers[below(random, VOCABULARY.strangers.len())];
        // The name itself, or with the first number behind it that makes it nobody's.
        let mut free = name.clone();
        let mut number = 0_u32;
        let at = loop {
            let at = member(at, &free);
            if !subject.declared.contains(&free) && value.get(&free).is_none() && !taken.contains(&at) {
                break at;
            }
            number += 1;
            free = format!("{name}_{number}");
        };
        taken.insert(at.clone());
        let value = fresh.value(Kind::PLANTABLE[nth % 3], random);
        edits.push(Edit::one(Change::Added { at, value }));
    }
    edits
}

/// Gives values that are neither planted nor anywhere in a document, none twice.
struct Fresh {
    words: HashSet<String>,
    /// Numbers by their bits: 3 and 3.0 are one.
    numbers: HashSet<u64>,
}

impl Fresh {
    fn new(gold: &Value, subject: &Subject) -> Self {
        let mut fresh = Self { words: HashSet::new(), numbers: HashSet::new() };
        fresh.take_all(gold);
        subject.planted.iter().for_each(|site| fresh.take_all(&site.value));
        fresh
    }

    fn take_all(&mut self, value: &Value) {
        match value {
            Value::Object(members) => members.values().for_each(|value| self.take_all(value)),
            Value::Array(items) => items.iter().for_each(|value| self.take_all(value)),
            leaf => {
                self.take(leaf);
            }
        }
    }

    /// Whether it was still free.
    fn take(&mut self, value: &Value) -> bool {
        match value {
            Value::String(word) => self.words.insert(word.clone()),
            // The double next to it: that two numbers beyond the doubles seem one here costs nothing.
            Value::Number(_) => value.as_f64().is_some_and(|number| self.numbers.insert((number + 0.0).to_bits())),
            _ => true,
        }
    }

    /// One of the data file's, or, where these are used up, one made from it.
    fn value(&mut self, kind: Kind, random: &mut dyn Rng) -> Value {
        let pool = VOCABULARY.damage.of(kind);
        let start = below(random, pool.len());
        for round in 0_i64.. {
            for nth in 0..pool.len() {
                let value = match &pool[(start + nth) % pool.len()] {
                    value if round == 0 => value.clone(),
                    Value::String(word) => format!("{word} {round}").into(),
                    value => match value.as_i64() {
                        Some(integer) => (integer + 10_000 * round).into(),
                        None => (value.as_f64().unwrap_or_default() + 10_000.0 * round as f64).into(),
                    },
                };
                if self.take(&value) {
                    return value;
                }
            }
        }
        unreachable!("numbers do not end")
    }
}
