//! Who may tell a recursion from a loop.
//!
//! A method that ends by calling itself can be a loop, which needs no stack. A program sees the difference where the
//! recursion would have exhausted the stack. One that speaks of the error that is thrown then is waiting for it; others
//! are taken to have no such recursion.

use crate::program::Program;

/// The error of a stack that is exhausted.
const OVERFLOW: &[u8] = b"java/lang/StackOverflowError";

/// Whether no class of a program speaks of the error that a recursion without end throws. O(constants).
pub fn nobody_counts_frames(program: &Program<'_>) -> bool {
    program.classes.values().all(|class| {
        let pool = &class.file.pool;
        pool.indices().all(|index| !pool.is_class(index) || pool.class(index) != Ok(OVERFLOW))
    })
}
