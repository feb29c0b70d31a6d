//! The knobs of the JSON tasks, their limits, and the published setting.

use super::tree::Shape;
use super::vocabulary::{Kind, VOCABULARY};
use crate::bounds::{Bounds, ParamsError};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the children of a node are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cues {
    /// `left` and `right`, at every level.
    Opaque,
    /// By what they are about: `inpatient` and `outpatient`; another pair at each level.
    Descriptive,
}

/// Whether field names tell nodes apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Names {
    /// Every node has the same ones, as one recursive type has.
    Repeated,
    /// No name occurs twice. Those that the domain is short of come from other domains.
    Unique,
}

/// What all sets share, but for what an ablation turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nodes {
    /// How many value fields a node has, 3 to 8.
    pub values: u32,
    /// How many fields its metadata object has, 1 to 6.
    pub metadata: u32,
    /// What its children are called.
    pub cues: Cues,
    /// Whether field names tell nodes apart.
    pub names: Names,
    /// How much of what is planted stands on the last two levels, in percent, rounded to the nearest whole value; the rest
    /// stands above them. All of it where there is nothing above.
    pub deep_percent: u32,
}

/// One degree of complexity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// How many levels of nodes there are, 1 to 5: 2^depth - 1 nodes.
    pub depth: u32,
    /// How many values are planted, 1 to 26.
    pub planted: u32,
}

/// The core set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// How many tasks of each level; 0 leaves the set out, here and below.
    pub tasks: u64,
    /// Small.
    pub s: Level,
    /// Medium.
    pub m: Level,
    /// Large.
    pub l: Level,
}

/// Depth alone is turned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Depth {
    /// How many tasks of each depth.
    pub tasks: u64,
    /// The depths, in any order, each once.
    pub depths: Vec<u32>,
    /// How many values are planted at each. A tree of one node has room for few.
    pub planted: u32,
}

/// The number of planted values alone is turned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// How many tasks of each number.
    pub tasks: u64,
    /// How deep all of them are.
    pub depth: u32,
    /// The numbers, in any order, each once.
    pub planted: Vec<u32>,
}

/// A set of two conditions at the medium level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// How many tasks of each condition.
    pub tasks: u64,
}

/// What is learnt from: other draws than any other set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Train {
    /// How many tasks of each depth.
    pub tasks: u64,
    /// The depths, in any order, each once.
    pub depths: Vec<u32>,
    /// How many values are planted: drawn for each task.
    pub planted: Bounds<u32>,
}

/// Tasks of schemas that were given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Real {
    /// How many tasks of each schema.
    pub tasks: u64,
    /// How many values are planted: as many as there is room for, up to `max`. A schema with room for fewer than `min` is passed over.
    pub planted: Bounds<u32>,
    /// The longest schema that is taken, in characters.
    pub max_characters: u32,
}

/// A configuration: `configs/scd-json.toml` has every key explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The seed of every draw.
    pub seed: u64,
    /// What nodes are made of.
    pub nodes: Nodes,
    /// Levels S, M and L.
    pub core: Core,
    /// Ablation: how deep the tree is.
    pub depth: Depth,
    /// Ablation: how much is planted.
    pub count: Count,
    /// Ablation: `left` and `right`, or names that mean something.
    pub cues: Pair,
    /// Ablation: the same field names in every node, or none twice.
    pub names: Pair,
    /// What is learnt from.
    pub train: Train,
    /// Schemas that were given.
    pub real: Real,
}

/// The deepest tree: 31 nodes.
pub(super) const DEEPEST: u32 = 5;

impl Params {
    /// The published setting: 500 tasks of each level, 100 of each condition of an ablation (*Where vs What*, section 4 and
    /// appendix A.1). What the paper leaves open is as in `configs/scd-json.toml`.
    pub fn published() -> Self {
        Self {
            seed: 20,
            nodes: Nodes { values: 4, metadata: 3, cues: Cues::Opaque, names: Names::Repeated, deep_percent: 70 },
            core: Core {
                tasks: 500,
                s: Level { depth: 2, planted: 12 },
                m: Level { depth: 3, planted: 15 },
                l: Level { depth: 4, planted: 20 },
            },
            depth: Depth { tasks: 100, depths: vec![1, 2, 3], planted: 6 },
            count: Count { tasks: 100, depth: 3, planted: vec![5, 10, 15, 20] },
            cues: Pair { tasks: 100 },
            names: Pair { tasks: 100 },
            train: Train { tasks: 1000, depths: vec![3, 4, 5], planted: Bounds::new(12, 20) },
            real: Real { tasks: 1, planted: Bounds::new(3, 20), max_characters: 20_000 },
        }
    }

    pub(super) fn check(&self) -> Result<(), ParamsError> {
        let nodes = &self.nodes;
        within("nodes.values", nodes.values, 3, 8)?;
        within("nodes.metadata", nodes.metadata, 1, 6)?;
        within("nodes.deep_percent", nodes.deep_percent, 0, 100)?;
        for (key, level) in [("core.s", self.core.s), ("core.m", self.core.m), ("core.l", self.core.l)] {
            self.room(&format!("{key}.depth"), &format!("{key}.planted"), level)?;
        }
        each("depth.depths", &self.depth.depths)?;
        for &depth in &self.depth.depths {
            self.room("depth.depths", "depth.planted", Level { depth, planted: self.depth.planted })?;
        }
        each("count.planted", &self.count.planted)?;
        for &planted in &self.count.planted {
            self.room("count.depth", "count.planted", Level { depth: self.count.depth, planted })?;
        }
        each("train.depths", &self.train.depths)?;
        let most = VOCABULARY.planted.of(Kind::String).len() as u32;
        self.train.planted.check("train.planted", 1, most)?;
        for &depth in &self.train.depths {
            for planted in self.train.planted.min..=self.train.planted.max {
                self.room("train.depths", "train.planted", Level { depth, planted })?;
            }
        }
        self.real.planted.check("real.planted", 1, most)
    }

    /// Whether a level can be: by key of its depth and of its number of values.
    fn room(&self, depth_key: &str, planted_key: &str, level: Level) -> Result<(), ParamsError> {
        within(depth_key, level.depth, 1, DEEPEST)?;
        within(planted_key, level.planted, 1, VOCABULARY.planted.of(Kind::String).len() as u32)?;
        let (above, deep) = Shape::room(level.depth, &self.nodes);
        let wanted_deep = Shape::deep(level, &self.nodes);
        let wanted_above = level.planted - wanted_deep;
        for (where_, room, wanted) in
            [("above the last two levels", above, wanted_above), ("on the last two levels", deep, wanted_deep)]
        {
            if wanted > room {
                let message = format_args!(
                    "{} at depth {} put {wanted} {where_}; allowed: {room} there, or more fields",
                    level.planted, level.depth
                );
                return Err(ParamsError::new(planted_key, message));
            }
        }
        Ok(())
    }
}

fn within(key: &str, value: u32, least: u32, most: u32) -> Result<(), ParamsError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(ParamsError::new(key, format_args!("{value}; allowed: {least} to {most}")))
}

fn each<T: PartialEq + fmt::Display>(key: &str, list: &[T]) -> Result<(), ParamsError> {
    let twice = list.iter().enumerate().find(|(at, item)| list[..*at].contains(item));
    match twice {
        Some((_, item)) => Err(ParamsError::new(key, format_args!("{item} is there twice; allowed: once"))),
        None if list.is_empty() => Err(ParamsError::new(key, "the list is empty; allowed: one or more")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl Fn(&mut Params)) -> String {
        let mut params = Params::published();
        change(&mut params);
        params.check().expect_err("refused").to_string()
    }

    #[test]
    fn impossible_values_name_the_key_and_what_is_allowed() {
        assert_eq!(Params::published().check(), Ok(()));
        assert_eq!(refused(|params| params.nodes.values = 2), "`nodes.values`: 2; allowed: 3 to 8");
        assert_eq!(refused(|params| params.core.l.depth = 6), "`core.l.depth`: 6; allowed: 1 to 5");
        assert_eq!(refused(|params| params.core.s.planted = 27), "`core.s.planted`: 27; allowed: 1 to 26");
        assert_eq!(
            refused(|params| params.depth.depths = vec![2, 1, 2]),
            "`depth.depths`: 2 is there twice; allowed: once"
        );
        assert_eq!(
            refused(|params| params.count.planted.clear()),
            "`count.planted`: the list is empty; allowed: one or more"
        );
        assert_eq!(
            refused(|params| params.depth.planted = 7),
            "`depth.planted`: 7 at depth 1 put 7 on the last two levels; allowed: 6 there, or more fields"
        );
        assert_eq!(
            refused(|params| params.nodes.deep_percent = 30),
            "`core.m.planted`: 15 at depth 3 put 10 above the last two levels; allowed: 6 there, or more fields"
        );
        assert_eq!(
            refused(|params| params.train.planted = Bounds::new(5, 30)),
            "`train.planted`: min 5 and max 30 make no range; allowed: 1 to 26, min no greater than max"
        );
    }
}
