//! Enum ordinals, read from an initializer that does nothing but make the constants.

use std::collections::BTreeMap;

use planish_classfile::descriptor::MethodType;
use planish_classfile::limits::effect;
use planish_classfile::{Code, ConstantPool, Flags, Insn, MemberRef, Opcode, Operand};
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::program::{Class, Method, Program};

use crate::literal::{Literal, loaded, number};

/// The class that all enums extend.
const ENUM: &[u8] = b"java/lang/Enum";

/// How deep constructors of an enum may call each other.
const DEEPEST: u32 = 4;

/// The ordinals of an enum by the names of its constants.
pub struct Ordinals(BTreeMap<Vec<u8>, usize>);

/// What a slot of the stack holds while constants are made.
#[derive(Clone, Copy)]
enum Made {
    /// The constant of this number, in the order in which they are made.
    Object(usize),
    Number(i32),
    Other,
}

/// The initializer of an enum, as far as it was followed.
struct Initializer<'p, 'a> {
    program: &'p Program<'a>,
    class: Class,
    stack: Vec<Made>,
    /// The ordinals of the constants.
    objects: Vec<Option<i32>>,
    /// The names of the constants.
    named: BTreeMap<Vec<u8>, usize>,
    /// The lengths of arrays of constants.
    arrays: Vec<i32>,
}

impl Ordinals {
    /// Those of an enum that is as compilers write it and whose initializer only makes its constants.
    pub fn of(program: &Program<'_>, class: Class) -> Option<Ordinals> {
        let own = &program.classes[class];
        if !own.file.flags.has(Flags::ENUM) || own.file.super_name() != Ok(Some(ENUM)) {
            return None;
        }
        let code = initializer(program, class)?;
        let mut run = Initializer {
            program,
            class,
            stack: Vec::new(),
            objects: Vec::new(),
            named: BTreeMap::new(),
            arrays: Vec::new(),
        };
        run.follow(&code, 0)?;
        // Other methods make no constants, and `values` gives all of them.
        for &method in &own.methods {
            let name = program.text(program.methods[method].selector);
            let Some(code) = bare_body(program, method) else { continue };
            let makes = |insn: &Insn| insn.op == Opcode::New && run.made_by(insn);
            if name != b"<clinit>()V" && code.instructions.iter().any(makes) {
                return None;
            }
            let copies = |insn: &Insn| {
                use Opcode::*;
                matches!(insn.op, Getstatic | Invokevirtual | Checkcast | Areturn)
            };
            if name.starts_with(b"values()") && !code.instructions.iter().all(copies) {
                return None;
            }
        }
        let count = run.objects.len();
        let mut ordinals = BTreeMap::new();
        for (name, object) in run.named {
            ordinals.insert(name, usize::try_from(run.objects[object]?).ok()?);
        }
        let mut all: Vec<usize> = ordinals.values().copied().collect();
        all.sort_unstable();
        (all.into_iter().eq(0..count) && run.arrays == [count as i32]).then_some(Ordinals(ordinals))
    }

    /// The numbers by ordinal.
    pub fn numbers(&self, filled: &[(Vec<u8>, i32)]) -> Option<Vec<i32>> {
        let mut numbers = vec![0; self.0.len()];
        for (name, number) in filled {
            numbers[*self.0.get(name)?] = *number;
        }
        Some(numbers)
    }
}

impl Initializer<'_, '_> {
    fn pool(&self) -> &ConstantPool<'_> {
        &self.program.classes[self.class].file.pool
    }

    /// Whether an instruction names the enum or a class below: that of a constant with a body.
    fn made_by(&self, instruction: &Insn) -> bool {
        let Operand::Constant(index) = instruction.operand else { return false };
        let named = self.pool().class(index).ok().and_then(|name| self.program.class_named(name));
        named.is_some_and(|named| {
            let id = self.program.classes[self.class].id;
            self.program.classes[named].supertypes.contains(&id)
        })
    }

    /// Follows instructions, one after the other. Nothing if one may do something else than make constants.
    fn follow(&mut self, code: &Code, depth: u32) -> Option<()> {
        use Opcode::*;
        if !code.handlers.is_empty() || depth > 1 {
            return None;
        }
        let own = self.program.name(self.class);
        for instruction in &code.instructions {
            let pool = &self.program.classes[self.class].file.pool;
            let member = match instruction.operand {
                Operand::Constant(index) => pool.member(index).ok(),
                _ => None,
            };
            match (instruction.op, member) {
                (New, _) if self.made_by(instruction) => {
                    self.stack.push(Made::Object(self.objects.len()));
                    self.objects.push(None);
                }
                (Dup, _) => self.stack.push(*self.stack.last()?),
                (Invokespecial, Some(member)) if member.name == b"<init>" => self.construct(&member)?,
                (Putstatic, Some(member)) if member.class == own => {
                    if let Made::Object(object) = self.stack.pop()?
                        && is_of_own_type(&member)
                    {
                        self.named.insert(member.name.to_vec(), object);
                    }
                }
                (Getstatic, Some(member)) if member.class == own => {
                    let object = self.named.get(member.name).filter(|_| is_of_own_type(&member));
                    self.stack.push(object.map_or(Made::Other, |&object| Made::Object(object)));
                }
                (Anewarray, _) => {
                    let length = self.stack.pop()?;
                    let Operand::Constant(index) = instruction.operand else { return None };
                    if pool.class(index) == Ok(own) {
                        let Made::Number(length) = length else { return None };
                        self.arrays.push(length);
                    }
                    self.stack.push(Made::Other);
                }
                (Newarray, _) => {
                    self.stack.pop()?;
                    self.stack.push(Made::Other);
                }
                (op, _) if (Iastore..=Sastore).contains(&op) => {
                    for _ in 0..3 {
                        self.stack.pop()?;
                    }
                }
                // Newer compilers fill the array in a method of its own.
                (Invokestatic, Some(member)) if member.class == own && member.name == b"$values" => {
                    let selector = self.program.selector(&[member.name, member.descriptor].concat())?;
                    let method = self.program.declared_method(self.class, selector)?;
                    let taken = MethodType::parse(member.descriptor)?.parameters().next();
                    taken.is_none().then_some(())?;
                    self.follow(&bare_body(self.program, method)?, depth + 1)?;
                }
                // Kotlin's list of constants calls nothing of the program.
                (Invokestatic, Some(member)) if member.class == b"kotlin/enums/EnumEntriesKt" => {
                    self.stack.pop()?;
                    self.stack.push(Made::Other);
                }
                (Areturn, _) if depth > 0 => return Some(()),
                (Return, _) if depth == 0 => return Some(()),
                (op, _) if (AconstNull..=Sipush).contains(&op) => {
                    let number = number(instruction, pool);
                    self.stack.push(number.map_or(Made::Other, Made::Number));
                }
                (Ldc | LdcW | Ldc2W, _) => {
                    let Operand::Constant(index) = instruction.operand else { return None };
                    self.stack.push(match loaded(pool, index)? {
                        Literal::Int(number) => Made::Number(number),
                        _ => Made::Other,
                    });
                }
                _ => return None,
            }
        }
        None
    }

    /// Follows the call of a constructor: its second argument is the ordinal.
    fn construct(&mut self, member: &MemberRef<'_>) -> Option<()> {
        let count = MethodType::parse(member.descriptor)?.parameters().count();
        let arguments = self.stack.split_off(self.stack.len().checked_sub(count)?);
        let Made::Object(object) = self.stack.pop()? else { return None };
        let &[_, Made::Number(ordinal), ..] = &arguments[..] else { return None };
        passes_on(self.program, constructor(self.program, member)?, DEEPEST)?;
        let known = self.objects.get_mut(object)?;
        known.replace(ordinal).is_none().then_some(())
    }
}

/// A constructor of a class of the program that takes a name and an ordinal first.
fn constructor(program: &Program<'_>, member: &MemberRef<'_>) -> Option<Method> {
    let class = program.class_named(member.class)?;
    let selector = program.selector(&[member.name, member.descriptor].concat())?;
    let takes = member.descriptor.starts_with(b"(Ljava/lang/String;I");
    program.declared_method(class, selector).filter(|_| takes)
}

/// Whether the constructor of an enum takes a name and an ordinal first, hands them on to that of `Enum`, and apart from
/// that only stores.
pub fn names_constant(program: &Program<'_>, method: Method) -> bool {
    let info = &program.methods[method];
    let above = program.hierarchy.lookup(ENUM);
    above.is_some_and(|above| program.classes[info.class].supertypes.contains(&above))
        && program.text(info.selector).starts_with(b"<init>(Ljava/lang/String;I")
        && passes_on(program, method, DEEPEST).is_some()
}

/// Whether a constructor hands on its first two arguments to that of `Enum`, and apart from that only stores
/// constants and arguments.
fn passes_on(program: &Program<'_>, method: Method, depth: u32) -> Option<()> {
    use Opcode::*;
    /// What a slot of the stack holds: what a local held at first, or anything else.
    type Slot = Option<u16>;
    let info = &program.methods[method];
    let pool = &program.classes[info.class].file.pool;
    let code = bare_body(program, method)?;
    if !code.handlers.is_empty() {
        return None;
    }
    let mut stack: Vec<Slot> = Vec::new();
    let mut passed = false;
    for instruction in &code.instructions {
        let op = instruction.op;
        let (pops, pushes) = effect(instruction, pool).ok()?;
        let below = stack.len().checked_sub(usize::from(pops))?;
        let mut made = None;
        match (op, &instruction.operand) {
            (Return, _) => return passed.then_some(()),
            (Putfield, _) if stack[below] == Some(0) => {}
            (Invokespecial, &Operand::Constant(index)) => {
                let member = pool.member(index).ok()?;
                if passed
                    || member.name != b"<init>"
                    || !stack[below..].starts_with(&[Some(0), Some(1), Some(2)])
                {
                    return None;
                }
                if member.class != ENUM {
                    passes_on(program, constructor(program, &member)?, depth.checked_sub(1)?)?;
                }
                passed = true;
            }
            (Ldc | LdcW | Ldc2W, &Operand::Constant(index)) => drop(loaded(pool, index)?),
            _ if (AconstNull..=Sipush).contains(&op) => {}
            _ if (Iload..=Aload).contains(&op) || (Iload0..=Aload3).contains(&op) => {
                made = Some(instruction.slot()?);
            }
            _ => return None,
        }
        stack.truncate(below);
        stack.resize(below + usize::from(pushes), None);
        if pushes > 0 {
            stack[below] = made;
        }
    }
    None
}

/// The body of the initializer of a class.
pub fn initializer(program: &Program<'_>, class: Class) -> Option<Code> {
    let selector = program.selector(b"<clinit>()V")?;
    bare_body(program, program.declared_method(class, selector)?)
}

/// Whether a field is of the class that has it, as constants of enums are.
pub fn is_of_own_type(member: &MemberRef<'_>) -> bool {
    member.descriptor == [b"L", member.class, b";"].concat()
}
