//! Scalar evolution: what the values of a loop are in its n-th round, and how many rounds there are.
//!
//! The anchor is LLVM's `ScalarEvolution`. A value is a [chain of recurrences](super::recurrence) over
//! [expressions](super::expressions) of what the loop does not change, modulo its width: nothing is assumed of overflow.
//!
//! A variable of a loop is a parameter of its header. It has a chain when what it becomes is itself plus a value that has
//! one: `{a, +, chain}`. Variables depend on each other (a sum of a counter), so the operations of the loop are walked
//! again while another variable became known; each walk makes the degree higher by one, and degrees end at
//! [`DEGREE`]. O(size of the function * depth of loops).
//!
//! Of operations, those of the loop itself count, and not those of loops inside it: in one round of the outer loop they
//! have many values. What an inner loop makes, outer rounds know nothing of until a pass wrote its closed form.
//!
//! How often a loop goes back to its header is read from the test of an exit that every round comes to
//! (`trip_count.rs`, `trial.rs`, `bit_count.rs`): then the loop ends, at this exit or before; and if there is no other, after exactly so many
//! rounds. A loop of which that is not known may still be known to end (`termination.rs`).
//!
//! Handlers are no exits here: what it says of a loop in which something may leave for one is of no use. Nor are loops looked
//! at that are entered beside their header.

use hashbrown::HashMap;
use planish_base::SideTable;
use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Function, Inst, Value};
use planish_ops::{Int, Op};
use planish_pass::{Analyses, Analysis, Change, LoopInfo};
use rustc_hash::FxBuildHasher;

use super::evolution::{Count, Evolution, Exit, Tested};
use super::expressions::{Expr, Expressions};
use super::loop_context::{Loop, Variable};
use super::ranges::has_room;
use super::recurrence::{DEGREE, Recurrence};
use super::trip_count::{self, Order};
use super::wrapping;
use super::{bit_count, termination, trial};

/// What is known of the loops of a function.
pub struct ScalarEvolution {
    /// What everything is written in.
    pub expressions: Expressions,
    /// The loops, by their index in [`LoopInfo::all`].
    pub loops: Vec<Evolution>,
    /// The number of the block in which each value is made, by [`Cfg`]; none for constants.
    homes: SideTable<Value, Option<u32>>,
}

impl ScalarEvolution {
    /// The number of the block in which a value is made; `None` for constants and what cannot be reached.
    pub fn home(&self, value: Value) -> Option<u32> {
        self.homes[value]
    }
}

impl Analysis for ScalarEvolution {
    const NAME: &'static str = "scalar-evolution";
    const LOOKS_AT: Change = Change::Operations;

    fn of(f: &Function, analyses: &mut Analyses) -> Self {
        let (cfg, dominators) = (analyses.get::<Cfg>(f), analyses.get::<Dominators>(f));
        let loops = analyses.get::<LoopInfo>(f);
        let mut homes = SideTable::new();
        for (number, &block) in (0..).zip(cfg.order()) {
            f.block_params(block).iter().for_each(|&param| homes[param] = Some(number));
            for &inst in f.block_insts(block) {
                f.results(inst).for_each(|result| homes[result] = Some(number));
            }
        }
        let mut expressions = Expressions::default();
        let mut known: Vec<Evolution> = Vec::new();
        for index in 0..loops.all().len() as u32 {
            let cx = &mut Loop {
                f,
                cfg: &cfg,
                dominators: &dominators,
                loops: &loops,
                homes: &homes,
                index,
                before: &known,
                expressions: &mut expressions,
                variables: Vec::new(),
                tested: Vec::new(),
            };
            let evolution = cx.evolution();
            known.push(evolution);
        }
        ScalarEvolution { expressions, loops: known, homes }
    }
}

/// At most so many walks over a loop: one for each degree, one for variables that stay what they were, and the last,
/// which finds nothing new.
const WALKS: usize = DEGREE + 3;

/// What a value is, in terms of a variable that is not known yet: once that, or not at all, plus a chain.
#[derive(Clone)]
struct Form {
    variable: Option<Value>,
    chain: Recurrence,
}

type Forms = HashMap<Value, Form, FxBuildHasher>;

impl Loop<'_> {
    fn evolution(&mut self) -> Evolution {
        let l = &self.loops.all()[self.index as usize];
        let mut evolution = Evolution { exits: self.exits(), ..Evolution::default() };
        if l.irreducible || l.header == 0 || !self.f.entrances().is_empty() {
            return evolution;
        }
        self.variables = self.find_variables();
        self.chains(&mut evolution);
        self.wrapping(&mut evolution);
        evolution.tested = self.tested.iter().map(|&(_, tested)| tested).collect();
        evolution.ends = evolution.ends || termination::ends(self, &evolution);
        evolution
    }

    /// Finds the chains again where counters go to wider words, now that it is known which of them do not wrap.
    fn wrapping(&mut self, evolution: &mut Evolution) {
        let header = self.header();
        // What does not wrap is known by then: so are extensions, and what is made of them.
        for Exit { from, count, .. } in &evolution.exits {
            let Some(Count { rounds, tested, .. }) = *count else { continue };
            // The number of the round is a counter, too.
            let width = self.expressions.width(rounds);
            let (start, step) = (self.expressions.number(width, 0), Int::new(width, 1));
            // A counter that rises from a number that is not negative does so in no more rounds than its largest number.
            let rises = |counter: Tested| counter.signed && counter.step.signed() > 0;
            let signed =
                tested.is_some_and(|counter| rises(counter) && self.range_of(counter.start).lo() >= 0);
            let round = Tested { start, step, last: Some(rounds), signed, unsigned: true };
            self.tested.extend(tested.into_iter().chain([round]).map(|tested| (*from == header, tested)));
        }
        if !self.extends() {
            return;
        }
        for &Exit { from, call, .. } in &evolution.exits {
            if self.is_asked_always(from) {
                let kept = wrapping::kept(self, &evolution.values, self.cfg.block(from), call.block);
                for (value, tested) in kept {
                    self.tested.push((from == header, tested));
                    let step = self.expressions.constant(tested.step);
                    let before = self.expressions.sub(tested.start, step);
                    if self.has_a_step(before, tested.step, tested.signed) {
                        evolution.never_wraps.push((value, tested.signed));
                    }
                }
            }
        }
        if !self.tested.is_empty() {
            self.chains(evolution);
            self.in_range(evolution);
        }
    }

    /// Finds which counters have not wrapped where they are compared, and which do not in the first round.
    fn in_range(&mut self, evolution: &mut Evolution) {
        let linear = |chain: &Recurrence| chain.as_linear();
        for Variable { param, next, .. } in self.variables.clone() {
            let Some((start, step)) = evolution.values.get(&param).and_then(linear) else { continue };
            let Some(step) = self.expressions.as_constant(step) else { continue };
            for signed in [true, false] {
                let has_step = || step.signed().unsigned_abs() == 1 && self.has_a_step(start, step, signed);
                if has_room(self.range_of(start), step.signed().into(), signed) || has_step() {
                    evolution.first_steps.insert((next, signed));
                }
            }
        }
        for &number in &self.loops.all()[self.index as usize].own {
            for &inst in self.f.block_insts(self.cfg.block(number)) {
                let (op, args) = (self.f.inst(inst).op, self.f.args(inst));
                let kinds: &[bool] = match op {
                    Op::Lt | Op::Le | Op::Gt | Op::Ge => &[true],
                    Op::Ult | Op::Ule | Op::Ugt | Op::Uge => &[false],
                    Op::Eq | Op::Ne => &[true, false],
                    _ => continue,
                };
                for &value in args {
                    let Some((start, step)) = evolution.values.get(&value).and_then(linear) else { continue };
                    let Some(step) = self.expressions.as_constant(step) else { continue };
                    for &signed in kinds {
                        let way = if signed { Op::Sext } else { Op::Zext };
                        if step.width() > 1 && self.stays_in_range(way, start, step, number) {
                            evolution.in_range.insert((inst, value, signed));
                        }
                    }
                }
            }
        }
    }

    /// Finds the chains of values, and when the loop leaves at which exit.
    fn chains(&mut self, evolution: &mut Evolution) {
        let forms = self.forms();
        let known = forms.into_iter().filter(|(_, form)| form.variable.is_none());
        evolution.values = known.map(|(value, form)| (value, form.chain)).collect();
        for exit in &mut evolution.exits {
            if self.is_asked_always(exit.from) {
                let from = self.cfg.block(exit.from);
                let count = trip_count::count(self, &evolution.values, from, exit.call.block)
                    .or_else(|| trial::count(self, from, exit.call.block))
                    .or_else(|| bit_count::count(self, from, exit.call.block));
                (exit.count, exit.perhaps) = match count {
                    Some(count) if count.unless.is_some() => (None, Some(count)),
                    count => (count, None),
                };
            }
        }
        evolution.ends = evolution.exits.iter().any(|exit| exit.count.is_some());
        if let [Exit { count, .. }] = &*evolution.exits {
            evolution.rounds = count.map(|count| count.rounds);
        }
    }

    /// Whether every round comes to a block, once.
    pub(super) fn is_asked_always(&self, block: u32) -> bool {
        let l = &self.loops.all()[self.index as usize];
        let own = self.loops.innermost(block) == Some(self.index);
        own && l.latches.iter().all(|&latch| self.dominators.dominates(block, latch))
    }

    fn exits(&self) -> Vec<Exit> {
        let mut exits = Vec::new();
        for from in self.loops.blocks(self.index) {
            let calls = self.f.block_calls(self.cfg.block(from)).filter(|call| !self.inside(call.block));
            exits.extend(calls.map(|call| Exit { from, call, count: None, perhaps: None }));
        }
        exits
    }

    /// Whether any operation of the loop goes to a wider word.
    fn extends(&self) -> bool {
        let own = self.loops.all()[self.index as usize].own.iter();
        own.flat_map(|&number| self.f.block_insts(self.cfg.block(number)))
            .any(|&inst| matches!(self.f.inst(inst).op, Op::Zext | Op::Sext))
    }

    fn find_variables(&self) -> Vec<Variable> {
        let l = &self.loops.all()[self.index as usize];
        let header = self.cfg.block(l.header);
        let params = self.f.block_params(header);
        // Of each parameter, what comes from outside and from the loop; `Err` when that differs.
        let mut passed: Vec<[Option<Result<Value, ()>>; 2]> = vec![[None; 2]; params.len()];
        for &pred in self.cfg.preds().of(l.header) {
            if self.f.handlers(self.cfg.block(pred)).any(|(_, handler)| handler.block == header) {
                return Vec::new();
            }
            let side = usize::from(self.loops.contains(self.index, pred));
            for call in self.f.block_calls(self.cfg.block(pred)).filter(|call| call.block == header) {
                for (passed, &arg) in passed.iter_mut().zip(self.f.list(call.args)) {
                    let same = passed[side].is_none_or(|before| before == Ok(arg));
                    passed[side] = Some(if same { Ok(arg) } else { Err(()) });
                }
            }
        }
        let known = params.iter().zip(passed).filter_map(|(&param, passed)| match passed {
            [Some(Ok(start)), Some(Ok(next))] => Some(Variable { param, start, next }),
            _ => None,
        });
        known.collect()
    }

    fn forms(&mut self) -> Forms {
        let mut variables = self.variables.clone();
        variables.retain(|variable| self.f.ty(variable.param).int_width().is_some());
        let mut forms = Forms::default();
        for variable in &variables {
            let width = self.f.ty(variable.param).int_width().expect("an integer");
            let chain = Recurrence::invariant(self.expressions.number(width, 0));
            forms.insert(variable.param, Form { variable: Some(variable.param), chain });
        }
        for _ in 0..WALKS {
            self.walk(&mut forms);
            let before = variables.len();
            variables.retain(|variable| match self.solved(variable, &forms) {
                Some(chain) => {
                    forms.insert(variable.param, Form { variable: None, chain });
                    false
                }
                None => true,
            });
            if variables.len() == before {
                break;
            }
        }
        forms
    }

    /// The chain of a variable, if what it becomes is known.
    fn solved(&mut self, variable: &Variable, forms: &Forms) -> Option<Recurrence> {
        let start = self.expressions.value(self.f, variable.start)?;
        let Form { variable: of, chain } = self.form(variable.next, forms)?;
        match of {
            Some(other) if other == variable.param => chain.summed(self.expressions, start),
            Some(_) => None,
            None => match chain.as_linear() {
                // It is what that was a round before.
                Some((first, step)) if self.expressions.add(start, step) == first => {
                    Recurrence::invariant(step).summed(self.expressions, start)
                }
                _ => (chain.as_invariant() == Some(start)).then_some(chain),
            },
        }
    }

    /// What a value is, one from outside included.
    fn form(&mut self, value: Value, forms: &Forms) -> Option<Form> {
        if let Some(form) = forms.get(&value) {
            return Some(form.clone());
        }
        if self.varies(value) {
            return None;
        }
        let expr = self.expressions.value(self.f, value)?;
        Some(Form { variable: None, chain: Recurrence::invariant(expr) })
    }

    /// Walks over the operations of the loop, in an order in which operands come first.
    fn walk(&mut self, forms: &mut Forms) {
        for &number in &self.loops.all()[self.index as usize].own {
            for &inst in self.f.block_insts(self.cfg.block(number)) {
                if let Some(form) = self.operation(inst, number, forms) {
                    forms.insert(self.f.result(inst), form);
                }
            }
        }
    }

    fn operation(&mut self, inst: Inst, block: u32, forms: &Forms) -> Option<Form> {
        let op = self.f.inst(inst).op;
        match (op, self.f.args(inst)) {
            (Op::Add | Op::Sub, &[x, y]) => {
                let (x, y) = (self.form(x, forms)?, self.form(y, forms)?);
                let variable = match (x.variable, y.variable) {
                    (variable, None) => variable,
                    (None, variable) if op == Op::Add => variable,
                    _ => return None,
                };
                let chain = x.chain.plus(self.expressions, &y.chain, if op == Op::Sub { -1 } else { 1 })?;
                Some(Form { variable, chain })
            }
            (Op::Mul, &[x, y]) => {
                let (x, y) = (self.known(x, forms)?, self.known(y, forms)?);
                let product = x.product(self.expressions, &y);
                self.chain(product)
            }
            (Op::Lshift, &[x, y]) => {
                let (x, by) = (self.known(x, forms)?, self.f.int_constant(y)?);
                // The amount counts modulo the width.
                let factor = 1i64 << (by.unsigned() % u64::from(by.width()));
                self.scaled(&x, factor, 0)
            }
            (Op::Neg, &[x]) => {
                let x = self.known(x, forms)?;
                self.scaled(&x, -1, 0)
            }
            // ~x = -x - 1
            (Op::Not, &[x]) => {
                let x = self.known(x, forms)?;
                self.scaled(&x, -1, -1)
            }
            (Op::Trunc, &[x]) => {
                let x = self.known(x, forms)?;
                let width = self.f.ty(self.f.result(inst)).int_width()?;
                let low = x.truncated(self.expressions, width);
                self.chain(low)
            }
            (Op::Zext | Op::Sext, &[x]) => {
                let x = self.known(x, forms)?;
                let width = self.f.ty(self.f.result(inst)).int_width()?;
                let wide = self.extended(op, &x, width, block);
                self.chain(wide)
            }
            _ => None,
        }
    }

    /// The chain in a wider word that stands in a block.
    fn extended(&mut self, op: Op, chain: &Recurrence, width: u32, block: u32) -> Option<Recurrence> {
        if let Some(expr) = chain.as_invariant() {
            return Some(Recurrence::invariant(self.expressions.unary(op, expr, width)));
        }
        let (start, step) = chain.as_linear()?;
        let step = self.expressions.as_constant(step)?;
        // The step of one bit is up as well as down, so it says nothing of a wider word.
        if step.width() == 1 || !self.stays_in_range(op, start, step, block) {
            return None;
        }
        let start = self.expressions.unary(op, start, width);
        // It rises or falls by as much in the wider word, whatever kind of extension that is.
        let step = self.expressions.number(width, step.signed());
        Recurrence::invariant(step).summed(self.expressions, start)
    }

    /// Whether `{start, +, step}` does not wrap in the rounds in which a block is run, as a number of the kind that an
    /// extension reads.
    ///
    /// The chain is `d` ahead of a counter that does not wrap until the loop leaves. As integers,
    /// - with `d = 0` it is that counter;
    /// - behind it, it lies between its own start, if that is so in integers, and the counter: that it is so [the range of what it
    ///   begins with](Loop::range_of) says, and one step behind also what is known of its end alone;
    /// - ahead by at most a step, it lies between the counter in this round and in the next one, if there is one: where the
    ///   header tests, the other blocks are run only in rounds that are not the last.
    fn stays_in_range(&mut self, op: Op, start: Expr, step: Int, block: u32) -> bool {
        let inner = self.loops.all()[self.index as usize].header != block;
        for &(in_header, tested) in &self.tested {
            if tested.step != step {
                continue;
            }
            let difference = self.expressions.sub(start, tested.start);
            let Some(difference) = self.expressions.as_constant(difference) else { continue };
            let ahead = i128::from(difference.signed()) * i128::from(step.signed().signum());
            let difference = i128::from(difference.signed());
            let first = self.range_of(start);
            let integers = |signed: bool| has_room(first, -difference, signed);
            let kinds = [(tested.signed, true), (tested.unsigned, false)];
            let behind = ahead == -1 && step.signed().unsigned_abs() == 1;
            let [signed, unsigned] = kinds.map(|(known, signed)| {
                let within = match ahead {
                    0 => true,
                    ..0 => integers(signed) || behind && self.has_a_step(start, step, signed),
                    _ => in_header && inner && ahead <= i128::from(step.signed()).abs(),
                };
                known && within
            });
            // What rises from a number that is not negative has no sign.
            let rises = step.signed() > 0 && first.lo() >= 0;
            if if op == Op::Sext { signed } else { unsigned || signed && rises } {
                return true;
            }
        }
        false
    }

    /// Whether what something is first is no largest number, if it rises, and no smallest, if it falls.
    fn has_a_step(&self, start: Expr, step: Int, signed: bool) -> bool {
        let end = Order::new(step.width(), signed, step.signed() < 0).farthest();
        !self.may_be(start, end)
    }

    /// The chain of a value in which no unknown variable is.
    fn known(&mut self, value: Value, forms: &Forms) -> Option<Recurrence> {
        self.form(value, forms).filter(|form| form.variable.is_none()).map(|form| form.chain)
    }

    fn chain(&self, chain: Option<Recurrence>) -> Option<Form> {
        chain.map(|chain| Form { variable: None, chain })
    }

    /// `factor * x + sum`
    fn scaled(&mut self, x: &Recurrence, factor: i64, sum: i64) -> Option<Form> {
        let width = self.expressions.width(x.terms()[0]);
        let sum = Recurrence::invariant(self.expressions.number(width, sum));
        let scaled = sum.plus(self.expressions, x, factor);
        self.chain(scaled)
    }

    /// The chain of a value, one from outside included.
    pub(super) fn chain_of(
        &mut self,
        values: &HashMap<Value, Recurrence, FxBuildHasher>,
        value: Value,
    ) -> Option<Recurrence> {
        match values.get(&value) {
            Some(chain) => Some(chain.clone()),
            None if self.varies(value) => None,
            None => self.expressions.value(self.f, value).map(Recurrence::invariant),
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_base::Id;
    use planish_ir::text;

    use super::super::expressions::Node;
    use super::*;

    fn shown(expressions: &Expressions, expr: Expr) -> String {
        match expressions.node(expr) {
            Node::Constant(value) => value.signed().to_string(),
            Node::Value(value) => format!("v{}", value.index()),
            Node::Binary(op, x, y) => {
                format!("{}({}, {})", op.row().name, shown(expressions, x), shown(expressions, y))
            }
            Node::Unary(op, x) => format!("{}({})", op.row().name, shown(expressions, x)),
        }
    }

    /// The chains of the values of the only loop that have one, in order, and how many rounds it makes.
    fn analysed(source: &str) -> (Vec<String>, Option<String>) {
        let (module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors());
        let f = module.functions.values().next().expect("a function");
        let evolution = Analyses::new().get::<ScalarEvolution>(f);
        let [l] = evolution.loops.as_slice() else { panic!("one loop") };
        let mut values: Vec<_> = l.values.iter().collect();
        values.sort_unstable_by_key(|&(&value, _)| value);
        let chain = |(_, chain): (&Value, &Recurrence)| {
            let terms = chain.terms().iter().map(|&term| shown(&evolution.expressions, term));
            format!("{{{}}}", terms.collect::<Vec<_>>().join(", +, "))
        };
        (values.into_iter().map(chain).collect(), l.rounds.map(|n| shown(&evolution.expressions, n)))
    }

    fn counting(body: &str) -> (Vec<String>, Option<String>) {
        analysed(&format!(
            "func f(v0: i8, v1: i8) -> i8 {{\ne:\n    jump h(3, v1)\nh(v2: i8, v3: i8):\n{body}    v5 = add(v3, v4)\n    \
             v6 = add(v2, 2)\n    v7: i1 = lt(v6, 20)\n    branch v7, h(v6, v5), x\nx:\n    return v5\n}}\n"
        ))
    }

    #[test]
    fn counters_sums_and_sums_of_squares_are_chains() {
        let (chains, rounds) = counting("    v4 = sub(v2, v0)\n");
        assert!(chains.iter().any(|chain| chain == "{3, +, 2}"), "{chains:?}");
        assert!(
            chains.iter().any(|chain| chain.starts_with("{v1, +, ") && chain.ends_with(", +, 2}")),
            "{chains:?}"
        );
        assert_eq!(rounds.as_deref(), Some("8"));
        let (chains, _) = counting("    v4 = mul(v2, v2)\n");
        assert!(chains.iter().any(|chain| chain == "{v1, +, 9, +, 16, +, 8}"), "{chains:?}");
    }

    #[test]
    fn what_a_counter_was_a_round_before_is_a_chain() {
        let chains = |start: &str| {
            analysed(&format!(
                "func f(v0: i8, v1: i8) -> i8 {{\ne:\n    jump h(0, {start})\nh(v2: i8, v3: i8):\n    \
                 v6 = add(v2, 2)\n    v5 = add(v6, v0)\n    v7: i1 = lt(v6, 20)\n    branch v7, h(v6, v5), x\nx:\n    \
                 return v3\n}}\n"
            ))
            .0
            .len()
        };
        assert_eq!(chains("v0"), chains("v1") + 1, "one begins with something else");
    }

    #[test]
    fn what_is_multiplied_each_round_has_no_chain() {
        let (chains, rounds) = counting("    v4 = mul(v3, 3)\n");
        assert_eq!((chains.len(), rounds.as_deref()), (2, Some("8")), "{chains:?}");
    }

    #[test]
    fn a_bound_that_is_not_known_is_part_of_the_count() {
        let (_, rounds) = analysed(
            "func f(v0: i64) -> i64 {\ne:\n    jump h(0)\nh(v1: i64):\n    v2: i1 = lt(v1, v0)\n    \
             branch v2, b, x\nb:\n    v3 = add(v1, 1)\n    jump h(v3)\nx:\n    return v1\n}\n",
        );
        assert_eq!(rounds.as_deref(), Some("max(v0, 0)"));
    }

    #[test]
    fn what_an_exception_brings_to_a_loop_is_not_known() {
        let source = "callee @g raises\nfunc f(v0: i64, v7: ref, v9: i1) -> i64 {\ne:\n    branch v9, a, b\na:\n    jump h(v7, 0)\n\
                      b:\n    call(v0) @g else to(v0) [*: h]\n    return 1\nh(v1: ref, v2: i64):\n    v3 = add(v2, 1)\n    \
                      v4: i1 = lt(v3, 10)\n    branch v4, h(v1, v3), x\nx:\n    return v3\n}\n";
        assert_eq!(analysed(source), (vec![], None));
        let (_, rounds) = analysed(
            &source.replace("*: h", "*: y").replace("\n}", "\ny(v8: ref, v6: i64):\n    return v6\n}"),
        );
        assert_eq!(rounds.as_deref(), Some("9"));
    }

    #[test]
    fn a_loop_with_two_ways_in_is_left_alone() {
        let (chains, rounds) = analysed(
            "func f(v0: i64) -> i64 {\ne:\n    branch v0, a(0), b(1)\na(v1: i64):\n    v2 = add(v1, 1)\n    \
             jump b(v2)\nb(v3: i64):\n    v4 = add(v3, 1)\n    v5: i1 = lt(v4, 9)\n    branch v5, a(v4), x\nx:\n    \
             return v3\n}\n",
        );
        assert_eq!((chains, rounds), (vec![], None));
    }
}
