//! Tasks for Structure-Content Decomposition: values to be put at given places, and completions with known damage (*Where vs What*,
//! section 4 and appendices A and C).
//!
//! | room | what |
//! |---|---|
//! | [`table`] | rows of HTML tables with one cell changed |
//! | [`task`] | one task as a row: question, prompt, reference answer |

pub mod table;
pub mod task;
