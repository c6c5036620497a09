//! Which functions come back.
//!
//! A function without stores may still not return: it divides by zero, or stays in a loop that has no way
//! out. A call of it then says more than its results, and neither goes when nothing needs them nor happens
//! where it did not. Loops with a way out are taken to end, and so is recursion: what a result does not
//! need of them is no part of a program.

use hashbrown::HashMap;
use planish_base::{Id, Worklist};
use planish_ops::world::{CallEffect, Descr, World};
use planish_ops::{Effect, Op};
use rustc_hash::FxBuildHasher;

use crate::module::Descriptor;
use crate::{FuncId, Function, Inst, Module, Terminator};

/// Whether an operation is undefined for some operands that it may have here.
///
/// A divisor that is a number other than zero is safe; nothing else is looked into.
pub fn may_trap(f: &Function, inst: Inst) -> bool {
    let row = f.row(inst);
    let safe = |operand: u8| f.int_constant(f.args(inst)[usize::from(operand)]).is_some_and(|d| d.is_true());
    row.effect == Effect::Pure && row.partial && f.inst(inst).exit.is_none() && !row.divisor.is_some_and(safe)
}

/// For each block whether it is reached, and nothing can be from it: neither a way out of the function nor a
/// place where nothing is defined. O(blocks).
pub fn endless_blocks(f: &Function) -> Vec<bool> {
    let mut preds = vec![Vec::new(); f.block_count()];
    let mut reached = vec![false; f.block_count()];
    let mut leaves = vec![false; f.block_count()];
    let (mut work, mut ends) = (Worklist::from(vec![f.entry()]), Worklist::default());
    reached[f.entry().index()] = true;
    while let Some(block) = work.pop() {
        if matches!(
            f.terminator(block),
            Terminator::Return(_) | Terminator::Throw(..) | Terminator::Unreachable
        ) {
            leaves[block.index()] = true;
            ends.push(block);
        }
        for call in f.block_calls(block) {
            preds[call.block.index()].push(block);
            if !std::mem::replace(&mut reached[call.block.index()], true) {
                work.push(call.block);
            }
        }
    }
    while let Some(block) = ends.pop() {
        for &pred in &preds[block.index()] {
            if !std::mem::replace(&mut leaves[pred.index()], true) {
                ends.push(pred);
            }
        }
    }
    reached.into_iter().zip(leaves).map(|(reached, leaves)| reached && !leaves).collect()
}

/// The functions of a module that always return, as far as this is seen.
pub struct Returns {
    functions: Vec<bool>,
    callees: HashMap<Descr, FuncId, FxBuildHasher>,
}

impl Returns {
    /// Looks at every function once. O(size of the module).
    pub fn new(module: &Module) -> Self {
        let mut returns = Returns { functions: Vec::new(), callees: HashMap::default() };
        for (id, function) in module.functions.iter() {
            if let Some(descr) = module.descriptors.callee(&function.name) {
                returns.callees.entry(descr).or_insert(id);
            }
        }
        let mut callers = vec![Vec::new(); module.functions.len()];
        let mut work = Worklist::default();
        for (id, function) in module.functions.iter() {
            let mut always = !endless_blocks(function).contains(&true);
            for (_, inst) in function.live_insts() {
                match returns.callee(function, inst) {
                    Some(callee) => callers[callee.index()].push(id),
                    None => always &= !outside(module, function, inst) && !may_trap(function, inst),
                }
            }
            returns.functions.push(always);
            if !always {
                work.push(id);
            }
        }
        while let Some(id) = work.pop() {
            for &caller in &callers[id.index()] {
                if std::mem::replace(&mut returns.functions[caller.index()], false) {
                    work.push(caller);
                }
            }
        }
        returns
    }

    /// Whether a function always returns.
    pub fn function(&self, id: FuncId) -> bool {
        self.functions[id.index()]
    }

    /// Whether control always goes on behind an operation without effects or a call.
    pub fn inst(&self, module: &Module, function: &Function, inst: Inst) -> bool {
        match self.callee(function, inst) {
            Some(callee) => self.function(callee),
            None => !outside(module, function, inst) && !may_trap(function, inst),
        }
    }

    fn callee(&self, function: &Function, inst: Inst) -> Option<FuncId> {
        let data = function.inst(inst);
        data.descr.filter(|_| data.op == Op::Call).and_then(|descr| self.callees.get(&descr).copied())
    }
}

/// Whether an instruction calls what is no function of the module, and may not come back from there.
fn outside(module: &Module, function: &Function, inst: Inst) -> bool {
    let data = function.inst(inst);
    let comes_back = |descr: Descr| {
        let effect = module.descriptors.call_effect(descr);
        effect.elidable && !effect.raises
    };
    matches!(data.op, Op::Call | Op::CallRef) && !data.descr.is_some_and(comes_back)
}

/// Says what calls of the functions of a module do: those of functions that always return, and call nothing outside
/// that does more than compute, are pure; the others are as `acts` says.
pub fn set_effects(module: &mut Module, acts: &CallEffect) {
    let returns = Returns::new(module);
    let calls: Vec<(Descr, FuncId)> = module
        .functions
        .iter()
        .filter_map(|(id, function)| Some((module.descriptors.callee(&function.name)?, id)))
        .collect();
    for (descr, id) in calls {
        let effect = if returns.function(id) { CallEffect::pure() } else { acts.clone() };
        module.descriptors.set(descr, Descriptor::Callee(effect));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn traps_and_loops_without_a_way_out_are_seen_through_calls() {
        let source = "callee @divides elidable reads () writes ()\ncallee @halves elidable reads () writes ()\n\
             callee @stays elidable reads () writes ()\ncallee @outside reads () writes ()\n\
             func divides(v0: i64, v1: i64) -> i64 {\na:\n    v2 = sdiv(v0, v1)\n    return v2\n}\n\
             func halves(v0: i64) -> i64 {\na:\n    v1 = sdiv(v0, 2)\n    return v1\n}\n\
             func stays(v0: i64) {\na:\n    branch v0, b, c\nb:\n    jump b\nc:\n    return\n}\n\
             func ends(v0: i64) {\na:\n    branch v0, a2(v0), c\na2(v1: i64):\n    branch v1, a2(v0), c\nc:\n    return\n}\n\
             func calls(v0: i64) -> i64 {\na:\n    v1: i64 = call(v0, v0) @divides\n    return v1\n}\n\
             func asks(v0: i64) -> i64 {\na:\n    v1: i64 = call(v0) @halves\n    return v1\n}\n";
        let (module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors(), "{source}");
        let returns = Returns::new(&module);
        let named = |name: &str| returns.function(module.find(name).expect("it is there"));
        assert_eq!(
            ["divides", "halves", "stays", "ends", "calls", "asks"].map(named),
            [false, true, false, true, false, true]
        );
    }
}
