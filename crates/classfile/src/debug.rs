//! Line numbers and local variables of method bodies.
//!
//! Positions count bytes as read, and instructions in a [`Code`](crate::code::Code).

use crate::bytes::{Cursor, Put, put_count, put_range};
use crate::error::Result;

/// From this position on, code comes from this line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LineNumber {
    /// The position.
    pub start: u32,
    /// The line of the source file.
    pub line: u16,
}

/// A local variable, or the generic type of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalVariable {
    /// First position at which it has a value.
    pub start: u32,
    /// One past the last position.
    pub end: u32,
    /// The constant that is its name.
    pub name: u16,
    /// The constant that is its descriptor, or its signature in a table of generic types.
    pub descriptor: u16,
    /// Its slot.
    pub slot: u16,
}

impl LineNumber {
    pub(crate) fn read(c: &mut Cursor<'_>) -> Result<Self> {
        Ok(LineNumber { start: u32::from(c.u16()?), line: c.u16()? })
    }

    pub(crate) fn put(out: &mut Vec<u8>, line: &Self) -> Result<()> {
        put_count(out, "a position", line.start as usize)?;
        out.put_u16(line.line);
        Ok(())
    }
}

impl LocalVariable {
    pub(crate) fn read(c: &mut Cursor<'_>) -> Result<Self> {
        let start = u32::from(c.u16()?);
        let end = start + u32::from(c.u16()?);
        Ok(LocalVariable { start, end, name: c.u16()?, descriptor: c.u16()?, slot: c.u16()? })
    }

    pub(crate) fn put(out: &mut Vec<u8>, local: &Self) -> Result<()> {
        put_range(out, local.start, local.end)?;
        out.put_u16(local.name);
        out.put_u16(local.descriptor);
        out.put_u16(local.slot);
        Ok(())
    }
}
