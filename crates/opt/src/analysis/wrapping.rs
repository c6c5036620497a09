//! Counters that a comparison keeps from wrapping, whatever they are compared with.
//!
//! While a loop goes on where `x < y`, `x` is no largest number and `y` no smallest one: so an `x` to which one is added and a
//! `y` from which one is taken do not wrap until the loop leaves, even if both change (two counters that meet).

use hashbrown::HashMap;
use planish_ir::{Block, Function, Terminator, Value};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use super::evolution::Tested;
use super::loop_context::{Guard, Loop};
use super::recurrence::Recurrence;

/// The comparison that holds where a branch on it does not go to a block.
pub(crate) fn where_not(f: &Function, from: Block, not_to: Block) -> Option<Guard> {
    let Terminator::Branch { condition, then, other } = *f.terminator(from) else { return None };
    let holds = other.block == not_to;
    if holds == (then.block == not_to) {
        return None;
    }
    let inst = f.def_inst(condition)?;
    let (op, args) = (f.inst(inst).op, f.args(inst));
    let (Some(negated), &[x, y]) = (op.row().negated, args) else { return None };
    f.ty(x).int_width()?;
    Some(Guard { op: if holds { op } else { negated }, x, y })
}

/// The counters that the test of an exit in every round keeps from wrapping until the loop leaves, with what is compared.
pub(super) fn kept(
    l: &mut Loop<'_>,
    values: &HashMap<Value, Recurrence, FxBuildHasher>,
    block: Block,
    outside: Block,
) -> Vec<(Value, Tested)> {
    let Some(Guard { op, x, y }) = where_not(l.f, block, outside) else { return Vec::new() };
    let (low, high, signed) = match op {
        Op::Lt => (x, y, true),
        Op::Gt => (y, x, true),
        Op::Ult => (x, y, false),
        Op::Ugt => (y, x, false),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for (value, by) in [(low, 1), (high, -1)] {
        let Some((start, step)) = values.get(&value).and_then(|chain| chain.as_linear()) else { continue };
        if let Some(step) = l.expressions.as_constant(step).filter(|step| step.signed() == by) {
            found.push((value, Tested { start, step, last: None, signed, unsigned: !signed }));
        }
    }
    found
}
