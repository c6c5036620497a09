//! Holding a program against another: is the second a refinement of the first?
//!
//! Both are run in the same random worlds on the same random arguments, and what can be observed is
//! compared ([`planish_interp::validate()`]). Runs that both do not end within their fuel, or whose source is undefined, decide
//! nothing, and both are counted apart: they are never taken for agreement. Counted apart, too, is where a trace leaves at a
//! guard that its source passes, as it may ([`mod@planish_interp::validate`]).

use std::collections::BTreeSet;

use planish_interp::{Limits, Program, Subject, Validation, validate};
use planish_ir::{Form, FuncId, Function, Module};

/// How many inputs a function is tried on, unless said otherwise.
pub const INPUTS: u64 = 200;

/// What comparing by runs says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// No difference was seen.
    Tested {
        /// Inputs on which both ended and agreed.
        agreed: u64,
        /// Inputs on which the target left at an earlier guard, from where whoever goes on asks again.
        early: u64,
        /// Inputs on which neither ended, or a loop of the original that does nothing anybody could notice.
        endless: u64,
        /// Inputs on which the source means nothing, as where it divides by zero.
        undefined: u64,
        /// Bridges that began on none of them, by name: of these nothing was seen.
        idle: Vec<String>,
    },
    /// They differ; the text shows arguments and what happened on each side.
    Different(String),
}

impl Checked {
    /// Nothing was compared yet.
    const NONE: Checked = Checked::Tested { agreed: 0, early: 0, endless: 0, undefined: 0, idle: Vec::new() };

    /// Whether inputs were tried, and none decided anything: so nothing was tested.
    pub fn decided_nothing(&self) -> bool {
        matches!(self, Checked::Tested { agreed: 0, early: 0, endless, undefined, .. } if endless + undefined > 0)
    }

    /// Both: a difference, or the sums.
    pub fn and(self, other: Checked) -> Checked {
        match (self, other) {
            (
                Checked::Tested { mut agreed, mut early, mut endless, mut undefined, mut idle },
                Checked::Tested { agreed: a, early: l, endless: e, undefined: u, idle: i },
            ) => {
                idle.extend(i);
                (agreed, early, endless, undefined) = (agreed + a, early + l, endless + e, undefined + u);
                Checked::Tested { agreed, early, endless, undefined, idle }
            }
            (Checked::Different(text), _) | (_, Checked::Different(text)) => Checked::Different(text),
        }
    }
}

/// Compares two functions on `inputs` random inputs. In a trace, an access through null means nothing.
pub fn functions(
    before: (&Program<'_>, &Function),
    after: (&Program<'_>, &Function),
    inputs: u64,
    form: Form,
) -> Checked {
    compared(before, after, inputs, form, &mut BTreeSet::new())
}

/// Compares two functions, and adds the exits at which bridges took over.
fn compared(
    before: (&Program<'_>, &Function),
    after: (&Program<'_>, &Function),
    inputs: u64,
    form: Form,
    left: &mut BTreeSet<u32>,
) -> Checked {
    let limits = Limits { fuel: 100_000, wild_accesses: form == Form::Trace, ..Limits::default() };
    let subject = |(program, function)| Subject { program, function };
    match validate(subject(before), subject(after), 0, inputs, limits) {
        Validation::Tested { compared, early, undefined, tries, went_over } => {
            left.extend(went_over);
            let endless = tries - compared - early - undefined;
            Checked::Tested { agreed: compared, early, endless, undefined, idle: Vec::new() }
        }
        Validation::Signature => {
            Checked::Different(format!("function {}: the parameters are of other types", before.1.name))
        }
        Validation::Different(found) => {
            let shown: Vec<String> = found.args.iter().map(|&arg| found.source.show(arg)).collect();
            let which = match &found.denoted {
                None => before.1.name.clone(),
                Some([old, new]) => format!("{}: {new} instead of {old}, which differ", before.1.name),
            };
            let at = found.difference.event;
            Checked::Different(format!(
                "function {which} on ({}) in world {}: {}\nbefore:\n{}\nafter:\n{}",
                shown.join(", "),
                found.scenario.seed,
                found.difference,
                found.source.around(at),
                found.target.around(at),
            ))
        }
    }
}

/// Compares functions of a module with those of another that have their names. Whoever is called by these alone is compared
/// with them, and need not be there afterwards.
pub fn modules(before: &Module, entries: &[FuncId], after: &Module, inputs: u64, form: Form) -> Checked {
    modules_in(before, entries, after, inputs, form, false)
}

/// The same where programs may keep to the types of RPython ([`Program::with_rpython_types`]).
pub fn modules_in(
    before: &Module,
    entries: &[FuncId],
    after: &Module,
    inputs: u64,
    form: Form,
    rpython_types: bool,
) -> Checked {
    let programs = (
        Program::of(before).with_rpython_types(rpython_types),
        Program::of(after).with_rpython_types(rpython_types),
    );
    let (mut all, mut left) = (Checked::NONE, BTreeSet::new());
    for &id in entries {
        let function = &before.functions[id];
        let Some(id) = after.find(&function.name) else {
            return Checked::Different(format!("function {} is missing", function.name));
        };
        let other = &after.functions[id];
        all = all.and(compared((&programs.0, function), (&programs.1, other), inputs, form, &mut left));
    }
    if let Checked::Tested { idle, .. } = &mut all {
        *idle = never_began(before, &left);
    }
    all
}

/// On how many inputs a bridge does what the one of its name does, wherever it might begin. Nothing where it does something else: it
/// may rely on what holds where its guard fails.
pub fn bridge_alone(
    before: &Module,
    name: &str,
    after: &Module,
    inputs: u64,
    rpython_types: bool,
) -> Option<u64> {
    let programs = [before, after].map(|module| Program::of(module).with_rpython_types(rpython_types));
    let [old, new] = [before, after].map(|module| module.find(name).map(|id| &module.functions[id]));
    match functions((&programs[0], old?), (&programs[1], new?), inputs, Form::Trace) {
        checked @ Checked::Tested { agreed, early, .. } if !checked.decided_nothing() => Some(agreed + early),
        Checked::Tested { .. } | Checked::Different(_) => None,
    }
}

/// The bridges of a module none of whose guards is among those that were left.
fn never_began(module: &Module, left: &BTreeSet<u32>) -> Vec<String> {
    let began: BTreeSet<FuncId> =
        module.bridges.iter().filter(|(exit, _)| left.contains(exit)).map(|&(_, id)| id).collect();
    let bridges: BTreeSet<FuncId> = module.bridges.iter().map(|&(_, id)| id).collect();
    bridges.difference(&began).map(|&id| module.functions[id].name.clone()).collect()
}
