//! Strings of numbers and objects, as the JDK makes them, and what methods of strings give.

use planish_classfile::Opcode;
use planish_classfile::descriptor::Type;

use super::machine::{Machine, Step, Stop, shown};
use super::values::{Inner, Member, Ref, Val};

/// The code units of plain text.
pub fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// The string of a value of a type, as `String.valueOf` makes it.
pub fn of(machine: &mut Machine<'_, '_>, value: Val, ty: Type<'_>) -> Step<Vec<u16>> {
    Ok(match (value, ty) {
        (Val::Int(value), Type::Boolean) => units(if value == 0 { "false" } else { "true" }),
        (Val::Int(value), Type::Char) => vec![value as u16],
        (Val::Int(value), _) => units(&value.to_string()),
        (Val::Long(value), _) => units(&value.to_string()),
        (Val::Float(value), _) => units(&float(f64::from(value), &format!("{value:e}"))),
        (Val::Double(value), _) => units(&float(value, &format!("{value:e}"))),
        (Val::Ref(None), _) => units("null"),
        (Val::Ref(Some(object)), _) => of_object(machine, object)?,
    })
}

/// The string of a number with a point, whose shortest digits and exponent are known.
fn float(value: f64, scientific: &str) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let (sign, rest) = match scientific.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", scientific),
    };
    let (digits, exponent) = rest.split_once('e').unwrap_or((rest, "0"));
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let at = |from: usize, to: usize| {
        let part: String = digits.chars().skip(from).take(to - from).collect();
        if part.is_empty() { "0".to_owned() } else { part }
    };
    let count = digits.len();
    match exponent {
        _ if value == 0.0 => format!("{sign}0.0"),
        0..=6 => {
            let whole = exponent as usize + 1;
            let padded = format!("{:0<whole$}", at(0, whole));
            format!("{sign}{padded}.{}", if count > whole { at(whole, count) } else { "0".to_owned() })
        }
        -3..=-1 => format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize)),
        _ => format!("{sign}{}.{}E{exponent}", at(0, 1), at(1, count.max(1))),
    }
}

/// What `toString` of an object gives.
pub fn of_object(machine: &mut Machine<'_, '_>, object: Ref) -> Step<Vec<u16>> {
    let found = machine.heap.get(object);
    match &found.inner {
        Inner::Text(text) => return Ok(text.to_vec()),
        Inner::Builder(text) => return Ok(text.clone()),
        Inner::Boxed(value) => {
            let (value, class) = (*value, found.class.clone());
            let ty = match &*class {
                b"java/lang/Boolean" => Type::Boolean,
                b"java/lang/Character" => Type::Char,
                _ => Type::Int,
            };
            return of(machine, value, ty);
        }
        _ => {}
    }
    let class = found.class.clone();
    let name = |text: &[u8]| text.into();
    let to_string = Member { class, name: name(b"toString"), descriptor: name(b"()Ljava/lang/String;") };
    let args = vec![Val::Ref(Some(object))];
    let result = machine.call(Opcode::Invokevirtual, &to_string.class, &to_string, args)?;
    match result {
        Some(Val::Ref(Some(text))) => match machine.heap.text(text) {
            Some(text) => Ok(text.to_vec()),
            None => Err(Stop::Unknown(format!("the string of {}", shown(&to_string.class)))),
        },
        _ => Ok(units("null")),
    }
}

/// Whether text is of characters whose case and kind need no tables.
pub fn is_plain(text: &[u16]) -> bool {
    text.iter().all(|&unit| unit < 128)
}

/// The place of one text in another, from a place on.
pub fn find(text: &[u16], part: &[u16], from: usize) -> Option<usize> {
    (from..=text.len().checked_sub(part.len())?).find(|&at| text[at..].starts_with(part))
}

/// The last place of one text in another that is not behind a place.
pub fn find_last(text: &[u16], part: &[u16], from: usize) -> Option<usize> {
    (0..=text.len().checked_sub(part.len())?.min(from)).rev().find(|&at| text[at..].starts_with(part))
}

/// What `String.hashCode` gives.
pub fn hash(text: &[u16]) -> i32 {
    text.iter().fold(0i32, |hash, &unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_jdk_writes_them() {
        let shown = |value: f64| float(value, &format!("{value:e}"));
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-2.5, "-2.5"),
            (100.0, "100.0"),
            (1234567.0, "1234567.0"),
            (9999999.5, "9999999.5"),
            (1.0e7, "1.0E7"),
            (1.25e10, "1.25E10"),
            (0.001, "0.001"),
            (0.0012, "0.0012"),
            (0.00012, "1.2E-4"),
            (f64::INFINITY, "Infinity"),
            (f64::NAN, "NaN"),
            (1.0 / 3.0, "0.3333333333333333"),
        ] {
            assert_eq!(shown(value), text);
        }
    }
}
