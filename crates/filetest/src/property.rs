//! What must hold of every random function: optimized, it verifies and does what it did.

use std::sync::Arc;

use planish_driver::{EngineChoice, Session, Settings};
use planish_interp::{Limits, Program, Subject, Validation, validate};
use planish_ir::{Form, Module, text, verify_module};
use planish_rules::RuleSet;

/// How a function is optimized.
#[derive(Clone, Debug)]
pub struct How {
    /// By which engine.
    pub engine: EngineChoice,
    /// By which pipeline: that of traces, or that of any function.
    pub form: Form,
    /// With which rules besides the book.
    pub rules: Option<Arc<RuleSet>>,
}

impl How {
    /// As any function, by the linear engine.
    pub const LINEAR: How = How { engine: EngineChoice::Linear, form: Form::Cfg, rules: None };
    /// As any function, by the e-graph engine.
    pub const EGRAPH: How = How { engine: EngineChoice::Egraph, ..How::LINEAR };
    /// As a trace.
    pub const TRACE: How = How { form: Form::Trace, ..How::LINEAR };
}

/// In how many worlds, and how long, a function is run on each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Worlds.
    pub tries: u64,
    /// Operations in each run.
    pub fuel: u64,
}

/// What holding an optimized function against its source showed.
#[derive(Clone)]
pub struct Held {
    /// Worlds in which both ended and the source meant something.
    pub compared: u64,
    /// Instructions before and after.
    pub sizes: (usize, usize),
    /// Rewrites.
    pub rewrites: u64,
    /// What became of the module.
    pub after: Module,
}

/// What is wrong with an optimized function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// The verifier says so; the text shows what and where.
    Broken(String),
    /// It does something else; the text shows both programs and where they part.
    Different(String),
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Wrong::Broken(text) | Wrong::Different(text)) = self;
        f.write_str(text)
    }
}

/// Optimizes a module and runs its first function on both sides.
pub fn optimized_does_the_same(module: &Module, how: &How, seed: u64, effort: Effort) -> Result<Held, Wrong> {
    let settings = Settings { engine: how.engine, rules: how.rules.clone(), ..Settings::default() };
    let mut session = Session::of_module(module.clone(), how.form);
    let rewrites = match session.optimize(&settings) {
        Ok(outcome) => outcome.record.total(),
        Err(message) => unreachable!("the default pipeline suits every function: {message}"),
    };
    let after = session.module().expect("a session over a module has one");
    let shown = || {
        let show = |module| text::write(module, text::Options::default());
        format!("{}\nbecame\n{}", show(module), show(after))
    };
    let broken = verify_module(after, how.form);
    if !broken.is_empty() {
        return Err(Wrong::Broken(format!("{}\n{}", broken.join("\n"), shown())));
    }
    let (Some(f), Some(g)) = (module.functions.values().next(), after.functions.values().next()) else {
        unreachable!("a random module has a function");
    };
    let (old, new) = (Program::of(module), Program::of(after));
    let (before, target) = (Subject { program: &old, function: f }, Subject { program: &new, function: g });
    let limits = Limits { fuel: effort.fuel, wild_accesses: how.form == Form::Trace, ..Limits::default() };
    match validate(before, target, seed, effort.tries, limits) {
        Validation::Tested { compared, .. } => Ok(Held {
            compared,
            sizes: (f.live_insts().count(), g.live_insts().count()),
            rewrites,
            after: after.clone(),
        }),
        Validation::Signature => Err(Wrong::Broken(format!("the parameters changed\n{}", shown()))),
        Validation::Different(found) => Err(Wrong::Different(format!(
            "{} in world {}\nbefore:\n{}\nafter:\n{}\n{}",
            found.difference,
            found.scenario.seed,
            found.source,
            found.target,
            shown()
        ))),
    }
}
