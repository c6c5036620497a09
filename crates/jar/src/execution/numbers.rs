//! Boxes, and static methods that compute with numbers.

use planish_classfile::Opcode;
use planish_classfile::descriptor::MethodType;

use super::machine::{Machine, Step, Stop};
use super::reals::{self, Spelled};
use super::texts;
use super::values::{Inner, Known, Member, Ref, Val, box_of};

/// The letter of the type that is in the boxes of a class.
pub fn letter(class: &[u8]) -> Option<u8> {
    Some(match class {
        b"java/lang/Boolean" => b'Z',
        b"java/lang/Byte" => b'B',
        b"java/lang/Character" => b'C',
        b"java/lang/Short" => b'S',
        b"java/lang/Integer" => b'I',
        b"java/lang/Long" => b'J',
        b"java/lang/Float" => b'F',
        b"java/lang/Double" => b'D',
        _ => return None,
    })
}

fn hash(value: Val, class: &[u8]) -> i32 {
    match value {
        Val::Int(value) if class == b"java/lang/Boolean" => {
            if value == 0 {
                1237
            } else {
                1231
            }
        }
        Val::Int(value) => value,
        Val::Long(value) => (value ^ (value as u64 >> 32) as i64) as i32,
        Val::Float(value) => float_bits(value),
        Val::Double(value) => {
            let bits = double_bits(value);
            (bits ^ (bits as u64 >> 32) as i64) as i32
        }
        Val::Ref(_) => 0,
    }
}

/// The hash of a value of a type, as its box or `hashCode` of the object has it.
pub fn hash_of(machine: &mut Machine<'_, '_>, value: Val, descriptor: &[u8]) -> Step<i32> {
    let Val::Ref(reference) = value else { return Ok(hash(value, box_of(descriptor[0]))) };
    let Some(object) = reference else { return Ok(0) };
    let class = machine.heap.get(object).class.clone();
    let member = Member { class, name: b"hashCode"[..].into(), descriptor: b"()I"[..].into() };
    match machine.call(Opcode::Invokevirtual, &member.class, &member, vec![value])? {
        Some(Val::Int(hash)) => Ok(hash),
        _ => Err(Stop::Unknown("a hash of another kind".to_owned())),
    }
}

/// Whether two values of one type are equal, as their boxes or `equals` of the objects say.
pub fn equal(machine: &mut Machine<'_, '_>, left: Val, right: Val) -> Step<bool> {
    let Val::Ref(reference) = left else { return Ok(order(left, right) == Some(0)) };
    let Some(object) = reference else { return Ok(left == right) };
    let class = machine.heap.get(object).class.clone();
    let descriptor = b"(Ljava/lang/Object;)Z"[..].into();
    let member = Member { class, name: b"equals"[..].into(), descriptor };
    let found = machine.call(Opcode::Invokevirtual, &member.class, &member, vec![left, right])?;
    Ok(found == Some(Val::Int(1)))
}

/// The bits of a number; all that are none have the same.
fn float_bits(value: f32) -> i32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() as i32 }
}

fn double_bits(value: f64) -> i64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() as i64 }
}

/// The order of two values of one type, as `compare` has it.
fn order(left: Val, right: Val) -> Option<i32> {
    Some(match (left, right) {
        (Val::Int(x), Val::Int(y)) => x.cmp(&y) as i32,
        (Val::Long(x), Val::Long(y)) => x.cmp(&y) as i32,
        (Val::Float(x), Val::Float(y)) => order(Val::Double(f64::from(x)), Val::Double(f64::from(y)))?,
        (Val::Double(x), Val::Double(y)) => match x.partial_cmp(&y) {
            Some(std::cmp::Ordering::Less) => -1,
            Some(std::cmp::Ordering::Greater) => 1,
            _ => double_bits(x).cmp(&double_bits(y)) as i32,
        },
        _ => return None,
    })
}

/// A method of a box.
pub fn of_box(machine: &mut Machine<'_, '_>, member: &Member, object: Ref, args: &[Val]) -> Step<Known> {
    let class = machine.heap.get(object).class.clone();
    let Inner::Boxed(own) = machine.heap.get(object).inner else { return Ok(None) };
    let other = match args.get(1) {
        Some(&Val::Ref(Some(other))) => {
            let other = machine.heap.get(other);
            match other.inner {
                Inner::Boxed(value) if other.class == class => Some(value),
                _ => None,
            }
        }
        _ => None,
    };
    Ok(Some(Some(match (&*member.name, other) {
        (b"<init>", _) => {
            let Some(&value) = args.get(1).filter(|value| !matches!(value, Val::Ref(_))) else {
                return Ok(None);
            };
            machine.heap.get_mut(object).inner = Inner::Boxed(value);
            return Ok(Some(None));
        }
        (b"hashCode", _) => Val::Int(hash(own, &class)),
        (b"equals", Some(other)) => Val::Int(i32::from(order(own, other) == Some(0))),
        (b"equals", None) => Val::Int(0),
        (b"compareTo", Some(other)) => match order_of(&class, own, other) {
            Some(order) => Val::Int(order),
            None => return Ok(None),
        },
        (b"toString", _) => {
            let text = texts::of_object(machine, object)?;
            machine.text(text)?
        }
        (b"isNaN", _) => match own {
            Val::Float(value) => Val::Int(i32::from(value.is_nan())),
            Val::Double(value) => Val::Int(i32::from(value.is_nan())),
            _ => return Ok(None),
        },
        (name, _) if name.ends_with(b"Value") => match converted(own, &member.descriptor) {
            Some(value) => value,
            None => return Ok(None),
        },
        _ => return Ok(None),
    })))
}

/// The order that `compareTo` and `compare` of a class give: of the narrow types the difference.
fn order_of(class: &[u8], left: Val, right: Val) -> Option<i32> {
    match (class, left, right) {
        (b"java/lang/Byte" | b"java/lang/Short" | b"java/lang/Character", Val::Int(x), Val::Int(y)) => {
            Some(x - y)
        }
        _ => order(left, right),
    }
}

/// A number as the type that a method gives.
fn converted(value: Val, descriptor: &[u8]) -> Option<Val> {
    let (int, real) = match value {
        Val::Int(value) => (i64::from(value), f64::from(value)),
        Val::Long(value) => (value, value as f64),
        Val::Float(value) => (i64::from(value as i32), f64::from(value)),
        Val::Double(value) => (value as i64, value),
        Val::Ref(_) => return None,
    };
    Some(match descriptor {
        b"()J" => Val::Long(if let Val::Float(value) = value { value as i64 } else { int }),
        b"()F" => Val::Float(match value {
            Val::Long(value) => value as f32,
            Val::Int(value) => value as f32,
            _ => real as f32,
        }),
        b"()D" => Val::Double(real),
        b"()Z" => value,
        _ => {
            let int = if matches!(value, Val::Double(_)) { real as i32 } else { int as i32 };
            Val::Int(int).narrowed(&descriptor[2..])
        }
    })
}

/// A static method of a box or of `Math`.
pub fn of_nobody(machine: &mut Machine<'_, '_>, member: &Member, args: &[Val]) -> Step<Known> {
    let name = &*member.name;
    if matches!(&*member.class, b"java/lang/Math" | b"java/lang/StrictMath") {
        return math(machine, name, args);
    }
    let Some(own) = letter(&member.class) else { return Ok(None) };
    let ty = MethodType::parse(&member.descriptor);
    let takes = ty.and_then(|ty| ty.parameters().next());
    let is_text = matches!(args.first(), Some(Val::Ref(_)));
    let gives = match (name, args) {
        (b"valueOf", &[value]) if !is_text => machine.boxed(&member.class, value),
        (b"valueOf", &[Val::Ref(text)]) => {
            let value = parsed(machine, own, text)?;
            machine.boxed(&member.class, value)
        }
        (name, &[Val::Ref(text)]) if name.starts_with(b"parse") => parsed(machine, own, text)?,
        (b"toString", &[value]) => match takes {
            Some(ty) => {
                let text = texts::of(machine, value, ty)?;
                machine.text(text)?
            }
            None => return Ok(None),
        },
        (b"hashCode", &[value]) => Val::Int(hash(value, &member.class)),
        (b"compare", &[left, right]) => match order_of(&member.class, left, right) {
            Some(order) => Val::Int(order),
            None => return Ok(None),
        },
        (b"isNaN", &[Val::Double(value)]) => Val::Int(i32::from(value.is_nan())),
        (b"isNaN", &[Val::Float(value)]) => Val::Int(i32::from(value.is_nan())),
        (b"isInfinite", &[Val::Double(value)]) => Val::Int(i32::from(value.is_infinite())),
        (b"isInfinite", &[Val::Float(value)]) => Val::Int(i32::from(value.is_infinite())),
        // Nothing relies on the bits of what is no number.
        (b"floatToIntBits" | b"floatToRawIntBits", &[Val::Float(value)]) => Val::Int(float_bits(value)),
        (b"doubleToLongBits" | b"doubleToRawLongBits", &[Val::Double(value)]) => {
            Val::Long(double_bits(value))
        }
        (b"intBitsToFloat", &[Val::Int(bits)]) => Val::Float(f32::from_bits(bits as u32)),
        (b"longBitsToDouble", &[Val::Long(bits)]) => Val::Double(f64::from_bits(bits as u64)),
        (_, &[Val::Int(unit)]) if own == b'C' => match character(name, unit) {
            Some(value) => Val::Int(value),
            None => return Ok(None),
        },
        (b"max" | b"min", _) => return math(machine, name, args),
        (b"sum", &[Val::Int(x), Val::Int(y)]) => Val::Int(x.wrapping_add(y)),
        (b"sum", &[Val::Long(x), Val::Long(y)]) => Val::Long(x.wrapping_add(y)),
        _ => match bits(name, args) {
            Some(value) => value,
            None => return Ok(None),
        },
    };
    Ok(Some(Some(gives)))
}

/// What is known of characters of ASCII.
fn character(name: &[u8], unit: i32) -> Option<i32> {
    let unit = u8::try_from(unit).ok().filter(u8::is_ascii)?;
    Some(i32::from(match name {
        b"isDigit" => unit.is_ascii_digit(),
        b"isLetter" | b"isAlphabetic" => unit.is_ascii_alphabetic(),
        b"isLetterOrDigit" => unit.is_ascii_alphanumeric(),
        b"isUpperCase" => unit.is_ascii_uppercase(),
        b"isLowerCase" => unit.is_ascii_lowercase(),
        b"isWhitespace" => matches!(unit, 9..=13 | 28..=32),
        b"toUpperCase" => return Some(i32::from(unit.to_ascii_uppercase())),
        b"toLowerCase" => return Some(i32::from(unit.to_ascii_lowercase())),
        b"getNumericValue" => {
            return char::from(unit).to_digit(36).map_or(Some(-1), |digit| Some(digit as i32));
        }
        _ => return None,
    }))
}

/// What counts and moves bits.
fn bits(name: &[u8], args: &[Val]) -> Option<Val> {
    Some(match (name, args) {
        (b"bitCount", &[Val::Int(x)]) => Val::Int(x.count_ones() as i32),
        (b"bitCount", &[Val::Long(x)]) => Val::Int(x.count_ones() as i32),
        (b"numberOfLeadingZeros", &[Val::Int(x)]) => Val::Int(x.leading_zeros() as i32),
        (b"numberOfLeadingZeros", &[Val::Long(x)]) => Val::Int(x.leading_zeros() as i32),
        (b"numberOfTrailingZeros", &[Val::Int(x)]) => Val::Int(x.trailing_zeros() as i32),
        (b"numberOfTrailingZeros", &[Val::Long(x)]) => Val::Int(x.trailing_zeros() as i32),
        (b"highestOneBit", &[Val::Int(x)]) => {
            Val::Int(if x == 0 { 0 } else { 1 << (31 - x.leading_zeros()) })
        }
        (b"lowestOneBit", &[Val::Int(x)]) => Val::Int(x & x.wrapping_neg()),
        (b"lowestOneBit", &[Val::Long(x)]) => Val::Long(x & x.wrapping_neg()),
        (b"rotateLeft", &[Val::Int(x), Val::Int(by)]) => Val::Int(x.rotate_left(by as u32 & 31)),
        (b"rotateRight", &[Val::Int(x), Val::Int(by)]) => Val::Int(x.rotate_right(by as u32 & 31)),
        (b"rotateLeft", &[Val::Long(x), Val::Int(by)]) => Val::Long(x.rotate_left(by as u32 & 63)),
        (b"rotateRight", &[Val::Long(x), Val::Int(by)]) => Val::Long(x.rotate_right(by as u32 & 63)),
        (b"reverse", &[Val::Int(x)]) => Val::Int(x.reverse_bits()),
        (b"reverse", &[Val::Long(x)]) => Val::Long(x.reverse_bits()),
        (b"reverseBytes", &[Val::Int(x)]) => Val::Int(x.swap_bytes()),
        (b"reverseBytes", &[Val::Long(x)]) => Val::Long(x.swap_bytes()),
        (b"signum", &[Val::Int(x)]) => Val::Int(x.signum()),
        (b"signum", &[Val::Long(x)]) => Val::Int(x.signum() as i32),
        _ => return None,
    })
}

/// The value that a string spells; it throws for what is no number.
fn parsed(machine: &mut Machine<'_, '_>, own: u8, text: Option<Ref>) -> Step<Val> {
    let spelled = text.and_then(|text| machine.heap.text(text)).map(String::from_utf16_lossy);
    if own == b'Z' {
        return Ok(Val::Int(i32::from(spelled.is_some_and(|text| text.eq_ignore_ascii_case("true")))));
    }
    if matches!(own, b'F' | b'D') {
        return parsed_real(machine, own, spelled.as_deref());
    }
    let value = spelled.filter(|text| text.is_ascii()).and_then(|text| text.parse::<i64>().ok());
    let fits = |value: &i64| match own {
        b'B' => i8::try_from(*value).is_ok(),
        b'S' => i16::try_from(*value).is_ok(),
        b'I' => i32::try_from(*value).is_ok(),
        _ => true,
    };
    match value.filter(fits) {
        Some(value) if own == b'J' => Ok(Val::Long(value)),
        Some(value) => Ok(Val::Int(value as i32)),
        None => Err(machine.thrown("java/lang/NumberFormatException")),
    }
}

/// The same of a number with a point.
fn parsed_real(machine: &mut Machine<'_, '_>, own: u8, text: Option<&str>) -> Step<Val> {
    let Some(text) = text else { return Err(machine.thrown("java/lang/NullPointerException")) };
    Ok(match (reals::spelled(text), own) {
        (Spelled::Digits(digits), b'F') => Val::Float(digits.parse().unwrap_or(f32::NAN)),
        (Spelled::Digits(digits), _) => Val::Double(digits.parse().unwrap_or(f64::NAN)),
        (Spelled::Special(value), b'F') => Val::Float(value as f32),
        (Spelled::Special(value), _) => Val::Double(value),
        (Spelled::Hexadecimal, _) => {
            return Err(Stop::Unknown("a number to the base of 16 is read".to_owned()));
        }
        (Spelled::Nothing, _) => return Err(machine.thrown("java/lang/NumberFormatException")),
    })
}

/// A method of `Math`.
fn math(machine: &mut Machine<'_, '_>, name: &[u8], args: &[Val]) -> Step<Known> {
    use Val::{Double, Float, Int, Long};
    let zero = matches!(args, [_, Int(0) | Long(0)]);
    if zero && matches!(name, b"floorDiv" | b"floorMod") {
        return Err(machine.thrown("java/lang/ArithmeticException"));
    }
    let checked = match (name, args) {
        (b"addExact", &[Int(x), Int(y)]) => Some(x.checked_add(y).map(Int)),
        (b"subtractExact", &[Int(x), Int(y)]) => Some(x.checked_sub(y).map(Int)),
        (b"multiplyExact", &[Int(x), Int(y)]) => Some(x.checked_mul(y).map(Int)),
        (b"addExact", &[Long(x), Long(y)]) => Some(x.checked_add(y).map(Long)),
        (b"subtractExact", &[Long(x), Long(y)]) => Some(x.checked_sub(y).map(Long)),
        (b"multiplyExact", &[Long(x), Long(y)]) => Some(x.checked_mul(y).map(Long)),
        (b"negateExact", &[Int(x)]) => Some(x.checked_neg().map(Int)),
        (b"toIntExact", &[Long(x)]) => Some(i32::try_from(x).ok().map(Int)),
        _ => None,
    };
    match checked {
        Some(Some(value)) => return Ok(Some(Some(value))),
        Some(None) => return Err(machine.thrown("java/lang/ArithmeticException")),
        None => {}
    }
    let value = match (name, args) {
        (b"abs", &[Int(x)]) => Int(x.wrapping_abs()),
        (b"abs", &[Long(x)]) => Long(x.wrapping_abs()),
        (b"abs", &[Float(x)]) => Float(x.abs()),
        (b"abs", &[Double(x)]) => Double(x.abs()),
        (b"max", &[Int(x), Int(y)]) => Int(x.max(y)),
        (b"max", &[Long(x), Long(y)]) => Long(x.max(y)),
        (b"min", &[Int(x), Int(y)]) => Int(x.min(y)),
        (b"min", &[Long(x), Long(y)]) => Long(x.min(y)),
        (b"max" | b"min", &[Float(x), Float(y)]) => {
            Float(extreme(name == b"max", f64::from(x), f64::from(y)) as f32)
        }
        (b"max" | b"min", &[Double(x), Double(y)]) => Double(extreme(name == b"max", x, y)),
        (b"floorMod", &[Int(x), Int(y)]) => {
            let rest = x.wrapping_rem(y);
            Int(if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest })
        }
        (b"floorDiv", &[Int(x), Int(y)]) => {
            let quotient = x.wrapping_div(y);
            Int(if x.wrapping_rem(y) != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient })
        }
        (b"round", &[Double(x)]) => {
            let below = x.floor();
            Long(if x - below >= 0.5 { (below + 1.0) as i64 } else { below as i64 })
        }
        (_, &[Double(x)]) => match reals::of_one(name, x) {
            Some(value) => Double(value),
            None => return Ok(None),
        },
        (_, &[Double(x), Double(y)]) => match reals::of_two(name, x, y) {
            Some(value) => Double(value),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(Some(value)))
}

/// The greater or smaller of two numbers: none if one is none, and zeros are told apart.
fn extreme(greater: bool, x: f64, y: f64) -> f64 {
    match order(Val::Double(x), Val::Double(y)) {
        _ if x.is_nan() || y.is_nan() => f64::NAN,
        Some(order) if (order >= 0) == greater => x,
        _ => y,
    }
}
