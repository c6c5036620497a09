//! A recipe of an exit in the making.

use planish_base::{SideTable, Worklist};
use planish_ir::{Recipe, Slot, Value};
use planish_ops::Op;
use planish_ops::world::Descr;

use super::virtuals::Field;

/// A recipe in the making. Its memory is kept.
#[derive(Default)]
pub(super) struct Draft {
    /// The arguments that the exit had.
    pub before: Vec<Value>,
    /// What stands for them.
    pub state: Vec<Slot>,
    /// The arguments of the exit, each once.
    pub args: Vec<Value>,
    /// What stands for a value.
    pub slots: SideTable<Value, Option<Slot>>,
    /// The values that have a slot.
    pub known: Vec<Value>,
    pub recipe: Recipe,
    /// The fields of one object.
    pub fields: Vec<Field>,
    /// Objects whose fields are still to be stored.
    pub open: Worklist<Value>,
}

impl Draft {
    pub fn clear(&mut self) {
        for value in self.known.drain(..) {
            self.slots[value] = None;
        }
        self.args.clear();
        self.open.clear();
        self.state.clear();
    }

    pub fn set(&mut self, value: Value, slot: Slot) {
        self.slots[value] = Some(slot);
        self.known.push(value);
    }

    /// A value that is there when control leaves.
    pub fn arg(&mut self, value: Value) -> Slot {
        if let Some(slot) = self.slots[value] {
            return slot;
        }
        let slot = Slot::Arg(self.args.len() as u32);
        self.args.push(value);
        self.set(value, slot);
        slot
    }

    pub fn step(&mut self, op: Op, descr: Option<Descr>, operands: &[Slot]) -> Slot {
        self.recipe.push(op, descr, operands)
    }
}
