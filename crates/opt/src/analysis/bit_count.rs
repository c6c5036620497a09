//! How many rounds a loop makes that takes bits away from a word until none is left: a count of the bits that it begins with.
//!
//! The anchors are `recognizeShiftUntilZero` and `recognizePopcount` of LLVM's `LoopIdiomRecognize`. A variable of w bits that
//! begins with `x` is, in round n = 0, 1, 2 ...,
//!
//! - `x >> k*n`, shifted without sign. The loop goes on while `x >> (k*n + s)` is at least `2^j`, that is, while more than
//!   `k*n + s + j` bits are left of `w - clz(x)`.
//!   So it is shifted with sign, if the comparison has one: a number below zero leaves at once.
//! - `x << k*n`, of which `w - ctz(x)` bits are left, with `j = 0`.
//! - `x` without its n lowest one bits, by `x & (x - 1)`, of which there are `popcount(x)`.
//!
//! With `b` bits in the beginning, `k` taken away in each round and `c` left to the end, that is `ceil(max(b - c, 0) / k)`.

use planish_ir::{Block, Value};
use planish_ops::Op;

use super::evolution::Count;
use super::expressions::Expr;
use super::loop_context::Loop;

/// In narrower words a sum of numbers of bits might wrap.
const LEAST_WIDTH: u32 = 8;

/// At most so many shifts by constants are followed to a variable.
const SHIFTS: usize = 4;

/// In which round a loop goes from a block to one outside, if it does not leave elsewhere before.
pub(super) fn count(l: &mut Loop<'_>, block: Block, outside: Block) -> Option<Count> {
    let (condition, goes_on) = l.test(block, outside)?;
    let asked = Asked::of(l, condition, goes_on)?;
    let of = Taken::from(l, asked.value)?;
    let variable = *l.variables.iter().find(|variable| variable.param == of.variable)?;
    let once = Taken::from(l, variable.next).filter(|once| once.variable == of.variable)?;
    let start = l.expressions.value(l.f, variable.start)?;
    let width = l.expressions.width(start);
    let way = once.way.filter(|&way| of.way.is_none_or(|of| of == way))?;
    let is_order = match way {
        Way::Right => !asked.signed || of.bits > 0,
        Way::RightWithSign => asked.signed,
        Way::Left | Way::OneByOne => !asked.signed && asked.log == 0,
    };
    if once.bits == 0 || width < LEAST_WIDTH || !is_order {
        return None;
    }
    let left = of.bits + asked.log;
    let bits = bits(l, way, start);
    (left < width).then(|| Count { rounds: rounds(l, bits, left, once.bits), tested: None, unless: None })
}

/// `ceil(max(bits - left, 0) / once)`
fn rounds(l: &mut Loop<'_>, bits: Expr, left: u32, once: u32) -> Expr {
    let width = l.expressions.width(bits);
    let left = l.expressions.number(width, i64::from(left));
    let most = l.expressions.binary(Op::Umax, bits, left);
    let taken = l.expressions.sub(most, left);
    let rest = l.expressions.number(width, i64::from(once) - 1);
    let up = l.expressions.add(taken, rest);
    let once = l.expressions.number(width, i64::from(once));
    l.expressions.binary(Op::Udiv, up, once)
}

/// How many bits can be taken from a word.
fn bits(l: &mut Loop<'_>, way: Way, start: Expr) -> Expr {
    let width = l.expressions.width(start);
    let zero = l.expressions.number(width, 0);
    let (zeros, of) = match way {
        Way::OneByOne => return l.expressions.unary(Op::Popcount, start, width),
        Way::Right => (Op::Clz, start),
        Way::RightWithSign => (Op::Clz, l.expressions.binary(Op::Max, start, zero)),
        Way::Left => (Op::Ctz, start),
    };
    let zeros = l.expressions.unary(zeros, of, width);
    let all = l.expressions.number(width, i64::from(width));
    l.expressions.sub(all, zeros)
}

/// A test that holds while a value is at least `2^log`.
struct Asked {
    value: Value,
    log: u32,
    signed: bool,
}

impl Asked {
    fn of(l: &Loop<'_>, condition: Value, goes_on: bool) -> Option<Asked> {
        let whole = goes_on.then_some(Asked { value: condition, log: 0, signed: false });
        let Some(inst) = l.made_by(condition) else { return whole };
        let op = l.f.inst(inst).op;
        let Some(negated) = op.row().negated else { return whole };
        let op = if goes_on { op } else { negated };
        let signed = matches!(op, Op::Gt | Op::Ge);
        let (value, bound) = match *l.f.args(inst) {
            [value] => (value, None),
            [value, bound] => (value, Some(l.f.int_constant(bound)?)),
            _ => return None,
        };
        let is_below_zero = signed && bound?.signed() < 0;
        let least = match op {
            Op::IsTrue => 1,
            Op::Ne if !bound?.is_true() => 1,
            Op::Uge | Op::Ge if !is_below_zero => bound?.unsigned(),
            Op::Ugt | Op::Gt if !is_below_zero => bound?.unsigned().checked_add(1)?,
            _ => return None,
        };
        least.is_power_of_two().then(|| Asked { value, log: least.trailing_zeros(), signed })
    }
}

/// Which bits are taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The lowest ones, by a shift to the right, without sign.
    Right,
    /// The lowest ones, by a shift to the right, with sign.
    RightWithSign,
    /// The highest ones, by a shift to the left.
    Left,
    /// The lowest one bit.
    OneByOne,
}

/// A variable without some of its bits.
struct Taken {
    variable: Value,
    /// `None` where it is the variable as it is.
    way: Option<Way>,
    bits: u32,
}

impl Taken {
    fn from(l: &Loop<'_>, value: Value) -> Option<Taken> {
        let mut taken = Taken { variable: value, way: None, bits: 0 };
        for _ in 0..SHIFTS {
            let Some(inst) = l.made_by(taken.variable) else { break };
            let amount = |by: Value| {
                // The amount counts modulo the width.
                let by = l.f.int_constant(by)?;
                Some((by.unsigned() % u64::from(by.width())) as u32)
            };
            let (way, variable, bits) = match (l.f.inst(inst).op, l.f.args(inst)) {
                (Op::Urshift, &[x, by]) => (Way::Right, x, amount(by)?),
                (Op::Rshift, &[x, by]) => (Way::RightWithSign, x, amount(by)?),
                (Op::Lshift, &[x, by]) => (Way::Left, x, amount(by)?),
                (Op::And, &[x, y]) if is_one_less(l, y, x) => (Way::OneByOne, x, 1),
                (Op::And, &[x, y]) if is_one_less(l, x, y) => (Way::OneByOne, y, 1),
                _ => return None,
            };
            if taken.way.is_some_and(|before| before != way) {
                return None;
            }
            taken = Taken { variable, way: Some(way), bits: taken.bits + bits };
        }
        Some(taken)
    }
}

/// Whether a value is `x - 1`.
fn is_one_less(l: &Loop<'_>, value: Value, x: Value) -> bool {
    let Some(inst) = l.made_by(value) else { return false };
    let is = |value: Value, number: i64| l.f.int_constant(value).is_some_and(|is| is.signed() == number);
    match (l.f.inst(inst).op, l.f.args(inst)) {
        (Op::Add, &[y, by]) | (Op::Add, &[by, y]) if is(by, -1) => y == x,
        (Op::Sub, &[y, by]) => y == x && is(by, 1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_ops::Int;
    use planish_pass::Analyses;

    use super::super::scalar_evolution::ScalarEvolution;

    /// In which round the loop leaves, for every number of 8 bits that it may begin with.
    fn rounds(body: &str, on: &str) -> Option<Vec<u64>> {
        let source = format!(
            "func f(v0: i8) -> i8 {{\ne:\n    jump h(v0)\nh(v1: i8):\n{body}    branch {on}\nx:\n    return v0\n}}\n"
        );
        let (module, diagnostics) = text::read(&source);
        assert!(!diagnostics.has_errors(), "{source}");
        let f = module.functions.values().next().expect("a function");
        let evolution = Analyses::new().get::<ScalarEvolution>(f);
        let rounds = evolution.loops[0].rounds?;
        let of = |start| evolution.expressions.evaluated(rounds, &|_| Int::new(8, start)).unsigned();
        Some((0..256).map(of).collect())
    }

    /// In which round a loop leaves that goes on while something holds.
    fn tried(goes_on: impl Fn(u8) -> bool, next: impl Fn(u8) -> u8) -> Vec<u64> {
        let of = |start| (0..9).find(|&n| !goes_on((0..n).fold(start, |x, _| next(x)))).expect("it ends");
        (0..=255).map(of).collect()
    }

    #[test]
    fn shifts_to_the_right_count_the_bits_in_front() {
        for by in 1..8 {
            let next = |x: u8| x >> by;
            let shift = format!("    v2 = urshift(v1, {by})\n");
            assert_eq!(rounds(&shift, "v1, h(v2), x"), Some(tried(|x| x != 0, next)), "{by}");
            assert_eq!(rounds(&shift, "v2, h(v2), x"), Some(tried(|x| next(x) != 0, next)), "{by}");
            for log in 0..8 {
                let least = 1u8 << log;
                let at_least = format!("{shift}    v3: i1 = uge(v1, {least})\n");
                assert_eq!(rounds(&at_least, "v3, h(v2), x"), Some(tried(|x| x >= least, next)));
                let less = format!("{shift}    v3: i1 = ult(v2, {least})\n");
                let expected = (by + log < 8).then(|| tried(|x| next(x) >= least, next));
                assert_eq!(rounds(&less, "v3, x, h(v2)"), expected, "{by} {log}");
            }
        }
    }

    #[test]
    fn with_sign_what_is_below_zero_leaves_at_once() {
        for by in 1..8 {
            for log in 0..7 {
                let least = 1i8 << log;
                let goes_on = |x: u8| x as i8 >= least;
                let signed = format!("    v2 = rshift(v1, {by})\n    v3: i1 = ge(v1, {least})\n");
                let next = |x: u8| (x as i8 >> by) as u8;
                assert_eq!(rounds(&signed, "v3, h(v2), x"), Some(tried(goes_on, next)), "{by} {log}");
                let unsigned = format!("    v2 = urshift(v1, {by})\n    v3: i1 = gt(v2, {})\n", least - 1);
                let expected = (by + log < 8).then(|| tried(|x| goes_on(x >> by), |x| x >> by));
                assert_eq!(rounds(&unsigned, "v3, h(v2), x"), expected, "{by} {log}");
            }
        }
    }

    #[test]
    fn shifts_to_the_left_count_the_bits_behind() {
        for by in 1..8 {
            let shift = format!("    v2 = lshift(v1, {by})\n    v3: i1 = is_zero(v1)\n");
            assert_eq!(rounds(&shift, "v3, x, h(v2)"), Some(tried(|x| x != 0, |x| x << by)), "{by}");
        }
        let at_least = "    v2 = lshift(v1, 1)\n    v3: i1 = uge(v1, 4)\n";
        assert_eq!(rounds(at_least, "v3, h(v2), x"), None);
    }

    #[test]
    fn bits_that_go_one_by_one_are_counted() {
        let clear = "    v3 = sub(v1, 1)\n    v2 = and(v3, v1)\n    v4: i1 = ugt(v1, 0)\n";
        let next = |x: u8| x & x.wrapping_sub(1);
        assert_eq!(rounds(clear, "v4, h(v2), x"), Some(tried(|x| x != 0, next)));
        assert_eq!(rounds(clear, "v2, h(v2), x"), Some(tried(|x| next(x) != 0, next)));
    }

    #[test]
    fn what_is_no_shift_in_one_direction_has_no_count() {
        for body in [
            "    v2 = rshift(v1, 1)\n",
            "    v3 = urshift(v1, 2)\n    v2 = lshift(v3, 1)\n",
            "    v3 = sub(v1, 2)\n    v2 = and(v3, v1)\n",
            "    v2 = urshift(v1, 0)\n",
            "    v2 = urshift(v1, v0)\n",
        ] {
            assert_eq!(rounds(body, "v1, h(v2), x"), None, "{body}");
            assert_eq!(rounds(body, "v1, x, h(v2)"), None, "{body}");
        }
    }
}
