//! Operations whose meaning is not in the table: references, memory, guards, what is opaque.

use planish_base::Id;
use planish_ir::{Function, Inst, Symbol, Value};
use planish_ops::world::{Content, Descr, Extension, Location};
use planish_ops::{FloatFormat, Int, Item, Op, Real, Type};

use crate::aliasing::ByClass;
use crate::behaviour::End;
use crate::heap::{Heap, NO_ROOM};
use crate::machine::{Outcome, Results, Runner, Step};
use crate::place::Place;
use crate::scenario::{name_key, value_key};
use crate::value::{Fault, Reference, Val};

fn yields(value: Val) -> Step<Outcome> {
    Ok(Outcome::Yield(Results::One(value)))
}

pub(crate) fn done() -> Step<Outcome> {
    Ok(Outcome::Yield(Results::None))
}

fn throws(fault: Fault) -> Step<Outcome> {
    Ok(Outcome::Leave(Reference::Thrown(fault)))
}

/// Goes on where the condition holds, leaves where it does not.
fn guard(holds: bool) -> Step<Outcome> {
    if holds { done() } else { throws(Fault::Guard) }
}

pub(crate) const NO_MEMORY: End = End::undefined("memory is accessed that is not there");
const UNDEFINED: End = End::undefined("an effect depends on an undefined value");

impl<'a, 'h> Runner<'a, 'h> {
    fn reference(&self, value: Value) -> Step<Reference> {
        match self.get(value) {
            Val::Ref(reference) => Ok(reference),
            _ => Err(UNDEFINED),
        }
    }

    pub(crate) fn word(&self, value: Value) -> Step<Int> {
        match self.get(value) {
            Val::Int(int) => Ok(int),
            _ => Err(UNDEFINED),
        }
    }

    /// A truth about references in the type of the result; undefined where an operand is.
    fn truth(&self, f: &Function, inst: Inst, holds: Step<bool>) -> Step<Outcome> {
        yields(holds.map_or(Val::Undefined, |holds| Val::int(f.ty(f.result(inst)), i64::from(holds))))
    }

    fn place(&mut self, f: &Function, inst: Inst, owner: Reference, index: u64) -> Place {
        let field = self.heap.key(self.program.world, f.inst(inst).descr);
        Place { owner: Some(owner), field, index }
    }

    pub(crate) fn memory(&mut self, f: &'h Function, inst: Inst) -> Step<Outcome> {
        match f.inst(inst).op {
            Op::IsNull | Op::IsNonnull | Op::RefEq | Op::RefNe | Op::InstanceOf => {
                self.compare_references(f, inst)
            }
            Op::ClassOf | Op::RefToInt | Op::IntToRef => self.convert_reference(f, inst),
            Op::Lookup => yields(self.look_up(f, inst)),
            Op::Use => self.hand_on(f, inst),
            Op::Marker => self.remark(f, inst),
            Op::GuardClass | Op::GuardNonnullClass => self.guard_class(f, inst),
            Op::GuardOther => self.guard_of_world(f, inst),
            Op::GuardTrue
            | Op::GuardFalse
            | Op::GuardValue
            | Op::GuardNonnull
            | Op::GuardIsnull
            | Op::GuardNoException
            | Op::GuardException
            | Op::GuardNotForced
            | Op::GuardNotInvalidated => self.guard(f, inst),
            Op::NullCheck | Op::BoundsCheck | Op::CheckCast => self.check(f, inst),
            Op::InitClass => self.initialise(f, inst),
            Op::MonitorEnter | Op::MonitorExit => self.monitor(f, inst),
            Op::New | Op::NewArray | Op::NewStr => self.allocate(f, inst),
            Op::ArrayLen | Op::StrLen => self.length(f, inst),
            Op::GetStatic | Op::GetField | Op::GetItem | Op::GetInterior | Op::StrGet => self.load(f, inst),
            Op::SetStatic | Op::SetField | Op::SetItem | Op::SetInterior | Op::StrSet => self.store(f, inst),
            Op::StrCopy => self.copy(f, inst),
            Op::RawLoad | Op::RawStore => self.raw(f, inst),
            Op::RawFill | Op::RawCopy => self.bulk(f, inst),
            Op::Vload | Op::Vstore => self.vector_access(f, inst),
            op if op.row().lanewise.is_some() => self.in_lanes(f, inst),
            // Only a division with an undefined operand gets here: whether it leaves is undefined.
            _ => Err(End::undefined("a division depends on an undefined value")),
        }
    }

    /// An item of a constant table; undefined where the index is, or nobody knows the table.
    fn look_up(&self, f: &Function, inst: Inst) -> Val {
        let items = f.inst(inst).descr.and_then(|descr| self.program.world.table(descr));
        match items.map(|items| Ok((items, self.word(f.args(inst)[0])?))) {
            Some(Ok((items, index))) => match items.item(index) {
                Item::Int(int) => Val::Int(int),
                Item::Real(real) => Val::Real(real),
            },
            Some(Err::<_, End>(_)) | None => Val::Undefined,
        }
    }

    /// Truths about references.
    fn compare_references(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let (op, args) = (f.inst(inst).op, f.args(inst));
        match op {
            Op::IsNull | Op::IsNonnull => {
                let holds = self.reference(args[0]).map(|r| (r == Reference::Null) == (op == Op::IsNull));
                self.truth(f, inst, holds)
            }
            Op::RefEq | Op::RefNe => {
                let both = self.reference(args[0]).and_then(|x| Ok((x, self.reference(args[1])?)));
                self.truth(f, inst, both.map(|(x, y)| (x == y) == (op == Op::RefEq)))
            }
            // Whether it is an object of a class.
            _ => {
                let class = self.heap.key(self.program.world, f.inst(inst).descr);
                let holds = self.reference(args[0]).map(|object| self.is_instance(object, class));
                self.truth(f, inst, holds)
            }
        }
    }

    /// References as numbers, and numbers as references.
    fn convert_reference(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let args = f.args(inst);
        match f.inst(inst).op {
            Op::ClassOf => match self.reference(args[0]) {
                Ok(Reference::Null) | Err(_) => yields(Val::Undefined),
                Ok(object) => {
                    let class = self.heap.class(self.scenario, object);
                    yields(Val::int(f.ty(f.result(inst)), class as i64))
                }
            },
            Op::RefToInt => match self.reference(args[0]) {
                Ok(object) => {
                    let address = self.heap.address(object);
                    yields(Val::int(f.ty(f.result(inst)), address as i64))
                }
                Err(_) => yields(Val::Undefined),
            },
            // A number as a reference.
            _ => yields(match self.word(args[0]) {
                Ok(address) => Val::Ref(self.heap.at_address(address.unsigned())),
                Err(_) => Val::Undefined,
            }),
        }
    }

    fn guard(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let args = f.args(inst);
        match f.inst(inst).op {
            Op::GuardTrue => guard(self.guarded_truth(args[0])?),
            Op::GuardFalse => guard(!self.guarded_truth(args[0])?),
            Op::GuardValue => match (self.get(args[0]), self.get(args[1])) {
                (Val::Undefined, _) | (_, Val::Undefined) => Err(UNDEFINED),
                (x, y) => guard(x == y),
            },
            Op::GuardNonnull => guard(self.reference(args[0])? != Reference::Null),
            Op::GuardIsnull => guard(self.reference(args[0])? == Reference::Null),
            Op::GuardNoException => guard(self.frame_mut().pending.take().is_none()),
            Op::GuardException => self.guard_exception(f, inst),
            Op::GuardNotForced => guard(!self.forced),
            // Whether what the program rests on still holds.
            _ => guard(!self.invalidated),
        }
    }

    /// Whether a guard finds that something is true.
    fn guarded_truth(&self, value: Value) -> Step<bool> {
        let word = self.word(value)?;
        if self.program.rpython_types && word.unsigned() > 1 {
            return Err(End::undefined("a guard on a truth is asked of another number"));
        }
        Ok(word.is_true())
    }

    fn guard_class(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let (op, args) = (f.inst(inst).op, f.args(inst));
        match self.reference(args[0])? {
            Reference::Null if op == Op::GuardClass => Err(End::undefined("the class of null is asked for")),
            object if self.has_no_class(object) => Err(End::undefined("the class of an array is asked for")),
            object => {
                let class = self.heap.class(self.scenario, object);
                let wanted = self.word(args[1])?;
                guard(object != Reference::Null && Int::new(wanted.width(), class) == wanted)
            }
        }
    }

    fn guard_exception(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let wanted = self.word(f.args(inst)[0])?;
        match self.frame_mut().pending.take() {
            Some(thrown) if self.heap.class(self.scenario, thrown) == wanted.unsigned() => {
                yields(Val::Ref(thrown))
            }
            _ => throws(Fault::Guard),
        }
    }

    /// A guard of which only the world knows when it holds.
    fn guard_of_world(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        if f.inst(inst).descr.is_some_and(|d| self.program.world.only_marks(d)) {
            return guard(true);
        }
        if let Some(holds) = self.type_holds(f, inst)? {
            return guard(holds);
        }
        let mut question = vec![name_key("guard"), self.heap.events()];
        question.push(self.heap.key(self.program.world, f.inst(inst).descr));
        for &arg in f.args(inst) {
            match self.get(arg) {
                Val::Undefined => return Err(UNDEFINED),
                value => question.push(value_key(value)),
            }
        }
        guard(!self.scenario.ask(&question).is_multiple_of(8))
    }

    /// Checks that throw an exception of their own.
    fn check(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let args = f.args(inst);
        match f.inst(inst).op {
            Op::NullCheck => match self.reference(args[0])? {
                Reference::Null => throws(Fault::Null),
                object => yields(Val::Ref(object)),
            },
            Op::BoundsCheck => {
                let (index, length) = (self.word(args[0])?, self.word(args[1])?);
                let holds = 0 <= index.signed() && index.signed() < length.signed();
                if holds { done() } else { throws(Fault::Bounds) }
            }
            // A cast.
            _ => {
                let object = self.reference(args[0])?;
                let class = self.heap.key(self.program.world, f.inst(inst).descr);
                if object == Reference::Null || self.is_instance(object, class) {
                    yields(Val::Ref(object))
                } else {
                    throws(Fault::Cast)
                }
            }
        }
    }

    fn initialise(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let class = self.heap.key(self.program.world, f.inst(inst).descr);
        if self.first_initialisation(class) {
            let name = self.heap.fields[&class].name.clone();
            self.event(format!("init_class {name}"), Vec::new(), None, None);
        }
        done()
    }

    fn monitor(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        match self.reference(f.args(inst)[0])? {
            Reference::Null => throws(Fault::Null),
            object => {
                self.event(f.inst(inst).op.name().to_owned(), vec![Val::Ref(object)], None, None);
                done()
            }
        }
    }

    fn length(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        match self.reference(f.args(inst)[0])? {
            Reference::Null if f.inst(inst).op == Op::ArrayLen => throws(Fault::Null),
            Reference::Null => Err(End::undefined("the length of null is asked for")),
            object => {
                let length = self.heap.length(self.scenario, object);
                yields(Val::int(f.ty(f.result(inst)), length as i64))
            }
        }
    }

    fn load(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        if f.inst(inst).op == Op::GetStatic {
            let place = self.place(f, inst, Place::STATICS, Place::WHOLE);
            return yields(self.heap.load(self.scenario, place, f.ty(f.result(inst))));
        }
        match self.access(f, inst)? {
            Ok(place) => {
                let ty = f.ty(f.result(inst));
                let known = self.known_content(f.inst(inst).descr, place, ty);
                yields(known.unwrap_or_else(|| self.heap.load(self.scenario, place, ty)))
            }
            Err(fault) => throws(fault),
        }
    }

    fn store(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let args = f.args(inst);
        if f.inst(inst).op == Op::SetStatic {
            let place = self.place(f, inst, Place::STATICS, Place::WHOLE);
            self.heap.store(place, self.get(args[0]));
            return done();
        }
        match self.access(f, inst)? {
            Ok(place) => {
                let value = self.get(args[args.len() - 1]);
                if f.inst(inst).op == Op::StrSet || self.program.rpython_types {
                    self.heap.has_room(place, value, self.program.rpython_types)?;
                }
                self.heap.store(place, value);
                done()
            }
            Err(fault) => throws(fault),
        }
    }

    /// A state handed on: the first operand as it is. What has another type, or is made of nothing, is an unknown
    /// function of the operands.
    fn hand_on(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        if let Some(&state) = f.args(inst).first()
            && f.ty(state) == f.ty(f.result(inst))
        {
            return yields(self.get(state));
        }
        let mut question = vec![name_key("use")];
        for &arg in f.args(inst) {
            match self.get(arg) {
                Val::Undefined => return yields(Val::Undefined),
                value => question.push(value_key(value)),
            }
        }
        yields(self.scenario.value(&question, f.ty(f.result(inst))))
    }

    fn allocate(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let class = self.heap.key(self.program.world, f.inst(inst).descr);
        let length = match f.args(inst).first() {
            None => None,
            Some(&length) => {
                let length = self.word(length)?.signed();
                if length < 0 && f.inst(inst).op == Op::NewStr {
                    return Err(End::undefined("a string of negative length"));
                }
                if length < 0 {
                    return throws(Fault::NegativeLength);
                }
                Some(length as u64)
            }
        };
        self.place_class(f.inst(inst).descr, class);
        yields(Val::Ref(self.heap.allocate(class, length)))
    }

    /// Lets what is allocated have the class that the world says it has.
    pub(crate) fn place_class(&mut self, descr: Option<Descr>, class: u64) {
        let address = match descr.and_then(|descr| self.program.world.fresh(descr).class) {
            Some(Content::Symbol(symbol)) => {
                let (object, _) = self.program.symbol(Symbol::from_index(symbol as usize));
                self.heap.address(Reference::Outside(object))
            }
            Some(Content::Int(number)) => number as u64,
            _ => return,
        };
        self.heap.place_class(class, address);
    }

    /// The place of an access to an object, or why there is none.
    ///
    /// An access without an exit to an outside array is within its bounds: who wrote it saw to that. In a trace that
    /// asks for lengths the world has to agree, so behind the end nothing means anything; elsewhere leaving is
    /// behaviour, which must not depend on whether anybody asks.
    fn access(&mut self, f: &Function, inst: Inst) -> Step<Result<Place, Fault>> {
        let (op, args) = (f.inst(inst).op, f.args(inst));
        let owner = self.reference(args[0])?;
        let leaves = op.row().exits != planish_ops::Exits::Never;
        if owner == Reference::Null {
            return if leaves { Ok(Err(Fault::Null)) } else { Err(End::undefined("a string is null")) };
        }
        if !self.has_place(f, inst, owner) {
            return Err(End::undefined("an object of another type is accessed"));
        }
        if matches!(op, Op::GetField | Op::SetField) {
            return Ok(Ok(self.place(f, inst, owner, Place::WHOLE)));
        }
        let index = self.word(args[1])?.signed();
        let compared = self.wild_accesses && self.frame().measures;
        let trusted = f.inst(inst).exit.is_none() && matches!(owner, Reference::Outside(_)) && !compared;
        let length = self.heap.length(self.scenario, owner);
        if !trusted && (index < 0 || index as u64 >= length) {
            return if leaves {
                Ok(Err(Fault::Bounds))
            } else {
                Err(End::undefined("an index is not within a string"))
            };
        }
        Ok(Ok(self.place(f, inst, owner, index as u64)))
    }

    fn copy(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let args = f.args(inst);
        let (from, to) = (self.reference(args[0])?, self.reference(args[1])?);
        let mut numbers = [0i64; 3];
        for (number, &arg) in numbers.iter_mut().zip(&args[2..]) {
            *number = self.word(arg)?.signed();
        }
        let [i, j, n] = numbers;
        let fits = |object: Reference, start: i64, heap: &Heap| {
            let length = heap.length(self.scenario, object) as i64;
            let end = start.checked_add(n);
            object != Reference::Null && start >= 0 && n >= 0 && end.is_some_and(|end| end <= length)
        };
        if !fits(from, i, &self.heap) || !fits(to, j, &self.heap) {
            return Err(End::undefined("a copy is not within its strings"));
        }
        self.burn(n as u64)?;
        // Characters have the type that the descriptor says, or are words.
        let field = self.heap.key(self.program.world, f.inst(inst).descr);
        let ty = self.heap.fields[&field].location.map_or(Type::I64, |location| location.ty);
        let values: Vec<Val> = (0..n)
            .map(|k| {
                let place = self.place(f, inst, from, (i + k) as u64);
                self.heap.load(self.scenario, place, ty)
            })
            .collect();
        for (value, k) in values.into_iter().zip(0..) {
            let place = self.place(f, inst, to, (j + k) as u64);
            self.heap.store(place, value);
        }
        done()
    }

    /// Writes a value into raw memory, the low byte first.
    pub(crate) fn store_raw(&mut self, address: u64, value: Val, descr: Option<Descr>) -> Step<()> {
        let world = self.program.world;
        let location = descr.and_then(|descr| world.location(descr));
        let (encoding, bits) = match value {
            Val::Int(int) => (int.unsigned(), int.width()),
            Val::Real(real) => (real.to_bits(), real.format().bits()),
            Val::Ref(reference) => (self.heap.address(reference), 64),
            Val::State | Val::Vector(_) | Val::Undefined => return Err(UNDEFINED),
        };
        let stored = stored_bits(bits, location);
        if let (Val::Int(int), true, Some(location)) = (value, self.program.rpython_types, location)
            && stored < bits
            && (Extension { bits: stored as u8, signed: location.signed }).apply(int) != int
        {
            return Err(NO_ROOM);
        }
        // What the bits do not fill of the last byte is zeros.
        let encoding = Int::new(stored, encoding).unsigned();
        let (by, since) = (ByClass::of(world, descr), self.heap.wrote_anything());
        for byte in 0..u64::from(stored.div_ceil(8)) {
            let at = address.wrapping_add(byte);
            let place = self.heap.byte(at).ok_or(NO_MEMORY)?;
            self.heap.accesses.store(at, by, since, world)?;
            self.heap.store_byte(place, (encoding >> (8 * byte)) as u8);
        }
        Ok(())
    }

    /// The address that a base and an offset are.
    pub(crate) fn address(&self, descr: Option<Descr>, base: Value, offset: Value) -> Step<u64> {
        let access = descr.and_then(|descr| self.program.world.raw_access(descr));
        let distance = self.word(offset)?.signed().wrapping_mul(access.map_or(1, |access| access.scale));
        Ok(self.word(base)?.unsigned().wrapping_add(distance as u64))
    }

    fn raw(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let args = f.args(inst);
        let (world, descr) = (self.program.world, f.inst(inst).descr);
        let address = self.address(descr, args[0], args[1])?;
        if f.inst(inst).op == Op::RawStore {
            let value = self.get(args[2]);
            self.store_raw(address, value, descr)?;
            return done();
        }
        let location = descr.and_then(|descr| world.location(descr));
        let ty = f.ty(f.result(inst));
        let width = stored_bits(bits(ty), location);
        let (by, since) = (ByClass::of(world, descr), self.heap.wrote_anything());
        let mut encoding = 0;
        for byte in (0..u64::from(width.div_ceil(8))).rev() {
            let at = address.wrapping_add(byte);
            let place = self.heap.byte(at).ok_or(NO_MEMORY)?;
            self.heap.accesses.load(at, by, since, world)?;
            encoding = encoding << 8 | u64::from(self.heap.load_byte(self.scenario, place));
        }
        yields(match ty {
            Type::Int(full) => {
                let low = Int::new(width, encoding);
                let signed = location.is_some_and(|location| location.signed);
                Val::Int(Int::new(u32::from(full), if signed { low.signed() as u64 } else { low.unsigned() }))
            }
            Type::Float(FloatFormat::F32) => Val::Real(Real::from_bits(FloatFormat::F32, encoding)),
            Type::Float(FloatFormat::F64) => Val::Real(Real::from_bits(FloatFormat::F64, encoding)),
            Type::Ref => Val::Ref(self.heap.at_address(encoding)),
            Type::State => Val::State,
            Type::Vector(_) => Val::Undefined,
        })
    }
}

/// How many bits a value in raw memory has.
pub(crate) fn bits(ty: Type) -> u32 {
    match ty {
        Type::Int(width) => u32::from(width),
        Type::Float(format) => format.bits(),
        Type::Ref | Type::State | Type::Vector(_) => 64,
    }
}

/// How many bits of a value a location holds.
pub(crate) fn stored_bits(bits: u32, location: Option<Location>) -> u32 {
    location.and_then(|location| location.stored_bits).map_or(bits, |stored| bits.min(u32::from(stored)))
}
