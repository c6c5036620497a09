//! Lock elision (HotSpot's `EliminateLocks`): whether the monitors of fresh objects are balanced.
//!
//! A monitor that only one thread knows holds nobody up, so entering and leaving it goes with its object. But leaving one
//! that was not entered throws `IllegalMonitorStateException`, and a method that returns with one may. Compilers write
//! regions, others need not: so all ways through a body are counted, and an object stays whose count is not the same on
//! each way to a place, goes below zero, or is not zero in the end (*structured locking*, JVM specification 2.11.10).

use planish_base::{SideTable, Worklist};
use planish_ir::{Block, Exit, ExitTarget, Function, Inst, Terminator, Value};
use planish_pass::aggregates::Deed;

use super::webs::Webs;

/// How often a monitor was entered where blocks begin.
#[derive(Default)]
struct Depths {
    of: SideTable<Block, Option<u32>>,
    /// The blocks that were not looked at so far.
    work: Worklist<Block>,
}

impl Depths {
    /// A block begins with a monitor that was entered so often. Whether it always does.
    fn begin(&mut self, block: Block, depth: u32) -> bool {
        match self.of[block] {
            Some(known) => known == depth,
            None => {
                self.of[block] = Some(depth);
                self.work.push(block);
                true
            }
        }
    }

    /// The handlers of an exit begin with it. Whether they always do.
    fn exit(&mut self, f: &Function, exit: Option<Exit>, depth: u32) -> bool {
        match exit.map(|exit| &f.exit(exit).target) {
            Some(ExitTarget::To(handlers)) => handlers.iter().all(|handler| self.begin(handler.block, depth)),
            _ => true,
        }
    }

    /// Where an instruction goes on with a monitor that was entered so often; `None` where that is not as it has to be.
    fn behind(
        &mut self,
        f: &Function,
        inst: Inst,
        depth: u32,
        (deed, is_made): (Option<Deed>, bool),
    ) -> Option<u32> {
        match deed {
            // Neither throws where all is well.
            Some(Deed::Enter) => Some(depth + 1),
            Some(Deed::Leave) => depth.checked_sub(1),
            // The object of the last round is another one.
            _ => ((!is_made || depth == 0) && self.exit(f, f.inst(inst).exit, depth)).then_some(depth),
        }
    }

    /// Whether a block may end with a monitor that was entered so often.
    fn end(&mut self, f: &Function, block: Block, depth: u32) -> bool {
        match *f.terminator(block) {
            Terminator::Return(_) => depth == 0,
            Terminator::Throw(_, exit) => self.exit(f, exit, depth) && (exit.is_some() || depth == 0),
            _ => f.block_calls(block).all(|call| self.begin(call.block, depth)),
        }
    }
}

impl Webs {
    /// Lets objects stay whose monitors are not left as often as they are entered. O(size of the body) for each object
    /// with one.
    pub(super) fn spoil_unbalanced(&mut self, f: &Function) {
        for web in 0..self.all.len() {
            if self.all[web].locks && self.all[web].goes() {
                let name = self.all[web].names[0];
                self.all[web].is_spoilt = !self.is_balanced(f, name);
            }
        }
    }

    /// Whether the monitor of an object with one name is entered and left as it has to be on all ways.
    fn is_balanced(&self, f: &Function, name: Value) -> bool {
        let mut depths = Depths::default();
        depths.begin(f.entry(), 0);
        while let Some(block) = depths.work.pop() {
            let mut depth = depths.of[block].unwrap_or_default();
            for &inst in f.block_insts(block) {
                let is_about = f.args(inst).first().is_some_and(|&first| self.names[first] == Some(name));
                let deed = self.deed(inst).map(|(deed, _)| deed).filter(|_| is_about);
                let is_made = f.first_result(inst) == Some(name);
                match depths.behind(f, inst, depth, (deed, is_made)) {
                    Some(now) => depth = now,
                    None => return false,
                }
            }
            if !depths.end(f, block, depth) {
                return false;
            }
        }
        true
    }
}
