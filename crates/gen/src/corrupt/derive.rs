//! The shape of a data set from its schema, its legend and its golds.

use super::shape::{Category, End, Free, Identifier, List, Shape};
use super::table::pointer;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A schema that says no shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("schema{at}: {message}")]
pub struct ShapeError {
    /// Where in the schema, as a JSON Pointer.
    pub at: String,
    /// What is there, and what is expected.
    pub message: String,
}

/// How many times a `$ref` may lead to another.
const HOPS: usize = 32;

impl Shape {
    /// The lists of objects that are properties of the schema's root. `idScope` and `ref` say what names and refers; a leaf is
    /// categorical that is a boolean, has an `enum` (which is then its book), or is scored `exact`; any other leaf is free. Nested objects
    /// and lists are left alone.
    ///
    /// # Errors
    ///
    /// The root is no object, no list of objects has references or an identifier, or a reference is to a scope that no list defines.
    pub fn of_schema(schema: &Value) -> Result<Self, ShapeError> {
        let fail = |at: &str, message: String| ShapeError { at: at.to_owned(), message };
        let root = resolve(schema, schema);
        let properties = root.get("properties").and_then(Value::as_object);
        let properties =
            properties.ok_or_else(|| fail("", "the root should be an object with properties".to_owned()))?;
        let mut lists = Vec::new();
        for (key, property) in properties {
            let items = resolve(schema, property).get("items").map(|items| resolve(schema, items));
            if let Some(fields) = items.and_then(|items| items.get("properties")).and_then(Value::as_object) {
                lists.push(list(schema, key, fields));
            }
        }
        let shape = Self { lists };
        if shape.lists.iter().all(|list| list.id.is_none()) {
            let message = "no list of objects has an identifier (\"idScope\"); operators on graphs need one";
            return Err(fail("", message.to_owned()));
        }
        for list in &shape.lists {
            for end in &list.ends {
                if shape.of_scope(&end.scope).is_none() {
                    let at = format!("/properties{}/items/properties{}", pointer(&list.key), pointer(&end.field));
                    return Err(fail(&at, format!("no list of the root defines the scope \"{}\"", end.scope)));
                }
            }
        }
        Ok(shape)
    }

    /// Takes the books that a legend gives: what `legend.json` has, a list of `{"at": "/people/*/title", "values": {word: value}}`.
    pub fn take_legend(&mut self, legend: &Value) {
        for book in legend.get("books").and_then(Value::as_array).into_iter().flatten() {
            let at = book.get("at").and_then(Value::as_str);
            let values = book.get("values").and_then(Value::as_object);
            for list in &mut self.lists {
                let key = pointer(&list.key);
                for category in &mut list.categories {
                    if at == Some(&format!("{key}/*{}", pointer(&category.field))) {
                        category.book = values.into_iter().flat_map(Map::values).cloned().collect();
                    }
                }
            }
        }
    }

    /// Fills what is still open from the golds of the data set: books and pools without values get those that occur, in an order of
    /// their own; and a list whose links name records of two scopes, each record of the one exactly once in every gold, is one that
    /// has a link for each.
    pub fn learn<'v>(&mut self, golds: impl IntoIterator<Item = &'v Value>) {
        let mut learning = Learning::new(self);
        for gold in golds {
            learning.take(gold);
        }
        learning.finish(self);
    }

    /// [`Self::learn`] for golds that come one at a time.
    pub fn learning(&self) -> Learning {
        Learning::new(self)
    }
}

/// What golds have shown of a shape so far.
#[derive(Debug)]
pub struct Learning {
    shape: Shape,
    /// By list and field, the values by their JSON.
    seen: BTreeMap<(usize, String), BTreeMap<String, Value>>,
    /// By list, the ends that have named each record once in every gold.
    once: Vec<Vec<String>>,
    golds: usize,
}

impl Learning {
    fn new(shape: &Shape) -> Self {
        let once = shape.lists.iter().map(|list| {
            let two_scopes = list.is_links() && list.ends.iter().any(|end| end.scope != list.ends[0].scope);
            let fields = list.ends.iter().map(|end| end.field.clone());
            fields.filter(|_| two_scopes).collect()
        });
        Self { seen: BTreeMap::new(), once: once.collect(), golds: 0, shape: shape.clone() }
    }

    /// Looks at one more gold.
    pub fn take(&mut self, gold: &Value) {
        let objects = |list: &List| gold.get(&list.key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        self.golds += 1;
        for (at, list) in self.shape.lists.iter().enumerate() {
            let open =
                list.categories.iter().filter(|category| category.book.is_empty()).map(|category| &category.field);
            let open = open.chain(list.free.iter().filter(|free| free.pool.is_empty()).map(|free| &free.field));
            for field in open {
                let seen = self.seen.entry((at, field.clone())).or_default();
                for value in
                    objects(list).iter().filter_map(|object| object.get(field)).filter(|value| !value.is_null())
                {
                    seen.entry(value.to_string()).or_insert_with(|| value.clone());
                }
            }
            self.once[at].retain(|field| {
                let scope = list.ends.iter().find(|end| end.field == *field).map(|end| end.scope.as_str());
                let records = scope.and_then(|scope| self.shape.of_scope(scope));
                let Some((records, id)) = records.and_then(|(_, records)| Some((records, records.id.as_ref()?))) else {
                    return false;
                };
                let mut named: Vec<String> = objects(list).iter().map(|link| link[field].to_string()).collect();
                let mut ids: Vec<String> =
                    objects(records).iter().map(|record| record[&id.field].to_string()).collect();
                named.sort_unstable();
                ids.sort_unstable();
                named == ids
            });
        }
    }

    /// Fills the shape that this began with.
    pub fn finish(self, shape: &mut Shape) {
        for ((list, field), values) in self.seen {
            let list = &mut shape.lists[list];
            let values = || values.values().cloned().collect();
            if let Some(category) = list.categories.iter_mut().find(|category| category.field == field) {
                category.book = values();
            } else if let Some(free) = list.free.iter_mut().find(|free| free.field == field) {
                free.pool = values();
            }
        }
        if self.golds > 0 {
            for (list, once) in shape.lists.iter_mut().zip(self.once) {
                list.one_for_each = list.one_for_each.take().or_else(|| once.into_iter().next());
            }
        }
    }
}

fn list(schema: &Value, key: &str, fields: &Map<String, Value>) -> List {
    let mut list = List {
        key: key.to_owned(),
        id: None,
        ends: Vec::new(),
        categories: Vec::new(),
        free: Vec::new(),
        one_for_each: None,
    };
    for (field, leaf) in fields {
        let leaf = resolve(schema, leaf);
        let says = |keyword: &str| leaf.get(keyword).and_then(Value::as_str);
        let field = field.clone();
        if let Some(scope) = says("idScope") {
            list.id = Some(Identifier { field, scope: scope.to_owned() });
        } else if let Some(scope) = says("ref") {
            list.ends.push(End { field, scope: scope.to_owned() });
        } else if let Some(book) = leaf.get("enum").and_then(Value::as_array) {
            let book = book.iter().filter(|value| !value.is_null()).cloned().collect();
            list.categories.push(Category { field, book });
        } else if says("type") == Some("boolean") {
            list.categories.push(Category { field, book: vec![false.into(), true.into()] });
        } else if says("score") == Some("exact") {
            list.categories.push(Category { field, book: Vec::new() });
        } else if !matches!(says("type"), Some("object" | "array")) {
            list.free.push(Free { field, pool: Vec::new() });
        }
    }
    list
}

/// A schema, or what it refers to within the document.
fn resolve<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let mut schema = schema;
    for _ in 0..HOPS {
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
        match target.and_then(|target| root.pointer(target)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "$defs": {
                "Part": {"type": "object", "properties": {
                    "number": {"type": "integer", "idScope": "part"},
                    "kind": {"enum": ["bolt", "nut", null]},
                    "spare": {"type": "boolean"},
                    "colour": {"type": "string", "score": "exact"},
                    "label": {"type": "string"},
                    "notes": {"type": "array", "items": {"type": "string"}}
                }},
                "PartNumber": {"type": "integer", "ref": "part"}
            },
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
                "joints": {"type": "array", "items": {"type": "object", "properties": {
                    "upper": {"$ref": "#/$defs/PartNumber"},
                    "lower": {"$ref": "#/$defs/PartNumber"}
                }}}
            }
        })
    }

    #[test]
    fn a_schema_with_definitions_says_its_shape() {
        let mut shape = Shape::of_schema(&schema()).expect("a shape");
        let golds = [
            json!({"parts": [{"number": 1, "colour": "red", "label": "x"}, {"number": 2, "colour": "blue"}], "joints": []}),
            json!({"parts": [{"number": 1, "colour": "red", "label": null}], "joints": []}),
        ];
        shape.learn(&golds);
        let [parts, joints] = &shape.lists[..] else { panic!("two lists") };
        assert_eq!(parts.id, Some(Identifier { field: "number".into(), scope: "part".into() }));
        let books: Vec<(&str, &[Value])> =
            parts.categories.iter().map(|category| (category.field.as_str(), &category.book[..])).collect();
        assert_eq!(
            books,
            [
                ("kind", &[json!("bolt"), json!("nut")][..]),
                ("spare", &[json!(false), json!(true)]),
                ("colour", &[json!("blue"), json!("red")])
            ]
        );
        assert_eq!(parts.free, [Free { field: "label".into(), pool: vec![json!("x")] }]);
        assert_eq!((joints.ends.len(), joints.is_links(), &joints.one_for_each), (2, true, &None));
    }

    #[test]
    fn schemas_without_a_shape_say_why() {
        let error = |schema: Value| Shape::of_schema(&schema).expect_err("no shape").to_string();
        assert_eq!(error(json!({"type": "array"})), "schema: the root should be an object with properties");
        let mut no_scope = schema();
        no_scope["$defs"]["PartNumber"]["ref"] = "screw".into();
        let told = "schema/properties/joints/items/properties/upper: no list of the root defines the scope \"screw\"";
        assert_eq!(error(no_scope), told);
    }
}
