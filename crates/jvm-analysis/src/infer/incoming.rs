//! Incoming arguments of block parameters (phi operands), found once, and only if somebody asks.

use planish_ir::{Block, Function, Value};

/// The edges of a function.
pub(super) struct Incoming {
    /// Where each leads and where it comes from, in ascending order, once for each pair.
    edges: Vec<(Block, Block)>,
    /// The blocks where handlers begin, in ascending order.
    handlers: Vec<Block>,
}

impl Incoming {
    /// Those of a function. O(function), sorted.
    pub fn of(f: &Function) -> Self {
        let (mut edges, mut handlers) = (Vec::new(), Vec::new());
        for &block in f.blocks() {
            edges.extend(f.block_calls(block).map(|call| (call.block, block)));
            handlers.extend(f.handlers(block).map(|(_, handler)| handler.block));
        }
        edges.sort_unstable();
        edges.dedup();
        handlers.sort_unstable();
        handlers.dedup();
        Incoming { edges, handlers }
    }

    /// Adds what is passed to a parameter of a block. `false` if a handler begins there: what that sees may be of any
    /// place that it guards.
    pub fn arguments(&self, f: &Function, to: Block, place: usize, work: &mut Vec<Value>) -> bool {
        if self.handlers.binary_search(&to).is_ok() {
            return false;
        }
        let first = self.edges.partition_point(|&(end, _)| end < to);
        for &(_, from) in self.edges[first..].iter().take_while(|&&(end, _)| end == to) {
            let calls = f.block_calls(from).filter(|call| call.block == to);
            work.extend(calls.filter_map(|call| f.list(call.args).get(place)));
        }
        true
    }
}
