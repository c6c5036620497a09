//! A program that was read, and what can be done with it.
//!
//! A session keeps the source, so that messages can show it, and the module that was lifted from it. An
//! operation that fails returns the message as it should be shown.

use planish_base::{Diagnostics, SourceText};
use planish_ir::{Module, text};
use planish_opt::{Engine, Pipeline, Record, pipeline};

use crate::dialect::Dialect;
use crate::explain::Names;
use crate::statistics::{Counts, Statistics};

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

/// A program that was read.
pub struct Session {
    dialect: Dialect,
    reading: Reading,
    source: SourceText,
    module: Module,
    /// Whether the text was a straight line without a function's header.
    straight: bool,
    warnings: String,
}

impl Session {
    /// Reads and lifts a program. The error is the rendered list of what is wrong with it.
    pub fn open(name: &str, bytes: Vec<u8>, dialect: Dialect, reading: Reading) -> Result<Self, String> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(format!("error: {name} is larger than 4 GiB"));
        }
        let source = SourceText::from_bytes(name, bytes).map_err(|error| error.1.render(&error.0))?;
        let mut diagnostics = Diagnostics::new();
        let mut straight = false;
        let module = match dialect {
            Dialect::Ssa => {
                let (module, found) = text::read(source.text());
                diagnostics = found;
                straight = !source.text().lines().any(|line| line.trim_start().starts_with("func "));
                module
            }
            Dialect::Tac => {
                let program = planish_tac::read::read(&source, &mut diagnostics);
                if diagnostics.has_errors() {
                    Module::new()
                } else {
                    let options = planish_tac::lift::Options {
                        width: reading.width,
                        unassigned_is_zero: reading.unassigned_is_zero,
                    };
                    planish_tac::lift::lift(&program, options, &mut diagnostics)
                }
            }
            Dialect::Trace | Dialect::PypyLog | Dialect::Rvsdg => {
                return Err(format!("error: {name}: reading {dialect} is not supported yet"));
            }
        };
        if diagnostics.has_errors() {
            return Err(diagnostics.render(&source));
        }
        let warnings = diagnostics.render(&source);
        Ok(Session { dialect, reading, source, module, straight, warnings })
    }

    /// What is odd about the program but no error, rendered; empty when nothing is.
    pub fn warnings(&self) -> &str {
        &self.warnings
    }

    /// The dialect that the program was read in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The source of the program.
    pub fn source(&self) -> &SourceText {
        &self.source
    }

    /// The program.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Optimizes every function.
    pub fn optimize(&mut self, settings: &Settings) -> Result<Outcome, String> {
        let passes = settings.passes.as_deref().unwrap_or(Pipeline::CFG);
        let pipeline = Pipeline::parse(passes).map_err(|unknown| format!("error: {unknown}"))?;
        let mut record = Record::new();
        if settings.log {
            record = record.logging();
        }
        if let Some(fuel) = settings.fuel {
            record = record.with_fuel(fuel);
        }
        let names = if settings.log { Names::of(&self.module) } else { Names::default() };
        let mut statistics = Statistics::default();
        let mut engine = Engine::new();
        let Module { functions, descriptors, .. } = &mut self.module;
        for function in functions.values_mut() {
            let before = Counts::of(function);
            pipeline.run(
                function,
                descriptors,
                &mut engine,
                &mut record,
                pipeline::Options::QUIET,
                &mut |_, _| {},
            );
            statistics.add(&function.name, before, Counts::of(function));
        }
        Ok(Outcome { record, statistics, names })
    }

    /// Writes the program in a dialect.
    pub fn write(&self, dialect: Dialect, writing: Writing) -> Result<Vec<u8>, String> {
        match dialect {
            Dialect::Ssa => {
                let options = text::Options { straight: self.straight, ..text::Options::default() };
                Ok(text::write(&self.module, options).into_bytes())
            }
            Dialect::Tac => {
                let options =
                    planish_tac::lower::Options { width: self.reading.width, extended: writing.extended };
                let program = planish_tac::lower::lower(&self.module, options).map_err(|errors| {
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
