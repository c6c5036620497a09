//! Exit values of a counter that goes (LLVM's `rewriteLoopExitValues`): where a loop is left with it, it is made of the new one.
//!
//! Let `i = {i0, +, s}` have w bits, and `m = {2^t * x, +, 2^t * y}` at least w + t, where the low w bits of `x` are `i0` and those
//! of `y` are `s`. In round n, `m = 2^t * (x + y*n)`, and the low w bits of `x + y*n` are those of `i0 + s*n`: so `i` is the w
//! bits of `m` from bit t on, whatever wraps.

use hashbrown::HashMap;
use planish_ir::{Block, Inst, Location, Terminator, Value};
use planish_ops::{Int, Op, Type};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::round::{Chosen, Counter, Made, Round};

impl Round<'_> {
    /// How often edges out of the loop pass values on.
    pub(super) fn count_passed_out(&mut self) {
        let mut counts: HashMap<Value, u32, FxBuildHasher> = HashMap::default();
        self.ways_out().flat_map(|(_, args)| args).for_each(|&arg| *counts.entry(arg).or_default() += 1);
        self.passed_out = counts;
    }

    /// The arguments of edges out of the loop, and where these come from.
    fn ways_out(&self) -> impl Iterator<Item = (u32, &[Value])> {
        let outside = |block: Block| !self.own.cfg.number(block).is_some_and(self.own.inside);
        let from = self.own.evolution.exits.iter().map(|exit| exit.from);
        let mut last = None;
        let from = from.filter(move |&from| last.replace(from) != Some(from));
        from.flat_map(move |from| {
            let calls = self.f.block_calls(self.own.cfg.block(from)).filter(move |call| outside(call.block));
            calls.map(move |call| (from, self.f.list(call.args)))
        })
    }

    /// By how many bits a counter is moved in a value that becomes one, if it can be made of that wherever the loop is left.
    pub(super) fn place_in(&mut self, chosen: Chosen, counter: Counter) -> Option<u32> {
        let home = self.own.homes.home(chosen.value)?;
        let is_behind = |from: u32| home == from || self.own.dominators.dominates(home, from);
        if self.passed_out.contains_key(&counter.next)
            && self.ways_out().any(|(from, args)| args.contains(&counter.next) && !is_behind(from))
        {
            return None;
        }
        self.moved_by(chosen, counter, &[Op::Zext, Op::Sext])
    }

    /// By how many bits a counter, extended in one of several ways, is moved in a value that becomes one.
    pub(super) fn moved_by(&mut self, chosen: Chosen, counter: Counter, ways: &[Op]) -> Option<u32> {
        let (start, step) = self.own.evolution.values.get(&counter.param)?.as_linear()?;
        let e = &mut *self.expressions;
        let (step, wide_step) = (e.as_constant(step)?, e.as_constant(chosen.step)?);
        let (width, wide) = (e.width(start), e.width(chosen.start));
        let zeros = |step: Int| step.is_true().then(|| step.unsigned().trailing_zeros());
        let by = zeros(wide_step)?.checked_sub(zeros(step)?)?;
        let moved = Int::new(width, (wide_step.signed() >> by) as u64);
        if width + by > wide || moved != step {
            return None;
        }
        let mut begins = ways.iter().map(|&op| {
            let word = if wide > width { e.unary(op, start, wide) } else { start };
            e.times(word, 1 << by)
        });
        begins.any(|begin| begin == chosen.start).then_some(by)
    }

    /// Passes on, wherever the loop is left, what a counter is by the new one.
    pub(super) fn pass_out(&mut self, counter: Counter, by: u32, made: &Made) {
        self.pass_all_out(&[(counter.param, made.param), (counter.next, made.next)], by);
    }

    /// The same of several values, each with that of which it is made.
    pub(super) fn pass_all_out(&mut self, left: &[(Value, Value)], by: u32) {
        let mut from: Vec<u32> = self.own.evolution.exits.iter().map(|exit| exit.from).collect();
        from.dedup();
        for from in from {
            let from = self.own.cfg.block(from);
            let mut terminator = self.f.take_terminator(from);
            for call in terminator.calls_mut() {
                let args = self.f.list(call.args).to_vec();
                let passed: FxHashSet<Value> = args.iter().copied().collect();
                let is_inside = self.own.cfg.number(call.block).is_some_and(self.own.inside);
                if is_inside || !left.iter().any(|(old, _)| passed.contains(old)) {
                    continue;
                }
                let block = self.f.make_block();
                let mut is: HashMap<Value, Value, FxBuildHasher> = HashMap::default();
                for &(old, new) in left.iter().filter(|(old, _)| passed.contains(old)) {
                    is.insert(old, self.cut(block, old, new, by));
                }
                // What else is passed on is used as often as before; of a value that goes, the new one is counted already.
                let of = |&arg: &Value| {
                    let Some(&new) = is.get(&arg) else { return arg };
                    self.uses[arg] -= 1;
                    self.uses[new] += 1;
                    new
                };
                let args: Vec<Value> = args.iter().map(of).collect();
                let on = self.f.make_call(call.block, &args);
                self.f.set_terminator(block, Terminator::Jump(on));
                *call = self.f.make_call(block, &[]);
                self.splits = true;
            }
            self.f.set_terminator(from, terminator);
        }
        for (value, _) in left {
            self.passed_out.remove(value);
        }
    }

    /// How many of some values an edge out of the loop passes on at most.
    pub(super) fn most_passed_out(&self, of: &FxHashSet<Value>) -> u32 {
        let passed = |args: &[Value]| args.iter().filter(|arg| of.contains(*arg)).count() as u32;
        self.ways_out().map(|(_, args)| passed(args)).max().unwrap_or(0)
    }

    /// What a counter is by the new one, at the end of a block.
    fn cut(&mut self, block: Block, old: Value, new: Value, by: u32) -> Value {
        let (ty, wide) = (self.f.ty(old), self.f.ty(new));
        let mut value = new;
        if by > 0 {
            let by = self.f.make_int(wide, i64::from(by));
            value = self.append(block, Op::Urshift, &[value, by], wide);
        }
        if ty != wide {
            value = self.append(block, Op::Trunc, &[value], ty);
        }
        value
    }

    fn append(&mut self, block: Block, op: Op, args: &[Value], ty: Type) -> Value {
        let inst: Inst = self.f.make_inst(op, args, &[ty], None, None, Location::default());
        args.iter().for_each(|&arg| self.uses[arg] += 1);
        self.f.append_inst(block, inst);
        self.f.result(inst)
    }
}
