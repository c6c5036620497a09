//! Running a function and what it became side by side, in many worlds.
//!
//! Each try is a [`Scenario`] of its own with its own arguments. The first difference ends the search; a
//! try in which both run out of fuel, or in which the source is undefined, shows nothing and is counted
//! apart. Where one ends and the other does not, that one gets as much fuel as it needs in as many iterations
//! as the other one took steps; then it is a difference.
//!
//! # Leaving early
//!
//! A guard that fails ends a trace, and an interpreter resumes at the place of that guard with what it hands over. So a target may
//! leave where the source goes on only if resuming there is right although nothing failed. It is at a mark where guards may leave
//! (PyPy's `guard_future_condition`), which asks nothing; and at a guard on the class of a reference or on null, which the
//! interpreter asks again. The second is what strengthening makes of two guards on one reference (PyPy's `replace_guard`), so it is
//! believed only where the source leaves behind that guard, too, and where no bridge goes on from it, which need not ask again. Of all
//! others, a truth, say, whoever resumes takes the other way without asking. Either way the source is run again with that guard
//! failing without need, and has to end like the target. Such tries are counted apart.

use std::collections::BTreeSet;

use planish_ir::Function;
use planish_ops::{Op, Type};

use crate::behaviour::{End, Run};
use crate::denote::{Denoted, Met, Pair};
use crate::machine::{Limits, MayFail, Program, run};
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
        /// Tries in which the target left where the source goes on, as it may.
        early: u64,
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

/// How many steps a side may take at least until it is held to go on for ever.
const PATIENCE_AT_LEAST: u64 = 1_000;

/// How many steps are not taken to find out whether a side goes on for ever.
const PATIENCE_AT_MOST: u64 = 10_000_000;

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
        // What one side tests for and the other does not is where they differ.
        let [mut numbers, others] = [source, target].map(|side| side.program.numbers(side.function));
        numbers.extend(others);
        world.numbers = numbers.integers.into_iter().collect();
        world.floats = numbers.floats.into_iter().collect();
        let (mut compared, mut early, mut undefined, mut went_over) = (0, 0, 0, BTreeSet::new());
        for number in 0..self.tries {
            let world_of = |named: &Named| {
                let seed = self.seed.wrapping_add(number);
                Scenario { seed, named: named.clone(), ..world.clone() }
            };
            let [scenario, other] = [world_of(&named[0]), world_of(&named[1])];
            let args = [scenario.arguments(&params), other.arguments(&params)];
            let one = Try { subjects: [source, target], args: &args, scenarios: [&scenario, &other], limits };
            let (runs, outcome) = one.outcome(&mut self.met);
            let [before, after] = runs;
            match outcome {
                Outcome::Same => compared += 1,
                Outcome::Early => early += 1,
                Outcome::Undefined => undefined += 1,
                Outcome::Endless => limits.fuel = (limits.fuel / 2).max(LEAST_FUEL.min(limits.fuel)),
                Outcome::Differs(difference) => {
                    let [args, _] = args;
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
            if matches!(outcome, Outcome::Same | Outcome::Early) {
                went_over.extend(before.went_over);
            }
        }
        Validation::Tested { compared, early, undefined, tries: self.tries, went_over }
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

/// What a try shows.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    /// The target does what the source does.
    Same,
    /// The target leaves where the source goes on, as it may.
    Early,
    /// What the source does means nothing.
    Undefined,
    /// Nothing, as far as it was run.
    Endless,
    /// They part.
    Differs(Difference),
}

/// Both sides in one world.
struct Try<'a> {
    subjects: [Subject<'a>; 2],
    args: &'a [Vec<Val>; 2],
    scenarios: [&'a Scenario; 2],
    limits: Limits,
}

impl Try<'_> {
    fn run(&self, side: usize, limits: Limits) -> Run {
        let Subject { program, function } = self.subjects[side];
        run(program, function, &self.args[side], self.scenarios[side], limits)
    }

    /// The runs of both sides and what they show.
    fn outcome(&self, met: &mut Met<'_>) -> ([Run; 2], Outcome) {
        let mut runs = [0, 1].map(|side| self.run(side, self.limits));
        let goes_on = self.goes_on(&mut runs);
        let [before, after] = &runs;
        let outcome = match refine_denoted(self.scenarios, before, after, met) {
            Verdict::Refines if matches!(before.end, End::Undefined(_)) => Outcome::Undefined,
            Verdict::Refines => Outcome::Same,
            Verdict::Unknown => match goes_on.and_then(|side| self.parting(side, &runs)) {
                None => Outcome::Endless,
                Some(difference) => {
                    self.leaves_early([before, after]).unwrap_or(Outcome::Differs(difference))
                }
            },
            Verdict::Differs(difference) => {
                self.leaves_early([before, after]).unwrap_or(Outcome::Differs(difference))
            }
        };
        (runs, outcome)
    }

    /// The side that does not end where the other one has long done so. It gets as much fuel as that takes to see: each iteration of
    /// a loop takes the other one a step at least, and this one all its operations at most.
    fn goes_on(&self, runs: &mut [Run; 2]) -> Option<usize> {
        let is_open = |run: &Run| run.end == End::OutOfFuel;
        let side = match [is_open(&runs[0]), is_open(&runs[1])] {
            [true, false] => 0,
            [false, true] => 1,
            _ => return None,
        };
        let Subject { program, function } = self.subjects[side];
        let most = runs[1 - side].steps().saturating_mul(program.size(function));
        let enough = most.saturating_add(PATIENCE_AT_LEAST);
        if enough > self.limits.fuel && enough <= PATIENCE_AT_MOST {
            // Terminators that end something are no steps.
            runs[side] = self.run(side, Limits { fuel: 2 * enough, ..self.limits });
        }
        // What ran out of room for calls, or of fuel for long strings, may end all the same.
        (is_open(&runs[side]) && runs[side].steps() >= enough).then_some(side)
    }

    /// How runs part one of which goes on and on. A program may have a loop computed at once, or left out, that does nothing which
    /// anybody could notice; a trace has none of these.
    fn parting(&self, goes_on: usize, runs: &[Run; 2]) -> Option<Difference> {
        let [before, after] = runs;
        let noticed = before.events.len() > after.events.len();
        let ended = &runs[1 - goes_on];
        let what = match goes_on {
            1 => format!("it does not end, and the source ends with `{}`", ended.last_line()),
            _ if noticed || self.limits.wild_accesses => {
                format!("it ends with `{}`, and the source goes on", ended.last_line())
            }
            _ => return None,
        };
        Some(Difference { event: ended.events.len(), what })
    }

    /// Whether the target leaves through a guard that the source passes, as it may, in the state that the source has there. A bridge
    /// may do so, and leave early itself. `None`: it does not.
    fn leaves_early(&self, [before, after]: [&Run; 2]) -> Option<Outcome> {
        if !self.limits.wild_accesses {
            return None;
        }
        let (left, left_before) = (exits_of(after), exits_of(before));
        let is_stronger =
            matches!(after.left_by, Some(Op::GuardClass | Op::GuardNonnullClass | Op::GuardValue));
        let may_fail =
            if is_stronger && !left_before.is_empty() { MayFail::AskedAgain } else { MayFail::Marks };
        let again = |limits| self.run(0, limits);
        let mut search = Search { again: &again, after, scenario: self.scenarios[0], undefined: false };
        match search.refines(Limits { may_fail, ..self.limits }, &left, 0) {
            true => Some(Outcome::Early),
            // What the source does behind such a guard means nothing. Where both leave through the same guards, none has to
            // have failed without need.
            false if search.undefined && left != left_before => Some(Outcome::Undefined),
            false => None,
        }
    }
}

/// How often a guard in a loop may have passed before it fails without need.
const MOST_PASSES: u64 = 64;

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
