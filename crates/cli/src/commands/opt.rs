//! `planish opt`: reads, optimizes, writes.
//!
//! The result is written last: when anything before fails, no file is touched.

use std::path::Path;
use std::sync::Arc;

use planish_base::spelling::closest;
use planish_base::{SourceText, caught};
use planish_driver::about::About;
use planish_driver::explain::{self, Names, Record};
use planish_driver::instrument::{Around, Instrument, Sink};
use planish_driver::run::Outcome;
use planish_driver::validate::INPUTS;
use planish_driver::{
    Checked, Compat, Dialect, EngineChoice, FactKind, FactKinds, Facts, Precision, Session, Settings, logs,
};
use planish_ir::{Form, FuncId, Module};
use planish_rules::RuleSet;

use super::together::{self, Together};
use super::told::{self, Told};
use super::validate::Proof;
use super::written::Source;
use super::{file_names, ledgers, opening, rule_files};
use crate::args::{self, Engine, Opt, Validation};
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// What stands for a file that says nothing of any function.
const NO_FACTS: &str = "none";

const EFFECTS_ARE_OF_LOGS: &str = "--without-shown-effects is about logs of PyPy";

const FACTS_ARE_OF_LOGS: &str = "--facts is about logs of PyPy";
/// So is what bridges are told.
const BRIDGES_ARE_OF_TRACES: &str = "--without-bridge-facts is about traces";

/// Where nothing is kept of what is written.
const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// How many iterations of a loop a proof follows.
const ITERATIONS: u32 = 8;

/// What is shown between passes: on standard error, as it comes.
fn instrument(args: &args::Between) -> Result<Instrument, Failure> {
    let around = |names: &Option<String>| match names {
        Some(names) => Around::parse(names).map_err(Failure::Usage),
        None => Ok(Around::None),
    };
    Ok(Instrument {
        before: around(&args.print_before)?,
        after: around(&args.print_after)?,
        changed: args.print_changed,
        about: About::named(args.filter_print_funcs.clone()),
        time: args.time_passes,
        verify: args.verify_each,
        sink: Some(Sink::new(|text| io::say(format_args!("{text}")))),
    })
}

/// What a file says of functions, and what is known of others.
fn facts(path: Option<&Path>) -> Result<Option<Arc<Facts>>, Failure> {
    let Some(path) = path else { return Ok(None) };
    if path == Path::new(NO_FACTS) {
        return Ok(Some(Arc::default()));
    }
    let source = SourceText::part(io::display_name(path), io::read(path)?, 0);
    let source = source.map_err(|error| Failure::Rejected(error.1.render(&error.0)))?;
    let (read, diagnostics) = Facts::read(&source);
    if diagnostics.has_errors() {
        return Err(Failure::Rejected(diagnostics.render(&source)));
    }
    let mut facts = Facts::clone(&Facts::runtime());
    facts.extend(read);
    Ok(Some(Arc::new(facts)))
}

/// Optimizes a program.
pub fn run(args: &Opt) -> Result<(), Failure> {
    caught::set_guards(true);
    let is_classes =
        args.input.from.is_none() && args.input.path.as_deref().is_none_or(file_names::names_classes);
    let together = if is_classes { None } else { Together::of(args)? };
    if !is_classes {
        // Where classes go may be said by a configuration.
        claim(args, together.as_ref())?;
    }
    let rules = rule_files::rules(&args.rules)?;
    let settings = settings(args, rules.clone())?;
    if is_classes {
        is_for_classes(args)?;
        return super::classes::run(args, &settings, rules.as_deref());
    }
    if args.dump_egraph.is_some() && args.engine != Engine::Egraph {
        return Err(Failure::Usage("--dump-egraph wants --engine egraph".into()));
    }
    let is_log = dialect_of(args)? == Dialect::PypyLog;
    if together.is_none() {
        file_names::hold_text(args.output.output.as_deref(), args.to.unwrap_or(dialect_of(args)?))?;
    }
    if args.facts.is_some() && !is_log {
        return Err(Failure::Usage(FACTS_ARE_OF_LOGS.into()));
    }
    if args.without_shown_effects && !is_log {
        return Err(Failure::Usage(EFFECTS_ARE_OF_LOGS.into()));
    }
    if args.without_bridge_facts.is_some() && !is_log && dialect_of(args)? != Dialect::Trace {
        return Err(Failure::Usage(BRIDGES_ARE_OF_TRACES.into()));
    }
    match is_log && reads_piece_by_piece(args, &settings) {
        true => log(args, &settings, rules.as_deref()),
        false => text(args, together.as_ref(), &settings, rules.as_deref()),
    }
}

/// `planish report`: what `planish opt` does, of which only the report is kept.
pub fn only_report(mut args: Opt) -> Result<(), Failure> {
    if args.report.is_some() {
        return Err(Failure::Usage(
            "planish report has -o for its page; --report is about planish opt".into(),
        ));
    }
    args.only_report = true;
    let page = args.output.output.replace(NOWHERE.into());
    args.report = Some(page.unwrap_or_else(|| super::report::STANDARD_OUTPUT.into()));
    run(&args)
}

/// What the arguments ask of the optimizer.
fn settings(args: &Opt, rules: Option<Arc<RuleSet>>) -> Result<Settings, Failure> {
    Ok(Settings {
        engine: match args.engine {
            Engine::Linear => EngineChoice::Linear,
            Engine::Egraph => EngineChoice::Egraph,
        },
        rules,
        validate: match args.validate {
            Validation::Off | Validation::Prove => 0,
            Validation::Run => INPUTS,
        },
        profile: args.profile.clone(),
        compat: args.compat.map(|args::Compat::Pypy| Compat::Pypy),
        passes: args.passes.clone(),
        fuel: args.fuel,
        chaos: args.chaos,
        about: About::named(args.explain.clone()),
        log: args.explain.is_some() || args.remarks.is_some() || args.report.is_some(),
        states: args.report.is_some(),
        extended: args.output.extended,
        to: args.to,
        expand: args.expand,
        graphs: args.engine == Engine::Egraph && (args.dump_egraph.is_some() || args.report.is_some()),
        evaluate: args.passes.is_none() && !args.no_eval_main,
        without: None,
        // The table behind the explanation of everything, and what the report says was missed.
        remains: told::explains_all(args) || args.report.is_some(),
        watched: None,
        witness: None,
        assume_constants: args.assume_constants,
        facts: facts(args.facts.as_deref())?,
        without_shown_effects: args.without_shown_effects,
        bridge_facts: bridge_facts(args.without_bridge_facts.as_deref())?,
        untold: args.stats.is_some(),
        precision: Precision::LEVELS[usize::from(args.classes.precision)],
        instrument: instrument(&args.between)?,
    })
}

/// What bridges are told.
fn bridge_facts(without: Option<&str>) -> Result<FactKinds, Failure> {
    without.map_or(Ok(FactKinds::default()), FactKinds::without).map_err(|name| {
        let kinds = FactKind::ALL.map(|(name, _)| name);
        let meant = closest(name, kinds).map_or_else(|| kinds.join(", "), str::to_owned);
        Failure::Usage(format!("--without-bridge-facts: no facts are called `{name}`; there are {meant}"))
    })
}

/// Refuses options that say nothing of classes.
fn is_for_classes(args: &Opt) -> Result<(), Failure> {
    let refused = [
        (args.validate == Validation::Prove, "programs of classes are not proved; --validate run tests them"),
        (args.dump_egraph.is_some(), "--dump-egraph does not show programs of classes"),
        (args.to.is_some(), "classes are written as classes; --to has no place here"),
        (args.compat.is_some(), super::validate::COMPAT_IS_OF_TRACES),
        (args.facts.is_some(), FACTS_ARE_OF_LOGS),
        (args.without_shown_effects, EFFECTS_ARE_OF_LOGS),
        (args.without_bridge_facts.is_some(), BRIDGES_ARE_OF_TRACES),
        (args.output.prefix.is_some(), "--prefix is about .ssa text"),
    ];
    match refused.iter().find(|(given, _)| *given) {
        Some((_, why)) => Err(Failure::Usage((*why).into())),
        None => Ok(()),
    }
}

/// Optimizes a text, or several that are given together.
fn text(
    args: &Opt,
    together: Option<&Together>,
    settings: &Settings,
    rules: Option<&RuleSet>,
) -> Result<(), Failure> {
    let (mut session, source) = opened(args, together, settings)?;
    let original = match args.validate {
        Validation::Prove => {
            let module = session.module().cloned().ok_or_else(|| {
                Failure::Usage(
                    "only a program that is one module is proved; --validate run tests others".to_owned(),
                )
            })?;
            Some((module, session.entries()))
        }
        Validation::Off | Validation::Run => None,
    };
    let before =
        if args.report.is_some() { session.pictures().map_err(Failure::Rejected)? } else { Vec::new() };
    let outcome = session.optimize(settings).map_err(Failure::Rejected)?;
    io::say(format_args!("{}", outcome.warnings));
    held(&outcome, rules.is_some())?;
    if let (Some((original, entries)), Some(module)) = (&original, session.module()) {
        proved(original, entries, module, args)?;
    }
    let to = args.to.unwrap_or(session.dialect());
    let writing = opening::writing(&args.output, to)?;
    let files = match together {
        Some(_) => session.write_files(),
        None => session.write(to, writing).map(|bytes| vec![bytes]),
    };
    let files = files.map_err(Failure::Rejected)?;
    if let Some(source) = source.filter(|_| to == session.dialect()) {
        source.holds(&files, &session)?;
    }
    let mut told = Told::begin(args, rules)?;
    told.add(&outcome.record, &outcome.names)?;
    told.finish(outcome.remains.as_ref().filter(|_| session.form() == Form::Trace))?;
    if let (Some(path), Some(graphs)) = (&args.dump_egraph, &outcome.graphs) {
        io::write(Some(path), graphs.json().as_bytes())?;
    }
    if args.report.is_some() {
        let after = session.pictures().map_err(Failure::Rejected)?;
        let regions = [("regions before", before), ("regions after", after)];
        super::report::write(args, &outcome, &regions, rules)?;
    }
    summary(args, &outcome, rules);
    match together {
        Some(together) => together.write(&files)?,
        None => io::write(args.output.output.as_deref(), &files.concat())?,
    }
    ended(&outcome)
}

/// What is no reason not to write a result: that something is written as it was, which was said among the warnings, and that no input
/// decided anything where the result was to be held against its source.
fn ended(outcome: &Outcome) -> Result<(), Failure> {
    if outcome.given_up {
        return Err(Failure::Rejected(String::new()));
    }
    outcome.checked.as_ref().map_or(Ok(()), super::validate::answered)
}

/// The program, and its text if that of the result is to be held against it. What conforms to another optimizer is written as that
/// writes it, in parts that do not stand for themselves.
fn opened(
    args: &Opt,
    together: Option<&Together>,
    settings: &Settings,
) -> Result<(Session, Option<Source>), Failure> {
    let input = args.input.named();
    let files = match together {
        Some(together) => together.read()?,
        None => vec![(io::display_name(&input.path), io::read(&input.path)?)],
    };
    let is_held = args.validate == Validation::Run && args.compat.is_none();
    let reading = opening::what_is_open(&input.reading);
    let dialect = dialect_of(args)?;
    let source = is_held.then(|| Source::new(files.clone(), dialect, reading, settings.validate));
    let session = match together {
        Some(_) => together::open(files, &input.reading)?,
        None => opening::open_bytes(&input, files.into_iter().flat_map(|(_, bytes)| bytes).collect())?,
    };
    Ok((session, source))
}

/// Proves that the result does what the original does, or fails.
fn proved(original: &Module, entries: &[FuncId], module: &Module, args: &Opt) -> Result<(), Failure> {
    match super::validate::prove(original, entries, module, ITERATIONS, &args.solver)? {
        proof @ (Proof::All | Proof::UpTo(_)) => {
            io::say(format_args!("{proof}\n"));
            Ok(())
        }
        Proof::Wrong(text) => Err(Failure::Rejected(format!("the optimized program is different\n{text}"))),
        Proof::Open(why) => Err(Failure::Rejected(format!("the optimized program is not proved: {why}"))),
    }
}

/// Says what comparing with the original said, if it was asked for. A difference is a failure.
fn held(outcome: &Outcome, has_rules: bool) -> Result<(), Failure> {
    match &outcome.checked {
        Some(Checked::Different(text)) => {
            let blame = match has_rules {
                true => "a rule of --rules may be wrong (planish prove says which), or planish is",
                false => "this is a mistake of planish (planish bisect finds the rewrite)",
            };
            Err(Failure::Rejected(format!("the optimized program is different: {blame}\n{text}")))
        }
        Some(checked) => {
            io::say(format_args!("{}\n", super::validate::verdict(checked)));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Says what was done, in numbers.
fn summary(args: &Opt, outcome: &Outcome, rules: Option<&RuleSet>) {
    io::say(format_args!(
        "{}",
        explain::budgets(&outcome.record, &|number| explain::rule_info(rules, number))
    ));
    if let Some(how) = args.stats {
        io::say(format_args!("{}", outcome.statistics.show(how.into(), &outcome.record, rules)));
    }
    if args.between.time_passes {
        io::say(format_args!("{}", outcome.times.table()));
    }
}

/// The dialect of the input.
fn dialect_of(args: &Opt) -> Result<Dialect, Failure> {
    opening::dialect(&args.input.named().path, args.input.from)
}

/// Whether nothing is asked about a log for which all of it has to be there: each state, each e-graph, a proof.
fn reads_piece_by_piece(args: &Opt, settings: &Settings) -> bool {
    !settings.states
        && !settings.graphs
        && args.validate != Validation::Prove
        && args.to.is_none_or(|to| to == Dialect::PypyLog)
}

/// Optimizes a log piece by piece.
fn log(args: &Opt, settings: &Settings, rules: Option<&RuleSet>) -> Result<(), Failure> {
    let path = args.input.named().path;
    let reading = opening::what_is_open(&args.input.reading);
    opening::writing(&args.output, Dialect::PypyLog)?;
    io::again(&path, |length, open| {
        let source = logs::Source { name: &io::display_name(&path), length, open };
        let seen =
            logs::look_over(&source, reading, logs::PIECE, logs::Unread::Left).map_err(Failure::Rejected)?;
        let mut out = io::Writer::begin(args.output.output.as_deref())?;
        let mut told = Told::begin(args, rules)?;
        let mut piece = |record: &Record, names: &Names| {
            told.add(record, names).map_err(|failure| failure.message().into_owned())
        };
        let outcome = seen.optimize(settings, &mut out, &mut piece).map_err(Failure::Rejected)?;
        io::say(format_args!("{}", outcome.warnings));
        held(&outcome, rules.is_some())?;
        told.finish(outcome.remains.as_ref())?;
        summary(args, &outcome, rules);
        out.finish()?;
        ended(&outcome)
    })
}

/// Sees to it that nothing is written to a file that is read or written for something else.
fn claim(args: &Opt, together: Option<&Together>) -> Result<(), Failure> {
    let mut claims = Claims::default();
    let facts = args.facts.iter().filter(|path| path.as_path() != Path::new(NO_FACTS));
    let inputs = args.input.path.iter().chain(&args.more).chain(&args.rules.files);
    inputs.chain(facts).for_each(|path| claims.read(path));
    args.rules.files.iter().for_each(|path| claims.read(&ledgers::beside(path)));
    args.written().try_for_each(|(option, path)| claims.write(option, Some(path)))?;
    match together {
        Some(together) => together.claim(&mut claims),
        None => claims.write("-o", args.output.output.as_deref()),
    }
}
