//! The code of operations on vectors: the machine's own where it has one that does in all lanes what the operation of a lane
//! does, else that operation by its meaning in the table, lane after lane.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value as Register};
use planish_ir::{Inst, Value};
use planish_ops::lanes::{Value as Parts, lane_of};
use planish_ops::row::Lanewise;
use planish_ops::{Datum, Lane, Op, Real, Type};

use crate::access::little_endian;
use crate::function::{Held, Writer};
use crate::lanes::{encoding, vector_type};
use crate::refused::Refused;
use crate::words::{Emit, Word};

/// How many bytes a vector has.
const BYTES: u32 = 16;

impl<'f> Writer<'_, '_, 'f> {
    /// An operation on vectors that touches no memory.
    pub(crate) fn in_lanes(&mut self, inst: Inst, how: Lanewise<Op>) -> Result<(), Refused> {
        let (args, result) = (self.f.args(inst), self.f.result(inst));
        let mut held = Vec::with_capacity(args.len());
        for &arg in args {
            held.push(self.get(arg)?);
        }
        let types = args.iter().chain([&result]).map(|&value| self.f.ty(value));
        let Some(lane) = lane_of(types) else { return self.refuse("an operation on vectors without any") };
        let number = args.get(1).and_then(|&arg| self.f.int_constant(arg));
        let number = number.map(|number| (number.unsigned() % u64::from(lane.count())) as u32);
        let vector = match (how, number) {
            (Lanewise::Each(op), _) => {
                let registers: Vec<Register> = held.iter().map(|held| held.register()).collect();
                match self.common_amount(op, args)? {
                    Some(amount) => self.emit.shifted(op, registers[0], amount),
                    None => self.emit.packed(op, lane, &registers),
                }
            }
            (Lanewise::Splat, _) => self.datum(held[0])?.map(|datum| self.emit.splat(datum, lane)),
            (Lanewise::Insert, Some(at)) => {
                let datum = self.datum(held[2])?;
                datum.map(|datum| self.emit.inserted(held[0].register(), lane, at, datum))
            }
            (Lanewise::Extract, Some(at)) => {
                let datum = self.emit.extracted(held[0].register(), lane, at);
                self.set(result, of_datum(datum));
                return Ok(());
            }
            _ => None,
        };
        match vector {
            Some(vector) => self.set(result, Held::Vector(vector, lane)),
            None => self.lane_by_lane(inst, &held, lane)?,
        }
        Ok(())
    }

    /// An operation on vectors by what the operation of a lane means.
    fn lane_by_lane(&mut self, inst: Inst, held: &[Held], lane: Lane) -> Result<(), Refused> {
        let mut parts: Vec<Parts<Emit<'f>>> = Vec::with_capacity(held.len());
        for &held in held {
            parts.push(match (held, self.datum(held)?) {
                (_, Some(datum)) => Parts::One(datum),
                (held, None) => {
                    let lanes = (0..lane.count()).map(|at| self.emit.extracted(held.register(), lane, at));
                    Parts::Lanes(lanes.collect())
                }
            });
        }
        let op = self.f.inst(inst).op;
        let value = match op.meaning_in_lanes(&mut self.emit, &parts, lane) {
            Some(Parts::One(datum)) => of_datum(datum),
            Some(Parts::Lanes(lanes)) => Held::Vector(self.emit.of_lanes(lane, &lanes), lane),
            None => return self.refuse(format!("`{op}`")),
        };
        self.set(self.f.result(inst), value);
        Ok(())
    }

    /// The amount by which a shift shifts every lane, if it is the same for all.
    fn common_amount(&mut self, op: Op, args: &[Value]) -> Result<Option<Word>, Refused> {
        if !matches!(op, Op::Lshift | Op::Rshift | Op::Urshift) {
            return Ok(None);
        }
        let splat = self.f.def_inst(args[1]).filter(|&inst| self.f.inst(inst).op == Op::Splat);
        splat.map(|inst| self.word(self.f.args(inst)[0])).transpose()
    }

    /// What holds a value that is no vector; nothing where it is one.
    fn datum(&self, held: Held) -> Result<Option<Datum<Emit<'f>>>, Refused> {
        match held {
            Held::Word(word) => Ok(Some(Datum::Word(word))),
            Held::Number(number) => Ok(Some(Datum::Float(number))),
            Held::Vector(..) => Ok(None),
            Held::Reference(_) => self.refuse("a lane holds a reference"),
        }
    }

    /// Reads a vector from memory.
    pub(crate) fn vector_load(&mut self, inst: Inst) -> Result<(), Refused> {
        let result = self.f.result(inst);
        let Type::Vector(lane) = self.f.ty(result) else { return self.refuse("a vector is expected") };
        let start = self.place(inst, BYTES)?;
        let vector = self.emit.code.ins().load(vector_type(lane), little_endian(), start, 0);
        self.set(result, Held::Vector(vector, lane));
        Ok(())
    }

    /// Writes a vector to memory, where every NaN is the same one.
    pub(crate) fn vector_store(&mut self, inst: Inst) -> Result<(), Refused> {
        let Held::Vector(mut vector, lane) = self.get(self.f.args(inst)[2])? else {
            return self.refuse("a vector is expected");
        };
        let start = self.place(inst, BYTES)?;
        if let Some(format) = lane.ty().float_format() {
            let is_nan = self.emit.code.ins().fcmp(FloatCC::Unordered, vector, vector);
            let nan = Real::from_bits(format, u64::MAX).to_bits();
            let nan = self.emit.splat_number(encoding(lane), nan);
            let bits = self.emit.as_lanes(vector, encoding(lane));
            vector = self.emit.code.ins().bitselect(is_nan, nan, bits);
        }
        self.emit.code.ins().store(little_endian(), vector, start, 0);
        Ok(())
    }
}

fn of_datum(datum: Datum<Emit<'_>>) -> Held {
    match datum {
        Datum::Word(word) => Held::Word(word),
        Datum::Float(number) => Held::Number(number),
    }
}
