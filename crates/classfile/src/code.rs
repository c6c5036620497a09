//! Method bodies: as bytes, and as a list of instructions that can be edited.
//!
//! [`CodeBytes`] is what the `Code` attribute says, with code still as bytes: enough to scan a program
//! at the speed of memory. [`Code`] is the form for changing a body. In it a *position* (a target, an
//! end of a range, a line's start, a frame's place) is the index of an instruction instead of the
//! offset of a byte; the index one past the last instruction is the end. Nothing else differs, so
//! that reading and writing a body without changing it gives the same bytes, order of attributes
//! included. (Save that padding of switches is always written as zeros.)
//!
//! Writing lays the instructions out again. `goto` and `jsr` grow to their long forms where the
//! distance asks for it. A conditional branch has no long form; [`Code::lengthen_branches`] replaces it
//! by its opposite around a `goto_w`, which makes a new branch target, so that it must be called before
//! frames are made. A body of more than 65,535 bytes cannot be written.
//!
//! After editing instructions, [`Code::remap`] moves everything that mentions positions.

use crate::annotation::{Target, TypeAnnotation};
use crate::attribute::{Body, Kind};
use crate::bytes::{Cursor, Put, narrow, put_list};
use crate::class::Attribute;
use crate::debug::{LineNumber, LocalVariable};
use crate::error::{Error, Result};
use crate::frame::{self, Frame, VerificationType};
use crate::instruction::{Instruction, Instructions, Operand, Switch, SwitchBytes, padding};
use crate::opcode::{Format, Opcode};
use crate::pool::ConstantPool;

/// The most bytes that a method body may have.
pub const LONGEST: usize = 0xffff;

/// A method body with its code as bytes.
#[derive(Clone, Debug)]
pub struct CodeBytes<'a> {
    /// The deepest the stack gets, in slots.
    pub max_stack: u16,
    /// The number of slots of local variables, parameters included.
    pub max_locals: u16,
    /// The instructions.
    pub code: &'a [u8],
    /// Where `code` is in the file.
    pub offset: u32,
    /// Exception handlers, in the order in which they are tried.
    pub handlers: Vec<Handler>,
    /// Attributes of the body.
    pub attributes: Vec<Attribute<'a>>,
}

/// An exception handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// First position that it guards.
    pub start: u32,
    /// One past the last position.
    pub end: u32,
    /// The position of the handler.
    pub target: u32,
    /// The class that it catches; 0 for everything.
    pub class: u16,
}

impl<'a> CodeBytes<'a> {
    /// Reads the content of the attribute.
    pub fn read(c: &mut Cursor<'a>) -> Result<Self> {
        let max_stack = c.u16()?;
        let max_locals = c.u16()?;
        let at = c.offset();
        let length = c.u32()? as usize;
        if length == 0 || length > LONGEST {
            return Err(Error::at(at, format!("1 to {LONGEST} bytes of code, found {length}")));
        }
        let offset = c.offset() as u32;
        let code = c.take(length)?;
        let handlers = c.list(8, |c| {
            let at = c.offset();
            let [start, end, target] = [c.u16()?, c.u16()?, c.u16()?].map(u32::from);
            if start >= end || end as usize > length || target as usize >= length {
                return Err(Error::at(
                    at,
                    format!("a handler inside {length} bytes of code, found {start} to {end}, {target}"),
                ));
            }
            Ok(Handler { start, end, target, class: c.u16()? })
        })?;
        Ok(CodeBytes { max_stack, max_locals, code, offset, handlers, attributes: Attribute::read_all(c)? })
    }

    /// Writes the content of the attribute.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        write_parts(out, self.max_stack, self.max_locals, self.code, &self.handlers)?;
        Attribute::write_all(&self.attributes, out)
    }

    /// The instructions with their byte offsets.
    #[inline]
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.code, self.offset as usize)
    }
}

fn write_parts(
    out: &mut Vec<u8>,
    max_stack: u16,
    max_locals: u16,
    code: &[u8],
    handlers: &[Handler],
) -> Result<()> {
    if code.is_empty() || code.len() > LONGEST {
        return Err(Error::unwritable(format!("1 to {LONGEST} bytes of code, found {}", code.len())));
    }
    out.put_u16(max_stack);
    out.put_u16(max_locals);
    out.put_u32(code.len() as u32);
    out.extend_from_slice(code);
    put_list(out, "a number of handlers", handlers, |out, handler| {
        for position in [handler.start, handler.end, handler.target] {
            out.put_u16(narrow("a position", position as usize)?);
        }
        out.put_u16(handler.class);
        Ok(())
    })
}

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
    fn write(&self, out: &mut Vec<u8>) -> Result<()> {
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
    fn map_positions(&mut self, map: &mut impl FnMut(u32) -> Result<u32>) -> Result<()> {
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
            CodeBody::TypeAnnotations(list, _) => list.iter_mut().try_for_each(|item| match &mut item.target {
                Target::Local(ranges) => ranges.iter_mut().try_for_each(|range| {
                    set(&mut range.start)?;
                    set(&mut range.end)
                }),
                Target::Instruction(at) | Target::TypeArgument(at, _) => set(at),
                _ => Ok(()),
            }),
            CodeBody::Unknown(..) => Ok(()),
        }
    }
}

impl Code {
    /// Decodes a body. Positions that are not the start of an instruction are errors.
    pub fn read(bytes: &CodeBytes<'_>, pool: &ConstantPool<'_>) -> Result<Self> {
        let mut index_at = vec![u32::MAX; bytes.code.len() + 1];
        let mut instructions = Vec::with_capacity(bytes.code.len() / 2);
        for item in bytes.instructions() {
            let (at, instruction) = item?;
            index_at[at as usize] = instructions.len() as u32;
            instructions.push((at, instruction));
        }
        index_at[bytes.code.len()] = instructions.len() as u32;

        let base = bytes.offset as usize;
        let mut map = |position: u32| match index_at.get(position as usize) {
            Some(&index) if index != u32::MAX => Ok(index),
            _ => Err(Error::at(base + position as usize, format!("the start of an instruction at {position}"))),
        };
        let instructions = instructions
            .into_iter()
            .map(|(_, instruction)| Ok(Insn { op: instruction.op, operand: own(instruction.operand, &mut map)? }))
            .collect::<Result<Vec<_>>>()?;
        let mut code = Code {
            max_stack: bytes.max_stack,
            max_locals: bytes.max_locals,
            instructions,
            handlers: bytes.handlers.clone(),
            attributes: Vec::with_capacity(bytes.attributes.len()),
        };
        for handler in &mut code.handlers {
            handler.map_positions(&mut map)?;
        }
        for attribute in &bytes.attributes {
            let mut body = CodeBody::read(attribute, pool)?;
            body.map_positions(&mut map)?;
            code.attributes.push(CodeAttribute { name: attribute.name, body });
        }
        Ok(code)
    }

    /// The byte offset of each instruction and of the end, and which short jumps must be long.
    fn layout(&self) -> (Vec<u32>, Vec<bool>) {
        let mut long = vec![false; self.instructions.len()];
        loop {
            let mut offsets = Vec::with_capacity(self.instructions.len() + 1);
            let mut at = 0;
            for (instruction, long) in self.instructions.iter().zip(&long) {
                offsets.push(at as u32);
                at += size(instruction, *long, at);
            }
            offsets.push(at as u32);
            // Jumps only ever grow, so this ends after as many rounds as there are jumps; in practice
            // after two or three.
            let mut grown = false;
            for (index, instruction) in self.instructions.iter().enumerate() {
                if let (Opcode::Goto | Opcode::Jsr, Operand::Target(target)) =
                    (instruction.op, &instruction.operand)
                    && !long[index]
                    && let Some(&to) = offsets.get(*target as usize)
                    && i16::try_from(i64::from(to) - i64::from(offsets[index])).is_err()
                {
                    long[index] = true;
                    grown = true;
                }
            }
            if !grown {
                return (offsets, long);
            }
        }
    }

    /// The number of bytes that the instructions take.
    pub fn byte_len(&self) -> usize {
        self.layout().0.last().map_or(0, |end| *end as usize)
    }

    /// Writes the content of the attribute.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        let (offsets, long) = self.layout();
        let end = *offsets.last().expect("a layout has an end") as usize;
        if end > LONGEST {
            return Err(Error::unwritable(format!("at most {LONGEST} bytes of code, found {end}")));
        }
        let mut map = |position: u32| {
            offsets.get(position as usize).copied().ok_or_else(|| {
                Error::unwritable(format!(
                    "a position among {} instructions, found {position}",
                    self.instructions.len()
                ))
            })
        };
        let mut code = Vec::with_capacity(end);
        for (instruction, long) in self.instructions.iter().zip(&long) {
            put(instruction, *long, &mut code, &mut map)?;
        }
        let mut handlers = self.handlers.clone();
        for handler in &mut handlers {
            handler.map_positions(&mut map)?;
        }
        write_parts(out, self.max_stack, self.max_locals, &code, &handlers)?;
        put_list(out, "a number of attributes", &self.attributes, |out, attribute| {
            out.put_u16(attribute.name);
            let length_at = out.len();
            out.put_u32(0);
            let mut body = attribute.body.clone();
            body.map_positions(&mut map)?;
            body.write(out)?;
            let length = (out.len() - length_at - 4) as u32;
            out[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
            Ok(())
        })
    }

    /// Replaces each conditional branch that cannot reach its target by the opposite branch around a
    /// `goto_w`. Frames for the new targets are up to the caller.
    pub fn lengthen_branches(&mut self) -> Result<()> {
        loop {
            let (offsets, _) = self.layout();
            let far = |index: usize, instruction: &Insn| {
                let inverse = instruction.op.inverted()?;
                let Operand::Target(target) = instruction.operand else { return None };
                let to = offsets.get(target as usize)?;
                i16::try_from(i64::from(*to) - i64::from(offsets[index])).is_err().then_some(inverse)
            };
            let inverses: Vec<_> =
                self.instructions.iter().enumerate().map(|(index, insn)| far(index, insn)).collect();
            if inverses.iter().all(Option::is_none) {
                return Ok(());
            }
            // Where each old position lies among the new instructions.
            let mut moved = Vec::with_capacity(inverses.len() + 1);
            let mut next = 0;
            for inverse in &inverses {
                moved.push(next);
                next += if inverse.is_some() { 2 } else { 1 };
            }
            moved.push(next);
            self.remap(|position| moved.get(position as usize).copied())?;
            let old = std::mem::take(&mut self.instructions);
            for (mut instruction, inverse) in old.into_iter().zip(inverses) {
                let Some(op) = inverse else {
                    self.instructions.push(instruction);
                    continue;
                };
                let around = self.instructions.len() as u32 + 2;
                self.instructions.push(Insn::jump(op, around));
                instruction.op = Opcode::GotoW;
                self.instructions.push(instruction);
            }
        }
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
    fn map_positions(&mut self, map: &mut impl FnMut(u32) -> Result<u32>) -> Result<()> {
        self.start = map(self.start)?;
        self.end = map(self.end)?;
        self.target = map(self.target)?;
        Ok(())
    }
}

/// The operand of an instruction that was read from bytes, with positions mapped.
fn own(
    operand: Operand<SwitchBytes<'_>>,
    map: &mut impl FnMut(u32) -> Result<u32>,
) -> Result<Operand<Box<Switch>>> {
    Ok(match operand {
        Operand::None => Operand::None,
        Operand::Immediate(value) => Operand::Immediate(value),
        Operand::Local { slot, wide } => Operand::Local { slot, wide },
        Operand::Increment { slot, by, wide } => Operand::Increment { slot, by, wide },
        Operand::Constant(index) => Operand::Constant(index),
        Operand::Interface { method, slots } => Operand::Interface { method, slots },
        Operand::Dimensions { class, count } => Operand::Dimensions { class, count },
        Operand::Target(target) => Operand::Target(map(target)?),
        Operand::Switch(switch) => Operand::Switch(Box::new(switch.to_switch(map)?)),
    })
}

/// The number of bytes of an instruction at `at`.
fn size(instruction: &Insn, long: bool, at: usize) -> usize {
    match (instruction.op.format(), &instruction.operand) {
        (Format::TableSwitch, Operand::Switch(switch)) => 1 + padding(at) + 12 + 4 * switch.cases.len(),
        (Format::LookupSwitch, Operand::Switch(switch)) => 1 + padding(at) + 8 + 8 * switch.cases.len(),
        (_, Operand::Local { wide: true, .. }) => 4,
        (_, Operand::Increment { wide: true, .. }) => 6,
        (Format::Plain | Format::Wide, _) => 1,
        (Format::Byte | Format::Constant1 | Format::Local, _) => 2,
        (Format::Branch2, _) if !long => 3,
        (Format::Short | Format::Constant2 | Format::Increment, _) => 3,
        (Format::Dimensions, _) => 4,
        (Format::Branch2 | Format::Branch4 | Format::Interface | Format::Dynamic, _) => 5,
        (Format::TableSwitch | Format::LookupSwitch, _) => 1,
    }
}

/// Appends the bytes of an instruction.
fn put(
    instruction: &Insn,
    long: bool,
    code: &mut Vec<u8>,
    map: &mut impl FnMut(u32) -> Result<u32>,
) -> Result<()> {
    let at = code.len();
    let op = instruction.op;
    let narrow_slot = |slot: u16| {
        u8::try_from(slot).map_err(|_| Error::unwritable(format!("a slot of at most 255 without wide, found {slot}")))
    };
    let mut distance = |target: u32| map(target).map(|to| i64::from(to) as i32 - at as i32);
    match (op.format(), &instruction.operand) {
        (Format::Plain, Operand::None) => code.put_u8(op as u8),
        (Format::Byte, Operand::Immediate(value)) => {
            let value = i8::try_from(*value)
                .map_err(|_| Error::unwritable(format!("a signed byte after {op}, found {value}")))?;
            code.extend([op as u8, value as u8]);
        }
        (Format::Short, Operand::Immediate(value)) => {
            code.put_u8(op as u8);
            code.put_u16(*value as u16);
        }
        (Format::Constant1, Operand::Constant(index)) => {
            let index = u8::try_from(*index)
                .map_err(|_| Error::unwritable(format!("a constant up to 255 after {op}, found {index}")))?;
            code.extend([op as u8, index]);
        }
        (Format::Constant2, Operand::Constant(index)) => {
            code.put_u8(op as u8);
            code.put_u16(*index);
        }
        (Format::Dynamic, Operand::Constant(index)) => {
            code.put_u8(op as u8);
            code.put_u16(*index);
            code.put_u16(0);
        }
        (Format::Local, Operand::Local { slot, wide: true }) => {
            code.extend([Opcode::Wide as u8, op as u8]);
            code.put_u16(*slot);
        }
        (Format::Local, Operand::Local { slot, wide: false }) => {
            code.extend([op as u8, narrow_slot(*slot)?]);
        }
        (Format::Increment, Operand::Increment { slot, by, wide: true }) => {
            code.extend([Opcode::Wide as u8, op as u8]);
            code.put_u16(*slot);
            code.put_u16(*by as u16);
        }
        (Format::Increment, Operand::Increment { slot, by, wide: false }) => {
            let by = i8::try_from(*by).map_err(|_| {
                Error::unwritable(format!("a signed byte after iinc without wide, found {by}"))
            })?;
            code.extend([op as u8, narrow_slot(*slot)?, by as u8]);
        }
        (Format::Branch2, Operand::Target(target)) => {
            let distance = distance(*target)?;
            if long {
                code.put_u8(if op == Opcode::Goto { Opcode::GotoW } else { Opcode::JsrW } as u8);
                code.put_u32(distance as u32);
            } else {
                let distance = i16::try_from(distance).map_err(|_| {
                    Error::unwritable(format!("a distance of two bytes after {op}, found {distance}"))
                })?;
                code.put_u8(op as u8);
                code.put_u16(distance as u16);
            }
        }
        (Format::Branch4, Operand::Target(target)) => {
            let distance = distance(*target)?;
            code.put_u8(op as u8);
            code.put_u32(distance as u32);
        }
        (Format::Interface, Operand::Interface { method, slots }) => {
            code.put_u8(op as u8);
            code.put_u16(*method);
            code.extend([*slots, 0]);
        }
        (Format::Dimensions, Operand::Dimensions { class, count }) => {
            code.put_u8(op as u8);
            code.put_u16(*class);
            code.put_u8(*count);
        }
        (format @ (Format::TableSwitch | Format::LookupSwitch), Operand::Switch(switch)) => {
            code.put_u8(op as u8);
            code.resize(at + 1 + padding(at), 0);
            code.put_u32(distance(switch.default)? as u32);
            let table = format == Format::TableSwitch;
            match (switch.cases.first(), switch.cases.last()) {
                (Some((low, _)), Some((high, _))) if table => {
                    code.put_u32(*low as u32);
                    code.put_u32(*high as u32);
                }
                (None, _) if table => return Err(Error::unwritable("a key in a tableswitch")),
                _ => code.put_u32(switch.cases.len() as u32),
            }
            let mut last = None::<i32>;
            for &(key, target) in &switch.cases {
                let follows = match last {
                    None => true,
                    Some(last) if table => last.checked_add(1) == Some(key),
                    Some(last) => last < key,
                };
                if !follows {
                    return Err(Error::unwritable(format!("the next key of a {op}, found {key}")));
                }
                last = Some(key);
                if !table {
                    code.put_u32(key as u32);
                }
                code.put_u32(distance(target)? as u32);
            }
        }
        (format, operand) => {
            return Err(Error::unwritable(format!("an operand of format {format:?} after {op}, found {operand:?}")));
        }
    }
    Ok(())
}
