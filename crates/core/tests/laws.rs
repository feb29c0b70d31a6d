//! Laws that hold for every schema, gold and candidate, tried on random ones.

mod common;
#[path = "common/tape.rs"]
mod tape;

use common::{nodes, plan};
use objalign_core::{AlignError, Aligner, Confidence, Invalid, MatchKind, Options, Plan};
use proptest::prelude::*;
use serde_json::{Value, json};
use tape::{Shape, Tape, tapes};

/// A schema, a gold that fits it, and a candidate that may not.
#[derive(Debug)]
struct Case {
    schema: Value,
    plan: Plan,
    gold: Value,
    candidate: Value,
}

/// `None` where the tape happens to draw a gold that does not fit (two schemas for one key, say).
fn case(tape: &mut Tape, root: impl Fn(&mut Tape) -> Shape) -> Option<Case> {
    let shape = root(tape);
    let plan = plan(&shape.schema);
    let gold = shape.draw(tape);
    let candidate = tape.damage(&gold);
    let fits = !matches!(Aligner::new(&plan).align(&gold, &gold), Err(AlignError::InvalidGold { .. }));
    fits.then_some(Case { schema: shape.schema, plan, gold, candidate })
}

fn lenient() -> Options {
    Options::new().invalid(Invalid::Score)
}

fn bits(plan: &Plan, options: Options, gold: &Value, candidate: &Value) -> u64 {
    Aligner::with_options(plan, options).align(gold, candidate).expect("a valid gold").score().to_bits()
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 300, failure_persistence: None, max_shrink_iters: 4000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_score_is_between_0_and_1(numbers in tapes()) {
        let Some(case) = case(&mut Tape::new(numbers), Tape::any_root) else { return Ok(()) };
        for options in [Options::new(), lenient()] {
            let mut aligner = Aligner::with_options(&case.plan, options);
            let alignment = aligner.align(&case.gold, &case.candidate).expect("a valid gold");
            let score = alignment.score();
            prop_assert!((0.0..=1.0).contains(&score), "{score}: {}", case.schema);
            for node in nodes(&alignment) {
                prop_assert!((0.0..=1.0).contains(&node.score()), "{node:?}");
                prop_assert!((0.0..=1.0).contains(&node.weight()), "{node:?} {}", node.weight());
            }
            let said = alignment.pair_warnings().iter().any(|warning| warning.kind() == "invalid_candidate");
            prop_assert_eq!(alignment.is_rejected(), said && options.invalid == Invalid::Zero);
            if alignment.is_rejected() {
                prop_assert_eq!(score, 0.0);
            }
            let expected = (score.to_bits(), alignment.is_rejected(), alignment.pair_warnings().to_vec());
            let alone = aligner.score(&case.gold, &case.candidate).expect("a valid gold");
            let found = (alone.score().to_bits(), alone.is_rejected(), alone.pair_warnings().to_vec());
            prop_assert_eq!(found, expected, "{}", case.schema);
        }
    }

    #[test]
    fn a_copy_scores_exactly_1(numbers in tapes()) {
        let Some(case) = case(&mut Tape::new(numbers), Tape::any_root) else { return Ok(()) };
        let mut aligner = Aligner::new(&case.plan);
        let alignment = aligner.align(&case.gold, &case.gold).expect("a valid gold");
        prop_assert_eq!(alignment.score(), 1.0, "{} {}", case.schema, case.gold);
        prop_assert!(nodes(&alignment).iter().all(|node| node.score() == 1.0));
        let copy = tape::Tape::new(vec![7, 3, 5, 1, 2, 9, 4]).reorder(&case.gold, false);
        prop_assert_eq!(aligner.align(&case.gold, &copy).expect("a valid gold").score(), 1.0);
    }

    #[test]
    fn the_order_of_keys_never_shows(numbers in tapes(), order in tapes()) {
        let Some(case) = case(&mut Tape::new(numbers), Tape::any_root) else { return Ok(()) };
        let mut order = Tape::new(order);
        let (gold, candidate) = (order.reorder(&case.gold, false), order.reorder(&case.candidate, false));
        let schema = order.reorder(&case.schema, false);
        let found = bits(&case.plan, lenient(), &case.gold, &case.candidate);
        prop_assert_eq!(bits(&case.plan, lenient(), &gold, &candidate), found, "{}", case.schema);
        prop_assert_eq!(bits(&plan(&schema), lenient(), &gold, &candidate), found, "{}", case.schema);
    }

    #[test]
    fn the_order_of_unordered_lists_never_shows(numbers in tapes(), order in tapes()) {
        let Some(case) = case(&mut Tape::unordered(numbers), Tape::any_root) else { return Ok(()) };
        let mut order = Tape::new(order);
        let (gold, candidate) = (order.reorder(&case.gold, true), order.reorder(&case.candidate, true));
        let found = bits(&case.plan, lenient(), &case.gold, &case.candidate);
        prop_assert_eq!(bits(&case.plan, lenient(), &gold, &candidate), found, "{} {} {}", case.schema, case.gold, case.candidate);
    }

    #[test]
    fn leaving_a_field_out_never_beats_getting_it_wrong(numbers in tapes(), inner in any::<bool>()) {
        let mut tape = Tape::new(numbers);
        let (outer, nested) = (tape.root(), tape.root());
        let mut schema = outer.schema.clone();
        let mut gold = outer.draw(&mut tape);
        let mut declared = schema["properties"].clone();
        if inner {
            // The object in question is a member of the root.
            if schema["properties"].is_null() {
                return Ok(());
            }
            declared = nested.schema["properties"].clone();
            let mut below = nested.schema.clone();
            let definitions = below["$defs"].take();
            let Value::Object(definitions) = definitions else { return Ok(()) };
            if !definitions.is_empty() {
                return Ok(());
            }
            below.as_object_mut().expect("an object").remove("$defs");
            schema["properties"]["inner"] = below;
            gold["inner"] = nested.draw(&mut tape);
        }
        let plan = plan(&schema);
        if Aligner::new(&plan).align(&gold, &gold).is_err() {
            return Ok(());
        }
        // Wrong in places, but for its keys.
        let mut candidate = gold.clone();
        let own = if inner { &mut candidate["inner"] } else { &mut candidate };
        let Some(members) = own.as_object_mut() else { return Ok(()) };
        for member in members.values_mut() {
            *member = tape.damage(member);
        }
        for key in declared.as_object().into_iter().flatten().map(|(key, _)| key) {
            let (mut wrong, mut without) = (candidate.clone(), candidate.clone());
            let member = |document: &mut Value, value: Option<Value>| {
                let own = if inner { &mut document["inner"] } else { document };
                let members = own.as_object_mut().expect("an object");
                if let (true, Some(value)) = (members.contains_key(key), value) {
                    members.insert(key.clone(), value);
                } else {
                    members.shift_remove(key);
                }
            };
            member(&mut wrong, Some(json!({"wholly": ["wrong"]})));
            member(&mut without, None);
            let score = |document: &Value| f64::from_bits(bits(&plan, lenient(), &gold, document));
            prop_assert!(score(&without) <= score(&wrong), "{key}: {} > {} {schema} {gold}", score(&without), score(&wrong));
            prop_assert!(score(&without) <= score(&candidate), "{key}: {schema} {gold} {candidate}");
        }
    }

    #[test]
    fn a_nodes_score_is_the_sum_over_its_children(numbers in tapes()) {
        let Some(case) = case(&mut Tape::new(numbers), Tape::any_root) else { return Ok(()) };
        let mut aligner = Aligner::with_options(&case.plan, lenient());
        let alignment = aligner.align(&case.gold, &case.candidate).expect("a valid gold");
        prop_assert_eq!(alignment.root().weight(), 1.0);
        prop_assert_eq!(alignment.root().score().to_bits(), alignment.score().to_bits());
        for node in nodes(&alignment) {
            if !matches!(node.kind(), MatchKind::Sequence | MatchKind::Map) {
                prop_assert_eq!(node.children().count(), 0);
                continue;
            }
            let (mut sum, mut worth) = (0.0, 0.0);
            for child in node.children() {
                let key = child.key_similarity().zip(child.key_weight()).unwrap_or((0.0, 0.0));
                sum += child.weight() * child.score() + key.0 * key.1;
                worth += child.weight() + key.1;
                match child.kind() {
                    MatchKind::Missing => prop_assert!(child.candidate_path().is_none() && child.score() == 0.0),
                    MatchKind::Excess => prop_assert!(child.gold_path().is_none() && child.score() == 0.0),
                    _ => prop_assert!(child.gold_path().is_some() && child.candidate_path().is_some()),
                }
            }
            // What is vacuously right makes up the rest.
            let rest = 1.0 - worth;
            prop_assert!(rest > -1e-12, "{node:?} {worth}");
            prop_assert!((sum + rest - node.score()).abs() < 1e-12, "{node:?}: {sum} and {rest}: {}", case.schema);
        }
    }

    #[test]
    fn the_tree_covers_both_documents(numbers in tapes()) {
        let Some(case) = case(&mut Tape::new(numbers), Tape::any_root) else { return Ok(()) };
        let mut aligner = Aligner::with_options(&case.plan, lenient());
        let alignment = aligner.align(&case.gold, &case.candidate).expect("a valid gold");
        let mut seen = [Vec::new(), Vec::new()];
        for node in nodes(&alignment) {
            for (side, path, value, document) in [
                (0, node.gold_path(), node.gold_value(), &case.gold),
                (1, node.candidate_path(), node.candidate_value(), &case.candidate),
            ] {
                let Some(path) = path else { continue };
                prop_assert_eq!(document.pointer(&path), value.as_ref(), "{}", path);
                seen[side].push(path);
            }
        }
        for paths in &mut seen {
            let all = paths.len();
            paths.sort();
            paths.dedup();
            prop_assert_eq!(paths.len(), all, "a value stands at two places of the tree");
        }
        // Both views are written without a panic, and say what the tree says.
        prop_assert_eq!(&alignment.explain()["score"], &json!(alignment.root().score()));
        prop_assert!(alignment.draw(objalign_core::Palette::plain()).ends_with('\n'));
    }

    #[test]
    fn an_aligner_remembers_nothing_that_shows(numbers in tapes(), others in proptest::collection::vec(tapes(), 1..4)) {
        let mut tape = Tape::new(numbers);
        let shape = tape.any_root();
        let plan = plan(&shape.schema);
        let mut aligner = Aligner::with_options(&plan, lenient());
        let mut pairs = Vec::new();
        for numbers in others {
            let mut tape = Tape::new(numbers);
            let gold = shape.draw(&mut tape);
            let candidate = tape.damage(&gold);
            pairs.push((gold, candidate));
        }
        for (gold, candidate) in pairs.iter().chain(pairs.iter().rev()) {
            let Ok(alignment) = aligner.align(gold, candidate) else { continue };
            let (found, tree) = (alignment.score().to_bits(), alignment.explain());
            let warnings: Vec<_> = alignment.warnings().cloned().collect();
            let mut fresh = Aligner::with_options(&plan, lenient());
            let fresh = fresh.align(gold, candidate).expect("it was valid before");
            prop_assert_eq!(fresh.score().to_bits(), found);
            prop_assert_eq!(fresh.explain(), tree);
            prop_assert_eq!(fresh.warnings().cloned().collect::<Vec<_>>(), warnings);
        }
    }

    #[test]
    fn confidence_is_only_said(numbers in tapes()) {
        let Some(case) = case(&mut Tape::new(numbers), Tape::any_root) else { return Ok(()) };
        let found = bits(&case.plan, lenient(), &case.gold, &case.candidate);
        for measure in [Confidence::Margin, Confidence::Entropy] {
            let options = lenient().confidence(measure);
            let mut aligner = Aligner::with_options(&case.plan, options);
            let alignment = aligner.align(&case.gold, &case.candidate).expect("a valid gold");
            prop_assert_eq!(alignment.score().to_bits(), found);
            let confidences = nodes(&alignment).into_iter().filter_map(|node| node.confidence());
            for confidence in confidences.chain(alignment.confidence()) {
                prop_assert!((0.0..=1.0).contains(&confidence), "{confidence}");
            }
        }
    }
}

/// The laws would hold of nothing as well: most tapes must give a case, and the cases must differ.
#[test]
fn the_random_cases_are_worth_their_name() {
    let mut state = 1_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u16
    };
    let (mut usable, mut partial, mut whole, mut rejected, mut large) = (0, 0, 0, 0, 0);
    for _ in 0..400 {
        let numbers: Vec<u16> = (0..300).map(|_| number()).collect();
        let Some(case) = case(&mut Tape::new(numbers), Tape::root) else { continue };
        usable += 1;
        let mut aligner = Aligner::with_options(&case.plan, lenient());
        let alignment = aligner.align(&case.gold, &case.candidate).expect("a valid gold");
        let score = alignment.score();
        partial += usize::from(score > 0.0 && score < 1.0);
        whole += usize::from(score == 1.0);
        rejected += usize::from(!alignment.pair_warnings().is_empty());
        large += usize::from(nodes(&alignment).len() > 8);
    }
    let counts = (usable, partial, whole, rejected, large);
    assert!(usable > 300 && partial > 100 && whole > 20 && rejected > 40 && large > 50, "{counts:?}");
}
