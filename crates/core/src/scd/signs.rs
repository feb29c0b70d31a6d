//! Signs of the planted values: most leaves are none of them, and a sign tells that without a look at the value itself.
//!
//! **Contract.** A value that is planted has a sign that is known; one that is not may have one, too.
//!
//! **Cost.** A few instructions a leaf. Numbers would have to be parsed, texts to be hashed.

/// Which signs the planted strings and numbers have.
#[derive(Debug, Clone, Default)]
pub(super) struct Signs {
    texts: Set,
    numbers: Set,
}

#[derive(Debug, Clone, Default)]
struct Set([u64; 4]);

impl Set {
    fn add(&mut self, sign: u8) {
        self.0[usize::from(sign / 64)] |= 1 << (sign % 64);
    }

    fn has(&self, sign: u8) -> bool {
        self.0[usize::from(sign / 64)] & 1 << (sign % 64) != 0
    }
}

impl Signs {
    pub(super) fn add_text(&mut self, text: &[u8]) {
        self.texts.add(of_text(text));
    }

    pub(super) fn may_have_text(&self, text: &[u8]) -> bool {
        self.texts.has(of_text(text))
    }

    pub(super) fn add_number(&mut self, text: &[u8]) {
        match of_number(text) {
            Some(sign) => self.numbers.add(sign),
            None => self.numbers = Set([u64::MAX; 4]),
        }
    }

    pub(super) fn may_have_number(&self, text: &[u8]) -> bool {
        of_number(text).map_or(self.numbers.0 != [0; 4], |sign| self.numbers.has(sign))
    }
}

/// Length and first byte.
fn of_text(text: &[u8]) -> u8 {
    let first = text.first().copied().unwrap_or(0);
    first.wrapping_add((text.len() as u8).wrapping_mul(37))
}

/// Magnitude and two leading digits. Numbers of one value have one of each, however many zeros they are written with; and up to 15
/// digits, different decimals are different at double precision too. None for longer ones, and for those with an exponent.
fn of_number(text: &[u8]) -> Option<u8> {
    if text.len() > 15 {
        return None;
    }
    let (mut magnitude, mut leading, mut digits, mut is_whole) = (0_u8, 0_u8, 0_u8, true);
    for &byte in text {
        match byte {
            b'-' => {}
            b'.' => is_whole = false,
            b'0'..=b'9' => {
                let is_significant = digits > 0 || byte != b'0';
                if is_significant && digits < 2 {
                    leading = leading * 10 + (byte - b'0');
                    digits += 1;
                }
                // Whole digits count up from 0, zeros before the first significant one down.
                if is_significant == is_whole {
                    magnitude = if is_whole { magnitude.wrapping_add(1) } else { magnitude.wrapping_sub(1) };
                }
            }
            _ => return None,
        }
    }
    let leading = if digits == 1 { leading * 10 } else { leading };
    Some(if digits == 0 { 0 } else { leading.wrapping_add(magnitude.wrapping_mul(101)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Number;
    use proptest::prelude::*;

    #[test]
    fn one_value_has_one_sign() {
        for same in
            [&["7", "7.0", "7.000", "-7"][..], &["0", "0.0", "-0", "0.000"], &["0.05", "0.050"], &["120", "120.0"]]
        {
            let signs: Vec<_> = same.iter().map(|text| of_number(text.as_bytes())).collect();
            assert!(signs[0].is_some() && signs.iter().all(|sign| *sign == signs[0]), "{same:?}: {signs:?}");
        }
        assert_ne!(of_number(b"0.05"), of_number(b"0.5"));
        assert_ne!(of_number(b"12"), of_number(b"120"));
        assert_eq!([of_number(b"1e2"), of_number(b"0.1000000000000000055")], [None, None]);
    }

    fn number() -> impl Strategy<Value = String> {
        prop_oneof!["-?(0|[1-9][0-9]{0,2})(\\.[0-9]{1,3})?(e[+-]?[0-2])?", "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?"]
    }

    proptest! {
        #[test]
        fn what_is_planted_is_never_missed(planted in number(), zeros in 0_usize..4) {
            let more = if planted.contains('e') { planted.clone() } else {
                let point = if planted.contains('.') { "" } else { "." };
                [planted.as_str(), point, &"0".repeat(zeros + 1)].concat()
            };
            prop_assert_eq!(Number::parse_text(&planted), Number::parse_text(&more));
            let mut signs = Signs::default();
            signs.add_number(planted.as_bytes());
            prop_assert!(signs.may_have_number(more.as_bytes()), "{} {}", planted, more);
        }

        #[test]
        fn equal_numbers_are_never_told_apart(one in number(), other in number()) {
            if Number::parse_text(&one) == Number::parse_text(&other) {
                let mut signs = Signs::default();
                signs.add_number(one.as_bytes());
                prop_assert!(signs.may_have_number(other.as_bytes()), "{} {}", one, other);
            }
        }
    }
}
