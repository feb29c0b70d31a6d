//! Schema texts to plans, each distinct text once.
//!
//! Bounded: what the latest chunk of rows did not use is dropped as soon as there are more than [`KEPT`] plans.

use objalign_core::Plan;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A compiled schema, or the line that says why there is none.
pub(super) type Compiled = Arc<Result<Plan, String>>;

const KEPT: usize = 256;

/// Compiled schemas by their text.
#[derive(Default)]
pub(super) struct Plans {
    known: BTreeMap<Box<str>, Compiled>,
}

impl Plans {
    /// The plans of these texts. New ones are compiled in parallel.
    pub(super) fn resolve<'t>(&mut self, texts: BTreeSet<&'t str>) -> BTreeMap<&'t str, Compiled> {
        let new: Vec<&str> = texts.iter().copied().filter(|text| !self.known.contains_key(*text)).collect();
        let compiled: Vec<Compiled> = new.clone().into_par_iter().map(|text| Arc::new(compile(text))).collect();
        self.known.extend(new.into_iter().map(Box::from).zip(compiled));
        if self.known.len() > KEPT {
            self.known.retain(|text, _| texts.contains(&**text));
        }
        texts.into_iter().filter_map(|text| Some((text, self.known.get(text)?.clone()))).collect()
    }
}

fn compile(text: &str) -> Result<Plan, String> {
    let schema = objalign_core::parse_schema(text).map_err(|error| format!("schema: {error}"))?;
    Plan::compile(&schema).map_err(|errors| format!("schema {errors}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_compiled_once() {
        let mut plans = Plans::default();
        let texts = BTreeSet::from(["true", r#"{"type": "string"}"#, r#"{"order": 1}"#]);
        let first = plans.resolve(texts.clone());
        let again = plans.resolve(texts);
        assert!(Arc::ptr_eq(&first["true"], &again["true"]));
        let error = first[r#"{"order": 1}"#].as_ref().as_ref().expect_err("a mistake");
        assert!(error.starts_with("schema /order: "), "{error}");
    }

    #[test]
    fn the_number_of_plans_is_bounded() {
        let mut plans = Plans::default();
        for at in 0..1000 {
            let text = format!(r#"{{"maxLength": {at}}}"#);
            assert_eq!(plans.resolve(BTreeSet::from([text.as_str()])).len(), 1);
            assert!(plans.known.len() <= KEPT);
        }
    }
}
