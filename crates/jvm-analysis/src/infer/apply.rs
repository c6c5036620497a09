//! Interprocedural constant propagation, the rewriting: a body with what was found out about its values.
//!
//! A value that is one constant is replaced wherever it is used: branches on it are decided, and what
//! computed it goes if it has no effect. A field that is read for nothing else is not read any more, so that
//! stores to it may go; only whether the object is null is asked. Null checks of references that are not null
//! go, and so do calls that were made ahead of time. What is computed for a result that nobody needs is not returned.
//! Handlers for exceptions that cannot arise are left out.
//! Nothing else of the body changes; the optimizer does the rest.

use planish_base::Id;
use planish_classfile::{ConstantPool, Opcode};
use planish_ir::{Const, Exit, ExitTarget, Function, Handler, Inst, Terminator, Value};
use planish_jvm_ir::naming::{Named, Names};
use planish_ops::{Op, Type};
use planish_pass::{Became, Leave};

use crate::infer::MethodFacts;
use crate::infer::results::return_nothing;

impl MethodFacts {
    /// Writes what is known into a body that was lifted from the code which was analysed. Gives the number
    /// of values that became constants, and of checks that went.
    pub fn apply(
        &self,
        f: &mut Function,
        names: &mut Names,
        pool: &mut ConstantPool<'_>,
        leave: &mut Leave<'_>,
    ) -> (u64, u64) {
        // What is known of one value is found with what is known of others, so all of it is used or nothing.
        if f.value_count() != self.values || !leave.rewrite_together(self.count(), Became::Changed) {
            return (0, 0);
        }
        // Before anything else: where there is no room for constants nothing is done.
        let mut new: Vec<Option<Value>> = Vec::new();
        if !self.constants.is_empty() || !self.texts.is_empty() {
            new.resize(self.values, None);
        }
        for (value, text) in &self.texts {
            let Ok(constant) = pool.add_string(text) else { return (0, 0) };
            let symbol = names.string(constant, pool);
            new[value.index()] = Some(f.make_constant(Const::Symbol(symbol, Type::Ref)));
        }
        self.drop_idle_handlers(f);
        let mut checks = 0;
        for &block in &f.blocks().to_vec() {
            let insts = f.block_insts(block).to_vec();
            let mut kept = Vec::with_capacity(insts.len());
            for &inst in &insts {
                let data = *f.inst(inst);
                if f.first_result(inst).is_some_and(|value| self.ahead.binary_search(&value).is_ok()) {
                    continue;
                }
                // A method reads a static field of its own class, which is initialized by then.
                if data.op == Op::GetStatic && self.is_known(f.result(inst)) {
                    continue;
                }
                let reads = self.reads_constant(f, inst, names);
                if data.op != Op::NullCheck && !reads {
                    kept.push(inst);
                    continue;
                }
                let object = f.args(inst)[0];
                if self.nonnull.binary_search(&object).is_ok() {
                    checks += 1;
                } else if reads {
                    kept.push(f.make_inst(Op::NullCheck, &[object], &[], None, data.exit, data.location));
                } else {
                    kept.push(inst);
                }
            }
            if kept != insts {
                f.replace_insts(block, kept);
            }
        }
        let returned = return_nothing(f, &self.returned);
        if new.is_empty() {
            return (returned, checks);
        }
        for &(value, constant) in &self.constants {
            new[value.index()] = Some(f.make_constant(constant));
        }
        f.map_uses(|value| new.get(value.index()).copied().flatten().unwrap_or(value));
        ((self.constants.len() + self.texts.len()) as u64 + returned, checks)
    }

    /// How many things are known.
    fn count(&self) -> usize {
        let MethodFacts { constants, texts, nonnull, ahead, idle, returned, .. } = self;
        constants.len() + texts.len() + nonnull.len() + ahead.len() + idle.len() + returned.len()
    }

    /// Exits do not lead to handlers for exceptions that cannot arise.
    fn drop_idle_handlers(&self, f: &mut Function) {
        if self.idle.is_empty() {
            return;
        }
        let is_idle = |handler: &Handler| self.idle.binary_search(&handler.block).is_ok();
        let without = |f: &mut Function, exit: Exit| {
            let ExitTarget::To(handlers) = &f.exit(exit).target else { return Some(exit) };
            if !handlers.iter().any(is_idle) {
                return Some(exit);
            }
            let left: Box<[Handler]> = handlers.iter().copied().filter(|handler| !is_idle(handler)).collect();
            let args = f.exit_args(exit).to_vec();
            (!left.is_empty()).then(|| f.make_exit(ExitTarget::To(left), &args, Some(exit)))
        };
        for &block in &f.blocks().to_vec() {
            for &inst in &f.block_insts(block).to_vec() {
                if let Some(exit) = f.inst(inst).exit {
                    let left = without(f, exit);
                    f.set_exit(inst, left);
                }
            }
            if let Terminator::Throw(thrown, Some(exit)) = *f.terminator(block) {
                let left = without(f, exit);
                f.set_terminator(block, Terminator::Throw(thrown, left));
            }
        }
    }

    /// Whether a reference of the body that was analysed is never null.
    pub fn is_there(&self, f: &Function, value: Value) -> bool {
        f.value_count() == self.values && self.nonnull.binary_search(&value).is_ok()
    }

    /// Whether a value is one constant.
    fn is_known(&self, value: Value) -> bool {
        self.constants.binary_search_by_key(&value, |(value, _)| *value).is_ok()
            || self.texts.binary_search_by_key(&value, |(value, _)| *value).is_ok()
    }

    /// Whether an instruction reads the field of an object that always holds the same constant, or a known length.
    fn reads_constant(&self, f: &Function, inst: Inst, names: &Names) -> bool {
        let data = f.inst(inst);
        let is_read = match (data.op, data.descr.map(|descr| names.named(descr))) {
            (Op::GetField, Some(Named::Field(_))) | (Op::ArrayLen, _) => true,
            (Op::Call, Some(Named::Instruction(instruction))) => instruction.op == Opcode::Getfield,
            _ => false,
        };
        is_read && self.is_known(f.result(inst))
    }
}
