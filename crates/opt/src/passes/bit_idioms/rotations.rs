//! Rotations by what is not known: two shifts of a word in opposite directions by amounts whose sum is the width or a multiple of it
//! (LLVM's `matchFunnelShift`). Amounts count modulo the width, so `and(k, 31)` and `sub(32, k)` are `k` and `-k` there.

use planish_ir::{Function, Inst, Value};
use planish_ops::Op;

/// So many operations of an amount are looked into.
const DEEPEST: usize = 4;

/// How far something is shifted: by a value, or by what that is less than a multiple of the width.
#[derive(PartialEq, Eq)]
struct Amount {
    of: Value,
    negative: bool,
}

/// A word, how far it is rotated to the left or to the right, and the operations that say so.
pub(super) struct Rotation {
    pub op: Op,
    pub args: [Value; 2],
    pub of: Vec<Inst>,
}

/// The rotation that an `or` is.
pub(super) fn rotated(f: &Function, root: Inst) -> Option<Rotation> {
    let (Op::Or, &[a, b]) = (f.inst(root).op, f.args(root)) else { return None };
    let width = f.ty(f.result(root)).int_width().filter(|width| width.is_power_of_two() && *width > 1)?;
    let mut of = vec![root];
    let [up, down] = match (shifted(f, a)?, shifted(f, b)?) {
        ((Op::Lshift, up), (Op::Urshift, down)) | ((Op::Urshift, down), (Op::Lshift, up)) => [up, down],
        _ => return None,
    };
    of.extend([up, down]);
    let ([x, up], [y, down]) =
        ([0, 1].map(|place| f.args(up)[place]), [0, 1].map(|place| f.args(down)[place]));
    let [up, down] = [up, down].map(|by| amount(f, by, u64::from(width), &mut of));
    if x != y || up.of != down.of || up.negative == down.negative || f.int_constant(up.of).is_some() {
        return None;
    }
    let op = if up.negative { Op::Rotr } else { Op::Rotl };
    Some(Rotation { op, args: [x, up.of], of })
}

/// The shift that makes a value.
fn shifted(f: &Function, value: Value) -> Option<(Op, Inst)> {
    let inst = f.def_inst(value)?;
    matches!(f.inst(inst).op, Op::Lshift | Op::Urshift).then_some((f.inst(inst).op, inst))
}

/// What an amount is modulo the width, a power of two.
fn amount(f: &Function, by: Value, width: u64, of: &mut Vec<Inst>) -> Amount {
    let mut amount = Amount { of: by, negative: false };
    for _ in 0..DEEPEST {
        let Some(inst) = f.def_inst(amount.of) else { break };
        let args = f.args(inst);
        let number = |place: usize| f.int_constant(args[place]).map(|number| number.unsigned() & (width - 1));
        let (next, turns) = match f.inst(inst).op {
            Op::And if number(1) == Some(width - 1) => (args[0], false),
            Op::Add if number(1) == Some(0) => (args[0], false),
            Op::Sub if number(0) == Some(0) => (args[1], true),
            Op::Neg => (args[0], true),
            _ => break,
        };
        of.push(inst);
        amount = Amount { of: next, negative: amount.negative != turns };
    }
    amount
}
