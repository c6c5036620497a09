//! Legalization by expansion: an operation said in terms of fewer others, for dialects that lack it.
//!
//! The ground is what the three-address and the region language share: sum, product, and, signed
//! quotient and remainder, the shifts, equality and signed greater-than, at the width of a word that is
//! a power of two. One-bit values are words that hold 0 or 1. A dialect implements [`Expander`] with
//! what it can write, and [`expand`] breaks up the rest; identities are from Warren, "Hacker's Delight".
//!
//! What is not expanded: operations with several results, high words of products, unsigned division by
//! anything, counts of bits, floats, memory, calls. The answer is then `None` and the dialect says so.

use planish_ops::{Op, Type};

/// What a dialect writes by itself.
pub trait Expander {
    /// A value of the dialect.
    type Value: Copy;
    /// The width of a word.
    fn width(&self) -> u32;
    /// Whether an operation on words can be written as it is.
    fn legal(&self, op: Op) -> bool;
    /// A constant word.
    fn constant(&mut self, value: i64) -> Self::Value;
    /// The constant that a value is.
    fn as_constant(&self, value: Self::Value) -> Option<i64>;
    /// Writes a legal operation.
    fn write(&mut self, op: Op, args: &[Self::Value]) -> Self::Value;
    /// `yes` where the condition, which is 0 or 1, is 1, else `no`.
    fn choose(&mut self, condition: Self::Value, yes: Self::Value, no: Self::Value) -> Self::Value {
        let difference = word(self, Op::Sub, &[yes, no]);
        let scaled = word(self, Op::Mul, &[condition, difference]);
        word(self, Op::Add, &[no, scaled])
    }
    /// The same for references to functions, with any condition, where there is something better than a `select`.
    fn choose_function(
        &mut self,
        condition: Self::Value,
        yes: Self::Value,
        no: Self::Value,
    ) -> Option<Self::Value> {
        let _ = (condition, yes, no);
        None
    }
    /// Whether a value is known to be 0 or 1.
    fn is_truth(&self, value: Self::Value) -> bool;
}

/// Writes an operation with operands and one result of the types given, or says that it cannot.
pub fn expand<E: Expander>(
    e: &mut E,
    op: Op,
    args: &[E::Value],
    operands: &[Type],
    result: Type,
) -> Option<E::Value> {
    let is_word = |ty: Type| ty.int_width() == Some(e.width());
    let admitted = |ty: &Type| match (*ty, op) {
        (Type::State, Op::Use) | (Type::Ref, Op::Select) => true,
        (ty, _) => is_word(ty) || ty == Type::I1,
    };
    if !operands.iter().all(admitted) || !admitted(&result) {
        return None;
    }
    match op {
        Op::Use => Some(e.write(op, args)),
        Op::Zext => Some(args[0]),
        Op::Trunc => Some(match (operands[0], result) {
            (from, to) if from == to => args[0],
            _ => {
                let one = e.constant(1);
                word(e, Op::And, &[args[0], one])
            }
        }),
        Op::Sext if operands[0] == Type::I1 => Some(word(e, Op::Neg, args)),
        Op::Select if result == Type::Ref => {
            let chosen = e.choose_function(args[0], args[1], args[2]);
            chosen.or_else(|| e.legal(op).then(|| e.write(op, args)))
        }
        Op::Select if !e.legal(op) => {
            let condition = truth(e, args[0]);
            Some(e.choose(condition, args[1], args[2]))
        }
        // Its condition may be a bit, unlike the operands of others.
        Op::Select => Some(e.write(op, args)),
        _ if operands.first() == Some(&Type::I1) && e.width() > 1 => bit(e, op, args),
        _ => try_word(e, op, args),
    }
}

/// The condition as 0 or 1.
fn truth<E: Expander + ?Sized>(e: &mut E, value: E::Value) -> E::Value {
    if e.is_truth(value) {
        return value;
    }
    let zero = e.constant(0);
    word(e, Op::Ne, &[value, zero])
}

/// An operation on single bits, which are words that hold 0 or 1.
fn bit<E: Expander>(e: &mut E, op: Op, args: &[E::Value]) -> Option<E::Value> {
    Some(match op {
        Op::And | Op::Mul | Op::Or | Op::Xor | Op::Eq | Op::Ne | Op::IsZero | Op::Ugt | Op::Ult => {
            // Unsigned order of 0 and 1 is signed order of words.
            let op = match op {
                Op::Mul => Op::And,
                Op::Ugt => Op::Gt,
                Op::Ult => Op::Lt,
                op => op,
            };
            word(e, op, args)
        }
        Op::Add | Op::Sub => word(e, Op::Ne, args),
        Op::Not => word(e, Op::IsZero, args),
        Op::Neg | Op::IsTrue | Op::Abs => args[0],
        Op::Ule => word(e, Op::Le, args),
        Op::Uge => word(e, Op::Ge, args),
        // As a signed bit, 1 is -1: the order is the other way round.
        Op::Lt => word(e, Op::Gt, args),
        Op::Gt => word(e, Op::Lt, args),
        Op::Le => word(e, Op::Ge, args),
        Op::Ge => word(e, Op::Le, args),
        _ => return None,
    })
}

/// An operation of the ground, or one that [`try_word`] knows.
fn word<E: Expander + ?Sized>(e: &mut E, op: Op, args: &[E::Value]) -> E::Value {
    match try_word(e, op, args) {
        Some(value) => value,
        None => panic!("{op} is expanded to operations that can be written"),
    }
}

fn try_word<E: Expander + ?Sized>(e: &mut E, op: Op, args: &[E::Value]) -> Option<E::Value> {
    if e.legal(op) {
        return Some(e.write(op, args));
    }
    let (x, y) = (*args.first()?, args.get(1).copied());
    if let Some(y) = y { binary(e, op, x, y) } else { unary(e, op, x) }
}

fn unary<E: Expander + ?Sized>(e: &mut E, op: Op, x: E::Value) -> Option<E::Value> {
    Some(match op {
        Op::Neg => {
            let minus = e.constant(-1);
            word(e, Op::Mul, &[minus, x])
        }
        Op::Not => {
            let (minus, negated) = (e.constant(-1), word(e, Op::Neg, &[x]));
            word(e, Op::Add, &[minus, negated])
        }
        Op::IsZero => {
            let zero = e.constant(0);
            word(e, Op::Eq, &[x, zero])
        }
        Op::IsTrue => {
            let zero = e.constant(0);
            word(e, Op::Ne, &[x, zero])
        }
        Op::Abs => {
            let zero = e.constant(0);
            let (negative, negated) = (word(e, Op::Gt, &[zero, x]), word(e, Op::Neg, &[x]));
            e.choose(negative, negated, x)
        }
        Op::ForceGeZero => {
            let zero = e.constant(0);
            let negative = word(e, Op::Gt, &[zero, x]);
            e.choose(negative, zero, x)
        }
        _ => return None,
    })
}

fn binary<E: Expander + ?Sized>(e: &mut E, op: Op, x: E::Value, y: E::Value) -> Option<E::Value> {
    Some(match op {
        Op::Sub => {
            let negated = word(e, Op::Neg, &[y]);
            word(e, Op::Add, &[x, negated])
        }
        Op::Or => {
            let (sum, both) = (word(e, Op::Add, &[x, y]), word(e, Op::And, &[x, y]));
            word(e, Op::Sub, &[sum, both])
        }
        Op::Xor => {
            let (sum, both) = (word(e, Op::Add, &[x, y]), word(e, Op::And, &[x, y]));
            let minus_two = e.constant(-2);
            let twice = word(e, Op::Mul, &[both, minus_two]);
            word(e, Op::Add, &[sum, twice])
        }
        Op::Ne => not(e, Op::Eq, x, y),
        Op::Lt => word(e, Op::Gt, &[y, x]),
        Op::Le => not(e, Op::Gt, x, y),
        Op::Ge => not(e, Op::Gt, y, x),
        Op::Ult => unsigned_greater(e, y, x),
        Op::Ugt => unsigned_greater(e, x, y),
        Op::Ule => {
            let greater = unsigned_greater(e, x, y);
            word(e, Op::IsZero, &[greater])
        }
        Op::Uge => {
            let less = unsigned_greater(e, y, x);
            word(e, Op::IsZero, &[less])
        }
        Op::Min | Op::Max => {
            let greater = word(e, Op::Gt, &[x, y]);
            if op == Op::Min { e.choose(greater, y, x) } else { e.choose(greater, x, y) }
        }
        Op::Umin | Op::Umax => {
            let greater = unsigned_greater(e, x, y);
            if op == Op::Umin { e.choose(greater, y, x) } else { e.choose(greater, x, y) }
        }
        Op::Rotl | Op::Rotr => {
            // Amounts are masked, so -y is w - y, and an amount of 0 gives x or x.
            let back = word(e, Op::Neg, &[y]);
            let (left, right) = if op == Op::Rotl { (y, back) } else { (back, y) };
            let (high, low) = (word(e, Op::Lshift, &[x, left]), word(e, Op::Urshift, &[x, right]));
            word(e, Op::Or, &[high, low])
        }
        Op::FloorDiv | Op::FloorMod => floor(e, op, x, y),
        Op::Signext => {
            let (width, n) = (i64::from(e.width()), e.as_constant(y)?);
            if !(1..width).contains(&n) {
                return Some(x);
            }
            let up = e.constant(width - n);
            let high = word(e, Op::Lshift, &[x, up]);
            word(e, Op::Rshift, &[high, up])
        }
        _ => return None,
    })
}

fn not<E: Expander + ?Sized>(e: &mut E, op: Op, x: E::Value, y: E::Value) -> E::Value {
    let holds = word(e, op, &[x, y]);
    word(e, Op::IsZero, &[holds])
}

/// Flipping the sign bit turns unsigned order into signed order.
fn unsigned_greater<E: Expander + ?Sized>(e: &mut E, x: E::Value, y: E::Value) -> E::Value {
    let flip = |e: &mut E, value: E::Value| {
        let (width, min) = (e.width(), i64::MIN >> (64 - e.width()));
        match e.as_constant(value) {
            Some(known) => e.constant((known.wrapping_add(min) << (64 - width)) >> (64 - width)),
            None => {
                let min = e.constant(min);
                word(e, Op::Add, &[value, min])
            }
        }
    };
    let (x, y) = (flip(e, x), flip(e, y));
    word(e, Op::Gt, &[x, y])
}

/// Truncation went up where there is a remainder whose sign is not the divisor's.
fn floor<E: Expander + ?Sized>(e: &mut E, op: Op, x: E::Value, y: E::Value) -> E::Value {
    let (zero, remainder) = (e.constant(0), word(e, Op::Srem, &[x, y]));
    let (inexact, signs) = (word(e, Op::Ne, &[remainder, zero]), word(e, Op::Xor, &[remainder, y]));
    let differ = word(e, Op::Gt, &[zero, signs]);
    let up = word(e, Op::And, &[inexact, differ]);
    if op == Op::FloorDiv {
        let quotient = word(e, Op::Sdiv, &[x, y]);
        return word(e, Op::Sub, &[quotient, up]);
    }
    let adjustment = word(e, Op::Mul, &[up, y]);
    word(e, Op::Add, &[remainder, adjustment])
}

/// How many operations an operation on words becomes where only some are legal; `None` when it cannot be
/// written. A choice by a condition counts as one.
pub fn price(op: Op, legal: &dyn Fn(Op) -> bool) -> Option<u32> {
    let row = op.row();
    let ty = Type::Int(64);
    let types = vec![ty; row.operands.len()];
    let mut counter = Counter { legal, written: 0 };
    let args = vec![(); row.operands.len()];
    match op {
        Op::Use | Op::Zext | Op::Sext | Op::Trunc => return Some(1),
        _ if row.results.len() != 1 || row.operands.is_empty() => return None,
        _ => expand(&mut counter, op, &args, &types, ty)?,
    }
    Some(counter.written)
}

/// Counts what would be written.
struct Counter<'a> {
    legal: &'a dyn Fn(Op) -> bool,
    written: u32,
}

impl Expander for Counter<'_> {
    type Value = ();

    fn width(&self) -> u32 {
        64
    }

    fn legal(&self, op: Op) -> bool {
        (self.legal)(op)
    }

    fn constant(&mut self, _: i64) {}

    fn as_constant(&self, (): ()) -> Option<i64> {
        None
    }

    fn write(&mut self, _: Op, _: &[()]) {
        self.written += 1;
    }

    fn choose(&mut self, (): (), (): (), (): ()) {
        self.written += 1;
    }

    fn is_truth(&self, (): ()) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planish_ops::{Datum, Fold, Int, fold};

    /// Computes instead of writing; only the ground is legal.
    struct Ground(u32);

    impl Expander for Ground {
        type Value = Int;
        fn width(&self) -> u32 {
            self.0
        }
        fn legal(&self, op: Op) -> bool {
            matches!(
                op,
                Op::Add
                    | Op::Mul
                    | Op::And
                    | Op::Sdiv
                    | Op::Srem
                    | Op::Lshift
                    | Op::Rshift
                    | Op::Urshift
                    | Op::Eq
                    | Op::Gt
            )
        }
        fn constant(&mut self, value: i64) -> Int {
            Int::new(self.0, value as u64)
        }
        fn as_constant(&self, value: Int) -> Option<i64> {
            Some(value.signed())
        }
        fn write(&mut self, op: Op, args: &[Int]) -> Int {
            let data: Vec<_> = args.iter().map(|&arg| Datum::Word(arg)).collect();
            match fold(op, &data, &[Type::Int(self.0 as u8)]) {
                Some(Fold::Int(value)) => value,
                other => panic!("{op} {args:?} gives {other:?}"),
            }
        }
        fn is_truth(&self, value: Int) -> bool {
            value.unsigned() <= 1
        }
    }

    #[test]
    fn a_price_is_the_number_of_operations_of_the_ground() {
        let ground = Ground(64);
        let price = |op| price(op, &|op| ground.legal(op));
        assert_eq!(price(Op::Add), Some(1));
        assert_eq!(price(Op::Sub), Some(2));
        assert_eq!(price(Op::Le), Some(2));
        assert_eq!(price(Op::Or), Some(4));
        assert_eq!((price(Op::Smulh), price(Op::Fadd)), (None, None));
    }

    #[test]
    fn every_expansion_means_what_the_table_says_at_every_value_of_a_small_width() {
        let mut expanded = 0;
        for &op in planish_ops::table::ALL {
            let row = op.row();
            let words = |shapes: &[planish_ops::Shape]| {
                shapes
                    .iter()
                    .all(|shape| matches!(shape, planish_ops::Shape::Int(_) | planish_ops::Shape::Any(_)))
            };
            if row.operands.is_empty()
                || row.results.len() != 1
                || !words(row.operands)
                || !words(row.results)
            {
                continue;
            }
            // Widths that are powers of two, as the module says; 1 is checked as bits held in words of 4.
            for (width, held) in [(4, 4), (1, 4)] {
                let (ty, size) = (Type::Int(width), 1u64 << width);
                let (operands, result) = (vec![ty; row.operands.len()], ty);
                if matches!(op, Op::Zext | Op::Sext | Op::Trunc) {
                    continue;
                }
                for all in 0..size.pow(operands.len() as u32) {
                    let values = |width: u32| -> Vec<Int> {
                        (0..operands.len() as u32)
                            .map(|i| Int::new(width, all / size.pow(i) % size))
                            .collect()
                    };
                    let data: Vec<_> = values(width.into()).into_iter().map(Datum::Word).collect();
                    let Some(Fold::Int(expected)) = fold(op, &data, &[result]) else { continue };
                    let got = expand(&mut Ground(held), op, &values(held), &operands, result);
                    let Some(got) = got else { continue };
                    assert_eq!(got.unsigned(), expected.unsigned(), "{op} {data:?}");
                    expanded += 1;
                }
            }
        }
        assert!(expanded > 10_000, "{expanded}");
    }
}
