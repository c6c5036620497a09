//! What was asked of references: the last guard on each, and what accesses say of its type.

use planish_base::SideTable;
use planish_ir::{Inst, Value};
use planish_ops::world::Descr;

/// The guards that may still be made stronger.
#[derive(Default)]
pub(crate) struct Guards {
    /// The last guard on a reference.
    pub(super) last: SideTable<Value, Option<Inst>>,
    /// The references that have one.
    pub(super) guarded: Vec<Value>,
    /// References behind their guards that were compared with others, and it was not known how that comes out.
    compared: SideTable<Value, bool>,
    /// Whether one was made stronger behind something that it would have decided: a further walk would find that.
    pub(super) late: bool,
}

impl Guards {
    /// Forgets every guard. O(number of guards).
    pub fn forget(&mut self) {
        for value in self.guarded.drain(..) {
            self.last[value] = None;
            self.compared[value] = false;
        }
    }

    /// Notes a comparison of a reference.
    pub(super) fn compare(&mut self, value: Value) {
        if self.last[value].is_some() {
            self.compared[value] = true;
        }
    }

    /// Notes that the guard on a reference says now of which class that is.
    pub(super) fn learn_class(&mut self, value: Value) {
        self.late |= std::mem::take(&mut self.compared[value]);
    }

    pub(super) fn set(&mut self, value: Value, guard: Inst) {
        if self.last[value].replace(guard).is_none() {
            self.guarded.push(value);
        }
    }
}

/// What accesses say of the types of references.
#[derive(Default)]
pub(crate) struct Accessed {
    /// Classes from which objects derive, by the fields that were looked at.
    pub(super) owners: SideTable<Value, Option<u32>>,
    /// Items of arrays that were looked at.
    pub(super) layouts: SideTable<Value, Option<Descr>>,
}

impl Accessed {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.owners.clear();
        self.layouts.clear();
    }

    /// A value is of the type of which another was, elsewhere.
    pub fn is_as(&mut self, value: Value, elsewhere: &Accessed, other: Value) {
        if let Some(owner) = elsewhere.owners[other] {
            self.owners[value] = Some(owner);
        }
        if let Some(layout) = elsewhere.layouts[other] {
            self.layouts[value] = Some(layout);
        }
    }
}
