//! The code of one operation.
//!
//! An operation with a meaning in the table is compiled by that meaning. What is here is what the table does not say:
//! references, guards, calls, memory by address; and that an operation which leaves is compared first.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, Value as Register, types};
use planish_interp::value::Fault;
use planish_ir::{Inst, Value};
use planish_ops::meaning::Datum;
use planish_ops::world::{Location, Meaning as Function, World};
use planish_ops::{Bits, Op, Type};

use crate::code::{place, status};
use crate::function::{Held, Thrown, Writer, held};
use crate::refused::Refused;
use crate::unit::machine_type;
use crate::words::{Emit, Word};

impl Writer<'_, '_, '_> {
    pub(crate) fn operation(&mut self, inst: Inst) -> Result<(), Refused> {
        let data = *self.f.inst(inst);
        let args = self.f.args(inst);
        match data.op {
            // The world outside, which alone forces and invalidates, is not called.
            Op::Marker | Op::GuardNotForced | Op::GuardNotInvalidated => Ok(()),
            Op::GuardOther if data.descr.is_some_and(|d| self.unit.module.descriptors.only_marks(d)) => {
                Ok(())
            }
            Op::Select => self.select(inst),
            Op::Rotl | Op::Rotr => {
                let (x, amount) = (self.word(args[0])?, self.word(args[1])?);
                match self.emit.rotated(x, amount, data.op == Op::Rotl) {
                    Some(word) => {
                        self.set(self.f.result(inst), Held::Word(word));
                        Ok(())
                    }
                    None => self.pure(inst),
                }
            }
            // Which NaN it is, is unspecified.
            Op::FloatToRawBits => match self.get(args[0])? {
                Held::Number(number) => {
                    let bits = self.emit.raw_bits(number);
                    self.set(self.f.result(inst), Held::Word(bits));
                    Ok(())
                }
                _ => self.refuse("a float is expected"),
            },
            Op::IsNull | Op::IsNonnull => {
                let (x, null) = (self.register(args[0])?, self.null());
                self.truth(inst, data.op == Op::IsNull, x, null);
                Ok(())
            }
            Op::RefEq | Op::RefNe => {
                let (x, y) = (self.register(args[0])?, self.register(args[1])?);
                self.truth(inst, data.op == Op::RefEq, x, y);
                Ok(())
            }
            Op::GuardTrue | Op::GuardFalse | Op::GuardValue | Op::GuardNonnull | Op::GuardIsnull => {
                let fails = self.fails(data.op, args)?;
                self.leave_if(fails, data.exit, Thrown::Fault(Fault::Guard))
            }
            Op::NullCheck => {
                let (x, null) = (self.register(args[0])?, self.null());
                let fails = self.emit.compare(IntCC::Equal, x, null);
                self.leave_if(fails, data.exit, Thrown::Fault(Fault::Null))?;
                self.set(self.f.result(inst), Held::Reference(x));
                Ok(())
            }
            Op::BoundsCheck => {
                let (index, length) = (self.word(args[0])?, self.word(args[1])?);
                let (negative, within) = (self.emit.is_negative(index), self.emit.slt(index, length));
                let behind = self.emit.negate(within);
                let fails = self.emit.either(negative, behind);
                self.leave_if(fails, data.exit, Thrown::Fault(Fault::Bounds))
            }
            Op::Call => self.calls(inst),
            Op::RawLoad => self.raw_load(inst),
            Op::RawStore => self.raw_store(inst),
            _ => self.pure(inst),
        }
    }

    fn null(&mut self) -> Register {
        self.emit.code.ins().iconst(types::I64, 0)
    }

    /// Whether two references are the same, or whether they differ, in the type of the result.
    fn truth(&mut self, inst: Inst, equal: bool, x: Register, y: Register) {
        let holds = self.emit.compare(if equal { IntCC::Equal } else { IntCC::NotEqual }, x, y);
        let result = self.f.result(inst);
        let width = self.f.ty(result).int_width().unwrap_or(1);
        let word = self.emit.bool_word(width, holds);
        self.set(result, Held::Word(word));
    }

    fn select(&mut self, inst: Inst) -> Result<(), Refused> {
        let args = self.f.args(inst);
        let condition = self.word(args[0])?;
        let condition = self.emit.is_nonzero(condition);
        let chosen = match (self.get(args[1])?, self.get(args[2])?) {
            (Held::Word(x), Held::Word(y)) => Held::Word(self.emit.select(condition, x, y)),
            (x, y) => {
                let (Held::Number(_) | Held::Reference(_)) = x else {
                    return self.refuse("two kinds of values");
                };
                let (x, y) = (register(x), register(y));
                held(self.emit.code.ins().select(condition, x, y), self.f.ty(args[1]))
            }
        };
        self.set(self.f.result(inst), chosen);
        Ok(())
    }

    /// Whether a guard fails.
    fn fails(&mut self, op: Op, args: &[Value]) -> Result<Register, Refused> {
        let x = self.get(args[0])?;
        Ok(match (op, x) {
            (Op::GuardTrue, Held::Word(x)) => {
                let zero = self.emit.zero(x);
                self.emit.eq(x, zero)
            }
            (Op::GuardFalse, Held::Word(x)) => self.emit.is_nonzero(x),
            (Op::GuardValue, Held::Number(x)) => {
                let Held::Number(y) = self.get(args[1])? else { return self.refuse("a float is expected") };
                let same = planish_ops::Floats::f_same(&mut self.emit, x, y);
                self.emit.negate(same)
            }
            (Op::GuardValue, _) => {
                let y = self.register(args[1])?;
                self.emit.compare(IntCC::NotEqual, register(x), y)
            }
            (_, x) => {
                let null = self.null();
                let how = if op == Op::GuardNonnull { IntCC::Equal } else { IntCC::NotEqual };
                self.emit.compare(how, register(x), null)
            }
        })
    }

    /// An operation whose meaning the table holds.
    fn pure(&mut self, inst: Inst) -> Result<(), Refused> {
        let data = *self.f.inst(inst);
        let mut args: Vec<Datum<Emit<'_>>> = Vec::new();
        for &arg in self.f.args(inst) {
            args.push(match self.get(arg)? {
                Held::Word(word) => Datum::Word(word),
                Held::Number(number) => Datum::Float(number),
                Held::Reference(_) => return self.refuse(format!("`{}`", data.op)),
            });
        }
        if let Some(divisor) = data.op.row().divisor {
            let divisor = args[usize::from(divisor)].word();
            self.check_divisor(divisor, inst)?;
            self.emit.nonzero = Some(divisor.value);
        }
        let results: Vec<Value> = self.f.results(inst).collect();
        let to: Vec<Type> = results.iter().map(|&result| self.f.ty(result)).collect();
        let meaning = data.op.meaning(&mut self.emit, &args, &to);
        self.emit.nonzero = None;
        let Some(meaning) = meaning else { return self.refuse(format!("`{}`", data.op)) };
        if let Some(&first) = results.first() {
            let value = match meaning.value {
                Datum::Word(word) => Held::Word(word),
                Datum::Float(number) => Held::Number(number),
            };
            self.set(first, value);
        }
        if let (Some(&second), Some(flag)) = (results.get(1), meaning.flag) {
            self.set(second, Held::Word(flag));
        }
        Ok(())
    }

    /// Leaves where a divisor is zero.
    fn check_divisor(&mut self, divisor: Word, inst: Inst) -> Result<(), Refused> {
        if divisor.constant.is_some_and(|value| value != 0) {
            return Ok(());
        }
        let zero = self.emit.zero(divisor);
        let fails = self.emit.eq(divisor, zero);
        self.leave_if(fails, self.f.inst(inst).exit, Thrown::Fault(Fault::Division))
    }

    /// A call of a function of the program, or of one about memory.
    fn calls(&mut self, inst: Inst) -> Result<(), Refused> {
        let data = *self.f.inst(inst);
        let world = &self.unit.module.descriptors;
        let name = data.descr.map_or("?", |descr| world.name(descr));
        if data.descr.is_some_and(|descr| world.unconditional(descr).is_some()) {
            return self.refuse(format!("the call of `{name}` is made only sometimes"));
        }
        let Some(&callee) = self.unit.names.get(name) else {
            let meaning = data.descr.and_then(|descr| world.meaning(descr));
            return match meaning.map(|(meaning, _)| meaning) {
                Some(Function::RawMalloc) => self.allocate(inst),
                Some(Function::RawFree) => self.free(inst),
                Some(Function::MemoryCheck) => Ok(()),
                _ => self.refuse(format!("`{name}`, which it calls, is not in the program")),
            };
        };
        let module = self.unit.module;
        let function = &module.functions[callee];
        let (params, types) = (function.params(), function.result_types());
        let args = self.f.args(inst);
        let results: Vec<Value> = self.f.results(inst).collect();
        let fits = params.iter().map(|&param| function.ty(param)).eq(args.iter().map(|&arg| self.f.ty(arg)))
            && results.len() <= types.len()
            && results.iter().zip(types).all(|(&result, &ty)| self.f.ty(result) == ty);
        if !fits {
            return self.refuse(format!("`{name}` is called with other types than its own"));
        }
        let mut passed = vec![self.context];
        for &arg in args {
            passed.push(self.register(arg)?);
        }
        let callee = self.callee(self.unit.compiled[&callee]);
        let call = self.emit.code.ins().call(callee, &passed);
        let returned = self.emit.code.inst_results(call).to_vec();
        self.after_call(returned[0], data.exit)?;
        let mut words = None;
        for (&result, position) in results.iter().zip(0..) {
            let ty = self.f.ty(result);
            let register = if position == 0 {
                returned[1]
            } else {
                let Some(machine) = machine_type(ty) else {
                    return self.refuse(format!("it has a value of type {ty}"));
                };
                let words = match words {
                    Some(words) => words,
                    None => *words.insert(self.load(place::WORDS)),
                };
                self.emit.code.ins().load(machine, MemFlagsData::trusted(), words, 8 * position)
            };
            self.set(result, held(register, ty));
        }
        Ok(())
    }

    fn allocate(&mut self, inst: Inst) -> Result<(), Refused> {
        let (&[_, size], Type::I64) = (self.f.args(inst), self.f.ty(self.f.result(inst))) else {
            return self.refuse("memory is allocated in another way");
        };
        self.unit.touches_memory = true;
        let size = self.word(size)?;
        let size = self.emit.wide(size);
        let callee = self.callee(self.unit.helpers.allocate);
        let call = self.emit.code.ins().call(callee, &[self.context, size]);
        let address = self.emit.code.inst_results(call)[0];
        let none = self.emit.code.ins().iconst(types::I64, -1);
        let fails = self.emit.compare(IntCC::Equal, address, none);
        self.end_if(fails, status::MEMORY);
        self.set(self.f.result(inst), held(address, Type::I64));
        Ok(())
    }

    fn free(&mut self, inst: Inst) -> Result<(), Refused> {
        let &[_, address] = self.f.args(inst) else {
            return self.refuse("memory is freed in another way");
        };
        self.unit.touches_memory = true;
        let address = self.word(address)?;
        let address = self.emit.wide(address);
        let callee = self.callee(self.unit.helpers.free);
        let call = self.emit.code.ins().call(callee, &[self.context, address]);
        let done = self.emit.code.inst_results(call)[0];
        let null = self.null();
        let fails = self.emit.compare(IntCC::Equal, done, null);
        self.end_if(fails, status::MEMORY);
        Ok(())
    }

    /// The place of so many bytes that an access names, if they are there.
    fn place(&mut self, inst: Inst, bytes: u32) -> Result<Register, Refused> {
        self.unit.touches_memory = true;
        let args = self.f.args(inst);
        let access = self.f.inst(inst).descr.and_then(|descr| self.unit.module.descriptors.raw_access(descr));
        let (base, offset) = (self.word(args[0])?, self.word(args[1])?);
        let (base, mut offset) = (self.emit.wide(base), self.emit.wide_signed(offset));
        let scale = access.map_or(1, |access| access.scale);
        if scale != 1 {
            let scale = self.emit.code.ins().iconst(types::I64, scale);
            offset = self.emit.code.ins().imul(offset, scale);
        }
        let address = self.emit.code.ins().iadd(base, offset);
        let size = self.load(place::SIZE);
        let bytes = self.emit.code.ins().iconst(types::I64, i64::from(bytes));
        // There is more memory than one access takes.
        let last = self.emit.code.ins().isub(size, bytes);
        let behind = self.emit.compare(IntCC::UnsignedGreaterThan, address, last);
        self.end_if(behind, status::MEMORY);
        let memory = self.load(place::MEMORY);
        Ok(self.emit.code.ins().iadd(memory, address))
    }

    fn location_of(&self, inst: Inst) -> Option<Location> {
        self.f.inst(inst).descr.and_then(|descr| self.unit.module.descriptors.location(descr))
    }

    fn raw_load(&mut self, inst: Inst) -> Result<(), Refused> {
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
            Type::Float(_) => Held::Number(planish_ops::Floats::f_from_bits(&mut self.emit, word)),
            _ => Held::Word(word),
        };
        self.set(result, value);
        Ok(())
    }

    fn raw_store(&mut self, inst: Inst) -> Result<(), Refused> {
        let value = self.f.args(inst)[2];
        let (ty, location) = (self.f.ty(value), self.location_of(inst));
        let Some(full) = bits(ty) else { return self.refuse(format!("memory holds a value of type {ty}")) };
        let bytes = stored_bits(full, location).div_ceil(8);
        let start = self.place(inst, bytes)?;
        let word = match self.get(value)? {
            Held::Word(word) => word,
            Held::Number(number) => planish_ops::Floats::f_to_bits(&mut self.emit, number),
            Held::Reference(_) => return self.refuse("a reference is stored"),
        };
        let encoding = self.emit.wide(word);
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
}

fn register(held: Held) -> Register {
    match held {
        Held::Word(word) => word.value,
        Held::Number(number) => number.value,
        Held::Reference(register) => register,
    }
}

/// An access that is made where it stands, at any address.
fn little_endian() -> MemFlagsData {
    MemFlagsData::new().with_notrap().with_endianness(Endianness::Little)
}

/// How many bits a value in memory has.
fn bits(ty: Type) -> Option<u32> {
    match ty {
        Type::Int(width) => Some(u32::from(width)),
        Type::Float(format) => Some(format.bits()),
        Type::Ref | Type::State => None,
    }
}

/// How many bits of a value a location holds; a float is stored whole.
fn stored_bits(bits: u32, location: Option<Location>) -> u32 {
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
