//! What must hold of every random function and trace: optimized, it verifies and does what it did.

use std::sync::Arc;

use planish_base::{Id, caught};
use planish_driver::{Compat, Dialect, EngineChoice, Reading, Session, Settings, Writing};
use planish_interp::{End, Limits, Program, Scenario, Subject, Validation, run, validate};
use planish_ir::{Form, Function, Module, text, verify_module};
use planish_rules::RuleSet;

use crate::told;

/// How a function is optimized.
#[derive(Clone, Debug)]
pub struct How {
    /// By which engine.
    pub engine: EngineChoice,
    /// By which pipeline: that of traces, or that of any function.
    pub form: Form,
    /// By which passes; by the pipeline of the form without them.
    pub passes: Option<&'static str>,
    /// With which rules besides the book.
    pub rules: Option<Arc<RuleSet>>,
    /// Whether what heuristics decide is decided at random, by the seed of the function.
    pub chaos: bool,
}

impl How {
    /// As any function, by the linear engine.
    pub const LINEAR: How =
        How { engine: EngineChoice::Linear, form: Form::Cfg, passes: None, rules: None, chaos: false };
    /// As any function, by the e-graph engine.
    pub const EGRAPH: How = How { engine: EngineChoice::Egraph, ..How::LINEAR };
    /// As any function, by the linear engine, whatever heuristics would say.
    pub const CHAOS: How = How { chaos: true, ..How::LINEAR };
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
    let chaos = how.chaos.then_some(seed);
    let passes = how.passes.map(str::to_owned);
    let settings =
        Settings { engine: how.engine, rules: how.rules.clone(), passes, chaos, ..Settings::default() };
    let mut session = Session::of_module(module.clone(), how.form);
    // Where a pass breaks a function, the verifier panics: that is a finding like others, to be made small.
    let rewrites = match caught::catch(|| session.optimize(&settings)) {
        Ok(Ok(outcome)) => outcome.record.total(),
        Ok(Err(message)) => unreachable!("the default pipeline suits every function: {message}"),
        Err(panicked) => return Err(Wrong::Broken(panicked.to_string())),
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
    let count = |module: &Module| module.functions.values().next().map_or(0, |f| f.live_insts().count());
    let compared = same((module, 0), (after, 0), how.form, seed, effort)
        .map_err(|what| Wrong::Different(format!("{what}\n{}", shown())))?;
    Ok(Held { compared, sizes: (count(module), count(after)), rewrites, after: after.clone() })
}

/// Runs the n-th functions of two modules side by side: the number of worlds in which both ended and the first meant
/// something, or how they differ.
fn same(
    before: (&Module, usize),
    after: (&Module, usize),
    form: Form,
    seed: u64,
    effort: Effort,
) -> Result<u64, String> {
    let nth = |(module, n): (&Module, usize)| module.functions.values().nth(n).cloned();
    let (Some(f), Some(g)) = (nth(before), nth(after)) else {
        return Err("a function is missing".to_owned());
    };
    let (old, new) = (Program::of(before.0), Program::of(after.0));
    let (source, target) = (Subject { program: &old, function: &f }, Subject { program: &new, function: &g });
    let limits = Limits { fuel: effort.fuel, wild_accesses: form == Form::Trace, ..Limits::default() };
    match validate(source, target, seed, effort.tries, limits) {
        Validation::Tested { compared, .. } => Ok(compared),
        Validation::Signature => Err("the parameters changed".to_owned()),
        Validation::Different(found) => Err(format!(
            "{} in world {}\nbefore:\n{}\nafter:\n{}",
            found.difference, found.scenario.seed, found.source, found.target,
        )),
    }
}

/// The ways in which a trace is optimized, with names.
pub fn trace_ways() -> [(&'static str, Settings); 3] {
    [
        ("text", Settings::default()),
        ("egraph", Settings { engine: EngineChoice::Egraph, ..Settings::default() }),
        ("pypy", Settings { compat: Some(Compat::Pypy), ..Settings::default() }),
    ]
}

/// What holding an optimized trace against its source showed.
#[derive(Clone, Default)]
pub struct HeldTrace {
    /// Worlds in which both ended and the source meant something.
    pub compared: u64,
    /// Operations before and after.
    pub sizes: (usize, usize),
    /// Rewrites.
    pub rewrites: u64,
    /// Worlds in which a bridge began where a guard failed, and what it is told was true.
    pub told: u64,
    /// Whether some guard was found that can never pass.
    pub invalid: bool,
    /// What was written.
    pub after: String,
}

/// Reads a file of traces, optimizes it, runs each on both sides, and does so again with what is written and read back.
///
/// Calls that are marked as pure are not run again, since they are written as plain ones, which the interpreter takes for
/// other functions; nor is what was peeled as PyPy's tests have it, where no token names the body. A bridge that goes where a
/// loop was optimized to begin is not run at all, since it hands over other values than the source does. A trace that jumps
/// to a label of another one runs on there, also where the two are in files that are given together.
pub fn optimized_trace_does_the_same(
    source: &str,
    settings: &Settings,
    seed: u64,
    effort: Effort,
) -> Result<HeldTrace, Wrong> {
    let open = |what: &str, text: &str| {
        Session::open(what, text.as_bytes().to_vec(), Dialect::Trace, Reading::default())
            .map_err(|message| Wrong::Broken(format!("{message}\n{text}")))
    };
    let mut session = open("random", source)?;
    let module_of = |session: &Session| session.module().expect("traces are a module").clone();
    let before = module_of(&session);
    let outcome = session.optimize(settings).map_err(Wrong::Broken)?;
    let after = module_of(&session);
    let written = session.write(Dialect::Trace, Writing::default());
    let written = written.map(|bytes| String::from_utf8(bytes).expect("traces are text"));
    let shown = || {
        let becomes = written.as_ref().unwrap_or_else(|message| message);
        format!("{source}\nbecame\n{becomes}\nfrom\n{}", text::write(&before, text::Options::default()))
    };
    session.verify().map_err(|found| Wrong::Broken(format!("{found}\n{}", shown())))?;
    let count = |module: &Module| module.functions.values().map(|f| f.live_insts().count()).sum();
    let mut held = HeldTrace {
        sizes: (count(&before), count(&after)),
        rewrites: outcome.record.total(),
        ..HeldTrace::default()
    };
    match &written {
        Ok(written) => held.after.clone_from(written),
        Err(message) => return Err(Wrong::Broken(format!("{message}\n{}", shown()))),
    }
    held.invalid = outcome.statistics.rows.iter().any(|row| row.invalid.is_some());
    for ((id, function), row) in before.functions.iter().zip(&outcome.statistics.rows) {
        // A bridge may never pass by what its parent knows.
        if row.invalid.is_some() && !before.is_bridge(id) {
            never_passes(&before, function, seed, effort)
                .map_err(|what| Wrong::Different(format!("{what}\n{}", shown())))?;
        }
    }
    let different = |what: String| Wrong::Different(format!("{what}\n{}", shown()));
    open("written", &held.after)?;
    let unnamed = settings.compat.is_some() && source.contains("unroll");
    let calls =
        ["call_pure", "call_loopinvariant", "cond_call_value"].iter().any(|word| source.contains(word));
    // PyPy takes what is kept for a call for what the call gives; random programs keep anything.
    if settings.compat.is_some() && source.contains("cond_call_value") {
        return Ok(held);
    }
    let mut again = None;
    if !unnamed && !calls {
        let mut both = [open("read again", source)?, open("written", &held.after)?];
        let [first, second] = &mut both;
        Session::set_behind([first, second], &session);
        again = Some(both.map(|session| module_of(&session)));
    }
    if let Some(module) = session.told(&before) {
        let worlds = seed..seed.saturating_add(effort.tries);
        held.told = told::nothing_untrue_is_told(&module, worlds, effort.fuel).map_err(different)?;
    }
    for (number, (id, function)) in before.functions.iter().enumerate() {
        // One that begins where guards fail is run from there.
        if before.is_bridge(id) || function.name == "bridge" && settings.compat.is_some() {
            continue;
        }
        let pair = ((&before, number), (&after, number));
        held.compared += same(pair.0, pair.1, Form::Trace, seed, effort).map_err(different)?;
        if let Some([old, new]) = &again {
            let missing = || different(format!("{} is not written", function.name));
            let id = new.find(&function.name).ok_or_else(missing)?;
            same((old, number), (new, id.index()), Form::Trace, seed, effort)
                .map_err(|what| different(format!("written and read again: {what}")))?;
        }
    }
    if may_be_divided(source) && settings.compat.is_none() {
        held.compared += files_do_the_same(source, settings, seed, effort)?;
    }
    Ok(held)
}

/// A trace of which some guard is said never to pass neither comes to its end nor goes round for ever.
fn never_passes(before: &Module, f: &Function, seed: u64, effort: Effort) -> Result<(), String> {
    let program = Program::of(before);
    let limits = Limits { fuel: effort.fuel, wild_accesses: true, ..Limits::default() };
    let world = program.world_of(f);
    let types: Vec<_> = f.params().iter().map(|&param| f.ty(param)).collect();
    let ends = (0..effort.tries).any(|number| {
        let scenario = Scenario { seed: seed.wrapping_add(number), ..world.clone() };
        let run = run(&program, f, &scenario.arguments(&types), &scenario, limits);
        run.went_over.is_empty() && matches!(run.end, End::Return(_) | End::OutOfFuel)
    });
    match ends {
        true => Err(format!("a guard of {} is said never to pass, and it comes to its end", f.name)),
        false => Ok(()),
    }
}

/// Whether the sections of a source may stand in several files: jumps name labels, or go to their own beginning.
fn may_be_divided(source: &str) -> bool {
    !source.contains("#! mode") && source.matches("#! section").count() > 1
}

/// Divides the sections of a source among two files, which are optimized together, and runs each trace on both sides.
fn files_do_the_same(source: &str, settings: &Settings, seed: u64, effort: Effort) -> Result<u64, Wrong> {
    let mut sections = source.split("#! section ");
    let header = sections.next().unwrap_or_default();
    let mut files = [header.to_owned(), header.to_owned()];
    for (number, section) in sections.enumerate() {
        files[(number + seed as usize) % 2].push_str(&format!("#! section {section}"));
    }
    let open = |files: &[String]| {
        let named =
            files.iter().enumerate().map(|(number, text)| (format!("{number}.trace"), text.clone().into()));
        Session::open_traces(named.collect(), Reading::default())
            .map_err(|message| Wrong::Broken(format!("{message}\n{}", files.join("\n"))))
    };
    let mut session = open(&files)?;
    let before = session.module().expect("traces are a module").clone();
    session.optimize(settings).map_err(Wrong::Broken)?;
    let after = session.module().expect("traces are a module");
    let Ok(written) = session.write_files() else { return Ok(0) };
    let written: Vec<String> =
        written.into_iter().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    open(&written)?;
    let mut compared = 0;
    for (number, _) in before.functions.ids().enumerate().filter(|&(_, id)| !before.is_bridge(id)) {
        compared += same((&before, number), (after, number), Form::Trace, seed, effort).map_err(|what| {
            Wrong::Different(format!(
                "in two files: {what}\n{}\nbecame\n{}",
                files.join("\n"),
                written.join("\n")
            ))
        })?;
    }
    Ok(compared)
}
