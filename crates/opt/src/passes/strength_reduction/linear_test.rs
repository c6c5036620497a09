//! Linear function test replacement: the test of a counter that is for nothing else is made of another counter.
//!
//! Until the loop leaves, which the test says it does in round N, another counter `{a, +, b}` is `a + b*N` in that round and, if
//! `b*k` is not 0 modulo its width for 0 < k <= N, in no round before. With `b = 2^t * odd` it is not as long as
//! `N < 2^(width - t)`. So `lt(i, n)` becomes `ne(m, a + b*N)`: whatever is compared with what, and wherever anything wraps.
//!
//! N is often said more simply by what the tested counter is in the end: if `x = {x0, +, 1}` does not wrap until it is `last`,
//! then `a + b*N = a - b*x0 + b*last`, in a wider word with both extended.

use hashbrown::HashMap;
use planish_base::fault;
use planish_ir::{Inst, Location, Terminator, Value};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use super::round::{Chosen, Counter, Gone, Made, Round};
use crate::analysis::evolution::Count;
use crate::analysis::expressions::Expr;

/// A test that is made of a new counter.
pub(super) struct LinearTest {
    /// The block at whose end the loop is left.
    from: u32,
    /// What the counter is compared with.
    pub(super) limit: Expr,
    /// Whether it is what the counter is in the next round.
    next: bool,
    /// What adds up the counter that goes.
    pub(super) counter: Inst,
    /// That counter and its place in the new one, if the loop leaves it behind.
    leaves: Option<(Counter, u32)>,
    /// The test that goes.
    test: Inst,
}

impl Round<'_> {
    /// The test of the loop, if it can be made of a value and a counter then goes, and all that goes.
    pub(super) fn test_that_can_change(
        &mut self,
        gone: &Gone,
        chosen: Chosen,
        counters: &[Counter],
    ) -> Option<(Gone, LinearTest)> {
        // Where counters that the loop leaves behind lie in the new one, if they do.
        let mut places: HashMap<Value, Option<u32>, FxBuildHasher> = HashMap::default();
        for &counter in counters {
            let is_left = |value: Value| self.passed_out.contains_key(&value);
            if is_left(counter.param) || is_left(counter.next) {
                places.insert(counter.param, self.place_in(chosen, counter));
            }
        }
        let may_go = |counter: &Counter| places.get(&counter.param) != Some(&None);
        let counters: Vec<Counter> = counters.iter().copied().filter(may_go).collect();
        for exit in &self.own.evolution.exits {
            let Some(count) = exit.count else { continue };
            let Some((all, test, counter)) = self.goes_with_test(gone, exit.from, &counters) else {
                continue;
            };
            let home = self.own.homes.home(chosen.value)?;
            let next = home == exit.from || self.own.dominators.dominates(home, exit.from);
            let Some(limit) = self.limit(chosen, count, next) else { continue };
            let leaves = places.get(&counter.param).copied().flatten().map(|place| (counter, place));
            let counter = self.f.def_inst(counter.next)?;
            return Some((all, LinearTest { from: exit.from, limit, next, counter, leaves, test }));
        }
        None
    }

    /// All that goes if the test at the end of a block does, too, that test, and a counter that is then left with nothing but
    /// its sum and what the loop leaves behind.
    fn goes_with_test(&self, gone: &Gone, from: u32, counters: &[Counter]) -> Option<(Gone, Inst, Counter)> {
        let f = &*self.f;
        let condition = f.terminator(self.own.cfg.block(from)).condition()?;
        let test = f.def_inst(condition).filter(|_| self.home(condition).is_some())?;
        // A test that is the value itself goes already.
        if self.uses[condition] != 1 || condition == gone.known {
            return None;
        }
        let mut all = Gone { known: gone.known, insts: gone.insts.clone(), lost: gone.lost.clone() };
        let before = all.insts.len();
        self.goes(test, &mut all);
        // The test stays a test.
        all.insts.remove(before);
        let left = |value: Value| self.uses[value] - all.lost.get(&value).copied().unwrap_or(0);
        let out = |value: Value| self.passed_out.get(&value).copied().unwrap_or(0);
        let alone = |counter: &&Counter| {
            let inst = f.def_inst(counter.next).expect("an operation makes it");
            let own = f.args(inst).iter().filter(|&&arg| arg == counter.param).count() as u32;
            let passed: usize = self.own.l.latches.iter().map(|&latch| self.passings(latch)).sum();
            own > 0
                && self.home(counter.next).is_some()
                && left(counter.param) == own + out(counter.param)
                && left(counter.next) == passed as u32 + out(counter.next)
        };
        let counter = *counters.iter().find(alone)?;
        Some((all, test, counter))
    }

    /// How many edges go from a block to the header.
    pub(super) fn passings(&self, from: u32) -> usize {
        self.f.block_calls(self.own.cfg.block(from)).filter(|call| call.block == self.own.header).count()
    }

    /// What the new counter is in the round in which the loop is left, or in the next one, if it is that in none before.
    fn limit(&mut self, chosen: Chosen, count: Count, next: bool) -> Option<Expr> {
        let e = &mut *self.expressions;
        let step = e.as_constant(chosen.step).filter(|step| step.is_true())?;
        let (width, counted) = (e.width(chosen.start), e.width(count.rounds));
        let room = width - step.unsigned().trailing_zeros();
        let fits = match e.as_constant(count.rounds) {
            Some(rounds) => room >= 64 || rounds.unsigned() < 1 << room,
            None => counted <= room,
        };
        if !fits {
            return None;
        }
        let simple = count.tested.and_then(|tested| {
            let last = tested.last.filter(|_| matches!(tested.step.signed(), 1 | -1))?;
            let op = if tested.signed { Op::Sext } else { Op::Zext };
            let mut word = |expr| match width > counted {
                true => e.unary(op, expr, width),
                false => e.unsigned_to(expr, width),
            };
            let (first, last) = (word(tested.start), word(last));
            let factor = step.signed().wrapping_mul(tested.step.signed());
            let (begun, ended) = (e.times(first, factor), e.times(last, factor));
            let before = e.sub(chosen.start, begun);
            Some((before, ended))
        });
        let (before, ended) = simple.unwrap_or_else(|| {
            let rounds = e.unsigned_to(count.rounds, width);
            (chosen.start, e.times(rounds, step.signed()))
        });
        let next = next && !fault!("strength-reduction: a test is made a round early");
        let more = if next { e.add(before, chosen.step) } else { before };
        Some(e.add(ended, more))
    }

    /// Makes the test one of the new counter.
    pub(super) fn change(&mut self, test: LinearTest, made: Made) {
        let from = self.own.cfg.block(test.from);
        let [limit] = self.in_front([test.limit]);
        self.removed[test.test] = true;
        let Terminator::Branch { condition, mut then, mut other } = self.f.take_terminator(from) else {
            unreachable!("what is counted is a branch")
        };
        let stays = self.own.cfg.number(then.block).is_some_and(self.own.inside);
        let mut op = if stays { Op::Ne } else { Op::Eq };
        // Not every dialect has a word for what differs.
        if self.cost(op) > self.cost(Op::Eq) {
            op = Op::Eq;
            std::mem::swap(&mut then, &mut other);
        }
        let tested = if test.next { made.next } else { made.param };
        let ty = self.f.ty(condition);
        let inst = self.f.make_inst(op, &[tested, limit], &[ty], None, None, Location::default());
        self.f.append_inst(from, inst);
        let condition = self.f.result(inst);
        self.f.set_terminator(from, Terminator::Branch { condition, then, other });
        [tested, limit, condition].into_iter().for_each(|value| self.uses[value] += 1);
        if let Some((counter, place)) = test.leaves {
            self.pass_out(counter, place, &made);
        }
    }
}
