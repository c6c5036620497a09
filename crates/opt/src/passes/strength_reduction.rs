//! Strength reduction of induction variables with linear function test replacement (Allen, Cocke and Kennedy 1981): a
//! product of a counter becomes a sum of its own.
//!
//! ```text
//! h(i): ... m = mul(i, 12) ...          h(i, m): ...
//!       j = add(i, 1)           becomes          n = add(m, 12); j = add(i, 1)
//!       branch lt(j, 100), h(j)                  branch lt(j, 100), h(j, n)
//! ```
//!
//! A *counter* (an induction variable) is a variable of a loop to which each round adds the same constant. A value `k*i + c + b`, `i`
//! a counter, `k` and `c` constants and `b` from outside, is a counter itself: it begins with that of the first
//! `i`, and `k` times the step is added. All of that holds modulo the width, so nothing has to be known of
//! ranges.
//!
//! It is done where it pays in the prices of the dialect: what then is unused in the loop costs more than one
//! sum, and what is computed in front no more than is saved in one round; the value is computed in every
//! round already. If then the counter is left with nothing but its own test, the test is made of the new
//! one, and the counter goes: `lt(j, 100)` becomes `lt(n, 1200)`. There ranges matter, and both counters have
//! to begin with constants and stay within the width all the way to the end.
//!
//! O(size of the function), and once more for each value that is replaced, at most [`VALUES`].

use hashbrown::HashMap;
use planish_base::{Budget, SideTable, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Def, Function, Inst, Location, Terminator, Value};
use planish_ops::{Int, Op};
use rustc_hash::FxBuildHasher;

use super::global_code_motion::{put_blocks_in_front_of_loops, take_back_empty};
use planish_pass::LoopInfo;
use planish_pass::{Became, Example, FunctionPass, PassCx, PassInfo, PassOption, Price};

/// At most so many values that are replaced in a function.
pub const VALUES: PassOption =
    PassOption::new("values", 64, "the most values that are replaced in a function");

/// Reduces strength.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["strength"],
        source: "Allen, Cocke and Kennedy, \"Reduction of Operator Strength\", 1981",
        handlers: false,
        analyses: &["edges", "dominators", "loops"],
        options: &[&VALUES],
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
    let cfg = cx.get::<Cfg>(f);
    let dominators = cx.get::<Dominators>(f);
    let loops = cx.get::<LoopInfo>(f);
    let mut stands: SideTable<Inst, Option<Block>> = SideTable::new();
    f.live_insts().for_each(|(block, inst)| stands[inst] = Some(block));
    let mut used = uses(f);
    let mut budget = Budget::new("values replaced by strength-reduction", cx.option(&VALUES));
    for (index, l) in (0..).zip(loops.all()) {
        let header = cfg.block(l.header);
        let mut outside = cfg.preds().of(l.header).iter().filter(|&&pred| !loops.contains(index, pred));
        let (Some(&front), None) = (outside.next(), outside.next()) else { continue };
        let front = cfg.block(front);
        if l.irreducible || l.header == 0 || f.block_calls(front).count() != 1 {
            continue;
        }
        let every_round = |block: u32| l.latches.iter().all(|&latch| dominators.dominates(block, latch));
        let blocks: Vec<(Block, bool)> =
            l.own.iter().map(|&number| (cfg.block(number), every_round(number))).collect();
        let latches: Vec<Block> = l.latches.iter().map(|&latch| cfg.block(latch)).collect();
        let contains = |block: Block| cfg.number(block).is_some_and(|number| loops.contains(index, number));
        let (price, blocks, latches) = (cx.target.price, &*blocks, &*latches);
        loop {
            let mut round = Round {
                f,
                price,
                header,
                front,
                blocks,
                contains: &contains,
                latches,
                stands: &mut stands,
                uses: &used,
            };
            if !round.once(cx, &mut budget) {
                break;
            }
            used = uses(f);
        }
    }
    cx.record.note_budget(&budget);
    take_back_empty(f, cx, &fronts);
}

/// A variable to which each round adds a constant.
#[derive(Clone, Copy)]
struct Counter {
    param: Value,
    /// What it is in the next round.
    next: Value,
    start: Value,
    step: Int,
}

/// The forms of values: hashed, as loops are many and small.
type Forms = HashMap<Value, Form, FxBuildHasher>;

/// `factor * counter + sum + base`, modulo the width.
#[derive(Clone, Copy)]
struct Form {
    /// Which counter.
    counter: usize,
    factor: Int,
    sum: Int,
    base: Option<Value>,
}

/// One loop.
struct Round<'a> {
    f: &'a mut Function,
    price: Price<'a>,
    header: Block,
    /// The only block from outside that goes to the header, and nowhere else.
    front: Block,
    /// The blocks in reverse postorder, those of loops inside left out, and whether every round comes to them.
    blocks: &'a [(Block, bool)],
    /// Whether a block is in the loop.
    contains: &'a dyn Fn(Block) -> bool,
    latches: &'a [Block],
    stands: &'a mut SideTable<Inst, Option<Block>>,
    /// How often every value is used.
    uses: &'a SideTable<Value, u32>,
}

/// How often every value is used in a function.
fn uses(f: &Function) -> SideTable<Value, u32> {
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

/// Operations modulo the width of the first.
fn plus(x: Int, y: Int) -> Int {
    Int::new(x.width(), x.unsigned().wrapping_add(y.unsigned()))
}

fn times(x: Int, y: Int) -> Int {
    Int::new(x.width(), x.unsigned().wrapping_mul(y.unsigned()))
}

fn minus(x: Int) -> Int {
    Int::new(x.width(), x.unsigned().wrapping_neg())
}

impl Round<'_> {
    /// Replaces one value. Whether there was one worth it.
    fn once(&mut self, cx: &mut PassCx<'_>, budget: &mut Budget) -> bool {
        let counters = self.counters();
        if counters.is_empty() {
            return false;
        }
        let (forms, order) = self.forms(&counters);
        let uses = self.uses;
        // From the last: what it is made of goes with it.
        for &value in order.iter().rev() {
            let Some(&form) = forms.get(&value) else { continue };
            let counter = counters[form.counter];
            if uses[value] == 0 || counters.iter().any(|counter| counter.next == value) {
                continue;
            }
            let test = self.test_that_can_change(&counters, &forms, uses, form, value);
            let saved = self.saved(value, &forms, uses) + test.map_or(0, |_| self.cost(Op::Add));
            let front = self.cost_in_front(counter, form);
            // Only what surely runs pays for what is computed in front.
            let surely = self.stands_in_header(value);
            if saved <= self.cost(Op::Add) || front > if surely { saved - self.cost(Op::Add) } else { 0 } {
                continue;
            }
            let is = Became::Value { of: value, is: counter.param };
            if !budget.take(1) || !cx.rewrite_somewhere(is) {
                return false;
            }
            let made = self.replace(counter, form, value);
            if let Some(test) = test {
                self.change(test, form, made);
            }
            return true;
        }
        false
    }

    fn stands_in_header(&self, value: Value) -> bool {
        self.f.def_inst(value).is_some_and(|inst| self.stands[inst] == Some(self.header))
    }

    fn cost(&self, op: Op) -> u32 {
        (self.price)(op).unwrap_or(1)
    }

    fn inside(&self, value: Value) -> bool {
        let home = match self.f.def(value) {
            Def::Const(_) => None,
            Def::Param(block, _) => Some(block),
            Def::Result(inst, _) => self.stands[inst],
        };
        home.is_some_and(self.contains)
    }

    /// The arguments that a block passes to the header, the same on all its edges there.
    fn passed(&self, from: Block, position: usize) -> Option<Value> {
        let mut calls = self.f.block_calls(from).filter(|call| call.block == self.header);
        let first = self.f.list(calls.next()?.args)[position];
        calls.all(|call| self.f.list(call.args)[position] == first).then_some(first)
    }

    fn counters(&self) -> Vec<Counter> {
        let f = &*self.f;
        let params = f.block_params(self.header).iter().enumerate();
        let counter = |(position, &param): (usize, &Value)| {
            f.ty(param).int_width()?;
            let next = self.passed(self.latches[0], position)?;
            let same = self.latches.iter().all(|&latch| self.passed(latch, position) == Some(next));
            let inst = f.def_inst(next).filter(|_| same)?;
            let step = match (f.inst(inst).op, f.args(inst)) {
                (Op::Add, &[x, y]) if x == param => f.int_constant(y)?,
                (Op::Add, &[x, y]) if y == param => f.int_constant(x)?,
                (Op::Sub, &[x, y]) if x == param => minus(f.int_constant(y)?),
                _ => return None,
            };
            Some(Counter { param, next, start: self.passed(self.front, position)?, step })
        };
        params.filter_map(counter).collect()
    }

    /// What values of the loop are in terms of counters; those that operations make in order.
    fn forms(&self, counters: &[Counter]) -> (Forms, Vec<Value>) {
        let f = &*self.f;
        let mut forms = Forms::default();
        for (index, counter) in counters.iter().enumerate() {
            let width = counter.step.width();
            let (factor, sum) = (Int::new(width, 1), Int::new(width, 0));
            forms.insert(counter.param, Form { counter: index, factor, sum, base: None });
        }
        let mut order = Vec::new();
        for &(block, every_round) in self.blocks {
            for &inst in f.block_insts(block) {
                let row = f.row(inst);
                if row.results.len() != 1 || f.inst(inst).exit.is_some() {
                    continue;
                }
                let result = f.result(inst);
                let form = self.form(f.inst(inst).op, f.args(inst), &forms);
                let Some(form) = form.filter(|form| f.ty(result).int_width() == Some(form.sum.width()))
                else {
                    continue;
                };
                forms.insert(result, form);
                if every_round {
                    order.push(result);
                }
            }
        }
        (forms, order)
    }

    fn form(&self, op: Op, args: &[Value], forms: &Forms) -> Option<Form> {
        let constant = |value: Value| self.f.int_constant(value);
        let outside = |value: Value| constant(value).is_none() && !self.inside(value);
        let known = |value: Value| forms.get(&value).copied();
        let add = |x: Form, y: Form| {
            let base = match (x.base, y.base) {
                (base, None) | (None, base) => base,
                _ => return None,
            };
            let sums = Form { factor: plus(x.factor, y.factor), sum: plus(x.sum, y.sum), base, ..x };
            (x.counter == y.counter).then_some(sums)
        };
        let scale = |x: Form, k: Int| {
            let scaled = Form { factor: times(x.factor, k), sum: times(x.sum, k), ..x };
            x.base.is_none().then_some(scaled)
        };
        match (op, args) {
            (Op::Add, &[x, y]) => match (known(x), known(y)) {
                (Some(x), Some(y)) => add(x, y),
                (Some(form), None) | (None, Some(form)) => {
                    let other = if known(x).is_some() { y } else { x };
                    match constant(other) {
                        Some(k) => Some(Form { sum: plus(form.sum, k), ..form }),
                        None if form.base.is_none() && outside(other) => {
                            Some(Form { base: Some(other), ..form })
                        }
                        None => None,
                    }
                }
                (None, None) => None,
            },
            (Op::Sub, &[x, y]) => match (known(x), known(y)) {
                (Some(x), Some(y)) => add(x, scale(y, minus(Int::new(y.sum.width(), 1)))?),
                (Some(form), None) => Some(Form { sum: plus(form.sum, minus(constant(y)?)), ..form }),
                (None, Some(form)) => {
                    let negated = scale(form, minus(Int::new(form.sum.width(), 1)))?;
                    Some(Form { sum: plus(negated.sum, constant(x)?), ..negated })
                }
                (None, None) => None,
            },
            (Op::Mul, &[x, y]) => match (known(x), known(y)) {
                (Some(form), None) => scale(form, constant(y)?),
                (None, Some(form)) => scale(form, constant(x)?),
                _ => None,
            },
            (Op::Lshift, &[x, y]) => {
                let (form, by) = (known(x)?, constant(y)?);
                // The amount counts modulo the width.
                let by = by.unsigned() % u64::from(form.sum.width());
                scale(form, Int::new(form.sum.width(), 1 << by))
            }
            (Op::Neg, &[x]) => known(x).and_then(|form| scale(form, minus(Int::new(form.sum.width(), 1)))),
            _ => None,
        }
    }

    /// The operations that are for nothing when a value is known otherwise, itself first.
    fn for_nothing(&self, value: Value, forms: &Forms, uses: &SideTable<Value, u32>) -> Vec<Inst> {
        let mut gone = Vec::new();
        let mut lost: HashMap<Value, u32, FxBuildHasher> = HashMap::default();
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            let Some(inst) = self.f.def_inst(value).filter(|_| forms.contains_key(&value)) else { continue };
            gone.push(inst);
            for &arg in self.f.args(inst) {
                let lost = lost.entry(arg).or_default();
                *lost += 1;
                if *lost == uses[arg] {
                    work.push(arg);
                }
            }
        }
        gone
    }

    fn saved(&self, value: Value, forms: &Forms, uses: &SideTable<Value, u32>) -> u32 {
        self.for_nothing(value, forms, uses).iter().map(|&inst| self.cost(self.f.inst(inst).op)).sum()
    }

    /// What it costs to compute the first value in front of the loop.
    fn cost_in_front(&self, counter: Counter, form: Form) -> u32 {
        let zero = |value: Option<Int>| value.is_some_and(|value| !value.is_true());
        let known = self.f.int_constant(counter.start).map(|start| plus(times(start, form.factor), form.sum));
        let base = if form.base.is_some() && !zero(known) { self.cost(Op::Add) } else { 0 };
        if known.is_some() {
            return base;
        }
        let product = if form.factor.unsigned() == 1 { 0 } else { self.cost(Op::Mul) };
        base + product + if form.sum.is_true() { self.cost(Op::Add) } else { 0 }
    }

    /// Appends an operation to a block.
    fn append(&mut self, block: Block, op: Op, x: Value, y: Value) -> Value {
        let ty = self.f.ty(x);
        let inst = self.f.make_inst(op, &[x, y], &[ty], None, None, Location::default());
        self.f.append_inst(block, inst);
        self.stands[inst] = Some(block);
        self.f.result(inst)
    }

    /// Makes a value a counter of its own: that, and what it is in the next round.
    fn replace(&mut self, counter: Counter, form: Form, value: Value) -> (Value, Value) {
        let ty = self.f.ty(value);
        let mut start = match self.f.int_constant(counter.start) {
            Some(start) => self.f.make_constant(plus(times(start, form.factor), form.sum)),
            None => {
                let mut start = counter.start;
                if form.factor.unsigned() != 1 {
                    let factor = self.f.make_constant(form.factor);
                    start = self.append(self.front, Op::Mul, start, factor);
                }
                if form.sum.is_true() {
                    let sum = self.f.make_constant(form.sum);
                    start = self.append(self.front, Op::Add, start, sum);
                }
                start
            }
        };
        if let Some(base) = form.base {
            let nothing = self.f.int_constant(start).is_some_and(|start| !start.is_true());
            start = if nothing { base } else { self.append(self.front, Op::Add, start, base) };
        }
        let param = self.f.add_param(self.header, ty);
        let mut step = times(counter.step, form.factor);
        if fault!("strength-reduction: the step is not multiplied") {
            step = counter.step;
        }
        let step = self.f.make_constant(step);
        let inst = self.f.def_inst(value).expect("an operation makes it");
        let home = self.stands[inst].expect("it stands somewhere");
        // In the place of the value, so that it comes before every use of what is next.
        let sum = self.f.make_inst(Op::Add, &[param, step], &[ty], None, None, Location::default());
        self.stands[sum] = Some(home);
        let mut insts = self.f.replace_insts(home, Vec::new());
        let position = insts.iter().position(|&other| other == inst).expect("it stands there");
        insts[position] = sum;
        self.f.replace_insts(home, insts);
        let next = self.f.result(sum);
        self.f.map_uses(|other| if other == value { param } else { other });
        let latches = self.latches;
        for &block in latches {
            self.pass(block, next);
        }
        self.pass(self.front, start);
        (param, next)
    }

    /// Passes one more argument to the header.
    fn pass(&mut self, from: Block, value: Value) {
        let mut terminator = self.f.take_terminator(from);
        for call in terminator.calls_mut().filter(|call| call.block == self.header) {
            let args: Vec<Value> = self.f.list(call.args).iter().copied().chain([value]).collect();
            *call = self.f.make_call(call.block, &args);
        }
        self.f.set_terminator(from, terminator);
    }
}

/// The test of a loop, of a counter that is for nothing else.
#[derive(Clone, Copy)]
struct Test {
    inst: Inst,
    op: Op,
    /// Whether it is the counter's next value that is tested.
    next: bool,
    bound: Int,
}

impl Round<'_> {
    /// The loop's test, if it can be made of `value` in the place of its counter, and the counter then goes.
    fn test_that_can_change(
        &self,
        counters: &[Counter],
        forms: &Forms,
        uses: &SideTable<Value, u32>,
        form: Form,
        value: Value,
    ) -> Option<Test> {
        let f = &*self.f;
        let counter = counters[form.counter];
        let start = f.int_constant(counter.start).filter(|_| form.base.is_none())?;
        let &[latch] = self.latches else { return None };
        let Terminator::Branch { condition, then, other } = *f.terminator(latch) else { return None };
        let back = then.block == self.header;
        if back == (other.block == self.header) {
            return None;
        }
        let inst = f.def_inst(condition).filter(|&inst| self.stands[inst].is_some())?;
        let (mut op, &[mut x, mut y]) = (f.inst(inst).op, f.args(inst)) else { return None };
        if f.int_constant(x).is_some() {
            (op, x, y) = (op.swapped()?, y, x);
        }
        let bound = f.int_constant(y)?;
        if x != counter.param && x != counter.next || uses[condition] != 1 {
            return None;
        }
        let next = x == counter.next;
        // What uses the counter beside the test: its own sum, and what the value is made of.
        let gone = self.for_nothing(value, forms, uses);
        let of = |value: Value| {
            gone.iter().flat_map(|&inst| f.args(inst)).filter(|&&arg| arg == value).count() as u32
        };
        let test_uses = |next_one: bool| u32::from(next == next_one);
        let alone = uses[counter.param] == 1 + of(counter.param) + test_uses(false)
            && uses[counter.next] == 1 + of(counter.next) + test_uses(true);
        let step = i128::from(counter.step.signed());
        // The values for which the loop goes on lie between the first one and the last.
        let goes_on = if back { op } else { op.row().negated? };
        let (first, bound_at) = (i128::from(start.signed()), i128::from(bound.signed()));
        let last = match (goes_on, step.signum()) {
            (Op::Lt, 1) => bound_at - 1,
            (Op::Le, 1) => bound_at,
            (Op::Gt, -1) => bound_at + 1,
            (Op::Ge, -1) => bound_at,
            (Op::Ne, sign) if sign != 0 => {
                let tested = first + if next { step } else { 0 };
                let away = bound_at - tested;
                if away % step != 0 || away.signum() == -sign {
                    return None;
                }
                bound_at - step
            }
            _ => return None,
        };
        // What the counter can be at the test and behind its sum, the first round and the last included.
        let reach = [first, first + step, last, last + step, last + 2 * step, bound_at];
        let width = bound.width();
        let fits = |value: i128| {
            let limit = 1i128 << (width - 1);
            (-limit..limit).contains(&value)
        };
        let (factor, sum) = (i128::from(form.factor.signed()), i128::from(form.sum.signed()));
        let image = |value: i128| value.checked_mul(factor).and_then(|product| product.checked_add(sum));
        let all_fit = reach.iter().all(|&value| fits(value) && image(value).is_some_and(fits));
        (alone && all_fit && factor != 0).then_some(Test { inst, op, next, bound })
    }

    /// Makes the test one of the new counter, at the end of the loop, where that is known.
    fn change(&mut self, test: Test, form: Form, (param, next): (Value, Value)) {
        let falls = form.factor.signed() < 0 && !fault!("strength-reduction: a test is never turned");
        let op = if falls { test.op.swapped().unwrap_or(test.op) } else { test.op };
        let bound = self.f.make_constant(plus(times(test.bound, form.factor), form.sum));
        let tested = if test.next { next } else { param };
        self.f.rewrite_inst(test.inst, op, &[tested, bound]);
        let (home, latch) = (self.stands[test.inst].expect("it stands somewhere"), self.latches[0]);
        let mut insts = self.f.replace_insts(home, Vec::new());
        insts.retain(|&other| other != test.inst);
        self.f.replace_insts(home, insts);
        self.f.append_inst(latch, test.inst);
        self.stands[test.inst] = Some(latch);
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
        assert!(!text.contains("mul") && text.contains("lt(v7, v1)"), "{text}");
    }

    #[test]
    fn a_bound_that_would_overflow_leaves_the_test() {
        let (_, text) = reduced(&counting("    v4 = mul(v2, 1152921504606846976)\n", "lt(v6, 100)"));
        assert!(text.contains(", 100)"), "{text}");
    }

    #[test]
    fn a_falling_value_turns_the_test() {
        let (_, text) = reduced(&counting("    v8 = mul(v2, -3)\n    v4 = add(v8, 7)\n", "lt(v6, 10)"));
        assert!(text.contains("gt(") && text.contains("-23"), "{text}");
    }

    #[test]
    fn a_sum_alone_is_no_gain() {
        assert_eq!(reduced(&counting("    v4 = add(v2, v1)\n", "lt(v6, v0)")).0, 0);
    }
}
