//! What is known of references: that they are not null, and their classes.
//!
//! An access that cannot leave teaches that its object is there; a guard teaches what it guards. A later
//! guard on the same reference makes an earlier one stronger at its old place and goes itself: nonnull
//! and class become one guard for both, and a guard for a constant takes the place of either. A trace
//! may leave earlier than it had to: the exit's state is that of the earlier place, and whoever goes on
//! from there does again what the trace had done since. PyPy does the same.
//!
//! Classes are addresses. Two that are numbers and differ are different classes; two symbols may be the
//! same.

use planish_base::SideTable;
use planish_ir::{Const, Inst, Value};
use planish_ops::Op;

use super::{Memory, NAME};
use crate::engine::Cx;
use crate::record::{Became, Kind};
use crate::stage::Outcome;

/// What is known of one reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Known {
    nonnull: bool,
    class: Option<Value>,
    /// The guard that may still be made stronger.
    guard: Option<Inst>,
}

/// What is known of references.
#[derive(Default)]
pub(crate) struct References {
    known: SideTable<Value, Known>,
}

impl References {
    /// Forgets everything.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The reference is not null.
    pub fn is_there(&mut self, value: Value) {
        if !self.known[value].nonnull {
            self.known[value].nonnull = true;
        }
    }

    /// Whether two references are known to be different objects, or one of them no object.
    fn differ(&self, cx: &Cx<'_>, x: Value, y: Value) -> bool {
        let null = |value: Value| matches!(cx.f.constant(value), Some(Const::Null));
        let there = |value: Value| {
            self.known[value].nonnull || matches!(cx.f.constant(value), Some(Const::Symbol(..)))
        };
        if (null(x) && there(y)) || (null(y) && there(x)) {
            return true;
        }
        match (self.known[x].class, self.known[y].class) {
            (Some(a), Some(b)) => different_classes(cx, a, b),
            _ => false,
        }
    }
}

/// Whether two addresses of classes are known to differ.
fn different_classes(cx: &Cx<'_>, a: Value, b: Value) -> bool {
    match (cx.f.int_constant(a), cx.f.int_constant(b)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    }
}

impl Memory {
    /// Comparisons and guards that what is known decides.
    pub(super) fn known_reference(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let op = cx.f.inst(inst).op;
        let args = cx.f.args(inst);
        let (x, y) = (*args.first()?, args.get(1).copied());
        match op {
            Op::RefEq | Op::RefNe => {
                let differ = self.references.differ(cx, x, y?);
                differ.then(|| self.decided(cx, inst, op == Op::RefNe)).flatten()
            }
            Op::IsNull | Op::IsNonnull if self.references.known[x].nonnull => {
                self.decided(cx, inst, op == Op::IsNonnull)
            }
            Op::GuardNonnull => match self.references.known[x].nonnull {
                true => gone(cx, inst),
                false => {
                    self.references.known[x] =
                        Known { nonnull: true, guard: Some(inst), ..self.references.known[x] };
                    None
                }
            },
            Op::GuardClass | Op::GuardNonnullClass => self.class_guard(cx, inst, x, y?),
            Op::GuardValue if cx.f.constant(y?).is_some() => self.value_guard(cx, inst, x, y?),
            _ => None,
        }
    }

    fn decided(&mut self, cx: &mut Cx<'_>, inst: Inst, truth: bool) -> Option<Outcome> {
        let result = cx.f.result(inst);
        let ty = cx.f.ty(result);
        let value = cx.f.make_int(ty, i64::from(truth));
        let became = Became::Value { of: result, is: value };
        cx.rewrite(Kind::Stage(NAME), inst, became).then_some(Outcome::Value(value))
    }

    fn class_guard(&mut self, cx: &mut Cx<'_>, inst: Inst, x: Value, class: Value) -> Option<Outcome> {
        let known = self.references.known[x];
        match known.class {
            Some(found) if found == class => return gone(cx, inst),
            Some(found) if different_classes(cx, found, class) => {
                return cx.rewrite(Kind::Fails, inst, Became::Changed).then_some(Outcome::Last);
            }
            _ => {}
        }
        self.references.known[x] = Known { nonnull: true, class: Some(class), guard: Some(inst) };
        if known.class.is_some() || cx.f.constant(class).is_none() {
            return None;
        }
        if let Some(earlier) = known.guard.filter(|&guard| cx.f.inst(guard).op == Op::GuardNonnull)
            && cx.rewrite(Kind::Stage(NAME), inst, Became::Op(Op::GuardNonnullClass))
        {
            cx.f.rewrite_inst(earlier, Op::GuardNonnullClass, &[x, class]);
            self.references.known[x].guard = Some(earlier);
            return Some(Outcome::Gone);
        }
        if known.nonnull
            && cx.f.inst(inst).op == Op::GuardNonnullClass
            && cx.rewrite(Kind::Stage(NAME), inst, Became::Op(Op::GuardClass))
        {
            cx.f.rewrite_inst(inst, Op::GuardClass, &[x, class]);
        }
        None
    }

    /// A guard for a constant object is stronger than any earlier one on the reference.
    fn value_guard(&mut self, cx: &mut Cx<'_>, inst: Inst, x: Value, constant: Value) -> Option<Outcome> {
        let earlier = self.references.known[x].guard?;
        // The class of the constant is not known here, so a guard on the class stays with its own.
        if cx.f.inst(earlier).op != Op::GuardNonnull
            || matches!(cx.f.constant(constant), Some(Const::Null))
            || !cx.rewrite(Kind::Stage(NAME), inst, Became::Op(Op::GuardValue))
        {
            return None;
        }
        cx.f.rewrite_inst(earlier, Op::GuardValue, &[x, constant]);
        self.references.known[x].guard = None;
        // What the guard at hand teaches is taught all the same.
        cx.engine.forwarding.equate(x, constant);
        Some(Outcome::Gone)
    }
}

fn gone(cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
    cx.rewrite(Kind::Holds, inst, Became::Nothing).then_some(Outcome::Gone)
}
