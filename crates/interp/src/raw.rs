//! Memory outside the heap that the run allocates.
//!
//! A piece is a fresh object whose items are its bytes, so nobody sees one that stays private, and two runs may
//! allocate different pieces. Its address is an integer all the same: pieces lie far apart, so an address tells the
//! piece and the distance from its start, wherever it is moved to. Lack of memory does not happen.

use planish_ir::{Function, Inst};
use planish_ops::Type;
use planish_ops::world::Meaning;

use crate::behaviour::End;
use crate::heap::{Heap, bytes_key};
use crate::machine::{Results, Runner, Step};
use crate::place::{BASE, PIECES, Place, ROOM, piece};
use crate::value::{Reference, Val};

impl Heap {
    /// The piece that an address is of, if the run allocated it, and the distance from its start.
    pub(crate) fn piece(&self, address: u64) -> Option<(u32, u64)> {
        piece(address)
            .filter(|&(n, _)| self.fresh.get(n as usize).is_some_and(|made| made.class == bytes_key()))
    }

    /// The place of a byte: in a piece of the run, if there is one at the address; nothing for one that is not there.
    pub(crate) fn byte(&self, address: u64) -> Option<Place> {
        let Some((n, index)) = self.piece(address) else {
            return Some(Place { owner: None, field: 0, index: address });
        };
        let within = self.fresh[n as usize].length.is_some_and(|length| index < length);
        let there = within && !self.freed.contains(&n);
        there.then_some(Place { owner: Some(Reference::Fresh(n)), field: bytes_key(), index })
    }
}

impl Runner<'_, '_> {
    /// Executes a call that allocates or frees memory outside the heap, or asks whether there was any.
    pub(crate) fn raw_call(&mut self, f: &Function, inst: Inst, args: &[Val]) -> Step<Option<Results>> {
        let meaning = f.inst(inst).descr.and_then(|descr| self.program.world.meaning(descr));
        match (meaning.map(|(meaning, _)| meaning), args) {
            (Some(Meaning::RawMalloc), &[_, size]) => Ok(Some(Results::One(self.allocate_raw(size)?))),
            (Some(Meaning::RawFree), &[_, address]) => self.free_raw(address),
            (Some(Meaning::MemoryCheck), &[Val::Int(address)]) if address.is_true() => {
                Ok(Some(Results::None))
            }
            _ => Ok(None),
        }
    }

    /// The address of a new piece of memory.
    pub(crate) fn allocate_raw(&mut self, size: Val) -> Step<Val> {
        let size = match size {
            Val::Int(size) => size.unsigned(),
            _ => return Err(End::undefined("memory of an undefined size is allocated")),
        };
        let number = self.heap.fresh.len() as u64;
        if size >= 1 << ROOM || number >= PIECES {
            return Err(End::undefined("more memory is allocated than there is"));
        }
        self.heap.allocate(bytes_key(), Some(size));
        Ok(Val::int(Type::I64, (BASE + (number << ROOM)) as i64))
    }

    /// Frees a piece. Somebody who knows of it notices.
    fn free_raw(&mut self, address: Val) -> Step<Option<Results>> {
        let Val::Int(int) = address else { return Err(End::undefined("an undefined address is freed")) };
        let Some((n, 0)) = self.heap.piece(int.unsigned()) else { return Ok(None) };
        if !self.heap.freed.insert(n) {
            return Err(End::undefined("memory is freed twice"));
        }
        Ok(self.heap.is_private(Some(Reference::Fresh(n))).then_some(Results::None))
    }
}
