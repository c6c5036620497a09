//! `planish opt`: reads, optimizes, writes.
//!
//! The result is written last: when anything before fails, no file is touched.

use planish_base::caught;
use planish_driver::about::About;
use planish_driver::instrument::{Around, Instrument, Sink};
use planish_driver::run::Outcome;
use planish_driver::validate::INPUTS;
use planish_driver::{Checked, Compat, Dialect, EngineChoice, Precision, Settings, explain, logs};
use planish_ir::Form;
use planish_rules::RuleSet;

use super::opening;
use super::rule_files;
use super::validate::Proof;
use crate::args::{self, Engine, Opt, Validation};
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// How many iterations of a loop a proof follows.
const ITERATIONS: u32 = 8;

/// How many pairs of operations that remain together are shown behind the explanation of traces.
const MISSED: usize = 20;

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

/// Optimizes a program.
pub fn run(args: &Opt) -> Result<(), Failure> {
    caught::set_guards(true);
    let is_classes =
        args.input.from.is_none() && args.input.path.as_deref().is_none_or(super::classes::names_classes);
    if !is_classes {
        // Where classes go may be said by a configuration.
        claim(args)?;
    }
    let rules = rule_files::rules(&args.rules)?;
    let settings = Settings {
        engine: match args.engine {
            Engine::Linear => EngineChoice::Linear,
            Engine::Egraph => EngineChoice::Egraph,
        },
        rules: rules.clone(),
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
        expand: args.expand,
        graphs: args.engine == Engine::Egraph && (args.dump_egraph.is_some() || args.report.is_some()),
        evaluate: args.passes.is_none() && !args.no_eval_main,
        without: None,
        // The table behind the explanation of everything.
        remains: args.explain.as_deref() == Some(""),
        watched: None,
        assume_constants: args.assume_constants,
        precision: Precision::LEVELS[usize::from(args.classes.precision)],
        instrument: instrument(&args.between)?,
    };
    if is_classes {
        let refused = [
            (
                args.validate == Validation::Prove,
                "programs of classes are not proved; --validate run tests them",
            ),
            (args.dump_egraph.is_some(), "--dump-egraph does not show programs of classes"),
            (args.to.is_some(), "classes are written as classes; --to has no place here"),
            (args.compat.is_some(), "--compat is about traces"),
            (args.output.prefix.is_some(), "--prefix is about .ssa text"),
        ];
        if let Some((_, why)) = refused.iter().find(|(given, _)| *given) {
            return Err(Failure::Usage((*why).into()));
        }
        return super::classes::run(args, &settings, rules.as_deref());
    }
    if !args.more.is_empty() {
        return Err(Failure::Usage("several inputs are for jars and directories of classes".into()));
    }
    if args.dump_egraph.is_some() && args.engine != Engine::Egraph {
        return Err(Failure::Usage("--dump-egraph wants --engine egraph".into()));
    }
    if dialect_of(args)? == Dialect::PypyLog && reads_piece_by_piece(args, &settings) {
        return log(args, &settings, rules.as_deref());
    }
    let mut session = opening::open(&args.input.named())?;
    let original = match args.validate {
        Validation::Prove => Some(session.module().cloned().ok_or_else(|| {
            Failure::Usage(
                "only a program that is one module is proved; --validate run tests others".to_owned(),
            )
        })?),
        Validation::Off | Validation::Run => None,
    };
    let before =
        if args.report.is_some() { session.pictures().map_err(Failure::Rejected)? } else { Vec::new() };
    let outcome = session.optimize(&settings).map_err(Failure::Rejected)?;
    io::say(format_args!("{}", outcome.warnings));
    held(&outcome, rules.is_some())?;
    if let (Some(original), Some(module)) = (&original, session.module()) {
        match super::validate::prove(original, module, ITERATIONS, &args.solver)? {
            proof @ (Proof::All | Proof::UpTo(_)) => io::say(format_args!("{proof}\n")),
            Proof::Wrong(text) => {
                return Err(Failure::Rejected(format!("the optimized program is different\n{text}")));
            }
            Proof::Open(why) => {
                return Err(Failure::Rejected(format!("the optimized program is not proved: {why}")));
            }
        }
    }
    let to = args.to.unwrap_or(session.dialect());
    let writing = opening::writing(&args.output, to)?;
    let bytes = session.write(to, writing).map_err(Failure::Rejected)?;
    let info = |number: u32| explain::rule_info(rules.as_deref(), number);
    if let Some(function) = &args.explain {
        let remarks = explain::remarks(&outcome.record, &outcome.names)
            .filter(|remark| function.is_empty() || remark.function == *function);
        let mut remarks = remarks.peekable();
        if !function.is_empty() && remarks.peek().is_none() {
            io::say(format_args!("nothing was done to a function called {function}\n"));
        }
        io::say(format_args!("{}", explain::lines(remarks, &info)));
        if let Some(remains) = outcome.remains.as_ref().filter(|_| session.form() == Form::Trace) {
            io::say(format_args!("{}", remains.table(MISSED)));
        }
    }
    if let Some(path) = &args.remarks {
        let lines = explain::json_lines(explain::remarks(&outcome.record, &outcome.names), &info);
        io::write(Some(path), lines.as_bytes())?;
    }
    if let (Some(path), Some(graphs)) = (&args.dump_egraph, &outcome.graphs) {
        io::write(Some(path), graphs.json().as_bytes())?;
    }
    if let Some(path) = &args.report {
        let after = session.pictures().map_err(Failure::Rejected)?;
        let regions = [("regions before", before), ("regions after", after)];
        let page = super::report::page(args, &outcome, &regions, rules.as_deref())?;
        io::write(Some(path), page.as_bytes())?;
    }
    summary(args, &outcome, rules.as_deref());
    io::write(args.output.output.as_deref(), &bytes)
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
    for (budget, refusals) in outcome.record.budgets() {
        io::say(format_args!(
            "warning: the budget `{budget}` was hit {refusals} times; what it refused was not done\n"
        ));
    }
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

/// Whether nothing is asked about a log for which all of it has to be there: each rewrite, each state, a proof.
fn reads_piece_by_piece(args: &Opt, settings: &Settings) -> bool {
    !settings.log && args.validate != Validation::Prove && args.to.is_none_or(|to| to == Dialect::PypyLog)
}

/// Optimizes a log piece by piece.
fn log(args: &Opt, settings: &Settings, rules: Option<&RuleSet>) -> Result<(), Failure> {
    let path = args.input.named().path;
    let reading = opening::what_is_open(&args.input.reading);
    opening::writing(&args.output, Dialect::PypyLog)?;
    io::again(&path, |length, open| {
        let source = logs::Source { name: &io::display_name(&path), length, open };
        let seen = logs::look_over(&source, reading, logs::PIECE).map_err(Failure::Rejected)?;
        let mut out = io::Writer::begin(args.output.output.as_deref())?;
        let outcome = seen.optimize(settings, &mut out).map_err(Failure::Rejected)?;
        io::say(format_args!("{}", outcome.warnings));
        held(&outcome, rules.is_some())?;
        summary(args, &outcome, rules);
        out.finish()
    })
}

/// Sees to it that nothing is written to a file that is read or written for something else.
fn claim(args: &Opt) -> Result<(), Failure> {
    let mut claims = Claims::default();
    args.input.path.iter().chain(&args.rules.files).for_each(|path| claims.read(path));
    args.written().try_for_each(|(option, path)| claims.write(option, Some(path)))?;
    claims.write("-o", args.output.output.as_deref())
}
