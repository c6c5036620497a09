//! What must hold of every random function: optimized, it verifies and does what it did.

use planish_driver::session::EngineChoice;
use planish_driver::{Dialect, Reading, Session, Settings};
use planish_interp::{Limits, Program, Subject, Validation, validate};
use planish_ir::{Form, Module, text, verify_module};

/// In how many worlds, and how long, a function is run on each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Worlds.
    pub tries: u64,
    /// Operations in each run.
    pub fuel: u64,
}

/// What holding an optimized function against its source showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Worlds in which both ended and the source meant something.
    pub compared: u64,
    /// Instructions before and after.
    pub sizes: (usize, usize),
    /// Rewrites.
    pub rewrites: u64,
}

/// Optimizes the module by way of its text and runs the first function on both sides; the error shows
/// both programs and where they part.
pub fn optimized_does_the_same(
    module: &Module,
    engine: EngineChoice,
    seed: u64,
    effort: Effort,
) -> Result<Held, String> {
    let source = text::write(module, text::Options::default());
    let mut session =
        Session::open("random.ssa", source.clone().into_bytes(), Dialect::Ssa, Reading::default())?;
    let outcome = session.optimize(&Settings { engine, ..Settings::default() })?;
    let after = session.module().ok_or("the session holds no module")?;
    let shown = || format!("{source}\nbecame\n{}", text::write(after, text::Options::default()));
    let broken = verify_module(after, Form::Cfg);
    if !broken.is_empty() {
        return Err(format!("{}\n{}", broken.join("\n"), shown()));
    }
    let first = |module: &'_ Module| module.functions.ids().next().ok_or("a module without functions");
    let (f, g) = (&module.functions[first(module)?], &after.functions[first(after)?]);
    let (old, new) = (Program::of(module), Program::of(after));
    let (before, target) = (Subject { program: &old, function: f }, Subject { program: &new, function: g });
    let limits = Limits { fuel: effort.fuel, ..Limits::default() };
    match validate(before, target, seed, effort.tries, limits) {
        Validation::Tested { compared, .. } => Ok(Held {
            compared,
            sizes: (f.live_insts().count(), g.live_insts().count()),
            rewrites: outcome.record.total(),
        }),
        Validation::Signature => Err(format!("the parameters changed\n{}", shown())),
        Validation::Different(found) => Err(format!(
            "{} in world {}\nbefore:\n{}\nafter:\n{}\n{}",
            found.difference,
            found.scenario.seed,
            found.source,
            found.target,
            shown()
        )),
    }
}
