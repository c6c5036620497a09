//! Permission to rewrite (LLVM's `OptBisect` and debug counters): asked for one rewrite at a time.

use planish_ir::{Block, Function, Inst};

use crate::info::PassInfo;
use crate::record::{Became, Kind, Record, Site};

/// Leave to rewrite under the name of a pass. Each rewrite burns fuel and is recorded; what was refused must not happen.
pub struct Leave<'a> {
    record: &'a mut Record,
    kind: Kind,
}

impl<'a> Leave<'a> {
    /// Leave for a pass.
    pub fn new(record: &'a mut Record, pass: &PassInfo) -> Self {
        Leave { record, kind: Kind::Pass(pass.name) }
    }

    /// Asks for a rewrite of an instruction.
    #[must_use]
    pub fn rewrite(&mut self, f: &Function, inst: Inst, became: Became) -> bool {
        self.record.rewrite_at(self.kind, || Site::of(f, inst), became)
    }

    /// Asks whether the flow of control at a block may change.
    #[must_use]
    pub fn change_flow(&mut self, f: &Function, block: Block) -> bool {
        self.record.rewrite_at(self.kind, || Site::of_block(f, block), Became::Changed)
    }

    /// Asks for several rewrites that can only be made together: they burn the fuel of one.
    #[must_use]
    pub fn rewrite_together(&mut self, count: usize, became: Became) -> bool {
        if count == 0 || !self.record.rewrite(self.kind, Site::NONE, became) {
            return false;
        }
        (1..count).for_each(|_| self.record.note(self.kind, Site::NONE, became));
        true
    }
}
