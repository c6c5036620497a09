//! A class file: constants, names, flags, fields, methods, attributes.
//!
//! Reading finds where everything is and decodes no attribute; the bytes stay borrowed from the input.
//! Replacing the content of one attribute and writing again gives a file that differs in that
//! attribute and its length only. Writing what was read gives the same bytes.

use crate::attribute::{Kind, find};
use crate::bytes::{Cursor, Put, put_indices, put_list};
use crate::error::{Error, Result};
use crate::flags::Flags;
use crate::pool::ConstantPool;

pub use crate::raw::Attribute;

/// The first four bytes of every class file.
pub const MAGIC: u32 = 0xcafe_babe;

/// The newest major version whose attributes and instructions are known: Java 25.
pub const NEWEST: u16 = 69;

/// A class file.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    /// Minor version; 65535 marks a class that uses preview features.
    pub minor: u16,
    /// Major version: 45 for Java 1.0 and 1.1, 44 + N for Java N.
    pub major: u16,
    /// The constants, by which everything else is named.
    pub pool: ConstantPool<'a>,
    /// Access flags.
    pub flags: Flags,
    /// The constant that names the class.
    pub this_class: u16,
    /// The constant that names its super class; 0 for `java/lang/Object` and modules.
    pub super_class: u16,
    /// The constants that name its direct super interfaces.
    pub interfaces: Vec<u16>,
    /// Fields.
    pub fields: Vec<Member<'a>>,
    /// Methods.
    pub methods: Vec<Member<'a>>,
    /// Attributes of the class.
    pub attributes: Vec<Attribute<'a>>,
}

/// A field or a method.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Access flags.
    pub flags: Flags,
    /// The constant that is its name.
    pub name: u16,
    /// The constant that is its descriptor.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
}

impl<'a> Member<'a> {
    /// Reads flags, name, descriptor and attributes.
    #[inline]
    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        Ok(Member {
            flags: Flags(cursor.u16()?),
            name: cursor.u16()?,
            descriptor: cursor.u16()?,
            attributes: Attribute::read_all(cursor)?,
        })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.flags.0);
        out.put_u16(self.name);
        out.put_u16(self.descriptor);
        Attribute::write_all(&self.attributes, out)
    }

    /// The first attribute of a kind.
    pub fn attribute(&self, pool: &ConstantPool<'_>, kind: Kind) -> Option<&Attribute<'a>> {
        find(&self.attributes, pool, kind)
    }
}

impl<'a> ClassFile<'a> {
    /// A class without members.
    pub fn new(major: u16, flags: Flags, name: &[u8], super_name: Option<&[u8]>) -> Result<Self> {
        let mut pool = ConstantPool::new();
        let this_class = pool.add_class(name)?;
        let super_class = super_name.map_or(Ok(0), |name| pool.add_class(name))?;
        Ok(ClassFile {
            minor: 0,
            major,
            pool,
            flags,
            this_class,
            super_class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        })
    }

    /// Reads a whole file. Its bytes are kept, attributes are not decoded.
    pub fn read(file: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(file, 0);
        if cursor.u32()? != MAGIC {
            return Err(Error::at(0, "the magic number cafebabe of a class file"));
        }
        let minor = cursor.u16()?;
        let major = cursor.u16()?;
        let (pool, end) = ConstantPool::read(file, 8)?;
        let mut cursor = Cursor::new(&file[end..], end);
        let class = ClassFile {
            minor,
            major,
            pool,
            flags: Flags(cursor.u16()?),
            this_class: cursor.u16()?,
            super_class: cursor.u16()?,
            interfaces: cursor.indices()?,
            fields: cursor.list(8, Member::read)?,
            methods: cursor.list(8, Member::read)?,
            attributes: Attribute::read_all(&mut cursor)?,
        };
        cursor.end("the class file")?;
        Ok(class)
    }

    /// Appends the bytes of the file.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u32(MAGIC);
        out.put_u16(self.minor);
        out.put_u16(self.major);
        self.pool.write(out);
        out.put_u16(self.flags.0);
        out.put_u16(self.this_class);
        out.put_u16(self.super_class);
        put_indices(out, "a number of interfaces", &self.interfaces)?;
        put_list(out, "a number of fields", &self.fields, |out, field| field.write(out))?;
        put_list(out, "a number of methods", &self.methods, |out, method| method.write(out))?;
        Attribute::write_all(&self.attributes, out)
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(self.pool.byte_len() + 1024);
        self.write(&mut out)?;
        Ok(out)
    }

    /// The name of the class, as in `java/lang/String`.
    pub fn name(&self) -> Result<&[u8]> {
        self.pool.class(self.this_class)
    }

    /// The name of the super class, if there is one.
    pub fn super_name(&self) -> Result<Option<&[u8]>> {
        self.pool.optional_class(self.super_class)
    }

    /// The names of the direct super interfaces.
    pub fn interface_names(&self) -> impl Iterator<Item = Result<&[u8]>> {
        self.interfaces.iter().map(|&index| self.pool.class(index))
    }

    /// The first attribute of a kind.
    pub fn attribute(&self, kind: Kind) -> Option<&Attribute<'a>> {
        find(&self.attributes, &self.pool, kind)
    }

    /// The method with this name and descriptor.
    pub fn method(&self, name: &[u8], descriptor: &[u8]) -> Option<&Member<'a>> {
        self.methods.iter().find(|method| self.is_named(method, name, descriptor))
    }

    /// The field with this name and descriptor.
    pub fn field(&self, name: &[u8], descriptor: &[u8]) -> Option<&Member<'a>> {
        self.fields.iter().find(|field| self.is_named(field, name, descriptor))
    }

    fn is_named(&self, member: &Member<'_>, name: &[u8], descriptor: &[u8]) -> bool {
        self.pool.utf8(member.name) == Ok(name) && self.pool.utf8(member.descriptor) == Ok(descriptor)
    }
}
