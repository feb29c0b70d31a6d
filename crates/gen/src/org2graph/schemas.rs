//! The two schemas of Org2Graph: with references, and without any; and the shape that operators go by.

use super::Org2Graph;
use super::vocabulary::Topic;
use crate::corrupt::shape::{Category, End, Free, Identifier, List, Shape};
use serde_json::{Value, json};

/// Under this schema ids are arbitrary: references are followed (paper: RA).
pub fn ra() -> Value {
    schema(true)
}

/// The same without `idScope` and `ref` (paper: plain). Ids are then strings like any other, compared by the default comparator.
/// That is what the paper's figures are of: under `exact` no renumbered copy would differ from another, and its variance would be 0.
pub fn plain() -> Value {
    schema(false)
}

fn schema(references: bool) -> Value {
    let leaf = |keyword: &str, scope: &str| {
        if references { json!({"type": "string", keyword: scope}) } else { json!({"type": "string"}) }
    };
    let (id, end) = (|scope: &str| leaf("idScope", scope), |scope: &str| leaf("ref", scope));
    let list = |fields: Value| {
        let required: Vec<&String> = fields.as_object().into_iter().flat_map(serde_json::Map::keys).collect();
        let required = json!(required);
        json!({
            "type": "array",
            "order": "align",
            "items": {
                "type": "object",
                "additionalProperties": false,
                "required": required,
                "properties": fields
            }
        })
    };
    let name = || json!({"type": "string", "score": "jaro_winkler"});
    let heavy = || json!({"type": "string", "score": "exact", "valueWeight": 1.5});
    let exact = || json!({"type": "string", "score": "exact"});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": false,
        "required": ["people", "companies", "employment", "acquaintance", "partnership"],
        "properties": {
            "people": list(json!({"id": id("people"), "name": name(), "title": heavy()})),
            "companies": list(json!({"id": id("companies"), "name": name(), "industry": heavy()})),
            "employment": list(json!({"person": end("people"), "company": end("companies"), "role": exact()})),
            "acquaintance": list(json!({"source": end("people"), "target": end("people"), "relation": exact()})),
            "partnership": list(json!({"source": end("companies"), "target": end("companies"), "relation": exact()}))
        }
    })
}

/// The lists, their references, and every value that the legend and the vocabulary allow.
pub(super) fn shape(generator: &Org2Graph) -> Shape {
    let category = |topic: Topic| Category {
        field: topic.field().to_owned(),
        book: generator.legend.values(topic).iter().map(|value| value.as_str().into()).collect(),
    };
    let records = |topic: Topic, names: &[String]| List {
        key: topic.list().to_owned(),
        id: Some(Identifier { field: "id".to_owned(), scope: topic.list().to_owned() }),
        ends: Vec::new(),
        categories: vec![category(topic)],
        free: vec![Free { field: "name".to_owned(), pool: names.iter().map(|name| name.as_str().into()).collect() }],
        one_for_each: None,
    };
    let links = |topic: Topic, ends: [(&str, &str); 2], one_for_each: Option<&str>| List {
        key: topic.list().to_owned(),
        id: None,
        ends: ends.map(|(field, scope)| End { field: field.to_owned(), scope: scope.to_owned() }).to_vec(),
        categories: vec![category(topic)],
        free: Vec::new(),
        one_for_each: one_for_each.map(str::to_owned),
    };
    let vocabulary = &generator.vocabulary;
    Shape {
        lists: vec![
            records(Topic::Title, vocabulary.people()),
            records(Topic::Industry, vocabulary.companies()),
            links(Topic::Role, [("person", "people"), ("company", "companies")], Some("person")),
            links(Topic::Acquaintance, [("source", "people"), ("target", "people")], None),
            links(Topic::Partnership, [("source", "companies"), ("target", "companies")], None),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::org2graph::params::Params;
    use objalign_core::{Aligner, Plan};

    #[test]
    fn golds_fit_both_schemas_and_score_1_against_themselves() {
        let generator = Org2Graph::new(Params::CN).expect("parameters");
        for schema in [ra(), plain()] {
            let plan = Plan::compile(&schema).expect("a schema");
            assert!(plan.warnings().is_empty());
            let mut aligner = Aligner::new(&plan);
            for index in 0..30 {
                let gold = generator.instance(1, index).graph.to_value();
                assert_eq!(aligner.align(&gold, &gold).expect("valid").score(), 1.0);
            }
        }
    }

    #[test]
    fn the_shape_is_what_the_schema_says() {
        let generator = Org2Graph::new(Params::PN).expect("parameters");
        let mut derived = Shape::of_schema(&ra()).expect("a shape");
        let mut shape = generator.shape();
        for list in &mut shape.lists {
            list.one_for_each = None;
        }
        let empty = |shape: &mut Shape| {
            for list in &mut shape.lists {
                list.categories.iter_mut().for_each(|category| category.book.clear());
                list.free.iter_mut().for_each(|free| free.pool.clear());
            }
        };
        empty(&mut derived);
        empty(&mut shape);
        assert_eq!(derived, shape);
    }
}
