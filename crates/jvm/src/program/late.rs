//! Sinking of pure calls (partial dead code elimination, Knoop, Rüthing and Steffen 1994): a result is computed only in
//! the arm that uses it.
//!
//! A call that only computes, and cannot throw, moves into the arm of a branch behind it if nothing outside
//! of that arm uses what it gives: where control goes the other way, it is not made at all. An arm that
//! nothing else leads to is run at most as often as the branch, so nothing is computed more often than
//! before. Calls with effects never move.

use planish_base::Id;
use planish_ir::{Block, Cfg, Function, Inst, Terminator, Value};
use planish_ops::Op;
use planish_ops::world::World;
use planish_pass::{Became, Leave};

/// How often a call may move on, from arm to arm.
const STEPS: u32 = 8;

/// Moves calls that only compute into the arms that use them. Gives the number of moves. O(function) a step.
pub fn sink(f: &mut Function, world: &dyn World, leave: &mut Leave<'_>) -> u64 {
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
        let mut candidates: Vec<(Block, Inst)> = Vec::new();
        for &block in f.blocks() {
            if f.block_calls(block).count() >= 2 {
                let pure = f.block_insts(block).iter().filter(|&&inst| is_pure(f, inst));
                candidates.extend(pure.map(|&inst| (block, inst)));
            }
        }
        if candidates.is_empty() {
            break;
        }
        let cfg = Cfg::new(f);
        let dominators = cfg.dominators();
        let users = Users::of(f, candidates.iter().map(|(_, inst)| *inst));
        let mut best: Vec<(Block, Inst, Block)> = Vec::new();
        // The last of a block first: what it takes may follow it in the next step.
        for &(block, inst) in candidates.iter().rev() {
            if best.last().is_some_and(|&(done, ..)| done == block) {
                continue;
            }
            let users = users.blocks(f, inst);
            let arm = f.block_calls(block).map(|call| call.block).find(|&arm| {
                let (Some(arm_number), true) = (cfg.number(arm), is_only_entered_by(f, &cfg, arm, block))
                else {
                    return false;
                };
                !users.is_empty()
                    && users.iter().all(|&user| {
                        cfg.number(user).is_some_and(|user| dominators.dominates(arm_number, user))
                    })
            });
            best.extend(arm.map(|arm| (block, inst, arm)));
        }
        if best.is_empty() {
            break;
        }
        for (block, inst, arm) in best {
            if !leave.rewrite(f, inst, Became::Changed) {
                return moved;
            }
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

/// The blocks that use the results of some instructions.
struct Users {
    /// For each value the number of its list, if it is asked for.
    list: Vec<Option<u32>>,
    blocks: Vec<Vec<Block>>,
}

impl Users {
    /// Looks once through a function for the users of what instructions give. O(function).
    fn of(f: &Function, insts: impl Iterator<Item = Inst>) -> Users {
        let mut users = Users { list: vec![None; f.value_count()], blocks: Vec::new() };
        for inst in insts {
            for value in f.results(inst) {
                users.list[value.index()] = Some(users.blocks.len() as u32);
            }
            users.blocks.push(Vec::new());
        }
        for &block in f.blocks() {
            let terminator = f.terminator(block);
            users.see(block, terminator.condition().as_slice());
            for call in terminator.calls() {
                users.see(block, f.list(call.args));
            }
            if let Terminator::Return(list) = terminator {
                users.see(block, f.list(*list));
            }
            if let Terminator::Throw(_, Some(exit)) = terminator {
                users.see(block, f.exit_args(*exit));
            }
            for &user in f.block_insts(block) {
                users.see(block, f.args(user));
                if let Some(exit) = f.inst(user).exit {
                    users.see(block, f.exit_args(exit));
                }
            }
        }
        users
    }

    /// A block uses values.
    fn see(&mut self, block: Block, values: &[Value]) {
        for value in values {
            if let Some(list) = self.list[value.index()] {
                let blocks = &mut self.blocks[list as usize];
                if blocks.last() != Some(&block) {
                    blocks.push(block);
                }
            }
        }
    }

    /// The blocks that use a result of an instruction that was asked for.
    fn blocks(&self, f: &Function, inst: Inst) -> &[Block] {
        let list = f.results(inst).find_map(|value| self.list[value.index()]);
        list.map_or(&[], |list| &self.blocks[list as usize])
    }
}
