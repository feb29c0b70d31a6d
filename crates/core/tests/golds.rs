//! A gold that is taken once serves all its candidates: every score, and every warning, is that of an aligner made for the pair.

use objalign_core::{Aligner, Invalid, Options, Plan, Warning};
use proptest::prelude::*;
use serde_json::{Value, json};

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["people"],
        "properties": {
            "people": {"type": "array", "order": "align", "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "idScope": "person"},
                    "name": {"type": "string"},
                    "born": {"anyOf": [{"type": "integer"}, {"type": "object", "properties": {"year": {"type": "integer"}}}]}
                }
            }},
            "links": {"type": "array", "order": "align", "items": {
                "type": "object",
                "properties": {"from": {"type": "string", "ref": "person"}, "to": {"type": "string", "ref": "person"}}
            }}
        }
    })
}

fn document() -> impl Strategy<Value = Value> {
    let person = ("[ab]{0,2}", 0..3_i32, proptest::option::of(0..2_i32));
    (proptest::collection::vec(person, 0..5), proptest::collection::vec((0_usize..5, 0_usize..5), 0..5)).prop_map(
        |(people, links)| {
            let count = people.len();
            let people: Vec<Value> = people
                .into_iter()
                .enumerate()
                .map(|(at, (name, born, more))| {
                    let born = if born == 0 { json!({"year": 1}) } else { json!(born) };
                    let mut person = json!({"id": format!("p{at}"), "name": name, "born": born});
                    if let Some(more) = more {
                        person[format!("more{more}")] = json!(more);
                    }
                    person
                })
                .collect();
            let links: Vec<Value> = links
                .into_iter()
                .filter(|(from, to)| *from < count && *to < count)
                .map(|(from, to)| json!({"from": format!("p{from}"), "to": format!("p{to}")}))
                .collect();
            json!({"people": people, "links": links})
        },
    )
}

/// Everything but a rejected candidate, which has a fault of its own.
fn candidate() -> impl Strategy<Value = Value> {
    prop_oneof![9 => document(), 1 => Just(json!({"people": 3})), 1 => Just(json!([]))]
}

type Told = Result<(u64, Vec<Warning>), String>;

fn alone(plan: &Plan, options: Options, gold: &Value, candidate: &Value) -> Told {
    let mut aligner = Aligner::with_options(plan, options);
    let alignment = aligner.align(gold, candidate).map_err(|error| error.to_string())?;
    Ok((alignment.score().to_bits(), alignment.pair_warnings().to_vec()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_of_a_candidate_stays(
        golds in proptest::collection::vec(document(), 1..4),
        candidates in proptest::collection::vec(candidate(), 1..6),
        zero: bool,
    ) {
        let plan = Plan::compile(&schema()).expect("a schema");
        let options = Options::new().invalid(if zero { Invalid::Zero } else { Invalid::Score });
        let mut aligner = Aligner::with_options(&plan, options);
        prop_assert!(aligner.last_gold().is_none());
        for gold in &golds {
            aligner.gold(gold).expect("it fits");
            for candidate in &candidates {
                let expected = alone(&plan, options, gold, candidate);
                let mut taken = aligner.last_gold().expect("a gold");
                let score: Told = match taken.score(candidate) {
                    Ok(score) => Ok((score.score().to_bits(), score.pair_warnings().to_vec())),
                    Err(error) => Err(error.to_string()),
                };
                prop_assert_eq!(&score, &expected);
                let aligned: Told = match taken.align(candidate) {
                    Ok(found) => Ok((found.score().to_bits(), found.pair_warnings().to_vec())),
                    Err(error) => Err(error.to_string()),
                };
                prop_assert_eq!(&aligned, &expected);
            }
        }
    }
}

#[test]
fn a_gold_that_does_not_fit_is_not_taken() {
    let plan = Plan::compile(&schema()).expect("a schema");
    let mut aligner = Aligner::new(&plan);
    let good = json!({"people": []});
    assert_eq!(aligner.score(&good, &good).expect("it fits").score(), 1.0);
    assert!(aligner.gold(&json!({"people": 1})).is_err());
    assert!(aligner.last_gold().is_none());
    assert!(aligner.score(&good, &json!({"people": 1})).expect("no error").is_rejected());
    assert_eq!(aligner.last_gold().expect("a gold").score(&good).expect("it fits").score(), 1.0);
}

#[test]
fn a_gold_outlives_the_memory_of_strings() {
    let plan = Plan::compile(&json!({
        "type": "array",
        "items": {"anyOf": [{"type": "string", "score": "exact"}, {"type": "number"}]}
    }))
    .expect("a schema");
    let huge: Value = serde_json::from_str("1e400").expect("a number");
    let mut aligner = Aligner::new(&plan);
    let mut gold = aligner.gold(&json!(["kept", huge])).expect("it fits");
    // More new strings in all than are remembered: the gold is read anew on the way.
    for round in 0..6 {
        let mut candidate: Vec<Value> = (0..50_000).map(|at| json!(format!("{round}/{at}"))).collect();
        candidate.extend([json!("kept"), huge.clone()]);
        let length = candidate.len() as f64;
        assert_eq!(gold.score(&candidate.into()).expect("it fits").score(), 2.0 / length);
        assert_eq!(gold.score(&json!(["kept", huge])).expect("it fits").score(), 1.0);
    }
}
