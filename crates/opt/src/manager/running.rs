//! The pass manager's loop (LLVM's `PassManager` and `PassInstrumentation`, Go's `compile.go`): runs a pipeline on a function.
//! The passes do their work; here alone is verified, timed, shown and counted, and here analyses are kept.

use std::time::{Duration, Instant};

use planish_ir::module::Descriptors;
use planish_ir::verify::verify;
use planish_ir::{Form, Function, Inst, Module, Value};
use planish_ops::world::{Meaning, TypeGuard, World};
use planish_pass::{Analyses, Change, Chaos, Level, ModuleCx, Pass, PassCx, Record, Target, apply};
use planish_rules::RuleId;
use planish_rules::set::RuleSet;

use super::honest::Honest;
use super::pipeline::{Pipeline, Step, What};
use crate::engine::config::{Config, Features};
use crate::engine::{Engine, Summary};
use crate::memory::{self, Memory};
use crate::unroll::{self, Entered, Meets, Short};

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
    /// Whether a loop is given a first iteration of its own where the pipeline says so: one that has it elsewhere is not.
    pub peels: bool,
    /// The numbers of the exits, in order, from which bridges go on that were recorded out of these very guards: none of them is
    /// made stronger. A bridge that is recorded later, out of a guard as it is left, knows what that guard asks.
    pub bridged: &'a [u32],
    /// How many operations a walk looks at; behind them the function stays as it is.
    pub work: u64,
    /// Verify the function before the first step and after each, and hold each pass to what it says of itself.
    pub verify: bool,
    /// Measure the time of each step.
    pub time: bool,
    /// What the program is written for.
    pub target: Target<'a>,
    /// Passes, budgets and costs at random, for tests.
    pub chaos: Option<Chaos>,
    /// A rule of which the record keeps where it was tried and what it missed.
    pub watched: Option<(&'a RuleSet, RuleId)>,
}

impl Options<'_> {
    /// Verification in builds with debug assertions, no clock, no further rules, a machine with registers.
    pub const QUIET: Options<'static> = Options {
        extra: None,
        disabled: None,
        runtime: &[],
        meets: Meets::Nobody,
        peels: true,
        bridged: &[],
        work: u64::MAX,
        verify: cfg!(debug_assertions),
        time: false,
        target: Target::MACHINE,
        chaos: None,
        watched: None,
    };
}

/// How many operations rules may make in one run for each operation that there was, and besides.
pub const MADE_FOR_ONE: u64 = 8;

/// See [`MADE_FOR_ONE`].
pub const MADE_AT_LEAST: u64 = 1_000;

/// How often a walk is done again at most, for what it left behind: each time there is less.
const MOST_ROUNDS: usize = 4;

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

/// Who sees a function between the steps of a run.
pub trait Observer {
    /// A step is about to run.
    fn before(&mut self, _step: &Step, _f: &Function) {}

    /// A step has run, and changed so much at most.
    fn after(&mut self, _step: &Step, _f: &Function, _change: Change) {}
}

/// Nobody.
impl Observer for () {}

/// What optimizes functions, one after the other: its memory is kept between them.
#[derive(Default)]
pub struct Optimizer {
    /// The engine.
    pub engine: Engine,
    memory: Memory,
    analyses: Analyses,
}

impl Optimizer {
    /// An optimizer without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs the steps of a pipeline that see one function each; passes over modules are left out.
    pub fn run(
        &mut self,
        pipeline: &Pipeline,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        options: Options<'_>,
        observer: &mut dyn Observer,
    ) -> Ran {
        self.run_steps(
            pipeline.of_module_and_functions().1,
            pipeline.form(),
            f,
            world,
            record,
            options,
            observer,
        )
    }

    /// Runs the steps up to the last one over modules on a module. Each step sees all functions before the next. A pass over
    /// modules may ask for functions to be simplified, by what stands behind such passes.
    pub fn run_on_module(
        &mut self,
        pipeline: &Pipeline,
        module: &mut Module,
        record: &mut Record,
        options: Options<'_>,
    ) {
        let steps = pipeline.of_module_and_functions().0;
        for (number, step) in (0..).zip(steps) {
            if let What::Module(pass) = step.what {
                record.enter(0, number);
                let mut simplify = |function, f: &mut Function, world: &Descriptors, record: &mut Record| {
                    for step in pipeline.simplifying() {
                        let step = std::slice::from_ref(step);
                        self.run_steps(step, pipeline.form(), f, world, record, options, &mut ());
                        record.enter(function, number);
                    }
                };
                (pass.run)(module, &mut ModuleCx::new(record, &mut simplify));
                continue;
            }
            let Module { functions, descriptors, .. } = &mut *module;
            for (function, f) in (0..).zip(functions.values_mut()) {
                record.enter(function, number);
                let step = std::slice::from_ref(step);
                self.run_steps(step, pipeline.form(), f, descriptors, record, options, &mut ());
            }
        }
        record.begin_functions(steps.len() as u32);
    }

    #[expect(clippy::too_many_arguments, reason = "each is something else, and there are two callers")]
    fn run_steps(
        &mut self,
        steps: &[Step],
        form: Form,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        options: Options<'_>,
        observer: &mut dyn Observer,
    ) -> Ran {
        let mut ran = Ran::default();
        if options.verify {
            check(f, form, "before the pipeline");
        }
        self.analyses.clear();
        let mut most_made = MADE_FOR_ONE * f.live_inst_count() as u64 + MADE_AT_LEAST;
        // What ran and found nothing since the last change would find nothing again.
        let mut quiet: Vec<&Step> = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            if options.chaos.is_none() && quiet.iter().any(|ran| ran.does_the_same(step)) {
                observer.before(step, f);
                ran.times.extend(options.time.then_some(Duration::ZERO));
                record.next_step();
                observer.after(step, f, Change::Nothing);
                continue;
            }
            let chaos = options.chaos.map(|chaos| chaos.about((number, f.live_inst_count())));
            let price = |op| chaos.map_or((options.target.price)(op), |c| c.cost(op, options.target.price));
            let machine = chaos.map_or(options.target.machine, Chaos::machine);
            let options =
                Options { target: Target { price: &price, machine, ..options.target }, chaos, ..options };
            observer.before(step, f);
            let begin = options.time.then(Instant::now);
            let before = record.changes();
            let honest = options.verify.then(|| Honest::before(f));
            let most = match &step.what {
                What::Walk(features) => {
                    self.walk(*features, form, f, world, record, options, (&mut ran, &mut most_made));
                    Change::Flow
                }
                What::Pass(pass) => self.pass(*pass, step, f, world, record, options),
                What::Own(pass) => self.pass(&**pass, step, f, world, record, options),
                What::Module(_) => Change::Nothing,
            };
            let change = match step.what {
                // A walk resolves operands to what is known to equal them, and stores that wait come later: where nothing
                // was rewritten, that may still be so.
                What::Walk(features) if record.changes() == before && !features.peel => Change::Operations,
                // A peeled loop has one block more.
                What::Walk(_) => Change::Flow,
                _ => most.when(record.changes() != before),
            };
            ran.times.extend(begin.map(|begin| begin.elapsed()));
            if let Some(honest) = honest {
                honest.after(f, change, &step.name);
                check(f, form, &step.name);
            }
            self.analyses.changed(change);
            if record.changes() != before {
                quiet.clear();
            } else {
                quiet.push(step);
            }
            record.next_step();
            observer.after(step, f, change);
        }
        ran
    }

    /// Runs a pass; what it changed at most.
    fn pass(
        &mut self,
        pass: &dyn Pass,
        step: &Step,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        Options { target, chaos, .. }: Options<'_>,
    ) -> Change {
        let info = pass.info();
        debug_assert_eq!(info.level, Level::Function);
        for time in 0..chaos.map_or(1, Chaos::times) {
            if time > 0 {
                self.analyses.changed(info.changes);
            }
            let cx = PassCx::new(info, world, record, target, &mut self.analyses);
            apply(pass, f, cx.with_options(&step.options).in_chaos(chaos));
        }
        info.changes
    }

    /// Walks through a function with the engine.
    #[expect(clippy::too_many_arguments, reason = "each is something else, and there is one caller")]
    fn walk(
        &mut self,
        features: Features,
        form: Form,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        options: Options<'_>,
        (ran, most_made): (&mut Ran, &mut u64),
    ) {
        let config = Config {
            features,
            extra: options.extra,
            disabled: options.disabled,
            most_made: *most_made,
            work: options.work,
            target: options.target,
            watched: options.watched,
            chaos: options.chaos,
        };
        let summary = match memory(features, form, Some(world)) {
            Some(what) => {
                self.memory.set_options(what);
                self.walk_with_memory(f, world, record, options, config, ran)
            }
            None => self.engine.run(f, world, record, &config),
        };
        ran.fails = ran.fails.or(summary.fails);
        *most_made = most_made.saturating_sub(summary.made);
    }
}

impl Optimizer {
    /// Walks through a function with the stage that sees memory: over a loop that is peeled, if there is one, and again where
    /// that left something behind.
    fn walk_with_memory(
        &mut self,
        f: &mut Function,
        world: &dyn World,
        record: &mut Record,
        options: Options<'_>,
        config: Config<'_>,
        ran: &mut Ran,
    ) -> Summary {
        let Optimizer { engine, memory: stage, .. } = self;
        let peels = config.features.peel && options.peels;
        let peel = |f: &mut Function| if peels { unroll::peel(f) } else { None };
        let mut peeled = peel(f);
        stage.peel(peeled, options.runtime);
        stage.meet(options.meets);
        stage.keep_guards(options.bridged);
        let mut summary = engine.run_with(f, world, record, &config, stage);
        let rest =
            |summary: &Summary| Config { most_made: config.most_made.saturating_sub(summary.made), ..config };
        if peeled.is_none() && summary.fails.is_none() {
            // What stood in front of the loop may be gone.
            peeled = peel(f);
            if peeled.is_some() {
                stage.peel(peeled, options.runtime);
                summary.goes_on(engine.run_with(f, world, record, &rest(&summary), stage));
            }
        }
        ran.entered = stage.entered;
        ran.short = stage.short.take();
        if config.features.plain || options.meets != Meets::Nobody || summary.fails.is_some() {
            return summary;
        }
        // What was compared may be one value now; what is dead may be all that an object was made for; what a guard says at
        // its place was not known behind it; a label may list a constant; bits of what comes around may stay as they are.
        let merged = peeled.is_some_and(|peeled| unroll::merge(f, peeled, record));
        let mut again =
            merged || summary.loose || stage.learned_late() || stage.shares_bits() || has_constant_param(f);
        for _ in 0..MOST_ROUNDS {
            if !again {
                break;
            }
            let config = rest(&summary);
            let config = Config { features: Features { peel: false, ..config.features }, ..config };
            stage.peel(None, options.runtime);
            summary.goes_on(engine.run_with(f, world, record, &config, stage));
            again =
                summary.fails.is_none() && (summary.loose || stage.learned_late() || has_constant_param(f));
        }
        summary
    }
}

/// Whether some block of a trace, to which nobody comes from elsewhere, is handed one constant for a parameter whichever way
/// one comes to it: along the trace, or back from its end. O(arguments).
fn has_constant_param(f: &Function) -> bool {
    let last = f.blocks()[f.blocks().len() - 1];
    let back = f.block_calls(last).next();
    f.blocks().iter().filter(|&&block| block != last).flat_map(|&block| f.block_calls(block)).any(|call| {
        let back = back.filter(|back| back.block == call.block).map(|back| f.list(back.args));
        let stays = |at: usize, arg: Value| {
            back.is_none_or(|back| back[at] == arg || back[at] == f.block_params(call.block)[at])
        };
        let mut args = f.list(call.args).iter().enumerate();
        !f.is_entrance(call.block) && args.any(|(at, &arg)| f.constant(arg).is_some() && stays(at, arg))
    })
}

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

/// Panics when a function is not what it should be after a step: that is a mistake of the step.
fn check(f: &Function, form: Form, step: &str) {
    let found = verify(f, form);
    assert!(found.is_empty(), "{step} left `{}` broken: {found:#?}", f.name);
}
