//! Constants that instructions of bytecode push.

use planish_classfile::{Constant, ConstantPool, Insn, Opcode, Operand};

/// A constant.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Literal {
    /// Null.
    Null,
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// The bits of a `float`.
    Float(u32),
    /// The bits of a `double`.
    Double(u64),
    /// A text, in modified UTF-8.
    Text(Box<[u8]>),
}

/// The constant that `ldc` loads, if loading it does nothing else.
pub fn loaded(pool: &ConstantPool<'_>, index: u16) -> Option<Literal> {
    Some(match pool.get(index).ok()? {
        Constant::Integer(value) => Literal::Int(value),
        Constant::Long(value) => Literal::Long(value),
        Constant::Float(bits) => Literal::Float(bits),
        Constant::Double(bits) => Literal::Double(bits),
        Constant::String(_) => Literal::Text(pool.string(index).ok()?.into()),
        _ => return None,
    })
}

/// The constant that an instruction without one of the pool pushes.
pub fn literal(instruction: &Insn) -> Option<Literal> {
    use Opcode::*;
    let op = instruction.op;
    Some(match op {
        AconstNull => Literal::Null,
        Lconst0 | Lconst1 => Literal::Long(op as i64 - Lconst0 as i64),
        Fconst0 | Fconst1 | Fconst2 => Literal::Float(f32::from(op as u8 - Fconst0 as u8).to_bits()),
        Dconst0 | Dconst1 => Literal::Double(f64::from(op as u8 - Dconst0 as u8).to_bits()),
        Bipush | Sipush => match instruction.operand {
            Operand::Immediate(value) => Literal::Int(value.into()),
            _ => return None,
        },
        _ if (IconstM1..=Iconst5).contains(&op) => Literal::Int(op as i32 - Iconst0 as i32),
        _ => return None,
    })
}

/// The `int` that an instruction pushes.
pub fn number(instruction: &Insn, pool: &ConstantPool<'_>) -> Option<i32> {
    let known = match instruction.operand {
        Operand::Constant(index) if matches!(instruction.op, Opcode::Ldc | Opcode::LdcW) => {
            loaded(pool, index)
        }
        _ if (Opcode::IconstM1..=Opcode::Sipush).contains(&instruction.op) => literal(instruction),
        _ => None,
    };
    match known? {
        Literal::Int(number) => Some(number),
        _ => None,
    }
}
