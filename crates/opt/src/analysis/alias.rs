//! The alias oracle: what an access touches, and whether two of them may touch the same memory.
//!
//! A place is a field, an item, a static field, or bytes outside of the heap. Two places are apart where their alias classes
//! differ, where numbers say so (indices, or bytes behind one address), and where one object was made here and the other one
//! was made elsewhere or given. What a call writes and reads says the world, by alias class. Every pass over memory asks here:
//! redundant loads and dead stores (`load-elimination`), registers for memory and loads of the round before
//! (`scalar-promotion`).

use planish_base::fault;
use planish_domain::memory::apart;
use planish_ir::extension::result_extension;
use planish_ir::{Def, Function, Inst, Stands, Value};
use planish_ops::world::{Location, World};
use planish_ops::{Effect, Int, Machine, Op, Type};

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It reads.
    Load,
    /// It writes.
    Store,
}

impl Access {
    /// What an operation on fields, items, static fields and raw memory does.
    pub fn kind(op: Op) -> Option<Access> {
        match op {
            Op::GetField | Op::GetItem | Op::GetStatic | Op::RawLoad => Some(Access::Load),
            Op::SetField | Op::SetItem | Op::SetStatic | Op::RawStore => Some(Access::Store),
            _ => None,
        }
    }
}

/// A place in memory: a static one has no object, a field no index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Places of different alias classes are different memory.
    pub class: u32,
    /// The object or, outside of the heap, the base of the address.
    pub object: Option<Value>,
    /// The index or, outside of the heap, the offset.
    pub index: Option<Value>,
    /// Where it is outside of the heap.
    pub raw: Option<Raw>,
}

/// Bytes outside of the heap: so many, so far behind the sum of the object and the index of their place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raw {
    /// How far behind.
    pub at: i64,
    /// How many.
    pub bytes: i64,
}

impl Raw {
    /// Whether bytes are apart from others behind the same address, around the end of memory, too.
    pub fn is_apart(self, other: Raw) -> bool {
        let word = |number: i64| Int::new(64, number as u64);
        apart(&mut Machine, word(self.at), word(self.bytes), word(other.at), word(other.bytes))
    }
}

/// How the bytes of a place are read: as many bits, extended by their sign or by zeros. What one access leaves is what another
/// one reads only if they agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    bits: Option<u8>,
    signed: bool,
}

impl Reading {
    /// How accesses of a location read.
    pub fn of(location: &Location) -> Reading {
        Reading { bits: location.stored_bits, signed: location.signed }
    }
}

/// A function and its world, of whose memory is asked.
#[derive(Clone, Copy)]
pub struct Alias<'a> {
    /// The function.
    pub f: &'a Function,
    /// What its descriptors stand for.
    pub world: &'a dyn World,
}

impl Alias<'_> {
    /// The location that an access names; `None` if it may be any memory, or changes behind our back.
    pub fn location(&self, inst: Inst) -> Option<Location> {
        let descr = self.f.inst(inst).descr?;
        self.world.location(descr).filter(|location| !location.raw)
    }

    /// The place that an access touches, where values stand for others; `None` if it may be any memory of its kind, or some
    /// bits of a byte outside of the heap.
    pub fn place(&self, inst: Inst, stands: &Stands) -> Option<Place> {
        let location = self.location(inst)?;
        let args = self.f.args(inst);
        let (object, index, raw) = match self.f.inst(inst).op {
            Op::RawLoad | Op::RawStore => {
                let whole = match location.ty {
                    Type::Int(bits) => bits,
                    Type::Float(format) => format.bits() as u8,
                    Type::Ref | Type::State => 64,
                    Type::Vector(_) => return None,
                };
                // What a store leaves in the rest of its last byte is no part of what is loaded.
                let bits = location.stored_bits.unwrap_or(whole);
                if !bits.is_multiple_of(8) {
                    return None;
                }
                let bytes = i64::from(bits / 8);
                let (base, offset, at) = self.address(inst, stands)?;
                (base, offset, Some(Raw { at, bytes }))
            }
            Op::GetStatic | Op::SetStatic => (None, None, None),
            Op::GetField | Op::SetField => (Some(stands.of(args[0])), None, None),
            _ => (Some(stands.of(args[0])), Some(stands.of(args[1])), None),
        };
        Some(Place { class: location.alias_class, object, index, raw })
    }

    /// What the address of an access outside of the heap is made of: a base, a variable offset and a number.
    fn address(&self, inst: Inst, stands: &Stands) -> Option<(Option<Value>, Option<Value>, i64)> {
        let f = self.f;
        let descr = f.inst(inst).descr?;
        if self.world.raw_access(descr).is_some_and(|access| access.scale != 1) {
            return None;
        }
        let (base, offset) = (stands.of(f.args(inst)[0]), stands.of(f.args(inst)[1]));
        Some(self.taken_apart(Some(base), Some(offset), 0, stands))
    }

    /// An address with the numbers in its base and its offset added up apart.
    fn taken_apart(
        &self,
        base: Option<Value>,
        offset: Option<Value>,
        at: i64,
        stands: &Stands,
    ) -> (Option<Value>, Option<Value>, i64) {
        let f = self.f;
        let (base, begin) = match base.and_then(|base| f.int_constant(base)) {
            Some(number) => (None, at.wrapping_add(number.unsigned() as i64)),
            None => (base, at),
        };
        let Some(offset) = offset else { return (base, None, begin) };
        if let Some(number) = f.int_constant(offset) {
            return (base, None, begin.wrapping_add(number.signed()));
        }
        // A narrow offset is extended, which does not follow its sums.
        let sum = f.def_inst(offset).filter(|&inst| f.inst(inst).op == Op::Add && f.ty(offset) == Type::I64);
        let parts = sum.and_then(|inst| Some((f.args(inst)[0], f.int_constant(f.args(inst)[1])?)));
        match parts {
            Some((variable, number)) => {
                (base, Some(stands.of(variable)), begin.wrapping_add(number.signed()))
            }
            None => (base, Some(offset), begin),
        }
    }

    /// The same place where other values are its object and its index: what a block sees as its parameter is an argument
    /// on each way into it. `None` if one of them is nothing.
    pub fn with_values(
        &self,
        place: Place,
        stands: &Stands,
        mut value: impl FnMut(Value) -> Option<Value>,
    ) -> Option<Place> {
        let mut other = |part: Option<Value>| match part {
            Some(part) => Some(Some(stands.of(value(part)?))),
            None => Some(None),
        };
        let (object, index) = (other(place.object)?, other(place.index)?);
        let Some(raw) = place.raw else { return Some(Place { object, index, ..place }) };
        let (object, index, at) = self.taken_apart(object, index, raw.at, stands);
        Some(Place { object, index, raw: Some(Raw { at, ..raw }), ..place })
    }

    /// Whether two places surely are different memory, whenever both mean what they mean at one point.
    pub fn are_apart(&self, a: Place, b: Place) -> bool {
        if a.class != b.class {
            return true;
        }
        if a.raw.is_some() || b.raw.is_some() {
            let (Some(first), Some(second)) = (a.raw, b.raw) else { return false };
            return a.object == b.object && a.index == b.index && first.is_apart(second);
        }
        // Numbers and not constants, which have a width: an index of five bits may be that of one bit.
        let number = |index: Value| self.f.int_constant(index).map(Int::signed);
        if let (Some(a), Some(b)) = (a.index, b.index)
            && let (Some(a), Some(b)) = (number(a), number(b))
            && a != b
        {
            return true;
        }
        let (Some(a), Some(b)) = (a.object, b.object) else { return false };
        let is_fresh = |value: Value| {
            self.f.def_inst(value).is_some_and(|inst| matches!(self.f.inst(inst).op, Op::New | Op::NewArray))
        };
        let is_given =
            |value: Value| matches!(self.f.def(value), Def::Param(block, _) if block == self.f.entry());
        if fault!("load-elimination: objects under two names are two") {
            return a != b;
        }
        a != b && (is_fresh(a) && (is_fresh(b) || is_given(b)) || is_given(a) && is_fresh(b))
    }

    /// Whether an operation that is no access of a place leaves a class alone: neither reads it nor writes to it.
    pub fn leaves_alone(&self, inst: Inst, class: u32) -> bool {
        let data = self.f.inst(inst);
        match data.op.row().effect {
            Effect::Pure | Effect::Guard | Effect::Allocate | Effect::Marker => true,
            // Characters are no places of objects.
            Effect::Load | Effect::Store if matches!(data.op, Op::StrGet | Op::StrSet | Op::StrCopy) => true,
            Effect::Load | Effect::Store => {
                self.location(inst).is_some_and(|location| location.alias_class != class)
            }
            Effect::Call => data.descr.filter(|_| data.op == Op::Call).is_some_and(|callee| {
                let effect = self.world.call_effect(callee);
                let lacks = |list: &Option<Vec<u32>>| {
                    list.as_ref().is_some_and(|list| list.binary_search(&class).is_err())
                };
                lacks(&effect.reads) && lacks(&effect.writes)
            }),
        }
    }

    /// Whether a load behind a store gives just what was stored.
    pub fn is_kept_whole(&self, store: Inst, value: Value) -> bool {
        let f = self.f;
        let Some(location) = f.inst(store).descr.and_then(|descr| self.world.location(descr)) else {
            return false;
        };
        let width = match f.ty(value) {
            // What an array gives is of the class of its items; what was put into it need not be known to be.
            Type::Ref => {
                let is_item = f.inst(store).op == Op::SetItem;
                return !is_item || f.constant(value).is_some() || !self.world.references_are_typed();
            }
            Type::Int(width) => width,
            _ => return true,
        };
        let Some(bits) = location.stored_bits.filter(|&bits| bits < width) else { return true };
        if let Some(constant) = f.int_constant(value) {
            let (value, bits) = (constant.signed(), u32::from(bits));
            return match location.signed {
                true => (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&value),
                false => (0..1i64 << bits).contains(&value),
            };
        }
        // A number that was narrowed and widened again, a truth, or one that was as narrow where it comes from.
        f.def_inst(value).is_some_and(|inst| {
            if let Some(from) = result_extension(f, self.world, inst) {
                let room = bits - u8::from(location.signed && !from.signed);
                return from.bits <= room && (location.signed || !from.signed);
            }
            let from = f.args(inst).first().and_then(|&arg| f.ty(arg).int_width());
            match f.inst(inst).op {
                Op::Sext => location.signed && from.is_some_and(|from| from <= u32::from(bits)),
                Op::Zext => {
                    let room = u32::from(bits) - u32::from(location.signed);
                    from.is_some_and(|from| from <= room)
                }
                op => op.row().truth,
            }
        })
    }
}
