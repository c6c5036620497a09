//! `planish bisect`: the first rewrite after which a check fails.
//!
//! Fuel limits the number of rewrites, and a run with fuel N does exactly the first N of any longer run,
//! so bisection over N finds the one. The check must hold without any rewrite and fail with all of them.

use planish_driver::validate::INPUTS;
use planish_driver::{Checked, Settings, Writing, explain};

use super::probe;
use crate::args::Bisect;
use crate::failure::Failure;
use crate::io;

/// Finds the rewrite and prints it.
pub fn run(args: &Bisect) -> Result<(), Failure> {
    let rules = super::rules(&args.rules)?;
    // Standard input can be read once only.
    let bytes = io::read(&args.input.path)?;
    let attempt =
        |fuel: Option<u64>, log: bool, check: bool| -> Result<(bool, u64, Option<String>), Failure> {
            let mut session = super::open_bytes(&args.input, bytes.clone())?;
            let validates = check && args.check == "validate";
            let settings = Settings {
                rules: rules.clone(),
                validate: if validates { INPUTS } else { 0 },
                fuel,
                log,
                ..Settings::default()
            };
            let outcome = session.optimize(&settings).map_err(Failure::Rejected)?;
            let good = match &outcome.checked {
                Some(checked) => !matches!(checked, Checked::Different(_)),
                None if !check => true,
                None => {
                    let dialect = session.dialect();
                    let bytes = session
                        .write(dialect, Writing { extended: true, ..Writing::default() })
                        .map_err(Failure::Rejected)?;
                    probe::accepts(&args.check, dialect.extensions()[0], &bytes)?
                }
            };
            let info = |number: u32| explain::rule_info(rules.as_deref(), number);
            let last = outcome.record.entries().last().map(|entry| {
                let remark = explain::Remark::of(entry, &outcome.names);
                let line = explain::lines(std::iter::once(remark), &info);
                format!("in pass {}: {}", outcome.steps[entry.step as usize], line.trim_end())
            });
            Ok((good, outcome.record.total(), last))
        };
    let (_, total, _) = attempt(None, false, false)?;
    if !attempt(Some(0), false, true)?.0 {
        return Err(Failure::Rejected("the check fails without any rewrite".to_owned()));
    }
    if attempt(None, false, true)?.0 {
        return Err(Failure::Rejected(format!("the check holds after all {total} rewrites")));
    }
    // The check holds after `good` rewrites and fails after `bad`.
    let (mut good, mut bad) = (0, total);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if attempt(Some(middle), false, true)?.0 {
            good = middle;
        } else {
            bad = middle;
        }
    }
    let (_, _, last) = attempt(Some(bad), true, false)?;
    let last = last.unwrap_or_default();
    io::write(None, format!("rewrite {bad} of {total} {last}\n").as_bytes())
}
