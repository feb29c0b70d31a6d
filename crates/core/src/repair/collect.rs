//! From the match tree to operations. (Rough: paths are those of the original candidate.)

use super::{Repair, RepairKind, RepairOp, RepairOptions};
use crate::align::{Alignment, MatchKind, MatchRef};
use crate::pointer;

impl Alignment<'_> {
    /// The operations that turn the candidate into one that scores 1; see the module's documentation.
    pub fn repairs(&self, options: &RepairOptions) -> Vec<Repair> {
        let mut found = Vec::new();
        collect(self.root(), 1.0, "", false, &mut found);
        if let Some((path, cost)) = self.validity_cost() {
            match found.iter_mut().max_by(|a, b| a.delta.total_cmp(&b.delta)) {
                Some(first) => {
                    first.kind = RepairKind::Invalid;
                    first.delta += cost;
                    first.at = Some(path.to_owned());
                }
                None => {}
            }
        }
        found.retain(|repair| repair.delta >= options.min_delta);
        found.sort_by(|a, b| {
            b.delta.total_cmp(&a.delta).then_with(|| (&a.path, a.op, a.kind).cmp(&(&b.path, b.op, b.kind)))
        });
        found.truncate(options.top_k.unwrap_or(usize::MAX));
        found
    }
}

fn collect(node: MatchRef<'_>, worth: f64, parent: &str, in_list: bool, found: &mut Vec<Repair>) {
    let own = worth * node.weight() * (1.0 - node.score());
    let key = node
        .key_weight()
        .zip(node.key_similarity())
        .map_or(0.0, |(weight, similarity)| worth * weight * (1.0 - similarity));
    let here = node.candidate_path();
    let mut note = |op, kind, delta, path: String, from: Option<String>, with_value: bool| {
        found.push(Repair {
            op,
            path,
            from,
            value: if with_value { node.gold_value() } else { None },
            kind,
            delta,
            confidence: node.confidence(),
            at: node.candidate_path(),
            gold_path: node.gold_path(),
            gold: node.gold_value(),
            candidate: node.candidate_value(),
            scope: None,
            record: None,
        });
    };
    let name = node.name().map_or(String::new(), |(name, _)| name);
    match node.kind() {
        MatchKind::Missing => {
            let kind = if in_list { RepairKind::ItemAdd } else { RepairKind::KeyAdd };
            note(RepairOp::Add, kind, own + key, pointer::join(parent, if in_list { "-" } else { &name }), None, true);
        }
        MatchKind::Excess => {
            let kind = if in_list { RepairKind::ItemRemove } else { RepairKind::KeyRemove };
            note(RepairOp::Remove, kind, own + key, here.clone().unwrap_or_default(), None, false);
        }
        kind => {
            if key > 0.0 {
                note(RepairOp::Move, RepairKind::KeyRename, key, pointer::join(parent, &name), here.clone(), false);
            }
            let kind = match kind {
                MatchKind::Sequence | MatchKind::Map => None,
                MatchKind::Null => Some(RepairKind::NullReplace),
                MatchKind::TypeMismatch => Some(RepairKind::TypeReplace),
                MatchKind::Reference => Some(RepairKind::RefFix),
                _ => Some(RepairKind::PrimitiveReplace),
            };
            if let Some(kind) = kind.filter(|_| own > 0.0) {
                note(RepairOp::Replace, kind, own, here.clone().unwrap_or_default(), None, true);
            }
        }
    }
    let in_list = node.kind() == MatchKind::Sequence;
    for child in node.children() {
        collect(child, worth * node.weight(), here.as_deref().unwrap_or_default(), in_list, found);
    }
}
