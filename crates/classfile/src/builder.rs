//! Assembling method bodies in memory: instructions with labels.
//!
//! A [`CodeBuilder`] collects instructions whose targets are [`Label`]s, bound before or after their
//! uses; [`CodeBuilder::finish`] replaces labels by positions. Shortest forms are taken everywhere.
//!
//! ```
//! use planish_classfile::builder::CodeBuilder;
//! use planish_classfile::frame::Form;
//! use planish_classfile::{ClassFile, Flags, Opcode};
//!
//! // static int abs(int x) { return x < 0 ? -x : x; }
//! let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Math2", Some(b"java/lang/Object"))?;
//! let mut code = CodeBuilder::new();
//! let positive = code.label();
//! code.local(Opcode::Iload, 0).jump(Opcode::Ifge, positive);
//! code.local(Opcode::Iload, 0).op(Opcode::Ineg).op(Opcode::Ireturn);
//! code.bind(positive).frame(Form::Same);
//! code.local(Opcode::Iload, 0).op(Opcode::Ireturn);
//! let code = code.finish(1, &mut class.pool)?;
//! class.add_method(Flags::PUBLIC | Flags::STATIC, b"abs", b"(I)I", Some(&code))?;
//! let bytes = class.to_bytes()?;
//! assert_eq!(ClassFile::read(&bytes)?.methods.len(), 1);
//! # Ok::<(), planish_classfile::Error>(())
//! ```

use std::borrow::Cow;

use crate::attribute::Kind;
use crate::class::{Attribute, ClassFile, Member};
use crate::code::{Code, CodeAttribute, CodeBody, Handler, Insn};
use crate::constant::Constant;
use crate::debug::LineNumber;
use crate::descriptor::MethodType;
use crate::error::{Error, Result};
use crate::flags::Flags;
use crate::frame::{Form, Frame};
use crate::instruction::Operand;
use crate::opcode::Opcode;
use crate::pool::{ConstantPool, MemberKind, MemberRef};

/// A place in code that is being built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label(u32);

/// A method body that is being built.
#[derive(Default)]
pub struct CodeBuilder {
    /// The code; positions in it are numbers of labels.
    code: Code,
    /// The position of each label that is bound.
    labels: Vec<Option<u32>>,
    frames: Vec<Frame>,
    lines: Vec<LineNumber>,
}

impl CodeBuilder {
    /// Begins without instructions.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new label, not yet bound.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds a label to the next instruction, or to the end if none follows. Panics if it is bound.
    pub fn bind(&mut self, label: Label) -> &mut Self {
        let place = &mut self.labels[label.0 as usize];
        assert!(place.is_none(), "a label is bound once");
        *place = Some(self.code.instructions.len() as u32);
        self
    }

    /// A new label that is bound to the next instruction.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// Appends an instruction. Its targets are those of labels, see [`jump`](Self::jump).
    fn push(&mut self, instruction: Insn) -> &mut Self {
        self.code.instructions.push(instruction);
        self
    }

    /// Appends an instruction without operands.
    pub fn op(&mut self, op: Opcode) -> &mut Self {
        self.push(Insn::plain(op))
    }

    /// Appends a load, a store or `ret`.
    pub fn local(&mut self, op: Opcode, slot: u16) -> &mut Self {
        self.push(Insn::local(op, slot))
    }

    /// Appends `iinc`.
    pub fn increment(&mut self, slot: u16, by: i16) -> &mut Self {
        self.push(Insn::increment(slot, by))
    }

    /// Appends `newarray` of the element type with this number (4 to 11).
    pub fn new_array(&mut self, element: i8) -> &mut Self {
        self.push(Insn { op: Opcode::Newarray, operand: Operand::Immediate(i16::from(element)) })
    }

    /// Appends `multianewarray` of a class of arrays with so many lengths.
    pub fn new_arrays(&mut self, class: &[u8], count: u8, pool: &mut ConstantPool<'_>) -> Result<&mut Self> {
        let class = pool.add_class(class)?;
        let operand = Operand::Dimensions { class, count };
        Ok(self.push(Insn { op: Opcode::Multianewarray, operand }))
    }

    /// Loads a number of type `int`.
    pub fn int(&mut self, value: i32, pool: &mut ConstantPool<'_>) -> Result<&mut Self> {
        match Insn::small_int(value) {
            Some(instruction) => Ok(self.push(instruction)),
            None => self.load(Constant::Integer(value), pool),
        }
    }

    /// Loads a number of type `long`.
    pub fn long(&mut self, value: i64, pool: &mut ConstantPool<'_>) -> Result<&mut Self> {
        match value {
            0 => Ok(self.op(Opcode::Lconst0)),
            1 => Ok(self.op(Opcode::Lconst1)),
            _ => self.load(Constant::Long(value), pool),
        }
    }

    /// Loads a constant.
    pub fn load(&mut self, constant: Constant<'_>, pool: &mut ConstantPool<'_>) -> Result<&mut Self> {
        let wide = crate::limits::is_wide_constant(&constant, pool);
        let index = pool.add(constant)?;
        Ok(self.push(match wide {
            true => Insn::constant(Opcode::Ldc2W, index),
            false => Insn::load_constant(index),
        }))
    }

    /// Appends an instruction that names a class: `new`, `checkcast`, `anewarray`, `instanceof`.
    pub fn class(&mut self, op: Opcode, name: &[u8], pool: &mut ConstantPool<'_>) -> Result<&mut Self> {
        let index = pool.add_class(name)?;
        Ok(self.push(Insn::constant(op, index)))
    }

    /// Appends a field access or a call.
    pub fn member(
        &mut self,
        op: Opcode,
        member: MemberRef<'_>,
        pool: &mut ConstantPool<'_>,
    ) -> Result<&mut Self> {
        let index = pool.add_member(member)?;
        if op != Opcode::Invokeinterface {
            return Ok(self.push(Insn::constant(op, index)));
        }
        let slots = MethodType::parse(member.descriptor)
            .and_then(|found| u8::try_from(found.parameter_slots().saturating_add(1)).ok())
            .ok_or_else(|| Error::unwritable("the descriptor of a method of at most 255 slots"))?;
        Ok(self.push(Insn { op, operand: Operand::Interface { method: index, slots } }))
    }

    /// Appends a field access.
    pub fn field(
        &mut self,
        op: Opcode,
        [class, name, descriptor]: [&[u8]; 3],
        pool: &mut ConstantPool<'_>,
    ) -> Result<&mut Self> {
        self.member(op, MemberRef { kind: MemberKind::Field, class, name, descriptor }, pool)
    }

    /// Appends a call of a method of a class, or of an interface for `invokeinterface`.
    pub fn call(
        &mut self,
        op: Opcode,
        [class, name, descriptor]: [&[u8]; 3],
        pool: &mut ConstantPool<'_>,
    ) -> Result<&mut Self> {
        let kind = match op {
            Opcode::Invokeinterface => MemberKind::InterfaceMethod,
            _ => MemberKind::Method,
        };
        self.member(op, MemberRef { kind, class, name, descriptor }, pool)
    }

    /// Appends a call that the bootstrap method of a number links.
    pub fn dynamic(
        &mut self,
        bootstrap: u16,
        name: &[u8],
        descriptor: &[u8],
        pool: &mut ConstantPool<'_>,
    ) -> Result<&mut Self> {
        let called = pool.add_name_and_type(name, descriptor)?;
        let index = pool.add(Constant::InvokeDynamic(bootstrap, called))?;
        Ok(self.push(Insn::constant(Opcode::Invokedynamic, index)))
    }

    /// Appends a jump.
    pub fn jump(&mut self, op: Opcode, target: Label) -> &mut Self {
        self.push(Insn::jump(op, target.0))
    }

    /// Appends a switch. Keys are in ascending order.
    pub fn switch(&mut self, default: Label, cases: &[(i32, Label)]) -> &mut Self {
        self.push(Insn::switch(default.0, cases.iter().map(|(key, label)| (*key, label.0)).collect()))
    }

    /// Guards the instructions from `start` up to `end`. `class` is the constant of what is caught,
    /// 0 for everything.
    pub fn handler(&mut self, start: Label, end: Label, target: Label, class: u16) -> &mut Self {
        self.code.handlers.push(Handler { start: start.0, end: end.0, target: target.0, class });
        self
    }

    /// States the types at the next instruction.
    pub fn frame(&mut self, form: Form) -> &mut Self {
        let at = self.here().0;
        self.frames.push(Frame { at, form });
        self
    }

    /// States that the next instructions come from this line.
    pub fn line(&mut self, line: u16) -> &mut Self {
        let start = self.here().0;
        self.lines.push(LineNumber { start, line });
        self
    }

    /// The body, with its limits computed. `parameters` is the number of slots of parameters, receiver
    /// included. A label that is used but not bound is an error.
    pub fn finish(self, parameters: u16, pool: &mut ConstantPool<'_>) -> Result<Code> {
        let CodeBuilder { mut code, labels, frames, lines } = self;
        for (kind, body, empty) in [
            (Kind::LineNumberTable, CodeBody::Lines(lines.clone()), lines.is_empty()),
            (Kind::StackMapTable, CodeBody::Frames(frames.clone()), frames.is_empty()),
        ] {
            if !empty {
                let name = pool.add_utf8(kind.name())?;
                code.attributes.push(CodeAttribute { name, body });
            }
        }
        code.remap(|label| labels[label as usize])?;
        code.compute_limits(parameters, pool)?;
        Ok(code)
    }
}

impl ClassFile<'_> {
    /// Appends a method and returns its place among the methods.
    pub fn add_method(
        &mut self,
        flags: Flags,
        name: &[u8],
        descriptor: &[u8],
        code: Option<&Code>,
    ) -> Result<usize> {
        let name = self.pool.add_utf8(name)?;
        let descriptor = self.pool.add_utf8(descriptor)?;
        let mut attributes = Vec::new();
        if let Some(code) = code {
            let mut content = Vec::new();
            code.write(&mut content)?;
            let name = self.pool.add_utf8(Kind::Code.name())?;
            attributes.push(Attribute { name, offset: 0, content: Cow::Owned(content) });
        }
        self.methods.push(Member { flags, name, descriptor, attributes });
        Ok(self.methods.len() - 1)
    }

    /// Appends a field and returns its place among the fields.
    pub fn add_field(&mut self, flags: Flags, name: &[u8], descriptor: &[u8]) -> Result<usize> {
        let name = self.pool.add_utf8(name)?;
        let descriptor = self.pool.add_utf8(descriptor)?;
        self.fields.push(Member { flags, name, descriptor, attributes: Vec::new() });
        Ok(self.fields.len() - 1)
    }
}
