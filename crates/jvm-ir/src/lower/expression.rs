//! Instruction selection of operations: what they become on the operand stack.
//!
//! Integers narrower than 32 bits are kept sign-extended in an `int`, one bit as 0 or 1. Operations that
//! the instruction set lacks but the JDK has as an intrinsic method (`Math.min`, `Integer.bitCount`)
//! become calls of it. What is neither is an error that names the operation; the caller keeps the
//! method as it was.

use planish_classfile::{Insn, MemberKind, MemberRef, Opcode, Operand};
use planish_ir::{Inst, Value};
use planish_ops::{FloatFormat, Op, Type};

use crate::lower::item::Kind;
use crate::lower::select::{Outcome, Selector};
use crate::lower::uses::is_pure;
use crate::naming::Named;

/// Whether the instruction set has an operation, so that making one is no loss. Of the others some are
/// written as calls of the JDK or as several instructions, some not at all.
pub fn is_native(op: Op) -> bool {
    use Op::*;
    let arithmetic = matches!(op, Add | Sub | Mul | Neg | Sdiv | Srem | And | Or | Xor | Not)
        || matches!(op, Lshift | Rshift | Urshift | Fadd | Fsub | Fmul | Fdiv | Frem | Fneg);
    let comparison = matches!(op, Eq | Ne | Lt | Le | Gt | Ge | IsTrue | IsZero | Feq | Fne | Flt | Fle)
        || matches!(op, Fgt | Fge | Fcmpl | Fcmpg | IsNull | IsNonnull | RefEq | RefNe);
    let conversion = matches!(op, Sext | Zext | Trunc | SignedToFloat | FloatToSignedSat | FloatConvert);
    arithmetic || comparison || conversion
}

/// An operation whose operands are on the stack.
#[derive(Clone, Copy)]
struct Operation {
    op: Op,
    /// What its result is to the JVM.
    kind: Kind,
    /// The type of its first operand.
    from: Type,
    /// The type of its result.
    ty: Type,
}

impl Selector<'_, '_> {
    /// Writes an operation in its place.
    pub(super) fn root(&mut self, inst: Inst) -> Outcome {
        let args = self.f.args(inst).to_vec();
        let start = if is_pure(self.f, inst) {
            let order = self.operand_order(inst);
            let needed = if order.is_empty() { &args } else { &order };
            let start = self.operands_of(&order, needed)?;
            self.expression(inst)?;
            start
        } else {
            let guard = self.guarded(self.f.inst(inst).exit)?;
            let start = self.operands(&args)?;
            for &arg in &args {
                self.push(arg)?;
            }
            self.guard = guard;
            self.effect(inst)?;
            self.guard = None;
            start
        };
        let mut results = self.f.results(inst);
        match (results.next(), results.next()) {
            (None, _) => Ok(()),
            (Some(value), None) => self.define(value, start),
            _ => Err(format!("{} has several results", self.f.inst(inst).op)),
        }
    }

    fn push_all(&mut self, args: &[Value]) -> Outcome {
        args.iter().try_for_each(|&arg| self.push(arg).map(drop))
    }

    /// Writes an operation that may have effects or throw, whose operands are on the stack.
    fn effect(&mut self, inst: Inst) -> Outcome {
        let data = *self.f.inst(inst);
        let named = data.descr.map(|descr| self.names.named(descr).clone());
        let args = self.f.args(inst);
        let first = args.first().map(|&arg| self.kind(arg)).transpose()?;
        let instruction = match (data.op, named) {
            (Op::Call | Op::ArrayLen, Some(Named::Instruction(instruction))) => instruction,
            (Op::Sdiv | Op::Srem, None) if full_width(self.f.ty(args[0])) => {
                let kind = first.ok_or("a division has operands")?;
                let op = if data.op == Op::Sdiv { Opcode::Idiv } else { Opcode::Irem };
                Insn::plain(kind.member(op))
            }
            (Op::Udiv | Op::Urem, None) if full_width(self.f.ty(args[0])) => {
                let name = if data.op == Op::Udiv { "divideUnsigned" } else { "remainderUnsigned" };
                return match first {
                    Some(Kind::Int) => self.call("java/lang/Integer", name, "(II)I"),
                    _ => self.call("java/lang/Long", name, "(JJ)J"),
                };
            }
            (Op::GetItem, Some(Named::Items(load))) => Insn::plain(load),
            (Op::SetItem, Some(Named::Items(load))) => Insn::plain(
                Opcode::from_byte(load as u8 - Opcode::Iaload as u8 + Opcode::Iastore as u8)
                    .ok_or("an array store")?,
            ),
            (Op::ArrayLen, _) => Insn::plain(Opcode::Arraylength),
            (Op::NewArray, Some(Named::NewArray(instruction))) => instruction,
            (Op::GetField, Some(Named::Field(index))) => Insn::constant(Opcode::Getfield, index),
            (Op::SetField, Some(Named::Field(index))) => Insn::constant(Opcode::Putfield, index),
            (Op::GetStatic, Some(Named::Field(index))) => Insn::constant(Opcode::Getstatic, index),
            (Op::SetStatic, Some(Named::Field(index))) => Insn::constant(Opcode::Putstatic, index),
            (Op::NullCheck, None) => {
                let get_class = MemberRef {
                    kind: MemberKind::Method,
                    class: b"java/lang/Object",
                    name: b"getClass",
                    descriptor: b"()Ljava/lang/Class;",
                };
                let index = self.pool.add_member(get_class).map_err(|error| error.to_string())?;
                let check = Insn::constant(Opcode::Invokevirtual, index);
                if self.uses.count(self.f.result(inst)) > 0 {
                    self.op(Opcode::Dup);
                    self.insn(check);
                    Insn::plain(Opcode::Pop)
                } else {
                    // The class stands for the object that nobody wants, and goes like it.
                    check
                }
            }
            (Op::CheckCast, Some(Named::Class(index))) => Insn::constant(Opcode::Checkcast, index),
            (op, _) => return Err(format!("{op} is not written as bytecode")),
        };
        self.insn(instruction);
        Ok(())
    }

    /// Writes an operation without effects, operands first. The result is on the stack.
    pub(super) fn expression(&mut self, inst: Inst) -> Outcome {
        let op = self.f.inst(inst).op;
        let args = self.f.args(inst).to_vec();
        let result = self.f.results(inst).next().ok_or_else(|| format!("{op} has no result"))?;
        let ty = self.f.ty(result);
        let kind = self.kind(result)?;
        if self.is_condition(op) {
            return self.truth(inst);
        }
        match op {
            Op::Select => return self.select_value(inst),
            Op::Lshift | Op::Rshift | Op::Urshift => return self.shift(op, &args, ty),
            Op::Rotl | Op::Rotr => return self.rotation(op, &args, ty),
            Op::Signext => return self.sign_extension(op, &args, ty),
            Op::Zext if self.cut_to_char(args[0], ty)? => return Ok(()),
            _ => {}
        }
        self.push_all(&args)?;
        let from = args.first().map(|&arg| self.f.ty(arg)).unwrap_or(ty);
        let made = Operation { op, kind, from, ty };
        match op {
            Op::Add | Op::Sub | Op::Mul | Op::Neg => self.arithmetic(made),
            Op::And | Op::Or | Op::Xor | Op::Not => self.bitwise(made),
            Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem | Op::Fneg => self.float_arithmetic(made),
            Op::Fcmpl | Op::Fcmpg if ty == Type::I32 => {
                let less = if op == Op::Fcmpl { Opcode::Fcmpl } else { Opcode::Fcmpg };
                self.plain(if from == Type::F64 { less.next().next() } else { less })
            }
            Op::Sext | Op::Zext | Op::Trunc => self.resize(made),
            Op::SignedToFloat | Op::FloatToSignedSat | Op::FloatConvert => self.float_conversion(made),
            Op::FloatToBits | Op::BitsToFloat => self.encoding(made),
            _ => self.intrinsic(made, args.len()),
        }
    }

    fn shift(&mut self, op: Op, args: &[Value], ty: Type) -> Outcome {
        if !full_width(ty) {
            return unsupported(op, ty);
        }
        self.push(args[0])?;
        self.push_amount(args[1])?;
        let first = match op {
            Op::Lshift => Opcode::Ishl,
            Op::Rshift => Opcode::Ishr,
            _ => Opcode::Iushr,
        };
        self.plain(if ty == Type::I64 { first.next() } else { first })
    }

    fn rotation(&mut self, op: Op, args: &[Value], ty: Type) -> Outcome {
        let name = if op == Op::Rotl { "rotateLeft" } else { "rotateRight" };
        self.push(args[0])?;
        self.push_amount(args[1])?;
        match ty {
            Type::I32 => self.call("java/lang/Integer", name, "(II)I"),
            Type::I64 => self.call("java/lang/Long", name, "(JI)J"),
            _ => unsupported(op, ty),
        }
    }

    fn sign_extension(&mut self, op: Op, args: &[Value], ty: Type) -> Outcome {
        let bits = self.f.int_constant(args[1]).map(|int| int.unsigned());
        self.push(args[0])?;
        match (ty, bits) {
            (Type::I32, Some(8)) => self.plain(Opcode::I2b),
            (Type::I32, Some(16)) => self.plain(Opcode::I2s),
            _ => unsupported(op, ty),
        }
    }

    /// Writes a number that is cut to 16 bits and widened again, if that is what `narrow` is made for: `i2c` cuts and
    /// extends at once.
    fn cut_to_char(&mut self, narrow: Value, ty: Type) -> Outcome<bool> {
        if self.deferred_op(narrow) != Some(Op::Trunc) || self.f.ty(narrow) != Type::Int(16) {
            return Ok(false);
        }
        let from = self.first_operand(narrow);
        if self.f.ty(from) != Type::I32 || ty != Type::I32 {
            return Ok(false);
        }
        self.push(from)?;
        self.op(Opcode::I2c);
        Ok(true)
    }

    fn arithmetic(&mut self, Operation { op, kind, ty, .. }: Operation) -> Outcome {
        let first = match op {
            Op::Add => Opcode::Iadd,
            Op::Sub => Opcode::Isub,
            Op::Mul => Opcode::Imul,
            _ => Opcode::Ineg,
        };
        self.op(kind.member(first));
        self.normalize(op, ty)
    }

    /// Of sign-extended operands the result is sign-extended.
    fn bitwise(&mut self, Operation { op, kind, ty, .. }: Operation) -> Outcome {
        let first = match op {
            Op::And => Opcode::Iand,
            Op::Or => Opcode::Ior,
            _ => Opcode::Ixor,
        };
        if op == Op::Not {
            match kind {
                Kind::Long => self.push_long(-1)?,
                _ => self.push_int(if ty == Type::I1 { 1 } else { -1 })?,
            }
        }
        self.plain(if kind == Kind::Long { first.next() } else { first })
    }

    fn float_arithmetic(&mut self, Operation { op, kind, .. }: Operation) -> Outcome {
        let first = match op {
            Op::Fadd => Opcode::Iadd,
            Op::Fsub => Opcode::Isub,
            Op::Fmul => Opcode::Imul,
            Op::Fdiv => Opcode::Idiv,
            Op::Frem => Opcode::Irem,
            _ => Opcode::Ineg,
        };
        self.plain(kind.member(first))
    }

    /// Conversions between widths of integers.
    fn resize(&mut self, Operation { op, from, ty, .. }: Operation) -> Outcome {
        match (op, from) {
            (Op::Trunc, _) => {
                if from == Type::I64 {
                    self.op(Opcode::L2i);
                }
                return self.normalize(op, ty);
            }
            (Op::Sext, Type::I1) => self.op(Opcode::Ineg),
            (Op::Sext, _) | (_, Type::I1 | Type::I64) => {}
            (_, Type::Int(8)) => {
                self.push_int(0xff)?;
                self.op(Opcode::Iand);
            }
            (_, Type::Int(16)) => self.op(Opcode::I2c),
            (_, Type::I32) => {
                self.op(Opcode::I2l);
                self.push_long(0xffff_ffff)?;
                return self.plain(Opcode::Land);
            }
            _ => return unsupported(op, from),
        }
        self.widen(op, from, ty)
    }

    /// Conversions to, from and between floats.
    fn float_conversion(&mut self, Operation { op, from, ty, .. }: Operation) -> Outcome {
        match (op, from, ty) {
            (Op::SignedToFloat, Type::I64, Type::F32) => self.plain(Opcode::L2f),
            (Op::SignedToFloat, Type::I64, Type::F64) => self.plain(Opcode::L2d),
            (Op::SignedToFloat, Type::Int(2..=32), Type::F32) => self.plain(Opcode::I2f),
            (Op::SignedToFloat, Type::Int(2..=32), Type::F64) => self.plain(Opcode::I2d),
            (Op::SignedToFloat, ..) => unsupported(op, from),
            (Op::FloatToSignedSat, Type::F32, Type::I32) => self.plain(Opcode::F2i),
            (Op::FloatToSignedSat, Type::F32, Type::I64) => self.plain(Opcode::F2l),
            (Op::FloatToSignedSat, Type::F64, Type::I32) => self.plain(Opcode::D2i),
            (Op::FloatToSignedSat, Type::F64, Type::I64) => self.plain(Opcode::D2l),
            (Op::FloatToSignedSat, ..) => unsupported(op, ty),
            (_, Type::F32, Type::F64) => self.plain(Opcode::F2d),
            (_, Type::F64, Type::F32) => self.plain(Opcode::D2f),
            _ => Ok(()),
        }
    }

    /// The encoding of a float as an integer, and back.
    fn encoding(&mut self, Operation { op, from, ty, .. }: Operation) -> Outcome {
        match (op, if op == Op::FloatToBits { from } else { ty }.float_format()) {
            (Op::FloatToBits, Some(FloatFormat::F32)) => {
                self.call("java/lang/Float", "floatToIntBits", "(F)I")
            }
            (Op::FloatToBits, _) => self.call("java/lang/Double", "doubleToLongBits", "(D)J"),
            (_, Some(FloatFormat::F32)) => self.call("java/lang/Float", "intBitsToFloat", "(I)F"),
            _ => self.call("java/lang/Double", "longBitsToDouble", "(J)D"),
        }
    }

    /// What the instruction set lacks and the JDK has as a method.
    fn intrinsic(&mut self, Operation { op, ty, .. }: Operation, operands: usize) -> Outcome {
        let name = match op {
            Op::Min => "min",
            Op::Max => "max",
            Op::Abs | Op::Fabs => "abs",
            Op::Fsqrt if ty == Type::F64 => return self.call("java/lang/Math", "sqrt", "(D)D"),
            Op::Clz => return self.count_bits(op, "numberOfLeadingZeros", ty),
            Op::Ctz => return self.count_bits(op, "numberOfTrailingZeros", ty),
            Op::Popcount => return self.count_bits(op, "bitCount", ty),
            _ => return unsupported(op, ty),
        };
        let letter = match ty {
            Type::I32 => 'I',
            Type::I64 => 'J',
            Type::F32 => 'F',
            Type::F64 => 'D',
            _ => return unsupported(op, ty),
        };
        let parameters = letter.to_string().repeat(operands);
        self.call("java/lang/Math", name, &format!("({parameters}){letter}"))
    }

    fn count_bits(&mut self, op: Op, name: &str, ty: Type) -> Outcome {
        match ty {
            Type::I32 => self.call("java/lang/Integer", name, "(I)I"),
            Type::I64 => {
                self.call("java/lang/Long", name, "(J)I")?;
                self.plain(Opcode::I2l)
            }
            _ => unsupported(op, ty),
        }
    }

    fn plain(&mut self, op: Opcode) -> Outcome {
        self.op(op);
        Ok(())
    }

    /// Widens an `int` to the type of the result if that is wider.
    fn widen(&mut self, op: Op, from: Type, to: Type) -> Outcome {
        match to {
            Type::I64 if from != Type::I64 => self.plain(Opcode::I2l),
            Type::I64 | Type::I32 => Ok(()),
            Type::Int(16) if from == Type::Int(8) || from == Type::I1 => Ok(()),
            Type::Int(8) if from == Type::I1 => Ok(()),
            _ => unsupported(op, to),
        }
    }

    /// Brings an `int` into the form in which narrow numbers are kept.
    fn normalize(&mut self, op: Op, ty: Type) -> Outcome {
        match ty {
            Type::I32 | Type::I64 => Ok(()),
            Type::Int(8) => self.plain(Opcode::I2b),
            Type::Int(16) => self.plain(Opcode::I2s),
            Type::I1 => {
                self.push_int(1)?;
                self.plain(Opcode::Iand)
            }
            _ => unsupported(op, ty),
        }
    }

    /// The operation of a value that is written where it is used.
    pub(super) fn deferred_op(&self, value: Value) -> Option<Op> {
        self.uses.deferred(self.f, value).map(|inst| self.f.inst(inst).op)
    }

    /// Whether the operation that makes a value and the one that uses it may be written as one: a number is cut and
    /// widened again, or widened to be the amount of a shift.
    pub(super) fn merges(&self, value: Value) -> bool {
        let (Some(made), Some(user)) = (self.f.def_inst(value), self.uses.user(value)) else { return false };
        match (self.f.inst(made).op, self.f.inst(user).op) {
            (Op::Trunc, Op::Zext) => true,
            (Op::Sext | Op::Zext, Op::Lshift | Op::Rshift | Op::Urshift | Op::Rotl | Op::Rotr) => {
                self.f.args(user)[1] == value
            }
            _ => false,
        }
    }

    /// The first operand of the operation that makes a value.
    fn first_operand(&self, value: Value) -> Value {
        let inst = self.f.def_inst(value).expect("the caller saw an operation");
        self.f.args(inst)[0]
    }

    /// Pushes the amount of a shift, an `int` whatever is shifted: the amount is masked, so its low
    /// bits are enough.
    fn push_amount(&mut self, amount: Value) -> Outcome {
        if let Some(constant) = self.f.int_constant(amount) {
            return self.push_int((constant.unsigned() & 63) as i32);
        }
        if self.f.ty(amount) != Type::I64 {
            return self.push(amount).map(drop);
        }
        if matches!(self.deferred_op(amount), Some(Op::Zext | Op::Sext)) {
            let narrow = self.first_operand(amount);
            if self.f.ty(narrow) == Type::I32 {
                return self.push(narrow).map(drop);
            }
        }
        self.push(amount)?;
        self.plain(Opcode::L2i)
    }

    /// Calls a static method of the JDK.
    pub(super) fn call(&mut self, class: &str, name: &str, descriptor: &str) -> Outcome {
        let member = MemberRef {
            kind: MemberKind::Method,
            class: class.as_bytes(),
            name: name.as_bytes(),
            descriptor: descriptor.as_bytes(),
        };
        let index = self.pool.add_member(member).map_err(|error| error.to_string())?;
        self.insn(Insn { op: Opcode::Invokestatic, operand: Operand::Constant(index) });
        Ok(())
    }
}

/// Whether integers of a type fill what the JVM computes with.
fn full_width(ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::I64)
}

fn unsupported(op: Op, ty: Type) -> Outcome {
    Err(format!("{op} of {ty} is not written as bytecode"))
}
