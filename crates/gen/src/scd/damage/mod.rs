//! Simulated completions with known damage: what the measures have to read back, exactly.
//!
//! Operators edit the reference of a task, so many times as the dose says, and are of the trait [`Operator`](crate::corrupt::Operator);
//! faults edit the text of a completion. Of n planted values and R required leaf paths, k edits leave:
//!
//! | operator | VPA | VP | DR | SCR | what a dose is |
//! |---|---|---|---|---|---|
//! | `sibling_swap` | 1 - 2k/n | 1 | 2k/n | 1 | a pair of values of one type that changed places |
//! | `cousin_rotation` | 1 - k/n | 1 | k/n | 1 | a value that stands at the path of another; a rotation of one is none, so dose 1 cannot be reached |
//! | `value_replacement` | 1 - k/n | 1 - k/n | 0 | 1 | a value that another of its type took the place of |
//! | `leaf_drop` | 1 - k/n | 1 - k/n | 0 | 1 - k/R | a planted leaf that went |
//! | `subtree_drop` | 1 - p/n | 1 - p/n | 0 | 1 - q/R | an object that went, in all with p planted values and q required leaves |
//! | `undeclared_paths` | 1 | 1 | 0 | 1 | a member that no schema declares |
//!
//! Of a table task's n targets, whose rows are what is required, k edits leave:
//!
//! | operator | VPA | VP | DR | SCR | what a dose is |
//! |---|---|---|---|---|---|
//! | `cell_move` | 1 - k/n | 1 | k/n | 1 | a replacement in another cell of its row, the target's old text back in its place |
//! | `value_replacement` | 1 - k/n | 1 - k/n | 0 | 1 | a target that says another word |
//! | `wrong_row` | 1 - k/n | 1 - k/n | 0 | 1 | another row of the table, of the same shape, unchanged |
//! | `wrong_row_unlike` | 1 - k/n | 1 - k/n | 0 | 1 - k/n | another row of the table, of another shape, unchanged |
//! | `wrong_row_edited` | 1 | 1 | 0 | 1 | another row of the same shape with the replacement in the target's column: what no measure sees |
//! | `row_swap` | 1 - 2k/n | 1 - 2k/n | 0 | 1 - s/n | two targets whose rows changed places; s of the rows are of another shape than wanted |
//! | `cell_count` | 1 | 1 | 0 | 1 - k/n | a row with a cell more or less behind the target |
//! | `target_drop` | 1 - k/n | 1 - k/n | 0 | 1 - k/n | a target without a row |
//!
//! VP is lost with the row: it asks for a replacement in its own target's row only (appendix B). A wrong row of the right shape with the
//! right word in the right column passes for right, since only tags, spans and the one cell are compared.
//!
//! DR is undefined where nothing is left. [`ClosedForm`] has these as counts, so that they compare with
//! [`Measures`] without rounding. What a fault leaves is in [`format`].
//!
//! | room | what |
//! |---|---|
//! | [`json`] | operators on JSON tasks |
//! | [`table`] | operators on table tasks |
//! | [`mixed`] | several operators at once |
//! | [`format`] | faults of the text, in both domains |

pub mod format;
pub mod json;
pub mod mixed;
pub mod table;

use super::task::{Domain, TaskRow};
use crate::corrupt::{Edit, Misfit, Operators};
use objalign_core::scd::Measures;

/// The operators on the reference of a task, in the order of the tables above.
///
/// # Errors
///
/// The row is a task that cannot be measured.
pub fn operators(row: &TaskRow) -> Result<Operators, Misfit> {
    match row.domain {
        Domain::Json => json::operators(row),
        Domain::Table => table::operators(row),
    }
}

/// What the measures must count after these edits of an operator.
///
/// # Errors
///
/// The row is a task that cannot be measured, or there is no operator of this name.
pub fn closed_form(row: &TaskRow, operator: &str, edits: &[Edit]) -> Result<ClosedForm, Misfit> {
    match row.domain {
        Domain::Json => json::closed_form(row, operator, edits),
        Domain::Table => table::closed_form(row, operator, edits),
    }
}

/// What the measures must count after known damage: exact, no estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedForm {
    /// How many values are planted.
    pub planted: usize,
    /// How many of them stand at their paths: VPA is `placed / planted`.
    pub placed: usize,
    /// How many of them stand anywhere: VP is `present / planted`, DR `1 - placed / present`.
    pub present: usize,
    /// How many leaf paths are required.
    pub required: usize,
    /// How many of them are there: SCR is `required_found / required`.
    pub required_found: usize,
}

impl ClosedForm {
    /// That of a completion which is right in everything.
    pub const fn perfect(planted: usize, required: usize) -> Self {
        Self { planted, placed: planted, present: planted, required, required_found: required }
    }

    /// Whether the measures say exactly this.
    pub fn agrees(&self, measures: &Measures) -> bool {
        measures.fmt_ok() && *self == Self::of(measures)
    }

    /// What measures counted, for comparison.
    pub fn of(measures: &Measures) -> Self {
        Self {
            planted: measures.planted,
            placed: measures.placed,
            present: measures.present,
            required: measures.required,
            required_found: measures.required_found,
        }
    }
}
