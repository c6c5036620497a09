//! The code of one operation.
//!
//! An operation with a meaning in the table is compiled by that meaning. What is here is what the table does not say:
//! references and guards; and that an operation which leaves is compared first.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Register, types};
use planish_interp::value::Fault;
use planish_ir::{Inst, Value};
use planish_ops::meaning::Datum;
use planish_ops::world::World;
use planish_ops::{Bits, Op, Type};

use crate::function::{Held, Thrown, Writer, held};
use crate::refused::Refused;
use crate::words::{Emit, Word};

impl Writer<'_, '_, '_> {
    pub(crate) fn operation(&mut self, inst: Inst) -> Result<(), Refused> {
        let data = *self.f.inst(inst);
        let args = self.f.args(inst);
        match data.op {
            // The world outside, which alone forces and invalidates, is not called.
            Op::Marker | Op::GuardNotForced | Op::GuardNotInvalidated => Ok(()),
            Op::GuardOther if data.descr.is_some_and(|d| self.unit.module.descriptors.only_marks(d)) => {
                Ok(())
            }
            Op::Select => self.select(inst),
            Op::Rotl | Op::Rotr => {
                let (x, amount) = (self.word(args[0])?, self.word(args[1])?);
                match self.emit.rotated(x, amount, data.op == Op::Rotl) {
                    Some(word) => {
                        self.set(self.f.result(inst), Held::Word(word));
                        Ok(())
                    }
                    None => self.pure(inst),
                }
            }
            // Which NaN it is, is unspecified.
            Op::FloatToRawBits => match self.get(args[0])? {
                Held::Number(number) => {
                    let bits = self.emit.raw_bits(number);
                    self.set(self.f.result(inst), Held::Word(bits));
                    Ok(())
                }
                _ => self.refuse("a float is expected"),
            },
            Op::IsNull | Op::IsNonnull => {
                let (x, null) = (self.register(args[0])?, self.null());
                self.truth(inst, data.op == Op::IsNull, x, null);
                Ok(())
            }
            Op::RefEq | Op::RefNe => {
                let (x, y) = (self.register(args[0])?, self.register(args[1])?);
                self.truth(inst, data.op == Op::RefEq, x, y);
                Ok(())
            }
            Op::GuardTrue | Op::GuardFalse | Op::GuardValue | Op::GuardNonnull | Op::GuardIsnull => {
                let fails = self.fails(data.op, args)?;
                self.leave_if(fails, data.exit, Thrown::Fault(Fault::Guard))
            }
            Op::NullCheck => {
                let (x, null) = (self.register(args[0])?, self.null());
                let fails = self.emit.compare(IntCC::Equal, x, null);
                self.leave_if(fails, data.exit, Thrown::Fault(Fault::Null))?;
                self.set(self.f.result(inst), Held::Reference(x));
                Ok(())
            }
            Op::BoundsCheck => {
                let (index, length) = (self.word(args[0])?, self.word(args[1])?);
                let (negative, within) = (self.emit.is_negative(index), self.emit.slt(index, length));
                let behind = self.emit.negate(within);
                let fails = self.emit.either(negative, behind);
                self.leave_if(fails, data.exit, Thrown::Fault(Fault::Bounds))
            }
            Op::Call => self.calls(inst),
            Op::CallRef => self.refuse("a call through a reference"),
            Op::Lookup => self.look_up(inst),
            Op::RawLoad => self.raw_load(inst),
            Op::RawStore => self.raw_store(inst),
            Op::RawFill => self.raw_fill(inst),
            Op::RawCopy => self.raw_copy(inst),
            Op::Vload => self.vector_load(inst),
            Op::Vstore => self.vector_store(inst),
            op if let Some(how) = op.row().lanewise => self.in_lanes(inst, how),
            _ => self.pure(inst),
        }
    }

    pub(crate) fn null(&mut self) -> Register {
        self.emit.code.ins().iconst(types::I64, 0)
    }

    /// Whether two references are the same, or whether they differ, in the type of the result.
    fn truth(&mut self, inst: Inst, equal: bool, x: Register, y: Register) {
        let holds = self.emit.compare(if equal { IntCC::Equal } else { IntCC::NotEqual }, x, y);
        let result = self.f.result(inst);
        let width = self.f.ty(result).int_width().unwrap_or(1);
        let word = self.emit.bool_word(width, holds);
        self.set(result, Held::Word(word));
    }

    fn select(&mut self, inst: Inst) -> Result<(), Refused> {
        let args = self.f.args(inst);
        let condition = self.word(args[0])?;
        let condition = self.emit.is_nonzero(condition);
        let chosen = match (self.get(args[1])?, self.get(args[2])?) {
            (Held::Word(x), Held::Word(y)) => Held::Word(self.emit.select(condition, x, y)),
            (x, y) => {
                let (Held::Number(_) | Held::Reference(_) | Held::Vector(..)) = x else {
                    return self.refuse("two kinds of values");
                };
                let (x, y) = (x.register(), y.register());
                held(self.emit.code.ins().select(condition, x, y), self.f.ty(args[1]))
            }
        };
        self.set(self.f.result(inst), chosen);
        Ok(())
    }

    /// Whether a guard fails.
    fn fails(&mut self, op: Op, args: &[Value]) -> Result<Register, Refused> {
        let x = self.get(args[0])?;
        Ok(match (op, x) {
            (Op::GuardTrue, Held::Word(x)) => {
                let zero = self.emit.zero(x);
                self.emit.eq(x, zero)
            }
            (Op::GuardFalse, Held::Word(x)) => self.emit.is_nonzero(x),
            (Op::GuardValue, Held::Number(x)) => {
                let Held::Number(y) = self.get(args[1])? else { return self.refuse("a float is expected") };
                let same = planish_ops::Floats::f_same(&mut self.emit, x, y);
                self.emit.negate(same)
            }
            (Op::GuardValue, Held::Vector(..)) => return self.refuse("a guard compares vectors"),
            (Op::GuardValue, _) => {
                let y = self.register(args[1])?;
                self.emit.compare(IntCC::NotEqual, x.register(), y)
            }
            (_, x) => {
                let null = self.null();
                let how = if op == Op::GuardNonnull { IntCC::Equal } else { IntCC::NotEqual };
                self.emit.compare(how, x.register(), null)
            }
        })
    }

    /// An operation whose meaning the table holds.
    fn pure(&mut self, inst: Inst) -> Result<(), Refused> {
        let data = *self.f.inst(inst);
        let mut args: Vec<Datum<Emit<'_>>> = Vec::new();
        for &arg in self.f.args(inst) {
            args.push(match self.get(arg)? {
                Held::Word(word) => Datum::Word(word),
                Held::Number(number) => Datum::Float(number),
                Held::Reference(_) | Held::Vector(..) => return self.refuse(format!("`{}`", data.op)),
            });
        }
        if let Some(divisor) = data.op.row().divisor {
            let divisor = args[usize::from(divisor)].word();
            self.check_divisor(divisor, inst)?;
            self.emit.nonzero = Some(divisor.value);
        }
        let results: Vec<Value> = self.f.results(inst).collect();
        let to: Vec<Type> = results.iter().map(|&result| self.f.ty(result)).collect();
        let meaning = data.op.meaning(&mut self.emit, &args, &to);
        self.emit.nonzero = None;
        let Some(meaning) = meaning else { return self.refuse(format!("`{}`", data.op)) };
        if let Some(&first) = results.first() {
            let value = match meaning.value {
                Datum::Word(word) => Held::Word(word),
                Datum::Float(number) => Held::Number(number),
            };
            self.set(first, value);
        }
        if let (Some(&second), Some(flag)) = (results.get(1), meaning.flag) {
            self.set(second, Held::Word(flag));
        }
        Ok(())
    }

    /// Leaves where a divisor is zero.
    fn check_divisor(&mut self, divisor: Word, inst: Inst) -> Result<(), Refused> {
        if divisor.constant.is_some_and(|value| value != 0) {
            return Ok(());
        }
        let zero = self.emit.zero(divisor);
        let fails = self.emit.eq(divisor, zero);
        self.leave_if(fails, self.f.inst(inst).exit, Thrown::Fault(Fault::Division))
    }
}
