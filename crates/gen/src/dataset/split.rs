//! Which instance goes where.
//!
//! Instances are looked at in the order of their indices. One whose content was seen before is passed over, so no two rows of
//! a data set are the same up to ids and wording, whatever their splits. Any other goes to the first split that still wants its
//! stratum, or is passed over when none does. Each split has every stratum as often as any other, within one row.
//!
//! Content is remembered as 16 bytes of its SHA-256: the only memory that grows, by some 32 bytes a row.

use super::config::Splits;
use super::source::{Example, Source};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// One of the three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Split {
    /// Rows to learn from.
    Train,
    /// Rows to choose by.
    Val,
    /// Rows to measure with.
    Test,
}

impl Split {
    /// All of them, in the order in which they are filled.
    pub const ALL: [Self; 3] = [Self::Train, Self::Val, Self::Test];

    /// The name of the file, without its extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Val => "val",
            Self::Test => "test",
        }
    }

    /// How many rows it is to have.
    pub const fn size(self, splits: Splits) -> u64 {
        match self {
            Self::Train => splits.train,
            Self::Val => splits.val,
            Self::Test => splits.test,
        }
    }
}

/// Why the splits cannot be filled.
#[derive(Debug, thiserror::Error)]
pub enum SplitError<E> {
    /// There are not so many different instances.
    #[error(
        "the parameters give too few different instances: {found} of {wanted} rows found, and none in the last {PATIENCE} tries; \
         allowed: fewer rows, or wider ranges"
    )]
    Exhausted {
        /// How many rows there are.
        found: u64,
        /// How many there should be.
        wanted: u64,
    },
    /// A row could not be taken.
    #[error(transparent)]
    Row(E),
}

/// After how many instances in a row that nobody wants the search is given up.
pub const PATIENCE: u64 = 20_000;

/// How many instances are made at a time. Memory is for so many; it does not change what comes out.
const CHUNK: u64 = 2048;

/// Fills the splits, and gives each row to `take`, in the order of the indices. Says how many indices were looked at. Instances are made in
/// parallel, by the threads of the pool that this runs in.
///
/// # Errors
///
/// There are too few different instances, or `take` fails.
pub fn fill<E>(
    source: &dyn Source,
    splits: Splits,
    mut take: impl FnMut(Split, &Example) -> Result<(), E>,
) -> Result<u64, SplitError<E>> {
    let strata = source.strata().len();
    let mut open = quotas(splits, strata);
    let wanted: u64 = Split::ALL.iter().map(|split| split.size(splits)).sum();
    let (mut found, mut idle, mut next) = (0, 0, 0);
    let mut seen: HashSet<u128> = HashSet::new();
    while found < wanted {
        // Near the end there is no use in more than is wanted.
        let size = CHUNK.min((wanted - found) * 2 + 64);
        let chunk: Vec<(Example, u128)> = (next..next + size)
            .into_par_iter()
            .map(|index| {
                let example = source.example(index);
                let content = fingerprint(&example.content);
                (example, content)
            })
            .collect();
        for (example, content) in &chunk {
            if found == wanted {
                break;
            }
            next += 1;
            idle += 1;
            let Some(split) = Split::ALL.into_iter().find(|split| open[*split as usize][example.stratum] > 0) else {
                continue;
            };
            if seen.insert(*content) {
                open[split as usize][example.stratum] -= 1;
                take(split, example).map_err(SplitError::Row)?;
                found += 1;
                idle = 0;
            }
        }
        if idle >= PATIENCE {
            return Err(SplitError::Exhausted { found, wanted });
        }
    }
    Ok(next)
}

pub(crate) fn fingerprint(content: &str) -> u128 {
    let digest = Sha256::digest(content.as_bytes());
    digest.iter().take(16).fold(0, |fingerprint, &byte| fingerprint << 8 | u128::from(byte))
}

/// How many rows of each stratum each split wants: all alike, what is left over going round.
fn quotas(splits: Splits, strata: usize) -> [Vec<u64>; 3] {
    let mut first = 0;
    Split::ALL.map(|split| {
        let size = split.size(splits);
        let (each, over) = (size / strata as u64, (size % strata as u64) as usize);
        let mut quota = vec![each; strata];
        for nth in 0..over {
            quota[(first + nth) % strata] += 1;
        }
        first = (first + over) % strata;
        quota
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::config::Config;
    use crate::dataset::source::{Graphs, Orders};
    use crate::{facts2order, org2graph};
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    fn rows(source: &dyn Source, splits: Splits) -> Vec<(Split, Example)> {
        let mut rows = Vec::new();
        let done = fill(source, splits, |split, example| {
            rows.push((split, example.clone()));
            Ok::<(), Infallible>(())
        });
        assert!(done.is_ok());
        rows
    }

    #[test]
    fn splits_are_disjoint_by_content_and_strata_are_even() {
        let splits = Splits { train: 100, val: 41, test: 203 };
        let source = Orders::new(Config { seed: 1, splits, params: facts2order::params::Params::stated() });
        let source = source.expect("parameters");
        let rows = rows(&source, splits);
        let contents: HashSet<&String> = rows.iter().map(|(_, example)| &example.content).collect();
        assert_eq!((rows.len(), contents.len()), (344, 344));
        let mut counts: BTreeMap<(Split, usize), u64> = BTreeMap::new();
        for (split, example) in &rows {
            *counts.entry((*split, example.stratum)).or_insert(0) += 1;
        }
        for split in Split::ALL {
            let each = split.size(splits) / 8;
            let of: Vec<u64> = (0..8).map(|stratum| counts[&(split, stratum)]).collect();
            assert!(of.iter().all(|count| (each..=each + 1).contains(count)), "{split:?}: {of:?}");
            assert_eq!(of.iter().sum::<u64>(), split.size(splits));
        }
    }

    #[test]
    fn the_threads_change_nothing() {
        let splits = Splits { train: 60, val: 20, test: 20 };
        let source =
            Graphs::new(Config { seed: 1, splits, params: org2graph::params::Params::CN }).expect("parameters");
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| rows(&source, splits))
        };
        assert_eq!(with(1), with(3));
    }

    /// The first two instances over and over.
    struct Two<'s>(&'s Graphs);
    impl Source for Two<'_> {
        fn kind(&self) -> &'static str {
            "two"
        }
        fn variant(&self) -> &'static str {
            "two"
        }
        fn config(&self) -> serde_json::Value {
            self.0.config()
        }
        fn strata(&self) -> Vec<String> {
            self.0.strata()
        }
        fn example(&self, index: u64) -> Example {
            self.0.example(index % 2)
        }
        fn files(&self) -> Vec<(&'static str, String)> {
            Vec::new()
        }
        fn check(&self, _: &str, _: &serde_json::Value) -> Result<(), String> {
            Ok(())
        }
    }

    #[test]
    fn too_few_instances_are_an_error() {
        let splits = Splits { train: 900_000, val: 0, test: 0 };
        let source =
            Graphs::new(Config { seed: 1, splits, params: org2graph::params::Params::PN }).expect("parameters");
        let error = fill(&Two(&source), splits, |_, _| Ok::<(), Infallible>(())).expect_err("two are too few");
        assert!(
            error.to_string().starts_with("the parameters give too few different instances: 2 of 900000 rows found")
        );
    }
}
