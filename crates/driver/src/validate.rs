//! Holding a program against another: is the second a refinement of the first?
//!
//! Both are run in the same random worlds on the same random arguments, and what can be observed is
//! compared ([`planish_interp::refine()`]). A run that does not end within its fuel decides nothing and is
//! counted apart: it is never taken for agreement.

use planish_interp::{Limits, Program, Scenario, Verdict, refine, run};
use planish_ir::{Function, Module};

/// How many inputs a function is tried on, unless said otherwise.
pub const INPUTS: u64 = 200;

/// What comparing by runs says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// No difference was seen.
    Tested {
        /// Inputs on which both ended and agreed.
        agreed: u64,
        /// Inputs on which one of them did not end.
        undecided: u64,
    },
    /// They differ; the text shows arguments and what happened on each side.
    Different(String),
}

impl Checked {
    /// Both: a difference, or the sums.
    pub fn and(self, other: Checked) -> Checked {
        match (self, other) {
            (Checked::Tested { agreed: a, undecided: u }, Checked::Tested { agreed: b, undecided: v }) => {
                Checked::Tested { agreed: a + b, undecided: u + v }
            }
            (Checked::Different(text), _) | (_, Checked::Different(text)) => Checked::Different(text),
        }
    }
}

/// Compares two functions on `inputs` random inputs.
pub fn functions(
    before: (&Program<'_>, &Function),
    after: (&Program<'_>, &Function),
    inputs: u64,
) -> Checked {
    let types = |f: &Function| f.params().iter().map(|&p| f.ty(p)).collect::<Vec<_>>();
    let params = types(before.1);
    if params != types(after.1) {
        return Checked::Different(format!("function {}: the parameters are of other types", before.1.name));
    }
    let classes = before.0.classes(before.1);
    let limits = Limits { fuel: 100_000, ..Limits::default() };
    let (mut agreed, mut undecided) = (0, 0);
    for seed in 0..inputs {
        let scenario = Scenario { classes: classes.clone(), ..Scenario::new(seed) };
        let args = scenario.arguments(&params);
        let source = run(before.0, before.1, &args, &scenario, limits);
        let target = run(after.0, after.1, &args, &scenario, limits);
        match refine(&scenario, &source, &target) {
            Verdict::Refines => agreed += 1,
            Verdict::Unknown => undecided += 1,
            Verdict::Differs(difference) => {
                let shown: Vec<String> = args.iter().map(|&arg| source.show(arg)).collect();
                return Checked::Different(format!(
                    "function {} on ({}) in world {seed}: {difference}\nbefore:\n{source}\nafter:\n{target}",
                    before.1.name,
                    shown.join(", "),
                ));
            }
        }
    }
    Checked::Tested { agreed, undecided }
}

/// Compares the functions of two modules by name.
pub fn modules(before: &Module, after: &Module, inputs: u64) -> Checked {
    let programs = (Program::of(before), Program::of(after));
    let mut all = Checked::Tested { agreed: 0, undecided: 0 };
    for function in before.functions.values() {
        let Some(id) = after.find(&function.name) else {
            return Checked::Different(format!("function {} is missing", function.name));
        };
        let other = &after.functions[id];
        all = all.and(functions((&programs.0, function), (&programs.1, other), inputs));
    }
    all
}
