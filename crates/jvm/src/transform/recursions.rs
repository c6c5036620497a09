//! When tail recursion elimination is observable: who may tell a recursion from a loop.
//!
//! A method that ends by calling itself can be a loop, which needs no stack. A program sees the difference where the
//! recursion would have exhausted the stack. One that speaks of the error that is thrown then is waiting for it; others
//! are taken to have no such recursion.
//!
//! A method of an object calls itself if nothing can override it, and if it is the same object: another one might be null.

use planish_ir::Function;
use planish_jvm_ir::naming::Names;
use planish_jvm_model::program::Program;
use planish_ops::Op;
use planish_ops::world::World;

/// The error of a stack that is exhausted.
const OVERFLOW: &[u8] = b"java/lang/StackOverflowError";

/// Whether no class of a program speaks of the error that a recursion without end throws. O(constants).
pub fn nobody_counts_frames(program: &Program<'_>) -> bool {
    program.classes.values().all(|class| {
        let pool = &class.file.pool;
        pool.indices().all(|index| !pool.is_class(index) || pool.class(index) != Ok(OVERFLOW))
    })
}

/// Whether a method calls itself only on the object whose method runs. O(body).
pub fn stays_with_receiver(f: &Function, names: &Names, is_static: bool) -> bool {
    let itself = |descr| names.world().called(descr) == f.name;
    let receiver = f.params().first();
    is_static
        || f.live_insts().all(|(_, inst)| {
            let data = f.inst(inst);
            data.op != Op::Call || !data.descr.is_some_and(itself) || f.args(inst).first() == receiver
        })
}
