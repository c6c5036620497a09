//! Which values are 0 or 1, whatever their type.
//!
//! A dialect whose branch selects a target by number needs it; so does one whose comparisons yield a
//! word. Only the definition is looked at: a fact that needs an analysis belongs to an optimizer.

use planish_ops::{Op, Type};

use crate::function::{Function, Terminator, Value};

/// How many operations deep a definition is followed.
const DEPTH: u32 = 8;

/// Whether a value is 0 or 1 in every run. `false` is "not known".
pub fn is_truth(function: &Function, value: Value) -> bool {
    within(function, value, DEPTH)
}

fn within(function: &Function, value: Value, depth: u32) -> bool {
    if function.ty(value) == Type::I1 {
        return true;
    }
    if let Some(int) = function.int_constant(value) {
        return int.unsigned() <= 1;
    }
    let Some(inst) = function.def_inst(value).filter(|_| depth > 0) else { return false };
    let args = function.args(inst);
    match function.inst(inst).op {
        op if op.row().truth => true,
        Op::And => args.iter().any(|&arg| within(function, arg, depth - 1)),
        Op::Or | Op::Xor | Op::Mul => args.iter().all(|&arg| within(function, arg, depth - 1)),
        Op::Select => args[1..].iter().all(|&arg| within(function, arg, depth - 1)),
        Op::Zext => within(function, args[0], depth - 1),
        Op::Urshift => {
            let width = function.ty(value).int_width().unwrap_or(0);
            function
                .int_constant(args[1])
                .is_some_and(|n| n.unsigned() % u64::from(width) + 1 == u64::from(width))
        }
        _ => false,
    }
}

/// Lets switches of the keys 0 and 1 on a value that is 0 or 1 be branches, and drops the block of their
/// defaults where nothing goes there any more. For switches whose default cannot be reached.
pub fn branch_on_truths(function: &mut Function) {
    let blocks: Vec<_> = function.blocks().to_vec();
    let mut nowhere = None;
    for &block in &blocks {
        let Terminator::Switch { on, cases, default } = function.terminator(block) else { continue };
        nowhere = Some(default.block);
        if let [(zero, other), (one, then)] = &**cases
            && (zero.unsigned(), one.unsigned()) == (0, 1)
            && is_truth(function, *on)
        {
            let terminator = Terminator::Branch { condition: *on, then: *then, other: *other };
            function.set_terminator(block, terminator);
        }
    }
    if let Some(nowhere) = nowhere {
        let used = blocks.iter().any(|&block| function.block_calls(block).any(|call| call.block == nowhere));
        if !used {
            function.set_layout(blocks.into_iter().filter(|&block| block != nowhere).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Builder;

    #[test]
    fn comparisons_masks_and_their_combinations_are_truths() {
        let mut b = Builder::new("f", &[]);
        let entry = b.block("");
        let x = b.param(entry, Type::I64);
        b.at(entry);
        let (one, three) = (b.int(Type::I64, 1), b.int(Type::I64, 3));
        let less = b.op_as(Op::Lt, &[x, three], Type::I64);
        let odd = b.op(Op::And, &[x, one]);
        let either = b.op(Op::Or, &[less, odd]);
        let low = b.op(Op::And, &[x, three]);
        let shift = b.int(Type::I64, 63);
        let sign = b.op(Op::Urshift, &[x, shift]);
        let function = b.finish();
        for (value, expected) in
            [(less, true), (odd, true), (either, true), (sign, true), (low, false), (x, false)]
        {
            assert_eq!(is_truth(&function, value), expected);
        }
    }
}
