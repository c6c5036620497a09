//! What places of the heap hold along a straight line (load and store forwarding, for what holds at its end).

use std::collections::BTreeMap;

use planish_ir::{Const, Function, Value};
use planish_ops::world::{CallEffect, Descr, Extension, Location, Mutability};
use planish_ops::{Op, Type};

/// Of so many places of one alias class it is known what they hold.
const REMEMBERED: usize = 64;

/// A place of an object, and what reads it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) load: Op,
    pub(super) descr: Descr,
    pub(super) base: Value,
    pub(super) index: Option<Value>,
}

/// A place and what it holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Holds {
    pub(super) place: Place,
    pub(super) value: Value,
    pub(super) ty: Type,
    immutable: bool,
}

/// Places of the heap that are known, by alias class.
#[derive(Default)]
pub(super) struct Places {
    classes: BTreeMap<u32, Vec<Holds>>,
}

impl Places {
    /// All that is known, in the order of alias classes.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Holds> {
        self.classes.values().flatten()
    }

    /// Nothing is known any more, not even of what never changes: others come here.
    pub(super) fn clear(&mut self) {
        self.classes.clear();
    }

    /// Anything may have been written.
    pub(super) fn written(&mut self) {
        for places in self.classes.values_mut() {
            places.retain(|holds| holds.immutable);
        }
    }

    /// Something of an alias class may have been written.
    pub(super) fn written_in(&mut self, class: u32) {
        if let Some(places) = self.classes.get_mut(&class) {
            places.retain(|holds| holds.immutable);
        }
    }

    /// What a call may have written is forgotten.
    pub(super) fn called(&mut self, effect: &CallEffect) {
        match &effect.writes {
            Some(classes) if !effect.forces_virtuals => {
                classes.iter().for_each(|&class| self.written_in(class));
            }
            _ => self.written(),
        }
    }

    /// A place was read.
    pub(super) fn loaded(&mut self, location: &Location, place: Place, value: Value, ty: Type) {
        // One that a guard watches changes behind the back of everything but that guard.
        if location.mutability != Mutability::QuasiImmutable {
            let immutable = location.mutability == Mutability::Immutable;
            self.remember(location.alias_class, Holds { place, value, ty, immutable });
        }
    }

    /// A place was written: what may be the same one is forgotten, and what is read there is the value if it is stored whole.
    pub(super) fn stored(
        &mut self,
        (f, location): (&Function, &Location),
        place: Place,
        (value, ty): (Value, Type),
        is_apart: impl Fn(&Place, &Place) -> bool,
    ) {
        let class = location.alias_class;
        if let Some(places) = self.classes.get_mut(&class) {
            places.retain(|holds| is_apart(&holds.place, &place));
        }
        if ty == location.ty && is_stored_whole(f, location, value, ty) {
            self.loaded(location, place, value, ty);
        }
    }

    fn remember(&mut self, class: u32, holds: Holds) {
        let places = self.classes.entry(class).or_default();
        if places.len() == REMEMBERED {
            places.remove(0);
        }
        places.push(holds);
    }
}

/// Whether a load gives what was stored, however many bits a place has.
fn is_stored_whole(f: &Function, location: &Location, value: Value, ty: Type) -> bool {
    match ty {
        Type::Ref => true,
        Type::Int(_) => {
            let Some(bits) = location.stored_bits else { return true };
            let extension = Extension { bits, signed: location.signed };
            let constant = match value_constant(f, value) {
                Some(Const::Int(int)) => Some(int),
                _ => None,
            };
            !extension.narrows(ty) || constant.is_some_and(|int| extension.apply(int) == int)
        }
        // It may be rounded.
        Type::Float(_) | Type::State | Type::Vector(_) => false,
    }
}

/// The constant that a value is, of those that a function has.
pub(super) fn value_constant(f: &Function, value: Value) -> Option<Const> {
    use planish_base::Id;
    if value.index() < f.value_count() { f.constant(value) } else { None }
}
