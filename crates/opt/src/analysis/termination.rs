//! Termination: loops that end, in a round that nobody knows.
//!
//! What ends by the number of its rounds is known from [`trip_count`](super::trip_count). Beyond that
//!
//! - two counters meet: a loop goes on where `x < y`, of which `x` rises by one or not at all, and `y` falls by one or not at
//!   all. Where `x < y`, `x` is no largest number and `y` no smallest, so neither wraps, and their distance becomes less
//!   in every round. What is compared may be the length of an array that the loop does not change;
//! - a loop goes on where `x = y`, and one of both moves on from the other in every round;
//! - a counter that is a float passes its bound ([`float_counters`](super::float_counters));
//! - a counter that goes round, in its own word or cut to fewer bits in every round, comes to all numbers of so many that are as
//!   far apart as it steps ([`cut_counters`](super::cut_counters));
//! - a variable falls to a limit, as it is shifted, divided or has bits taken away: a measure of it, which is a number that is not
//!   negative, becomes less in every round until it is zero ([`Measure`]). Say that the loop did not end: then from some
//!   round on all such variables are at their limits. If the tests, with these numbers, do not let any way through the
//!   loop come back to its header, it ends.
//!
//! Bradley, Manna and Sipma, "The polyranking principle", 2005, is about measures of this kind; LLVM's LoopDeletion takes a loop for
//! one that ends where the language says so (`mustprogress`), which Java does not.

use hashbrown::HashMap;
use planish_base::Worklist;
use planish_ir::{Block, Def, Inst, Terminator, Value};
use planish_ops::meaning::Datum;
use planish_ops::{Int, Op};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::cut_counters;
use super::evolution::Evolution;
use super::float_counters;
use super::loop_context::{Guard, Loop};
use super::trial::{computes, folded};
use super::wrapping::where_not;

/// How many values are looked at to see what becomes of a variable.
const LOOKED_AT: u32 = 48;

/// How deep operations are followed to see what a test says.
const DEEPEST: u32 = 12;

/// How many variables with two limits are told apart.
const TWOFOLD: usize = 2;

/// Whether a loop of which the number of rounds is not known surely ends, unless one inside it does not.
pub(super) fn ends(l: &Loop<'_>, evolution: &Evolution) -> bool {
    let passes = |from: u32, to: Block| {
        let from = l.block(from);
        counters_meet(l, evolution, from, to)
            || float_counters::passes(l, from, to)
            || cut_counters::comes_round(l, &evolution.values, from, to)
    };
    let mut asked = evolution.exits.iter().filter(|exit| l.is_asked_always(exit.from));
    asked.any(|exit| passes(exit.from, exit.call.block)) || runs_dry(l)
}

/// Whether the test of an exit in every round is on two counters that meet, or that have to stay together.
fn counters_meet(l: &Loop<'_>, evolution: &Evolution, block: Block, outside: Block) -> bool {
    let Some(Guard { op, x, y }) = where_not(l.f, block, outside) else { return false };
    let step = |value: Value| {
        if !l.varies(value) || is_steady_length(l, value) {
            return Some(0);
        }
        let chain = evolution.values.get(&value)?;
        match chain.as_linear() {
            Some((_, step)) => l.expressions.as_constant(step).map(Int::signed),
            None => chain.as_invariant().map(|_| 0),
        }
    };
    let (low, high) = match op {
        Op::Eq => return step(x).zip(step(y)).is_some_and(|(x, y)| x != y),
        Op::Lt | Op::Ult => (x, y),
        Op::Gt | Op::Ugt => (y, x),
        _ => return false,
    };
    matches!((step(low), step(high)), (Some(1), Some(0 | -1)) | (Some(0), Some(-1)))
}

/// Whether a value is the length of an array that is made outside of a loop. It never changes.
fn is_steady_length(l: &Loop<'_>, value: Value) -> bool {
    let made = l.f.def_inst(value).filter(|&inst| l.f.inst(inst).op == Op::ArrayLen);
    made.is_some_and(|inst| !l.varies(l.f.args(inst)[0]))
}

/// What becomes less in every round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// The number, without sign. It is zero at zero alone.
    Unsigned,
    /// The number without its sign. It is zero at zero alone.
    Magnitude,
    /// The number, or its complement if it is negative. It is zero at zero and at -1.
    Signed,
    /// How many bits there are up from its lowest one bit; none for zero.
    Bits,
}

/// What is known of the measure of a value beside that of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Falls {
    /// It is not more.
    AtMost,
    /// It is less, or both are zero.
    Below,
}

/// What a variable becomes.
struct Falling<'a, 'l> {
    l: &'a Loop<'l>,
    variable: Value,
    measure: Measure,
    left: u32,
}

impl Falling<'_, '_> {
    fn of(&mut self, value: Value) -> Option<Falls> {
        self.left = self.left.checked_sub(1)?;
        if value == self.variable {
            return Some(Falls::AtMost);
        }
        if self.l.f.int_constant(value).is_some_and(|constant| !constant.is_true()) {
            return Some(Falls::Below);
        }
        if !self.l.varies(value) {
            return None;
        }
        match self.l.f.def(value) {
            Def::Result(inst, 0) => self.operation(inst),
            Def::Param(block, place) if block != self.l.block(self.l.header()) => self.merged(block, place),
            _ => None,
        }
    }

    /// What comes to a parameter on every edge.
    fn merged(&mut self, block: Block, place: u32) -> Option<Falls> {
        let incoming = self.l.incoming(block, place)?;
        let mut least = Falls::Below;
        for (_, value) in incoming {
            least = least.min(self.of(value)?);
        }
        Some(least)
    }

    fn operation(&mut self, inst: Inst) -> Option<Falls> {
        let f = self.l.f;
        let number = |value: Value| f.int_constant(value).map(|constant| constant.unsigned());
        match (f.inst(inst).op, self.measure, f.args(inst)) {
            (Op::And, Measure::Unsigned | Measure::Bits, &[x, y]) => {
                let (falls, of) = match (self.of(x), self.of(y)) {
                    (one, other) if one >= other => (one?, [x, y]),
                    (_, other) => (other?, [y, x]),
                };
                // `x & (x - 1)` takes away the lowest bit.
                let less = f.def_inst(of[1]).map(|inst| (f.inst(inst).op, f.args(inst)));
                let is_one_less = match less {
                    Some((Op::Sub, &[x, by])) => x == of[0] && number(by) == Some(1),
                    Some((Op::Add, &[x, by])) => {
                        x == of[0] && f.int_constant(by).is_some_and(|by| by.signed() == -1)
                    }
                    _ => false,
                };
                Some(if is_one_less { Falls::Below } else { falls })
            }
            (Op::Umin, Measure::Unsigned, &[x, y]) => self.of(x).max(self.of(y)),
            (Op::Select, _, &[_, x, y]) => Some(self.of(x)?.min(self.of(y)?)),
            (Op::Urshift, Measure::Unsigned, &[x, by])
            | (Op::Rshift, Measure::Signed, &[x, by])
            | (Op::Lshift, Measure::Bits, &[x, by]) => {
                let falls = self.of(x)?;
                let shifts = f.int_constant(by).is_some_and(|by| by.unsigned() % u64::from(by.width()) > 0);
                Some(if shifts { Falls::Below } else { falls })
            }
            (Op::Udiv, Measure::Unsigned, &[x, by])
            | (Op::Sdiv | Op::FloorDiv, Measure::Signed, &[x, by]) => {
                self.of(x)?;
                let by = f.int_constant(by)?;
                let divides =
                    if self.measure == Measure::Signed { by.signed() > 1 } else { by.unsigned() > 1 };
                divides.then_some(Falls::Below)
            }
            (Op::Sdiv, Measure::Magnitude, &[x, by]) => {
                self.of(x)?;
                (f.int_constant(by)?.signed().unsigned_abs() > 1).then_some(Falls::Below)
            }
            (Op::Neg, Measure::Magnitude, &[x]) => self.of(x),
            // Cut to fewer bits, and widened again: it is what it was, or less than that by any measure.
            (Op::Sext, Measure::Signed | Measure::Magnitude | Measure::Bits, &[narrow])
            | (Op::Zext, Measure::Unsigned | Measure::Bits, &[narrow]) => {
                let cut = self.l.made_by(narrow).filter(|&inst| f.inst(inst).op == Op::Trunc)?;
                let of = f.args(cut)[0];
                self.of(of).filter(|_| f.ty(of) == f.ty(f.result(inst)))
            }
            (Op::Mul, Measure::Bits, &[x, y]) => {
                let even = |value| number(value).is_some_and(|number| number % 2 == 0);
                let falls = self.of(x).max(self.of(y))?;
                Some(if even(x) || even(y) { Falls::Below } else { falls })
            }
            _ => None,
        }
    }
}

/// A number that a variable comes to, and whether -1 is another one.
struct Limit {
    variable: Value,
    twofold: bool,
}

/// Whether variables fall to limits at which nothing comes back to the header.
fn runs_dry(l: &Loop<'_>) -> bool {
    let limits = limits(l);
    if limits.is_empty() {
        return false;
    }
    let twofold: Vec<Value> =
        limits.iter().filter(|limit| limit.twofold).map(|limit| limit.variable).collect();
    let told = &twofold[..twofold.len().min(TWOFOLD)];
    (0..1u32 << told.len()).all(|choice| {
        let mut numbers: Numbers = HashMap::default();
        for &Limit { variable, twofold } in &limits {
            let width = l.f.ty(variable).int_width().expect("an integer");
            let negative = match told.iter().position(|&one| one == variable) {
                Some(place) => choice >> place & 1 == 1,
                None if twofold => continue,
                None => false,
            };
            let number = if negative { Int::new(width, u64::MAX) } else { Int::new(width, 0) };
            numbers.insert(variable, Some(number));
        }
        !comes_back(l, numbers)
    })
}

/// The variables of a loop that fall, in order.
fn limits(l: &Loop<'_>) -> Vec<Limit> {
    let header = l.block(l.header());
    let mut limits = Vec::new();
    for (place, &variable) in (0..).zip(l.f.block_params(header)) {
        if l.f.ty(variable).int_width().is_none() {
            continue;
        }
        let Some(incoming) = l.incoming(header, place) else { continue };
        let falls = |&measure: &Measure| {
            let mut falling = Falling { l, variable, measure, left: LOOKED_AT };
            let mut back = incoming.iter().filter(|&&(from, _)| l.has(from));
            back.all(|&(_, next)| falling.of(next) == Some(Falls::Below))
        };
        let found =
            [Measure::Unsigned, Measure::Bits, Measure::Magnitude, Measure::Signed].into_iter().find(falls);
        limits.extend(found.map(|measure| Limit { variable, twofold: measure == Measure::Signed }));
    }
    limits
}

/// What values are; nothing for those that may be anything.
type Numbers = HashMap<Value, Option<Int>, FxBuildHasher>;

/// Whether a way through the loop comes back to its header, where some of its variables are these numbers.
fn comes_back(l: &Loop<'_>, mut numbers: Numbers) -> bool {
    let header = l.header();
    let mut seen = FxHashSet::from_iter([header]);
    let mut work = Worklist::from(vec![header]);
    while let Some(number) = work.pop() {
        let block = l.block(number);
        let goes: Vec<Block> = match l.f.terminator(block) {
            &Terminator::Branch { condition, then, other } => {
                match number_of(l, condition, &mut numbers, DEEPEST) {
                    Some(holds) => vec![if holds.is_true() { then.block } else { other.block }],
                    None => vec![then.block, other.block],
                }
            }
            Terminator::Switch { on, cases, default } => match number_of(l, *on, &mut numbers, DEEPEST) {
                Some(on) => {
                    let case = cases.iter().find(|(key, _)| *key == on);
                    vec![case.map_or(default.block, |(_, call)| call.block)]
                }
                None => l.f.block_calls(block).map(|call| call.block).collect(),
            },
            _ => l.f.block_calls(block).map(|call| call.block).collect(),
        };
        for to in goes {
            let Some(to) = l.number(to).filter(|&to| l.has(to)) else { continue };
            if to == header {
                return true;
            }
            if seen.insert(to) {
                work.push(to);
            }
        }
    }
    false
}

/// What a value is.
fn number_of(l: &Loop<'_>, value: Value, numbers: &mut Numbers, deepest: u32) -> Option<Int> {
    if let Some(constant) = l.f.int_constant(value) {
        return Some(constant);
    }
    if let Some(&known) = numbers.get(&value) {
        return known;
    }
    let Def::Result(inst, 0) = l.f.def(value) else { return None };
    if deepest == 0 || !l.varies(value) || !computes(l.f, inst) {
        return None;
    }
    let args: Vec<_> = l.f.args(inst).iter().map(|&arg| number_of(l, arg, numbers, deepest - 1)).collect();
    let zero = |place: usize| args[place].filter(|number| !number.is_true());
    let absorbed = match l.f.inst(inst).op {
        Op::And | Op::Mul => zero(0).or_else(|| zero(1)),
        Op::Lshift | Op::Rshift | Op::Urshift => zero(0),
        _ => None,
    };
    let known = absorbed.or_else(|| {
        let args: Vec<_> = args.into_iter().map(|arg| arg.map(Datum::Word)).collect::<Option<_>>()?;
        match folded(l.f, inst, &args)? {
            Datum::Word(number) => Some(number),
            Datum::Float(_) => None,
        }
    });
    numbers.insert(value, known);
    known
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_ops::{Fold, Type, fold};
    use planish_pass::Analyses;

    use super::super::scalar_evolution::ScalarEvolution;
    use super::*;

    /// Whether the first loop is known to end.
    fn is_known_to_end(source: &str) -> bool {
        let (module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors(), "{source}");
        let f = module.functions.values().next().expect("a function");
        Analyses::new().get::<ScalarEvolution>(f).loops[0].ends
    }

    /// A loop over one variable `v1`, which becomes `v2`, while `v3` holds.
    fn over_one(body: &str) -> bool {
        is_known_to_end(&format!(
            "func f(v0: i8, v9: i8) -> i8 {{\ne:\n    jump h(v0)\nh(v1: i8):\n{body}    branch v3, h(v2), x\nx:\n    return v9\n}}\n"
        ))
    }

    fn folded(op: Op, x: u64, y: u64, to: Type) -> Option<u64> {
        let args = [x, y].map(|bits| Datum::Word(Int::new(8, bits)));
        match fold(op, &args, &[to])? {
            Fold::Int(value) => Some(value.unsigned()),
            _ => None,
        }
    }

    /// Every operation with every comparison: what is said to end does, from every number on, and more than half of what does is known.
    #[test]
    fn what_is_said_to_end_does_from_every_number_on() {
        let operations = [Op::Urshift, Op::Rshift, Op::Lshift, Op::Udiv, Op::Sdiv, Op::FloorDiv, Op::Mul];
        let more = [Op::And, Op::Or, Op::Xor, Op::Add, Op::Sub, Op::Umin];
        let comparisons =
            [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Ult, Op::Ule, Op::Ugt, Op::Uge];
        let number = |value: u64| Int::new(8, value).signed();
        let (mut said, mut ends) = (0, 0);
        for op in operations.into_iter().chain(more) {
            for by in [1u64, 2, 3, 4, 8, 254, 255] {
                let Some(next) =
                    (0..256).map(|x| folded(op, x, by, Type::Int(8))).collect::<Option<Vec<_>>>()
                else {
                    continue;
                };
                for (test, bound, tested) in comparisons
                    .into_iter()
                    .flat_map(|test| [0u64, 1, 7, 255].map(|bound| (test, bound)))
                    .flat_map(|(test, bound)| [1, 2].map(|tested| (test, bound, tested)))
                {
                    let body = format!(
                        "    v2 = {}(v1, {})\n    v3: i1 = {}(v{tested}, {})\n",
                        op.row().name,
                        number(by),
                        test.row().name,
                        number(bound)
                    );
                    let is_said = over_one(&body);
                    let goes_on = |x: u64| {
                        let tested = if tested == 1 { x } else { next[x as usize] };
                        folded(test, tested, bound, Type::I1) == Some(1)
                    };
                    let mut left: Vec<u64> = (0..256).collect();
                    // What is left after as many rounds as there are numbers goes round.
                    for _ in 0..256 {
                        left = left.into_iter().filter(|&x| goes_on(x)).map(|x| next[x as usize]).collect();
                        left.sort_unstable();
                        left.dedup();
                    }
                    assert!(!is_said || left.is_empty(), "{body}does not end from {left:?}");
                    said += u32::from(is_said);
                    ends += u32::from(left.is_empty());
                }
            }
        }
        assert!(said > 1300 && said * 2 > ends, "{said} of {ends}");
    }

    #[test]
    fn bits_are_taken_away_one_by_one() {
        let body = "    v4 = sub(v1, 1)\n    v2 = and(v1, v4)\n    v3: i1 = ne(v2, 0)\n";
        assert!(over_one(body));
        assert!(!over_one(&body.replace("sub(v1, 1)", "sub(v1, 2)")), "1 & -1 is 1");
        assert!(!over_one(&body.replace("sub(v1, 1)", "sub(v9, 1)")));
        let masked = "    v4 = and(v1, -128)\n    v2 = urshift(v1, 7)\n    v3: i1 = ne(v4, 0)\n";
        assert!(over_one(masked));
    }

    /// A loop whose variable becomes what an arm says.
    fn by_arms(first: &str, second: &str) -> bool {
        is_known_to_end(&format!(
            "func f(v0: i32, v9: i1) -> i32 {{\ne:\n    jump h(v0)\nh(v1: i32):\n    v2: i1 = ne(v1, 0)\n    \
             branch v2, b, x\nb:\n    branch v9, c, d\nc:\n    v3 = {first}\n    jump m(v3)\nd:\n    v4 = {second}\n    \
             jump m(v4)\nm(v5: i32):\n    jump h(v5)\nx:\n    return v0\n}}\n"
        ))
    }

    #[test]
    fn every_arm_has_to_make_it_less() {
        assert!(by_arms("urshift(v1, 1)", "urshift(v1, 3)"));
        assert!(by_arms("urshift(v1, 1)", "udiv(v1, 10)"));
        assert!(!by_arms("urshift(v1, 1)", "urshift(v1, 32)"), "by nothing");
        assert!(!by_arms("urshift(v1, 1)", "rshift(v1, 1)"), "-1 stays -1");
        assert!(!by_arms("urshift(v1, 1)", "lshift(v1, 1)"), "there and back");
    }

    #[test]
    fn two_variables_come_to_their_limits_together() {
        let source = |test: &str| {
            format!(
                "func f(v0: i32, v1: i32) -> i32 {{\ne:\n    jump h(v0, v1)\nh(v2: i32, v3: i32):\n    v4: i1 = ne(v2, 0)\n    \
                 branch v4, b, c\nc:\n    v5: i1 = {test}\n    branch v5, b, x\nb:\n    v6 = urshift(v2, 1)\n    \
                 v7 = rshift(v3, 1)\n    jump h(v6, v7)\nx:\n    return v0\n}}\n"
            )
        };
        assert!(is_known_to_end(&source("gt(v3, 0)")));
        assert!(!is_known_to_end(&source("ne(v3, 0)")), "-1 is not zero");
    }

    /// A loop over `v2`, from 0, and `v3`, from `v0`.
    fn over_two(test: &str, first: &str, second: &str) -> bool {
        is_known_to_end(&format!(
            "func f(v0: i32, v1: i32) -> i32 {{\ne:\n    jump h(v1, v0)\nh(v2: i32, v3: i32):\n    v4: i1 = {test}(v2, v3)\n    \
             branch v4, b, x\nb:\n    v5 = {first}\n    v6 = {second}\n    jump h(v5, v6)\nx:\n    return v0\n}}\n"
        ))
    }

    #[test]
    fn counters_meet_if_neither_runs_away() {
        assert!(over_two("lt", "add(v2, 1)", "sub(v3, 1)"));
        assert!(over_two("ult", "add(v2, 1)", "sub(v3, 1)"));
        assert!(over_two("gt", "sub(v2, 1)", "add(v3, 1)"));
        assert!(over_two("lt", "sub(v2, 1)", "sub(v3, 1)"), "it wraps, and is the largest number then");
        assert!(over_two("lt", "add(v2, 1)", "add(v3, 1)"), "a window moves on until it wraps");
        assert!(!over_two("lt", "sub(v2, 2)", "sub(v3, 2)"), "the largest number may be odd");
        assert!(!over_two("lt", "add(v2, 2)", "sub(v3, 2)"), "2 more may wrap");
        assert!(!over_two("le", "add(v2, 1)", "sub(v3, 1)"), "1 more than the largest wraps");
        assert!(!over_two("ne", "add(v2, 1)", "sub(v3, 1)"), "they may pass each other");
    }

    #[test]
    fn a_length_that_is_taken_in_every_round_stays() {
        let source = "location @length: i32 class 1\nfunc f(v0: ref, v1: i32) -> i32 {\ne:\n    jump h(v1)\nh(v2: i32):\n    \
                      v3: i32 = array_len(v0) @length\n    v4: i1 = lt(v2, v3)\n    branch v4, b, x\nb:\n    \
                      v5 = add(v2, 1)\n    jump h(v5)\nx:\n    return v1\n}\n";
        assert!(is_known_to_end(source));
        assert!(
            is_known_to_end(&source.replace("add(v2, 1)", "add(v2, 3)")),
            "it comes to the largest number"
        );
        assert!(!is_known_to_end(&source.replace("add(v2, 1)", "add(v2, 4)")));
    }
}
