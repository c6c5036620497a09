//! Forward transfer on compact facts: [`transfer`], compiled once.

use planish_ops::{Op, Type};

use crate::forward::{self, Shape};
use crate::int_fact::{Computes, IntFact, at_width};
use crate::truth::Truth;

/// What is known of the results of an operation: its value, and its overflow bit where it has one.
///
/// `args` are the facts about its integer operands, `result` is the type of its first result. Nothing
/// is known of the results of an operation that has no transfer function. An operand without members
/// makes results without members: such an operation is never executed.
pub fn transfer(op: Op, args: &[IntFact], result: Type) -> (IntFact, Option<IntFact>) {
    let width = result.int_width().expect("facts are about integers");
    let Some(shape) = forward::shape(op) else {
        return (IntFact::top(width), None);
    };
    let flag = shape == Shape::Checked;
    if args.iter().any(|f| f.is_bottom()) {
        return (IntFact::bottom(width), flag.then(|| IntFact::bottom(1)));
    }
    let fact = match (shape, args) {
        (Shape::Binary, &[x, y]) => at_width!(width, |b| {
            let (x, y) = (b.unpack(x), b.unpack(y));
            let f = forward::binary(b, op, x, y);
            b.pack(width, f)
        }),
        (Shape::Compare, &[x, y]) => IntFact::truth(width, compare(op, x, y)),
        (Shape::Test, &[x]) => {
            let truth = at_width!(x.width(), |b| {
                let x = b.unpack(x);
                forward::test(b, op, x)
            });
            IntFact::truth(width, truth)
        }
        (Shape::Unary, &[x]) => at_width!(width, |b| {
            let x = b.unpack(x);
            let f = forward::unary(b, op, x);
            b.pack(width, f)
        }),
        (Shape::Convert, &[x]) => {
            let b = &mut planish_ops::Machine;
            let x = b.unpack(x);
            let f = forward::convert(b, op, x, width);
            b.pack(width, f)
        }
        (Shape::Checked, &[x, y]) => {
            let (value, _, overflow) = checked(op, x, y);
            return (value, Some(IntFact::truth(1, overflow)));
        }
        (Shape::Select, &[c, x, y]) => {
            let truth = c.truthiness();
            at_width!(width, |b| {
                let (x, y) = (b.unpack(x), b.unpack(y));
                let f = forward::compare::select(b, truth, x, y);
                b.pack(width, f)
            })
        }
        _ => panic!("{op} takes other operands than {args:?}"),
    };
    (fact, None)
}

/// What is known of the condition of a comparison.
pub fn compare(op: Op, x: IntFact, y: IntFact) -> Truth<bool> {
    at_width!(x.width(), |b| {
        let (x, y) = (b.unpack(x), b.unpack(y));
        forward::compare(b, op, x, y)
    })
}

/// An operation with an overflow bit: the fact about its value, the fact that holds where it does not
/// overflow, and what is known of the overflow.
pub fn checked(op: Op, x: IntFact, y: IntFact) -> (IntFact, IntFact, Truth<bool>) {
    at_width!(x.width(), |b| {
        let (x, y) = (b.unpack(x), b.unpack(y));
        let width = planish_ops::Bits::width(b, x.lo);
        let all = forward::checked(b, op, x, y);
        (b.pack(width, all.value), b.pack(width, all.exact), all.overflow)
    })
}
