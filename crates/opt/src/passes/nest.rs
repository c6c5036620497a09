//! The loops of a function with what passes ask of them: blocks, latches, what lies in what.

use planish_base::Id;
use planish_ir::Cfg;
use planish_ir::loops::Loops;

/// A loop.
pub(super) struct Natural {
    /// The block through which it is entered.
    pub header: u32,
    /// The loop around it, as an index into [`Nest::all`].
    pub parent: Option<u32>,
    /// Its blocks in reverse postorder, those of loops inside included.
    pub blocks: Vec<u32>,
    /// The blocks that go back to the header, in order.
    pub latches: Vec<u32>,
    /// Whether it can be entered beside its header. No pass changes such a loop.
    pub irreducible: bool,
}

/// The loops of a function.
pub(super) struct Nest {
    loops: Loops,
    all: Vec<Natural>,
}

impl Nest {
    /// Finds the loops of a graph. O(edges + blocks times depth of nesting).
    pub fn new(cfg: &Cfg) -> Self {
        let loops = Loops::new(cfg.succs());
        let natural = |id| Natural {
            header: loops.header(id),
            parent: loops.parent(id).map(|parent| parent.index() as u32),
            blocks: Vec::new(),
            latches: Vec::new(),
            irreducible: loops.is_irreducible(id),
        };
        let mut nest = Nest { all: loops.ids().map(natural).collect(), loops };
        for block in 0..cfg.order().len() as u32 {
            for id in nest.loops.around(block) {
                let l = &mut nest.all[id.index()];
                l.blocks.push(block);
                if cfg.succs().of(block).contains(&l.header) {
                    l.latches.push(block);
                }
            }
        }
        nest
    }

    /// The loops, outer ones before those inside.
    pub fn all(&self) -> &[Natural] {
        &self.all
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: u32) -> Option<u32> {
        self.loops.innermost(block).map(|id| id.index() as u32)
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: u32) -> u32 {
        self.loops.depth(block)
    }

    /// Whether a block is in a loop, or in one inside of it.
    pub fn contains(&self, index: u32, block: u32) -> bool {
        self.loops.around(block).any(|id| id.index() as u32 == index)
    }
}
