//! A loop that is looked at, and what is known of it so far: counters that do not wrap.

use planish_base::SideTable;
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Def, Function, Inst, Terminator, Value};
use planish_ops::Op;
use planish_pass::LoopInfo;

use super::evolution::{Evolution, Tested};
use super::expressions::Expressions;

/// A comparison that holds.
#[derive(Clone, Copy)]
pub(crate) struct Guard {
    pub op: Op,
    pub x: Value,
    pub y: Value,
}

/// A variable of a loop: a parameter of its header.
#[derive(Clone, Copy)]
pub(super) struct Variable {
    pub(super) param: Value,
    pub(super) start: Value,
    pub(super) next: Value,
}

/// A loop that is looked at.
pub(super) struct Loop<'a> {
    pub f: &'a Function,
    pub cfg: &'a Cfg,
    pub dominators: &'a Dominators,
    pub loops: &'a LoopInfo,
    pub homes: &'a SideTable<Value, Option<u32>>,
    pub index: u32,
    /// What is known of the loops in front of this one in [`LoopInfo::all`], those around it among them.
    pub before: &'a [Evolution],
    pub expressions: &'a mut Expressions,
    /// The parameters of its header whose first value is one, whoever enters the loop, and whose next one, too.
    pub variables: Vec<Variable>,
    /// Counters that do not wrap until the loop leaves, and whether that is tested in the header.
    pub tested: Vec<(bool, Tested)>,
}

impl Loop<'_> {
    /// The number of the header.
    pub fn header(&self) -> u32 {
        self.loops.all()[self.index as usize].header
    }

    pub fn block(&self, number: u32) -> Block {
        self.cfg.block(number)
    }

    pub fn number(&self, block: Block) -> Option<u32> {
        self.cfg.number(block)
    }

    pub fn inside(&self, block: Block) -> bool {
        self.cfg.number(block).is_some_and(|number| self.loops.contains(self.index, number))
    }

    /// Whether a block is one of the loop.
    pub fn has(&self, number: u32) -> bool {
        self.loops.contains(self.index, number)
    }

    /// What comes to a parameter of a block, and from where; `None` if any of it is an exception.
    pub fn incoming(&self, block: Block, place: u32) -> Option<Vec<(u32, Value)>> {
        let mut incoming = Vec::new();
        for &from in self.cfg.preds().of(self.cfg.number(block)?) {
            let calls = self.f.block_calls(self.cfg.block(from)).filter(|call| call.block == block);
            if self.f.handlers(self.cfg.block(from)).any(|(_, handler)| handler.block == block) {
                return None;
            }
            incoming.extend(calls.map(|call| (from, self.f.list(call.args)[place as usize])));
        }
        Some(incoming)
    }

    /// The condition by which a block of the loop goes to one outside or on, and whether the loop goes on where it holds.
    pub fn test(&self, block: Block, outside: Block) -> Option<(Value, bool)> {
        let Terminator::Branch { condition, then, other } = *self.f.terminator(block) else { return None };
        let goes_on = other.block == outside;
        self.inside(if goes_on { then.block } else { other.block }).then_some((condition, goes_on))
    }

    /// Whether a value is made in the loop.
    pub fn varies(&self, value: Value) -> bool {
        self.homes[value].is_some_and(|home| self.loops.contains(self.index, home))
    }

    /// The operation of the loop that makes a value.
    pub fn made_by(&self, value: Value) -> Option<Inst> {
        match self.f.def(value) {
            Def::Result(inst, _) if self.varies(value) => Some(inst),
            _ => None,
        }
    }
}
