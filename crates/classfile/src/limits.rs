//! The stack of a method body: what each instruction takes and gives, and how deep it gets.
//!
//! Depth is counted in slots, two for a `long` or `double`, and needs no types: the constants that an
//! instruction names say how many slots a call takes. [`Code::compute_limits`] finds the two limits that
//! a `Code` attribute states, visiting each instruction once.

use crate::code::{Code, Insn};
use crate::constant::Constant;
use crate::descriptor::{MethodType, Type};
use crate::error::{Error, Result};
use crate::instruction::Operand;
use crate::opcode::Opcode;
use crate::pool::ConstantPool;

/// The slots that an instruction takes from the stack and puts on it.
pub fn effect(instruction: &Insn, pool: &ConstantPool<'_>) -> Result<(u16, u16)> {
    let malformed =
        |text: &[u8]| Error::unwritable(format!("a descriptor, found {}", crate::mutf8::Shown(text)));
    let field = |index: u16| {
        let descriptor = pool.member(index)?.descriptor;
        Type::parse(descriptor).map(Type::slots).ok_or_else(|| malformed(descriptor))
    };
    let call = |descriptor: &[u8], receiver: u16| {
        let found = MethodType::parse(descriptor).ok_or_else(|| malformed(descriptor))?;
        Ok((found.parameter_slots().saturating_add(receiver), found.result_slots()))
    };
    match (instruction.op, &instruction.operand) {
        (Opcode::Getstatic, Operand::Constant(index)) => Ok((0, field(*index)?)),
        (Opcode::Putstatic, Operand::Constant(index)) => Ok((field(*index)?, 0)),
        (Opcode::Getfield, Operand::Constant(index)) => Ok((1, field(*index)?)),
        (Opcode::Putfield, Operand::Constant(index)) => Ok((1 + field(*index)?, 0)),
        (Opcode::Invokestatic, Operand::Constant(index)) => call(pool.member(*index)?.descriptor, 0),
        (Opcode::Invokevirtual | Opcode::Invokespecial, Operand::Constant(index)) => {
            call(pool.member(*index)?.descriptor, 1)
        }
        (Opcode::Invokeinterface, Operand::Interface { method, .. }) => {
            call(pool.member(*method)?.descriptor, 1)
        }
        (Opcode::Invokedynamic, Operand::Constant(index)) => call(pool.dynamic(*index)?.2, 0),
        (Opcode::Multianewarray, Operand::Dimensions { count, .. }) => Ok((u16::from(*count), 1)),
        (op, _) => {
            let (pops, pushes) = op.stack_effect();
            Ok((u16::from(pops), u16::from(pushes)))
        }
    }
}

/// One more than the highest slot that an instruction uses.
fn locals(instruction: &Insn) -> u32 {
    let wide = matches!(instruction.op, Opcode::Lload | Opcode::Dload | Opcode::Lstore | Opcode::Dstore)
        || matches!(instruction.op as u8, 0x1e..=0x21 | 0x26..=0x29 | 0x3f..=0x42 | 0x47..=0x4a);
    instruction.slot().map_or(0, |slot| u32::from(slot) + 1 + u32::from(wide))
}

impl Code {
    /// Sets the depth of the stack and the number of locals to what the reachable instructions need.
    /// `parameters` is the number of slots of parameters, receiver included. Bodies with `jsr` are
    /// refused, and so are those whose stack has two depths at one place or falls below empty.
    pub fn compute_limits(&mut self, parameters: u16, pool: &ConstantPool<'_>) -> Result<()> {
        let count = self.instructions.len();
        let mut depths = vec![u32::MAX; count];
        let mut work = vec![(0u32, 0u32)];
        let mut deepest = u32::from(!self.handlers.is_empty());
        let mut max_locals = u32::from(parameters);
        // A verifier looks at every handler, so each counts as reachable.
        work.extend(self.handlers.iter().map(|handler| (handler.target, 1)));
        while let Some((at, depth)) = work.pop() {
            let Some(known) = depths.get_mut(at as usize) else {
                return Err(Error::unwritable(format!("an instruction at {at}, found the end of the code")));
            };
            if *known != u32::MAX {
                if *known != depth {
                    return Err(Error::unwritable(format!(
                        "one depth of the stack at instruction {at}, found {known} and {depth}"
                    )));
                }
                continue;
            }
            *known = depth;
            let instruction = &self.instructions[at as usize];
            if matches!(instruction.op, Opcode::Jsr | Opcode::JsrW | Opcode::Ret) {
                return Err(Error::unwritable("a body without subroutines"));
            }
            max_locals = max_locals.max(locals(instruction));
            let (pops, pushes) = effect(instruction, pool)?;
            let Some(below) = depth.checked_sub(u32::from(pops)) else {
                return Err(Error::unwritable(format!(
                    "{pops} slots on the stack at instruction {at}, found {depth}"
                )));
            };
            let after = below + u32::from(pushes);
            deepest = deepest.max(after);
            work.extend(instruction.targets().map(|target| (target, after)));
            if !instruction.op.ends_flow() {
                work.push((at + 1, after));
            }
        }
        self.max_stack = crate::bytes::narrow("a depth of the stack", deepest as usize)?;
        self.max_locals = crate::bytes::narrow("a number of locals", max_locals as usize)?;
        Ok(())
    }
}

/// Whether a constant is one that `ldc2_w` loads.
pub fn is_wide_constant(constant: &Constant<'_>, pool: &ConstantPool<'_>) -> bool {
    match constant {
        Constant::Long(_) | Constant::Double(_) => true,
        Constant::Dynamic(_, member) => {
            pool.name_and_type(*member).is_ok_and(|(_, descriptor)| matches!(descriptor, b"J" | b"D"))
        }
        _ => false,
    }
}
