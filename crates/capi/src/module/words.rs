//! What operations name: functions outside, locations, classes.

use std::ffi::c_char;
use std::sync::Arc;

use planish::ir::module::Descriptor;
use planish::{CallEffect, Items, Location, Mutability};

use super::handle::{PlanishModule, named};
use crate::border::{Failed, Out, Status, array, place, refused, text, with};
use crate::names::any_type;

/// What a function does besides computing: `PLANISH_EFFECT_...`.
const ELIDABLE: u32 = 1;
const READS: u32 = 2;
const WRITES: u32 = 4;
const RAISES: u32 = 8;

/// What a location is besides its type: `PLANISH_LOCATION_...`.
const IMMUTABLE: u32 = 1;
const SIGNED: u32 = 2;
const RAW: u32 = 4;

impl PlanishModule {
    /// Declares a word; declaring it again as the same gives the same.
    fn declare(&mut self, name: &str, what: Descriptor) -> Result<u32, Failed> {
        let descriptors = &mut self.module.descriptors;
        if let Some(known) = descriptors.lookup(named(name)?)
            && *descriptors.get(known) != what
        {
            return refused(format!("`{name}` already stands for something else in the module"));
        }
        let descr = descriptors.intern(name, || what);
        Ok(self.keep(descr))
    }
}

/// Refuses flags that there are not.
fn known(flags: u32, all: u32) -> Result<(), Failed> {
    match flags & !all {
        0 => Ok(()),
        flags => refused(format!("there are no flags {flags:#x}")),
    }
}

/// Declares a function that the module does not have, and what it does.
#[unsafe(no_mangle)]
pub extern "C" fn planish_callee_word(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    effects: u32,
    word: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        known(effects, ELIDABLE | READS | WRITES | RAISES)?;
        let has = |flag| effects & flag != 0;
        let all_or_none = |flag| if has(flag) { None } else { Some(Vec::new()) };
        let touches = has(READS) || has(WRITES);
        let unknown = CallEffect::unknown();
        let effect = CallEffect {
            elidable: has(ELIDABLE),
            raises: has(RAISES),
            forces_virtuals: touches,
            invalidates: has(WRITES),
            reads: all_or_none(READS),
            writes: all_or_none(WRITES),
            ..unknown
        };
        word.write(m.declare(name, Descriptor::Callee(effect))?);
        Ok(())
    })
}

/// Declares a field, the items of an array, or memory.
#[unsafe(no_mangle)]
pub extern "C" fn planish_location_word(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    ty: u32,
    bits: u32,
    flags: u32,
    alias_class: u32,
    word: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        let ty = any_type(ty)?;
        known(flags, IMMUTABLE | SIGNED | RAW)?;
        let stored_bits = match (bits, ty.int_width()) {
            (0, _) => None,
            (bits, Some(width)) if bits <= width => Some(bits as u8),
            (bits, _) => return refused(format!("{bits} bits cannot be stored of the type {ty}")),
        };
        let location = Location {
            ty,
            stored_bits,
            signed: flags & SIGNED != 0,
            mutability: if flags & IMMUTABLE != 0 { Mutability::Immutable } else { Mutability::Mutable },
            alias_class,
            raw: flags & RAW != 0,
        };
        word.write(m.declare(name, Descriptor::Location(location))?);
        Ok(())
    })
}

/// Declares a class of objects.
#[unsafe(no_mangle)]
pub extern "C" fn planish_class_word(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    word: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        word.write(m.declare(name, Descriptor::Class)?);
        Ok(())
    })
}

/// Declares a constant table.
#[unsafe(no_mangle)]
pub extern "C" fn planish_table_word(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    ty: u32,
    items: *const u64,
    count: usize,
    word: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        let (ty, items) = (any_type(ty)?, array(items, count, "items")?);
        let Some(items) = Items::new(ty, items.into()) else {
            return refused(format!("a table has from 1 to {} integers or floats", Items::MOST));
        };
        word.write(m.declare(name, Descriptor::Table(Arc::new(items)))?);
        Ok(())
    })
}

/// Declares anything else that an operation names, such as the signature of calls through references.
#[unsafe(no_mangle)]
pub extern "C" fn planish_other_word(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    word: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (name, word) = (text(name, "name")?, place(word, "word")?);
        word.write(m.declare(name, Descriptor::Other)?);
        Ok(())
    })
}
