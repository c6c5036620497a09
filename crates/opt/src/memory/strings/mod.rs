//! Allocation removal of strings (PyPy's `vstring.py`): strings that are not made yet, and comparisons of strings.
//!
//! A fresh string of a known, small length is kept back with its characters; a slice and a concatenation are
//! kept back as such. Their lengths and characters are found in what they are made of. What needs the
//! string itself makes it: a fresh string into which pieces are copied, short pieces character by
//! character, or a constant where every character is one. A call that compares strings becomes a simpler
//! one where lengths, characters or nullness are known. PyPy's `vstring.py` does the same; the limits are
//! its own, so that results can be compared.
//!
//! A string is known by the value of the operation that would make it. Strings do not change once they
//! are visible: characters are stored into fresh ones only, before anything else sees them.

mod calls;
mod known;
mod make;
pub(super) mod parts;

use planish_domain::IntFact;
use planish_ir::{Const, Inst, Value};
use planish_ops::Op;
use planish_pass::record::{Became, Kind};
use smallvec::SmallVec;

use self::parts::{Parts, constant, word};
use super::state::{Memory, STRING};
use crate::engine::Cx;
use crate::engine::stage::Outcome;

/// The longest string that is kept back as characters.
const LONGEST: i64 = 100;
/// The longest copy that is done character by character where the target is kept back.
const LONGEST_COPY: i64 = 19;

impl Memory {
    /// An operation on strings.
    #[inline(never)]
    pub(super) fn string(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let op = cx.f.inst(inst).op;
        let args = SmallVec::<[Value; 4]>::from_slice(cx.f.args(inst));
        let unicode = cx.f.inst(inst).descr.is_some_and(|descr| cx.world.characters(true) == Some(descr));
        match op {
            Op::NewStr => {
                let length = constant(cx, args[0]);
                let result = cx.f.result(inst);
                match length {
                    Some(length @ 0..=LONGEST) if cx.rewrite(STRING, inst, Became::Nothing) => {
                        let parts = Parts::Characters(vec![None; length as usize]);
                        self.strings.keep_back(result, parts, unicode);
                        Outcome::Gone
                    }
                    _ => {
                        self.strings.lengths[result] = Some(args[0]);
                        Outcome::Keep
                    }
                }
            }
            Op::StrLen if matches!(cx.f.constant(args[0]), Some(Const::Null)) => self.never_passes(cx, inst),
            Op::StrLen => {
                cx.engine.refs.is_there(cx.f, args[0]);
                match self.known_length(cx, args[0]) {
                    Some(length) => {
                        // Whoever asks is told that no length is below 0.
                        cx.sharpen(length, IntFact::interval(64, 0, i64::MAX));
                        self.is_value(cx, inst, length)
                    }
                    None => {
                        self.force(cx, args[0]);
                        self.bound_length(cx, inst);
                        if cx.features.plain {
                            self.strings.lengths[args[0]] = Some(cx.f.result(inst));
                        }
                        Outcome::Keep
                    }
                }
            }
            Op::StrGet if self.out_of_range(cx, args[0], args[1]) => {
                match cx.rewrite(Kind::Fails, inst, Became::Changed) {
                    true => Outcome::Last,
                    false => Outcome::Keep,
                }
            }
            Op::StrGet => {
                cx.engine.refs.is_there(cx.f, args[0]);
                self.strings.is_string(args[0]);
                match self.character(cx, args[0], args[1]) {
                    Ok(character) => self.is_value(cx, inst, character),
                    Err((string, index)) => {
                        self.force(cx, string);
                        let string = cx.resolve(string);
                        if [string, index] != args[..] {
                            let args = cx.f.args_mut(inst);
                            (args[0], args[1]) = (string, index);
                        }
                        self.reads(cx, inst);
                        Outcome::Keep
                    }
                }
            }
            Op::StrSet => {
                let index = constant(cx, args[1]);
                if let Some(slot) = index.and_then(|index| self.slot(args[0], index))
                    && cx.rewrite(STRING, inst, Became::Nothing)
                {
                    *self.slot_mut(args[0], slot) = Some(args[2]);
                    return Outcome::Gone;
                }
                self.changes(cx, inst)
            }
            _ => self.copy_characters(cx, inst, &args),
        }
    }

    /// A store into a string that was made.
    fn changes(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        self.force_all_args(cx, inst);
        self.strings.read.clear();
        Outcome::Keep
    }

    /// The index, if the string is kept back as characters and has it.
    fn slot(&self, string: Value, index: i64) -> Option<i64> {
        match self.strings.parts(string)? {
            Parts::Characters(slots) => (0..slots.len() as i64).contains(&index).then_some(index),
            _ => None,
        }
    }

    fn slot_mut(&mut self, string: Value, index: i64) -> &mut Option<Value> {
        let id = self.strings.of[string].expect("the string is kept back");
        match &mut self.strings.all[id].parts {
            Parts::Characters(slots) => &mut slots[index as usize],
            _ => unreachable!("the string is kept back as characters"),
        }
    }

    fn is_value(&mut self, cx: &mut Cx<'_>, inst: Inst, value: Value) -> Outcome {
        let result = cx.f.result(inst);
        match cx.rewrite(STRING, inst, Became::Value { of: result, is: value }) {
            true => Outcome::Value(value),
            false => {
                self.force_all_args(cx, inst);
                Outcome::Keep
            }
        }
    }

    /// A character is read from a string that is made: it is known from here on.
    fn reads(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let result = cx.f.result(inst);
        let [string, index] = [0, 1].map(|at| cx.f.args(inst)[at]);
        self.strings.read.insert((string, index), result);
        self.has_item(cx, string, index);
        self.bound(cx, inst);
        cx.engine.dead.note_safe(inst);
    }

    fn copy_characters(&mut self, cx: &mut Cx<'_>, inst: Inst, args: &[Value]) -> Outcome {
        let &[from, to, i, j, n] = args else { return Outcome::Keep };
        let bounds = [i, j, n].map(|value| constant(cx, value));
        if bounds[2] == Some(0) && cx.rewrite(STRING, inst, Became::Nothing) {
            return Outcome::Gone;
        }
        if let [Some(i), Some(j), Some(n @ 0..=LONGEST_COPY)] = bounds
            && (self.strings.is(from) || self.text(cx, from).is_some())
            && (0..n).all(|at| self.slot(to, j + at).is_some())
        {
            let characters: Vec<Option<Value>> = (0..n)
                .map(|at| {
                    let index = word(cx, i + at);
                    self.character(cx, from, index).ok()
                })
                .collect();
            if characters.iter().all(Option::is_some) && cx.rewrite(STRING, inst, Became::Nothing) {
                for (at, character) in characters.into_iter().enumerate() {
                    *self.slot_mut(to, j + at as i64) = character;
                }
                return Outcome::Gone;
            }
        }
        let is_better = cx.features.plain || self.is_hardly_longer(cx, from, [i, n]);
        if is_better && self.copy_one_by_one(cx, inst, args) {
            return Outcome::Gone;
        }
        self.changes(cx, inst)
    }

    /// Whether what is copied is a character or two of a string that is not made: then storing them takes no more than
    /// making the string.
    fn is_hardly_longer(&mut self, cx: &mut Cx<'_>, from: Value, [start, length]: [Value; 2]) -> bool {
        let bounds = [start, length].map(|value| constant(cx, value));
        let [Some(start @ 0..), Some(length @ 1..=make::SHORT)] = bounds else { return false };
        match self.strings.parts(from) {
            Some(Parts::Characters(slots)) => (start..start.saturating_add(length))
                .all(|at| slots.get(at as usize).is_some_and(Option::is_some)),
            _ => false,
        }
    }

    /// Copies a few characters one by one, as PyPy does where both strings are there or are made for it.
    fn copy_one_by_one(&mut self, cx: &mut Cx<'_>, inst: Inst, args: &[Value]) -> bool {
        let &[from, to, start, offset, length] = args else { return false };
        let unicode = cx.f.inst(inst).descr.is_some_and(|descr| cx.world.characters(true) == Some(descr));
        let bounds = [start, offset, length].map(|value| constant(cx, value));
        let known = self.strings.is(from) || self.text(cx, from).is_some();
        let within = known && bounds.iter().all(Option::is_some);
        let limit = match (self.text(cx, from).is_some() && bounds[0].is_some(), within) {
            (_, true) => LONGEST_COPY,
            (true, false) => make::SHORT_CONSTANT,
            (false, false) => make::SHORT,
        };
        let few = bounds[2].is_some_and(|count| (0..=limit).contains(&count));
        if !few || !cx.rewrite(STRING, inst, Became::Nothing) {
            return false;
        }
        self.force(cx, to);
        let into = cx.resolve(to);
        self.copy_characters_between(cx, make::Copy { from, into, start, offset, length }, unicode);
        true
    }
}
