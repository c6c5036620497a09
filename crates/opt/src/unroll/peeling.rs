//! A loop that was peeled, and what a walk over it knows of it.

use planish_base::SideTable;
use planish_ir::{Block, Value};

use super::first::Peeled;
use super::state::State;
use crate::memory::references::Accessed;

/// What a walk over a peeled loop knows of it.
pub(crate) struct Peeling {
    pub(super) peeled: Peeled,
    /// The shapes at the end of the first iteration.
    pub(super) state: State,
    /// For each node of the state the value in the body.
    pub(super) inside: Vec<Option<Value>>,
    /// What the body's parameters were before they were those of the state.
    pub(super) old_params: Vec<Value>,
    /// What accesses said of the types of references before the body, where PyPy is followed.
    pub(super) accessed: Accessed,
    /// Values from before the body that were reached in it, with how much was emitted then, where PyPy is followed.
    pub(super) reached: Vec<(usize, Value)>,
    /// The values that the next iteration has for parameters of the body.
    pub(super) next: SideTable<Value, Option<Value>>,
    /// Whether bits are known of what comes around that the walk over the body did not know.
    pub(super) shares_bits: bool,
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
            shares_bits: false,
        }
    }

    /// Whether bits are known of what comes around that the walk over the body did not know.
    pub fn shares_bits(&self) -> bool {
        self.shares_bits
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
