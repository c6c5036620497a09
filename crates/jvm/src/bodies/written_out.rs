//! Full loop unrolling of bodies, tried where it pays: short loops are written out.
//!
//! A loop that runs four times is shorter than its body four times, so loops stay loops in bytecode. It is worth while
//! where an array goes by that:
//!
//! ```java
//! int[] a = new int[4];
//! for (int i = 0; i < 4; i++) a[i] = x * i;
//! ```
//!
//! An array becomes its elements ([`replace_objects`](crate::transform::objects::replace_objects)) if all indices are
//! constants, and those of a loop are when each round stands for itself. Whether that was better is seen in the end only: so
//! such a body is tried both ways, first with its loops written out.

use planish_classfile::{Code, Opcode, Operand};

use super::worth::has_loops;
use crate::transform::objects::deeds::LONGEST;

/// Whether loops are written out, in the attempts at a body.
pub(super) fn ways(code: &Code) -> &'static [bool] {
    if has_short_array(code) && has_loops(code) { &[true, false] } else { &[false] }
}

/// Whether a body makes an array of a constant, small length.
fn has_short_array(code: &Code) -> bool {
    code.instructions.windows(2).any(|pair| {
        let length = match (pair[0].op, &pair[0].operand) {
            (op, _) if (Opcode::Iconst1..=Opcode::Iconst5).contains(&op) => {
                op as i64 - Opcode::Iconst0 as i64
            }
            (Opcode::Bipush, &Operand::Immediate(length)) => length.into(),
            _ => return false,
        };
        matches!(pair[1].op, Opcode::Newarray | Opcode::Anewarray) && (1..=LONGEST).contains(&length)
    })
}
