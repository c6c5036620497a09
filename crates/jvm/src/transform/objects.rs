//! Aggregates of bytecode: what scalar replacement asks about objects, boxes of numbers and short arrays.
//!
//! A verifier wants the constructor called before anything else is done with an object, so an object is ready behind the call
//! of one of which it is known what it stores ([`Constructors`]). Boxes of numbers are objects with one field, which nobody
//! can tell from each other. Arrays have a known, small length; an index outside of one, and an element of which it is not sure
//! that the array takes it, keep the array, for they throw.

use hashbrown::HashMap;
use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode, Operand};
use planish_ir::{Const, Function, Inst, Location, Value};
use planish_jvm_analysis::boxes::{Boxed, Conversion};
use planish_jvm_analysis::constructors::{Constructors, Source};
use planish_jvm_analysis::literal::Literal;
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_ir::narrow::Narrow;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_ops::world::Extension;
use planish_ops::{Op, Real, Type};
use planish_pass::aggregates::{Aggregates, Deed, Kind, Made, Place};
use rustc_hash::FxBuildHasher;

use super::filled::{elements, fits, int, length};

/// The longest array that becomes its elements: each may become a local variable.
const LONGEST: i64 = 32;
/// How many fields of an object a block may have parameters for: each may become a local variable.
const MOST_PARAMETERS: usize = 16;

/// The numbers of kinds of arrays begin here, each behind it by the letter of its items.
const ARRAYS: u32 = 1 << 31;
/// The numbers of kinds of boxes begin here.
const BOXES: u32 = 1 << 30;

/// What a body of a class says of objects.
pub struct BytecodeObjects<'a, 'p> {
    constructors: &'a Constructors,
    names: &'a mut Names,
    pool: &'a mut ConstantPool<'p>,
    class: &'a [u8],
    hierarchy: &'a Hierarchy,
    /// The numbers of classes and fields.
    numbers: HashMap<Vec<u8>, u32, FxBuildHasher>,
}

impl<'a, 'p> BytecodeObjects<'a, 'p> {
    /// For bodies of `class`.
    pub fn new(
        constructors: &'a Constructors,
        names: &'a mut Names,
        pool: &'a mut ConstantPool<'p>,
        class: &'a [u8],
        hierarchy: &'a Hierarchy,
    ) -> Self {
        BytecodeObjects { constructors, names, pool, class, hierarchy, numbers: HashMap::default() }
    }

    fn number(&mut self, of: &[u8]) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry_ref(of).or_insert(next)
    }

    fn member(&self, instruction: &Insn) -> Option<MemberRef<'_>> {
        self.pool.member(constant(instruction)?).ok()
    }

    /// The boxes that an instruction makes.
    fn boxed(&self, f: &Function, inst: Inst) -> Option<&'static Boxed> {
        let instruction = self.names.instruction_of(f, inst)?;
        Boxed::made_by(instruction.op, &self.member(instruction)?)
    }

    /// What a call gives of the number that a box holds.
    fn unboxed(&mut self, f: &Function, inst: Inst, boxed: &Boxed) -> Option<Deed> {
        let instruction = self.names.instruction_of(f, inst)?;
        let then = match boxed.gives(instruction.op, &self.member(instruction)?)? {
            Conversion::Same => None,
            Conversion::Widen => Some((Op::Sext, Type::I64)),
            Conversion::Shorten => Some((Op::Trunc, Type::I32)),
        };
        Some(Deed::Load(self.place(b"", boxed.descriptor, None), then))
    }

    fn place(&mut self, name: &[u8], descriptor: &[u8], index: Option<i64>) -> Place {
        let class = self.number(&[name, b":", descriptor].concat());
        Place {
            class,
            descr: None,
            index,
            ty: type_of(descriptor),
            narrow: extension(Narrow::of(descriptor)),
        }
    }

    /// The place that the member of an access is.
    fn field(&mut self, index: u16) -> Option<Place> {
        let member = self.pool.member(index).ok()?;
        let (name, descriptor) = (member.name.to_vec(), member.descriptor.to_vec());
        Some(self.place(&name, &descriptor, None))
    }

    /// What an instruction does to an array of so many items, of a type with this letter.
    fn of_array(&mut self, f: &Function, inst: Inst, items: i64, letter: u8) -> Option<Deed> {
        let index = || int(f, *f.args(inst).get(1)?).filter(|index| (0..items).contains(index));
        match f.inst(inst).op {
            Op::GetItem => Some(Deed::Load(self.place(b"", &[letter], Some(index()?)), None)),
            Op::SetItem => {
                let index = index()?;
                let takes = fits(f, inst, items, self.names, self.pool, self.hierarchy);
                takes.then(|| Deed::Store(self.place(b"", &[letter], Some(index))))
            }
            Op::ArrayLen => Some(Deed::Answer(items)),
            _ => None,
        }
    }

    /// What the field at a place holds when a constructor was called.
    fn source(&self, f: &Function, inst: Inst, place: &Place) -> Option<Source> {
        let instruction = self.names.instruction_of(f, inst)?;
        let constructor = self.constructors.get(&self.member(instruction)?, self.class)?;
        let of_place = |name: &[u8]| self.numbers.get(name) == Some(&place.class);
        let (_, source) = constructor.fields.as_ref()?.iter().find(|(name, _)| of_place(name))?;
        Some(source.clone())
    }
}

impl Aggregates for BytecodeObjects<'_, '_> {
    fn made(&mut self, f: &Function, inst: Inst) -> Option<Made> {
        if let Some(items) = length(f, inst, self.names, self.pool, self.hierarchy) {
            let letter = elements(f, inst, self.names).filter(|_| items <= LONGEST)?;
            let class = ARRAYS + u32::from(letter);
            let kind = Kind { class, length: Some(items), has_identity: true };
            return Some(Made { kind, is_ready: true });
        }
        let instruction = self.names.instruction_of(f, inst)?;
        match instruction.op {
            Opcode::New => {
                let class = self.pool.class(constant(instruction)?).ok()?.to_vec();
                let kind = Kind { class: self.number(&class), length: None, has_identity: true };
                Some(Made { kind, is_ready: false })
            }
            Opcode::Invokestatic => {
                let class = BOXES + self.boxed(f, inst)?.position() as u32;
                let kind = Kind { class, length: None, has_identity: false };
                Some(Made { kind, is_ready: true })
            }
            _ => None,
        }
    }

    fn deed(&mut self, f: &Function, inst: Inst, kind: Kind) -> Option<Deed> {
        if let Some(items) = kind.length {
            return self.of_array(f, inst, items, (kind.class - ARRAYS) as u8);
        }
        if !kind.has_identity {
            return self.unboxed(f, inst, &Boxed::ALL[(kind.class - BOXES) as usize]);
        }
        let data = f.inst(inst);
        let named = self.names.named(data.descr?);
        let (op, index) = match (data.op, named) {
            (Op::GetField, Named::Field(index)) => (Opcode::Getfield, Some(*index)),
            (Op::SetField, Named::Field(index)) => (Opcode::Putfield, Some(*index)),
            (Op::Call, Named::Instruction(instruction)) => (instruction.op, constant(instruction)),
            _ => return None,
        };
        match op {
            Opcode::Getfield => Some(Deed::Load(self.field(index?)?, None)),
            Opcode::Putfield => Some(Deed::Store(self.field(index?)?)),
            Opcode::Monitorenter => Some(Deed::Enter),
            Opcode::Monitorexit => Some(Deed::Leave),
            Opcode::Invokespecial => {
                let member = self.pool.member(index?).ok().filter(|member| member.name == b"<init>")?;
                let known = self.constructors.get(&member, self.class)?;
                known.fields.is_some().then_some(Deed::Construct)
            }
            _ => None,
        }
    }

    fn knows(&mut self, f: &Function, inst: Inst, place: &Place) -> bool {
        if f.first_result(inst).is_some() {
            // An array holds nothing at first, and a box what it is made of.
            return true;
        }
        let count = f.args(inst).len() - 1;
        self.source(f, inst, place).is_some_and(|source| can_be_made(&source, count, self.pool))
    }

    fn content(
        &mut self,
        f: &mut Function,
        inst: Inst,
        place: &Place,
        made: &mut Vec<Inst>,
    ) -> Option<Value> {
        let location = f.inst(inst).location;
        if f.first_result(inst).is_none() {
            let source = self.source(f, inst, place)?;
            let arguments = f.args(inst)[1..].to_vec();
            let value = value_of(f, &source, &arguments, location, (self.names, self.pool), made)?;
            return Some(narrow(place.narrow).value(f, value, location, made));
        }
        let boxed = self.boxed(f, inst)?;
        let number = f.args(inst)[0];
        // Any number but 0 is `true`.
        Some(if boxed.descriptor == b"Z" {
            let zero = f.make_int(Type::I32, 0);
            let inst = f.make_inst(Op::Ne, &[number, zero], &[Type::I32], None, None, location);
            made.push(inst);
            f.result(inst)
        } else {
            Narrow::of(boxed.descriptor).value(f, number, location, made)
        })
    }

    fn tells_at_run_time(&self) -> bool {
        false
    }

    fn most_parameters(&self) -> usize {
        MOST_PARAMETERS
    }
}

/// The constant that an instruction names.
fn constant(instruction: &Insn) -> Option<u16> {
    match instruction.operand {
        Operand::Constant(index) => Some(index),
        _ => None,
    }
}

/// The type of what a field with a descriptor holds.
fn type_of(descriptor: &[u8]) -> Type {
    match descriptor.first() {
        Some(b'J') => Type::I64,
        Some(b'F') => Type::F32,
        Some(b'D') => Type::F64,
        Some(b'L' | b'[') => Type::Ref,
        _ => Type::I32,
    }
}

/// How a load makes an `int` of what was stored.
fn extension(narrow: Narrow) -> Option<Extension> {
    match narrow {
        Narrow::Whole => None,
        Narrow::Bit => Some(Extension { bits: 1, signed: false }),
        Narrow::Signed(bits) => Some(Extension { bits, signed: true }),
        Narrow::Unsigned(bits) => Some(Extension { bits, signed: false }),
    }
}

/// The reverse of [`extension`].
fn narrow(extension: Option<Extension>) -> Narrow {
    match extension {
        None => Narrow::Whole,
        Some(Extension { bits: 1, signed: false }) => Narrow::Bit,
        Some(Extension { bits, signed: true }) => Narrow::Signed(bits),
        Some(Extension { bits, signed: false }) => Narrow::Unsigned(bits),
    }
}

/// Whether a source can be made of so many arguments; texts are added to the constants.
fn can_be_made(source: &Source, arguments: usize, pool: &mut ConstantPool<'_>) -> bool {
    match source {
        Source::Argument(number) => usize::from(*number) < arguments,
        Source::Literal(Literal::Text(text)) => pool.add_string(text).is_ok(),
        Source::Literal(_) | Source::Nothing => true,
        Source::Computed(_, _, parts) => parts.iter().all(|part| can_be_made(part, arguments, pool)),
        Source::Narrowed(_, part) => can_be_made(part, arguments, pool),
    }
}

/// The value of a source, computed by operations that are added to `made`.
fn value_of(
    f: &mut Function,
    source: &Source,
    arguments: &[Value],
    place: Location,
    (names, pool): (&mut Names, &mut ConstantPool<'_>),
    made: &mut Vec<Inst>,
) -> Option<Value> {
    Some(match source {
        Source::Argument(number) => *arguments.get(usize::from(*number))?,
        Source::Nothing => return None,
        Source::Literal(literal) => match literal {
            Literal::Null => f.make_constant(Const::Null),
            Literal::Int(value) => f.make_int(Type::I32, (*value).into()),
            Literal::Long(value) => f.make_int(Type::I64, *value),
            Literal::Float(bits) => f.make_constant(Real::F32(f32::from_bits(*bits))),
            Literal::Double(bits) => f.make_constant(Real::F64(f64::from_bits(*bits))),
            Literal::Text(text) => {
                let index = pool.add_string(text).ok()?;
                let symbol = names.string(index, pool);
                f.make_constant(Const::Symbol(symbol, Type::Ref))
            }
        },
        Source::Computed(op, ty, parts) => {
            let mut args = Vec::with_capacity(parts.len());
            for part in parts {
                args.push(value_of(f, part, arguments, place, (names, pool), made)?);
            }
            let inst = f.make_inst(*op, &args, &[*ty], None, None, place);
            made.push(inst);
            f.result(inst)
        }
        Source::Narrowed(narrow, part) => {
            let value = value_of(f, part, arguments, place, (names, pool), made)?;
            narrow.value(f, value, place, made)
        }
    })
}
