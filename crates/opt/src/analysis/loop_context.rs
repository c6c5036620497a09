//! A loop that is looked at, and what is known of it so far: counters that do not wrap, and what holds where it is entered.

use planish_base::SideTable;
use planish_ir::{Block, Cfg, Def, Function, Inst, Value};
use planish_ops::{Int, Op};
use planish_pass::LoopInfo;

use super::expressions::{Expr, Expressions};

/// A chain `{start, +, step}` that does not wrap until the loop leaves, the value in that round included.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// What it is first.
    pub start: Expr,
    /// What is added each round.
    pub step: Int,
    /// What it is when the loop leaves, where that is simple.
    pub last: Option<Expr>,
    /// Whether it does not wrap as a number with sign.
    pub signed: bool,
    /// Whether it does not wrap as a number without sign.
    pub unsigned: bool,
}

/// A comparison that holds.
#[derive(Clone, Copy)]
pub(super) struct Guard {
    pub op: Op,
    pub x: Value,
    pub y: Value,
}

/// A loop that is looked at.
pub(super) struct Loop<'a> {
    pub f: &'a Function,
    pub cfg: &'a Cfg,
    pub loops: &'a LoopInfo,
    pub homes: &'a SideTable<Value, Option<u32>>,
    pub index: u32,
    pub expressions: &'a mut Expressions,
    /// Counters that do not wrap until the loop leaves, and whether that is tested in the header.
    pub tested: Vec<(bool, Tested)>,
    /// What holds where the loop is entered.
    pub guards: Vec<Guard>,
}

impl Loop<'_> {
    /// The number of the header.
    pub fn header(&self) -> u32 {
        self.loops.all()[self.index as usize].header
    }

    /// The blocks that go to one, from outside of the loop.
    pub fn ways_into(&self, block: u32) -> impl Iterator<Item = u32> + '_ {
        let preds = self.cfg.preds().of(block).iter().copied();
        preds.filter(|&pred| !self.loops.contains(self.index, pred))
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
