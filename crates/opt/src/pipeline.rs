//! Pipelines as data, and the one place that runs them.
//!
//! A pipeline is a list of steps. What the engine does in its walk is chosen by *names* (`intbounds`,
//! `rewrite`, `pure`, `dead`): neighbours in a pipeline are features of one walk and not walks of their
//! own. Everything else is a [`Pass`]: a constant with a name, the forms it takes and leaves, and a
//! function. The idea is that of Go's `compile.go`: the passes do their work, [`Pipeline::run`] alone
//! verifies, times, shows and counts.

use std::fmt::Write;
use std::time::{Duration, Instant};

use planish_ir::verify::verify;
use planish_ir::{Block, Form, Function, Inst, Value};
use planish_ops::Op;
use planish_ops::world::{Meaning, TypeGuard, World};
use planish_rules::RuleId;
use planish_rules::set::RuleSet;

use crate::config::{Config, Features};
use crate::engine::Engine;
use crate::memory;
use crate::passes::{
    cells, choose, conditions, congruence, hoist, loads, recursion, rotate, schedule, settle, states,
    strength, thread, twins, unroll, unswitch,
};
use crate::peel::{Entered, Meets, Short};
use crate::record::{Became, Kind, Record, Site};
use crate::{peel, tidy};

/// What a pass may use besides its function.
pub struct PassCx<'a> {
    /// What descriptors stand for.
    pub world: &'a dyn World,
    /// Where rewrites are asked for.
    pub record: &'a mut Record,
    /// What an operation costs where the program is written; `None` when it cannot be.
    pub price: Price,
}

/// What an operation costs; `None` when there is no way to say it.
pub type Price = fn(Op) -> Option<u32>;

/// What an operation counts that cannot be written: more than all that can.
pub(crate) const IMPOSSIBLE: u32 = 1 << 20;

/// What operations cost on a machine: the column of the table.
pub fn machine_price(op: Op) -> Option<u32> {
    Some(op.row().cost)
}

impl<'a> PassCx<'a> {
    /// For a machine.
    pub fn new(world: &'a dyn World, record: &'a mut Record) -> Self {
        PassCx { world, record, price: machine_price }
    }

    /// Asks whether a pass may change the flow of control at a block.
    pub(crate) fn may_change(&mut self, pass: &Pass, f: &Function, block: Block) -> bool {
        self.record.rewrite(Kind::Stage(pass.name), Site::of_block(f, block), Became::Changed)
    }
}

/// A pass that is no part of the walk. It is a constant that begins with [`Pass::over_graphs`].
pub struct Pass {
    /// The name in pipelines and reports.
    pub name: &'static str,
    /// One sentence for people.
    pub doc: &'static str,
    /// The forms that it takes.
    takes: &'static [Form],
    /// Those of them that it leaves as they were.
    leaves: &'static [Form],
    /// Whether it takes functions whose exits go to handlers.
    handlers: bool,
    /// Does it.
    run: fn(&mut Function, &mut PassCx<'_>),
}

impl Pass {
    /// A pass that takes any control-flow graph and leaves one.
    pub const fn over_graphs(
        name: &'static str,
        doc: &'static str,
        run: fn(&mut Function, &mut PassCx<'_>),
    ) -> Pass {
        Pass { name, doc, takes: &[Form::Cfg], leaves: &[Form::Cfg], handlers: true, run }
    }

    /// The same, but functions with exception handlers stay as they are: what an exit passes to its handler
    /// is not an edge that can be split or copied.
    pub const fn without_handlers(self) -> Pass {
        Pass { handlers: false, ..self }
    }

    /// Runs it on a function that it takes; any other stays as it is.
    pub fn apply(&self, f: &mut Function, cx: &mut PassCx<'_>) {
        if self.handlers || !f.has_handlers() {
            (self.run)(f, cx);
        }
    }
}

/// A name that chooses a part of the engine's walk.
pub struct Walking {
    /// The name in pipelines.
    pub name: &'static str,
    /// One sentence for people.
    pub doc: &'static str,
    /// What the engine does.
    pub features: Features,
}

/// The parts of the walk that have names.
pub const WALKING: &[Walking] = &[
    Walking {
        name: "intbounds",
        doc: "Ranges and known bits: operations and guards that they decide.",
        features: Features { fold: true, facts: true, control: true, ..Features::NONE },
    },
    Walking {
        name: "rewrite",
        doc: "Folding, algebra, rules, guards and branches that are decided.",
        features: Features { fold: true, algebra: true, rules: true, control: true, ..Features::NONE },
    },
    Walking {
        name: "pure",
        doc: "Equal operations and equal guards are made once.",
        features: Features { number: true, ..Features::NONE },
    },
    Walking {
        name: "virtualize",
        doc: "Allocations are kept back until something needs the object.",
        features: Features { virtualize: true, ..Features::NONE },
    },
    Walking {
        name: "heap",
        doc: "Loads are forwarded, stores wait and overwrite each other.",
        features: Features { heap: true, ..Features::NONE },
    },
    Walking {
        name: "string",
        doc: "Strings are kept back until something needs them, comparisons of them are simpler ones.",
        features: Features { strings: true, ..Features::NONE },
    },
    Walking {
        name: "earlyforce",
        doc: "Nothing of its own: an object is always made before the operation that needs it.",
        features: Features::NONE,
    },
    Walking {
        name: "peel",
        doc: "The first iteration of a loop is apart, and the others are optimized with what it found out.",
        features: Features { peel: true, ..Features::NONE },
    },
    Walking {
        name: "plain",
        doc: "Nothing that PyPy's optimizer does not do: guards and loops stay as they are.",
        features: Features { plain: true, ..Features::NONE },
    },
    Walking {
        name: "dead",
        doc: "Operations and parameters that nothing uses go.",
        features: Features { dead: true, ..Features::NONE },
    },
];

/// The passes that are no part of the walk.
pub const PASSES: &[&Pass] = &[
    &tidy::PASS,
    &cells::PASS,
    &choose::PASS,
    &conditions::PASS,
    &congruence::PASS,
    &hoist::PASS,
    &loads::PASS,
    &recursion::PASS,
    &rotate::PASS,
    &schedule::PASS,
    &settle::PASS,
    &states::PASS,
    &strength::PASS,
    &thread::PASS,
    &thread::FLAGS,
    &twins::PASS,
    &unroll::PASS,
    &unswitch::PASS,
];

/// One step of a pipeline.
#[derive(Clone)]
pub enum Step {
    /// A walk of the engine with these features; the names joined with `+`.
    Walk(String, Features),
    /// A pass.
    Pass(&'static Pass),
}

impl Step {
    /// The name in reports.
    pub fn name(&self) -> &str {
        match self {
            Step::Walk(name, _) => name,
            Step::Pass(pass) => pass.name,
        }
    }
}

/// What a run is allowed and asked to do besides the steps.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Rules read at run time, tried before those of the book.
    pub extra: Option<&'a RuleSet>,
    /// For each rule of the book whether it is not used; without it all are.
    pub disabled: Option<&'a [bool]>,
    /// For each value that comes around a loop the constant that it once was, if that is known: where a
    /// guess decides whether a guard is worth while, this is the guess.
    pub runtime: &'a [Option<Value>],
    /// What the function has to do with loops of the functions before it.
    pub meets: Meets,
    /// The form that the functions have, and keep.
    pub form: Form,
    /// How many operations a walk looks at; behind them the function stays as it is.
    pub work: u64,
    /// Verify the function before the first step and after each.
    pub verify: bool,
    /// Measure the time of each step.
    pub time: bool,
    /// What operations cost where the program will be written.
    pub price: Price,
    /// A rule of which the record keeps where it was tried and what it missed.
    pub watched: Option<(&'a RuleSet, RuleId)>,
}

impl Options<'_> {
    /// Any control-flow graph, verification in builds with debug assertions, no clock, no further rules.
    pub const QUIET: Options<'static> = Options {
        extra: None,
        disabled: None,
        runtime: &[],
        meets: Meets::Nobody,
        form: Form::Cfg,
        work: u64::MAX,
        verify: cfg!(debug_assertions),
        time: false,
        price: machine_price,
        watched: None,
    };
}

/// How many operations rules may make in one run for each operation that there was, and besides.
pub const MADE_FOR_ONE: u64 = 8;

/// See [`MADE_FOR_ONE`].
pub const MADE_AT_LEAST: u64 = 1_000;

/// Steps in order.
#[derive(Clone)]
pub struct Pipeline {
    steps: Vec<Step>,
}

/// What a run did to a function.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// The first operation that was found to leave always: in a trace, the loop is invalid.
    pub fails: Option<Inst>,
    /// Where the function went, if it may enter loops of others.
    pub entered: Option<Entered>,
    /// What another trace does before it enters the function's loop, where PyPy is followed.
    pub short: Option<Short>,
    /// The time of each step, in order, when it was asked for.
    pub times: Vec<Duration>,
}

/// A pipeline names something that there is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPass {
    /// The name.
    pub name: String,
}

impl std::fmt::Display for UnknownPass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no pass `{}`; the passes are ", self.name)?;
        let names = WALKING.iter().map(|walking| walking.name).chain(PASSES.iter().map(|pass| pass.name));
        for (index, name) in names.enumerate() {
            write!(f, "{}{name}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownPass {}

/// What a walk does to memory, if anything, in a world.
pub(crate) fn memory(features: Features, form: Form, world: Option<&dyn World>) -> Option<memory::Options> {
    let Features { virtualize, heap, strings, plain, .. } = features;
    let accesses_never_leave = form == Form::Trace;
    let trace = world.filter(|_| accesses_never_leave);
    let allocates = |world: &dyn World| world.function(Meaning::RawMalloc, false).is_some();
    let asks = |world: &dyn World| TypeGuard::ALL.iter().any(|&asks| world.type_guard_of(asks).is_some());
    let options = memory::Options {
        virtualize,
        heap,
        strings,
        raw: plain || strings && trace.is_some_and(allocates),
        types: plain || trace.is_some_and(asks),
        accesses_never_leave,
    };
    (virtualize || heap || strings || features.peel).then_some(options)
}

impl Pipeline {
    /// What is run when nothing is asked for, on control-flow graphs.
    pub const CFG: &'static str = "intbounds:rewrite:pure:dead:tidy:intbounds:rewrite:pure:dead:tidy";
    /// What is run on bytecode, where what has many instructions is not better for executing few of them.
    pub const BYTECODE: &'static str = "intbounds:rewrite:pure:dead:tidy:flags:conditions:states:loads:intbounds:rewrite:pure:dead:tidy:schedule:tidy";
    /// What is run when nothing is asked for, on programs whose control flow may change its shape.
    pub const PROGRAM: &'static str = "intbounds:rewrite:pure:dead:tidy:\
        cells:loads:states:choose:thread:congruence:twins:rotate:intbounds:rewrite:pure:dead:tidy:\
        unroll:intbounds:rewrite:pure:dead:tidy:cells:thread:choose:unroll:\
        intbounds:rewrite:pure:dead:tidy:schedule:settle:congruence:unswitch:strength:\
        intbounds:rewrite:pure:dead:tidy:hoist:schedule:tidy";
    /// What is run behind the rest where a dialect made operations of what it can only say by them.
    pub const LEGALIZED: &'static str = "pure:dead:schedule:tidy";
    /// What is run when nothing is asked for, on traces.
    pub const TRACE: &'static str = "intbounds:rewrite:virtualize:string:pure:heap:dead";

    /// What PyPy's optimizer does on traces: operations that nothing uses stay.
    pub const PYPY: &'static str = "intbounds:rewrite:virtualize:string:pure:heap:plain";

    /// The pipeline of names divided by colons; neighbours that are parts of the walk are one walk.
    pub fn parse(text: &str) -> Result<Pipeline, UnknownPass> {
        let mut steps: Vec<Step> = Vec::new();
        for name in text.split(':').map(str::trim).filter(|name| !name.is_empty()) {
            if let Some(walking) = WALKING.iter().find(|walking| walking.name == name) {
                match steps.last_mut() {
                    Some(Step::Walk(names, features)) => {
                        write!(names, "+{name}").expect("writing to a string does not fail");
                        *features = features.with(walking.features);
                    }
                    _ => steps.push(Step::Walk(name.to_owned(), walking.features)),
                }
            } else if let Some(pass) = PASSES.iter().find(|pass| pass.name == name) {
                steps.push(Step::Pass(pass));
            } else {
                return Err(UnknownPass { name: name.to_owned() });
            }
        }
        Ok(Pipeline { steps })
    }

    /// What the engine does, if the pipeline is one walk that needs no more than one look at each operation.
    pub fn as_one_walk(&self) -> Option<Features> {
        match self.steps.as_slice() {
            [Step::Walk(_, features)] if !features.peel => Some(*features),
            _ => None,
        }
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether every step takes and leaves functions of a form; else the first that does not.
    pub fn fits(&self, form: Form) -> Result<(), &str> {
        let refuses = |step: &&Step| match step {
            Step::Walk(..) => false,
            Step::Pass(pass) => !pass.takes.contains(&form) || !pass.leaves.contains(&form),
        };
        self.steps.iter().find(refuses).map_or(Ok(()), |step| Err(step.name()))
    }

    /// Runs the steps on a function; `show` sees it after each of them.
    pub fn run(
        &self,
        f: &mut Function,
        world: &dyn World,
        engine: &mut Engine,
        record: &mut Record,
        options: Options<'_>,
        show: &mut dyn FnMut(&str, &Function),
    ) -> Ran {
        let mut ran = Ran::default();
        if options.verify {
            check(f, options.form, "before the pipeline");
        }
        let mut most_made = MADE_FOR_ONE * f.live_inst_count() as u64 + MADE_AT_LEAST;
        for step in &self.steps {
            let begin = options.time.then(Instant::now);
            match step {
                Step::Walk(_, features) => {
                    let config = Config {
                        features: *features,
                        extra: options.extra,
                        disabled: options.disabled,
                        most_made,
                        work: options.work,
                        price: options.price,
                        watched: options.watched,
                    };
                    let summary = match memory(*features, options.form, Some(world)) {
                        Some(what) => {
                            let mut stage = engine.memory.take().unwrap_or_default();
                            stage.set_options(what);
                            let peeled = if features.peel { peel::peel(f) } else { None };
                            stage.peel(peeled, options.runtime);
                            stage.meet(options.meets);
                            let summary = engine.run_with(f, world, record, &config, &mut *stage);
                            ran.entered = stage.entered;
                            ran.short = stage.short.take();
                            engine.memory = Some(stage);
                            if let Some(peeled) =
                                peeled.filter(|_| !features.plain && summary.fails.is_none())
                            {
                                peel::merge(f, peeled, record);
                            }
                            summary
                        }
                        None => engine.run(f, world, record, &config),
                    };
                    ran.fails = ran.fails.or(summary.fails);
                    most_made -= summary.made;
                }
                Step::Pass(pass) => pass.apply(f, &mut PassCx { world, record, price: options.price }),
            }
            ran.times.extend(begin.map(|begin| begin.elapsed()));
            if options.verify {
                check(f, options.form, step.name());
            }
            record.next_step();
            show(step.name(), f);
        }
        ran
    }
}

/// Panics when a function is not what it should be after a step: that is a mistake of the step.
fn check(f: &Function, form: Form, step: &str) {
    let found = verify(f, form);
    assert!(found.is_empty(), "{step} left `{}` broken: {found:#?}", f.name);
}
