//! The validator gives up, by a panic, on numbers beyond the range of an `f64` (1e400) beside others in `const`, `enum`,
//! `uniqueItems`: in a document, and in a schema that is itself checked against its meta-schema.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the validator finds; `None` if it gives up.
pub(crate) fn guarded<T>(validate: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(validate)).ok()
}
