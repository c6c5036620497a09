//! A program that was read, and what can be done with it.
//!
//! A session keeps the source, so that messages can show it, and the module that was lifted from it. An
//! operation that fails returns the message as it should be shown.

use std::sync::Arc;

use planish_base::{Diagnostics, SourceText};
use planish_book as book;
use planish_bril::Signatures;
use planish_interp::Program;
use planish_ir::module::Tables;
use planish_ir::text::ValueNames;
use planish_ir::verify::verify_module;
use planish_ir::{Form, Function, Module, text};
use planish_ops::world::World;
use planish_opt::egraph::dump::Dump;
use planish_opt::pipeline::{self, Ran};
use planish_opt::{Engine, Meets, Pipeline, Record, egraph};
use planish_rules::{RuleId, RuleSet};
use planish_rvsdg::picture::{self, Picture};

use crate::dialect::Dialect;
use crate::evaluate;
use crate::explain::{self, Names};
use crate::narrate::About;
use crate::remains::Remains;
use crate::report::States;
use crate::statistics::{Counts, Statistics};
use crate::suits;
use crate::traces::{LogSession, TraceSession};
use crate::validate::{self, Checked};

/// What a text leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The width of integers in the three-address and region languages.
    pub width: u8,
    /// Whether a variable that some path leaves unassigned reads as zero there.
    pub unassigned_is_zero: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Reading { width: 64, unassigned_is_zero: false }
    }
}

/// How a program is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Writing {
    /// Whether operations outside of a published language may be written.
    pub extended: bool,
}

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
    remains: Option<Remains>,
    states: Vec<States>,
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
            remains: settings.remains.then(Remains::default),
            states: Vec::new(),
        };
        if let Some(rule) = settings.without {
            let only: Vec<bool> = book::set().rules.ids().map(|id| id == rule).collect();
            run.leave_out(&only);
        }
        Ok(run)
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
        let before = (self.settings.validate > 0).then(|| function.clone());
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
        let Run { record, graphs, names, checked, remains, states, pipeline, settings, legalize, .. } = self;
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
        let warnings = String::new();
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

/// A program that was read.
pub struct Session {
    dialect: Dialect,
    reading: Reading,
    pub(crate) content: Content,
    warnings: String,
}

/// What a file holds.
pub(crate) enum Content {
    /// Functions.
    Module {
        module: Box<Module>,
        /// Whether the text was a straight line without a function's header.
        straight: bool,
        /// The types of a Bril program's functions; empty for other dialects.
        signatures: Signatures,
        /// The form that its functions have and keep.
        form: Form,
    },
    /// Stand-alone traces.
    Traces(Box<TraceSession>),
    /// A log with traces in it.
    Log(Box<LogSession>),
}

impl Content {
    fn module(module: Module) -> Self {
        let signatures = Signatures::default();
        Content::Module { module: Box::new(module), straight: false, signatures, form: Form::Cfg }
    }
}

impl Session {
    /// Reads and lifts a program. The error is the rendered list of what is wrong with it.
    pub fn open(name: &str, bytes: Vec<u8>, dialect: Dialect, reading: Reading) -> Result<Self, String> {
        let bytes = match dialect {
            Dialect::PypyLog => {
                planish_trace_dialect::pypylog::unfold(bytes).map_err(|e| format!("error: {name}: {e}"))?
            }
            _ => bytes,
        };
        if u32::try_from(bytes.len()).is_err() {
            return Err(format!("error: {name}: the text is larger than 4 GiB"));
        }
        let source = SourceText::from_bytes(name, bytes).map_err(|error| error.1.render(&error.0))?;
        let mut diagnostics = Diagnostics::new();
        let content = match dialect {
            Dialect::Ssa => {
                let (module, found) = text::read(source.text());
                diagnostics = found;
                let straight = !source.text().lines().any(|line| line.trim_start().starts_with("func "));
                Content::Module {
                    module: Box::new(module),
                    straight,
                    signatures: Signatures::default(),
                    form: Form::Cfg,
                }
            }
            Dialect::Tac => {
                let program = planish_tac::read::read(&source, &mut diagnostics);
                let options = planish_tac::lift::Options {
                    width: reading.width,
                    unassigned_is_zero: reading.unassigned_is_zero,
                };
                let module = match diagnostics.has_errors() {
                    true => Module::new(),
                    false => planish_tac::lift::lift(&program, options, &mut diagnostics),
                };
                Content::module(module)
            }
            Dialect::Bril | Dialect::BrilJson => {
                let program = match dialect {
                    Dialect::Bril => {
                        let (program, found) = planish_bril::text::read(source.text());
                        diagnostics = found;
                        program
                    }
                    _ => planish_bril::json::read(source.text())
                        .map_err(|error| format!("error: {name}: {error}"))?,
                };
                let (module, signatures) = match diagnostics.has_errors() {
                    true => Default::default(),
                    false => planish_bril::lift(&program, &mut diagnostics),
                };
                Content::Module { module: Box::new(module), straight: false, signatures, form: Form::Cfg }
            }
            Dialect::Trace => Content::Traces(Box::new(TraceSession::read(&source, &mut diagnostics))),
            Dialect::PypyLog => Content::Log(Box::new(LogSession::read(source.clone(), &mut diagnostics))),
            Dialect::Rvsdg => {
                let mut module = Module::new();
                if let Some(program) = planish_rvsdg::read::read(&source, &mut diagnostics) {
                    let inlined = planish_rvsdg::lift::Options { width: reading.width, ..Default::default() };
                    // Calls of functions that cannot be inlined, or would be too large, stay calls.
                    let kept = planish_rvsdg::lift::Options { functions: true, ..inlined };
                    let lifted = planish_rvsdg::lift::lift(&program, inlined)
                        .or_else(|_| planish_rvsdg::lift::lift(&program, kept));
                    match lifted {
                        Ok(lifted) => module = lifted,
                        Err(planish_rvsdg::lift::Unliftable { message, place }) => match place {
                            Some(place) => diagnostics.error(place, message),
                            None => return Err(format!("error: {name}: {message}")),
                        },
                    }
                }
                Content::module(module)
            }
        };
        if diagnostics.has_errors() {
            return Err(diagnostics.render(&source));
        }
        let session = Session { dialect, reading, content, warnings: diagnostics.render(&source) };
        session.verify().map_err(|message| format!("error: {name} is not a valid program\n{message}"))?;
        Ok(session)
    }

    /// A session over functions that were made in memory, all of a form; they are written as `.ssa`.
    pub fn of_module(module: Module, form: Form) -> Self {
        let signatures = Signatures::default();
        let content = Content::Module { module: Box::new(module), straight: false, signatures, form };
        Session { dialect: Dialect::Ssa, reading: Reading::default(), content, warnings: String::new() }
    }

    /// The form that the dialect promises.
    pub fn form(&self) -> Form {
        match self.content {
            Content::Module { form, .. } => form,
            Content::Traces(_) | Content::Log(_) => Form::Trace,
        }
    }

    /// Whether every function keeps the invariants of the IR; the error lists what does not hold.
    pub fn verify(&self) -> Result<(), String> {
        let (module, form) = match &self.content {
            Content::Module { module, form, .. } => (&**module, *form),
            Content::Traces(traces) => (traces.module(), Form::Trace),
            Content::Log(_) => return Ok(()),
        };
        let found = verify_module(module, form);
        if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
    }

    /// What is odd about the program but no error, rendered; empty when nothing is.
    pub fn warnings(&self) -> &str {
        &self.warnings
    }

    /// The dialect that the program was read in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The functions of the program; `None` for a log, whose traces exist one at a time.
    pub fn module(&self) -> Option<&Module> {
        match &self.content {
            Content::Module { module, .. } => Some(module),
            Content::Traces(traces) => Some(traces.module()),
            Content::Log(_) => None,
        }
    }

    /// Optimizes every function.
    pub fn optimize(&mut self, settings: &Settings) -> Result<Outcome, String> {
        match &mut self.content {
            Content::Module { module, form, signatures, .. } => {
                // Functions call each other, so they are compared when all of them are done.
                let alone = Settings { validate: 0, ..settings.clone() };
                let pipeline = if *form == Form::Trace { Pipeline::TRACE } else { Pipeline::PROGRAM };
                let mut run = Run::new(&alone, pipeline, *form)?;
                let extended = settings.extended || signatures.words;
                run.price = suits::price(self.dialect, extended);
                if matches!(self.dialect, Dialect::Bril | Dialect::BrilJson) && settings.passes.is_none() {
                    run.legalize = Some(planish_bril::legalize::branch_on_bits);
                }
                if let Some(rules) = suits::left_out(self.dialect, extended) {
                    run.leave_out(&rules);
                }
                let original = (settings.validate > 0).then(|| module.clone());
                let mut statistics = Statistics::default();
                let counts: Vec<Counts> = module.functions.values().map(Counts::of).collect();
                if settings.evaluate && matches!(self.dialect, Dialect::Bril | Dialect::BrilJson) {
                    evaluate::evaluate(module, &mut run.record);
                }
                if settings.passes.is_none() && *form == Form::Cfg {
                    planish_opt::passes::prepare(module, &mut run.record);
                }
                let Module { functions, descriptors, symbols, .. } = &mut **module;
                for (function, before) in functions.values_mut().zip(counts) {
                    run.function(
                        function,
                        &[],
                        descriptors,
                        Tables { descriptors, symbols },
                        explain::positions,
                    );
                    statistics.add(&function.name, before, Counts::of(function));
                }
                run.checked =
                    original.map(|original| validate::modules(&original, module, settings.validate, *form));
                Ok(run.finish(statistics))
            }
            Content::Traces(traces) => traces.optimize(settings),
            Content::Log(log) => {
                // PyPy peels every loop that it can.
                let pipeline = format!("{}:peel", trace_pipeline(settings));
                log.optimize(Run::new(settings, &pipeline, Form::Trace)?)
            }
        }
    }

    /// The regions of the program as a drawing for Graphviz.
    pub fn draw(&self, writing: Writing) -> Result<String, String> {
        let module = self.module().ok_or_else(|| format!("error: a {} has no regions", self.dialect))?;
        Ok(planish_rvsdg::dot::write(&self.regions(module, writing)?))
    }

    /// Pictures of the regions of each function, in order, of a program that is written as regions.
    pub fn pictures(&self) -> Result<Vec<Picture>, String> {
        match self.module() {
            Some(module) if self.dialect == Dialect::Rvsdg => {
                let program = self.regions(module, Writing { extended: true })?;
                Ok(picture::pictures(&program).into_iter().map(|(_, picture)| picture).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn regions(&self, module: &Module, writing: Writing) -> Result<planish_rvsdg::Program, String> {
        let options = planish_rvsdg::lower::Options { width: self.reading.width, extended: writing.extended };
        let lowered = planish_rvsdg::lower::lower(module, options)
            .map_err(|errors| errors.iter().map(|e| format!("error: {e}")).collect::<Vec<_>>().join("\n"))?;
        Ok(lowered.program)
    }

    /// Writes the program in a dialect.
    pub fn write(&self, dialect: Dialect, writing: Writing) -> Result<Vec<u8>, String> {
        match (&self.content, dialect) {
            (Content::Log(log), Dialect::PypyLog) => return Ok(log.write().into_bytes()),
            (Content::Traces(traces), Dialect::Trace) => return traces.write().map(String::into_bytes),
            _ => {}
        }
        let Some(module) = self.module() else {
            return Err(format!("error: a {} cannot be written as {dialect}", self.dialect));
        };
        self.write_module(module, dialect, writing)
    }

    /// Writes a module as the program of the session would be written.
    pub(crate) fn write_module(
        &self,
        module: &Module,
        dialect: Dialect,
        writing: Writing,
    ) -> Result<Vec<u8>, String> {
        match dialect {
            Dialect::Ssa => {
                let straight = matches!(self.content, Content::Module { straight: true, .. });
                let options = text::Options { straight, ..text::Options::default() };
                Ok(text::write(module, options).into_bytes())
            }
            Dialect::Tac => {
                let options =
                    planish_tac::lower::Options { width: self.reading.width, extended: writing.extended };
                let program = planish_tac::lower::lower(module, options).map_err(|errors| {
                    errors.iter().map(|e| format!("error: {e}")).collect::<Vec<_>>().join("\n")
                })?;
                Ok(planish_tac::write::write(&program).into_bytes())
            }
            Dialect::Rvsdg => Ok(planish_rvsdg::write::write(&self.regions(module, writing)?).into_bytes()),
            Dialect::Bril | Dialect::BrilJson => {
                let none = Signatures::default();
                let signatures = match &self.content {
                    Content::Module { signatures, .. } => signatures,
                    Content::Traces(_) | Content::Log(_) => &none,
                };
                let words = writing.extended || signatures.words;
                let program = planish_bril::lower(module, signatures, words).map_err(|errors| {
                    errors.iter().map(|e| format!("error: {e}")).collect::<Vec<_>>().join("\n")
                })?;
                Ok(match dialect {
                    Dialect::Bril => planish_bril::text::write(&program),
                    _ => planish_bril::json::write(&program),
                }
                .into_bytes())
            }
            Dialect::Trace | Dialect::PypyLog => {
                Err(format!("error: a program in {} cannot be written as {dialect}", self.dialect))
            }
        }
    }
}
