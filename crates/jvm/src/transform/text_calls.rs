//! Library call folding (LLVM's `SimplifyLibCalls`): calls of JDK methods on constants are evaluated.
//!
//! `"abc".length()` is 3, `"a".equals("a")` is true: texts never change. `Math.max(3, 4)` is 4. Methods of the program that
//! read texts and fill arrays of their own are run as well. Only methods that give numbers are called
//! ahead of time; one that gives a text gives another object each time, and a program may tell them apart. What throws
//! stays.

use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode, Operand};
use planish_ir::{Const, Function, Inst, Stands, Value};
use planish_jvm_analysis::jdk_methods::Computes;
use planish_jvm_analysis::string_methods::{Known, evaluate};
use planish_jvm_ir::naming::Names;
use planish_jvm_ir::surroundings::{Argument, Number};
use planish_pass::{Became, Leave};

use crate::transform::contents::content;
use crate::transform::marked::Marked;

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
    let call = names.instruction_of(f, inst)?;
    let &Operand::Constant(index) = &call.operand else { return None };
    Some((call, pool.member(index).ok()?))
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
