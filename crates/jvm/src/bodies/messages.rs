//! Helpful `NullPointerException`s (JEP 358): bodies of which the JVM might say what is null there.
//!
//! Since Java 14 a `NullPointerException` that the JVM throws says what was to be done and what was null: *Cannot read field
//! "next" because the return value of "List.first()" is null* (JEP 358). It finds that out of the bytes of the method: which
//! instruction gave the reference, which slot of which name it was loaded from. Any other form of the body may make another
//! text of it. Who wants the texts kept gets such bodies kept: those with an instruction that throws where an object is null, of
//! an object of which it is not known that it is there. Known are the receiver, fresh objects, what a handler caught, and what
//! the whole program says.
//!
//! Texts of other exceptions say numbers and classes, which no optimization changes.

use planish_base::Id;
use planish_classfile::{Code, Opcode};
use planish_ir::{Def, Function, Inst, Terminator, Value};
use planish_jvm_analysis::infer::MethodFacts;
use planish_jvm_ir::lift::lift;
use planish_jvm_ir::lower::Target;
use planish_jvm_ir::naming::Names;
use planish_ops::Op;

use super::rewriter::Rewriter;

/// Whether an instruction throws if the object that it is about is null.
fn needs_object(op: Opcode) -> bool {
    use Opcode::*;
    matches!(
        op,
        Getfield
            | Putfield
            | Invokevirtual
            | Invokespecial
            | Invokeinterface
            | Arraylength
            | Athrow
            | Monitorenter
            | Monitorexit
            | Iaload
            | Laload
            | Faload
            | Daload
            | Aaload
            | Baload
            | Caload
            | Saload
            | Iastore
            | Lastore
            | Fastore
            | Dastore
            | Aastore
            | Bastore
            | Castore
            | Sastore
    )
}

impl Rewriter<'_, '_> {
    /// Whether a body had an instruction of which the JVM may say something else now. O(body).
    pub(super) fn spoke_of_null(&self, code: &Code) -> bool {
        !self.known.keeps_messages && code.instructions.iter().any(|instruction| needs_object(instruction.op))
    }

    /// Whether the JVM might say of a body what is null there. A body that cannot be read into SSA form might. O(body).
    pub(super) fn may_speak_of_null(&mut self, code: &Code, target: &Target<'_>) -> bool {
        let facts = self.known.facts.of(target.class, target.name, target.descriptor);
        let info = target.info(&self.class.pool);
        lift(code, &info, &mut self.names, &mut self.context)
            .map_or(true, |f| asks_of_null(&f, &self.names, facts, target.is_static))
    }
}

/// Whether an instruction of a function throws if an object is null of which it is not known that it is there.
fn asks_of_null(f: &Function, names: &Names, facts: Option<&MethodFacts>, is_static: bool) -> bool {
    let mut is_there = vec![false; f.value_count()];
    let receiver = f.block_params(f.entry()).first().filter(|_| !is_static);
    let handlers = f.blocks().iter().flat_map(|&block| f.handlers(block));
    let caught = handlers.filter_map(|(_, handler)| f.block_params(handler.block).first());
    receiver.into_iter().chain(caught).for_each(|value| is_there[value.index()] = true);
    let is_fresh = |value: Value| match f.def(value) {
        Def::Result(inst, 0) => names.instruction_of(f, inst).is_some_and(|made| made.op == Opcode::New),
        _ => false,
    };
    let may_be_null = |value: Value| {
        let is_known = || facts.is_some_and(|facts| facts.is_there(f, value));
        !is_there[value.index()] && !is_fresh(value) && !is_known()
    };
    let object = |inst: Inst| match f.inst(inst).op {
        Op::NullCheck | Op::ArrayLen | Op::GetField | Op::SetField | Op::GetItem | Op::SetItem => {
            Some(f.args(inst)[0])
        }
        _ => names.instruction_of(f, inst).filter(|made| needs_object(made.op)).map(|_| f.args(inst)[0]),
    };
    let throws_null = |&block: &_| match *f.terminator(block) {
        Terminator::Throw(thrown, _) => may_be_null(thrown),
        _ => false,
    };
    f.live_insts().filter_map(|(_, inst)| object(inst)).any(may_be_null) || f.blocks().iter().any(throws_null)
}
