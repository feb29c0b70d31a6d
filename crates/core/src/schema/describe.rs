//! The plan in words: what will be compared with what, node by node.

use super::plan::{Additional, ArrayRule, DEFAULT_NODE, Node, ObjectRule, Order, Plan, PlanId, Role, Types};
use crate::compare::number::{NUMBER_METRICS, NumberMetric};
use crate::compare::string::{STRING_METRICS, StringMetric};
use std::collections::BTreeMap;
use std::fmt;

/// One line of a [`Description`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeDescription {
    /// How deep the line is indented; the root is 0.
    pub depth: usize,
    /// What the parent calls this node: a key, `[0]` for a slot, `[]` for the items, `key*` for a pattern.
    pub name: String,
    /// The JSON types, `any` if the schema does not say.
    pub types: String,
    /// What is compared and how: comparator, weights, order, scope.
    pub rule: String,
}

/// What a schema means to the aligner; `Display` draws it as a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The nodes, parents before children.
    pub nodes: Vec<NodeDescription>,
}

impl Plan {
    /// Says in words what this plan compares, and how.
    pub fn describe(&self) -> Description {
        let mut nodes = Vec::new();
        // Where each node was first described: recursive schemas refer back to it.
        let mut seen: BTreeMap<PlanId, String> = BTreeMap::new();
        let mut open = vec![(self.root, 0, "(root)".to_owned(), String::new(), None::<f64>)];
        while let Some((id, depth, name, place, weight)) = open.pop() {
            let node = self.node(id);
            let mut rule = match seen.get(&id) {
                Some(place) => format!("as {}", if place.is_empty() { "(root)" } else { place }),
                None if id == DEFAULT_NODE => "the defaults of its type".to_owned(),
                None => self.rule(node),
            };
            if let Some(weight) = weight.filter(|weight| *weight != 1.0) {
                rule = format!("{rule}; weight {weight}");
            }
            nodes.push(NodeDescription { depth, name, types: node.types.names().join(" | "), rule });
            // Leaves are described anew wherever they stand; it is the nodes with children that could go on for ever.
            if id == DEFAULT_NODE || node.is_leaf() || seen.contains_key(&id) {
                continue;
            }
            seen.insert(id, place.clone());
            let children: Vec<_> = self.named_children(node).collect();
            open.extend(children.into_iter().rev().map(|(child, name, weight)| {
                let below = format!("{place}/{name}");
                (child, depth + 1, name, below, weight)
            }));
        }
        Description { nodes }
    }

    fn named_children<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = (PlanId, String, Option<f64>)> + 'a {
        let branches =
            node.branches.iter().enumerate().map(|(index, branch)| (branch.node, format!("<{}>", index + 1), None));
        let whole = node.branches.is_empty();
        let has_array = whole && node.has_array();
        let has_object = whole && node.has_object();
        let slots = node
            .array
            .prefix
            .iter()
            .enumerate()
            .filter(move |_| has_array)
            .map(|(index, &(slot, weight))| (slot, format!("[{index}]"), Some(weight)));
        let items = node.array.items.filter(move |_| has_array).map(|items| (items, "[]".to_owned(), None));
        let properties = node
            .object
            .properties
            .iter()
            .filter(move |_| has_object)
            .map(|property| (property.node, self.keys[property.key.0 as usize].to_string(), Some(property.weight)));
        let patterns = node
            .object
            .patterns
            .iter()
            .filter(move |_| has_object)
            .map(|pattern| (pattern.node, format!("/{}/", pattern.source), Some(pattern.weight)));
        let additional = match node.object.additional {
            Additional::Schema(child, weight) if has_object => Some((child, "*".to_owned(), Some(weight))),
            _ => None,
        };
        branches.chain(slots).chain(items).chain(properties).chain(patterns).chain(additional)
    }

    fn rule(&self, node: &Node) -> String {
        let mut clauses = Vec::new();
        match node.role {
            Role::Identifier(scope) => {
                clauses.push(format!("identifier of the records of scope {:?}", self.scopes[scope.0 as usize].name));
            }
            Role::Reference(scope) => {
                clauses.push(format!("reference into scope {:?}", self.scopes[scope.0 as usize].name));
            }
            Role::Value if !node.branches.is_empty() => {
                clauses.push(format!("the first of {} alternatives that both sides fit", node.branches.len()));
            }
            Role::Value => {
                if node.types.meets(Types::STRING) && node.types != Types::ALL {
                    clauses.push(string_name(node.string));
                }
                if node.types.meets(Types::NUMBER) && node.types != Types::ALL {
                    clauses.push(number_name(node.number));
                }
                if node.types.intersection(Types(!Types::NULL.0)) == Types::BOOLEAN {
                    clauses.push("exact".to_owned());
                }
                if node.threshold > 0.0 {
                    clauses.push(format!("below {} counts as 0", node.threshold));
                }
                if node.has_array() {
                    clauses.push(array_clause(&node.array));
                }
                if node.has_object() {
                    clauses.push(object_clause(&node.object));
                }
            }
        }
        if let Some(score) = node.null_score.filter(|score| *score > 0.0) {
            clauses.push(format!("null on one side scores {score}"));
        }
        if clauses.is_empty() { "the defaults of its type".to_owned() } else { clauses.join("; ") }
    }
}

impl Node {
    fn has_array(&self) -> bool {
        self.types.meets(Types::ARRAY)
            && (self.types != Types::ALL || self.array.items != Some(DEFAULT_NODE) || !self.array.prefix.is_empty())
    }

    fn has_object(&self) -> bool {
        self.types.meets(Types::OBJECT)
            && (self.types != Types::ALL || !self.object.properties.is_empty() || !self.object.patterns.is_empty())
    }

    fn is_leaf(&self) -> bool {
        self.branches.is_empty() && !self.has_array() && !self.has_object()
    }
}

fn array_clause(rule: &ArrayRule) -> String {
    let mut clause = String::new();
    if !rule.prefix.is_empty() {
        clause = format!("tuple of {}", rule.prefix.len());
        if rule.items.is_none() {
            return clause;
        }
        clause =
            format!("{clause} (weight {}), then the rest (weight {}): ", rule.prefix_importance, rule.rest_importance);
    }
    clause += match rule.order {
        Order::Fixed => "list in fixed order",
        Order::Align => "list in any order",
    };
    if rule.ignore_excess {
        clause += ", excess items ignored";
    }
    if rule.ignore_missing {
        clause += ", missing items ignored";
    }
    clause
}

fn object_clause(rule: &ObjectRule) -> String {
    let mut clause = format!("keys by {}", name_of(&STRING_METRICS, rule.key_metric));
    if rule.key_threshold > 0.0 {
        clause = format!("{clause}, below {} no match", rule.key_threshold);
    }
    if rule.key_importance > 0.0 {
        clause = format!("{clause} (weight {}, values {})", rule.key_importance, rule.value_importance);
    }
    clause
}

fn string_name(metric: StringMetric) -> String {
    match metric {
        StringMetric::Custom(_) => "a custom comparator".to_owned(),
        built_in => name_of(&STRING_METRICS, built_in),
    }
}

fn number_name(metric: NumberMetric) -> String {
    match metric {
        NumberMetric::CustomInteger(_) | NumberMetric::CustomNumber(_) => "a custom comparator".to_owned(),
        built_in => name_of(&NUMBER_METRICS, built_in),
    }
}

fn name_of<T: Copy + PartialEq>(names: &[(&str, T)], metric: T) -> String {
    names.iter().find(|(_, known)| *known == metric).map_or(String::new(), |(name, _)| (*name).to_owned())
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = |node: &NodeDescription| 2 * node.depth + node.name.chars().count();
        let names = self.nodes.iter().map(left).max().unwrap_or(0);
        let types = self.nodes.iter().map(|node| node.types.chars().count()).max().unwrap_or(0);
        for node in &self.nodes {
            let gap = names - left(node) + 2;
            writeln!(
                f,
                "{:indent$}{}{:gap$}{:types$}  {}",
                "",
                node.name,
                "",
                node.types,
                node.rule,
                indent = 2 * node.depth
            )?;
        }
        Ok(())
    }
}
