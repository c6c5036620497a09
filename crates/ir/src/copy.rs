//! Copies of blocks, as unrolling, rotating and threading need them.
//!
//! Edges between copied blocks are between the copies, edges that leave go where they went. Nothing goes to
//! a copy until the caller lets it; then values of the blocks have two definitions each, and
//! [`repair`](crate::repair::repair) lets every use see the right one.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::function::{Block, BlockCall, Function, Terminator, Value};

/// What was copied.
pub struct Copied {
    blocks: HashMap<Block, Block, FxBuildHasher>,
    /// Values of the blocks with their copies, in order.
    pub values: Vec<(Value, Value)>,
}

impl Copied {
    /// The copy of a block that was copied.
    pub fn block(&self, block: Block) -> Option<Block> {
        self.blocks.get(&block).copied()
    }

    /// The definitions of each value that was copied.
    pub fn groups(&self) -> Vec<Vec<Value>> {
        self.values.iter().map(|&(old, new)| vec![old, new]).collect()
    }
}

/// Copies blocks, to the end of the layout; a copy has no name. No exit in them goes to a handler. O(size of
/// the blocks).
pub fn copy_blocks(f: &mut Function, blocks: &[Block]) -> Copied {
    // Hashed, not side tables: those are as long as the function is, and many loops are copied one by one.
    let mut copied = Copied { blocks: HashMap::default(), values: Vec::new() };
    let mut values: HashMap<Value, Value, FxBuildHasher> = HashMap::default();
    for &block in blocks {
        let copy = f.make_block();
        copied.blocks.insert(block, copy);
        for index in 0..f.block_params(block).len() {
            let param = f.block_params(block)[index];
            let new = f.add_param(copy, f.ty(param));
            values.insert(param, new);
            copied.values.push((param, new));
        }
    }
    // Results first: a value may be used in a block that is copied before the one that makes it.
    for &block in blocks {
        let copy = copied.blocks[&block];
        for index in 0..f.block_insts(block).len() {
            let inst = f.block_insts(block)[index];
            let new = f.copy_inst(inst);
            f.append_inst(copy, new);
            for (old, new) in f.results(inst).zip(f.results(new)) {
                values.insert(old, new);
                copied.values.push((old, new));
            }
        }
    }
    let map = |value: Value| values.get(&value).copied().unwrap_or(value);
    for &block in blocks {
        let copy = copied.blocks[&block];
        for index in 0..f.block_insts(copy).len() {
            let inst = f.block_insts(copy)[index];
            f.args_mut(inst).iter_mut().for_each(|arg| *arg = map(*arg));
            if let Some(exit) = f.inst(inst).exit {
                let args: Vec<Value> = f.exit_args(exit).iter().map(|&arg| map(arg)).collect();
                f.set_exit_args(exit, &args);
            }
        }
        let terminator = f.terminator(block).clone();
        let new = copy_terminator(f, terminator, &map, &|block| copied.block(block));
        f.set_terminator(copy, new);
    }
    copied
}

/// A terminator with lists of its own, values and blocks mapped.
fn copy_terminator(
    f: &mut Function,
    terminator: Terminator,
    map: &dyn Fn(Value) -> Value,
    block: &dyn Fn(Block) -> Option<Block>,
) -> Terminator {
    let call = |f: &mut Function, call: BlockCall| {
        let args: Vec<Value> = f.list(call.args).iter().map(|&arg| map(arg)).collect();
        f.make_call(block(call.block).unwrap_or(call.block), &args)
    };
    match terminator {
        Terminator::Jump(to) => Terminator::Jump(call(f, to)),
        Terminator::Branch { condition, then, other } => {
            let (then, other) = (call(f, then), call(f, other));
            Terminator::Branch { condition: map(condition), then, other }
        }
        Terminator::Switch { on, cases, default } => {
            let cases = cases.iter().map(|&(key, to)| (key, call(f, to))).collect();
            Terminator::Switch { on: map(on), cases, default: call(f, default) }
        }
        Terminator::Return(results) => {
            let results: Vec<Value> = f.list(results).iter().map(|&value| map(value)).collect();
            Terminator::Return(f.make_list(&results))
        }
        Terminator::Throw(value, exit) => {
            let exit = exit.map(|exit| {
                let args: Vec<Value> = f.exit_args(exit).iter().map(|&arg| map(arg)).collect();
                f.make_exit_like(exit, &args, None)
            });
            Terminator::Throw(map(value), exit)
        }
        Terminator::Unreachable => Terminator::Unreachable,
    }
}
