//! Rules whose pattern begins with `rshift`, in the order in which they are tried:
//!
//! - rshift_minus_one
//! - rshift_zero
//! - rshift_lshift
//!
//! Generated from `rules/*.rules`.

use planish_ops::{Int, Op};
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer, operands2, same};

use super::names::{self, rule};

/// Hands every rewrite of a `rshift` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    let b = root.args[1];
    if let Some(constant) = s.constant(a) {
        match constant {
            Const::Int(i) if i.signed() == -1 => {
                offer(found, rshift_minus_one(s, root))?;
            }
            Const::Int(i) if i.signed() == 0 => {
                offer(found, rshift_zero(s, root))?;
            }
            _ => {
            }
        }
    } else {
        for node in nodes(s, a) {
            if let Some((Op::Lshift, n)) = node {
                let [a0, a1] = operands2(s, n);
                offer(found, rshift_lshift(s, root, a0, a1, b))?;
            }
        }
    }
    Flow::Continue(())
}

// rshift_minus_one: rshift(-1, x)
//     # The sign fills.
//     => -1
fn rshift_minus_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    Some(Rewrite { rule: rule(names::RSHIFT_MINUS_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, -1i64 as u64)))) })
}

// rshift_zero [pypy]: rshift(0, x)
//     # Nothing to shift.
//     => 0
fn rshift_zero<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    Some(Rewrite { rule: rule(names::RSHIFT_ZERO), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

// rshift_lshift [pypy]: rshift(lshift(x, y), y)
//     # No bit is lost on the way.
//     check x.lshift_bound_cannot_overflow(y)
//     => x
fn rshift_lshift<S: Subject>(
    s: &S,
    _root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
    y_2: S::Value,
) -> Option<Rewrite<S::Value>> {
    if !same(s, y, y_2) {
        return None;
    }
    let x_fact = s.fact(x);
    let y_fact = s.fact(y);
    if !x_fact.lshift_bound_cannot_overflow(y_fact) {
        return None;
    }
    Some(Rewrite { rule: rule(names::RSHIFT_LSHIFT), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(x)) })
}

