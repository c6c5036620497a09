//! The linear engine: a single-pass optimizer over a control-flow graph (PyPy's trace optimizer, Ardö, Bolz and
//! Fijałkowski 2012; Cranelift's `egraph` pass without the e-graph): one forward walk, each operation through
//! everything that is known.
//!
//! The shape is that of PyPy's trace optimizer ("a simple optimizer for sequences of operations"), over a
//! control-flow graph: operations are visited once, in dominance order; an operation is either emitted or
//! an equality takes its place; operands are resolved when an operation is reached, so every later
//! operation that an equality's origin dominates sees it. New operations go through the same steps when
//! they are made.
//!
//! For an operation without effects the order of attempts is: constants fold; an equal operation was made
//! before; the algebra columns. A guard is decided by its condition, and teaches it to what follows; so
//! does each edge of a branch, to the blocks that only it reaches. Effects keep their order. After the
//! walk, blocks that were not entered and operations that nothing uses go.
//!
//! Cost: near-linear in the size of the function. All tables are kept between functions; a run allocates
//! only when a function is larger than those before.
//!
//! What the walk does not do: look back. What a loop's end says about its head is not known when the head
//! is visited, but for integer facts, which are found before (see `loops`).

pub mod config;
pub mod stage;

mod algebra;
mod backward_facts;
mod blocks;
mod calls;
pub(crate) mod control;
mod dead;
pub(crate) mod facts;
mod flow;
pub(crate) mod imports;
mod loop_facts;
pub(crate) mod numbering;
pub(crate) mod pure;
pub(crate) mod refs;
mod replacement;
mod rules;
mod terminators;
pub(crate) mod uses;
pub(crate) mod walk;

use planish_base::{Budget, SideTable};
use planish_domain::IntFact;
use planish_ir::{Block, Exit, Function, Inst, Location, Value};
use planish_ops::world::{Characters, World};
use planish_ops::{Int, Op, Type};

use crate::engine::config::{Config, Features};
use crate::engine::control::{Join, Lesson};
use crate::engine::dead::Dead;
use crate::engine::facts::Facts;
use crate::engine::imports::Imports;
use crate::engine::loop_facts::Loops;
use crate::engine::numbering::Numbering;
use crate::engine::refs::{Known, Refs};
use crate::engine::replacement::Forwarding;
use crate::engine::stage::Stage;
use crate::engine::uses::Uses;
use crate::engine::walk::Walk;
use planish_pass::record::{Became, Kind, Record, Site};

/// How many operations a single one may be rewritten to before the engine emits what it has.
pub const REWRITES_OF_ONE_OPERATION: u64 = 64;

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Whether anything was rewritten.
    pub changed: bool,
    /// The first operation that was found to leave always, if there is one: in a trace, the loop is
    /// invalid.
    pub fails: Option<Inst>,
    /// How many operations rules made.
    pub made: u64,
}

/// What was known when a block was entered.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub equalities: usize,
    pub numbers: usize,
    pub facts: usize,
    pub refs: usize,
}

/// The memory of the engine, kept between functions.
#[derive(Default)]
pub struct Engine {
    pub(crate) walk: Walk,
    pub(crate) forwarding: Forwarding,
    pub(crate) numbering: Numbering,
    pub(crate) facts: Facts,
    pub(crate) refs: Refs,
    /// What is known of the references that came to a parameter so far.
    pub(crate) incoming_refs: SideTable<Value, Option<Known>>,
    pub(crate) uses: Uses,
    pub(crate) loops: Loops,
    pub(crate) loops_known: bool,
    /// Whether the function was there before the walk: what comes around its loops can be seen.
    pub(crate) whole: bool,
    /// What is known of the arguments that came to a parameter so far.
    pub(crate) incoming: SideTable<Value, Option<IntFact>>,
    pub(crate) joins: SideTable<Value, Join>,
    pub(crate) lessons: SideTable<Block, Option<Lesson>>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) dead: Dead,
    /// Strings that were computed and are no symbols yet: they are numbered behind those of the world.
    pub(crate) new_texts: Vec<Characters>,
    /// What a loop may use from before it.
    pub(crate) imports: Imports,
    spare: Vec<Inst>,
    pub(crate) scratch: Vec<Value>,
}

impl Engine {
    /// An engine without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the strings that became constants, before the first run on another function. A later run on the same
    /// function finds constants in it that an earlier one made.
    pub fn forget_texts(&mut self) {
        self.new_texts.clear();
    }

    /// The strings that the runs on a function made constants of, in the order of their numbers: those from
    /// [`World::next_symbol`] on.
    pub fn new_texts(&self) -> &[Characters] {
        &self.new_texts
    }

    /// Optimizes a function in place.
    pub fn run(
        &mut self,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        config: &Config<'_>,
    ) -> Summary {
        self.run_with(f, world, record, config, &mut ())
    }

    /// Optimizes a function in place, with a stage in the walk.
    pub fn run_with<S: Stage + ?Sized>(
        &mut self,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        config: &Config<'_>,
        stage: &mut S,
    ) -> Summary {
        let before = record.total();
        let at = self.begin(f, config, stage, true);
        let mut cx = self.resume(f, world, record, config, at);
        cx.walk(stage);
        cx.remove_unreachable();
        let (fails, made) = (cx.fails, cx.made.used());
        let at = cx.suspend();
        self.end(f, world, record, config.features, at);
        Summary { changed: record.total() != before, fails, made }
    }

    /// Forgets the function before and begins with one. Of one that is not `whole` yet nothing is found out
    /// before the walk.
    pub(crate) fn begin<S: Stage + ?Sized>(
        &mut self,
        f: &Function,
        config: &Config<'_>,
        stage: &mut S,
        whole: bool,
    ) -> Suspended {
        self.forwarding.clear();
        self.numbering.clear();
        self.facts.clear();
        self.refs.clear();
        self.incoming_refs.clear();
        self.incoming.clear();
        self.joins.clear();
        self.lessons.clear();
        self.imports.clear();
        self.marks.clear();
        self.walk.start(f);
        self.whole = whole;
        self.loops_known = whole
            && config.features.facts
            && config.features.control
            && !config.features.plain
            && !self.walk.flow.back.is_empty()
            && self.loops.find(f, &mut self.walk);
        if whole && config.features.facts && !self.walk.flow.back.is_empty() {
            self.walk.restart(f);
        }
        self.dead.start(f);
        if config.features.rules {
            self.uses.count(f);
        }
        stage.start(f);
        Suspended {
            features: config.features,
            out: std::mem::take(&mut self.spare),
            budget: Budget::new("rewrites of one operation", REWRITES_OF_ONE_OPERATION),
            made: Budget::new("operations made by rules", config.most_made),
            work: Budget::new("operations looked at", config.work),
            last_exit: None,
            fails: None,
        }
    }

    /// Goes on with the function that was begun with.
    pub(crate) fn resume<'a>(
        &'a mut self,
        f: &'a mut Function,
        world: &'a dyn World,
        record: &'a mut Record,
        config: &'a Config<'a>,
        at: Suspended,
    ) -> Cx<'a> {
        let Suspended { features, out, budget, made, work, last_exit, fails } = at;
        Cx { f, world, record, engine: self, config, features, out, budget, made, work, last_exit, fails }
    }

    /// Ends with a function whose blocks were all visited.
    pub(crate) fn end(
        &mut self,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        features: Features,
        at: Suspended,
    ) {
        for budget in [&at.budget, &at.made, &at.work] {
            record.note_budget(budget);
        }
        self.spare = at.out;
        if features.dead {
            self.dead.run(f, world, record);
        }
    }
}

/// A walk between two operations: what [`Cx`] holds besides the engine.
#[derive(Default)]
pub(crate) struct Suspended {
    features: Features,
    out: Vec<Inst>,
    budget: Budget,
    made: Budget,
    work: Budget,
    last_exit: Option<Exit>,
    pub(crate) fails: Option<Inst>,
}

impl Suspended {
    /// How many instructions the block at hand has.
    pub fn emitted(&self) -> usize {
        self.out.len()
    }
}

/// The engine at work on one function: what a stage may ask and do.
pub struct Cx<'a> {
    /// The function.
    pub f: &'a mut Function,
    /// What its descriptors stand for.
    pub world: &'a dyn World,
    /// The record of rewrites.
    pub record: &'a mut Record,
    pub(crate) engine: &'a mut Engine,
    pub(crate) features: Features,
    pub(crate) config: &'a Config<'a>,
    /// The instructions of the current block so far.
    pub(crate) out: Vec<Inst>,
    pub(crate) budget: Budget,
    /// What rules may still make: without a limit, rules that make more than they take could grow a
    /// program without end.
    pub(crate) made: Budget,
    /// How many operations may still be looked at.
    pub(crate) work: Budget,
    pub(crate) last_exit: Option<Exit>,
    pub(crate) fails: Option<Inst>,
}

impl Cx<'_> {
    /// Stops between two operations.
    pub(crate) fn suspend(self) -> Suspended {
        let Cx { features, out, budget, made, work, last_exit, fails, .. } = self;
        Suspended { features, out, budget, made, work, last_exit, fails }
    }

    // ---- For the stage and the engine alike ---------------------------------------------------------

    /// The value that stands for `value` here.
    pub fn resolve(&mut self, value: Value) -> Value {
        self.engine.forwarding.resolve(value)
    }

    /// The same, without compressing paths.
    pub(crate) fn peek(&self, value: Value) -> Value {
        self.engine.forwarding.peek(value)
    }

    /// The instructions of the current block so far.
    pub(crate) fn emitted(&self) -> &[Inst] {
        &self.out
    }

    /// The integer constant that `value` is here.
    pub fn int(&mut self, value: Value) -> Option<Int> {
        let value = self.resolve(value);
        self.f.int_constant(value)
    }

    /// What is known of an integer value here.
    pub fn fact(&mut self, value: Value) -> IntFact {
        let value = self.resolve(value);
        self.engine.facts.of(self.f, value)
    }

    /// Says what holds of an integer value from here on: in this block and what it dominates.
    pub fn sharpen(&mut self, value: Value, taught: IntFact) {
        let value = self.resolve(value);
        if self.features.facts && self.f.constant(value).is_none() {
            let known = self.engine.facts.of(self.f, value);
            let sharper = known.meet(taught);
            // Where both cannot be, control does not get here, and nothing need be known.
            if sharper != known && !sharper.is_bottom() {
                self.engine.facts.sharpen(value, sharper);
            }
        }
    }

    /// Asks for a rewrite of an instruction; see [`Record::rewrite`].
    #[inline(always)]
    #[must_use]
    pub fn rewrite(&mut self, kind: Kind, inst: Inst, became: Became) -> bool {
        let f = &*self.f;
        self.record.rewrite_at(kind, || Site::of(f, inst), became)
    }

    /// Lets a value take the place of a result whose instruction is not emitted.
    pub fn replace(&mut self, result: Value, by: Value) {
        debug_assert_eq!(self.f.ty(result), self.f.ty(by), "{result} replaced by {by}");
        if cfg!(debug_assertions) {
            self.check_constant(result, by);
        }
        if self.engine.forwarding.replace(result, by) {
            self.f.inherit(result, by);
            if self.features.rules {
                self.engine.uses.take_over(result, by);
            }
        }
    }

    /// Panics when a constant is said to be something else: that is a mistake of the compiler.
    fn check_constant(&self, result: Value, by: Value) {
        let forwarding = &self.engine.forwarding;
        let [is, becomes] = [result, by].map(|value| forwarding.peek(value));
        let shown = |value: Value| match self.f.int_constant(value) {
            Some(constant) => constant.to_string(),
            None => value.to_string(),
        };
        assert!(
            is == becomes || self.f.constant(is).is_none(),
            "the constant {} cannot become {}",
            shown(is),
            shown(becomes)
        );
    }

    /// Makes an operation without effects, here, and simplifies it; the value of its first result.
    /// `named` are result types that the operands do not determine.
    pub fn build(&mut self, op: Op, args: &[Value], named: &[Type], location: Location) -> Value {
        self.build_results(op, args, named, location).0
    }

    /// The same, with the value of the second result where there is one.
    pub(crate) fn build_results(
        &mut self,
        op: Op,
        args: &[Value],
        named: &[Type],
        location: Location,
    ) -> (Value, Option<Value>) {
        let inst = self.f.make_inst(op, args, named, None, None, location);
        for &arg in args {
            self.engine.uses.add(arg, 1);
        }
        // What is built takes the place of an operation that gives a result here.
        self.engine.dead.note_safe(inst);
        self.work.take(1);
        if self.budget.take(1) {
            self.visit(inst);
        } else {
            self.emit(inst);
        }
        let mut results = self.f.results(inst);
        let first = results.next().expect("an operation without effects has a result");
        let second = results.next();
        (self.resolve(first), second.map(|second| self.resolve(second)))
    }

    /// Appends an instruction as it is, behind what was emitted so far.
    pub fn emit(&mut self, inst: Inst) {
        let data = self.f.inst(inst);
        let op = data.op;
        if let Some(exit) = data.exit {
            self.resolve_exit(inst, exit);
        }
        self.out.push(inst);
        if self.features.facts {
            self.engine.refs.passed(self.f, op, inst);
        }
    }

    /// Takes back the last emitted instruction if the one at hand must stay directly behind it: a
    /// comparison or arithmetic with an overflow bit before the guard that looks at it, a call before the
    /// guard that asks whether it forced anything. What is emitted until [`release`](Self::release) comes before it.
    pub(crate) fn hold_last(&mut self, at_hand: Option<Inst>) -> Option<(Inst, usize)> {
        let &last = self.out.last()?;
        let (row, data) = (self.f.row(last), self.f.inst(last));
        // What waits behind such a call is nothing that it reads or writes, unless it was recorded between the two.
        let asks = at_hand.is_some_and(|inst| {
            let guard = self.f.inst(inst);
            guard.op == Op::GuardNotForced && guard.location.0 == data.location.0 + 1
        });
        let descr = data.descr.filter(|_| self.features.plain && asks && data.op == Op::Call);
        let forces = descr.is_some_and(|descr| self.world.call_effect(descr).forces_virtuals);
        (row.truth || row.wrapping.is_some() || forces).then(|| {
            self.out.pop();
            (last, self.out.len())
        })
    }

    /// Puts back what was taken: behind what was emitted since, or before it if that uses its results.
    pub(crate) fn release(&mut self, held: Option<(Inst, usize)>) {
        let Some((inst, position)) = held else { return };
        let used = self.out[position..].iter().any(|&since| {
            let exit = self.f.inst(since).exit.map_or(&[][..], |exit| self.f.exit_args(exit));
            let made = |value: &Value| self.f.def_inst(*value) == Some(inst);
            self.f.args(since).iter().any(made) || exit.iter().any(made)
        });
        if used {
            self.out.insert(position, inst);
        } else {
            self.out.push(inst);
        }
    }

    /// Whether there is no way to a block but the edge from the block at hand.
    pub(crate) fn goes_straight_to(&self, block: Block) -> bool {
        let flow = &self.engine.walk.flow;
        flow.forward_edges(block) == 1 && !flow.is_header(block) && !flow.is_open(block)
    }
}
