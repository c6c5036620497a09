//! What instructions do to references: objects, arrays, fields, calls, and the constants that name them.

use std::rc::Rc;

use planish_classfile::code::Insn;
use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::{Constant, MemberRef, Opcode, Operand};

use super::{Machine, Outcome, misfit};
use crate::vtype::{Signature, VType};

impl<'c> Machine<'c, '_, '_> {
    /// Fields, calls, objects, arrays, exceptions and monitors.
    pub(super) fn references(&mut self, instruction: &Insn, at: u32) -> Outcome {
        use Opcode::*;
        match instruction.op {
            Getstatic | Putstatic | Getfield | Putfield => self.field(instruction),
            Invokevirtual | Invokespecial | Invokestatic | Invokeinterface | Invokedynamic => {
                self.call(instruction)
            }
            New => self.new_object(instruction, at),
            Newarray => self.new_array_of_numbers(instruction),
            Anewarray => self.new_array_of_references(instruction),
            Arraylength => self.array_length(),
            Athrow => {
                let throwable = self.context.object(b"java/lang/Throwable");
                self.pop(throwable).map(drop)
            }
            Checkcast => {
                self.pop_reference()?;
                let class = self.class_constant(instruction)?;
                let class = self.context.object(class);
                self.push(class);
                Ok(())
            }
            Instanceof => {
                self.class_constant(instruction)?;
                self.pop_reference()?;
                self.push(VType::Int);
                Ok(())
            }
            Monitorenter | Monitorexit => self.pop_reference().map(drop),
            op => unreachable!("{op} is not about references"),
        }
    }

    fn new_object(&mut self, instruction: &Insn, at: u32) -> Outcome {
        let fresh = VType::Uninitialized(at);
        if self.state.stack.contains(&fresh) {
            return Err("an object of an earlier round is still uninitialized".into());
        }
        if self.class_constant(instruction)?.starts_with(b"[") {
            return Err("new makes no arrays".into());
        }
        self.state.replace(fresh, VType::Top);
        self.push(fresh);
        Ok(())
    }

    fn new_array_of_numbers(&mut self, instruction: &Insn) -> Outcome {
        let Operand::Immediate(number) = instruction.operand else { return Err(misfit(instruction.op)) };
        let name = usize::try_from(number - 4).ok().and_then(|index| {
            [&b"[Z"[..], b"[C", b"[F", b"[D", b"[B", b"[S", b"[I", b"[J"].get(index).copied()
        });
        self.pop(VType::Int)?;
        let array = self.context.object(name.ok_or("newarray names no element type")?);
        self.push(array);
        Ok(())
    }

    fn new_array_of_references(&mut self, instruction: &Insn) -> Outcome {
        self.pop(VType::Int)?;
        let element = self.class_constant(instruction)?;
        let mut name = b"[".to_vec();
        Type::of_class(element).ok_or("a malformed array class")?.write(&mut name);
        let array = self.context.object(&name);
        self.push(array);
        Ok(())
    }

    /// An array of arrays, and those that it holds.
    pub(super) fn new_arrays(&mut self, instruction: &Insn) -> Outcome {
        let Operand::Dimensions { count, .. } = instruction.operand else {
            return Err(misfit(instruction.op));
        };
        let name = self.class_constant(instruction)?;
        let dimensions = name.iter().take_while(|byte| **byte == b'[').count();
        if count == 0 || usize::from(count) > dimensions {
            return Err("an array has fewer dimensions than are made".into());
        }
        (0..count).try_for_each(|_| self.pop(VType::Int).map(drop))?;
        let array = self.context.object(name);
        self.push(array);
        Ok(())
    }

    fn array_length(&mut self) -> Outcome {
        let array = self.pop_reference()?;
        let is_array = match array {
            VType::Object(name) => self.context.text(name).starts_with(b"["),
            _ => true,
        };
        if !is_array {
            return Err(format!("{} is not an array", self.context.show(array)));
        }
        self.push(VType::Int);
        Ok(())
    }

    pub(super) fn array_load(&mut self, arrays: &[&[u8]], gives: VType) -> Outcome {
        self.pop(VType::Int)?;
        self.pop_array(arrays)?;
        self.push(gives);
        Ok(())
    }

    pub(super) fn array_store(&mut self, arrays: &[&[u8]], takes: VType) -> Outcome {
        self.pop(takes)?;
        self.pop(VType::Int)?;
        self.pop_array(arrays)
    }

    fn pop_array(&mut self, arrays: &[&[u8]]) -> Outcome {
        let found = self.pop_any()?;
        let fits = match found {
            VType::Null => true,
            VType::Object(name) => arrays.contains(&self.context.text(name)),
            _ => false,
        };
        if fits { Ok(()) } else { Err(format!("{} is not an array of that kind", self.context.show(found))) }
    }

    /// Loads a reference out of an array.
    pub(super) fn element_load(&mut self) -> Outcome {
        self.pop(VType::Int)?;
        let array = self.pop_reference()?;
        let Some(element) = self.context.element(array) else {
            return Err(format!("{} is not an array of references", self.context.show(array)));
        };
        self.push(element);
        Ok(())
    }

    /// Stores a reference into an array.
    pub(super) fn element_store(&mut self) -> Outcome {
        self.pop_reference()?;
        self.pop(VType::Int)?;
        let array = self.pop_reference()?;
        if self.context.element(array).is_none() {
            return Err(format!("{} is not an array of references", self.context.show(array)));
        }
        Ok(())
    }

    fn class_constant(&self, instruction: &Insn) -> Outcome<&'c [u8]> {
        let (Operand::Constant(index) | Operand::Dimensions { class: index, .. }) = instruction.operand
        else {
            return Err(misfit(instruction.op));
        };
        self.method.pool.class(index).map_err(|error| error.to_string())
    }

    pub(super) fn constant(&mut self, index: u16) -> Outcome<VType> {
        let pool = self.method.pool;
        Ok(match pool.get(index).map_err(|error| error.to_string())? {
            Constant::Integer(_) => VType::Int,
            Constant::Float(_) => VType::Float,
            Constant::Long(_) => VType::Long,
            Constant::Double(_) => VType::Double,
            Constant::String(_) => self.context.object(b"java/lang/String"),
            Constant::Class(_) => self.context.object(b"java/lang/Class"),
            Constant::MethodType(_) => self.context.object(b"java/lang/invoke/MethodType"),
            Constant::MethodHandle(..) => self.context.object(b"java/lang/invoke/MethodHandle"),
            Constant::Dynamic(..) => {
                let (_, _, descriptor) = pool.dynamic(index).map_err(|error| error.to_string())?;
                let ty = Type::parse(descriptor).ok_or("a malformed descriptor of a constant")?;
                self.context.of_descriptor(ty)
            }
            other => return Err(format!("a {} cannot be loaded", other.tag().1)),
        })
    }

    /// What a field, method or dynamic call is made of.
    fn signature(&mut self, index: u16, is_field: bool, is_dynamic: bool) -> Outcome<Rc<Signature>> {
        if let Some(known) = self.context.known_signature(index)
            && known.is_field == is_field
            && known.is_dynamic == is_dynamic
        {
            return Ok(Rc::clone(known));
        }
        let pool = self.method.pool;
        let (owner, descriptor) = match is_dynamic {
            true => {
                let (_, _, descriptor) = pool.dynamic(index).map_err(|error| error.to_string())?;
                (VType::Top, descriptor)
            }
            false => {
                let member = pool.member(index).map_err(|error| error.to_string())?;
                (self.context.object(member.class), member.descriptor)
            }
        };
        let (parameters, result) = match is_field {
            true => {
                let ty = Type::parse(descriptor).ok_or("a malformed descriptor of a field")?;
                (Box::default(), Some(self.context.of_descriptor(ty)))
            }
            false => {
                let ty = MethodType::parse(descriptor).ok_or("a malformed descriptor of a method")?;
                let parameters = ty.parameters().map(|ty| self.context.of_descriptor(ty)).collect();
                (parameters, ty.result().map(|ty| self.context.of_descriptor(ty)))
            }
        };
        let signature = Rc::new(Signature { is_field, is_dynamic, owner, parameters, result });
        self.context.keep_signature(index, &signature);
        Ok(signature)
    }

    fn field(&mut self, instruction: &Insn) -> Outcome {
        let Operand::Constant(index) = instruction.operand else { return Err(misfit(instruction.op)) };
        let signature = self.signature(index, true, false)?;
        let (owner, ty) = (signature.owner, signature.result.ok_or("a field has a type")?);
        match instruction.op {
            Opcode::Getstatic => self.push(ty),
            Opcode::Putstatic => drop(self.pop(ty)?),
            Opcode::Getfield => {
                self.pop(owner)?;
                self.push(ty);
            }
            _ => {
                self.pop(ty)?;
                let MemberRef { class, name, .. } =
                    self.method.pool.member(index).map_err(|error| error.to_string())?;
                // A constructor may set fields of its own class before it calls another constructor.
                let own =
                    self.state.stack.last() == Some(&VType::UninitializedThis) && class == self.method.class;
                if own {
                    self.pop_any()?;
                } else {
                    self.pop(owner).map_err(|error| format!("{error}, to set its field {}", lossy(name)))?;
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, instruction: &Insn) -> Outcome {
        let pool = self.method.pool;
        let op = instruction.op;
        let (Operand::Constant(index) | Operand::Interface { method: index, .. }) = instruction.operand
        else {
            return Err(misfit(op));
        };
        let is_dynamic = op == Opcode::Invokedynamic && matches!(instruction.operand, Operand::Constant(_));
        let signature = self.signature(index, false, is_dynamic)?;
        let (class, name) = match is_dynamic {
            true => (&b""[..], pool.dynamic(index).map_err(|error| error.to_string())?.1),
            false => {
                pool.member(index).map(|member| (member.class, member.name)).map_err(|e| e.to_string())?
            }
        };
        let in_callee = |error: String| format!("{error}, to call {}", lossy(name));
        for &parameter in signature.parameters.iter().rev() {
            self.pop(parameter).map_err(in_callee)?;
        }
        match op {
            Opcode::Invokestatic | Opcode::Invokedynamic => {}
            Opcode::Invokespecial if name == b"<init>" => self.construct(class)?,
            _ if name.starts_with(b"<") => return Err(format!("{op} calls {}", lossy(name))),
            Opcode::Invokespecial => {
                // The receiver is of the calling class, whatever class the method is found in.
                let this = self.context.object(self.method.class);
                self.pop(this).map_err(in_callee)?;
            }
            _ => drop(self.pop(signature.owner).map_err(in_callee)?),
        }
        if let Some(result) = signature.result {
            self.push(result);
        }
        Ok(())
    }

    /// A call of a constructor of `class` turns its receiver into an object everywhere.
    fn construct(&mut self, class: &[u8]) -> Outcome {
        let receiver = self.pop_any()?;
        let made = match receiver {
            VType::UninitializedThis => {
                if class != self.method.class && Some(class) != self.method.super_class {
                    return Err("a constructor of neither this class nor its super class".into());
                }
                self.state.this_uninitialized = false;
                self.context.object(self.method.class)
            }
            VType::Uninitialized(_) => self.context.object(class),
            other => return Err(format!("{} is constructed", self.context.show(other))),
        };
        self.state.replace(receiver, made);
        Ok(())
    }
}

fn lossy(name: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(name)
}
