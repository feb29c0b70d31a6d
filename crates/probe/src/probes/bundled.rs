//! The scorers of the paper's probes: `ra` and `plain` for graphs, `sequence` and `set` for orders.

use super::rows::Probe;
use super::scorers::Scorers;
use objalign_core::{Options, Plan};
use serde_json::{Value, json};

fn ra() -> Value { schema(true) }
fn plain() -> Value { schema(false) }
fn schema(references: bool) -> Value {
    let leaf = |keyword: &str, scope: &str| {
        if references { json!({"type": "string", keyword: scope}) } else { json!({"type": "string"}) }
    };
    let (id, end) = (|scope: &str| leaf("idScope", scope), |scope: &str| leaf("ref", scope));
    let list = |fields: Value| json!({"type": "array", "order": "align", "items": {"type": "object", "properties": fields}});
    let name = || json!({"type": "string", "score": "jaro_winkler"});
    let heavy = || json!({"type": "string", "score": "exact", "valueWeight": 1.5});
    let exact = || json!({"type": "string", "score": "exact"});
    json!({
        "type": "object",
        "properties": {
            "people": list(json!({"id": id("people"), "name": name(), "title": heavy()})),
            "companies": list(json!({"id": id("companies"), "name": name(), "industry": heavy()})),
            "employment": list(json!({"person": end("people"), "company": end("companies"), "role": exact()})),
            "acquaintance": list(json!({"source": end("people"), "target": end("people"), "relation": exact()})),
            "partnership": list(json!({"source": end("companies"), "target": end("companies"), "relation": exact()}))
        }
    })
}
fn order(order: &str) -> Value {
    json!({"type": "object", "properties": {"indices": {"type": "array", "order": order, "items": {"type": "integer", "score": "exact"}}}})
}

/// The schemas of a probe, by the names of their scorers.
pub fn schemas(probe: Probe) -> [(&'static str, Value); 2] {
    match probe {
        Probe::Invariance | Probe::Sensitivity => [("ra", ra()), ("plain", plain())],
        Probe::Order => [("sequence", order("fixed")), ("set", order("align"))],
    }
}

/// The scorers of these schemas.
///
/// # Panics
///
/// Never: the schemas are good, as a test shows.
pub fn scorers(probe: Probe, options: Options) -> Scorers {
    schemas(probe).into_iter().fold(Scorers::new(), |scorers, (name, schema)| {
        scorers.with_schema(name, Plan::compile(&schema).expect("a schema without mistakes"), options)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_have_no_mistakes() {
        for probe in [Probe::Invariance, Probe::Sensitivity, Probe::Order] {
            assert_eq!(scorers(probe, Options::new()).names(), schemas(probe).map(|(name, _)| name));
        }
    }
}
