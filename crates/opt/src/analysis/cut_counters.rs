//! Loops that count with a number that goes round, cut in every round or in its own word, and end.
//!
//! ```text
//! c' = sext(trunc(add(c, s)) to w bits)        c = (byte) (c + s)
//! ```
//!
//! Whatever such a counter begins with, from the second round on it is a number of `w` bits, and goes round: with `s = 2^t * odd`
//! it comes to every such number that is as far from the first as a multiple of `2^t`. So a loop that goes on while the counter
//! compares in some way with a bound ends if it does not so compare with one of these numbers. Of the
//! bound a [range](super::ranges) is enough: one that was cut to a `byte` is not below all bytes, and may be another one in every
//! round. The counter may wrap on the way: `i += 3` comes to the largest number, too, which is below nothing.

use hashbrown::HashMap;
use planish_domain::IntFact;
use planish_ir::{Block, Terminator, Value};
use planish_ops::{Int, Op};
use rustc_hash::FxBuildHasher;

use super::loop_context::{Loop, Variable};
use super::recurrence::Recurrence;

/// The values of a loop that have a chain.
type Chains = HashMap<Value, Recurrence, FxBuildHasher>;

/// What a counter is from the second round on.
struct Round {
    width: u32,
    /// Whether it is widened with its sign; both are right where it is not widened.
    signed: bool,
    step: Int,
    /// Its lowest bits, as it begins.
    start: Option<Int>,
}

/// Whether the test of an exit in every round is on a counter that comes to a number with which it leaves.
pub(super) fn comes_round(l: &Loop<'_>, values: &Chains, block: Block, outside: Block) -> bool {
    let Some((op, x, y)) = goes_on_while(l, block, outside) else { return false };
    let sides = [Some((op, x, y)), y.and_then(|y| Some((op.swapped()?, y, Some(x))))];
    sides.into_iter().flatten().any(|(op, counter, bound)| {
        let Some(width) = l.f.ty(counter).int_width().filter(|_| l.varies(counter)) else { return false };
        let range = bound.map_or(IntFact::constant(Int::new(width, 0)), |bound| l.range(bound));
        let stays = bound.is_none_or(|bound| !l.varies(bound));
        if !stays && matches!(op, Op::Eq | Op::Ne) {
            return false;
        }
        let same = bound.filter(|_| stays && op == Op::Eq);
        let counted = l.variables.iter().map(|&variable| Counted { l, variable, same });
        let mut rounds = counted.filter_map(|counted| counted.round(counter));
        whole(l, values, counter, op).is_some_and(|round| round.leaves(op, range))
            || rounds.any(|round| round.leaves(op, range))
    })
}

/// What is compared where a loop goes on; with zero where nothing is said of the other side.
fn goes_on_while(l: &Loop<'_>, block: Block, outside: Block) -> Option<(Op, Value, Option<Value>)> {
    let Terminator::Branch { condition, then, other } = *l.f.terminator(block) else { return None };
    let holds = other.block == outside;
    if holds == (then.block == outside) {
        return None;
    }
    let compared = l.f.def_inst(condition).map(|inst| (l.f.inst(inst).op, l.f.args(inst)));
    let (op, x, y) = match compared {
        Some((Op::IsZero, &[x])) => (Op::Eq, x, None),
        Some((Op::IsTrue, &[x])) => (Op::Ne, x, None),
        Some((op, &[x, y])) if op.row().negated.is_some() => (op, x, Some(y)),
        _ => (Op::Ne, condition, None),
    };
    Some((if holds { op } else { op.row().negated? }, x, y))
}

/// What a counter that has a chain is: it goes round in its own word.
fn whole(l: &Loop<'_>, values: &Chains, counter: Value, op: Op) -> Option<Round> {
    let (start, step) = values.get(&counter)?.as_linear()?;
    let step = l.expressions.as_constant(step)?;
    let start = l.range_of(start).to_words();
    let low = (1u64 << step.unsigned().trailing_zeros()) - 1;
    let is_known = (start.ones.unsigned() | start.zeros.unsigned()) & low == low;
    let start = is_known.then_some(start.ones);
    Some(Round { width: step.width(), signed: !is_without_sign(op), step, start })
}

/// Whether a comparison is one of numbers without sign.
fn is_without_sign(op: Op) -> bool {
    matches!(op, Op::Ult | Op::Ule | Op::Ugt | Op::Uge)
}

/// A variable of a loop that may be a cut counter.
struct Counted<'a, 'l> {
    l: &'a Loop<'l>,
    variable: Variable,
    /// What it is equal to as long as the loop goes on, so that either may stand for it.
    same: Option<Value>,
}

impl Counted<'_, '_> {
    /// What a value is from the second round on, if it is the variable, which is cut, what that becomes, or the lowest bits
    /// of either.
    fn round(&self, value: Value) -> Option<Round> {
        let f = self.l.f;
        let Variable { param, next, start } = self.variable;
        let (width, signed, step) = self.cut()?;
        let whole = [param, next];
        let (width, signed) = match self.l.made_by(value).filter(|_| !whole.contains(&value)) {
            None if whole.contains(&value) => (width, signed),
            Some(inst) if f.inst(inst).op == Op::Trunc => {
                let of = f.args(inst)[0];
                let low = f.ty(value).int_width().filter(|&low| low <= width)?;
                let is_sum = || self.sum(of).is_some_and(|by| by == step);
                (whole.contains(&of) || is_sum()).then_some((low, true))?
            }
            _ => return None,
        };
        let step = Int::new(width, step.unsigned());
        let start = f.int_constant(start).map(|start| Int::new(width, start.unsigned()));
        step.is_true().then_some(Round { width, signed, step, start })
    }

    /// To how many bits it is cut, whether it is widened with its sign, and what is added in every round.
    fn cut(&self) -> Option<(u32, bool, Int)> {
        let f = self.l.f;
        let inst = f.def_inst(self.variable.next)?;
        let (width, signed, step) = match (f.inst(inst).op, f.args(inst)) {
            (op @ (Op::Sext | Op::Zext), &[narrow]) => {
                let width = f.ty(narrow).int_width()?;
                let made = f.def_inst(narrow)?;
                let step = match f.inst(made).op {
                    Op::Trunc => self.sum(f.args(made)[0]),
                    _ => self.sum(narrow),
                };
                (width, op == Op::Sext, step?)
            }
            (Op::And, &[x, y]) => {
                let (of, mask) = if f.int_constant(y).is_some() { (x, y) } else { (y, x) };
                let mask = f.int_constant(mask)?.unsigned();
                let width = mask.trailing_ones();
                let is_cut = mask.count_ones() == width && (1..f.ty(of).int_width()?).contains(&width);
                (width, false, self.sum(of).filter(|_| is_cut)?)
            }
            // What has to stay where it is need not be cut.
            _ if self.same.is_some() => {
                (f.ty(self.variable.next).int_width()?, true, self.sum(self.variable.next)?)
            }
            _ => return None,
        };
        let step = Int::new(width, step.unsigned());
        step.is_true().then_some((width, signed, step))
    }

    /// What a value is more than the variable, or than its lowest bits.
    fn sum(&self, value: Value) -> Option<Int> {
        let f = self.l.f;
        let inst = f.def_inst(value)?;
        let is_one = |x: Value| x == self.variable.param || Some(x) == self.same;
        let is_variable = |x: Value| {
            let low = f.def_inst(x).filter(|&inst| f.inst(inst).op == Op::Trunc);
            is_one(x) || low.is_some_and(|inst| is_one(f.args(inst)[0]))
        };
        match (f.inst(inst).op, f.args(inst)) {
            (Op::Add, &[x, by]) if is_variable(x) => f.int_constant(by),
            (Op::Add, &[by, x]) if is_variable(x) => f.int_constant(by),
            (Op::Sub, &[x, by]) if is_variable(x) => {
                let by = f.int_constant(by)?;
                Some(Int::new(by.width(), by.unsigned().wrapping_neg()))
            }
            _ => None,
        }
    }
}

impl Round {
    /// Whether one of its numbers does not compare so with a bound, whatever that is in its range.
    fn leaves(&self, goes_on_while: Op, bound: IntFact) -> bool {
        let without_sign = is_without_sign(goes_on_while);
        let size = 1i128 << bound.width();
        let (low, high) = match (self.signed, without_sign) {
            (true, false) => (-(1i128 << (self.width - 1)), (1i128 << (self.width - 1)) - 1),
            // Some are negative, and larger than all others without their sign.
            (true, true) => (0, size - 1),
            (false, _) => (0, (1i128 << self.width) - 1),
        };
        let (least, most) = match (i128::from(bound.lo()), i128::from(bound.hi())) {
            (least, most) if !without_sign || least >= 0 => (least, most),
            (least, most) if most < 0 => (least + size, most + size),
            _ => (0, size - 1),
        };
        // The numbers are those between `low` and `high` that are so much more than a multiple of `apart`.
        let apart = 1i128 << self.step.unsigned().trailing_zeros();
        let more = self.start.map(|start| i128::from(start.unsigned()) & (apart - 1));
        let largest = high - more.map_or(apart - 1, |more| (high - more) & (apart - 1));
        let smallest = low + more.map_or(apart - 1, |more| (more - low) & (apart - 1));
        match goes_on_while {
            // It never stays what it is.
            Op::Eq => true,
            Op::Ne => {
                let is_met = more.is_some_and(|more| least == most && (least - more) & (apart - 1) == 0);
                low <= least && most <= high && (apart == 1 || is_met)
            }
            Op::Lt | Op::Ult => largest >= most,
            Op::Le | Op::Ule => largest > most,
            Op::Gt | Op::Ugt => smallest <= least,
            Op::Ge | Op::Uge => smallest < least,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_pass::Analyses;

    use super::super::scalar_evolution::ScalarEvolution;

    fn is_known_to_end(source: &str) -> bool {
        let (module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors(), "{source}");
        let f = module.functions.values().next().expect("a function");
        Analyses::new().get::<ScalarEvolution>(f).loops[0].ends
    }

    /// A counter of 8 bits, cut to 4, from `start`, tested before it is counted, or behind.
    fn counts(widen: &str, start: &str, step: i64, test: &str, bound: &str, behind: bool) -> String {
        let tested = if behind { "v5" } else { "v2" };
        format!(
            "func f(v0: i8, v1: i8) -> i8 {{\ne:\n    v8: i4 = trunc(v1)\n    v9: i8 = {widen}(v8)\n    jump h({start})\n\
             h(v2: i8):\n    v3 = add(v2, {step})\n    v4: i4 = trunc(v3)\n    v5: i8 = {widen}(v4)\n    \
             v6: i1 = {test}({tested}, {bound})\n    branch v6, h(v5), x\nx:\n    return v0\n}}\n"
        )
    }

    fn cut(widen: &str, x: i64) -> i64 {
        if widen == "sext" { x << 60 >> 60 } else { x & 15 }
    }

    fn holds(test: &str, x: i64, y: i64) -> bool {
        let (low_x, low_y) = (x as u8, y as u8);
        match test {
            "eq" => x == y,
            "ne" => x != y,
            "lt" => x < y,
            "le" => x <= y,
            "gt" => x > y,
            "ge" => x >= y,
            "ult" => low_x < low_y,
            "ule" => low_x <= low_y,
            "ugt" => low_x > low_y,
            "uge" => low_x >= low_y,
            _ => unreachable!("{test}"),
        }
    }

    /// Whether a loop ends for every start and every bound that there may be.
    fn ends(widen: &str, starts: &[i64], step: i64, test: &str, bounds: &[i64], behind: bool) -> bool {
        let from = |start: i64, bound: i64| {
            let mut counter = start;
            (0..600).any(|_| {
                let next = cut(widen, i64::from((counter + step) as i8));
                let tested = if behind { next } else { counter };
                counter = next;
                !holds(test, tested, bound)
            })
        };
        starts.iter().all(|&start| bounds.iter().all(|&bound| from(start, bound)))
    }

    /// Every comparison and step, with starts and bounds that are known, cut or anything: what is said to end does, and what
    /// ends is known to.
    #[test]
    fn a_counter_that_is_cut_ends_where_it_is_said_to_and_is_known_to_where_it_does() {
        let all: Vec<i64> = (-128..128).collect();
        let (mut said, mut missed) = (0, Vec::new());
        for widen in ["sext", "zext"] {
            let narrow: Vec<i64> = all.iter().map(|&x| cut(widen, x)).collect();
            let known: Vec<(String, Vec<i64>)> =
                [-8i64, -3, 0, 5, 7, 15, 100].map(|x| (x.to_string(), vec![x])).to_vec();
            let bounds = [&known[..], &[("v9".to_owned(), narrow), ("v1".to_owned(), all.clone())]].concat();
            let starts = [&known[2..5], &[("v0".to_owned(), all.clone())]].concat();
            for test in ["eq", "ne", "lt", "le", "gt", "ge", "ult", "ule", "ugt", "uge"] {
                for step in [1, -1, 2, 3, -4, 8, 16] {
                    for ((start, from), (bound, to)) in
                        starts.iter().flat_map(|start| bounds.iter().map(move |bound| (start, bound)))
                    {
                        for behind in [false, true] {
                            let source = counts(widen, start, step, test, bound, behind);
                            let does = ends(widen, from, step, test, to, behind);
                            let is_said = is_known_to_end(&source);
                            assert!(does || !is_said, "{source}");
                            said += u32::from(is_said);
                            // What does not move on is no counter.
                            if does && !is_said && step != 16 {
                                missed.push(source);
                            }
                        }
                    }
                }
            }
        }
        assert!(said > 3_000 && missed.is_empty(), "{said}: {:?}", missed.first());
    }

    /// Where it is equal to the bound, what it becomes may be made of that.
    #[test]
    fn a_counter_that_has_to_stay_at_its_bound_moves_on() {
        let source = "func f(v0: i32) -> i32 {\ne:\n    jump h(5)\nh(v1: i32):\n    v2: i1 = eq(v1, v0)\n    branch v2, b, x\nb:\n    \
                      v3 = add(v0, 1)\n    v4: i8 = trunc(v3)\n    v5: i32 = sext(v4)\n    jump h(v5)\nx:\n    return v0\n}\n";
        assert!(is_known_to_end(source));
        assert!(!is_known_to_end(&source.replace("add(v0, 1)", "add(v0, 256)")));
        assert!(!is_known_to_end(&source.replace("eq(", "ne(")), "it stays what the bound is not");
        let whole = source.replace("trunc(v3)\n    v5: i32 = sext(v4)", "trunc(v3)\n    v5 = add(v0, 7)");
        assert!(is_known_to_end(&whole));
        assert!(!is_known_to_end(&whole.replace("add(v0, 7)", "add(v0, 0)")));
    }

    #[test]
    fn a_counter_may_be_cut_in_other_words() {
        let masked = "func f(v0: i32) -> i32 {\ne:\n    v1 = and(v0, 65535)\n    jump h(7)\nh(v2: i32):\n    v3 = add(v2, 1)\n    \
                      v4 = and(v3, 65535)\n    v5: i1 = ne(v4, v1)\n    branch v5, h(v4), x\nx:\n    return v0\n}\n";
        assert!(is_known_to_end(masked));
        assert!(!is_known_to_end(&masked.replace("add(v2, 1)", "add(v2, 2)")));
        assert!(!is_known_to_end(&masked.replace("and(v0, 65535)", "and(v0, 131071)")));
        assert!(!is_known_to_end(&masked.replace("and(v3, 65535)", "and(v3, 65533)")), "it stays 65532");
        let narrow = "func f(v0: i32) -> i32 {\ne:\n    v1: i8 = trunc(v0)\n    jump h(7)\nh(v2: i32):\n    v3: i8 = trunc(v2)\n    \
                      v4 = sub(v3, 1)\n    v5: i32 = sext(v4)\n    v6: i1 = lt(v3, v1)\n    branch v6, h(v5), x\nx:\n    return v0\n}\n";
        assert!(is_known_to_end(narrow));
        assert!(!is_known_to_end(&narrow.replace("lt(v3, v1)", "le(v3, v1)")));
    }
}
