//! Counters that a comparison keeps from wrapping, whatever they are compared with.
//!
//! - While a loop goes on where `x < y`, `x` is no largest number and `y` no smallest one: so an `x` to which one is added and a
//!   `y` from which one is taken do not wrap until the loop leaves, even if both change (two counters that meet).
//! - A counter of a loop around that rises from a number that is not negative, and does not wrap, is not negative in it.
//! - Where a loop is entered by a branch on `x > 0`, `x` is no smallest number, and `x - 1` is less than `x`.

use hashbrown::HashMap;
use planish_ir::{Block, Function, Terminator, Value};
use planish_ops::{Int, Op};
use rustc_hash::FxBuildHasher;

use super::evolution::Tested;
use super::expressions::{Expr, Expressions, Node};
use super::loop_context::{Guard, Loop};
use super::recurrence::Recurrence;

/// How many blocks in front of a loop are asked by which branch it is entered.
const IN_FRONT: usize = 4;

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

/// The counters that the test of an exit in every round keeps from wrapping until the loop leaves.
pub(super) fn kept(
    l: &mut Loop<'_>,
    values: &HashMap<Value, Recurrence, FxBuildHasher>,
    block: Block,
    outside: Block,
) -> Vec<Tested> {
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
            found.push(Tested { start, step, last: None, signed, unsigned: !signed });
        }
    }
    found
}

/// The comparisons that hold where a loop is entered.
pub(super) fn guards(l: &Loop<'_>) -> Vec<Guard> {
    let mut found = Vec::new();
    let mut at = l.header();
    for _ in 0..IN_FRONT {
        let mut ways = l.ways_into(at);
        let (Some(from), None) = (ways.next(), ways.next()) else { break };
        let from = l.block(from);
        if let Terminator::Branch { then, other, .. } = *l.f.terminator(from) {
            let otherwise = if then.block == l.block(at) { other.block } else { then.block };
            found.extend(where_not(l.f, from, otherwise));
        }
        let Some(number) = l.number(from) else { break };
        at = number;
    }
    found
}

/// Whether a value to which one is added, or from which one is taken, does not wrap, as something holds.
pub(super) fn does_not_wrap(
    l: &Loop<'_>,
    expressions: &Expressions,
    guards: &[Guard],
    start: Expr,
    step: Int,
    signed: bool,
) -> bool {
    let Node::Value(value) = expressions.node(start) else { return false };
    let (less, more) = if signed { (Op::Lt, Op::Gt) } else { (Op::Ult, Op::Ugt) };
    let (at_most, at_least) = if signed { (Op::Le, Op::Ge) } else { (Op::Ule, Op::Uge) };
    let below = |op: Op, x: Value, y: Value| {
        // `x < y`, or `x <= y` where y is a number that is not the largest.
        let number = l.f.int_constant(y);
        let inner = number.is_some_and(|number| !is_end(number, 1, signed));
        x == value && (op == less || op == at_most && inner)
    };
    let above = |op: Op, x: Value, y: Value| {
        let number = l.f.int_constant(y);
        let inner = number.is_some_and(|number| !is_end(number, -1, signed));
        x == value && (op == more || op == at_least && inner)
    };
    guards.iter().any(|guard| {
        let turned = guard.op.swapped();
        match step.signed() {
            1 => below(guard.op, guard.x, guard.y) || turned.is_some_and(|op| below(op, guard.y, guard.x)),
            -1 => above(guard.op, guard.x, guard.y) || turned.is_some_and(|op| above(op, guard.y, guard.x)),
            _ => false,
        }
    })
}

/// So many loops around one are asked for their counters, so that deep nests take linear time.
const OUTER: usize = 8;

/// Whether what a loop begins with is surely not negative: a number, or a counter of a loop around it, plus a number.
pub(super) fn is_not_negative(l: &Loop<'_>, expr: Expr) -> bool {
    let number = |expr: Expr| l.expressions.as_constant(expr).map(|number| i128::from(number.signed()));
    let (value, more) = match l.expressions.node(expr) {
        Node::Constant(number) => return number.signed() >= 0,
        Node::Value(value) => (value, Some(0)),
        Node::Binary(Op::Add, x, y) => match l.expressions.node(x) {
            Node::Value(value) => (value, number(y)),
            _ => return false,
        },
        _ => return false,
    };
    let around = |&inner: &u32| l.loops.all()[inner as usize].parent;
    std::iter::successors(around(&l.index), around).take(OUTER).any(|outer| {
        let outer = &l.before[outer as usize];
        let chain = outer.values.get(&value).and_then(|chain| chain.as_linear());
        let Some((start, step)) = chain else { return false };
        let (Some(first), Some(more)) = (number(start), more) else { return false };
        let first = first + more;
        // As integers it lies between where it begins and a counter that does not wrap.
        let rises = |counter: &Tested| {
            let begins = number(counter.start).is_some_and(|start| first <= start);
            let same_step =
                number(step).is_some_and(|step| step > 0 && step == i128::from(counter.step.signed()));
            counter.signed && begins && same_step
        };
        first >= 0 && outer.tested.iter().any(rises)
    })
}

/// Whether a number is the largest, or the smallest.
fn is_end(number: Int, way: i64, signed: bool) -> bool {
    let one = Int::new(number.width(), 1);
    let value =
        |number: Int| if signed { i128::from(number.signed()) } else { i128::from(number.unsigned()) };
    let next =
        Int::new(number.width(), number.unsigned().wrapping_add((way as u64).wrapping_mul(one.unsigned())));
    (value(next) - value(number)).signum() != i128::from(way)
}
