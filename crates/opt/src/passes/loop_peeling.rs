//! Loop peeling for wrap-around variables (Wolfe, PLDI 1992): the first iterations are copied in front of the loop
//! where a variable is invariant after them.
//!
//! ```text
//! h(p): ... p ...; branch c, h(x), out        the body with p, once; then
//!                                     becomes  h: ... x ...; branch c, h, out
//! ```
//!
//! A variable that is passed the same `x` by every round, `x` coming from outside, is `x` in every round but
//! the first: a *wrap-around* variable (Wolfe 1992). One that is passed such a variable settles a round later.
//! After that many rounds apart, the walk behind finds both to be constant in the loop, and what follows from
//! them: branches that are decided, operations that leave.
//!
//! Only where an operation or a branch uses the variable, at most [`ROUNDS`] rounds and [`SIZE`] operations a
//! loop, [`GROWTH`] in all. As much is executed as before.

use planish_base::{Budget, fault};
use planish_ir::{Block, Cfg, Def, Function, Terminator, Value, repair};

use super::loop_closing::{handlers, may_be_closed};
use super::loop_unrolling::write_all_out;
use planish_pass::loop_info::{LoopInfo, Natural, Small};
use planish_pass::{Example, FunctionPass, PassCx, PassInfo, PassOption};

/// At most so many rounds that are written out in front.
pub const ROUNDS: PassOption = PassOption::new("rounds", 2, "the most rounds that are written out in front");
/// At most so many operations and blocks of a loop.
pub const SIZE: PassOption = PassOption::new("size", 48, "the most operations and blocks of a loop");
/// At most so many operations and blocks that are copied in a function.
pub const GROWTH: PassOption =
    PassOption::new("growth", 512, "the most operations and blocks that are copied in a function");

/// Peels loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["settle"],
        source: "Wolfe, \"Beyond Induction Variables\", PLDI 1992",
        analyses: &["edges", "loops"],
        options: &[&ROUNDS, &SIZE, &GROWTH],
        example: Example { file: "loop_peel.ssa", text: include_str!("examples/loop_peel.ssa") },
        test: "crates/opt/src/passes/loop_peeling.rs",
        ..PassInfo::new(
            "loop-peel",
            "Loop peeling: the first rounds are written out where a variable settles after them.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let cfg = cx.get::<Cfg>(f);
    let loops = cx.get::<LoopInfo>(f);
    let mut budget = Budget::new("operations copied by loop-peel", cx.option(&GROWTH));
    let entered = handlers(f);
    let mut chosen = Vec::new();
    for Small { index, blocks, size } in loops.small(f, &cfg, cx.count(&SIZE)) {
        if f.has_handlers() && !may_be_closed(f, &blocks, &entered) {
            continue;
        }
        let l = &loops.all()[index as usize];
        let (header, rounds) = (cfg.block(l.header), settles(f, &cfg, l, &blocks, cx.count(&ROUNDS)));
        if rounds > 0 && budget.take((size * rounds) as u64) && cx.may_change(f, header) {
            chosen.push((blocks, rounds + 1));
        }
    }
    cx.record.note_budget(&budget);
    let groups = write_all_out(f, cx, chosen);
    if !groups.is_empty() && !fault!("loop-peel: what is used behind the loop is not mended") {
        repair(f, &groups);
    }
}

/// After how many rounds the variables of a loop that settle have done so; 0 when none does that matters.
fn settles(f: &Function, cfg: &Cfg, l: &Natural, blocks: &[Block], most: usize) -> usize {
    let header = cfg.block(l.header);
    let params = f.block_params(header);
    let home = |value: Value| match f.def(value) {
        Def::Const(_) => None,
        Def::Param(block, _) => Some(block),
        Def::Result(inst, _) => blocks.iter().copied().find(|&block| f.block_insts(block).contains(&inst)),
    };
    let outside = |value: Value| home(value).is_none_or(|block| !blocks.contains(&block));
    // What every round passes on for a variable.
    let mut passed: Vec<Option<Option<Value>>> = vec![None; params.len()];
    for &latch in &l.latches {
        for call in f.block_calls(cfg.block(latch)).filter(|call| call.block == header) {
            for (known, &arg) in passed.iter_mut().zip(f.list(call.args)) {
                *known = Some(known.map_or(Some(arg), |same| same.filter(|&other| other == arg)));
            }
        }
    }
    let mut after: Vec<Option<usize>> = vec![None; params.len()];
    for round in 1..=most {
        for (index, value) in passed.iter().enumerate() {
            let Some(value) = value.flatten().filter(|_| after[index].is_none()) else { continue };
            let settled = match params.iter().position(|&param| param == value) {
                Some(other) => other != index && after[other].is_some_and(|before| before < round),
                None => round == 1 && outside(value),
            };
            if settled {
                after[index] = Some(round);
            }
        }
    }
    let matters = |param: Value| {
        blocks.iter().any(|&block| {
            let decides = match f.terminator(block) {
                Terminator::Branch { condition, .. } => *condition == param,
                Terminator::Switch { on, .. } => *on == param,
                _ => false,
            };
            decides || f.block_insts(block).iter().any(|&inst| f.args(inst).contains(&param))
        })
    };
    let rounds = params.iter().zip(&after).filter(|&(&param, _)| matters(param));
    rounds.filter_map(|(_, &round)| round).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::changed;
    use planish_pass::Target;

    fn settled(source: &str) -> (u64, usize) {
        let (count, module) = changed(&PASS, source, Target::MACHINE);
        (count, module.functions.values().map(|f| f.blocks().len()).sum())
    }

    fn looping(passed: &str, used: &str) -> String {
        format!(
            "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    jump h(0, 1, 2)\nh(v2: i64, v3: i64, v4: i64):\n    \
             v5 = add(v2, {used})\n    v6: i1 = lt(v5, v1)\n    branch v6, h(v5, {passed}), x\nx:\n    \
             return v5\n}}\n"
        )
    }

    #[test]
    fn a_variable_settles_after_one_round_or_two() {
        assert_eq!(settled(&looping("v0, v0", "v3")), (1, 4));
        assert_eq!(settled(&looping("v4, v0", "v3")), (1, 5));
    }

    #[test]
    fn one_that_does_not_settle_or_is_not_used_is_left() {
        assert_eq!(settled(&looping("v4, v3", "v3")), (0, 3), "they change places");
        assert_eq!(settled(&looping("v3, v4", "v3")), (0, 3), "they never change");
        assert_eq!(settled(&looping("v4, v0", "v0")), (0, 3), "nothing uses them");
    }
}
