//! Warnings of keywords that change nothing where they stand.

use super::{Compiler, Expanded, is_property, keyword};
use crate::pointer;
use crate::schema::keywords::{KEYWORDS, Place};
use crate::schema::plan::{ArrayRule, Types};
use crate::warning::Warning;

impl<'s> Compiler<'s> {
    /// Warns of keywords about a part that an array does not have.
    pub(super) fn warn_of_idle(&mut self, parts: &Expanded<'s>, rule: &ArrayRule) {
        let has_both = !rule.prefix.is_empty() && rule.items.is_some();
        let idle: [(&[&str], bool, &str); 2] = [
            (
                &["prefixImportance", "restImportance"],
                !has_both,
                "it weighs a prefix against the items after it; this array does not have both",
            ),
            (
                &["order", "ignoreExcess", "ignoreMissing"],
                rule.items.is_none(),
                "the items of a tuple are compared slot by slot; it speaks of the items after them, and there are none",
            ),
        ];
        for (names, is_idle, reason) in idle {
            for name in names.iter().filter(|_| is_idle) {
                if let Some((path, _)) = keyword(parts, name) {
                    let path = pointer::join(path, name);
                    self.warnings.insert(Warning::IgnoredKeyword { path, reason: reason.to_owned() });
                }
            }
        }
    }

    /// Warns of keywords that the types here give no meaning to.
    pub(super) fn warn_of_misplaced(&mut self, parts: &Expanded<'s>, types: Types, is_union: bool) {
        if is_union {
            // The branches decide; each is looked at on its own.
            return;
        }
        let leaf = Types(Types::STRING.0 | Types::NUMBER.0);
        // What stands beside a union is for whichever of its alternatives it suits.
        for (part, keywords) in parts.iter().filter(|(part, _)| !part.without_union) {
            for (name, place) in KEYWORDS {
                let meaningful = match place {
                    Place::Leaf => types.meets(leaf),
                    Place::Array => types.meets(Types::ARRAY),
                    Place::Object => types.meets(Types::OBJECT),
                    Place::Property => is_property(&part.pointer),
                    Place::Anywhere => true,
                };
                if keywords.contains_key(name) && !meaningful {
                    self.warnings.insert(Warning::IgnoredKeyword {
                        path: pointer::join(&part.pointer, name),
                        reason: format!("{name} has a meaning on {} only", place.name()),
                    });
                }
            }
        }
    }
}
