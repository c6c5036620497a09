//! Sparse re-evaluation: which blocks of a body have to be looked at again when something is found out.
//!
//! A block does to what is known always the same as long as nothing grew that it reads: values of other blocks, and
//! what calls and fields give. So a block is looked at again only if it is marked as stale by a value that grew, or if
//! it calls or reads fields and anything outside of the method gave more since. In straight code nothing is looked at
//! twice. Which facts are found does not depend on it: looking at the other blocks would change nothing.

use planish_base::Id;
use planish_ir::{Block, Function, Terminator, Value};

/// What the blocks of a body read.
pub(super) struct Reads {
    /// Where the readers of each value begin, and where the last ones end.
    first: Vec<u32>,
    readers: Vec<Block>,
    /// For each block whether it has instructions that name something.
    reads_outside: Vec<bool>,
}

impl Reads {
    /// Those of a body. O(size).
    pub fn of(f: &Function) -> Self {
        let mut reads_outside = vec![false; f.block_count()];
        // By value the block that makes it by an instruction, and the block that was last seen to read it.
        let mut made_in: Vec<Option<Block>> = vec![None; f.value_count()];
        let mut last: Vec<Option<Block>> = vec![None; f.value_count()];
        for &block in f.blocks() {
            for &inst in f.block_insts(block) {
                f.results(inst).for_each(|value| made_in[value.index()] = Some(block));
                reads_outside[block.index()] |= f.inst(inst).descr.is_some();
            }
        }
        let mut pairs: Vec<(Value, Block)> = Vec::new();
        for &block in f.blocks() {
            let mut read = |value: Value| {
                let place = value.index();
                // What a block makes itself it makes before it reads it.
                let is_new = made_in[place] != Some(block) && last[place] != Some(block);
                if is_new && f.constant(value).is_none() {
                    last[place] = Some(block);
                    pairs.push((value, block));
                }
            };
            for &inst in f.block_insts(block) {
                f.args(inst).iter().for_each(|&arg| read(arg));
                let exit = f.inst(inst).exit;
                exit.iter().for_each(|&exit| f.exit_args(exit).iter().for_each(|&arg| read(arg)));
            }
            f.block_calls(block).for_each(|call| f.list(call.args).iter().for_each(|&arg| read(arg)));
            let terminator = f.terminator(block);
            terminator.condition().into_iter().for_each(&mut read);
            match terminator {
                Terminator::Return(results) => f.list(*results).iter().for_each(|&result| read(result)),
                Terminator::Throw(_, Some(exit)) => f.exit_args(*exit).iter().for_each(|&arg| read(arg)),
                _ => {}
            }
        }
        let mut first = vec![0u32; f.value_count() + 1];
        pairs.iter().for_each(|(value, _)| first[value.index() + 1] += 1);
        for place in 1..first.len() {
            first[place] += first[place - 1];
        }
        let mut next = first.clone();
        let mut readers = vec![f.entry(); pairs.len()];
        for (value, block) in pairs {
            let place = &mut next[value.index()];
            readers[*place as usize] = block;
            *place += 1;
        }
        Reads { first, readers, reads_outside }
    }

    /// The blocks that read a value which they do not make.
    pub fn readers(&self, value: Value) -> &[Block] {
        let place = value.index();
        &self.readers[self.first[place] as usize..self.first[place + 1] as usize]
    }
}

/// When the blocks of a body were looked at.
#[derive(Default)]
pub(super) struct Looks {
    /// By block whether a value that it reads grew since, or it was never looked at.
    stale: Vec<bool>,
    /// By block how often anything had given more when it was looked at.
    clock: Vec<u64>,
}

impl Looks {
    /// No block of a body was looked at.
    pub fn none(f: &Function) -> Self {
        Looks { stale: vec![true; f.block_count()], clock: vec![0; f.block_count()] }
    }

    /// A value grew.
    pub fn grew(&mut self, value: Value, reads: &Reads) {
        reads.readers(value).iter().for_each(|block| self.stale[block.index()] = true);
    }

    /// Whether a block has to be looked at, at this time; if so, it is looked at now.
    pub fn begins(&mut self, block: Block, reads: &Reads, clock: u64) -> bool {
        let place = block.index();
        let begins = self.stale[place] || reads.reads_outside[place] && self.clock[place] < clock;
        if begins {
            self.stale[place] = false;
            self.clock[place] = clock;
        }
        begins
    }
}
