//! Schemas: from the text that a person wrote to the immutable plan that the aligner follows.
//!
//! | room | what |
//! |---|---|
//! | [`source`] | text to JSON: JSON, or JSON with comments (JSONC, JSON5) |
//! | [`locate`] | what a `$ref` points at |
//! | [`cycles`] | schemas that refer to themselves in place, which mean nothing |
//! | [`keywords`] | reading one keyword: its type, its range, and the error that says what is allowed |
//! | [`compile`] | JSON Schema with the keywords to a [`Plan`]; every mistake is found here |
//! | [`guarded`] | where the validator gives up |
//! | [`plan`] | the plan: what the aligner asks at each node |
//! | [`scopes`] | `idScope` and `ref`: who defines, who refers |
//! | [`describe`] | the plan in words, for `objalign check` |

mod compile;
mod cycles;
mod describe;
mod error;
pub(crate) mod guarded;
mod keywords;
mod locate;
pub(crate) mod plan;
mod scopes;
mod source;

pub(crate) use locate::Targets;

pub use describe::{Description, NodeDescription};
pub use error::{SchemaError, SchemaErrors};
pub use plan::Plan;
pub use source::{SourceError, parse_schema};
