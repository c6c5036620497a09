//! The linear engine: one forward walk, each operation through everything that is known.
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

use planish_base::{Budget, SideTable, fault};
use planish_domain::IntFact;
use planish_ir::{Block, Exit, Function, Inst, Location, Terminator, Value};
use planish_ops::world::{Characters, World};
use planish_ops::{Effect, Int, Op, Type};
use planish_rules::RuleId;
use planish_rules::set::RuleSet;

use crate::control::{Join, Lesson};
use crate::dead::Dead;
use crate::facts::Facts;
use crate::forward::Forwarding;
use crate::loops::Loops;
use crate::memory::Memory;
use crate::number::Numbering;
use crate::peel::imports::Imports;
use crate::pipeline::{Price, machine_price};
use crate::record::{Became, Kind, Record, Site};
use crate::refs::{Known, Refs};
use crate::stage::{Outcome, Place, Stage};
use crate::uses::Uses;
use crate::walk::{Step, Walk};

/// How many operations a single one may be rewritten to before the engine emits what it has.
pub const REWRITES_OF_ONE_OPERATION: u64 = 64;

/// What the engine does in a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// Operations on constants are computed.
    pub fold: bool,
    /// The algebra columns of the table are applied.
    pub algebra: bool,
    /// Ranges and known bits are kept, and decide results, guards and branches.
    pub facts: bool,
    /// Rules of the book are applied.
    pub rules: bool,
    /// Equal operations are made once.
    pub number: bool,
    /// Guards, branches and block parameters are decided.
    pub control: bool,
    /// Operations that nothing uses, and their parameters, go.
    pub dead: bool,
    /// Allocations are kept back until an object is needed: a stage, see [`memory`](crate::memory).
    pub virtualize: bool,
    /// Loads are forwarded and stores wait: the same stage.
    pub heap: bool,
    /// Strings are kept back until they are needed: the same stage.
    pub strings: bool,
    /// Loops are optimized with what their first iteration has found out: the same stage.
    pub peel: bool,
    /// Only what PyPy's optimizer does: nothing is found out about loops before the walk, and guards stay
    /// as they are.
    pub plain: bool,
}

impl Features {
    /// Everything that the engine does itself.
    pub const ALL: Features = Features {
        fold: true,
        algebra: true,
        facts: true,
        rules: true,
        number: true,
        control: true,
        dead: true,
        virtualize: false,
        heap: false,
        strings: false,
        peel: false,
        plain: false,
    };
    /// Nothing.
    pub const NONE: Features = Features {
        fold: false,
        algebra: false,
        facts: false,
        rules: false,
        number: false,
        control: false,
        dead: false,
        virtualize: false,
        heap: false,
        strings: false,
        peel: false,
        plain: false,
    };

    /// What either does.
    pub const fn with(self, other: Features) -> Features {
        Features {
            fold: self.fold || other.fold,
            algebra: self.algebra || other.algebra,
            facts: self.facts || other.facts,
            rules: self.rules || other.rules,
            number: self.number || other.number,
            control: self.control || other.control,
            dead: self.dead || other.dead,
            virtualize: self.virtualize || other.virtualize,
            heap: self.heap || other.heap,
            strings: self.strings || other.strings,
            peel: self.peel || other.peel,
            plain: self.plain || other.plain,
        }
    }
}

/// How many stages a walk may have: a bit each, and one pattern of bits to spare.
const MOST_STAGES: usize = 7;
/// Which stages want to see an operation was not asked yet: most functions have few of all operations.
const NOT_ASKED: u8 = u8::MAX;

/// How the engine runs.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// What it does.
    pub features: Features,
    /// Rules read at run time, tried before those of the book.
    pub extra: Option<&'a RuleSet>,
    /// For each rule of the book whether it is not used; without it all are.
    pub disabled: Option<&'a [bool]>,
    /// How many operations rules may make.
    pub most_made: u64,
    /// How many operations are looked at; those behind are emitted as they are.
    pub work: u64,
    /// What operations cost where the program will be written.
    pub price: Price,
    /// A rule of which the record keeps where it was tried and what it missed.
    pub watched: Option<(&'a RuleSet, RuleId)>,
}

impl Config<'_> {
    /// Everything that the engine can do by itself.
    pub const FULL: Config<'static> = Config {
        features: Features::ALL,
        extra: None,
        disabled: None,
        most_made: u64::MAX,
        work: u64::MAX,
        price: machine_price,
        watched: None,
    };
}

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
struct Mark {
    equalities: usize,
    numbers: usize,
    facts: usize,
    refs: usize,
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
    marks: Vec<Mark>,
    pub(crate) dead: Dead,
    /// The memory of the stage that pipelines run.
    pub(crate) memory: Memory,
    /// Strings that were computed and are no symbols yet: they are numbered behind those of the world.
    pub(crate) new_texts: Vec<Characters>,
    /// What a loop may use from before it.
    pub(crate) imports: Imports,
    spare: Vec<Inst>,
    interest: Vec<u8>,
    pub(crate) scratch: Vec<Value>,
}

impl Engine {
    /// An engine without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The strings that the last run made constants of, in the order of their numbers: those from
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
        self.run_with(f, world, record, config, &mut [])
    }

    /// Optimizes a function in place, with further stages in the walk.
    pub fn run_with(
        &mut self,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        config: &Config<'_>,
        stages: &mut [&mut dyn Stage],
    ) -> Summary {
        let before = record.total();
        let at = self.begin(f, config, stages, true);
        let mut cx = self.resume(f, world, record, config, at);
        cx.walk(stages);
        cx.remove_unreachable();
        let (fails, made) = (cx.fails, cx.made.used());
        let at = cx.suspend();
        self.end(f, world, record, config.features, at);
        Summary { changed: record.total() != before, fails, made }
    }

    /// Forgets the function before and begins with one. Of one that is not `whole` yet nothing is found out
    /// before the walk.
    pub(crate) fn begin(
        &mut self,
        f: &Function,
        config: &Config<'_>,
        stages: &mut [&mut dyn Stage],
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
        self.new_texts.clear();
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
        assert!(stages.len() <= MOST_STAGES, "a walk has at most seven stages");
        let mut interest = std::mem::take(&mut self.interest);
        interest.clear();
        if !stages.is_empty() {
            interest.resize(planish_ops::table::ALL.len(), NOT_ASKED);
            stages.iter_mut().for_each(|stage| stage.start(f));
        }
        Suspended {
            features: config.features,
            out: std::mem::take(&mut self.spare),
            budget: Budget::new("rewrites of one operation", REWRITES_OF_ONE_OPERATION),
            made: Budget::new("operations made by rules", config.most_made),
            work: Budget::new("operations looked at", config.work),
            last_exit: None,
            interest,
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
        let Suspended { features, out, budget, made, work, last_exit, interest, fails } = at;
        Cx {
            f,
            world,
            record,
            engine: self,
            config,
            features,
            out,
            budget,
            made,
            work,
            last_exit,
            interest,
            fails,
        }
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
        (self.spare, self.interest) = (at.out, at.interest);
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
    interest: Vec<u8>,
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
    out: Vec<Inst>,
    pub(crate) budget: Budget,
    /// What rules may still make: without a limit, rules that make more than they take could grow a
    /// program without end.
    pub(crate) made: Budget,
    /// How many operations may still be looked at.
    work: Budget,
    last_exit: Option<Exit>,
    /// For each operation the stages that want to see it, a bit each, or [`NOT_ASKED`]; empty without stages.
    interest: Vec<u8>,
    fails: Option<Inst>,
}

impl Cx<'_> {
    /// Stops between two operations.
    pub(crate) fn suspend(self) -> Suspended {
        let Cx { features, out, budget, made, work, last_exit, interest, fails, .. } = self;
        Suspended { features, out, budget, made, work, last_exit, interest, fails }
    }

    // ---- For stages and the engine alike ---------------------------------------------------------

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
            if sharper != known {
                self.engine.facts.sharpen(value, sharper);
            }
        }
    }

    /// Asks for a rewrite of an instruction; see [`Record::rewrite`].
    #[must_use]
    pub fn rewrite(&mut self, kind: Kind, inst: Inst, became: Became) -> bool {
        let data = self.f.inst(inst);
        let site = Site { inst: Some(inst), op: Some(data.op), location: data.location };
        self.record.rewrite(kind, site, became)
    }

    /// Lets a value take the place of a result whose instruction is not emitted.
    pub fn replace(&mut self, result: Value, by: Value) {
        debug_assert_eq!(self.f.ty(result), self.f.ty(by), "{result} replaced by {by}");
        if cfg!(debug_assertions) {
            self.check_constant(result, by);
        }
        if self.engine.forwarding.replace(result, by) && self.features.rules {
            self.engine.uses.take_over(result, by);
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
        if self.f.inst(inst).exit.is_some() {
            self.resolve_exit(inst);
        }
        self.out.push(inst);
        if self.features.facts {
            self.engine.refs.passed(self.f, inst);
        }
    }

    /// Takes back the last emitted instruction if the one at hand must stay directly behind it: a
    /// comparison or arithmetic with an overflow bit before the guard that looks at it, a call before the
    /// guards about it. What is emitted until [`release`](Self::release) comes before it.
    pub(crate) fn hold_last(&mut self) -> Option<(Inst, usize)> {
        let &last = self.out.last()?;
        let (row, data) = (self.f.row(last), self.f.inst(last));
        // What waits behind a call is nothing that the call reads or writes.
        let descr = data.descr.filter(|_| self.features.plain && data.op == Op::Call);
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
        flow.forward_edges(block) == 1 && !flow.is_header(block) && !flow.is_handler(block)
    }

    // ---- Blocks ---------------------------------------------------------------------------------

    /// Every block that can be reached, or all that are left.
    pub(crate) fn walk(&mut self, stages: &mut [&mut dyn Stage]) {
        while let Some(step) = self.engine.walk.next() {
            match step {
                Step::Enter(block) => self.block(block, stages),
                Step::Leave(block) => {
                    let mark = self.engine.marks.pop().expect("a block was entered");
                    if self.engine.walk.goes_on() {
                        self.engine.forwarding.undo(mark.equalities);
                        self.engine.numbering.undo(mark.numbers);
                        self.engine.facts.undo(mark.facts);
                        self.engine.refs.undo(mark.refs);
                    }
                    for stage in stages.iter_mut() {
                        stage.leave(block);
                    }
                }
            }
        }
    }

    fn block(&mut self, block: Block, stages: &mut [&mut dyn Stage]) {
        let mut ends = self.open(block, stages);
        let mut insts = self.f.replace_insts(block, Vec::new());
        for &inst in &insts {
            if !ends {
                break;
            }
            ends = self.instruction(inst, stages);
        }
        insts.clear();
        self.close(block, insts, ends, stages);
    }

    /// Goes into a block that the walk has entered. Returns whether control may come into it.
    pub(crate) fn open(&mut self, block: Block, stages: &mut [&mut dyn Stage]) -> bool {
        let engine = &mut *self.engine;
        engine.marks.push(Mark {
            equalities: engine.forwarding.mark(),
            numbers: engine.numbering.mark(),
            facts: engine.facts.mark(),
            refs: engine.refs.mark(),
        });
        let straight = engine.walk.has_one_live_edge(block)
            && !engine.walk.flow.is_header(block)
            && !engine.walk.flow.is_handler(block);
        for stage in stages.iter_mut() {
            stage.enter(self, Place { block, straight });
        }
        self.last_exit = None;
        if self.features.control {
            self.parameters(block);
            // What an edge teaches is about values from above, which the edges back to a header leave as
            // they are.
            let one_way_in = straight || self.engine.walk.enters_by_one_edge(block);
            if one_way_in
                && let Some(lesson) = self.engine.lessons[block]
                && self.learn(lesson).is_err()
                && self.record.rewrite(Kind::Unreachable, Site::NONE, Became::Nothing)
            {
                return false;
            }
        }
        true
    }

    /// Ends the block at hand: what was emitted is what it holds. `spare` is memory for the next.
    pub(crate) fn close(
        &mut self,
        block: Block,
        spare: Vec<Inst>,
        ends: bool,
        stages: &mut [&mut dyn Stage],
    ) {
        for stage in stages.iter_mut() {
            stage.end(self, block);
        }
        let out = std::mem::replace(&mut self.out, spare);
        self.f.replace_insts(block, out);
        if ends {
            self.terminator(block);
        } else {
            self.f.set_terminator(block, Terminator::Unreachable);
        }
        let (f, walk) = (&*self.f, &mut self.engine.walk);
        for (_, handler) in f.handlers(block) {
            walk.live_exit(handler.block);
        }
        walk.finish(block);
    }

    /// One instruction through everything. Returns whether control may come past it.
    pub(crate) fn instruction(&mut self, inst: Inst, stages: &mut [&mut dyn Stage]) -> bool {
        self.budget.refill();
        if !self.work.take(1) {
            self.stop();
        }
        match self.f.row(inst).effect {
            Effect::Pure if self.interest.is_empty() => return self.visit_last(inst),
            Effect::Guard => match self.guard(inst) {
                Outcome::Keep => {}
                Outcome::Last => return self.emit_last(inst, stages),
                Outcome::Value(_) | Outcome::Gone => return true,
            },
            _ => self.resolve_args(inst),
        }
        let interest = self.interest_in(inst, stages);
        for index in 0..stages.len() {
            if interest >> index & 1 == 0 {
                continue;
            }
            match stages[index].on(self, inst) {
                Outcome::Keep => {}
                Outcome::Value(value) => {
                    let result = self.f.result(inst);
                    self.replace(result, value);
                    return true;
                }
                Outcome::Gone => return true,
                Outcome::Last => return self.emit_last(inst, stages),
            }
        }
        for (index, stage) in stages.iter_mut().enumerate() {
            if interest >> index & 1 != 0 {
                stage.emitting(self, inst);
            }
        }
        match self.f.row(inst).effect {
            Effect::Pure => self.visit_last(inst),
            effect => {
                self.emit(inst);
                let never = effect == Effect::Guard && self.taught_by_guard(inst).is_err();
                if never && self.rewrite(Kind::Fails, inst, Became::Changed) {
                    self.fails.get_or_insert(inst);
                    return false;
                }
                true
            }
        }
    }

    /// Emits everything from here on as it is, but for what it is already known to stand on.
    #[cold]
    fn stop(&mut self) {
        self.record.stop();
        self.features = Features { plain: self.features.plain, ..Features::NONE };
    }

    /// The stages that want to see an operation, a bit each.
    fn interest_in(&mut self, inst: Inst, stages: &[&mut dyn Stage]) -> u8 {
        let op = self.f.inst(inst).op;
        let Some(interest) = self.interest.get_mut(op as usize) else { return 0 };
        if *interest == NOT_ASKED {
            *interest = stages.iter().rev().fold(0, |bits, stage| bits << 1 | u8::from(stage.wants(op)));
        }
        *interest
    }

    fn visit_last(&mut self, inst: Inst) -> bool {
        let goes_on = self.visit(inst);
        if !goes_on {
            self.fails.get_or_insert(inst);
        }
        goes_on
    }

    /// Emits an instruction past which control does not come, as stages want it emitted.
    fn emit_last(&mut self, inst: Inst, stages: &mut [&mut dyn Stage]) -> bool {
        self.fails.get_or_insert(inst);
        let interest = self.interest_in(inst, stages);
        for (index, stage) in stages.iter_mut().enumerate() {
            if interest >> index & 1 != 0 {
                stage.emitting(self, inst);
            }
        }
        self.emit(inst);
        false
    }

    /// Replaces the operands of an instruction by what stands for them.
    pub(crate) fn resolve_args(&mut self, inst: Inst) {
        for value in self.f.args_mut(inst) {
            *value = self.engine.forwarding.resolve(*value);
        }
    }

    fn resolve_exit(&mut self, inst: Inst) {
        if let Some(exit) = self.f.inst(inst).exit {
            let resolved = self.resolved_exit(exit);
            self.f.set_exit(inst, Some(resolved));
        }
    }

    /// The exit with resolved arguments. Exits may be shared between instructions and lists between
    /// exits, so other arguments make another exit.
    pub(crate) fn resolved_exit(&mut self, exit: Exit) -> Exit {
        let stays = |&value: &Value| self.engine.forwarding.stands_for_itself(value);
        if self.f.exit_args(exit).iter().all(stays) || fault!("engine: arguments of exits stay as they were")
        {
            self.last_exit = Some(exit);
            return exit;
        }
        let mut args = std::mem::take(&mut self.engine.scratch);
        args.clear();
        args.extend(self.f.exit_args(exit).iter().map(|&value| self.engine.forwarding.resolve(value)));
        let exit = self.f.make_exit_like(exit, &args, self.last_exit);
        self.last_exit = Some(exit);
        self.engine.scratch = args;
        exit
    }

    /// Takes blocks that were not entered out of the function: what they use may be gone.
    pub(crate) fn remove_unreachable(&mut self) {
        let (walk, before) = (&self.engine.walk, self.f.blocks().len());
        self.f.retain_blocks(|block| walk.entered(block));
        for _ in self.f.blocks().len()..before {
            self.record.note(Kind::Unreachable, Site::NONE, Became::Nothing);
        }
    }
}
