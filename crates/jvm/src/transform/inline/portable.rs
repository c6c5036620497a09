//! Position-independent bodies: a method body whose constants are no indices of a pool any more.

use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::code::{CodeBody, Insn};
use planish_classfile::debug::LineNumber;
use planish_classfile::pool::MemberKind;
use planish_classfile::{
    ClassFile, Code, Constant, ConstantPool, Handler, MemberRef, Opcode, Operand, Result,
};
use planish_jvm_model::bootstraps::{Bootstraps, rows};

/// A constant without a pool.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Portable {
    /// An `int`.
    Integer(i32),
    /// The bits of a `float`.
    Float(u32),
    /// A `long`.
    Long(i64),
    /// The bits of a `double`.
    Double(u64),
    /// A string.
    String(Box<[u8]>),
    /// A class or array.
    Class(Box<[u8]>),
    /// A field or method.
    Member(MemberKind, Box<[u8]>, Box<[u8]>, Box<[u8]>),
    /// A method type.
    MethodType(Box<[u8]>),
    /// A method handle: its kind, and the field or method to which it leads.
    Handle(u8, Box<Portable>),
    /// A call site of `invokedynamic`.
    Site(Box<Site>),
    /// Something that only means anything in its own class file: its index there.
    Own(u16),
}

/// A call site.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// The handle of the method that links it.
    pub(super) maker: Portable,
    /// What that gets besides.
    pub(super) arguments: Vec<Portable>,
    pub(super) name: Box<[u8]>,
    pub(super) descriptor: Box<[u8]>,
}

impl Portable {
    /// The constant at an index of a pool that belongs to a table of bootstrap methods; nothing if the pool is
    /// malformed there.
    pub(super) fn of(index: u16, pool: &ConstantPool<'_>, rows: &[BootstrapMethod]) -> Option<Portable> {
        Some(match pool.get(index).ok()? {
            Constant::Integer(value) => Portable::Integer(value),
            Constant::Float(bits) => Portable::Float(bits),
            Constant::Long(value) => Portable::Long(value),
            Constant::Double(bits) => Portable::Double(bits),
            Constant::String(text) => Portable::String(pool.utf8(text).ok()?.into()),
            Constant::Class(name) => Portable::Class(pool.utf8(name).ok()?.into()),
            Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => {
                let member = pool.member(index).ok()?;
                let [class, name, descriptor] = [member.class, member.name, member.descriptor].map(Box::from);
                Portable::Member(member.kind, class, name, descriptor)
            }
            Constant::MethodType(ty) => Portable::MethodType(pool.utf8(ty).ok()?.into()),
            Constant::MethodHandle(kind, member) if pool.is_member(member) => {
                Portable::Handle(kind, Box::new(Portable::of(member, pool, rows)?))
            }
            Constant::InvokeDynamic(..) => match Site::of(index, pool, rows) {
                Some(site) => Portable::Site(Box::new(site)),
                None => Portable::Own(index),
            },
            _ => Portable::Own(index),
        })
    }

    /// The class that it is or whose member it is.
    pub fn class(&self) -> Option<&[u8]> {
        match self {
            Portable::Class(name) | Portable::Member(_, name, ..) => Some(name),
            _ => None,
        }
    }

    /// Its index in a class, to which it is added if it is not there.
    pub(super) fn add(&self, pool: &mut ConstantPool<'_>, bootstraps: &mut Bootstraps) -> Result<u16> {
        match self {
            Portable::Integer(value) => pool.add(Constant::Integer(*value)),
            Portable::Float(bits) => pool.add(Constant::Float(*bits)),
            Portable::Long(value) => pool.add(Constant::Long(*value)),
            Portable::Double(bits) => pool.add(Constant::Double(*bits)),
            Portable::String(text) => pool.add_string(text),
            Portable::Class(name) => pool.add_class(name),
            Portable::Member(kind, class, name, descriptor) => {
                pool.add_member(MemberRef { kind: *kind, class, name, descriptor })
            }
            Portable::MethodType(ty) => {
                let ty = pool.add_utf8(ty)?;
                pool.add(Constant::MethodType(ty))
            }
            Portable::Handle(kind, member) => {
                let member = member.add(pool, bootstraps)?;
                pool.add(Constant::MethodHandle(*kind, member))
            }
            Portable::Site(site) => site.add(pool, bootstraps),
            Portable::Own(index) => Ok(*index),
        }
    }
}

/// The index of the constant that an instruction names.
pub fn constant_of(instruction: &Insn) -> Option<u16> {
    match instruction.operand {
        Operand::Constant(index)
        | Operand::Interface { method: index, .. }
        | Operand::Dimensions { class: index, .. } => Some(index),
        _ => None,
    }
}

/// Whether one of the instructions of a body jumps to itself or to one before it.
pub(crate) fn jumps_back<'i>(instructions: impl IntoIterator<Item = &'i Insn>) -> bool {
    let mut instructions = instructions.into_iter().enumerate();
    instructions.any(|(at, insn)| insn.targets().any(|target| target as usize <= at))
}

fn set_constant(instruction: &mut Insn, new: u16) {
    match &mut instruction.operand {
        Operand::Constant(index)
        | Operand::Interface { method: index, .. }
        | Operand::Dimensions { class: index, .. } => *index = new,
        _ => {}
    }
}

/// The instructions and handlers of a method body, with portable constants. Frames and tables of variables
/// stay behind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PortableCode {
    /// The slots of its locals.
    pub locals: u16,
    instructions: Vec<(Insn, Option<Portable>)>,
    handlers: Vec<(Handler, Option<Portable>)>,
    /// Its lines, if somebody wants them.
    pub lines: Vec<LineNumber>,
}

impl PortableCode {
    /// A body of a class without its pool; nothing if a constant is malformed.
    pub fn of(code: &Code, file: &ClassFile<'_>) -> Option<PortableCode> {
        let has_sites = code.instructions.iter().any(|insn| insn.op == Opcode::Invokedynamic);
        let rows = if has_sites { rows(file).ok()? } else { Vec::new() };
        let constant = |index: Option<u16>| match index {
            None | Some(0) => Some(None),
            Some(index) => Portable::of(index, &file.pool, &rows).map(Some),
        };
        let instructions = code.instructions.iter();
        let instructions = instructions.map(|insn| Some((insn.clone(), constant(constant_of(insn))?)));
        let handlers = code.handlers.iter().map(|handler| Some((*handler, constant(Some(handler.class))?)));
        Some(PortableCode {
            locals: code.max_locals,
            instructions: instructions.collect::<Option<_>>()?,
            handlers: handlers.collect::<Option<_>>()?,
            lines: Vec::new(),
        })
    }

    /// The same with the lines of the body.
    pub fn with_lines(mut self, code: &Code) -> PortableCode {
        for attribute in &code.attributes {
            if let CodeBody::Lines(lines) = &attribute.body {
                self.lines.extend_from_slice(lines);
            }
        }
        self.lines.sort_by_key(|line| line.start);
        self
    }

    /// The number of instructions.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether there is no instruction, which no method body is.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// Whether it has handlers.
    pub fn has_handlers(&self) -> bool {
        !self.handlers.is_empty()
    }

    /// Whether it jumps back.
    pub fn has_loops(&self) -> bool {
        jumps_back(self.instructions.iter().map(|(insn, _)| insn))
    }

    /// The constants that it names, one for each use.
    pub fn constants(&self) -> impl Iterator<Item = (&Insn, &Portable)> {
        self.instructions.iter().filter_map(|(insn, constant)| Some((insn, constant.as_ref()?)))
    }

    /// The same without what makes no difference to what it does: where constants stand, how wide an instruction is that
    /// loads one, slots that nobody uses, lines.
    pub fn meaning(mut self) -> PortableCode {
        for (insn, constant) in &mut self.instructions {
            if constant.is_some() {
                set_constant(insn, 0);
            }
            insn.op = match insn.op {
                Opcode::LdcW => Opcode::Ldc,
                Opcode::GotoW => Opcode::Goto,
                op => op,
            };
        }
        self.handlers.iter_mut().for_each(|(handler, _)| handler.class = 0);
        self.locals = 0;
        self.lines.clear();
        self
    }

    /// Whether it jumps.
    pub fn jumps(&self) -> bool {
        self.instructions.iter().any(|(insn, _)| insn.targets().next().is_some())
    }

    /// The constants that it names, one for each use, to change.
    pub fn constants_mut(&mut self) -> impl Iterator<Item = (&mut Insn, &mut Portable)> {
        self.instructions.iter_mut().filter_map(|(insn, constant)| Some((insn, constant.as_mut()?)))
    }

    /// The same for another class, which has no private methods to call in a special way: those of objects are called
    /// like any other.
    pub fn elsewhere(mut self) -> PortableCode {
        for (insn, constant) in &mut self.instructions {
            let is_constructor =
                matches!(constant, Some(Portable::Member(_, _, name, _)) if **name == *b"<init>");
            if insn.op == Opcode::Invokespecial && !is_constructor {
                insn.op = Opcode::Invokevirtual;
            }
        }
        self
    }

    /// The classes of its handlers.
    pub fn caught(&self) -> impl Iterator<Item = &Portable> {
        self.handlers.iter().filter_map(|(_, class)| class.as_ref())
    }

    /// The instructions with constants and call sites of a class.
    pub fn instructions_in(
        &self,
        pool: &mut ConstantPool<'_>,
        bootstraps: &mut Bootstraps,
    ) -> Result<Vec<Insn>> {
        let place = |(insn, constant): &(Insn, Option<Portable>)| {
            let mut insn = insn.clone();
            if let Some(constant) = constant {
                set_constant(&mut insn, constant.add(pool, bootstraps)?);
            }
            Ok(insn)
        };
        self.instructions.iter().map(place).collect()
    }

    /// The handlers with classes of a class.
    pub fn handlers_in(
        &self,
        pool: &mut ConstantPool<'_>,
        bootstraps: &mut Bootstraps,
    ) -> Result<Vec<Handler>> {
        let place = |(handler, class): &(Handler, Option<Portable>)| {
            let class = class.as_ref().map_or(Ok(0), |class| class.add(pool, bootstraps))?;
            Ok(Handler { class, ..*handler })
        };
        self.handlers.iter().map(place).collect()
    }
}
