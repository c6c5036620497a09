//! How many rounds a loop makes, by the test of one of its exits.
//!
//! The exit is tested in every round, on values of round n = 0, 1, 2 ...; the loop goes on while `x_n ? y_n` holds. The
//! number of the first round in which it does not is what is looked for, exact, as a number without sign of the width of
//! the test. It is less than 2^width wherever it is given at all:
//!
//! - `x ≠ y`: the difference `d_n = a + s*n` is zero. With an odd step `s`, which has an inverse modulo 2^w, that is at
//!   `n = -a/s` and nowhere before. With an even one `s = 2^k*t` it is if `2^k` divides `a`, first at
//!   `n = (-a/2^k)/t` modulo 2^(w-k), and else never; where `a` is no constant, `t` has to be 1 or -1.
//! - `x = y`: the first round leaves if `a ≠ 0`, the second one if `a = 0` and `s ≠ 0`.
//! - `x < b`, step `s > 0`, in the order with sign or without: as long as nothing wraps, the first n with `a + s*n >= b`
//!   is `ceil(d/s)`, `d = max(a, b) - a`. The last x before it is at most `b - 1`, so nothing wraps before if
//!   `b - 1 + s` is not above the largest number: for `s = 1` always, for others where the range of `b` (`ranges.rs`) says so.
//!   Then `d + s - 1` does not wrap either, as `d <= b - smallest`. If the constants of all three are known, it is enough that
//!   the very value that leaves is in range.
//! - `x <= b` is `x < b + 1` unless `b` is the largest number: then the loop does not end. Where the range of `b` does not say that it
//!   is not, all that is said is said [unless](Count::unless) that is so; and of `x < b` with a step of 2 as well, which steps over the
//!   largest number only.
//! - `x > b` and `x >= b` with a negative step are the same upside down: `~x < ~b`, and `~x` has the step `-s`.
//!
//! Of any other test nothing is said: it may wrap before it ends, or not end.

use hashbrown::HashMap;
use planish_domain::IntFact;
use planish_ir::{Block, Value};
use planish_ops::{Int, Op};
use rustc_hash::FxBuildHasher;

use super::evolution::{Count, Tested, Unless};
use super::expressions::{Expr, Expressions, Node};
use super::loop_context::Loop;
use super::recurrence::Recurrence;

/// In which round a loop goes from a block to one outside, if it does not leave elsewhere before.
pub(super) fn count(
    l: &mut Loop<'_>,
    values: &HashMap<Value, Recurrence, FxBuildHasher>,
    block: Block,
    outside: Block,
) -> Option<Count> {
    let (condition, goes_on) = l.test(block, outside)?;
    let comparison = l.made_by(condition).map(|inst| (l.f.inst(inst).op, l.f.args(inst)));
    let (op, x, y) = match comparison {
        Some((op @ (Op::IsZero | Op::IsTrue), &[x])) => {
            let x = l.chain_of(values, x)?;
            let zero = zero(l.expressions, &x);
            (if op == Op::IsZero { Op::Eq } else { Op::Ne }, x, zero)
        }
        Some((op, &[x, y])) if op.row().negated.is_some() => {
            (op, l.chain_of(values, x)?, l.chain_of(values, y)?)
        }
        _ => {
            let x = l.chain_of(values, condition)?;
            let zero = zero(l.expressions, &x);
            (Op::Ne, x, zero)
        }
    };
    let op = if goes_on { op } else { op.row().negated? };
    match op {
        Op::Ne | Op::Eq => {
            let difference = x.plus(l.expressions, &y, -1)?;
            let (start, step) = split(l.expressions, &difference)?;
            if op == Op::Eq {
                return while_zero(l.expressions, start, step).map(|rounds| Count {
                    rounds,
                    tested: None,
                    unless: None,
                });
            }
            // What is a multiple of the step is seen by what it is made of.
            let start = if step.unsigned() & 1 == 0 { taken_apart(l, start, MADE_OF) } else { start };
            let rounds = until_zero(l.expressions, start, step)?;
            let (x, y) = if y.as_linear().is_some() { (y, x) } else { (x, y) };
            let tested = y.as_invariant().and_then(|bound| {
                let (start, step) = split(l.expressions, &x)?;
                until_equal(l.expressions, start, step, bound, rounds)
            });
            Some(Count { rounds, tested, unless: None })
        }
        _ => {
            let (op, x, y) = if y.as_linear().is_some() { (op.swapped()?, y, x) } else { (op, x, y) };
            let (start, step) = split(l.expressions, &x)?;
            let bound = y.as_invariant()?;
            let order = Order::of(op, step.width())?;
            let last = order.last_of(l.range_of(bound), |number| l.may_be(bound, number));
            ordered(l.expressions, order, (start, step), (bound, last))
        }
    }
}

/// So many operations deep it is asked what the distance of two pointers is made of.
const MADE_OF: u32 = 3;

/// An expression in which values are the sums and multiples that they are made of.
fn taken_apart(l: &mut Loop<'_>, expr: Expr, depth: u32) -> Expr {
    if depth == 0 {
        return expr;
    }
    match l.expressions.node(expr) {
        Node::Binary(op @ (Op::Add | Op::Sub), x, y) => {
            let (x, y) = (taken_apart(l, x, depth - 1), taken_apart(l, y, depth - 1));
            l.expressions.binary(op, x, y)
        }
        Node::Value(value) => {
            let Some(inst) = l.f.def_inst(value) else { return expr };
            let (op, &[x, y]) = (l.f.inst(inst).op, l.f.args(inst)) else { return expr };
            let (Some(first), Some(second)) = (l.expressions.value(l.f, x), l.expressions.value(l.f, y))
            else {
                return expr;
            };
            match (op, l.f.int_constant(y)) {
                (Op::Add | Op::Sub, _) => {
                    let (first, second) =
                        (taken_apart(l, first, depth - 1), taken_apart(l, second, depth - 1));
                    l.expressions.binary(op, first, second)
                }
                (Op::Mul, Some(_)) => l.expressions.mul(first, second),
                // The amount counts modulo the width.
                (Op::Lshift, Some(by)) => {
                    l.expressions.times(first, 1 << (by.unsigned() % u64::from(by.width())))
                }
                _ => expr,
            }
        }
        _ => expr,
    }
}

/// What is known of a counter that is compared with a bound for equality, and meets it in a known round: from zero it
/// counts up to the bound by ones without wrapping, and so it does down to zero. If all is constant, it is computed.
fn until_equal(
    expressions: &Expressions,
    start: Expr,
    step: Int,
    bound: Expr,
    rounds: Expr,
) -> Option<Tested> {
    let (mut signed, mut unsigned) = (false, false);
    if let (Some(start), Some(rounds)) = (expressions.as_constant(start), expressions.as_constant(rounds)) {
        let way = i128::from(step.signed()) * i128::from(rounds.unsigned());
        let size = 1i128 << step.width();
        signed = (-size / 2..size / 2).contains(&(i128::from(start.signed()) + way));
        unsigned = (0..size).contains(&(i128::from(start.unsigned()) + way));
    }
    unsigned |= match step.signed() {
        1 => expressions.is_zero(start),
        -1 => expressions.is_zero(bound),
        _ => false,
    };
    (signed || unsigned).then_some(Tested { start, step, last: Some(bound), signed, unsigned })
}

fn zero(expressions: &mut Expressions, like: &Recurrence) -> Recurrence {
    let width = expressions.width(like.terms()[0]);
    Recurrence::invariant(expressions.number(width, 0))
}

/// What a chain of degree 0 or 1 is first, and its step, a constant.
fn split(expressions: &Expressions, chain: &Recurrence) -> Option<(Expr, Int)> {
    match *chain.terms() {
        [start] => Some((start, Int::new(expressions.width(start), 0))),
        [start, step] => Some((start, expressions.as_constant(step)?)),
        _ => None,
    }
}

/// The first round in which `start + step * n` is zero.
fn until_zero(expressions: &mut Expressions, start: Expr, step: Int) -> Option<Expr> {
    let width = step.width();
    if expressions.is_zero(start) {
        return Some(start);
    }
    let shift = step.unsigned().trailing_zeros();
    if !step.is_true() {
        return None;
    }
    let inverse = inverse(step.unsigned() >> shift);
    if shift == 0 {
        return Some(expressions.times(start, inverse.wrapping_neg() as i64));
    }
    let Some(start) = expressions.as_constant(start) else {
        return until_zero_by_a_power(expressions, start, step);
    };
    let start = start.unsigned();
    if start.trailing_zeros() < shift {
        return None;
    }
    let rounds = (start >> shift).wrapping_neg().wrapping_mul(inverse);
    let rounds = Int::new(width - shift, rounds).unsigned();
    Some(expressions.constant(Int::new(width, rounds)))
}

/// The first round in which `start + step * n` is zero, for a step that is a power of two or its negative and divides the start, as the
/// distance of two pointers is.
fn until_zero_by_a_power(expressions: &mut Expressions, start: Expr, step: Int) -> Option<Expr> {
    let width = step.width();
    let negative = Int::new(width, step.unsigned().wrapping_neg());
    let (size, sign) = if step.unsigned().is_power_of_two() { (step, -1) } else { (negative, 1) };
    if !size.unsigned().is_power_of_two() {
        return None;
    }
    let distance = expressions.sum(&[(start, sign)]);
    let shift = size.unsigned().trailing_zeros();
    if expressions.zeros(distance) < shift {
        return None;
    }
    let by = expressions.number(width, i64::from(shift));
    Some(expressions.binary(Op::Urshift, distance, by))
}

/// The first round in which `start + step * n` is not zero.
fn while_zero(expressions: &mut Expressions, start: Expr, step: Int) -> Option<Expr> {
    let starts_with_zero = !expressions.as_constant(start)?.is_true();
    let ends = !starts_with_zero || step.is_true();
    ends.then(|| expressions.number(step.width(), starts_with_zero.into()))
}

/// The inverse of an odd number modulo 2^64, by Newton: each step doubles the bits that are right.
fn inverse(odd: u64) -> u64 {
    let once = |x: u64, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    // An odd number is its own inverse modulo 8: 3, 6, 12, 24, 48, 96 bits.
    (0..5).fold(odd, once)
}

/// The first round in which `start + step * n` is not in the order with an invariant bound, of which the last place is known that it
/// may have.
fn ordered(
    expressions: &mut Expressions,
    order: Order,
    (start, step): (Expr, Int),
    (bound, last): (Expr, i128),
) -> Option<Count> {
    let tested = Tested { start, step, last: None, signed: order.signed, unsigned: !order.signed };
    let once = expressions.constant(step);
    let step = i128::from(step.signed()) * if order.falls { -1 } else { 1 };
    let constant_bound = expressions.as_constant(bound);
    // The place behind the last with which the loop goes on; it may be one above all.
    let end = constant_bound.map(|bound| order.place(bound) + i128::from(order.equal));
    if let (Some(start), Some(end)) = (expressions.as_constant(start), end) {
        let rounds = order.rounds(order.place(start), step, end)?;
        let rounds = expressions.constant(Int::new(order.width, rounds as u64));
        let way = expressions.mul(rounds, once);
        let tested = Tested { last: Some(expressions.add(tested.start, way)), ..tested };
        return Some(Count { rounds, tested: Some(tested), unless: None });
    }
    let nothing_wraps = last + i128::from(order.equal) + step <= order.size();
    // One step from the last but one place leads to the last one at most, or two where the loop does not go on at the bound.
    let wraps_once = constant_bound.is_none() && i128::from(order.equal) + step <= 2;
    if step <= 0 || !(nothing_wraps || wraps_once) {
        return None;
    }
    let unless = (!nothing_wraps).then_some(Unless { bound, is: order.farthest(), is_endless: order.equal });
    let (distance, last) = order.distance(expressions, start, bound);
    if step == 1 {
        let tested = Some(Tested { last: Some(last), ..tested });
        return Some(Count { rounds: distance, tested, unless });
    }
    let more = expressions.number(order.width, (step - 1) as i64);
    let rounded = expressions.add(distance, more);
    let step = step as u64;
    let rounds = if step.is_power_of_two() {
        let by = expressions.number(order.width, i64::from(step.trailing_zeros()));
        expressions.binary(Op::Urshift, rounded, by)
    } else {
        let by = expressions.constant(Int::new(order.width, step));
        expressions.binary(Op::Udiv, rounded, by)
    };
    Some(Count { rounds, tested: Some(tested), unless })
}

/// The order in which a counter goes up to a bound, or down.
#[derive(Clone, Copy)]
pub(super) struct Order {
    width: u32,
    signed: bool,
    falls: bool,
    /// Whether the loop goes on at the bound, too.
    equal: bool,
}

impl Order {
    /// The order of all numbers.
    pub(super) fn new(width: u32, signed: bool, falls: bool) -> Order {
        Order { width, signed, falls, equal: false }
    }

    fn of(op: Op, width: u32) -> Option<Order> {
        let (signed, falls, equal) = match op {
            Op::Lt => (true, false, false),
            Op::Le => (true, false, true),
            Op::Gt => (true, true, false),
            Op::Ge => (true, true, true),
            Op::Ult => (false, false, false),
            Op::Ule => (false, false, true),
            Op::Ugt => (false, true, false),
            Op::Uge => (false, true, true),
            _ => return None,
        };
        Some(Order { width, signed, falls, equal })
    }

    /// How many numbers there are.
    fn size(self) -> i128 {
        1 << self.width
    }

    /// The place of a number in the order in which the counter rises, counted from 0.
    fn place(self, value: Int) -> i128 {
        let up = match self.signed {
            true => i128::from(value.signed()) + self.size() / 2,
            false => i128::from(value.unsigned()),
        };
        if self.falls { self.size() - 1 - up } else { up }
    }

    /// The number at which the order ends, in the way in which the counter goes.
    pub(super) fn farthest(self) -> Int {
        let bits = match (self.signed, self.falls) {
            (true, false) => (1u64 << (self.width - 1)) - 1,
            (true, true) => 1 << (self.width - 1),
            (false, false) => u64::MAX,
            (false, true) => 0,
        };
        Int::new(self.width, bits)
    }

    /// The place of the last of the numbers in a range, of which the farthest is perhaps none.
    fn last_of(self, range: IntFact, may_be: impl Fn(Int) -> bool) -> i128 {
        let number = match (self.signed, self.falls) {
            (true, false) => Int::new(self.width, range.hi() as u64),
            (true, true) => Int::new(self.width, range.lo() as u64),
            (false, false) => range.unsigned_upper(),
            (false, true) => range.unsigned_lower(),
        };
        let is_none = number == self.farthest() && !may_be(number);
        self.place(number) - i128::from(is_none)
    }

    /// How many steps it takes from a place to `end` or beyond, if a counter gets there without wrapping.
    fn rounds(self, start: i128, step: i128, end: i128) -> Option<i128> {
        let rounds = match step {
            _ if start >= end => 0,
            1.. => (end - start + step - 1) / step,
            _ => return None,
        };
        (start + step * rounds < self.size()).then_some(rounds)
    }

    /// How far it is from `start` to the first number that is not in order with `bound`, and which number that is; if
    /// `start` is not, that is `start`.
    fn distance(self, expressions: &mut Expressions, start: Expr, bound: Expr) -> (Expr, Expr) {
        let bound = match self.equal {
            true => {
                let one = expressions.number(self.width, if self.falls { -1 } else { 1 });
                expressions.add(bound, one)
            }
            false => bound,
        };
        let farther = match (self.signed, self.falls) {
            (true, false) => Op::Max,
            (true, true) => Op::Min,
            (false, false) => Op::Umax,
            (false, true) => Op::Umin,
        };
        let last = expressions.binary(farther, bound, start);
        let distance = if self.falls { expressions.sub(start, last) } else { expressions.sub(last, start) };
        (distance, last)
    }
}

#[cfg(test)]
mod tests {
    use planish_base::Id;
    use planish_ops::meaning::Datum;
    use planish_ops::{Fold, Type, fold};

    use super::*;

    fn folded(op: Op, args: &[Int], width: u32) -> Int {
        let args: Vec<_> = args.iter().map(|&arg| Datum::Word(arg)).collect();
        match fold(op, &args, &[Type::Int(width as u8)]) {
            Some(Fold::Int(value)) => value,
            other => panic!("{op:?}: {other:?}"),
        }
    }

    /// What an expression is when the start is one number and the bound another.
    fn value(expressions: &Expressions, expr: Expr, given: [Int; 2]) -> Int {
        expressions.evaluated(expr, &|value| given[value.index()])
    }

    /// The first round in which `start + step * n` does not compare, by trying.
    fn tried(op: Op, [start, bound]: [Int; 2], step: Int) -> Option<u64> {
        let width = step.width();
        let at = |n: u64| Int::new(width, start.unsigned().wrapping_add(step.unsigned().wrapping_mul(n)));
        (0..1 << width).find(|&n| !folded(op, &[at(n), bound], 1).is_true())
    }

    /// Holds what is said of a counter against all that it is in the rounds up to the last.
    fn holds(tested: Tested, last: Option<Int>, start: Int, step: Int, rounds: u64) {
        let size = 1i128 << step.width();
        for round in 0..=i128::from(rounds) {
            let way = i128::from(step.signed()) * round;
            let signed = (-size / 2..size / 2).contains(&(i128::from(start.signed()) + way));
            let unsigned = (0..size).contains(&(i128::from(start.unsigned()) + way));
            assert!(!tested.signed || signed, "{start:?} + {step:?} * {round} wraps, with sign");
            assert!(!tested.unsigned || unsigned, "{start:?} + {step:?} * {round} wraps, without sign");
        }
        let end = start.unsigned().wrapping_add(step.unsigned().wrapping_mul(rounds));
        assert!(
            last.is_none_or(|last| last == Int::new(step.width(), end)),
            "{start:?} + {step:?} * {rounds}"
        );
    }

    const COMPARISONS: [Op; 10] =
        [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Ult, Op::Ule, Op::Ugt, Op::Uge];

    /// What may be known of a number: that it is that, or may be any, and up to 3 bits each interval with it, with sign and without.
    fn known_of(number: Int, is_constant: bool) -> Vec<IntFact> {
        if is_constant {
            return vec![IntFact::constant(number)];
        }
        let width = number.width();
        let mut facts = vec![IntFact::top(width)];
        let most = if width > 3 { 0 } else { 1i64 << width };
        for (low, high) in (-most..most).flat_map(|low| (low..most).map(move |high| (low, high))) {
            facts.push(IntFact::interval(width, low, high));
            if low >= 0 {
                facts.push(IntFact::unsigned_interval(width, low as u64, high as u64));
            }
        }
        facts.retain(|fact| fact.contains(number));
        facts.sort_unstable_by_key(|fact| (fact.lo(), fact.hi(), fact.to_words().zeros.unsigned()));
        facts.dedup();
        facts
    }

    /// Whether a loop is said to end, of which start and bound are known or not, and the bound is in a range: in the round that is said.
    fn is_counted(op: Op, given: [Int; 2], step: Int, known: usize, range: IntFact) -> bool {
        let (width, [first, second]) = (step.width(), given);
        let mut expressions = Expressions::default();
        let mut side = |number: usize| match known >> number & 1 {
            1 => expressions.constant(given[number]),
            _ => expressions.unknown(Value::from_index(number), width),
        };
        let (start, bound) = (side(0), side(1));
        let count = if matches!(op, Op::Eq | Op::Ne) {
            let difference = expressions.sub(start, bound);
            let find = if op == Op::Ne { until_zero } else { while_zero };
            find(&mut expressions, difference, step).map(|rounds| {
                let tested = until_equal(&expressions, start, step, bound, rounds);
                Count { rounds, tested: tested.filter(|_| op == Op::Ne), unless: None }
            })
        } else {
            let order = Order::of(op, width).expect("a comparison");
            let may_be = |number: Int| range.contains(number) && (known == 0 || number == second);
            ordered(&mut expressions, order, (start, step), (bound, order.last_of(range, may_be)))
        };
        let Some(Count { rounds, tested, unless }) = count else { return false };
        let expected = tried(op, given, step);
        if let Some(unless) = unless.filter(|of| value(&expressions, of.bound, given) == of.is) {
            assert!(!unless.is_endless || expected.is_none(), "{first:?} {step:?} {op:?} {second:?}");
            return true;
        }
        let rounds = value(&expressions, rounds, given).unsigned();
        if let Some(tested) = tested {
            let last = tested.last.map(|last| value(&expressions, last, given));
            holds(tested, last, first, step, rounds);
        }
        assert_eq!(Some(rounds), expected, "{first:?} + {step:?} * n {op:?} {second:?}, {known}, {range}");
        true
    }

    /// Pointers that go to others at a multiple of their step, at every width up to 5.
    #[test]
    fn every_count_of_steps_between_pointers_is_what_trying_gives() {
        let mut said = 0;
        for width in 1..=5u32 {
            for (x, y) in (0..1u64 << width).flat_map(|x| (0..1u64 << width).map(move |y| (x, y))) {
                for (size, sign) in
                    (0..width).map(|power| 1i64 << power).flat_map(|size| [(size, 1), (size, -1)])
                {
                    let given = [x, y].map(|bits| Int::new(width, bits));
                    let mut expressions = Expressions::default();
                    let [base, count] =
                        [0, 1].map(|number| expressions.unknown(Value::from_index(number), width));
                    let way = expressions.times(count, size);
                    let end = expressions.add(base, way);
                    let difference = expressions.sub(base, end);
                    let step = Int::new(width, (size * sign) as u64);
                    let Some(rounds) = until_zero(&mut expressions, difference, step) else { continue };
                    said += 1;
                    let bound = value(&expressions, end, given);
                    let found = value(&expressions, rounds, given).unsigned();
                    assert_eq!(tried(Op::Ne, [given[0], bound], step), Some(found), "{given:?} {step:?}");
                }
            }
        }
        assert!(said > 5000, "{said}");
    }

    /// Every comparison, start, step and bound of 1 to 4 bits, each of start and bound known or not: what is said is so.
    #[test]
    fn every_count_is_what_trying_gives() {
        let mut said = [0u32; 4];
        for width in 1..=4u32 {
            let all = || (0..1u64 << width).map(|bits| Int::new(width, bits));
            for (op, step, first, second) in COMPARISONS
                .into_iter()
                .flat_map(|op| all().map(move |step| (op, step)))
                .flat_map(|(op, step)| all().flat_map(move |x| all().map(move |y| (op, step, x, y))))
            {
                for (known, said) in said.iter_mut().enumerate() {
                    for range in known_of(second, known >> 1 & 1 == 1) {
                        *said += u32::from(is_counted(op, [first, second], step, known, range));
                    }
                }
            }
        }
        assert!(said.iter().all(|&count| count > 1000), "{said:?}");
    }
}
