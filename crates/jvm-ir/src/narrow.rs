//! Narrow integer types (`byte`, `short`, `char`, `boolean`): the truncation of fields and array items.
//!
//! The JVM computes with `int`s, and cuts one off where it is stored to a field or an item that is narrower.

use planish_ir::{Function, Inst, Location, Value};
use planish_ops::{Op, Type};

/// What narrows a value to what a field or box of a type holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Narrow {
    /// Nothing.
    Whole,
    /// The lowest bit.
    Bit,
    /// The lowest bits, with their sign.
    Signed(u8),
    /// The lowest bits.
    Unsigned(u8),
}

impl Narrow {
    /// For a field with a descriptor.
    pub fn of(descriptor: &[u8]) -> Narrow {
        match descriptor {
            b"Z" => Narrow::Bit,
            b"B" => Narrow::Signed(8),
            b"S" => Narrow::Signed(16),
            b"C" => Narrow::Unsigned(16),
            _ => Narrow::Whole,
        }
    }

    /// An `int` made narrow.
    pub fn apply(self, value: i32) -> i32 {
        match self {
            Narrow::Whole => value,
            Narrow::Bit => value & 1,
            Narrow::Signed(bits) => value << (32 - bits) >> (32 - bits),
            Narrow::Unsigned(bits) => value & ((1 << bits) - 1),
        }
    }

    /// Makes a value narrow, by operations that are added to `insts`.
    pub fn value(self, f: &mut Function, value: Value, place: Location, insts: &mut Vec<Inst>) -> Value {
        let mut make = |f: &mut Function, op: Op, args: &[Value], ty: Type| {
            let inst = f.make_inst(op, args, &[ty], None, None, place);
            insts.push(inst);
            f.result(inst)
        };
        let (bits, widen) = match (self, f.int_constant(value)) {
            // What is not cut off has the type of its field, which may be `long`.
            (Narrow::Whole, _) => return value,
            (_, Some(constant)) => {
                return f.make_int(Type::I32, self.apply(constant.signed() as i32).into());
            }
            (Narrow::Bit, None) => {
                let one = f.make_int(Type::I32, 1);
                return make(f, Op::And, &[value, one], Type::I32);
            }
            (Narrow::Signed(bits), None) => (bits, Op::Sext),
            (Narrow::Unsigned(bits), None) => (bits, Op::Zext),
        };
        let narrow = make(f, Op::Trunc, &[value], Type::Int(bits));
        make(f, widen, &[narrow], Type::I32)
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::{Builder, Location};
    use planish_ops::Type;

    use super::Narrow;

    #[test]
    fn whole_numbers_stay_what_they_are() {
        let mut builder = Builder::new("test", &[]);
        let entry = builder.block("entry");
        builder.at(entry);
        builder.ret(&[]);
        let mut f = builder.finish();
        let long = f.make_int(Type::I64, 1 << 40);
        let mut insts = Vec::new();
        assert_eq!(Narrow::Whole.value(&mut f, long, Location::default(), &mut insts), long);
        let int = f.make_int(Type::I32, 300);
        let cut = Narrow::Signed(8).value(&mut f, int, Location::default(), &mut insts);
        assert_eq!(f.int_constant(cut).map(|number| number.signed()), Some(44));
        assert!(insts.is_empty());
    }
}
