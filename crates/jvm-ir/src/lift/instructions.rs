//! What each instruction becomes: values are taken from the stack, an operation is made, its results are pushed.
//!
//! Arithmetic, comparisons, conversions, arrays and plain fields of the class itself are operations of the table;
//! whatever else there is keeps its instruction and is a call of which nothing is known.

use planish_classfile::code::Insn;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{Constant, Group, Opcode, Operand};
use planish_ir::constant::Number as RealNumber;
use planish_ir::{Const, Exit, ExitTarget, Terminator, Value};
use planish_ops::{FloatFormat, Int, Op, Real, Type};

use super::{Lifter, Outcome};
use crate::naming::{Named, asks_length, ir_type};
use crate::shape::{UNGUARDED, comparison_with_zero};

impl Lifter<'_, '_> {
    pub(super) fn pop(&mut self) -> Outcome<Value> {
        self.stack.pop().ok_or_else(|| "the stack is empty".to_owned())
    }

    fn pop2(&mut self) -> Outcome<(Value, Value)> {
        let second = self.pop()?;
        Ok((self.pop()?, second))
    }

    fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    fn is_wide(&self, value: Value) -> bool {
        matches!(self.b.function().ty(value), Type::I64 | Type::F64)
    }

    fn int(&mut self, value: i64) -> Value {
        self.b.int(Type::I32, value)
    }

    /// Where the instruction goes when it throws.
    pub(super) fn exit(&mut self) -> Outcome<Option<Exit>> {
        let guard = self.shape.guard[self.at];
        if guard == UNGUARDED {
            return Ok(None);
        }
        let list = &self.lists[guard as usize];
        let args: Option<Vec<Value>> =
            list.slots.iter().map(|&slot| self.locals[usize::from(slot)]).collect();
        let args = args.ok_or("a handler needs a local that has no value")?;
        let target = ExitTarget::To(list.handlers.clone());
        Ok(Some(self.b.exit(target, &args)))
    }

    fn binary(&mut self, op: Op) -> Outcome {
        let (x, y) = self.pop2()?;
        let value = self.b.op(op, &[x, y]);
        self.push(value);
        Ok(())
    }

    fn unary(&mut self, op: Op, to: Option<Type>) -> Outcome {
        let x = self.pop()?;
        let value = match to {
            Some(ty) => self.b.op_as(op, &[x], ty),
            None => self.b.op(op, &[x]),
        };
        self.push(value);
        Ok(())
    }

    /// A division, which throws when the divisor is zero.
    fn division(&mut self, op: Op) -> Outcome {
        let (x, y) = self.pop2()?;
        let exit = self.exit()?;
        let inst = self.b.inst(op, &[x, y], &[], None, exit);
        let value = self.b.function().result(inst);
        self.push(value);
        Ok(())
    }

    /// A shift of a `long`, whose amount is an `int`.
    fn wide_shift(&mut self, op: Op) -> Outcome {
        let (x, amount) = self.pop2()?;
        let amount = self.b.op_as(Op::Zext, &[amount], Type::I64);
        let value = self.b.op(op, &[x, amount]);
        self.push(value);
        Ok(())
    }

    /// Narrows an `int` and widens it again.
    fn narrow(&mut self, width: u8, widen: Op) -> Outcome {
        let x = self.pop()?;
        let narrow = self.b.op_as(Op::Trunc, &[x], Type::Int(width));
        let value = self.b.op_as(widen, &[narrow], Type::I32);
        self.push(value);
        Ok(())
    }

    fn branch(&mut self, condition: Value, target: u32) -> Outcome {
        let then = self.go_to(self.shape.block(target))?;
        let next = self.shape.block(self.at as u32 + 1);
        let other = self.go_to(next)?;
        self.b.terminate(Terminator::Branch { condition, then, other });
        Ok(())
    }

    /// Copies the top values of `count` slots below `skip` more slots.
    fn duplicate(&mut self, count: usize, skip: usize) -> Outcome {
        let top = self.take_slots(count)?;
        let below = self.take_slots(skip)?;
        self.stack.extend(top.iter().chain(&below).chain(&top));
        Ok(())
    }

    fn take_slots(&mut self, slots: usize) -> Outcome<Vec<Value>> {
        let mut taken = Vec::with_capacity(2);
        let mut left = slots;
        while left > 0 {
            let value = self.pop()?;
            left = left.checked_sub(1 + usize::from(self.is_wide(value))).ok_or("a value is cut in half")?;
            taken.push(value);
        }
        taken.reverse();
        Ok(taken)
    }

    fn load(&mut self, slot: Option<u16>) -> Outcome {
        let value = slot.and_then(|slot| self.locals[usize::from(slot)]).ok_or("a local without value")?;
        self.push(value);
        Ok(())
    }

    fn store(&mut self, slot: Option<u16>) -> Outcome {
        let value = self.pop()?;
        let slot = usize::from(slot.ok_or("a store names a local")?);
        if slot > 0 && self.locals[slot - 1].is_some_and(|before| self.is_wide(before)) {
            self.locals[slot - 1] = None;
        }
        self.locals[slot] = Some(value);
        if self.is_wide(value) {
            self.locals[slot + 1] = None;
        }
        Ok(())
    }

    /// Calls the instruction itself on the values that it takes.
    fn opaque(&mut self, instruction: &Insn, takes: usize, gives: Option<Type>) -> Outcome {
        let args = self.stack.split_off(self.stack.len().checked_sub(takes).ok_or("the stack is empty")?);
        let descr = self.names.instruction(instruction, self.method.pool);
        let exit = self.exit()?;
        let named: Vec<Type> = gives.into_iter().collect();
        let inst = self.b.inst(Op::Call, &args, &named, Some(descr), exit);
        let results = self.b.function().results(inst);
        self.stack.extend(results);
        Ok(())
    }

    fn memory(
        &mut self,
        op: Op,
        takes: usize,
        gives: Option<Type>,
        descr: planish_ops::world::Descr,
    ) -> Outcome {
        let args = self.stack.split_off(self.stack.len().checked_sub(takes).ok_or("the stack is empty")?);
        let exit = self.exit()?;
        let named: Vec<Type> = gives.into_iter().collect();
        let inst = self.b.inst(op, &args, &named, Some(descr), exit);
        let results = self.b.function().results(inst);
        self.stack.extend(results);
        Ok(())
    }

    pub(super) fn instruction(&mut self, instruction: &Insn) -> Outcome {
        let op = instruction.op;
        match op.group() {
            Group::Constants => self.literal(instruction),
            Group::Loads if op >= Opcode::Iaload && op <= Opcode::Saload => self.load_item(op),
            Group::Loads => self.load(instruction.slot()),
            Group::Stores if op >= Opcode::Iastore && op <= Opcode::Sastore => self.store_item(op),
            Group::Stores => self.store(instruction.slot()),
            Group::Stack => self.rearrange(op),
            Group::Math => self.arithmetic(instruction),
            Group::Conversions => self.convert(op),
            Group::Comparisons if op >= Opcode::Ifeq => self.conditional(instruction),
            Group::Comparisons => self.compare(op),
            Group::Control => self.control(instruction),
            Group::References => self.references(instruction),
            Group::Extended => self.extended(instruction),
        }
    }

    fn literal(&mut self, instruction: &Insn) -> Outcome {
        use Opcode::*;
        let op = instruction.op;
        let value = match op {
            Nop => return Ok(()),
            AconstNull => self.b.constant(Const::Null),
            IconstM1 | Iconst0 | Iconst1 | Iconst2 | Iconst3 | Iconst4 | Iconst5 => {
                self.int(op as i64 - Iconst0 as i64)
            }
            Lconst0 | Lconst1 => self.b.int(Type::I64, op as i64 - Lconst0 as i64),
            Fconst0 | Fconst1 | Fconst2 => self.b.real(Real::F32(f32::from(op as u8 - Fconst0 as u8))),
            Dconst0 | Dconst1 => self.b.real(Real::F64(f64::from(op as u8 - Dconst0 as u8))),
            Bipush | Sipush => {
                let Operand::Immediate(value) = instruction.operand else { return Err(misfit(op)) };
                self.int(i64::from(value))
            }
            _ => return self.constant(instruction),
        };
        self.push(value);
        Ok(())
    }

    fn load_item(&mut self, op: Opcode) -> Outcome {
        let descr = self.names.items(op);
        self.memory(Op::GetItem, 2, Some(item_type(op)), descr)
    }

    fn store_item(&mut self, op: Opcode) -> Outcome {
        let load = op as u8 - Opcode::Iastore as u8 + Opcode::Iaload as u8;
        let descr = self.names.items(Opcode::from_byte(load).ok_or("an array")?);
        self.memory(Op::SetItem, 3, None, descr)
    }

    /// What moves entries of the stack.
    fn rearrange(&mut self, op: Opcode) -> Outcome {
        use Opcode::*;
        match op {
            Pop => self.take_slots(1).map(drop),
            Pop2 => self.take_slots(2).map(drop),
            Dup => self.duplicate(1, 0),
            DupX1 => self.duplicate(1, 1),
            DupX2 => self.duplicate(1, 2),
            Dup2 => self.duplicate(2, 0),
            Dup2X1 => self.duplicate(2, 1),
            Dup2X2 => self.duplicate(2, 2),
            Swap => {
                let (x, y) = self.pop2()?;
                self.push(y);
                self.push(x);
                Ok(())
            }
            op => not_lifted(op),
        }
    }

    fn arithmetic(&mut self, instruction: &Insn) -> Outcome {
        use Opcode::*;
        match instruction.op {
            Iadd | Ladd => self.binary(Op::Add),
            Isub | Lsub => self.binary(Op::Sub),
            Imul | Lmul => self.binary(Op::Mul),
            Iand | Land => self.binary(Op::And),
            Ior | Lor => self.binary(Op::Or),
            Ixor | Lxor => self.binary(Op::Xor),
            Fadd | Dadd => self.binary(Op::Fadd),
            Fsub | Dsub => self.binary(Op::Fsub),
            Fmul | Dmul => self.binary(Op::Fmul),
            Fdiv | Ddiv => self.binary(Op::Fdiv),
            Frem | Drem => self.binary(Op::Frem),
            Idiv | Ldiv => self.division(Op::Sdiv),
            Irem | Lrem => self.division(Op::Srem),
            Ineg | Lneg => self.unary(Op::Neg, None),
            Fneg | Dneg => self.unary(Op::Fneg, None),
            Ishl => self.binary(Op::Lshift),
            Ishr => self.binary(Op::Rshift),
            Iushr => self.binary(Op::Urshift),
            Lshl => self.wide_shift(Op::Lshift),
            Lshr => self.wide_shift(Op::Rshift),
            Lushr => self.wide_shift(Op::Urshift),
            Iinc => self.increment(instruction),
            op => not_lifted(op),
        }
    }

    fn increment(&mut self, instruction: &Insn) -> Outcome {
        let Operand::Increment { slot, by, .. } = instruction.operand else {
            return Err(misfit(instruction.op));
        };
        self.load(Some(slot))?;
        let (x, by) = (self.pop()?, self.int(i64::from(by)));
        let sum = self.b.op(Op::Add, &[x, by]);
        self.push(sum);
        self.store(Some(slot))
    }

    /// Conversions between kinds of numbers.
    fn convert(&mut self, op: Opcode) -> Outcome {
        use Opcode::*;
        match op {
            I2l => self.unary(Op::Sext, Some(Type::I64)),
            L2i => self.unary(Op::Trunc, Some(Type::I32)),
            I2f | L2f => self.unary(Op::SignedToFloat, Some(Type::F32)),
            I2d | L2d => self.unary(Op::SignedToFloat, Some(Type::F64)),
            F2i | D2i => self.unary(Op::FloatToSignedSat, Some(Type::I32)),
            F2l | D2l => self.unary(Op::FloatToSignedSat, Some(Type::I64)),
            F2d => self.unary(Op::FloatConvert, Some(Type::F64)),
            D2f => self.unary(Op::FloatConvert, Some(Type::F32)),
            I2b => self.narrow(8, Op::Sext),
            I2s => self.narrow(16, Op::Sext),
            I2c => self.narrow(16, Op::Zext),
            op => not_lifted(op),
        }
    }

    /// Three-way comparisons.
    fn compare(&mut self, op: Opcode) -> Outcome {
        let (x, y) = self.pop2()?;
        let value = match op {
            // -1, 0 or 1: whether x is greater, minus whether it is less.
            Opcode::Lcmp => {
                let greater = self.b.op_as(Op::Gt, &[x, y], Type::I32);
                let less = self.b.op_as(Op::Lt, &[x, y], Type::I32);
                self.b.op(Op::Sub, &[greater, less])
            }
            Opcode::Fcmpl | Opcode::Dcmpl => self.b.op_as(Op::Fcmpl, &[x, y], Type::I32),
            _ => self.b.op_as(Op::Fcmpg, &[x, y], Type::I32),
        };
        self.push(value);
        Ok(())
    }

    /// Branches that compare.
    fn conditional(&mut self, instruction: &Insn) -> Outcome {
        use Opcode::*;
        let target = self.target(instruction)?;
        let compare = match instruction.op {
            IfIcmpeq => Op::Eq,
            IfIcmpne => Op::Ne,
            IfIcmplt => Op::Lt,
            IfIcmpge => Op::Ge,
            IfIcmpgt => Op::Gt,
            IfIcmple => Op::Le,
            IfAcmpeq => Op::RefEq,
            IfAcmpne => Op::RefNe,
            op => comparison_with_zero(op).ok_or("a comparison")?,
        };
        let is_of_two = instruction.op >= IfIcmpeq;
        let (x, y) =
            if is_of_two || self.is_after_lcmp() { self.pop2()? } else { (self.pop()?, self.int(0)) };
        let condition = self.b.op_as(compare, &[x, y], Type::I1);
        self.branch(condition, target)
    }

    /// Whether the operands of a comparison of `long`s right before this instruction are still on the stack.
    fn is_after_lcmp(&self) -> bool {
        self.at > 0
            && self.code.instructions[self.at - 1].op == Opcode::Lcmp
            && self.shape.leaders.binary_search(&(self.at as u32)).is_err()
    }

    /// Jumps, switches and returns.
    fn control(&mut self, instruction: &Insn) -> Outcome {
        use Opcode::*;
        match instruction.op {
            Goto => self.jump(instruction),
            Tableswitch | Lookupswitch => self.switch(instruction),
            Ireturn | Lreturn | Freturn | Dreturn | Areturn => {
                let value = self.pop()?;
                self.b.ret(&[value]);
                Ok(())
            }
            Return => {
                self.b.ret(&[]);
                Ok(())
            }
            op => not_lifted(op),
        }
    }

    fn jump(&mut self, instruction: &Insn) -> Outcome {
        let target = self.target(instruction)?;
        let call = self.go_to(self.shape.block(target))?;
        self.b.terminate(Terminator::Jump(call));
        Ok(())
    }

    fn switch(&mut self, instruction: &Insn) -> Outcome {
        let Operand::Switch(switch) = &instruction.operand else { return Err(misfit(instruction.op)) };
        let on = self.pop()?;
        let default = self.go_to(self.shape.block(switch.default))?;
        let mut cases = Vec::with_capacity(switch.cases.len());
        for &(key, target) in &switch.cases {
            if target != switch.default {
                let call = self.go_to(self.shape.block(target))?;
                cases.push((Int::new(32, key as u64), call));
            }
        }
        self.b.terminate(Terminator::Switch { on, cases: cases.into(), default });
        Ok(())
    }

    /// Fields, calls, objects, arrays, exceptions and monitors.
    fn references(&mut self, instruction: &Insn) -> Outcome {
        use Opcode::*;
        match instruction.op {
            Getfield | Putfield | Getstatic | Putstatic => self.field(instruction),
            Invokevirtual | Invokespecial | Invokestatic | Invokeinterface | Invokedynamic => {
                self.call(instruction)
            }
            Arraylength => {
                let descr = self.names.length();
                self.memory(Op::ArrayLen, 1, Some(Type::I32), descr)
            }
            Newarray | Anewarray => {
                let descr = self.names.new_array(instruction, self.method.pool);
                self.memory(Op::NewArray, 1, None, descr)
            }
            New => self.opaque(instruction, 0, Some(Type::Ref)),
            // The result is the operand, but a verifier knows more of it; an optimizer that took one for
            // the other would lose that.
            Checkcast => self.opaque(instruction, 1, Some(Type::Ref)),
            // The class may be missing, which is noticed here.
            Instanceof => self.opaque(instruction, 1, Some(Type::I32)),
            Monitorenter | Monitorexit => self.opaque(instruction, 1, None),
            Athrow => {
                let thrown = self.pop()?;
                let exit = self.exit()?;
                self.b.terminate(Terminator::Throw(thrown, exit));
                Ok(())
            }
            op => not_lifted(op),
        }
    }

    /// Arrays of arrays, tests for null, long jumps.
    fn extended(&mut self, instruction: &Insn) -> Outcome {
        let op = instruction.op;
        match op {
            Opcode::GotoW => self.jump(instruction),
            Opcode::Multianewarray => {
                let Operand::Dimensions { count, .. } = instruction.operand else { return Err(misfit(op)) };
                self.opaque(instruction, usize::from(count), Some(Type::Ref))
            }
            Opcode::Ifnull | Opcode::Ifnonnull => {
                let target = self.target(instruction)?;
                let x = self.pop()?;
                let test = if op == Opcode::Ifnull { Op::IsNull } else { Op::IsNonnull };
                let condition = self.b.op_as(test, &[x], Type::I1);
                self.branch(condition, target)
            }
            _ => not_lifted(op),
        }
    }

    fn target(&self, instruction: &Insn) -> Outcome<u32> {
        match instruction.operand {
            Operand::Target(target) => Ok(target),
            _ => Err(misfit(instruction.op)),
        }
    }

    fn constant(&mut self, instruction: &Insn) -> Outcome {
        let Operand::Constant(index) = instruction.operand else { return Err(misfit(instruction.op)) };
        let pool = self.method.pool;
        let real = |format, bits: u64| {
            let real = Real::from_bits(format, bits);
            // A NaN with a payload would lose it.
            (real.to_bits() == bits).then_some(Const::Real(RealNumber(real)))
        };
        let constant = match pool.get(index).map_err(|error| error.to_string())? {
            Constant::Integer(value) => Some(Const::Int(Int::new(32, value as u64))),
            Constant::Long(value) => Some(Const::Int(Int::new(64, value as u64))),
            Constant::Float(bits) => real(FloatFormat::F32, u64::from(bits)),
            Constant::Double(bits) => real(FloatFormat::F64, bits),
            Constant::String(_) => Some(Const::Symbol(self.names.string(index, pool), Type::Ref)),
            _ => None,
        };
        if let Some(constant) = constant {
            let value = self.b.constant(constant);
            self.push(value);
            return Ok(());
        }
        let gives = match pool.get(index).map_err(|error| error.to_string())? {
            Constant::Float(_) => Type::F32,
            Constant::Double(_) => Type::F64,
            Constant::Dynamic(..) => {
                let (_, _, descriptor) = pool.dynamic(index).map_err(|error| error.to_string())?;
                JavaType::parse(descriptor).map(ir_type).ok_or("a malformed descriptor")?
            }
            _ => Type::Ref,
        };
        self.opaque(instruction, 0, Some(gives))
    }

    fn field(&mut self, instruction: &Insn) -> Outcome {
        let op = instruction.op;
        let Operand::Constant(index) = instruction.operand else { return Err(misfit(op)) };
        let member = self.method.pool.member(index).map_err(|error| error.to_string())?;
        let ty = ir_type(JavaType::parse(member.descriptor).ok_or("a malformed descriptor")?);
        let reads = matches!(op, Opcode::Getfield | Opcode::Getstatic);
        let of_static = matches!(op, Opcode::Getstatic | Opcode::Putstatic);
        let takes = usize::from(!of_static) + usize::from(!reads);
        // A static method runs only when its class is initialized or is being so by this thread.
        let plain = match self.names.plain_field(index, self.method.pool) {
            Some((descr, is_static)) if is_static == of_static => {
                (!of_static || self.method.is_static).then_some(descr)
            }
            _ => None,
        };
        let Some(descr) = plain else {
            return self.opaque(instruction, takes, reads.then_some(ty));
        };
        debug_assert!(matches!(self.names.named(descr), Named::Field(_)));
        let op = match op {
            Opcode::Getfield => Op::GetField,
            Opcode::Putfield => Op::SetField,
            Opcode::Getstatic => Op::GetStatic,
            _ => Op::SetStatic,
        };
        self.memory(op, takes, reads.then_some(ty), descr)
    }

    fn call(&mut self, instruction: &Insn) -> Outcome {
        let pool = self.method.pool;
        let descriptor = match instruction.operand {
            Operand::Constant(index) if instruction.op == Opcode::Invokedynamic => {
                pool.dynamic(index).map_err(|error| error.to_string())?.2
            }
            Operand::Constant(index) | Operand::Interface { method: index, .. } => {
                let member = pool.member(index).map_err(|error| error.to_string())?;
                if asks_length(instruction.op, &member) {
                    let descr = self.names.instruction(instruction, pool);
                    return self.memory(Op::ArrayLen, 1, Some(Type::I32), descr);
                }
                member.descriptor
            }
            _ => return Err(misfit(instruction.op)),
        };
        let ty = MethodType::parse(descriptor).ok_or("a malformed descriptor")?;
        let receiver = !matches!(instruction.op, Opcode::Invokestatic | Opcode::Invokedynamic);
        let takes = ty.parameters().count() + usize::from(receiver);
        self.opaque(instruction, takes, ty.result().map(ir_type))
    }
}

fn item_type(load: Opcode) -> Type {
    match load {
        Opcode::Laload => Type::I64,
        Opcode::Faload => Type::F32,
        Opcode::Daload => Type::F64,
        Opcode::Aaload => Type::Ref,
        _ => Type::I32,
    }
}

fn misfit(op: Opcode) -> String {
    format!("{op} has an operand of another instruction")
}

fn not_lifted(op: Opcode) -> Outcome {
    Err(format!("{op} is not lifted"))
}
