//! Ages: which of two values is made first where the program runs. The numbers of values do not tell: a rewrite may make a new
//! one in front of old ones.

use planish_base::SideTable;
use planish_ir::{Block, Def, Function, Inst, Value};

/// When blocks were entered and operations emitted.
#[derive(Default)]
pub(crate) struct Ages {
    now: u32,
    blocks: SideTable<Block, u32>,
    insts: SideTable<Inst, u32>,
}

impl Ages {
    /// Forgets everything, keeps the memory, and makes room for the operations of a function.
    pub fn start(&mut self, f: &Function) {
        self.now = 0;
        self.blocks.clear();
        self.insts.clear();
        self.insts.reserve(f.inst_count());
    }

    /// Takes note of a block that is entered.
    pub fn entered(&mut self, block: Block) {
        self.now += 1;
        self.blocks[block] = self.now;
    }

    /// Takes note of an operation that is emitted.
    pub fn emitted(&mut self, inst: Inst) {
        self.now += 1;
        self.insts[inst] = self.now;
    }

    /// When a value was made; what is there from the beginning has no age.
    pub fn of(&self, f: &Function, value: Value) -> u32 {
        match f.def(value) {
            Def::Param(block, _) => self.blocks[block],
            Def::Result(inst, _) => self.insts[inst],
            Def::Const(_) => 0,
        }
    }
}
