//! Computing things only where they are used.
//!
//! A call that only computes, and cannot throw, moves into the arm of a branch behind it if nothing outside
//! of that arm uses what it gives: where control goes the other way, it is not made at all. An arm that
//! nothing else leads to is run at most as often as the branch, so nothing is computed more often than
//! before. Calls with effects never move.

use planish_ir::{Block, Cfg, Function, Inst, Terminator};
use planish_ops::Op;
use planish_ops::world::World;

/// How often a call may move on, from arm to arm.
const STEPS: u32 = 8;

/// Moves calls that only compute into the arms that use them. Gives the number of moves.
pub fn sink(f: &mut Function, world: &dyn World) -> u64 {
    let is_pure = |f: &Function, inst: Inst| {
        let data = f.inst(inst);
        data.op == Op::Call
            && data.exit.is_none()
            && data.descr.is_some_and(|descr| {
                let effect = world.call_effect(descr);
                effect.elidable && !effect.raises
            })
    };
    let mut moved = 0;
    for _ in 0..STEPS {
        if !f.live_insts().any(|(_, inst)| is_pure(f, inst)) {
            break;
        }
        let cfg = Cfg::new(f);
        let dominators = cfg.dominators();
        let mut best: Vec<(Block, Inst, Block)> = Vec::new();
        for &block in cfg.order() {
            let arms: Vec<Block> = f.block_calls(block).map(|call| call.block).collect();
            if arms.len() < 2 {
                continue;
            }
            // The last first: what it takes may follow it in the next step.
            for &inst in f.block_insts(block).iter().rev().filter(|&&inst| is_pure(f, inst)) {
                let users = used_in(f, inst);
                let arm = arms.iter().copied().find(|&arm| {
                    let (Some(arm_number), true) = (cfg.number(arm), is_only_entered_by(f, &cfg, arm, block))
                    else {
                        return false;
                    };
                    !users.is_empty()
                        && users.iter().all(|&user| {
                            cfg.number(user).is_some_and(|user| dominators.dominates(arm_number, user))
                        })
                });
                if let Some(arm) = arm {
                    best.push((block, inst, arm));
                    break;
                }
            }
        }
        if best.is_empty() {
            break;
        }
        for (block, inst, arm) in best {
            let kept = f.block_insts(block).iter().copied().filter(|&other| other != inst).collect();
            f.replace_insts(block, kept);
            let mut there = vec![inst];
            there.extend_from_slice(f.block_insts(arm));
            f.replace_insts(arm, there);
            moved += 1;
        }
    }
    moved
}

/// Whether a block is entered from one other block, by one edge, and not as a handler.
fn is_only_entered_by(f: &Function, cfg: &Cfg, arm: Block, block: Block) -> bool {
    let Some(number) = cfg.number(arm) else { return false };
    let edges = f.block_calls(block).filter(|call| call.block == arm).count();
    edges == 1 && cfg.preds().of(number).len() == 1 && arm != f.entry()
}

/// The blocks that use a result of an instruction.
fn used_in(f: &Function, inst: Inst) -> Vec<Block> {
    let results: Vec<_> = f.results(inst).collect();
    let mut blocks = Vec::new();
    for &block in f.blocks() {
        let terminator = f.terminator(block);
        let mut used = terminator.condition().is_some_and(|value| results.contains(&value));
        for call in terminator.calls() {
            used |= f.list(call.args).iter().any(|value| results.contains(value));
        }
        if let Terminator::Return(list) = terminator {
            used |= f.list(*list).iter().any(|value| results.contains(value));
        }
        if let Terminator::Throw(_, Some(exit)) = terminator {
            used |= f.exit_args(*exit).iter().any(|value| results.contains(value));
        }
        for &user in f.block_insts(block) {
            used |= f.args(user).iter().any(|value| results.contains(value));
            if let Some(exit) = f.inst(user).exit {
                used |= f.exit_args(exit).iter().any(|value| results.contains(value));
            }
        }
        if used {
            blocks.push(block);
        }
    }
    blocks
}
