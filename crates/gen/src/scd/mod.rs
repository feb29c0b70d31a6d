//! Tasks for Structure-Content Decomposition: values to be put at given places, and completions with known damage (*Where vs What*,
//! section 4 and appendices A and C).
//!
//! | room | what |
//! |---|---|
//! | [`table`] | rows of HTML tables with one cell changed |
//! | [`task`] | one task as a row: question, prompt, reference answer |
//! | [`sets`] | what a directory of tasks holds, whatever the domain |
//! | [`directory`] | writing one, and checking one |
//! | [`check`] | whether a task is one, and its reference right in everything |
//! | [`json`] | values at paths of a tree |
//! | [`damage`] | completions with known damage, and what the measures must say of them |
//! | [`models`] | completions of graded skill |

pub mod check;
pub mod damage;
pub mod directory;
pub mod json;
pub mod models;
pub mod sets;
pub mod table;
pub mod task;
