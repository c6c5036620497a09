//! Strength reduction of induction variables with linear function test replacement (Allen, Cocke and Kennedy 1981): a
//! product of a counter becomes a sum of its own.
//!
//! ```text
//! h(i): ... m = mul(i, 12) ...          h(i, m): ...
//!       j = add(i, 1)           becomes          n = add(m, 12); j = add(i, 1)
//!       branch lt(j, 100), h(j)                  branch lt(j, 100), h(j, n)
//! ```
//!
//! What a value of the loop is in its rounds says [scalar evolution](crate::analysis::scalar_evolution): here those count that
//! begin with a value from outside and to which each round adds one, a constant or not (`i * k`), in their own width or as
//! extensions of narrower ones that do not wrap. All of that holds modulo the width, so nothing has to be known of ranges.
//!
//! It is done where it pays in the prices of the dialect: what then is unused in the loop costs more than one sum, and what is
//! computed in front no more than is saved in [`ROUNDS`] rounds; the value is computed in every round already.
//!
//! Counters that are for nothing but what is extended are as wide as that (`widening.rs`): where multiples of that count, after these
//! became counters, else before.
//!
//! If then a counter is left with nothing but its own test, the test is made of the new one, and the counter goes
//! (`LinearTest`). A test that compares two counters is made of what became of both (`meeting.rs`). What the loop leaves of it behind is made of the new one, too (`live_out.rs`).
//!
//! Loops inside come first: what they are given from outside is computed in a round of those around. Then it is done again, at
//! most `DEPTH` times, each O(size of the function * depth of loops), for at most [`VALUES`] values.

mod linear_test;
mod live_out;
mod meeting;
mod round;
mod widening;

use hashbrown::HashMap;
use planish_base::{Budget, SideTable, Worklist, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Function, Inst, Location, Stands, Terminator, Value};
use planish_ops::{Effect, Int, Op};
use planish_pass::{Became, Change, Example, FunctionPass, LoopInfo, PassCx, PassInfo, PassOption};

use self::linear_test::LinearTest;
use self::round::{Chosen, Counter, Gone, Made, Own, Round};
use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};
use crate::analysis::expressions::{Expr, Writer};
use crate::analysis::scalar_evolution::ScalarEvolution;

/// At most so many values that are replaced in a function.
pub const VALUES: PassOption =
    PassOption::new("values", 1024, "the most values that are replaced in a function");

/// How many rounds a loop is expected to make.
pub const ROUNDS: PassOption =
    PassOption::new("rounds", 4, "in how many rounds of a loop what is computed in front has to be saved");

/// How deep loops are whose own values follow from those inside.
const DEPTH: usize = 3;

/// Reduces strength.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["strength"],
        source: "Allen, Cocke and Kennedy, \"Reduction of Operator Strength\", 1981; LLVM LoopStrengthReduce",
        handlers: false,
        analyses: &["edges", "dominators", "loops", "scalar-evolution"],
        options: &[&VALUES, &ROUNDS],
        example: Example {
            file: "strength_reduction.ssa",
            text: include_str!("examples/strength_reduction.ssa"),
        },
        test: "crates/opt/src/passes/strength_reduction.rs",
        ..PassInfo::new(
            "strength-reduction",
            "Strength reduction of induction variables, with replacement of the loop's test.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if cx.get::<LoopInfo>(f).all().is_empty() {
        return;
    }
    let fronts = put_blocks_in_front_of_loops(f, cx);
    let mut budget = Budget::new("values replaced by strength-reduction", cx.option(&VALUES));
    for _ in 0..DEPTH {
        if !reduce(f, cx, &mut budget) {
            break;
        }
        cx.changed(Change::Flow);
    }
    cx.record.note_budget(&budget);
    take_back_empty(f, cx, &fronts);
}

/// Looks at every loop once. Whether anything was replaced.
fn reduce(f: &mut Function, cx: &mut PassCx<'_>, budget: &mut Budget) -> bool {
    let (cfg, dominators) = (cx.get::<Cfg>(f), cx.get::<Dominators>(f));
    let (loops, evolution) = (cx.get::<LoopInfo>(f), cx.get::<ScalarEvolution>(f));
    let mut uses = uses(f);
    let mut expressions = evolution.expressions.clone();
    let mut stands = Stands::default();
    let mut any = false;
    let mut removed: SideTable<Inst, bool> = SideTable::new();
    // Of those around a loop that got new blocks the turn comes when all is looked at anew.
    let mut is_stale = vec![false; loops.all().len()];
    for index in (0..loops.all().len() as u32).rev() {
        let l = &loops.all()[index as usize];
        let around = l.parent.map(|parent| parent as usize);
        if is_stale[index as usize] {
            around.into_iter().for_each(|parent| is_stale[parent] = true);
            continue;
        }
        let mut outside = cfg.preds().of(l.header).iter().filter(|&&pred| !loops.contains(index, pred));
        let (Some(&front), None) = (outside.next(), outside.next()) else { continue };
        let front = cfg.block(front);
        if l.irreducible || l.header == 0 || f.block_calls(front).count() != 1 {
            continue;
        }
        let own = Own {
            cfg: &cfg,
            dominators: &dominators,
            l,
            header: cfg.block(l.header),
            front,
            evolution: &evolution.loops[index as usize],
            homes: &evolution,
            inside: &|number| loops.contains(index, number),
        };
        let price = cx.target.price;
        let (uses, stands) = (&mut uses, &mut stands);
        let (expressions, removed, passed_out) = (&mut expressions, &mut removed, HashMap::default());
        let mut round =
            Round { f, price, own, uses, stands, expressions, removed, passed_out, splits: false };
        round.count_passed_out();
        any |= round.widened(cx, budget, false) || round.all(cx, budget) || round.widened(cx, budget, true);
        around.filter(|_| round.splits).into_iter().for_each(|parent| is_stale[parent] = true);
    }
    if any {
        stands.write(f);
        remove(f, &removed);
    }
    any
}

/// Takes operations out of a function. O(function).
pub(super) fn remove(f: &mut Function, removed: &SideTable<Inst, bool>) {
    for number in 0..f.blocks().len() {
        let block = f.blocks()[number];
        if !f.block_insts(block).iter().any(|&inst| removed[inst]) {
            continue;
        }
        let mut insts = f.replace_insts(block, Vec::new());
        insts.retain(|&inst| !removed[inst]);
        f.replace_insts(block, insts);
    }
}

/// How often every value is used in a function.
pub(super) fn uses(f: &Function) -> SideTable<Value, u32> {
    let mut uses: SideTable<Value, u32> = SideTable::new();
    for &block in f.blocks() {
        for &inst in f.block_insts(block) {
            f.args(inst).iter().for_each(|&arg| uses[arg] += 1);
            if let Some(exit) = f.inst(inst).exit {
                f.exit_args(exit).iter().for_each(|&arg| uses[arg] += 1);
            }
        }
        let terminator = f.terminator(block);
        terminator.condition().into_iter().for_each(|value| uses[value] += 1);
        match terminator {
            Terminator::Return(results) => f.list(*results).iter().for_each(|&v| uses[v] += 1),
            Terminator::Throw(value, exit) => {
                uses[*value] += 1;
                exit.iter().for_each(|&exit| f.exit_args(exit).iter().for_each(|&v| uses[v] += 1));
            }
            _ => {}
        }
        f.block_calls(block).for_each(|call| f.list(call.args).iter().for_each(|&v| uses[v] += 1));
    }
    uses
}

impl Round<'_> {
    /// Replaces what is worth it.
    fn all(&mut self, cx: &mut PassCx<'_>, budget: &mut Budget) -> bool {
        let counters = self.counters();
        let mut made = Vec::new();
        // From the last: what it is made of goes with it.
        let candidates = self.candidates(&counters);
        let meeting = self.that_meet(&candidates, &counters);
        for chosen in candidates.into_iter().rev() {
            if self.uses[chosen.value] == 0 {
                continue;
            }
            let more = if meeting.contains(&chosen.value) { self.cost(Op::Add) } else { 0 };
            let Some((gone, test)) = self.worth(cx, chosen, &counters, more) else { continue };
            if !budget.take(1) || !cx.rewrite(self.f, chosen.inst, Became::Op(Op::Add)) {
                break;
            }
            gone.insts.iter().for_each(|&inst| self.removed[inst] = true);
            for (value, lost) in gone.lost {
                self.uses[value] -= lost;
            }
            let new = self.replace(chosen);
            if let Some(test) = test {
                self.change(test, new);
            }
            made.push((chosen, new));
        }
        self.widen_tests(cx, &counters, &made);
        !made.is_empty()
    }

    /// The parameters of the header that an operation of the loop makes anew, the same wherever it goes back.
    fn counters(&self) -> Vec<Counter> {
        let (f, latches) = (&*self.f, &self.own.l.latches);
        let counter = |(position, &param): (usize, &Value)| {
            let mut passed = latches.iter().map(|&latch| self.passed(self.own.cfg.block(latch), position));
            let next = passed.next()??;
            let known =
                passed.all(|other| other == Some(next)) && self.own.evolution.values.contains_key(&param);
            f.def_inst(next).filter(|_| known).map(|_| Counter { param, next })
        };
        f.block_params(self.own.header).iter().enumerate().filter_map(counter).collect()
    }

    /// The argument that a block passes to the header, the same on all its edges there.
    fn passed(&self, from: Block, position: usize) -> Option<Value> {
        let mut calls = self.f.block_calls(from).filter(|call| call.block == self.own.header);
        let first = self.f.list(calls.next()?.args)[position];
        calls.all(|call| self.f.list(call.args)[position] == first).then_some(first)
    }

    /// What every round computes and could be added up, in order; sums that counters become are already.
    fn candidates(&self, counters: &[Counter]) -> Vec<Chosen> {
        let (f, own) = (&*self.f, &self.own);
        let mut found = Vec::new();
        for &number in &own.l.own {
            if !own.l.latches.iter().all(|&latch| own.dominators.dominates(number, latch)) {
                continue;
            }
            for &inst in f.block_insts(own.cfg.block(number)) {
                if f.row(inst).results.len() != 1 || f.inst(inst).exit.is_some() {
                    continue;
                }
                let value = f.result(inst);
                let chain = own.evolution.values.get(&value).and_then(|chain| chain.as_linear());
                let Some((start, step)) = chain else { continue };
                // What is only passed on to the next round may still be a product, which is worth a sum.
                let is_sum = matches!(f.inst(inst).op, Op::Add | Op::Sub);
                if !(is_sum && counters.iter().any(|counter| counter.next == value)) {
                    found.push(Chosen { value, inst, start, step });
                }
            }
        }
        found
    }

    fn cost(&self, op: Op) -> u32 {
        (self.price)(op).unwrap_or(1)
    }

    /// The number of the block of the loop in which a value is made.
    fn home(&self, value: Value) -> Option<u32> {
        self.own.homes.home(value).filter(|&home| (self.own.inside)(home))
    }

    /// Notes that an operation goes, and with it what only it used.
    fn goes(&self, inst: Inst, gone: &mut Gone) {
        let mut work = Worklist::from(vec![inst]);
        while let Some(inst) = work.pop() {
            gone.insts.push(inst);
            for &arg in self.f.args(inst) {
                // What became a counter or wide is still named by its old name, but has no uses any more.
                let arg = self.stands.of(arg);
                let lost = gone.lost.entry(arg).or_default();
                *lost += 1;
                if *lost == self.uses[arg]
                    && arg != gone.known
                    && self.home(arg).is_some()
                    && let Some(inst) = self.f.def_inst(arg)
                    && self.f.row(inst).effect == Effect::Pure
                    && self.f.row(inst).results.len() == 1
                    && self.f.inst(inst).exit.is_none()
                {
                    work.push(inst);
                }
            }
        }
    }

    /// What goes if a value becomes a counter, and the test that is then made of it; `None` if it does not pay. So much `more` goes
    /// with what other values become.
    fn worth(
        &mut self,
        cx: &PassCx<'_>,
        chosen: Chosen,
        counters: &[Counter],
        more: u32,
    ) -> Option<(Gone, Option<LinearTest>)> {
        // What is too large to be computed in front is so whatever goes.
        self.expressions.cost([chosen.start, chosen.step], |op| self.cost(op))?;
        let mut gone = Gone { known: chosen.value, insts: Vec::new(), lost: HashMap::default() };
        self.goes(chosen.inst, &mut gone);
        let cost = |round: &Self, gone: &Gone, test: Option<&LinearTest>| -> u32 {
            let counter = test.map(|test| test.counter);
            gone.insts.iter().chain(&counter).map(|&inst| round.cost(round.f.inst(inst).op)).sum()
        };
        let test = self.test_that_can_change(&gone, chosen, counters);
        for (gone, test) in test.map(|(gone, test)| (gone, Some(test))).into_iter().chain([(gone, None)]) {
            let saved = (cost(self, &gone, test.as_ref()) + more).saturating_sub(self.cost(Op::Add));
            let made = [chosen.start, chosen.step].into_iter().chain(test.as_ref().map(|test| test.limit));
            let Some(front) = self.expressions.cost(made, |op| self.cost(op)) else { continue };
            if saved > 0 && u64::from(front) <= u64::from(saved) * cx.option(&ROUNDS) {
                return Some((gone, test));
            }
        }
        None
    }

    /// Makes a value a counter of its own: that, and what it is in the next round.
    fn replace(&mut self, chosen: Chosen) -> Made {
        let [start, mut step] = self.in_front([chosen.start, chosen.step]);
        if fault!("strength-reduction: the step is not multiplied") {
            step = self.f.make_constant(Int::new(self.expressions.width(chosen.step), 1));
        }
        let f = &mut *self.f;
        let ty = f.ty(chosen.value);
        let param = f.add_param(self.own.header, ty);
        self.uses[param] = std::mem::take(&mut self.uses[chosen.value]) + 1;
        self.uses[self.stands.of(step)] += 1;
        let sum = f.make_inst(Op::Add, &[param, step], &[ty], None, None, Location::default());
        let home = self.own.homes.home(chosen.value).expect("it is made in the loop");
        f.append_inst(self.own.cfg.block(home), sum);
        let next = f.result(sum);
        for &latch in &self.own.l.latches {
            self.pass(self.own.cfg.block(latch), next);
        }
        self.pass(self.own.front, start);
        self.stands.put(param, chosen.value);
        Made { param, next }
    }

    /// The values of expressions, computed in front of the loop.
    fn in_front<const N: usize>(&mut self, exprs: [Expr; N]) -> [Value; N] {
        let values = self.all_in_front(&exprs);
        std::array::from_fn(|index| values[index])
    }

    /// The same of any number.
    fn all_in_front(&mut self, exprs: &[Expr]) -> Vec<Value> {
        let before = self.f.block_insts(self.own.front).len();
        let mut writer = Writer::new(self.expressions, self.own.front);
        let values = exprs.iter().map(|&expr| writer.write(self.f, expr)).collect();
        for &inst in &self.f.block_insts(self.own.front)[before..] {
            self.f.args(inst).iter().for_each(|&arg| self.uses[self.stands.of(arg)] += 1);
        }
        values
    }

    /// Passes one more argument to the header.
    fn pass(&mut self, from: Block, value: Value) {
        let mut terminator = self.f.take_terminator(from);
        for call in terminator.calls_mut().filter(|call| call.block == self.own.header) {
            let args: Vec<Value> = self.f.list(call.args).iter().copied().chain([value]).collect();
            *call = self.f.make_call(call.block, &args);
            self.uses[self.stands.of(value)] += 1;
        }
        self.f.set_terminator(from, terminator);
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    fn reduced(source: &str) -> (u64, String) {
        after(&PASS, source)
    }

    fn counting(body: &str, test: &str) -> String {
        format!(
            "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    jump h(0, 0)\nh(v2: i64, v3: i64):\n{body}    \
             v5 = xor(v3, v4)\n    v6 = add(v2, 1)\n    v7: i1 = {test}\n    branch v7, h(v6, v5), x\nx:\n    \
             return v5\n}}\n"
        )
    }

    #[test]
    fn a_product_is_a_sum_and_the_test_is_one_of_it() {
        let (count, text) = reduced(&counting("    v4 = mul(v2, 12)\n", "lt(v6, 100)"));
        assert_eq!(count, 1);
        assert!(!text.contains("mul") && text.contains("1200"), "{text}");
    }

    #[test]
    fn a_bound_that_is_not_known_leaves_the_test() {
        let (count, text) = reduced(&counting("    v4 = mul(v2, 12)\n", "lt(v6, v1)"));
        assert_eq!(count, 1, "a product costs more than a sum");
        assert!(!text.contains("mul") && text.contains("lt(v6, v1)"), "{text}");
    }

    #[test]
    fn a_bound_that_would_overflow_leaves_the_test() {
        let (_, text) = reduced(&counting("    v4 = mul(v2, 1152921504606846976)\n", "lt(v6, 100)"));
        assert!(text.contains(", 100)"), "{text}");
    }

    #[test]
    fn a_falling_value_is_tested_where_it_ends() {
        let (_, text) = reduced(&counting("    v8 = mul(v2, -3)\n    v4 = add(v8, 7)\n", "lt(v6, 10)"));
        assert!(text.contains("ne(v7, -23)") && !text.contains("mul"), "{text}");
    }

    #[test]
    fn a_sum_pays_only_if_the_counter_goes() {
        let (count, text) = reduced(&counting("    v4 = add(v2, v1)\n", "lt(v6, v0)"));
        assert!(count == 1 && text.contains("ne(v9, v3)"), "the counter is for nothing then: {text}");
        assert_eq!(reduced(&counting("    v8 = add(v2, v1)\n    v4 = xor(v8, v2)\n", "lt(v6, v0)")).0, 0);
    }

    #[test]
    fn the_test_of_what_became_a_counter_is_made_of_one_that_comes_later() {
        let body = "    v8 = mul(v2, 20)\n    v9 = mul(v2, 12)\n    v4 = xor(v8, v9)\n";
        let (count, text) = reduced(&counting(body, "ne(v9, 1200)"));
        assert!(count == 2 && !text.contains("mul") && text.contains("2020"), "{text}");
    }

    #[test]
    fn a_product_that_is_passed_on_to_the_next_round_is_a_sum() {
        let (count, text) = reduced(
            "func f(v0: i64) -> i64 {\ne:\n    jump h(0, 0, 0)\nh(v1: i64, v2: i64, v3: i64):\n    v4 = xor(v3, v2)\n    \
             v5 = add(v1, 1)\n    v6 = mul(v5, 12)\n    v7: i1 = ult(v5, v0)\n    branch v7, h(v5, v6, v4), x\nx:\n    \
             return v4\n}\n",
        );
        let body = text.split("\nh(").nth(1).expect("a loop");
        assert!(count == 1 && !body.contains("mul"), "{text}");
    }

    #[test]
    fn a_product_with_what_does_not_change_is_added_up() {
        let (count, text) = reduced(&counting("    v4 = mul(v2, v0)\n", "lt(v6, v1)"));
        assert!(count == 1 && !text.contains("mul") && text.contains(", v0)"), "{text}");
    }

    /// An address of a narrow counter, `v4`, and its test.
    fn narrow(width: u32, extend: &str, step: i64, test: &str) -> (u64, String) {
        reduced(&format!(
            "func f(v0: i{width}, v1: i64) -> i64 {{\ne:\n    jump h(0, 0)\nh(v2: i{width}, v3: i64):\n    \
             v8: i64 = {extend}(v2)\n    v4 = lshift(v8, 2)\n    v5 = xor(v3, v4)\n    v6 = add(v2, {step})\n    \
             v7: i1 = {test}\n    branch v7, h(v6, v5), x\nx:\n    return v5\n}}\n"
        ))
    }

    #[test]
    fn a_counter_that_does_not_wrap_is_as_wide_as_its_use() {
        for (width, extend, test) in [
            (32, "sext", "lt(v6, v0)"),
            (8, "zext", "ult(v6, v0)"),
            (8, "zext", "ne(v6, v0)"),
            (16, "zext", "lt(v6, v0)"),
        ] {
            let (count, text) = narrow(width, extend, 1, test);
            let body = text.split("\nh(").nth(1).expect("a loop");
            assert!(count == 1 && !body.contains("ext(") && !body.contains("lshift"), "{test}: {text}");
            assert!(body.contains("ne("), "{test}: {text}");
        }
    }

    /// Two counters, `v2` up and `v3` down, that are in wider words what they are in narrow ones.
    fn meeting(guard: &str, test: &str) -> String {
        let (_, text) = reduced(&format!(
            "func f(v0: i32, v1: i64) -> i64 {{\ne:\n    v12: i1 = {guard}\n    branch v12, h(0, v0, 0), x(0)\n\
             h(v2: i32, v3: i32, v4: i64):\n    v5: i64 = sext(v2)\n    v6: i64 = sext(v3)\n    v7 = mul(v5, 3)\n    \
             v8 = mul(v6, 5)\n    v9 = xor(v7, v8)\n    v10 = add(v4, v9)\n    v11 = add(v2, 1)\n    v13 = add(v3, -1)\n    \
             v14: i1 = {test}\n    branch v14, h(v11, v13, v10), x(v10)\nx(v15: i64):\n    return v15\n}}\n"
        ));
        let body = text.split("\nh(").nth(1).expect("a loop");
        body[..body.find("branch").expect("a test")].to_owned()
    }

    #[test]
    fn counters_that_meet_do_not_wrap() {
        let body = meeting("gt(v0, 0)", "lt(v11, v13)");
        assert!(!body.contains("sext") && !body.contains("mul"), "{body}");
        let body = meeting("gt(v0, 0)", "gt(v13, v11)");
        assert!(!body.contains("sext") && !body.contains("mul"), "{body}");
    }

    /// Two counters, of bytes from both ends, that are extended and compared, and what the loop is then.
    fn ends(extend: &str, guard: &str, test: &str) -> String {
        let (_, text) = reduced(&format!(
            "func f(v0: i32) -> i64 {{\ne:\n    v12: i1 = {guard}\n    branch v12, h(0, v0, 0), x(0)\n\
             h(v2: i32, v3: i32, v4: i64):\n    v5: i64 = {extend}(v2)\n    v6: i64 = {extend}(v3)\n    v9 = xor(v5, v6)\n    \
             v10 = add(v4, v9)\n    v11 = add(v2, 1)\n    v13 = add(v3, -1)\n    v14: i1 = {test}(v11, v13)\n    \
             branch v14, h(v11, v13, v10), x(v10)\nx(v15: i64):\n    return v15\n}}\n"
        ));
        let body = text.split("\nh(").nth(1).expect("a loop");
        body[..body.find("branch").expect("a test")].to_owned()
    }

    #[test]
    fn the_test_of_counters_that_meet_is_of_what_they_became() {
        for (extend, guard, test) in [("sext", "gt(v0, 0)", "lt"), ("zext", "ne(v0, 0)", "ult")] {
            let body = ends(extend, guard, test);
            assert!(!body.contains("ext(") && body.contains(&format!("{test}(v9, v10)")), "{body}");
        }
    }

    #[test]
    fn counters_whose_first_step_may_wrap_are_compared_as_they_are() {
        for (extend, guard, test) in
            [("sext", "lt(v0, 9)", "lt"), ("sext", "gt(v0, 0)", "ult"), ("zext", "gt(v0, 0)", "lt")]
        {
            let body = ends(extend, guard, test);
            assert_eq!(body.matches("ext(").count(), 2, "{guard}, {test}: {body}");
        }
    }

    #[test]
    fn a_counter_behind_the_one_that_is_tested_begins_where_that_does_not_wrap() {
        let body = |first: &str| {
            let (_, text) = reduced(&format!(
                "func f(v0: i32, v1: i32) -> i64 {{\ne:\n    v2 = and(v0, 1)\n    v8 = and(v1, 1023)\n    jump h({first}, 0)\n\
                 h(v3: i32, v4: i64):\n    v5: i64 = sext(v3)\n    v6 = lshift(v5, 2)\n    v7 = xor(v4, v6)\n    v9 = add(v3, 2)\n    \
                 v10 = add(v3, 3)\n    v11: i1 = lt(v10, v8)\n    branch v11, h(v9, v7), x\nx:\n    return v7\n}}\n"
            ));
            text.split("\nh(").nth(1).expect("a loop").to_owned()
        };
        assert!(!body("v2").contains("sext"), "{}", body("v2"));
        assert!(body("v0").contains("sext"), "it may be that the third number above is a small one");
    }

    #[test]
    fn counters_that_may_miss_each_other_are_extended_each_round() {
        for (guard, test, stays) in [
            ("gt(v0, 0)", "ne(v11, v13)", 2),
            ("gt(v0, 0)", "le(v11, v13)", 2),
            ("gt(v0, 0)", "ult(v11, v13)", 2),
            // The first step down may wrap.
            ("lt(v0, 9)", "lt(v11, v13)", 1),
        ] {
            let body = meeting(guard, test);
            assert_eq!(body.matches("sext").count(), stays, "{guard}, {test}: {body}");
        }
    }

    #[test]
    fn a_counter_that_may_wrap_is_extended_each_round() {
        for (width, extend, step, test) in [
            (32, "sext", 3, "lt(v6, v0)"),
            (8, "sext", 1, "ult(v6, v0)"),
            (8, "sext", 1, "ne(v6, v0)"),
            (8, "zext", 3, "ne(v6, v0)"),
            (8, "zext", -1, "gt(v6, v0)"),
        ] {
            let (_, text) = narrow(width, extend, step, test);
            assert!(text.split("\nh(").nth(1).expect("a loop").contains(extend), "{test}: {text}");
        }
    }

    #[test]
    fn a_counter_and_what_it_is_extended_to_leave_together() {
        let (count, text) = after(
            &PASS,
            "location @m: i8 class 1\nfunc f(v0: i64, v1: i32) -> i32, i64 {\ne:\n    v2: i1 = gt(v1, 0)\n    \
             branch v2, h(0), y(0)\nh(v3: i32):\n    v4: i64 = sext(v3)\n    v5 = add(v4, 262208)\n    \
             v6: i8 = raw_load(0, v5) @m\n    branch v6, b, x(v3, v4)\nb:\n    raw_store(v0, v4, v6) @m\n    \
             v7 = add(v3, 1)\n    v8: i1 = lt(v7, v1)\n    branch v8, h(v7), y(v7)\ny(v9: i32):\n    v10: i64 = sext(v9)\n    \
             jump x(v9, v10)\nx(v11: i32, v12: i64):\n    return v11, v12\n}\n",
        );
        assert!(count > 0, "{text}");
    }
}
