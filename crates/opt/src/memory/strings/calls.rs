//! Library call folding of strings (PyPy's `OS_STR_*`): slices and concatenations are kept back, and a comparison
//! becomes a simpler one where lengths, characters or nullness are known.

use planish_ir::{Inst, Location, Value};
use planish_ops::world::{Characters, Descr, Meaning};
use planish_ops::{Op, Type};
use planish_pass::record::Became;

use super::parts::{Parts, arithmetic, constant, word};
use crate::engine::Cx;
use crate::engine::stage::Outcome;
use crate::memory::state::{Memory, STRING};

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
        let args = cx.f.args(inst).to_vec();
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
        let there = |memory: &Self, cx: &Cx<'_>, value: Value| {
            memory.kept_back(value) || cx.engine.refs.null(cx.f, value) == Some(false)
        };
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
        for ((x, _), (y, length)) in [((x, lengths[0]), (y, lengths[1])), ((y, lengths[1]), (x, lengths[0]))]
        {
            let zero = word(cx, 0);
            if length == Some(0) && there(self, cx, x) {
                let own = self.length_of(cx, x, unicode)?;
                return Some(self.compare(cx, own, zero));
            }
            if length == Some(1) {
                if self.length_to_compare(cx, x) == Some(1) {
                    let a = self.character_at(cx, x, zero, unicode)?;
                    let b = self.character_at(cx, y, zero, unicode)?;
                    return Some(self.compare(cx, a, b));
                }
                if let Some(Parts::Slice { of, start, length }) = self.strings.parts(x).cloned() {
                    let character = self.character_at(cx, y, zero, unicode)?;
                    let args = [of, start, length, character];
                    return self.simpler(cx, inst, Meaning::EqualSliceCharacter, &args, unicode);
                }
            }
            if cx.engine.refs.null(cx.f, y) == Some(true) {
                if there(self, cx, x) {
                    return Some(zero);
                }
                return Some(cx.build(Op::RefEq, &[x, y], &[Type::I64], Location::default()));
            }
        }
        for ((x, _), (y, length)) in [((x, lengths[0]), (y, lengths[1])), ((y, lengths[1]), (x, lengths[0]))]
        {
            if length == Some(1) {
                let zero = word(cx, 0);
                let character = self.character_at(cx, y, zero, unicode)?;
                let meaning = match there(self, cx, x) {
                    true => Meaning::EqualCharacter,
                    false => Meaning::EqualCharacterOrNull,
                };
                return self.simpler(cx, inst, meaning, &[x, character], unicode);
            }
            if let Some(Parts::Slice { of, start, length }) = self.strings.parts(x).cloned() {
                let meaning = match there(self, cx, y) {
                    true => Meaning::EqualSlice,
                    false => Meaning::EqualSliceOrNull,
                };
                return self.simpler(cx, inst, meaning, &[of, start, length, y], unicode);
            }
        }
        if there(self, cx, x) && there(self, cx, y) {
            let known = |memory: &mut Self, cx: &mut Cx<'_>, string: Value| {
                let concat = matches!(memory.strings.parts(string), Some(Parts::Concat { .. }));
                match concat && memory.strings.lengths[string].is_none() {
                    true => None,
                    false => memory.known_length(cx, string),
                }
            };
            let (a, b) = (known(self, cx, x), known(self, cx, y));
            let meaning = match a.is_some() && a == b {
                true => Meaning::EqualOfLength,
                false => Meaning::EqualThere,
            };
            return self.simpler(cx, inst, meaning, &[x, y], unicode);
        }
        None
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
