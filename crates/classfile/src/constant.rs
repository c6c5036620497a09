//! The kinds of constants, and how each is written.

use crate::bytes::{Put, narrow};
use crate::error::Result;

/// A constant as it stands in the pool; references are indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant<'p> {
    /// Text in modified UTF-8.
    Utf8(&'p [u8]),
    /// An `int`.
    Integer(i32),
    /// The bits of a `float`.
    Float(u32),
    /// A `long`.
    Long(i64),
    /// The bits of a `double`.
    Double(u64),
    /// A class or array type, by the index of its name.
    Class(u16),
    /// A string, by the index of its text.
    String(u16),
    /// A field: class, name and type.
    Field(u16, u16),
    /// A method of a class: class, name and type.
    Method(u16, u16),
    /// A method of an interface: class, name and type.
    InterfaceMethod(u16, u16),
    /// A name and a descriptor.
    NameAndType(u16, u16),
    /// A method handle: kind, member.
    MethodHandle(u8, u16),
    /// A method type, by the index of its descriptor.
    MethodType(u16),
    /// A constant computed by a bootstrap method: number of the method, name and type.
    Dynamic(u16, u16),
    /// A call site linked by a bootstrap method: number of the method, name and type.
    InvokeDynamic(u16, u16),
    /// A module, by the index of its name.
    Module(u16),
    /// A package, by the index of its name.
    Package(u16),
}

pub(crate) const UTF8: u8 = 1;
pub(crate) const LONG: u8 = 5;
pub(crate) const DOUBLE: u8 = 6;

/// The name of a tag, and the size of its entry without the tag; for text, of its length field.
pub(crate) const fn tag_row(tag: u8) -> Option<(&'static str, usize)> {
    Some(match tag {
        1 => ("Utf8", 2),
        3 => ("Integer", 4),
        4 => ("Float", 4),
        5 => ("Long", 8),
        6 => ("Double", 8),
        7 => ("Class", 2),
        8 => ("String", 2),
        9 => ("Fieldref", 4),
        10 => ("Methodref", 4),
        11 => ("InterfaceMethodref", 4),
        12 => ("NameAndType", 4),
        15 => ("MethodHandle", 3),
        16 => ("MethodType", 2),
        17 => ("Dynamic", 4),
        18 => ("InvokeDynamic", 4),
        19 => ("Module", 2),
        20 => ("Package", 2),
        _ => return None,
    })
}

/// The size of an entry with each tag, tag included; 0 for tags that do not exist.
pub(crate) const SIZES: [u8; 256] = {
    let mut sizes = [0; 256];
    let mut tag = 0;
    while tag < 256 {
        if let Some((_, size)) = tag_row(tag as u8) {
            sizes[tag] = size as u8 + 1;
        }
        tag += 1;
    }
    sizes
};

impl Constant<'_> {
    /// The tag, and its name in the class-file specification.
    pub fn tag(&self) -> (u8, &'static str) {
        let tag = match self {
            Constant::Utf8(_) => UTF8,
            Constant::Integer(_) => 3,
            Constant::Float(_) => 4,
            Constant::Long(_) => LONG,
            Constant::Double(_) => DOUBLE,
            Constant::Class(_) => 7,
            Constant::String(_) => 8,
            Constant::Field(..) => 9,
            Constant::Method(..) => 10,
            Constant::InterfaceMethod(..) => 11,
            Constant::NameAndType(..) => 12,
            Constant::MethodHandle(..) => 15,
            Constant::MethodType(_) => 16,
            Constant::Dynamic(..) => 17,
            Constant::InvokeDynamic(..) => 18,
            Constant::Module(_) => 19,
            Constant::Package(_) => 20,
        };
        (tag, tag_row(tag).map_or("?", |row| row.0))
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u8(self.tag().0);
        match *self {
            Constant::Utf8(text) => {
                out.put_u16(narrow("a text", text.len())?);
                out.extend_from_slice(text);
            }
            Constant::Integer(value) => out.put_u32(value as u32),
            Constant::Float(bits) => out.put_u32(bits),
            Constant::Long(value) => out.put_u64(value as u64),
            Constant::Double(bits) => out.put_u64(bits),
            Constant::Class(index)
            | Constant::String(index)
            | Constant::MethodType(index)
            | Constant::Module(index)
            | Constant::Package(index) => out.put_u16(index),
            Constant::Field(first, second)
            | Constant::Method(first, second)
            | Constant::InterfaceMethod(first, second)
            | Constant::NameAndType(first, second)
            | Constant::Dynamic(first, second)
            | Constant::InvokeDynamic(first, second) => {
                out.put_u16(first);
                out.put_u16(second);
            }
            Constant::MethodHandle(kind, index) => {
                out.put_u8(kind);
                out.put_u16(index);
            }
        }
        Ok(())
    }
}
