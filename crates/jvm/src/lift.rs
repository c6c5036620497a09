//! From bytecode to SSA.
//!
//! The types at branch targets are found first ([`crate::frames`]), so that method bodies of every
//! version are treated alike; then one pass over the instructions keeps the value of each local and
//! stack entry. Where paths meet, a block has a parameter for each stack entry and each live local; those
//! that are one value whichever way control comes go again ([`crate::params`]). An
//! instruction that may throw is an ordinary operation; if handlers guard it, it owns an exit to them,
//! whose arguments are the locals that the handlers need. Stack and locals are then gone.
//!
//! Arithmetic, comparisons, conversions, arrays and plain fields of the class itself become operations of
//! the table. Everything else (calls, other fields, `new`, whose class may have to be initialized) is a
//! call of the original instruction, of which nothing is known. What cannot be lifted, subroutines and
//! code that does not verify, is an error; the caller keeps the bytes.

use planish_classfile::code::Insn;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{Code, Constant, Opcode, Operand};
use planish_ir::constant::Number as RealNumber;
use planish_ir::{
    Block, BlockCall, Builder, Const, Exit, ExitTarget, Function, Handler, Location, Terminator, Value,
};
use planish_ops::{FloatFormat, Int, Op, Real, Type};

use crate::frames::{self, Targets};
use crate::naming::{Named, Names, ir_type};
use crate::params::settle;
use crate::shape::{Shape, UNGUARDED};
use crate::state::VerifyError;
use crate::transfer::MethodInfo;
use crate::variables::Variables;
use crate::vtype::{TypeContext, VType};

/// The IR type of a value that the verifier knows; `None` for what cannot be used.
fn value_type(ty: VType) -> Option<Type> {
    Some(match ty {
        VType::Top => return None,
        VType::Int => Type::I32,
        VType::Float => Type::F32,
        VType::Long => Type::I64,
        VType::Double => Type::F64,
        VType::Null | VType::UninitializedThis | VType::Uninitialized(_) | VType::Object(_) => Type::Ref,
    })
}

/// A block, and what its parameters are: stack entries, then locals.
struct BlockInfo {
    block: Block,
    slots: Vec<u16>,
}

/// The handlers of a list and the locals that their exits carry.
struct ListInfo {
    handlers: Box<[Handler]>,
    slots: Vec<u16>,
}

struct Lifter<'a, 'm> {
    code: &'a Code,
    method: &'a MethodInfo<'m>,
    names: &'a mut Names,
    variables: Variables,
    shape: Shape,
    b: Builder,
    blocks: Vec<BlockInfo>,
    lists: Vec<ListInfo>,
    locals: Vec<Option<Value>>,
    stack: Vec<Value>,
    at: usize,
}

type Outcome<T = ()> = Result<T, String>;

/// Lifts a method body. What instructions name goes to `names`.
pub fn lift(
    code: &Code,
    method: &MethodInfo<'_>,
    names: &mut Names,
    context: &mut TypeContext<'_>,
) -> Result<Function, VerifyError> {
    lift_named(code, method, names, context).map(|(function, _)| function)
}

/// Lifts a method body, and says which of its values are local variables.
pub fn lift_named(
    code: &Code,
    method: &MethodInfo<'_>,
    names: &mut Names,
    context: &mut TypeContext<'_>,
) -> Result<(Function, Variables), VerifyError> {
    let targets = frames::infer(code, method, context)?;
    let shape = Shape::new(code, method.pool);
    let malformed = || VerifyError { at: 0, message: "a malformed descriptor".into() };
    let ty = MethodType::parse(method.descriptor).ok_or_else(malformed)?;
    let results: Vec<Type> = ty.result().map(ir_type).into_iter().collect();
    let name = [method.name, method.descriptor].concat();
    let b = Builder::new(&String::from_utf8_lossy(&name), &results);
    let locals = vec![None; usize::from(code.max_locals)];
    let (blocks, lists, stack) = (Vec::new(), Vec::new(), Vec::new());
    let variables = Variables::of(code);
    let mut lifter = Lifter { code, method, names, variables, shape, b, blocks, lists, locals, stack, at: 0 };
    match lifter.run(&ty, &targets) {
        Ok(()) => {
            let mut function = lifter.b.finish();
            settle(&mut function);
            Ok((function, lifter.variables))
        }
        Err(message) => Err(VerifyError { at: lifter.at as u32, message }),
    }
}

impl Lifter<'_, '_> {
    fn run(&mut self, ty: &MethodType<'_>, targets: &Targets) -> Outcome {
        let entry = self.b.block("entry");
        let mut slot = 0;
        let receiver = (!self.method.is_static).then_some(Type::Ref);
        for ty in receiver.into_iter().chain(ty.parameters().map(ir_type)) {
            let value = self.b.param(entry, ty);
            self.locals[slot] = Some(value);
            self.variables.name(value, slot as u16, 0);
            slot += if matches!(ty, Type::I64 | Type::F64) { 2 } else { 1 };
        }
        self.make_blocks(entry, targets)?;
        self.b.at(entry);
        for block in 0..self.blocks.len() {
            if self.shape.is_join[self.shape.leaders[block] as usize] {
                if block == 0 {
                    let call = self.go_to(0)?;
                    self.b.terminate(Terminator::Jump(call));
                }
                self.enter(block);
            }
            if self.blocks[block].block != entry {
                self.b.at(self.blocks[block].block);
            }
            self.block(block)?;
        }
        Ok(())
    }

    /// Makes the blocks with their parameters, and the blocks in which exits land.
    fn make_blocks(&mut self, entry: Block, targets: &Targets) -> Outcome {
        // Handlers that one list alone leads to, once, need no landing of their own.
        let mut arrivals = vec![0u32; self.code.instructions.len()];
        for list in &self.shape.lists {
            list.iter().for_each(|handler| arrivals[handler.target as usize] += 1);
        }
        let states = targets.states();
        let state = |at: u32| states.binary_search_by_key(&at, |(at, _)| *at).ok().map(|i| &states[i].1);
        let list_slots: Vec<Vec<u16>> = self
            .shape
            .lists
            .iter()
            .map(|list| {
                let mut slots: Vec<u16> = list
                    .iter()
                    .flat_map(|handler| {
                        let usable = move |slot: &u16| {
                            state(handler.target).is_some_and(|state| state.local(*slot) != VType::Top)
                        };
                        self.shape.live_in(self.shape.block(handler.target)).filter(usable)
                    })
                    .collect();
                slots.sort_unstable();
                slots.dedup();
                slots
            })
            .collect();
        let slot_type = |list: &[planish_classfile::Handler], slot: u16| {
            list.iter().find_map(|handler| value_type(state(handler.target)?.local(slot)))
        };
        let direct =
            |shape: &Shape, at: u32| arrivals[at as usize] == 1 && !shape.has_normal_entry[at as usize];
        for (number, &leader) in self.shape.leaders.iter().enumerate() {
            if number == 0 && !self.shape.is_join[0] {
                self.blocks.push(BlockInfo { block: entry, slots: Vec::new() });
                continue;
            }
            let block = self.b.block(&format!("at{leader}"));
            let mut slots = Vec::new();
            if self.shape.is_join[leader as usize] {
                let Some(state) = state(leader) else { return Err("a target without types".into()) };
                for &ty in &state.stack {
                    let ty = value_type(ty).ok_or("an unusable value on the stack")?;
                    self.b.param(block, ty);
                }
                let of_list = self.shape.lists.iter().position(|list| {
                    direct(&self.shape, leader) && list.iter().any(|handler| handler.target == leader)
                });
                match of_list {
                    Some(list) => {
                        for &slot in &list_slots[list] {
                            let ty =
                                slot_type(&self.shape.lists[list], slot).ok_or("a local without type")?;
                            self.b.param(block, ty);
                            slots.push(slot);
                        }
                    }
                    None => {
                        for slot in self.shape.live_in(number) {
                            if let Some(ty) = value_type(state.local(slot)) {
                                self.b.param(block, ty);
                                slots.push(slot);
                            }
                        }
                    }
                }
            }
            self.blocks.push(BlockInfo { block, slots });
        }
        for (number, slots) in list_slots.into_iter().enumerate() {
            let list = self.shape.lists[number].clone();
            let mut handlers = Vec::with_capacity(list.len());
            for handler in &list {
                let class = match handler.class {
                    0 => None,
                    index => Some(self.names.class(index, self.method.pool)),
                };
                let target = self.shape.block(handler.target);
                let block = if direct(&self.shape, handler.target) {
                    self.blocks[target].block
                } else {
                    let landing = self.b.block(&format!("catch{number}_{}", handler.target));
                    let mut args = vec![self.b.param(landing, Type::Ref)];
                    let mut locals = Vec::with_capacity(slots.len());
                    for &slot in &slots {
                        let ty = slot_type(&list, slot).ok_or("a local without type")?;
                        locals.push((slot, self.b.param(landing, ty)));
                    }
                    for &slot in &self.blocks[target].slots {
                        let found = locals.iter().find(|(known, _)| *known == slot);
                        args.push(found.ok_or("a handler needs a local that its exits lack")?.1);
                    }
                    self.b.at(landing);
                    let call = self.b.call(self.blocks[target].block, &args);
                    self.b.terminate(Terminator::Jump(call));
                    landing
                };
                handlers.push(Handler { class, block });
            }
            self.lists.push(ListInfo { handlers: handlers.into(), slots });
        }
        Ok(())
    }

    /// Takes the parameters of a block as stack and locals.
    fn enter(&mut self, block: usize) {
        let info = &self.blocks[block];
        let params = self.b.function().block_params(info.block);
        let depth = params.len() - info.slots.len();
        self.stack.clear();
        self.stack.extend_from_slice(&params[..depth]);
        self.locals.fill(None);
        for (&slot, &value) in info.slots.iter().zip(&params[depth..]) {
            self.locals[usize::from(slot)] = Some(value);
            self.variables.name(value, slot, self.shape.leaders[block]);
        }
    }

    /// The call of a block with the values that it wants.
    fn go_to(&mut self, block: usize) -> Outcome<BlockCall> {
        let info = &self.blocks[block];
        let mut args = Vec::new();
        if self.shape.is_join[self.shape.leaders[block] as usize] {
            args.extend_from_slice(&self.stack);
            for &slot in &info.slots {
                args.push(self.locals[usize::from(slot)].ok_or("a live local has no value")?);
            }
            if args.len() != self.b.function().block_params(info.block).len() {
                return Err("stacks of different depth meet".into());
            }
        }
        Ok(self.b.call(info.block, &args))
    }

    fn block(&mut self, block: usize) -> Outcome {
        let range = self.shape.range(block, self.code);
        for at in range.clone() {
            self.at = at;
            self.b.locate(Location(at as u32 + 1));
            let instruction = &self.code.instructions[at];
            // A three-way comparison right before its test is one comparison.
            if instruction.op == Opcode::Lcmp
                && at + 1 < range.end
                && comparison_with_zero(self.code.instructions[at + 1].op).is_some()
            {
                continue;
            }
            // So is a null check as compilers write it.
            if at + 1 < range.end && self.is_null_check(at) {
                self.null_check()?;
                continue;
            }
            if at > range.start && self.is_null_check(at - 1) {
                continue;
            }
            self.instruction(instruction)?;
            if let Some(slot) = instruction.slot()
                && let Some(value) = self.locals[usize::from(slot)]
                && self.b.function().constant(value).is_none()
            {
                self.variables.name(value, slot, at as u32 + 1);
            }
        }
        let last = &self.code.instructions[range.end - 1];
        if !last.op.ends_flow() && last.targets().next().is_none() {
            let call = self.go_to(block + 1)?;
            self.b.terminate(Terminator::Jump(call));
        }
        Ok(())
    }

    /// Whether an instruction asks for the class of an object, and the next one forgets it.
    fn is_null_check(&self, at: usize) -> bool {
        let [call, pop, ..] = &self.code.instructions[at..] else { return false };
        let (Opcode::Invokevirtual, &Operand::Constant(index)) = (call.op, &call.operand) else {
            return false;
        };
        pop.op == Opcode::Pop
            && self
                .method
                .pool
                .member(index)
                .is_ok_and(|member| member.name == b"getClass" && member.descriptor == b"()Ljava/lang/Class;")
    }

    fn null_check(&mut self) -> Outcome {
        let object = self.pop()?;
        let f = self.b.function();
        let is_this = !self.method.is_static && f.params().first() == Some(&object);
        let made =
            f.def_inst(object).and_then(|inst| f.inst(inst).descr).map(|descr| self.names.named(descr));
        let is_new =
            matches!(made, Some(Named::Instruction(Insn { op: Opcode::New, .. }) | Named::NewArray(_)));
        if !is_this && !is_new {
            let exit = self.exit()?;
            self.b.inst(Op::NullCheck, &[object], &[], None, exit);
        }
        Ok(())
    }

    fn pop(&mut self) -> Outcome<Value> {
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
    fn exit(&mut self) -> Outcome<Option<Exit>> {
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

    fn instruction(&mut self, instruction: &Insn) -> Outcome {
        use Opcode::*;
        let op = instruction.op;
        match op {
            Nop => {}
            AconstNull => {
                let null = self.b.constant(Const::Null);
                self.push(null);
            }
            IconstM1 | Iconst0 | Iconst1 | Iconst2 | Iconst3 | Iconst4 | Iconst5 => {
                let value = self.int(op as i64 - Iconst0 as i64);
                self.push(value);
            }
            Lconst0 | Lconst1 => {
                let value = self.b.int(Type::I64, op as i64 - Lconst0 as i64);
                self.push(value);
            }
            Fconst0 | Fconst1 | Fconst2 => {
                let value = self.b.real(Real::F32(f32::from(op as u8 - Fconst0 as u8)));
                self.push(value);
            }
            Dconst0 | Dconst1 => {
                let value = self.b.real(Real::F64(f64::from(op as u8 - Dconst0 as u8)));
                self.push(value);
            }
            Bipush | Sipush => {
                let Operand::Immediate(value) = instruction.operand else { return Err(misfit(op)) };
                let value = self.int(i64::from(value));
                self.push(value);
            }
            Ldc | LdcW | Ldc2W => self.constant(instruction)?,
            _ if (Iload..=Aload).contains(&op) || (Iload0..=Aload3).contains(&op) => {
                self.load(instruction.slot())?;
            }
            _ if (Istore..=Astore).contains(&op) || (Istore0..=Astore3).contains(&op) => {
                self.store(instruction.slot())?;
            }
            Iaload | Laload | Faload | Daload | Aaload | Baload | Caload | Saload => {
                let descr = self.names.items(op);
                self.memory(Op::GetItem, 2, Some(item_type(op)), descr)?;
            }
            Iastore | Lastore | Fastore | Dastore | Aastore | Bastore | Castore | Sastore => {
                let load = Opcode::from_byte(op as u8 - Iastore as u8 + Iaload as u8).ok_or("an array")?;
                let descr = self.names.items(load);
                self.memory(Op::SetItem, 3, None, descr)?;
            }
            Pop => drop(self.take_slots(1)?),
            Pop2 => drop(self.take_slots(2)?),
            Dup => self.duplicate(1, 0)?,
            DupX1 => self.duplicate(1, 1)?,
            DupX2 => self.duplicate(1, 2)?,
            Dup2 => self.duplicate(2, 0)?,
            Dup2X1 => self.duplicate(2, 1)?,
            Dup2X2 => self.duplicate(2, 2)?,
            Swap => {
                let (x, y) = self.pop2()?;
                self.push(y);
                self.push(x);
            }
            Iadd | Ladd => self.binary(Op::Add)?,
            Isub | Lsub => self.binary(Op::Sub)?,
            Imul | Lmul => self.binary(Op::Mul)?,
            Iand | Land => self.binary(Op::And)?,
            Ior | Lor => self.binary(Op::Or)?,
            Ixor | Lxor => self.binary(Op::Xor)?,
            Fadd | Dadd => self.binary(Op::Fadd)?,
            Fsub | Dsub => self.binary(Op::Fsub)?,
            Fmul | Dmul => self.binary(Op::Fmul)?,
            Fdiv | Ddiv => self.binary(Op::Fdiv)?,
            Frem | Drem => self.binary(Op::Frem)?,
            Idiv | Ldiv => self.division(Op::Sdiv)?,
            Irem | Lrem => self.division(Op::Srem)?,
            Ineg | Lneg => self.unary(Op::Neg, None)?,
            Fneg | Dneg => self.unary(Op::Fneg, None)?,
            Ishl => self.binary(Op::Lshift)?,
            Ishr => self.binary(Op::Rshift)?,
            Iushr => self.binary(Op::Urshift)?,
            Lshl => self.wide_shift(Op::Lshift)?,
            Lshr => self.wide_shift(Op::Rshift)?,
            Lushr => self.wide_shift(Op::Urshift)?,
            Iinc => {
                let Operand::Increment { slot, by, .. } = instruction.operand else { return Err(misfit(op)) };
                self.load(Some(slot))?;
                let (x, by) = (self.pop()?, self.int(i64::from(by)));
                let sum = self.b.op(Op::Add, &[x, by]);
                self.push(sum);
                self.store(Some(slot))?;
            }
            I2l => self.unary(Op::Sext, Some(Type::I64))?,
            L2i => self.unary(Op::Trunc, Some(Type::I32))?,
            I2f | L2f => self.unary(Op::SignedToFloat, Some(Type::F32))?,
            I2d | L2d => self.unary(Op::SignedToFloat, Some(Type::F64))?,
            F2i | D2i => self.unary(Op::FloatToSignedSat, Some(Type::I32))?,
            F2l | D2l => self.unary(Op::FloatToSignedSat, Some(Type::I64))?,
            F2d => self.unary(Op::FloatConvert, Some(Type::F64))?,
            D2f => self.unary(Op::FloatConvert, Some(Type::F32))?,
            I2b => self.narrow(8, Op::Sext)?,
            I2s => self.narrow(16, Op::Sext)?,
            I2c => self.narrow(16, Op::Zext)?,
            Lcmp => {
                // -1, 0 or 1: whether x is greater, minus whether it is less.
                let (x, y) = self.pop2()?;
                let greater = self.b.op_as(Op::Gt, &[x, y], Type::I32);
                let less = self.b.op_as(Op::Lt, &[x, y], Type::I32);
                let value = self.b.op(Op::Sub, &[greater, less]);
                self.push(value);
            }
            Fcmpl | Dcmpl | Fcmpg | Dcmpg => {
                let (x, y) = self.pop2()?;
                let op = if matches!(op, Fcmpl | Dcmpl) { Op::Fcmpl } else { Op::Fcmpg };
                let value = self.b.op_as(op, &[x, y], Type::I32);
                self.push(value);
            }
            Ifeq | Ifne | Iflt | Ifge | Ifgt | Ifle => {
                let target = self.target(instruction)?;
                let compare = comparison_with_zero(op).ok_or("a comparison")?;
                let after_lcmp = self.at > 0
                    && self.code.instructions[self.at - 1].op == Lcmp
                    && self.shape.leaders.binary_search(&(self.at as u32)).is_err();
                let condition = if after_lcmp {
                    let (x, y) = self.pop2()?;
                    self.b.op_as(compare, &[x, y], Type::I1)
                } else {
                    let (x, zero) = (self.pop()?, self.int(0));
                    self.b.op_as(compare, &[x, zero], Type::I1)
                };
                self.branch(condition, target)?;
            }
            IfIcmpeq | IfIcmpne | IfIcmplt | IfIcmpge | IfIcmpgt | IfIcmple | IfAcmpeq | IfAcmpne => {
                let target = self.target(instruction)?;
                let compare = match op {
                    IfIcmpeq => Op::Eq,
                    IfIcmpne => Op::Ne,
                    IfIcmplt => Op::Lt,
                    IfIcmpge => Op::Ge,
                    IfIcmpgt => Op::Gt,
                    IfIcmple => Op::Le,
                    IfAcmpeq => Op::RefEq,
                    _ => Op::RefNe,
                };
                let (x, y) = self.pop2()?;
                let condition = self.b.op_as(compare, &[x, y], Type::I1);
                self.branch(condition, target)?;
            }
            Ifnull | Ifnonnull => {
                let target = self.target(instruction)?;
                let x = self.pop()?;
                let test = if op == Ifnull { Op::IsNull } else { Op::IsNonnull };
                let condition = self.b.op_as(test, &[x], Type::I1);
                self.branch(condition, target)?;
            }
            Goto | GotoW => {
                let target = self.target(instruction)?;
                let call = self.go_to(self.shape.block(target))?;
                self.b.terminate(Terminator::Jump(call));
            }
            Tableswitch | Lookupswitch => {
                let Operand::Switch(switch) = &instruction.operand else { return Err(misfit(op)) };
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
            }
            Ireturn | Lreturn | Freturn | Dreturn | Areturn => {
                let value = self.pop()?;
                self.b.ret(&[value]);
            }
            Return => self.b.ret(&[]),
            Athrow => {
                let thrown = self.pop()?;
                let exit = self.exit()?;
                self.b.terminate(Terminator::Throw(thrown, exit));
            }
            Getfield | Putfield | Getstatic | Putstatic => self.field(instruction)?,
            Arraylength => {
                let descr = self.names.length();
                self.memory(Op::ArrayLen, 1, Some(Type::I32), descr)?;
            }
            Newarray | Anewarray => {
                let descr = self.names.new_array(instruction, self.method.pool);
                self.memory(Op::NewArray, 1, None, descr)?;
            }
            Multianewarray => {
                let Operand::Dimensions { count, .. } = instruction.operand else { return Err(misfit(op)) };
                self.opaque(instruction, usize::from(count), Some(Type::Ref))?;
            }
            New => self.opaque(instruction, 0, Some(Type::Ref))?,
            // The result is the operand, but a verifier knows more of it; an optimizer that took one for
            // the other would lose that.
            Checkcast => self.opaque(instruction, 1, Some(Type::Ref))?,
            // The class may be missing, which is noticed here.
            Instanceof => self.opaque(instruction, 1, Some(Type::I32))?,
            Monitorenter | Monitorexit => self.opaque(instruction, 1, None)?,
            Invokevirtual | Invokespecial | Invokestatic | Invokeinterface | Invokedynamic => {
                self.call(instruction)?;
            }
            _ => return Err(format!("{op} is not lifted")),
        }
        Ok(())
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
                pool.member(index).map_err(|error| error.to_string())?.descriptor
            }
            _ => return Err(misfit(instruction.op)),
        };
        let ty = MethodType::parse(descriptor).ok_or("a malformed descriptor")?;
        let receiver = !matches!(instruction.op, Opcode::Invokestatic | Opcode::Invokedynamic);
        let takes = ty.parameters().count() + usize::from(receiver);
        self.opaque(instruction, takes, ty.result().map(ir_type))
    }
}

fn comparison_with_zero(op: Opcode) -> Option<Op> {
    Some(match op {
        Opcode::Ifeq => Op::Eq,
        Opcode::Ifne => Op::Ne,
        Opcode::Iflt => Op::Lt,
        Opcode::Ifge => Op::Ge,
        Opcode::Ifgt => Op::Gt,
        Opcode::Ifle => Op::Le,
        _ => return None,
    })
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
