//! A loop that can be changed, and arguments that are passed in it.

use planish_ir::dominators::Dominators;
use planish_ir::{Block, BlockCall, Cfg, Function, Inst, Value};
use planish_pass::LoopInfo;

/// A loop that can be changed.
pub(super) struct Own<'a> {
    pub cfg: &'a Cfg,
    pub dominators: &'a Dominators,
    pub loops: &'a LoopInfo,
    pub index: u32,
    pub header: Block,
    /// The only block from outside that goes to the header, and nowhere else.
    pub front: Block,
    /// Its blocks, those of loops inside included, in reverse postorder.
    pub blocks: Vec<u32>,
}

impl<'a> Own<'a> {
    /// The loop, if it has one block in front of it and nothing in it leaves otherwise than by an edge.
    pub fn of(
        f: &Function,
        cfg: &'a Cfg,
        dominators: &'a Dominators,
        loops: &'a LoopInfo,
        index: u32,
    ) -> Option<Own<'a>> {
        let l = &loops.all()[index as usize];
        let mut outside = cfg.preds().of(l.header).iter().filter(|&&pred| !loops.contains(index, pred));
        let (Some(&front), None) = (outside.next(), outside.next()) else { return None };
        let front = cfg.block(front);
        if l.irreducible || l.header == 0 || f.block_calls(front).count() != 1 {
            return None;
        }
        let mut blocks: Vec<u32> = loops.blocks(index).collect();
        blocks.sort_unstable();
        let inner_irreducible = |number: &u32| {
            loops.innermost(*number).is_some_and(|inner| loops.all()[inner as usize].irreducible)
        };
        let leaves = |&number: &u32| {
            let block = cfg.block(number);
            f.block_insts(block).iter().any(|&inst| f.inst(inst).exit.is_some())
        };
        if blocks.iter().any(|number| inner_irreducible(number) || leaves(number)) {
            return None;
        }
        Some(Own { cfg, dominators, loops, index, header: cfg.block(l.header), front, blocks })
    }

    pub fn insts<'f>(&'f self, f: &'f Function) -> impl Iterator<Item = (u32, Inst)> + 'f {
        self.blocks
            .iter()
            .flat_map(|&number| f.block_insts(self.cfg.block(number)).iter().map(move |&inst| (number, inst)))
    }

    pub fn contains(&self, block: Block) -> bool {
        self.cfg.number(block).is_some_and(|number| self.loops.contains(self.index, number))
    }

    /// The blocks from which edges lead out.
    pub fn exits(&self) -> impl Iterator<Item = u32> + '_ {
        let leads_out = |&&number: &&u32| {
            self.cfg.succs().of(number).iter().any(|&succ| !self.loops.contains(self.index, succ))
        };
        self.blocks.iter().filter(leads_out).copied()
    }

    /// Whether control comes to a block in the first round already, whatever happens.
    pub fn is_surely_run(&self, number: u32) -> bool {
        let latches = &self.loops.all()[self.index as usize].latches;
        let innermost = self.loops.innermost(number) == Some(self.index);
        let mut ways = latches.iter().copied().chain(self.exits());
        innermost && ways.all(|way| self.dominators.dominates(number, way))
    }
}

/// Passes one more argument from a block to these.
pub(super) fn pass(f: &mut Function, from: Block, to: &[Block], value: Value) {
    let mut terminator = f.take_terminator(from);
    for call in terminator.calls_mut().filter(|call| to.contains(&call.block)) {
        *call = with_argument(f, *call, value);
    }
    f.set_terminator(from, terminator);
}

pub(super) fn with_argument(f: &mut Function, call: BlockCall, value: Value) -> BlockCall {
    let args: Vec<Value> = f.list(call.args).iter().copied().chain([value]).collect();
    f.make_call(call.block, &args)
}
