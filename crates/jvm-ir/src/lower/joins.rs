//! Phis on the operand stack: parameters of blocks that come on it.
//!
//! The value of a choice, `c ? a : b`, is made on each way and used where they meet. In a register it is
//! stored on each way and loaded again; on the stack it is neither. A block may have one such parameter, of
//! which nothing is kept below, if that makes fewer instructions: each edge that has to push its argument
//! anyway saves a store, the first use saves a load if it comes before anything else, and a register that is
//! not on the stack yet costs a load. Headers of loops have none: their variables stay where they are.

use planish_base::Id;
use planish_ir::{Block, Cfg, Function, Inst, Terminator, Value};

use crate::lower::uses::Uses;

/// By block the parameter that comes on the stack. O(size of the function).
pub fn on_stack(f: &Function, uses: &Uses, is_handler: &[bool]) -> Vec<Option<Value>> {
    let mut chosen = vec![None; f.block_count()];
    if f.blocks().iter().skip(1).all(|&block| f.block_params(block).is_empty()) {
        return chosen;
    }
    let cfg = Cfg::new(f);
    // For each parameter: edges that push, edges that would not have to.
    let mut edges: Vec<(i64, i64)> = vec![(0, 0); f.value_count()];
    let mut is_header = vec![false; f.block_count()];
    for (number, &source) in (0..).zip(cfg.order()) {
        for call in f.block_calls(source) {
            is_header[call.block.index()] |=
                cfg.number(call.block).is_none_or(|target: u32| target <= number);
            for (&param, &arg) in f.block_params(call.block).iter().zip(f.list(call.args)) {
                let is_made_here = uses.count(arg) == 1 && uses.only_in(arg, source);
                let (pushes, loads) = &mut edges[param.index()];
                match f.constant(arg).is_some() || (f.def_inst(arg).is_some() && is_made_here) {
                    true => *pushes += 1,
                    false => *loads += 1,
                }
            }
        }
    }
    for &block in cfg.order() {
        if block == f.entry() || is_handler[block.index()] || is_header[block.index()] {
            continue;
        }
        let first = first_needed(f, uses, block);
        let gain = |param: Value| {
            let (pushes, loads) = edges[param.index()];
            let count = i64::from(uses.count(param));
            let is_taken = count == 1 && first == Some(param);
            let fits = (1..=2).contains(&count) && uses.only_in(param, block) && pushes + loads > 1;
            // One that is not taken is stored where the block begins.
            let gain = if is_taken { pushes + 1 - loads } else { pushes - loads - 1 };
            (fits && gain > 0).then_some(gain)
        };
        let gains = f.block_params(block).iter().filter_map(|&param| Some((gain(param)?, param)));
        chosen[block.index()] = gains.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, param)| param);
    }
    chosen
}

/// The value that a block pushes first, as far as that is plain.
fn first_needed(f: &Function, uses: &Uses, block: Block) -> Option<Value> {
    let root = f.block_insts(block).iter().find(|&&inst| uses.is_root(f, inst));
    let mut value = match root {
        Some(&inst) => *f.args(inst).first()?,
        None => match f.terminator(block) {
            Terminator::Return(results) => *f.list(*results).first()?,
            Terminator::Jump(call) => match f.list(call.args) {
                &[only] => only,
                _ => return None,
            },
            terminator => terminator.condition()?,
        },
    };
    while let Some(inst) = uses.deferred(f, value) {
        value = first_operand(f, inst)?;
    }
    Some(value)
}

/// The operand of an expression that is pushed first.
fn first_operand(f: &Function, inst: Inst) -> Option<Value> {
    let args = f.args(inst);
    // A constant in front of a comparison changes places with what it is compared with.
    args.iter().copied().find(|&arg| f.constant(arg).is_none())
}
