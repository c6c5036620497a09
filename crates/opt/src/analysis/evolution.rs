//! What is known of a loop: chains of its values, and when it leaves where.

use hashbrown::HashMap;
use planish_ir::{BlockCall, Inst, Value};
use planish_ops::Int;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::expressions::Expr;
use super::recurrence::Recurrence;

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
    /// What a test in every round compares that does not wrap until the loop leaves, also from what it was a round before the
    /// first one, and whether that is so as a number with sign or as one without.
    pub never_wraps: Vec<(Value, bool)>,
    /// Comparisons that stand in the loop, with an operand that counts and has not wrapped in any round in which it is compared, and
    /// whether that is so as a number with sign or as one without. Only where something is extended in the loop.
    pub in_range: FxHashSet<(Inst, Value, bool)>,
    /// What variables become, where they do not wrap in the first round, as numbers with sign or without. Also only there.
    pub first_steps: FxHashSet<(Value, bool)>,
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

/// When a loop leaves at one of its exits.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// In which round, counted from 0, a number without sign, if it does not leave elsewhere before.
    pub rounds: Expr,
    /// The counter that is tested, if it does not wrap until then.
    pub tested: Option<Tested>,
    /// If there is one: nothing of this holds where a bound is that number.
    pub unless: Option<Unless>,
}

/// The one bound of a loop with which its counter wraps.
#[derive(Clone, Copy, Debug)]
pub struct Unless {
    /// The bound.
    pub bound: Expr,
    /// What it is then.
    pub is: Int,
    /// Whether the loop does not leave at this exit at all then.
    pub is_endless: bool,
}

impl Exit {
    /// When the loop leaves there, with any bound but one, with which it does not at all.
    pub fn or_never(&self) -> Option<Count> {
        self.perhaps.filter(|count| count.unless.is_some_and(|unless| unless.is_endless))
    }
}

/// A chain `{start, +, step}` that does not wrap until the loop leaves, the value in that round included.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// What it is first.
    pub start: Expr,
    /// What is added each round.
    pub step: Int,
    /// What it is when the loop leaves, where that is simple.
    pub last: Option<Expr>,
    /// Whether it does not wrap as a number with sign.
    pub signed: bool,
    /// Whether it does not wrap as a number without sign.
    pub unsigned: bool,
}
