//! Whether running a loop is seen: by what it does, and by not ending.
//!
//! An operation is *quiet* if it only computes or loads, and does not leave. So is the load of an item of an array, or a call
//! that gives the character of a text, in a round in which it was asked whether its place is below the length of that
//! array, as long as the place is not negative: a counter from zero on that rises by ones is not, as it is below a
//! length each time before it rises. So it is, too, in a round in which it was asked whether the place is not negative, if it is
//! a counter that falls from below the length. The same is true of setting an item of an array of numbers that was made in
//! front of the loop and of which nobody reads anything (`filled.rs`).
//!
//! A loop may begin with *checks*: whether an array that it does not change is there, of which it takes the length in its header.
//! Any round says of that what the first one does, which comes first whenever the loop is entered.

use std::cell::OnceCell;

use planish_base::Id;
use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Function, Inst, Terminator, Value};
use planish_ops::world::World;
use planish_ops::{Exits, Op, Type};
use planish_pass::LoopInfo;

use super::super::global_code_motion::floats;
use super::filled::only_filled;
use crate::analysis::evolution::Evolution;
use crate::analysis::expressions::{Expr, Node};
use crate::analysis::loop_context::Guard;
use crate::analysis::scalar_evolution::ScalarEvolution;
use crate::analysis::wrapping::where_not;

/// The loops of a function.
pub(super) struct Quiet<'a> {
    pub f: &'a Function,
    pub world: &'a dyn World,
    pub cfg: &'a Cfg,
    pub dominators: &'a Dominators,
    pub loops: &'a LoopInfo,
    pub evolution: &'a ScalarEvolution,
    /// The arrays that are only filled, once somebody asks.
    pub filled: OnceCell<Vec<bool>>,
}

impl Quiet<'_> {
    /// For each loop, the checks with which it begins, if with all inside it does nothing else that is seen, and ends, or ends
    /// unless its bound is such that it does not.
    pub fn all(&self) -> Vec<Option<Vec<Inst>>> {
        let count = self.loops.all().len();
        let mut quiet: Vec<Option<Vec<Inst>>> = Vec::with_capacity(count);
        let once = |e: &Evolution| matches!(&*e.exits, [exit] if exit.or_never().is_some());
        for (index, evolution) in (0..).zip(&self.evolution.loops) {
            let may_go = evolution.ends || once(evolution);
            quiet.push(if may_go { self.checks(index) } else { None });
        }
        // Outer loops stand before those inside.
        for (index, l) in self.loops.all().iter().enumerate().rev() {
            let Some(parent) = l.parent else { continue };
            let ends = self.evolution.loops[index].ends;
            if !ends || quiet[index].as_ref().is_none_or(|checks| !checks.is_empty()) {
                quiet[parent as usize] = None;
            }
        }
        quiet
    }

    /// The checks with which a loop begins, if it does nothing else that is seen. Loops inside are left out.
    fn checks(&self, index: u32) -> Option<Vec<Inst>> {
        let l = &self.loops.all()[index as usize];
        let mut checks = Vec::new();
        for &number in &l.own {
            for &inst in self.f.block_insts(self.cfg.block(number)) {
                let row = self.f.row(inst);
                let is_quiet = row.removable() && (row.exits == Exits::Never || floats(self.f, inst));
                if is_quiet || self.only_computes(inst) || self.is_in_bounds(index, number, inst) {
                    continue;
                }
                if number != l.header || !self.is_check(index, inst) {
                    return None;
                }
                checks.push(inst);
            }
        }
        Some(checks)
    }

    fn varies(&self, index: u32, value: Value) -> bool {
        self.evolution.home(value).is_some_and(|home| self.loops.contains(index, home))
    }

    /// Whether an operation says in every round of a loop what it says in the first.
    fn is_check(&self, index: u32, inst: Inst) -> bool {
        let data = self.f.inst(inst);
        matches!(data.op, Op::ArrayLen | Op::NullCheck)
            && data.exit.is_none()
            && !self.varies(index, self.f.args(inst)[0])
    }

    /// Whether an operation is a call that returns, and does nothing but compute.
    fn only_computes(&self, inst: Inst) -> bool {
        let data = self.f.inst(inst);
        data.op == Op::Call
            && data.descr.is_some_and(|callee| {
                let effect = self.world.call_effect(callee);
                effect.elidable && !effect.raises
            })
    }

    /// The array or text of which an operation gives an item, or sets one for nobody, and the place.
    fn item(&self, inst: Inst) -> Option<(Value, Value)> {
        let data = self.f.inst(inst);
        match (data.op, data.descr, data.exit, self.f.args(inst)) {
            (Op::GetItem, _, None, &[array, place]) => Some((array, place)),
            (Op::Call, Some(callee), None, &[text, place]) if self.world.gives_item(callee) => {
                Some((text, place))
            }
            (Op::SetItem, _, None, &[array, place, item]) => {
                let filled = self.filled.get_or_init(|| only_filled(self.f));
                (filled[array.index()] && self.f.ty(item) != Type::Ref).then_some((array, place))
            }
            _ => None,
        }
    }

    /// Whether an operation in a block of a loop gives, or sets for nobody, an item that is there.
    fn is_in_bounds(&self, index: u32, number: u32, inst: Inst) -> bool {
        let Some((array, place)) = self.item(inst) else { return false };
        if self.varies(index, array) {
            return false;
        }
        let header = self.loops.all()[index as usize].header;
        let mut at = number;
        while at != header {
            let above = self.dominators.idom(at);
            if self.asks(index, (above, at), (array, place)) {
                return true;
            }
            at = above;
        }
        false
    }

    /// Whether a block goes to the one below only where a place is one of an array.
    fn asks(&self, index: u32, (above, below): (u32, u32), (array, place): (Value, Value)) -> bool {
        let (from, to) = (self.cfg.block(above), self.cfg.block(below));
        let &Terminator::Branch { then, other, .. } = self.f.terminator(from) else { return false };
        let elsewhere = if then.block == to { other.block } else { then.block };
        if self.cfg.preds().of(below) != [above] {
            return false;
        }
        let Some(guard) = where_not(self.f, from, elsewhere) else { return false };
        // Where the other way stays in the loop, the place may change without being asked for.
        let leaves = self.cfg.number(elsewhere).is_none_or(|to| !self.loops.contains(index, to));
        let is_asked = leaves && self.is_asked_always(index, above);
        if is_asked && self.falls_from_below(index, guard, (array, place)) {
            return true;
        }
        let (low, high, signed) = match guard {
            Guard { op: Op::Lt, x, y } => (x, y, true),
            Guard { op: Op::Gt, x, y } => (y, x, true),
            Guard { op: Op::Ult, x, y } => (x, y, false),
            Guard { op: Op::Ugt, x, y } => (y, x, false),
            _ => return false,
        };
        // The low bits of a length say nothing of numbers without sign.
        let is_length = self.is_length(high, array) && (signed || self.f.ty(high).int_width() >= Some(32));
        low == place
            && (is_length || self.is_within(high, array))
            && (!signed || is_asked && self.rises_from_zero(index, place))
    }

    /// Whether a value is the length of an array.
    fn is_length(&self, value: Value, array: Value) -> bool {
        let made = self.f.def_inst(value).map(|made| (self.f.inst(made).op, self.f.args(made)));
        made.is_some_and(|(op, args)| op == Op::ArrayLen && args[0] == array)
    }

    /// Whether a value is a number that is not above the length of an array, which was made of as many items.
    fn is_within(&self, value: Value, array: Value) -> bool {
        let made = self.f.def_inst(array).filter(|&made| self.f.inst(made).op == Op::NewArray);
        let Some(length) = made.map(|made| self.f.args(made)[0]) else { return false };
        let number = |value| self.f.int_constant(value).map(|number| number.signed());
        length == value
            || matches!((number(value), number(length)), (Some(number), Some(length)) if (0..=length).contains(&number))
    }

    /// Whether every round of a loop comes through a block of its own.
    fn is_asked_always(&self, index: u32, block: u32) -> bool {
        let l = &self.loops.all()[index as usize];
        self.loops.innermost(block) == Some(index)
            && l.latches.iter().all(|&latch| self.dominators.dominates(block, latch))
    }

    /// What a value is first and what is added to it each round, if that is a number.
    fn linear(&self, index: u32, value: Value) -> Option<(Expr, i64)> {
        let (start, step) = self.evolution.loops[index as usize].values.get(&value)?.as_linear()?;
        Some((start, self.evolution.expressions.as_constant(step)?.signed()))
    }

    /// Whether a place that is below a length in every round is not negative.
    fn rises_from_zero(&self, index: u32, place: Value) -> bool {
        let expressions = &self.evolution.expressions;
        self.linear(index, place).is_some_and(|(start, step)| {
            step == 1 && expressions.as_constant(start).is_some_and(|start| start.signed() >= 0)
        })
    }

    /// Whether a place is one of an array, where every round asks something of a counter.
    ///
    /// The counter is the length and a number that is not positive, so it does not wrap, less what it fell since: while it is at least
    /// `least`, a fall of `step` does not wrap either. The place is the counter and a number more.
    fn falls_from_below(&self, index: u32, guard: Guard, (array, place): (Value, Value)) -> bool {
        let number = |value: Value| self.f.int_constant(value).map(|number| number.signed());
        let (counter, least) = match guard {
            Guard { op: Op::Ge, x, y } => (x, number(y)),
            Guard { op: Op::Gt, x, y } => (x, number(y).and_then(|number| number.checked_add(1))),
            Guard { op: Op::Le, x, y } => (y, number(x)),
            Guard { op: Op::Lt, x, y } => (y, number(x).and_then(|number| number.checked_add(1))),
            _ => return false,
        };
        let (Some(least), Some(32)) = (least, self.f.ty(place).int_width()) else { return false };
        let (Some((first, step)), Some((first_place, place_step))) =
            (self.linear(index, counter), self.linear(index, place))
        else {
            return false;
        };
        let (Some(from), Some(place_from)) =
            (self.above_length(first, array), self.above_length(first_place, array))
        else {
            return false;
        };
        let smallest = i64::from(i32::MIN);
        step == place_step
            && (smallest..0).contains(&step)
            && (smallest..=0).contains(&from)
            && least + step >= smallest
            && place_from < 0
            && least + (place_from - from) >= 0
    }

    /// By how much a number is more than the length of an array.
    fn above_length(&self, expr: Expr, array: Value) -> Option<i64> {
        let expressions = &self.evolution.expressions;
        let number = |expr| expressions.as_constant(expr).map(|number| number.signed());
        match expressions.node(expr) {
            Node::Value(value) => self.made_above_length(value, array),
            Node::Binary(Op::Add, x, y) => match (number(x), number(y)) {
                (Some(more), None) => Some(more + self.above_length(y, array)?),
                (None, Some(more)) => Some(more + self.above_length(x, array)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same of a value that is made in front of a loop.
    fn made_above_length(&self, value: Value, array: Value) -> Option<i64> {
        if self.is_length(value, array) {
            return Some(0);
        }
        let made = self.f.def_inst(value)?;
        let number = |value: Value| self.f.int_constant(value).map(|number| number.signed());
        match (self.f.inst(made).op, self.f.args(made)) {
            (Op::Add, &[x, y]) if self.is_length(x, array) => number(y),
            (Op::Sub, &[x, y]) if self.is_length(x, array) => Some(-number(y)?),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PASS;
    use crate::passes::testing::after;

    /// A loop that adds up items of `v0`, an array that may not be there; `v1` is its length in front.
    fn adding(start: &str, next: &str, test: &str, in_loop: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "location @items: i32 class 1\nfunc f(v0: ref, v9: i32) -> i32 {{\ne:\n    v1: i32 = array_len(v0) @items\n    \
                 jump h({start}, 0)\nh(v2: i32, v3: i32):\n{in_loop}    v4: i1 = {test}\n    branch v4, b, x\nb:\n    \
                 v5: i32 = get_item(v0, v2) @items\n    v6 = add(v3, v5)\n    v7 = {next}\n    jump h(v7, v6)\nx:\n    \
                 return v9\n}}\n"
            ),
        )
    }

    fn goes(start: &str, next: &str, test: &str) -> bool {
        let (count, text) = adding(start, next, test, "");
        assert_eq!(count > 0, !text.contains("branch"), "{text}");
        assert!(text.contains("array_len"), "that the array is there is still asked: {text}");
        count > 0
    }

    #[test]
    fn items_that_are_there_are_loaded_for_nothing() {
        assert!(goes("0", "add(v2, 1)", "lt(v2, v1)"));
        assert!(goes("3", "add(v2, 1)", "gt(v1, v2)"));
        assert!(goes("9", "add(v2, 1)", "ult(v2, v1)"));
    }

    #[test]
    fn an_item_that_may_not_be_there_keeps_the_loop() {
        assert!(!goes("-1", "add(v2, 1)", "lt(v2, v1)"), "it begins in front");
        assert!(!goes("v9", "add(v2, 1)", "lt(v2, v1)"), "it may begin in front");
        assert!(!goes("0", "add(v2, 1)", "le(v2, v1)"), "it comes to the length");
        assert!(!goes("0", "add(v2, 1)", "lt(v2, v9)"), "of another length");
        assert!(!goes("0", "add(v2, 3)", "lt(v2, v1)"), "3 more may wrap");
    }

    #[test]
    fn a_place_that_falls_from_below_the_length_is_one() {
        let falls = |start: &str, next: &str, test: &str, at: &str| {
            let (count, text) = after(
                &PASS,
                &format!(
                    "location @items: i32 class 1\nfunc f(v0: ref, v9: i32) -> i32 {{\ne:\n    v1: i32 = array_len(v0) @items\n    \
                     v2 = {start}\n    jump h(v2)\nh(v3: i32):\n    v4: i1 = {test}\n    branch v4, b, x\nb:\n    \
                     v7 = {next}\n    v5: i32 = get_item(v0, {at}) @items\n    jump h(v7)\nx:\n    return v9\n}}\n"
                ),
            );
            assert_eq!(count > 0, !text.contains("branch"), "{text}");
            count > 0
        };
        let last = "sub(v1, 1)";
        assert!(falls(last, "sub(v3, 1)", "ge(v3, 0)", "v3"));
        assert!(falls(last, "sub(v3, 3)", "lt(-1, v3)", "v3"));
        assert!(falls("add(v1, -5)", "add(v3, -1)", "ge(v3, 2)", "v3"));
        assert!(falls("add(v1, 0)", "sub(v3, 1)", "gt(v3, 0)", "v7"), "`while (i-- > 0) a[i];`");
        assert!(!falls("add(v1, 0)", "sub(v3, 1)", "ge(v3, 0)", "v3"), "the item behind");
        assert!(!falls("add(v1, 0)", "sub(v3, 1)", "ge(v3, 0)", "v7"), "the item in front");
        assert!(
            !falls("add(v1, 1)", "sub(v3, 1)", "gt(v3, 1)", "v7"),
            "it may begin with the smallest number"
        );
        assert!(!falls(last, "sub(v3, 1)", "ge(v3, -1)", "v3"));
        assert!(!falls(last, "sub(v3, 1)", "ge(v3, v9)", "v3"), "down to where nobody knows");
        assert!(!falls("sub(v9, 1)", "sub(v3, 1)", "ge(v3, 0)", "v3"), "from where nobody knows");
    }

    /// A loop that fills an array of `made` numbers that is made in front of it.
    fn filling(made: &str, test: &str, behind: &str) -> bool {
        let (count, text) = after(
            &PASS,
            &format!(
                "location @items: i32 class 1\nfunc f(v0: i32, v9: i32) -> i32 {{\ne:\n    v1: ref = new_array({made}) @items\n    \
                 jump h(0)\nh(v2: i32):\n    v3: i1 = {test}\n    branch v3, b, x\nb:\n    v4 = mul(v2, v2)\n    \
                 set_item(v1, v2, v4) @items\n    v5 = add(v2, 1)\n    jump h(v5)\nx:\n{behind}    return v9\n}}\n"
            ),
        );
        assert_eq!(count > 0, !text.contains("branch"), "{text}");
        count > 0
    }

    #[test]
    fn an_array_is_filled_for_nobody() {
        assert!(filling("1000", "lt(v2, 1000)", ""));
        assert!(filling("1000", "ult(v2, 999)", ""));
        assert!(filling("v0", "lt(v2, v0)", ""));
        assert!(filling("v0", "lt(v2, v0)", "    set_item(v1, 0, 7) @items\n"), "filled on behind the loop");
    }

    #[test]
    fn an_array_that_somebody_reads_or_that_has_no_such_item_is_filled() {
        assert!(!filling("1000", "lt(v2, 1000)", "    v6: i32 = get_item(v1, 3) @items\n"));
        assert!(!filling("1000", "lt(v2, 1001)", ""), "the last one is not there");
        assert!(!filling("v0", "lt(v2, v9)", ""), "of another length");
        assert!(!filling("v0", "le(v2, v0)", ""), "it comes to the length");
    }

    #[test]
    fn a_check_in_the_header_is_made_once_in_front() {
        let (count, text) = adding("0", "add(v2, 1)", "lt(v2, v8)", "    v8: i32 = array_len(v0) @items\n");
        assert_eq!((count, text.matches("array_len").count()), (1, 2), "{text}");
        assert!(!text.contains("branch"), "{text}");
        // In an arm it may never be made.
        let source = "location @items: i32 class 1\nfunc f(v0: ref, v1: i32) -> i32 {\ne:\n    jump h(0)\nh(v2: i32):\n    \
                      v3: i1 = lt(v2, 9)\n    branch v3, b, x\nb:\n    v4: i32 = array_len(v0) @items\n    \
                      v5 = add(v2, v4)\n    v6 = add(v2, 1)\n    jump h(v6)\nx:\n    return v1\n}\n";
        assert_eq!(after(&PASS, source).0, 0);
    }

    #[test]
    fn what_a_check_gives_is_known_behind_the_loop() {
        let source = "location @items: i32 class 1\nfunc f(v0: ref, v1: i32) -> i32 {\ne:\n    jump h(0)\nh(v2: i32):\n    \
                      v3: i32 = array_len(v0) @items\n    v4: i1 = lt(v2, v3)\n    branch v4, b, x(v3)\nb:\n    \
                      v5 = add(v2, 1)\n    jump h(v5)\nx(v6: i32):\n    v7 = xor(v6, v3)\n    return v7\n}\n";
        let (count, text) = after(&PASS, source);
        assert!(count == 1 && !text.contains("branch") && text.contains("xor"), "{text}");
        let counter = source.replace("x(v3)", "x(v2)");
        assert_eq!(after(&PASS, &counter).0, 0, "what the counter is then nobody computes");
    }
}
