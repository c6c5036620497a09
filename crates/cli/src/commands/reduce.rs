//! `planish reduce`: the smallest program for which a check still fails.

use planish_base::caught;
use planish_driver::reduce::{self, Reduced};
use planish_driver::validate::INPUTS;
use planish_driver::{Checked, EngineChoice, Session, Settings};

use super::{opening, probe, rule_files};
use crate::args::{Engine, Reduce};
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// Reduces a program and prints what is left.
pub fn run(args: &Reduce) -> Result<(), Failure> {
    // Whoever reduces wants to see panics.
    caught::set_guards(false);
    let mut claims = Claims::default();
    std::iter::once(&args.input.path).chain(&args.rules.files).for_each(|path| claims.read(path));
    claims.write("-o", args.output.as_deref())?;
    let settings = Settings {
        engine: match args.engine {
            Engine::Linear => EngineChoice::Linear,
            Engine::Egraph => EngineChoice::Egraph,
        },
        rules: rule_files::rules(&args.rules)?,
        validate: INPUTS,
        ..Settings::default()
    };
    let dialect = opening::dialect(&args.input.path, args.input.from)?;
    let reading = opening::what_is_open(&args.input.reading);
    let name = io::display_name(&args.input.path);
    let mut trouble = None;
    let mut fails = |program: &[u8]| {
        if args.check == "validate" {
            return validation_fails(|| {
                let mut session = Session::open(&name, program.to_vec(), dialect, reading)?;
                Ok(session.optimize(&settings)?.checked)
            });
        }
        match probe::accepts(&args.check, dialect.extensions()[0], program) {
            Ok(good) => !good,
            Err(failure) => {
                trouble.get_or_insert(failure);
                false
            }
        }
    };
    let source = io::read(&args.input.path)?;
    let reduced = reduce::reduce(&name, source, dialect, reading, args.tests, &mut fails);
    if let Some(failure) = trouble {
        return Err(failure);
    }
    let Reduced { program, is_cut_short } = reduced.map_err(Failure::Rejected)?;
    if is_cut_short {
        io::say(format_args!("stopped after {} candidates; more could go\n", args.tests));
    }
    io::write(args.output.as_deref(), &program)
}

/// Whether optimizing panics or gives a program that does something else. Programs that are refused do
/// not fail.
fn validation_fails(optimize: impl FnOnce() -> Result<Option<Checked>, String>) -> bool {
    match caught::catch(optimize) {
        Ok(checked) => matches!(checked, Ok(Some(Checked::Different(_)))),
        Err(_) => true,
    }
}
