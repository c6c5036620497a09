//! What the other side of an exit may look at.
//!
//! Where control may leave, stores that wait are made, and objects that the exit hands over.

use planish_base::fault;
use planish_ir::Inst;
use planish_ops::Effect;

use super::Memory;
use crate::engine::Cx;

impl Memory {
    /// What must be made before an operation that may leave is emitted.
    pub(crate) fn before_emitting(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let leaves = match cx.f.row(inst).effect {
            Effect::Guard => true,
            Effect::Pure => cx.may_leave(inst),
            // Without an exit an access never leaves a trace.
            _ => cx.f.inst(inst).exit.is_some(),
        };
        if leaves {
            self.before_leaving(cx, inst);
        }
    }

    /// Where control may leave: everything that the other side may look at is made. A comparison or call
    /// directly before keeps its place in front of the guard that looks at it.
    pub(super) fn before_leaving(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        if !self.any_kept_back() && !self.heap.waits() {
            return;
        }
        let held = cx.hold_last();
        self.force_all_args(cx, inst);
        if let Some(exit) = cx.f.inst(inst).exit
            && self.any_kept_back()
        {
            for index in 0..cx.f.exit_args(exit).len() {
                let value = cx.f.exit_args(exit)[index];
                self.force(cx, value);
            }
        }
        if !fault!("memory: stores wait across a guard") {
            self.flush_all(cx);
        }
        cx.release(held);
    }
}
