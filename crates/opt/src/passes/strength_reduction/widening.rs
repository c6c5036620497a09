//! Induction variable widening (LLVM's `WidenIV` in IndVarSimplify): a counter that is extended in every round is counted in the wide
//! word.
//!
//! ```text
//! h(i: i32):                                  h(m: i64):
//!     x = sext(i); ... j = add(i, 1)              ... n = add(m, 1)
//!     branch lt(j, limit), h(j)     becomes       branch lt(n, wide), h(n)
//! ```
//!
//! Counters, sums of them with what the loop does not change, and tests of these go together: a family. It is widened if nothing else
//! needs the narrow words, so a round executes no more than before, and less by the extensions. In front, what counters begin with and
//! bounds are extended; where the loop is left with a counter, that is cut.
//!
//! Let a value of the family be `{a, +, s}` in its own width. The wide one is `{ext(a), +, s}`, and that is `ext` of it in all rounds in
//! which that is asked: where it is extended, [scalar evolution](crate::analysis::scalar_evolution) gives the extension this very chain;
//! where it is compared, [`in_range`](crate::analysis::evolution::Evolution::in_range) says the same. What a counter becomes in the next round
//! is `{ext(a) + s, +, s}`, which is `{ext(a + s), +, s}` if the first step does not wrap.

use hashbrown::HashMap;
use planish_base::{Budget, fault};
use planish_ir::{Inst, Location, Value};
use planish_ops::{Op, Type};
use planish_pass::{Became, PassCx};
use rustc_hash::FxBuildHasher;

use super::ROUNDS;
use super::round::{Counter, Round};
use crate::analysis::expressions::Expr;

/// A narrow value.
struct Member {
    value: Value,
    /// The sum that it is, and the other member in it; none of a counter.
    sum: Option<(Inst, usize)>,
    /// Another member of the same family; itself of one.
    family: usize,
    /// How many of its uses are known to be ones that may become wide.
    uses: u32,
    /// Whether it is extended or compared.
    is_asked: bool,
    /// Whether what it is extended to is for sums or multiples alone, which count, too.
    is_scaled: bool,
    /// Whether multiples of that are made in some rounds only, where they are no counters yet.
    is_scaled_at_times: bool,
}

/// The values that count in a loop.
#[derive(Default)]
struct Members {
    all: Vec<Member>,
    places: HashMap<Value, usize, FxBuildHasher>,
    /// Operations of the loop, and the member that they extend.
    extensions: Vec<(Inst, usize)>,
    /// Comparisons of the loop, and a member that is compared.
    comparisons: Vec<(Inst, usize)>,
}

/// Values that become wide together, or not at all.
#[derive(Default)]
struct Family {
    /// By place, operands first.
    members: Vec<usize>,
    counters: Vec<Counter>,
    /// Operations of the loop, and the member that they extend.
    extensions: Vec<(Inst, usize)>,
    /// Comparisons of the loop with members.
    comparisons: Vec<Inst>,
}

/// What becomes of a family.
struct Plan {
    /// The width of what it is extended to.
    width: u32,
    /// What is computed in front: what counters begin with, what is added in each sum, and bounds.
    starts: Vec<Expr>,
    added: Vec<Expr>,
    bounds: Vec<(Inst, usize, Expr)>,
}

impl Members {
    fn add(&mut self, value: Value, sum: Option<(Inst, usize)>) {
        let place = self.all.len();
        let family = sum.map_or(place, |(_, of)| self.family(of));
        self.places.insert(value, place);
        self.all.push(Member {
            value,
            sum,
            family,
            uses: 0,
            is_asked: false,
            is_scaled: false,
            is_scaled_at_times: false,
        });
    }

    /// The member that stands for a family.
    fn family(&mut self, mut member: usize) -> usize {
        while self.all[member].family != member {
            let above = self.all[member].family;
            self.all[member].family = self.all[above].family;
            member = above;
        }
        member
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.family(one), self.family(other));
        self.all[other].family = one;
    }

    fn place(&self, value: Value) -> Option<usize> {
        self.places.get(&value).copied()
    }

    /// The families of members.
    fn families(&mut self, counters: &[Counter]) -> Vec<Family> {
        let mut families: Vec<Family> = Vec::new();
        let mut numbers: HashMap<usize, usize, FxBuildHasher> = HashMap::default();
        let of: Vec<usize> = (0..self.all.len()).map(|member| self.family(member)).collect();
        for (member, &family) in of.iter().enumerate() {
            let number = *numbers.entry(family).or_insert(families.len());
            families.resize_with(families.len().max(number + 1), Family::default);
            families[number].members.push(member);
        }
        let number = |member: usize| numbers[&of[member]];
        for &counter in counters {
            let known = self.place(counter.param);
            known.into_iter().for_each(|place| families[number(place)].counters.push(counter));
        }
        self.extensions.iter().for_each(|&(inst, of)| families[number(of)].extensions.push((inst, of)));
        self.comparisons.iter().for_each(|&(inst, of)| families[number(of)].comparisons.push(inst));
        families
    }
}

impl Round<'_> {
    /// Widens the counters that are worth it. Those that are extended for what counts itself only if `scaled` says so: that is the better counter.
    /// Whether there were any.
    pub(super) fn widened(&mut self, cx: &mut PassCx<'_>, budget: &mut Budget, scaled: bool) -> bool {
        if self.own.evolution.in_range.is_empty() {
            return false;
        }
        let counters = self.counters();
        let mut members = self.members(&counters);
        self.count_uses(&mut members, &counters);
        self.note_scaled(&mut members);
        let mut made = Vec::new();
        for family in members.families(&counters) {
            let waits = |member: &Member| member.is_scaled_at_times || member.is_scaled && !scaled;
            if family.members.iter().any(|&one| waits(&members.all[one])) {
                continue;
            }
            let Some(plan) = self.plan(cx, &members, &family) else { continue };
            let (first, _) = family.extensions[0];
            if !budget.take(1) || !cx.rewrite(self.f, first, Became::Changed) {
                break;
            }
            made.extend(self.make_wide(&members, &family, plan));
        }
        // All at once: an edge that was split passes nothing on by itself.
        self.pass_all_out(&made, 0);
        debug_assert!(
            made.iter().all(|&(narrow, _)| self.uses[narrow] == 0),
            "the narrow words are not used"
        );
        self.splits |= !made.is_empty();
        !made.is_empty()
    }

    /// The counters and what is added to them.
    fn members(&self, counters: &[Counter]) -> Members {
        let mut members = Members::default();
        counters.iter().filter(|counter| self.step(counter.param).is_some()).for_each(|counter| {
            members.add(counter.param, None);
        });
        for &number in &self.own.l.own {
            for &inst in self.f.block_insts(self.own.cfg.block(number)) {
                let (op, &[x, y]) = (self.f.inst(inst).op, self.f.args(inst)) else { continue };
                let sides = match op {
                    Op::Add => [Some((x, y)), Some((y, x))],
                    Op::Sub => [Some((x, y)), None],
                    _ => continue,
                };
                let result = self.f.result(inst);
                let counts = |&(of, more): &(Value, Value)| {
                    self.home(more).is_none()
                        && members.places.contains_key(&of)
                        && self.step(result).is_some()
                };
                if let Some((of, _)) = sides.into_iter().flatten().find(counts) {
                    let of = members.places[&of];
                    members.add(result, Some((inst, of)));
                }
            }
        }
        for counter in counters {
            if let (Some(param), Some(next)) = (members.place(counter.param), members.place(counter.next)) {
                members.join(param, next);
            }
        }
        members
    }

    /// What a value begins with that each round adds one number to.
    fn step(&self, value: Value) -> Option<(Expr, i64)> {
        let (start, step) = self.own.evolution.values.get(&value)?.as_linear()?;
        let step = self.expressions.as_constant(step).filter(|step| step.is_true() && step.width() > 1)?;
        Some((start, step.signed()))
    }

    /// Counts the uses of members that may become wide, and notes what they are.
    fn count_uses(&self, members: &mut Members, counters: &[Counter]) {
        for &number in &self.own.l.own {
            for &inst in self.f.block_insts(self.own.cfg.block(number)) {
                let (op, args) = (self.f.inst(inst).op, self.f.args(inst));
                for &arg in args {
                    let Some(place) = members.place(arg) else { continue };
                    let is_asked = match op {
                        Op::Sext | Op::Zext => {
                            members.extensions.push((inst, place));
                            true
                        }
                        _ if op.row().negated.is_some() && args.len() == 2 => {
                            let other = if args[0] == arg { args[1] } else { args[0] };
                            match members.place(other) {
                                Some(other) => members.join(place, other),
                                None if self.home(other).is_some() => continue,
                                None => {}
                            }
                            members.comparisons.push((inst, place));
                            true
                        }
                        _ if self.f.first_result(inst).is_some_and(|sum| members.place(sum).is_some()) => {
                            false
                        }
                        _ => continue,
                    };
                    members.all[place].uses += 1;
                    members.all[place].is_asked |= is_asked;
                }
            }
        }
        members.comparisons.dedup_by_key(|&mut (inst, _)| inst);
        let passed: usize = self.own.l.latches.iter().map(|&latch| self.passings(latch)).sum();
        let mut left: Vec<usize> = Vec::new();
        for counter in counters {
            if let (Some(param), Some(next)) = (members.place(counter.param), members.place(counter.next)) {
                members.all[next].uses += passed as u32;
                left.extend([param, next]);
            }
        }
        left.sort_unstable();
        left.dedup();
        for place in left {
            let member = &mut members.all[place];
            member.uses += self.passed_out.get(&member.value).copied().unwrap_or(0);
        }
    }

    /// Notes which members are extended for what counts as well.
    fn note_scaled(&self, members: &mut Members) {
        let results = members.extensions.iter().map(|&(inst, of)| (self.f.result(inst), (of, 0)));
        let mut scaled: HashMap<Value, (usize, u32), FxBuildHasher> = results.collect();
        for &number in &self.own.l.own {
            let is_always =
                || self.own.l.latches.iter().all(|&latch| self.own.dominators.dominates(number, latch));
            for &inst in self.f.block_insts(self.own.cfg.block(number)) {
                let op = self.f.inst(inst).op;
                if !matches!(op, Op::Lshift | Op::Mul | Op::Add | Op::Sub)
                    || self.step(self.f.result(inst)).is_none()
                {
                    continue;
                }
                for arg in self.f.args(inst) {
                    let Some((of, times)) = scaled.get_mut(arg) else { continue };
                    *times += 1;
                    members.all[*of].is_scaled_at_times |= matches!(op, Op::Lshift | Op::Mul) && !is_always();
                }
            }
        }
        for (result, (of, times)) in scaled {
            members.all[of].is_scaled |= times > 0 && times == self.uses[result];
        }
    }

    /// How a family becomes wide, if nothing needs it narrow and it pays.
    fn plan(&mut self, cx: &PassCx<'_>, members: &Members, family: &Family) -> Option<Plan> {
        let is_free = |&one: &usize| self.uses[members.all[one].value] == members.all[one].uses;
        let goes_on = |counter: &Counter| members.place(counter.next).is_some();
        if !family.members.iter().all(is_free) || !family.counters.iter().all(goes_on) {
            return None;
        }
        let (way, saved) = self.way(members, family)?;
        let begun = self.begun(members, family, way)?;
        let starts: Vec<Expr> =
            family.counters.iter().map(|counter| begun[&members.places[&counter.param]]).collect();
        let sums = family.members.iter().filter_map(|&one| Some((one, members.all[one].sum?.1)));
        let added: Vec<Expr> = sums.map(|(one, of)| self.expressions.sub(begun[&one], begun[&of])).collect();
        let bounds = self.bounds(members, family, way)?;
        let exprs = starts.iter().chain(&added).copied().chain(bounds.iter().map(|&(.., bound)| bound));
        let mut front = self.expressions.cost(exprs, |op| self.cost(op))?;
        let left = family.counters.iter().flat_map(|counter| [counter.param, counter.next]);
        front += self.most_passed_out(&left.collect()) * self.cost(Op::Trunc);
        let pays = u64::from(front) <= u64::from(saved) * cx.option(&ROUNDS);
        pays.then_some(Plan { width: way.1, starts, added, bounds })
    }

    /// The one way in which a family is extended, and what that costs.
    fn way(&mut self, members: &Members, family: &Family) -> Option<((Op, u32), u32)> {
        let mut way = None;
        let mut saved = 0;
        for &(inst, place) in &family.extensions {
            let result = self.f.result(inst);
            let this = (self.f.inst(inst).op, self.f.ty(result).int_width()?);
            let (start, _) = self.step(members.all[place].value)?;
            let (wide, _) = self.step(result)?;
            if *way.get_or_insert(this) != this || self.expressions.unary(this.0, start, this.1) != wide {
                return None;
            }
            saved += self.cost(this.0);
        }
        Some((way?, saved))
    }

    /// What the wide words of a family are in the first round.
    fn begun(
        &mut self,
        members: &Members,
        family: &Family,
        (op, width): (Op, u32),
    ) -> Option<HashMap<usize, Expr, FxBuildHasher>> {
        let mut begun: HashMap<usize, Expr, FxBuildHasher> = HashMap::default();
        let mut own: HashMap<usize, Expr, FxBuildHasher> = HashMap::default();
        for &one in &family.members {
            let (start, _) = self.step(members.all[one].value)?;
            let wide = match fault!("strength-reduction: what a wide counter begins with has no sign") {
                true => Op::Zext,
                false => op,
            };
            own.insert(one, self.expressions.unary(wide, start, width));
        }
        for counter in &family.counters {
            let [param, next] = [counter.param, counter.next].map(|value| members.places[&value]);
            let (_, step) = self.step(counter.param)?;
            let step = self.expressions.number(width, step);
            let behind = self.expressions.add(own[&param], step);
            let [is_asked, is_next_asked] = [param, next].map(|one| members.all[one].is_asked);
            let is_same = behind == own[&next]
                || self.own.evolution.first_steps.contains(&(counter.next, op == Op::Sext));
            let (first, second) = match is_next_asked && !is_same {
                false => (own[&param], behind),
                true if is_asked => return None,
                true => (self.expressions.sub(own[&next], step), own[&next]),
            };
            begun.insert(param, first);
            if begun.insert(next, second).is_some_and(|before| before != second) {
                return None;
            }
        }
        for (&one, &expr) in &own {
            begun.entry(one).or_insert(expr);
        }
        Some(begun)
    }

    /// What members are compared with, in the wide word; `None` if they cannot be.
    fn bounds(
        &mut self,
        members: &Members,
        family: &Family,
        (op, width): (Op, u32),
    ) -> Option<Vec<(Inst, usize, Expr)>> {
        let mut bounds = Vec::new();
        for &inst in &family.comparisons {
            for (position, &arg) in self.f.args(inst).iter().enumerate() {
                if members.place(arg).is_none() {
                    let bound = self.expressions.value(self.f, arg)?;
                    bounds.push((inst, position, self.expressions.unary(op, bound, width)));
                } else if !self.own.evolution.in_range.contains(&(inst, arg, op == Op::Sext)) {
                    return None;
                }
            }
        }
        Some(bounds)
    }

    /// Makes a family wide. What its counters and their next values are made of where the loop is left.
    fn make_wide(&mut self, members: &Members, family: &Family, plan: Plan) -> Vec<(Value, Value)> {
        let ty = Type::Int(plan.width as u8);
        let bounds = plan.bounds.iter().map(|&(.., bound)| bound);
        let exprs: Vec<Expr> = plan.starts.iter().chain(&plan.added).copied().chain(bounds).collect();
        let values = self.all_in_front(&exprs);
        let (starts, values) = values.split_at(plan.starts.len());
        let (added, bounds) = values.split_at(plan.added.len());
        let mut wide: HashMap<usize, Value, FxBuildHasher> = HashMap::default();
        for counter in &family.counters {
            wide.insert(members.places[&counter.param], self.f.add_param(self.own.header, ty));
        }
        let mut instead: HashMap<Inst, Inst, FxBuildHasher> = HashMap::default();
        let sums = family.members.iter().filter_map(|&one| Some((one, members.all[one].sum?)));
        for ((one, (inst, of)), &more) in sums.zip(added) {
            let sum = self.f.make_inst(Op::Add, &[wide[&of], more], &[ty], None, None, Location::default());
            [wide[&of], more].into_iter().for_each(|value| self.uses[self.stands.of(value)] += 1);
            self.f.args(inst).iter().for_each(|&arg| self.uses[self.stands.of(arg)] -= 1);
            wide.insert(one, self.f.result(sum));
            instead.insert(inst, sum);
        }
        self.put_instead(&instead);
        for &(inst, of) in &family.extensions {
            let result = self.f.result(inst);
            self.removed[inst] = true;
            self.uses[members.all[of].value] -= 1;
            self.uses[wide[&of]] += std::mem::take(&mut self.uses[result]);
            self.stands.put(wide[&of], result);
        }
        for (&(inst, position, _), &bound) in plan.bounds.iter().zip(bounds) {
            let before = std::mem::replace(&mut self.f.args_mut(inst)[position], bound);
            self.uses[self.stands.of(before)] -= 1;
            self.uses[self.stands.of(bound)] += 1;
        }
        for &inst in &family.comparisons {
            for arg in self.f.args_mut(inst) {
                if let Some(&wide) = members.places.get(arg).and_then(|place| wide.get(place)) {
                    let before = std::mem::replace(arg, wide);
                    self.uses[before] -= 1;
                    self.uses[wide] += 1;
                }
            }
        }
        let mut left = Vec::new();
        for (&counter, &start) in family.counters.iter().zip(starts) {
            let [param, next] = [counter.param, counter.next].map(|value| wide[&members.places[&value]]);
            self.pass_nothing(counter);
            for &latch in &self.own.l.latches {
                self.pass(self.own.cfg.block(latch), next);
            }
            self.pass(self.own.front, start);
            left.extend([(counter.param, param), (counter.next, next)]);
        }
        left
    }

    /// Puts operations in the places of others.
    fn put_instead(&mut self, instead: &HashMap<Inst, Inst, FxBuildHasher>) {
        for &number in &self.own.l.own {
            let block = self.own.cfg.block(number);
            if self.f.block_insts(block).iter().any(|inst| instead.contains_key(inst)) {
                let mut insts = self.f.replace_insts(block, Vec::new());
                insts.iter_mut().for_each(|inst| *inst = instead.get(inst).copied().unwrap_or(*inst));
                self.f.replace_insts(block, insts);
            }
        }
    }

    /// Passes zero to a counter that nothing uses any more.
    fn pass_nothing(&mut self, counter: Counter) {
        let zero = self.f.make_int(self.f.ty(counter.param), 0);
        let place = self.f.block_params(self.own.header).iter().position(|&param| param == counter.param);
        let place = place.expect("a counter is a parameter of the header");
        let latches = self.own.l.latches.iter().map(|&latch| self.own.cfg.block(latch));
        for from in latches.chain([self.own.front]) {
            let mut terminator = self.f.take_terminator(from);
            for call in terminator.calls_mut().filter(|call| call.block == self.own.header) {
                let mut args: Vec<Value> = self.f.list(call.args).to_vec();
                let before = std::mem::replace(&mut args[place], zero);
                self.uses[self.stands.of(before)] -= 1;
                self.uses[zero] += 1;
                *call = self.f.make_call(call.block, &args);
            }
            self.f.set_terminator(from, terminator);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PASS;
    use crate::passes::testing::after;

    /// What the loop is then: a counter `v3` from `start`, tested and passed out as the lines say.
    fn widened(start: &str, lines: &str, out: &str) -> String {
        let (_, text) = after(
            &PASS,
            &format!(
                "location @m: i8 class 1\nfunc f(v0: i32, v1: i64) -> i32 {{\ne:\n    v2: i1 = gt(v0, 0)\n    \
                 branch v2, g, x(0)\ng:\n    v20 = and(v0, 255)\n    jump h({start})\nh(v3: i32):\n    v4: i64 = sext(v3)\n    \
                 v5: i8 = raw_load(v1, v4) @m\n{lines}x({out}: i32):\n    return {out}\n}}\n"
            ),
        );
        text.split("\nh(").nth(1).expect("a loop").to_owned()
    }

    const ONE: &str = "    v6 = add(v3, 1)\n    v7: i1 = lt(v6, v0)\n    branch v5, t, x(v3)\nt:\n    branch v7, h(v6), x(v6)\n";

    #[test]
    fn a_counter_with_several_tests_is_wide() {
        let body = widened("0", ONE, "v9");
        assert!(!body.contains("sext") && body.contains("lt(") && body.contains("trunc"), "{body}");
        let both = "    v6 = add(v3, 1)\n    v7: i1 = lt(v6, v0)\n    v8: i1 = gt(v3, 7)\n    branch v8, s, t\ns:\n    \
                    raw_store(v1, 9, v5) @m\n    jump t\nt:\n    branch v7, h(v6), x(v6)\n";
        let body = widened("0", both, "v9");
        assert!(!body.contains("sext") && body.contains(", 7)"), "{body}");
    }

    #[test]
    fn what_is_added_to_a_counter_is_wide_with_it() {
        let sum = "    v6 = add(v3, 1)\n    v10 = add(v3, v20)\n    v11: i64 = sext(v10)\n    raw_store(v1, v11, v5) @m\n    \
                   v7: i1 = lt(v10, v0)\n    branch v7, h(v6), x(v6)\n";
        let body = widened("0", sum, "v9");
        assert!(!body.contains("sext"), "{body}");
    }

    #[test]
    fn a_counter_that_something_needs_narrow_stays() {
        for lines in [
            ONE.replace("v6 = add", "v12 = mul(v3, v3)\n    v6 = add").replace("x(v3)", "x(v12)"),
            ONE.replace("lt(v6", "ult(v6"),
            ONE.replace("v7: i1 = lt(v6, v0)", "v13 = xor(v6, v0)\n    v7: i1 = is_true(v13)"),
        ] {
            let body = widened("0", &lines, "v9");
            assert!(body.contains("sext"), "{body}");
        }
    }

    #[test]
    fn a_counter_whose_first_step_may_wrap_stays() {
        let body = widened("v0", ONE, "v9");
        assert!(body.contains("sext"), "{body}");
    }
}
