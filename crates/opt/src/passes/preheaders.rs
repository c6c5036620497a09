//! Loop preheaders (LLVM's `LoopSimplify`): a block in front of each loop, for what leaves it.

use planish_base::SideTable;
use planish_ir::repair::map_uses_in;
use planish_ir::{Block, BlockCall, Cfg, Def, Function, Terminator, Value};
use planish_pass::{Change, LoopInfo, PassCx};

/// Whether control comes to a block by an exit of an instruction.
fn handlers(f: &Function) -> SideTable<Block, bool> {
    let mut is_handler = SideTable::new();
    for &block in f.blocks() {
        f.handlers(block).for_each(|(_, handler)| is_handler[handler.block] = true);
    }
    is_handler
}

/// Gives every loop a block in front of it that does nothing but enter it, unless it begins with a handler. The blocks
/// that were made.
pub(super) fn put_blocks_in_front_of_loops(f: &mut Function, cx: &mut PassCx<'_>) -> Vec<Block> {
    let mut made = Vec::new();
    let cfg = cx.get::<Cfg>(f);
    let loops = cx.get::<LoopInfo>(f);
    let is_handler = handlers(f);
    for (index, l) in (0..).zip(loops.all()) {
        let header = cfg.block(l.header);
        if header == f.entry() || l.irreducible || is_handler[header] {
            continue;
        }
        let preds = cfg.preds().of(l.header).iter();
        let mut sources: Vec<u32> = preds.copied().filter(|&pred| !loops.contains(index, pred)).collect();
        sources.dedup();
        if let &[only] = sources.as_slice()
            && cfg.succs().of(only).len() == 1
        {
            continue;
        }
        // Parameters only where edges differ: what they all pass is as good in front.
        let mut passed: Vec<Option<Value>> = Vec::new();
        for (number, call) in sources
            .iter()
            .flat_map(|&n| f.block_calls(cfg.block(n)))
            .filter(|call| call.block == header)
            .enumerate()
        {
            let args = f.list(call.args);
            match number {
                0 => passed = args.iter().copied().map(Some).collect(),
                _ => passed
                    .iter_mut()
                    .zip(args)
                    .for_each(|(same, &arg)| *same = same.filter(|&other| other == arg)),
            }
        }
        let front = f.make_block();
        made.push(front);
        let mut args = Vec::with_capacity(passed.len());
        for (position, same) in passed.iter().enumerate() {
            let ty = f.ty(f.block_params(header)[position]);
            args.push(same.unwrap_or_else(|| f.add_param(front, ty)));
        }
        let call = f.make_call(header, &args);
        f.set_terminator(front, Terminator::Jump(call));
        for source in sources {
            let source = cfg.block(source);
            let mut terminator = f.take_terminator(source);
            for call in terminator.calls_mut().filter(|call| call.block == header) {
                let differ: Vec<Value> = f
                    .list(call.args)
                    .iter()
                    .zip(&passed)
                    .filter(|(_, same)| same.is_none())
                    .map(|(&arg, _)| arg)
                    .collect();
                *call = f.make_call(front, &differ);
            }
            f.set_terminator(source, terminator);
        }
    }
    if !made.is_empty() {
        cx.changed(Change::Flow);
    }
    made
}

/// Takes away those of these blocks in front of loops that are still empty, and whose parameters nothing else needs: what meets in front of a
/// loop may be needed behind it.
pub(super) fn take_back_empty(f: &mut Function, cx: &mut PassCx<'_>, fronts: &[Block]) {
    let mut skipped: SideTable<Block, Option<BlockCall>> = SideTable::new();
    for &front in fronts {
        if let Terminator::Jump(call) = *f.terminator(front)
            && f.block_insts(front).is_empty()
        {
            skipped[front] = Some(call);
        }
    }
    for front in needed_elsewhere(f, fronts) {
        skipped[front] = None;
    }
    let layout: Vec<Block> = f.blocks().iter().copied().filter(|&block| skipped[block].is_none()).collect();
    if layout.len() == f.blocks().len() {
        return;
    }
    for &block in &layout {
        let mut terminator = f.take_terminator(block);
        for call in terminator.calls_mut() {
            while let Some(next) = skipped[call.block] {
                let through = |&value: &Value| match f.def(value) {
                    Def::Param(home, position) if home == call.block => f.list(call.args)[position as usize],
                    _ => value,
                };
                let args: Vec<Value> = f.list(next.args).iter().map(through).collect();
                *call = f.make_call(next.block, &args);
            }
        }
        f.set_terminator(block, terminator);
    }
    f.set_layout(layout);
    cx.changed(Change::Flow);
}

/// The blocks of which a parameter is used by something other than their jumps.
fn needed_elsewhere(f: &mut Function, fronts: &[Block]) -> Vec<Block> {
    let with_params: Vec<Block> =
        fronts.iter().copied().filter(|&front| !f.block_params(front).is_empty()).collect();
    if with_params.is_empty() {
        return with_params;
    }
    let mut others: SideTable<Value, i32> = SideTable::new();
    for block in f.blocks().to_vec() {
        map_uses_in(f, block, |value| {
            others[value] += 1;
            value
        });
    }
    for &front in &with_params {
        for call in f.block_calls(front) {
            f.list(call.args).iter().for_each(|&arg| others[arg] -= 1);
        }
    }
    let is_needed = |front: &Block| f.block_params(*front).iter().any(|&param| others[param] > 0);
    with_params.into_iter().filter(is_needed).collect()
}
