//! Reverse postorder, edges and reducibility (Hecht and Ullman 1974) of the graph that the engine walks.
//!
//! Reverse postorder over terminators and handlers, the edges of each block in one vector, and which
//! of them go back. Memory is reused between functions. An edge *retreats* when its target does not
//! come later in reverse postorder; a function is *reducible* when the target of every retreating edge
//! dominates its source (Hecht and Ullman 1974), which asks for dominators only if something retreats.

use planish_base::Id;
use planish_ir::dominators::Dominators;
use planish_ir::graph::Graph;
use planish_ir::{Block, Function};

/// No number: the block cannot be reached.
const NONE: u32 = u32::MAX;

/// Order and edges of a function.
#[derive(Default)]
pub(crate) struct Flow {
    /// Blocks that can be reached, in reverse postorder.
    pub order: Vec<Block>,
    number: Vec<u32>,
    /// Where the edges of the n-th block of the order begin.
    starts: Vec<u32>,
    targets: Vec<Block>,
    /// For each block: how many edges come from blocks earlier in the order.
    forward: Vec<u32>,
    header: Vec<bool>,
    handler: Vec<bool>,
    entrance: Vec<bool>,
    /// Edges that retreat: (target, source), by target.
    pub back: Vec<(Block, Block)>,
    /// Whether the target of every retreating edge dominates its source.
    pub reducible: bool,
    /// The dominators, by number; only where an edge retreats.
    dominators: Option<Dominators>,
    stack: Vec<(Block, u32)>,
    successors: Vec<Block>,
}

impl Flow {
    /// Computes everything for a function. O(size of the function), but for dominators, which are
    /// computed where an edge retreats.
    pub fn compute(&mut self, f: &Function) {
        let count = f.block_count();
        self.order.clear();
        self.starts.clear();
        self.targets.clear();
        self.back.clear();
        for table in [&mut self.number, &mut self.forward] {
            table.clear();
        }
        self.number.resize(count, NONE);
        self.forward.resize(count, 0);
        for table in [&mut self.header, &mut self.handler, &mut self.entrance] {
            table.clear();
            table.resize(count, false);
        }
        f.entrances().iter().for_each(|entrance| self.open(entrance.block));
        self.postorder(f);
        for index in 0..self.order.len() {
            let block = self.order[index];
            self.starts.push(self.targets.len() as u32);
            self.targets.extend(f.block_calls(block).map(|call| call.block));
            for (_, handler) in f.handlers(block) {
                self.handler[handler.block.index()] = true;
                self.targets.push(handler.block);
            }
            for &target in &self.targets[self.starts[index] as usize..] {
                if self.number[target.index()] > index as u32 {
                    self.forward[target.index()] += 1;
                } else {
                    self.header[target.index()] = true;
                    self.back.push((target, block));
                }
            }
        }
        self.starts.push(self.targets.len() as u32);
        self.back.sort_unstable();
        self.back.dedup();
        self.reducible = true;
        self.dominators = None;
        // A block dominates itself.
        if self.back.iter().any(|(target, source)| target != source) {
            let dominators = self.dominate();
            let number = |block: Block| self.number[block.index()];
            let natural =
                |&(target, source): &(Block, Block)| dominators.dominates(number(target), number(source));
            self.reducible = self.back.iter().all(natural);
            self.dominators = Some(dominators);
        }
    }

    /// The edges of a block, handlers last, with repetitions.
    pub fn edges(&self, block: Block) -> &[Block] {
        let index = self.number[block.index()] as usize;
        &self.targets[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Whether the edge goes to a block that does not come later.
    pub fn retreats(&self, source: Block, target: Block) -> bool {
        self.number[target.index()] <= self.number[source.index()]
    }

    /// How many edges come to a block from earlier ones.
    pub fn forward_edges(&self, block: Block) -> u32 {
        self.forward[block.index()]
    }

    /// Whether an edge retreats to the block.
    pub fn is_header(&self, block: Block) -> bool {
        self.header[block.index()]
    }

    /// Whether an exit goes to the block.
    pub fn is_handler(&self, block: Block) -> bool {
        self.handler[block.index()]
    }

    /// Whether control comes to the block from other functions too.
    pub fn is_entrance(&self, block: Block) -> bool {
        self.entrance[block.index()]
    }

    /// Whether control comes to the block otherwise than from the ends of others: what they hand over is not all that
    /// its parameters may be.
    pub fn is_open(&self, block: Block) -> bool {
        self.is_handler(block) || self.is_entrance(block)
    }

    /// Notes that control comes to a block from other functions too.
    pub fn open(&mut self, block: Block) {
        self.entrance[block.index()] = true;
    }

    /// The immediate dominator of a block that can be reached, where an edge of the function retreats.
    pub fn dominator(&self, block: Block) -> Option<Block> {
        let idom = self.dominators.as_ref()?.idom(self.number[block.index()]);
        Some(self.order[idom as usize])
    }

    fn dominate(&self) -> Dominators {
        let mut edges = Vec::with_capacity(self.targets.len());
        for source in 0..self.order.len() {
            for edge in self.starts[source]..self.starts[source + 1] {
                edges.push((self.number[self.targets[edge as usize].index()], source as u32));
            }
        }
        Dominators::new(&Graph::new(self.order.len(), &edges))
    }

    fn postorder(&mut self, f: &Function) {
        let entry = f.entry();
        // While the search runs, `number` only says which blocks were seen.
        self.number[entry.index()] = 0;
        self.stack.push((entry, 0));
        self.successors.clear();
        push_successors(f, entry, &mut self.successors);
        while let Some((block, start)) = self.stack.pop() {
            if self.successors.len() > start as usize {
                let next = self.successors.pop().expect("the list is longer than its start");
                self.stack.push((block, start));
                if self.number[next.index()] == NONE {
                    self.number[next.index()] = 0;
                    self.stack.push((next, self.successors.len() as u32));
                    push_successors(f, next, &mut self.successors);
                }
            } else {
                self.order.push(block);
            }
        }
        self.order.reverse();
        for (index, block) in self.order.iter().enumerate() {
            self.number[block.index()] = index as u32;
        }
    }
}

/// The blocks to which a block may go, the first to be searched last.
fn push_successors(f: &Function, block: Block, list: &mut Vec<Block>) {
    list.extend(f.block_calls(block).map(|call| call.block));
    list.extend(f.handlers(block).map(|(_, handler)| handler.block));
}
