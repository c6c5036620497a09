//! Decoding everything in a class file: is it well-formed, and what is in it?
//!
//! Reading a class file decodes as little as possible; a command that checks an input, a benchmark and
//! a fuzzer want the opposite. Well-formed means that every attribute and instruction has the shape that
//! the specification gives it and that constants refer to constants of the right kind. It does not mean
//! that a JVM would link the class: types and access are no concern here.

use crate::attribute::Body;
use crate::class::{Attribute, ClassFile};
use crate::constant::Constant;
use crate::descriptor::{MethodType, Type};
use crate::error::{Error, Result};
use crate::instruction::Operand;
use crate::mutf8::Shown;
use crate::pool::ConstantPool;

/// How much there is in class files.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Census {
    /// Fields.
    pub fields: u64,
    /// Methods.
    pub methods: u64,
    /// Attributes, those of method bodies and record components included.
    pub attributes: u64,
    /// Attributes with names that the specification does not define.
    pub unknown: u64,
    /// Method bodies.
    pub bodies: u64,
    /// Instructions.
    pub instructions: u64,
}

impl ClassFile<'_> {
    /// Decodes every attribute and every instruction and counts them into `census`.
    pub fn decode_all(&self, census: &mut Census) -> Result<()> {
        census.fields += self.fields.len() as u64;
        census.methods += self.methods.len() as u64;
        for member in self.fields.iter().chain(&self.methods) {
            decode(&member.attributes, &self.pool, census, 0)?;
        }
        decode(&self.attributes, &self.pool, census, 0)
    }

    /// Checks that the file is well-formed.
    pub fn check(&self) -> Result<Census> {
        self.pool.check()?;
        self.check_indices()?;
        self.name()?;
        self.super_name()?;
        for name in self.interface_names() {
            name?;
        }
        let members = self.fields.iter().map(|field| (field, false));
        for (member, is_method) in members.chain(self.methods.iter().map(|method| (method, true))) {
            self.pool.utf8(member.name)?;
            let descriptor = self.pool.utf8(member.descriptor)?;
            let known = match is_method {
                true => MethodType::parse(descriptor).is_some(),
                false => Type::parse(descriptor).is_some(),
            };
            if !known {
                return Err(Error::at(
                    self.pool.offset(member.descriptor),
                    format!("a descriptor, found {}", Shown(descriptor)),
                ));
            }
        }
        let mut census = Census::default();
        self.decode_all(&mut census)?;
        for attribute in self.methods.iter().flat_map(|method| &method.attributes) {
            if let Some(Body::Code(code)) = attribute.decode(&self.pool)? {
                crate::code::Code::read(&code, &self.pool)?;
                for item in code.instructions() {
                    let (at, instruction) = item?;
                    if let Operand::Constant(index)
                    | Operand::Interface { method: index, .. }
                    | Operand::Dimensions { class: index, .. } = instruction.operand
                    {
                        check_constant(instruction.op, self.pool.get(index)?, code.offset + at)?;
                    }
                }
            }
        }
        Ok(census)
    }
}

/// Checks that an instruction can use a constant of this kind.
fn check_constant(op: crate::Opcode, constant: Constant<'_>, offset: u32) -> Result<()> {
    use crate::Opcode::*;
    let fits = match op {
        Ldc | LdcW => matches!(
            constant,
            Constant::Integer(_)
                | Constant::Float(_)
                | Constant::String(_)
                | Constant::Class(_)
                | Constant::MethodType(_)
                | Constant::MethodHandle(..)
                | Constant::Dynamic(..)
        ),
        Ldc2W => matches!(constant, Constant::Long(_) | Constant::Double(_) | Constant::Dynamic(..)),
        Getstatic | Putstatic | Getfield | Putfield => matches!(constant, Constant::Field(..)),
        Invokevirtual => matches!(constant, Constant::Method(..)),
        Invokespecial | Invokestatic => {
            matches!(constant, Constant::Method(..) | Constant::InterfaceMethod(..))
        }
        Invokeinterface => matches!(constant, Constant::InterfaceMethod(..)),
        Invokedynamic => matches!(constant, Constant::InvokeDynamic(..)),
        _ => matches!(constant, Constant::Class(_)),
    };
    match fits {
        true => Ok(()),
        false => Err(Error::at(
            offset as usize,
            format!("a constant that {op} can use, found a {}", constant.tag().1),
        )),
    }
}

fn decode(list: &[Attribute<'_>], pool: &ConstantPool<'_>, census: &mut Census, depth: u32) -> Result<()> {
    census.attributes += list.len() as u64;
    for attribute in list {
        match attribute.decode(pool)? {
            Some(Body::Code(code)) if depth < 2 => {
                census.bodies += 1;
                for instruction in code.instructions() {
                    instruction?;
                    census.instructions += 1;
                }
                decode(&code.attributes, pool, census, depth + 1)?;
            }
            Some(Body::Record(components)) if depth < 2 => {
                for component in &components {
                    decode(&component.attributes, pool, census, depth + 1)?;
                }
            }
            // A body inside a body inside a body is nothing that a JVM looks at.
            Some(_) => {}
            None => census.unknown += 1,
        }
    }
    Ok(())
}
