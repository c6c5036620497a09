//! A program that was read, and what can be done with it.
//!
//! A session keeps the source, so that messages can show it, and the module that was lifted from it. An
//! operation that fails returns the message as it should be shown.

use planish_base::{Diagnostics, SourceText};
use planish_ir::{Function, Module, text};
use planish_ops::world::World;
use planish_opt::pipeline::{self, Ran};
use planish_opt::{Engine, Pipeline, Record};

use crate::dialect::Dialect;
use crate::explain::{self, Names, ValueNames};
use crate::statistics::{Counts, Statistics};
use crate::traces::{LogSession, TraceSession};

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

/// How a program is optimized.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The passes by name, divided by colons; the dialect's own pipeline without it.
    pub passes: Option<String>,
    /// How many rewrites may happen; as many as there are without it.
    pub fuel: Option<u64>,
    /// Whether every rewrite is kept for explanation.
    pub log: bool,
}

/// What an optimization did.
pub struct Outcome {
    /// Counts and, if asked for, every rewrite.
    pub record: Record,
    /// Operations before and after.
    pub statistics: Statistics,
    /// What values were called before the run, for explanation.
    pub names: Names,
}

/// A run over several functions: the engine's memory, the record, the names for explanation.
pub(crate) struct Run {
    pipeline: Pipeline,
    engine: Engine,
    log: bool,
    pub record: Record,
    pub names: Names,
}

impl Run {
    /// Begins a run; `default` is the pipeline when the settings name none.
    pub fn new(settings: &Settings, default: &str) -> Result<Run, String> {
        let passes = settings.passes.as_deref().unwrap_or(default);
        let pipeline = Pipeline::parse(passes).map_err(|unknown| format!("error: {unknown}"))?;
        let mut record = Record::new();
        if settings.log {
            record = record.logging();
        }
        if let Some(fuel) = settings.fuel {
            record = record.with_fuel(fuel);
        }
        Ok(Run { pipeline, engine: Engine::new(), log: settings.log, record, names: Names::default() })
    }

    /// Optimizes one function. `names` is asked for the names of its values when explanations are wanted.
    pub fn function(
        &mut self,
        function: &mut Function,
        world: &dyn World,
        symbols: &planish_base::Interner<planish_ir::Symbol, String>,
        names: impl FnOnce(&Function) -> ValueNames,
    ) -> Ran {
        let known = self.log.then(|| names(function));
        let quiet = pipeline::Options::QUIET;
        let Run { pipeline, engine, record, .. } = self;
        let ran = pipeline.run(function, world, engine, record, quiet, &mut |_, _| {});
        if let Some(known) = known {
            self.names.add(function, known, symbols);
        }
        ran
    }

    /// What the run did.
    pub fn finish(self, statistics: Statistics) -> Outcome {
        Outcome { record: self.record, statistics, names: self.names }
    }
}

/// A program that was read.
pub struct Session {
    dialect: Dialect,
    reading: Reading,
    content: Content,
    warnings: String,
}

/// What a file holds.
enum Content {
    /// Functions.
    Module {
        module: Module,
        /// Whether the text was a straight line without a function's header.
        straight: bool,
    },
    /// Stand-alone traces.
    Traces(Box<TraceSession>),
    /// A log with traces in it.
    Log(Box<LogSession>),
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
                Content::Module { module, straight }
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
                Content::Module { module, straight: false }
            }
            Dialect::Trace => Content::Traces(Box::new(TraceSession::read(&source, &mut diagnostics))),
            Dialect::PypyLog => Content::Log(Box::new(LogSession::read(source.clone(), &mut diagnostics))),
            Dialect::Rvsdg => return Err(format!("error: {name}: reading {dialect} is not supported yet")),
        };
        if diagnostics.has_errors() {
            return Err(diagnostics.render(&source));
        }
        Ok(Session { dialect, reading, content, warnings: diagnostics.render(&source) })
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
            Content::Module { module, .. } => {
                let mut run = Run::new(settings, Pipeline::CFG)?;
                let mut statistics = Statistics::default();
                let Module { functions, descriptors, symbols, .. } = module;
                for function in functions.values_mut() {
                    let before = Counts::of(function);
                    run.function(function, descriptors, symbols, explain::positions);
                    statistics.add(&function.name, before, Counts::of(function));
                }
                Ok(run.finish(statistics))
            }
            Content::Traces(traces) => traces.optimize(Run::new(settings, Pipeline::TRACE)?),
            Content::Log(log) => log.optimize(Run::new(settings, Pipeline::TRACE)?),
        }
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
            Dialect::Trace | Dialect::PypyLog | Dialect::Rvsdg => {
                Err(format!("error: a program in {} cannot be written as {dialect}", self.dialect))
            }
        }
    }
}
