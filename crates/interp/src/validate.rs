//! Running a function and what it became side by side, in many worlds.
//!
//! Each try is a [`Scenario`] of its own with its own arguments. The first difference ends the search; a
//! try in which one of the two runs out of fuel, or in which the source is undefined, shows nothing and
//! is counted apart.

use planish_ir::Function;

use crate::behaviour::{End, Run};
use crate::machine::{Limits, Program, run};
use crate::refine::{Difference, Verdict, refine};
use crate::scenario::Scenario;
use crate::value::Val;

/// A function and the program around it.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The program around the function.
    pub program: &'a Program<'a>,
    /// The function.
    pub function: &'a Function,
}

/// What running side by side showed.
#[derive(Clone, Debug)]
pub enum Validation {
    /// No difference.
    Tested {
        /// Tries in which both ended and the source was defined.
        compared: u64,
        /// All tries.
        tries: u64,
    },
    /// The functions do not take the same parameters.
    Signature,
    /// They differ.
    Different(Box<Counterexample>),
}

/// Two runs that part.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The world.
    pub scenario: Scenario,
    /// The arguments.
    pub args: Vec<Val>,
    /// Where they part.
    pub difference: Difference,
    /// What the source did.
    pub source: Run,
    /// What the target did.
    pub target: Run,
}

/// The least fuel that is given to a run of functions that were seen not to end.
const LEAST_FUEL: u64 = 2_000;

/// Runs both in `tries` worlds, numbered from `seed`.
///
/// After each try that does not end the next ones have half the fuel: a loop that never ends is compared for a few
/// iterations in many worlds, not for many in each.
pub fn validate(
    source: Subject<'_>,
    target: Subject<'_>,
    seed: u64,
    tries: u64,
    mut limits: Limits,
) -> Validation {
    let types = |subject: Subject<'_>| -> Vec<_> {
        subject.function.params().iter().map(|&param| subject.function.ty(param)).collect()
    };
    let params = types(source);
    if params != types(target) {
        return Validation::Signature;
    }
    let mut world = source.program.world_of(source.function);
    // An optimizer may ask for a length that the source takes for granted.
    world.measured |= target.program.measures(target.function);
    let mut compared = 0;
    for number in 0..tries {
        let scenario = Scenario { seed: seed.wrapping_add(number), ..world.clone() };
        let args = scenario.arguments(&params);
        let before = run(source.program, source.function, &args, &scenario, limits);
        let after = run(target.program, target.function, &args, &scenario, limits);
        match refine(&scenario, &before, &after) {
            Verdict::Refines => compared += u64::from(!matches!(before.end, End::Undefined(_))),
            Verdict::Unknown => limits.fuel = (limits.fuel / 2).max(LEAST_FUEL.min(limits.fuel)),
            Verdict::Differs(_) if leaves_early(source, &scenario, &args, limits, &after) => compared += 1,
            Verdict::Differs(difference) => {
                return Validation::Different(Box::new(Counterexample {
                    scenario,
                    args,
                    difference,
                    source: before,
                    target: after,
                }));
            }
        }
    }
    Validation::Tested { compared, tries }
}

/// How often a guard in a loop may have passed before it fails without need.
const MOST_PASSES: u64 = 64;

/// Whether the target leaves through a guard that the source passes, in the state that the source has
/// there. In a trace that is no difference: whoever resumes goes on from the guard.
fn leaves_early(source: Subject<'_>, scenario: &Scenario, args: &[Val], limits: Limits, after: &Run) -> bool {
    let End::Leave(number, _) = after.end else { return false };
    if !limits.wild_accesses {
        return false;
    }
    for times in 1..=MOST_PASSES {
        let forced = Limits { fails_at: Some((number, times)), ..limits };
        let before = run(source.program, source.function, args, scenario, forced);
        if refine(scenario, &before, after) == Verdict::Refines {
            return true;
        }
        if !matches!(before.end, End::Leave(left, _) if left == number) {
            return false;
        }
    }
    false
}
