//! `idScope` and `ref`: who defines a scope, where its records stand, and who refers to it (*Object Aligner*, III-E).
//!
//! A scope has one definer: one leaf with `idScope`, below the items of one array. References may stand anywhere and must
//! have the primitive type of the identifier.

use super::keywords::{Errors, one_of};
use super::plan::{Node, PlanId, Role, Scope, ScopeId, Types};
use crate::pointer;
use std::collections::{BTreeMap, BTreeSet};

/// A leaf with `idScope` or `ref`, as met during compilation.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    pub(super) node: PlanId,
    pub(super) scope: String,
    pub(super) is_definition: bool,
    /// Pointer to the keyword.
    pub(super) path: String,
}

/// Checks the mentions against each other, writes the roles into the nodes and returns the scopes in dependency order.
pub(super) fn resolve(nodes: &mut [Node], root: PlanId, mentions: &[Mention], errors: &mut Errors) -> Vec<Scope> {
    let (definitions, references): (Vec<_>, Vec<_>) = mentions.iter().partition(|mention| mention.is_definition);
    let lists = lists_of(nodes, root);
    let mut definers: BTreeMap<&str, (&Mention, PlanId)> = BTreeMap::new();
    for definition in definitions {
        let Some(around) = lists.get(&definition.node) else { continue };
        let mut around = around.iter();
        match (around.next(), around.next()) {
            (Some(&Some(list)), None) => {
                if let Some((first, _)) = definers.get(definition.scope.as_str()) {
                    errors.add(
                        definition.path.clone(),
                        format!(
                            "scope {:?} is defined at {} already; a scope has one definer",
                            definition.scope, first.path
                        ),
                    );
                } else {
                    definers.insert(&definition.scope, (definition, list));
                }
            }
            (_, Some(_)) => errors.add(
                definition.path.clone(),
                format!(
                    "scope {:?} would hold the items of several arrays; a scope has one array of records",
                    definition.scope
                ),
            ),
            _ => errors.add(
                definition.path.clone(),
                format!(
                    "scope {:?} is defined outside an array; idScope marks the identifier of an array's items",
                    definition.scope
                ),
            ),
        }
    }
    for reference in &references {
        match definers.get(reference.scope.as_str()) {
            None => {
                let known: Vec<&str> = definers.keys().copied().collect();
                errors.add(
                    reference.path.clone(),
                    format!(
                        "ref names the scope {:?}, which no idScope defines; defined: {}",
                        reference.scope,
                        one_of(&known)
                    ),
                );
            }
            Some((definition, _)) => {
                let primitive = |id: PlanId| nodes[id.0 as usize].types.intersection(Types(!Types::NULL.0));
                let (id_types, ref_types) = (primitive(definition.node), primitive(reference.node));
                if id_types != ref_types {
                    errors.add(
                        reference.path.clone(),
                        format!(
                            "a reference to {:?} must have the type of its identifier ({}, at {}), not {}",
                            reference.scope,
                            id_types.names().join(" or "),
                            pointer::shown(&nodes[definition.node.0 as usize].path),
                            ref_types.names().join(" or "),
                        ),
                    );
                }
            }
        }
    }
    let order = dependency_order(nodes, &definers, &references);
    let rank: BTreeMap<&str, ScopeId> =
        order.iter().enumerate().map(|(rank, name)| (*name, ScopeId(rank as u32))).collect();
    for mention in mentions {
        if let Some(&scope) = rank.get(mention.scope.as_str()) {
            nodes[mention.node.0 as usize].role =
                if mention.is_definition { Role::Identifier(scope) } else { Role::Reference(scope) };
        }
    }
    order.iter().map(|name| Scope { name: (*name).into(), list: definers[name].1 }).collect()
}

/// For every node reachable from the root, the innermost arrays around it (`None`: reachable outside any array).
fn lists_of(nodes: &[Node], root: PlanId) -> BTreeMap<PlanId, BTreeSet<Option<PlanId>>> {
    let mut found: BTreeMap<PlanId, BTreeSet<Option<PlanId>>> = BTreeMap::new();
    let mut open = vec![(root, None)];
    while let Some((id, list)) = open.pop() {
        if !found.entry(id).or_default().insert(list) {
            continue;
        }
        let node = &nodes[id.0 as usize];
        open.extend(node.array.items.map(|items| (items, Some(id))));
        open.extend(node.children().filter(|child| Some(*child) != node.array.items).map(|child| (child, list)));
    }
    found
}

/// Scopes sorted so that a scope follows those its records refer to; ties, and cycles, by name.
fn dependency_order<'a>(
    nodes: &[Node],
    definers: &BTreeMap<&'a str, (&'a Mention, PlanId)>,
    references: &[&'a Mention],
) -> Vec<&'a str> {
    let mut needs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (&name, &(_, list)) in definers {
        let within = reachable(nodes, nodes[list.0 as usize].array.items.into_iter().collect());
        let needed = references
            .iter()
            .filter(|reference| within.contains(&reference.node) && reference.scope != name)
            .map(|reference| reference.scope.as_str())
            .filter(|scope| definers.contains_key(scope));
        needs.insert(name, needed.collect());
    }
    let mut order = Vec::new();
    while !needs.is_empty() {
        // Without a scope whose needs are met there is a cycle: its first name goes first.
        let next = needs
            .iter()
            .find(|(_, needed)| needed.iter().all(|scope| order.contains(scope)))
            .or_else(|| needs.iter().next())
            .map(|(name, _)| *name);
        let Some(next) = next else { break };
        needs.remove(next);
        if let Some((&name, _)) = definers.get_key_value(next) {
            order.push(name);
        }
    }
    order
}

fn reachable(nodes: &[Node], mut open: Vec<PlanId>) -> BTreeSet<PlanId> {
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(nodes[id.0 as usize].children());
        }
    }
    found
}
