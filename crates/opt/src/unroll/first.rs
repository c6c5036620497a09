//! Unrolling of traces, the copy: a preamble is peeled off, so that a loop has a first iteration of its own (Ardö, Bolz
//! and Fijałkowski, DLS 2012).
//!
//! ```text
//! entry:  jump start(inputs)              entry:  jump start(inputs)
//! start(a): A; jump start(b)       =>     start(a): A; jump body(b)
//!                                         body(a'): A'; branch ?, body(b'), start(b')
//! ```
//!
//! Which way the body ends is not decided here: where it can begin again is known when it was optimized.
//! Until then both are possible, and what the walk concludes holds for either.

use planish_base::SideTable;
use planish_ir::{Block, Const, Exit, Function, Terminator, Value};

/// The blocks of a peeled loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Peeled {
    /// The first iteration.
    pub start: Block,
    /// Every further one.
    pub body: Block,
}

/// Peels a trace that jumps back to its start and does something. Nothing for any other function. O(size of the function).
pub(crate) fn peel(f: &mut Function) -> Option<Peeled> {
    let entry = f.entry();
    let &Terminator::Jump(into) = f.terminator(entry) else { return None };
    let start = into.block;
    let &Terminator::Jump(back) = f.terminator(start) else { return None };
    if back.block != start || start == entry || f.blocks().len() != 2 || !f.block_insts(entry).is_empty() {
        return None;
    }
    if f.block_insts(start).is_empty() {
        return None;
    }
    let body = f.make_block();
    f.name_block(body, "body");
    let mut copy: SideTable<Value, Option<Value>> = SideTable::new();
    copy.reserve(f.value_count());
    for index in 0..f.block_params(start).len() {
        let param = f.block_params(start)[index];
        let ty = f.ty(param);
        copy[param] = Some(f.add_param(body, ty));
    }
    let mut last_exit: Option<Exit> = None;
    let (mut mapped, mut types) = (Vec::new(), Vec::new());
    for position in 0..f.block_insts(start).len() {
        let inst = f.block_insts(start)[position];
        let data = *f.inst(inst);
        let exit = data.exit.map(|exit| {
            map(f.exit_args(exit), &copy, &mut mapped);
            let made = f.make_exit_like(exit, &mapped, last_exit);
            last_exit = Some(made);
            made
        });
        types.clear();
        types.extend(f.results(inst).map(|result| f.ty(result)));
        map(f.args(inst), &copy, &mut mapped);
        let again = f.make_inst(data.op, &mapped, &types, data.descr, exit, data.location);
        for (old, new) in f.results(inst).zip(f.results(again)) {
            copy[old] = Some(new);
        }
        f.append_inst(body, again);
    }
    let next = f.list(back.args).to_vec();
    map(&next, &copy, &mut mapped);
    let condition = f.make_constant(Const::Hole);
    let (then, other) = (f.make_call(body, &mapped), f.make_call(start, &mapped));
    f.set_terminator(body, Terminator::Branch { condition, then, other });
    let first = f.make_call(body, &next);
    f.set_terminator(start, Terminator::Jump(first));
    Some(Peeled { start, body })
}

/// The values that stand in the body for those of the first iteration.
fn map(values: &[Value], copy: &SideTable<Value, Option<Value>>, mapped: &mut Vec<Value>) {
    mapped.clear();
    mapped.extend(values.iter().map(|&value| copy[value].unwrap_or(value)));
}
