//! What instructions that only compute give.

use planish_classfile::Opcode;

use super::values::Val;

/// What an instruction with one operand gives; nothing for those that have two.
pub fn unary(op: Opcode, value: Val) -> Option<Val> {
    use Opcode::*;
    use Val::{Double, Float, Int, Long};
    Some(match (op, value) {
        (Ineg, Int(x)) => Int(x.wrapping_neg()),
        (Lneg, Long(x)) => Long(x.wrapping_neg()),
        (Fneg, Float(x)) => Float(-x),
        (Dneg, Double(x)) => Double(-x),
        (I2l, Int(x)) => Long(i64::from(x)),
        (I2f, Int(x)) => Float(x as f32),
        (I2d, Int(x)) => Double(f64::from(x)),
        (I2b, Int(x)) => Int(i32::from(x as i8)),
        (I2c, Int(x)) => Int(i32::from(x as u16)),
        (I2s, Int(x)) => Int(i32::from(x as i16)),
        (L2i, Long(x)) => Int(x as i32),
        (L2f, Long(x)) => Float(x as f32),
        (L2d, Long(x)) => Double(x as f64),
        // As in Rust: NaN becomes zero, what is too large the nearest number.
        (F2i, Float(x)) => Int(x as i32),
        (F2l, Float(x)) => Long(x as i64),
        (F2d, Float(x)) => Double(f64::from(x)),
        (D2i, Double(x)) => Int(x as i32),
        (D2l, Double(x)) => Long(x as i64),
        (D2f, Double(x)) => Float(x as f32),
        _ => return None,
    })
}

/// What an instruction with two operands gives. Divisors are not zero.
pub fn binary(op: Opcode, left: Val, right: Val) -> Option<Val> {
    use Opcode::*;
    use Val::{Double, Float, Int, Long};
    Some(match (op, left, right) {
        (Iadd, Int(x), Int(y)) => Int(x.wrapping_add(y)),
        (Isub, Int(x), Int(y)) => Int(x.wrapping_sub(y)),
        (Imul, Int(x), Int(y)) => Int(x.wrapping_mul(y)),
        (Idiv, Int(x), Int(y)) => Int(x.wrapping_div(y)),
        (Irem, Int(x), Int(y)) => Int(x.wrapping_rem(y)),
        (Ishl, Int(x), Int(y)) => Int(x.wrapping_shl(y as u32)),
        (Ishr, Int(x), Int(y)) => Int(x.wrapping_shr(y as u32)),
        (Iushr, Int(x), Int(y)) => Int((x as u32).wrapping_shr(y as u32) as i32),
        (Iand, Int(x), Int(y)) => Int(x & y),
        (Ior, Int(x), Int(y)) => Int(x | y),
        (Ixor, Int(x), Int(y)) => Int(x ^ y),
        (Ladd, Long(x), Long(y)) => Long(x.wrapping_add(y)),
        (Lsub, Long(x), Long(y)) => Long(x.wrapping_sub(y)),
        (Lmul, Long(x), Long(y)) => Long(x.wrapping_mul(y)),
        (Ldiv, Long(x), Long(y)) => Long(x.wrapping_div(y)),
        (Lrem, Long(x), Long(y)) => Long(x.wrapping_rem(y)),
        (Lshl, Long(x), Int(y)) => Long(x.wrapping_shl(y as u32)),
        (Lshr, Long(x), Int(y)) => Long(x.wrapping_shr(y as u32)),
        (Lushr, Long(x), Int(y)) => Long((x as u64).wrapping_shr(y as u32) as i64),
        (Land, Long(x), Long(y)) => Long(x & y),
        (Lor, Long(x), Long(y)) => Long(x | y),
        (Lxor, Long(x), Long(y)) => Long(x ^ y),
        (Lcmp, Long(x), Long(y)) => Int(x.cmp(&y) as i32),
        (Fadd, Float(x), Float(y)) => Float(x + y),
        (Fsub, Float(x), Float(y)) => Float(x - y),
        (Fmul, Float(x), Float(y)) => Float(x * y),
        (Fdiv, Float(x), Float(y)) => Float(x / y),
        (Frem, Float(x), Float(y)) => Float(x % y),
        (Dadd, Double(x), Double(y)) => Double(x + y),
        (Dsub, Double(x), Double(y)) => Double(x - y),
        (Dmul, Double(x), Double(y)) => Double(x * y),
        (Ddiv, Double(x), Double(y)) => Double(x / y),
        (Drem, Double(x), Double(y)) => Double(x % y),
        (Fcmpl | Fcmpg, Float(x), Float(y)) => Int(compared(op == Fcmpg, x.partial_cmp(&y))),
        (Dcmpl | Dcmpg, Double(x), Double(y)) => Int(compared(op == Dcmpg, x.partial_cmp(&y))),
        _ => return None,
    })
}

/// The result of a comparison, of which the instruction says what it is where one side is no number.
fn compared(greater: bool, found: Option<std::cmp::Ordering>) -> i32 {
    match found {
        Some(order) => order as i32,
        None if greater => 1,
        None => -1,
    }
}
