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
use std::sync::Arc;

/// The damage that can be done to the reference of a task, and what the measures must say of it. To be kept for many cases: it is the
/// schema or the table that takes time to read.
pub struct Damage {
    operators: Operators,
    forms: Arc<dyn Forms>,
}

/// What is known of a task beside its operators.
trait Forms: Send + Sync {
    fn perfect(&self) -> ClosedForm;
    fn closed_form(&self, operator: &str, edits: &[Edit]) -> Result<ClosedForm, Misfit>;
}

impl Damage {
    /// That of a task.
    ///
    /// # Errors
    ///
    /// The row is a task that cannot be measured.
    pub fn of(row: &TaskRow) -> Result<Self, Misfit> {
        match row.domain {
            Domain::Json => json::damage(row),
            Domain::Table => table::damage(row),
        }
    }

    /// The operators, in the order of the tables above.
    pub fn operators(&self) -> &Operators {
        &self.operators
    }

    /// What the measures must count of the reference itself.
    pub fn perfect(&self) -> ClosedForm {
        self.forms.perfect()
    }

    /// What the measures must count after these edits of an operator.
    ///
    /// # Errors
    ///
    /// There is no operator of this name.
    pub fn closed_form(&self, operator: &str, edits: &[Edit]) -> Result<ClosedForm, Misfit> {
        self.forms.closed_form(operator, edits)
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

    /// The same where so many planted values moved, so many are lost, and so many of what is required.
    const fn less(self, moved: usize, lost: usize, missing: usize) -> Self {
        Self {
            placed: self.placed - moved - lost,
            present: self.present - lost,
            required_found: self.required_found - missing,
            ..self
        }
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
