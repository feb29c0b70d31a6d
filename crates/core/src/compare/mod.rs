//! Leaf comparators: how alike two strings or two numbers are, in [0, 1].
//!
//! | room | what |
//! |---|---|
//! | [`string`] | the built-in string metrics, by name |
//! | [`number`] | the built-in number metrics, by name |
//! | [`custom`] | comparators that a user registers under a name of their own |
//! | [`letters`] | how alike two strings can be at most |
//! | [`memo`] | each distinct pair of strings is compared once |

pub(crate) mod custom;
pub(crate) mod letters;
pub(crate) mod memo;
pub(crate) mod number;
pub(crate) mod string;
