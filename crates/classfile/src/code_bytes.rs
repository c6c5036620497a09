//! Bodies of methods as they stand in the file: the code is bytes, enough to scan a program at the speed of memory.

use crate::bytes::{Cursor, Put, narrow, put_list};
use crate::error::{Error, Result};
use crate::instruction::Instructions;
use crate::raw::Attribute;

/// The most bytes that a method body may have.
pub const LONGEST: usize = 0xffff;

/// A method body with its code as bytes.
#[derive(Clone, Debug)]
pub struct CodeBytes<'a> {
    /// The deepest the stack gets, in slots.
    pub max_stack: u16,
    /// The number of slots of local variables, parameters included.
    pub max_locals: u16,
    /// The instructions.
    pub code: &'a [u8],
    /// Where `code` is in the file.
    pub offset: u32,
    /// Exception handlers, in the order in which they are tried.
    pub handlers: Vec<Handler>,
    /// Attributes of the body.
    pub attributes: Vec<Attribute<'a>>,
}

/// An exception handler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Handler {
    /// First position that it guards.
    pub start: u32,
    /// One past the last position.
    pub end: u32,
    /// The position of the handler.
    pub target: u32,
    /// The class that it catches; 0 for everything.
    pub class: u16,
}

impl<'a> CodeBytes<'a> {
    /// Reads the content of the attribute.
    pub fn read(c: &mut Cursor<'a>) -> Result<Self> {
        let max_stack = c.u16()?;
        let max_locals = c.u16()?;
        let at = c.offset();
        let length = c.u32()? as usize;
        if length == 0 || length > LONGEST {
            return Err(Error::at(at, format!("1 to {LONGEST} bytes of code, found {length}")));
        }
        let offset = c.offset() as u32;
        let code = c.take(length)?;
        let handlers = c.list(8, |c| {
            let at = c.offset();
            let [start, end, target] = [c.u16()?, c.u16()?, c.u16()?].map(u32::from);
            if start >= end || end as usize > length || target as usize >= length {
                return Err(Error::at(
                    at,
                    format!("a handler inside {length} bytes of code, found {start} to {end}, {target}"),
                ));
            }
            Ok(Handler { start, end, target, class: c.u16()? })
        })?;
        Ok(CodeBytes { max_stack, max_locals, code, offset, handlers, attributes: Attribute::read_all(c)? })
    }

    /// Writes the content of the attribute.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        write_parts(out, self.max_stack, self.max_locals, self.code, &self.handlers)?;
        Attribute::write_all(&self.attributes, out)
    }

    /// The instructions with their byte offsets.
    #[inline]
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.code, self.offset as usize)
    }
}

/// Writes what stands in front of the attributes of a body.
pub(crate) fn write_parts(
    out: &mut Vec<u8>,
    max_stack: u16,
    max_locals: u16,
    code: &[u8],
    handlers: &[Handler],
) -> Result<()> {
    if code.is_empty() || code.len() > LONGEST {
        return Err(Error::unwritable(format!("1 to {LONGEST} bytes of code, found {}", code.len())));
    }
    out.put_u16(max_stack);
    out.put_u16(max_locals);
    out.put_u32(code.len() as u32);
    out.extend_from_slice(code);
    put_list(out, "a number of handlers", handlers, |out, handler| {
        for position in [handler.start, handler.end, handler.target] {
            out.put_u16(narrow("a position", position as usize)?);
        }
        out.put_u16(handler.class);
        Ok(())
    })
}
