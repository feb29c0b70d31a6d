//! What a leaf is compared by, `score` and its like, and whether it names a record or refers to one.

use super::{Compiler, Expanded, keyword};
use crate::compare::number::{NUMBER_METRICS, NumberMetric};
use crate::compare::string::{STRING_METRICS, StringMetric};
use crate::pointer;
use crate::schema::keywords::{brief, one_of};
use crate::schema::plan::{Node, PlanId, Types};
use crate::schema::scopes::Mention;
use crate::warning::Warning;
use serde_json::Value;

impl<'s> Compiler<'s> {
    pub(super) fn read_score(&mut self, id: PlanId, node: &mut Node, path: &str, value: &Value, beside_union: bool) {
        let Some(name) = value.as_str() else {
            self.errors.add(
                pointer::join(path, "score"),
                format!("score must be the name of a comparator, not {}", brief(value)),
            );
            return;
        };
        let position = |names: &[String]| names.iter().position(|known| known == name).map(|index| index as u16);
        let string = position(&self.strings)
            .map(StringMetric::Custom)
            .or_else(|| STRING_METRICS.iter().find(|(known, _)| *known == name).map(|(_, metric)| *metric));
        let number = position(&self.numbers)
            .map(NumberMetric::CustomNumber)
            .or_else(|| NUMBER_METRICS.iter().find(|(known, _)| *known == name).map(|(_, metric)| *metric));
        let number = if node.types.intersection(Types::NUMBER) == Types::INTEGER {
            position(&self.integers).map(NumberMetric::CustomInteger).or(number)
        } else {
            number
        };
        let wants_string = node.types.meets(Types::STRING);
        let wants_number = node.types.meets(Types::NUMBER);
        let boolean_only = !wants_string && !wants_number && node.types.meets(Types::BOOLEAN) && name == "exact";
        if let Some(metric) = string.filter(|_| wants_string) {
            node.string = metric;
        }
        if let Some(metric) = number.filter(|_| wants_number) {
            node.number = metric;
        }
        let found = (wants_string && string.is_some()) || (wants_number && number.is_some()) || boolean_only;
        if !found && (wants_string || wants_number) && !beside_union {
            let mut allowed: Vec<&str> = Vec::new();
            if wants_string {
                allowed.extend(STRING_METRICS.iter().map(|(name, _)| *name));
                allowed.extend(self.strings.iter().map(String::as_str));
            }
            if wants_number {
                allowed.extend(
                    NUMBER_METRICS.iter().map(|(name, _)| *name).filter(|name| !wants_string || *name != "exact"),
                );
                allowed.extend(self.integers.iter().chain(&self.numbers).map(String::as_str));
            }
            let message =
                format!("score of {} must be {}, not {name:?}", node.types.names().join(" or "), one_of(&allowed));
            self.errors.add(pointer::join(path, "score"), message);
        }
        let promised = |metric_is_reflexive: Option<bool>| metric_is_reflexive.unwrap_or(true);
        let strings_hold = promised(match node.string {
            StringMetric::Custom(index) => {
                self.comparators.strings.values().nth(index as usize).map(|comparator| comparator.is_reflexive())
            }
            _ => None,
        });
        let numbers_hold = promised(match node.number {
            NumberMetric::CustomInteger(index) => {
                self.comparators.integers.values().nth(index as usize).map(|comparator| comparator.is_reflexive())
            }
            NumberMetric::CustomNumber(index) => {
                self.comparators.numbers.values().nth(index as usize).map(|comparator| comparator.is_reflexive())
            }
            _ => None,
        });
        if !(strings_hold && numbers_hold) {
            self.irregular.insert(id);
        }
    }

    pub(super) fn read_role(&mut self, id: PlanId, parts: &Expanded<'s>, types: Types) {
        let definition = keyword(parts, "idScope");
        let reference = keyword(parts, "ref");
        for (found, name, is_definition) in [(definition, "idScope", true), (reference, "ref", false)] {
            let Some((path, value)) = found else { continue };
            let path = pointer::join(path, name);
            let Some(scope) = value.as_str().filter(|scope| !scope.is_empty()) else {
                self.errors.add(path, format!("{name} must be the name of a scope, not {}", brief(value)));
                continue;
            };
            if types.meets(Types(Types::ARRAY.0 | Types::OBJECT.0 | Types::BOOLEAN.0)) {
                self.errors.add(
                    path,
                    format!(
                        "{name} belongs on a string, integer or number; the type here is {}",
                        types.names().join(" or ")
                    ),
                );
                continue;
            }
            if is_definition && reference.is_some() {
                self.errors.add(path, "a leaf is an identifier or a reference, not both");
                continue;
            }
            for ignored in ["score", "threshold"] {
                if let Some((at, _)) = keyword(parts, ignored) {
                    self.warnings.insert(Warning::IgnoredKeyword {
                        path: pointer::join(at, ignored),
                        reason: format!("a leaf with {name} is compared by what it points at"),
                    });
                }
            }
            self.mentions.push(Mention { node: id, scope: scope.to_owned(), is_definition, path });
        }
    }
}
