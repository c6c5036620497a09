//! What happens in a block before an operation of it.

use planish_base::fault;
use planish_ir::{Function, Inst, Stands};
use planish_ops::{Effect, Exits};
use planish_pass::PassCx;

use crate::analysis::alias::{Access, Alias};

/// How many operations in front of a load in its block are asked whether they write.
const WRITERS: usize = 8;

/// What happens in a block before an operation of it.
#[derive(Default)]
pub(super) struct Before {
    /// Something may leave, or may not come back.
    pub leaves: bool,
    /// Something can be seen, or may trap.
    pub seen: bool,
    /// What may write; many are all.
    writers: Vec<Inst>,
}

impl Before {
    /// One operation more.
    pub fn add(&mut self, f: &Function, inst: Inst) {
        let (data, row) = (f.inst(inst), f.row(inst));
        self.leaves |= data.exit.is_some() || matches!(row.effect, Effect::Guard | Effect::Call);
        self.seen |= row.effect != Effect::Pure || row.exits != Exits::Never || row.partial;
        if matches!(row.effect, Effect::Store | Effect::Call) {
            self.writers.push(inst);
        }
    }

    /// Whether memory that a load reads may have been written.
    pub fn may_write(&self, f: &Function, cx: &PassCx<'_>, load: Inst, stands: &Stands) -> bool {
        let alias = Alias { f, world: cx.world };
        let Some(place) = alias.place(load, stands) else { return true };
        let writes = |&writer: &Inst| match Access::kind(f.inst(writer).op) {
            Some(_) => alias.place(writer, stands).is_none_or(|other| !alias.are_apart(other, place)),
            None => !alias.leaves_alone(writer, place.class),
        };
        let written = self.writers.len() > WRITERS || self.writers.iter().any(writes);
        written && !fault!("pre: nothing is written in the block before a load")
    }
}
