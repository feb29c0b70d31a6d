//! JSON Pointers (RFC 6901).

use std::fmt::Write as _;

/// Appends one reference token, escaped.
pub(crate) fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// `pointer` and one more token.
pub(crate) fn join(pointer: &str, token: &str) -> String {
    let mut joined = pointer.to_owned();
    push(&mut joined, token);
    joined
}

/// `pointer` and one more index.
pub(crate) fn index(pointer: &str, index: usize) -> String {
    let mut joined = pointer.to_owned();
    let _ = write!(joined, "/{index}");
    joined
}

/// A pointer as shown to people: the empty pointer, which names the whole document, would read as a gap.
pub(crate) fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "(root)" } else { pointer }
}

/// A reference token as the key that it stands for.
pub(crate) fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_escaped() {
        assert_eq!(join("/x", "a/b~c"), "/x/a~1b~0c");
        assert_eq!(index("", 3), "/3");
        assert_eq!(shown(""), "(root)");
        assert_eq!(unescape("a~1b~0c~01"), "a/b~c~1");
        assert_eq!(serde_json::json!({"a/b~c": 7}).pointer(&join("", "a/b~c")), Some(&serde_json::json!(7)));
    }
}
