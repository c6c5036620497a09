//! What is known of a loop: chains of its values, and when it leaves where.

use hashbrown::HashMap;
use planish_ir::{BlockCall, Value};
use rustc_hash::FxBuildHasher;

use super::expressions::Expr;
use super::loop_context::Tested;
use super::recurrence::Recurrence;
use super::trip_count::Count;

/// What is known of a loop.
#[derive(Default)]
pub struct Evolution {
    /// The values of the loop that have a chain.
    pub values: HashMap<Value, Recurrence, FxBuildHasher>,
    /// Its exits, in order.
    pub exits: Vec<Exit>,
    /// Whether it surely ends, unless a loop inside it does not.
    pub ends: bool,
    /// How often it goes back to its header before it ends, a number without sign: the number of the round in which it
    /// is left, counted from 0. Only if it has one exit.
    pub rounds: Option<Expr>,
    /// Counters that do not wrap until the loop leaves, the number of the round among them.
    pub(super) tested: Vec<Tested>,
}

/// An edge out of a loop.
pub struct Exit {
    /// From which block.
    pub from: u32,
    /// Where it goes, with which arguments.
    pub call: BlockCall,
    /// When the loop leaves there, if it is tested in every round, and whatever values are.
    pub count: Option<Count>,
    /// The same where it depends on the bound whether it leaves there at all.
    pub perhaps: Option<Count>,
}
