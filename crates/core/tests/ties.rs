//! Ties and empties, by hand: where several matchings reach the largest total, which score is the right one.

mod common;

use common::{assert_close, count, plan, score};
use objalign_core::{Aligner, MatchKind};
use serde_json::{Value, json};

fn list(order: &str, items: &Value) -> Value {
    json!({"type": "array", "order": order, "items": items})
}

fn words(order: &str) -> Value {
    list(order, &json!({"type": "string", "score": "levenshtein"}))
}

#[test]
fn among_equal_totals_most_pairs_win() {
    // ab-ab 1, ab-ac 1/2, db-ab 1/2, db-ac 0: one pair of 1 or two of 1/2. Two pairs: 1/2, not 1/3.
    for (gold, candidate) in [
        (json!(["ab", "db"]), json!(["ab", "ac"])),
        (json!(["db", "ab"]), json!(["ab", "ac"])),
        (json!(["ab", "db"]), json!(["ac", "ab"])),
    ] {
        assert_eq!(score(&words("align"), &gold, &candidate), 0.5, "{gold} {candidate}");
    }
    // In order: the two halves of this one do not cross.
    assert_eq!(score(&words("fixed"), &json!(["db", "ab"]), &json!(["ab", "ac"])), 0.5);
    // Here they do, so the pair of 1 stands alone beside one missing and one excess.
    assert_eq!(score(&words("fixed"), &json!(["ab", "db"]), &json!(["ab", "ac"])), 1.0 / 3.0);
}

#[test]
fn ties_count_the_same_pairs_under_ignored_sides() {
    let (gold, candidate) = (json!(["ab", "db"]), json!(["ab", "ac"]));
    for keyword in ["ignoreExcess", "ignoreMissing"] {
        for order in ["align", "fixed"] {
            let mut schema = words(order);
            schema[keyword] = json!(true);
            // Total 1 over the two entries of the side that counts.
            assert_eq!(score(&schema, &gold, &candidate), 0.5, "{keyword} {order}");
        }
    }
}

#[test]
fn a_pair_of_nothing_is_one_missing_and_one_excess() {
    let exact = |order: &str, extra: &[&str]| {
        let mut schema = list(order, &json!({"type": "string", "score": "exact"}));
        for keyword in extra {
            schema[*keyword] = json!(true);
        }
        schema
    };
    for order in ["align", "fixed"] {
        let (gold, candidate) = (json!(["a", "b"]), json!(["a", "c"]));
        assert_eq!(score(&exact(order, &[]), &gold, &candidate), 1.0 / 3.0);
        assert_eq!(score(&exact(order, &["ignoreExcess"]), &gold, &candidate), 0.5);
        assert_eq!(score(&exact(order, &["ignoreMissing"]), &gold, &candidate), 0.5);
        let plan = plan(&exact(order, &[]));
        let mut aligner = Aligner::new(&plan);
        let alignment = aligner.align(&gold, &candidate).expect("valid");
        assert_eq!(count(&alignment, MatchKind::Missing), 1);
        assert_eq!(count(&alignment, MatchKind::Excess), 1);
        assert_eq!(alignment.root().children().count(), 3);
    }
    // A threshold makes a small similarity none at all.
    let schema = list("align", &json!({"type": "string", "score": "levenshtein", "threshold": 0.6}));
    assert_eq!(score(&schema, &json!(["ab", "cd"]), &json!(["ab", "ce"])), 1.0 / 3.0);
    // Different types: the same.
    let schema = list("align", &json!({}));
    assert_eq!(score(&schema, &json!([1, "x"]), &json!([1, true])), 1.0 / 3.0);
}

#[test]
fn nothing_against_nothing_is_right() {
    for order in ["align", "fixed"] {
        let schema = list(order, &json!({"type": "string"}));
        assert_eq!(score(&schema, &json!([]), &json!([])), 1.0);
        assert_eq!(score(&schema, &json!([]), &json!(["x"])), 0.0);
        assert_eq!(score(&schema, &json!(["x"]), &json!([])), 0.0);
        let mut lenient = schema.clone();
        lenient["ignoreExcess"] = json!(true);
        assert_eq!(score(&lenient, &json!([]), &json!(["x", "y"])), 1.0);
        assert_eq!(score(&lenient, &json!(["x"]), &json!([])), 0.0);
        let mut forgiving = schema;
        forgiving["ignoreMissing"] = json!(true);
        assert_eq!(score(&forgiving, &json!(["x", "y"]), &json!([])), 1.0);
        assert_eq!(score(&forgiving, &json!([]), &json!(["x"])), 0.0);
        let nested = list(order, &list(order, &json!({"type": "integer"})));
        assert_eq!(score(&nested, &json!([[], []]), &json!([[]])), 0.5);
        assert_eq!(
            score(&nested, &json!([[], [1]]), &json!([[1], []])),
            if order == "align" { 1.0 } else { 1.0 / 3.0 }
        );
    }
    let map = json!({"type": "object"});
    assert_eq!(score(&map, &json!({}), &json!({})), 1.0);
    assert_eq!(score(&map, &json!({}), &json!({"a": 1})), 0.0);
    assert_eq!(score(&map, &json!({"a": 1}), &json!({})), 0.0);
    assert_eq!(score(&list("align", &json!({})), &json!([{}]), &json!([[]])), 0.0, "an object is no array");
    let tuple = json!({"type": "array", "prefixItems": [{"type": "integer"}]});
    assert_eq!(score(&tuple, &json!([]), &json!([])), 1.0);
    assert_eq!(score(&tuple, &json!([1]), &json!([])), 0.0);
    assert_eq!(score(&tuple, &json!([]), &json!([1])), 0.0);
}

#[test]
fn keys_that_are_as_alike_are_told_apart_by_their_text() {
    let schema = json!({"type": "object", "additionalProperties": {"type": "integer", "score": "exact"}});
    // "ab" is as much like "ac" as like "ad". The first by text is taken, however the documents are written.
    let both = |a: &str, b: &str| {
        let (a, b): (Value, Value) = (serde_json::from_str(a).expect("JSON"), serde_json::from_str(b).expect("JSON"));
        score(&schema, &a, &b)
    };
    for candidate in [r#"{"ac": 1, "ad": 2}"#, r#"{"ad": 2, "ac": 1}"#] {
        assert_eq!(both(r#"{"ab": 1}"#, candidate), 0.5);
        assert_eq!(both(r#"{"ab": 2}"#, candidate), 0.0);
    }
    for gold in [r#"{"ac": 1, "ad": 2}"#, r#"{"ad": 2, "ac": 1}"#] {
        assert_eq!(both(gold, r#"{"ab": 1}"#), 0.5);
        assert_eq!(both(gold, r#"{"ab": 2}"#), 0.0);
    }
}

#[test]
fn values_are_never_asked_which_keys_belong_together() {
    let schema = json!({"type": "object", "additionalProperties": {"type": "integer", "score": "exact"}});
    // By the values ax-by and bx-ay would be right; the keys say otherwise.
    assert_eq!(score(&schema, &json!({"ax": 1, "bx": 2}), &json!({"by": 1, "ay": 2})), 0.0);
    // Keys without a letter in common are no pair at all.
    assert_eq!(score(&schema, &json!({"abc": 1}), &json!({"xyz": 1})), 0.0);
    let plan = plan(&schema);
    let mut aligner = Aligner::new(&plan);
    let alignment = aligner.align(&json!({"abc": 1}), &json!({"xyz": 1})).expect("valid");
    assert_eq!((count(&alignment, MatchKind::Missing), count(&alignment, MatchKind::Excess)), (1, 1));
}

#[test]
fn nulls_in_lists_are_items_like_any_other() {
    let items = json!({"type": ["integer", "null"]});
    let (gold, candidate) = (json!([null, 1]), json!([1, null]));
    assert_eq!(score(&list("align", &items), &gold, &candidate), 1.0);
    assert_eq!(score(&list("fixed", &items), &gold, &candidate), 1.0 / 3.0);
    for order in ["align", "fixed"] {
        let schema = list(order, &items);
        assert_eq!(score(&schema, &json!([null, null, null]), &json!([null, null])), 2.0 / 3.0);
        assert_eq!(score(&schema, &json!([null]), &json!([])), 0.0);
        assert_eq!(score(&schema, &json!([]), &json!([null])), 0.0);
        assert_eq!(score(&schema, &json!([null]), &json!([5])), 0.0);
        assert_eq!(score(&schema, &json!([null]), &json!([null])), 1.0);
        let half = list(order, &json!({"type": ["integer", "null"], "nullScore": 0.5}));
        assert_eq!(score(&half, &json!([null]), &json!([5])), 0.5);
        assert_eq!(score(&half, &json!([5]), &json!([null])), 0.5);
        assert_eq!(score(&half, &json!([null, null]), &json!([5, null])), 0.75);
    }
    let half = list("align", &json!({"type": ["integer", "null"], "score": "exact", "nullScore": 0.5}));
    assert_eq!(score(&half, &json!([null, 5]), &json!([5, 7])), 0.75);
    // Two halves or one whole (null with null): the halves, as everywhere.
    assert_eq!(score(&half, &json!([null, 5]), &json!([null, 7])), 0.5);
    assert_eq!(score(&half, &json!([null, 5]), &json!([7, null])), 0.5);
}

#[test]
fn duplicates_are_counted_as_often_as_they_occur() {
    for order in ["align", "fixed"] {
        let schema = list(order, &json!({"type": "string", "score": "exact"}));
        assert_close(score(&schema, &json!(["a", "a", "b"]), &json!(["a", "b", "b"])), 0.5);
        assert_close(score(&schema, &json!(["a", "a", "a"]), &json!(["a"])), 1.0 / 3.0);
        assert_eq!(score(&schema, &json!(["a", "a"]), &json!(["a", "a"])), 1.0);
    }
}
