//! Programs of classes run side by side: `planish validate` on jars, and `--validate run` on what became of a program.

use planish_base::threads;
use planish_driver::Settings;
use planish_jar::classes::Archive;
use planish_jar::execution::programs::archives;
use planish_jar::execution::{Beginnings, Held};

use super::program::{Done, Program, classpath, hierarchy};
use super::read;
use crate::args::{ClassMode, Required, Validate};
use crate::commands::bisection::{Ask, first_bad};
use crate::failure::Failure;
use crate::io;

/// Compares two programs and prints the verdict.
pub fn validate(args: &Validate) -> Result<(), Failure> {
    if args.require == Required::Proved {
        return Err(Failure::Usage("programs of classes are not proved, only run".to_owned()));
    }
    let limit = args.reading.inflated_limit;
    let (before, after) = (read(&args.before, limit)?, read(&args.after, limit)?);
    let around = classpath(&args.library, limit)?;
    let of_libraries = args.library.iter().map(|path| path.display().to_string());
    let names: Vec<String> = std::iter::once(args.before.display().to_string()).chain(of_libraries).collect();
    let mut warnings = Vec::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let known = hierarchy(&before.archive, &around, &names, threads, &mut warnings)?;
    for warning in &warnings {
        io::say(format_args!("warning: {warning}\n"));
    }
    let beginnings = match &args.main[..] {
        [] => Beginnings::of(&before.archive),
        main => Beginnings { main: slashed(main), ..Beginnings::default() },
    };
    let held = threads::on_large_stack(|| {
        archives(&before.archive, &after.archive, (&around, &known), &beginnings, args.inputs)
    });
    io::write(None, format!("{held}\n").as_bytes())?;
    match held {
        Held { different: Some(_), .. } => Err(Failure::Rejected(String::new())),
        Held { entries: 0, .. } => Err(Failure::Rejected(
            "nothing begins in both programs: there is no main class, and no public method that both have; \
             --main names a class"
                .to_owned(),
        )),
        Held { quiet: 0, .. } => Err(Failure::Rejected(
            "no run came to its end but by an exception from outside: that is no answer".to_owned(),
        )),
        _ => Ok(()),
    }
}

fn slashed(names: &[String]) -> Vec<Vec<u8>> {
    names.iter().map(|name| name.replace('.', "/").into_bytes()).collect()
}

impl Program {
    /// Where the program is called from outside, by what it was optimized for.
    fn beginnings(&self, archive: &Archive, done: &Done) -> Beginnings {
        let seeds = done.shrunk.as_ref().map(|outcome| outcome.seeds.as_str());
        // Where nothing goes, whatever is public is kept.
        let shrinks = self.mode == ClassMode::Program && !self.roots.rules.has("dontshrink");
        let kept = if shrinks { seeds } else { None };
        let mut found = Beginnings::public(archive, kept);
        found.main = slashed(&self.roots.main);
        if !self.roots.say_where_it_begins() && self.mode != ClassMode::Library {
            found.main.extend(Beginnings::of(archive).main);
        }
        found
    }

    /// Runs the program and what became of it side by side.
    pub fn side_by_side(&self, done: &Done, worlds: u64) -> Held {
        let beginnings = self.beginnings(&self.archive, done);
        let around = (&self.classpath, &self.hierarchy);
        threads::on_large_stack(|| {
            archives(&self.archive, done.with_old_names(), around, &beginnings, worlds)
        })
    }

    /// Runs both side by side if that is asked for: what to say of it. That they differ is an error, which names the
    /// rewrite with which it begins.
    pub fn validated(&self, done: &Done, settings: &Settings) -> Result<String, Failure> {
        if settings.validate == 0 {
            return Ok(String::new());
        }
        let held = self.side_by_side(done, settings.validate);
        if held.different.is_none() {
            let what = if held.agreed > 0 { "validated" } else { "not validated" };
            return Ok(format!("{what}: {held}\n"));
        }
        let found = first_bad(|fuel, ask| {
            let settings = Settings { fuel, log: matches!(ask, Ask::Last), ..settings.clone() };
            let rules = settings.rules.clone();
            self.attempt(&settings, rules.as_deref()).map(|(_, _, answer)| answer)
        });
        let culprit = match found {
            Ok(found) => format!("\nit begins with {}", found.trim_end()),
            Err(_) => String::new(),
        };
        Err(Failure::Rejected(format!(
            "the result does something else: {held}{culprit}\nnothing was written"
        )))
    }
}
