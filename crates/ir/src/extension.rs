//! Zero and sign extension that operations are known to do (LLVM's `zeroext` and `signext`): loads of narrow places, and calls
//! whose callee promises it.

use planish_ops::world::{Extension, World};
use planish_ops::{Effect, Op};

use crate::function::{Function, Inst, Value};

/// How the result of a load or a call is made of fewer bits than its type has, as far as that is known. O(1).
pub fn result_extension(f: &Function, world: &dyn World, inst: Inst) -> Option<Extension> {
    let data = f.inst(inst);
    let descr = data.descr?;
    let extension = match (data.op, data.op.effect()) {
        (Op::Call | Op::CallRef, _) => world.call_effect(descr).result,
        (_, Effect::Load) => world.location(descr).and_then(|location| location.extension()),
        _ => None,
    }?;
    let result = f.first_result(inst)?;
    extension.narrows(f.ty(result)).then_some(extension)
}

/// Whether a number is 0 or 1, by the load or the call that gives it. O(1).
pub fn is_loaded_bool(f: &Function, world: &dyn World, value: Value) -> bool {
    let inst = f.def_inst(value).filter(|&inst| f.first_result(inst) == Some(value));
    inst.and_then(|inst| result_extension(f, world, inst)).is_some_and(Extension::is_bool)
}
