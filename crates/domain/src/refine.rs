//! Backward reasoning on compact facts: [`backward`], [`backward_exact`] and [`assume`], compiled once.
//!
//! Each sharpens the facts about operands in place and says whether it did. No member left means that
//! what was assumed cannot be: code behind such a guard or branch is dead.

use planish_ops::Op;

use crate::backward as inverse;
use crate::forward::{self, Shape};
use crate::int_fact::{Computes, IntFact, at_width};
use crate::transfer::{checked, transfer};
use crate::truth::Truth;

/// What was assumed holds of no members of the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction;

impl std::fmt::Display for Contradiction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the facts contradict each other")
    }
}

impl std::error::Error for Contradiction {}

/// Puts sharper facts in the place of those of the operands; whether there are any.
fn put<const N: usize>(args: &mut [IntFact], sharper: [IntFact; N]) -> Result<bool, Contradiction> {
    if sharper.iter().any(|f| f.is_bottom()) {
        return Err(Contradiction);
    }
    let changed = args != sharper;
    args.copy_from_slice(&sharper);
    Ok(changed)
}

/// What the fact `result` about the (first) result of an operation tells about its operands.
///
/// Of a comparison it tells something where `result` is known to be zero or not to be. Of an operation
/// with an overflow bit, the result is that modulo 2^w: see [`backward_exact`] for behind a guard.
pub fn backward(op: Op, result: IntFact, args: &mut [IntFact]) -> Result<bool, Contradiction> {
    let Some(shape) = forward::shape(op) else { return Ok(false) };
    if matches!(shape, Shape::Test | Shape::Compare) {
        return match result.truthiness() {
            _ if result.is_bottom() => Err(Contradiction),
            Truth { always: true, .. } => assume(op, true, args),
            Truth { never: true, .. } => assume(op, false, args),
            _ => Ok(false),
        };
    }
    // What the operands say of the result sharpens what the result says of them.
    let result = result.meet(transfer(op, args, result.ty()).0);
    if result.is_bottom() {
        return Err(Contradiction);
    }
    let width = result.width();
    match (shape, &*args) {
        (Shape::Unary, &[x]) => {
            let x = at_width!(width, |b| {
                let (r, x) = (b.unpack(result), b.unpack(x));
                let x = inverse::unary(b, op, r, x);
                b.pack(width, x)
            });
            put(args, [x])
        }
        (Shape::Binary | Shape::Checked, &[x, y]) => {
            let (x, y) = at_width!(width, |b| {
                let (r, x, y) = (b.unpack(result), b.unpack(x), b.unpack(y));
                let (x, y) = inverse::binary(b, op, r, x, y);
                (b.pack(width, x), b.pack(width, y))
            });
            put(args, [x, y])
        }
        (Shape::Convert, &[x]) => {
            let b = &mut planish_ops::Machine;
            let (r, narrow) = (b.unpack(result), b.unpack(x));
            let found = inverse::convert(b, op, r, narrow);
            let found = b.pack(x.width(), found);
            put(args, [found])
        }
        (Shape::Select, &[c, x, y]) => {
            let known = c.truthiness();
            let (known, x, y) = at_width!(width, |b| {
                let (r, x, y) = (b.unpack(result), b.unpack(x), b.unpack(y));
                let (known, x, y) = inverse::compare::select(b, r, known, x, y);
                (known, b.pack(width, x), b.pack(width, y))
            });
            if known.always && known.never {
                return Err(Contradiction);
            }
            let mut condition = [c];
            if known.always || known.never {
                assume(Op::IsTrue, known.always, &mut condition)?;
            }
            // A side that is not taken may well have no members left; it is not computed from here.
            let (x, y) = (if x.is_bottom() { args[1] } else { x }, if y.is_bottom() { args[2] } else { y });
            put(args, [condition[0], x, y])
        }
        _ => panic!("{op} takes other operands than {args:?}"),
    }
}

/// What the fact `result` about the result of an operation with an overflow bit tells about its
/// operands where it does not overflow.
pub fn backward_exact(op: Op, result: IntFact, args: &mut [IntFact]) -> Result<bool, Contradiction> {
    let &mut [x, y] = args else { panic!("{op} takes other operands than {args:?}") };
    let result = result.meet(checked(op, x, y).1);
    if result.is_bottom() {
        return Err(Contradiction);
    }
    let width = result.width();
    let (x, y) = at_width!(width, |b| {
        let (r, x, y) = (b.unpack(result), b.unpack(x), b.unpack(y));
        let (x, y) = inverse::exact(b, op, r, x, y);
        (b.pack(width, x), b.pack(width, y))
    });
    put(args, [x, y])
}

/// What it tells about the operands of a comparison or test that it holds, or does not.
pub fn assume(op: Op, holds: bool, args: &mut [IntFact]) -> Result<bool, Contradiction> {
    let op = if holds {
        op
    } else {
        let Some(opposite) = op.row().negated else { return Ok(false) };
        opposite
    };
    match (forward::shape(op), &*args) {
        (Some(Shape::Compare), &[x, y]) => {
            let width = x.width();
            let (x, y) = at_width!(width, |b| {
                let (x, y) = (b.unpack(x), b.unpack(y));
                let (x, y) = inverse::compare(b, op, x, y);
                (b.pack(width, x), b.pack(width, y))
            });
            put(args, [x, y])
        }
        (Some(Shape::Test), &[x]) => {
            let width = x.width();
            let x = at_width!(width, |b| {
                let x = b.unpack(x);
                let x = inverse::test(b, op, x);
                b.pack(width, x)
            });
            put(args, [x])
        }
        _ => Ok(false),
    }
}
