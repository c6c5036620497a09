//! Vectors as machine code: registers of several lanes, and the operations that a machine does in all of them at once.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    Endianness, InstBuilder, MemFlagsData, Type as Machine, Value as Register, types,
};
use planish_ops::{Bits, Datum, FloatFormat, Lane, Op};

use crate::words::{Emit, Number, Word};

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
pub(crate) fn encoding(lane: Lane) -> Lane {
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
    pub fn splat(&mut self, datum: Datum<Self>, lane: Lane) -> Register {
        let value = self.lane_of(datum, lane);
        self.code.ins().splat(vector_type(lane), value)
    }

    /// A vector of integers with a number in every lane.
    pub fn splat_number(&mut self, lane: Lane, number: u64) -> Register {
        let word = self.word(lane.bits(), number);
        self.splat(Datum::Word(word), lane)
    }

    /// What a lane of a vector holds.
    pub fn extracted(&mut self, vector: Register, lane: Lane, at: u32) -> Datum<Self> {
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
    pub fn inserted(&mut self, vector: Register, lane: Lane, at: u32, datum: Datum<Self>) -> Register {
        let value = self.lane_of(datum, lane);
        self.code.ins().insertlane(vector, value, at as u8)
    }

    /// A vector of such values.
    pub fn of_lanes(&mut self, lane: Lane, values: &[Datum<Self>]) -> Register {
        let first = self.splat(values[0], lane);
        (1..).zip(&values[1..]).fold(first, |vector, (at, &value)| self.inserted(vector, lane, at, value))
    }

    /// What the machine does in all lanes at once, if it has an operation that does what one of the table does in each.
    pub fn packed(&mut self, op: Op, lane: Lane, args: &[Register]) -> Option<Register> {
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
    pub fn shifted(&mut self, op: Op, x: Register, amount: Word) -> Option<Register> {
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
