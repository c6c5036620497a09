//! The control-flow graph of a function, in numbers.
//!
//! Blocks that the entry reaches are numbered in reverse postorder, the entry being 0; terminators and
//! handlers of exits are edges alike. An analysis walks numbers and flat vectors and asks for the
//! [`Block`] only when it looks inside. Nothing is cached in the function: whoever changes it computes
//! this again, in time linear in blocks and edges.

use planish_base::SideTable;

use crate::dominators::Dominators;
use crate::function::{Block, Function};
use crate::graph::Graph;

/// Order, successors and predecessors of the blocks that can be reached.
#[derive(Clone)]
pub struct Cfg {
    order: Vec<Block>,
    /// One more than the number of a block; 0 for what cannot be reached.
    numbers: SideTable<Block, u32>,
    succs: Graph,
    preds: Graph,
}

impl Cfg {
    /// The graph of a function that has at least one block.
    pub fn new(function: &Function) -> Self {
        // Arena positions first: numbers are known only when the walk is done.
        use planish_base::Id;
        let mut edges = Vec::new();
        for &block in function.blocks() {
            let from = block.index() as u32;
            edges.extend(function.block_calls(block).map(|call| (from, call.block.index() as u32)));
            edges.extend(function.handlers(block).map(|(_, handler)| (from, handler.block.index() as u32)));
        }
        let whole = Graph::new(function.block_count(), &edges);
        let order = whole.reverse_postorder(function.entry().index() as u32);
        let order: Vec<Block> = order.into_iter().map(|at| Block::from_index(at as usize)).collect();
        let mut numbers = SideTable::<Block, u32>::new();
        numbers.reserve(function.block_count());
        for (&block, number) in order.iter().zip(1..) {
            numbers[block] = number;
        }
        edges.retain_mut(|(from, to)| {
            let number = |at: u32| numbers[Block::from_index(at as usize)];
            (*from, *to) = (number(*from).wrapping_sub(1), number(*to).wrapping_sub(1));
            *from != u32::MAX
        });
        let succs = Graph::new(order.len(), &edges);
        let preds = succs.reversed();
        Cfg { order, numbers, succs, preds }
    }

    /// The blocks that can be reached, in reverse postorder.
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// The block with a number.
    #[inline]
    pub fn block(&self, number: u32) -> Block {
        self.order[number as usize]
    }

    /// The number of a block; `None` when it cannot be reached.
    #[inline]
    pub fn number(&self, block: Block) -> Option<u32> {
        self.numbers[block].checked_sub(1)
    }

    /// Whether a block can be reached.
    #[inline]
    pub fn is_reachable(&self, block: Block) -> bool {
        self.numbers[block] != 0
    }

    /// Successors by number: those of the terminator, then handlers, with repetitions.
    pub fn succs(&self) -> &Graph {
        &self.succs
    }

    /// Predecessors by number, with repetitions.
    pub fn preds(&self) -> &Graph {
        &self.preds
    }

    /// The dominator tree, by number.
    pub fn dominators(&self) -> Dominators {
        Dominators::new(&self.preds)
    }
}

#[cfg(test)]
mod tests {
    use crate::text::read;

    #[test]
    fn handlers_are_edges_and_unreachable_blocks_have_no_number() {
        let (module, diagnostics) = read(
            "callee @f raises reads () writes ()\n\
             func f(v0: i64) {\n\
             a:\n    call(v0) @f else to(v0) [*: h]\n    branch v0, b, b\n\
             lost:\n    jump b\n\
             b:\n    return\n\
             h(v1: ref, v2: i64):\n    jump b\n}\n",
        );
        assert!(diagnostics.is_empty());
        let function = module.functions.values().next().unwrap();
        let cfg = super::Cfg::new(function);
        let names: Vec<_> = cfg.order().iter().map(|&b| function.block_name(b).unwrap()).collect();
        assert_eq!(names, ["a", "h", "b"]);
        assert_eq!(cfg.succs().of(0), [2, 2, 1]);
        assert_eq!(cfg.preds().of(2), [0, 0, 1]);
        assert_eq!(cfg.number(function.blocks()[1]), None);
        assert_eq!(cfg.dominators().idom(2), 0);
    }
}
