//! Types that a verifier sees: of which class an object is, by the instruction that gives it.

use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::{ConstantPool, Opcode, Operand};
use planish_ir::{Def, Function, Inst, Value};
use planish_jvm_analysis::boxes::Boxed;
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_ops::Op;

/// What a body is about.
pub(super) struct Seen<'s, 'p> {
    pub names: &'s Names,
    pub pool: &'s ConstantPool<'p>,
    pub hierarchy: &'s Hierarchy,
    /// The method: the types of its parameters.
    pub ty: Option<MethodType<'s>>,
    /// Its receiver, if it has one that is initialized, and whether it has one at all.
    pub receiver: (Option<ClassId>, bool),
}

impl Seen<'_, '_> {
    /// The class of an object that is surely there: a fresh one, a box, the receiver.
    pub fn object(&self, f: &Function, value: Value) -> Option<ClassId> {
        match f.def(value) {
            Def::Param(block, 0) if block == f.entry() => self.receiver.0,
            Def::Result(inst, 0) => match self.names.named(f.inst(inst).descr?) {
                Named::Instruction(made) if f.inst(inst).op == Op::Call => {
                    let Operand::Constant(index) = made.operand else { return None };
                    let class = match made.op {
                        Opcode::New => self.pool.class(index).ok()?,
                        Opcode::Invokestatic => {
                            Boxed::made_by(made.op, &self.pool.member(index).ok()?)?.class
                        }
                        _ => return None,
                    };
                    self.hierarchy.lookup(class)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The class, no interface, of which a verifier sees that a value is, unless it is null.
    pub fn class(&self, f: &Function, value: Value) -> Option<ClassId> {
        if let Some(class) = self.object(f, value) {
            return Some(class);
        }
        let inst = match f.def(value) {
            Def::Result(inst, 0) => inst,
            Def::Param(block, place) if block == f.entry() => {
                let place = (place as usize).checked_sub(self.receiver.1.into())?;
                return self.declared(self.ty.as_ref()?.parameters().nth(place)?.class_name()?);
            }
            _ => return None,
        };
        let (instruction, index) = match self.names.named(f.inst(inst).descr?) {
            Named::Instruction(instruction) => match instruction.operand {
                Operand::Constant(index) | Operand::Interface { method: index, .. } => {
                    (instruction.op, index)
                }
                _ => return None,
            },
            Named::Field(index) => (Opcode::Getfield, *index),
            _ => return None,
        };
        let pool = self.pool;
        let name = match instruction {
            Opcode::Checkcast => pool.class(index).ok()?,
            Opcode::Getfield | Opcode::Getstatic => {
                Type::parse(pool.member(index).ok()?.descriptor)?.class_name()?
            }
            Opcode::Invokedynamic => return None,
            _ => MethodType::parse(pool.member(index).ok()?.descriptor)?.result()?.class_name()?,
        };
        self.declared(name)
    }

    /// A class, no interface, of a name.
    fn declared(&self, name: &[u8]) -> Option<ClassId> {
        let class = self.hierarchy.lookup(name)?;
        (self.hierarchy.is_interface(class) == Some(false)).then_some(class)
    }

    /// The value that was cast or checked for null to be this one: the same object.
    pub(super) fn root(&self, f: &Function, mut object: Value) -> Value {
        while let Def::Result(inst, 0) = f.def(object) {
            object = match self.look(f, inst) {
                Some((Opcode::Checkcast, of, _)) => of,
                _ => match self.requires(f, inst) {
                    Some(of) => of,
                    None => break,
                },
            };
        }
        object
    }

    /// The object that a call of `Objects.requireNonNull` gives back, if it is there.
    pub(super) fn requires(&self, f: &Function, inst: Inst) -> Option<Value> {
        let call = self.names.instruction_of(f, inst)?;
        let (Opcode::Invokestatic, &Operand::Constant(index)) = (call.op, &call.operand) else { return None };
        let member = self.pool.member(index).ok()?;
        let is_one = member.class == b"java/util/Objects" && member.name == b"requireNonNull";
        f.args(inst).first().copied().filter(|_| is_one)
    }

    /// The object of a call of a method that only computes, and does not throw where the object is there.
    pub(super) fn computes_on(&self, f: &Function, inst: Inst) -> Option<Value> {
        let call = self.names.instruction_of(f, inst)?;
        let (Opcode::Invokevirtual | Opcode::Invokespecial, &Operand::Constant(index)) =
            (call.op, &call.operand)
        else {
            return None;
        };
        let member = self.pool.member(index).ok()?;
        let computes = self.names.raises_on_object(&member) == Some(false);
        f.args(inst).first().copied().filter(|_| computes && f.inst(inst).op == Op::Call)
    }

    /// The object at which an instruction looks, and the class for which it does: a test or a cast.
    pub(super) fn look(&self, f: &Function, inst: Inst) -> Option<(Opcode, Value, ClassId)> {
        let data = f.inst(inst);
        let Named::Instruction(look) = self.names.named(data.descr.filter(|_| data.op == Op::Call)?) else {
            return None;
        };
        let (Opcode::Checkcast | Opcode::Instanceof, &Operand::Constant(index)) = (look.op, &look.operand)
        else {
            return None;
        };
        let class = self.hierarchy.lookup(self.pool.class(index).ok()?)?;
        Some((look.op, f.args(inst)[0], class))
    }
}
