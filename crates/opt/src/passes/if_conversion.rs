//! If-conversion (Allen, Kennedy, Porterfield and Warren, POPL 1983): a branch around nothing, or next to nothing,
//! becomes a `select`, or its condition.
//!
//! ```text
//! branch c, j(1), j(0)      becomes   jump j(ne(c, 0))
//! branch c, j(x), j(y)      becomes   jump j(select(c, x, y))     where a dialect has select
//! ```
//!
//! Where both ways of a branch come to one block, through empty blocks or none, and pass it the truth of the
//! condition, its negation, or the same, there is nothing to branch for. Where they pass something else, a
//! `select` is cheaper than a branch on a machine; a dialect that has to say it by a branch gains nothing, so
//! the price of `select` decides. Where it is low, arms may compute what they pass, if that costs no more than
//! [`SPECULATED`] together and can be undefined on no operands: it then happens always, as in the if-conversion
//! of a compiler for a machine (Allen and others, POPL 1983).

use planish_base::Id;
use planish_ir::{Block, BlockCall, Function, Location, Terminator, Value};
use planish_ops::{Op, Type};

use super::global_code_motion::floats;
use planish_pass::{Example, FunctionPass, PassCx, PassInfo, PassOption, Price};

/// At most so many selects in the place of one branch.
pub const CHOICES: PassOption = PassOption::new("selects", 2, "the most selects in the place of one branch");

/// At most so many cost of what both arms compute that is made to happen always.
pub const SPECULATED: PassOption =
    PassOption::new("cost", 2, "the most cost of what both arms compute that is made to happen always");

/// Makes choices.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["choose"],
        source: "Allen, Kennedy, Porterfield and Warren, POPL 1983",
        handlers: false,
        analyses: &[],
        options: &[&CHOICES, &SPECULATED],
        example: Example { file: "if_conversion.ssa", text: include_str!("examples/if_conversion.ssa") },
        test: "crates/opt/src/passes/if_conversion.rs",
        ..PassInfo::new(
            "if-conversion",
            "If-conversion: a branch around nothing, or next to nothing, becomes a select, or its condition.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let selects = (cx.target.price)(Op::Select).is_some_and(|price| price <= 1);
    let mut edges = vec![0u32; f.block_count()];
    for &block in f.blocks() {
        f.block_calls(block).for_each(|call| edges[call.block.index()] += 1);
    }
    for index in 0..f.blocks().len() {
        let block = f.blocks()[index];
        let Terminator::Branch { condition, then, other } = *f.terminator(block) else { continue };
        let mut left = if selects { cx.option(&SPECULATED) as u32 } else { 0 };
        let (then, yes) = through(f, &edges, then, cx.target.price, &mut left);
        let (other, no) = through(f, &edges, other, cx.target.price, &mut left);
        if then.block != other.block || then.block == block {
            continue;
        }
        let pairs: Vec<(Value, Value)> =
            f.list(then.args).iter().copied().zip(f.list(other.args).iter().copied()).collect();
        let truths = pairs.iter().filter(|&&(x, y)| x != y && is_truth(f, x, y).is_some()).count();
        let choices = pairs.iter().filter(|(x, y)| x != y).count() - truths;
        if choices > if selects { cx.count(&CHOICES) } else { 0 } || truths > cx.count(&CHOICES) {
            continue;
        }
        if !cx.may_change(f, block) {
            return;
        }
        for arm in [yes, no].into_iter().flatten() {
            for inst in f.replace_insts(arm, Vec::new()) {
                f.append_inst(block, inst);
            }
        }
        let args: Vec<Value> = pairs.iter().map(|&(x, y)| choice(f, block, condition, x, y)).collect();
        let call = f.make_call(then.block, &args);
        f.set_terminator(block, Terminator::Jump(call));
    }
}

/// Where a call comes to in the end: through a block that only it goes to, and that does nothing or what may
/// as well happen always, at the costs that are left for that. Then that block, too.
fn through(
    f: &Function,
    edges: &[u32],
    call: BlockCall,
    price: Price<'_>,
    left: &mut u32,
) -> (BlockCall, Option<Block>) {
    let arm = call.block;
    match f.terminator(arm) {
        Terminator::Jump(next) if edges[arm.index()] == 1 && f.block_params(arm).is_empty() => {
            let insts = f.block_insts(arm);
            let costs: Option<u32> =
                insts.iter().map(|&inst| price(f.inst(inst).op).filter(|_| floats(f, inst))).sum();
            match costs.filter(|&costs| costs <= *left || insts.is_empty()) {
                Some(costs) => {
                    *left -= costs;
                    (*next, Some(arm))
                }
                None => (call, None),
            }
        }
        _ => (call, None),
    }
}

/// Whether two numbers are the truth of a condition, or its negation.
fn is_truth(f: &Function, yes: Value, no: Value) -> Option<bool> {
    let number = |value| f.int_constant(value).map(|number| number.unsigned());
    match (number(yes), number(no)) {
        (Some(1), Some(0)) => Some(true),
        (Some(0), Some(1)) => Some(false),
        _ => None,
    }
}

/// `yes` where the condition is not zero, else `no`.
fn choice(f: &mut Function, block: Block, condition: Value, yes: Value, no: Value) -> Value {
    if yes == no {
        return yes;
    }
    let ty = f.ty(yes);
    let made = match is_truth(f, yes, no) {
        Some(true) if f.ty(condition) == Type::I1 && ty == Type::I1 => return condition,
        // Whether a comparison had better give a word is for the rules to say.
        Some(true) if f.ty(condition) == Type::I1 => {
            f.make_inst(Op::Zext, &[condition], &[ty], None, None, Location::default())
        }
        Some(straight) => {
            let zero = f.make_int(f.ty(condition), 0);
            let op = if straight { Op::Ne } else { Op::Eq };
            f.make_inst(op, &[condition, zero], &[ty], None, None, Location::default())
        }
        None => {
            let bit = if f.ty(condition) == Type::I1 {
                condition
            } else {
                let zero = f.make_int(f.ty(condition), 0);
                let test =
                    f.make_inst(Op::Ne, &[condition, zero], &[Type::I1], None, None, Location::default());
                f.append_inst(block, test);
                f.result(test)
            };
            f.make_inst(Op::Select, &[bit, yes, no], &[ty], None, None, Location::default())
        }
    };
    f.append_inst(block, made);
    f.result(made)
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_ops::Op;

    use super::PASS;
    use crate::passes::testing::changed;
    use planish_pass::Target;

    fn chosen(source: &str, select: bool) -> String {
        let no_select = Target { price: &|op| (op != Op::Select).then_some(1), ..Target::MACHINE };
        let (_, module) = changed(&PASS, source, if select { Target::MACHINE } else { no_select });
        text::write(&module, text::Options::default())
    }

    #[test]
    fn a_condition_said_by_a_branch_is_the_condition() {
        let source = "func f(v0: i64, v1: i64) -> i64 {\ne:\n    branch v0, a, j(0)\na:\n    jump j(1)\n\
                      j(v2: i64):\n    return v2\n}\n";
        let text = chosen(source, false);
        assert!(text.contains("ne(v0, 0)") && !text.contains("branch"), "{text}");
    }

    #[test]
    fn a_choice_of_values_is_a_select_where_there_is_one() {
        let source = "func f(v0: i1, v1: i64, v2: i64) -> i64 {\ne:\n    branch v0, j(v1), j(v2)\n\
                      j(v3: i64):\n    return v3\n}\n";
        assert!(chosen(source, true).contains("select(v0, v1, v2)"));
        assert!(chosen(source, false).contains("branch"));
    }

    #[test]
    fn an_arm_that_computes_a_little_happens_always_and_one_that_divides_does_not() {
        let source = |op: &str| {
            format!(
                "func f(v0: i1, v1: i64, v2: i64) -> i64 {{\ne:\n    branch v0, a, j(v2)\na:\n    \
                 v3 = {op}(v1, v2)\n    jump j(v3)\nj(v4: i64):\n    return v4\n}}\n"
            )
        };
        assert!(chosen(&source("add"), true).contains("select(v0, v3, v2)"));
        assert!(chosen(&source("add"), false).contains("branch"));
        assert!(chosen(&source("sdiv"), true).contains("branch"));
    }
}
