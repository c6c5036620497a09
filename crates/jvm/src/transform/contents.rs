//! Constant propagation of string contents, where only the contents matter.
//!
//! A call that gives a text gives another object each time, and a program may tell them apart, so it stays a call. But
//! where a text is only read, as by a concatenation or by `length()`, what it says is all that counts: of
//! `"hello".substring(1, 3)` that is known. Such a call that nobody needs any more is not made: it does nothing, and
//! since its result is known, it throws nothing.

use planish_base::SideTable;
use planish_classfile::mutf8::{from_str, from_utf16, to_utf16};
use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode, Operand};
use planish_ir::liveness::for_each_use;
use planish_ir::{Const, Def, Function, Inst, Value};
use planish_jvm_ir::naming::Names;
use planish_pass::{Became, Leave};

use crate::transform::marked::Marked;

/// How many calls in each other are followed.
const DEEPEST: u32 = 8;

/// The longest text that is computed, in code units.
const LONGEST: usize = 4_000;

/// What is in the text that a value is, if that is known; nothing if it may be null.
pub(super) fn content(
    f: &Function,
    value: Value,
    names: &Names,
    pool: &ConstantPool<'_>,
) -> Option<Vec<u16>> {
    within(DEEPEST, f, value, names, pool)
}

/// Whether a value is surely a text, not null.
pub(super) fn is_text(f: &Function, value: Value, names: &Names, pool: &ConstantPool<'_>) -> bool {
    let is_made = |inst: Inst| {
        let insn = names.instruction_of(f, inst);
        let is_site = |insn: &Insn| match (insn.op, &insn.operand) {
            (Opcode::Invokedynamic, &Operand::Constant(site)) => {
                pool.dynamic(site).is_ok_and(|(_, name, _)| name == b"makeConcatWithConstants")
            }
            _ => false,
        };
        number_in(f, inst, names, pool).is_some() || insn.is_some_and(is_site)
    };
    content(f, value, names, pool).is_some() || f.def_inst(value).is_some_and(is_made)
}

fn within(
    depth: u32,
    f: &Function,
    value: Value,
    names: &Names,
    pool: &ConstantPool<'_>,
) -> Option<Vec<u16>> {
    match (f.constant(value), f.def(value)) {
        (Some(Const::Symbol(symbol, _)), _) => to_utf16(pool.string(names.string_constant(symbol)).ok()?),
        (None, Def::Result(inst, 0)) => given(depth.checked_sub(1)?, f, inst, names, pool),
        _ => None,
    }
}

/// What a value says where a text is made of it, by the type that it is passed as, if that is known: what
/// `String.valueOf` gives. In modified UTF-8.
pub(super) fn text_of(
    f: &Function,
    value: Value,
    ty: &[u8],
    names: &Names,
    pool: &ConstantPool<'_>,
) -> Option<Vec<u8>> {
    let narrow = |number: i64| Some(from_str(&number.to_string()).into_owned());
    match (f.constant(value), ty) {
        (Some(Const::Int(number)), b"I" | b"J") => narrow(number.signed()),
        (Some(Const::Int(number)), b"S") => narrow(i16::try_from(number.signed()).ok()?.into()),
        (Some(Const::Int(number)), b"B") => narrow(i8::try_from(number.signed()).ok()?.into()),
        (Some(Const::Int(number)), b"C") => Some(from_utf16([u16::try_from(number.signed()).ok()?])),
        (Some(Const::Int(number)), b"Z") => match number.signed() {
            0 => Some(b"false".to_vec()),
            1 => Some(b"true".to_vec()),
            _ => None,
        },
        (Some(Const::Real(number)), b"F" | b"D") => real(number.0.to_f64()).map(String::into_bytes),
        (Some(Const::Null), [b'L', ..]) => Some(b"null".to_vec()),
        (_, [b'L', ..]) => content(f, value, names, pool).map(from_utf16),
        _ => None,
    }
}

/// What Java writes for a floating-point number, where no version of it ever wrote anything else: whole numbers that
/// need no exponent.
fn real(number: f64) -> Option<String> {
    let text = match number {
        _ if number.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ if number.fract() == 0.0 && number.abs() < 1e7 => format!("{number:.1}"),
        _ => return None,
    };
    Some(text)
}

/// The member that an instruction calls.
pub(super) fn called<'p>(
    f: &Function,
    inst: Inst,
    names: &Names,
    pool: &'p ConstantPool<'_>,
) -> Option<(Opcode, MemberRef<'p>)> {
    let instruction = names.instruction_of(f, inst)?;
    let Operand::Constant(index) = instruction.operand else { return None };
    pool.is_member(index).then_some(())?;
    Some((instruction.op, pool.member(index).ok()?))
}

/// The number that an instruction makes a text of, and its type: `String.valueOf(3)`.
pub(super) fn number_in(
    f: &Function,
    inst: Inst,
    names: &Names,
    pool: &ConstantPool<'_>,
) -> Option<(Value, u8)> {
    let (Opcode::Invokestatic, member) = called(f, inst, names, pool)? else { return None };
    let (&[b'(', ty, b')', ref result @ ..], &[value]) = (member.descriptor, f.args(inst)) else {
        return None;
    };
    let is_made = match (member.class, member.name) {
        (b"java/lang/String", b"valueOf") => matches!(ty, b'I' | b'J' | b'C' | b'Z' | b'F' | b'D'),
        (b"java/lang/Integer", b"toString") => ty == b'I',
        (b"java/lang/Long", b"toString") => ty == b'J',
        (b"java/lang/Character", b"toString") => ty == b'C',
        (b"java/lang/Boolean", b"toString") => ty == b'Z',
        (b"java/lang/Float", b"toString") => ty == b'F',
        (b"java/lang/Double", b"toString") => ty == b'D',
        _ => false,
    };
    (is_made && result == b"Ljava/lang/String;").then_some((value, ty))
}

/// What is in the text that a call gives.
fn given(depth: u32, f: &Function, inst: Inst, names: &Names, pool: &ConstantPool<'_>) -> Option<Vec<u16>> {
    if let Some((number, ty)) = number_in(f, inst, names, pool) {
        return to_utf16(&text_of(f, number, &[ty], names, pool)?);
    }
    let (Opcode::Invokevirtual, member) = called(f, inst, names, pool)? else { return None };
    (member.class == b"java/lang/String").then_some(())?;
    let (&receiver, args) = f.args(inst).split_first()?;
    let text = |value: Value| within(depth, f, value, names, pool);
    let receiver = text(receiver)?;
    let place = |value: Value| usize::try_from(f.int_constant(value)?.signed()).ok();
    let made = match (member.name, member.descriptor, args) {
        (b"toString" | b"intern", b"()Ljava/lang/String;", []) => receiver,
        (b"concat", b"(Ljava/lang/String;)Ljava/lang/String;", &[other]) => [receiver, text(other)?].concat(),
        (b"substring", b"(I)Ljava/lang/String;", &[from]) => receiver.get(place(from)?..)?.to_vec(),
        (b"substring", b"(II)Ljava/lang/String;", &[from, to]) => {
            receiver.get(place(from)?..place(to)?)?.to_vec()
        }
        (b"trim", b"()Ljava/lang/String;", []) => trimmed(&receiver).to_vec(),
        (b"replace", b"(CC)Ljava/lang/String;", &[old, new]) => {
            let unit = |value: Value| u16::try_from(f.int_constant(value)?.signed()).ok();
            let (old, new) = (unit(old)?, unit(new)?);
            receiver.into_iter().map(|unit| if unit == old { new } else { unit }).collect()
        }
        _ => return None,
    };
    (made.len() <= LONGEST).then_some(made)
}

/// A text without what is no more than a space at both ends.
fn trimmed(text: &[u16]) -> &[u16] {
    let is_seen = |unit: &u16| *unit > u16::from(b' ');
    let start = text.iter().position(is_seen).unwrap_or(text.len());
    let end = text.iter().rposition(is_seen).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Removes calls that give texts nobody needs, of which it is known that they do nothing else. Gives their number.
/// O(size of the body and its texts).
pub fn forget_texts(f: &mut Function, names: &Names, pool: &ConstantPool<'_>, leave: &mut Leave<'_>) -> u64 {
    let makes_text = |f: &Function, inst: Inst| {
        names.instruction_of(f, inst).is_some()
            && f.results(inst).count() == 1
            && (number_in(f, inst, names, pool).is_some() || given(DEEPEST, f, inst, names, pool).is_some())
    };
    let makers: Vec<Inst> =
        f.live_insts().map(|(_, inst)| inst).filter(|&inst| makes_text(f, inst)).collect();
    if makers.is_empty() {
        return 0;
    }
    let mut uses: SideTable<Value, u32> = SideTable::new();
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| uses[value] += 1);
    }
    let mut removed = Marked::new(f);
    // One that goes leaves others behind that only it needed, made before it.
    for &inst in makers.iter().rev() {
        if uses[f.result(inst)] == 0 && leave.rewrite(f, inst, Became::Nothing) {
            removed.add(inst);
            f.args(inst).iter().for_each(|&value| uses[value] -= 1);
        }
    }
    removed.remove(f)
}

#[cfg(test)]
mod tests {
    use super::{real, trimmed};

    #[test]
    fn floating_point_numbers_are_texts_where_every_version_agrees() {
        assert_eq!(real(3.0).as_deref(), Some("3.0"));
        assert_eq!(real(-0.0).as_deref(), Some("-0.0"));
        assert_eq!(real(-9_999_999.0).as_deref(), Some("-9999999.0"));
        assert_eq!(real(1e7), None, "it has an exponent");
        assert_eq!(real(2e-3), None, "versions differ");
        assert_eq!(real(f64::NAN).as_deref(), Some("NaN"));
        assert_eq!(real(f64::NEG_INFINITY).as_deref(), Some("-Infinity"));
    }

    #[test]
    fn both_ends_are_trimmed() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        assert_eq!(trimmed(&units("\t a b\n")), units("a b"));
        assert!(trimmed(&units(" \0 ")).is_empty() && trimmed(&[]).is_empty());
        assert_eq!(trimmed(&units("\u{a0}x")), units("\u{a0}x"));
    }
}
