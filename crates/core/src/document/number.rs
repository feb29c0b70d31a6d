//! JSON numbers, compared by value.
//!
//! `1`, `1.0` and `10e-1` are one number; `9007199254740993` and `9007199254740992` are two, though one `f64` stands for
//! both. So every number that is an integer by value is kept as an integer (as an `i128`, or as its decimal digits beyond
//! that), and only fractions are kept as `f64`.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use serde_json::Number as JsonNumber;
use std::hash::{BuildHasher, Hash, Hasher};

/// A number in the one form that its value has: equal values are equal here, and hash alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Number {
    /// An integer by value, however it was written.
    Integer(i128),
    /// A fraction: the bits of a finite, non-integer `f64`.
    Fraction(u64),
    /// An integer beyond `i128`: sign, significant digits without trailing zeros, and the power of ten that follows.
    Huge { negative: bool, digits: Box<str>, power: i64 },
}

/// Distinct numbers, each named by a small integer.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    all: Vec<Number>,
    index: HashTable<u32>,
    hasher: FixedState,
}

/// Of most numbers one word says nearly all.
fn hash(hasher: &FixedState, number: &Number) -> u64 {
    let mut state = hasher.build_hasher();
    match number {
        Number::Integer(integer) => state.write_u64(*integer as u64),
        Number::Fraction(bits) => state.write_u64(*bits),
        Number::Huge { .. } => number.hash(&mut state),
    }
    state.finish()
}

impl Numbers {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, id: u32) -> &Number {
        &self.all[id as usize]
    }

    pub(super) fn intern(&mut self, number: Number) -> u32 {
        let Self { all, index, hasher } = self;
        let hash = hash(hasher, &number);
        if let Some(&id) = index.find(hash, |&id| all[id as usize] == number) {
            return id;
        }
        let id = all.len() as u32;
        all.push(number);
        index.insert_unique(hash, id, |&id| self::hash(hasher, &all[id as usize]));
        id
    }
}

impl Number {
    pub(crate) fn parse(number: &JsonNumber) -> Self {
        Self::parse_text(number.as_str())
    }

    /// A number as JSON spells it.
    pub(crate) fn parse_text(text: &str) -> Self {
        Self::short(text).unwrap_or_else(|| Self::parse_decimal(text))
    }

    /// A number of at most fifteen digits and without an exponent: nearly all there are.
    fn short(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text).as_bytes();
        if unsigned.len() > 16 {
            return None;
        }
        let (mut digits, mut count, mut point) = (0_i64, 0, None);
        for &byte in unsigned {
            match byte {
                b'0'..=b'9' => {
                    digits = digits * 10 + i64::from(byte - b'0');
                    count += 1;
                }
                b'.' if point.is_none() => point = Some(count),
                _ => return None,
            }
        }
        if count > 15 {
            return None;
        }
        let signed = if unsigned.len() < text.len() { -digits } else { digits };
        let Some(point) = point else { return Some(Self::Integer(i128::from(signed))) };
        // Both are exact, so the quotient is the double nearest to the number.
        let value = signed as f64 / POWERS_OF_TEN[count - point];
        let ends_in_zero = signed % 10 == 0;
        Some(if ends_in_zero || count == point { Self::from_f64(value) } else { Self::Fraction(value.to_bits()) })
    }

    fn parse_decimal(text: &str) -> Self {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            // An exponent too long for an i64 is as good as infinite: no text is long enough to balance it.
            Some((mantissa, exponent)) => (
                mantissa,
                exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 }),
            ),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: String = [whole, fraction].concat();
        let significant = all.trim_start_matches('0');
        let digits = significant.trim_end_matches('0');
        if digits.is_empty() {
            return Self::Integer(0);
        }
        let trailing_zeros = length(significant) - length(digits);
        let power = exponent.saturating_sub(length(fraction)).saturating_add(trailing_zeros);
        if power < 0 {
            // A fraction beyond the range of an f64 has hundreds of digits before its point; the greatest will do.
            return Self::from_f64(text.parse::<f64>().unwrap_or(0.0).clamp(f64::MIN, f64::MAX));
        }
        if length(digits) + power <= 38 {
            let magnitude = digits.bytes().fold(0_i128, |sum, digit| sum * 10 + i128::from(digit - b'0'))
                * 10_i128.pow(power as u32);
            return Self::Integer(if negative { -magnitude } else { magnitude });
        }
        Self::Huge { negative, digits: digits.into(), power }
    }

    /// A finite fraction read at double precision may turn out an integer after all (0.99999999999999999999).
    fn from_f64(value: f64) -> Self {
        if value.fract() == 0.0 && value.abs() < 1e38 {
            Self::Integer(value as i128)
        } else {
            Self::Fraction(value.to_bits())
        }
    }

    /// The nearest `f64`; infinite beyond its range.
    pub(crate) fn as_f64(&self) -> f64 {
        match self {
            Self::Integer(integer) => *integer as f64,
            Self::Fraction(bits) => f64::from_bits(*bits),
            Self::Huge { negative, digits, power } => {
                let magnitude: f64 = format!("{digits}e{power}").parse().unwrap_or(f64::INFINITY);
                if *negative { -magnitude } else { magnitude }
            }
        }
    }

    /// |self - other|: between integers the exact distance, as the nearest `f64`; infinite beyond its range.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        if self == other {
            return 0.0;
        }
        if let (Self::Integer(a), Self::Integer(b)) = (self, other) {
            return a.abs_diff(*b) as f64;
        }
        let fraction = matches!(self, Self::Fraction(_)) || matches!(other, Self::Fraction(_));
        if !fraction
            && let (Some(a), Some(b)) = (self.decimal(), other.decimal())
            && let Some(distance) = close_distance(&a, &b)
        {
            return distance;
        }
        let distance = (self.as_f64() - other.as_f64()).abs();
        // Two different numbers beyond the range: inf - inf.
        if distance.is_nan() { f64::INFINITY } else { distance }
    }

    /// An integer as sign, digits and power of ten; `None` for a fraction.
    fn decimal(&self) -> Option<(bool, String, i64)> {
        match self {
            Self::Integer(integer) => Some((*integer < 0, integer.unsigned_abs().to_string(), 0)),
            Self::Huge { negative, digits, power } => Some((*negative, digits.to_string(), *power)),
            Self::Fraction(_) => None,
        }
    }
}

/// Those that a number of fifteen digits may be divided by.
const POWERS_OF_TEN: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// How many digits a text has, as a number to reckon with exponents.
fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

/// |a - b| of integers that are of one sign and about one length, where subtracting their nearest `f64`s would lose what
/// tells them apart. `None` for others: their difference is about as great as the greater of them. The digits written out
/// here are no more than were read: of numbers of one length, none has more zeros to add than the other has digits.
fn close_distance(a: &(bool, String, i64), b: &(bool, String, i64)) -> Option<f64> {
    let all_digits = |number: &(bool, String, i64)| length(&number.1) + number.2;
    if a.0 != b.0 || all_digits(a).abs_diff(all_digits(b)) > 1 {
        return None;
    }
    let power = a.2.min(b.2);
    let width = (all_digits(a).max(all_digits(b)) - power) as usize;
    let written = |number: &(bool, String, i64)| {
        let zeros = "0".repeat((number.2 - power) as usize);
        format!("{:0>width$}", format!("{}{zeros}", number.1))
    };
    let (a, b) = (written(a), written(b));
    let (greater, less) = if a > b { (a, b) } else { (b, a) };
    let mut borrow = 0;
    let mut difference: Vec<u8> = Vec::with_capacity(width);
    for (x, y) in greater.bytes().zip(less.bytes()).rev() {
        let taken = y + borrow;
        borrow = u8::from(x < taken);
        difference.push(x + 10 * borrow - taken + b'0');
    }
    difference.reverse();
    format!("{}e{power}", String::from_utf8_lossy(&difference)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(&serde_json::from_str(text).expect("a JSON number"))
    }

    #[test]
    fn one_value_has_one_form() {
        for text in ["1", "1.0", "10e-1", "0.1E1", "1.000", "100e-2"] {
            assert_eq!(number(text), Number::Integer(1), "{text}");
        }
        for text in ["0", "-0", "0.0", "-0.0e7", "0e999999999999999999999"] {
            assert_eq!(number(text), Number::Integer(0), "{text}");
        }
        assert_eq!(number("1e400"), number("10e399"));
        assert_eq!(
            number("123456789012345678901234567890123456789012"),
            number("123456789012345678901234567890123456789012.0")
        );
        assert_ne!(number("1e400"), number("1e401"));
        assert_ne!(number("0.5"), number("-0.5"));
    }

    #[test]
    fn short_numbers_are_what_the_library_reads() {
        for digits in ["1", "12", "100", "1230", "98765", "123456789012345", "999999999999999", "000000000000001", "5"]
        {
            for point in 0..=digits.len() {
                for sign in ["", "-"] {
                    let (whole, fraction) = digits.split_at(point);
                    let text = format!("{sign}{}.{}", if whole.is_empty() { "0" } else { whole }, fraction);
                    let text = text.trim_end_matches('.');
                    assert_eq!(Number::parse_text(text), Number::parse_decimal(text), "{text}");
                }
            }
        }
    }

    #[test]
    fn integers_beyond_double_precision_are_exact() {
        let (a, b) = (number("9007199254740992"), number("9007199254740993"));
        assert_ne!(a, b);
        assert_eq!(a.distance(&b), 1.0);
        let (a, b) = (number("100000000000000000000"), number("100000000000000000001"));
        assert_eq!(a.distance(&b), 1.0);
        assert_eq!(number("18446744073709551615").distance(&number("-1")), 18_446_744_073_709_551_616.0);
        // Beyond an i128, and on both sides of its end.
        let zeros = "0".repeat(499);
        for (a, b, expected) in [
            (format!("1{zeros}0"), format!("1{zeros}7"), 7.0),
            (format!("-1{zeros}0"), format!("-1{zeros}7"), 7.0),
            (format!("1{zeros}0"), "1e500".to_owned(), 0.0),
            (format!("1{zeros}3"), "1e500".to_owned(), 3.0),
            (
                "99999999999999999999999999999999999999".to_owned(),
                "100000000000000000000000000000000000001".to_owned(),
                2.0,
            ),
            ("1e39".to_owned(), "999999999999999999999999999999999999999".to_owned(), 1.0),
            ("1e40".to_owned(), "-1e40".to_owned(), 2e40),
            ("1e300".to_owned(), "3e300".to_owned(), 2e300),
            ("1e999999999999".to_owned(), "2e999999999999".to_owned(), f64::INFINITY),
            ("1e40".to_owned(), "1".to_owned(), 1e40),
        ] {
            assert_eq!(number(&a).distance(&number(&b)), expected, "{a} {b}");
            assert_eq!(number(&b).distance(&number(&a)), expected, "{b} {a}");
        }
    }

    #[test]
    fn extremes_never_give_a_nan() {
        let texts = ["1e400", "-1e400", "1e99999999999999999999", "1e-400", "0.5", "7", "1e-99999999999999999999"];
        for a in texts {
            for b in texts {
                let distance = number(a).distance(&number(b));
                assert!(distance >= 0.0, "{a} {b} {distance}");
                assert_eq!(distance == 0.0, number(a) == number(b), "{a} {b}");
            }
        }
    }
}
