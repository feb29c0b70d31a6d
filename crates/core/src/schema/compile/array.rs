//! How the items of an array are paired, and what they weigh.

use super::{Compiler, Expanded, keyword};
use crate::pointer;
use crate::schema::keywords::{self, WEIGHT, brief};
use crate::schema::plan::{ArrayRule, DEFAULT_NODE, Order};
use serde_json::Value;

impl<'s> Compiler<'s> {
    pub(super) fn array_rule(&mut self, parts: &Expanded<'s>) -> ArrayRule {
        let mut rule = ArrayRule::default();
        let mut has_prefix = None;
        if let Some((path, value)) = keyword(parts, "order") {
            let allowed = [("fixed", Order::Fixed), ("align", Order::Align)];
            rule.order = self.errors.name(path, "order", value, &allowed).unwrap_or(Order::Fixed);
        }
        // Before 2020-12 a tuple was an array of schemas under `items`, its tail under `additionalItems`.
        let (prefix_keyword, items_keyword) = match keyword(parts, "items") {
            Some((_, Value::Array(_))) => ("items", "additionalItems"),
            _ => ("prefixItems", "items"),
        };
        if let Some((path, Value::Array(slots))) = keyword(parts, prefix_keyword) {
            let path = pointer::join(path, prefix_keyword);
            has_prefix = Some(path.clone());
            for index in 0..slots.len() {
                let slot = self.node_at(pointer::index(&path, index));
                rule.prefix.push((slot, 1.0));
            }
        }
        if let Some((path, value)) = keyword(parts, items_keyword) {
            // `true` is what JSON Schema takes for granted: a tail of its own only where the schema weighs one.
            let weighed = ["prefixImportance", "restImportance"].iter().any(|name| keyword(parts, name).is_some());
            rule.items = match value {
                Value::Bool(true) if weighed => Some(DEFAULT_NODE),
                Value::Bool(_) => None,
                _ => Some(self.node_at(pointer::join(path, items_keyword))),
            };
        }
        if rule.items.is_none() && has_prefix.is_none() {
            rule.items = Some(DEFAULT_NODE);
        }
        if let Some((path, value)) = keyword(parts, "prefixWeights") {
            self.read_prefix_weights(&mut rule, path, value);
        }
        for (name, target) in [("ignoreExcess", &mut rule.ignore_excess), ("ignoreMissing", &mut rule.ignore_missing)] {
            if let Some((path, value)) = keyword(parts, name) {
                *target = self.errors.boolean(path, name, value).unwrap_or(false);
            }
        }
        if rule.ignore_excess && rule.ignore_missing {
            let path = keyword(parts, "ignoreMissing").map_or("", |(path, _)| path);
            self.errors.add(
                pointer::join(path, "ignoreMissing"),
                "ignoreExcess and ignoreMissing together would reward leaving everything out; choose one",
            );
        }
        if let (Some(prefix), Some(_)) = (&has_prefix, rule.items) {
            let owner = prefix.rsplit_once('/').map_or("", |(owner, _)| owner).to_owned();
            let mut sum = 0.0;
            for (name, target) in
                [("prefixImportance", &mut rule.prefix_importance), ("restImportance", &mut rule.rest_importance)]
            {
                if let Some((path, value)) = keyword(parts, name) {
                    *target = self.errors.weight(path, name, value).unwrap_or(1.0);
                    sum += *target;
                } else {
                    sum += 1.0;
                    self.errors.add(
                        owner.clone(),
                        format!(
                            "an array with {prefix_keyword} and {items_keyword} needs {name}: the weight of that part, at \
                             least 0"
                        ),
                    );
                }
            }
            if sum == 0.0 {
                self.errors.add(
                    pointer::join(&owner, "prefixImportance"),
                    "prefixImportance and restImportance sum to zero; one must be positive",
                );
            }
        }
        rule
    }

    fn read_prefix_weights(&mut self, rule: &mut ArrayRule, path: &str, value: &Value) {
        let at = pointer::join(path, "prefixWeights");
        let Some(weights) = value.as_array().filter(|weights| weights.len() == rule.prefix.len()) else {
            let message = format!("prefixWeights must be a list of {} weights, one for each slot", rule.prefix.len());
            self.errors.add(at, message);
            return;
        };
        for (index, (slot, weight)) in rule.prefix.iter_mut().zip(weights).enumerate() {
            match keywords::weight(weight) {
                Some(weight) => slot.1 = weight,
                None => self
                    .errors
                    .add(pointer::index(&at, index), format!("a weight must be {WEIGHT}, not {}", brief(weight))),
            }
        }
        if !rule.prefix.is_empty() && rule.prefix.iter().all(|(_, weight)| *weight == 0.0) {
            self.errors.add(at, "prefixWeights sum to zero; one must be positive");
        }
    }
}

impl Default for ArrayRule {
    fn default() -> Self {
        Self {
            prefix: Vec::new(),
            prefix_importance: 1.0,
            items: None,
            rest_importance: 1.0,
            order: Order::Fixed,
            ignore_excess: false,
            ignore_missing: false,
        }
    }
}
