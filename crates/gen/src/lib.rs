//! Seeded documents with schemas, and damaged copies of them: what the scorer is measured and shown on.
//!
//! Everything here is a pure function of its arguments: the same seed gives the same bytes, on any platform.
//!
//! | room | what |
//! |---|---|
//! | [`streams`] | independent random generators, one for each (seed, instance, purpose) |
//! | [`records`] | lists of flat records, and candidates with typos, gaps and shuffles |
//! | [`symmetric`] | graphs whose records only the whole structure tells apart |

pub mod records;
pub mod streams;
pub mod symmetric;
