//! The code of operations on vectors: the machine's own where it has one that does in all lanes what the operation of a lane
//! does, else that operation by its meaning in the table, lane after lane.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    Endianness, InstBuilder, MemFlagsData, Type as Machine, Value as Register, types,
};
use planish_ir::{Inst, Value};
use planish_ops::lanes::{Value as Parts, lane_of};
use planish_ops::row::Lanewise;
use planish_ops::{Bits, Datum, FloatFormat, Lane, Op, Real, Type};

use crate::access::little_endian;
use crate::function::{Held, Writer};
use crate::refused::Refused;
use crate::words::{Emit, Number, Word};

/// How many bytes a vector has.
const BYTES: u32 = 16;

/// The type of what holds a vector.
pub(crate) fn vector_type(lane: Lane) -> Machine {
    match lane {
        Lane::I8 => types::I8X16,
        Lane::I16 => types::I16X8,
        Lane::I32 => types::I32X4,
        Lane::I64 => types::I64X2,
        Lane::F32 => types::F32X4,
        Lane::F64 => types::F64X2,
    }
}

/// The lanes of integers that are as wide.
fn encoding(lane: Lane) -> Lane {
    match lane {
        Lane::F32 => Lane::I32,
        Lane::F64 => Lane::I64,
        lane => lane,
    }
}

impl Emit<'_> {
    /// The same bits as other lanes.
    pub fn as_lanes(&mut self, value: Register, lane: Lane) -> Register {
        let ty = vector_type(lane);
        if self.code.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.code.ins().bitcast(ty, flags, value)
    }

    /// What is in a register as a machine's lane holds it: words are wider there than narrow lanes.
    fn lane_of(&mut self, datum: Datum<Self>, lane: Lane) -> Register {
        match datum {
            Datum::Word(word) => match lane {
                Lane::I8 => self.code.ins().ireduce(types::I8, word.value),
                Lane::I16 => self.code.ins().ireduce(types::I16, word.value),
                _ => word.value,
            },
            Datum::Float(number) => number.value,
        }
    }

    /// A vector with a value in every lane.
    fn splat(&mut self, datum: Datum<Self>, lane: Lane) -> Register {
        let value = self.lane_of(datum, lane);
        self.code.ins().splat(vector_type(lane), value)
    }

    /// A vector of integers with a number in every lane.
    fn splat_number(&mut self, lane: Lane, number: u64) -> Register {
        let word = self.word(lane.bits(), number);
        self.splat(Datum::Word(word), lane)
    }

    /// What a lane of a vector holds.
    fn extracted(&mut self, vector: Register, lane: Lane, at: u32) -> Datum<Self> {
        let value = self.code.ins().extractlane(vector, at as u8);
        match lane {
            Lane::F32 => Datum::Float(Number { value, format: FloatFormat::F32 }),
            Lane::F64 => Datum::Float(Number { value, format: FloatFormat::F64 }),
            Lane::I8 | Lane::I16 => {
                let value = self.code.ins().uextend(types::I32, value);
                Datum::Word(Word::unknown(value, lane.bits()))
            }
            Lane::I32 | Lane::I64 => Datum::Word(Word::unknown(value, lane.bits())),
        }
    }

    /// A vector with another value in a lane.
    fn inserted(&mut self, vector: Register, lane: Lane, at: u32, datum: Datum<Self>) -> Register {
        let value = self.lane_of(datum, lane);
        self.code.ins().insertlane(vector, value, at as u8)
    }

    /// A vector of such values.
    fn of_lanes(&mut self, lane: Lane, values: &[Datum<Self>]) -> Register {
        let first = self.splat(values[0], lane);
        (1..).zip(&values[1..]).fold(first, |vector, (at, &value)| self.inserted(vector, lane, at, value))
    }

    /// What the machine does in all lanes at once, if it has an operation that does what one of the table does in each.
    fn packed(&mut self, op: Op, lane: Lane, args: &[Register]) -> Option<Register> {
        if let Some(how) = comparison(op) {
            let mask = self.code.ins().icmp(how, args[0], args[1]);
            let one = self.splat_number(lane, 1);
            return Some(self.code.ins().band(mask, one));
        }
        let zero = (op == Op::Select).then(|| self.splat_number(lane, 0));
        let ins = self.code.ins();
        Some(match (op, args) {
            (Op::Add, &[x, y]) => ins.iadd(x, y),
            (Op::Sub, &[x, y]) => ins.isub(x, y),
            // No machine multiplies bytes.
            (Op::Mul, &[x, y]) if lane != Lane::I8 => ins.imul(x, y),
            (Op::Neg, &[x]) => ins.ineg(x),
            (Op::Abs, &[x]) => ins.iabs(x),
            (Op::Min, &[x, y]) => ins.smin(x, y),
            (Op::Max, &[x, y]) => ins.smax(x, y),
            (Op::Umin, &[x, y]) => ins.umin(x, y),
            (Op::Umax, &[x, y]) => ins.umax(x, y),
            (Op::And, &[x, y]) => ins.band(x, y),
            (Op::Or, &[x, y]) => ins.bor(x, y),
            (Op::Xor, &[x, y]) => ins.bxor(x, y),
            (Op::Not, &[x]) => ins.bnot(x),
            (Op::Select, &[c, x, y]) => {
                let mask = ins.icmp(IntCC::NotEqual, c, zero?);
                self.code.ins().bitselect(mask, x, y)
            }
            (Op::Fadd, &[x, y]) => ins.fadd(x, y),
            (Op::Fsub, &[x, y]) => ins.fsub(x, y),
            (Op::Fmul, &[x, y]) => ins.fmul(x, y),
            (Op::Fdiv, &[x, y]) => ins.fdiv(x, y),
            (Op::Fneg, &[x]) => ins.fneg(x),
            (Op::Fabs, &[x]) => ins.fabs(x),
            (Op::Fsqrt, &[x]) => ins.sqrt(x),
            _ => return None,
        })
    }

    /// A shift of all lanes by one amount, which the machine takes modulo their width as the table does.
    fn shifted(&mut self, op: Op, x: Register, amount: Word) -> Option<Register> {
        let ins = self.code.ins();
        match op {
            Op::Lshift => Some(ins.ishl(x, amount.value)),
            Op::Rshift => Some(ins.sshr(x, amount.value)),
            Op::Urshift => Some(ins.ushr(x, amount.value)),
            _ => None,
        }
    }
}

/// How an operation compares, if it does.
fn comparison(op: Op) -> Option<IntCC> {
    match op {
        Op::Eq => Some(IntCC::Equal),
        Op::Ne => Some(IntCC::NotEqual),
        Op::Lt => Some(IntCC::SignedLessThan),
        Op::Le => Some(IntCC::SignedLessThanOrEqual),
        Op::Ult => Some(IntCC::UnsignedLessThan),
        Op::Ule => Some(IntCC::UnsignedLessThanOrEqual),
        _ => None,
    }
}

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
