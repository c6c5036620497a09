//! Between which expressions a counter lies, and what that decides.

use planish_base::fault;
use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Function, Terminator, Value};
use planish_ops::{Int, Op};

use crate::analysis::evolution::Tested;
use crate::analysis::expressions::{Expr, Expressions, Node};

/// A bound of a range.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    expr: Expr,
    /// Whether the bound itself is left out.
    strict: bool,
}

/// Between what a counter lies, in the order with sign or without.
#[derive(Clone, Copy)]
pub(super) struct Range {
    low: Option<Bound>,
    high: Option<Bound>,
    signed: bool,
}

impl Range {
    /// Where `{start, +, step}` lies in every round, given a counter that does not wrap until the loop leaves: the chain is that
    /// counter, or ahead of it by at most a step in rounds that are not the last (`behind_test`).
    pub(super) fn of(
        expressions: &mut Expressions,
        (start, step): (Expr, Int),
        tested: Tested,
        behind_test: bool,
    ) -> impl Iterator<Item = Range> + use<> {
        let difference = (tested.step == step).then(|| expressions.sub(start, tested.start));
        let direction = i64::from(step.signed() > 0) * 2 - 1;
        let ahead = difference
            .and_then(|difference| expressions.as_constant(difference))
            .map(|difference| i128::from(difference.signed()) * i128::from(direction));
        let steps = i128::from(step.signed()).abs();
        let fits =
            step.is_true() && ahead.is_some_and(|by| by == 0 || behind_test && (1..=steps).contains(&by));
        // What is ahead has left the start of the counter behind it; so much is known of it without a sum that may wrap.
        let known = ahead == Some(0) || expressions.as_constant(start).is_some();
        let first = Some(Bound { expr: if known { start } else { tested.start }, strict: !known });
        // In a round that is not the last, the counter has not come to the end, and what is ahead has at most.
        let strict =
            behind_test && ahead == Some(0) || fault!("indvars: every round is like those before the last");
        let last = tested.last.map(|expr| Bound { expr, strict });
        let (low, high) = if direction > 0 { (first, last) } else { (last, first) };
        let kinds = [(tested.signed, true), (tested.unsigned, false)];
        kinds.into_iter().filter(move |&(known, _)| known && fits).map(move |(_, signed)| Range {
            low,
            high,
            signed,
        })
    }
}

/// `a < b` or `a <= b`.
#[derive(Clone, Copy)]
struct Less {
    a: Expr,
    b: Expr,
    strict: bool,
    signed: bool,
}

/// A comparison as an order of two sides; `None` for equality.
fn order(op: Op, x: Expr, y: Expr) -> Option<Less> {
    let (a, b, strict) = match op {
        Op::Lt | Op::Ult => (x, y, true),
        Op::Le | Op::Ule => (x, y, false),
        Op::Gt | Op::Ugt => (y, x, true),
        Op::Ge | Op::Uge => (y, x, false),
        _ => return None,
    };
    Some(Less { a, b, strict, signed: matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge) })
}

/// So many blocks in front of a loop are asked which way control came.
const ASKED: usize = 16;

/// So deep is looked into smallest and largest of several.
const DEEP: u32 = 3;

/// What holds wherever control enters a loop.
pub(super) struct Known {
    facts: Vec<Less>,
}

impl Known {
    /// What the branches say that lead to a header.
    pub(super) fn in_front(
        f: &Function,
        cfg: &Cfg,
        dominators: &Dominators,
        expressions: &mut Expressions,
        header: u32,
    ) -> Known {
        let mut known = Known { facts: Vec::new() };
        let mut block = header;
        for _ in 0..ASKED {
            let above = dominators.idom(block);
            if above == block {
                break;
            }
            // A header has other ways in: back from its loop, behind the same edge.
            let entering: Vec<u32> = cfg
                .preds()
                .of(block)
                .iter()
                .copied()
                .filter(|&pred| !dominators.dominates(block, pred))
                .collect();
            if entering == [above]
                && let Terminator::Branch { condition, then, other } = f.terminator(cfg.block(above))
                && then.block != other.block
            {
                known.learn(f, expressions, *condition, then.block == cfg.block(block));
            }
            block = above;
        }
        known
    }

    fn learn(&mut self, f: &Function, expressions: &mut Expressions, condition: Value, truth: bool) {
        let compared = f.def_inst(condition).map(|inst| (f.inst(inst).op, f.args(inst)));
        let (op, x, y) = match compared {
            Some((op, &[x, y])) if op.row().negated.is_some() => {
                (op, expressions.value(f, x), expressions.value(f, y))
            }
            _ => {
                let value = expressions.value(f, condition);
                (Op::Ne, value, value.map(|value| expressions.number(expressions.width(value), 0)))
            }
        };
        let op = if truth { Some(op) } else { op.row().negated };
        let (Some(op), Some(x), Some(y)) = (op, x, y) else { return };
        if op == Op::Ne && expressions.is_zero(y) {
            self.facts.push(Less { a: y, b: x, strict: true, signed: false });
        }
        self.facts.extend(order(op, x, y));
    }

    /// Whether an order of two expressions surely holds.
    fn proves(&self, e: &Expressions, less: Less, deep: u32) -> bool {
        let Less { a, b, strict, signed } = less;
        if a == b {
            return !strict;
        }
        if let (Some(a), Some(b)) = (place(e, a, signed), place(e, b, signed)) {
            return a + i128::from(strict) <= b;
        }
        if self.facts.iter().any(|fact| fact.signed == signed && implies(e, *fact, less)) {
            return true;
        }
        if deep == 0 {
            return false;
        }
        let with = |a: Expr, b: Expr| self.proves(e, Less { a, b, strict, signed }, deep - 1);
        let (most, least) = if signed { (Op::Max, Op::Min) } else { (Op::Umax, Op::Umin) };
        let of_a = match e.node(a) {
            Node::Binary(op, p, q) if op == most => with(p, b) && with(q, b),
            Node::Binary(op, p, q) if op == least => with(p, b) || with(q, b),
            _ => false,
        };
        of_a || match e.node(b) {
            Node::Binary(op, p, q) if op == most => with(a, p) || with(a, q),
            Node::Binary(op, p, q) if op == least => with(a, p) && with(a, q),
            _ => false,
        }
    }
}

/// The place of a constant in an order.
fn place(e: &Expressions, expr: Expr, signed: bool) -> Option<i128> {
    let value = e.as_constant(expr)?;
    Some(if signed { i128::from(value.signed()) } else { i128::from(value.unsigned()) })
}

/// Whether one order of two sides implies another one, of the same sides or of constants that are further away.
fn implies(e: &Expressions, fact: Less, asked: Less) -> bool {
    // In integers, `a < b` is `a + 1 <= b`. By how much one side may be moved:
    let slack = i128::from(fact.strict) - i128::from(asked.strict);
    let at = |expr| place(e, expr, asked.signed);
    if fact.a == asked.a && fact.b == asked.b {
        return slack >= 0;
    }
    if fact.b == asked.b
        && let (Some(known), Some(asked)) = (at(fact.a), at(asked.a))
    {
        return known - asked + slack >= 0;
    }
    if fact.a == asked.a
        && let (Some(known), Some(asked)) = (at(fact.b), at(asked.b))
    {
        return asked - known + slack >= 0;
    }
    false
}

/// Whether a comparison of what lies in a range with an expression always holds, or never.
pub(super) fn decided(e: &mut Expressions, known: &Known, op: Op, range: Range, y: Expr) -> Option<bool> {
    let ordered = |asked: Less| known.proves(e, Less { signed: range.signed, ..asked }, DEEP);
    let less = |a, b, strict| ordered(Less { a, b, strict, signed: range.signed });
    let (most, least) = if range.signed { (Op::Max, Op::Min) } else { (Op::Umax, Op::Umin) };
    // What is at most the larger of two, and more than one of them, is at most the other one.
    let ends = |bound: Bound, other: Option<Bound>, way: Op, less: &dyn Fn(Expr, Expr, bool) -> bool| {
        let mut ends = vec![bound.expr];
        if let (Node::Binary(op, p, q), Some(other)) = (e.node(bound.expr), other)
            && op == way
        {
            let strict = !(bound.strict || other.strict);
            ends.extend(
                [(p, q), (q, p)].iter().filter(|(_, q)| less(*q, other.expr, strict)).map(|(p, _)| *p),
            );
        }
        ends
    };
    let below = |strict: bool| {
        let Some(high) = range.high else { return false };
        let ends = ends(high, range.low, most, &|q, low, strict| less(q, low, strict));
        ends.into_iter().any(|end| less(end, y, strict && !high.strict))
    };
    let above = |strict: bool| {
        let Some(low) = range.low else { return false };
        let ends = ends(low, range.high, least, &|q, high, strict| less(high, q, strict));
        ends.into_iter().any(|end| less(y, end, strict && !low.strict))
    };
    let (rises, strict, signed) = match op {
        Op::Eq | Op::Ne => {
            let differs = below(true) || above(true);
            return differs.then_some(op == Op::Ne);
        }
        Op::Lt => (true, true, true),
        Op::Le => (true, false, true),
        Op::Gt => (false, true, true),
        Op::Ge => (false, false, true),
        Op::Ult => (true, true, false),
        Op::Ule => (true, false, false),
        Op::Ugt => (false, true, false),
        Op::Uge => (false, false, false),
        _ => return None,
    };
    let no_sign = |expr: Expr| e.as_constant(expr).is_some_and(|value| value.signed() >= 0);
    if signed != range.signed {
        // Both orders are one for numbers from zero on: the counter's, if it begins there, and those above it.
        let from_zero = range.signed && range.low.is_some_and(|low| no_sign(low.expr));
        if !from_zero {
            return None;
        }
        if !no_sign(y) {
            let holds = below(if rises { strict } else { !strict });
            return holds.then_some(rises);
        }
    }
    let (holds, fails) =
        if rises { (below(strict), above(!strict)) } else { (above(strict), below(!strict)) };
    (holds || fails).then_some(holds)
}
