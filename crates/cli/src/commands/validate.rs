//! `planish validate`: is the second program a refinement of the first?
//!
//! A solver is asked first. Where it has no answer, or something in a function is not treated, which is said, both
//! programs are run on random inputs: that is a test, and is reported as one. So they are behind the iterations up to which something
//! is proved. No answer is never taken for yes.

use planish_driver::{Checked, Dialect, Session, validate};
use planish_ir::{FuncId, Module};
use planish_ops::world::World;
use planish_prove::{Engine, Validation};

use super::{classes, file_names, opening};
use crate::args::{Compat, Required, Solver, Validate};
use crate::failure::Failure;
use crate::io;

pub(super) const COMPAT_IS_OF_TRACES: &str = "--compat is about traces";

/// Compares two programs and prints the verdict.
pub fn run(args: &Validate) -> Result<(), Failure> {
    if args.from.is_none() && file_names::names_classes(&args.before) {
        if args.compat.is_some() {
            return Err(Failure::Usage(COMPAT_IS_OF_TRACES.to_owned()));
        }
        return classes::validate(args);
    }
    let mut before = opening::open_path(&args.before, args.from, &args.reading)?;
    let mut after = opening::open_path(&args.after, args.from, &args.reading)?;
    let follows_pypy = follows_pypy(args, &before)?;
    for (path, session) in [(&args.before, &before), (&args.after, &after)] {
        if session.is_divided_without_labels() {
            let name = io::display_name(path);
            return Err(Failure::Rejected(format!(
                "{name}: the sections `preamble` and `loop` name no label that they jump to, so it is not known where they go on: \
                 that is no answer"
            )));
        }
    }
    Session::set_side_by_side([&mut before, &mut after]);
    let (Some(old), Some(new)) = (before.module(), after.module()) else {
        return Err(Failure::Usage(
            "logs are validated trace by trace: planish opt --validate run".to_owned(),
        ));
    };
    let entries = before.entries();
    let mut proof = prove(old, &entries, new, args.iterations, &args.solver)?;
    if follows_pypy && matches!(proof, Proof::Wrong(_)) {
        // The solver gives types to nothing that PyPy's optimizer gives one.
        proof = Proof::Open("what PyPy's optimizer takes for granted is not part of a proof".to_owned());
    }
    if let Proof::Open(why) = &proof {
        io::say(format_args!("no proof: {why}\n"));
    }
    let tested = |said: &str| {
        let mut checked = validate::modules_in(old, &entries, new, args.inputs, before.form(), follows_pypy);
        let text = match &mut checked {
            Checked::Tested { idle, .. } => {
                let alone =
                    alone(idle, |name| validate::bridge_alone(old, name, new, args.inputs, follows_pypy));
                format!("{said}{}{alone}", verdict(&checked))
            }
            Checked::Different(_) => verdict(&checked),
        };
        io::write(None, format!("{text}\n").as_bytes())?;
        match checked {
            Checked::Tested { .. } => Ok(checked),
            Checked::Different(_) => Err(Failure::Rejected(String::new())),
        }
    };
    match (&proof, args.require) {
        // What a loop does behind the iterations of a proof is only run.
        (Proof::UpTo(_), Required::Tested) if args.inputs > 0 => tested(&format!("{proof}; ")).map(|_| ()),
        (Proof::All | Proof::Wrong(_), _) | (Proof::UpTo(_), Required::Tested) => {
            io::write(None, format!("{proof}\n").as_bytes())?;
            if let Proof::Wrong(_) = proof { Err(Failure::Rejected(String::new())) } else { Ok(()) }
        }
        (_, Required::Proved) => Err(Failure::Rejected(format!("not proved: {proof}"))),
        (Proof::Open(_), Required::Tested) if args.inputs == 0 => {
            Err(Failure::Rejected("there is no proof, and no input was tried: that is no answer".to_owned()))
        }
        (Proof::Open(_), Required::Tested) => {
            let checked = tested("")?;
            answered(&checked)?;
            all_began(&checked)
        }
    }
}

/// Whether programs are compared as PyPy's optimizer may change them, which only traces are.
fn follows_pypy(args: &Validate, before: &Session) -> Result<bool, Failure> {
    match (args.compat, before.dialect()) {
        (None, _) => Ok(false),
        (Some(Compat::Pypy), Dialect::Trace) => Ok(true),
        (Some(Compat::Pypy), _) => Err(Failure::Usage(COMPAT_IS_OF_TRACES.to_owned())),
    }
}

/// Runs bridges into which no input led from any values instead, and takes out those that do the same; says how many inputs these
/// were run on.
fn alone(idle: &mut Vec<String>, run: impl Fn(&str) -> Option<u64>) -> String {
    let mut said = String::new();
    idle.retain(|name| match run(name) {
        Some(inputs) => {
            said += &format!("; no input led into {name}, which alone does the same on {inputs}");
            false
        }
        None => true,
    });
    said
}

/// Refuses a comparison of traces in which some bridge never began: nothing was seen of it.
fn all_began(checked: &Checked) -> Result<(), Failure> {
    match checked {
        Checked::Tested { idle, .. } if !idle.is_empty() => Err(Failure::Rejected(format!(
            "no input led into {}, so nothing was seen of that: this is no answer (--inputs tries more)",
            idle.join(", ")
        ))),
        Checked::Tested { .. } | Checked::Different(_) => Ok(()),
    }
}

/// What a solver says of two modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Each function may stand for the one it came from.
    All,
    /// Each may as long as no loop takes more iterations than this.
    UpTo(u32),
    /// One may not: which, and on which inputs.
    Wrong(String),
    /// Of one it is not known: which, and why.
    Open(String),
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Proof::All => write!(f, "{}", Validation::Proved),
            Proof::UpTo(bound) => write!(f, "{}", Validation::ProvedUpTo(*bound)),
            Proof::Wrong(text) => write!(f, "different\n{text}"),
            Proof::Open(why) => f.write_str(why),
        }
    }
}

/// Asks a solver whether functions of one module may be replaced by those of another that have their names.
pub fn prove(
    before: &Module,
    entries: &[FuncId],
    after: &Module,
    bound: u32,
    solver: &Solver,
) -> Result<Proof, Failure> {
    if before.goes_on() || after.goes_on() {
        return Ok(Proof::Open("traces that go on in each other are only run".to_owned()));
    }
    let engine = Engine::choose(solver.solver.as_deref()).map_err(|e| Failure::Usage(e.to_string()))?;
    let mut all = Proof::All;
    for function in entries.iter().map(|&id| &before.functions[id]) {
        let name = &function.name;
        let Some(id) = after.find(name) else {
            return Ok(Proof::Wrong(format!("function {name} is missing")));
        };
        let source = (function, &before.descriptors as &dyn World);
        let target = (&after.functions[id], &after.descriptors as &dyn World);
        match planish_prove::validate(source, target, bound, &engine, &solver.budget()) {
            Validation::Proved => {}
            Validation::ProvedUpTo(bound) if all == Proof::All => all = Proof::UpTo(bound),
            Validation::ProvedUpTo(_) => {}
            Validation::Different(found) => return Ok(Proof::Wrong(format!("function {name}\n{found}"))),
            Validation::Signature => {
                return Ok(Proof::Wrong(format!("function {name}: the parameters are of other types")));
            }
            open => all = Proof::Open(format!("function {name}: {open}")),
        }
    }
    Ok(all)
}

/// Refuses a comparison of functions that says nothing, since no input decided anything.
pub fn answered(checked: &Checked) -> Result<(), Failure> {
    match checked.decided_nothing() {
        true => Err(Failure::Rejected("no input decided anything: that is no answer".to_owned())),
        false => Ok(()),
    }
}

/// The verdict in words.
pub fn verdict(checked: &Checked) -> String {
    match checked {
        Checked::Tested { agreed, early, endless, undefined, idle } => {
            let mut text = format!("tested on {agreed} inputs");
            if *early > 0 {
                text += &format!(
                    "; on {early} more it leaves at an earlier guard, where the same is asked again"
                );
            }
            if *endless > 0 {
                text += &format!("; {endless} more did not end in time");
            }
            if *undefined > 0 {
                text += &format!("; on {undefined} more the original is undefined");
            }
            if !idle.is_empty() {
                text += &format!("; no input led into {}", idle.join(", "));
            }
            text
        }
        Checked::Different(text) => format!("different\n{text}"),
    }
}
