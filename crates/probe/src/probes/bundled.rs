//! The scorers of the paper's probes: `ra` and `plain` for graphs, `sequence` and `set` for orders.
//!
//! They are the schemas of the generators without what only makes a document invalid (`required`, `additionalProperties`): pairs that
//! others made may say more than ours. No pair of ours scores differently for it.

use super::rows::Probe;
use super::scorers::Scorers;
use objalign_core::{Options, Plan};
use objalign_gen::{facts2order, org2graph};
use serde_json::Value;

/// The schemas of a probe, by the names of their scorers.
pub fn schemas(probe: Probe) -> [(&'static str, Value); 2] {
    let schemas = match probe {
        Probe::Invariance | Probe::Sensitivity => {
            [("ra", org2graph::schemas::ra()), ("plain", org2graph::schemas::plain())]
        }
        Probe::Order => [("sequence", facts2order::schemas::sequence()), ("set", facts2order::schemas::set())],
    };
    schemas.map(|(name, mut schema)| {
        loosen(&mut schema);
        (name, schema)
    })
}

fn loosen(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            keywords.shift_remove("required");
            keywords.shift_remove("additionalProperties");
            keywords.values_mut().for_each(loosen);
        }
        Value::Array(items) => items.iter_mut().for_each(loosen),
        _ => {}
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
