//! What the registers of handler parameters hold where blocks begin.
//!
//! An instruction that handlers guard stores what they need before it, unless it is there already. What is
//! there is found forwards over the blocks: what every edge brings (available copies, as in any text on
//! data flow). A copy of a value is stale once the value is made anew, in the next round of a loop.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use planish_ir::{Block, ExitTarget, Function, Terminator, Value};
use rustc_hash::FxBuildHasher;

/// By handler parameter the value that its register holds.
pub type Held = BTreeMap<Value, Value>;

/// Values are made: registers that held what they were do not hold them.
pub fn forget(held: &mut Held, made: impl Iterator<Item = Value>) {
    if !held.is_empty() {
        for value in made {
            held.retain(|_, holds| *holds != value);
        }
    }
}

/// What is held where each of `blocks` begins, which are those that the entry reaches. O(blocks times
/// handler parameters) for each step that a loop nest needs.
pub fn at_starts(f: &Function, blocks: &[Block]) -> HashMap<Block, Held, FxBuildHasher> {
    let mut starts: HashMap<Block, Held, FxBuildHasher> = HashMap::default();
    if blocks.iter().all(|&block| f.handlers(block).next().is_none()) {
        return starts;
    }
    starts.insert(f.entry(), Held::default());
    // A handler begins with parameters of its own.
    for &block in blocks {
        for (_, handler) in f.handlers(block) {
            starts.insert(handler.block, Held::default());
        }
    }
    let mut changed = true;
    while std::mem::replace(&mut changed, false) {
        for &block in blocks {
            // Not reached so far: everything is held.
            let Some(start) = starts.get(&block) else { continue };
            let mut held = start.clone();
            for &inst in f.block_insts(block) {
                if let Some(exit) = f.inst(inst).exit {
                    leave(f, exit, &mut held);
                }
                forget(&mut held, f.results(inst));
            }
            if let Terminator::Throw(_, Some(exit)) = f.terminator(block) {
                leave(f, *exit, &mut held);
            }
            for call in f.block_calls(block) {
                let mut brought = held.clone();
                forget(&mut brought, f.block_params(call.block).iter().copied());
                match starts.get_mut(&call.block) {
                    None => {
                        starts.insert(call.block, brought);
                        changed = true;
                    }
                    Some(known) => {
                        let before = known.len();
                        known.retain(|param, value| brought.get(param) == Some(value));
                        changed |= known.len() != before;
                    }
                }
            }
        }
    }
    starts
}

/// An instruction may leave by an exit: its handlers have what they need.
fn leave(f: &Function, exit: planish_ir::Exit, held: &mut Held) {
    if let ExitTarget::To(handlers) = &f.exit(exit).target {
        for handler in handlers {
            for (&param, &arg) in f.block_params(handler.block).iter().skip(1).zip(f.exit_args(exit)) {
                held.insert(param, arg);
            }
        }
    }
}
