//! Algebraic simplification from columns of the table of operations (after QBE's `gvn.c`).
//!
//! A dozen rewrites that no rule has to spell out, for every operation that has the column (the idea is
//! QBE's `gvn.c`): identity, absorbing element, equal operands, involution, constants of an associative
//! operation brought together, and comparisons of comparisons. The answer is data; the engine applies
//! it. Whether an operation may leave instead of giving a result is the caller's to ask: an answer is a
//! refinement, right wherever the operation is defined.

use planish_base::fault;
use planish_ir::{Const, Function, Value};
use planish_ops::{EqualOperands, Int, Machine, Op, Real, Type};
use planish_rules::functions::{FloatFunction, FloatTest};

use planish_pass::record::Column;

/// What an operation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Simple {
    /// An operand, or an operand of an operand.
    Value(Value),
    /// A number in the type of the result.
    Number(i64),
    /// Another operation with results of the same types.
    Op(Op, [Value; 2], usize),
    /// The value times the number.
    Scaled(Value, Real),
    /// f(x, f(c, d)): the operation on a value and on two constants first.
    Regroup(Value, Value, Value),
}

/// What the columns say of an operation on resolved operands with first result type `ty`.
pub(crate) fn simplify(f: &Function, op: Op, args: &[Value], ty: Type) -> Option<(Column, Simple)> {
    let algebra = &op.row().algebra;
    match *args {
        [x] => {
            if algebra.involution
                && let Some((inner, &[y])) = operation(f, x)
                && inner == op
            {
                return Some((Column::Involution, Simple::Value(y)));
            }
            match op {
                Op::IsZero => comparison(f, x, false, ty),
                Op::IsTrue => comparison(f, x, true, ty),
                _ => None,
            }
        }
        [x, y] if op == Op::Fdiv => scaled(f, x, y),
        [x, y] => {
            if x == y
                && let Some(equal) = algebra.equal
            {
                let is = match equal {
                    EqualOperands::Constant(number) => Simple::Number(number),
                    EqualOperands::Operand => Simple::Value(x),
                };
                return Some((Column::Equal, is));
            }
            let (left, right) = (f.int_constant(x), f.int_constant(y));
            let (value, other, constant) = match (left, right) {
                (_, Some(constant)) => (x, y, constant),
                (Some(constant), None)
                    if algebra.commutative || fault!("algebra: identity on the left of all") =>
                {
                    (y, x, constant)
                }
                _ => return None,
            };
            if algebra.identity.is_some_and(|e| is_number(constant, e)) {
                return Some((Column::Identity, Simple::Value(value)));
            }
            if algebra.absorbing.is_some_and(|a| is_number(constant, a)) {
                return Some((
                    Column::Absorbing,
                    Simple::Value(if fault!("algebra: absorbed the wrong way") { value } else { other }),
                ));
            }
            if (algebra.associative || fault!("algebra: every operation is associative"))
                && let Some((inner, &[a, b])) = operation(f, value)
                && inner == op
            {
                // Only commutative operations are associative with a constant on the left.
                if f.int_constant(b).is_some() {
                    return Some((Column::Associative, Simple::Regroup(a, b, other)));
                }
                if algebra.commutative && f.int_constant(a).is_some() {
                    return Some((Column::Associative, Simple::Regroup(b, a, other)));
                }
            }
            match (op, constant.unsigned()) {
                (Op::Eq, 0) | (Op::Ne, 1) => comparison(f, value, false, ty),
                (Op::Ne, 0) | (Op::Eq, 1) => comparison(f, value, true, ty),
                // In one bit the complement of a comparison is its negation.
                (Op::Xor, 1) => comparison(f, value, false, ty),
                _ => None,
            }
        }
        // Either way the same.
        [_, x, y] if op == Op::Select && x == y => Some((Column::Equal, Simple::Value(x))),
        _ => None,
    }
}

/// Whether a comparison `x`, which is 0 or 1, is true or false, in the type `ty`.
fn comparison(f: &Function, x: Value, truth: bool, ty: Type) -> Option<(Column, Simple)> {
    let (op, args) = operation(f, x)?;
    // What asks a descriptor besides cannot be made again from its operands.
    if !op.row().truth || op.row().descriptor.is_some() {
        return None;
    }
    let truth = truth != fault!("algebra: a comparison is not negated");
    let op = if truth { op } else { op.row().negated? };
    let is = match *args {
        _ if truth && f.ty(x) == ty => Simple::Value(x),
        [a] => Simple::Op(op, [a, a], 1),
        [a, b] => Simple::Op(op, [a, b], 2),
        _ => return None,
    };
    Some((Column::Negated, is))
}

/// A quotient by a power of two as a product: both are x * 2^-k, rounded once. No solver proves as a rule what is
/// plain from that.
fn scaled(f: &Function, x: Value, y: Value) -> Option<(Column, Simple)> {
    let Const::Real(number) = f.constant(y)? else { return None };
    let exact = FloatTest::ExactReciprocal.apply(&mut Machine, number.0);
    exact.then(|| {
        let factor = FloatFunction::Reciprocal.apply(&mut Machine, number.0);
        (Column::Inverse, Simple::Scaled(x, factor))
    })
}

/// The pure operation that makes a value, with its operands.
pub(crate) fn operation(f: &Function, value: Value) -> Option<(Op, &[Value])> {
    let inst = f.def_inst(value)?;
    Some((f.inst(inst).op, f.args(inst)))
}

/// Whether a word is a number of the table, which is truncated to the width at hand.
fn is_number(word: Int, number: i64) -> bool {
    word == Int::new(word.width(), number as u64)
}
