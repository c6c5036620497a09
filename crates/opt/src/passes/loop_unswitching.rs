//! Loop unswitching (Allen and Cocke 1972; LLVM `SimpleLoopUnswitch`): a branch on a loop-invariant condition is taken
//! once, in front of the loop.
//!
//! ```text
//! h: ... branch c, a, b ... jump h             branch c, h, h'
//!                                     becomes  h: ... jump a ... jump h
//!                                              h': ... jump b ... jump h'
//! ```
//!
//! Where the condition comes from outside of the loop, the loop is copied, and each copy goes one way. As much is executed as before, but for the
//! branches, and each copy can be better than the loop that did both. Only a branch at the end of the loop's header
//! counts, with nothing in front of it that may leave: every entry of the loop comes to it. One further inside may
//! never be reached, and a branch on an undefined value, or a switch without a case for its value, must not be
//! made to happen (Lee et al., "Taming Undefined Behavior in LLVM", 2017).
//!
//! The outermost loop for which the condition is the same comes first. Bounded by [`SIZE`] operations and
//! blocks a loop, [`GROWTH`] in all, and [`TIMES`] loops a function: O(size of the function) for each.

use planish_base::{Budget, fault};
use planish_ir::{Block, BlockCall, Cfg, Def, Function, Terminator, Value, copy_blocks, repair};
use planish_ops::Int;

use super::code_hoisting::cannot_be;
use super::global_code_motion::floats;
use planish_pass::loop_info::{LoopInfo, Natural};
use planish_pass::{Change, Example, FunctionPass, PassCx, PassInfo, PassOption};

/// At most so many operations and blocks of a loop.
pub const SIZE: PassOption = PassOption::new("size", 64, "the most operations and blocks of a loop");
/// At most so many operations and blocks that are copied in a function.
pub const GROWTH: PassOption =
    PassOption::new("growth", 512, "the most operations and blocks that are copied in a function");
/// At most so many loops that are copied in a function.
pub const TIMES: PassOption = PassOption::new("times", 8, "the most loops that are copied in a function");

/// Unswitches loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["unswitch"],
        source: "Allen and Cocke 1972; LLVM SimpleLoopUnswitch",
        handlers: false,
        analyses: &["edges", "loops"],
        options: &[&SIZE, &GROWTH, &TIMES],
        example: Example { file: "loop_unswitch.ssa", text: include_str!("examples/loop_unswitch.ssa") },
        test: "crates/opt/src/passes/loop_unswitching.rs",
        ..PassInfo::new(
            "loop-unswitch",
            "Loop unswitching: a branch that goes the same way in every round is taken once, in front of the loop.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let mut budget = Budget::new("operations copied by loop-unswitch", cx.option(&GROWTH));
    for _ in 0..cx.count(&TIMES) {
        if !once(f, cx, &mut budget) {
            break;
        }
    }
    cx.record.note_budget(&budget);
}

/// Copies the first loop that can be. Whether there was one.
fn once(f: &mut Function, cx: &mut PassCx<'_>, budget: &mut Budget) -> bool {
    let cfg = cx.get::<Cfg>(f);
    let loops = cx.get::<LoopInfo>(f);
    let (most, mut stands) = (cx.count(&SIZE), None);
    for (index, l) in (0..).zip(loops.all()) {
        if l.irreducible || l.header == 0 {
            continue;
        }
        let mut size = 0;
        let fits = |&number: &u32| {
            size += f.block_insts(cfg.block(number)).len() + 1;
            size <= most
        };
        let mut numbers: Vec<u32> = loops.blocks(index).take_while(fits).collect();
        if size > most {
            continue;
        }
        numbers.sort_unstable();
        let blocks: Vec<Block> = numbers.into_iter().map(|number| cfg.block(number)).collect();
        let stands = stands.get_or_insert_with(|| homes(f));
        let inside = |block: Block| cfg.number(block).is_some_and(|n| loops.contains(index, n));
        let same = |value: Value| match f.def(value) {
            Def::Const(_) => false,
            Def::Param(block, _) => !inside(block),
            Def::Result(inst, _) => {
                !stands[inst].is_some_and(inside)
                    || fault!("loop-unswitch: any condition is the same in every round")
            }
        };
        let header = cfg.block(l.header);
        let at_once = f.block_insts(header).iter().all(|&inst| floats(f, inst));
        let Some(fork) = Fork::of(f, header).filter(|fork| at_once && same(fork.on)) else { continue };
        if !budget.take(size as u64) || !cx.may_change(f, header) {
            return false;
        }
        copy(f, &cfg, &|number| loops.contains(index, number), l, &blocks, fork);
        cx.changed(Change::Flow);
        return true;
    }
    false
}

/// A block that ends in two ways: by a branch, or a switch with no third one.
#[derive(Clone, Copy)]
struct Fork {
    on: Value,
    /// The keys of a switch, and where it goes otherwise, which cannot be.
    keys: Option<([Int; 2], BlockCall)>,
    ways: [BlockCall; 2],
}

impl Fork {
    fn of(f: &Function, block: Block) -> Option<Fork> {
        let fork = match f.terminator(block) {
            Terminator::Branch { condition, then, other } => {
                Fork { on: *condition, keys: None, ways: [*then, *other] }
            }
            Terminator::Switch { on, cases, default }
                if default.args.is_empty() && cannot_be(f, default.block) =>
            {
                match **cases {
                    [(first, then), (second, other)] => {
                        Fork { on: *on, keys: Some(([first, second], *default)), ways: [then, other] }
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        (fork.ways[0].block != fork.ways[1].block).then_some(fork)
    }

    /// Whether another fork goes the first way whenever this one does.
    fn agrees(&self, other: &Fork) -> bool {
        self.on == other.on && self.keys.map(|(keys, _)| keys) == other.keys.map(|(keys, _)| keys)
    }
}

/// The block of each operation.
fn homes(f: &Function) -> planish_base::SideTable<planish_ir::Inst, Option<Block>> {
    let mut homes = planish_base::SideTable::new();
    f.live_insts().for_each(|(block, inst)| homes[inst] = Some(block));
    homes
}

/// Lets a loop go one way and a copy of it the other.
fn copy(
    f: &mut Function,
    cfg: &Cfg,
    inside: &dyn Fn(u32) -> bool,
    l: &Natural,
    blocks: &[Block],
    fork: Fork,
) {
    let header = cfg.block(l.header);
    let copied = copy_blocks(f, blocks);
    for &block in blocks {
        if Fork::of(f, block).is_some_and(|own| own.agrees(&fork)) {
            let twin = copied.block(block).expect("it was copied");
            for (way, block) in [block, twin].into_iter().enumerate() {
                let call = Fork::of(f, block).expect("the copy ends alike").ways[way];
                f.set_terminator(block, Terminator::Jump(call));
            }
        }
    }
    let front = f.make_block();
    let mut args = Vec::new();
    for index in 0..f.block_params(header).len() {
        let ty = f.ty(f.block_params(header)[index]);
        args.push(f.add_param(front, ty));
    }
    let then = f.make_call(header, &args);
    let other = f.make_call(copied.block(header).expect("it was copied"), &args);
    let terminator = match fork.keys {
        None => Terminator::Branch { condition: fork.on, then, other },
        Some(([first, second], default)) => {
            let default = f.make_call(default.block, &[]);
            Terminator::Switch { on: fork.on, cases: [(first, then), (second, other)].into(), default }
        }
    };
    f.set_terminator(front, terminator);
    let mut sources: Vec<u32> = cfg.preds().of(l.header).iter().copied().filter(|&n| !inside(n)).collect();
    sources.dedup();
    for source in sources {
        let source = cfg.block(source);
        let mut terminator = f.take_terminator(source);
        terminator.calls_mut().filter(|call| call.block == header).for_each(|call| call.block = front);
        f.set_terminator(source, terminator);
    }
    repair(f, &copied.groups());
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    fn unswitched(source: &str) -> (u64, String) {
        after(&PASS, source)
    }

    fn looping(condition: &str) -> String {
        format!(
            "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    jump h(0)\nh(v2: i64):\n    v3 = mul(v2, v2)\n    \
             branch {condition}, a, b\na:\n    v4 = add(v2, v3)\n    jump t(v4)\nb:\n    v5 = sub(v3, 7)\n    \
             jump t(v5)\nt(v6: i64):\n    v7: i1 = lt(v6, v1)\n    branch v7, h(v6), x\nx:\n    return v3\n}}\n"
        )
    }

    #[test]
    fn a_condition_from_outside_is_tested_once() {
        let (count, text) = unswitched(&looping("v0"));
        assert_eq!(count, 1);
        assert_eq!(text.matches("branch").count(), 3, "one in front and one of each loop\n{text}");
    }

    #[test]
    fn a_switch_without_a_third_way_is_a_branch() {
        let source = looping("v0").replace("branch v0, a, b", "switch v0 [0: a, 1: b], u");
        let (count, text) = unswitched(&source.replace("x:\n", "u:\n    unreachable\nx:\n"));
        assert_eq!((count, text.matches("switch").count()), (1, 1), "{text}");
    }

    /// The loop may be left before it comes to its branch, of which nothing need be defined then.
    #[test]
    fn a_branch_that_may_not_be_reached_stays_where_it_is() {
        let source = |fork: &str| {
            format!(
                "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    jump h(0)\nh(v2: i64):\n    v3: i1 = lt(v2, v1)\n    \
                 branch v3, s, x\ns:\n    {fork}\na:\n    v4 = add(v2, 1)\n    jump h(v4)\nb:\n    \
                 v5 = add(v2, 2)\n    jump h(v5)\nu:\n    unreachable\nx:\n    return v2\n}}\n"
            )
        };
        assert_eq!(unswitched(&source("switch v0 [0: a, 1: b], u")).0, 0);
        assert_eq!(unswitched(&source("branch v0, a, b").replace("u:\n    unreachable\n", "")).0, 0);
        let guarded = looping("v0").replace("    branch v0", "    guard_true(v1)\n    branch v0");
        assert_eq!(unswitched(&guarded).0, 0);
    }

    #[test]
    fn a_condition_of_the_loop_stays_in_it() {
        assert_eq!(unswitched(&looping("v3")).0, 0);
    }
}
