//! Running a function and what it became side by side, in many worlds.
//!
//! Each try is a [`Scenario`] of its own with its own arguments. The first difference ends the search; a
//! try in which one of the two runs out of fuel, or in which the source is undefined, shows nothing and
//! is counted apart.

use std::collections::BTreeSet;

use planish_ir::Function;
use planish_ops::Type;

use crate::behaviour::{End, Run};
use crate::denote::{Denoted, Met, Pair};
use crate::machine::{Limits, Program, run};
use crate::refine::{Difference, Verdict, refine, refine_denoted};
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
        /// Tries in which the source was undefined: it divided by zero, say.
        undefined: u64,
        /// All tries.
        tries: u64,
        /// The exits of the source at which a bridge took over in one of the tries that were compared.
        went_over: BTreeSet<u32>,
    },
    /// The functions do not take the same parameters.
    Signature,
    /// They differ.
    Different(Box<Counterexample>),
}

/// Two runs that part.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The functions that ran, where these are not the ones that were to be compared: values of theirs.
    pub denoted: Option<[String; 2]>,
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

/// In how many worlds a function is tried that might be another one of the source.
const PAIRING_TRIES: u64 = 16;

/// Runs both in `tries` worlds, numbered from `seed`.
///
/// After each try that does not end the next ones have half the fuel: a loop that never ends is compared for a few
/// iterations in many worlds, not for many in each. Functions that are values where both end are compared like them.
pub fn validate(
    source: Subject<'_>,
    target: Subject<'_>,
    seed: u64,
    tries: u64,
    limits: Limits,
) -> Validation {
    let sides = Sides { met: Met::new(source.program, target.program), seed, tries, limits };
    let named = sides.named(source, target);
    sides.compare_all(source, target, named)
}

/// Objects that a program names.
type Named = Vec<(u64, String)>;

/// Two programs that are compared.
struct Sides<'a> {
    met: Met<'a>,
    seed: u64,
    tries: u64,
    limits: Limits,
}

impl<'a> Sides<'a> {
    /// Compares two functions, and then all that are values where they end.
    fn compare_all(mut self, source: Subject<'a>, target: Subject<'a>, named: [Named; 2]) -> Validation {
        let all = self.compare(source, target, &named);
        if !matches!(all, Validation::Tested { .. }) {
            return all;
        }
        while let Some((old, new)) = self.met.next() {
            let (source, target) = (Subject { function: old, ..source }, Subject { function: new, ..target });
            if let Validation::Different(mut found) = self.compare(source, target, &named) {
                found.denoted = Some([old.name.clone(), new.name.clone()]);
                return Validation::Different(found);
            }
        }
        all
    }

    fn compare(&mut self, source: Subject<'a>, target: Subject<'a>, named: &[Named; 2]) -> Validation {
        let params = param_types(source);
        if params != param_types(target) {
            return Validation::Signature;
        }
        let mut limits = self.limits;
        let mut world = source.program.world_of(source.function);
        // An optimizer may ask for a length that the source takes for granted.
        world.measured |= target.program.measures(target.function);
        let (mut compared, mut undefined, mut went_over) = (0, 0, BTreeSet::new());
        for number in 0..self.tries {
            let world_of = |named: &Named| {
                let seed = self.seed.wrapping_add(number);
                Scenario { seed, named: named.clone(), ..world.clone() }
            };
            let [scenario, other] = [world_of(&named[0]), world_of(&named[1])];
            let args = scenario.arguments(&params);
            let before = run(source.program, source.function, &args, &scenario, limits);
            let after = run(target.program, target.function, &other.arguments(&params), &other, limits);
            match refine_denoted([&scenario, &other], &before, &after, &mut self.met) {
                Verdict::Refines => match before.end {
                    End::Undefined(_) => undefined += 1,
                    _ => {
                        compared += 1;
                        went_over.extend(before.went_over);
                    }
                },
                Verdict::Unknown => limits.fuel = (limits.fuel / 2).max(LEAST_FUEL.min(limits.fuel)),
                Verdict::Differs(difference) => {
                    match leaves_early(source, &scenario, &args, limits, [&before, &after]) {
                        Early::Same => {
                            compared += 1;
                            went_over.extend(before.went_over);
                        }
                        Early::Undecided => undefined += 1,
                        Early::No => {
                            return Validation::Different(Box::new(Counterexample {
                                denoted: None,
                                scenario,
                                args,
                                difference,
                                source: before,
                                target: after,
                            }));
                        }
                    }
                }
            }
        }
        Validation::Tested { compared, undefined, tries: self.tries, went_over }
    }

    /// The objects that references may be in a run of the source, and the same ones in a run of the target: each function
    /// that the source names, if the target has one that does what it does.
    fn named(&self, source: Subject<'a>, target: Subject<'a>) -> [Named; 2] {
        let named = source.program.world_of(source.function).named;
        let takes_references = param_types(source).contains(&Type::Ref);
        if !takes_references || !named.iter().any(|(number, _)| self.met.function(*number).is_some()) {
            return [named.clone(), named];
        }
        let mut both = [Named::new(), Named::new()];
        for (number, name) in named {
            let stands_for = |other: &u64| self.stands_for(source, target, (number, *other));
            let other = match self.met.function(number) {
                Some(_) => self.met.candidates(number).into_iter().find(stands_for),
                None => Some(number),
            };
            let Some(other) = other else { continue };
            let name_there = self.met.name(other).unwrap_or_else(|| name.clone());
            both[0].push((number, name));
            both[1].push((other, name_there));
        }
        both
    }

    /// Whether a function of the target does in some runs what one of the source does.
    fn stands_for(&self, source: Subject<'a>, target: Subject<'a>, pair: Pair) -> bool {
        let mut met = Met::new(source.program, target.program);
        met.are_same(pair);
        let Some((old, new)) = met.next() else { return false };
        let sides = Sides { met, tries: PAIRING_TRIES.min(self.tries), ..*self };
        let (source, target) = (Subject { function: old, ..source }, Subject { function: new, ..target });
        let compared = sides.compare_all(source, target, [Named::new(), Named::new()]);
        matches!(compared, Validation::Tested { .. })
    }
}

fn param_types(subject: Subject<'_>) -> Vec<Type> {
    subject.function.params().iter().map(|&param| subject.function.ty(param)).collect()
}

/// How often a guard in a loop may have passed before it fails without need.
const MOST_PASSES: u64 = 64;

/// What is known of a target that does something else, if it may have left through a guard that the source passes.
enum Early {
    /// It left in the state that the source has there. In a trace that is no difference: whoever resumes goes on from the guard.
    Same,
    /// It may have: what the source does behind that guard means nothing.
    Undecided,
    /// It did not.
    No,
}

/// Whether the target leaves through a guard that the source passes, in the state that the source has there. A bridge may do so, and
/// leave early itself.
fn leaves_early(
    source: Subject<'_>,
    scenario: &Scenario,
    args: &[Val],
    limits: Limits,
    [before, after]: [&Run; 2],
) -> Early {
    if !limits.wild_accesses {
        return Early::No;
    }
    let left = exits_of(after);
    let again = |limits| run(source.program, source.function, args, scenario, limits);
    let mut search = Search { again: &again, after, scenario, undefined: false };
    match search.refines(limits, &left, 0) {
        true => Early::Same,
        // Where both leave through the same guards, none has to have failed without need.
        false if search.undefined && left != exits_of(before) => Early::Undecided,
        false => Early::No,
    }
}

/// The exits through which a run left, in order.
fn exits_of(run: &Run) -> Vec<u32> {
    let last = match run.end {
        End::Leave(number, _) => Some(number),
        _ => None,
    };
    run.went_over.iter().copied().chain(last).collect()
}

/// Looks for guards of the source that have to fail without need.
struct Search<'a> {
    again: &'a dyn Fn(Limits) -> Run,
    after: &'a Run,
    scenario: &'a Scenario,
    /// Whether a run meant nothing in which some failed.
    undefined: bool,
}

impl Search<'_> {
    /// Whether a run does what the target did where guards that leave through some exits fail without need, in this order.
    fn refines(&mut self, limits: Limits, left: &[u32], depth: usize) -> bool {
        if depth == limits.fails_at.len() {
            return false;
        }
        for (at, &number) in left.iter().enumerate() {
            for times in 1..=MOST_PASSES {
                let mut forced = limits;
                forced.fails_at[depth] = Some((number, times));
                let before = (self.again)(forced);
                let refines = refine(self.scenario, &before, self.after) == Verdict::Refines;
                let undefined = matches!(before.end, End::Undefined(_));
                self.undefined |= refines && undefined;
                if refines && !undefined || self.refines(forced, &left[at + 1..], depth + 1) {
                    return true;
                }
                if !before.left_through(number) {
                    break;
                }
            }
        }
        false
    }
}
