//! A run over the functions of a program: how they are optimized, and what that did.
//!
//! What a run needs besides functions is in its [`Settings`]; what it did comes back as an [`Outcome`].

use std::sync::Arc;

use planish_base::caught;
use planish_book as book;
use planish_interp::Program;
use planish_ir::module::Tables;
use planish_ir::text::ValueNames;
use planish_ir::{Form, Function};
use planish_ops::world::World;
use planish_opt::egraph::dump::Dump;
use planish_opt::pipeline::{self, Ran};
use planish_opt::{Engine, Meets, Pipeline, Record, egraph};
use planish_rules::{RuleId, RuleSet};

use crate::explain::Names;
use crate::narrate::About;
use crate::remains::Remains;
use crate::report::States;
use crate::statistics::Statistics;
use crate::validate::{self, Checked};

/// Which engine optimizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineChoice {
    /// One forward walk that keeps one form of each value.
    #[default]
    Linear,
    /// The walk, then an e-graph of all forms of pure values, then the walk again.
    Egraph,
}

/// Whose results an optimization is to be compared with, operation by operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compat {
    /// PyPy's trace optimizer: its passes, no removal of dead operations, only rules tagged for it.
    Pypy,
}

/// How a program is optimized.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which engine.
    pub engine: EngineChoice,
    /// Rules besides the book.
    pub rules: Option<Arc<RuleSet>>,
    /// Only rules of the book with this tag, and those without tags.
    pub profile: Option<String>,
    /// Whom to conform to, at the cost of better results.
    pub compat: Option<Compat>,
    /// On how many random inputs each function is held against its original; none when 0.
    pub validate: u64,
    /// The passes by name, divided by colons; the dialect's own pipeline without it.
    pub passes: Option<String>,
    /// How many rewrites may happen; as many as there are without it.
    pub fuel: Option<u64>,
    /// Whether every rewrite is kept for explanation.
    pub log: bool,
    /// Of which methods of classes, if it is.
    pub about: About,
    /// Whether the state of each function after each step is kept for a report; wants `log`.
    pub states: bool,
    /// Whether operations outside of a published language may be written in the end.
    pub extended: bool,
    /// Whether the graphs of the e-graph engine are kept.
    pub graphs: bool,
    /// Whether a Bril program whose `main` is given nothing is run at once.
    pub evaluate: bool,
    /// A rule of the book that is not used.
    pub without: Option<RuleId>,
    /// A rule of the book of which the record keeps where it was tried and what it missed; wants `log`.
    pub watched: Option<RuleId>,
    /// Whether the pairs of operations are counted that remain.
    pub remains: bool,
    /// Whether what a log lacks of constants and fresh objects is assumed.
    pub assume_constants: bool,
}

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
    pub remains: Option<Remains>,
    /// The states of the functions, in the order of their rewrites in the record, when they were asked for.
    pub states: Vec<States>,
    /// What could not be done, rendered; empty when there is nothing.
    pub warnings: String,
}

/// A run over several functions: the engine's memory, the record, the names for explanation.
pub(crate) struct Run {
    settings: Settings,
    /// The pipeline when the settings name none.
    default: String,
    pipeline: Pipeline,
    engine: Engine,
    form: Form,
    /// The rules of the book that the profile leaves out, by number.
    disabled: Option<Vec<bool>>,
    /// What operations cost where the program will be written.
    pub price: pipeline::Price,
    /// What the next function has to do with loops of those before it.
    pub meets: Meets,
    /// Says in SSA what the dialect can only say by more; whether there was anything. [`Pipeline::LEGALIZED`]
    /// follows.
    pub legalize: Option<fn(&mut Function) -> bool>,
    pub record: Record,
    /// The e-graphs, when they were asked for.
    graphs: Option<Dump>,
    pub names: Names,
    pub checked: Option<Checked>,
    /// Whether functions are compared with what they become.
    pub compares: bool,
    remains: Option<Remains>,
    states: Vec<States>,
    /// What is to be reported of functions at which we panicked.
    broken: Vec<String>,
}

impl Run {
    /// Begins a run; `default` is the pipeline when the settings name none.
    pub fn new(settings: &Settings, default: &str, form: Form) -> Result<Run, String> {
        let passes = settings.passes.as_deref().unwrap_or(default);
        let pipeline = Pipeline::parse(passes).map_err(|unknown| format!("error: {unknown}"))?;
        if let Err(pass) = pipeline.fits(form) {
            return Err(format!("error: pass `{pass}` does not work on this form of program"));
        }
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
            settings: settings.clone(),
            default: default.to_owned(),
            pipeline,
            engine: Engine::new(),
            form,
            price: pipeline::machine_price,
            meets: Meets::Nobody,
            legalize: None,
            record,
            graphs: settings.graphs.then(Dump::default),
            names: Names::default(),
            checked: None,
            compares: settings.validate > 0,
            remains: settings.remains.then(Remains::default),
            states: Vec::new(),
            broken: Vec::new(),
        };
        if let Some(rule) = settings.without {
            let only: Vec<bool> = book::set().rules.ids().map(|id| id == rule).collect();
            run.leave_out(&only);
        }
        Ok(run)
    }

    /// Whether what a log lacks of constants is assumed.
    pub fn assumes_constants(&self) -> bool {
        self.settings.assume_constants
    }

    /// A run that optimizes alike and of which nothing is kept or asked.
    pub fn quiet(&self) -> Result<Run, String> {
        let Settings { engine, rules, profile, compat, passes, without, .. } = self.settings.clone();
        let settings = Settings { engine, rules, profile, compat, passes, without, ..Settings::default() };
        Run::new(&settings, &self.default, self.form)
    }

    /// Leaves out rules of the book, by number, besides those that the profile leaves out.
    pub fn leave_out(&mut self, rules: &[bool]) {
        match &mut self.disabled {
            Some(disabled) => disabled.iter_mut().zip(rules).for_each(|(out, more)| *out |= more),
            None => self.disabled = Some(rules.to_vec()),
        }
    }

    /// Optimizes one function. `names` is asked for the names of its values when explanations are wanted;
    /// `runtime` is that of the [pipeline's options](pipeline::Options::runtime).
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
        let Run {
            settings,
            pipeline,
            engine,
            form,
            price,
            meets,
            legalize,
            record,
            graphs,
            disabled,
            states,
            ..
        } = self;
        let mut kept = None;
        if let (true, Some(known)) = (settings.states, &known) {
            kept = Some(States::begin(function, tables, known));
        }
        let mut show = |step: &str, f: &Function| {
            if let (Some(states), Some(known)) = (&mut kept, &known) {
                states.after(step, f, tables, known);
            }
        };
        let options = pipeline::Options {
            extra: settings.rules.as_deref(),
            disabled: disabled.as_deref(),
            form: *form,
            time: settings.states,
            price: *price,
            runtime,
            meets: *meets,
            watched: settings.watched.map(|rule| (book::set(), rule)),
            ..pipeline::Options::QUIET
        };
        engine.forget_texts();
        let mut ran = pipeline.run(function, world, engine, record, options, &mut show);
        if settings.engine == EngineChoice::Egraph && ran.fails.is_none() {
            let price = *price;
            let rules = egraph::Rules {
                source: egraph::Source::Book,
                first: 0,
                disabled: disabled.as_deref(),
                price,
            };
            egraph::run(function, rules, record, graphs.as_mut());
            if let Some(extra) = &settings.rules {
                let first = book::RULES.len() as u32;
                let rules =
                    egraph::Rules { source: egraph::Source::Read(extra), first, disabled: None, price };
                egraph::run(function, rules, record, None);
            }
            record.next_step();
            show("egraph", function);
            let again = pipeline.run(function, world, engine, record, options, &mut show);
            ran.fails = again.fails;
            ran.times.extend(again.times);
        }
        if legalize.is_some_and(|legalize| legalize(function)) {
            let pipeline = Pipeline::parse(Pipeline::LEGALIZED).expect("the names of passes");
            let last = pipeline.run(function, world, engine, record, options, &mut show);
            ran.times.extend(last.times);
        }
        record.next_function();
        if let Some(remains) = &mut self.remains {
            remains.add(function);
        }
        if let Some(mut kept) = kept {
            kept.took(&ran.times);
            states.push(kept);
        }
        if let (Some(before), None) = (before, ran.fails) {
            let program = Program::bare(world);
            let inputs = self.settings.validate;
            let mut optimized = Program::bare(world);
            optimized.define_texts(world.next_symbol().unwrap_or(u32::MAX), engine.new_texts());
            let checked = validate::functions((&program, &before), (&optimized, function), inputs, self.form);
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

    /// The same; a function at which we panic stays as it was.
    pub fn guarded(
        &mut self,
        function: &mut Function,
        runtime: &[Option<planish_ir::Value>],
        world: &dyn World,
        tables: Tables<'_>,
        names: impl Fn(&Function) -> ValueNames,
    ) -> Ran {
        if !caught::guards() {
            return self.function(function, runtime, world, tables, names);
        }
        let before = function.clone();
        match caught::catch(|| self.function(function, runtime, world, tables, &names)) {
            Ok(ran) => ran,
            Err(panicked) => {
                *function = before;
                // Nobody knows in which state it is.
                self.engine = Engine::new();
                self.broken.push(panicked.report(&function.name));
                self.record.next_function();
                if self.settings.log {
                    self.names.add(function, names(function), tables.symbols);
                }
                Ran::default()
            }
        }
    }

    /// The states of a function that was optimized, when they are kept. O(number of functions).
    pub fn states_of(&mut self, name: &str) -> Option<&mut States> {
        self.states.iter_mut().find(|states| states.name() == name)
    }

    /// Drops what is remembered of the functions so far for explanation; they keep their numbers.
    pub fn forget(&mut self) {
        self.record.forget();
        self.names.forget();
    }

    /// The strings that optimizing the last function made constants of.
    pub fn new_texts(&self) -> &[planish_ops::world::Characters] {
        self.engine.new_texts()
    }

    /// What the run did.
    pub fn finish(self, statistics: Statistics) -> Outcome {
        let Run {
            record, graphs, names, checked, remains, states, pipeline, settings, legalize, broken, ..
        } = self;
        let mut steps: Vec<String> = pipeline.steps().iter().map(|step| step.name().to_owned()).collect();
        if settings.engine == EngineChoice::Egraph {
            let again = steps.clone();
            steps.push("egraph".to_owned());
            steps.extend(again);
        }
        if legalize.is_some() {
            let last = Pipeline::parse(Pipeline::LEGALIZED).expect("the names of passes");
            steps.extend(last.steps().iter().map(|step| step.name().to_owned()));
        }
        let warnings = broken.iter().map(|report| format!("warning: {report}\n")).collect();
        Outcome { record, statistics, names, graphs, steps, checked, remains, states, warnings }
    }
}

/// What is run on traces when nothing is asked for.
pub(crate) fn trace_pipeline(settings: &Settings) -> &'static str {
    match settings.compat {
        Some(Compat::Pypy) => Pipeline::PYPY,
        None => Pipeline::TRACE,
    }
}

/// The rules of the book that a profile leaves out: those with tags, none of which is its name, and those
/// without tags where only its own are wanted.
fn left_out(profile: &str, only: bool) -> Result<Vec<bool>, String> {
    let tags = || book::set().rules.values().map(|rule| &rule.marks.tags);
    if !tags().any(|tags| tags.iter().any(|tag| tag == profile)) {
        return Err(format!("error: no rule of the book has the tag `{profile}`"));
    }
    Ok(tags().map(|tags| (only || !tags.is_empty()) && !tags.iter().any(|tag| tag == profile)).collect())
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
        let planish_ir::Module { functions, descriptors, symbols, .. } = &mut module;
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
