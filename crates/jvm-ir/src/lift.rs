//! Bytecode to SSA: symbolic execution of locals and the operand stack.
//!
//! The types at branch targets are found first ([`planish_jvm_model::frames`]), so that method bodies of every
//! version are treated alike; then one pass over the instructions keeps the value of each local and
//! stack entry. Where paths meet, a block has a parameter for each stack entry and each live local; those
//! that are one value whichever way control comes go again ([`planish_ir::redundant_phis`]). An
//! instruction that may throw is an ordinary operation; if handlers guard it, it owns an exit to them,
//! whose arguments are the locals that the handlers need. Stack and locals are then gone.
//!
//! Arithmetic, comparisons, conversions, arrays and plain fields of the class itself become operations of
//! the table. Everything else (calls, other fields, `new`, whose class may have to be initialized) is a
//! call of the original instruction, of which nothing is known. What cannot be lifted, subroutines and
//! code that does not verify, is an error; the caller keeps the bytes.

mod instructions;

use planish_classfile::code::Insn;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Code, Opcode, Operand};
use planish_ir::redundant_phis::remove_redundant_phis;
use planish_ir::{Block, BlockCall, Builder, Function, Handler, Location, Terminator, Value};
use planish_jvm_model::frames::{self, Targets};
use planish_jvm_model::state::{State, VerifyError};
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::{TypeContext, VType};
use planish_ops::{Op, Type};

use crate::naming::{Named, Names, ir_type};
use crate::shape::{Shape, comparison_with_zero};
use crate::variables::Variables;

type Outcome<T = ()> = Result<T, String>;

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

/// What arrives at handlers and other targets.
struct Arrivals<'t> {
    /// The types at targets, in ascending order of these.
    states: &'t [(u32, State)],
    /// By instruction, for how many handlers of lists it is the first.
    handlers: Vec<u32>,
}

impl<'t> Arrivals<'t> {
    fn new(shape: &Shape, instructions: usize, targets: &'t Targets) -> Self {
        let mut handlers = vec![0u32; instructions];
        for list in &shape.lists {
            list.iter().for_each(|handler| handlers[handler.target as usize] += 1);
        }
        Arrivals { states: targets.states(), handlers }
    }

    fn state(&self, at: u32) -> Option<&'t State> {
        let place = self.states.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        Some(&self.states[place].1)
    }

    /// Whether a handler needs no landing of its own: one list alone leads to it, once.
    fn is_direct(&self, shape: &Shape, at: u32) -> bool {
        self.handlers[at as usize] == 1 && !shape.has_normal_entry[at as usize]
    }

    /// The locals that the handlers of a list need.
    fn locals_of_handlers(&self, shape: &Shape, list: &[planish_classfile::Handler]) -> Vec<u16> {
        let mut slots = Vec::new();
        for handler in list {
            let state = self.state(handler.target);
            let usable = |slot: &u16| state.is_some_and(|state| state.local(*slot) != VType::Top);
            slots.extend(shape.live_in(shape.block(handler.target)).filter(usable));
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The types of locals that the exits to the handlers of a list carry.
    fn types(&self, list: &[planish_classfile::Handler], slots: &[u16]) -> Outcome<Vec<(u16, Type)>> {
        let typed = |&slot: &u16| {
            let ty = list.iter().find_map(|handler| value_type(self.state(handler.target)?.local(slot)));
            Ok((slot, ty.ok_or("a local without type")?))
        };
        slots.iter().map(typed).collect()
    }
}

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
            remove_redundant_phis(&mut function);
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
        let arrivals = Arrivals::new(&self.shape, self.code.instructions.len(), targets);
        let list_slots: Vec<Vec<u16>> =
            self.shape.lists.iter().map(|list| arrivals.locals_of_handlers(&self.shape, list)).collect();
        for (number, leader) in self.shape.leaders.clone().into_iter().enumerate() {
            if number == 0 && !self.shape.is_join[0] {
                self.blocks.push(BlockInfo { block: entry, slots: Vec::new() });
                continue;
            }
            let block = self.b.block(&format!("at{leader}"));
            let slots = match self.shape.is_join[leader as usize] {
                true => self.make_params(number, block, &arrivals, &list_slots)?,
                false => Vec::new(),
            };
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
                let block = if arrivals.is_direct(&self.shape, handler.target) {
                    self.blocks[self.shape.block(handler.target)].block
                } else {
                    let landing = self.b.block(&format!("catch{number}_{}", handler.target));
                    self.land(landing, handler.target, &arrivals.types(&list, &slots)?)?;
                    landing
                };
                handlers.push(Handler { class, block });
            }
            self.lists.push(ListInfo { handlers: handlers.into(), slots });
        }
        Ok(())
    }

    /// Gives a block in which paths meet a parameter for each stack entry and each local that is needed there. Returns
    /// which locals those are.
    fn make_params(
        &mut self,
        number: usize,
        block: Block,
        arrivals: &Arrivals<'_>,
        list_slots: &[Vec<u16>],
    ) -> Outcome<Vec<u16>> {
        let leader = self.shape.leaders[number];
        let Some(state) = arrivals.state(leader) else { return Err("a target without types".into()) };
        for &ty in &state.stack {
            let ty = value_type(ty).ok_or("an unusable value on the stack")?;
            self.b.param(block, ty);
        }
        let of_list = self.shape.lists.iter().position(|list| {
            arrivals.is_direct(&self.shape, leader) && list.iter().any(|handler| handler.target == leader)
        });
        let mut slots = Vec::new();
        match of_list {
            Some(list) => {
                for (slot, ty) in arrivals.types(&self.shape.lists[list], &list_slots[list])? {
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
        Ok(slots)
    }

    /// Fills a block in which exits of a list land: it hands on to a handler what that needs of what they carry.
    fn land(&mut self, landing: Block, handler: u32, carried: &[(u16, Type)]) -> Outcome {
        let target = self.shape.block(handler);
        let mut args = vec![self.b.param(landing, Type::Ref)];
        let locals: Vec<(u16, Value)> =
            carried.iter().map(|&(slot, ty)| (slot, self.b.param(landing, ty))).collect();
        for &slot in &self.blocks[target].slots {
            let found = locals.iter().find(|(known, _)| *known == slot);
            args.push(found.ok_or("a handler needs a local that its exits lack")?.1);
        }
        self.b.at(landing);
        let call = self.b.call(self.blocks[target].block, &args);
        self.b.terminate(Terminator::Jump(call));
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
}
