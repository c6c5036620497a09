//! A class whose fields other classes may access.

use planish_classfile::{ClassFile, Flags};

/// The same class with public fields: what no JVM links is no test of anything else.
pub fn with_public_fields(class: &[u8]) -> Vec<u8> {
    let mut file = ClassFile::read(class).unwrap();
    file.fields.iter_mut().for_each(|field| field.flags = Flags::PUBLIC);
    file.to_bytes().unwrap()
}
