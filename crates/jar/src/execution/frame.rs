//! One method at work: its locals and stack, and what each instruction does to them.

use std::rc::Rc;

use planish_classfile::descriptor::MethodType;
use planish_classfile::{Code, Group, Insn, Opcode, Operand, Switch};

use super::classes::{Class, Loadable};
use super::machine::{Machine, Step, Stop};
use super::values::{Member, Name, Ref, Val};
use super::{arithmetic, site};
use crate::execution::values::array_of;

/// An open call.
pub struct Frame {
    class: Rc<Class>,
    code: Rc<Code>,
    locals: Vec<Val>,
    stack: Vec<Val>,
    at: usize,
}

/// Where a method goes on.
enum Next {
    On,
    Jump(u32),
    Return(Option<Val>),
}

/// A class file that no JVM would take.
fn malformed() -> Stop {
    Stop::Unknown("a method that does not verify".to_owned())
}

fn unknown(op: Opcode) -> Stop {
    Stop::Unknown(format!("instruction {op:?}"))
}

impl Frame {
    /// A method that begins with these arguments.
    pub fn new(class: Rc<Class>, code: Rc<Code>, args: Vec<Val>) -> Frame {
        let mut locals = Vec::with_capacity(usize::from(code.max_locals));
        for arg in args {
            locals.push(arg);
            if arg.is_wide() {
                locals.push(Val::Int(0));
            }
        }
        locals.resize(usize::from(code.max_locals).max(locals.len()), Val::Int(0));
        Frame { class, code, locals, stack: Vec::new(), at: 0 }
    }

    /// Runs until it returns or throws.
    pub fn run(mut self, machine: &mut Machine<'_, '_>) -> Step<Option<Val>> {
        let code = self.code.clone();
        loop {
            machine.burn(1)?;
            let instruction = code.instructions.get(self.at).ok_or_else(malformed)?;
            match self.step(machine, instruction) {
                Ok(Next::On) => self.at += 1,
                Ok(Next::Jump(target)) => self.at = target as usize,
                Ok(Next::Return(value)) => return Ok(value),
                Err(Stop::Thrown(thrown)) => match self.handler(machine, thrown)? {
                    Some(target) => {
                        self.stack.clear();
                        self.stack.push(Val::Ref(Some(thrown)));
                        self.at = target as usize;
                    }
                    None => return Err(Stop::Thrown(thrown)),
                },
                Err(stop) => return Err(stop),
            }
        }
    }

    /// Where an exception is handled that arises here.
    fn handler(&self, machine: &mut Machine<'_, '_>, thrown: Ref) -> Step<Option<u32>> {
        let at = self.at as u32;
        for handler in &self.code.handlers {
            if !(handler.start..handler.end).contains(&at) {
                continue;
            }
            let takes = match handler.class {
                0 => true,
                class => machine.is_instance(thrown, &self.class_constant(class)?)?,
            };
            if takes {
                return Ok(Some(handler.target));
            }
        }
        Ok(None)
    }

    fn pop(&mut self) -> Step<Val> {
        self.stack.pop().ok_or_else(malformed)
    }

    fn int(&mut self) -> Step<i32> {
        match self.pop()? {
            Val::Int(value) => Ok(value),
            _ => Err(malformed()),
        }
    }

    fn reference(&mut self) -> Step<Option<Ref>> {
        match self.pop()? {
            Val::Ref(value) => Ok(value),
            _ => Err(malformed()),
        }
    }

    /// A reference that has to be there.
    fn object(&mut self, machine: &mut Machine<'_, '_>) -> Step<Ref> {
        self.reference()?.ok_or_else(|| machine.thrown("java/lang/NullPointerException"))
    }

    fn class_constant(&self, index: u16) -> Step<Name> {
        match self.class.constants.get(usize::from(index)) {
            Some(Loadable::Class(name)) => Ok(name.clone()),
            _ => Err(malformed()),
        }
    }

    fn member(&self, operand: &Operand<Box<Switch>>) -> Step<Rc<Member>> {
        let (Operand::Constant(index) | Operand::Interface { method: index, .. }) = operand else {
            return Err(malformed());
        };
        match self.class.constants.get(usize::from(*index)) {
            Some(Loadable::Member(member)) => Ok(member.clone()),
            _ => Err(malformed()),
        }
    }

    fn local(&mut self, slot: u16) -> Step<&mut Val> {
        self.locals.get_mut(usize::from(slot)).ok_or_else(malformed)
    }

    /// Executes an instruction.
    fn step(&mut self, machine: &mut Machine<'_, '_>, instruction: &Insn) -> Step<Next> {
        use Opcode::*;
        let op = instruction.op;
        match op.group() {
            Group::Constants => self.push_constant(machine, instruction)?,
            Group::Loads if op >= Iaload && op <= Saload => return self.load_element(machine),
            Group::Loads => {
                let value = *self.local(instruction.slot().ok_or_else(malformed)?)?;
                self.stack.push(value);
            }
            Group::Stores if op >= Iastore && op <= Sastore => return self.store_element(machine, op),
            Group::Stores => {
                let value = self.pop()?;
                *self.local(instruction.slot().ok_or_else(malformed)?)? = value;
            }
            Group::Stack => return self.shuffle(op),
            Group::Math if op == Iinc => self.increment(instruction)?,
            Group::Comparisons if op >= Ifeq => return self.branch(instruction),
            Group::Math | Group::Conversions | Group::Comparisons => return self.computes(machine, op),
            Group::Control => return self.control(instruction),
            Group::References => return self.references(machine, instruction),
            Group::Extended => match (op, &instruction.operand) {
                (GotoW, Operand::Target(target)) => return Ok(Next::Jump(*target)),
                (Ifnull | Ifnonnull, _) => return self.branch(instruction),
                (Multianewarray, operand) => self.arrays(machine, op, operand)?,
                _ => return Err(unknown(op)),
            },
        }
        Ok(Next::On)
    }

    fn push_constant(&mut self, machine: &mut Machine<'_, '_>, instruction: &Insn) -> Step<()> {
        use Opcode::*;
        let op = instruction.op;
        let value = match (op, &instruction.operand) {
            (Nop, _) => return Ok(()),
            (AconstNull, _) => Val::Ref(None),
            (Bipush | Sipush, Operand::Immediate(value)) => Val::Int(i32::from(*value)),
            (IconstM1 | Iconst0 | Iconst1 | Iconst2 | Iconst3 | Iconst4 | Iconst5, _) => {
                Val::Int(op as i32 - Iconst0 as i32)
            }
            (Lconst0 | Lconst1, _) => Val::Long(op as i64 - Lconst0 as i64),
            (Fconst0 | Fconst1 | Fconst2, _) => Val::Float((op as i32 - Fconst0 as i32) as f32),
            (Dconst0 | Dconst1, _) => Val::Double(f64::from(op as i32 - Dconst0 as i32)),
            (_, Operand::Constant(index)) => {
                let class = self.class.clone();
                machine.loaded(&class.constants, *index)?
            }
            _ => return Err(unknown(op)),
        };
        self.stack.push(value);
        Ok(())
    }

    fn increment(&mut self, instruction: &Insn) -> Step<()> {
        let Operand::Increment { slot, by, .. } = instruction.operand else {
            return Err(unknown(instruction.op));
        };
        let Val::Int(value) = self.local(slot)? else { return Err(malformed()) };
        *value = value.wrapping_add(i32::from(by));
        Ok(())
    }

    /// A branch that compares, or tests for null.
    fn branch(&mut self, instruction: &Insn) -> Step<Next> {
        let Operand::Target(target) = instruction.operand else { return Err(malformed()) };
        Ok(if self.branches(instruction.op)? { Next::Jump(target) } else { Next::On })
    }

    /// Jumps, switches and returns.
    fn control(&mut self, instruction: &Insn) -> Step<Next> {
        use Opcode::*;
        match (instruction.op, &instruction.operand) {
            (Goto, Operand::Target(target)) => Ok(Next::Jump(*target)),
            (Tableswitch | Lookupswitch, Operand::Switch(switch)) => {
                let key = self.int()?;
                let found = switch.cases.binary_search_by_key(&key, |case| case.0);
                Ok(Next::Jump(found.map_or(switch.default, |place| switch.cases[place].1)))
            }
            (Return, _) => Ok(Next::Return(None)),
            (Ireturn | Lreturn | Freturn | Dreturn | Areturn, _) => Ok(Next::Return(Some(self.pop()?))),
            (op, _) => Err(unknown(op)),
        }
    }

    /// Fields, calls, objects, arrays, exceptions and monitors.
    fn references(&mut self, machine: &mut Machine<'_, '_>, instruction: &Insn) -> Step<Next> {
        use Opcode::*;
        let op = instruction.op;
        match (op, &instruction.operand) {
            (Getstatic | Putstatic | Getfield | Putfield, operand) => {
                return self.field(machine, op, operand);
            }
            (Invokevirtual | Invokespecial | Invokestatic | Invokeinterface | Invokedynamic, operand) => {
                return self.invoke(machine, op, operand);
            }
            (Athrow, _) => return Err(Stop::Thrown(self.object(machine)?)),
            (Monitorenter | Monitorexit, _) => {
                self.object(machine)?;
            }
            (Newarray | Anewarray | Arraylength, operand) => self.arrays(machine, op, operand)?,
            (New, Operand::Constant(index)) => {
                let made = machine.fresh(&self.class_constant(*index)?)?;
                self.stack.push(made);
            }
            (Checkcast, Operand::Constant(index)) => {
                let class = self.class_constant(*index)?;
                let value = self.reference()?;
                if let Some(object) = value
                    && !machine.is_instance(object, &class)?
                {
                    return Err(machine.thrown("java/lang/ClassCastException"));
                }
                self.stack.push(Val::Ref(value));
            }
            (Instanceof, Operand::Constant(index)) => {
                let class = self.class_constant(*index)?;
                let found = match self.reference()? {
                    Some(object) => machine.is_instance(object, &class)?,
                    None => false,
                };
                self.stack.push(Val::Int(i32::from(found)));
            }
            _ => return Err(unknown(op)),
        }
        Ok(Next::On)
    }

    /// Arithmetic, conversions and comparisons.
    fn computes(&mut self, machine: &mut Machine<'_, '_>, op: Opcode) -> Step<Next> {
        let right = self.pop()?;
        let value = match arithmetic::unary(op, right) {
            Some(value) => value,
            None => {
                let left = self.pop()?;
                if matches!(
                    (op, right),
                    (Opcode::Idiv | Opcode::Irem, Val::Int(0)) | (Opcode::Ldiv | Opcode::Lrem, Val::Long(0))
                ) {
                    return Err(machine.thrown("java/lang/ArithmeticException"));
                }
                arithmetic::binary(op, left, right).ok_or_else(malformed)?
            }
        };
        self.stack.push(value);
        Ok(Next::On)
    }

    /// Whether a conditional jump is taken.
    fn branches(&mut self, op: Opcode) -> Step<bool> {
        use Opcode::*;
        Ok(match op {
            Ifnull => self.reference()?.is_none(),
            Ifnonnull => self.reference()?.is_some(),
            IfAcmpeq => self.reference()? == self.reference()?,
            IfAcmpne => self.reference()? != self.reference()?,
            _ => {
                let right = if op < IfIcmpeq { 0 } else { self.int()? };
                let left = self.int()?;
                match op {
                    Ifeq | IfIcmpeq => left == right,
                    Ifne | IfIcmpne => left != right,
                    Iflt | IfIcmplt => left < right,
                    Ifge | IfIcmpge => left >= right,
                    Ifgt | IfIcmpgt => left > right,
                    _ => left <= right,
                }
            }
        })
    }

    /// Moves values on the stack. Those of two slots are one value here.
    fn shuffle(&mut self, op: Opcode) -> Step<Next> {
        use Opcode::*;
        let first = self.pop()?;
        match op {
            Pop => {}
            Pop2 => {
                if !first.is_wide() {
                    self.pop()?;
                }
            }
            Dup => self.stack.extend([first, first]),
            Swap => {
                let second = self.pop()?;
                self.stack.extend([first, second]);
            }
            DupX1 => {
                let second = self.pop()?;
                self.stack.extend([first, second, first]);
            }
            DupX2 => {
                let second = self.pop()?;
                let rest = self.second_of(second)?;
                self.stack.push(first);
                self.stack.extend(rest);
                self.stack.extend([second, first]);
            }
            _ => {
                // What is copied: one wide value or two.
                let second = self.second_of(first)?;
                let copied: Vec<Val> = second.into_iter().chain([first]).collect();
                let mut between = Vec::new();
                if op != Dup2 {
                    between.push(self.pop()?);
                    if op == Dup2X2 {
                        let below = self.second_of(between[0])?;
                        between.splice(0..0, below);
                    }
                }
                self.stack.extend(&copied);
                self.stack.extend(between);
                self.stack.extend(&copied);
            }
        }
        Ok(Next::On)
    }

    /// The other value of a pair of slots; nothing if the first takes both.
    fn second_of(&mut self, first: Val) -> Step<Option<Val>> {
        if first.is_wide() { Ok(None) } else { self.pop().map(Some) }
    }

    fn load_element(&mut self, machine: &mut Machine<'_, '_>) -> Step<Next> {
        let index = self.int()?;
        let array = self.object(machine)?;
        let elements = machine.heap.elements(array).ok_or_else(malformed)?;
        match usize::try_from(index).ok().and_then(|index| elements.get(index)) {
            Some(value) => {
                self.stack.push(*value);
                Ok(Next::On)
            }
            None => Err(machine.thrown("java/lang/ArrayIndexOutOfBoundsException")),
        }
    }

    fn store_element(&mut self, machine: &mut Machine<'_, '_>, op: Opcode) -> Step<Next> {
        let value = self.pop()?;
        let index = self.int()?;
        let array = self.object(machine)?;
        let class = machine.heap.get(array).class.clone();
        let Some(length) = machine.heap.elements(array).map(|elements| elements.len()) else {
            return Err(malformed());
        };
        let Some(index) = usize::try_from(index).ok().filter(|&index| index < length) else {
            return Err(machine.thrown("java/lang/ArrayIndexOutOfBoundsException"));
        };
        if op == Opcode::Aastore
            && let Val::Ref(Some(object)) = value
        {
            let of = match class.get(1) {
                Some(b'L') => &class[2..class.len() - 1],
                _ => &class[1..],
            };
            if !machine.is_instance(object, of)? {
                return Err(machine.thrown("java/lang/ArrayStoreException"));
            }
        }
        if let Some(elements) = machine.heap.elements(array) {
            elements[index] = value.narrowed(&class[1..]);
        }
        Ok(Next::On)
    }

    fn arrays(&mut self, machine: &mut Machine<'_, '_>, op: Opcode, operand: &Operand<Box<Switch>>) -> Step {
        let made = match (op, operand) {
            (Opcode::Newarray, Operand::Immediate(of)) => {
                // As the specification numbers types of elements.
                let letter = usize::try_from(of - 4).ok().and_then(|at| b"ZCFDBSIJ".get(at));
                let descriptor = [b'[', *letter.ok_or_else(malformed)?];
                machine.array(&descriptor, self.int()?)?
            }
            (Opcode::Anewarray, Operand::Constant(index)) => {
                let of = self.class_constant(*index)?;
                machine.array(&array_of(&of), self.int()?)?
            }
            (Opcode::Multianewarray, Operand::Dimensions { class, count }) => {
                let class = self.class_constant(*class)?;
                let mut lengths = Vec::new();
                for _ in 0..*count {
                    lengths.insert(0, self.int()?);
                }
                if lengths.iter().any(|&length| length < 0) {
                    return Err(machine.thrown("java/lang/NegativeArraySizeException"));
                }
                machine.arrays(&class, &lengths)?
            }
            _ => {
                let array = self.object(machine)?;
                let elements = machine.heap.elements(array).ok_or_else(malformed)?;
                Val::Int(elements.len() as i32)
            }
        };
        self.stack.push(made);
        Ok(())
    }

    fn field(
        &mut self,
        machine: &mut Machine<'_, '_>,
        op: Opcode,
        operand: &Operand<Box<Switch>>,
    ) -> Step<Next> {
        let member = self.member(operand)?;
        match op {
            Opcode::Getstatic => {
                let value = machine.read_static(&member)?;
                self.stack.push(value);
            }
            Opcode::Putstatic => {
                let value = self.pop()?;
                machine.write_static(&member, value)?;
            }
            _ => {
                let value = if op == Opcode::Putfield { Some(self.pop()?) } else { None };
                let object = self.object(machine)?;
                let Some((_, field)) = machine.classes.field(&member) else {
                    return Err(Stop::Unknown(format!("field {member} of a library")));
                };
                let fields = &mut machine.heap.get_mut(object).fields;
                match value {
                    Some(value) => {
                        fields.insert(field, value.narrowed(&member.descriptor));
                    }
                    None => {
                        let value = fields.get(&field).copied();
                        self.stack.push(value.unwrap_or_else(|| Val::zero(&member.descriptor)));
                    }
                }
            }
        }
        Ok(Next::On)
    }

    /// A call, and what becomes of its result.
    fn invoke(
        &mut self,
        machine: &mut Machine<'_, '_>,
        op: Opcode,
        operand: &Operand<Box<Switch>>,
    ) -> Step<Next> {
        let (descriptor, member) = match (op, operand) {
            (Opcode::Invokedynamic, Operand::Constant(index)) => {
                match self.class.constants.get(usize::from(*index)) {
                    Some(Loadable::Dynamic(_, _, descriptor)) => (descriptor.clone(), None),
                    _ => return Err(malformed()),
                }
            }
            _ => {
                let member = self.member(operand)?;
                (member.descriptor.clone(), Some(member))
            }
        };
        let ty = MethodType::parse(&descriptor).ok_or_else(malformed)?;
        let receiver = usize::from(!matches!(op, Opcode::Invokestatic | Opcode::Invokedynamic));
        let from = self.stack.len().checked_sub(ty.parameters().count() + receiver).ok_or_else(malformed)?;
        let args = self.stack.split_off(from);
        let result = match (member, operand) {
            (Some(member), _) => machine.call(op, &self.class.name, &member, args)?,
            (None, Operand::Constant(index)) => Some(site::link(machine, &self.class, *index, args)?),
            _ => return Err(malformed()),
        };
        match (ty.result(), result) {
            (Some(ty), Some(value)) => {
                let mut text = Vec::new();
                ty.write(&mut text);
                self.stack.push(value.narrowed(&text));
            }
            (None, _) => {}
            (Some(_), None) => return Err(malformed()),
        }
        Ok(Next::On)
    }
}
