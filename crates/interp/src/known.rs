//! What the world says of constants and calls: the characters of strings, what functions do, results that are
//! known, promises of remarks.
//!
//! A function whose [meaning](Meaning) is known is executed, and nobody outside notices. Strings are immutable once
//! somebody else has them, so a string is known by its characters, wherever a fresh one and a constant meet.
//! A remark is a promise: where it is not kept, nothing that follows means anything.

use planish_base::Id;
use planish_ir::{Const, Function, Inst, Symbol};
use planish_ops::meaning::Datum;
use planish_ops::world::{Characters, Content, Descr, Meaning, Mutability, Remark};
use planish_ops::{Fold, Int, Machine, Op, Real, Type, fold};

use crate::behaviour::End;
use crate::machine::{Outcome, Results, Runner, Step};
use crate::place::Place;
use crate::scenario::{mix, name_key, value_key};
use crate::value::{Reference, Val};

const NULL_STRING: End = End::undefined("a function on strings is given null");
const UNDEFINED: End = End::undefined("a function of known meaning is given what means nothing");

impl<'h> Runner<'_, 'h> {
    /// Executes a call of a function whose meaning is known.
    pub(crate) fn meant_call(
        &mut self,
        f: &Function,
        inst: Inst,
        descr: Option<Descr>,
        args: &[Val],
    ) -> Step<Option<Results>> {
        let Some(descr) = descr else { return Ok(None) };
        let Some((meaning, unicode)) = self.program.world.meaning(descr) else { return Ok(None) };
        let Some(operands) = args.get(1..) else { return Ok(None) };
        let ty = f.results(inst).next().map_or(Type::I64, |result| f.ty(result));
        let result = match (meaning, operands) {
            (Meaning::Concat, &[x, y]) => {
                let mut characters = self.characters(x, unicode)?;
                characters.extend(self.characters(y, unicode)?);
                self.string(characters, unicode)?
            }
            (Meaning::Slice, &[x, start, stop]) => {
                let (start, stop) = (number(start)?, number(stop)?);
                let characters = self.part(x, start, stop.checked_sub(start).ok_or(UNDEFINED)?, unicode)?;
                self.string(characters, unicode)?
            }
            (Meaning::ToUnicode, &[x]) => {
                let characters = self.characters(x, false)?;
                if !characters.iter().all(|&c| number(c).is_ok_and(|code| (0..128).contains(&code))) {
                    return Err(UNDEFINED);
                }
                self.string(characters, true)?
            }
            (Meaning::FloorDiv | Meaning::FloorMod, &[Val::Int(x), Val::Int(y)]) => {
                let op = if meaning == Meaning::FloorDiv { Op::FloorDiv } else { Op::FloorMod };
                match fold(op, &[Datum::<Machine>::Word(x), Datum::Word(y)], &[ty]) {
                    Some(Fold::Int(int)) => Some(Val::Int(int)),
                    _ => return Err(UNDEFINED),
                }
            }
            (Meaning::UnsignedDiv, &[Val::Int(x), Val::Int(y)]) if y.is_true() => {
                Some(Val::Int(Int::new(x.width(), x.unsigned() / y.unsigned())))
            }
            (Meaning::ArrayCopy, &[from, to, i, j, n]) => return self.copy_items(descr, from, to, [i, j, n]),
            (Meaning::ArrayMove, &[array, i, j, n]) => {
                return self.copy_items(descr, array, array, [i, j, n]);
            }
            _ if Meaning::COMPARING.contains(&meaning) => {
                Some(Val::int(ty, i64::from(self.equal(meaning, operands, unicode)?)))
            }
            _ => return Ok(None),
        };
        Ok(result.map(Results::One))
    }

    /// Whether strings are equal, as a function of one of those meanings finds.
    fn equal(&self, meaning: Meaning, operands: &[Val], unicode: bool) -> Step<bool> {
        let null = |value: Val| value == Val::Ref(Reference::Null);
        match (meaning, operands) {
            (Meaning::Equal, &[x, y]) if null(x) || null(y) => Ok(null(x) && null(y)),
            (Meaning::Equal | Meaning::EqualThere | Meaning::EqualOfLength, &[x, y]) => {
                Ok(self.characters(x, unicode)? == self.characters(y, unicode)?)
            }
            (Meaning::EqualSliceOrNull, &[.., y]) if null(y) => Ok(false),
            (Meaning::EqualSliceOrNull | Meaning::EqualSlice, &[x, start, length, y]) => {
                Ok(self.part(x, number(start)?, number(length)?, unicode)? == self.characters(y, unicode)?)
            }
            (Meaning::EqualSliceCharacter, &[x, start, length, character]) => {
                Ok(self.part(x, number(start)?, number(length)?, unicode)? == [character])
            }
            (Meaning::EqualCharacterOrNull, &[x, _]) if null(x) => Ok(false),
            (Meaning::EqualCharacter | Meaning::EqualCharacterOrNull, &[x, character]) => {
                Ok(self.characters(x, unicode)? == [character])
            }
            _ => Err(UNDEFINED),
        }
    }

    /// The descriptor of the characters of a string that the run made or that is a constant.
    fn descr_of(&self, string: Reference) -> Option<Descr> {
        let of = |unicode| self.program.world.characters(unicode);
        match string {
            Reference::Fresh(n) => {
                let class = self.heap.fresh[n as usize].class;
                [false, true].into_iter().filter_map(of).find(|&descr| self.heap.known_key(descr) == class)
            }
            Reference::Outside(n) => of(self.heap.texts.get(&n)?.unicode),
            Reference::Null | Reference::Thrown(_) => None,
        }
    }

    /// The characters of a string; one that is only given is of Unicode characters if whoever asks takes it so.
    fn characters(&self, string: Val, unicode: bool) -> Step<Vec<Val>> {
        match string {
            Val::Ref(Reference::Null) => Err(NULL_STRING),
            Val::Ref(object) => {
                let length = self.heap.length(self.scenario, object);
                // Each character is looked at, which no run can that has fewer steps left.
                if length > self.fuel {
                    return Err(End::OutOfFuel);
                }
                let given = || self.program.world.characters(unicode);
                let descr = self.descr_of(object).or_else(given).ok_or(UNDEFINED)?;
                let field = self.heap.known_key(descr);
                let place = |index| Place { owner: Some(object), field, index };
                Ok((0..length).map(|index| self.heap.load(self.scenario, place(index), Type::I64)).collect())
            }
            _ => Err(UNDEFINED),
        }
    }

    /// The characters of a part of a string.
    fn part(&self, string: Val, start: i64, length: i64, unicode: bool) -> Step<Vec<Val>> {
        let characters = self.characters(string, unicode)?;
        let start = usize::try_from(start).map_err(|_| UNDEFINED)?;
        let length = usize::try_from(length).map_err(|_| UNDEFINED)?;
        let end = start.checked_add(length).ok_or(UNDEFINED)?;
        Ok(characters.get(start..end).ok_or(UNDEFINED)?.to_vec())
    }

    /// A fresh string of characters, each of which costs a step: a loop may double a string.
    fn string(&mut self, characters: Vec<Val>, unicode: bool) -> Step<Option<Val>> {
        let Some(descr) = self.program.world.characters(unicode) else { return Ok(None) };
        self.burn(characters.len() as u64)?;
        let field = self.heap.key(self.program.world, Some(descr));
        let string = self.heap.allocate(field, Some(characters.len() as u64));
        for (character, index) in characters.into_iter().zip(0..) {
            self.heap.store(Place { owner: Some(string), field, index }, character);
        }
        Ok(Some(Val::Ref(string)))
    }

    /// Copies items between arrays, of which one is perhaps the other.
    fn copy_items(&mut self, callee: Descr, from: Val, to: Val, numbers: [Val; 3]) -> Step<Option<Results>> {
        let Some(items) = self.program.world.copied(callee) else { return Ok(None) };
        let Some(location) = self.program.world.location(items) else { return Ok(None) };
        let (Val::Ref(from), Val::Ref(to)) = (from, to) else { return Err(UNDEFINED) };
        let [i, j, n] = [number(numbers[0])?, number(numbers[1])?, number(numbers[2])?];
        let fits = |object: Reference, start: i64| {
            let within = |end: i64| {
                matches!(object, Reference::Outside(_))
                    || end <= self.heap.length(self.scenario, object) as i64
            };
            object != Reference::Null && start >= 0 && n >= 0 && start.checked_add(n).is_some_and(within)
        };
        if !fits(from, i) || !fits(to, j) || n > MOST_ITEMS {
            return Err(End::undefined("a copy is not within its arrays"));
        }
        let field = self.heap.key(self.program.world, Some(items));
        let place = |owner, index: i64| Place { owner: Some(owner), field, index: index as u64 };
        let values: Vec<Val> =
            (0..n).map(|k| self.heap.load(self.scenario, place(from, i + k), location.ty)).collect();
        for (value, k) in values.into_iter().zip(0..) {
            self.heap.store(place(to, j + k), value);
        }
        Ok(Some(Results::None))
    }

    /// The number of a value, for questions that depend on it: strings by their characters.
    pub(crate) fn question(&self, value: Val) -> Step<u64> {
        Ok(match value {
            Val::Ref(object) if self.descr_of(object).is_some() => {
                let characters = self.characters(value, false)?;
                characters.into_iter().fold(300, |state, character| mix(state, value_key(character)))
            }
            _ => value_key(value),
        })
    }

    /// What a call that only computes is known or promised to give.
    pub(crate) fn known_result(&mut self, args: &[Val], types: &[Type]) -> Option<Val> {
        let &[ty] = types else { return None };
        if let Some((_, value)) = self.promised.iter().find(|(operands, _)| operands[..] == *args) {
            return Some(*value).filter(|value| value.ty() == Some(ty));
        }
        let operands: Option<Vec<Content>> = args.iter().map(|&arg| self.content(arg)).collect();
        let found = self.program.world.known_result(&operands?)?;
        self.value_of(found, ty)
    }

    /// What a place of a constant object holds that never changes, or that a guard watches.
    pub(crate) fn known_content(&mut self, descr: Option<Descr>, place: Place, ty: Type) -> Option<Val> {
        let (Some(Reference::Outside(n)), Some(descr)) = (place.owner, descr) else { return None };
        let symbol = self.symbols.get(&n)?.index() as u32;
        let location = self.program.world.location(descr)?;
        if location.mutability == Mutability::Mutable || self.heap.type_at(place).is_some() {
            return None;
        }
        let index = if place.index == Place::WHOLE { 0 } else { place.index as i64 };
        let found = self.program.world.content(symbol, descr, index)?;
        self.value_of(found, ty)
    }

    /// The value of a type that a constant is which the world knows.
    fn value_of(&mut self, content: Content, ty: Type) -> Option<Val> {
        match (content, ty) {
            (Content::Int(int), Type::Int(_)) => Some(Val::int(ty, int)),
            (Content::Float(bits), Type::Float(format)) => Some(Val::Real(Real::from_bits(format, bits))),
            (Content::Null, Type::Ref) => Some(Val::Ref(Reference::Null)),
            (Content::Symbol(symbol), _) => {
                Some(self.constant(Const::Symbol(Symbol::from_index(symbol as usize), ty)))
            }
            _ => None,
        }
    }

    /// A value as the world knows constants.
    fn content(&self, value: Val) -> Option<Content> {
        match value {
            Val::Int(int) => Some(match self.addresses.get(&int.unsigned()) {
                Some(symbol) => Content::Symbol(symbol.index() as u32),
                None => Content::Int(int.signed()),
            }),
            Val::Real(real) => Some(Content::Float(real.to_bits())),
            Val::Ref(Reference::Null) => Some(Content::Null),
            Val::Ref(Reference::Outside(n)) => {
                self.symbols.get(&n).map(|symbol| Content::Symbol(symbol.index() as u32))
            }
            Val::Ref(object @ Reference::Fresh(_)) => {
                let descr = self.descr_of(object)?;
                let unicode = self.program.world.characters(true) == Some(descr);
                let codes: Option<Box<[u32]>> = (self.characters(value, unicode).ok()?.into_iter())
                    .map(|character| u32::try_from(number(character).ok()?).ok())
                    .collect();
                let text = Characters { unicode, codes: codes? };
                self.program.world.text_symbol(&text).map(Content::Symbol)
            }
            _ => None,
        }
    }

    /// A call that only computes gave a result, or raised and gave none, or is not made since its result is kept already:
    /// then that is what equal calls give, before and after, or what follows means nothing.
    pub(crate) fn is_what_a_call_gives(
        &mut self,
        callee: Descr,
        operands: &[Val],
        result: Option<Val>,
    ) -> Step<()> {
        if operands.contains(&Val::Undefined) {
            return Ok(());
        }
        let called = name_key(self.program.world.called(callee));
        let key = operands.iter().map(|&operand| self.question(operand)).chain([Ok(called)]);
        let key = key.collect::<Step<Vec<u64>>>()?;
        match *self.given.entry(key).or_insert(result) == result {
            true => Ok(()),
            false => Err(End::undefined("what is kept is not what the call gives")),
        }
    }

    /// A remark is kept, or what follows means nothing.
    pub(crate) fn remark(&mut self, f: &'h Function, inst: Inst) -> Step<Outcome> {
        const BROKEN: End = End::undefined("a remark is not true");
        let remark = f.inst(inst).descr.and_then(|descr| self.program.world.remark(descr));
        let args: Vec<Val> = f.args(inst).iter().map(|&arg| self.get(arg)).collect();
        let holds = match (remark, &args[..]) {
            (Some(Remark::Nonnull), &[x]) => x != Val::Ref(Reference::Null),
            (Some(Remark::ExactClass), &[Val::Ref(object), Val::Int(class)]) => {
                object != Reference::Null
                    && Int::new(class.width(), self.heap.class(self.scenario, object)) == class
            }
            (Some(Remark::ExactValue), &[x, y]) => x == y,
            (Some(Remark::KnownResult), [result, operands @ ..]) => {
                self.promised.push((operands.to_vec(), *result));
                true
            }
            _ => true,
        };
        if holds { Ok(Outcome::Yield(Results::None)) } else { Err(BROKEN) }
    }
}

/// More items are not copied at once.
const MOST_ITEMS: i64 = 1 << 16;

fn number(value: Val) -> Step<i64> {
    match value {
        Val::Int(int) => Ok(int.signed()),
        _ => Err(UNDEFINED),
    }
}
