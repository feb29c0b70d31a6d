//! The knobs of the table tasks, and their limits.

use super::forms::{Arranged, Capacity, Forms, Part};
use super::nato::NATO;
use crate::bounds::{Bounds, ParamsError};
use serde::{Deserialize, Serialize};

/// How complex a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Level {
    /// A flat grid of labels and values; each label is there once.
    S,
    /// Merged columns, and repeated blocks between the sections; each label is there once.
    M,
    /// Three to five sections about different parties, with the same labels, and repeated blocks.
    L,
}

impl Level {
    /// All of them, the easiest first.
    pub const ALL: [Self; 3] = [Self::S, Self::M, Self::L];

    /// `S`, `M` or `L`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::M => "M",
            Self::L => "L",
        }
    }

    /// The level of the configurations that it uses.
    pub(super) const fn arranged(self) -> Option<Arranged> {
        match self {
            Self::S => None,
            Self::M => Some(Arranged::M),
            Self::L => Some(Arranged::L),
        }
    }
}

/// The knobs of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// How many rows there are, headings and blocks included, 10 to 100.
    pub rows: Bounds<u32>,
    /// How many labels with their values stand side by side, 5 to 12: the grid is twice as wide.
    pub pairs: u32,
    /// How many of the pairs of a row are merged into others, from 0 to one less than there are.
    pub merged: Bounds<u32>,
    /// How many records a repeated block has, 1 to 20. Nothing at level S, which has no blocks.
    pub records: Bounds<u32>,
    /// How many cells to change, 1 to 26.
    pub targets: u32,
}

/// The core set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// How many tasks of each level; 0 leaves the set out, here and below.
    pub tasks: u64,
    /// Small. The other sets have their tables from these levels.
    pub s: Grid,
    /// Medium.
    pub m: Grid,
    /// Large.
    pub l: Grid,
}

/// Where the rows to change are is alone turned, at level L: near, middle, far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// How many tasks of each.
    pub tasks: u64,
    /// How many cells to change in each; more than fit a third of a table make the third larger.
    pub targets: u32,
}

/// The number of cells to change is alone turned, at level L.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// How many tasks of each number.
    pub tasks: u64,
    /// The numbers, in any order, each once.
    pub targets: Vec<u32>,
}

/// What is learnt from: other draws than any other set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Train {
    /// How many tasks of each level.
    pub tasks: u64,
}

/// A configuration: `configs/scd-table.toml` has every key explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The seed of every draw.
    pub seed: u64,
    /// Levels S, M and L.
    pub core: Core,
    /// Ablation: where the rows to change are.
    pub rows: Rows,
    /// Ablation: how many cells to change.
    pub count: Count,
    /// What is learnt from.
    pub train: Train,
}

impl Params {
    /// Those of the paper (section 4, appendices A.2 and F): about 28, 33 and 53 rows, 280, 330 and 700 cells, 5, 10 and 15
    /// targets; 200 tasks of each level, and some 900 to learn from.
    pub fn published() -> Self {
        Self {
            seed: 20,
            core: Core {
                tasks: 200,
                s: Grid {
                    rows: Bounds::new(26, 30),
                    pairs: 5,
                    merged: Bounds::only(0),
                    records: Bounds::only(1),
                    targets: 5,
                },
                m: Grid {
                    rows: Bounds::new(31, 35),
                    pairs: 7,
                    merged: Bounds::new(0, 2),
                    records: Bounds::new(2, 4),
                    targets: 10,
                },
                l: Grid {
                    rows: Bounds::new(51, 56),
                    pairs: 10,
                    merged: Bounds::new(0, 3),
                    records: Bounds::new(3, 5),
                    targets: 15,
                },
            },
            rows: Rows { tasks: 100, targets: 10 },
            count: Count { tasks: 100, targets: vec![5, 10, 15] },
            train: Train { tasks: 300 },
        }
    }

    /// The knobs of a level.
    pub const fn grid(&self, level: Level) -> &Grid {
        match level {
            Level::S => &self.core.s,
            Level::M => &self.core.m,
            Level::L => &self.core.l,
        }
    }

    pub(super) fn check(&self, forms: &Forms) -> Result<(), ParamsError> {
        for level in Level::ALL {
            let key = format!("core.{}", level.name().to_lowercase());
            self.grid(level).check(&key, level, forms)?;
        }
        let large = &self.core.l;
        large.check_targets("rows.targets", self.rows.targets, Level::L, forms)?;
        for (at, &targets) in self.count.targets.iter().enumerate() {
            large.check_targets("count.targets", targets, Level::L, forms)?;
            if self.count.targets[..at].contains(&targets) {
                return Err(ParamsError::new("count.targets", format_args!("{targets} is there twice; allowed: once")));
            }
        }
        if self.count.targets.is_empty() && self.count.tasks > 0 {
            return Err(ParamsError::new("count.targets", "the list is empty; allowed: one number or more"));
        }
        Ok(())
    }
}

impl Grid {
    fn check(&self, key: &str, level: Level, forms: &Forms) -> Result<(), ParamsError> {
        let key = |name: &str| format!("{key}.{name}");
        self.rows.check(&key("rows"), 10, 100)?;
        if !(5..=12).contains(&self.pairs) {
            return Err(ParamsError::new(&key("pairs"), format_args!("{}; allowed: 5 to 12", self.pairs)));
        }
        self.merged.check(&key("merged"), 0, self.pairs - 1)?;
        self.records.check(&key("records"), 1, 20)?;
        self.check_targets(&key("targets"), self.targets, level, forms)?;
        let least = self.fewest_rows(level, forms);
        if self.rows.min < least {
            let (min, records) = (self.rows.min, self.records.max);
            let told = format_args!("min {min}; allowed with {records} records a block: {least} or more");
            return Err(ParamsError::new(&key("rows"), told));
        }
        let Capacity { section, flat } = forms.labels_of_least();
        let labels = if level == Level::L { section } else { flat } as u32;
        // Each row holds one pair at least.
        if self.rows.max > labels {
            return Err(ParamsError::new(
                &key("rows"),
                format_args!("max {}; there are labels for {labels} rows", self.rows.max),
            ));
        }
        Ok(())
    }

    fn check_targets(&self, key: &str, targets: u32, level: Level, forms: &Forms) -> Result<(), ParamsError> {
        let most = self.fewest_candidates(level, forms).min(NATO.len() as u32);
        if (1..=most).contains(&targets) {
            return Ok(());
        }
        let told = "each has a row and a word of its own";
        Err(ParamsError::new(key, format_args!("{targets}; allowed: 1 to {most}, {told}")))
    }

    /// How many rows the configuration that needs most of them needs at least.
    fn fewest_rows(&self, level: Level, forms: &Forms) -> u32 {
        let of = parts(level, forms);
        let rows = of.map(|(sections, blocks)| sections * (1 + ROWS_OF_A_SECTION) + blocks * (2 + self.records.max));
        rows.max().unwrap_or(ROWS_OF_A_SECTION)
    }

    /// How many rows of the smallest table have a cell that can be changed.
    fn fewest_candidates(&self, level: Level, forms: &Forms) -> u32 {
        let of = parts(level, forms);
        let rows = of.map(|(sections, blocks)| self.rows.min.saturating_sub(sections + 2 * blocks));
        rows.min().unwrap_or(self.rows.min)
    }
}

/// How many sections with headings, and how many blocks, each configuration of a level has.
fn parts(level: Level, forms: &Forms) -> impl Iterator<Item = (u32, u32)> {
    let of = forms.configurations.iter().filter(move |configuration| Some(configuration.level) == level.arranged());
    of.map(|configuration| (configuration.count(Part::Section) as u32, configuration.count(Part::Block) as u32))
}

/// A section has so many rows of fields at least.
pub(super) const ROWS_OF_A_SECTION: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scd::table::forms::BUILT_IN;

    #[test]
    fn impossible_tables_name_the_key_and_what_is_allowed() {
        let forms = &*BUILT_IN;
        assert_eq!(Params::published().check(forms), Ok(()));
        let refused = |change: &dyn Fn(&mut Params)| {
            let mut params = Params::published();
            change(&mut params);
            params.check(forms).expect_err("refused").to_string()
        };
        let told = "`core.s.rows`: min 30 and max 28 make no range; allowed: 10 to 100, min no greater than max";
        assert_eq!(refused(&|params| params.core.s.rows = Bounds::new(30, 28)), told);
        let told = "`core.m.merged`: min 0 and max 7 make no range; allowed: 0 to 6, min no greater than max";
        assert_eq!(refused(&|params| params.core.m.merged.max = 7), told);
        let told = "`core.m.targets`: 26; allowed: 1 to 25, each has a row and a word of its own";
        assert_eq!(refused(&|params| params.core.m.targets = 26), told);
        let told = "`count.targets`: 5 is there twice; allowed: once";
        assert_eq!(refused(&|params| params.count.targets = vec![5, 5]), told);
        let told = "`rows.targets`: 0; allowed: 1 to 26, each has a row and a word of its own";
        assert_eq!(refused(&|params| params.rows.targets = 0), told);
        let told = "`core.l.rows`: min 51; allowed with 20 records a block: 100 or more";
        assert_eq!(refused(&|params| params.core.l.records.max = 20), told);
    }
}
