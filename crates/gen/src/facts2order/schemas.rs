//! The two schemas of Facts2Order: the order counts, and it does not.

use serde_json::{Value, json};

/// Under this schema the labels are compared in their order (paper: sequence).
pub fn sequence() -> Value {
    schema("fixed")
}

/// Under this schema only which labels there are counts (paper: set).
pub fn set() -> Value {
    schema("align")
}

fn schema(order: &str) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": false,
        "required": ["indices"],
        "properties": {
            "indices": {"type": "array", "order": order, "items": {"type": "integer", "score": "exact"}}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use objalign_core::{Aligner, Plan};

    #[test]
    fn one_schema_sees_the_order_and_the_other_does_not() {
        let score = |schema: Value| {
            let plan = Plan::compile(&schema).expect("a schema");
            assert!(plan.warnings().is_empty());
            let (gold, pred) = (json!({"indices": [2, 1, 3]}), json!({"indices": [1, 2, 3]}));
            Aligner::new(&plan).align(&gold, &pred).expect("valid").score()
        };
        assert_eq!(score(set()), 1.0);
        assert_eq!(score(sequence()), 0.5);
    }
}
