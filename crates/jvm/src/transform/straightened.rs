//! Copies of methods for constants that decide every branch, written as straight lines.
//!
//! What a loop does in each round stands there once for each, one after the other ([`Straight`]).

use planish_base::SideTable;
use planish_ir::{Function, Terminator, Value};
use planish_jvm_analysis::infer::straight::Straight;
use planish_ops::Type;

/// Makes a straight line of a function, if its constants decide every branch. O(length of the line).
pub(super) fn straighten(f: &mut Function) {
    if f.blocks().len() == 1 {
        return;
    }
    let Ok(straight) = Straight::of(f, &[]) else { return };
    let mut now: SideTable<Value, Option<Value>> = SideTable::new();
    let mut line = Vec::new();
    let mut end = Terminator::Unreachable;
    for (block, taken) in straight.way {
        for inst in f.block_insts(block).to_vec() {
            let data = *f.inst(inst);
            let args: Vec<Value> = f.args(inst).iter().map(|&arg| now[arg].unwrap_or(arg)).collect();
            let old: Vec<Value> = f.results(inst).collect();
            let types: Vec<Type> = old.iter().map(|&result| f.ty(result)).collect();
            let new = f.make_inst(data.op, &args, &types, data.descr, None, data.location);
            old.into_iter().zip(f.results(new)).for_each(|(old, new)| now[old] = Some(new));
            line.push(new);
        }
        let handed = match (taken, f.terminator(block)) {
            (Some(call), _) => call.args,
            (None, Terminator::Return(results)) => *results,
            (None, _) => return,
        };
        let handed: Vec<Value> = f.list(handed).iter().map(|&arg| now[arg].unwrap_or(arg)).collect();
        match taken {
            Some(call) => {
                f.block_params(call.block)
                    .iter()
                    .zip(handed)
                    .for_each(|(&param, arg)| now[param] = Some(arg));
            }
            None => end = Terminator::Return(f.make_list(&handed)),
        }
    }
    let entry = f.entry();
    f.replace_insts(entry, line);
    f.set_terminator(entry, end);
    f.retain_blocks(|block| block == entry);
}
