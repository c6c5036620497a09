//! Builders of strings that begin with a text.
//!
//! What compilers write for `"size: " + size` makes an empty builder and appends the text. A builder that is made of
//! the text has the same content, and saves a call. It may have another capacity, so nothing is done in a program
//! that asks for one.

use planish_classfile::pool::MemberKind;
use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode, Operand};
use planish_ir::{Const, Exit, Function, Inst, Value};
use planish_ops::Op;

use crate::naming::{Named, Names};
use crate::program::Program;

/// Whether no class of a program asks a builder for its capacity. O(constants).
pub fn nobody_asks_for_capacity(program: &Program<'_>) -> bool {
    program.classes.values().all(|class| {
        let pool = &class.file.pool;
        pool.indices().all(|index| pool.member(index).map_or(true, |member| member.name != b"capacity"))
    })
}

/// The member that a call names, and how it calls it.
fn called<'p>(
    f: &Function,
    inst: Inst,
    names: &Names,
    pool: &'p ConstantPool<'_>,
) -> Option<(Opcode, MemberRef<'p>)> {
    let data = f.inst(inst);
    let Named::Instruction(instruction) = names.named(data.descr.filter(|_| data.op == Op::Call)?) else {
        return None;
    };
    let Operand::Constant(index) = instruction.operand else { return None };
    Some((instruction.op, pool.member(index).ok()?))
}

/// The builder that an instruction makes empty, and its class.
fn makes_empty<'p>(
    f: &Function,
    inst: Inst,
    names: &Names,
    pool: &'p ConstantPool<'_>,
) -> Option<(Value, &'p [u8])> {
    let (op, member) = called(f, inst, names, pool)?;
    let is_builder = matches!(member.class, b"java/lang/StringBuilder" | b"java/lang/StringBuffer");
    let is_empty = op == Opcode::Invokespecial && member.name == b"<init>" && member.descriptor == b"()V";
    (is_builder && is_empty).then(|| (f.args(inst)[0], member.class))
}

/// Whether an instruction appends a constant text to the builder.
fn appends_text(
    f: &Function,
    inst: Inst,
    (builder, class): (Value, &[u8]),
    names: &Names,
    pool: &ConstantPool<'_>,
) -> bool {
    let Some((Opcode::Invokevirtual, member)) = called(f, inst, names, pool) else { return false };
    let &[to, text] = f.args(inst) else { return false };
    to == builder
        && member.class == class
        && member.name == b"append"
        && member.descriptor.starts_with(b"(Ljava/lang/String;)")
        && matches!(f.constant(text), Some(Const::Symbol(..)))
}

/// Whether two exits go to the same places with the same values.
fn same_exit(f: &Function, a: Option<Exit>, b: Option<Exit>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => f.exit(a).target == f.exit(b).target && f.exit_args(a) == f.exit_args(b),
        _ => false,
    }
}

/// Makes builders of the texts that are appended to them first. Gives their number.
pub fn begin_with_texts(f: &mut Function, names: &mut Names, pool: &mut ConstantPool<'_>) -> u64 {
    let mut count = 0;
    for block in f.blocks().to_vec() {
        let insts = f.block_insts(block).to_vec();
        let mut kept: Vec<Inst> = Vec::with_capacity(insts.len());
        let mut same: Vec<(Value, Value)> = Vec::new();
        for inst in insts.iter().copied() {
            let made = kept.last().and_then(|&last| Some((last, makes_empty(f, last, names, pool)?)));
            let (last, (builder, class)) = match made {
                Some((last, made))
                    if appends_text(f, inst, made, names, pool)
                        && same_exit(f, f.inst(last).exit, f.inst(inst).exit) =>
                {
                    (last, made)
                }
                _ => {
                    kept.push(inst);
                    continue;
                }
            };
            // The pool grows while it is named.
            let class = class.to_vec();
            let member = MemberRef {
                kind: MemberKind::Method,
                class: &class,
                name: b"<init>",
                descriptor: b"(Ljava/lang/String;)V",
            };
            let Ok(index) = pool.add_member(member) else {
                kept.push(inst);
                continue;
            };
            let descr = names.instruction(&Insn::constant(Opcode::Invokespecial, index), pool);
            let data = *f.inst(last);
            let args = [builder, f.args(inst)[1]];
            let new = f.make_inst(data.op, &args, &[], Some(descr), data.exit, data.location);
            kept.pop();
            kept.push(new);
            same.extend(f.results(inst).map(|result| (result, builder)));
            count += 1;
        }
        if !same.is_empty() || kept.len() < insts.len() {
            f.replace_insts(block, kept);
            f.map_uses(|value| same.iter().find(|(old, _)| *old == value).map_or(value, |(_, new)| *new));
        }
    }
    count
}
