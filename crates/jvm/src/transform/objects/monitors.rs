//! Lock elision (HotSpot's `EliminateLocks`): whether the monitors of fresh objects are balanced.
//!
//! A monitor that only one thread knows holds nobody up, so entering and leaving it goes with its object. But leaving one
//! that was not entered throws `IllegalMonitorStateException`, and a method that returns with one may. Compilers write
//! regions, others need not: so all ways through a body are counted, and an object stays whose count is not the same on
//! each way to a place, goes below zero, or is not zero in the end (*structured locking*, JVM specification 2.11.10).

use planish_base::SideTable;
use planish_ir::{Block, Exit, ExitTarget, Function, Terminator};

use super::Objects;
use super::deeds::Deed;

/// How often a monitor was entered where blocks begin.
#[derive(Default)]
struct Depths {
    of: SideTable<Block, Option<u32>>,
    /// The blocks that were not looked at so far.
    work: Vec<Block>,
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
}

impl Objects {
    /// Lets objects escape whose monitors are not left as often as they are entered. O(size of the body) for each object
    /// with one.
    pub(super) fn escape_unbalanced(&mut self, f: &Function) {
        let mut locked: Vec<usize> = Vec::new();
        for (_, inst) in f.live_insts() {
            if let Some(Deed::Enter | Deed::Leave) = self.deeds[inst]
                && let Some(number) = self.number(f.args(inst)[0])
                && !locked.contains(&number)
            {
                locked.push(number);
            }
        }
        for number in locked {
            self.list[number].escapes |= !self.is_balanced(f, number);
        }
    }

    /// Whether the monitor of an object is entered and left as it has to be on all ways.
    fn is_balanced(&self, f: &Function, number: usize) -> bool {
        let mut depths = Depths::default();
        depths.begin(f.entry(), 0);
        while let Some(block) = depths.work.pop() {
            let mut depth = depths.of[block].unwrap_or_default();
            for &inst in f.block_insts(block) {
                let about = f.args(inst).first().and_then(|&first| self.number(first)) == Some(number);
                let is_made = f.first_result(inst).and_then(|made| self.number(made)) == Some(number);
                let goes_on = match self.deeds[inst] {
                    // Neither throws where all is well.
                    Some(Deed::Enter) if about => {
                        depth += 1;
                        true
                    }
                    Some(Deed::Leave) if about => match depth.checked_sub(1) {
                        Some(left) => {
                            depth = left;
                            true
                        }
                        None => false,
                    },
                    // The object of the last round is another one.
                    _ if is_made => depth == 0 && depths.exit(f, f.inst(inst).exit, depth),
                    _ => depths.exit(f, f.inst(inst).exit, depth),
                };
                if !goes_on {
                    return false;
                }
            }
            let ends_well = match *f.terminator(block) {
                Terminator::Return(_) => depth == 0,
                Terminator::Throw(_, exit) => depths.exit(f, exit, depth) && (exit.is_some() || depth == 0),
                _ => f.block_calls(block).all(|call| depths.begin(call.block, depth)),
            };
            if !ends_well {
                return false;
            }
        }
        true
    }
}
