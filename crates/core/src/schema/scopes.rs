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
    let needs = dependencies(nodes, &definers, &references);
    let groups = resolution_order(&needs);
    let order: Vec<&str> = groups.iter().flatten().copied().collect();
    let rank: BTreeMap<&str, ScopeId> =
        order.iter().enumerate().map(|(rank, name)| (*name, ScopeId(rank as u32))).collect();
    for mention in mentions {
        if let Some(&scope) = rank.get(mention.scope.as_str()) {
            nodes[mention.node.0 as usize].role =
                if mention.is_definition { Role::Identifier(scope) } else { Role::Reference(scope) };
        }
    }
    let mut scopes = Vec::new();
    for group in groups {
        let first = ScopeId(scopes.len() as u32);
        for name in group {
            let in_cycle = closure(&needs, name).contains(name);
            scopes.push(Scope { name: name.into(), list: definers[name].1, group: first, in_cycle });
        }
    }
    scopes
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

/// Which scopes the records of each scope refer to.
fn dependencies<'a>(
    nodes: &[Node],
    definers: &BTreeMap<&'a str, (&'a Mention, PlanId)>,
    references: &[&'a Mention],
) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    definers
        .iter()
        .map(|(&name, &(_, list))| {
            let within = reachable(nodes, nodes[list.0 as usize].array.items.into_iter().collect());
            let needed = references
                .iter()
                .filter(|reference| within.contains(&reference.node))
                .filter_map(|reference| definers.get_key_value(reference.scope.as_str()).map(|(name, _)| *name));
            (name, needed.collect())
        })
        .collect()
}

/// The scopes that a scope needs, directly or through others.
fn closure<'a>(needs: &BTreeMap<&'a str, BTreeSet<&'a str>>, name: &str) -> BTreeSet<&'a str> {
    let mut closure = BTreeSet::new();
    let mut open: Vec<&str> = needs[name].iter().copied().collect();
    while let Some(at) = open.pop() {
        if closure.insert(at) {
            open.extend(&needs[at]);
        }
    }
    closure
}

/// The scopes in the order of resolution, in groups: those that need each other stand together, after all that they need.
/// Among groups that may come next, and within a group, names decide.
fn resolution_order<'a>(needs: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<Vec<&'a str>> {
    let closures: BTreeMap<&str, BTreeSet<&str>> = needs.keys().map(|&name| (name, closure(needs, name))).collect();
    let mut left: Vec<&str> = needs.keys().copied().collect();
    let mut order: Vec<Vec<&str>> = Vec::new();
    while let Some(&first) = left.iter().find(|&&name| {
        // Whatever it needs is resolved or needs it in turn.
        closures[name].iter().all(|needed| !left.contains(needed) || *needed == name || closures[needed].contains(name))
    }) {
        let together = |name: &str| name == first || closures[first].contains(name) && closures[name].contains(first);
        let (group, rest) = left.into_iter().partition(|name| together(name));
        order.push(group);
        left = rest;
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
