//! Paths of leaves, as SCD writes them: `$.a.b[0].c`, and `$["odd key"]` for keys that are no plain names.

use std::fmt;
use std::str::FromStr;

/// One step of a [`Path`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Into a member of an object.
    Key(String),
    /// Into an item of an array, counted from 0.
    Index(usize),
}

/// A place in a JSON value.
///
/// ```
/// use objalign_core::scd::Path;
///
/// let path: Path = r#"$.a["b c"][2]"#.parse()?;
/// assert_eq!(path.pointer(), "/a/b c/2");
/// assert_eq!(path.to_string(), r#"$.a["b c"][2]"#);
/// # Ok::<(), objalign_core::scd::PathError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Path {
    steps: Vec<Step>,
}

/// Why a text is no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no path: {reason} at byte {at}; paths look like $.a.b[0][\"odd key\"]")]
pub struct PathError {
    /// The text.
    pub text: String,
    /// Where it goes wrong, in bytes.
    pub at: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

impl Path {
    /// The path of the whole value.
    pub fn root() -> Self {
        Self::default()
    }

    /// A path of these steps.
    pub fn new(steps: Vec<Step>) -> Self {
        Self { steps }
    }

    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// This path and one step more.
    #[must_use]
    pub fn join(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { steps }
    }

    /// The same place as a JSON Pointer (RFC 6901).
    pub fn pointer(&self) -> String {
        self.steps.iter().fold(String::new(), |path, step| match step {
            Step::Key(key) => crate::pointer::join(&path, key),
            Step::Index(index) => crate::pointer::index(&path, *index),
        })
    }
}

fn is_plain(key: &str) -> bool {
    let mut letters = key.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        for step in &self.steps {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) if is_plain(key) => write!(f, ".{key}")?,
                Step::Key(key) => write!(f, "[{}]", serde_json::Value::from(key.as_str()))?,
            }
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let fail = |at: usize, reason| PathError { text: text.to_owned(), at, reason };
        let mut rest = text.strip_prefix('$').ok_or_else(|| fail(0, "no $"))?;
        let mut steps = Vec::new();
        while let Some(opener) = rest.chars().next() {
            let at = text.len() - rest.len();
            if opener == '.' {
                let name = &rest[1..];
                let end = name.find(['.', '[']).unwrap_or(name.len());
                if end == 0 {
                    return Err(fail(at + 1, "no name"));
                }
                steps.push(Step::Key(name[..end].to_owned()));
                rest = &name[end..];
            } else if let Some(quoted) = rest.strip_prefix("[\"") {
                let end = closing_quote(quoted).ok_or_else(|| fail(at + 1, "a quote that is never closed"))?;
                let key = serde_json::from_str(&rest[1..end + 3]).map_err(|_| fail(at + 1, "no JSON string"))?;
                steps.push(Step::Key(key));
                rest = quoted[end + 1..].strip_prefix(']').ok_or_else(|| fail(at + end + 3, "no ]"))?;
            } else if let Some(digits) = rest.strip_prefix('[') {
                let end = digits.find(']').ok_or_else(|| fail(at, "no ]"))?;
                let plain = !digits[..end].starts_with('+');
                let index = digits[..end].parse().ok().filter(|_| plain).ok_or_else(|| fail(at + 1, "no index"))?;
                steps.push(Step::Index(index));
                rest = &digits[end + 1..];
            } else {
                return Err(fail(at, "neither . nor ["));
            }
        }
        Ok(Self { steps })
    }
}

/// Where the quote that ends a JSON string stands, the opening one already behind.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mistakes_are_named_with_their_place() {
        let at = |text: &str| text.parse::<Path>().map_err(|error| (error.at, error.reason));
        assert_eq!(at("$"), Ok(Path::root()));
        assert_eq!(at("a"), Err((0, "no $")));
        assert_eq!(at("$a"), Err((1, "neither . nor [")));
        assert_eq!(at("$.a..b"), Err((4, "no name")));
        assert_eq!(at("$[-1]"), Err((2, "no index")));
        assert_eq!(at("$[1"), Err((1, "no ]")));
        assert_eq!(at(r#"$["a]"#), Err((2, "a quote that is never closed")));
        assert_eq!(at(r#"$["a"x"#), Err((5, "no ]")));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(steps in proptest::collection::vec(
            prop_oneof!["[a-c.\\[\\]\"\\\\é \n]{0,4}".prop_map(Step::Key), (0_usize..30).prop_map(Step::Index)],
            0..5,
        )) {
            let path = Path::new(steps);
            prop_assert_eq!(path.to_string().parse::<Path>(), Ok(path));
        }

        #[test]
        fn no_text_is_fatal(text in "\\$[\\[\\].\"a0\\\\é]{0,9}") {
            let _ = text.parse::<Path>();
        }
    }
}
