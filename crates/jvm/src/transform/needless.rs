//! Redundant check elimination: null checks and casts that cannot fail.
//!
//! A fresh object is of its class and not null, and neither is the object whose method runs: checking
//! either for null, or casting it to what it is, does nothing. Inlining leaves such checks behind. Only
//! casts of values that a verifier sees to be of the class go, since others tell it what it does not see: it knows
//! what a method takes, a call gives, a field holds, another cast let through. It believes anything of interfaces.
//!
//! A field that is loaded of an object which is there, for nothing, need not be; nor need a test be made for nothing.
//!
//! An object that is asked for its class, which nobody wants, is checked for null: that has one form.

use planish_base::Id;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{ConstantPool, Opcode, Operand};
use planish_ir::liveness::for_each_use;
use planish_ir::{Function, Inst, Stands};
use planish_jvm_ir::lower::Target;
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_ops::Op;
use planish_pass::{Became, Leave};

use crate::transform::marked::Marked;
use crate::transform::seen::Seen;
use crate::transform::type_tests::{computing, decide};

/// Makes checks for null of calls of `getClass` whose result nobody uses: so bytecode of both is read, however the
/// class is forgotten.
pub(crate) fn check_instead_of_asking(
    f: &mut Function,
    names: &Names,
    pool: &ConstantPool<'_>,
    leave: &mut Leave<'_>,
) {
    let asks = |inst: Inst| {
        let data = f.inst(inst);
        let Some(Named::Instruction(call)) = data.descr.map(|descr| names.named(descr)) else { return false };
        let (Op::Call, Opcode::Invokevirtual, &Operand::Constant(index)) = (data.op, call.op, &call.operand)
        else {
            return false;
        };
        pool.member(index)
            .is_ok_and(|member| member.name == b"getClass" && member.descriptor == b"()Ljava/lang/Class;")
    };
    let asked: Vec<Inst> = f.live_insts().map(|(_, inst)| inst).filter(|&inst| asks(inst)).collect();
    if asked.is_empty() {
        return;
    }
    let mut is_used = vec![false; f.value_count()];
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| is_used[value.index()] = true);
    }
    for inst in asked {
        let object = f.args(inst)[0];
        if !is_used[f.result(inst).index()] && leave.rewrite(f, inst, Became::Op(Op::NullCheck)) {
            f.rewrite_inst(inst, Op::NullCheck, &[object]);
            f.set_descr(inst, None);
        }
    }
}

/// Removes null checks, casts and tests that cannot fail, or whose outcome is known. `class` is that of the method, if it
/// has a receiver that is initialized. Gives their number.
pub fn remove_checks(
    f: &mut Function,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
    (target, class): (&Target<'_>, Option<ClassId>),
    leave: &mut Leave<'_>,
) -> u64 {
    let receiver = (class, !target.is_static);
    let seen = Seen { names, pool, hierarchy, ty: MethodType::parse(target.descriptor), receiver };
    let mut stands = Stands::default();
    let mut needless = Marked::new(f);
    for (_, inst) in f.live_insts() {
        let data = f.inst(inst);
        if data.op == Op::NullCheck && seen.object(f, f.args(inst)[0]).is_some() {
            if leave.rewrite(f, inst, Became::Nothing) {
                needless.add(inst);
            }
            continue;
        }
        let Some(Named::Instruction(cast)) = data.descr.map(|descr| names.named(descr)) else { continue };
        let (Op::Call, Opcode::Checkcast, &Operand::Constant(index)) = (data.op, cast.op, &cast.operand)
        else {
            continue;
        };
        let wanted = pool.class(index).ok().and_then(|name| hierarchy.lookup(name));
        if let (Some(seen), Some(wanted)) = (seen.class(f, f.args(inst)[0]), wanted)
            && hierarchy.is_subtype(seen, wanted) == Some(true)
            && leave.rewrite(f, inst, Became::Nothing)
        {
            needless.add(inst);
            stands.put(f.args(inst)[0], f.result(inst));
        }
    }
    let count = needless.remove(f);
    stands.write(f);
    count + decide(f, &seen, leave) + remove_unused(f, &seen, leave)
}

/// Says of calls on objects that are there that they only compute, where that is so of the methods: then they are made where they are
/// needed, once, or not at all, as those of static methods. O(body).
pub fn calls_on_objects(
    f: &mut Function,
    names: &mut Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
    (target, class): (&Target<'_>, Option<ClassId>),
) {
    let receiver = (class, !target.is_static);
    let seen = Seen { names, pool, hierarchy, ty: MethodType::parse(target.descriptor), receiver };
    for inst in computing(f, &seen) {
        let descr = f.inst(inst).descr.map(|call| names.on_object(call));
        f.set_descr(inst, descr);
    }
}

/// Removes loads and tests whose result nobody uses, and that do nothing else. Gives their number. O(body).
fn remove_unused(f: &mut Function, seen: &Seen<'_, '_>, leave: &mut Leave<'_>) -> u64 {
    let mut is_used = vec![false; f.value_count()];
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| is_used[value.index()] = true);
    }
    let only_gives = |inst: Inst| match f.inst(inst).op {
        // What the lift takes for a place in memory is no volatile field, and of no class that this would initialize.
        Op::GetStatic => true,
        Op::GetField => seen.object(f, seen.root(f, f.args(inst)[0])).is_some(),
        // A test finds its class.
        _ => seen
            .look(f, inst)
            .is_some_and(|(op, _, class)| op == Opcode::Instanceof && seen.hierarchy.get(class).is_some()),
    };
    let mut unused = Marked::new(f);
    for (_, inst) in f.live_insts() {
        if f.first_result(inst).is_some_and(|result| !is_used[result.index()])
            && only_gives(inst)
            && leave.rewrite(f, inst, Became::Nothing)
        {
            unused.add(inst);
        }
    }
    unused.remove(f)
}
