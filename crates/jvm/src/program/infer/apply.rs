//! A body with what was found out about its values.
//!
//! A value that is one constant is replaced wherever it is used: branches on it are decided, and what
//! computed it goes if it has no effect. Null checks of references that are not null go. Nothing else of
//! the body changes; the optimizer does the rest.

use planish_ir::{Function, Value};
use planish_ops::Op;

use crate::program::infer::MethodFacts;

impl MethodFacts {
    /// Writes what is known into a body that was lifted from the code which was analysed. Gives the number
    /// of values that became constants, and of checks that went.
    pub fn apply(&self, f: &mut Function) -> (u64, u64) {
        if f.value_count() != self.values {
            return (0, 0);
        }
        let mut checks = 0;
        for &block in &f.blocks().to_vec() {
            let insts = f.block_insts(block).to_vec();
            let is_needless = |&inst: &planish_ir::Inst| {
                f.inst(inst).op == Op::NullCheck && self.nonnull.binary_search(&f.args(inst)[0]).is_ok()
            };
            let kept: Vec<_> = insts.iter().copied().filter(|inst| !is_needless(inst)).collect();
            if kept.len() < insts.len() {
                checks += (insts.len() - kept.len()) as u64;
                f.replace_insts(block, kept);
            }
        }
        if self.constants.is_empty() {
            return (0, checks);
        }
        let mut new: Vec<Option<Value>> = vec![None; self.values];
        for &(value, constant) in &self.constants {
            new[planish_base::Id::index(value)] = Some(f.make_constant(constant));
        }
        f.map_uses(|value| new.get(planish_base::Id::index(value)).copied().flatten().unwrap_or(value));
        (self.constants.len() as u64, checks)
    }
}
