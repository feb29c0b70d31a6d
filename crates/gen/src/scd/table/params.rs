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

/// The knobs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Level S.
    pub s: Grid,
    /// Level M.
    pub m: Grid,
    /// Level L.
    pub l: Grid,
}

impl Params {
    /// Those of the paper (section 4 and appendix A.2): about 28, 33 and 53 rows, 280, 330 and 700 cells, 5, 10 and 15 targets.
    pub fn paper() -> Self {
        Self {
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
                rows: Bounds::new(50, 56),
                pairs: 10,
                merged: Bounds::new(0, 3),
                records: Bounds::new(3, 5),
                targets: 15,
            },
        }
    }

    /// The knobs of a level.
    pub const fn grid(&self, level: Level) -> &Grid {
        match level {
            Level::S => &self.s,
            Level::M => &self.m,
            Level::L => &self.l,
        }
    }

    pub(super) fn check(&self, forms: &Forms) -> Result<(), ParamsError> {
        Level::ALL.into_iter().try_for_each(|level| self.grid(level).check(level, forms))
    }
}

impl Grid {
    fn check(&self, level: Level, forms: &Forms) -> Result<(), ParamsError> {
        let key = |name: &str| format!("{}.{name}", level.name().to_lowercase());
        self.rows.check(&key("rows"), 10, 100)?;
        Bounds::only(self.pairs).check(&key("pairs"), 5, 12)?;
        self.merged.check(&key("merged"), 0, self.pairs - 1)?;
        self.records.check(&key("records"), 1, 20)?;
        Bounds::only(self.targets).check(&key("targets"), 1, NATO.len() as u32)?;
        if self.targets > self.fewest_candidates(level, forms) {
            let (targets, most) = (self.targets, self.fewest_candidates(level, forms));
            return Err(ParamsError::new(
                &key("targets"),
                format_args!(
                    "{targets}, each in a row of its own; the smallest table of this level has {most} rows for them"
                ),
            ));
        }
        let rest = self.fewest_fields_rows(level, forms);
        if rest < ROWS_OF_A_SECTION {
            let least = self.rows.min + ROWS_OF_A_SECTION.saturating_sub(rest);
            return Err(ParamsError::new(
                &key("rows"),
                format_args!(
                    "min {} leaves too little beside {} records a block; allowed: {least} or more",
                    self.rows.min, self.records.max
                ),
            ));
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

    /// Of the smallest table, how many rows of fields its sections have each.
    fn fewest_fields_rows(&self, level: Level, forms: &Forms) -> u32 {
        let Some(arranged) = level.arranged() else { return self.rows.min };
        let of = forms.configurations.iter().filter(|configuration| configuration.level == arranged);
        let rest = of.map(|configuration| {
            let (sections, blocks) =
                (configuration.count(Part::Section) as u32, configuration.count(Part::Block) as u32);
            self.rows.min.saturating_sub(sections + blocks * (2 + self.records.max)) / sections.max(1)
        });
        rest.min().unwrap_or(0)
    }

    /// Of the smallest table, how many rows have a cell that can be changed.
    fn fewest_candidates(&self, level: Level, forms: &Forms) -> u32 {
        let Some(arranged) = level.arranged() else { return self.rows.min };
        let of = forms.configurations.iter().filter(|configuration| configuration.level == arranged);
        let rest = of.map(|configuration| {
            let (sections, blocks) =
                (configuration.count(Part::Section) as u32, configuration.count(Part::Block) as u32);
            self.rows.min.saturating_sub(sections + 2 * blocks)
        });
        rest.min().unwrap_or(0)
    }
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
        assert_eq!(Params::paper().check(forms), Ok(()));
        let refused = |change: &dyn Fn(&mut Params)| {
            let mut params = Params::paper();
            change(&mut params);
            params.check(forms).expect_err("refused").to_string()
        };
        let told = "`s.rows`: min 30 and max 28 make no range; allowed: 10 to 100, min no greater than max";
        assert_eq!(refused(&|params| params.s.rows = Bounds::new(30, 28)), told);
        let told = "`m.merged`: min 0 and max 7 make no range; allowed: 0 to 6, min no greater than max";
        assert_eq!(refused(&|params| params.m.merged.max = 7), told);
        let told = "`m.targets`: 26, each in a row of its own; the smallest table of this level has 25 rows for them";
        assert_eq!(refused(&|params| params.m.targets = 26), told);
        let told = "`l.rows`: min 50 leaves too little beside 20 records a block; allowed: 53 or more";
        assert_eq!(refused(&|params| params.l.records.max = 20), told);
    }
}
