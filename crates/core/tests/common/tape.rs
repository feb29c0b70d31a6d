//! Random schemas with values that fit them, and damage to values, drawn from a tape of numbers: shorter tapes and smaller
//! numbers mean simpler cases, so that what `proptest` shrinks becomes simple.

#![allow(dead_code)] // Each test file is a crate of its own and uses a part of this.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// Numbers to draw from; zeros when they are used up.
#[derive(Debug)]
pub(crate) struct Tape {
    numbers: std::vec::IntoIter<u16>,
    defs: Map<String, Value>,
    /// Leave out whatever makes the order of a list count.
    unordered: bool,
}

/// A subschema, and how to draw a value that fits it.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) schema: Value,
    sample: Rc<dyn Fn(&mut Tape) -> Value>,
}

impl Shape {
    fn new(schema: Value, sample: impl Fn(&mut Tape) -> Value + 'static) -> Self {
        Self { schema, sample: Rc::new(sample) }
    }

    pub(crate) fn draw(&self, tape: &mut Tape) -> Value {
        (self.sample)(tape)
    }
}

/// Tapes for cases of up to a hundred values or so.
pub(crate) fn tapes() -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..500)
}

const WORDS: [&str; 14] =
    ["", "a", "ab", "ba", "abc", "alpha", "alhpa", "beta", "Łódź", "Łodz", "e\u{301}", "new york", "x/y~z", "🦀"];
const KEYS: [&str; 12] = ["a", "name", "names", "nmae", "id", "kind", "kode", "code", "", "a/b", "~", "título"];
const WEIGHTS: [f64; 5] = [1.0, 2.0, 0.5, 3.0, 0.1];

impl Tape {
    pub(crate) fn new(numbers: Vec<u16>) -> Self {
        Self { numbers: numbers.into_iter(), defs: Map::new(), unordered: false }
    }

    pub(crate) fn unordered(numbers: Vec<u16>) -> Self {
        Self { unordered: true, ..Self::new(numbers) }
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.numbers.next().unwrap_or(0)) % bound
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn pick<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())].clone()
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            let other = self.below(at + 1);
            items.swap(at, other);
        }
    }

    /// A schema whose root is an object, with all that it needs to stand alone.
    pub(crate) fn root(&mut self) -> Shape {
        let mut shape = self.map(3);
        if let Value::Object(keywords) = &mut shape.schema {
            keywords.insert("$defs".into(), std::mem::take(&mut self.defs).into());
        }
        shape
    }

    /// Any schema, with all that it needs to stand alone.
    pub(crate) fn any_root(&mut self) -> Shape {
        let mut shape = self.shape(3);
        if let Value::Object(keywords) = &mut shape.schema {
            keywords.insert("$defs".into(), std::mem::take(&mut self.defs).into());
        }
        shape
    }

    fn shape(&mut self, depth: usize) -> Shape {
        let kinds = if depth == 0 { 5 } else { 13 };
        let mut shape = match self.below(kinds) {
            0 => self.string(),
            1 => self.number(),
            2 => Shape::new(json!({"type": "boolean"}), |tape| json!(tape.one_in(2))),
            3 => Shape::new(json!({"enum": ["a", "ab", 3, true]}), |tape| {
                tape.pick(&[json!("a"), json!("ab"), json!(3), json!(true)])
            }),
            4 => Shape::new(json!({"const": "fixed"}), |_| json!("fixed")),
            5 | 6 => self.list(depth - 1),
            7 if !self.unordered => self.tuple(depth - 1),
            7 | 8 => self.map(depth - 1),
            9 => self.nullable(depth - 1),
            10 => self.referred(depth - 1),
            11 => self.union(depth - 1),
            _ => self.tree(),
        };
        if self.one_in(6)
            && let Value::Object(keywords) = &mut shape.schema
            && !keywords.contains_key("nullScore")
        {
            keywords.insert("nullScore".into(), json!(self.pick(&[0.5, 0.25, 1.0])));
        }
        shape
    }

    fn string(&mut self) -> Shape {
        let mut schema = json!({"type": "string"});
        let metrics = ["jaro", "exact", "jaro_winkler", "levenshtein", "damerau_levenshtein", "osa", "indel", "lcsseq"];
        if self.one_in(2) {
            schema["score"] = json!(self.pick(&metrics));
        }
        self.threshold(&mut schema);
        Shape::new(schema, |tape| json!(tape.pick(&WORDS)))
    }

    fn number(&mut self) -> Shape {
        let integer = self.one_in(2);
        let mut schema = json!({"type": if integer { "integer" } else { "number" }});
        if self.one_in(2) {
            schema["score"] = json!(self.pick(&["invdiff", "exact"]));
        }
        self.threshold(&mut schema);
        Shape::new(schema, move |tape| {
            let integer_value = i64::from(tape.below(9) as u32) - 2;
            match tape.below(6) {
                5 => json!(9_007_199_254_740_992_i64 + integer_value),
                4 if !integer => json!(integer_value as f64 + 0.25),
                _ => json!(integer_value),
            }
        })
    }

    fn threshold(&mut self, schema: &mut Value) {
        if self.one_in(4) {
            schema["threshold"] = json!(self.pick(&[0.5, 0.8, 0.2, 1.0, 0.0]));
        }
    }

    fn list_keywords(&mut self, schema: &mut Value) {
        if self.unordered || self.one_in(2) {
            schema["order"] = json!("align");
        }
        match self.below(8) {
            6 => schema["ignoreExcess"] = json!(true),
            7 => schema["ignoreMissing"] = json!(true),
            _ => {}
        }
    }

    fn list(&mut self, depth: usize) -> Shape {
        let items = self.shape(depth);
        let mut schema = json!({"type": "array", "items": items.schema});
        self.list_keywords(&mut schema);
        Shape::new(schema, move |tape| {
            let len = tape.below(5);
            (0..len).map(|_| items.draw(tape)).collect()
        })
    }

    fn tuple(&mut self, depth: usize) -> Shape {
        let len = self.below(4);
        let slots: Vec<Shape> = (0..=len).map(|_| self.shape(depth)).collect();
        let schemas: Vec<Value> = slots.iter().map(|slot| slot.schema.clone()).collect();
        let mut schema = json!({"type": "array", "prefixItems": schemas});
        if self.one_in(2) {
            let mut weights: Vec<f64> = slots.iter().map(|_| self.pick(&[1.0, 2.0, 0.5, 0.0])).collect();
            weights[0] = 1.5;
            schema["prefixWeights"] = json!(weights);
        }
        let rest = self.one_in(2).then(|| self.shape(depth));
        if let Some(rest) = &rest {
            schema["items"] = rest.schema.clone();
            let importances = self.pick(&[(1.0, 1.0), (2.0, 0.5), (0.0, 1.0), (1.0, 0.0)]);
            schema["prefixImportance"] = json!(importances.0);
            schema["restImportance"] = json!(importances.1);
            self.list_keywords(&mut schema);
        }
        Shape::new(schema, move |tape| {
            let taken = slots.len() - tape.below(2).min(slots.len());
            let mut items: Vec<Value> = slots[..taken].iter().map(|slot| slot.draw(tape)).collect();
            if taken == slots.len() {
                let more = tape.below(4);
                items.extend((0..more).map(|_| match &rest {
                    Some(rest) => rest.draw(tape),
                    None => json!(tape.pick(&WORDS)),
                }));
            }
            items.into()
        })
    }

    fn map(&mut self, depth: usize) -> Shape {
        let count = self.below(5);
        let mut members: Vec<(&str, Shape, bool)> = Vec::new();
        for _ in 0..count {
            let key = self.pick(&KEYS);
            if members.iter().all(|(known, ..)| *known != key) {
                let mut shape = self.shape(depth);
                if self.one_in(3) {
                    shape.schema["valueWeight"] = json!(self.pick(&WEIGHTS));
                } else if !members.is_empty() && self.one_in(8) {
                    shape.schema["valueWeight"] = json!(0);
                }
                members.push((key, shape, self.one_in(2)));
            }
        }
        if let Some((_, first, _)) = members.first_mut() {
            // Some member must weigh something.
            if first.schema["valueWeight"] == json!(0) {
                first.schema["valueWeight"] = json!(1);
            }
        }
        let properties: Map<String, Value> =
            members.iter().map(|(key, shape, _)| ((*key).to_owned(), shape.schema.clone())).collect();
        let required: Vec<&str> = members.iter().filter(|(.., required)| *required).map(|(key, ..)| *key).collect();
        let mut schema = json!({"type": "object", "properties": properties, "required": required});
        // Undeclared keys: the defaults, none, or a schema; values without an order of their own where asked for.
        let extra = match self.below(4) {
            1 => {
                schema["additionalProperties"] = json!(false);
                None
            }
            2 => {
                let shape = self.shape(depth.min(1));
                schema["additionalProperties"] = shape.schema.clone();
                Some(shape)
            }
            3 => {
                let shape = self.string();
                schema["patternProperties"] = json!({"^k": shape.schema});
                None
            }
            _ => Some(Shape::new(json!({}), |tape| json!(tape.pick(&WORDS)))),
        };
        if self.one_in(3) {
            schema["keyImportance"] = json!(self.pick(&[1.0, 0.5, 2.0]));
            schema["valueImportance"] = json!(self.pick(&[1.0, 0.0, 2.0]));
        }
        if self.one_in(4) {
            schema["keyScore"] = json!(self.pick(&["jaro", "exact"]));
        }
        if self.one_in(4) {
            schema["keyThreshold"] = json!(self.pick(&[0.5, 0.8, 1.0]));
        }
        let split = !members.is_empty() && self.one_in(8) && schema["additionalProperties"].is_null();
        if split {
            // The same object, told in two halves.
            let own = schema["properties"].take();
            schema["properties"] = json!({});
            schema = json!({"allOf": [schema, {"properties": own}]});
        }
        let patterned = split || !schema["patternProperties"].is_null();
        Shape::new(schema, move |tape| {
            let mut object = Map::new();
            for (key, shape, required) in &members {
                if *required || !tape.one_in(4) {
                    let fits_patterns = !(patterned && key.starts_with('k'));
                    if fits_patterns {
                        object.insert((*key).to_owned(), shape.draw(tape));
                    } else if *required {
                        // A key of two schemas: what fits the one need not fit the other; draw until a string comes.
                        object.insert((*key).to_owned(), shape.draw(tape));
                    }
                }
            }
            if let Some(extra) = &extra {
                for _ in 0..tape.below(3) {
                    let key = ["other", "zz", "nam"][tape.below(3)];
                    if !object.contains_key(key) {
                        object.insert(key.to_owned(), extra.draw(tape));
                    }
                }
            }
            object.into()
        })
    }

    fn nullable(&mut self, depth: usize) -> Shape {
        let inner = self.shape(depth);
        let schema = match self.below(3) {
            1 => json!({"oneOf": [{"type": "null"}, inner.schema]}),
            2 if inner.schema["type"].is_string() => {
                let mut schema = inner.schema.clone();
                schema["type"] = json!([inner.schema["type"], "null"]);
                schema
            }
            _ => json!({"anyOf": [inner.schema, {"type": "null"}]}),
        };
        // A nullable within a nullable makes null fit twice, which `oneOf` forbids.
        let schema = if schema["oneOf"].is_array() { json!({"anyOf": schema["oneOf"]}) } else { schema };
        Shape::new(schema, move |tape| if tape.one_in(3) { Value::Null } else { inner.draw(tape) })
    }

    fn referred(&mut self, depth: usize) -> Shape {
        let inner = self.shape(depth);
        let name = format!("d{}", self.defs.len());
        self.defs.insert(name.clone(), inner.schema.clone());
        Shape { schema: json!({"$ref": format!("#/$defs/{name}")}), sample: inner.sample }
    }

    fn union(&mut self, depth: usize) -> Shape {
        let branches: Vec<Shape> = (0..2 + self.below(2)).map(|_| self.shape(depth)).collect();
        let schemas: Vec<Value> = branches.iter().map(|branch| branch.schema.clone()).collect();
        Shape::new(json!({"anyOf": schemas}), move |tape| {
            let chosen = tape.below(branches.len());
            branches[chosen].draw(tape)
        })
    }

    fn tree(&mut self) -> Shape {
        fn grow(tape: &mut Tape, leaf: &Shape, depth: usize) -> Value {
            let mut node = json!({"name": leaf.draw(tape)});
            if depth > 0 {
                let kids: Value = (0..tape.below(3)).map(|_| grow(tape, leaf, depth - 1)).collect();
                node["kids"] = kids;
            }
            node
        }
        let name = format!("d{}", self.defs.len());
        let reference = json!({"$ref": format!("#/$defs/{name}")});
        let leaf = self.string();
        let mut list = json!({"type": "array", "items": reference});
        self.list_keywords(&mut list);
        self.defs.insert(
            name,
            json!({"type": "object", "properties": {"name": leaf.schema, "kids": list}, "additionalProperties": false}),
        );
        Shape::new(reference, move |tape| grow(tape, &leaf, 3))
    }

    /// The value with some of it wrong, missing, misspelt, moved or made up.
    pub(crate) fn damage(&mut self, value: &Value) -> Value {
        if self.one_in(12) {
            return self.pick(&[
                json!(null),
                json!("ab"),
                json!(7),
                json!(true),
                json!([]),
                json!({}),
                json!(["a", 1]),
            ]);
        }
        match value {
            Value::Array(items) => {
                let mut items: Vec<Value> = items.iter().map(|item| self.damage(item)).collect();
                if !items.is_empty() && self.one_in(4) {
                    let at = self.below(items.len());
                    items.remove(at);
                }
                if self.one_in(4) {
                    let made_up = if items.is_empty() { json!("a") } else { items[self.below(items.len())].clone() };
                    let at = self.below(items.len() + 1);
                    items.insert(at, made_up);
                }
                if self.one_in(3) {
                    self.shuffle(&mut items);
                }
                items.into()
            }
            Value::Object(members) => {
                let mut object = Map::new();
                for (key, member) in members {
                    let member = self.damage(member);
                    match self.below(10) {
                        9 => {}
                        8 => drop(object.insert(format!("{key}x"), member)),
                        7 => drop(object.insert(self.pick(&KEYS).to_owned(), member)),
                        _ => drop(object.insert(key.clone(), member)),
                    }
                }
                object.into()
            }
            Value::String(_) if self.one_in(3) => json!(self.pick(&WORDS)),
            Value::Number(_) if self.one_in(3) => json!(self.below(7)),
            Value::Bool(boolean) if self.one_in(3) => json!(!boolean),
            other => other.clone(),
        }
    }

    /// The same value with the keys of its objects in another order, and the items of its lists too if asked for.
    pub(crate) fn reorder(&mut self, value: &Value, lists: bool) -> Value {
        match value {
            Value::Array(items) => {
                let mut items: Vec<Value> = items.iter().map(|item| self.reorder(item, lists)).collect();
                if lists {
                    self.shuffle(&mut items);
                }
                items.into()
            }
            Value::Object(members) => {
                let mut members: Vec<(String, Value)> =
                    members.iter().map(|(key, member)| (key.clone(), self.reorder(member, lists))).collect();
                self.shuffle(&mut members);
                members.into_iter().collect::<Map<_, _>>().into()
            }
            leaf => leaf.clone(),
        }
    }
}
