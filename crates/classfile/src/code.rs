//! Method bodies as lists of instructions that can be edited.
//!
//! [`CodeBytes`] is what the `Code` attribute says, [`Code`] is the form for changing a body. In it a *position* (a target, an
//! end of a range, a line's start, a frame's place) is the index of an instruction instead of the
//! offset of a byte; the index one past the last instruction is the end. Nothing else differs, so
//! that reading and writing a body without changing it gives the same bytes, order of attributes
//! included. (Save that padding of switches is always written as zeros.)
//!
//! Writing, [`Code::write`], is in [`crate::layout`]. After editing instructions, [`Code::remap`] moves everything that mentions positions.

use crate::annotation::{Target, TypeAnnotation};
use crate::attribute::{Body, Kind};
use crate::bytes::put_list;
use crate::debug::{LineNumber, LocalVariable};
use crate::error::{Error, Result};
use crate::frame::{self, Frame, VerificationType};
use crate::instruction::{Instruction, Operand, Switch, SwitchBytes};
use crate::pool::ConstantPool;
use crate::raw::Attribute;

pub use crate::code_bytes::{CodeBytes, Handler, LONGEST};

/// An instruction of a [`Code`]: targets are indices of instructions.
pub type Insn = Instruction<Box<Switch>>;

/// A method body whose positions are indices of instructions.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The deepest the stack gets, in slots.
    pub max_stack: u16,
    /// The number of slots of local variables, parameters included.
    pub max_locals: u16,
    /// The instructions.
    pub instructions: Vec<Insn>,
    /// Exception handlers, in the order in which they are tried.
    pub handlers: Vec<Handler>,
    /// Attributes of the body.
    pub attributes: Vec<CodeAttribute>,
}

/// An attribute of a method body.
#[derive(Clone, Debug)]
pub struct CodeAttribute {
    /// The constant that is its name.
    pub name: u16,
    /// Its content.
    pub body: CodeBody,
}

/// The content of an attribute of a method body.
#[derive(Clone, Debug)]
pub enum CodeBody {
    /// `LineNumberTable`.
    Lines(Vec<LineNumber>),
    /// `LocalVariableTable`, or `LocalVariableTypeTable` if the flag is set.
    Locals(Vec<LocalVariable>, bool),
    /// `StackMapTable`.
    Frames(Vec<Frame>),
    /// `RuntimeVisibleTypeAnnotations`, or the invisible ones if the flag is not set.
    TypeAnnotations(Vec<TypeAnnotation>, bool),
    /// Anything else, with its offset in the file. It may mention byte offsets that nobody knows of.
    Unknown(u32, Vec<u8>),
}

impl CodeBody {
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            CodeBody::Lines(lines) => put_list(out, "a number of lines", lines, LineNumber::put),
            CodeBody::Locals(locals, _) => {
                put_list(out, "a number of local variables", locals, LocalVariable::put)
            }
            CodeBody::Frames(frames) => frame::write_table(frames, out),
            CodeBody::TypeAnnotations(list, _) => {
                put_list(out, "a number of type annotations", list, |out, item| item.write(out))
            }
            CodeBody::Unknown(_, bytes) => {
                out.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn read(attribute: &Attribute<'_>, pool: &ConstantPool<'_>) -> Result<Self> {
        Ok(match attribute.kind(pool)? {
            Some(
                kind @ (Kind::LineNumberTable
                | Kind::LocalVariableTable
                | Kind::LocalVariableTypeTable
                | Kind::StackMapTable
                | Kind::RuntimeVisibleTypeAnnotations
                | Kind::RuntimeInvisibleTypeAnnotations),
            ) => match Body::read(kind, attribute.cursor())? {
                Body::LineNumberTable(lines) => CodeBody::Lines(lines),
                Body::LocalVariableTable(locals) => CodeBody::Locals(locals, false),
                Body::LocalVariableTypeTable(locals) => CodeBody::Locals(locals, true),
                Body::StackMapTable(frames) => CodeBody::Frames(frames),
                Body::RuntimeVisibleTypeAnnotations(list) => CodeBody::TypeAnnotations(list, true),
                Body::RuntimeInvisibleTypeAnnotations(list) => CodeBody::TypeAnnotations(list, false),
                _ => unreachable!("a body has the kind that it was read as"),
            },
            _ => CodeBody::Unknown(attribute.offset, attribute.content.to_vec()),
        })
    }

    /// Replaces every position by what `map` gives for it.
    pub(crate) fn map_positions(&mut self, map: &mut impl FnMut(u32) -> Result<u32>) -> Result<()> {
        let mut set = |position: &mut u32| map(*position).map(|mapped| *position = mapped);
        match self {
            CodeBody::Lines(lines) => lines.iter_mut().try_for_each(|line| set(&mut line.start)),
            CodeBody::Locals(locals, _) => locals.iter_mut().try_for_each(|local| {
                set(&mut local.start)?;
                set(&mut local.end)
            }),
            CodeBody::Frames(frames) => frames.iter_mut().try_for_each(|frame| {
                set(&mut frame.at)?;
                frame.form.types_mut().try_for_each(|value| match value {
                    VerificationType::Uninitialized(at) => set(at),
                    _ => Ok(()),
                })
            }),
            CodeBody::TypeAnnotations(list, _) => {
                list.iter_mut().try_for_each(|item| match &mut item.target {
                    Target::Local(ranges) => ranges.iter_mut().try_for_each(|range| {
                        set(&mut range.start)?;
                        set(&mut range.end)
                    }),
                    Target::Instruction(at) | Target::TypeArgument(at, _) => set(at),
                    _ => Ok(()),
                })
            }
            CodeBody::Unknown(..) => Ok(()),
        }
    }
}

impl Code {
    /// Decodes a body. Positions that are not the start of an instruction are errors.
    pub fn read(bytes: &CodeBytes<'_>, pool: &ConstantPool<'_>) -> Result<Self> {
        let (mut code, places) = Code::read_parts(bytes)?;
        code.attributes.reserve(bytes.attributes.len());
        for attribute in &bytes.attributes {
            let mut body = CodeBody::read(attribute, pool)?;
            body.map_positions(&mut |position| places.index(position))?;
            code.attributes.push(CodeAttribute { name: attribute.name, body });
        }
        Ok(code)
    }

    /// Decodes a body without its attributes, for who only looks at what it does.
    pub fn read_bare(bytes: &CodeBytes<'_>) -> Result<Self> {
        Code::read_parts(bytes).map(|(code, _)| code)
    }

    /// The instructions and handlers of a body, and the places of the instructions.
    fn read_parts(bytes: &CodeBytes<'_>) -> Result<(Self, Places)> {
        let mut places = Places { index_at: vec![u32::MAX; bytes.code.len() + 1], base: bytes.offset };
        let mut instructions: Vec<Insn> = Vec::with_capacity(bytes.code.len() / 2);
        for item in bytes.instructions() {
            let (at, instruction) = item?;
            places.index_at[at as usize] = instructions.len() as u32;
            instructions.push(Insn { op: instruction.op, operand: own(instruction.operand)? });
        }
        places.index_at[bytes.code.len()] = instructions.len() as u32;
        for target in instructions.iter_mut().flat_map(Insn::targets_mut) {
            *target = places.index(*target)?;
        }
        let mut handlers = bytes.handlers.clone();
        for handler in &mut handlers {
            handler.map_positions(&mut |position| places.index(position))?;
        }
        let (max_stack, max_locals, attributes) = (bytes.max_stack, bytes.max_locals, Vec::new());
        Ok((Code { max_stack, max_locals, instructions, handlers, attributes }, places))
    }

    /// Replaces every position in instructions, handlers and attributes by what `map` gives for it.
    /// Positions that it gives nothing for are errors, and leave the body half mapped.
    pub fn remap(&mut self, mut map: impl FnMut(u32) -> Option<u32>) -> Result<()> {
        let mut map = |position: u32| {
            map(position).ok_or_else(|| Error::unwritable(format!("a new place for position {position}")))
        };
        for instruction in &mut self.instructions {
            for target in instruction.targets_mut() {
                *target = map(*target)?;
            }
        }
        for handler in &mut self.handlers {
            handler.map_positions(&mut map)?;
        }
        self.attributes.iter_mut().try_for_each(|attribute| attribute.body.map_positions(&mut map))
    }

    /// The frames, if there are any.
    pub fn frames(&self) -> Option<&[Frame]> {
        self.attributes.iter().find_map(|attribute| match &attribute.body {
            CodeBody::Frames(frames) => Some(frames.as_slice()),
            _ => None,
        })
    }

    /// Puts `frames` in the place of the ones that are there, or after the other attributes; without
    /// frames, removes the attribute.
    pub fn set_frames(&mut self, frames: Vec<Frame>, pool: &mut ConstantPool<'_>) -> Result<()> {
        let old = self.attributes.iter().position(|a| matches!(a.body, CodeBody::Frames(_)));
        match (old, frames.is_empty()) {
            (Some(old), true) => {
                self.attributes.remove(old);
            }
            (Some(old), false) => self.attributes[old].body = CodeBody::Frames(frames),
            (None, true) => {}
            (None, false) => {
                let name = pool.add_utf8(Kind::StackMapTable.name())?;
                self.attributes.push(CodeAttribute { name, body: CodeBody::Frames(frames) });
            }
        }
        Ok(())
    }
}

impl Handler {
    pub(crate) fn map_positions(&mut self, map: &mut impl FnMut(u32) -> Result<u32>) -> Result<()> {
        self.start = map(self.start)?;
        self.end = map(self.end)?;
        self.target = map(self.target)?;
        Ok(())
    }
}

/// Which instruction begins at each byte of a body.
struct Places {
    index_at: Vec<u32>,
    /// Where the first byte is in the file.
    base: u32,
}

impl Places {
    /// The index of the instruction that begins at a position.
    fn index(&self, position: u32) -> Result<u32> {
        match self.index_at.get(position as usize) {
            Some(&index) if index != u32::MAX => Ok(index),
            _ => {
                let at = self.base as usize + position as usize;
                Err(Error::at(at, format!("the start of an instruction at {position}")))
            }
        }
    }
}

/// The operand of an instruction that was read from bytes, of its own.
fn own(operand: Operand<SwitchBytes<'_>>) -> Result<Operand<Box<Switch>>> {
    Ok(match operand {
        Operand::None => Operand::None,
        Operand::Immediate(value) => Operand::Immediate(value),
        Operand::Local { slot, wide } => Operand::Local { slot, wide },
        Operand::Increment { slot, by, wide } => Operand::Increment { slot, by, wide },
        Operand::Constant(index) => Operand::Constant(index),
        Operand::Interface { method, slots } => Operand::Interface { method, slots },
        Operand::Dimensions { class, count } => Operand::Dimensions { class, count },
        Operand::Target(target) => Operand::Target(target),
        Operand::Switch(switch) => Operand::Switch(Box::new(switch.to_switch(Ok)?)),
    })
}
