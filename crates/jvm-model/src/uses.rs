//! References of a method body: classes, members and strings, in the order of its instructions.

use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::frame::VerificationType;
use planish_classfile::{
    Body, ClassFile, CodeBytes, Constant, ConstantPool, Kind, Member, MemberRef, Opcode, Operand, Result,
};

use crate::bootstraps::rows;

/// One thing that a method speaks of.
#[derive(Clone, Copy, Debug)]
pub enum Use<'p> {
    /// Makes an instance of a class.
    New(&'p [u8]),
    /// Needs a class or array to be there: casts, tests, arrays, handlers, types of the verifier.
    Class(&'p [u8]),
    /// Gets the object of a class or array.
    ClassConstant(&'p [u8]),
    /// Reads or writes a field.
    Field(Opcode, MemberRef<'p>),
    /// Calls a method.
    Call(Opcode, MemberRef<'p>),
    /// Gets a method handle of this kind.
    Handle(u8, MemberRef<'p>),
    /// Makes an instance of an interface at run time.
    Lambda(&'p [u8]),
    /// Gets a method type.
    MethodType(&'p [u8]),
    /// Gets a string.
    String(&'p [u8]),
}

/// The uses of a class file's methods.
pub struct Scanner<'p> {
    pool: &'p ConstantPool<'p>,
    bootstraps: Vec<BootstrapMethod>,
}

impl<'p> Scanner<'p> {
    /// Prepares for the methods of `file`.
    pub fn new(file: &'p ClassFile<'p>) -> Result<Self> {
        Ok(Scanner { pool: &file.pool, bootstraps: rows(file)? })
    }

    /// Shows everything that the body of a method speaks of, with the number of the instruction.
    pub fn method(&self, method: &'p Member<'p>, see_at: &mut impl FnMut(u32, Use<'p>)) -> Result<()> {
        let Some(attribute) = method.attribute(self.pool, Kind::Code) else { return Ok(()) };
        let code = CodeBytes::read(&mut attribute.cursor())?;
        for (number, item) in code.instructions().enumerate() {
            let (_, instruction) = item?;
            let mut see = |found: Use<'p>| see_at(number as u32, found);
            let see = &mut see;
            match (instruction.op, &instruction.operand) {
                (_, Operand::Interface { method, .. }) => {
                    see(Use::Call(instruction.op, self.pool.member(*method)?));
                }
                (_, Operand::Dimensions { class, .. }) => see(Use::Class(self.pool.class(*class)?)),
                (op, &Operand::Constant(index)) => self.constant(op, index, see)?,
                _ => {}
            }
        }
        let mut see = |found: Use<'p>| see_at(u32::MAX, found);
        for handler in code.handlers.iter().filter(|handler| handler.class != 0) {
            see(Use::Class(self.pool.class(handler.class)?));
        }
        for attribute in &code.attributes {
            if attribute.kind(self.pool)? != Some(Kind::StackMapTable) {
                continue;
            }
            let Some(Body::StackMapTable(mut frames)) = attribute.decode(self.pool)? else { continue };
            for frame in &mut frames {
                for ty in frame.form.types_mut() {
                    if let VerificationType::Object(class) = ty {
                        see(Use::Class(self.pool.class(*class)?));
                    }
                }
            }
        }
        Ok(())
    }

    fn constant(&self, op: Opcode, index: u16, see: &mut impl FnMut(Use<'p>)) -> Result<()> {
        match op {
            Opcode::New => see(Use::New(self.pool.class(index)?)),
            Opcode::Checkcast | Opcode::Instanceof | Opcode::Anewarray => {
                see(Use::Class(self.pool.class(index)?));
            }
            Opcode::Getfield | Opcode::Putfield | Opcode::Getstatic | Opcode::Putstatic => {
                see(Use::Field(op, self.pool.member(index)?));
            }
            Opcode::Invokevirtual | Opcode::Invokespecial | Opcode::Invokestatic => {
                see(Use::Call(op, self.pool.member(index)?));
            }
            _ => self.loadable(index, see)?,
        }
        Ok(())
    }

    /// A constant that is loaded, or a call site, with the arguments of bootstrap methods.
    fn loadable(&self, index: u16, see: &mut impl FnMut(Use<'p>)) -> Result<()> {
        // Each bootstrap method once: constants of a damaged class may speak of themselves.
        let mut queue = Vec::new();
        self.loaded(index, &mut queue, see)?;
        let mut at = 0;
        while let Some(&number) = queue.get(at) {
            at += 1;
            let Some(method) = self.bootstraps.get(usize::from(number)) else { continue };
            self.loaded(method.handle, &mut queue, see)?;
            for &argument in &method.arguments {
                self.loaded(argument, &mut queue, see)?;
            }
        }
        Ok(())
    }

    /// A constant by itself. The bootstrap method that makes it is put into the queue.
    fn loaded(&self, index: u16, queue: &mut Vec<u16>, see: &mut impl FnMut(Use<'p>)) -> Result<()> {
        match self.pool.get(index)? {
            Constant::Class(_) => see(Use::ClassConstant(self.pool.class(index)?)),
            Constant::String(text) => see(Use::String(self.pool.utf8(text)?)),
            Constant::MethodType(_) => see(Use::MethodType(self.pool.method_type(index)?)),
            Constant::MethodHandle(kind, member) => see(Use::Handle(kind, self.pool.member(member)?)),
            Constant::Dynamic(number, _) | Constant::InvokeDynamic(number, _) => {
                let (_, _, descriptor) = self.pool.dynamic(index)?;
                see(Use::MethodType(descriptor));
                let result = descriptor.iter().position(|byte| *byte == b')').map(|at| &descriptor[at + 1..]);
                if let Some(class) = result.and_then(|ty| ty.strip_prefix(b"L")?.strip_suffix(b";")) {
                    see(Use::Lambda(class));
                }
                if !queue.contains(&number) {
                    queue.push(number);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use planish_classfile::builder::CodeBuilder;
    use planish_classfile::class::Attribute;
    use planish_classfile::{Flags, Insn};

    use super::*;

    /// A damaged class may have a dynamic constant that is made of itself.
    #[test]
    fn a_bootstrap_method_that_speaks_of_itself_is_looked_at_once() {
        let mut class = ClassFile::new(55, Flags::PUBLIC, b"Test", Some(b"java/lang/Object")).unwrap();
        let member = class.pool.add_name_and_type(b"x", b"Ljava/lang/Object;").unwrap();
        let itself = class.pool.add(Constant::Dynamic(0, member)).unwrap();
        let methods = vec![BootstrapMethod { handle: itself, arguments: vec![itself] }];
        let attribute = Attribute::new(&mut class.pool, &Body::BootstrapMethods(methods)).unwrap();
        class.attributes.push(attribute);
        let mut code = CodeBuilder::new();
        code.op(Opcode::AconstNull).op(Opcode::Areturn);
        let mut code = code.finish(0, &mut class.pool).unwrap();
        code.instructions[0] = Insn::constant(Opcode::LdcW, itself);
        class.add_method(Flags::STATIC, b"m", b"()Ljava/lang/Object;", Some(&code)).unwrap();
        let bytes = class.to_bytes().unwrap();
        let class = ClassFile::read(&bytes).unwrap();
        let mut seen = 0;
        Scanner::new(&class).unwrap().method(&class.methods[0], &mut |_, _| seen += 1).unwrap();
        assert_eq!(seen, 3, "the constant, and it again as handle and argument");
    }
}
