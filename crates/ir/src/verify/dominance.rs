//! V12: definitions dominate uses.
//!
//! An exit leaves somewhere inside a block, so its handler may rely on the block's start and not on its
//! instructions. A block with handlers is therefore two vertices: its start, from which the handlers
//! are reached, and its end, where its instructions count as made.
//!
//! Control comes from outside to the entry and to every entrance, so one vertex stands before them all.

use planish_base::Id;

use super::{Invariant, Verifier};
use crate::dominators::Dominators;
use crate::function::{Block, Def, Exit, Terminator, Value};
use crate::graph::Graph;

/// No vertex: it cannot be reached.
const NONE: u32 = u32::MAX;

/// Vertices for the starts and ends of blocks.
struct Split {
    starts: Vec<u32>,
    ends: Vec<u32>,
    dominators: Dominators,
    /// Block and position of each instruction; terminators stand behind all.
    places: Vec<(u32, u32)>,
}

impl Verifier<'_> {
    pub(super) fn dominance(&mut self) {
        let (f, split) = (self.f, self.split());
        for &block in f.blocks() {
            if split.starts[block.index()] == NONE {
                continue;
            }
            self.block = Some(block);
            for (&inst, position) in f.block_insts(block).iter().zip(0..) {
                self.inst = Some(inst);
                for &arg in f.args(inst) {
                    self.visible(&split, arg, block, position);
                }
                if let Some(exit) = f.inst(inst).exit {
                    // Its own results are V7's to judge.
                    self.exit_visible(&split, exit, block, position + 1);
                }
                self.inst = None;
            }
            self.terminator_visible(&split, f.terminator(block), block);
        }
        self.block = None;
    }

    fn terminator_visible(&mut self, split: &Split, terminator: &Terminator, block: Block) {
        let f = self.f;
        let all = |list| f.list(list).iter().copied();
        let results = match terminator {
            Terminator::Return(results) => f.list(*results),
            _ => &[],
        };
        let values = terminator.calls().flat_map(|call| all(call.args));
        for value in values.chain(terminator.condition()).chain(results.iter().copied()) {
            self.visible(split, value, block, u32::MAX);
        }
        if let Terminator::Throw(_, Some(exit)) = terminator {
            self.exit_visible(split, *exit, block, u32::MAX);
        }
    }

    fn exit_visible(&mut self, split: &Split, exit: Exit, block: Block, position: u32) {
        for &arg in self.f.exit_args(exit) {
            self.visible(split, arg, block, position);
        }
    }

    fn visible(&mut self, split: &Split, value: Value, block: Block, position: u32) {
        let f = self.f;
        let start = split.starts[block.index()];
        let holds = match f.def(value) {
            Def::Const(_) => true,
            Def::Param(home, _) => {
                // A parameter that was dropped still names its block.
                let here = f.block_params(home).contains(&value);
                let top = split.starts[home.index()];
                here && top != NONE && split.dominators.dominates(top, start)
            }
            Def::Result(inst, _) => match split.places[inst.index()] {
                (NONE, _) => false,
                (home, at) if home == block.index() as u32 => at < position,
                (home, _) => {
                    let bottom = split.ends[home as usize];
                    bottom != NONE && split.dominators.dominates(bottom, start)
                }
            },
        };
        if !holds {
            let what = match f.def(value) {
                Def::Result(inst, _) if split.places[inst.index()].0 == NONE => "stands nowhere".to_owned(),
                Def::Result(inst, _) => {
                    let home = Block::from_index(split.places[inst.index()].0 as usize);
                    format!("is made in {}", self.block_name(home))
                }
                Def::Param(home, _) => format!("is a parameter of {}", self.block_name(home)),
                Def::Const(_) => "is a constant".to_owned(),
            };
            self.report_value(Invariant::Dominance, Some(value), format!("{what} and is not known here"));
        }
    }

    fn split(&self) -> Split {
        let (f, count) = (self.f, self.f.block_count());
        let (mut edges, mut split) = (Vec::new(), vec![false; count]);
        let mut places = vec![(NONE, 0); f.inst_count()];
        for &block in f.blocks() {
            let start = block.index() as u32;
            for (_, handler) in f.handlers(block) {
                split[block.index()] = true;
                edges.push((start, handler.block.index() as u32));
            }
            let end = if split[block.index()] { start + count as u32 } else { start };
            if end != start {
                edges.push((start, end));
            }
            edges.extend(f.block_calls(block).map(|call| (end, call.block.index() as u32)));
            for (&inst, position) in f.block_insts(block).iter().zip(0..) {
                places[inst.index()] = (start, position);
            }
        }
        let outside = 2 * count as u32;
        let from_outside = f.entrances().iter().map(|entrance| entrance.block);
        edges.extend(
            std::iter::once(f.entry()).chain(from_outside).map(|block| (outside, block.index() as u32)),
        );
        let graph = Graph::new(2 * count + 1, &edges);
        let order = graph.reverse_postorder(outside);
        let mut numbers = vec![NONE; 2 * count + 1];
        for (&vertex, number) in order.iter().zip(0..) {
            numbers[vertex as usize] = number;
        }
        let turned: Vec<(u32, u32)> = (edges.iter())
            .map(|&(from, to)| (numbers[to as usize], numbers[from as usize]))
            .filter(|&(_, from)| from != NONE)
            .collect();
        let dominators = Dominators::new(&Graph::new(order.len(), &turned));
        let ends = (0..count).map(|at| numbers[if split[at] { at + count } else { at }]).collect();
        numbers.truncate(count);
        Split { starts: numbers, ends, dominators, places }
    }
}
