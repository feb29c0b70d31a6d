//! Seeded documents with schemas, and damaged copies of them: what the scorer is measured and shown on.
//!
//! Everything here is a pure function of its arguments: the same seed gives the same bytes, on any platform.
//!
//! | room | what |
//! |---|---|
//! | [`streams`] | independent random generators, one for each (seed, instance, purpose) |
//! | [`bounds`] | knobs that are drawn anew for each instance |
//! | [`org2graph`] | graphs of people and companies, and paragraphs that say them |
//! | [`facts2order`] | items to put in order, and sentences that say by what |
//! | [`corrupt`] | operators: damage in known doses |
//! | [`dataset`] | data sets as directories: splits, files, manifest, and checking them |
//! | [`records`] | lists of flat records, and candidates with typos, gaps and shuffles |
//! | [`scd`] | tasks of values to be put at given places, and completions with known damage |
//! | [`symmetric`] | graphs whose records only the whole structure tells apart |

pub mod bounds;
pub mod corrupt;
pub mod dataset;
pub mod facts2order;
pub mod org2graph;
pub mod records;
pub mod scd;
pub mod streams;
pub mod symmetric;
mod words;
