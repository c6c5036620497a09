//! Fields of classes in programs of a few methods.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};

use crate::small::Pool;

/// The class with these fields besides.
pub fn with_fields(bytes: &[u8], fields: &[(Flags, &str, &str)]) -> Vec<u8> {
    let mut file = ClassFile::read(bytes).unwrap();
    for (flags, name, ty) in fields {
        file.add_field(*flags, name.as_bytes(), ty.as_bytes()).unwrap();
    }
    file.to_bytes().unwrap()
}

/// Reads or writes a field.
pub fn field(code: &mut CodeBuilder, pool: &mut Pool, op: Opcode, [class, name, ty]: [&str; 3]) {
    code.field(op, [class.as_bytes(), name.as_bytes(), ty.as_bytes()], pool).unwrap();
}
