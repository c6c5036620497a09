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

mod ages;
pub(crate) mod algebra;
mod backward_facts;
mod blocks;
mod calls;
pub(crate) mod control;
mod dead;
pub(crate) mod facts;
mod flow;
pub(crate) mod imports;
pub(crate) mod lesson;
mod lookups;
mod loop_facts;
pub(crate) mod numbering;
pub(crate) mod pure;
pub(crate) mod refs;
mod replacement;
mod rules;
pub(crate) mod state;
mod terminators;
pub(crate) mod uses;
pub(crate) mod walk;

use planish_base::Budget;
use planish_domain::IntFact;
use planish_ir::{Function, Inst, Value};
use planish_ops::world::{Characters, World};

use crate::engine::config::{Config, Features};
use crate::engine::stage::Stage;
pub(crate) use crate::engine::state::Suspended;
pub use crate::engine::state::{Cx, Engine};
use planish_pass::record::Record;

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
    /// Whether something that is dead was all that some object was made for: a further run need not make it.
    pub loose: bool,
}

impl Summary {
    /// Takes up what a further run over the same function did.
    pub fn goes_on(&mut self, again: Summary) {
        self.changed |= again.changed;
        self.fails = again.fails;
        self.made += again.made;
        self.loose = again.loose;
    }
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

    /// What the last run over a function knew of an integer value where that is defined, if it was anything. A pass behind
    /// it may have changed bits that nobody sees.
    pub fn fact(&self, f: &Function, value: Value) -> Option<IntFact> {
        self.facts.get(f, value)
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
        let at = self.begin(f, world, config, stage, true);
        let mut cx = self.resume(f, world, record, config, at);
        cx.walk(stage);
        cx.remove_unreachable();
        let (fails, made) = (cx.fails, cx.made.used());
        let at = cx.suspend();
        let loose = self.end(f, world, record, config.features, at);
        Summary { changed: record.total() != before, fails, made, loose }
    }

    /// Forgets the function before and begins with one. Of one that is not `whole` yet nothing is found out
    /// before the walk.
    pub(crate) fn begin<S: Stage + ?Sized>(
        &mut self,
        f: &Function,
        world: &dyn World,
        config: &Config<'_>,
        stage: &mut S,
        whole: bool,
    ) -> Suspended {
        self.forwarding.start(f);
        self.numbering.clear();
        self.facts.start(f);
        self.refs.clear();
        self.ages.start(f);
        self.incoming_refs.clear();
        self.incoming.clear();
        self.joins.clear();
        self.lessons.clear();
        self.imports.clear();
        self.truths = None;
        self.marks.clear();
        self.walk.start(f);
        self.whole = whole;
        self.loops_known = whole
            && config.features.facts
            && config.features.control
            && !config.features.plain
            && !self.walk.flow.back.is_empty()
            && self.loops.find(f, world, &mut self.walk);
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
            budget: config.budget("rewrites of one operation", REWRITES_OF_ONE_OPERATION),
            made: config.budget("operations made by rules", config.most_made),
            // What the caller is ready to wait for, in all that it has optimized: no heuristic.
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

    /// Ends with a function whose blocks were all visited. Whether a further run may find more: see [`Summary::loose`].
    pub(crate) fn end(
        &mut self,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        features: Features,
        at: Suspended,
    ) -> bool {
        for budget in [&at.budget, &at.made, &at.work] {
            record.note_budget(budget);
        }
        self.spare = at.out;
        features.dead && self.dead.run(f, world, record)
    }
}
