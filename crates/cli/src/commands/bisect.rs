//! `planish bisect`: the first rewrite after which a check fails (LLVM's `-opt-bisect-limit`, searched by itself).
//!
//! Fuel limits the number of rewrites, and a run with fuel N does exactly the first N of any longer run,
//! so bisection over N finds the one. The check must hold without any rewrite and fail with all of them.

use planish_driver::validate::INPUTS;
use planish_driver::{Checked, Precision, Settings, Writing, explain};

use super::{classes, probe};
use crate::args::Bisect;
use crate::failure::Failure;
use crate::io;

/// The check that is no command.
const VALIDATE: &str = "validate";

/// What is asked of one run.
#[derive(Clone, Copy)]
pub enum Ask {
    /// How many rewrites it makes.
    Count,
    /// Whether the check holds.
    Check,
    /// What the last rewrite was.
    Last,
}

/// What one run answers.
#[derive(Default)]
pub struct Answer {
    /// The number of rewrites.
    pub rewrites: u64,
    /// Whether the check holds; `true` if nobody asked.
    pub holds: bool,
    /// What the last rewrite was, and the pass that made it; empty if nobody asked.
    pub last: String,
}

/// Finds the rewrite and prints it.
pub fn run(args: &Bisect) -> Result<(), Failure> {
    let rules = super::rules(&args.rules)?;
    let validates = args.check == VALIDATE;
    let settings = |fuel: Option<u64>, ask: Ask| Settings {
        rules: rules.clone(),
        validate: if validates && matches!(ask, Ask::Check) { INPUTS } else { 0 },
        fuel,
        log: matches!(ask, Ask::Last),
        precision: Precision::LEVELS[usize::from(args.classes.precision)],
        ..Settings::default()
    };
    let found = if args.input.from.is_none() && classes::names_classes(&args.input.path) {
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
    let mut session = super::open_bytes(&args.input, bytes)?;
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

/// Says which rewrite is the first after which a check fails. `attempt` makes a run with so much fuel and answers what it
/// is asked. O(log rewrites) runs.
pub fn first_bad(
    mut attempt: impl FnMut(Option<u64>, Ask) -> Result<Answer, Failure>,
) -> Result<String, Failure> {
    let total = attempt(None, Ask::Count)?.rewrites;
    if !attempt(Some(0), Ask::Check)?.holds {
        return Err(Failure::Rejected("the check fails without any rewrite".to_owned()));
    }
    if attempt(None, Ask::Check)?.holds {
        return Err(Failure::Rejected(format!("the check holds after all {total} rewrites")));
    }
    // The check holds after `good` rewrites and fails after `bad`.
    let (mut good, mut bad) = (0, total);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match attempt(Some(middle), Ask::Check)?.holds {
            true => good = middle,
            false => bad = middle,
        }
    }
    let last = attempt(Some(bad), Ask::Last)?.last;
    Ok(format!("rewrite {bad} of {total} {last}\n"))
}
