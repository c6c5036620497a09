//! Loop-closed SSA form (LLVM's LCSSA): what a loop computes goes out of it through parameters of a block behind its exit.
//!
//! A pass that copies a loop leaves values with several definitions. Where they are used behind the loop, [`repair`] settles which
//! reaches what by parameters of blocks; but a handler that is entered from the middle of a block has no place for one. So in
//! functions with handlers a loop is closed before it is copied: then nothing but the loop uses what it makes, and its copies hand it
//! on as arguments of a jump.
//!
//! That holds for a loop without a way to a handler, which has one edge out of it: every use behind the loop is behind that edge.
//! All loops are closed in two walks. O(size of the function).
//!
//! [`repair`]: planish_ir::repair()

use planish_base::SideTable;
use planish_ir::liveness::for_each_use;
use planish_ir::{Block, BlockCall, Function, Terminator, Value, map_uses_in};

/// The blocks that are entered by an exception.
pub(super) fn handlers(f: &Function) -> SideTable<Block, bool> {
    let mut entered = SideTable::new();
    if f.has_handlers() {
        for &block in f.blocks() {
            f.handlers(block).for_each(|(_, handler)| entered[handler.block] = true);
        }
    }
    entered
}

/// Whether a loop of these blocks, of which the first is its header, may be closed: nothing in it leads to a handler, it does not
/// begin with one, and one edge leaves it.
pub(super) fn may_be_closed(f: &Function, blocks: &[Block], entered: &SideTable<Block, bool>) -> bool {
    let leads_to_handler = |&block: &Block| f.handlers(block).next().is_some();
    let mut out = blocks.iter().flat_map(|&block| out_of(f, block, blocks));
    let leaves_once = out.next().is_some() && out.next().is_none();
    leaves_once && !blocks.iter().any(|&block| entered[block]) && !blocks.iter().any(leads_to_handler)
}

/// The edges from a block of a loop out of that.
fn out_of<'f>(f: &'f Function, block: Block, blocks: &'f [Block]) -> impl Iterator<Item = BlockCall> + 'f {
    f.block_calls(block).filter(|call| !blocks.contains(&call.block))
}

/// Closes loops, which have no block in common and may all be closed.
pub(super) fn close(f: &mut Function, loops: &[Vec<Block>]) {
    // By block and by value the number of its loop, from 1; 0 for all others.
    let mut within = SideTable::<Block, u32>::new();
    let mut home = SideTable::<Value, u32>::new();
    for (blocks, number) in loops.iter().zip(1..) {
        for &block in blocks {
            within[block] = number;
            f.block_params(block).iter().for_each(|&param| home[param] = number);
            f.block_insts(block).iter().for_each(|&inst| f.results(inst).for_each(|v| home[v] = number));
        }
    }
    let mut is_used = SideTable::<Value, bool>::new();
    let mut used: Vec<Vec<Value>> = vec![Vec::new(); loops.len()];
    let mut leaves = |value: Value| {
        if home[value] > 0 && !std::mem::replace(&mut is_used[value], true) {
            used[home[value] as usize - 1].push(value);
        }
    };
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| {
            if home[value] != within[block] {
                leaves(value);
            }
        });
        if let Some(blocks) = within[block].checked_sub(1).map(|number| &loops[number as usize]) {
            let out = out_of(f, block, blocks).flat_map(|call| f.list(call.args).iter().copied());
            out.filter(|&value| home[value] == within[block]).for_each(&mut leaves);
        }
    }
    let mut stands = SideTable::<Value, Option<Value>>::new();
    for (blocks, used) in loops.iter().zip(&used).filter(|(_, used)| !used.is_empty()) {
        go_through_parameters(f, blocks, used, &mut stands);
    }
    for block in f.blocks().to_vec() {
        let number = within[block];
        map_uses_in(f, block, |value| match stands[value] {
            Some(param) if home[value] != number => param,
            _ => value,
        });
    }
}

/// Puts a block on the edge out of a loop, with a parameter for each value that is used behind it.
fn go_through_parameters(
    f: &mut Function,
    blocks: &[Block],
    used: &[Value],
    stands: &mut SideTable<Value, Option<Value>>,
) {
    let Some(source) = blocks.iter().copied().find(|&block| out_of(f, block, blocks).next().is_some()) else {
        return;
    };
    let behind = f.make_block();
    for &value in used {
        stands[value] = Some(f.add_param(behind, f.ty(value)));
    }
    let mut terminator = f.take_terminator(source);
    for call in terminator.calls_mut().filter(|call| !blocks.contains(&call.block)) {
        let args = f.list(call.args).to_vec();
        let on = f.make_call(call.block, &args);
        f.set_terminator(behind, Terminator::Jump(on));
        *call = f.make_call(behind, used);
    }
    f.set_terminator(source, terminator);
}
