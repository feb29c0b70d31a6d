//! JSON numbers, compared by value.
//!
//! `1`, `1.0` and `10e-1` are one number; `9007199254740993` and `9007199254740992` are two, though one `f64` stands for
//! both. So every number that is an integer by value is kept as an integer (as an `i128`, or as its decimal digits beyond
//! that), and only fractions are kept as `f64`.

use serde_json::Number as JsonNumber;

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

impl Number {
    pub(crate) fn parse(number: &JsonNumber) -> Self {
        let text = number.as_str();
        if let Ok(integer) = text.parse::<i64>() {
            return Self::Integer(i128::from(integer));
        }
        Self::parse_decimal(text)
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
        let trailing_zeros = (significant.len() - digits.len()) as i64;
        let power = exponent.saturating_sub(fraction.len() as i64).saturating_add(trailing_zeros);
        if power < 0 {
            // Never a NaN or an infinity: the mantissa is finite and the value is below it.
            return Self::from_f64(text.parse().unwrap_or(0.0));
        }
        if digits.len() as i64 + power <= 38 {
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

    /// |self - other|, exact between integers; infinite where an end is out of `f64`'s range.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        if self == other {
            return 0.0;
        }
        if let (Self::Integer(a), Self::Integer(b)) = (self, other) {
            return a.abs_diff(*b) as f64;
        }
        let distance = (self.as_f64() - other.as_f64()).abs();
        // Two different numbers beyond the range: inf - inf.
        if distance.is_nan() { f64::INFINITY } else { distance }
    }
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
    fn integers_beyond_double_precision_are_exact() {
        let (a, b) = (number("9007199254740992"), number("9007199254740993"));
        assert_ne!(a, b);
        assert_eq!(a.distance(&b), 1.0);
        let (a, b) = (number("100000000000000000000"), number("100000000000000000001"));
        assert_eq!(a.distance(&b), 1.0);
        assert_eq!(number("18446744073709551615").distance(&number("-1")), 18_446_744_073_709_551_616.0);
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
