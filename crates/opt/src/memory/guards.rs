//! Guards on one reference become one.
//!
//! A later guard on the same reference makes an earlier one stronger at its old place and goes itself:
//! nonnull and class become one guard for both, and a guard for a constant takes the place of a guard
//! against null. A trace may leave earlier than it had to: the exit's state is that of the earlier place,
//! and whoever goes on from there does again what the trace had done since. PyPy does the same.
//!
//! What guards teach is the engine's business (`refs`); here is only which of them may be made stronger.

use planish_base::SideTable;
use planish_ir::{Const, Inst, Value};
use planish_ops::Op;

use super::{Memory, NAME};
use crate::engine::Cx;
use crate::record::{Became, Kind};
use crate::refs::Known;
use crate::stage::Outcome;

/// The guards that may still be made stronger.
#[derive(Default)]
pub(crate) struct Guards {
    /// The last guard on a reference.
    last: SideTable<Value, Option<Inst>>,
    /// The references that have one.
    guarded: Vec<Value>,
}

impl Guards {
    /// Forgets every guard. O(number of guards).
    pub fn forget(&mut self) {
        for value in self.guarded.drain(..) {
            self.last[value] = None;
        }
    }

    fn set(&mut self, value: Value, guard: Inst) {
        if self.last[value].replace(guard).is_none() {
            self.guarded.push(value);
        }
    }

    /// The guard against null on a reference, if it may be made stronger.
    fn nonnull(&self, cx: &Cx<'_>, value: Value) -> Option<Inst> {
        self.last[value].filter(|&guard| cx.f.inst(guard).op == Op::GuardNonnull)
    }
}

impl Memory {
    /// Lets a guard that is not decided make an earlier one stronger, or notes it for a later one.
    pub(super) fn stronger_guard(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        match (cx.f.inst(inst).op, cx.f.args(inst)) {
            (Op::GuardNonnull, &[x]) => {
                self.guards.set(x, inst);
                None
            }
            (Op::GuardClass | Op::GuardNonnullClass, &[x, class]) => self.class_guard(cx, inst, x, class),
            (Op::GuardValue, &[x, y]) if cx.f.constant(y).is_some() => self.value_guard(cx, inst, x, y),
            _ => None,
        }
    }

    fn class_guard(&mut self, cx: &mut Cx<'_>, inst: Inst, x: Value, class: Value) -> Option<Outcome> {
        let classed = cx.engine.refs.get(cx.f, x).class.is_some();
        let earlier = self.guards.nonnull(cx, x);
        self.guards.set(x, inst);
        if classed || cx.f.constant(class).is_none() {
            return None;
        }
        let earlier = earlier?;
        if !cx.rewrite(Kind::Stage(NAME), inst, Became::Op(Op::GuardNonnullClass)) {
            return None;
        }
        cx.f.rewrite_inst(earlier, Op::GuardNonnullClass, &[x, class]);
        self.guards.set(x, earlier);
        cx.engine.refs.learn(cx.f, x, Known { nonnull: true, class: Some(class) });
        Some(Outcome::Gone)
    }

    /// A guard for a constant object is stronger than one against null. The class of the constant is not
    /// known here, so a guard on the class stays with its own.
    fn value_guard(&mut self, cx: &mut Cx<'_>, inst: Inst, x: Value, constant: Value) -> Option<Outcome> {
        let earlier = self.guards.nonnull(cx, x)?;
        if matches!(cx.f.constant(constant), Some(Const::Null))
            || !cx.rewrite(Kind::Stage(NAME), inst, Became::Op(Op::GuardValue))
        {
            return None;
        }
        cx.f.rewrite_inst(earlier, Op::GuardValue, &[x, constant]);
        self.guards.set(x, earlier);
        // What the guard at hand teaches is taught all the same.
        cx.engine.forwarding.equate(x, constant);
        Some(Outcome::Gone)
    }
}
