//! Redundant store elimination in class initializers (R8's `ClassInitializerDefaultsOptimization`): stores of what a static
//! field holds anyhow.
//!
//! When its initializer begins, a class holds zero and null in its static fields, but for those whose first value the class file
//! states. Nobody else can store to one before: whoever names the class waits until it is initialized, unless the thread that
//! initializes it runs what it names. That may be the initializer of a class above, which comes first, and
//! whatever the initializer itself calls or begins to initialize. In front of that, `x = 0` does nothing if the initializer
//! stores nothing else to `x`.

use std::collections::BTreeSet;

use planish_base::Worklist;
use planish_classfile::{ClassFile, ConstantPool, Flags, Kind, MemberRef, Opcode, Operand};
use planish_ir::cfg::Cfg;
use planish_ir::{Function, Inst};
use planish_jvm_analysis::infer::results::nothing;
use planish_jvm_analysis::jdk_methods::{FILLED_BY_THEMSELVES, QUIET, is_closed};
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_model::hierarchy::{ClassId, Hierarchy, Origin};
use planish_jvm_model::names::package;
use planish_ops::world::World;
use planish_ops::{Effect, Op};
use planish_pass::{Became, Leave};

use crate::transform::contents::called;
use crate::transform::marked::Marked;

/// The name of class initializers.
pub const INITIALIZER: &[u8] = b"<clinit>";

/// The static fields of a class that hold zero or null when its initializer begins, as `x:I`. None if initializing a class above
/// it may run anything. O(fields, classes above).
pub fn untouched_fields(class: &ClassFile<'_>, names: &Names, hierarchy: &Hierarchy) -> BTreeSet<Box<[u8]>> {
    let pool = &class.pool;
    let above = hierarchy.lookup(names.class_name());
    if !above.is_some_and(|class| runs_nothing_above(class, names, hierarchy)) {
        return BTreeSet::new();
    }
    let fields = class.fields.iter().filter(|field| {
        field.flags.has(Flags::STATIC) && field.attribute(pool, Kind::ConstantValue).is_none()
    });
    let text =
        |name, descriptor| Some([pool.utf8(name).ok()?, b":", pool.utf8(descriptor).ok()?].concat().into());
    fields.filter_map(|field| text(field.name, field.descriptor)).collect()
}

/// Whether initializing what a class extends and implements runs nothing of a program.
fn runs_nothing_above(class: ClassId, names: &Names, hierarchy: &Hierarchy) -> bool {
    let mut seen: BTreeSet<ClassId> = BTreeSet::new();
    let mut waiting = Worklist::from(vec![class]);
    while let Some(next) = waiting.pop() {
        let Some(info) = hierarchy.get(next) else { return false };
        let name = hierarchy.name(next);
        let is_known = match info.origin {
            // What is above it is of the platform as well.
            Origin::Platform => {
                let is_interface = info.flags.has(Flags::INTERFACE);
                if is_interface || matches!(package(name), b"java/lang" | b"java/io" | b"java/util") {
                    continue;
                }
                false
            }
            Origin::Program | Origin::Library => next == class || names.is_quiet(name),
        };
        if !is_known {
            return false;
        }
        let above = info.super_class.into_iter().chain(info.interfaces.iter().copied());
        waiting.extend(above.filter(|&above| seen.insert(above)));
    }
    true
}

/// Removes stores of zero and null from an initializer, where these fields hold that. Gives their number. O(size of the body).
pub fn remove_first_stores(
    f: &mut Function,
    untouched: &BTreeSet<Box<[u8]>>,
    names: &Names,
    pool: &ConstantPool<'_>,
    leave: &mut Leave<'_>,
) -> u64 {
    let stored = |inst: Inst| {
        let field = stored_field(f, inst, names, pool)?;
        let is_nothing =
            f.constant(f.args(inst)[0]).is_some_and(|is| nothing(f.ty(f.args(inst)[0])) == Some(is));
        Some(([field.name, b":", field.descriptor].concat(), is_nothing))
    };
    let others: BTreeSet<Vec<u8>> = f
        .live_insts()
        .filter_map(|(_, inst)| stored(inst).filter(|(_, is_nothing)| !is_nothing))
        .map(|(field, _)| field)
        .collect();
    let mut removed = Marked::new(f);
    for inst in first_instructions(f, names, pool) {
        let Some((field, true)) = stored(inst) else { continue };
        let is_redundant = untouched.contains(&field[..]) && !others.contains(&field);
        if is_redundant && leave.rewrite(f, inst, Became::Nothing) {
            removed.add(inst);
        }
    }
    removed.remove(f)
}

/// The field of the class itself that an instruction stores to, if it is static.
fn stored_field<'p>(
    f: &Function,
    inst: Inst,
    names: &Names,
    pool: &'p ConstantPool<'_>,
) -> Option<MemberRef<'p>> {
    let field = match (f.inst(inst).op, f.inst(inst).descr.map(|descr| names.named(descr))) {
        (Op::SetStatic, Some(Named::Field(index))) => pool.member(*index).ok()?,
        _ => called(f, inst, names, pool).filter(|(op, _)| *op == Opcode::Putstatic)?.1,
    };
    (field.class == names.class_name()).then_some(field)
}

/// The instructions of an initializer in front of which nothing else of a program can have run.
fn first_instructions(f: &Function, names: &Names, pool: &ConstantPool<'_>) -> Vec<Inst> {
    let cfg = Cfg::new(f);
    let is_first = |inst: &Inst| !runs_something(f, *inst, names, pool);
    let mut is_late = vec![false; cfg.order().len()];
    let runs = |&number: &u32| !f.block_insts(cfg.block(number)).iter().all(is_first);
    let mut waiting: Worklist<u32> = (0..cfg.order().len() as u32).filter(runs).collect();
    while let Some(number) = waiting.pop() {
        for &next in cfg.succs().of(number) {
            if !std::mem::replace(&mut is_late[next as usize], true) {
                waiting.push(next);
            }
        }
    }
    let blocks = cfg.order().iter().zip(is_late).filter(|(_, is_late)| !is_late);
    blocks.flat_map(|(&block, _)| f.block_insts(block).iter().copied().take_while(is_first)).collect()
}

/// Whether an instruction may run something of a program, by a call or since it initializes a class.
fn runs_something(f: &Function, inst: Inst, names: &Names, pool: &ConstantPool<'_>) -> bool {
    let data = f.inst(inst);
    if f.row(inst).effect != Effect::Call {
        return false;
    }
    let (Op::Call, Some(descr)) = (data.op, data.descr) else { return true };
    if names.world().call_effect(descr).writes.as_ref().is_some_and(Vec::is_empty) {
        return false;
    }
    if let Some((op, member)) = called(f, inst, names, pool) {
        let is_field = matches!(op, Opcode::Getstatic | Opcode::Putstatic);
        let is_here = member.class == names.class_name() || member.class == b"java/lang/System";
        return if is_field { !is_here } else { !is_closed(op, &member) };
    }
    match names.instruction_of(f, inst).map(|made| (made.op, &made.operand)) {
        Some((Opcode::New, &Operand::Constant(class))) => !pool.class(class).is_ok_and(|class| {
            FILLED_BY_THEMSELVES.contains(&class) || QUIET.contains(&class) || class == names.class_name()
        }),
        _ => true,
    }
}
