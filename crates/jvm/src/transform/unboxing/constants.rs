//! What the initializer of an enum makes, if it does nothing else: its constants, and the array of all.
//!
//! The initializer and the constructors are followed one instruction after the other. They may be as compilers write them, or
//! what is left of that: constants that nobody reads are gone, constructors have fewer parameters.

use std::collections::BTreeMap;

use planish_classfile::descriptor::MethodType;
use planish_classfile::{Code, Flags, Insn, MemberRef, Opcode, Operand};
use planish_jvm_analysis::enum_ordinals::is_of_own_type;
use planish_jvm_analysis::literal::{Literal, loaded, number};
use planish_jvm_analysis::pure::of_ints;
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::program::{Class, Method, Program};

use super::observed::ENUM;
use super::place::Place;
use super::reason::Reason;

/// How deep constructors and methods that fill the array may call each other.
const DEEPEST: u32 = 4;

/// The constants of an enum.
pub(super) struct Constants {
    /// The numbers of constants, by the names of fields: the ordinal and one more; 0 if nothing sets the field.
    pub numbers: BTreeMap<Box<[u8]>, u32>,
    /// The names that constants have, by ordinal.
    pub names: BTreeMap<u32, Box<[u8]>>,
    /// The field with the array of all, and the ordinals in it.
    pub all: Option<(Box<[u8]>, Vec<u32>)>,
    /// Static methods that the initializer calls.
    pub called: Vec<Method>,
    /// The fields that constants have, by their places in the class.
    pub fields: Vec<HeldBy>,
}

/// What a field of a constant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Held {
    Number(i32),
    Text(Box<[u8]>),
    /// Null.
    Nothing,
}

/// A field that constants have.
pub(super) struct HeldBy {
    pub name: Box<[u8]>,
    pub descriptor: Box<[u8]>,
    /// What it holds, by ordinal, where a constructor sets it.
    set: BTreeMap<u32, Held>,
}

impl HeldBy {
    /// What it holds in a constant.
    pub fn of(&self, ordinal: u32) -> Held {
        let unset = || if *self.descriptor == *TEXT { Held::Nothing } else { Held::Number(0) };
        self.set.get(&ordinal).cloned().unwrap_or_else(unset)
    }
}

/// The type of texts.
const TEXT: &[u8] = b"Ljava/lang/String;";

/// Whether a field of this type is known to hold a value as it is.
fn holds(descriptor: &[u8], value: &Value) -> bool {
    match (descriptor, value) {
        (b"I", Value::Number(_)) => true,
        (b"Z", Value::Number(number)) => (0..=1).contains(number),
        (b"B", Value::Number(number)) => i8::try_from(*number).is_ok(),
        (b"S", Value::Number(number)) => i16::try_from(*number).is_ok(),
        (b"C", Value::Number(number)) => u16::try_from(*number).is_ok(),
        (descriptor, Value::Text(_) | Value::Null) => descriptor == TEXT,
        _ => false,
    }
}

/// What a slot holds.
#[derive(Clone, PartialEq)]
enum Value {
    Number(i32),
    Text(Box<[u8]>),
    Null,
    /// The constant of this number, in the order in which they are made.
    Constant(usize),
    /// The array of this number.
    Array(usize),
}

/// The name and the ordinal of a constant, once it is made.
type Made = Option<(Box<[u8]>, u32)>;

struct Run<'p, 'a> {
    program: &'p Program<'a>,
    class: Class,
    made: Vec<Made>,
    /// The constants in arrays.
    arrays: Vec<Vec<Option<usize>>>,
    /// What static fields hold.
    fields: BTreeMap<Box<[u8]>, Value>,
    called: Vec<Method>,
    /// The fields of constants; what they hold is by the numbers of constants so far.
    held: Vec<HeldBy>,
    /// Where the first thing is done that could be seen.
    ended: Option<(Reason, Place)>,
}

impl Constants {
    /// Those of an enum, or why they are not known. O(size of the initializer).
    pub fn of(program: &Program<'_>, class: Class) -> Result<Constants, (Reason, Place)> {
        let own = &program.classes[class];
        let mut held = Vec::new();
        for &field in own.fields.iter().filter(|&&field| !program.fields[field].flags.has(Flags::STATIC)) {
            let selector = program.fields[field].selector;
            let (name, descriptor) = (program.member_name(selector), program.descriptor(selector));
            let is_again = held.iter().any(|other: &HeldBy| *other.name == *name);
            if is_again || !matches!(descriptor, b"I" | b"Z" | b"B" | b"S" | b"C") && descriptor != TEXT {
                return Err((Reason::Fields, Place::Field(field)));
            }
            held.push(HeldBy { name: name.into(), descriptor: descriptor.into(), set: BTreeMap::new() });
        }
        let fields = own.fields.iter().map(|&field| &program.fields[field]);
        let ty = [b"L", program.name(class), b";"].concat();
        let fields =
            fields.filter(|info| info.flags.has(Flags::STATIC) && program.descriptor(info.selector) == ty);
        let mut run = Run {
            program,
            class,
            made: vec![],
            arrays: vec![],
            fields: BTreeMap::new(),
            called: vec![],
            ended: None,
            held,
        };
        let own_place = (Reason::Initializer, Place::Class(class));
        let selector = program.selector(b"<clinit>()V");
        let method = selector.and_then(|selector| program.declared_method(class, selector));
        if let Some((method, code)) = method.and_then(|method| Some((method, bare_body(program, method)?))) {
            let followed = run.follow((method, &code), Vec::new(), DEEPEST);
            followed.ok_or_else(|| run.ended.unwrap_or(own_place))?;
        }
        run.constants(fields.map(|info| program.member_name(info.selector))).ok_or(own_place)
    }
}

impl Constants {
    /// The place of a field among those that constants have.
    pub fn field(&self, name: &[u8]) -> Option<usize> {
        self.fields.iter().position(|field| *field.name == *name)
    }
}

impl Run<'_, '_> {
    /// What was made. `fields` may hold constants.
    fn constants<'f>(self, fields: impl Iterator<Item = &'f [u8]>) -> Option<Constants> {
        let mut found = Constants {
            numbers: BTreeMap::new(),
            names: BTreeMap::new(),
            all: None,
            called: self.called,
            fields: self.held,
        };
        let made: Vec<(Box<[u8]>, u32)> = self.made.into_iter().collect::<Option<_>>()?;
        for (name, ordinal) in &made {
            if found.names.insert(*ordinal, name.clone()).is_some() {
                return None;
            }
        }
        for field in &mut found.fields {
            let set = std::mem::take(&mut field.set).into_iter();
            field.set = set.map(|(constant, held)| (made[constant as usize].1, held)).collect();
        }
        for field in fields {
            found.numbers.insert(field.into(), 0);
        }
        for (name, value) in self.fields {
            match value {
                Value::Constant(constant) => drop(found.numbers.insert(name, made[constant].1 + 1)),
                Value::Array(array) if found.all.is_none() => {
                    let all = self.arrays[array].iter().map(|constant| Some(made[(*constant)?].1));
                    found.all = Some((name, all.collect::<Option<_>>()?));
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// Follows a body with these locals, up to where it returns. Nothing if it may do something else than make constants.
    fn follow(
        &mut self,
        (method, code): (Method, &Code),
        locals: Vec<Option<Value>>,
        depth: u32,
    ) -> Option<Option<Value>> {
        let mut at = 0;
        let result = self.runs(code, locals, depth, &mut at);
        if result.is_none() && self.ended.is_none() {
            let reason =
                if self.asks_assertions(code, at) { Reason::Assertions } else { Reason::Initializer };
            self.ended = Some((reason, Place::of(self.program, method, at.saturating_sub(1))));
        }
        result
    }

    /// Whether an instruction loads the object of the class to ask it whether assertions are on.
    fn asks_assertions(&self, code: &Code, at: usize) -> bool {
        let pool = &self.program.classes[self.class].file.pool;
        let Some(Operand::Constant(index)) = code.instructions.get(at).map(|insn| &insn.operand) else {
            return false;
        };
        pool.member(*index).is_ok_and(|member| member.name == b"desiredAssertionStatus")
    }

    /// The same; `at` is the number of the next instruction.
    fn runs(
        &mut self,
        code: &Code,
        mut locals: Vec<Option<Value>>,
        depth: u32,
        at: &mut usize,
    ) -> Option<Option<Value>> {
        use Opcode::*;
        if !code.handlers.is_empty() {
            return None;
        }
        locals.resize(locals.len().max(code.max_locals.into()), None);
        let mut stack: Vec<Value> = Vec::new();
        for instruction in &code.instructions {
            let op = instruction.op;
            *at += 1;
            match op {
                Nop => {}
                Return => return Some(None),
                Areturn => return stack.pop().map(Some),
                Dup => stack.push(stack.last()?.clone()),
                Pop => drop(stack.pop()?),
                Swap => {
                    let last = stack.len().checked_sub(2)?;
                    stack.swap(last, last + 1);
                }
                DupX1 => {
                    let top = stack.last()?.clone();
                    stack.insert(stack.len().checked_sub(2)?, top);
                }
                _ if is_local(op, [Istore, Istore0, Istore3]) || is_local(op, [Astore, Astore0, Astore3]) => {
                    *locals.get_mut(usize::from(instruction.slot()?))? = Some(stack.pop()?);
                }
                _ if is_local(op, [Iload, Iload0, Iload3]) || is_local(op, [Aload, Aload0, Aload3]) => {
                    stack.push(locals.get(usize::from(instruction.slot()?))?.clone()?);
                }
                _ => self.makes(instruction, &mut stack, depth)?,
            }
        }
        None
    }

    /// Follows an instruction that makes something, or puts it somewhere.
    fn makes(&mut self, instruction: &Insn, stack: &mut Vec<Value>, depth: u32) -> Option<()> {
        use Opcode::*;
        let program = self.program;
        let (own, pool) = (program.name(self.class), &program.classes[self.class].file.pool);
        let member = match instruction.operand {
            Operand::Constant(index) => pool.member(index).ok(),
            _ => None,
        };
        let names_own = || match instruction.operand {
            Operand::Constant(index) => pool.class(index) == Ok(own),
            _ => false,
        };
        match (instruction.op, member) {
            (New, _) if names_own() => {
                stack.push(Value::Constant(self.made.len()));
                self.made.push(None);
            }
            (Anewarray, _) if names_own() => {
                let Value::Number(length @ 0..0x1_0000) = stack.pop()? else { return None };
                stack.push(Value::Array(self.arrays.len()));
                self.arrays.push(vec![None; length as usize]);
            }
            (Aastore, _) => {
                let (value, index, array) = (stack.pop()?, stack.pop()?, stack.pop()?);
                let (Value::Constant(constant), Value::Number(index), Value::Array(array)) =
                    (value, index, array)
                else {
                    return None;
                };
                *self.arrays[array].get_mut(usize::try_from(index).ok()?)? = Some(constant);
            }
            (Putstatic, Some(member)) if member.class == own => {
                let value = stack.pop()?;
                let fits = match value {
                    Value::Constant(_) => is_of_own_type(&member),
                    Value::Array(_) => member.descriptor == [b"[L", own, b";"].concat(),
                    _ => false,
                };
                let is_again = self.fields.insert(member.name.into(), value).is_some();
                return (fits && !is_again).then_some(());
            }
            (Putfield, Some(member)) if member.class == own => {
                let (value, constant) = (stack.pop()?, stack.pop()?);
                let Value::Constant(constant) = constant else { return None };
                let field = self.held.iter_mut().find(|field| *field.name == *member.name)?;
                if *field.descriptor != *member.descriptor || !holds(&field.descriptor, &value) {
                    return None;
                }
                let held = match value {
                    Value::Number(number) => Held::Number(number),
                    Value::Text(text) => Held::Text(text),
                    Value::Null => Held::Nothing,
                    _ => return None,
                };
                field.set.insert(u32::try_from(constant).ok()?, held);
            }
            (Getstatic, Some(member)) if member.class == own => {
                stack.push(self.fields.get(member.name)?.clone());
            }
            (Invokespecial, Some(member)) if member.name == b"<init>" => {
                self.construct(&member, stack, depth)?;
            }
            (Invokestatic, Some(member)) if member.class == own => {
                let method = self.declared(&member)?;
                let given = arguments(&member, stack)?;
                self.called.push(method);
                let code = bare_body(program, method)?;
                stack.extend(self.follow(
                    (method, &code),
                    locals_of(&member, None, given)?,
                    depth.checked_sub(1)?,
                )?);
            }
            (_, member) => {
                let value = self.computes(instruction, member.as_ref(), stack)?;
                stack.push(value);
            }
        }
        Some(())
    }

    /// The value that an instruction makes of others, or pushes.
    fn computes(
        &self,
        instruction: &Insn,
        member: Option<&MemberRef<'_>>,
        stack: &mut Vec<Value>,
    ) -> Option<Value> {
        use Opcode::*;
        match (instruction.op, member) {
            (Getfield | Invokevirtual, Some(member)) => {
                let Value::Constant(constant) = stack.pop()? else { return None };
                if instruction.op == Getfield {
                    self.held(constant, member)
                } else {
                    self.told(constant, member)
                }
            }
            (Iadd | Isub | Imul | Idiv | Irem | Ishl | Ishr | Iushr | Iand | Ior | Ixor, _) => {
                let (Value::Number(right), Value::Number(left)) = (stack.pop()?, stack.pop()?) else {
                    return None;
                };
                of_ints(instruction.op, left, right).map(Value::Number)
            }
            _ => self.pushed(instruction),
        }
    }

    /// What a field of a constant holds that was set before.
    fn held(&self, constant: usize, member: &MemberRef<'_>) -> Option<Value> {
        let field = self.held.iter().find(|field| *field.name == *member.name)?;
        let is_same =
            *field.descriptor == *member.descriptor && member.class == self.program.name(self.class);
        let held = field.set.get(&u32::try_from(constant).ok()?).filter(|_| is_same)?;
        Some(match held {
            Held::Number(number) => Value::Number(*number),
            Held::Text(text) => Value::Text(text.clone()),
            Held::Nothing => Value::Null,
        })
    }

    /// What `ordinal()` or `name()` gives of a constant that is one by now.
    fn told(&self, constant: usize, member: &MemberRef<'_>) -> Option<Value> {
        if member.class != self.program.name(self.class) && member.class != ENUM {
            return None;
        }
        let (name, ordinal) = self.made[constant].as_ref()?;
        match (member.name, member.descriptor) {
            (b"ordinal", b"()I") => Some(Value::Number(i32::try_from(*ordinal).ok()?)),
            (b"name", b"()Ljava/lang/String;") => Some(Value::Text(name.clone())),
            _ => None,
        }
    }

    /// The number or text that an instruction pushes.
    fn pushed(&self, instruction: &Insn) -> Option<Value> {
        let pool = &self.program.classes[self.class].file.pool;
        if instruction.op == Opcode::AconstNull {
            return Some(Value::Null);
        }
        if let Some(number) = number(instruction, pool) {
            return Some(Value::Number(number));
        }
        match instruction.operand {
            Operand::Constant(index) if matches!(instruction.op, Opcode::Ldc | Opcode::LdcW) => {
                match loaded(pool, index)? {
                    Literal::Text(text) => Some(Value::Text(text)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn declared(&self, member: &MemberRef<'_>) -> Option<Method> {
        let selector = self.program.selector(&[member.name, member.descriptor].concat())?;
        self.program.declared_method(self.class, selector)
    }

    /// Follows the call of a constructor, of the enum or of `Enum`.
    fn construct(&mut self, member: &MemberRef<'_>, stack: &mut Vec<Value>, depth: u32) -> Option<()> {
        let given = arguments(member, stack)?;
        let Value::Constant(constant) = stack.pop()? else { return None };
        if member.class == ENUM {
            let [Value::Text(name), Value::Number(ordinal)] = &given[..] else { return None };
            let made = self.made.get_mut(constant)?;
            let known = (name.clone(), u32::try_from(*ordinal).ok().filter(|ordinal| *ordinal < 0x7fff)?);
            return made.replace(known).is_none().then_some(());
        }
        if member.class != self.program.name(self.class) {
            return None;
        }
        let method = self.declared(member)?;
        let code = bare_body(self.program, method)?;
        let locals = locals_of(member, Some(Value::Constant(constant)), given)?;
        self.follow((method, &code), locals, depth.checked_sub(1)?).map(drop)
    }
}

/// Takes the arguments of a call from the stack.
fn arguments(member: &MemberRef<'_>, stack: &mut Vec<Value>) -> Option<Vec<Value>> {
    let count = MethodType::parse(member.descriptor)?.parameters().count();
    Some(stack.split_off(stack.len().checked_sub(count)?))
}

/// The locals with which a method begins.
fn locals_of(member: &MemberRef<'_>, this: Option<Value>, given: Vec<Value>) -> Option<Vec<Option<Value>>> {
    let mut locals: Vec<Option<Value>> = this.into_iter().map(Some).collect();
    for (ty, value) in MethodType::parse(member.descriptor)?.parameters().zip(given) {
        locals.push(Some(value));
        // Nothing that is followed has two slots.
        (ty.slots() == 1).then_some(())?;
    }
    Some(locals)
}

/// Whether an instruction is one of a local variable: the form that says which, or one of those for the first four.
fn is_local(op: Opcode, [form, first, last]: [Opcode; 3]) -> bool {
    op == form || (first..=last).contains(&op)
}
