//! Library call folding of strings (PyPy's `OS_STR_*`): slices and concatenations are kept back, and a comparison
//! becomes a simpler one where lengths, characters or nullness are known.

use std::ops::ControlFlow;

use planish_ir::{Inst, Location, Value};
use planish_ops::world::{Characters, Descr, Meaning};
use planish_ops::{Op, Type};
use planish_pass::record::Became;
use smallvec::SmallVec;

use super::parts::{Parts, arithmetic, constant, word};
use crate::engine::Cx;
use crate::engine::stage::Outcome;
use crate::memory::state::{Memory, STRING};

/// A comparison of two strings, looked at from one of them.
#[derive(Clone, Copy)]
struct Compared {
    inst: Inst,
    x: Value,
    y: Value,
    /// The length of `y`, if it is a constant.
    length: Option<i64>,
    unicode: bool,
}

impl Memory {
    /// A call of a function whose meaning is known.
    pub(in crate::memory) fn meant_call(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        match self.options.strings {
            true => (self.division(cx, inst))
                .or_else(|| self.array_copy(cx, inst))
                .or_else(|| self.string_call(cx, inst)),
            false => None,
        }
    }

    /// A call of a function on strings.
    fn string_call(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let (meaning, unicode) = cx.world.meaning(cx.f.inst(inst).descr?)?;
        let args = SmallVec::<[Value; 4]>::from_slice(cx.f.args(inst));
        let result = cx.f.results(inst).next()?;
        let parts = match (meaning, &args[1..]) {
            (Meaning::Concat, &[left, right]) => {
                for part in [left, right] {
                    cx.engine.refs.is_there(cx.f, part);
                    self.strings.is_string(part);
                }
                Parts::Concat { left, right }
            }
            (Meaning::Slice, &[of, start, stop]) => {
                cx.engine.refs.is_there(cx.f, of);
                self.strings.is_string(of);
                self.slice(cx, of, start, stop)
            }
            (Meaning::ToUnicode, &[of]) => {
                let codes = self.codes(cx, of).filter(|codes| codes.iter().all(|&code| code < 128))?;
                let text = Characters { unicode: true, codes: codes.into() };
                let value = self.constant_string(cx, text)?;
                return Some(self.is_value(cx, inst, value));
            }
            // The interpreter does not know these two.
            (Meaning::Order, &[x, y]) if cx.features.plain => {
                let value = self.difference_of_characters(cx, x, y, unicode)?;
                return Some(self.is_value(cx, inst, value));
            }
            (Meaning::Shrink, &[of, length]) if cx.features.plain => {
                let length = usize::try_from(constant(cx, length)?).ok()?;
                match self.strings.parts(of) {
                    Some(Parts::Characters(slots)) => Parts::Characters(slots.get(..length)?.to_vec()),
                    _ => return None,
                }
            }
            (Meaning::Equal, &[x, y]) => {
                let value = self.equal(cx, inst, x, y, unicode)?;
                return Some(self.is_value(cx, inst, value));
            }
            _ => return None,
        };
        if !cx.rewrite(STRING, inst, Became::Nothing) {
            return None;
        }
        self.strings.keep_back(result, parts, unicode);
        Some(Outcome::Gone)
    }

    /// What comparing two strings of one character each gives.
    fn difference_of_characters(
        &mut self,
        cx: &mut Cx<'_>,
        x: Value,
        y: Value,
        unicode: bool,
    ) -> Option<Value> {
        // PyPy asks for both lengths first.
        let strings = [x, y];
        let is_there = |memory: &Self, string: Value| {
            memory.strings.is_known(string) || memory.strings.is(string) || cx.f.constant(string).is_some()
        };
        if !strings.iter().all(|&string| is_there(self, string)) {
            return None;
        }
        for string in strings {
            self.length_of(cx, string, unicode)?;
        }
        if strings.iter().any(|&string| self.constant_length(cx, string) != Some(1)) {
            return None;
        }
        let zero = word(cx, 0);
        let a = self.character_at(cx, x, zero, unicode)?;
        let b = self.character_at(cx, y, zero, unicode)?;
        Some(arithmetic(cx, Op::Sub, a, b))
    }

    pub(super) fn slice(&mut self, cx: &mut Cx<'_>, of: Value, start: Value, stop: Value) -> Parts {
        let (first, last) = (constant(cx, start), constant(cx, stop));
        // PyPy looks for the characters when somebody asks for them.
        if !cx.features.plain
            && let (Some(Parts::Characters(slots)), Some(first @ 0..), Some(last)) =
                (self.strings.parts(of), first, last)
            && let Some(slots) = slots.get(first as usize..last.max(0) as usize)
        {
            return Parts::Characters(slots.to_vec());
        }
        let length = arithmetic(cx, Op::Sub, stop, start);
        // To PyPy a slice of a slice is one of the whole, even where the former was made.
        let parts = match cx.features.plain {
            true => self.strings.data(of).map(|data| data.parts.clone()),
            false => self.strings.parts(of).cloned(),
        };
        match parts {
            Some(Parts::Slice { of, start: outer, .. }) => {
                let start = arithmetic(cx, Op::Add, outer, start);
                Parts::Slice { of, start, length }
            }
            _ => Parts::Slice { of, start, length },
        }
    }

    /// A constant length of a string that is compared. To PyPy the length of one that is made stays what was asked for,
    /// whatever a guard said of it.
    fn length_to_compare(&mut self, cx: &mut Cx<'_>, string: Value) -> Option<i64> {
        let made = cx.f.constant(string).is_none() && !self.strings.is(string);
        if cx.features.plain && made { None } else { self.constant_length(cx, string) }
    }

    /// A simpler way to say whether two strings are equal.
    pub(super) fn equal(
        &mut self,
        cx: &mut Cx<'_>,
        inst: Inst,
        x: Value,
        y: Value,
        unicode: bool,
    ) -> Option<Value> {
        // PyPy does not look whether both are one.
        if x == y && !cx.features.plain {
            return Some(word(cx, 1));
        }
        if cx.features.plain {
            for string in [x, y] {
                if self.strings.is_known(string) || self.strings.is(string) {
                    self.length_of(cx, string, unicode)?;
                }
            }
        }
        let lengths = [x, y].map(|string| self.length_to_compare(cx, string));
        if let [Some(a), Some(b)] = lengths
            && a != b
        {
            return Some(word(cx, 0));
        }
        let [first, second] = lengths;
        let ways = [
            Compared { inst, x, y, length: second, unicode },
            Compared { inst, x: y, y: x, length: first, unicode },
        ];
        for compared in ways {
            if let ControlFlow::Break(value) = self.equal_to_known(cx, compared) {
                return value;
            }
        }
        for compared in ways {
            if let ControlFlow::Break(value) = self.equal_by_parts(cx, compared) {
                return value;
            }
        }
        if !self.is_there(cx, x) || !self.is_there(cx, y) {
            return None;
        }
        let (a, b) = (self.length_at_hand(cx, x), self.length_at_hand(cx, y));
        let meaning = match a.is_some() && a == b {
            true => Meaning::EqualOfLength,
            false => Meaning::EqualThere,
        };
        self.simpler(cx, inst, meaning, &[x, y], unicode)
    }

    /// Whether a string is not null.
    fn is_there(&self, cx: &Cx<'_>, string: Value) -> bool {
        self.kept_back(string) || cx.engine.refs.null(cx.f, string) == Some(false)
    }

    /// A length that is known without computing that of a concatenation.
    fn length_at_hand(&mut self, cx: &mut Cx<'_>, string: Value) -> Option<Value> {
        let concat = matches!(self.strings.parts(string), Some(Parts::Concat { .. }));
        match concat && self.strings.lengths[string].is_none() {
            true => None,
            false => self.known_length(cx, string),
        }
    }

    /// Comparisons with a string that is empty, has one character, or is null. Goes on where it is none of these.
    fn equal_to_known(&mut self, cx: &mut Cx<'_>, compared: Compared) -> ControlFlow<Option<Value>> {
        let Compared { inst, x, y, length, unicode } = compared;
        let zero = word(cx, 0);
        if length == Some(0) && self.is_there(cx, x) {
            let own = self.length_of(cx, x, unicode);
            return ControlFlow::Break(own.map(|own| self.compare(cx, own, zero)));
        }
        if length == Some(1) {
            if self.length_to_compare(cx, x) == Some(1) {
                return ControlFlow::Break(self.equal_characters(cx, compared));
            }
            if let Some(Parts::Slice { of, start, length }) = self.strings.parts(x).cloned() {
                let simpler = self.character_at(cx, y, zero, unicode).and_then(|character| {
                    let args = [of, start, length, character];
                    self.simpler(cx, inst, Meaning::EqualSliceCharacter, &args, unicode)
                });
                return ControlFlow::Break(simpler);
            }
        }
        if cx.engine.refs.null(cx.f, y) == Some(true) {
            let is_null = match self.is_there(cx, x) {
                true => zero,
                false => cx.build(Op::RefEq, &[x, y], &[Type::I64], Location::default()),
            };
            return ControlFlow::Break(Some(is_null));
        }
        ControlFlow::Continue(())
    }

    /// Whether two strings of one character are equal.
    fn equal_characters(
        &mut self,
        cx: &mut Cx<'_>,
        Compared { x, y, unicode, .. }: Compared,
    ) -> Option<Value> {
        let zero = word(cx, 0);
        let a = self.character_at(cx, x, zero, unicode)?;
        let b = self.character_at(cx, y, zero, unicode)?;
        Some(self.compare(cx, a, b))
    }

    /// Comparisons with one character, and of slices. Goes on where it is neither.
    fn equal_by_parts(&mut self, cx: &mut Cx<'_>, compared: Compared) -> ControlFlow<Option<Value>> {
        let Compared { inst, x, y, length, unicode } = compared;
        if length == Some(1) {
            let zero = word(cx, 0);
            let Some(character) = self.character_at(cx, y, zero, unicode) else {
                return ControlFlow::Break(None);
            };
            let meaning = match self.is_there(cx, x) {
                true => Meaning::EqualCharacter,
                false => Meaning::EqualCharacterOrNull,
            };
            return ControlFlow::Break(self.simpler(cx, inst, meaning, &[x, character], unicode));
        }
        if let Some(Parts::Slice { of, start, length }) = self.strings.parts(x).cloned() {
            let meaning = match self.is_there(cx, y) {
                true => Meaning::EqualSlice,
                false => Meaning::EqualSliceOrNull,
            };
            return ControlFlow::Break(self.simpler(cx, inst, meaning, &[of, start, length, y], unicode));
        }
        ControlFlow::Continue(())
    }

    fn compare(&mut self, cx: &mut Cx<'_>, x: Value, y: Value) -> Value {
        cx.build(Op::Eq, &[x, y], &[Type::I64], Location::default())
    }

    /// A call of another function in the place of one.
    pub(super) fn simpler(
        &mut self,
        cx: &mut Cx<'_>,
        inst: Inst,
        meaning: Meaning,
        args: &[Value],
        unicode: bool,
    ) -> Option<Value> {
        let (descr, address) = cx.world.function(meaning, unicode)?;
        let mut operands = vec![word(cx, address)];
        for &arg in args {
            self.force(cx, arg);
            operands.push(cx.resolve(arg));
        }
        self.call_once(cx, inst, descr, &operands)
    }

    /// Calls a function that only computes, unless the same was called before.
    fn call_once(&mut self, cx: &mut Cx<'_>, inst: Inst, descr: Descr, args: &[Value]) -> Option<Value> {
        let location = cx.f.inst(inst).location;
        let call = cx.f.make_inst(Op::Call, args, &[Type::I64], Some(descr), None, location);
        match self.call(cx, call) {
            Outcome::Value(value) => Some(value),
            _ => {
                cx.emit(call);
                Some(cx.f.result(call))
            }
        }
    }
}
