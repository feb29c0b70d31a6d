//! Attribution: what each location costs (*Object Aligner*, section III-F). One walk over the match tree.

use crate::align::{Alignment, MatchKind, MatchRef};

impl Alignment<'_> {
    /// What each location costs: JSON Pointers with the score that is lost there, in the order of the match tree, those
    /// that cost nothing left out. The costs sum to 1 less the score.
    ///
    /// Pointers lead into the gold, for what is in excess into the candidate. A key spelled differently counts at its
    /// member, beside what its value costs. For a candidate scored 0 because it does not fit its schema, what it would have
    /// scored counts at the place of the fault.
    ///
    /// ```
    /// use objalign_core::{Aligner, Plan};
    /// use serde_json::json;
    ///
    /// let plan = Plan::compile(&json!({"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}))?;
    /// let mut aligner = Aligner::new(&plan);
    /// let alignment = aligner.align(&json!({"a": 1, "b": 2}), &json!({"a": 2, "b": 2}))?;
    /// assert_eq!(alignment.attribution(), [("/a".to_owned(), 0.25)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attribution(&self) -> Vec<(String, f64)> {
        let mut costs = Vec::new();
        if let Some((path, cost)) = self.validity_cost() {
            costs.push((path.to_owned(), cost));
        }
        costs.retain(|&(_, cost)| cost > 0.0);
        attribute(self.root(), 1.0, &mut costs);
        costs
    }
}

/// `worth` is what a score of 1 here adds to the whole.
fn attribute(node: MatchRef<'_>, worth: f64, costs: &mut Vec<(String, f64)>) {
    let is_container = matches!(node.kind(), MatchKind::Sequence | MatchKind::Map);
    let mut own = if is_container { 0.0 } else { worth * node.weight() * (1.0 - node.score()) };
    if let (Some(similarity), Some(weight)) = (node.key_similarity(), node.key_weight()) {
        own += worth * weight * (1.0 - similarity);
    }
    if own > 0.0 {
        costs.extend(node.gold_path().or(node.candidate_path()).map(|path| (path, own)));
    }
    for child in node.children() {
        attribute(child, worth * node.weight(), costs);
    }
}
