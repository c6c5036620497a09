//! Range analysis of loop header parameters before the walk, optimistic and with widening (as sparse conditional
//! constant propagation, Wegman and Zadeck 1991; Cousot and Cousot 1977).
//!
//! The engine's walk is forward: when it comes to a header, what the end of the loop passes back is not
//! known. So where a function has loops, facts alone are propagated first, optimistically: a header's
//! parameters start with what comes from outside, the walk is repeated with what came back joined in,
//! and widened, until nothing new comes back. Blocks and edges that facts rule out count for nothing on
//! the way, as in sparse conditional constant propagation (Wegman and Zadeck 1991); a branch sharpens
//! facts on its edges as it does in the engine. A last round takes back what widening gave up.
//!
//! ```text
//! i = 0; while i < 10 { i = i + 1 }      i at the header: {0}, then [0, 1], widened to [0, MAX],
//!                                        then narrowed to [0, 10] by what really comes back
//! ```
//!
//! The walk follows the same dominance order and cuts the same edges as the engine's, so what is found
//! holds there.
//!
//! What a loop teaches behind it (`i >= n` holds where a counter has left) ties every loop to those before, and
//! many loops in a row come to rest one after the other. Where that takes too many rounds, it is done once more
//! without such lessons: then all loops come to rest together.
//!
//! Cost: a few linear rounds, bounded by [`ROUNDS`]; beyond, nothing is known. Functions without loops cost nothing, and those next to nothing in which
//! every integer that comes to a header from outside may be anything: so it stays.

use planish_base::{SideTable, fault};
use planish_domain::{Contradiction, IntFact};
use planish_ir::extension::result_extension;
use planish_ir::loops::Loops as Natural;
use planish_ir::{Block, BlockCall, Cfg, Function, Inst, Terminator, Value};
use planish_ops::world::World;
use planish_ops::{Effect, Op};

use crate::engine::backward_facts::Lessons;
use crate::engine::facts::{Facts, extended};
use crate::engine::walk::{Step, Walk};

/// What is assumed of a parameter next. A bound that moves goes one short of the end of its range before it goes there: a counter
/// that a test holds below another number is below the largest one, and with one added it does not wrap.
fn widened(old: IntFact, came: IntFact) -> IntFact {
    let wide = old.widen(came);
    let width = old.width();
    let largest = i64::MAX >> (64 - width);
    let inner = IntFact::interval(width, (-largest - 1).saturating_add(1), largest.saturating_sub(1));
    if width > 2 && old.join(came).implies(inner) && old.implies(inner) { wide.meet(inner) } else { wide }
}

/// How often any function may be walked, lessons behind loops left out, before its loops count as unknown.
pub const ROUNDS: usize = 24;

/// How often any function may be walked with them.
const FIRST_ROUNDS: usize = 8;

/// How many more such walks there may be, and how many more each loop allows: an outer loop comes to rest after
/// those in it.
const MORE_ROUNDS: usize = 16;
const ROUNDS_A_LOOP: usize = 6;

/// How many operations these further walks may visit in all.
const VISITS: usize = 40_000;

/// Rounds in which facts are joined before they are widened.
const JOINED: u32 = 2;

/// The memory of the propagation, kept between functions.
#[derive(Default)]
pub(crate) struct Loops {
    facts: Facts,
    /// What came to a parameter in this round.
    incoming: SideTable<Value, Option<IntFact>>,
    /// What is assumed of the parameters of headers.
    assumed: SideTable<Value, Option<IntFact>>,
    /// What was assumed before the last, narrowing round.
    wide: SideTable<Value, Option<IntFact>>,
    lessons: SideTable<Block, Option<(Value, bool)>>,
    marks: Vec<usize>,
    /// Headers about whose integers something may be found.
    open: usize,
    first_round: bool,
    /// The loops behind which nothing is learnt.
    closed: Option<(Cfg, Natural)>,
}

impl Loops {
    /// Finds facts about the parameters of headers; the walk has been started on the function. Whether
    /// it found them all; if not, none holds.
    pub fn find(&mut self, f: &Function, world: &dyn World, walk: &mut Walk) -> bool {
        let more = MORE_ROUNDS + ROUNDS_A_LOOP * walk.flow.back.len();
        self.closed = None;
        if self.settle(f, world, walk, FIRST_ROUNDS + more.min(VISITS / f.inst_count().max(1))) {
            return true;
        }
        let cfg = Cfg::new(f);
        let loops = Natural::new(cfg.succs());
        self.closed = Some((cfg, loops));
        self.settle(f, world, walk, ROUNDS)
    }

    /// Walks until nothing new comes back. Whether that took no more rounds than so many.
    fn settle(&mut self, f: &Function, world: &dyn World, walk: &mut Walk, rounds: usize) -> bool {
        self.assumed.clear();
        self.wide.clear();
        self.open = 0;
        let mut last = None;
        for_each_param(f, walk, |header, _| {
            self.open += usize::from(last.replace(header) != Some(header));
        });
        for round in 0..rounds as u32 {
            self.first_round = round == 0;
            if self.open > 0 {
                self.round(f, world, walk);
            }
            if self.open == 0 {
                return true;
            }
            if !self.rise(f, walk, round) {
                self.narrow(f, world, walk);
                return true;
            }
        }
        false
    }

    /// What holds of a parameter of a header.
    pub fn fact(&self, param: Value) -> Option<IntFact> {
        self.assumed[param]
    }

    /// One walk under what is assumed.
    fn round(&mut self, f: &Function, world: &dyn World, walk: &mut Walk) {
        walk.restart(f);
        self.facts.clear();
        self.incoming.clear();
        self.lessons.clear();
        self.marks.clear();
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(block) => {
                    self.marks.push(self.facts.mark());
                    self.block(f, world, walk, block);
                    walk.finish(block);
                    if self.open == 0 {
                        return;
                    }
                }
                Step::Leave(_) => {
                    let mark = self.marks.pop().expect("a block was entered");
                    self.facts.undo(mark);
                }
            }
        }
    }

    /// Adds what came to headers to what is assumed of them. Whether that changed anything.
    fn rise(&mut self, f: &Function, walk: &Walk, round: u32) -> bool {
        if round > 0 && fault!("loops: one round is enough") {
            return false;
        }
        let mut rose = false;
        for_each_param(f, walk, |_, param| {
            let Some(came) = self.incoming[param] else { return };
            let new = match self.assumed[param] {
                None => came,
                Some(old) if came.implies(old) => return,
                Some(old) if round < JOINED => old.join(came),
                Some(old) => widened(old, came),
            };
            rose = true;
            self.assumed[param] = Some(new);
        });
        rose
    }

    /// Takes what came to headers in the last round for what is assumed, if that proves itself. What came may be all that
    /// is assumed: then it did.
    fn narrow(&mut self, f: &Function, world: &dyn World, walk: &mut Walk) {
        let mut is_all = true;
        for_each_param(f, walk, |_, param| is_all &= self.incoming[param] == self.assumed[param]);
        if is_all {
            return;
        }
        for_each_param(f, walk, |_, param| {
            self.wide[param] = self.assumed[param];
            self.assumed[param] = self.incoming[param];
        });
        self.round(f, world, walk);
        let mut holds = true;
        for_each_param(f, walk, |_, param| {
            holds &= match (self.incoming[param], self.assumed[param]) {
                (Some(came), Some(assumed)) => came.implies(assumed),
                (came, _) => came.is_none(),
            };
        });
        if !holds {
            for_each_param(f, walk, |_, param| self.assumed[param] = self.wide[param]);
        }
    }

    fn block(&mut self, f: &Function, world: &dyn World, walk: &mut Walk, block: Block) {
        let flow = &walk.flow;
        let (header, open) = (flow.is_header(block), flow.is_open(block));
        if header && self.first_round {
            let mut integers =
                f.block_params(block).iter().filter(|&&p| f.ty(p).int_width().is_some()).peekable();
            let any = integers.peek().is_some();
            if any && integers.all(|&param| self.incoming[param].is_some_and(IntFact::is_top)) {
                self.open -= 1;
                if self.open == 0 {
                    return;
                }
            }
        }
        if !open && block != f.entry() {
            for &param in f.block_params(block) {
                let known = match (self.incoming[param], self.assumed[param]) {
                    (Some(came), Some(assumed)) if header => Some(assumed.join(came)),
                    (came, _) => came,
                };
                if let Some(known) = known {
                    self.facts.define(param, known);
                }
            }
        }
        if walk.enters_by_one_edge(block)
            && let Some((condition, truth)) = self.lessons[block]
            && self.learn(f, condition, truth).is_err()
        {
            return;
        }
        for &inst in f.block_insts(block) {
            if self.step(f, world, inst).is_err() {
                // Control does not come to the end of the block.
                self.exits(f, walk, block);
                return;
            }
        }
        match f.terminator(block) {
            Terminator::Jump(call) => self.edge(f, walk, *call, None),
            Terminator::Branch { condition, then, other } => {
                let truth = self.facts.truth(f, *condition);
                if truth != Some(false) {
                    self.edge(f, walk, *then, Some((*condition, true)));
                }
                if truth != Some(true) {
                    self.edge(f, walk, *other, Some((*condition, false)));
                }
            }
            Terminator::Switch { on, cases, default } => {
                let known = self.facts.of(f, *on);
                let mut decided = false;
                for (key, call) in cases.iter() {
                    if known.contains(*key) {
                        decided |= known.as_constant().is_some();
                        self.edge(f, walk, *call, None);
                    }
                }
                if !decided {
                    self.edge(f, walk, *default, None);
                }
            }
            Terminator::Return(_) | Terminator::Throw(..) | Terminator::Unreachable => {}
        }
        self.exits(f, walk, block);
    }

    fn learn(&mut self, f: &Function, condition: Value, truth: bool) -> Result<(), Contradiction> {
        Lessons { facts: &mut self.facts, f, stands: &|value| value, plain: false }.truth(condition, truth)
    }

    /// Takes an operation as it stands: its results, and what a guard teaches.
    fn step(&mut self, f: &Function, world: &dyn World, inst: Inst) -> Result<(), Contradiction> {
        let args = f.args(inst);
        match (f.row(inst).effect, f.inst(inst).op) {
            (Effect::Pure, _) => {
                let (first, second) = self.facts.results(f, inst);
                for (result, known) in f.results(inst).zip([first, second]) {
                    if let Some(known) = known {
                        self.facts.define(result, known);
                    }
                }
                Ok(())
            }
            (_, Op::GuardTrue) => self.learn(f, args[0], true),
            (_, Op::GuardFalse) => self.learn(f, args[0], false),
            _ => {
                // Most give nothing, or a reference.
                if let Some(result) = f.first_result(inst)
                    && f.ty(result).int_width().is_some()
                    && let Some(extension) = result_extension(f, world, inst)
                {
                    self.facts.define(result, extended(extension, f.ty(result)));
                }
                Ok(())
            }
        }
    }

    fn exits(&mut self, f: &Function, walk: &mut Walk, block: Block) {
        for (_, handler) in f.handlers(block) {
            walk.live_exit(handler.block);
        }
    }

    /// Whether an edge from the block where the walk is leaves a loop behind which nothing is learnt.
    fn leaves_closed(&self, walk: &Walk, to: Block) -> bool {
        let Some((cfg, loops)) = &self.closed else { return false };
        let (Some(here), Some(to)) = (cfg.number(walk.here()), cfg.number(to)) else { return false };
        loops.innermost(here).is_some_and(|inside| loops.around(to).all(|around| around != inside))
    }

    fn edge(&mut self, f: &Function, walk: &mut Walk, call: BlockCall, lesson: Option<(Value, bool)>) {
        let lesson = lesson.filter(|_| !self.leaves_closed(walk, call.block));
        let mark = self.facts.mark();
        if let Some((condition, truth)) = lesson
            && !call.args.is_empty()
            && self.learn(f, condition, truth).is_err()
        {
            self.facts.undo(mark);
            return;
        }
        walk.live(call.block);
        self.lessons[call.block] = lesson;
        for (&param, &arg) in f.block_params(call.block).iter().zip(f.list(call.args)) {
            if f.ty(param).int_width().is_some() {
                let known = self.facts.of(f, arg);
                let incoming = &mut self.incoming[param];
                *incoming = Some(incoming.map_or(known, |earlier| earlier.join(known)));
            }
        }
        self.facts.undo(mark);
    }
}

/// Visits every integer parameter of every header, with the header.
fn for_each_param(f: &Function, walk: &Walk, mut visit: impl FnMut(Block, Value)) {
    let mut last = None;
    for &(header, _) in &walk.flow.back {
        if last == Some(header) {
            continue;
        }
        last = Some(header);
        for &param in f.block_params(header) {
            if f.ty(param).int_width().is_some() {
                visit(header, param);
            }
        }
    }
}
