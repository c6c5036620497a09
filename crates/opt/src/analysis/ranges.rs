//! Value range analysis on demand: which numbers a value may be where a loop is entered, and in it.
//!
//! The range of an operation is that of its operands through the transfer functions of the domain (intervals and known bits); that of a
//! parameter is what comes to it on any edge, of which the branch in front may say more (Bodík, Gupta and Sarkar, "ABCD", PLDI
//! 2000, ask on demand in the same way). Beside that it is known
//!
//! - what the branches say by which control comes to the loop, as in LLVM's `applyLoopGuards`: behind `x > 0` it is no smallest
//!   number, whatever else it may be;
//! - that a counter of a loop around that does not wrap is never less than it begins with, if it rises, nor more, if it falls.
//!
//! What is asked of one value in another round is asked where that round ends: a branch in front of a loop says nothing of what a
//! variable of a loop around was before. Each question looks at [`LOOKED_AT`] values at most.

use planish_domain::{IntFact, assume, transfer};
use planish_ir::{Block, Def, Inst, Terminator, Value};
use planish_ops::{Int, Op, Type};

use super::evolution::Tested;
use super::expressions::{Expr, Node};
use super::loop_context::Loop;

/// How many values are looked at to answer one question.
const LOOKED_AT: u32 = 48;

/// How deep operations and parameters are followed.
const DEEPEST: u32 = 6;

/// How many blocks above a place are asked by which branch control comes to it.
const ABOVE: usize = 8;

impl Loop<'_> {
    /// Which numbers a value may be, where the loop is entered and in it.
    pub(super) fn range(&self, value: Value) -> IntFact {
        let mut ranges = Ranges { l: self, left: LOOKED_AT, open: Vec::new() };
        possible(ranges.of(value, self.header(), DEEPEST))
    }

    /// Which numbers an expression of what the loop does not change may be.
    pub(super) fn range_of(&self, expr: Expr) -> IntFact {
        possible(Ranges { l: self, left: LOOKED_AT, open: Vec::new() }.expression(expr, DEEPEST))
    }

    /// Whether an expression of what the loop does not change may be a number. That it is not the largest one without sign, say, is no
    /// interval with sign.
    pub(super) fn may_be(&self, expr: Expr, number: Int) -> bool {
        let mut ranges = Ranges { l: self, left: LOOKED_AT, open: Vec::new() };
        let guarded = match self.expressions.node(expr) {
            Node::Value(value) => ranges.guarded(IntFact::constant(number), value, self.header(), DEEPEST),
            _ => IntFact::constant(number),
        };
        !guarded.is_bottom() && self.range_of(expr).contains(number)
    }
}

/// Whether a sum does not wrap whatever the one that is known so far is, as a number with sign or as one without.
pub(super) fn has_room(fact: IntFact, more: i128, signed: bool) -> bool {
    let all = 1i128 << fact.width();
    let (least, low, high): (i128, i128, i128) = match signed {
        true => (-all / 2, fact.lo().into(), fact.hi().into()),
        false => (0, fact.unsigned_lower().unsigned().into(), fact.unsigned_upper().unsigned().into()),
    };
    low + more >= least && high + more < least + all
}

/// What never runs may be anything.
fn possible(fact: IntFact) -> IntFact {
    if fact.is_bottom() { IntFact::top(fact.width()) } else { fact }
}

/// A question.
struct Ranges<'a, 'l> {
    l: &'a Loop<'l>,
    left: u32,
    /// The parameters that are being looked at.
    open: Vec<Value>,
}

impl Ranges<'_, '_> {
    fn expression(&mut self, expr: Expr, deepest: u32) -> IntFact {
        let expressions = &*self.l.expressions;
        let width = expressions.width(expr);
        let (op, args) = match expressions.node(expr) {
            Node::Constant(number) => return IntFact::constant(number),
            Node::Value(value) => return self.of(value, self.l.header(), deepest),
            Node::Binary(op, x, y) => (op, vec![x, y]),
            Node::Unary(op, x) => (op, vec![x]),
        };
        let Some(deepest) = self.next(deepest) else { return IntFact::top(width) };
        let facts: Vec<IntFact> = args.iter().map(|&arg| self.expression(arg, deepest)).collect();
        let fact = transfer(op, &facts, Type::Int(width as u8)).0;
        match (op, self.l.expressions.node(args[0]), facts.get(1).and_then(|more| more.as_constant())) {
            (Op::Add, Node::Value(counter), Some(more)) => fact.meet(self.counted(counter, more)),
            _ => fact,
        }
    }

    /// How deep operands are followed; none where enough was looked at.
    fn next(&mut self, deepest: u32) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        deepest.checked_sub(1)
    }

    /// What a value may be where control is in a block below that in which it is made.
    fn of(&mut self, value: Value, block: u32, deepest: u32) -> IntFact {
        let f = self.l.f;
        if let Some(constant) = f.int_constant(value) {
            return IntFact::constant(constant);
        }
        let Some(width) = f.ty(value).int_width() else { return IntFact::top(1) };
        let Some(deepest) = self.next(deepest) else { return IntFact::top(width) };
        let made = match f.def(value) {
            Def::Result(inst, 0) => self.computed(inst, block, deepest),
            Def::Param(home, place) => {
                let counted = self.counted(value, Int::new(width, 0));
                self.merged(value, (home, place), deepest).meet(counted)
            }
            _ => IntFact::top(width),
        };
        self.guarded(made, value, block, deepest)
    }

    fn computed(&mut self, inst: Inst, block: u32, deepest: u32) -> IntFact {
        let f = self.l.f;
        let ty = f.ty(f.result(inst));
        let args = f.args(inst);
        let is_int = |&arg: &Value| f.ty(arg).int_width().is_some();
        if f.results(inst).len() != 1 || args.is_empty() || !args.iter().all(is_int) {
            return IntFact::top(ty.int_width().unwrap_or(1));
        }
        let args: Vec<IntFact> = args.iter().map(|&arg| self.of(arg, block, deepest)).collect();
        transfer(f.inst(inst).op, &args, ty).0
    }

    /// What comes to a parameter on the edges to its block.
    fn merged(&mut self, param: Value, (home, place): (Block, u32), deepest: u32) -> IntFact {
        let width = self.l.f.ty(param).int_width().expect("an integer");
        let top = IntFact::top(width);
        let is_known = self.l.number(home).is_some_and(|number| number != 0);
        if !is_known || self.open.contains(&param) {
            return top;
        }
        let Some(incoming) = self.l.incoming(home, place) else { return top };
        self.open.push(param);
        let mut fact = IntFact::bottom(width);
        for (from, value) in incoming {
            let passed = self.of(value, from, deepest);
            fact = fact.join(self.on_edge(passed, value, (from, home), deepest));
            if fact.is_top() {
                break;
            }
        }
        self.open.pop();
        fact
    }

    /// What is known besides of a value behind the branches by which control comes to a block.
    fn guarded(&mut self, mut fact: IntFact, value: Value, block: u32, deepest: u32) -> IntFact {
        let home = self.l.homes[value];
        let mut below = block;
        for _ in 0..ABOVE {
            if below == 0 || home == Some(below) {
                break;
            }
            let above = self.l.dominators.idom(below);
            let known = self.on_edge(fact, value, (above, self.l.block(below)), deepest);
            let comes_back = |pred: u32| self.l.dominators.dominates(below, pred);
            let is_entered_there = |&pred: &u32| pred == above || comes_back(pred);
            if known != fact && self.l.cfg.preds().of(below).iter().all(is_entered_there) {
                fact = known;
            }
            below = above;
        }
        fact
    }

    /// What is known of a value where control goes from the end of a block to another one.
    fn on_edge(&mut self, fact: IntFact, value: Value, (from, to): (u32, Block), deepest: u32) -> IntFact {
        let f = self.l.f;
        let Terminator::Branch { condition, then, other } = *f.terminator(self.l.block(from)) else {
            return fact;
        };
        let holds = then.block == to;
        if holds == (other.block == to) {
            return fact;
        }
        let (op, args) = match f.def_inst(condition) {
            Some(inst) if f.inst(inst).op.row().negated.is_some() => (f.inst(inst).op, f.args(inst)),
            _ => (Op::IsTrue, std::slice::from_ref(&condition)),
        };
        let Some(place) = args.iter().position(|&arg| arg == value) else { return fact };
        let mut facts: Vec<IntFact> = Vec::with_capacity(args.len());
        for (at, &arg) in args.iter().enumerate() {
            facts.push(if at == place { fact } else { self.of(arg, from, deepest.min(2)) });
        }
        match assume(op, holds, &mut facts) {
            Ok(_) => facts[place],
            Err(_) => IntFact::bottom(fact.width()),
        }
    }

    /// What a counter of a loop, to which a number is added, may be as it does not wrap.
    fn counted(&self, counter: Value, more: Int) -> IntFact {
        let l = self.l;
        let top = IntFact::top(more.width());
        let home = l.homes[counter].and_then(|home| Some((home, l.loops.innermost(home)? as usize)));
        let Some((home, index)) = home else { return top };
        let Some(evolution) = l.before.get(index).filter(|_| l.loops.all()[index].header == home) else {
            return top;
        };
        let constant = |expr: Expr| l.expressions.as_constant(expr);
        let chain = evolution.values.get(&counter).and_then(|chain| chain.as_linear());
        let Some((start, step)) = chain.and_then(|(start, step)| Some((start, constant(step)?))) else {
            return top;
        };
        let Some(first) = constant(start).map(|first| first.unsigned().wrapping_add(more.unsigned())) else {
            return top;
        };
        let first = Int::new(more.width(), first);
        let (width, rises) = (more.width(), step.signed() > 0);
        let mut fact = top;
        for Tested { start, step: by, signed, unsigned, .. } in &evolution.tested {
            let Some(start) = constant(*start).filter(|_| *by == step) else { continue };
            // As integers it lies between where it begins and a counter that does not wrap.
            if *signed && rises && first.signed() <= start.signed() {
                fact = fact.meet(IntFact::interval(width, first.signed(), top.hi()));
            } else if *signed && !rises && first.signed() >= start.signed() {
                fact = fact.meet(IntFact::interval(width, top.lo(), first.signed()));
            }
            if *unsigned && rises && first.unsigned() <= start.unsigned() {
                fact = fact.meet(IntFact::unsigned_interval(width, first.unsigned(), u64::MAX));
            }
        }
        fact
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_pass::Analyses;

    use super::super::scalar_evolution::ScalarEvolution;

    /// The numbers of four bits.
    const ALL: std::ops::Range<i64> = -8..8;

    const TESTS: [&str; 8] = ["lt", "le", "gt", "ge", "ult", "ule", "ugt", "uge"];

    /// Whether the last loop is known to end.
    fn is_known_to_end(source: &str) -> bool {
        let (module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors(), "{source}");
        let f = module.functions.values().next().expect("a function");
        Analyses::new().get::<ScalarEvolution>(f).loops.last().expect("a loop").ends
    }

    fn wrap(x: i64) -> i64 {
        x << 60 >> 60
    }

    fn holds(test: &str, x: i64, y: i64) -> bool {
        let (low_x, low_y) = (x & 15, y & 15);
        match test {
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

    /// Whether a counter stops comparing with a bound.
    fn stops(test: &str, start: i64, step: i64, bound: i64) -> bool {
        let mut counter = start;
        (0..16).any(|_| {
            let leaves = !holds(test, counter, bound);
            counter = wrap(counter + step);
            leaves
        })
    }

    /// Every comparison and step of four bits with bounds and starts that are made in several ways: a loop ends if it is said to, and it
    /// is said of nearly all that do.
    #[test]
    fn a_loop_ends_for_all_that_its_bound_may_be() {
        type Made = (&'static str, fn(i64) -> i64);
        let made: [Made; 9] = [
            ("v9: i4 = and(v0, 3)", |x| x & 3),
            ("v9: i4 = or(v0, -4)", |x| x | -4),
            ("v9: i4 = and(v0, -2)", |x| x & -2),
            ("v8: i2 = trunc(v0)\n    v9: i4 = sext(v8)", |x| x << 62 >> 62),
            ("v8: i2 = trunc(v0)\n    v9: i4 = zext(v8)", |x| x & 3),
            ("v9: i4 = min(v0, 4)", |x| x.min(4)),
            ("v9: i4 = max(v0, -7)", |x| x.max(-7)),
            ("v9: i4 = urshift(v0, 1)", |x| (x & 15) >> 1),
            ("v9: i4 = add(v0, 0)", |x| x),
        ];
        type Start = (&'static str, fn(i64) -> bool);
        let starts: [Start; 4] =
            [("v1", |_| true), ("0", |x| x == 0), ("7", |x| x == 7), ("v7", |x| x & 1 == 0)];
        let (mut said, mut ends) = (0, 0);
        for (test, step) in TESTS.into_iter().flat_map(|test| ALL.map(move |step| (test, step))) {
            for ((code, bound), (start, may_be)) in
                made.iter().flat_map(|made| starts.iter().map(move |start| (made, start)))
            {
                let source = format!(
                    "func f(v0: i4, v1: i4) -> i4 {{\ne:\n    {code}\n    v7: i4 = lshift(v1, 1)\n    jump h({start})\nh(v2: i4):\n    \
                     v3: i1 = {test}(v2, v9)\n    branch v3, b, x\nb:\n    v4 = add(v2, {step})\n    jump h(v4)\nx:\n    return v0\n}}\n"
                );
                let does = ALL
                    .clone()
                    .filter(|&start| may_be(start))
                    .all(|start| ALL.clone().all(|x| stops(test, start, step, wrap(bound(x)))));
                let is_said = is_known_to_end(&source);
                assert!(does || !is_said, "{source}");
                said += u32::from(is_said);
                ends += u32::from(does);
            }
        }
        assert!(said > 2_500 && said * 100 > ends * 95, "{said} of {ends}");
    }

    /// A loop in a loop, with a bound that is the counter of that and some more.
    #[test]
    fn a_loop_ends_for_all_that_a_counter_around_it_is() {
        let (mut said, mut ends) = (0, 0);
        for (outer, limit, by) in
            [("lt", 6, 1), ("le", 6, 1), ("lt", 6, 2), ("gt", -6, -1), ("ge", -7, -3), ("ult", 9, 2)]
        {
            for at_end in [false, true] {
                for ((test, step), more) in TESTS
                    .into_iter()
                    .flat_map(|test| [-2, -1, 1, 2].map(|step| (test, step)))
                    .flat_map(|loops| [-1, 0, 1].map(|more| (loops, more)))
                {
                    let head = if at_end { "b(0)" } else { "t(0)" };
                    let around = if at_end {
                        format!(
                            "    v5 = add(v2, {by})\n    v3: i1 = {outer}(v5, {limit})\n    branch v3, b(v5), x\n"
                        )
                    } else {
                        format!(
                            "    v5 = add(v2, {by})\n    jump t(v5)\nt(v2: i4):\n    v3: i1 = {outer}(v2, {limit})\n    branch v3, b, x\n"
                        )
                    };
                    let params = if at_end { "b(v2: i4)" } else { "b" };
                    let source = format!(
                        "func f(v0: i4) -> i4 {{\ne:\n    jump {head}\n{params}:\n    v6 = add(v2, {more})\n    jump h(0)\n\
                         h(v7: i4):\n    v8: i1 = {test}(v7, v6)\n    branch v8, c, n\nc:\n    v9 = add(v7, {step})\n    jump h(v9)\n\
                         n:\n{around}x:\n    return v0\n}}\n"
                    );
                    let mut counters = Vec::new();
                    let mut counter = 0;
                    for round in 0..20 {
                        let is_asked = round > 0 || !at_end;
                        if is_asked && !holds(outer, counter, limit) {
                            break;
                        }
                        counters.push(counter);
                        counter = wrap(counter + by);
                    }
                    let does = counters.iter().all(|&counter| stops(test, 0, step, wrap(counter + more)));
                    let is_said = is_known_to_end(&source);
                    assert!(does || !is_said, "{source}");
                    said += u32::from(is_said);
                    ends += u32::from(does);
                }
            }
        }
        assert!(said * 100 > ends * 80, "{said} of {ends}");
    }

    /// What is asked in front of a loop is known in it.
    #[test]
    fn a_branch_in_front_says_something_of_the_bound() {
        let source = |asked: &str, test: &str| {
            format!(
                "func f(v0: i32, v1: i32) -> i32 {{\ne:\n    v2: i1 = {asked}\n    branch v2, d, x\nd:\n    jump h(0)\nh(v3: i32):\n    \
                 v4: i1 = {test}(v3, v0)\n    branch v4, b, x\nb:\n    v5 = add(v3, 1)\n    jump h(v5)\nx:\n    return v1\n}}\n"
            )
        };
        assert!(is_known_to_end(&source("lt(v0, 100)", "le")));
        assert!(is_known_to_end(&source("lt(v0, v1)", "le")), "it is no largest number");
        assert!(is_known_to_end(&source("ugt(v1, v0)", "ule")));
        assert!(!is_known_to_end(&source("gt(v0, 100)", "le")));
        assert!(!is_known_to_end(&source("lt(v1, 100)", "le")));
    }

    /// What a branch says of a variable in this round was not so in the last one.
    #[test]
    fn a_variable_was_something_else_a_round_ago() {
        let source = |bound: &str| {
            format!(
                "func f(v0: i4) -> i4 {{\ne:\n    jump o(0, v0)\no(v1: i4, v9: i4):\n    v2: i1 = lt(v1, 3)\n    branch v2, b, x\nb:\n    \
                 jump h(0)\nh(v3: i4):\n    v4: i1 = le(v3, {bound})\n    branch v4, c, n\nc:\n    v5 = add(v3, 1)\n    jump h(v5)\n\
                 n:\n    v6 = add(v1, 5)\n    jump o(v6, v1)\nx:\n    return v0\n}}\n"
            )
        };
        assert!(is_known_to_end(&source("v1")));
        assert!(!is_known_to_end(&source("v9")), "first it is anything");
    }
}
