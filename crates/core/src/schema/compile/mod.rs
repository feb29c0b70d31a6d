//! JSON Schema with the keywords to a [`Plan`].
//!
//! A place in a document is often described by several subschemas at once: a property, the `$ref` beside it, the members
//! of an `allOf`, a nullable `anyOf`. The compiler carries that *list* along: keywords are looked up in it (the first that
//! has one wins: what stands at the point of use before what is referred to), properties are united, and a node of the
//! plan is made once for each distinct list, which is also what makes recursive schemas finite. It works from a queue, not
//! by recursion.
//!
//! Linear in the schema's size, but for `allOf` compositions that repeat a definition in many lists.
//!
//! | room | what |
//! |---|---|
//! | here | lists of subschemas, nodes, types, unions |
//! | [`leaf`] | comparators, identifiers and references |
//! | [`array`] | how items are paired and weighed |
//! | [`object`] | how members are paired and weighed |
//! | [`unheeded`] | keywords that change nothing where they stand |

mod array;
mod leaf;
mod object;
mod unheeded;

use super::cycles;
use super::error::{SchemaError, SchemaErrors};
use super::guarded::guarded;
use super::keywords::{Errors, brief};
use super::locate::Targets;
use super::plan::{Additional, ArrayRule, Branch, DEFAULT_NODE, Node, ObjectRule, Plan, PlanId, Role, Types};
use super::scopes::{self, Mention};
use crate::MAX_DEPTH;
use crate::compare::custom::Comparators;
use crate::compare::number::NumberMetric;
use crate::compare::string::StringMetric;
use crate::document::StringId;
use crate::pointer;
use crate::warning::Warning;
use jsonschema::{ValidationError, Validator, ValidatorMap};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

impl Plan {
    /// Compiles a schema with the built-in comparators.
    ///
    /// # Errors
    ///
    /// Every mistake in the schema, with its path: keywords out of range, references that lead nowhere, weights that sum
    /// to zero, and whatever JSON Schema itself does not allow.
    pub fn compile(schema: &Value) -> Result<Self, SchemaErrors> {
        Self::compile_with(schema, &Comparators::default())
    }

    /// Compiles a schema that may also name comparators of your own.
    ///
    /// # Errors
    ///
    /// As [`Plan::compile`].
    pub fn compile_with(schema: &Value, comparators: &Comparators) -> Result<Self, SchemaErrors> {
        let fail = |path: &str, message: String| SchemaErrors(vec![SchemaError { path: path.to_owned(), message }]);
        if let Some(path) = too_deep(schema) {
            return Err(fail(&path, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        if !(schema.is_object() || schema.is_boolean()) {
            return Err(fail("", format!("a schema is a JSON object, not {}", brief(schema))));
        }
        let mut compiler = Compiler::new(schema, comparators);
        if let Some(path) = cycles::find(schema, &compiler.targets) {
            return Err(fail(&path, "this schema refers to itself without going into a part of the value".to_owned()));
        }
        if let Some(path) = cycles::find_unevaluated(schema, &compiler.targets) {
            let told = "what is unevaluated here has no end: the schema contains itself by its references";
            return Err(fail(&path, told.to_owned()));
        }
        compiler.check_against_meta_schema();
        compiler.run();
        compiler.finish()
    }
}

/// One subschema of a list. A branch of a union is compiled with the subschema around the union, less the union.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    pointer: String,
    without_union: bool,
}

impl Part {
    fn at(pointer: String) -> Self {
        Self { pointer, without_union: false }
    }
}

/// An expanded part: its pointer and its keywords.
type Expanded<'s> = Vec<(Part, &'s Map<String, Value>)>;

struct Compiler<'s> {
    schema: &'s Value,
    comparators: &'s Comparators,
    targets: Targets,
    nodes: Vec<Node>,
    /// Lists that have a node, and those whose node is still to be filled in.
    known: BTreeMap<Vec<Part>, PlanId>,
    queue: VecDeque<(PlanId, Vec<Part>)>,
    keys: Vec<Box<str>>,
    key_ids: BTreeMap<Box<str>, StringId>,
    mentions: Vec<Mention>,
    errors: Errors,
    warnings: BTreeSet<Warning>,
    branch_validators: Option<ValidatorMap>,
    /// Names of custom comparators in the order of their indices.
    strings: Vec<String>,
    integers: Vec<String>,
    numbers: Vec<String>,
    /// Nodes whose own comparator makes no promise that equal values score 1.
    irregular: BTreeSet<PlanId>,
}

impl<'s> Compiler<'s> {
    fn new(schema: &'s Value, comparators: &'s Comparators) -> Self {
        Self {
            schema,
            comparators,
            targets: Targets::new(schema),
            nodes: vec![Node::new("")],
            known: BTreeMap::new(),
            queue: VecDeque::new(),
            keys: Vec::new(),
            key_ids: BTreeMap::new(),
            mentions: Vec::new(),
            errors: Errors::default(),
            warnings: BTreeSet::new(),
            branch_validators: None,
            strings: comparators.strings.keys().cloned().collect(),
            integers: comparators.integers.keys().cloned().collect(),
            numbers: comparators.numbers.keys().cloned().collect(),
            irregular: BTreeSet::new(),
        }
    }

    fn check_against_meta_schema(&mut self) {
        let found = guarded(|| match jsonschema::meta::validator_for(self.schema) {
            Ok(meta) => meta.iter_errors(self.schema).map(|error| told(&error)).collect(),
            Err(error) => vec![told(&error)],
        });
        match found {
            Some(found) => found.into_iter().for_each(|(path, message)| self.errors.add(path, message)),
            None => self.refuse_numbers(),
        }
    }

    /// The validator gave up on a number that it cannot compare.
    fn refuse_numbers(&mut self) {
        let path = first_beyond_doubles(self.schema).unwrap_or_default();
        self.errors.add(path, "numbers beyond the range of a double cannot be compared here");
    }

    fn run(&mut self) {
        let root = self.node_for(vec![Part::at(String::new())]);
        debug_assert_eq!(root, PlanId(1));
        while let Some((id, list)) = self.queue.pop_front() {
            self.nodes[id.0 as usize] = self.compile(id, &list);
        }
    }

    fn finish(mut self) -> Result<Plan, SchemaErrors> {
        let root = PlanId(1);
        let scopes = scopes::resolve(&mut self.nodes, root, &self.mentions, &mut self.errors);
        let validator = match guarded(|| jsonschema::validator_for(self.schema)) {
            Some(Ok(validator)) => Some(validator),
            None => {
                if self.errors.0.is_empty() {
                    self.refuse_numbers();
                }
                None
            }
            Some(Err(error)) => {
                // The meta-schema has told most of what can be wrong; what is left are references and patterns.
                if self.errors.0.is_empty() {
                    let place = error.schema_path().as_str();
                    let known = self.schema.pointer(place).is_some();
                    let path = if known { place } else { error.instance_path().as_str() };
                    self.errors.add(path.to_owned(), error.to_string());
                }
                None
            }
        };
        self.mark_nodes();
        let mut errors = self.errors.0;
        errors.sort();
        match validator {
            Some(validator) if errors.is_empty() => Ok(Plan {
                nodes: self.nodes,
                root,
                keys: self.keys,
                custom_strings: self.comparators.strings.values().cloned().collect(),
                custom_integers: self.comparators.integers.values().cloned().collect(),
                custom_numbers: self.comparators.numbers.values().cloned().collect(),
                validator,
                scopes,
                warnings: self.warnings.into_iter().collect(),
            }),
            _ => Err(SchemaErrors(errors)),
        }
    }

    /// Spreads three facts from children to parents until nothing changes: "referential", "silent" and "not reflexive".
    fn mark_nodes(&mut self) {
        for id in 0..self.nodes.len() {
            let node = &mut self.nodes[id];
            node.referential = node.role != Role::Value;
            node.reflexive = !node.referential && !self.irregular.contains(&PlanId(id as u32));
            node.silent = node.types.meets(Types::OBJECT) && node.object.additional == Additional::Undeclared;
        }
        loop {
            let mut changed = false;
            for id in 0..self.nodes.len() {
                let node = &self.nodes[id];
                let children = node.children().map(|child| &self.nodes[child.0 as usize]);
                let facts = children.fold((node.referential, node.reflexive, node.silent), |facts, child| {
                    (facts.0 || child.referential, facts.1 && child.reflexive, facts.2 || child.silent)
                });
                changed |= facts != (node.referential, node.reflexive, node.silent);
                let node = &mut self.nodes[id];
                (node.referential, node.reflexive, node.silent) = facts;
            }
            if !changed {
                break;
            }
        }
    }

    /// The node of a list of subschemas; made, and queued, at first sight.
    fn node_for(&mut self, list: Vec<Part>) -> PlanId {
        if let Some(&id) = self.known.get(&list) {
            return id;
        }
        let id = PlanId(self.nodes.len() as u32);
        self.nodes.push(Node::new(list.first().map_or("", |part| &part.pointer)));
        self.known.insert(list.clone(), id);
        self.queue.push_back((id, list));
        id
    }

    /// The node of one subschema, the default node for `true`, `false` and `{}`.
    fn node_at(&mut self, pointer: String) -> PlanId {
        match self.schema.pointer(&pointer) {
            Some(Value::Object(keywords)) if !keywords.is_empty() => self.node_for(vec![Part::at(pointer)]),
            _ => DEFAULT_NODE,
        }
    }

    /// Follows `$ref` and `allOf`, and takes nullable unions apart, so that the list holds plain subschemas only.
    /// Returns it with the first real union in it (pointer of the union's owner, keyword, indices of the members).
    fn expand(&mut self, list: &[Part]) -> (Expanded<'s>, Option<(usize, Vec<String>)>) {
        let mut expanded: Expanded<'s> = Vec::new();
        let mut union = None;
        let mut open: Vec<Part> = list.iter().rev().cloned().collect();
        // What a nullable union says in its one alternative ranks behind everything said outside it.
        let mut behind: Vec<Part> = Vec::new();
        while let Some(part) = open.pop().or_else(|| behind.pop()) {
            if expanded.iter().any(|(seen, _)| seen.pointer == part.pointer) {
                continue;
            }
            let Some(Value::Object(keywords)) = self.schema.pointer(&part.pointer) else { continue };
            let mut next = Vec::new();
            for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
                if let Some(Value::String(reference)) = keywords.get(keyword) {
                    match self.targets.resolve(self.schema, &part.pointer, reference) {
                        Some(target) => next.push(Part::at(target)),
                        None => self.errors.add(
                            pointer::join(&part.pointer, keyword),
                            format!("{reference:?} points at nothing in this schema; only this document is searched, nothing is fetched"),
                        ),
                    }
                }
            }
            if let Some(Value::Array(members)) = keywords.get("allOf") {
                let all_of = pointer::join(&part.pointer, "allOf");
                next.extend((0..members.len()).map(|index| Part::at(pointer::index(&all_of, index))));
            }
            if !part.without_union {
                for keyword in ["anyOf", "oneOf"] {
                    let Some(Value::Array(members)) = keywords.get(keyword) else { continue };
                    let at = pointer::join(&part.pointer, keyword);
                    let mut members: Vec<String> = (0..members.len())
                        .map(|index| pointer::index(&at, index))
                        .filter(|member| !self.is_null(member))
                        .collect();
                    if members.len() == 1 {
                        behind.splice(0..0, members.pop().map(Part::at));
                    } else if members.len() > 1 {
                        if union.is_none() {
                            union = Some((expanded.len(), members));
                        } else {
                            self.warnings.insert(Warning::IgnoredKeyword {
                                path: at,
                                reason: "one union at a place is scored; this one only validates".to_owned(),
                            });
                        }
                    }
                }
            }
            open.extend(next.into_iter().rev());
            expanded.push((part, keywords));
        }
        (expanded, union)
    }

    /// Whether a subschema admits null and nothing else.
    fn is_null(&self, pointer: &str) -> bool {
        self.schema
            .pointer(pointer)
            .and_then(Value::as_object)
            .is_some_and(|keywords| declared_types(keywords).is_some_and(|types| types == Types::NULL))
    }

    fn compile(&mut self, id: PlanId, list: &[Part]) -> Node {
        let (parts, union) = self.expand(list);
        let mut node = Node::new(list.first().map_or("", |part| &part.pointer));
        node.types =
            parts.iter().filter_map(|(_, keywords)| declared_types(keywords)).fold(Types::ALL, Types::intersection);
        self.warn_of_misplaced(&parts, node.types, union.is_some());
        if let Some((path, value)) = keyword(&parts, "nullScore") {
            node.null_score = self.errors.fraction(path, "nullScore", value);
        }
        if let Some((path, value)) = keyword(&parts, "threshold") {
            node.threshold = self.errors.fraction(path, "threshold", value).unwrap_or(0.0);
        }
        if let Some((path, value)) = keyword(&parts, "score") {
            let beside_union = parts.iter().any(|(part, _)| part.without_union && part.pointer == path);
            self.read_score(id, &mut node, path, value, beside_union || union.is_some());
        }
        self.read_role(id, &parts, node.types);
        node.array = self.array_rule(&parts);
        node.object = self.object_rule(&parts);
        if node.types.meets(Types::ARRAY) && union.is_none() {
            self.warn_of_idle(&parts, &node.array);
        }
        if let Some((owner, members)) = union {
            node.branches = self.branches(list, &parts[owner].0, node.types, members);
        }
        node
    }

    fn branches(&mut self, list: &[Part], owner: &Part, types: Types, members: Vec<String>) -> Vec<Branch> {
        // The branch's own list: what the place says anyway, less the union (wherever in the list it stands), and the
        // member itself.
        let base: Vec<Part> = std::iter::once(Part { pointer: owner.pointer.clone(), without_union: true })
            .chain(list.iter().filter(|part| part.pointer != owner.pointer).cloned())
            .collect();
        members
            .into_iter()
            .map(|member| {
                let mut list = base.clone();
                // At the owner itself a plain copy of the member is shared by all who refer to it.
                let plain = list.len() == 1 && only_a_union(self.schema, &owner.pointer);
                if plain {
                    list.clear();
                }
                list.push(Part::at(member.clone()));
                let member_types = self.types_at(&member);
                Branch {
                    node: if plain { self.node_at(member.clone()) } else { self.node_for(list) },
                    types: member_types.intersection(types),
                    validator: self.branch_validator(&member),
                }
            })
            .collect()
    }

    /// The types that a subschema, with its references and `allOf`, admits.
    fn types_at(&mut self, pointer: &str) -> Types {
        let (parts, union) = self.expand(&[Part::at(pointer.to_owned())]);
        let own =
            parts.iter().filter_map(|(_, keywords)| declared_types(keywords)).fold(Types::ALL, Types::intersection);
        if self.schema.pointer(pointer) == Some(&Value::Bool(false)) {
            return Types::NONE;
        }
        // A union within says less than its members do; where it stands alone, anything it may admit is a guess.
        let _ = union;
        own
    }

    fn branch_validator(&mut self, pointer: &str) -> Option<Validator> {
        if self.branch_validators.is_none() {
            self.branch_validators = guarded(|| jsonschema::validator_map_for(self.schema)).and_then(Result::ok);
        }
        self.branch_validators.as_ref()?.get(&format!("#{pointer}")).cloned()
    }

    fn intern(&mut self, key: &str) -> StringId {
        if let Some(&id) = self.key_ids.get(key) {
            return id;
        }
        let id = StringId(self.keys.len() as u32);
        self.keys.push(key.into());
        self.key_ids.insert(key.into(), id);
        id
    }
}

/// Whether a subschema is that of a property, or may be used as one through a reference.
fn is_property(pointer: &str) -> bool {
    let tokens: Vec<&str> = pointer.split('/').collect();
    let owner = tokens.len().checked_sub(2).map(|at| tokens[at]);
    matches!(owner, Some("properties" | "patternProperties" | "$defs" | "definitions" | "allOf" | "anyOf" | "oneOf"))
        || matches!(tokens.last(), Some(&("additionalProperties" | "unevaluatedProperties")))
}

/// Whether a subschema says nothing that a branch of its union would have to carry along.
fn only_a_union(schema: &Value, pointer: &str) -> bool {
    const SILENT: [&str; 12] = [
        "anyOf",
        "oneOf",
        "title",
        "description",
        "default",
        "examples",
        "discriminator",
        "$schema",
        "$id",
        "$defs",
        "definitions",
        "valueWeight",
    ];
    schema
        .pointer(pointer)
        .and_then(Value::as_object)
        .is_some_and(|keywords| keywords.keys().all(|keyword| SILENT.contains(&keyword.as_str())))
}

/// The first subschema of the list that has a keyword: its pointer, and the keyword's value.
fn keyword<'a, 's>(parts: &'a Expanded<'s>, name: &str) -> Option<(&'a str, &'s Value)> {
    parts.iter().find_map(|(part, keywords)| keywords.get(name).map(|value| (part.pointer.as_str(), value)))
}

/// The types that a subschema declares, by `type` or by the values it lists; `None` if it says nothing of them.
fn declared_types(keywords: &Map<String, Value>) -> Option<Types> {
    let union = |types: &mut dyn Iterator<Item = Types>| types.fold(Types::NONE, Types::union);
    match keywords.get("type") {
        Some(Value::String(name)) => return Some(Types::named(name)),
        Some(Value::Array(names)) => {
            return Some(union(&mut names.iter().filter_map(Value::as_str).map(Types::named)));
        }
        _ => {}
    }
    if let Some(value) = keywords.get("const") {
        return Some(Types::of(value));
    }
    keywords.get("enum").and_then(Value::as_array).map(|values| union(&mut values.iter().map(Types::of)))
}

/// The pointer of the first place nested deeper than a document may be.
fn too_deep(schema: &Value) -> Option<String> {
    let mut open = vec![(String::new(), schema, 0)];
    while let Some((path, value, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return Some(path);
        }
        match value {
            Value::Array(items) => {
                open.extend(
                    items.iter().enumerate().map(|(index, item)| (pointer::index(&path, index), item, depth + 1)),
                );
            }
            Value::Object(members) => {
                open.extend(members.iter().map(|(key, member)| (pointer::join(&path, key), member, depth + 1)));
            }
            _ => {}
        }
    }
    None
}

fn told(error: &ValidationError<'_>) -> (String, String) {
    (error.instance_path().as_str().to_owned(), error.to_string())
}

/// The path of the first number in a schema that no `f64` is near to.
fn first_beyond_doubles(schema: &Value) -> Option<String> {
    let mut open = vec![(String::new(), schema)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Number(number) if !number.as_f64().is_some_and(f64::is_finite) => return Some(path),
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                open.extend(items.map(|(index, item)| (pointer::index(&path, index), item)));
            }
            Value::Object(members) => {
                open.extend(members.iter().rev().map(|(key, member)| (pointer::join(&path, key), member)));
            }
            _ => {}
        }
    }
    None
}

impl Node {
    /// A node with the defaults of every type.
    fn new(path: &str) -> Self {
        Self {
            path: path.into(),
            types: Types::ALL,
            null_score: None,
            threshold: 0.0,
            string: StringMetric::Jaro,
            number: NumberMetric::InverseDifference,
            array: ArrayRule { items: Some(DEFAULT_NODE), ..ArrayRule::default() },
            object: ObjectRule { additional: Additional::Schema(DEFAULT_NODE, 1.0), ..ObjectRule::default() },
            role: Role::Value,
            branches: Vec::new(),
            reflexive: true,
            referential: false,
            silent: false,
        }
    }

    /// Every node that may compare a part of the values compared here.
    pub(super) fn children(&self) -> impl Iterator<Item = PlanId> {
        let additional = match self.object.additional {
            Additional::Schema(node, _) => Some(node),
            Additional::Undeclared => None,
        };
        self.array
            .prefix
            .iter()
            .map(|(slot, _)| *slot)
            .chain(self.array.items)
            .chain(self.object.properties.iter().map(|property| property.node))
            .chain(self.object.patterns.iter().map(|pattern| pattern.node))
            .chain(additional)
            .chain(self.branches.iter().map(|branch| branch.node))
    }
}
