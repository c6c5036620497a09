//! The code of bulk operations on raw memory: calls of what fills and copies bytes (C's `memset` and `memmove`).
//!
//! How many bytes there are to be is compared with the size of the memory before anything is written. Where there are no cells the
//! address is taken to be 0, so that whatever it is does not matter.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Register};
use planish_ir::{Inst, Value};

use crate::access::{bits, stored_bits};
use crate::code::{place, status};
use crate::function::Writer;
use crate::refused::Refused;

impl Writer<'_, '_, '_> {
    /// Writes a value into cells.
    pub(crate) fn raw_fill(&mut self, inst: Inst) -> Result<(), Refused> {
        let &[_, _, count, value] = self.f.args(inst) else {
            return self.refuse("a fill has other operands");
        };
        let (ty, location) = (self.f.ty(value), self.location_of(inst));
        let Some(full) = bits(ty) else { return self.refuse(format!("memory holds a value of type {ty}")) };
        let stored = stored_bits(full, location);
        let (count, bytes) = self.bytes_of(count, stored.div_ceil(8))?;
        let to = self.address(inst, 0)?;
        let to = self.cells_at(to, count, bytes);
        let encoding = self.encoding(value, stored)?;
        let cell = self.number(i64::from(stored.div_ceil(8)));
        let callee = self.callee(self.unit.helpers.fill);
        self.emit.code.ins().call(callee, &[to, count, cell, encoding]);
        Ok(())
    }

    /// Copies cells, all of them read before any is written.
    pub(crate) fn raw_copy(&mut self, inst: Inst) -> Result<(), Refused> {
        let Some(location) = self.location_of(inst) else {
            return self.refuse("cells are copied that no location tells the size of");
        };
        let Some(full) = bits(location.ty) else { return self.refuse("references are copied") };
        let cell = stored_bits(full, Some(location)).div_ceil(8);
        let (count, bytes) = self.bytes_of(self.f.args(inst)[4], cell)?;
        let [to, from] = [self.address(inst, 0)?, self.address(inst, 2)?];
        let [to, from] = [to, from].map(|address| self.cells_at(address, count, bytes));
        let callee = self.callee(self.unit.helpers.copy);
        self.emit.code.ins().call(callee, &[to, from, bytes]);
        Ok(())
    }

    /// A number of cells, and how many bytes they have; the run ends if that is more than there is memory.
    fn bytes_of(&mut self, count: Value, cell: u32) -> Result<(Register, Register), Refused> {
        let count = self.word(count)?;
        let count = self.emit.wide(count);
        let size = self.load(place::SIZE);
        let behind = self.emit.compare(IntCC::UnsignedGreaterThan, count, size);
        self.end_if(behind, status::MEMORY);
        Ok((count, self.scaled(count, i64::from(cell))))
    }

    /// Where so many bytes at an address are; the run ends if there are none.
    fn cells_at(&mut self, address: Register, count: Register, bytes: Register) -> Register {
        let (size, none) = (self.load(place::SIZE), self.number(0));
        let address = self.emit.code.ins().select(count, address, none);
        let large = self.emit.compare(IntCC::UnsignedGreaterThan, bytes, size);
        self.end_if(large, status::MEMORY);
        let last = self.emit.code.ins().isub(size, bytes);
        let behind = self.emit.compare(IntCC::UnsignedGreaterThan, address, last);
        self.end_if(behind, status::MEMORY);
        let memory = self.load(place::MEMORY);
        self.emit.code.ins().iadd(memory, address)
    }
}
