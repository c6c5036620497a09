//! The test of two counters that meet (LLVM's IndVarSimplify widens both): it is made of the wider ones that they became.
//!
//! ```text
//! h(i: i32, j: i32, m: i64, n: i64):          h(m: i64, n: i64):
//!     ... i = add(i, 1); m = add(m, 1)            ... m = add(m, 1)
//!     ... j = add(j, -1); n = add(n, -1)  becomes ... n = add(n, -1)
//!     branch lt(i, j), h                          branch lt(m, n), h
//! ```
//!
//! As integers, numbers compare as what they are extended to, and as multiples of that by a power of two that fit. So that may be
//! compared where both counters do not wrap until the loop leaves; the test itself keeps them from it
//! ([`never_wraps`](crate::analysis::evolution::Evolution::never_wraps)).

use hashbrown::HashMap;
use planish_ir::{Inst, Location, Terminator, Value};
use planish_ops::{Int, Op};
use planish_pass::{Became, PassCx};
use rustc_hash::FxBuildHasher;

use super::round::{Chosen, Counter, Gone, Made, Round};
use crate::analysis::expressions::Expr;

/// A test of two counters that could be made of wider ones.
struct Meeting {
    /// The block at whose end the loop is left or goes on.
    from: u32,
    test: Inst,
    /// What becomes the wider ones, by place in a list.
    wide: [usize; 2],
}

impl Round<'_> {
    /// The values that are worth more as counters of their own, as a test can be made of them and a narrow counter goes.
    pub(super) fn that_meet(&mut self, candidates: &[Chosen], counters: &[Counter]) -> Vec<Value> {
        let meetings = self.meetings(candidates, counters, |round, chosen| {
            let mut gone = Gone { known: chosen.value, insts: Vec::new(), lost: HashMap::default() };
            round.goes(chosen.inst, &mut gone);
            gone.lost
        });
        meetings.into_iter().flat_map(|meeting| meeting.wide.map(|index| candidates[index].value)).collect()
    }

    /// Makes tests of two counters tests of the wider ones that were made.
    pub(super) fn widen_tests(&mut self, cx: &mut PassCx<'_>, counters: &[Counter], made: &[(Chosen, Made)]) {
        let chosen: Vec<Chosen> = made.iter().map(|&(chosen, _)| chosen).collect();
        for Meeting { from, test, wide } in self.meetings(&chosen, counters, |_, _| HashMap::default()) {
            if !cx.rewrite(self.f, test, Became::Changed) {
                break;
            }
            self.widen(from, test, wide.map(|index| made[index].1.next));
        }
    }

    /// The tests of two counters that can be made of some values if these become counters of their own, where a counter that is
    /// compared is then left with nothing but its sum. How many uses values lose by that is told.
    fn meetings(
        &mut self,
        chosen: &[Chosen],
        counters: &[Counter],
        lost: impl Fn(&Self, Chosen) -> HashMap<Value, u32, FxBuildHasher>,
    ) -> Vec<Meeting> {
        let mut found = Vec::new();
        if chosen.len() < 2 || self.own.evolution.never_wraps.is_empty() {
            return found;
        }
        for index in 0..self.own.evolution.exits.len() {
            let from = self.own.evolution.exits[index].from;
            let Some((test, both, way)) = self.compared(from, counters) else { continue };
            let [x, y] = both.map(|counter| self.wider(from, counter, way, chosen));
            let alike = |&(x, by): &(usize, u32)| {
                let width = |index: usize| self.expressions.width(chosen[index].start);
                let y = y.iter().find(|y| by == y.1 && width(x) == width(y.0));
                y.map(|&(y, _)| [x, y])
            };
            let Some(wide) = x.iter().find_map(alike) else { continue };
            let ends = |(counter, index): (Counter, usize)| {
                let lost = lost(self, chosen[index]).get(&counter.param).copied();
                self.is_for_test(counter, lost.unwrap_or(0))
            };
            if both.into_iter().zip(wide).any(ends) {
                found.push(Meeting { from, test, wide });
            }
        }
        found
    }

    /// The test of two counters at the end of a block, neither of which wraps, and the kind of extension by which it stays what it is.
    fn compared(&self, from: u32, counters: &[Counter]) -> Option<(Inst, [Counter; 2], Op)> {
        let Terminator::Branch { condition, .. } = *self.f.terminator(self.own.cfg.block(from)) else {
            return None;
        };
        let test = self.f.def_inst(condition).filter(|_| self.home(condition).is_some())?;
        let (op, &[x, y]) = (self.f.inst(test).op, self.f.args(test)) else { return None };
        let signed = match op {
            Op::Lt | Op::Le | Op::Gt | Op::Ge => true,
            Op::Ult | Op::Ule | Op::Ugt | Op::Uge => false,
            _ => return None,
        };
        let counter = |value: Value| {
            let stays = self.own.evolution.never_wraps.contains(&(value, signed));
            counters.iter().copied().find(|counter| stays && counter.next == value)
        };
        let both = [counter(x)?, counter(y)?];
        (self.uses[condition] == 1).then_some((test, both, if signed { Op::Sext } else { Op::Zext }))
    }

    /// Whether a counter is for nothing but its own sum and one test when so many uses of it are lost.
    fn is_for_test(&self, counter: Counter, lost: u32) -> bool {
        let sum = self.f.def_inst(counter.next).expect("an operation makes it");
        let own = self.f.args(sum).iter().filter(|&&arg| arg == counter.param).count() as u32;
        let passed: usize = self.own.l.latches.iter().map(|&latch| self.passings(latch)).sum();
        self.uses[counter.param] == own + lost && self.uses[counter.next] == passed as u32 + 1
    }

    /// Which of some values are a counter in a wider word and are there at the end of a block, and by how many bits it is moved in each.
    fn wider(&mut self, from: u32, counter: Counter, way: Op, chosen: &[Chosen]) -> Vec<(usize, u32)> {
        let step = |round: &Self, step: Expr| round.expressions.as_constant(step).map(Int::signed);
        let chain = self.own.evolution.values.get(&counter.param).and_then(|chain| chain.as_linear());
        let Some(narrow) = chain.and_then(|(_, narrow)| step(self, narrow)) else { return Vec::new() };
        let mut found = Vec::new();
        for (index, &chosen) in chosen.iter().enumerate() {
            let home = self.own.homes.home(chosen.value);
            let is_there = home.is_some_and(|home| home == from || self.own.dominators.dominates(home, from));
            let by = if is_there { self.moved_by(chosen, counter, &[way]) } else { None };
            // Not only its low bits are those of the counter.
            let is_whole = |&by: &u32| step(self, chosen.step) == Some(narrow << by);
            found.extend(by.filter(is_whole).map(|by| (index, by)));
        }
        found
    }

    fn widen(&mut self, from: u32, test: Inst, wide: [Value; 2]) {
        let from = self.own.cfg.block(from);
        let Terminator::Branch { condition, then, other } = self.f.take_terminator(from) else {
            unreachable!("the test is that of a branch")
        };
        let narrow = self.f.args(test).to_vec();
        let (op, ty) = (self.f.inst(test).op, self.f.ty(condition));
        let inst = self.f.make_inst(op, &wide, &[ty], None, None, Location::default());
        self.f.append_inst(from, inst);
        self.removed[test] = true;
        narrow.into_iter().chain([condition]).for_each(|value| self.uses[self.stands.of(value)] -= 1);
        let condition = self.f.result(inst);
        wide.into_iter().chain([condition]).for_each(|value| self.uses[value] += 1);
        self.f.set_terminator(from, Terminator::Branch { condition, then, other });
    }
}
