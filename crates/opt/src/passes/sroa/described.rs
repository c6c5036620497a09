//! Aggregates of the table of operations: objects and small arrays as their descriptors have them.

use planish_ir::{Function, Inst, Value};
use planish_ops::world::World;
use planish_ops::{Op, Type};
use planish_pass::aggregates::{Aggregates, Deed, Kind, Made, Place};

/// What a world says of objects.
pub(super) struct Described<'a>(pub &'a dyn World);

impl Aggregates for Described<'_> {
    fn made(&mut self, f: &Function, inst: Inst) -> Option<Made> {
        let length = match f.inst(inst).op {
            Op::New => None,
            Op::NewArray => Some(f.int_constant(f.args(inst)[0])?.signed()),
            _ => return None,
        };
        Some(Made { kind: Kind { class: 0, length, has_identity: true }, is_ready: true })
    }

    fn deed(&mut self, f: &Function, inst: Inst, kind: Kind) -> Option<Deed> {
        match f.inst(inst).op {
            // Where ways meet, the length may be asked of what is no array: it has none.
            Op::ArrayLen => Some(Deed::Answer(kind.length.unwrap_or(0))),
            Op::GetField | Op::GetItem => Some(Deed::Load(self.place(f, inst)?, None)),
            Op::SetField | Op::SetItem => Some(Deed::Store(self.place(f, inst)?)),
            _ => None,
        }
    }

    fn knows(&mut self, _: &Function, _: Inst, _: &Place) -> bool {
        true
    }

    fn content(&mut self, _: &mut Function, _: Inst, _: &Place, _: &mut Vec<Inst>) -> Option<Value> {
        None
    }

    fn tells_at_run_time(&self) -> bool {
        true
    }

    fn most_parameters(&self) -> usize {
        usize::MAX
    }
}

impl Described<'_> {
    /// The place that an access names.
    fn place(&self, f: &Function, inst: Inst) -> Option<Place> {
        let descr = f.inst(inst).descr?;
        let location = self.0.location(descr).filter(|location| !location.raw)?;
        let index = match f.inst(inst).op {
            Op::GetItem | Op::SetItem => Some(f.int_constant(f.args(inst)[1])?.signed()),
            _ => None,
        };
        (location.ty != Type::State).then(|| Place {
            class: location.alias_class,
            descr: Some(descr),
            index,
            ty: location.ty,
            narrow: location.extension(),
        })
    }
}
