//! Laying out instructions: from indices back to byte offsets.
//!
//! `goto` and `jsr` grow to their long forms where the distance asks for it. A conditional branch has no
//! long form; [`Code::lengthen_branches`] replaces it by its opposite around a `goto_w`, which makes a
//! new branch target, so that it must be called before frames are made. A body of more than 65,535
//! bytes cannot be written. Starting from short forms and only ever growing is the classic way to a
//! fixed point (Szymanski, *Assembling code for machines with span-dependent instructions*, 1978).

use std::fmt::Debug;

use crate::bytes::{Put, put_list};
use crate::code::{Code, Insn, LONGEST};
use crate::code_bytes::write_parts;
use crate::error::{Error, Result};
use crate::instruction::{Operand, Switch, padding};
use crate::opcode::{Format, Opcode};

impl Code {
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

    /// The byte offset of each instruction, and of the end.
    pub fn offsets(&self) -> Vec<u32> {
        self.layout().0
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
        (Format::Local, Operand::Local { .. }) | (Format::Increment, Operand::Increment { .. }) => {
            put_local(op, &instruction.operand, code)?;
        }
        (Format::Branch2 | Format::Branch4, Operand::Target(target)) => {
            put_jump(op, long, distance(*target)?, code)?;
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
        (Format::TableSwitch | Format::LookupSwitch, Operand::Switch(switch)) => {
            put_switch(op, switch, code, &mut distance)?;
        }
        _ => return Err(misfit(op, &instruction.operand)),
    }
    Ok(())
}

/// Appends the bytes of an instruction that names a local.
fn put_local(op: Opcode, operand: &Operand<impl Debug>, code: &mut Vec<u8>) -> Result<()> {
    let narrow_slot = |slot: u16| {
        u8::try_from(slot)
            .map_err(|_| Error::unwritable(format!("a slot of at most 255 without wide, found {slot}")))
    };
    match operand {
        &Operand::Local { slot, wide: true } => {
            code.extend([Opcode::Wide as u8, op as u8]);
            code.put_u16(slot);
        }
        &Operand::Local { slot, wide: false } => {
            code.extend([op as u8, narrow_slot(slot)?]);
        }
        &Operand::Increment { slot, by, wide: true } => {
            code.extend([Opcode::Wide as u8, op as u8]);
            code.put_u16(slot);
            code.put_u16(by as u16);
        }
        &Operand::Increment { slot, by, wide: false } => {
            let by = i8::try_from(by).map_err(|_| {
                Error::unwritable(format!("a signed byte after iinc without wide, found {by}"))
            })?;
            code.extend([op as u8, narrow_slot(slot)?, by as u8]);
        }
        operand => return Err(misfit(op, operand)),
    }
    Ok(())
}

fn misfit(op: Opcode, operand: &Operand<impl Debug>) -> Error {
    Error::unwritable(format!("an operand of format {:?} after {op}, found {operand:?}", op.format()))
}

/// Appends the bytes of a jump over this distance.
fn put_jump(op: Opcode, long: bool, distance: i32, code: &mut Vec<u8>) -> Result<()> {
    let op = match op {
        Opcode::Goto if long => Opcode::GotoW,
        Opcode::Jsr if long => Opcode::JsrW,
        op => op,
    };
    code.put_u8(op as u8);
    if op.format() == Format::Branch4 {
        code.put_u32(distance as u32);
        return Ok(());
    }
    let distance = i16::try_from(distance)
        .map_err(|_| Error::unwritable(format!("a distance of two bytes after {op}, found {distance}")))?;
    code.put_u16(distance as u16);
    Ok(())
}

/// Appends the bytes of a switch, whose keys have to ascend, those of a `tableswitch` without gaps.
fn put_switch(
    op: Opcode,
    switch: &Switch,
    code: &mut Vec<u8>,
    distance: &mut impl FnMut(u32) -> Result<i32>,
) -> Result<()> {
    code.put_u8(op as u8);
    code.resize(code.len() + padding(code.len() - 1), 0);
    code.put_u32(distance(switch.default)? as u32);
    let table = op.format() == Format::TableSwitch;
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
    Ok(())
}
