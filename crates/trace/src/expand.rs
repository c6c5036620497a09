//! Legalization by expansion for traces: operations that traces lack, made of those they have.
//!
//! Branch-free, from the bits of a comparison: `min(x, y)` is `y ^ ((x ^ y) & -(x < y))`. The signed high
//! product follows from the unsigned one (Hacker's Delight, section 8-3), overflow of sums from signs
//! (section 2-13). None of these appear where the optimizer is told to keep to what PyPy writes.

use planish_ir::{Inst, Value};
use planish_ops::{Op, Type};

use crate::emit::illegal;
use crate::lower::{Illegal, Lowering};
use crate::text::Arg;

impl Lowering<'_> {
    /// Writes an operation as several.
    pub(crate) fn expand(&mut self, inst: Inst) -> Result<(), Illegal> {
        let function = self.function;
        let op = function.inst(inst).op;
        let values = function.args(inst);
        let args = self.args(values)?;
        let value = function.result(inst);
        let wide = values.iter().all(|&v| function.ty(v) == Type::I64) && function.ty(value) == Type::I64;
        match op {
            Op::IsNull => self.word_as(value, "ptr_eq", &[args[0], Arg::Null { short: !self.origin.log }]),
            Op::IsNonnull => self.word_as(value, "ptr_ne", &[args[0], Arg::Null { short: !self.origin.log }]),
            Op::NullCheck => {
                self.guard_nonnull(inst, args[0])?;
                self.call_same(value, args[0]);
                Ok(())
            }
            Op::Zext if function.ty(values[0]) == Type::I1 => {
                self.call_same(value, args[0]);
                match args[0] {
                    Arg::Var(_) => Ok(()),
                    constant => self.word_as(value, "same_as_i", &[constant]),
                }
            }
            Op::Sext if function.ty(values[0]) == Type::I1 => self.word_as(value, "int_neg", &args),
            Op::Trunc if function.ty(value) == Type::I1 => {
                self.word_as(value, "int_and", &[args[0], Arg::Int(1)])
            }
            Op::Select if function.ty(value) == Type::I64 => {
                let holds = match function.ty(values[0]) {
                    Type::I1 => args[0],
                    _ => self.word("int_is_true", &[args[0]]),
                };
                self.choice(value, holds, [args[1], args[2]])
            }
            Op::Signext if wide => self.sign_extension(inst, args[0]),
            Op::Abs if wide => {
                let sign = self.word("int_rshift", &[args[0], Arg::Int(63)]);
                let flipped = self.word("int_xor", &[args[0], sign]);
                self.word_as(value, "int_sub", &[flipped, sign])
            }
            Op::Min | Op::Max | Op::Umin | Op::Umax if wide => {
                let first = match op {
                    Op::Min => "int_lt",
                    Op::Max => "int_gt",
                    Op::Umin => "uint_lt",
                    _ => "uint_gt",
                };
                let holds = self.word(first, &args);
                self.choice(value, holds, [args[0], args[1]])
            }
            Op::Rotl if wide => self.rotation(value, args[0], args[1], ["int_lshift", "uint_rshift"]),
            Op::Rotr if wide => self.rotation(value, args[0], args[1], ["uint_rshift", "int_lshift"]),
            Op::Smulh if wide => {
                let high = self.signed_high(args[0], args[1]);
                self.call_same(value, high);
                Ok(())
            }
            _ => {
                let types: Vec<String> = values.iter().map(|&v| function.ty(v).to_string()).collect();
                Err(illegal(inst, format!("`{op}` on {} cannot stand in a trace", types.join(", "))))
            }
        }
    }

    /// Writes a choice of the first word, if a bit is set, or the second.
    fn choice(&mut self, value: Value, holds: Arg, [chosen, other]: [Arg; 2]) -> Result<(), Illegal> {
        let (difference, mask) = (self.word("int_xor", &[chosen, other]), self.word("int_neg", &[holds]));
        let kept = self.word("int_and", &[difference, mask]);
        self.word_as(value, "int_xor", &[other, kept])
    }

    /// Writes a rotation by two shifts, the one of its direction first.
    fn rotation(
        &mut self,
        value: Value,
        word: Arg,
        amount: Arg,
        [there, back]: [&'static str; 2],
    ) -> Result<(), Illegal> {
        // The rest is 64 - amount, and 0 for 0: both halves are the word then.
        let (amount, rest) = match amount {
            Arg::Int(amount) => (Arg::Int(amount & 63), Arg::Int(amount.wrapping_neg() & 63)),
            amount => {
                let amount = self.word("int_and", &[amount, Arg::Int(63)]);
                let negated = self.word("int_neg", &[amount]);
                (amount, self.word("int_and", &[negated, Arg::Int(63)]))
            }
        };
        let (high, low) = (self.word(there, &[word, amount]), self.word(back, &[word, rest]));
        self.word_as(value, "int_or", &[high, low])
    }

    fn sign_extension(&mut self, inst: Inst, x: Arg) -> Result<(), Illegal> {
        let function = self.function;
        let (value, bits) = (function.result(inst), function.args(inst)[1]);
        if let Some(bits) = function.int_constant(bits).map(|int| int.signed()) {
            return match bits {
                8 | 16 | 24 | 32 | 40 | 48 | 56 | 64 => {
                    self.word_as(value, "int_signext", &[x, Arg::Int(bits / 8)])
                }
                1..64 => {
                    let up = self.word("int_lshift", &[x, Arg::Int(64 - bits)]);
                    self.word_as(value, "int_rshift", &[up, Arg::Int(64 - bits)])
                }
                _ => self.word_as(value, "same_as_i", &[x]),
            };
        }
        // The number of bytes times eight, as lifting writes it.
        let bytes = function.def_inst(bits).filter(|&def| {
            let eight = |arg| function.int_constant(arg).is_some_and(|int| int.signed() == 8);
            function.inst(def).op == Op::Mul && eight(function.args(def)[1])
        });
        match bytes {
            Some(def) => {
                let bytes = self.arg(function.args(def)[0])?;
                self.word_as(value, "int_signext", &[x, bytes])
            }
            None => Err(illegal(inst, "a sign extension needs a constant number of bits".to_owned())),
        }
    }

    /// The high word of the signed product: the unsigned one less y where x is negative, less x where y is.
    fn signed_high(&mut self, x: Arg, y: Arg) -> Arg {
        let high = self.word("uint_mul_high", &[x, y]);
        let (left, right) =
            (self.word("int_rshift", &[x, Arg::Int(63)]), self.word("int_rshift", &[y, Arg::Int(63)]));
        let (left, right) = (self.word("int_and", &[left, y]), self.word("int_and", &[right, x]));
        let first = self.word("int_sub", &[high, left]);
        self.word("int_sub", &[first, right])
    }

    /// Whether `x op y`, whose low word is `low`, overflows: 0 or 1.
    pub(crate) fn overflow_bit(&mut self, op: Op, x: Arg, y: Arg, low: Arg) -> Arg {
        if op == Op::MulOvf {
            let high = self.signed_high(x, y);
            let sign = self.word("int_rshift", &[low, Arg::Int(63)]);
            return self.word("int_ne", &[high, sign]);
        }
        let left = self.word("int_xor", &[x, low]);
        let right = match op {
            Op::AddOvf => self.word("int_xor", &[y, low]),
            _ => self.word("int_xor", &[x, y]),
        };
        let differ = self.word("int_and", &[left, right]);
        self.word("int_lt", &[differ, Arg::Int(0)])
    }
}
