//! Library call folding (LLVM's `SimplifyLibCalls`): calls of JDK methods on constants are evaluated.
//!
//! `"abc".length()` is 3, `"a".equals("a")` is true: texts never change. `Math.max(3, 4)` is 4. Methods of the program that
//! read texts and fill arrays of their own are run as well. Only methods that give numbers are called
//! ahead of time; one that gives a text gives another object each time, and a program may tell them apart. What throws
//! stays.

use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode, Operand};
use planish_ir::{Const, Function, Inst, Value};
use planish_ops::Op;
use planish_pass::{Became, Leave};

use crate::naming::{Named, Names};
use crate::program::contents::content;
use crate::program::jdk_methods::Computes;
use crate::program::needless::Marked;
use crate::program::pure::{Argument, Number};
use planish_ir::Stands;

/// Calls methods of constant texts ahead of time. Gives their number. O(size of the body and its texts).
pub fn call_ahead(f: &mut Function, names: &Names, pool: &ConstantPool<'_>, leave: &mut Leave<'_>) -> u64 {
    let mut removed = Marked::new(f);
    let mut found: Vec<(Value, Number)> = Vec::new();
    for (_, inst) in f.live_insts() {
        if let Some(number) = result(f, inst, names, pool)
            && leave.rewrite(f, inst, Became::Nothing)
        {
            removed.add(inst);
            found.push((f.result(inst), number));
        }
    }
    let count = removed.remove(f);
    if count > 0 {
        let mut stands = Stands::default();
        for (value, number) in found {
            stands.put(f.make_constant(Const::Int(number.int())), value);
        }
        stands.write(f);
    }
    count
}

/// Puts the operations of the table in the place of calls of methods that compute the same. Gives their number. O(size of
/// the body).
pub fn use_operations(
    f: &mut Function,
    names: &Names,
    pool: &ConstantPool<'_>,
    leave: &mut Leave<'_>,
) -> u64 {
    let operation = |inst: Inst| {
        let (call, member) = called(f, inst, names, pool)?;
        let width = f.ty(*f.args(inst).first()?).int_width()?;
        Some((inst, Computes::of(call.op, &member)?.operation(width)?))
    };
    let found: Vec<_> = f.live_insts().filter_map(|(_, inst)| operation(inst)).collect();
    let mut count = 0;
    for (inst, op) in found {
        if leave.rewrite(f, inst, Became::Op(op)) {
            let args = f.args(inst).to_vec();
            // None of them throws.
            f.set_exit(inst, None);
            f.set_descr(inst, None);
            f.rewrite_inst(inst, op, &args);
            count += 1;
        }
    }
    count
}

/// The instruction that a call was, and the method that it names.
fn called<'n>(
    f: &Function,
    inst: Inst,
    names: &'n Names,
    pool: &'n ConstantPool<'_>,
) -> Option<(&'n Insn, MemberRef<'n>)> {
    let data = f.inst(inst);
    let Named::Instruction(call) = names.named(data.descr.filter(|_| data.op == Op::Call)?) else {
        return None;
    };
    let &Operand::Constant(index) = &call.operand else { return None };
    Some((call, pool.member(index).ok()?))
}

/// An argument that is known.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Known {
    /// A number.
    Number(i32),
    /// A text, in code units.
    Text(Vec<u16>),
}

/// What a call gives, if it is one of a method that is known with arguments that are known.
fn result(f: &Function, inst: Inst, names: &Names, pool: &ConstantPool<'_>) -> Option<Number> {
    let (call, member) = called(f, inst, names, pool)?;
    if let Some(computes) = Computes::of(call.op, &member) {
        let number = |&value: &Value| {
            let int = f.int_constant(value)?;
            Some(if int.width() == 64 {
                Number::Long(int.signed())
            } else {
                Number::Int(int.signed() as i32)
            })
        };
        return computes.evaluate(&f.args(inst).iter().map(number).collect::<Option<Vec<_>>>()?);
    }
    if call.op == Opcode::Invokestatic && names.runs(&member) {
        let argument = |&value: &Value| match f.int_constant(value) {
            Some(int) if int.width() == 64 => Some(Argument::Number(Number::Long(int.signed()))),
            Some(int) => Some(Argument::Number(Number::Int(int.signed() as i32))),
            None => content(f, value, names, pool).map(Argument::Text),
        };
        return names.run_ahead(&member, &f.args(inst).iter().map(argument).collect::<Option<Vec<_>>>()?);
    }
    (call.op == Opcode::Invokevirtual).then_some(())?;
    (member.class == b"java/lang/String").then_some(())?;
    let known = |&value: &Value| match f.constant(value) {
        Some(Const::Int(number)) => Some(Known::Number(number.signed() as i32)),
        _ => content(f, value, names, pool).map(Known::Text),
    };
    let args: Option<Vec<Known>> = f.args(inst).iter().map(known).collect();
    let args = args?;
    let (Known::Text(receiver), args) = args.split_first()? else { return None };
    evaluate(&member, receiver, args).map(Number::Int)
}

/// What a method of `String` gives.
pub(super) fn evaluate(member: &MemberRef<'_>, receiver: &[u16], args: &[Known]) -> Option<i32> {
    let at = |found: Option<usize>| found.map_or(-1, |place| place as i32);
    Some(match (member.name, member.descriptor, args) {
        (b"length", b"()I", []) => receiver.len() as i32,
        (b"isEmpty", b"()Z", []) => i32::from(receiver.is_empty()),
        (b"hashCode", b"()I", []) => {
            receiver.iter().fold(0i32, |hash, &unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
        }
        (b"charAt", b"(I)C", [Known::Number(place)]) => {
            i32::from(*receiver.get(usize::try_from(*place).ok()?)?)
        }
        (b"equals", b"(Ljava/lang/Object;)Z", [Known::Text(other)]) => i32::from(receiver == other),
        (b"startsWith", b"(Ljava/lang/String;)Z", [Known::Text(other)]) => {
            i32::from(receiver.starts_with(other))
        }
        (b"endsWith", b"(Ljava/lang/String;)Z", [Known::Text(other)]) => i32::from(receiver.ends_with(other)),
        (b"contains", b"(Ljava/lang/CharSequence;)Z", [Known::Text(other)]) => {
            i32::from(place_of(receiver, other).is_some())
        }
        (b"indexOf", b"(Ljava/lang/String;)I", [Known::Text(other)]) => at(place_of(receiver, other)),
        // A character outside the basic plane is two units.
        (b"indexOf", b"(I)I", [Known::Number(unit @ 0..=0xffff)]) => {
            at(receiver.iter().position(|found| i32::from(*found) == *unit))
        }
        (b"compareTo", b"(Ljava/lang/String;)I", [Known::Text(other)]) => {
            let differ = receiver.iter().zip(other).find(|(a, b)| a != b);
            match differ {
                Some((&a, &b)) => i32::from(a) - i32::from(b),
                None => receiver.len() as i32 - other.len() as i32,
            }
        }
        _ => return None,
    })
}

/// Where a text first stands in another.
fn place_of(text: &[u16], part: &[u16]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use planish_classfile::MemberRef;
    use planish_classfile::pool::MemberKind;

    use super::{Known, evaluate};

    fn call(name: &str, descriptor: &str, receiver: &str, args: &[Known]) -> Option<i32> {
        let member = MemberRef {
            kind: MemberKind::Method,
            class: b"java/lang/String",
            name: name.as_bytes(),
            descriptor: descriptor.as_bytes(),
        };
        evaluate(&member, &receiver.encode_utf16().collect::<Vec<_>>(), args)
    }

    fn text(text: &str) -> Known {
        Known::Text(text.encode_utf16().collect())
    }

    #[test]
    fn methods_of_texts_give_what_java_says() {
        assert_eq!(call("length", "()I", "a\u{1f600}", &[]), Some(3));
        assert_eq!(call("hashCode", "()I", "hello", &[]), Some(99_162_322));
        assert_eq!(call("charAt", "(I)C", "abc", &[Known::Number(1)]), Some(98));
        assert_eq!(call("charAt", "(I)C", "abc", &[Known::Number(3)]), None, "it throws");
        assert_eq!(call("charAt", "(I)C", "abc", &[Known::Number(-1)]), None, "it throws");
        assert_eq!(call("equals", "(Ljava/lang/Object;)Z", "a", &[text("a")]), Some(1));
        assert_eq!(call("indexOf", "(Ljava/lang/String;)I", "banana", &[text("nan")]), Some(2));
        assert_eq!(call("indexOf", "(Ljava/lang/String;)I", "banana", &[text("x")]), Some(-1));
        assert_eq!(call("indexOf", "(I)I", "banana", &[Known::Number(110)]), Some(2));
        assert_eq!(call("compareTo", "(Ljava/lang/String;)I", "ab", &[text("abcd")]), Some(-2));
        assert_eq!(call("compareTo", "(Ljava/lang/String;)I", "b", &[text("abcd")]), Some(1));
        assert_eq!(call("contains", "(Ljava/lang/CharSequence;)Z", "abc", &[text("")]), Some(1));
        assert_eq!(call("concat", "(Ljava/lang/String;)Ljava/lang/String;", "a", &[text("b")]), None);
    }
}
