//! Sets of tasks: what a directory of them holds, whatever the domain.
//!
//! A source has sets (`core`, `depth`, `train`); a set has conditions (`S`, `depth=2`), each with a number of tasks. A task is a
//! function of its set, its condition and its index alone: it can be made again without the others, and its id says which it is.

use super::task::{Domain, TaskRow};
use serde_json::Value;

/// Tasks that are summarised together, and lie in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    /// What it is called, and its file: `core`, `core.jsonl`. Lower-case letters, digits and `-`.
    pub name: String,
    /// What it is for, in a few words, for the card.
    pub about: String,
    /// What differs within it.
    pub conditions: Vec<Condition>,
}

/// A level, or what an ablation holds fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What it is called: `S`, `depth=2`.
    pub name: String,
    /// How many tasks it has.
    pub tasks: u64,
}

impl Set {
    /// How many tasks it has.
    pub fn tasks(&self) -> u64 {
        self.conditions.iter().map(|condition| condition.tasks).sum()
    }
}

/// Makes the tasks of one domain.
pub trait TaskSource: Sync {
    /// Trees or grids.
    fn domain(&self) -> Domain;

    /// The configuration, as the manifest has it: the source can be built from it again.
    fn config(&self) -> Value;

    /// Its sets, in the order in which they are written. Those that would be empty may be left out.
    fn sets(&self) -> Vec<Set>;

    /// One task, by the places of its set and condition among [`Self::sets`], and its index within the condition. Its id is that
    /// of [`id`].
    fn task(&self, set: usize, condition: usize, index: u64) -> TaskRow;

    /// The task that a row says it is, made anew: by its id, but for what a domain takes from outside.
    fn again(&self, row: &TaskRow) -> Option<TaskRow> {
        let (set, condition, index) = place(self.domain(), &self.sets(), &row.id)?;
        Some(self.task(set, condition, index))
    }
}

/// What a task is called: `json/core/S/0007`.
pub fn id(domain: Domain, set: &str, condition: &str, index: u64) -> String {
    format!("{}/{set}/{condition}/{index:04}", domain.name())
}

/// The places that an id names; `None` if it names no task of these sets.
pub fn place(domain: Domain, sets: &[Set], id: &str) -> Option<(usize, usize, u64)> {
    let rest = id.strip_prefix(domain.name())?.strip_prefix('/')?;
    let (at, index) = rest.rsplit_once('/')?;
    let (of, condition) = at.split_once('/')?;
    let index = index.parse().ok()?;
    let set = sets.iter().position(|set| set.name == of)?;
    let mut conditions = sets[set].conditions.iter();
    let at = conditions.position(|found| found.name == condition && index < found.tasks)?;
    (self::id(domain, of, condition, index) == id).then_some((set, at, index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_one_task() {
        let condition = |name: &str| Condition { name: name.into(), tasks: 12 };
        let sets = [
            Set {
                name: "core".into(),
                about: String::new(),
                conditions: vec![condition("S"), condition("a/b c.json")],
            },
            Set { name: "depth".into(), about: String::new(), conditions: vec![condition("depth=1")] },
        ];
        let place = |id: &str| place(Domain::Json, &sets, id);
        assert_eq!(place("json/core/S/0011"), Some((0, 0, 11)));
        assert_eq!(place("json/core/a/b c.json/0000"), Some((0, 1, 0)));
        assert_eq!(place(&id(Domain::Json, "depth", "depth=1", 3)), Some((1, 0, 3)));
        for wrong in
            ["json/core/S/0012", "json/core/S/11", "table/core/S/0011", "json/core/0011", "json/core/S/+001", ""]
        {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }
}
