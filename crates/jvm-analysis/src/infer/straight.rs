//! Online partial evaluation (Jones, Gomard and Sestoft 1993) as a question: what is left of a method for some of its
//! arguments.
//!
//! A method is run on the arguments that are known. Where these decide every branch it is a straight line, however often
//! its loops go round: `pow(x, 3)` as a loop over the exponent is three products. What has an operand that is not known
//! is left. A copy for these arguments is written as that line.

use planish_base::SideTable;
use planish_ir::{Block, BlockCall, Function, Inst, Terminator, Value};
use planish_ops::{Datum, Effect, Fold, Int, Machine, fold};

/// How many instructions are run at most.
const STEPS: usize = 512;

/// How many instructions may be left of any function.
const MOST: usize = 24;

/// How many more there may be left of a longer one than it has: its loops take some to go round.
const MOST_MORE: usize = 3;

/// A straight line through a function.
pub struct Straight {
    /// The blocks in the order in which they run, and how each is left; the last one returns.
    pub way: Vec<(Block, Option<BlockCall>)>,
    /// How many instructions are left of it.
    pub left: usize,
}

/// Why a function is no straight line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bent {
    /// The line would be too long.
    TooLong,
    /// A branch is not decided, or something may throw.
    Undecided,
}

impl Straight {
    /// The straight line that a function is where some of its parameters are these numbers, if it is a short one, or hardly
    /// longer than the function.
    pub fn of(f: &Function, known: &[Option<Int>]) -> Result<Straight, Bent> {
        let most = (f.live_insts().count() + MOST_MORE).max(MOST);
        let mut numbers: SideTable<Value, Option<Int>> = SideTable::new();
        f.params().iter().zip(known).for_each(|(&param, &number)| numbers[param] = number);
        let (mut block, mut steps) = (f.entry(), STEPS);
        let mut straight = Straight { way: Vec::new(), left: 0 };
        loop {
            for &inst in f.block_insts(block) {
                steps = steps.checked_sub(1).ok_or(Bent::TooLong)?;
                let folded = folded(f, inst, &numbers);
                f.results(inst).for_each(|result| numbers[result] = folded);
                straight.left += usize::from(folded.is_none());
                if f.inst(inst).exit.is_some() {
                    return Err(Bent::Undecided);
                }
                if straight.left > most {
                    return Err(Bent::TooLong);
                }
            }
            steps = steps.checked_sub(1).ok_or(Bent::TooLong)?;
            let Some(call) = taken(f, block, &numbers).ok_or(Bent::Undecided)? else {
                straight.way.push((block, None));
                return Ok(straight);
            };
            straight.way.push((block, Some(call)));
            let number = |&arg: &Value| f.int_constant(arg).or(numbers[arg]);
            let brought: Vec<Option<Int>> = f.list(call.args).iter().map(number).collect();
            let params = f.block_params(call.block).iter();
            params.zip(brought).for_each(|(&param, number)| numbers[param] = number);
            block = call.block;
        }
    }
}

/// The number that an instruction gives, if it computes one of numbers.
fn folded(f: &Function, inst: Inst, numbers: &SideTable<Value, Option<Int>>) -> Option<Int> {
    let (data, row) = (f.inst(inst), f.row(inst));
    if row.effect != Effect::Pure || data.descr.is_some() || row.results.len() != 1 {
        return None;
    }
    let word = |&arg: &Value| f.int_constant(arg).or(numbers[arg]).map(Datum::<Machine>::Word);
    let words: Vec<_> = f.args(inst).iter().map(word).collect::<Option<_>>()?;
    match fold(data.op, &words, &[f.ty(f.result(inst))])? {
        Fold::Int(number) => Some(number),
        _ => None,
    }
}

/// How a block is left, if that is known; by no edge if it returns.
fn taken(f: &Function, block: Block, numbers: &SideTable<Value, Option<Int>>) -> Option<Option<BlockCall>> {
    let number = |value: Value| f.int_constant(value).or(numbers[value]);
    match f.terminator(block) {
        Terminator::Jump(call) => Some(Some(*call)),
        Terminator::Branch { condition, then, other } => {
            Some(Some(if number(*condition)?.is_true() { *then } else { *other }))
        }
        Terminator::Switch { on, cases, default } => {
            let on = number(*on)?;
            let case = cases.iter().find(|(key, _)| *key == on);
            Some(Some(case.map_or(*default, |(_, call)| *call)))
        }
        Terminator::Return(_) => Some(None),
        Terminator::Throw(..) | Terminator::Unreachable => None,
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_ops::Int;

    use super::Bent::{self, TooLong, Undecided};
    use super::Straight;

    fn of(source: &str, known: [Option<i64>; 2]) -> Result<usize, Bent> {
        let (module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors(), "{source}");
        let f = module.functions.values().next().expect("a function");
        let known = known.map(|number| number.map(|number| Int::new(32, number as u64)));
        Straight::of(f, &known).map(|straight| straight.left)
    }

    /// `r = 1; while (v1 > 0) { r *= v0; v1--; } return r`
    const POWER: &str = "func f(v0: i32, v1: i32) -> i32 {\ne:\n    jump h(v1, 1)\nh(v2: i32, v3: i32):\n    \
                         v4: i1 = gt(v2, 0)\n    branch v4, b, x\nb:\n    v5 = mul(v3, v0)\n    v6 = sub(v2, 1)\n    \
                         jump h(v6, v5)\nx:\n    return v3\n}\n";

    #[test]
    fn what_known_arguments_decide_is_a_straight_line() {
        assert_eq!(of(POWER, [None, Some(3)]), Ok(3));
        assert_eq!(of(POWER, [None, Some(0)]), Ok(0));
        assert_eq!(of(POWER, [Some(2), Some(9)]), Ok(0), "all of it is known");
        assert_eq!(of(POWER, [Some(2), None]), Err(Undecided), "the exponent decides");
        assert_eq!(of(POWER, [None, Some(24)]), Ok(24));
        assert_eq!(of(POWER, [None, Some(25)]), Err(TooLong), "more than it may be");
        assert_eq!(of(POWER, [Some(2), Some(1_000_000)]), Err(TooLong), "it takes too long");
    }

    #[test]
    fn a_variable_is_known_in_the_rounds_in_which_it_is() {
        // `while (v1 != 0) v1 = v1 == 2 ? v0 : 0`
        let source = "func f(v0: i32, v1: i32) -> i32 {\ne:\n    jump h(v1)\nh(v2: i32):\n    branch v2, b, x\nb:\n    \
                      v3: i1 = eq(v2, 2)\n    branch v3, h(v0), h(0)\nx:\n    return v2\n}\n";
        assert_eq!(of(source, [None, Some(7)]), Ok(0));
        assert_eq!(of(source, [None, Some(2)]), Err(Undecided));
        assert_eq!(of(source, [Some(5), Some(2)]), Ok(0));
    }
}
