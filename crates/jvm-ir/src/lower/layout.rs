//! Block layout with loop rotation: the order in which blocks are written, loops tested at their end.
//!
//! Compilers put the test of a loop in front of its body and a jump back behind it, so that every round takes two
//! jumps. Behind the body the test is the jump back, and one `goto` leads to it when the loop is entered: as many
//! instructions, of which a round executes one less. (Loop inversion by layout; nothing is copied.)
//!
//! A header moves behind the last block that jumps to it if its body follows it now and what follows that block is
//! where the loop goes on in the end: then both ways of the test fall through where they did or jump where they did.

use planish_base::Id;
use planish_ir::{Block, BlockCall, Function, Terminator};

use crate::lower::uses::Uses;

/// Moves the tests of loops. O(blocks).
pub fn test_at_ends(f: &Function, uses: &Uses, blocks: &mut [Block]) {
    let mut order = Order::of(f, blocks);
    // The last block of the layout that does nothing in the end but jump to a block.
    let mut last_jump: Vec<Option<Block>> = vec![None; f.block_count()];
    for &block in blocks.iter() {
        if let Terminator::Jump(call) = f.terminator(block) {
            last_jump[call.block.index()] = Some(block);
        }
    }
    for &header in blocks.iter().filter(|&&block| block != f.entry()) {
        let Some(latch) = last_jump[header.index()] else { continue };
        let Terminator::Branch { then, other, .. } = f.terminator(header) else { continue };
        let (Some(body), Some(next)) = (order.next[header.index()], order.next[latch.index()]) else {
            continue;
        };
        let goes_to = |inside: Block, outside: Block| {
            let ways = [(then, other), (other, then)];
            ways.into_iter().find(|(a, b)| a.block == inside && b.block == outside)
        };
        let moves_nothing = |(way, _): (&BlockCall, &BlockCall)| {
            let params = f.block_params(way.block).iter();
            params.zip(f.list(way.args)).all(|(param, arg)| param == arg || uses.count(*param) == 0)
        };
        // A test moves once, and what jumps back to one never does: they stand to each other as they did.
        if order.began_before(header, latch) && body != next && goes_to(body, next).is_some_and(moves_nothing)
        {
            order.put_behind(header, latch);
        }
    }
    order.write(blocks);
}

/// The order of blocks, in which one is moved in constant time.
struct Order {
    first: Option<Block>,
    next: Vec<Option<Block>>,
    prev: Vec<Option<Block>>,
    /// Where blocks stood at first.
    places: Vec<usize>,
}

impl Order {
    fn of(f: &Function, blocks: &[Block]) -> Self {
        let count = f.block_count();
        let (mut next, mut prev, mut places) = (vec![None; count], vec![None; count], vec![0; count]);
        for pair in blocks.windows(2) {
            next[pair[0].index()] = Some(pair[1]);
            prev[pair[1].index()] = Some(pair[0]);
        }
        for (place, block) in blocks.iter().enumerate() {
            places[block.index()] = place;
        }
        Order { first: blocks.first().copied(), next, prev, places }
    }

    /// Whether a block stood in front of another at first.
    fn began_before(&self, a: Block, b: Block) -> bool {
        self.places[a.index()] < self.places[b.index()]
    }

    /// Moves a block that is not the first one behind another that is not the last one.
    fn put_behind(&mut self, moved: Block, other: Block) {
        let (before, after) = (self.prev[moved.index()], self.next[moved.index()]);
        self.link(before, after);
        let behind = self.next[other.index()];
        self.link(Some(other), Some(moved));
        self.link(Some(moved), behind);
    }

    fn link(&mut self, a: Option<Block>, b: Option<Block>) {
        if let Some(a) = a {
            self.next[a.index()] = b;
        }
        if let Some(b) = b {
            self.prev[b.index()] = a;
        }
    }

    /// Writes the order into as many places.
    fn write(&self, blocks: &mut [Block]) {
        let walk = std::iter::successors(self.first, |block| self.next[block.index()]);
        blocks.iter_mut().zip(walk).for_each(|(place, block)| *place = block);
    }
}
