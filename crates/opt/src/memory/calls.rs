//! Call effects and pure calls (PyPy's `EffectInfo` and `pure.py`), and the guards that look at what a call did.
//!
//! What a callee may read is made before the call; what it may write is unknown behind it. A call that
//! only computes from its arguments is made once for equal arguments, and the guards directly behind a
//! call that is not made have nothing to look at.

use planish_base::fault;
use planish_ir::{Inst, Value};
use planish_ops::world::{CallEffect, Descr, Made};
use planish_ops::{Op, Type};
use planish_pass::record::{Became, Kind};

use super::made_calls::Key;
use super::state::{Memory, PURE, REWRITE, VIRTUALIZE};
use crate::engine::Cx;
use crate::engine::stage::Outcome;

impl Memory {
    /// A call.
    pub(super) fn call(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        self.calls.just_removed = false;
        self.calls.last = None;
        let Some(descr) = cx.f.inst(inst).descr else {
            return self.unknown_call(cx, inst);
        };
        if cx.world.only_forces(descr)
            && self.forces_nothing(cx, inst, descr)
            && cx.rewrite(VIRTUALIZE, inst, Became::Nothing)
        {
            self.calls.just_removed = true;
            return Outcome::Gone;
        }
        let effect = cx.world.call_effect(descr);
        if let Some(outcome) = self.not_made(cx, inst, effect.made) {
            return outcome;
        }
        if let Some(outcome) = self.look_up(cx, inst, descr) {
            return outcome;
        }
        let mut key = self.equal_call(cx, inst, descr, effect);
        if key.is_some() {
            if let Some(value) = self.known_result(cx, inst)
                && cx.rewrite(PURE, inst, Became::Value { of: cx.f.result(inst), is: value })
            {
                self.calls.just_removed = true;
                return Outcome::Value(value);
            }
            key = self.equal_call(cx, inst, descr, effect);
        }
        let promised = self.calls.promised.get(cx.f.args(inst)).copied();
        if let Some(key) = key
            && let Some(value) = self.calls.find(key).or(promised)
            && cx.f.ty(value) == cx.f.ty(cx.f.result(inst))
            && let value = cx.imported(value)
            && cx.rewrite(PURE, inst, Became::Value { of: cx.f.result(inst), is: value })
        {
            self.calls.just_removed = true;
            return Outcome::Value(value);
        }
        self.force_all_args(cx, inst);
        self.around(cx, effect);
        // A look-up for who knows what may take a key out.
        let writes = effect.writes.as_deref().filter(|_| cx.world.look_up(descr).is_none());
        self.calls.look_ups.written(cx.world, writes);
        if let Some(key) = key {
            self.calls.insert(key, cx.f.result(inst));
            self.calls.last = Some(cx.f.result(inst));
        }
        Outcome::Keep
    }

    /// Whether a call that only writes an object back finds one that is not made. To PyPy there is nothing to write back
    /// where the call does not depend on a condition.
    fn forces_nothing(&self, cx: &Cx<'_>, inst: Inst, descr: Descr) -> bool {
        let unmade = cx.f.args(inst).last().is_some_and(|&object| self.virtuals.is(object));
        let always = cx.features.plain && cx.world.call_effect(descr).made == Made::Always;
        cx.f.results(inst).len() == 0 && (unmade || always)
    }

    /// A call that its first argument is known to keep from being made.
    fn not_made(&mut self, cx: &mut Cx<'_>, inst: Inst, made: Made) -> Option<Outcome> {
        let first = *cx.f.args(inst).first()?;
        let zero = match cx.f.ty(first) {
            Type::Ref => cx.engine.refs.null(cx.f, first),
            _ => cx.engine.facts.truth(cx.f, first).map(|truth| !truth),
        };
        match (made, zero, cx.f.results(inst).len()) {
            (Made::UnlessZero, Some(true), 0) => {
                let gone = cx.rewrite(REWRITE, inst, Became::Nothing);
                self.calls.just_removed = gone;
                gone.then_some(Outcome::Gone)
            }
            (Made::IfZero, Some(false), 1) => {
                let of = cx.f.result(inst);
                let same = cx.f.ty(of) == cx.f.ty(first);
                let gone = same && cx.rewrite(REWRITE, inst, Became::Value { of, is: first });
                self.calls.just_removed = gone;
                gone.then_some(Outcome::Value(first))
            }
            (Made::UnlessZero, Some(false), 0) | (Made::IfZero, Some(true), 1) => self.surely_made(cx, inst),
            _ => None,
        }
    }

    /// A call that its first argument is known to let be made is one without it.
    fn surely_made(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let data = *cx.f.inst(inst);
        let descr = cx.world.unconditional(data.descr?)?;
        if !cx.rewrite(REWRITE, inst, Became::Op(Op::Call)) {
            return None;
        }
        let args = cx.f.args(inst)[1..].to_vec();
        let types: Vec<Type> = cx.f.results(inst).map(|result| cx.f.ty(result)).collect();
        let call = cx.f.make_inst(Op::Call, &args, &types, Some(descr), data.exit, data.location);
        self.send(cx, call);
        Some(match cx.f.results(call).next() {
            Some(result) => Outcome::Value(cx.resolve(result)),
            None => Outcome::Gone,
        })
    }

    /// The key under which a call's result may be used again.
    fn equal_call(&mut self, cx: &Cx<'_>, inst: Inst, descr: Descr, effect: &CallEffect) -> Option<Key> {
        let mut args = cx.f.args(inst);
        if cx.features.plain && effect.made == Made::IfZero && cx.f.results(inst).len() == 1 {
            // What is known already, to PyPy, is what the call would give.
            args = args.get(1..)?;
            return Some(self.calls.key(cx.world.unconditional(descr)?, args));
        }
        let once = cx.world.made_once(descr);
        // Where PyPy is followed, a call that could be made once is only where the source says so.
        let may = match cx.features.plain {
            true => once,
            false => effect.elidable || effect.loop_invariant || once,
        };
        if cx.f.results(inst).len() != 1 || !may {
            return None;
        }
        // A loop-invariant call is known by its function alone.
        if effect.loop_invariant {
            args = args.get(..1)?;
        }
        Some(self.calls.key(descr, args))
    }

    /// Whether a call may as well be made at another place, if it is made once more there: it cannot
    /// raise but for lack of memory.
    pub(crate) fn may_be_moved(&self, cx: &Cx<'_>, inst: Inst) -> bool {
        let Some(descr) = cx.f.inst(inst).descr else { return false };
        let effect = cx.world.call_effect(descr);
        let may = cx.world.made_once(descr) || !cx.features.plain;
        // PyPy makes one more that may lack memory; to the interpreter any exception is behaviour.
        let once_a_loop = effect.loop_invariant || effect.raises_lack_of_memory;
        let raises = effect.raises && !(once_a_loop && cx.features.plain);
        may && cx.f.results(inst).len() == 1 && (effect.elidable || effect.loop_invariant) && !raises
    }

    /// Whether a call may raise.
    pub(crate) fn may_raise(&self, cx: &Cx<'_>, inst: Inst) -> bool {
        cx.f.inst(inst).descr.is_none_or(|descr| cx.world.call_effect(descr).raises)
    }

    /// Says what a call gives that only computes or looks something up.
    pub(crate) fn remember_call(&mut self, cx: &mut Cx<'_>, inst: Inst, value: Value) {
        let Some(descr) = cx.f.inst(inst).descr else { return };
        if cx.world.look_up(descr).is_some() {
            return self.remember_look_up(cx, inst, value);
        }
        if let Some(key) = self.equal_call(cx, inst, descr, cx.world.call_effect(descr)) {
            self.calls.insert(key, value);
        }
    }

    fn unknown_call(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        self.force_all_args(cx, inst);
        self.around(cx, &CallEffect::unknown());
        self.calls.look_ups.written(cx.world, None);
        Outcome::Keep
    }

    /// What happens to memory around a call.
    pub(super) fn around(&mut self, cx: &mut Cx<'_>, effect: &CallEffect) {
        match (&effect.reads, &effect.writes) {
            (Some(reads), Some(writes)) => {
                // A store that is made may make an object, whose fields wait then.
                while self.heap.waits() && reads.iter().chain(writes).any(|&class| self.heap.waits_in(class))
                {
                    for &class in reads.iter().chain(writes) {
                        self.flush_class(cx, class);
                    }
                }
            }
            _ => self.flush_all(cx),
        }
        match &effect.writes {
            Some(_) if fault!("memory: a call writes nothing") => {}
            Some(writes) => writes.iter().for_each(|&class| self.heap.forget_class(class)),
            None => self.heap.forget_all(),
        }
        if effect.invalidates {
            self.heap.invalidate();
        }
    }

    /// Guards about a call or about what calls may have changed.
    pub(super) fn after_call(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let op = cx.f.inst(inst).op;
        let superfluous = match op {
            Op::GuardNoException => std::mem::take(&mut self.calls.just_removed),
            Op::GuardNotInvalidated => !self.heap.guard(),
            _ => {
                if op == Op::GuardException {
                    self.calls.raised();
                }
                self.calls.just_removed = false;
                false
            }
        };
        (superfluous && cx.rewrite(Kind::Holds, inst, Became::Nothing)).then_some(Outcome::Gone)
    }
}
