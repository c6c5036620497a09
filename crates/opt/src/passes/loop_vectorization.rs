//! Loop vectorization (Allen and Kennedy, "Automatic Translation of FORTRAN Programs to Vector Form", 1987; LLVM's
//! `LoopVectorize`): a loop over items side by side does as many rounds at once as a vector has lanes.
//!
//! ```text
//! front: jump h(0, 0)                       front: full = rounds / 4
//! h(i, sum):                                       branch full > 0 and apart, v(0, [0, 0, 0, 0]), h(0, 0)
//!     x = raw_load(p, i * 4)                v(t, sums): xs = vload(p, t)
//!     next = add(sum, x)           becomes      more = vadd(sums, xs)
//!     j = add(i, 1)                             branch t + 16 < full * 16, v(t + 16, more), rest
//!     branch ult(j, n), h(j, next), x       rest: jump h(full * 4, reduce_add(more))
//!                                           h(i, sum): as before
//! ```
//!
//! The loop itself stays as it is, and does what is left: at least one round, so whatever is used behind it is known there as it was.
//!
//! A loop is one block, tested at its end, of which it is known in which round it is left. In it
//!
//! - items of one width are loaded and stored, each access going from one to the next;
//! - what is computed of them has an operation that does the same in lanes. A comparison is 0 or 1 in a lane, and where lanes choose, all
//!   that does not change is constants;
//! - other variables count, or sum up what lanes give by an operation that is commutative and associative: integers, since sums of
//!   floats are not.
//!
//! The lanes of one access are done before those of the next one. So of two accesses to one memory, one of them a store, no lane of
//! the first may access what an earlier lane of the second does (a *dependence carried by the loop*): either it is known how far they
//! are from each other, or it is asked in front whether what the loop goes over is apart (`plan`).
//!
//! Only `.ssa` can write vectors, and not everybody who runs a program has them, so no default runs the pass. O(size of the
//! function * depth of loops): of a loop few operations are looked at, and few accesses compared with each other.

mod emit;
mod plan;

use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Function};
use planish_ops::Op;
use planish_pass::{Change, Example, FunctionPass, IMPOSSIBLE, LoopInfo, PassCx, PassInfo};

use self::plan::Search;
use super::own_loop::Own;
use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};
use super::scalar_promotion::may_leave;
use crate::analysis::scalar_evolution::ScalarEvolution;

/// Makes loops on vectors.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "Allen and Kennedy 1987; LLVM LoopVectorize",
        handlers: false,
        analyses: &["edges", "dominators", "loops", "scalar-evolution"],
        example: Example { file: "loop_vectorize.ssa", text: include_str!("examples/loop_vectorize.ssa") },
        test: "crates/opt/src/passes/loop_vectorization/tests.rs",
        ..PassInfo::new(
            "loop-vectorize",
            "Loop vectorization: a loop over items side by side does several rounds at once, in the lanes of vectors.",
        )
    },
    run,
};

/// What the expressions in front of a loop may cost.
const COST: u32 = 64;
/// At most so many operations of a loop are looked at.
const SIZE: usize = 200;

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let moves = |op: Op| matches!(op, Op::RawLoad | Op::RawStore);
    if cx.target.cost(Op::Vload) >= IMPOSSIBLE
        || !f.live_insts().any(|(_, inst)| moves(f.inst(inst).op))
        || !f.entrances().is_empty()
        || cx.get::<LoopInfo>(f).all().is_empty()
        || !cx.record.has_fuel()
    {
        return;
    }
    let fronts = put_blocks_in_front_of_loops(f, cx);
    let (cfg, dominators) = (cx.get::<Cfg>(f), cx.get::<Dominators>(f));
    let (loops, evolution) = (cx.get::<LoopInfo>(f), cx.get::<ScalarEvolution>(f));
    let mut expressions = evolution.expressions.clone();
    let mut any = false;
    for index in 0..loops.all().len() as u32 {
        let Some(own) = Own::of(f, &cfg, &dominators, &loops, index) else { continue };
        if own.blocks.len() != 1 || f.block_insts(own.header).len() > SIZE || is_what_is_left(f, &own) {
            continue;
        }
        if own.insts(f).any(|(_, inst)| may_leave(f, cx, inst)) {
            continue;
        }
        let evolved = &evolution.loops[index as usize];
        let search = Search::new(f, cx.world, &own, (&evolution, evolved), &mut expressions);
        let Some(plan) = search.and_then(Search::plan) else { continue };
        let cost = expressions.cost(plan.expressions(), |op| cx.target.cost(op));
        if cost.is_none_or(|cost| cost > COST) {
            continue;
        }
        if !cx.may_change(f, own.header) {
            break;
        }
        emit::write(f, &own, &plan, &mut expressions);
        any = true;
    }
    if any {
        cx.changed(Change::Flow);
    }
    take_back_empty(f, cx, &fronts);
}

/// Whether a loop does what one on vectors left to it.
fn is_what_is_left(f: &Function, own: &Own<'_>) -> bool {
    let (cfg, preds) = (own.cfg, own.cfg.preds());
    let front = cfg.number(own.front).expect("it is reached");
    let before = preds.of(front).iter().chain([&front]);
    let near = before.flat_map(|&pred| preds.of(pred).iter().copied().chain([pred]));
    let mut insts = near.flat_map(|number| f.block_insts(cfg.block(number)));
    insts.any(|&inst| matches!(f.inst(inst).op, Op::Vload | Op::Vstore))
}

#[cfg(test)]
mod tests;
