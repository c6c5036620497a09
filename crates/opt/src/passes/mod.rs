//! Passes over the shape of control flow, one file each.
//!
//! What the walk of the engine cannot do because it only goes forward and never copies a block. Each pass
//! does one thing and leaves the rest to the walk behind it: a rotated loop leaves parameters that are always
//! the same, an unrolled one branches that are decided.
//!
//! - [`rotate`]: loops are tested at their end.
//! - [`unroll`]: loops that run a known, small number of times are written out.
//! - [`thread`]: a branch whose outcome is known on the way there is jumped over.
//! - [`states`]: a loop that goes where a variable says goes there directly.
//! - [`conditions`]: what says which way a branch went is its condition.
//! - [`congruence`]: values that are equal around loops.
//! - [`schedule`]: operations stand where they are executed least.
//! - [`hoist`]: what all arms of a branch do is done in front of it.
//! - [`settle`]: the first round of a loop is apart where variables settle in it.
//! - [`unswitch`]: a branch that is the same in every round is taken in front of the loop.
//! - [`strength`]: what grows by a constant each round is added up.
//! - [`recursion`]: functions that end by calling themselves become loops.
//! - [`inline`]: calls become the bodies of their functions.
//! - [`cells`]: what is loaded from memory of cells is what was stored.
//! - [`loads`]: what objects and arrays are known to hold is not loaded again.
//! - [`choose`]: branches around nothing become choices.
//! - [`twins`]: of two regions that compute the same, the second is skipped.
//!
//! None but [`thread`], [`states`], [`conditions`] and [`loads`] takes a function with exception handlers
//! ([`Pass::without_handlers`](crate::Pass::without_handlers)).

use planish_ir::Module;

use crate::pipeline::PassCx;
use crate::record::Record;

pub mod cells;
pub mod choose;
pub mod conditions;
pub mod congruence;
pub mod hoist;
pub mod inline;
pub mod loads;
mod nest;
pub mod recursion;
pub mod rotate;
pub mod schedule;
pub mod settle;
pub mod states;
pub mod strength;
#[cfg(test)]
mod testing;
pub mod thread;
pub mod twins;
pub mod unroll;
pub mod unswitch;
mod worth;

/// What is done with all functions of a module before each is optimized for itself: recursion becomes loops
/// where it can, then calls are inlined.
pub fn prepare(module: &mut Module, record: &mut Record) {
    let Module { functions, descriptors, .. } = &mut *module;
    for function in functions.values_mut() {
        recursion::PASS.apply(function, &mut PassCx::new(descriptors, record));
    }
    inline::run(module, record);
}
