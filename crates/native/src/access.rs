//! The code of accesses to memory by address, and of what allocates it.
//!
//! Each access is compared with the size of the memory first. Cells ([`Cells`]) are words of that memory, and a pointer to one is
//! its address: no fault has such a number, for what is allocated lies behind the memory from outside.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, Value as Register, types};
use planish_ir::{Inst, Value};
use planish_ops::world::{Cells, Location, World};
use planish_ops::{Bits, Floats, Type};

use crate::code::{place, status};
use crate::function::{Held, Writer, held};
use crate::memory::Touched;
use crate::refused::Refused;
use crate::unit::kept_type;
use crate::words::Word;

impl Writer<'_, '_, '_> {
    pub(crate) fn allocate(&mut self, inst: Inst) -> Result<(), Refused> {
        let (&[_, size], Type::I64) = (self.f.args(inst), self.f.ty(self.f.result(inst))) else {
            return self.refuse("memory is allocated in another way");
        };
        let size = self.word(size)?;
        let size = self.emit.wide(size);
        self.allocate_bytes(inst, size)
    }

    fn allocate_bytes(&mut self, inst: Inst, size: Register) -> Result<(), Refused> {
        self.touches(Touched::Allocated);
        let callee = self.callee(self.unit.helpers.allocate);
        let call = self.emit.code.ins().call(callee, &[self.context, size]);
        let address = self.emit.code.inst_results(call)[0];
        let none = self.emit.code.ins().iconst(types::I64, -1);
        let fails = self.emit.compare(IntCC::Equal, address, none);
        self.end_if(fails, status::MEMORY);
        let result = self.f.result(inst);
        self.set(result, held(address, self.f.ty(result)));
        Ok(())
    }

    pub(crate) fn free(&mut self, inst: Inst) -> Result<(), Refused> {
        let &[_, address] = self.f.args(inst) else {
            return self.refuse("memory is freed in another way");
        };
        let address = self.word(address)?;
        let address = self.emit.wide(address);
        self.free_at(address);
        Ok(())
    }

    fn free_at(&mut self, address: Register) {
        self.touches(Touched::Allocated);
        let callee = self.callee(self.unit.helpers.free);
        let call = self.emit.code.ins().call(callee, &[self.context, address]);
        let done = self.emit.code.inst_results(call)[0];
        let null = self.null();
        let fails = self.emit.compare(IntCC::Equal, done, null);
        self.end_if(fails, status::MEMORY);
    }

    /// The place of so many bytes that an access names, if they are there.
    pub(crate) fn place(&mut self, inst: Inst, bytes: u32) -> Result<Register, Refused> {
        let address = self.address(inst, 0)?;
        Ok(self.there(address, bytes))
    }

    /// The address that an access names by two operands from a number on: a base and an offset.
    pub(crate) fn address(&mut self, inst: Inst, first: usize) -> Result<Register, Refused> {
        let args = &self.f.args(inst)[first..];
        let access = self.f.inst(inst).descr.and_then(|descr| self.unit.module.descriptors.raw_access(descr));
        let (base, offset) = (self.word(args[0])?, self.word(args[1])?);
        let (base, mut offset) = (self.emit.wide(base), self.emit.wide_signed(offset));
        let scale = access.map_or(1, |access| access.scale);
        if scale != 1 {
            offset = self.scaled(offset, scale);
        }
        self.touches(Touched::Outside);
        Ok(self.emit.code.ins().iadd(base, offset))
    }

    /// Where so many bytes at an address are; the run ends if there are none.
    fn there(&mut self, address: Register, bytes: u32) -> Register {
        self.touches(Touched::Allocated);
        let size = self.load(place::SIZE);
        let bytes = self.emit.code.ins().iconst(types::I64, i64::from(bytes));
        // There is more memory than one access takes.
        let last = self.emit.code.ins().isub(size, bytes);
        let behind = self.emit.compare(IntCC::UnsignedGreaterThan, address, last);
        self.end_if(behind, status::MEMORY);
        let memory = self.load(place::MEMORY);
        self.emit.code.ins().iadd(memory, address)
    }

    pub(crate) fn location_of(&self, inst: Inst) -> Option<Location> {
        self.f.inst(inst).descr.and_then(|descr| self.unit.module.descriptors.location(descr))
    }

    pub(crate) fn raw_load(&mut self, inst: Inst) -> Result<(), Refused> {
        let result = self.f.result(inst);
        let (ty, location) = (self.f.ty(result), self.location_of(inst));
        let Some(full) = bits(ty) else { return self.refuse(format!("memory holds a value of type {ty}")) };
        let stored = stored_bits(full, location);
        let start = self.place(inst, stored.div_ceil(8))?;
        let mut encoding: Option<Register> = None;
        for (at, size) in parts(stored.div_ceil(8)) {
            let flags = little_endian();
            let ins = self.emit.code.ins();
            let part = match size {
                8 => ins.load(types::I64, flags, start, at),
                4 => ins.uload32(flags, start, at),
                2 => ins.uload16(types::I64, flags, start, at),
                _ => ins.uload8(types::I64, flags, start, at),
            };
            let up = self.emit.code.ins().iconst(types::I64, i64::from(8 * at));
            let part = self.emit.code.ins().ishl(part, up);
            encoding = Some(match encoding {
                Some(lower) => self.emit.code.ins().bor(lower, part),
                None => part,
            });
        }
        let Some(encoding) = encoding else { return self.refuse("nothing is loaded") };
        let low = self.emit.truncate(Word::unknown(encoding, 64), stored);
        let word = match location {
            Some(location) if location.signed => self.emit.sign_extend(low, full),
            _ => self.emit.zero_extend(low, full),
        };
        let value = match ty {
            Type::Float(_) => Held::Number(self.emit.f_from_bits(word)),
            _ => Held::Word(word),
        };
        self.set(result, value);
        Ok(())
    }

    pub(crate) fn raw_store(&mut self, inst: Inst) -> Result<(), Refused> {
        let value = self.f.args(inst)[2];
        let (ty, location) = (self.f.ty(value), self.location_of(inst));
        let Some(full) = bits(ty) else { return self.refuse(format!("memory holds a value of type {ty}")) };
        let stored = stored_bits(full, location);
        let bytes = stored.div_ceil(8);
        let start = self.place(inst, bytes)?;
        let encoding = self.encoding(value, stored)?;
        for (at, size) in parts(bytes) {
            let down = self.emit.code.ins().iconst(types::I64, i64::from(8 * at));
            let part = self.emit.code.ins().ushr(encoding, down);
            let (flags, ins) = (little_endian(), self.emit.code.ins());
            match size {
                8 => ins.store(flags, part, start, at),
                4 => ins.istore32(flags, part, start, at),
                2 => ins.istore16(flags, part, start, at),
                _ => ins.istore8(flags, part, start, at),
            };
        }
        Ok(())
    }

    /// The lowest bits of what a value is in memory, and zeros above.
    pub(crate) fn encoding(&mut self, value: Value, stored: u32) -> Result<Register, Refused> {
        let word = match self.get(value)? {
            Held::Word(word) => word,
            Held::Number(number) => self.emit.f_to_bits(number),
            Held::Reference(_) => return self.refuse("a reference is stored"),
            Held::Vector(..) => return self.refuse("a vector is stored as what it is not"),
        };
        let low = if stored < word.width { self.emit.truncate(word, stored) } else { word };
        Ok(self.emit.wide(low))
    }

    /// A call about memory of cells.
    pub(crate) fn cells(&mut self, what: Cells, inst: Inst) -> Result<(), Refused> {
        let args = self.f.args(inst);
        match (what, args) {
            (Cells::Allocate, &[count]) => {
                let count = self.word(count)?;
                let count = self.emit.wide_signed(count);
                // Less than one is a greater number than any without its sign.
                let (one, most) = (self.number(1), self.number(MOST_CELLS));
                let behind = self.emit.code.ins().isub(count, one);
                let fails = self.emit.compare(IntCC::UnsignedGreaterThanOrEqual, behind, most);
                self.end_if(fails, status::MEMORY);
                let size = self.scaled(count, CELL);
                self.allocate_bytes(inst, size)
            }
            (Cells::Free, &[pointer]) => {
                let address = self.register(pointer)?;
                self.free_at(address);
                Ok(())
            }
            (Cells::Load, &[pointer]) => {
                let address = self.register(pointer)?;
                let start = self.there(address, CELL as u32);
                let result = self.f.result(inst);
                let ty = self.f.ty(result);
                let Some(machine) = kept_type(ty) else {
                    return self.refuse(format!("memory holds a value of type {ty}"));
                };
                let register = self.emit.code.ins().load(machine, little_endian(), start, 0);
                let value = match held(register, ty) {
                    // A value of another type may have been stored there.
                    Held::Word(word) => Held::Word(self.emit.cut(word.value, word.width)),
                    other => other,
                };
                self.set(result, value);
                Ok(())
            }
            (Cells::Store, &[pointer, value]) => {
                let (address, value) = (self.register(pointer)?, self.register(value)?);
                self.fits_a_word(value)?;
                let start = self.there(address, CELL as u32);
                self.emit.code.ins().store(little_endian(), value, start, 0);
                Ok(())
            }
            (Cells::Move, &[pointer, by]) => {
                let (address, by) = (self.register(pointer)?, self.word(by)?);
                let by = self.emit.wide_signed(by);
                let by = self.scaled(by, CELL);
                let moved = self.emit.code.ins().iadd(address, by);
                self.set(self.f.result(inst), Held::Reference(moved));
                Ok(())
            }
            _ => self.refuse("a call about cells has other operands"),
        }
    }

    pub(crate) fn touches(&mut self, memory: Touched) {
        self.unit.touched = self.unit.touched.max(memory);
    }

    pub(crate) fn number(&mut self, value: i64) -> Register {
        self.emit.code.ins().iconst(types::I64, value)
    }

    pub(crate) fn scaled(&mut self, value: Register, scale: i64) -> Register {
        let scale = self.number(scale);
        self.emit.code.ins().imul(value, scale)
    }
}

/// How many bytes a cell has.
const CELL: i64 = 8;
/// More cells than there is memory for.
const MOST_CELLS: i64 = 1 << 40;

/// An access that is made where it stands, at any address.
pub(crate) fn little_endian() -> MemFlagsData {
    MemFlagsData::new().with_notrap().with_endianness(Endianness::Little)
}

/// How many bits a value in memory has.
pub(crate) fn bits(ty: Type) -> Option<u32> {
    match ty {
        Type::Int(width) => Some(u32::from(width)),
        Type::Float(format) => Some(format.bits()),
        Type::Ref | Type::State | Type::Vector(_) => None,
    }
}

/// How many bits of a value a location holds; a float is stored whole.
pub(crate) fn stored_bits(bits: u32, location: Option<Location>) -> u32 {
    location.and_then(|location| location.stored_bits).map_or(bits, |stored| bits.min(u32::from(stored)))
}

/// So many bytes, at most 8, in parts that a machine accesses at once: where each begins, and its size.
fn parts(bytes: u32) -> impl Iterator<Item = (i32, u32)> {
    let sizes = [8, 4, 2, 1].into_iter().filter(move |size| bytes & size != 0);
    sizes.scan(0, |next, size| {
        let at = *next;
        *next += size as i32;
        Some((at, size))
    })
}
