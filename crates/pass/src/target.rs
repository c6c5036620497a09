//! The target: what operations cost where the program is written, and what cannot be written there.

use planish_ir::Const;
use planish_ops::{Op, Type};

/// What an operation costs; `None` when there is no way to say it.
pub type Price<'a> = &'a (dyn Fn(Op) -> Option<u32> + Sync);

/// Whether an operation on operands of some types, constants among them, can be written when its result has a type.
pub type Writes<'a> = &'a (dyn Fn(Op, &[(Type, Option<Const>)], Type) -> bool + Sync);

/// What an operation counts that cannot be written: more than all that can.
pub const IMPOSSIBLE: u32 = 1 << 20;

/// What operations cost on a machine: the column of the table.
pub fn machine_price(op: Op) -> Option<u32> {
    Some(op.row().cost)
}

/// The same where there are no constant tables, no vectors, and no bulk operations on memory.
fn price_on_stack(op: Op) -> Option<u32> {
    let lacks = matches!(op, Op::Lookup | Op::RawFill | Op::RawCopy | Op::Vload | Op::Vstore);
    machine_price(op).filter(|_| !lacks && op.row().lanewise.is_none())
}

/// Where values live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// In registers: a value that is kept costs nothing, so what is computed or loaded twice is computed once.
    Registers,
    /// On a stack: what is used once, where it is made, takes no instruction to keep; what is used again later is stored
    /// and loaded.
    Stack,
}

/// What a program is written for. Passes ask it wherever they choose between forms.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// What operations cost.
    pub price: Price<'a>,
    /// Where values live.
    pub machine: Machine,
    /// Whether a choice among several numbers is written as one, and not as branches one after the other.
    pub switches: bool,
    /// What can be written, where that depends on types: what an operation costs says nothing of them. Everything with a price
    /// without it.
    pub writes: Option<Writes<'a>>,
}

impl Target<'static> {
    /// A machine with registers, and the costs of the table.
    pub const MACHINE: Target<'static> =
        Target { price: &machine_price, machine: Machine::Registers, switches: true, writes: None };
    /// A stack machine without constant tables, vectors and bulk operations, and the costs of the table of operations.
    pub const STACK: Target<'static> =
        Target { machine: Machine::Stack, price: &price_on_stack, ..Target::MACHINE };
}

impl Target<'_> {
    /// What an operation costs: [`IMPOSSIBLE`] if it cannot be written.
    pub fn cost(&self, op: Op) -> u32 {
        (self.price)(op).unwrap_or(IMPOSSIBLE)
    }
}

impl std::fmt::Debug for Target<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Target").field("machine", &self.machine).finish_non_exhaustive()
    }
}
