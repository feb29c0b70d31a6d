//! What a leaf may hold: bounds on length and size, and values within them.

use super::super::super::check::fits;
use super::super::vocabulary::Kind;
use serde_json::{Map, Value, json};

/// A leaf and its bounds.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) kind: Kind,
    min_length: usize,
    max_length: usize,
    least: f64,
    most: f64,
    /// Whether the bounds themselves are excluded.
    above_least: bool,
    below_most: bool,
    multiples: Vec<f64>,
}

/// Values that patterns of identifiers, versions, dates and codes often ask for.
const PATTERNED: [&str; 26] = [
    "a",
    "A",
    "abc",
    "ABC",
    "a1",
    "A1",
    "Abc",
    "1",
    "12",
    "123",
    "1234",
    "12345",
    "123456",
    "1.0",
    "1.0.0",
    "a-b",
    "a_b",
    "a.b",
    "/a",
    "#aabbcc",
    "a@b.example",
    "https://example.org/a",
    "2024-05-17",
    "2024-05-17T10:20:30Z",
    "10:20",
    "123e4567-e89b-12d3-a456-426614174000",
];

/// Keywords beside which not just any value of the type will do.
const PARTICULAR: [&str; 12] = [
    "enum",
    "const",
    "pattern",
    "format",
    "not",
    "if",
    "anyOf",
    "oneOf",
    "contentEncoding",
    "contentMediaType",
    "$dynamicRef",
    "$recursiveRef",
];

impl Leaf {
    /// The bounds that these subschemas set together.
    pub(super) fn new(kind: Kind, parts: &[&Map<String, Value>]) -> Self {
        let mut leaf = Self {
            kind,
            min_length: 0,
            max_length: usize::MAX,
            least: f64::NEG_INFINITY,
            most: f64::INFINITY,
            above_least: false,
            below_most: false,
            multiples: Vec::new(),
        };
        for part in parts {
            let number = |key: &str| part.get(key).and_then(Value::as_f64);
            let length = |key: &str| part.get(key).and_then(Value::as_u64).map(|length| length as usize);
            leaf.min_length = leaf.min_length.max(length("minLength").unwrap_or(0));
            leaf.max_length = leaf.max_length.min(length("maxLength").unwrap_or(usize::MAX));
            // Draft 4 has true and false here, about `minimum` and `maximum`.
            let excluded = |key: &str| part.get(key) == Some(&Value::Bool(true));
            leaf.raise(number("minimum"), excluded("exclusiveMinimum"));
            leaf.raise(number("exclusiveMinimum"), true);
            leaf.lower(number("maximum"), excluded("exclusiveMaximum"));
            leaf.lower(number("exclusiveMaximum"), true);
            leaf.multiples.extend(number("multipleOf").filter(|multiple| *multiple > 0.0));
        }
        leaf
    }

    fn raise(&mut self, bound: Option<f64>, excluded: bool) {
        if let Some(bound) = bound
            && bound >= self.least
        {
            self.above_least = excluded || (bound == self.least && self.above_least);
            self.least = bound;
        }
    }

    fn lower(&mut self, bound: Option<f64>, excluded: bool) {
        if let Some(bound) = bound
            && bound <= self.most
        {
            self.below_most = excluded || (bound == self.most && self.below_most);
            self.most = bound;
        }
    }

    /// Whether any value within the bounds will do.
    pub(super) fn is_plain(parts: &[&Map<String, Value>]) -> bool {
        parts.iter().all(|part| PARTICULAR.iter().all(|keyword| !part.contains_key(*keyword)))
    }

    /// Whether a value of the kind is within the bounds.
    pub(super) fn takes(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => (self.min_length..=self.max_length).contains(&text.chars().count()),
            Value::Number(_) => {
                let Some(number) = value.as_f64() else { return false };
                let above = if self.above_least { number > self.least } else { number >= self.least };
                let below = if self.below_most { number < self.most } else { number <= self.most };
                above && below && self.multiples.iter().all(|multiple| (number / multiple).fract() == 0.0)
            }
            _ => false,
        }
    }

    /// A string within the bounds, of `word` repeated or cut.
    pub(super) fn string(&self, word: &str) -> Value {
        let mut text = word.to_owned();
        while text.chars().count() < self.min_length {
            text.push(' ');
            text.push_str(word);
        }
        text.chars().take(self.max_length.max(self.min_length)).collect::<String>().into()
    }

    /// A string that patterns and formats accept: an example that the schema gives, a sample of the format, or one that many patterns take.
    pub(super) fn patterned(&self, parts: &[&Map<String, Value>]) -> Option<Value> {
        let given = parts.iter().flat_map(|part| {
            let examples = part.get("examples").and_then(Value::as_array).into_iter().flatten();
            examples.chain(part.get("default")).chain(part.get("example"))
        });
        let formats = parts.iter().filter_map(|part| part.get("format").and_then(Value::as_str)).filter_map(sample);
        let samples = formats.chain(PATTERNED).map(Value::from);
        let patterns: Vec<Value> =
            parts.iter().filter_map(|part| part.get("pattern")).map(|pattern| json!({"pattern": pattern})).collect();
        let asked = json!({"type": "string", "allOf": patterns});
        let mut candidates = given.filter(|value| value.is_string()).cloned().chain(samples);
        candidates.find(|value| self.takes(value) && (patterns.is_empty() || fits(&asked, value).is_ok()))
    }

    /// A number within the bounds: one of `wanted`, or one at the bounds.
    pub(super) fn number(&self, wanted: &[Value]) -> Option<Value> {
        let whole = |number: f64| {
            let small = number.abs() < 9e15 && number.fract() == 0.0;
            small.then(|| Value::from(number as i64))
        };
        let near = |number: f64| [number, number.ceil(), number.floor(), number + 1.0, number - 1.0];
        let middle = f64::midpoint(self.least, self.most);
        let multiples = self.multiples.iter().flat_map(|&multiple| {
            let lowest = if self.least.is_finite() { (self.least / multiple).ceil() } else { 0.0 };
            let highest = if self.most.is_finite() { (self.most / multiple).floor() } else { 1.0 };
            [lowest, lowest + 1.0, highest, highest - 1.0].map(|times| times * multiple)
        });
        let bounds =
            [0.0, 1.0].into_iter().chain([self.least, self.most, middle].into_iter().flat_map(near)).chain(multiples);
        let made = bounds.filter(|number| number.is_finite()).filter_map(|number| {
            let fraction = || (self.kind == Kind::Number).then(|| Value::from(number));
            whole(number).or_else(fraction)
        });
        wanted.iter().cloned().chain(made).find(|value| self.takes(value))
    }
}

/// A value of a format.
fn sample(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "2024-05-17",
        "date-time" => "2024-05-17T10:20:30Z",
        "time" => "10:20:30Z",
        "duration" => "P3D",
        "email" | "idn-email" => "post@example.org",
        "hostname" | "idn-hostname" => "example.org",
        "ipv4" | "ip-address" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "iri" | "uri-reference" | "iri-reference" | "url" => "https://example.org/a",
        "uuid" => "123e4567-e89b-12d3-a456-426614174000",
        "regex" => "^a$",
        "json-pointer" => "/a",
        "relative-json-pointer" => "0/a",
        "uri-template" => "https://example.org/{a}",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(kind: Kind, schema: &Value) -> Leaf {
        Leaf::new(kind, &[schema.as_object().expect("an object")])
    }

    #[test]
    fn bounds_are_those_of_every_draft() {
        let takes = |schema: Value, number: f64| leaf(Kind::Number, &schema).takes(&json!(number));
        assert!(takes(json!({"minimum": 3}), 3.0) && !takes(json!({"minimum": 3}), 2.9));
        assert!(
            !takes(json!({"exclusiveMinimum": 3}), 3.0) && !takes(json!({"minimum": 3, "exclusiveMinimum": true}), 3.0)
        );
        assert!(takes(json!({"minimum": 3, "exclusiveMinimum": false}), 3.0));
        assert!(
            !takes(json!({"exclusiveMaximum": 3}), 3.0) && !takes(json!({"maximum": 3, "exclusiveMaximum": true}), 3.0)
        );
        assert!(takes(json!({"multipleOf": 0.5}), 2.5) && !takes(json!({"multipleOf": 2}), 2.5));
        let word = leaf(Kind::String, &json!({"minLength": 5, "maxLength": 5}));
        assert!(word.takes(&json!("ALPHA")) && !word.takes(&json!("ECHO")) && !word.takes(&json!("CHARLIE")));
    }

    #[test]
    fn values_within_the_bounds_are_found() {
        let number = |schema: Value| leaf(Kind::Number, &schema).number(&[]);
        assert_eq!(number(json!({"minimum": 3.5})), Some(json!(3.5)));
        assert_eq!(number(json!({"exclusiveMinimum": 0, "maximum": 0.5})), Some(json!(0.5)));
        assert_eq!(number(json!({"exclusiveMinimum": 0, "exclusiveMaximum": 0.5})), Some(json!(0.25)));
        assert_eq!(number(json!({"minimum": 50, "multipleOf": 40})), Some(json!(80)));
        assert_eq!(number(json!({"minimum": 2, "maximum": 1})), None);
        assert_eq!(leaf(Kind::Integer, &json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1})).number(&[]), None);
        let word = leaf(Kind::String, &json!({"minLength": 8, "maxLength": 10})).string("fern");
        assert_eq!(word, json!("fern fern"));
        let asked = json!({"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"});
        let parts = [asked.as_object().expect("an object")];
        assert_eq!(Leaf::new(Kind::String, &parts).patterned(&parts), Some(json!("2024-05-17")));
    }
}
