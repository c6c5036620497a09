//! Places in memory, the fields that they are of, and the addresses of pieces of memory outside the heap.

use planish_ops::world::{Extension, Location};

use crate::value::{Reference, Val};

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The object; `None` for raw memory.
    pub owner: Option<Reference>,
    /// The key of the field's name; 0 for raw memory.
    pub field: u64,
    /// The index of an item, [`WHOLE`](Self::WHOLE) for a field, an address in raw memory.
    pub index: u64,
}

impl Place {
    /// The index of a field that is not an item.
    pub const WHOLE: u64 = u64::MAX;

    /// The owner of static fields.
    pub const STATICS: Reference = Reference::Outside(1 << 61);
}

/// A field, as far as memory depends on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name of the descriptor.
    pub name: String,
    /// What is known of the location.
    pub location: Option<Location>,
    /// Whether it is the characters of strings.
    pub characters: bool,
}

impl Field {
    /// The value that is found after storing one: narrow locations cut and extend.
    pub fn narrow(&self, value: Val) -> Val {
        let (Val::Int(int), Some(location)) = (value, self.location) else { return value };
        location
            .stored_bits
            .map_or(value, |bits| Val::Int(Extension { bits, signed: location.signed }.apply(int)))
    }
}

/// Where pieces lie: at no number that a program comes upon by a shift or a product of few, since a number that is an address
/// in one run and in another one, which allocates less, is none, would be a difference.
pub(crate) const BASE: u64 = 0x5bd1_e9a3_7160;
/// Each has room for so many bytes, as a power of two.
pub(crate) const ROOM: u32 = 20;
/// So many pieces have addresses.
pub(crate) const PIECES: u64 = 1 << 24;

/// The fresh object and the distance from its start that an address is of.
pub(crate) fn piece(address: u64) -> Option<(u32, u64)> {
    let distance = address.checked_sub(BASE)?;
    let number = distance >> ROOM;
    (number < PIECES).then_some((number as u32, distance & ((1 << ROOM) - 1)))
}
