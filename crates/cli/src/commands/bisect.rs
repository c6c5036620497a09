//! `planish bisect`: the first rewrite after which a check fails.

use planish_driver::validate::INPUTS;
use planish_driver::{Checked, Precision, Settings, Writing, explain};

use super::bisection::{Answer, Ask, first_bad};
use super::{classes, file_names, opening, probe, rule_files};
use crate::args::Bisect;
use crate::failure::Failure;
use crate::io;

/// The check that is no command.
const VALIDATE: &str = "validate";

/// Finds the rewrite and prints it.
pub fn run(args: &Bisect) -> Result<(), Failure> {
    let rules = rule_files::rules(&args.rules)?;
    let validates = args.check == VALIDATE;
    let settings = |fuel: Option<u64>, ask: Ask| Settings {
        rules: rules.clone(),
        validate: if validates && matches!(ask, Ask::Check) { INPUTS } else { 0 },
        fuel,
        log: matches!(ask, Ask::Last),
        precision: Precision::LEVELS[usize::from(args.classes.precision)],
        ..Settings::default()
    };
    let found = if args.input.from.is_none() && file_names::names_classes(&args.input.path) {
        let program = classes::of_bisect(args)?;
        first_bad(|fuel, ask| {
            let asks = matches!(ask, Ask::Check) && !validates;
            let (bytes, extension, answer) = program.attempt(&settings(fuel, ask), rules.as_deref())?;
            let holds = answer.holds && (!asks || probe::accepts(&args.check, extension, &bytes)?);
            Ok(Answer { holds, ..answer })
        })?
    } else {
        if !args.more.is_empty() {
            return Err(Failure::Usage("several inputs are for jars and directories of classes".into()));
        }
        // Standard input can be read once only.
        let bytes = io::read(&args.input.path)?;
        first_bad(|fuel, ask| of_text(args, bytes.clone(), &settings(fuel, ask), ask))?
    };
    io::write(None, found.as_bytes())
}

/// One run over a program in a text.
fn of_text(args: &Bisect, bytes: Vec<u8>, settings: &Settings, ask: Ask) -> Result<Answer, Failure> {
    let mut session = opening::open_bytes(&args.input, bytes)?;
    let outcome = session.optimize(settings).map_err(Failure::Rejected)?;
    let holds = match (&outcome.checked, ask) {
        (Some(checked), _) => !matches!(checked, Checked::Different(_)),
        (None, Ask::Check) => {
            let dialect = session.dialect();
            let writing = Writing { extended: true, ..Writing::default() };
            let bytes = session.write(dialect, writing).map_err(Failure::Rejected)?;
            probe::accepts(&args.check, dialect.extensions()[0], &bytes)?
        }
        (None, Ask::Count | Ask::Last) => true,
    };
    let info = |number: u32| explain::rule_info(settings.rules.as_deref(), number);
    let last = outcome.record.entries().last().map(|entry| {
        let remark = explain::Remark::of(entry, &outcome.names);
        let line = explain::lines(std::iter::once(remark), &info);
        format!("in pass {}: {}", outcome.steps[entry.step as usize], line.trim_end())
    });
    Ok(Answer { rewrites: outcome.record.total(), holds, last: last.unwrap_or_default() })
}
