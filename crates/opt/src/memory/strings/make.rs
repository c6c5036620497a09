//! Materialization of strings: a constant where every character is one, else a fresh string into which pieces are
//! copied, short pieces character by character.

use planish_base::SideTable;
use planish_ir::{Location, Value};
use planish_ops::Op;
use planish_ops::world::Characters;

use super::parts::{Parts, arithmetic, constant, word};
use crate::engine::Cx;
use crate::memory::state::Memory;

/// The longest piece that is copied character by character into a string that is made.
pub(super) const SHORT: i64 = 2;
/// The same where the piece is a constant.
pub(super) const SHORT_CONSTANT: i64 = 5;

/// Characters to be copied from one string into another.
pub(super) struct Copy {
    pub from: Value,
    pub into: Value,
    pub start: Value,
    pub offset: Value,
    pub length: Value,
}

impl Memory {
    /// Makes a string that is a constant.
    pub(in crate::memory) fn force_constant_string(&mut self, cx: &mut Cx<'_>, value: Value) {
        if self.strings.is(value) && self.codes(cx, value).is_some() {
            self.force_string(cx, value);
        }
    }

    /// Makes the strings and the memory among some values and in the fields of objects among them.
    pub(crate) fn force_strings(&mut self, cx: &mut Cx<'_>, values: &[Value]) {
        let mut open = values.to_vec();
        let mut seen: SideTable<Value, bool> = SideTable::new();
        while let Some(value) = open.pop() {
            let value = cx.resolve(value);
            if std::mem::replace(&mut seen[value], true) {
                continue;
            }
            if self.strings.is(value) || self.raw.is(value) {
                self.force(cx, value);
            }
            let fields = self.virtuals.fields(cx.world, value).unwrap_or_default();
            open.extend(fields.into_iter().rev().map(|field| field.value));
        }
    }

    /// Makes a string that was kept back.
    pub(crate) fn force_string(&mut self, cx: &mut Cx<'_>, string: Value) {
        let Some(id) = self.strings.of[string] else { return };
        let unicode = self.strings.all[id].unicode;
        if let Some(codes) = self.codes(cx, string)
            && let Some(value) = self.constant_string(cx, Characters { unicode, codes: codes.into() })
        {
            self.strings.all[id].made = true;
            cx.replace(string, value);
            return;
        }
        let length = self.length_of(cx, string, unicode);
        if !cx.features.plain
            && length.is_some_and(|length| constant(cx, length) == Some(0))
            && let Some(value) = self.constant_string(cx, Characters { unicode, codes: Vec::new().into() })
        {
            self.strings.all[id].made = true;
            cx.replace(string, value);
            return;
        }
        let (Some(length), Some(descr)) = (length, cx.world.characters(unicode)) else { return };
        let inst = cx.f.make_inst(Op::NewStr, &[length], &[], Some(descr), None, Location::default());
        cx.engine.dead.note_safe(inst);
        cx.emit(inst);
        let made = cx.f.result(inst);
        let zero = word(cx, 0);
        // What it consists of is read while it is filled.
        self.fill(cx, string, made, zero, unicode);
        if let Parts::Characters(slots) = self.strings.all[id].parts.clone() {
            for (at, character) in (0..).zip(slots) {
                if let Some(character) = character {
                    let at = word(cx, at);
                    self.strings.remember(made, at, character);
                }
            }
        }
        self.strings.all[id].made = true;
        self.strings.of[made] = Some(id);
        self.strings.lengths[made] = Some(length);
        cx.replace(string, made);
    }

    /// Writes what a string that is not made consists of into another, from an offset on; the offset
    /// behind it.
    fn fill(&mut self, cx: &mut Cx<'_>, string: Value, into: Value, offset: Value, unicode: bool) -> Value {
        let one = word(cx, 1);
        match self.strings.parts(string).cloned() {
            Some(Parts::Characters(slots)) => slots.into_iter().fold(offset, |offset, slot| {
                if let Some(character) = slot {
                    self.store_character(cx, into, offset, character, unicode);
                }
                arithmetic(cx, Op::Add, offset, one)
            }),
            Some(Parts::Slice { of, start, length }) => {
                let copy = Copy { from: of, into, start, offset, length };
                self.copy(cx, copy, unicode)
            }
            Some(Parts::Concat { left, right }) => [left, right].into_iter().fold(offset, |offset, part| {
                let part = cx.resolve(part);
                if self.strings.is(part) {
                    return self.fill(cx, part, into, offset, unicode);
                }
                let zero = word(cx, 0);
                match self.length_of(cx, part, unicode) {
                    Some(length) => {
                        self.copy(cx, Copy { from: part, into, start: zero, offset, length }, unicode)
                    }
                    None => offset,
                }
            }),
            None => offset,
        }
    }

    fn store_character(
        &mut self,
        cx: &mut Cx<'_>,
        into: Value,
        offset: Value,
        character: Value,
        unicode: bool,
    ) {
        let character = cx.resolve(character);
        let descr = cx.world.characters(unicode);
        let args = [into, offset, character];
        let inst = cx.f.make_inst(Op::StrSet, &args, &[], descr, None, Location::default());
        cx.emit(inst);
    }

    /// Copies a constant number of characters one by one; the offset behind them.
    pub(super) fn copy_characters_between(&mut self, cx: &mut Cx<'_>, copy: Copy, unicode: bool) -> Value {
        let Copy { from, into, start, offset, length } = copy;
        let count = constant(cx, length).unwrap_or(0);
        let one = word(cx, 1);
        let (mut index, mut offset) = (start, offset);
        for _ in 0..count {
            let character = self.character_at(cx, from, index, unicode);
            index = arithmetic(cx, Op::Add, index, one);
            if let Some(character) = character {
                self.store_character(cx, into, offset, character, unicode);
            }
            offset = arithmetic(cx, Op::Add, offset, one);
        }
        offset
    }

    /// Copies characters between strings; the offset behind them.
    fn copy(&mut self, cx: &mut Cx<'_>, copy: Copy, unicode: bool) -> Value {
        let Copy { from, into, start, offset, length } = copy;
        let from = cx.resolve(from);
        let limit = if self.text(cx, from).is_some() { SHORT_CONSTANT } else { SHORT };
        if let Some(count @ 0..) = constant(cx, length)
            && count <= limit
        {
            return self.copy_characters_between(cx, Copy { from, ..copy }, unicode);
        }
        self.force(cx, from);
        let from = cx.resolve(from);
        let next = arithmetic(cx, Op::Add, offset, length);
        let descr = cx.world.characters(unicode);
        let args = [from, into, start, offset, length].map(|arg| cx.resolve(arg));
        let inst = cx.f.make_inst(Op::StrCopy, &args, &[], descr, None, Location::default());
        cx.emit(inst);
        next
    }
}
