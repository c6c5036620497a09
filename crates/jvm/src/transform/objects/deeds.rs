//! What is done to an object, by the instruction that does it.

use std::sync::Arc;

use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode, Operand};
use planish_ir::{Function, Inst, Value};
use planish_jvm_analysis::boxes::{Boxed, Conversion};
use planish_jvm_analysis::constructors::{Constructor, Constructors, Fields};
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_model::hierarchy::Hierarchy;
use planish_ops::{Op, Type};

use crate::transform::filled::{elements, fits, int, length};

/// The longest array that becomes its elements: each may become a local variable.
const LONGEST: i64 = 32;

/// The field that an element of an array is.
pub(super) fn element(index: i64, letter: u8) -> Box<[u8]> {
    format!("{index}:{}", char::from(letter)).into_bytes().into()
}

/// What the instructions of a body mean.
pub(super) struct Surroundings<'s, 'p> {
    pub(super) constructors: &'s Constructors,
    pub(super) names: &'s Names,
    pub(super) pool: &'s ConstantPool<'p>,
    pub(super) class: &'s [u8],
    pub(super) hierarchy: &'s Hierarchy,
}

/// What an instruction does with the object that is its first operand.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Deed {
    /// Makes it an object, with these arguments behind it.
    Construct(Arc<Fields>),
    /// Loads a field.
    Load(Box<[u8]>),
    /// Stores the last operand to a field.
    Store(Box<[u8]>),
    /// Asks how long an array is.
    AskLength(i64),
    /// Gets what a box holds.
    Unbox(Conversion),
    /// Finds that it is not null.
    Nothing,
    /// Enters its monitor.
    Enter,
    /// Leaves its monitor.
    Leave,
    /// Asks whether it is null, or, with `true`, whether it is not.
    AskNull(bool),
    /// Asks whether two objects are the same, or, with `false`, whether they are not.
    AskSame(bool),
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Object,
    Box(&'static Boxed),
    /// An array of so many elements, and the letter of their type. Its fields are called `0:I`, `1:I`, ...
    Array(i64, u8),
}

/// The field of a box.
pub(super) const HELD: &[u8] = b"";

impl Surroundings<'_, '_> {
    pub(super) fn member(&self, instruction: &Insn) -> Option<MemberRef<'_>> {
        match instruction.operand {
            Operand::Constant(index) => self.pool.member(index).ok(),
            _ => None,
        }
    }

    /// What an instruction makes, if that is an object that may go.
    pub(super) fn made(&self, f: &Function, inst: Inst) -> Option<Kind> {
        if let Some(length) = length(f, inst, self.names, self.pool, self.hierarchy) {
            let letter = elements(f, inst, self.names).filter(|_| length <= LONGEST)?;
            return Some(Kind::Array(length, letter));
        }
        let instruction = self.names.instruction_of(f, inst)?;
        match instruction.op {
            Opcode::New => Some(Kind::Object),
            Opcode::Invokestatic => Boxed::made_by(instruction.op, &self.member(instruction)?).map(Kind::Box),
            _ => None,
        }
    }

    /// What an instruction does with an object of a kind.
    pub(super) fn deed(&self, f: &Function, inst: Inst, kind: Kind) -> Option<Deed> {
        let data = f.inst(inst);
        let key = |member: &MemberRef<'_>| [member.name, b":", member.descriptor].concat().into();
        match data.op {
            Op::NullCheck => return Some(Deed::Nothing),
            Op::IsNull => return Some(Deed::AskNull(true)),
            Op::IsNonnull => return Some(Deed::AskNull(false)),
            _ => {}
        }
        if let Kind::Box(boxed) = kind {
            let instruction = self.names.instruction_of(f, inst)?;
            let conversion = boxed.gives(instruction.op, &self.member(instruction)?);
            return conversion.map(Deed::Unbox);
        }
        if let Kind::Array(length, letter) = kind {
            let index = || int(f, *f.args(inst).get(1)?).filter(|index| (0..length).contains(index));
            return match data.op {
                Op::GetItem => Some(Deed::Load(element(index()?, letter))),
                Op::SetItem => fits(f, inst, length, self.names, self.pool, self.hierarchy)
                    .then(|| Some(Deed::Store(element(index()?, letter))))?,
                Op::ArrayLen => Some(Deed::AskLength(length)),
                _ => None,
            };
        }
        match (data.op, data.descr.map(|descr| self.names.named(descr))) {
            (Op::RefEq, _) => Some(Deed::AskSame(true)),
            (Op::RefNe, _) => Some(Deed::AskSame(false)),
            (Op::GetField, Some(Named::Field(index))) => {
                Some(Deed::Load(key(&self.pool.member(*index).ok()?)))
            }
            (Op::SetField, Some(Named::Field(index))) => {
                Some(Deed::Store(key(&self.pool.member(*index).ok()?)))
            }
            (Op::Call, Some(Named::Instruction(instruction))) => match instruction.op {
                Opcode::Getfield => Some(Deed::Load(key(&self.member(instruction)?))),
                Opcode::Putfield => Some(Deed::Store(key(&self.member(instruction)?))),
                Opcode::Monitorenter => Some(Deed::Enter),
                Opcode::Monitorexit => Some(Deed::Leave),
                Opcode::Invokespecial => {
                    let member = self.member(instruction)?;
                    let known: &Constructor = self.constructors.get(&member, self.class)?;
                    (member.name == b"<init>").then_some(())?;
                    known.fields.clone().map(Deed::Construct)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// What a method of a box gives.
pub(super) fn converted(
    f: &mut Function,
    held: Value,
    conversion: Conversion,
    inst: Inst,
    made: &mut Vec<Inst>,
) -> Value {
    let (op, ty) = match conversion {
        Conversion::Same => return held,
        Conversion::Widen => (Op::Sext, Type::I64),
        Conversion::Shorten => (Op::Trunc, Type::I32),
    };
    let inst = f.make_inst(op, &[held], &[ty], None, None, f.inst(inst).location);
    made.push(inst);
    f.result(inst)
}
