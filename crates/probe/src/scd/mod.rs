//! Completions against tasks: what each is worth, structure and content apart, and what that amounts to by level.
//!
//! | room | what |
//! |---|---|
//! | [`tasks`] | a file of tasks, compiled for measuring |
//! | [`outcome`] | what a completion came to, as a line of JSON |
//! | [`runner`] | completions in, outcomes out, in parallel and in order |
//! | [`summary`] | means by level, with intervals |

pub mod outcome;
pub mod runner;
pub mod summary;
pub mod tasks;
