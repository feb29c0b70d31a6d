//! Lists of flat records (name, city, code, amount, date, tags) with the schema that scores them, and damaged candidates.
//!
//! The plainest extraction task there is: a list of objects whose order does not count. Every gold and every candidate fits
//! the schema, whatever the damage. Linear in the number of records.

use crate::streams::stream;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use serde_json::{Map, Value, json};

const FIRST: [&str; 16] = [
    "Ada",
    "Bruno",
    "Carmen",
    "Dorothea",
    "Emil",
    "Fatima",
    "Greta",
    "Henrik",
    "Ingrid",
    "Jonas",
    "Katalin",
    "Luca",
    "Marguerite",
    "Noor",
    "Oskar",
    "Priya",
];
/// Family names are two or three of these: some hundred thousand of them, as strings in real data seldom repeat.
const SYLLABLES: [&str; 48] = [
    "al", "an", "bar", "berg", "bor", "cas", "chi", "dal", "den", "dov", "el", "er", "fal", "fin", "gar", "gro", "hal",
    "her", "in", "ja", "kal", "ki", "kov", "lan", "lin", "lo", "mar", "mo", "na", "nor", "o", "os", "pe", "qui", "ran",
    "ri", "sø", "sten", "ta", "tor", "ul", "va", "ver", "wil", "xa", "yo", "zan", "zí",
];
const CITIES: [&str; 12] = [
    "Aarhus",
    "Bologna",
    "Coimbra",
    "Dresden",
    "Eindhoven",
    "Freiburg",
    "Gothenburg",
    "Helsinki",
    "Innsbruck",
    "Kraków",
    "Ljubljana",
    "Marseille",
];
const TAGS: [&str; 8] = ["cash", "express", "fragile", "gift", "new", "regular", "return", "wholesale"];

/// The schema of [`gold`] and [`candidate`]: records in any order, one comparator of each common kind.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["records"],
        "properties": {
            "records": {
                "type": "array",
                "order": "align",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": {
                        "name": {"type": "string", "score": "jaro_winkler"},
                        "city": {"type": "string", "score": "levenshtein", "threshold": 0.5},
                        "code": {"type": "string", "score": "exact", "valueWeight": 2},
                        "amount": {"type": "number", "score": "invdiff"},
                        "date": {"type": "string", "score": "exact"},
                        "tags": {"type": "array", "order": "align", "items": {"type": "string", "score": "exact"}}
                    }
                }
            }
        }
    })
}

/// How a candidate differs from its gold. Rates are probabilities in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Damage {
    /// That a string has two neighbouring letters swapped, one dropped or one doubled, or that an amount is off.
    pub typo: f64,
    /// That a record is left out.
    pub dropped_record: f64,
    /// That a field of a record is left out.
    pub dropped_field: f64,
    /// Whether the records stand in another order.
    pub shuffled: bool,
}

impl Damage {
    /// None at all: the candidate is a copy.
    pub const NONE: Self = Self { typo: 0.0, dropped_record: 0.0, dropped_field: 0.0, shuffled: false };

    /// What a decent extraction gets wrong: one field in ten, one record in twenty, the order.
    pub const TYPICAL: Self = Self { typo: 0.1, dropped_record: 0.05, dropped_field: 0.05, shuffled: true };
}

/// The gold of instance `index`: an object with `count` records.
pub fn gold(seed: u64, index: u64, count: usize) -> Value {
    let mut fields = Fields {
        name: stream(seed, index, "records/name"),
        city: stream(seed, index, "records/city"),
        code: stream(seed, index, "records/code"),
        amount: stream(seed, index, "records/amount"),
        date: stream(seed, index, "records/date"),
        tags: stream(seed, index, "records/tags"),
    };
    let records: Vec<Value> = (0..count).map(|_| fields.record()).collect();
    json!({ "records": records })
}

/// A damaged copy of `gold`, as instance `index` has it.
pub fn candidate(gold: &Value, seed: u64, index: u64, damage: Damage) -> Value {
    let mut typos = stream(seed, index, "records/typo");
    let mut records_dropped = stream(seed, index, "records/dropped_record");
    let mut fields_dropped = stream(seed, index, "records/dropped_field");
    let mut records = Vec::new();
    for record in gold["records"].as_array().into_iter().flatten() {
        // Every draw is made whether or not its outcome matters: one decision never shifts the next.
        let dropped = records_dropped.random_bool(damage.dropped_record);
        let mut copy = Map::new();
        for (key, value) in record.as_object().into_iter().flatten() {
            let value = with_typos(value, &mut typos, damage.typo);
            if !fields_dropped.random_bool(damage.dropped_field) {
                copy.insert(key.clone(), value);
            }
        }
        if !dropped {
            records.push(Value::from(copy));
        }
    }
    if damage.shuffled {
        records.shuffle(&mut stream(seed, index, "records/order"));
    }
    json!({ "records": records })
}

/// The streams of the fields: a change to one field leaves the values of the others as they are.
struct Fields {
    name: ChaCha12Rng,
    city: ChaCha12Rng,
    code: ChaCha12Rng,
    amount: ChaCha12Rng,
    date: ChaCha12Rng,
    tags: ChaCha12Rng,
}

impl Fields {
    fn name(&mut self) -> String {
        let first = pick(&FIRST, &mut self.name);
        let syllables = self.name.random_range(2..4_u32);
        let last: String = (0..syllables).map(|_| pick(&SYLLABLES, &mut self.name)).collect();
        let mut letters = last.chars();
        let initial: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        format!("{first} {initial}{}", letters.as_str())
    }

    fn record(&mut self) -> Value {
        let name = self.name();
        let letter = char::from(b'A' + self.code.random_range(0..26_u8));
        let code = format!("{letter}{:05}", self.code.random_range(0..100_000_u32));
        let cents = self.amount.random_range(100..500_000_u32);
        let (month, day) = (self.date.random_range(1..13_u32), self.date.random_range(1..29_u32));
        let tags: Vec<&str> = TAGS.iter().copied().filter(|_| self.tags.random_bool(0.25)).collect();
        json!({
            "name": name,
            "city": pick(&CITIES, &mut self.city),
            "code": code,
            "amount": f64::from(cents) / 100.0,
            "date": format!("2025-{month:02}-{day:02}"),
            "tags": tags,
        })
    }
}

fn pick<'a>(words: &[&'a str], random: &mut ChaCha12Rng) -> &'a str {
    words[random.random_range(0..words.len() as u32) as usize]
}

fn with_typos(value: &Value, random: &mut ChaCha12Rng, rate: f64) -> Value {
    match value {
        Value::String(text) => {
            let hit = random.random_bool(rate);
            let (kind, at) = (random.random_range(0..3_u32), random.random_range(0..64_u32));
            if hit { typo(text, kind, at as usize).into() } else { value.clone() }
        }
        Value::Number(number) => {
            let hit = random.random_bool(rate);
            let cents = random.random_range(1..500_u32);
            match number.as_f64() {
                Some(amount) if hit => (((amount * 100.0).round() + f64::from(cents)) / 100.0).into(),
                _ => value.clone(),
            }
        }
        Value::Array(items) => items.iter().map(|item| with_typos(item, random, rate)).collect(),
        other => other.clone(),
    }
}

fn typo(text: &str, kind: u32, at: usize) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.len() < 2 {
        return text.to_owned();
    }
    let at = at % (letters.len() - 1);
    match kind {
        0 => letters.swap(at, at + 1),
        1 => _ = letters.remove(at),
        _ => letters.insert(at, letters[at]),
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use objalign_core::{Aligner, Plan};

    #[test]
    fn the_first_record_is_pinned() {
        let first = json!({
            "name": "Ada Kovsøqui", "city": "Marseille", "code": "P72160",
            "amount": 3123.09, "date": "2025-09-05", "tags": ["fragile"]
        });
        assert_eq!(gold(1, 0, 1)["records"][0], first);
    }

    #[test]
    fn a_longer_list_begins_with_the_shorter_one() {
        let (long, short) = (gold(3, 4, 20), gold(3, 4, 5));
        assert_eq!(long["records"].as_array().expect("a list")[..5], short["records"].as_array().expect("a list")[..]);
    }

    #[test]
    fn candidates_fit_the_schema_and_score_by_their_damage() {
        let plan = Plan::compile(&schema()).expect("a schema");
        assert!(plan.warnings().is_empty());
        let mut aligner = Aligner::new(&plan);
        for index in 0..20 {
            let gold = gold(1, index, 10);
            let copy = candidate(&gold, 1, index, Damage { shuffled: true, ..Damage::NONE });
            assert_eq!(aligner.align(&gold, &copy).expect("valid").score(), 1.0);
            let damaged = candidate(&gold, 1, index, Damage::TYPICAL);
            let alignment = aligner.align(&gold, &damaged).expect("valid");
            assert!(!alignment.is_rejected());
            assert!((0.5..1.0).contains(&alignment.score()), "{}", alignment.score());
        }
    }

    #[test]
    fn one_kind_of_damage_does_not_move_another() {
        let gold = gold(5, 0, 10);
        let typos = Damage { typo: 0.3, ..Damage::NONE };
        let both = Damage { dropped_record: 0.3, ..typos };
        let (all, fewer) = (candidate(&gold, 5, 0, typos), candidate(&gold, 5, 0, both));
        let all = all["records"].as_array().expect("a list");
        let fewer = fewer["records"].as_array().expect("a list");
        assert!(fewer.len() < all.len());
        assert!(fewer.iter().all(|record| all.contains(record)));
    }
}
