//! Attributes as they stand in the file: a name, and bytes that nobody looked into.

use std::borrow::Cow;

use crate::bytes::{Cursor, Put, put_list};
use crate::error::{Error, Result};

/// An attribute whose content is not decoded.
#[derive(Clone, Debug)]
pub struct Attribute<'a> {
    /// The constant that is its name.
    pub name: u16,
    /// Where the content was in the file; 0 for what was not read.
    pub offset: u32,
    /// What follows name and length.
    pub content: Cow<'a, [u8]>,
}

impl<'a> Attribute<'a> {
    /// Reads name, length and content.
    #[inline]
    pub fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let name = cursor.u16()?;
        let length = cursor.u32()?;
        let offset = cursor.offset() as u32;
        let content = Cow::Borrowed(cursor.take(length as usize)?);
        Ok(Attribute { name, offset, content })
    }

    /// Reads a table of attributes.
    #[inline]
    pub fn read_all(cursor: &mut Cursor<'a>) -> Result<Vec<Self>> {
        cursor.list(6, Self::read)
    }

    /// A cursor over the content.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor::new(&self.content, self.offset as usize)
    }

    /// Writes name, length and content.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        let length = u32::try_from(self.content.len())
            .map_err(|_| Error::unwritable("an attribute of less than 4 GiB"))?;
        out.put_u16(self.name);
        out.put_u32(length);
        out.extend_from_slice(&self.content);
        Ok(())
    }

    /// Writes a table of attributes.
    pub fn write_all(attributes: &[Self], out: &mut Vec<u8>) -> Result<()> {
        put_list(out, "a number of attributes", attributes, |out, attribute| attribute.write(out))
    }

    /// The same attribute without borrowing.
    pub fn into_owned(self) -> Attribute<'static> {
        Attribute { content: Cow::Owned(self.content.into_owned()), name: self.name, offset: self.offset }
    }
}
