//! If-conversion (Allen, Kennedy, Porterfield and Warren, POPL 1983): a branch around nothing, or next to nothing,
//! becomes a `select`, or its condition.
//!
//! ```text
//! branch c, j(1), j(0)      becomes   jump j(ne(c, 0))
//! branch c, j(x), j(y)      becomes   jump j(select(c, x, y))     where a dialect has select
//! ```
//!
//! Where both ways of a branch come to one block, through empty blocks or none, or return, and bring the truth of the
//! condition, its negation, or the same, there is nothing to branch for. Where they bring something else, a
//! `select` is cheaper than a branch on a machine; a dialect that has to say it by a branch gains nothing, so
//! the price of `select` decides. Where it is low, arms may compute what they pass, if that costs no more than
//! [`SPECULATED`] together and can be undefined on no operands: it then happens always, as in the if-conversion
//! of a compiler for a machine (Allen and others, POPL 1983).
//!
//! Tests of one value against many numbers that choose among constants stay: a table will stand for them
//! ([`switch_to_lookup`](super::switch_to_lookup)).
//!
//! A stack machine has no comparisons that give a number: there a truth is written as the branch that it was, unless what is
//! asked is 0 or 1 anyway, as what a method gives whose result is `boolean`, or what a `boolean` field holds.
//!
//! ```text
//! branch ne(b, 0), a, c                becomes   return b
//! a: return 1    c: return 0
//! ```

use planish_base::{Id, fault};
use planish_ir::extension::is_loaded_bool;
use planish_ir::returns::may_trap;
use planish_ir::{Block, BlockCall, Cfg, Function, Inst, Location, Terminator, Value};
use planish_ops::world::World;
use planish_ops::{Effect, Op, Type};

use super::global_code_motion::floats;
use super::switch_to_lookup::tests_for_tables;
use planish_pass::{Example, FunctionPass, Machine, PassCx, PassInfo, PassOption, Price};

/// At most so many selects in the place of one branch.
pub const CHOICES: PassOption = PassOption::new("selects", 2, "the most selects in the place of one branch");

/// At most so many cost of what both arms compute that is made to happen always.
pub const SPECULATED: PassOption =
    PassOption::new("cost", 2, "the most cost of what both arms compute that is made to happen always");

/// Makes choices.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["choose", "boolean-simplification"],
        source: "Allen, Kennedy, Porterfield and Warren, POPL 1983",
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
    // A stack machine says a choice by a branch.
    let selects = cx.target.machine == Machine::Registers
        && (cx.target.price)(Op::Select).is_some_and(|price| price <= 1);
    let mut edges = vec![0u32; f.block_count()];
    for &block in f.blocks() {
        f.block_calls(block).for_each(|call| edges[call.block.index()] += 1);
        f.handlers(block).for_each(|(_, handler)| edges[handler.block.index()] += 1);
    }
    let for_tables = tests_for_tables(f, cx);
    let mut any = false;
    for index in 0..f.blocks().len() {
        let block = f.blocks()[index];
        if for_tables[block] {
            continue;
        }
        let Terminator::Branch { condition, then, other } = *f.terminator(block) else { continue };
        // What lies behind one block for both arms may use what it is given.
        let is_one = then.block == other.block;
        let mut left = if selects { cx.option(&SPECULATED) as u32 } else { 0 };
        let mut arm = |call| match is_one {
            true => Arm { end: End::To(call), moves: None },
            false => Arm::of(f, &edges, call, cx.target.price, &mut left),
        };
        let (yes, no) = (arm(then), arm(other));
        let Some((to, pairs)) = meeting(f, block, &yes.end, &no.end) else { continue };
        if pairs.iter().any(|&(x, y)| x != y && f.ty(x) == Type::State) {
            continue;
        }
        let truths = pairs.iter().filter(|&&(x, y)| x != y && is_truth(f, x, y).is_some()).count();
        let choices = pairs.iter().filter(|(x, y)| x != y).count() - truths;
        let most = match to {
            _ if !selects => 0,
            Some(_) => cx.count(&CHOICES),
            // Behind a branch to two ends nothing is computed for both: only a single result is chosen.
            None => cx.count(&CHOICES).min(1),
        };
        if choices > most || truths > cx.count(&CHOICES) {
            continue;
        }
        let vanish = !is_one && [then, other].iter().all(|arm| edges[arm.block.index()] == 1);
        if cx.target.machine == Machine::Stack
            && truths > 0
            && !pairs.iter().all(|&pair| is_free(f, cx.world, condition, pair, vanish))
        {
            continue;
        }
        if !cx.may_change(f, block) {
            break;
        }
        any = true;
        for arm in [yes.moves, no.moves].into_iter().flatten() {
            for inst in f.replace_insts(arm, Vec::new()) {
                f.append_inst(block, inst);
            }
        }
        let args: Vec<Value> = pairs.iter().map(|&(x, y)| choice(f, block, condition, x, y)).collect();
        let terminator = match to {
            Some(to) => Terminator::Jump(f.make_call(to, &args)),
            None => Terminator::Return(f.make_list(&args)),
        };
        f.set_terminator(block, terminator);
    }
    if any {
        let cfg = Cfg::new(f);
        f.retain_blocks(|block| cfg.is_reachable(block));
    }
}

/// Where an arm of a branch comes to.
enum End {
    /// To a block.
    To(BlockCall),
    /// Back from the function, with these results.
    Return(Vec<Value>),
}

/// An arm of a branch.
struct Arm {
    end: End,
    /// The block in it whose operations may as well happen always.
    moves: Option<Block>,
}

impl Arm {
    /// The arm that begins with a call: it goes on through a block that does nothing, or, where only this call goes to it, what
    /// may as well happen always, at the costs that are left for that.
    fn of(f: &Function, edges: &[u32], call: BlockCall, price: Price<'_>, left: &mut u32) -> Arm {
        let (block, insts) = (call.block, f.block_insts(call.block));
        let stays = Arm { end: End::To(call), moves: None };
        if !insts.is_empty() {
            let costs: Option<u32> =
                insts.iter().map(|&inst| price(f.inst(inst).op).filter(|_| floats(f, inst))).sum();
            let is_own = edges[block.index()] == 1 && f.block_params(block).is_empty();
            match costs.filter(|&costs| costs <= *left && is_own) {
                Some(costs) => *left -= costs,
                None => return stays,
            }
        }
        let has_params = !f.block_params(block).is_empty();
        let end = match f.terminator(block) {
            Terminator::Jump(next) if !has_params => End::To(*next),
            Terminator::Return(results) if !insts.is_empty() => End::Return(f.list(*results).to_vec()),
            _ => return stays,
        };
        Arm { end, moves: (!insts.is_empty()).then_some(block) }
    }
}

impl End {
    /// What the function gives, if it returns there at once.
    fn returned(&self, f: &Function) -> Option<Vec<Value>> {
        match self {
            End::Return(results) => Some(results.clone()),
            End::To(call) => f.returned(*call),
        }
    }
}

/// Where two arms meet, and the pairs of values that they bring there; no block is behind the function.
type Meeting = (Option<Block>, Vec<(Value, Value)>);

/// Where two arms of the branch of `block` meet.
fn meeting(f: &Function, block: Block, yes: &End, no: &End) -> Option<Meeting> {
    let pairs = |yes: &[Value], no: &[Value]| yes.iter().copied().zip(no.iter().copied()).collect();
    match (yes, no) {
        (End::To(yes), End::To(no)) if yes.block == no.block => {
            (yes.block != block).then(|| (Some(yes.block), pairs(f.list(yes.args), f.list(no.args))))
        }
        _ if fault!("if-conversion: two returns change places") => {
            Some((None, pairs(&no.returned(f)?, &yes.returned(f)?)))
        }
        _ => Some((None, pairs(&yes.returned(f)?, &no.returned(f)?))),
    }
}

/// Whether what stands for a pair of values costs less on a stack than a branch: the truth of a number that is 0 or 1 is that
/// number, and its negation one operation, which takes less than a branch if both arms `vanish`. Any other truth is written
/// as a branch.
fn is_free(f: &Function, world: &dyn World, condition: Value, (x, y): (Value, Value), vanish: bool) -> bool {
    if x == y {
        return true;
    }
    let is_zero = |value: Value| f.int_constant(value).is_some_and(|int| int.unsigned() == 0);
    let Some(inst) = f.def_inst(condition) else { return false };
    let (asked, negates) = match (f.inst(inst).op, f.args(inst)) {
        (Op::Ne, &[asked, zero]) if is_zero(zero) => (asked, false),
        (Op::Eq, &[asked, zero]) if is_zero(zero) => (asked, true),
        (Op::IsTrue, &[asked]) => (asked, false),
        (Op::IsZero, &[asked]) => (asked, true),
        _ => return false,
    };
    let straight = is_truth(f, x, y).is_some_and(|straight| straight != negates);
    f.ty(x) == f.ty(asked) && (straight || vanish) && is_loaded_bool(f, world, asked)
}

/// Whether two numbers are the truth of a condition, or its negation.
fn is_truth(f: &Function, yes: Value, no: Value) -> Option<bool> {
    let number = |value| f.int_constant(value).map(|number| number.unsigned());
    match (number(yes), number(no)) {
        (Some(0), Some(1)) if fault!("if-conversion: a truth is not negated") => Some(true),
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
            let both = Both::of(f, bit, yes, no);
            let mut make = |op: Op, args: &[Value], ty: Type| {
                f.make_inst(op, args, &[ty], None, None, Location::default())
            };
            match both {
                Some(Both { op, other, choice: None }) => make(op, &[bit, other], ty),
                Some(Both { op, other, choice: Some([yes, no]) }) => {
                    let test = make(op, &[bit, other], Type::I1);
                    f.append_inst(block, test);
                    let test = f.result(test);
                    f.make_inst(Op::Select, &[test, yes, no], &[ty], None, None, Location::default())
                }
                None => make(Op::Select, &[bit, yes, no], ty),
            }
        }
    };
    f.append_inst(block, made);
    f.result(made)
}

/// Two truths that are asked at once: `select(c, d, 0)` is `and(c, d)`, and `select(c, select(d, x, y), y)` is
/// `select(and(c, d), x, y)`. Only where the second one is defined wherever the first one is: a choice does not look at what it
/// leaves out.
struct Both {
    op: Op,
    other: Value,
    /// What is chosen by both, if that is not their truth.
    choice: Option<[Value; 2]>,
}

impl Both {
    fn of(f: &Function, bit: Value, yes: Value, no: Value) -> Option<Both> {
        let is = |value: Value, truth: bool| {
            f.ty(value) == Type::I1 && f.int_constant(value).is_some_and(|number| number.is_true() == truth)
        };
        let chosen = |value: Value| match f.def_inst(value).map(|inst| (f.inst(inst).op, f.args(inst))) {
            Some((Op::Select, &[other, x, y])) if f.ty(other) == Type::I1 => Some((other, [x, y])),
            _ => None,
        };
        let (op, other, choice) = match (chosen(yes), chosen(no)) {
            _ if is(no, false) => (Op::And, yes, None),
            _ if is(yes, true) => (Op::Or, no, None),
            (Some((other, [x, y])), _) if y == no => (Op::And, other, Some([x, y])),
            (_, Some((other, [x, y]))) if x == yes => (Op::Or, other, Some([x, y])),
            _ => return None,
        };
        let mut needed = vec![bit];
        let mut next = 0;
        while let Some(&value) = needed.get(next).filter(|_| next < NEEDED) {
            next += 1;
            if let Some(inst) = f.def_inst(value) {
                let looked_at = if f.inst(inst).op == Op::Select { 1 } else { f.args(inst).len() };
                needed.extend_from_slice(&f.args(inst)[..looked_at]);
            }
        }
        is_defined_with(f, other, &needed, NEEDED).then_some(Both { op, other, choice })
    }
}

/// So many values are looked at that a condition needs, and so deep is looked into one that it may decide.
const NEEDED: usize = 8;

/// Whether a value is defined wherever others are.
fn is_defined_with(f: &Function, value: Value, others: &[Value], depth: usize) -> bool {
    if f.constant(value).is_some() || others.contains(&value) {
        return true;
    }
    f.def_inst(value).is_some_and(|inst| {
        let defined = |&arg: &Value| is_defined_with(f, arg, others, depth - 1);
        depth > 0 && is_total(f, inst) && f.args(inst).iter().all(defined)
    })
}

/// Whether an operation on words is defined whatever they are; if it shifts, by an amount that every dialect reads in the same way.
fn is_total(f: &Function, inst: Inst) -> bool {
    let (row, args) = (f.inst(inst).op.row(), f.args(inst));
    let width = |value: Value| f.ty(value).int_width();
    let is_below = |amount: u8| {
        let by = f.int_constant(args[usize::from(amount)]);
        by.is_some_and(|by| width(args[0]).is_some_and(|width| by.unsigned() < u64::from(width)))
    };
    f.row(inst).effect == Effect::Pure
        && f.inst(inst).exit.is_none()
        && !may_trap(f, inst)
        && row.amount.is_none_or(is_below)
        && args.iter().all(|&arg| width(arg).is_some())
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
    fn two_truths_that_are_asked_of_one_value_are_asked_at_once() {
        let source = |test: &str, none: &str| {
            format!(
                "func f(v0: i64, v1: i64) -> i1 {{\ne:\n    v2: i1 = ge(v0, 3)\n    branch v2, a, j({none})\na:\n    \
                 v3: i1 = {test}\n    jump j(v3)\nj(v4: i1):\n    return v4\n}}\n"
            )
        };
        assert!(chosen(&source("le(v0, 9)", "0"), true).contains("and(v2, v3)"));
        assert!(chosen(&source("le(v1, 9)", "0"), true).contains("select(v2, v3, 0)"), "v1 may be undefined");
        let arms = source("le(v0, 9)", "5")
            .replace("jump j(v3)", "branch v3, j(7), j(5)")
            .replace("j(v4: i1)", "j(v4: i64)");
        let text = chosen(&chosen(&arms.replace("-> i1", "-> i64"), true), true);
        assert!(text.contains("and(v2, v3)") && text.contains("select(v5, 7, 5)"), "{text}");
    }

    #[test]
    fn arms_that_return_meet_behind_the_function() {
        let source = "func f(v0: i1, v1: i64, v2: i64) -> i64 {\ne:\n    branch v0, a, b(v2)\na:\n    \
                      v3 = add(v1, 1)\n    return v3\nb(v4: i64):\n    return v4\n}\n";
        let text = chosen(source, true);
        assert!(text.contains("select(v0, v3, v2)") && !text.contains("branch"), "{text}");
        assert!(chosen(source, false).contains("branch"));
    }

    #[test]
    fn on_a_stack_only_what_is_0_or_1_anyway_is_its_own_truth() {
        let source = |callee: &str, test: &str| {
            format!(
                "callee @g {callee} reads () writes ()\nfunc f(v0: i32) -> i32 {{\ne:\n    v1: i32 = call(v0) @g\n    \
                 v2: i1 = {test}(v1, 0)\n    branch v2, a, b\na:\n    return 1\nb:\n    return 0\n}}\n"
            )
        };
        let stack = Target { price: &|op| (op != Op::Select).then_some(1), ..Target::STACK };
        let branches = |source: &str| {
            let (_, module) = changed(&PASS, source, stack);
            text::write(&module, text::Options::default()).contains("branch")
        };
        for test in ["ne", "eq"] {
            assert!(!branches(&source("zeroext 1", test)));
            assert!(branches(&source("zeroext 2", test)) && branches(&source("signext 1", test)));
            assert!(branches(&source("", test)));
        }
        // A comparison would be written as a branch.
        assert!(branches(&source("zeroext 1", "gt")));
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
