//! How many rounds a loop makes, found by running its test: what that is made of begins with constants.
//!
//! The anchor is `computeExitCountExhaustively` of LLVM's `ScalarEvolution`. The values that a test depends on are constants,
//! variables of the loop that begin with constants, and operations on these: so the test of each round is known without
//! running anything else. Here that finds the counts of loops whose counter is a float, is multiplied or is shifted.
//! At most [`ROUNDS`] rounds of at most [`SLICE`] values are run.

use hashbrown::HashMap;
use planish_ir::{Block, Const, Def, Function, Inst, Value};
use planish_ops::machine::Machine;
use planish_ops::meaning::Datum;
use planish_ops::{Effect, Fold, fold};
use rustc_hash::FxBuildHasher;

use super::evolution::Count;
use super::loop_context::Loop;

/// How many rounds are run.
const ROUNDS: u64 = 256;

/// On how many values a test may depend.
const SLICE: usize = 24;

/// The width of a number of rounds.
const WIDTH: u32 = 32;

/// In which round a loop goes from a block to one outside, if it does not leave elsewhere before.
pub(super) fn count(l: &mut Loop<'_>, block: Block, outside: Block) -> Option<Count> {
    let (condition, goes_on) = l.test(block, outside)?;
    let mut slice = Slice { l, places: HashMap::default(), steps: Vec::new(), variables: Vec::new() };
    let condition = slice.place(condition)?;
    slice.close()?;
    let rounds = slice.run(condition, goes_on)?;
    let rounds = l.expressions.number(WIDTH, rounds as i64);
    Some(Count { rounds, tested: None, unless: None })
}

/// How a value comes about in each round.
enum Step {
    /// It is there: a constant, or what a variable is in this round.
    Given,
    /// An operation on values at these places.
    Operation(Inst, Vec<usize>),
}

/// What a test depends on, operands first.
struct Slice<'s, 'l> {
    l: &'s Loop<'l>,
    places: HashMap<Value, usize, FxBuildHasher>,
    steps: Vec<(Step, Option<Datum<Machine>>)>,
    /// The places of variables, and what they become.
    variables: Vec<(usize, Value)>,
}

impl Slice<'_, '_> {
    /// The place of a value.
    fn place(&mut self, value: Value) -> Option<usize> {
        if let Some(&place) = self.places.get(&value) {
            return Some(place);
        }
        if self.steps.len() == SLICE {
            return None;
        }
        let f = self.l.f;
        let (step, first) = if !self.l.varies(value) {
            (Step::Given, Some(datum(f, value)?))
        } else if let Some(variable) = self.l.variables.iter().find(|variable| variable.param == value) {
            self.variables.push((self.steps.len(), variable.next));
            (Step::Given, Some(datum(f, variable.start)?))
        } else {
            let Def::Result(inst, 0) = f.def(value) else { return None };
            if !computes(f, inst) {
                return None;
            }
            let args = f.args(inst).iter().map(|&arg| self.place(arg)).collect::<Option<_>>()?;
            (Step::Operation(inst, args), None)
        };
        self.places.insert(value, self.steps.len());
        self.steps.push((step, first));
        Some(self.steps.len() - 1)
    }

    /// Adds what variables become, and what that depends on.
    fn close(&mut self) -> Option<()> {
        let mut closed = 0;
        while let Some(&(_, next)) = self.variables.get(closed) {
            self.place(next)?;
            closed += 1;
        }
        Some(())
    }

    /// The number of the first round in which the condition says that the loop does not go on.
    fn run(mut self, condition: usize, goes_on: bool) -> Option<u64> {
        for round in 0..ROUNDS {
            for place in 0..self.steps.len() {
                let (Step::Operation(inst, args), _) = &self.steps[place] else { continue };
                let args: Option<Vec<_>> = args.iter().map(|&arg| self.steps[arg].1).collect();
                self.steps[place].1 = Some(folded(self.l.f, *inst, &args?)?);
            }
            let Some(Datum::Word(holds)) = self.steps[condition].1 else { return None };
            if holds.is_true() != goes_on {
                return Some(round);
            }
            let next = |&(_, next): &(usize, Value)| self.steps[self.places[&next]].1;
            let next: Vec<_> = self.variables.iter().map(next).collect();
            self.variables.iter().zip(next).for_each(|(&(place, _), next)| self.steps[place].1 = next);
        }
        None
    }
}

/// The constant that a value is.
fn datum(f: &Function, value: Value) -> Option<Datum<Machine>> {
    match f.constant(value)? {
        Const::Int(int) => Some(Datum::Word(int)),
        Const::Real(real) => Some(Datum::Float(real.0)),
        _ => None,
    }
}

/// Whether an operation gives one value, which its operands decide.
pub(super) fn computes(f: &Function, inst: Inst) -> bool {
    let data = f.inst(inst);
    f.row(inst).effect == Effect::Pure && data.descr.is_none() && f.results(inst).len() == 1
}

/// What an operation gives for constants.
pub(super) fn folded(f: &Function, inst: Inst, args: &[Datum<Machine>]) -> Option<Datum<Machine>> {
    match fold(f.inst(inst).op, args, &[f.ty(f.result(inst))])? {
        Fold::Int(value) => Some(Datum::Word(value)),
        Fold::Real(value) => Some(Datum::Float(value)),
        Fold::Pair(..) | Fold::Undefined => None,
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_pass::Analyses;

    use super::super::scalar_evolution::ScalarEvolution;

    /// How many rounds the only loop makes, if that is a number.
    fn rounds(ty: &str, start: &str, body: &str) -> Option<u64> {
        let source = format!(
            "func f(v9: i32) -> i32 {{\ne:\n    jump h({start})\nh(v0: {ty}):\n{body}    branch v2, h(v1), x\nx:\n    return v9\n}}\n"
        );
        let (module, diagnostics) = text::read(&source);
        assert!(!diagnostics.has_errors(), "{source}");
        let f = module.functions.values().next().expect("a function");
        let evolution = Analyses::new().get::<ScalarEvolution>(f);
        let rounds = evolution.loops[0].rounds?;
        evolution.expressions.as_constant(rounds).map(|rounds| rounds.unsigned())
    }

    #[test]
    fn a_test_that_depends_on_constants_is_run() {
        let times = "    v1 = mul(v0, 3)\n    v2: i1 = lt(v1, 1000)\n";
        assert_eq!(rounds("i32", "1", times), Some(6), "3, 9, 27, 81, 243, 729, 2187");
        let halves = "    v1 = fmul(v0, 0.5)\n    v2: i1 = fgt(v1, 0.001)\n";
        assert_eq!(rounds("f64", "1.0", halves), Some(9), "2^-10 is less");
        assert_eq!(rounds("f64", "1.0", &halves.replace("0.5", "1.0")), None, "it does not end");
        assert_eq!(rounds("i32", "v9", times), None, "it does not begin with a constant");
        let all = "    v1 = urshift(v0, 1)\n    v2: i1 = ne(v1, v9)\n";
        assert_eq!(rounds("i32", "1", all), None, "its bound is no constant");
    }

    #[test]
    fn what_is_undefined_in_a_round_says_nothing() {
        let by_zero = "    v1 = sub(v0, 1)\n    v3 = sdiv(6, v1)\n    v2: i1 = lt(v3, 9)\n";
        assert_eq!(rounds("i32", "3", by_zero), None, "6 / 2, 6 / 1, 6 / 0");
    }
}
