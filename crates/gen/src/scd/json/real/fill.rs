//! A document that a schema accepts: what is required and nothing else, leaf by leaf.
//!
//! References within the schema, `allOf`, `const`, `enum`, bounds, formats, the usual patterns, `minItems`, `contains`,
//! `minProperties` and dependent keys are followed; of alternatives the first that can be built is taken. Whatever else a schema
//! asks for is left to the validation of the whole. The work is bounded, whatever the schema.

use super::super::vocabulary::{Kind, VOCABULARY};
use super::leaf::Leaf;
use crate::streams::below;
use objalign_core::scd::{Path, Step};
use rand_chacha::ChaCha12Rng;
use serde_json::{Map, Value};

/// How many places are looked at before a schema is given up.
const MOST_PLACES: usize = 20_000;
/// How deep a document may be.
const DEEPEST: usize = 60;

/// Leaves at which values can be planted.
pub(super) type Leaves = Vec<(Path, Leaf)>;

/// Builds one document.
pub(super) struct Filler<'s> {
    schema: &'s Value,
    random: ChaCha12Rng,
    leaves: Leaves,
    places: usize,
    /// How many fillers were used: neighbours differ, for the sake of `uniqueItems`.
    fillers: usize,
}

/// What applies to a place: subschemas, and which of their alternatives are chosen already.
#[derive(Debug, Clone, Default)]
struct Place<'s> {
    schemas: Vec<&'s Value>,
    chosen: Vec<&'s [Value]>,
}

impl<'s> Filler<'s> {
    pub(super) fn new(schema: &'s Value, mut random: ChaCha12Rng) -> Self {
        let fillers = below(&mut random, 1000);
        Self { schema, random, leaves: Vec::new(), places: 0, fillers }
    }

    /// The document, and where values can be planted in it.
    pub(super) fn document(mut self) -> Result<(Value, Leaves), String> {
        let place = Place { schemas: vec![self.schema], chosen: Vec::new() };
        let document = self.build(&place, &Path::root(), true)?;
        Ok((document, self.leaves))
    }

    fn build(&mut self, place: &Place<'s>, at: &Path, plantable: bool) -> Result<Value, String> {
        self.places += 1;
        if self.places > MOST_PLACES {
            return Err(format!("asks for too much: given up after {MOST_PLACES} places"));
        }
        if at.steps().len() > DEEPEST {
            return Err(format!("what is required is deeper than {DEEPEST} levels; does it require itself?"));
        }
        let parts = self.parts(&place.schemas, at)?;
        if let Some(value) = parts.iter().find_map(|part| part.get("const")) {
            return Ok(value.clone());
        }
        let mut enums = parts.iter().filter_map(|part| part.get("enum")).filter_map(Value::as_array);
        if let Some(first) = enums.next() {
            let rest: Vec<&Vec<Value>> = enums.collect();
            let types = types(&parts);
            let fits = |value: &&Value| {
                rest.iter().all(|other| other.contains(value))
                    && types.as_ref().is_none_or(|types| types.iter().any(|name| is(value, name)))
            };
            return first.iter().find(fits).cloned().ok_or_else(|| format!("{at}: no value of the enum fits"));
        }
        let unions =
            parts.iter().flat_map(|part| ["anyOf", "oneOf"].into_iter().filter_map(|keyword| part.get(keyword)));
        let open = unions
            .filter_map(Value::as_array)
            .find(|union| !place.chosen.iter().any(|chosen| std::ptr::eq(*chosen, union.as_slice())));
        if let Some(union) = open {
            return self.choose(place, union, at);
        }
        match kind(&parts).as_str() {
            "object" => self.object(&parts, at, plantable),
            "array" => self.array(&parts, at, plantable),
            "null" => Ok(Value::Null),
            "boolean" => Ok((below(&mut self.random, 2) == 1).into()),
            name => {
                let kind = match name {
                    "integer" => Kind::Integer,
                    "number" => Kind::Number,
                    _ => Kind::String,
                };
                let leaf = Leaf::new(kind, &parts);
                let of_one_type = types(&parts).is_some_and(|types| types == [name]);
                let value = self.leaf(&leaf, &parts).ok_or_else(|| format!("{at}: no {name} was found that fits"))?;
                if plantable && of_one_type && Leaf::is_plain(&parts) {
                    self.leaves.push((at.clone(), leaf));
                }
                Ok(value)
            }
        }
    }

    /// The first of some alternatives that can be built.
    fn choose(&mut self, place: &Place<'s>, union: &'s [Value], at: &Path) -> Result<Value, String> {
        let mut told = format!("{at}: there are no alternatives");
        let mut nothing = false;
        for alternative in union {
            let mut chosen = place.clone();
            chosen.chosen.push(union);
            chosen.schemas.push(alternative);
            // Which alternative a completion takes is its own business, so nothing is planted below.
            match self.build(&chosen, at, false) {
                // Nothing is for want of something.
                Ok(Value::Null) => nothing = true,
                Ok(value) => return Ok(value),
                Err(reason) => told = reason,
            }
        }
        if nothing { Ok(Value::Null) } else { Err(told) }
    }

    fn object(&mut self, parts: &[&'s Map<String, Value>], at: &Path, plantable: bool) -> Result<Value, String> {
        let strings = |value: &'s Value| value.as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut keys: Vec<&'s str> = Vec::new();
        for key in parts.iter().filter_map(|part| part.get("required")).flat_map(strings) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let of = |keyword: &str| parts.iter().filter_map(|part| part.get(keyword)?.as_object()).collect::<Vec<_>>();
        let properties = of("properties");
        let least = parts.iter().filter_map(|part| part.get("minProperties")?.as_u64()).max().unwrap_or(0) as usize;
        for key in properties.iter().flat_map(|properties| properties.keys()) {
            if keys.len() < least && !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
        let dependent: Vec<_> = of("dependentRequired").into_iter().chain(of("dependencies")).collect();
        let mut nth = 0;
        while nth < keys.len() {
            let key = keys[nth];
            for key in dependent.iter().filter_map(|dependent| dependent.get(key)).flat_map(strings) {
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            nth += 1;
        }
        let mut members = Map::new();
        for key in keys {
            let mut schemas: Vec<&Value> = properties.iter().filter_map(|properties| properties.get(key)).collect();
            let known = !schemas.is_empty() || parts.iter().any(|part| part.contains_key("patternProperties"));
            if !known {
                schemas.extend(parts.iter().filter_map(|part| part.get("additionalProperties")));
            }
            let below = at.join(Step::Key(key.to_owned()));
            if schemas.contains(&&Value::Bool(false)) {
                return Err(format!("{below}: is required, and not allowed"));
            }
            let value = self.build(&Place { schemas, ..Place::default() }, &below, plantable && known)?;
            members.insert(key.to_owned(), value);
        }
        Ok(members.into())
    }

    fn array(&mut self, parts: &[&'s Map<String, Value>], at: &Path, plantable: bool) -> Result<Value, String> {
        let number = |keyword: &str| parts.iter().filter_map(|part| part.get(keyword)?.as_u64()).max();
        let contains: Vec<&Value> = parts.iter().filter_map(|part| part.get("contains")).collect();
        let wanted = if contains.is_empty() { 0 } else { number("minContains").unwrap_or(1) };
        let least = number("minItems").unwrap_or(0).max(wanted);
        let mut items = Vec::new();
        for index in 0..least {
            let mut schemas = Vec::new();
            for part in parts {
                // Drafts before 2020-12 call the first items `items`, and the rest `additionalItems`.
                let old = part.get("items").and_then(Value::as_array);
                let first = part.get("prefixItems").and_then(Value::as_array).or(old);
                let rest = if old.is_some() { part.get("additionalItems") } else { part.get("items") };
                schemas.extend(first.and_then(|first| first.get(index as usize)).or(rest));
            }
            if index < wanted {
                schemas.extend(&contains);
            }
            let below = at.join(Step::Index(index as usize));
            items.push(self.build(&Place { schemas, ..Place::default() }, &below, plantable && index >= wanted)?);
        }
        Ok(items.into())
    }

    fn leaf(&mut self, leaf: &Leaf, parts: &[&Map<String, Value>]) -> Option<Value> {
        self.fillers += 1;
        let pool = VOCABULARY.fillers.of(leaf.kind);
        if leaf.kind != Kind::String {
            let turned: Vec<Value> =
                (0..pool.len()).map(|nth| pool[(self.fillers + nth) % pool.len()].clone()).collect();
            return leaf.number(&turned);
        }
        if parts.iter().any(|part| part.contains_key("pattern") || part.contains_key("format")) {
            return leaf.patterned(parts);
        }
        let word = pool[self.fillers % pool.len()].as_str()?;
        Some(leaf.string(word)).filter(|value| leaf.takes(value))
    }

    /// The subschemas of a place, with all that they refer to and consist of.
    fn parts(&self, schemas: &[&'s Value], at: &Path) -> Result<Vec<&'s Map<String, Value>>, String> {
        let mut open: Vec<&Value> = schemas.iter().rev().copied().collect();
        let mut parts: Vec<&Map<String, Value>> = Vec::new();
        while let Some(schema) = open.pop() {
            let part = match schema {
                Value::Bool(false) => return Err(format!("{at}: nothing is allowed here")),
                Value::Object(part) => part,
                _ => continue,
            };
            // The same by another way: a reference to itself, or one that is made twice.
            if parts.iter().any(|known| std::ptr::eq(*known, part)) {
                continue;
            }
            parts.push(part);
            if let Some(all) = part.get("allOf").and_then(Value::as_array) {
                open.extend(all.iter().rev());
            }
            if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
                open.push(
                    self.target(reference)
                        .ok_or_else(|| format!("{at}: {reference:?} points out of the schema, or at nothing in it"))?,
                );
            }
        }
        Ok(parts)
    }

    fn target(&self, reference: &str) -> Option<&'s Value> {
        let pointer = reference.strip_prefix('#')?;
        self.schema.pointer(&decoded(pointer)?)
    }
}

/// A pointer without its percent signs.
fn decoded(pointer: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            bytes.push((digit(rest.next()?)? * 16 + digit(rest.next()?)?) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The types that all subschemas allow, in the order of the first that says any; `None` if none says.
fn types<'s>(parts: &[&'s Map<String, Value>]) -> Option<Vec<&'s str>> {
    let mut all = parts.iter().filter_map(|part| part.get("type")).map(|types| match types {
        Value::String(name) => vec![name.as_str()],
        other => other.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    });
    let first = all.next()?;
    let rest: Vec<Vec<&str>> = all.collect();
    // Integers are numbers: where both are said, the narrower holds.
    let narrowed = first.into_iter().filter_map(|name| {
        let allows = |name: &str| {
            rest.iter().all(|other| other.contains(&name) || (name == "integer" && other.contains(&"number")))
        };
        if allows(name) { Some(name) } else { (name == "number" && allows("integer")).then_some("integer") }
    });
    Some(narrowed.collect())
}

/// What is built at a place.
fn kind(parts: &[&Map<String, Value>]) -> String {
    if let Some(types) = types(parts) {
        let first = types.iter().find(|name| **name != "null").or(types.first());
        return (*first.unwrap_or(&"nothing")).to_owned();
    }
    let says = |keywords: &[&str]| parts.iter().any(|part| keywords.iter().any(|keyword| part.contains_key(*keyword)));
    let kind = if says(&["properties", "required", "additionalProperties", "patternProperties", "minProperties"]) {
        "object"
    } else if says(&["items", "prefixItems", "minItems", "contains", "uniqueItems"]) {
        "array"
    } else if says(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) {
        "number"
    } else {
        "string"
    };
    kind.to_owned()
}

fn is(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Number(number) => name == "number" || (name == "integer" && !number.is_f64()),
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}
