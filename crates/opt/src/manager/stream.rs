//! On-line optimization of a trace (PyPy before `unroll`, LuaJIT's FOLD engine): one operation at a time, while it is
//! recorded.
//!
//! The walk of the engine looks at each operation once and never back, so it need not wait for the end of a
//! trace: an operation is shown to it as soon as it happens, and the trace so far is optimized at any moment.
//! What needs the whole trace is left out: facts about what comes around a loop, and peeling.
//!
//! ```text
//!   begin   entry ----> head ---+        the edges are there from the start; parameters and operations of
//!             |           ^     |        the head come with begin_loop
//!             |           +-----+
//!   record    operation -> engine and memory -> emitted, or gone
//!   end       whatever waits is made, what nothing uses goes
//! ```

use planish_ir::{Block, Form, Function, Inst, Terminator, Value};
use planish_ops::world::World;

use super::pipeline::Pipeline;
use super::running::memory;
use crate::engine::config::{Config, Features};
use crate::engine::stage::Stage;
use crate::engine::walk::Step;
use crate::engine::{Cx, Engine, Suspended};
use crate::memory::{self, Memory};
use crate::unroll::Meets;
use planish_pass::record::Record;

/// A walk over a trace that is not whole yet. Its tables are kept from trace to trace.
#[derive(Default)]
pub struct Stream {
    engine: Engine,
    memory: Memory,
    features: Features,
    stage: Option<memory::Options>,
    work: Option<u64>,
    at: Suspended,
    here: Option<Block>,
    /// Whether control may come to the end of what was recorded.
    ends: bool,
}

/// What a trace is recorded into and optimized with.
pub struct Tape<'a> {
    /// The trace: what [`Stream::begin`] made of it, and nothing else.
    pub f: &'a mut Function,
    /// What its descriptors stand for.
    pub world: &'a dyn World,
    /// The record of rewrites.
    pub record: &'a mut Record,
}

impl Stream {
    /// A stream that does what a pipeline does, if that is one walk which needs no whole trace.
    pub fn new(pipeline: &Pipeline) -> Option<Stream> {
        let features = pipeline.as_one_walk()?;
        Some(Stream { features, stage: memory(features, Form::Trace, None), ..Stream::default() })
    }

    /// How many operations are looked at in each trace; those behind are taken as they are. Without a number all
    /// are.
    pub fn limit_work(&mut self, operations: Option<u64>) {
        self.work = operations;
    }

    /// Begins a trace: a function of two blocks, of which the first has all its parameters, goes on to the second
    /// and is empty. What was begun before is given up.
    pub fn begin(&mut self, tape: Tape<'_>) {
        let &[entry, head] = tape.f.blocks() else { unreachable!("a trace begins with two blocks") };
        for block in [entry, head] {
            let call = tape.f.make_call(head, &[]);
            tape.f.set_terminator(block, Terminator::Jump(call));
        }
        let options = self.stage.unwrap_or_default();
        self.memory.set_options(options);
        self.memory.peel(None, &[]);
        self.memory.meet(Meets::Nobody);
        let config = self.config();
        self.at = match self.stage {
            Some(_) => self.engine.begin(tape.f, tape.world, &config, &mut self.memory, false),
            None => self.engine.begin(tape.f, tape.world, &config, &mut (), false),
        };
        self.enter(tape);
    }

    fn config(&self) -> Config<'static> {
        // A stream does not know how long the trace will be: what rules make is bounded for each operation.
        Config { features: self.features, work: self.work.unwrap_or(u64::MAX), ..Config::FULL }
    }

    /// Lets the engine do something at the place where it stopped.
    fn with<T>(&mut self, tape: Tape<'_>, act: impl FnOnce(&mut Cx<'_>, &mut dyn Stage) -> T) -> T {
        let config = self.config();
        let mut none = ();
        let stage: &mut dyn Stage = if self.stage.is_some() { &mut self.memory } else { &mut none };
        let at = std::mem::take(&mut self.at);
        let mut cx = self.engine.resume(tape.f, tape.world, tape.record, &config, at);
        let result = act(&mut cx, stage);
        self.at = cx.suspend();
        result
    }

    /// Goes into the next block of the walk.
    fn enter(&mut self, tape: Tape<'_>) {
        let (block, ends) = self.with(tape, |cx, stage| {
            loop {
                match cx.engine.walk.next() {
                    Some(Step::Enter(block)) => break (Some(block), cx.open(block, stage)),
                    // What is known in one block is not known at an entrance behind it.
                    Some(Step::Leave(block)) => cx.leave(block, stage),
                    None => break (None, false),
                }
            }
        });
        (self.here, self.ends) = (block, ends);
    }

    /// Looks at an operation that stands nowhere yet: behind everything that was recorded before.
    pub fn record(&mut self, tape: Tape<'_>, inst: Inst) {
        if self.ends {
            self.ends = self.with(tape, |cx, stage| {
                cx.engine.uses.add_uses_of(cx.f, inst);
                cx.instruction(inst, stage)
            });
        }
    }

    /// The head of the loop: goes on with the parameters of the second block, which begin with `state`.
    pub fn begin_loop(&mut self, tape: Tape<'_>, state: &[Value]) {
        if self.ends {
            let Tape { f, world, record } = tape;
            let head = f.blocks()[1];
            if f.is_entrance(head) {
                self.engine.walk.flow.open(head);
            }
            let call = f.make_call(head, state);
            self.close(Tape { f, world, record }, Terminator::Jump(call));
            self.enter(Tape { f, world, record });
        }
    }

    /// How many operations there are so far, those that wait apart.
    pub fn len(&self, f: &Function) -> usize {
        f.live_inst_count() + self.at.emitted()
    }

    fn close(&mut self, tape: Tape<'_>, terminator: Terminator) {
        let Some(block) = self.here else { return };
        tape.f.set_terminator(block, terminator);
        // The list of the block is empty: it is that of the next.
        let (ends, spare) = (self.ends, tape.f.replace_insts(block, Vec::new()));
        self.with(tape, |cx, stage| cx.close(block, spare, ends, stage));
    }

    /// Ends the trace. Says which operation always leaves, if one does.
    pub fn end(&mut self, tape: Tape<'_>, terminator: Terminator) -> Option<Inst> {
        let Tape { f, world, record } = tape;
        self.close(Tape { f, world, record }, terminator);
        self.here = None;
        self.with(Tape { f, world, record }, |cx, stage| {
            cx.walk(stage);
            cx.remove_unreachable();
        });
        let at = std::mem::take(&mut self.at);
        let fails = at.fails;
        self.engine.end(f, world, record, self.features, at);
        fails
    }
}
