//! Strings that are not made yet, and comparisons of strings.
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

use hashbrown::HashMap;
use planish_base::{Id, SideTable};
use planish_ir::{Const, Inst, Location, Symbol, Value};
use planish_ops::world::{Characters, Descr, Meaning};
use planish_ops::{Int, Op, Type};
use rustc_hash::FxBuildHasher;

use super::{Memory, NAME};
use crate::engine::Cx;
use crate::record::{Became, Kind};
use crate::refs::Known;
use crate::stage::Outcome;

/// The longest string that is kept back as characters.
const LONGEST: i64 = 100;
/// The longest copy that is done character by character where the target is kept back.
const LONGEST_COPY: i64 = 19;
/// The longest piece that is copied character by character into a string that is made.
const SHORT: i64 = 2;
/// The same where the piece is a constant.
const SHORT_CONSTANT: i64 = 5;

/// Characters to be copied from one string into another.
struct Copy {
    from: Value,
    into: Value,
    start: Value,
    offset: Value,
    length: Value,
}

/// What a string consists of.
#[derive(Clone, Debug)]
enum Parts {
    Characters(Vec<Option<Value>>),
    Slice { of: Value, start: Value, length: Value },
    Concat { left: Value, right: Value },
}

#[derive(Clone, Debug)]
struct Data {
    parts: Parts,
    unicode: bool,
    made: bool,
}

/// All strings of which something is known.
#[derive(Default)]
pub(crate) struct Strings {
    of: SideTable<Value, Option<usize>>,
    all: Vec<Data>,
    lengths: SideTable<Value, Option<Value>>,
    /// Characters that were read, by string and index.
    read: HashMap<(Value, Value), Value, FxBuildHasher>,
}

impl Strings {
    fn data(&self, value: Value) -> Option<&Data> {
        self.of[value].map(|id| &self.all[id])
    }

    /// Whether there may be a string that is not made.
    pub fn any(&self) -> bool {
        !self.all.is_empty()
    }

    /// Whether a value is a string that is not made.
    pub fn is(&self, value: Value) -> bool {
        self.data(value).is_some_and(|data| !data.made)
    }

    /// What a string that is not made consists of.
    fn parts(&self, value: Value) -> Option<&Parts> {
        self.data(value).filter(|data| !data.made).map(|data| &data.parts)
    }

    fn keep_back(&mut self, value: Value, parts: Parts, unicode: bool) {
        self.of[value] = Some(self.all.len());
        self.all.push(Data { parts, unicode, made: false });
    }

    /// Whether a character of a string was read and nothing was stored since.
    pub fn is_read(&self, args: &[Value]) -> bool {
        matches!(*args, [string, index] if self.read.contains_key(&(string, index)))
    }

    /// Says that a character is at an index of a string.
    pub fn remember(&mut self, string: Value, index: Value, character: Value) {
        self.read.insert((string, index), character);
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.of.clear();
        self.all.clear();
        self.lengths.clear();
        self.read.clear();
    }
}

fn word(cx: &mut Cx<'_>, value: i64) -> Value {
    cx.f.make_int(Type::I64, value)
}

fn arithmetic(cx: &mut Cx<'_>, op: Op, x: Value, y: Value) -> Value {
    cx.build(op, &[x, y], &[], Location::default())
}

fn constant(cx: &mut Cx<'_>, value: Value) -> Option<i64> {
    cx.int(value).map(Int::signed)
}

impl Memory {
    /// An operation on strings.
    pub(super) fn string(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let op = cx.f.inst(inst).op;
        let args = cx.f.args(inst).to_vec();
        let unicode = cx.f.inst(inst).descr.is_some_and(|descr| cx.world.characters(true) == Some(descr));
        match op {
            Op::NewStr => {
                let length = constant(cx, args[0]);
                let result = cx.f.result(inst);
                match length {
                    Some(length @ 0..=LONGEST) if cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing) => {
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
            Op::StrLen => {
                cx.engine.refs.learn(cx.f, args[0], Known::NONNULL);
                match self.known_length(cx, args[0]) {
                    Some(length) => self.is_value(cx, inst, length),
                    None => {
                        self.force(cx, args[0]);
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
                cx.engine.refs.learn(cx.f, args[0], Known::NONNULL);
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
                    && cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing)
                {
                    *self.slot_mut(args[0], slot) = Some(args[2]);
                    return Outcome::Gone;
                }
                self.changes(cx, inst)
            }
            _ => self.copy_characters(cx, inst, &args),
        }
    }

    /// Whether a constant is no string, or has no character at an index.
    fn out_of_range(&self, cx: &mut Cx<'_>, string: Value, index: Value) -> bool {
        match cx.f.constant(string) {
            Some(Const::Null) => true,
            Some(_) => match (self.text(cx, string), constant(cx, index)) {
                (Some(text), Some(at)) => !(0..text.codes.len() as i64).contains(&at),
                (None, _) => cx.class_of(string).is_some(),
                _ => false,
            },
            None => false,
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
        match cx.rewrite(Kind::Stage(NAME), inst, Became::Value { of: result, is: value }) {
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
        self.bound(cx, inst);
        cx.engine.dead.note_safe(inst);
    }

    fn copy_characters(&mut self, cx: &mut Cx<'_>, inst: Inst, args: &[Value]) -> Outcome {
        let &[from, to, i, j, n] = args else { return Outcome::Keep };
        let bounds = [i, j, n].map(|value| constant(cx, value));
        if bounds[2] == Some(0) && cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing) {
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
            if characters.iter().all(Option::is_some) && cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing)
            {
                for (at, character) in characters.into_iter().enumerate() {
                    *self.slot_mut(to, j + at as i64) = character;
                }
                return Outcome::Gone;
            }
        }
        self.changes(cx, inst)
    }

    // ---- What is known of strings ------------------------------------------------------------------

    /// The characters of a constant string.
    fn text(&self, cx: &Cx<'_>, value: Value) -> Option<Characters> {
        let Const::Symbol(symbol, Type::Ref) = cx.f.constant(value)? else { return None };
        let number = symbol.index() as u32;
        let new = cx.world.next_symbol().and_then(|next| number.checked_sub(next));
        match new {
            Some(new) => cx.engine.new_texts.get(new as usize).cloned(),
            None => cx.world.text(number).cloned(),
        }
    }

    /// The length of a string, where it needs no operation on the string itself.
    fn known_length(&mut self, cx: &mut Cx<'_>, string: Value) -> Option<Value> {
        let string = cx.resolve(string);
        if let Some(text) = self.text(cx, string) {
            return Some(word(cx, text.codes.len() as i64));
        }
        match self.strings.parts(string).cloned() {
            Some(Parts::Characters(slots)) => Some(word(cx, slots.len() as i64)),
            Some(Parts::Slice { length, .. }) => Some(cx.resolve(length)),
            Some(Parts::Concat { left, right }) => {
                if let Some(known) = self.strings.lengths[string] {
                    return Some(cx.resolve(known));
                }
                let unicode = self.strings.data(string).is_some_and(|data| data.unicode);
                let (left, right) = (self.length_of(cx, left, unicode)?, self.length_of(cx, right, unicode)?);
                let length = arithmetic(cx, Op::Add, left, right);
                self.strings.lengths[string] = Some(length);
                Some(length)
            }
            None => self.strings.lengths[string].map(|length| cx.resolve(length)),
        }
    }

    /// The length of a string; it is asked for where it is not known.
    fn length_of(&mut self, cx: &mut Cx<'_>, string: Value, unicode: bool) -> Option<Value> {
        if let Some(known) = self.known_length(cx, string) {
            return Some(known);
        }
        let string = cx.resolve(string);
        let descr = cx.world.characters(unicode)?;
        let inst =
            cx.f.make_inst(Op::StrLen, &[string], &[Type::I64], Some(descr), None, Location::default());
        cx.engine.dead.note_safe(inst);
        cx.visit(inst);
        let length = cx.f.result(inst);
        let length = cx.resolve(length);
        self.strings.lengths[string] = Some(length);
        Some(length)
    }

    /// The length, if it is a constant that is known without asking.
    fn constant_length(&mut self, cx: &mut Cx<'_>, string: Value) -> Option<i64> {
        match self.strings.parts(string) {
            Some(&Parts::Concat { left, right }) if self.strings.lengths[string].is_none() => {
                let (left, right) = (cx.resolve(left), cx.resolve(right));
                self.constant_length(cx, left)?.checked_add(self.constant_length(cx, right)?)
            }
            _ => {
                let length = self.known_length(cx, string)?;
                constant(cx, length)
            }
        }
    }

    /// The character at an index of a string; else the string and the index from which it is to be read.
    fn character(&mut self, cx: &mut Cx<'_>, string: Value, index: Value) -> Result<Value, (Value, Value)> {
        let (string, index) = (cx.resolve(string), cx.resolve(index));
        let at = constant(cx, index);
        if let (Some(text), Some(at)) = (self.text(cx, string), at)
            && let Some(&code) = usize::try_from(at).ok().and_then(|at| text.codes.get(at))
        {
            return Ok(word(cx, i64::from(code)));
        }
        let parts = self.strings.data(string).cloned();
        match parts {
            Some(Data { parts: Parts::Characters(slots), made: false, .. }) => {
                let slot = at.and_then(|at| slots.get(usize::try_from(at).ok()?).copied().flatten());
                slot.map(|character| cx.resolve(character)).ok_or((string, index))
            }
            Some(Data { parts: Parts::Slice { of, start, .. }, made: false, .. }) => {
                let index = arithmetic(cx, Op::Add, start, index);
                self.character(cx, of, index)
            }
            // The parts of a concatenation are there for good.
            Some(Data { parts: Parts::Concat { left, right }, .. }) => {
                let split = self.constant_length(cx, left);
                match split {
                    Some(split) if cx.fact(index).hi() < split => self.character(cx, left, index),
                    Some(split) if cx.fact(index).lo() >= split => {
                        let split = word(cx, split);
                        let index = arithmetic(cx, Op::Sub, index, split);
                        self.character(cx, right, index)
                    }
                    _ => self.read_before(cx, string, index),
                }
            }
            _ => self.read_before(cx, string, index),
        }
    }

    fn read_before(&self, cx: &mut Cx<'_>, string: Value, index: Value) -> Result<Value, (Value, Value)> {
        match self.strings.read.get(&(string, index)) {
            Some(&character) => Ok(cx.imported(character)),
            None => Err((string, index)),
        }
    }

    /// The character at an index, read where it is not known.
    fn character_at(&mut self, cx: &mut Cx<'_>, string: Value, index: Value, unicode: bool) -> Option<Value> {
        match self.character(cx, string, index) {
            Ok(character) => Some(character),
            Err((string, index)) => {
                self.force(cx, string);
                let string = cx.resolve(string);
                let descr = Some(cx.world.characters(unicode)?);
                let place = Location::default();
                let inst = cx.f.make_inst(Op::StrGet, &[string, index], &[Type::I64], descr, None, place);
                self.reads(cx, inst);
                cx.emit(inst);
                Some(cx.f.result(inst))
            }
        }
    }

    /// The constant that a string is, when each of its characters is one.
    fn codes(&mut self, cx: &mut Cx<'_>, string: Value) -> Option<Vec<u32>> {
        let string = cx.resolve(string);
        if let Some(text) = self.text(cx, string) {
            return Some(text.codes.into_vec());
        }
        match self.strings.parts(string).cloned()? {
            Parts::Characters(slots) => slots
                .into_iter()
                .map(|slot| constant(cx, slot?).and_then(|code| u32::try_from(code).ok()))
                .collect(),
            Parts::Slice { of, start, length } => {
                let codes = self.codes(cx, of)?;
                let (start, length) = (constant(cx, start)?, constant(cx, length)?);
                let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).ok()?);
                codes.get(start..start.checked_add(length)?).map(<[u32]>::to_vec)
            }
            Parts::Concat { left, right } => {
                let mut codes = self.codes(cx, left)?;
                codes.extend(self.codes(cx, right)?);
                Some(codes)
            }
        }
    }

    /// The constant for a string, which is a new symbol where there is none yet.
    fn constant_string(&mut self, cx: &mut Cx<'_>, text: Characters) -> Option<Value> {
        let symbol = match cx.world.text_symbol(&text) {
            Some(symbol) => symbol,
            None => {
                let next = cx.world.next_symbol()?;
                let texts = &mut cx.engine.new_texts;
                let position = texts.iter().position(|known| *known == text).unwrap_or_else(|| {
                    texts.push(text);
                    texts.len() - 1
                });
                next + position as u32
            }
        };
        let symbol = Symbol::from_index(symbol as usize);
        Some(cx.f.make_constant(Const::Symbol(symbol, Type::Ref)))
    }

    /// Makes the strings among some values and in the fields of objects among them.
    pub(crate) fn force_strings(&mut self, cx: &mut Cx<'_>, values: &[Value]) {
        let mut open = values.to_vec();
        let mut seen: SideTable<Value, bool> = SideTable::new();
        while let Some(value) = open.pop() {
            let value = cx.resolve(value);
            if std::mem::replace(&mut seen[value], true) {
                continue;
            }
            if self.strings.is(value) {
                self.force_string(cx, value);
            }
            let fields = self.virtuals.fields(cx.world, value).unwrap_or_default();
            open.extend(fields.into_iter().rev().map(|field| field.value));
        }
    }

    // ---- Making strings --------------------------------------------------------------------------------

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
        let (Some(length), Some(descr)) = (length, cx.world.characters(unicode)) else { return };
        let inst = cx.f.make_inst(Op::NewStr, &[length], &[], Some(descr), None, Location::default());
        cx.engine.dead.note_safe(inst);
        cx.emit(inst);
        let made = cx.f.result(inst);
        let zero = word(cx, 0);
        // What it consists of is read while it is filled.
        self.fill(cx, string, made, zero, unicode);
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

    /// Copies characters between strings; the offset behind them.
    fn copy(&mut self, cx: &mut Cx<'_>, copy: Copy, unicode: bool) -> Value {
        let Copy { from, into, start, offset, length } = copy;
        let from = cx.resolve(from);
        let limit = if self.text(cx, from).is_some() { SHORT_CONSTANT } else { SHORT };
        if let Some(count @ 0..) = constant(cx, length)
            && count <= limit
        {
            let one = word(cx, 1);
            let (mut index, mut offset) = (start, offset);
            for _ in 0..count {
                if let Some(character) = self.character_at(cx, from, index, unicode) {
                    self.store_character(cx, into, offset, character, unicode);
                }
                index = arithmetic(cx, Op::Add, index, one);
                offset = arithmetic(cx, Op::Add, offset, one);
            }
            return offset;
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

    // ---- Calls -----------------------------------------------------------------------------------------

    /// A call of a function whose meaning is known.
    pub(super) fn meant_call(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        match self.options.strings {
            true => self.division(cx, inst).or_else(|| self.string_call(cx, inst)),
            false => None,
        }
    }

    /// Makes a string that is a constant.
    pub(super) fn force_constant_string(&mut self, cx: &mut Cx<'_>, value: Value) {
        if self.strings.is(value) && self.codes(cx, value).is_some() {
            self.force_string(cx, value);
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
                    cx.engine.refs.learn(cx.f, part, Known::NONNULL);
                }
                Parts::Concat { left, right }
            }
            (Meaning::Slice, &[of, start, stop]) => {
                cx.engine.refs.learn(cx.f, of, Known::NONNULL);
                self.slice(cx, of, start, stop)
            }
            (Meaning::ToUnicode, &[of]) => {
                let codes = self.codes(cx, of).filter(|codes| codes.iter().all(|&code| code < 128))?;
                let text = Characters { unicode: true, codes: codes.into() };
                let value = self.constant_string(cx, text)?;
                return Some(self.is_value(cx, inst, value));
            }
            (Meaning::Equal, &[x, y]) => {
                let value = self.equal(cx, inst, x, y, unicode)?;
                return Some(self.is_value(cx, inst, value));
            }
            _ => return None,
        };
        if !cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing) {
            return None;
        }
        self.strings.keep_back(result, parts, unicode);
        Some(Outcome::Gone)
    }

    fn slice(&mut self, cx: &mut Cx<'_>, of: Value, start: Value, stop: Value) -> Parts {
        let (first, last) = (constant(cx, start), constant(cx, stop));
        if let (Some(Parts::Characters(slots)), Some(first @ 0..), Some(last)) =
            (self.strings.parts(of), first, last)
            && let Some(slots) = slots.get(first as usize..last.max(0) as usize)
        {
            return Parts::Characters(slots.to_vec());
        }
        let length = arithmetic(cx, Op::Sub, stop, start);
        match self.strings.parts(of).cloned() {
            Some(Parts::Slice { of, start: outer, .. }) => {
                let start = arithmetic(cx, Op::Add, outer, start);
                Parts::Slice { of, start, length }
            }
            _ => Parts::Slice { of, start, length },
        }
    }

    /// A simpler way to say whether two strings are equal.
    fn equal(&mut self, cx: &mut Cx<'_>, inst: Inst, x: Value, y: Value, unicode: bool) -> Option<Value> {
        let there = |memory: &Self, cx: &Cx<'_>, value: Value| {
            memory.kept_back(value) || cx.engine.refs.null(cx.f, value) == Some(false)
        };
        if x == y {
            return Some(word(cx, 1));
        }
        let lengths = [x, y].map(|string| self.constant_length(cx, string));
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
                if self.constant_length(cx, x) == Some(1) {
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
    fn simpler(
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
