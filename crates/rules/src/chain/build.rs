//! What a chain becomes: operations in order, if they cost less.

use planish_ops::{Bits, Int, Machine, Op, Type};

use crate::matching::{Build, Const, Operand, Outcome, Subject};

/// Which normal form was used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// A linear combination.
    Sum,
    /// A product of powers.
    Product,
    /// A chain of one bitwise operation.
    Bitwise,
    /// A symmetric difference of shifted and masked values.
    Fields,
}

/// A chain put together again.
#[derive(Clone, Debug)]
pub struct Combined<V> {
    /// What is built first, in order.
    pub plan: Vec<Build<V>>,
    /// What the root becomes: a value.
    pub outcome: Outcome<V>,
    /// By which form.
    pub form: Form,
}

/// A plan that costs less than `cost`.
pub(super) fn cheaper<S: Subject>(
    s: &S,
    cost: u32,
    build: Builder<S::Value>,
    result: Operand<S::Value>,
    form: Form,
) -> Option<Combined<S::Value>> {
    let made: u32 = build.plan.iter().map(|build| s.price(build.op)).sum();
    (made < cost).then_some(Combined { plan: build.plan, outcome: Outcome::Value(result), form })
}

/// Puts operations together.
pub(super) struct Builder<V> {
    plan: Vec<Build<V>>,
    ty: Type,
}

impl<V: Copy> Builder<V> {
    pub(super) fn new(ty: Type) -> Self {
        Builder { plan: Vec::new(), ty }
    }

    pub(super) fn op(&mut self, op: Op, args: &[Operand<V>]) -> Operand<V> {
        let index = u8::try_from(self.plan.len()).expect("few operations are taken apart");
        self.plan.push(Build::new(op, self.ty, args));
        Operand::Built(index)
    }

    pub(super) fn constant(value: Int) -> Operand<V> {
        Operand::Const(Const::Int(value))
    }

    /// factor * value
    pub(super) fn scaled(&mut self, value: Operand<V>, factor: Int) -> Operand<V> {
        let one = Machine.one(factor);
        if factor == one {
            return value;
        }
        if factor == Machine.ones(factor) {
            return self.op(Op::Neg, &[value]);
        }
        if factor.unsigned().is_power_of_two() {
            let amount = Int::new(factor.width(), u64::from(factor.unsigned().trailing_zeros()));
            return self.op(Op::Lshift, &[value, Self::constant(amount)]);
        }
        self.op(Op::Mul, &[value, Self::constant(factor)])
    }
}
