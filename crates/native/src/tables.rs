//! The code of look-ups: constant tables are data of the module that is made (`cranelift_module::DataDescription`).
//!
//! An item takes 1, 2, 4 or 8 bytes, whatever its width. The index is compared with the last one, unless it is known to be
//! no greater: then one load is all.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value as Register, types};
use cranelift_module::{DataDescription, Module as _};
use planish_ir::Inst;
use planish_ops::world::{Descr, World};
use planish_ops::{Floats, Items, Type};

use crate::function::{Held, Writer};
use crate::refused::Refused;
use crate::words::Word;

impl Writer<'_, '_, '_> {
    pub(crate) fn look_up(&mut self, inst: Inst) -> Result<(), Refused> {
        let module = self.unit.module;
        let table = self.f.inst(inst).descr.and_then(|descr| Some((descr, module.descriptors.table(descr)?)));
        let Some((descr, items)) = table else { return self.refuse("a look-up names no constant table") };
        let index = self.word(self.f.args(inst)[0])?;
        let index = self.clamped(index, items);
        let table = self.table(descr, items)?;
        let bytes = item_bytes(items.ty());
        let scale = self.emit.code.ins().iconst(types::I64, i64::from(bytes.ilog2()));
        let offset = self.emit.code.ins().ishl(index, scale);
        let address = self.emit.code.ins().iadd(table, offset);
        let (flags, ins) = (MemFlagsData::trusted().with_readonly(), self.emit.code.ins());
        let encoding = match bytes {
            8 => ins.load(types::I64, flags, address, 0),
            4 => ins.uload32(flags, address, 0),
            2 => ins.uload16(types::I64, flags, address, 0),
            _ => ins.uload8(types::I64, flags, address, 0),
        };
        let most = items.words().iter().copied().max().unwrap_or(u64::MAX);
        let value = match items.ty() {
            Type::Float(format) => {
                let word = self.emit.narrow(encoding, format.bits());
                Held::Number(self.emit.f_from_bits(word))
            }
            ty => {
                // What is above the width of an item is zero in the table.
                let width = ty.int_width().unwrap_or(64);
                Held::Word(Word { most, ..self.emit.narrow(encoding, width) })
            }
        };
        self.set(self.f.result(inst), value);
        Ok(())
    }

    /// The number of the item that an index reads, in 64 bits.
    fn clamped(&mut self, index: Word, items: &Items) -> Register {
        let last = items.words().len() as u64 - 1;
        let wide = self.emit.wide(index);
        if index.most <= last {
            return wide;
        }
        let last = self.emit.code.ins().iconst(types::I64, last as i64);
        let behind = self.emit.compare(IntCC::UnsignedGreaterThan, wide, last);
        self.emit.code.ins().select(behind, last, wide)
    }

    /// The address of a table, which is made for its first look-up.
    fn table(&mut self, descr: Descr, items: &Items) -> Result<Register, Refused> {
        let made = self.unit.tables.get(&descr).copied();
        let data = match made {
            Some(data) => data,
            None => {
                let data = self.define(items).or_else(|error| self.refuse(error.to_string()))?;
                self.unit.tables.insert(descr, data);
                data
            }
        };
        let global = self.unit.jit.declare_data_in_func(data, self.emit.code.func);
        Ok(self.emit.code.ins().symbol_value(types::I64, global))
    }

    fn define(
        &mut self,
        items: &Items,
    ) -> Result<cranelift_module::DataId, Box<cranelift_module::ModuleError>> {
        let bytes = item_bytes(items.ty());
        let encode = |&word: &u64| {
            let (little, size) = (word.to_le_bytes(), bytes as usize);
            let mut part: [u8; 8] = [0; 8];
            part[..size].copy_from_slice(&little[..size]);
            if cfg!(target_endian = "big") {
                part[..size].reverse();
            }
            part.into_iter().take(size)
        };
        let encoded = items.words().iter().flat_map(encode).collect();
        let mut description = DataDescription::new();
        description.define(encoded);
        description.set_align(8);
        let jit = &mut self.unit.jit;
        let data = jit.declare_anonymous_data(false, false)?;
        jit.define_data(data, &description)?;
        Ok(data)
    }
}

/// How many bytes an item takes: a power of two.
fn item_bytes(ty: Type) -> u32 {
    let bits = ty.int_width().or_else(|| ty.float_format().map(|format| format.bits()));
    bits.unwrap_or(64).div_ceil(8).next_power_of_two()
}
