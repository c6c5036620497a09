//! Instructions of a body that is put into another one, or gets constants for parameters.

use planish_classfile::descriptor::MethodType;
use planish_classfile::{Constant, ConstantPool, Insn, Opcode, Operand};
use planish_ir::Const;
use planish_ops::Real;

type Outcome<T = ()> = Result<T, String>;

/// An instruction with its local so many slots further up.
pub fn shifted(instruction: Insn, base: u16) -> Outcome<Insn> {
    let place = |slot: u16| base.checked_add(slot).ok_or("too many locals");
    Ok(match instruction.operand {
        Operand::Increment { slot, by, .. } => Insn::increment(place(slot)?, by),
        _ => match instruction.slot() {
            Some(slot) => Insn::local(general(instruction.op), place(slot)?),
            None => instruction,
        },
    })
}

/// Whether an instruction returns.
pub fn is_return(op: Opcode) -> bool {
    (Opcode::Ireturn..=Opcode::Return).contains(&op)
}

/// The form of a load or store that names its slot.
fn general(op: Opcode) -> Opcode {
    use Opcode::*;
    let byte = op as u8;
    let kinds = |first: Opcode, general: Opcode| Opcode::from_byte(general as u8 + (byte - first as u8) / 4);
    let made = if (Iload0..=Aload3).contains(&op) {
        kinds(Iload0, Iload)
    } else if (Istore0..=Astore3).contains(&op) {
        kinds(Istore0, Istore)
    } else {
        None
    };
    made.unwrap_or(op)
}

/// The slots of the parameters of a method with what stores them, receiver first.
pub fn parameters(ty: &MethodType<'_>, is_static: bool) -> Vec<(Opcode, u16)> {
    let mut stores = Vec::new();
    let mut slot = 0;
    if !is_static {
        stores.push((Opcode::Astore, 0));
        slot = 1;
    }
    for parameter in ty.parameters() {
        use planish_classfile::descriptor::Type;
        let op = match parameter {
            Type::Long => Opcode::Lstore,
            Type::Float => Opcode::Fstore,
            Type::Double => Opcode::Dstore,
            Type::Object(_) | Type::Array(_) => Opcode::Astore,
            _ => Opcode::Istore,
        };
        stores.push((op, slot));
        slot += parameter.slots();
    }
    stores
}

/// The instruction that gives a constant.
pub(super) fn push(constant: Const, pool: &mut ConstantPool<'_>) -> Result<Insn, String> {
    let constant = match constant {
        Const::Null => return Ok(Insn::plain(Opcode::AconstNull)),
        Const::Int(int) if int.width() == 32 => {
            let value = int.signed() as i32;
            if let Some(small) = Insn::small_int(value) {
                return Ok(small);
            }
            Constant::Integer(value)
        }
        Const::Int(int) if int.width() == 64 => Constant::Long(int.signed()),
        Const::Real(real) => match real.0 {
            Real::F32(value) => Constant::Float(value.to_bits()),
            Real::F64(value) => Constant::Double(value.to_bits()),
        },
        _ => return Err("a constant that no instruction gives".into()),
    };
    let index = pool.add(constant).map_err(|error| error.to_string())?;
    Ok(match constant {
        Constant::Long(_) | Constant::Double(_) => Insn::constant(Opcode::Ldc2W, index),
        _ => Insn::load_constant(index),
    })
}
