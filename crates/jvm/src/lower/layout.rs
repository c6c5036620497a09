//! The order in which blocks are written: loops are tested at their end.
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

/// Moves the tests of loops. O(blocks), and once more for each test that moves.
pub fn test_at_ends(f: &Function, uses: &Uses, blocks: &mut [Block]) {
    // The last block of the layout that does nothing in the end but jump to a block.
    let mut last_jump: Vec<Option<Block>> = vec![None; f.block_count()];
    for &block in blocks.iter() {
        if let Terminator::Jump(call) = f.terminator(block) {
            last_jump[call.block.index()] = Some(block);
        }
    }
    let before = blocks.to_vec();
    for &header in &before {
        let Some(latch) = last_jump[header.index()] else { continue };
        let Terminator::Branch { then, other, .. } = f.terminator(header) else { continue };
        if header == f.entry() {
            continue;
        }
        let place = |block: Block| blocks.iter().position(|&other| other == block);
        let (Some(from), Some(to)) = (place(header), place(latch)) else { continue };
        let (Some(&body), Some(&next)) = (blocks.get(from + 1), blocks.get(to + 1)) else { continue };
        let goes_to = |inside: Block, outside: Block| {
            let ways = [(then, other), (other, then)];
            ways.into_iter().find(|(a, b)| a.block == inside && b.block == outside)
        };
        let moves_nothing = |(way, _): (&BlockCall, &BlockCall)| {
            let params = f.block_params(way.block).iter();
            params.zip(f.list(way.args)).all(|(param, arg)| param == arg || uses.count(*param) == 0)
        };
        if from < to && body != next && goes_to(body, next).is_some_and(moves_nothing) {
            blocks[from..=to].rotate_left(1);
        }
    }
}
