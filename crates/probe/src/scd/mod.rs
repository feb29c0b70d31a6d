//! Completions against tasks: what each is worth, structure and content apart, and what that amounts to by level.
//!
//! | room | what |
//! |---|---|
//! | [`tasks`] | a file of tasks, compiled for measuring |
//! | [`outcome`] | what a completion came to, as a line of JSON |
//! | [`runner`] | completions in, outcomes out, in parallel and in order |
//! | [`summary`] | means by level, with intervals |
//! | [`metrology`] | whether the measures read back known damage |
//! | [`cross`] | the same damage as the aligner sees it |

pub mod cross;
pub mod metrology;
pub mod outcome;
pub mod runner;
pub mod summary;
pub mod tasks;

#[cfg(test)]
mod testing {
    //! What the tests of the probes share: tasks of both domains.

    use objalign_gen::scd::json::{ScdJson, params::Params as JsonParams};
    use objalign_gen::scd::sets::TaskSource;
    use objalign_gen::scd::table::{Tables, params::Params as TableParams};
    use objalign_gen::scd::task::TaskRow;

    /// So many tasks of each level and domain.
    pub(super) fn tasks(count: u64) -> Vec<TaskRow> {
        let trees = ScdJson::new(JsonParams::published()).expect("parameters");
        let tables = Tables::new(TableParams::published()).expect("parameters");
        let of = |source: &dyn TaskSource| {
            (0..3)
                .flat_map(|level| (0..count).map(move |index| (level, index)))
                .map(|(level, index)| source.task(0, level, index))
                .collect::<Vec<_>>()
        };
        [of(&trees), of(&tables)].concat()
    }
}
