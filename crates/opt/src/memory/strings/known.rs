//! Facts about virtual strings: the length, the characters, the constant that a string is.

use planish_base::Id;
use planish_ir::{Const, Location, Symbol, Value};
use planish_ops::world::Characters;
use planish_ops::{Op, Type};

use super::parts::{Data, Parts, Piece, arithmetic, constant, word};
use crate::engine::Cx;
use crate::memory::state::Memory;

impl Memory {
    /// The characters of a constant string.
    pub(in crate::memory) fn text(&self, cx: &Cx<'_>, value: Value) -> Option<Characters> {
        let Const::Symbol(symbol, Type::Ref) = cx.f.constant(value)? else { return None };
        let number = symbol.index() as u32;
        let new = cx.world.next_symbol().and_then(|next| number.checked_sub(next));
        match new {
            Some(new) => cx.engine.new_texts.get(new as usize).cloned(),
            None => cx.world.text(number).cloned(),
        }
    }

    /// The length of a string, where it needs no operation on the string itself.
    pub(super) fn known_length(&mut self, cx: &mut Cx<'_>, string: Value) -> Option<Value> {
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
    pub(super) fn length_of(&mut self, cx: &mut Cx<'_>, string: Value, unicode: bool) -> Option<Value> {
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
    pub(super) fn constant_length(&mut self, cx: &mut Cx<'_>, string: Value) -> Option<i64> {
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

    /// The stretches of which a string consists that is not made, from left to right. What slices are of is
    /// made. O(number of stretches).
    pub(in crate::memory) fn pieces(&mut self, cx: &mut Cx<'_>, string: Value) -> Vec<Piece> {
        let (mut pieces, mut open) = (Vec::new(), vec![string]);
        while let Some(part) = open.pop() {
            let part = cx.resolve(part);
            pieces.push(match self.strings.parts(part).cloned() {
                Some(Parts::Concat { left, right }) => {
                    open.extend([right, left]);
                    continue;
                }
                Some(Parts::Characters(slots)) => Piece::Characters(slots),
                Some(Parts::Slice { of, start, length }) => {
                    self.force(cx, of);
                    Piece::Slice { of: cx.resolve(of), start, length }
                }
                None => Piece::Whole(part),
            });
        }
        pieces
    }

    /// The character at an index of a string; else the string and the index from which it is to be read.
    pub(super) fn character(
        &mut self,
        cx: &mut Cx<'_>,
        string: Value,
        index: Value,
    ) -> Result<Value, (Value, Value)> {
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
    pub(super) fn character_at(
        &mut self,
        cx: &mut Cx<'_>,
        string: Value,
        index: Value,
        unicode: bool,
    ) -> Option<Value> {
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
    pub(in crate::memory) fn codes(&mut self, cx: &mut Cx<'_>, string: Value) -> Option<Vec<u32>> {
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

    /// The constant for a string, which is a new symbol where there is none yet and the dialect can spell it.
    pub(in crate::memory) fn constant_string(&mut self, cx: &mut Cx<'_>, text: Characters) -> Option<Value> {
        let symbol = match cx.world.text_symbol(&text) {
            Some(symbol) => symbol,
            None => {
                let next = cx.world.next_symbol().filter(|_| cx.world.can_spell(&text))?;
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

    /// Whether a constant is no string, or has no character at an index.
    pub(super) fn out_of_range(&self, cx: &mut Cx<'_>, string: Value, index: Value) -> bool {
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
}
