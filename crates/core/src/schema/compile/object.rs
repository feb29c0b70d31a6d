//! Which members an object has, how those are paired that no property names, and what they weigh.

use super::{Compiler, Expanded, Part, keyword};
use crate::compare::string::StringMetric;
use crate::pointer;
use crate::schema::plan::{Additional, DEFAULT_NODE, ObjectRule, Pattern, Property};
use fancy_regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;

impl<'s> Compiler<'s> {
    pub(super) fn object_rule(&mut self, parts: &Expanded<'s>) -> ObjectRule {
        let mut rule = ObjectRule::default();
        // Which subschemas describe each key, in the order in which keys are first declared.
        let mut declared: Vec<(&'s str, Vec<Part>)> = Vec::new();
        let mut place_of: BTreeMap<&'s str, usize> = BTreeMap::new();
        for (part, keywords) in parts {
            let Some(Value::Object(properties)) = keywords.get("properties") else { continue };
            let at = pointer::join(&part.pointer, "properties");
            for key in properties.keys() {
                let description = Part::at(pointer::join(&at, key));
                let place = *place_of.entry(key).or_insert(declared.len());
                if place == declared.len() {
                    declared.push((key, Vec::new()));
                }
                declared[place].1.push(description);
            }
        }
        let mut patterns: Vec<(String, &'s str)> = Vec::new();
        for (part, keywords) in parts {
            let Some(Value::Object(by_pattern)) = keywords.get("patternProperties") else { continue };
            let at = pointer::join(&part.pointer, "patternProperties");
            patterns.extend(by_pattern.keys().map(|pattern| (pointer::join(&at, pattern), pattern.as_str())));
        }
        // In the order of their text: which one speaks for a key must not hang on how the schema is laid out.
        patterns.sort_by_key(|(_, pattern)| *pattern);
        for (path, source) in patterns {
            match Regex::new(source) {
                Ok(regex) => {
                    let node = self.node_at(path.clone());
                    let weight = self.value_weight(&[Part::at(path)]);
                    rule.patterns.push(Pattern { regex, source: source.into(), node, weight });
                }
                Err(error) => self.errors.add(path, format!("the pattern cannot be read: {error}")),
            }
        }
        for (key, mut list) in declared {
            list.extend(
                rule.patterns.iter().filter(|pattern| pattern.regex.is_match(key).unwrap_or(false)).filter_map(
                    |pattern| {
                        let path = self.nodes[pattern.node.0 as usize].path.to_string();
                        (pattern.node != DEFAULT_NODE).then(|| Part::at(path))
                    },
                ),
            );
            let weight = self.value_weight(&list);
            let described = list.iter().any(|part| {
                self.schema
                    .pointer(&part.pointer)
                    .and_then(Value::as_object)
                    .is_some_and(|keywords| !keywords.is_empty())
            });
            let node = if described { self.node_for(list) } else { DEFAULT_NODE };
            let key = self.intern(key);
            rule.properties.push(Property { key, node, weight });
        }
        rule.lookup =
            rule.properties.iter().enumerate().map(|(index, property)| (property.key, index as u32)).collect();
        rule.lookup.sort_unstable();
        for name in ["additionalProperties", "unevaluatedProperties"] {
            if let Some((path, value)) = keyword(parts, name).filter(|(_, value)| **value != Value::Bool(false)) {
                let path = pointer::join(path, name);
                let _ = value;
                let weight = self.value_weight(&[Part::at(path.clone())]);
                rule.additional = Additional::Schema(self.node_at(path), weight);
                break;
            }
        }
        self.read_key_keywords(&mut rule, parts);
        let nothing_weighs = !rule.properties.is_empty()
            && rule.properties.iter().all(|property| property.weight == 0.0)
            && rule.value_importance > 0.0;
        if nothing_weighs {
            let path = parts
                .iter()
                .find(|(_, keywords)| keywords.contains_key("properties"))
                .map_or(String::new(), |(part, _)| pointer::join(&part.pointer, "properties"));
            self.errors.add(path, "the valueWeights of all properties are zero; one must be positive");
        }
        rule
    }

    fn read_key_keywords(&mut self, rule: &mut ObjectRule, parts: &Expanded<'s>) {
        if let Some((path, value)) = keyword(parts, "keyScore") {
            let allowed = [("jaro", StringMetric::Jaro), ("exact", StringMetric::Exact)];
            rule.key_metric = self.errors.name(path, "keyScore", value, &allowed).unwrap_or(StringMetric::Jaro);
        }
        if let Some((path, value)) = keyword(parts, "keyThreshold") {
            rule.key_threshold = self.errors.fraction(path, "keyThreshold", value).unwrap_or(0.0);
        }
        for (name, target) in
            [("keyImportance", &mut rule.key_importance), ("valueImportance", &mut rule.value_importance)]
        {
            if let Some((path, value)) = keyword(parts, name) {
                *target = self.errors.weight(path, name, value).unwrap_or(*target);
            }
        }
        if rule.key_importance + rule.value_importance == 0.0 {
            let path = keyword(parts, "valueImportance").map_or("", |(path, _)| path);
            self.errors.add(
                pointer::join(path, "valueImportance"),
                "keyImportance (default 0) and valueImportance (default 1) sum to zero; one must be positive",
            );
        }
    }

    fn value_weight(&mut self, list: &[Part]) -> f64 {
        let (parts, _) = self.expand(list);
        match keyword(&parts, "valueWeight") {
            Some((path, value)) => self.errors.weight(path, "valueWeight", value).unwrap_or(1.0),
            None => 1.0,
        }
    }
}

impl Default for ObjectRule {
    fn default() -> Self {
        Self {
            properties: Vec::new(),
            lookup: Vec::new(),
            patterns: Vec::new(),
            additional: Additional::Undeclared,
            key_metric: StringMetric::Jaro,
            key_threshold: 0.0,
            key_importance: 0.0,
            value_importance: 1.0,
        }
    }
}
