//! Boolean simplification (LLVM's `FoldTwoEntryPHINode`): a number that is 0 or 1 anyway is not made so.
//!
//! What a method gives whose result is `boolean`, what a `boolean` field holds and what `instanceof` gives is 0 or 1: the
//! JVM cuts everything else off. So `b() ? 1 : 0`, which compilers make of `a && b()`, is `b()`, and `!b()` is one
//! operation without a jump:
//!
//! ```text
//! branch ne(b, 0), return 1, return 0      becomes   return b
//! branch ne(b, 0), j(1), j(0)              becomes   jump j(b)
//! zext(ne(b, 0)), zext(eq(b, 0))           become    b, xor(b, 1)
//! ```
//!
//! Parameters are left alone: whoever calls may pass any number.

use planish_base::Id;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{ConstantPool, Opcode, Operand};
use planish_ir::{Block, BlockCall, Cfg, Function, Inst, Location, Stands, Terminator, Value};
use planish_jvm_ir::naming::{Named, Names};
use planish_ops::{Op, Type};
use planish_pass::{Became, Leave};

use crate::transform::marked::Marked;

/// Where an arm of a branch comes to through empty blocks, and with what.
enum Comes {
    /// Back from the function.
    Back(Vec<Value>),
    /// To a block.
    To(Block, Vec<Value>),
}

/// Lets truths stand for what is made of them. Gives the number of changes. O(body).
pub fn use_truths(f: &mut Function, names: &Names, pool: &ConstantPool<'_>, leave: &mut Leave<'_>) -> u64 {
    replace_numbers(f, names, pool, leave) + replace_branches(f, names, pool, leave)
}

/// What an instruction says about a truth: the truth, and whether the negation is meant.
fn said(f: &Function, inst: Inst, names: &Names, pool: &ConstantPool<'_>) -> Option<(Value, bool)> {
    let negated = match f.inst(inst).op {
        Op::Ne => false,
        Op::Eq => true,
        _ => return None,
    };
    let &[truth, zero] = f.args(inst) else { return None };
    let is_zero = f.int_constant(zero).is_some_and(|zero| zero.unsigned() == 0);
    (is_zero && is_truth(f, truth, names, pool)).then_some((truth, negated))
}

/// Whether a number is 0 or 1 in every run.
fn is_truth(f: &Function, value: Value, names: &Names, pool: &ConstantPool<'_>) -> bool {
    let Some(inst) = f.def_inst(value).filter(|_| f.ty(value) == Type::I32) else { return false };
    let data = f.inst(inst);
    let is_boolean = |descriptor: &[u8]| JavaType::parse(descriptor) == Some(JavaType::Boolean);
    let gives_boolean = |descriptor: &[u8]| {
        MethodType::parse(descriptor).and_then(|ty| ty.result()) == Some(JavaType::Boolean)
    };
    match (data.op, data.descr.map(|descr| names.named(descr))) {
        (Op::GetField | Op::GetStatic, Some(&Named::Field(index))) => {
            pool.member(index).is_ok_and(|member| is_boolean(member.descriptor))
        }
        (Op::Call, Some(Named::Instruction(instruction))) => match (instruction.op, &instruction.operand) {
            (Opcode::Instanceof, _) => true,
            (Opcode::Getfield | Opcode::Getstatic, &Operand::Constant(index)) => {
                pool.member(index).is_ok_and(|member| is_boolean(member.descriptor))
            }
            (
                Opcode::Invokevirtual | Opcode::Invokespecial | Opcode::Invokestatic,
                &Operand::Constant(index),
            )
            | (Opcode::Invokeinterface, &Operand::Interface { method: index, .. }) => {
                pool.member(index).is_ok_and(|member| gives_boolean(member.descriptor))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Numbers that are made of truths.
fn replace_numbers(f: &mut Function, names: &Names, pool: &ConstantPool<'_>, leave: &mut Leave<'_>) -> u64 {
    let mut made: Vec<(Inst, Value, bool)> = Vec::new();
    for (_, inst) in f.live_insts() {
        let of = match (f.inst(inst).op, f.args(inst)) {
            (Op::Zext, &[bit]) => f.def_inst(bit),
            _ => Some(inst),
        };
        if f.first_result(inst).is_some_and(|value| f.ty(value) == Type::I32)
            && let Some((truth, negated)) = of.and_then(|of| said(f, of, names, pool))
            && leave.rewrite(f, inst, Became::Changed)
        {
            made.push((inst, truth, negated));
        }
    }
    let (mut stands, mut needless) = (Stands::default(), Marked::new(f));
    let count = made.len() as u64;
    for (inst, truth, negated) in made {
        if negated {
            let one = f.make_int(Type::I32, 1);
            f.rewrite_inst(inst, Op::Xor, &[truth, one]);
        } else {
            stands.put(truth, f.result(inst));
            needless.add(inst);
        }
    }
    needless.remove(f);
    stands.write(f);
    count
}

/// Branches on truths that say the truth, or its negation where that takes both arms away.
fn replace_branches(f: &mut Function, names: &Names, pool: &ConstantPool<'_>, leave: &mut Leave<'_>) -> u64 {
    let mut edges = vec![0u32; f.block_count()];
    for &block in f.blocks() {
        f.block_calls(block).for_each(|call| edges[call.block.index()] += 1);
    }
    let mut count = 0;
    for block in f.blocks().to_vec() {
        let Terminator::Branch { condition, then, other } = *f.terminator(block) else { continue };
        let found = f.def_inst(condition).and_then(|inst| said(f, inst, names, pool));
        let Some((truth, negated)) = found else { continue };
        // What lies behind one block for both arms may use what it is given.
        let is_one = then.block == other.block;
        let arm = |call: BlockCall| match is_one {
            true => Comes::To(call.block, f.list(call.args).to_vec()),
            false => comes(f, call),
        };
        let ways = match (arm(then), arm(other)) {
            (Comes::Back(then), Comes::Back(other)) => Some((None, then, other)),
            (Comes::To(to, then), Comes::To(same, other)) if to == same => Some((Some(to), then, other)),
            _ => None,
        };
        let Some((to, then_gives, other_gives)) = ways else { continue };
        let are_left = !is_one && [then, other].iter().all(|arm| edges[arm.block.index()] == 1);
        let number = |value| f.int_constant(value).map(|number| number.unsigned());
        // For each value whether it is the truth, or its negation; nothing if both arms give the same.
        let kind = |(&then, &other): (&Value, &Value)| match (number(then), number(other)) {
            _ if then == other => Some(None),
            (Some(yes @ 0..=1), Some(no)) if yes + no == 1 && f.ty(then) == Type::I32 => {
                let negates = (yes == 0) != negated;
                (!negates || are_left).then_some(Some(negates))
            }
            _ => None,
        };
        let kinds: Option<Vec<Option<bool>>> = then_gives.iter().zip(&other_gives).map(kind).collect();
        let Some(kinds) = kinds.filter(|kinds| kinds.iter().flatten().count() > 0) else { continue };
        if !leave.change_flow(f, block) {
            break;
        }
        let mut values = then_gives;
        for (value, kind) in values.iter_mut().zip(kinds) {
            match kind {
                None => {}
                Some(false) => *value = truth,
                Some(true) => {
                    let one = f.make_int(Type::I32, 1);
                    let location = Location::default();
                    let inst = f.make_inst(Op::Xor, &[truth, one], &[Type::I32], None, None, location);
                    f.append_inst(block, inst);
                    *value = f.result(inst);
                }
            }
        }
        let terminator = match to {
            None => Terminator::Return(f.make_list(&values)),
            Some(to) => Terminator::Jump(f.make_call(to, &values)),
        };
        f.set_terminator(block, terminator);
        count += 1;
    }
    if count > 0 {
        let cfg = Cfg::new(f);
        f.retain_blocks(|block| cfg.is_reachable(block));
    }
    count
}

/// Where a call comes to, through one block that does nothing.
fn comes(f: &Function, call: BlockCall) -> Comes {
    let args = f.list(call.args).to_vec();
    if !f.block_insts(call.block).is_empty() {
        return Comes::To(call.block, args);
    }
    let given = |value: &Value| {
        let place = f.block_params(call.block).iter().position(|param| param == value);
        place.map_or(*value, |place| args[place])
    };
    match f.terminator(call.block) {
        Terminator::Return(results) => Comes::Back(f.list(*results).iter().map(given).collect()),
        Terminator::Jump(next) => Comes::To(next.block, f.list(next.args).iter().map(given).collect()),
        _ => Comes::To(call.block, args),
    }
}
