//! Dead field, store and object elimination over the whole program: fields that nobody reads, objects that nobody uses.
//!
//! A store to a field that no instruction reads, and nothing outside sees, goes; what it stored is then
//! unused, too. So does an object whose constructor does nothing but fill it in, if nothing but that
//! constructor ever gets it, and an exception of the JDK that nobody throws. Null checks stay: a store through null throws.

use hashbrown::HashSet;
use planish_base::Id;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{ConstantPool, MemberRef, Opcode, Operand};
use planish_ir::{Function, Inst, Terminator, Value};
use planish_jvm_analysis::constructors::Constructors;
use planish_jvm_analysis::jdk_methods::makes_exception;
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_model::hierarchy::Hierarchy;
use planish_ops::Op;
use planish_pass::{Became, Leave};
use rustc_hash::FxBuildHasher;

use crate::transform::marked::Marked;

/// Removes stores to fields that nothing reads. Gives their number.
pub fn remove_stores(
    f: &mut Function,
    unread: &HashSet<Box<[u8]>, FxBuildHasher>,
    names: &Names,
    pool: &ConstantPool<'_>,
    (class, is_static): (&[u8], bool),
    leave: &mut Leave<'_>,
) -> u64 {
    if unread.is_empty() {
        return 0;
    }
    let is_unread = |index: u16, of: Option<&[u8]>| {
        pool.member(index).is_ok_and(|member| {
            of.is_none_or(|of| member.class == of)
                && unread.contains(&[member.class, b".", member.name, b":", member.descriptor].concat()[..])
        })
    };
    let mut removed = 0;
    for block in f.blocks().to_vec() {
        let insts = f.block_insts(block).to_vec();
        let mut kept = Vec::with_capacity(insts.len());
        for &inst in &insts {
            let data = *f.inst(inst);
            let named = data.descr.map(|descr| names.named(descr));
            // A static store initializes a class, but not the one that is running.
            let (goes, object) = match (data.op, named) {
                (Op::SetStatic, Some(Named::Field(index))) => (is_unread(*index, Some(class)), None),
                (Op::SetField, Some(Named::Field(index))) => (is_unread(*index, None), Some(f.args(inst)[0])),
                (Op::Call, Some(Named::Instruction(instruction))) => {
                    match (instruction.op, &instruction.operand) {
                        (Opcode::Putstatic, Operand::Constant(index)) => {
                            (is_unread(*index, Some(class)), None)
                        }
                        (Opcode::Putfield, Operand::Constant(index)) => {
                            (is_unread(*index, None), Some(f.args(inst)[0]))
                        }
                        _ => (false, None),
                    }
                }
                _ => (false, None),
            };
            if !goes || !leave.rewrite(f, inst, Became::Nothing) {
                kept.push(inst);
                continue;
            }
            removed += 1;
            if let Some(object) = object {
                let is_this = !is_static && f.params().first() == Some(&object);
                let made = f.def_inst(object).and_then(|made| names.instruction_of(f, made));
                let is_new = made.is_some_and(|made| made.op == Opcode::New);
                if !is_this && !is_new {
                    kept.push(f.make_inst(Op::NullCheck, &[object], &[], None, data.exit, data.location));
                }
            }
        }
        if kept != insts {
            f.replace_insts(block, kept);
        }
    }
    removed
}

/// Removes objects that only their constructor gets, in a method of `class`. Gives their number.
pub fn remove_objects(
    f: &mut Function,
    constructors: &Constructors,
    names: &Names,
    pool: &ConstantPool<'_>,
    (class, hierarchy): (&[u8], &Hierarchy),
    leave: &mut Leave<'_>,
) -> u64 {
    if constructors.is_empty() {
        return 0;
    }
    let only_fills_in = |member: &MemberRef<'_>| {
        let ty = MethodType::parse(member.descriptor);
        constructors.get(member, class).is_some()
            || ty.is_some_and(|ty| makes_exception(member, &ty, hierarchy))
    };
    let is_made_plainly = |inst: Inst| {
        names.instruction_of(f, inst).is_some_and(|instruction| {
            let Operand::Constant(index) = instruction.operand else { return false };
            instruction.op == Opcode::Invokespecial
                && pool.member(index).is_ok_and(|member| only_fills_in(&member))
        })
    };
    // How often each object is used, and how often by plain constructors that make it.
    let mut uses = vec![(0u32, 0u32); f.value_count()];
    let see = |value: Value, uses: &mut Vec<(u32, u32)>| uses[value.index()].0 += 1;
    for (_, inst) in f.live_insts() {
        f.args(inst).iter().for_each(|&arg| see(arg, &mut uses));
        if let Some(exit) = f.inst(inst).exit {
            f.exit_args(exit).iter().for_each(|&arg| see(arg, &mut uses));
        }
        if is_made_plainly(inst) {
            uses[f.args(inst)[0].index()].1 += 1;
        }
    }
    for &block in f.blocks() {
        let terminator = f.terminator(block);
        terminator.condition().into_iter().for_each(|value| see(value, &mut uses));
        for call in terminator.calls() {
            f.list(call.args).iter().for_each(|&arg| see(arg, &mut uses));
        }
        match terminator {
            Terminator::Return(results) => f.list(*results).iter().for_each(|&v| see(v, &mut uses)),
            Terminator::Throw(_, Some(exit)) => f.exit_args(*exit).iter().for_each(|&v| see(v, &mut uses)),
            _ => {}
        }
    }
    let is_new = |value: Value| {
        f.def_inst(value)
            .and_then(|made| names.instruction_of(f, made))
            .is_some_and(|made| made.op == Opcode::New)
    };
    let goes = |value: Value| is_new(value) && uses[value.index()] == (1, 1);
    let mut removed = Marked::new(f);
    let mut count = 0;
    for (_, inst) in f.live_insts() {
        if is_made_plainly(inst) && goes(f.args(inst)[0]) && leave.rewrite(f, inst, Became::Nothing) {
            removed.add(inst);
            f.def_inst(f.args(inst)[0]).into_iter().for_each(|made| removed.add(made));
            count += 1;
        }
    }
    removed.remove(f);
    count
}
