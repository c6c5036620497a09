//! Single-entry single-exit regions (Johnson, Pearson and Pingali, PLDI 1994) that only compute: control comes to them by one branch or
//! by the edges into one loop, and goes on from them to one block, to which nothing else comes.
//!
//! From a branch, or the header of a loop, blocks are visited such that those of a loop come before what is behind it, and otherwise
//! what comes first in reverse postorder. Where but one block is left to visit, and all edges to it are seen, the region ends there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use planish_base::{SideTable, fault};
use planish_ir::{Block, Function, Inst};
use planish_ops::world::World;
use planish_ops::{Effect, Exits, Op};

use super::flow::Flow;
use crate::passes::global_code_motion::floats;
use crate::passes::loop_closing::handlers;

/// Where a region begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// At the branch by which a block ends.
    Branch(u32),
    /// At the header of a loop, with the edges into the loop.
    Loop(u32),
}

impl Start {
    /// The block of the branch, or the header.
    pub(super) fn block(self) -> u32 {
        match self {
            Start::Branch(block) | Start::Loop(block) => block,
        }
    }
}

/// A region that only computes.
#[derive(Debug)]
pub(super) struct Region {
    pub start: Start,
    /// Its blocks, that of a branch at which it begins left out.
    pub blocks: Vec<u32>,
    /// The block to which it goes on.
    pub end: u32,
}

impl Region {
    /// The block with the branch, or the only one from which a loop is entered, if it goes nowhere else: its end is part of the region.
    pub(super) fn front(&self, flow: Flow<'_>) -> Option<u32> {
        match self.start {
            Start::Branch(block) => Some(block),
            Start::Loop(header) => match *entries(flow, header).as_slice() {
                [(front, _)] if flow.f.block_calls(flow.cfg.block(front)).nth(1).is_none() => Some(front),
                _ => None,
            },
        }
    }

    /// The edges into a loop with which it begins.
    pub(super) fn entries(&self, flow: Flow<'_>) -> Vec<(u32, u32)> {
        match self.start {
            Start::Branch(_) => Vec::new(),
            Start::Loop(header) => entries(flow, header),
        }
    }
}

/// The edges into a loop by its header: from which block, and as which of its calls.
fn entries(flow: Flow<'_>, header: u32) -> Vec<(u32, u32)> {
    let Flow { f, cfg, loops, .. } = flow;
    let inside = |pred: u32| loops.innermost(header).is_some_and(|own| loops.contains(own, pred));
    let mut outside: Vec<u32> =
        cfg.preds().of(header).iter().copied().filter(|&pred| !inside(pred)).collect();
    outside.dedup();
    let to_header = |pred: u32| {
        let calls = (0..).zip(f.block_calls(cfg.block(pred)));
        calls.filter(move |(_, call)| call.block == cfg.block(header)).map(move |(index, _)| (pred, index))
    };
    outside.into_iter().flat_map(to_header).collect()
}

/// Finds the regions of a function.
pub(super) struct Finder<'a> {
    flow: Flow<'a>,
    /// How many blocks a region may have.
    most: usize,
    is_handler: SideTable<Block, bool>,
    /// Whether a block only computes, once somebody asks.
    only_computes: Vec<Option<bool>>,
    /// For each block the last search, from 1, that came to an edge to it, and that visited it.
    met: Vec<u32>,
    visited: Vec<u32>,
    search: u32,
    /// The blocks to visit, by the number of loops around them.
    waiting: BinaryHeap<(u32, Reverse<u32>)>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(flow: Flow<'a>, most: usize) -> Self {
        let count = flow.cfg.order().len();
        Finder {
            flow,
            most,
            is_handler: handlers(flow.f),
            only_computes: vec![None; count],
            met: vec![0; count],
            visited: vec![0; count],
            search: 0,
            waiting: BinaryHeap::new(),
        }
    }

    /// All regions: later ones before those in front of them, inner ones before those around.
    pub(super) fn all(&mut self) -> Vec<Region> {
        let Flow { f, cfg, loops, .. } = self.flow;
        let mut regions = Vec::new();
        for block in (0..cfg.order().len() as u32).rev() {
            if f.block_calls(cfg.block(block)).nth(1).is_some() {
                regions.extend(self.region(Start::Branch(block)));
            }
            if loops.innermost(block).is_some_and(|own| loops.all()[own as usize].header == block) {
                regions.extend(self.region(Start::Loop(block)));
            }
        }
        regions
    }

    /// The smallest region that begins somewhere.
    fn region(&mut self, start: Start) -> Option<Region> {
        let Flow { f, cfg, loops, .. } = self.flow;
        self.search += 1;
        self.waiting.clear();
        let depth = match start {
            Start::Branch(block) => {
                f.block_calls(cfg.block(block)).for_each(|call| self.meet(call.block));
                loops.depth(block)
            }
            Start::Loop(header) => {
                self.meet(cfg.block(header));
                loops.depth(header) - 1
            }
        };
        let mut blocks = Vec::new();
        while let Some((around, Reverse(block))) = self.waiting.pop() {
            if around < depth || self.is_handler[cfg.block(block)] {
                return None;
            }
            let all_seen = cfg.preds().of(block).iter().all(|&pred| self.is_seen(start, pred));
            if around == depth && self.waiting.is_empty() && all_seen {
                return Some(Region { start, blocks, end: block });
            }
            if blocks.len() == self.most
                || !(all_seen || self.begins_loop(start, block))
                || !self.is_quiet(block)
            {
                return None;
            }
            self.visited[block as usize] = self.search;
            blocks.push(block);
            f.block_calls(cfg.block(block)).for_each(|call| self.meet(call.block));
        }
        None
    }

    /// An edge leads to a block.
    fn meet(&mut self, block: Block) {
        let Some(block) = self.flow.cfg.number(block) else { return };
        if std::mem::replace(&mut self.met[block as usize], self.search) != self.search {
            self.waiting.push((self.flow.loops.depth(block), Reverse(block)));
        }
    }

    /// Whether edges from a block are edges of the region.
    fn is_seen(&self, start: Start, block: u32) -> bool {
        self.visited[block as usize] == self.search || start == Start::Branch(block)
    }

    /// Whether a block is the header of a loop, and the region has all edges into that: either it begins there, or they come from it.
    fn begins_loop(&self, start: Start, block: u32) -> bool {
        let Flow { cfg, loops, .. } = self.flow;
        let Some(own) = loops.innermost(block) else { return false };
        let l = &loops.all()[own as usize];
        let from_inside = |&pred: &u32| loops.contains(own, pred) || self.is_seen(start, pred);
        let enters = match start {
            Start::Loop(header) if header == block => block != 0,
            _ => cfg.preds().of(block).iter().all(from_inside),
        };
        l.header == block && !l.irreducible && enters
    }

    /// Whether a block only computes, and goes on in the function.
    fn is_quiet(&mut self, block: u32) -> bool {
        let Flow { f, world, cfg, .. } = self.flow;
        *self.only_computes[block as usize].get_or_insert_with(|| {
            let block = cfg.block(block);
            let goes_on = f.block_calls(block).next().is_some();
            goes_on && f.block_insts(block).iter().all(|&inst| only_computes(f, world, inst))
        })
    }
}

/// Whether an operation only computes, on values alone, or is a call that does and returns.
fn only_computes(f: &Function, world: &dyn World, inst: Inst) -> bool {
    let (data, row) = (f.inst(inst), f.row(inst));
    let is_pure_call = || {
        let effect = data.descr.filter(|_| data.op == Op::Call).map(|callee| world.call_effect(callee));
        effect.is_some_and(|effect| effect.elidable && !effect.raises)
    };
    let computes = row.effect == Effect::Pure && (row.exits == Exits::Never || floats(f, inst));
    let loads =
        row.effect == Effect::Load && fault!("region-sinking: nothing is written where a region goes");
    data.exit.is_none() && (computes || loads || is_pure_call())
}
