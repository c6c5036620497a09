//! Numbers with a point: read from text, and what methods of `Math` compute of them.
//!
//! What a library computes by its own approximation (`sin`, `pow`) is some function here, the same one for both programs.

/// What a method of one number gives.
pub fn of_one(name: &[u8], x: f64) -> Option<f64> {
    Some(match name {
        b"sqrt" => x.sqrt(),
        b"floor" => x.floor(),
        b"ceil" => x.ceil(),
        b"rint" => x.round_ties_even(),
        b"signum" if x == 0.0 || x.is_nan() => x,
        b"signum" => x.signum(),
        b"sin" => x.sin(),
        b"cos" => x.cos(),
        b"tan" => x.tan(),
        b"asin" => x.asin(),
        b"acos" => x.acos(),
        b"atan" => x.atan(),
        b"sinh" => x.sinh(),
        b"cosh" => x.cosh(),
        b"tanh" => x.tanh(),
        b"exp" => x.exp(),
        b"expm1" => x.exp_m1(),
        b"log" => x.ln(),
        b"log10" => x.log10(),
        b"log1p" => x.ln_1p(),
        b"cbrt" => x.cbrt(),
        b"toRadians" => x.to_radians(),
        b"toDegrees" => x.to_degrees(),
        _ => return None,
    })
}

/// What a method of two numbers gives. The sign of what is no number is positive, as nothing relies on it.
pub fn of_two(name: &[u8], x: f64, y: f64) -> Option<f64> {
    Some(match name {
        b"pow" if y.is_nan() || x.abs() == 1.0 && y.is_infinite() => f64::NAN,
        b"pow" => x.powf(y),
        b"atan2" => x.atan2(y),
        b"hypot" => x.hypot(y),
        b"copySign" if y.is_nan() => x.abs(),
        b"copySign" => x.copysign(y),
        _ => return None,
    })
}

/// What text is as a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Spelled<'t> {
    /// Digits that Rust reads as the JDK does.
    Digits(&'t str),
    /// Anything that is not one, with its sign.
    Special(f64),
    /// A number to the base of 16.
    Hexadecimal,
    /// None.
    Nothing,
}

/// Reads a number as `Double.valueOf` describes it, up to the value of its digits.
pub fn spelled(text: &str) -> Spelled<'_> {
    let text = text.trim_matches(|c| c <= ' ');
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    match body {
        "NaN" => return Spelled::Special(f64::NAN),
        "Infinity" if text.starts_with('-') => return Spelled::Special(f64::NEG_INFINITY),
        "Infinity" => return Spelled::Special(f64::INFINITY),
        _ if body.starts_with("0x") || body.starts_with("0X") => return Spelled::Hexadecimal,
        _ => {}
    }
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    let number = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    let is_number =
        body.starts_with(|c: char| c.is_ascii_digit() || c == '.') && number.chars().all(is_digit);
    match is_number && number.parse::<f64>().is_ok() {
        true => Spelled::Digits(number),
        false => Spelled::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_jdk_reads_them() {
        for (text, number) in [
            ("1.5", "1.5"),
            (" -2e3\t", "-2e3"),
            ("+.25F", "+.25"),
            ("7d", "7"),
            ("1.", "1."),
            ("1e-400", "1e-400"),
        ] {
            assert_eq!(spelled(text), Spelled::Digits(number), "{text:?}");
        }
        for text in
            ["", "inf", "nan", "infinity", "1 2", ".", "e5", "1e", "--1", "1ff", "f", "+ 1", "1_0", "١"]
        {
            assert_eq!(spelled(text), Spelled::Nothing, "{text:?}");
        }
        assert_eq!(spelled("-Infinity "), Spelled::Special(f64::NEG_INFINITY));
        assert!(matches!(spelled("-NaN"), Spelled::Special(value) if value.is_nan()));
        assert_eq!(spelled("-0x1p3"), Spelled::Hexadecimal);
    }

    #[test]
    fn powers_of_what_is_no_number_are_none() {
        assert!(of_two(b"pow", 1.0, f64::NAN).is_some_and(f64::is_nan));
        assert!(of_two(b"pow", -1.0, f64::INFINITY).is_some_and(f64::is_nan));
        assert_eq!(of_two(b"pow", f64::NAN, 0.0), Some(1.0));
        assert_eq!(of_two(b"copySign", -3.0, -f64::NAN), Some(3.0));
    }
}
