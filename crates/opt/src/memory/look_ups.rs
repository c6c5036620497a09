//! Redundant dictionary look-ups (PyPy's `OptHeap._optimize_CALL_DICT_LOOKUP`): of two of one key only the first is made.
//!
//! What a look-up for reading gave counts for an equal one, and where it found an entry also for one that wants to store
//! there, until memory may be written that it [looks into](LookUp::into). PyPy does not take what it knows into the body of a
//! loop that it peels; here a look-up of what does not change gives in the body what it gave before, if the first iteration
//! wrote nothing that it minds.

use planish_ir::{Inst, Value};
use planish_ops::world::{Descr, LookUp};
use planish_ops::{Op, Type};
use planish_pass::record::Became;

use super::made_look_ups::Question;
use super::state::{HEAP, Memory};
use crate::engine::Cx;
use crate::engine::stage::Outcome;

/// What a look-up is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Read,
    Store,
}

impl Memory {
    /// A call that looks a key up, or nothing if it is another call or asks for something else.
    pub(super) fn look_up(&mut self, cx: &mut Cx<'_>, inst: Inst, descr: Descr) -> Option<Outcome> {
        if !self.options.heap {
            return None;
        }
        let (question, purpose) = question(cx, inst, descr)?;
        if let Some(found) = self.looked_up(cx, question)
            && (purpose == Purpose::Read || cx.fact(found).lo() >= 0)
            && cx.rewrite(HEAP, inst, Became::Value { of: cx.f.result(inst), is: found })
        {
            self.calls.just_removed = true;
            return Some(Outcome::Value(found));
        }
        self.force_all_args(cx, inst);
        let effect = cx.world.call_effect(descr);
        self.around(cx, effect);
        self.calls.look_ups.keep_those_of(question.function);
        if purpose == Purpose::Read && self.looked_up(cx, question).is_none() {
            let question = question.map(|value| cx.resolve(value));
            self.calls.look_ups.remember(question, cx.f.result(inst));
            self.calls.last = Some(cx.f.result(inst));
        }
        Some(Outcome::Keep)
    }

    /// What an equal look-up gave.
    fn looked_up(&self, cx: &mut Cx<'_>, question: Question) -> Option<Value> {
        // PyPy does not find again what only became equal since.
        let now = |of: Question| if cx.features.plain { of } else { of.map(|value| cx.peek(value)) };
        let found = self.calls.look_ups.made.iter().rev().find(|&&(made, _)| now(made) == question)?.1;
        Some(cx.imported(found))
    }

    /// Whether an operation may be done again for the next iteration of a loop: a look-up only where an equal one was made.
    pub(crate) fn may_be_done_again(&self, cx: &mut Cx<'_>, inst: Inst) -> bool {
        let asked = cx.f.inst(inst).descr.and_then(|descr| question(cx, inst, descr));
        asked.is_none_or(|(question, _)| self.looked_up(cx, question).is_some())
    }

    /// A store to an object that is made, to memory of an alias class or to any: dictionaries are made of such.
    pub(super) fn stores_what_look_ups_mind(&mut self, cx: &Cx<'_>, inst: Inst, class: Option<u32>) {
        match (cx.features.plain, class) {
            // PyPy knows that dictionaries are changed by calls, and takes a field of an item for any memory.
            (true, _) if cx.f.inst(inst).op == Op::SetInterior => self.calls.look_ups.written(cx.world, None),
            (true, _) => {}
            (false, Some(class)) => self.calls.look_ups.written(cx.world, Some(&[class])),
            (false, None) => self.calls.look_ups.written(cx.world, None),
        }
    }

    /// The look-ups of the first iteration of a loop that give the same in the next ones if their operands do: descriptors,
    /// operands and results. The hash follows from the key, so it is 0 here.
    pub(crate) fn lasting_look_ups(&self, cx: &mut Cx<'_>) -> Vec<(Descr, Vec<Value>, Value)> {
        if cx.features.plain || self.calls.look_ups.made.is_empty() {
            return Vec::new();
        }
        let zero = cx.f.make_int(Type::I64, 0);
        let look_ups = &self.calls.look_ups;
        let lasts = |callee| cx.world.look_up(callee).is_some_and(|look_up| look_ups.is_undisturbed(look_up));
        look_ups
            .made
            .iter()
            .filter(|(question, _)| lasts(question.callee))
            .map(|&(Question { callee, function, dictionary, key }, found)| {
                (callee, vec![function, dictionary, key, zero, zero], cx.peek(found))
            })
            .collect()
    }

    /// Says what a look-up gives.
    pub(super) fn remember_look_up(&mut self, cx: &mut Cx<'_>, inst: Inst, found: Value) {
        let asked = cx.f.inst(inst).descr.and_then(|descr| question(cx, inst, descr));
        if let Some((question, Purpose::Read)) = asked {
            self.calls.look_ups.remember(question, found);
        }
    }
}

/// What a call asks of a dictionary and what for, if it is a look-up that nobody else notices but for its result.
fn question(cx: &mut Cx<'_>, inst: Inst, callee: Descr) -> Option<(Question, Purpose)> {
    cx.world.look_up(callee)?;
    let &[function, dictionary, key, _, purpose] = cx.f.args(inst) else { return None };
    let purpose = match cx.int(purpose)?.signed() {
        LookUp::READ => Purpose::Read,
        LookUp::STORE => Purpose::Store,
        _ => return None,
    };
    let question = Question { callee, function, dictionary, key }.map(|value| cx.resolve(value));
    (cx.f.results(inst).len() == 1).then_some((question, purpose))
}
