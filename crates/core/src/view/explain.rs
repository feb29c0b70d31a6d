//! The match tree as JSON, for programs.

use crate::align::{Alignment, MatchRef};
use serde_json::{Map, Value, json};

impl Alignment<'_> {
    /// The match tree as JSON: for each node `gold` and `candidate` (JSON Pointers, null for what is absent), `kind`, `score`,
    /// `weight` (what a score of 1 adds to the parent's), for members of maps `key_similarity`, `confidence` where it was
    /// asked for, and `children`.
    ///
    /// ```
    /// use objalign_core::{Aligner, Plan};
    /// use serde_json::json;
    ///
    /// let plan = Plan::compile(&json!({"type": "array", "items": {"type": "integer"}}))?;
    /// let mut aligner = Aligner::new(&plan);
    /// let tree = aligner.align(&json!([1, 2]), &json!([2]))?.explain();
    /// assert_eq!(tree["children"][0], json!({
    ///     "gold": "/0", "candidate": null, "kind": "missing", "score": 0.0, "weight": 0.5
    /// }));
    /// assert_eq!(tree["children"][1]["candidate"], json!("/0"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self) -> Value {
        node(self.root())
    }
}

fn node(at: MatchRef<'_>) -> Value {
    let mut object = Map::new();
    object.insert("gold".into(), json!(at.gold_path()));
    object.insert("candidate".into(), json!(at.candidate_path()));
    object.insert("kind".into(), json!(at.kind().name()));
    object.insert("score".into(), json!(at.score()));
    object.insert("weight".into(), json!(at.weight()));
    if let Some(similarity) = at.key_similarity() {
        object.insert("key_similarity".into(), json!(similarity));
    }
    if let Some(confidence) = at.confidence() {
        object.insert("confidence".into(), json!(confidence));
    }
    let children: Vec<Value> = at.children().map(node).collect();
    if !children.is_empty() {
        object.insert("children".into(), children.into());
    }
    object.into()
}
