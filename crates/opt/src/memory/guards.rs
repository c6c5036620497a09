//! Guard strengthening (PyPy's `replace_guard`): guards on one reference become one.
//!
//! A later guard on the same reference makes an earlier one stronger at its old place and goes itself:
//! nonnull and class become one guard for both, and a guard for a constant takes the place of a guard
//! against null. A trace may leave earlier than it had to: the exit's state is that of the earlier place,
//! and whoever goes on from there does again what the trace had done since. PyPy does the same.
//!
//! Not so a bridge that was recorded out of one of the two guards as it was ([`Options::bridged`](crate::Options::bridged)). It need
//! not ask again: out of a guard against null it has null, and behind the other guard it goes on where the class was another.
//!
//! What guards teach is the engine's business (`refs`); here is only which of them may be made stronger, and
//! what classes and earlier comparisons say of a comparison.

use planish_ir::{Const, ExitTarget, Inst, Value};
use planish_ops::{Op, Type};
use planish_pass::record::{Became, Kind};

use super::state::{Memory, REWRITE};
use crate::engine::Cx;
use crate::engine::refs::Known;
use crate::engine::stage::Outcome;

/// Whether two addresses of classes are known to differ.
pub(super) fn different_classes(cx: &Cx<'_>, a: Value, b: Value) -> bool {
    match (cx.f.int_constant(a), cx.f.int_constant(b)) {
        // A narrow word holds a part of an address only.
        (Some(a), Some(b)) => a.width() == b.width() && a != b,
        _ => cx.differ(a, b),
    }
}

/// Whether two references are known to be different objects, or one of them no object.
fn different(cx: &mut Cx<'_>, x: Value, y: Value) -> bool {
    let refs = &cx.engine.refs;
    let null = |value: Value| refs.null(cx.f, value);
    if null(x).zip(null(y)).is_some_and(|(x, y)| x != y) || cx.differ(x, y) {
        return true;
    }
    let [a, b] = [x, y].map(|value| cx.engine.refs.get(cx.f, value).class.or_else(|| cx.class_of(value)));
    a.zip(b).is_some_and(|(a, b)| different_classes(cx, a, b))
}

/// How far back uses are looked for, in operations.
const NEAR: usize = 64;

/// Whether something behind a guard uses a value, as far as that is seen.
fn uses_since(cx: &Cx<'_>, guard: Inst, value: Value) -> bool {
    for &inst in cx.emitted().iter().rev().take(NEAR) {
        if inst == guard {
            return false;
        }
        let exit = cx.f.inst(inst).exit.map_or(&[][..], |exit| cx.f.exit_args(exit));
        if cx.f.args(inst).contains(&value) || exit.contains(&value) {
            return true;
        }
    }
    true
}

impl Memory {
    /// Comparisons and guards that what is known decides.
    pub(super) fn known_reference(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let op = cx.f.inst(inst).op;
        let args = cx.f.args(inst);
        let (x, y) = (*args.first()?, args.get(1).copied());
        match op {
            Op::RefEq | Op::RefNe => {
                if different(cx, x, y?) {
                    return self.decided(cx, inst, op == Op::RefNe);
                }
                [x, y?].into_iter().for_each(|value| self.guards.compare(value));
                None
            }
            Op::GuardNonnull => {
                self.note_guard(cx, x, inst);
                None
            }
            Op::GuardClass | Op::GuardNonnullClass => self.class_guard(cx, inst, x, y?),
            Op::GuardValue if cx.f.constant(y?).is_some() => {
                if cx.f.ty(x) == Type::Ref && cx.f.constant(x).is_none() {
                    self.renamed = Some((x, y?));
                }
                self.value_guard(cx, inst, x, y?)
            }
            _ => None,
        }
    }

    fn decided(&mut self, cx: &mut Cx<'_>, inst: Inst, truth: bool) -> Option<Outcome> {
        let result = cx.f.result(inst);
        let ty = cx.f.ty(result);
        let value = cx.f.make_int(ty, i64::from(truth));
        let became = Became::Value { of: result, is: value };
        cx.rewrite(REWRITE, inst, became).then_some(Outcome::Value(value))
    }

    /// Whether whoever goes on from the exit of a guard does again what the trace had done since.
    fn is_asked_again(&self, cx: &Cx<'_>, guard: Inst) -> bool {
        let resumes = |exit| match cx.f.exit(exit).target {
            ExitTarget::Leave(number) => self.bridged.binary_search(&number).is_err(),
            _ => false,
        };
        self.options.accesses_never_leave && cx.f.inst(guard).exit.is_some_and(resumes)
    }

    /// Notes a guard for a later one, which may make it stronger or not.
    fn note_guard(&mut self, cx: &Cx<'_>, value: Value, guard: Inst) {
        if self.is_asked_again(cx, guard) {
            self.guards.set(value, guard);
        } else {
            self.guards.last[value] = None;
        }
    }

    /// PyPy makes the stores that wait at the place of a guard also where that goes.
    fn make_stores_for_guard(&mut self, cx: &mut Cx<'_>) {
        if cx.features.plain {
            let mut pending = std::mem::take(&mut self.pending);
            self.flush_what_is_made(cx, &mut pending);
            self.pending = pending;
        }
    }

    /// A guard on the class makes an earlier one against null a guard on both.
    #[inline(never)]
    fn class_guard(&mut self, cx: &mut Cx<'_>, inst: Inst, x: Value, class: Value) -> Option<Outcome> {
        cx.f.constant(class)?;
        let earlier = self.guards.last[x];
        self.note_guard(cx, x, inst);
        let both_again =
            |&guard: &Inst| cx.f.inst(guard).op == Op::GuardNonnull && self.is_asked_again(cx, inst);
        let earlier = earlier.filter(both_again)?;
        if !cx.rewrite(REWRITE, inst, Became::Op(Op::GuardNonnullClass)) {
            return None;
        }
        self.make_stores_for_guard(cx);
        cx.f.rewrite_inst(earlier, Op::GuardNonnullClass, &[x, class]);
        self.guards.set(x, earlier);
        self.guards.learn_class(x);
        cx.engine.refs.learn(cx.f, x, Known { nonnull: true, class: Some(class) });
        Some(Outcome::Gone)
    }

    /// A guard for a constant object is stronger than any earlier one on the reference.
    #[inline(never)]
    fn value_guard(&mut self, cx: &mut Cx<'_>, inst: Inst, x: Value, constant: Value) -> Option<Outcome> {
        let null = matches!(cx.f.constant(constant), Some(Const::Null));
        if cx.f.constant(x).is_some() && different(cx, x, constant) {
            return cx.rewrite(Kind::Fails, inst, Became::Changed).then_some(Outcome::Last);
        }
        let refs = &cx.engine.refs;
        if null && refs.null(cx.f, x) == Some(false) {
            return cx.rewrite(Kind::Fails, inst, Became::Changed).then_some(Outcome::Last);
        }
        let class = cx.engine.refs.get(cx.f, x).class;
        let own = cx.engine.refs.get(cx.f, constant).class.or_else(|| cx.class_of(constant));
        // PyPy looks at the class only where a guard would be made stronger.
        let looks = !cx.features.plain || self.guards.last[x].is_some();
        if looks
            && let (Some(class), Some(own)) = (class, own)
            && different_classes(cx, class, own)
        {
            return cx.rewrite(Kind::Fails, inst, Became::Changed).then_some(Outcome::Last);
        }
        let earlier = self.guards.last[x]?;
        // A guard on the class stays, unless the constant is known to be of that class.
        let implied = match cx.f.inst(earlier).op {
            Op::GuardNonnull => !null,
            Op::GuardClass | Op::GuardNonnullClass => own.is_some() && own == class,
            _ => false,
        };
        let stays = !implied || !self.is_asked_again(cx, inst);
        if stays || !cx.rewrite(REWRITE, inst, Became::Op(Op::GuardValue)) {
            return None;
        }
        self.make_stores_for_guard(cx);
        cx.f.rewrite_inst(earlier, Op::GuardValue, &[x, constant]);
        self.guards.last[x] = None;
        self.guards.late |= uses_since(cx, earlier, x);
        // What the guard at hand teaches is taught all the same.
        cx.engine.forwarding.equate(x, constant);
        Some(Outcome::Gone)
    }
}
