//! Unrolling of traces (Ardö, Bolz and Fijałkowski, "Loop-Aware Optimizations in PyPy's Tracing JIT", DLS 2012; PyPy's
//! `unroll.py`): a loop is optimized with what its first iteration found out.
//!
//! The loop is peeled ([`first`]). The first iteration is walked with nothing known of its inputs. What holds at
//! its end is exported: the shapes of the values that come around ([`state`]), so that an object that
//! was not made need not be made in the loop either, and results that the loop may use if it computes
//! them again at its end ([`crate::engine::imports`]). The body is walked under these assumptions, and at its end they
//! are shown to hold for the next iteration: its values must have the same shapes, and what was used is
//! computed again, for which the optimizer often finds that it knows the result. Where an assumption
//! does not hold, a guard may be added that leaves at a place which the trace provides for that
//! (`guard_future_condition`); where that cannot be, the loop goes through its first iteration again.
//!
//! From "Loop-aware optimizations in PyPy's tracing JIT" (Ardö, Bolz, Fijałkowski, DLS 2012). There the
//! operations that make a loop's assumptions hold are kept for other traces that come to it, as its *short
//! preamble* ([`short`]).
//!
//! Everything here is a part of the [memory](crate::memory) stage, which alone knows what objects that are not made
//! consist of.

pub(crate) mod first;

pub(crate) mod state;
pub(crate) mod target;

mod again;
mod export;
mod merge;
mod short;

use planish_base::SideTable;
use planish_ir::{Block, Value};

pub(crate) use again::is_future;
pub(crate) use first::{Peeled, peel};
pub(crate) use merge::merge;
pub use short::Short;
use state::State;

use crate::memory::Accessed;

/// What a trace has to do with loops of other traces that begin where it began or where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Meets {
    /// Nothing.
    #[default]
    Nobody,
    /// Others may enter its loop.
    Followers,
    /// It may enter the loops of those before it, instead of returning.
    Loops,
}

/// Where a trace goes that may enter loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// The body of a loop, by its number among those that may be entered.
    Loop(usize),
    /// The beginning of the first, which assumes nothing: what a loop assumes is contradicted.
    Start,
    /// No loop assumes what holds of it: it would need a version of its own.
    None,
}

/// What a walk over a peeled loop knows of it.
pub(crate) struct Peeling {
    peeled: Peeled,
    /// The shapes at the end of the first iteration.
    state: State,
    /// For each node of the state the value in the body.
    inside: Vec<Option<Value>>,
    /// What the body's parameters were before they were those of the state.
    old_params: Vec<Value>,
    /// What accesses said of the types of references before the body, where PyPy is followed.
    accessed: Accessed,
    /// Values from before the body that were reached in it, with how much was emitted then, where PyPy is followed.
    reached: Vec<(usize, Value)>,
    /// The values that the next iteration has for parameters of the body.
    next: SideTable<Value, Option<Value>>,
}

impl Peeling {
    /// Nothing is known yet.
    pub fn new(peeled: Peeled) -> Peeling {
        Peeling {
            peeled,
            state: State::default(),
            inside: Vec::new(),
            old_params: Vec::new(),
            accessed: Accessed::default(),
            reached: Vec::new(),
            next: SideTable::new(),
        }
    }
}

/// What a block is to a peeled loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The first iteration.
    Start,
    /// Every further one.
    Body,
    /// Nothing.
    Other,
}

impl Role {
    /// What a block is to the loop at work.
    pub fn of(peeling: Option<&Peeling>, block: Block) -> Role {
        match peeling {
            Some(peeling) if peeling.peeled.start == block => Role::Start,
            Some(peeling) if peeling.peeled.body == block => Role::Body,
            _ => Role::Other,
        }
    }
}
