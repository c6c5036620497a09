//! A run over the functions of a program: how they are optimized, and what that did.
//!
//! What a run needs besides functions is in its [`Settings`]; what it did comes back as an [`Outcome`].

use std::sync::Arc;
use std::time::Duration;

use planish_base::{Budget, caught};
use planish_book as book;
use planish_interp::Program;
use planish_ir::bridge::{FactKind, FactKinds};
use planish_ir::module::{Descriptors, Tables};
use planish_ir::text::ValueNames;
use planish_ir::{Form, FuncId, Function, Module};
use planish_ops::world::World;
use planish_opt::aggregates::Aggregates;
use planish_opt::egraph::bodies::Bodies;
use planish_opt::egraph::dump::Dump;
use planish_opt::manager::{Observer, Step};
use planish_opt::passes::sroa;
use planish_opt::{
    Analyses, Change, Chaos, Meets, Optimizer, Options, Pass, PassCx, Pipeline, Ran, Record, Target, apply,
};
use planish_trace_dialect::facts::Facts;

use crate::by_themselves::refused;
use crate::explain::Names;
use crate::instrument::{PassTimes, Shown};
use crate::logged::LoggedTrace;
use crate::missed_patterns::MissedPatterns;
use crate::settings::{Compat, EngineChoice, Settings, left_out};
use crate::states::States;
use crate::statistics::Statistics;
use crate::validate::{self, Checked};

/// What an optimization did.
pub struct Outcome {
    /// Counts and, if asked for, every rewrite.
    pub record: Record,
    /// Operations before and after.
    pub statistics: Statistics,
    /// What values were called before the run, for explanation.
    pub names: Names,
    /// The graphs of the e-graph engine, when they were asked for.
    pub graphs: Option<Dump>,
    /// The names of the steps that each function went through, in order.
    pub steps: Vec<String>,
    /// What comparing with the original said, when it was asked for.
    pub checked: Option<Checked>,
    /// The pairs of operations that remain, when they were asked for.
    pub remains: Option<MissedPatterns>,
    /// The states of the functions, in the order of their rewrites in the record, when they were asked for.
    pub states: Vec<States>,
    /// What a log tells of its traces, when states were asked for.
    pub logged: Vec<LoggedTrace>,
    /// What could not be done, rendered; empty when there is nothing.
    pub warnings: String,
    /// Whether something is written as it was that the optimizer whom the settings follow refuses.
    pub given_up: bool,
    /// How long passes took, when it was asked for.
    pub times: PassTimes,
}

/// How many times a function goes through the pipeline at most.
pub(crate) const ROUNDS: usize = 4;

/// A run over several functions: the engine's memory, the record, the names for explanation.
pub struct Run {
    pub(crate) settings: Arc<Settings>,
    /// The pipeline when the settings name none.
    default: String,
    pub(crate) pipeline: Pipeline,
    pub(crate) optimizer: Optimizer,
    pub(crate) form: Form,
    /// The rules of the book that the profile leaves out, by number.
    pub(crate) disabled: Option<Vec<bool>>,
    /// What the program is written for.
    pub target: Target<'static>,
    /// What the next function has to do with loops of those before it.
    pub meets: Meets,
    /// Whether the next function is given a first iteration of its loop where the pipeline says so.
    pub peels: bool,
    /// The numbers of the exits, in order, from which bridges of the program go on.
    pub bridged: Vec<u32>,
    /// Says in SSA what the dialect can only say by more; whether there was anything. [`Pipeline::LEGALIZED`]
    /// follows.
    pub legalize: Option<fn(&mut Function) -> bool>,
    /// How many operations may go through the pipeline once more, where it changed their function.
    pub further: Budget,
    /// The functions that are expressions, for the e-graph engine.
    pub(crate) bodies: Bodies,
    /// What was done, and the fuel for more.
    pub record: Record,
    /// The e-graphs, when they were asked for.
    pub(crate) graphs: Option<Dump>,
    /// What values are called, for explanation.
    pub names: Names,
    /// What comparing functions with what they became has shown so far.
    pub checked: Option<Checked>,
    /// Whether functions are compared with what they become.
    pub compares: bool,
    remains: Option<MissedPatterns>,
    states: Vec<States>,
    times: PassTimes,
    /// What the next function is called where it is shown, if that is not its name.
    pub called: Option<String>,
    /// What is to be reported of functions at which we panicked.
    broken: Vec<String>,
}

/// The passes that are named, the default ones in place of the word for them.
fn with_default(named: &str, default: &str) -> String {
    let steps = named.split(':').map(|step| if step.trim() == "default" { default } else { step });
    steps.collect::<Vec<_>>().join(":")
}

impl Run {
    /// Begins a run; `default` is the pipeline when the settings name none.
    pub fn new(settings: &Settings, default: &str, form: Form) -> Result<Run, String> {
        let passes =
            settings.passes.as_deref().map_or(default.to_owned(), |named| with_default(named, default));
        let pipeline =
            Pipeline::parse(&passes, form).map_err(|error| format!("error: {}", refused(&error)))?;
        let mut record = Record::new();
        if settings.log {
            record = record.logging();
        }
        if let Some(fuel) = settings.fuel {
            record = record.with_fuel(fuel);
        }
        let disabled = match settings.compat {
            Some(Compat::Pypy) => Some(left_out("pypy", true)?),
            None => settings.profile.as_deref().map(|profile| left_out(profile, false)).transpose()?,
        };
        let mut run = Run {
            disabled,
            settings: Arc::new(settings.clone()),
            default: default.to_owned(),
            pipeline,
            optimizer: Optimizer::new(),
            form,
            target: Target::MACHINE,
            meets: Meets::Nobody,
            peels: true,
            bridged: Vec::new(),
            legalize: None,
            further: Budget::default(),
            bodies: Bodies::default(),
            record,
            graphs: settings.graphs.then(Dump::default),
            names: Names::default(),
            checked: None,
            compares: settings.validate > 0,
            remains: settings.remains.then(MissedPatterns::default),
            states: Vec::new(),
            times: PassTimes::default(),
            called: None,
            broken: Vec::new(),
        };
        if let Some(rule) = settings.without {
            let only: Vec<bool> = book::set().rules.ids().map(|id| id == rule).collect();
            run.leave_out(&only);
        }
        Ok(run)
    }

    /// Lets functions from now on go through another pipeline, if the settings name none.
    pub fn turn_to(&mut self, default: &str) -> Result<(), String> {
        if self.settings.passes.is_none() && self.default != default {
            self.pipeline = Pipeline::parse(default, self.form).map_err(|error| format!("error: {error}"))?;
            default.clone_into(&mut self.default);
        }
        Ok(())
    }

    /// Whether what a log lacks of constants is assumed.
    pub fn assumes_constants(&self) -> bool {
        self.settings.assume_constants
    }

    /// What is known of functions that logs name.
    pub fn facts(&self) -> Option<Arc<Facts>> {
        self.settings.facts.clone()
    }

    /// Whether what PyPy's result shows of the calls of a log is believed.
    pub fn believes_shown_effects(&self) -> bool {
        !self.settings.without_shown_effects
    }

    /// What bridges are told of their parents. PyPy knows neither ranges nor how values were computed.
    pub fn bridge_facts(&self) -> FactKinds {
        let mut kinds = self.settings.bridge_facts;
        if let Some(chaos) = self.settings.chaos.map(Chaos::new) {
            let left = FactKind::ALL.iter().filter(|(name, _)| chaos.about(name).below(3) == 0);
            kinds = left.fold(kinds, |kinds, (_, kind)| kinds.but(*kind));
        }
        match self.settings.compat {
            Some(Compat::Pypy) => {
                [FactKind::Computed, FactKind::Ranges, FactKind::Bits].into_iter().fold(kinds, FactKinds::but)
            }
            None => kinds,
        }
    }

    /// Whether it is counted how much is left of bridges that are told nothing.
    pub fn counts_untold(&self) -> bool {
        self.settings.untold
    }

    /// A run that optimizes alike and of which nothing is kept or asked.
    pub fn quiet(&self) -> Result<Run, String> {
        let Settings { engine, rules, profile, compat, passes, without, .. } = (*self.settings).clone();
        let settings = Settings { engine, rules, profile, compat, passes, without, ..Settings::default() };
        Run::new(&settings, &self.default, self.form)
    }

    /// How many operations a program has when it is optimized as this run does it, of which nothing is kept.
    pub fn size_of_optimized(&self, module: &Module) -> Result<u64, String> {
        let mut run = self.quiet()?;
        (run.disabled, run.target) = (self.disabled.clone(), self.target);
        let mut module = module.clone();
        run.module(&mut module);
        let Module { functions, descriptors, symbols, .. } = &mut module;
        for function in functions.values_mut() {
            let tables = Tables { descriptors, symbols };
            run.guarded(function, &[], descriptors, tables, |_| ValueNames::default());
        }
        Ok(functions.values().map(|function| function.live_inst_count() as u64).sum())
    }

    /// Leaves out rules of the book, by number, besides those that the profile leaves out.
    pub fn leave_out(&mut self, rules: &[bool]) {
        match &mut self.disabled {
            Some(disabled) => disabled.iter_mut().zip(rules).for_each(|(out, more)| *out |= more),
            None => self.disabled = Some(rules.to_vec()),
        }
    }

    /// Runs the passes over the module with which the pipeline begins, and those over functions between them.
    ///
    /// The e-graph engine decides between calls and bodies where all functions that are called are expressions; so nothing
    /// is inlined before.
    pub fn module(&mut self, module: &mut Module) {
        let is_egraph = self.settings.engine == EngineChoice::Egraph;
        if is_egraph
            && self.settings.passes.is_none()
            && Bodies::new(module, self.target.price).are_all_callees(module)
        {
            let without = self.default.replace(":inline:", ":");
            self.pipeline = Pipeline::parse(&without, self.form).expect("the rest of a pipeline is one");
        }
        self.run_on_module(module);
        if is_egraph {
            self.bodies = Bodies::new(module, self.target.price);
        }
    }

    /// The order in which the functions of a module are optimized: by the e-graph engine callees first, so that bodies are
    /// short where they stand beside calls.
    pub fn order(&self, module: &Module) -> Vec<FuncId> {
        match self.settings.engine {
            EngineChoice::Linear => {
                let mut order: Vec<FuncId> = module.functions.ids().collect();
                if let Some(chaos) = self.settings.chaos.map(Chaos::new) {
                    order.sort_by_key(|id| chaos.about(("order", *id)).below(u64::MAX));
                }
                order
            }
            EngineChoice::Egraph => self.bodies.callees_first(),
        }
    }

    /// Takes note of a function that is done.
    pub fn is_done(&mut self, function: &Function, descriptors: &Descriptors) {
        if self.settings.engine == EngineChoice::Egraph {
            self.bodies.learn(function, descriptors.lookup(&function.name), self.target.price);
        }
    }

    fn run_on_module(&mut self, module: &mut Module) {
        let Run { settings, disabled, target, optimizer, pipeline, record, .. } = self;
        let options = options(settings, disabled.as_deref(), *target);
        optimizer.run_on_module(pipeline, module, record, options);
    }

    /// Optimizes one function. `names` is asked for the names of its values when explanations are wanted;
    /// `runtime` is that of the pipeline's [options](Options::runtime).
    pub fn function(
        &mut self,
        function: &mut Function,
        runtime: &[Option<planish_ir::Value>],
        world: &dyn World,
        tables: Tables<'_>,
        names: impl FnOnce(&Function) -> ValueNames,
    ) -> Ran {
        let known = self.settings.log.then(|| names(function));
        let before = self.compares.then(|| function.clone());
        let over_module = self.pipeline.of_module_and_functions().0.len();
        let kept = known.as_ref().filter(|_| self.settings.states);
        let kept =
            kept.map(|known| (States::begin(function, tables, known, over_module as u32), known, tables));
        let (settings, called) = (Arc::clone(&self.settings), self.called.take());
        let name = called.as_deref().unwrap_or(&function.name);
        let mut watch = Watch { kept, shown: settings.instrument.watch(name, tables) };
        let ran = self.rounds(function, runtime, world, tables, &mut watch);
        self.record.next_function();
        if let Some(remains) = &mut self.remains {
            remains.add(function);
        }
        if let Some(witness) = &settings.witness {
            let engine = &self.optimizer.engine;
            let name = called.as_deref().unwrap_or(&function.name);
            witness.see(name, function, &|value| engine.fact(function, value));
        }
        if !ran.times.is_empty() {
            self.count_times(&ran.times);
        }
        if let Some((mut kept, ..)) = watch.kept {
            kept.took(&ran.times);
            self.states.push(kept);
        }
        if let (Some(before), None) = (before, ran.fails) {
            let checked = self.compared(&before, function, world);
            self.checked = Some(match self.checked.take() {
                Some(others) => others.and(checked),
                None => checked,
            });
        }
        if let Some(known) = known {
            self.names.add(function, known, tables.symbols);
        }
        ran
    }

    /// The same as [`function`](Self::function); a function at which we panic stays as it was.
    pub fn guarded(
        &mut self,
        function: &mut Function,
        runtime: &[Option<planish_ir::Value>],
        world: &dyn World,
        tables: Tables<'_>,
        names: impl Fn(&Function) -> ValueNames,
    ) -> Ran {
        let before = caught::guards().then(|| function.clone());
        let ran = self.caught(function, runtime, world, tables, names);
        if let (None, Some(before)) = (&ran, before) {
            *function = before;
        }
        ran.unwrap_or_default()
    }

    /// The same for whoever has the function elsewhere. Nothing is given of one at which we panic, and nobody knows in which
    /// state it is.
    pub fn caught(
        &mut self,
        function: &mut Function,
        runtime: &[Option<planish_ir::Value>],
        world: &dyn World,
        tables: Tables<'_>,
        names: impl Fn(&Function) -> ValueNames,
    ) -> Option<Ran> {
        if !caught::guards() {
            return Some(self.function(function, runtime, world, tables, names));
        }
        match caught::catch(|| self.function(function, runtime, world, tables, &names)) {
            Ok(ran) => Some(ran),
            Err(panicked) => {
                // Nor of the optimizer.
                self.optimizer = Optimizer::new();
                self.broken.push(panicked.report(&function.name));
                self.record.next_function();
                if self.settings.log {
                    self.names.add_nameless(&function.name);
                }
                None
            }
        }
    }

    /// Adds the times of the steps that a function went through.
    fn count_times(&mut self, times: &[Duration]) {
        let over_module = self.pipeline.of_module_and_functions().0.len();
        for (step, &time) in self.steps().iter().skip(over_module).zip(times) {
            self.times.add(step, time);
        }
    }

    /// Runs one pass with these options on a function. How many rewrites it made.
    pub fn pass(
        &mut self,
        pass: &dyn Pass,
        options: &[(&'static str, u64)],
        function: &mut Function,
        world: &dyn World,
    ) -> u64 {
        let before = self.record.changes();
        let chaos = self.settings.chaos.map(|seed| Chaos::new(seed).about(&function.name));
        let mut analyses = Analyses::new();
        let cx = PassCx::new(pass.info(), world, &mut self.record, self.target, &mut analyses);
        apply(pass, function, cx.with_options(options).in_chaos(chaos));
        self.record.changes() - before
    }

    /// Makes objects that nobody else has their fields, by what a dialect says of them. How many rewrites that were.
    pub fn replace(&mut self, function: &mut Function, objects: &mut dyn Aggregates) -> u64 {
        let before = self.record.changes();
        let (mut analyses, world) = (Analyses::new(), Descriptors::default());
        let chaos = self.settings.chaos.map(|seed| Chaos::new(seed).about(&function.name));
        let cx = PassCx::new(&sroa::PASS.info, &world, &mut self.record, self.target, &mut analyses);
        let mut cx = cx.in_chaos(chaos);
        cx.forget_unreachable(function);
        sroa::replace(function, &mut cx, objects);
        self.record.changes() - before
    }

    /// Holds a function against what became of it.
    fn compared(&self, before: &Function, after: &Function, world: &dyn World) -> Checked {
        let pypy = self.settings.compat == Some(Compat::Pypy);
        let program = Program::bare(world).with_rpython_types(pypy);
        let mut optimized = Program::bare(world).with_rpython_types(pypy);
        let texts = self.optimizer.engine.new_texts();
        optimized.define_texts(world.next_symbol().unwrap_or(u32::MAX), texts);
        validate::functions((&program, before), (&optimized, after), self.settings.validate, self.form)
    }

    /// The names of the steps that each function goes through, in order, those over the module first.
    fn steps(&self) -> Vec<String> {
        let names = |steps: &[Step]| steps.iter().map(|step| step.name.clone()).collect::<Vec<_>>();
        let (over_module, over_functions) = self.pipeline.of_module_and_functions();
        let mut round = names(over_functions);
        if self.settings.engine == EngineChoice::Egraph {
            round.push("egraph".to_owned());
            round.extend(names(over_functions));
        }
        if self.legalize.is_some() {
            round.extend(names(legalized().steps()));
        }
        let rounds = if self.further.limit() > 0 { ROUNDS } else { 1 };
        let rounds = std::iter::repeat_n(round, rounds).flatten();
        names(over_module).into_iter().chain(rounds).collect()
    }

    /// Whether states are kept for a report.
    pub fn keeps_states(&self) -> bool {
        self.settings.states
    }

    /// The states that are kept so far.
    pub fn states(&self) -> &[States] {
        &self.states
    }

    /// Drops what is remembered of the functions so far for explanation; they keep their numbers.
    pub fn forget(&mut self) {
        self.record.forget();
        self.names.forget();
    }

    /// The strings that optimizing the last function made constants of.
    pub fn new_texts(&self) -> &[planish_ops::world::Characters] {
        self.optimizer.engine.new_texts()
    }

    /// How long passes took so far, when it was asked for.
    pub fn times(&self) -> &PassTimes {
        &self.times
    }

    /// What the run did.
    pub fn finish(mut self, statistics: Statistics) -> Outcome {
        let steps = self.steps();
        self.record.note_budget(&self.further);
        let Run { record, graphs, names, checked, remains, states, times, broken, .. } = self;
        let warnings = broken.iter().map(|report| format!("warning: {report}\n")).collect();
        let logged = Vec::new();
        Outcome {
            record,
            statistics,
            names,
            graphs,
            steps,
            checked,
            remains,
            states,
            logged,
            warnings,
            given_up: false,
            times,
        }
    }
}

/// What a pipeline is allowed and asked to do. What a function alone is about is left open.
pub(crate) fn options<'a>(
    settings: &'a Settings,
    disabled: Option<&'a [bool]>,
    target: Target<'a>,
) -> Options<'a> {
    let Settings { rules, states, instrument, watched, .. } = settings;
    Options {
        extra: rules.as_deref(),
        disabled,
        time: *states || instrument.time,
        verify: Options::QUIET.verify || instrument.verify,
        target,
        chaos: settings.chaos.map(Chaos::new),
        watched: watched.as_ref().map(|watched| (watched.set(), watched.rule)),
        ..Options::QUIET
    }
}

/// Sees a function between passes: keeps its states for a report, shows it.
pub(crate) struct Watch<'a> {
    kept: Option<(States, &'a ValueNames, Tables<'a>)>,
    shown: Option<Shown<'a>>,
}

impl Watch<'_> {
    pub(crate) fn state(&mut self, step: &str, f: &Function) {
        if let Some((states, known, tables)) = &mut self.kept {
            states.after(step, f, *tables, known);
        }
    }
}

impl Observer for Watch<'_> {
    fn before(&mut self, step: &Step, f: &Function) {
        if let Some(shown) = &mut self.shown {
            shown.before(step, f);
        }
    }

    fn after(&mut self, step: &Step, f: &Function, change: Change) {
        self.state(&step.name, f);
        if let Some(shown) = &mut self.shown {
            shown.after(step, f, change);
        }
    }
}

/// The pipeline behind the rest where a dialect made operations of what it can only say by them.
pub(crate) fn legalized() -> Pipeline {
    Pipeline::parse(Pipeline::LEGALIZED, Form::Cfg).expect("the names of passes")
}

/// What is run on traces when nothing is asked for.
pub(crate) fn trace_pipeline(settings: &Settings) -> &'static str {
    match settings.compat {
        Some(Compat::Pypy) => Pipeline::PYPY,
        None => Pipeline::TRACE,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use planish_ir::text;
    use planish_opt::Pipeline;

    use super::*;
    use crate::explain;

    #[test]
    fn a_function_at_which_we_panic_stays_and_the_next_is_optimized() {
        let program = "func a(x: i64) -> i64 {\nb:\n    y = add(x, 0)\n    return y\n}\n";
        let (mut module, _) = text::read(&[program, &program.replace("func a", "func c")].concat());
        let original = module.clone();
        let settings = Settings { log: true, ..Settings::default() };
        let mut run = Run::new(&settings, Pipeline::PROGRAM, Form::Cfg).expect("a pipeline");
        let panics = Cell::new(true);
        // Asking for names is what goes wrong, the first time.
        let names = |function: &Function| match panics.replace(false) {
            true => panic!("no names"),
            false => explain::positions(function),
        };
        caught::set_guards(true);
        let Module { functions, descriptors, symbols, .. } = &mut module;
        for function in functions.values_mut() {
            let tables = Tables { descriptors, symbols };
            run.guarded(function, &[], descriptors, tables, names);
        }
        caught::set_guards(false);
        let written = |module| text::write(module, text::Options::default());
        let (before, after) = (written(&original), written(&module));
        let (first, second) = after.split_once("func c").expect("two functions");
        assert!(before.starts_with(first) && second.contains("return v0"), "{after}");
        let outcome = run.finish(Statistics::default());
        assert!(outcome.warnings.contains("a: a mistake of planish (no names at "), "{}", outcome.warnings);
        assert_eq!(outcome.record.entries().iter().map(|entry| entry.function).collect::<Vec<_>>(), [1]);
    }
}
