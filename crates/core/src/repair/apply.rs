//! Operations applied to a document, as RFC 6902 says: strictly, in the order of the list, all or nothing.

use super::{Repair, RepairOp};
use crate::pointer;
use serde_json::Value;

/// Why an operation cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {number} ({op} {}): {reason}", pointer::shown(path))]
pub struct ApplyError {
    /// Which operation, counted from 1.
    pub number: usize,
    /// What it does.
    pub op: RepairOp,
    /// The JSON Pointer that leads nowhere.
    pub path: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// The candidate with all repairs applied in their order. The candidate itself is not written to.
///
/// Strict: a pointer must lead to what is there, an index must be within the list, nothing is made up on the way.
///
/// # Errors
///
/// An operation does not fit the document that those before it left.
///
/// ```
/// use objalign_core::{Aligner, Plan, RepairOptions, apply};
/// use serde_json::json;
///
/// let plan = Plan::compile(&json!({"type": "array", "items": {"type": "integer", "score": "exact"}}))?;
/// let (gold, candidate) = (json!([1, 2, 3]), json!([3, 1]));
/// let repairs = Aligner::new(&plan).align(&gold, &candidate)?.repairs(&RepairOptions::new());
/// assert_eq!(apply(&candidate, &repairs)?, gold);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn apply(candidate: &Value, repairs: &[Repair]) -> Result<Value, ApplyError> {
    let mut document = candidate.clone();
    for (index, repair) in repairs.iter().enumerate() {
        step(&mut document, repair, index + 1)?;
    }
    Ok(document)
}

type Flaw<'a> = (&'a str, &'static str);

/// Applies one operation, the `number`th of its list.
pub(super) fn step(document: &mut Value, repair: &Repair, number: usize) -> Result<(), ApplyError> {
    carry_out(document, repair).map_err(|(path, reason)| ApplyError {
        number,
        op: repair.op,
        path: path.to_owned(),
        reason,
    })
}

fn carry_out<'a>(document: &mut Value, repair: &'a Repair) -> Result<(), Flaw<'a>> {
    let path = repair.path.as_str();
    let value = || repair.value.clone().ok_or((path, "the operation has no value"));
    match repair.op {
        RepairOp::Add => add(document, path, value()?),
        RepairOp::Remove => remove(document, path).map(drop),
        RepairOp::Replace => {
            *document.pointer_mut(path).ok_or((path, NOTHING_THERE))? = value()?;
            Ok(())
        }
        RepairOp::Move => {
            let from = repair.from.as_deref().ok_or((path, "the operation has no source"))?;
            if path.strip_prefix(from).is_some_and(|rest| rest.starts_with('/')) {
                return Err((path, "a value cannot move into itself"));
            }
            let moved = remove(document, from)?;
            add(document, path, moved)
        }
    }
}

const NOTHING_THERE: &str = "nothing is there";

fn add<'a>(document: &mut Value, path: &'a str, value: Value) -> Result<(), Flaw<'a>> {
    let Some((parent, token)) = split(path)? else {
        *document = value;
        return Ok(());
    };
    match document.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.insert(token, value);
            Ok(())
        }
        Some(Value::Array(items)) => {
            let at = if token == "-" { Some(items.len()) } else { index(&token).filter(|&at| at <= items.len()) };
            items.insert(at.ok_or((path, "the list has no such place"))?, value);
            Ok(())
        }
        Some(_) => Err((path, "the value above is neither a list nor an object")),
        None => Err((path, "nothing is there to add to")),
    }
}

fn remove<'a>(document: &mut Value, path: &'a str) -> Result<Value, Flaw<'a>> {
    let Some((parent, token)) = split(path)? else {
        return Err((path, "the whole document cannot be removed"));
    };
    let removed = match document.pointer_mut(parent) {
        Some(Value::Object(members)) => members.shift_remove(&token),
        Some(Value::Array(items)) => index(&token).filter(|&at| at < items.len()).map(|at| items.remove(at)),
        _ => None,
    };
    removed.ok_or((path, NOTHING_THERE))
}

/// A pointer's parent and last token, unescaped; `None` for the pointer to the whole document.
fn split(path: &str) -> Result<Option<(&str, String)>, Flaw<'_>> {
    if path.is_empty() {
        return Ok(None);
    }
    let at = path.rfind('/').ok_or((path, "a JSON Pointer starts with /"))?;
    Ok(Some((&path[..at], path[at + 1..].replace("~1", "/").replace("~0", "~"))))
}

/// An index as RFC 6901 writes it: digits, no sign, no leading zero.
fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || (!token.starts_with('0') && token.bytes().all(|byte| byte.is_ascii_digit()));
    plain.then(|| token.parse().ok()).flatten()
}
