//! Bulk operations on raw memory: fills and copies of cells (C's `memset` and `memmove`; LLVM's intrinsics of these names).
//!
//! A cell has the bytes that the stored bits of its location need, and cells lie one behind the other, around the end of memory,
//! too. Where there are none, the other operands may be anything, undefined values too: a loop that makes no round does not ask.

use planish_ir::{Function, Inst};
use planish_ops::Op;

use crate::aliasing::ByClass;
use crate::behaviour::End;
use crate::machine::{Outcome, Runner, Step};
use crate::memory::{NO_MEMORY, bits, done, stored_bits};

/// There is no memory of so many bytes.
const MOST: u64 = 1 << 63;

impl Runner<'_, '_> {
    /// Executes a fill or a copy.
    pub(crate) fn bulk(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let (args, descr) = (f.args(inst), f.inst(inst).descr);
        let is_fill = f.inst(inst).op == Op::RawFill;
        let count = self.word(args[if is_fill { 2 } else { 4 }])?.unsigned();
        if count == 0 {
            return done();
        }
        let location = descr.and_then(|descr| self.program.world.location(descr));
        let ty = match location {
            _ if is_fill => f.ty(args[3]),
            Some(location) => location.ty,
            None => {
                return Err(End::undefined(
                    "cells of raw memory are copied that no location tells the size of",
                ));
            }
        };
        let cell = u64::from(stored_bits(bits(ty), location).div_ceil(8));
        let bytes = count.checked_mul(cell).filter(|&bytes| bytes < MOST).ok_or(NO_MEMORY)?;
        self.burn(bytes)?;
        self.counts.add_rounds(f.inst(inst).op, bytes);
        let to = self.address(descr, args[0], args[1])?;
        if is_fill {
            let value = self.get(args[3]);
            for number in 0..count {
                self.store_raw(to.wrapping_add(number * cell), value, descr)?;
            }
            return done();
        }
        let from = self.address(descr, args[2], args[3])?;
        let (by, since) = (ByClass::of(self.program.world, descr), self.heap.wrote_anything());
        let mut read = Vec::new();
        for at in (0..bytes).map(|byte| from.wrapping_add(byte)) {
            let place = self.heap.byte(at).ok_or(NO_MEMORY)?;
            self.heap.accesses.load(at, by, since, self.program.world)?;
            read.push(self.heap.load_byte(self.scenario, place));
        }
        for (at, byte) in (0..bytes).map(|byte| to.wrapping_add(byte)).zip(read) {
            let place = self.heap.byte(at).ok_or(NO_MEMORY)?;
            self.heap.accesses.store(at, by, since, self.program.world)?;
            self.heap.store_byte(place, byte);
        }
        done()
    }
}
