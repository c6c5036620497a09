//! What the engine knows: its memory, kept between functions, and what it has at hand in one ([`Cx`]).

use planish_base::{Budget, SideTable};
use planish_domain::IntFact;
use planish_ir::{Block, Exit, Function, Inst, Location, Value};
use planish_ops::world::{Characters, World};
use planish_ops::{Int, Op, Type};
use planish_pass::record::{Became, Kind, Record, Site};

use crate::engine::ages::Ages;
use crate::engine::config::{Config, Features};
use crate::engine::dead::Dead;
use crate::engine::facts::Facts;
use crate::engine::imports::Imports;
use crate::engine::lesson::{Join, Lesson};
use crate::engine::loop_facts::Loops;
use crate::engine::numbering::Numbering;
use crate::engine::refs::{Known, Refs};
use crate::engine::replacement::Forwarding;
use crate::engine::uses::Uses;
use crate::engine::walk::Walk;

/// How far back the condition of a guard is looked for, in operations.
const NEAR: usize = 16;

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
    pub(crate) ages: Ages,
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
    /// No and yes, as far as they were made, in the type in which they were made last.
    pub(super) truths: Option<(Type, [Option<Value>; 2])>,
    pub(super) spare: Vec<Inst>,
    pub(crate) scratch: Vec<Value>,
}

/// A walk between two operations: what [`Cx`] holds besides the engine.
#[derive(Default)]
pub(crate) struct Suspended {
    pub(super) features: Features,
    pub(super) out: Vec<Inst>,
    pub(super) budget: Budget,
    pub(super) made: Budget,
    pub(super) work: Budget,
    pub(super) last_exit: Option<Exit>,
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

    /// The value that stands for one that was looked up; notes that the loop uses it, if it is from
    /// before.
    pub(crate) fn imported(&mut self, value: Value) -> Value {
        let value = self.resolve(value);
        match self.engine.imports.get(value) {
            Some(id) => {
                self.engine.imports.note_use(id);
                let seen = self.engine.imports.seen(value);
                self.resolve(seen)
            }
            None => value,
        }
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
        self.build_results(op, args, named, location, None).0
    }

    /// The same for what a rule builds, if one does, with the value of the second result where there is one.
    pub(crate) fn build_results(
        &mut self,
        op: Op,
        args: &[Value],
        named: &[Type],
        location: Location,
        rule: Option<u32>,
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
            if let Some(rule) = rule {
                self.record.deny(&self.budget, rule, self.f, Site::of(self.f, inst));
            }
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
        self.engine.ages.emitted(inst);
        if self.features.facts {
            self.engine.refs.passed(self.f, op, inst);
        }
    }

    /// Takes back an emitted instruction if the one at hand must stay directly behind it: a comparison or arithmetic with an
    /// overflow bit before the guard that looks at it. Where PyPy is followed, that is any comparison that was emitted last, and
    /// a call before the guard that asks whether it forced anything. What is emitted until [`release`](Self::release) comes
    /// before it.
    pub(crate) fn hold(&mut self, at_hand: Option<Inst>) -> Option<(Inst, usize)> {
        let position = match self.features.plain {
            true => self.out.len().checked_sub(1).filter(|&last| self.stays_last(self.out[last], at_hand)),
            false => self.condition_of(at_hand?),
        }?;
        Some((self.out.remove(position), position))
    }

    /// Where the comparison stands that a guard looks at, if it was emitted not long ago.
    fn condition_of(&self, guard: Inst) -> Option<usize> {
        let condition = self.f.def_inst(*self.f.args(guard).first()?)?;
        let row = self.f.row(condition);
        if !row.truth && row.wrapping.is_none() {
            return None;
        }
        let since = self.out.iter().rev().take(NEAR).position(|&inst| inst == condition)?;
        Some(self.out.len() - 1 - since)
    }

    /// Whether PyPy keeps an instruction behind what it emits before the one at hand.
    fn stays_last(&self, last: Inst, at_hand: Option<Inst>) -> bool {
        let (row, data) = (self.f.row(last), self.f.inst(last));
        // What waits behind such a call is nothing that it reads or writes, unless it was recorded between the two.
        let asks = at_hand.is_some_and(|inst| {
            let guard = self.f.inst(inst);
            guard.op == Op::GuardNotForced && guard.location.0 == data.location.0 + 1
        });
        let descr = data.descr.filter(|_| asks && data.op == Op::Call);
        row.truth
            || row.wrapping.is_some()
            || descr.is_some_and(|descr| self.world.call_effect(descr).forces_virtuals)
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
