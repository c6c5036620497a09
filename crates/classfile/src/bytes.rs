//! Reading and writing big-endian numbers.
//!
//! A [`Cursor`] walks a slice and knows where that slice lies in its file, so that every error has
//! the offset that a hex dump shows. It never trusts a length: [`Cursor::table`] refuses a count whose
//! smallest possible entries would not fit in what is left, so a lying count cannot cause a large
//! allocation. Writing goes to a `Vec<u8>` through [`Put`].

use crate::error::{Error, Result};

/// A position in a slice of a file.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    base: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at the first of `bytes`, which lie at `base` of their file.
    #[inline]
    pub fn new(bytes: &'a [u8], base: usize) -> Self {
        Cursor { bytes, at: 0, base }
    }

    /// The offset in the file of the next byte.
    #[inline]
    pub fn offset(&self) -> usize {
        self.base + self.at
    }

    /// The number of bytes that were read.
    #[inline]
    pub fn position(&self) -> usize {
        self.at
    }

    /// The number of bytes that are left.
    #[inline]
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `N` bytes.
    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(chunk) => {
                self.at += N;
                Ok(*chunk)
            }
            None => Err(self.too_short(N)),
        }
    }

    #[cold]
    fn too_short(&self, wanted: usize) -> Error {
        Error::at(self.offset(), format!("{wanted} more bytes, found {}", self.left()))
    }

    /// One byte.
    #[inline]
    pub fn u8(&mut self) -> Result<u8> {
        self.array::<1>().map(|b| b[0])
    }

    /// One signed byte.
    #[inline]
    pub fn i8(&mut self) -> Result<i8> {
        self.array().map(i8::from_be_bytes)
    }

    /// Two bytes.
    #[inline]
    pub fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    /// Two signed bytes.
    #[inline]
    pub fn i16(&mut self) -> Result<i16> {
        self.array().map(i16::from_be_bytes)
    }

    /// Four bytes.
    #[inline]
    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// Four signed bytes.
    #[inline]
    pub fn i32(&mut self) -> Result<i32> {
        self.array().map(i32::from_be_bytes)
    }

    /// Eight bytes.
    #[inline]
    pub fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_be_bytes)
    }

    /// The next `len` bytes as a slice.
    #[inline]
    pub fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        match self.bytes[self.at..].get(..len) {
            Some(slice) => {
                self.at += len;
                Ok(slice)
            }
            None => Err(self.too_short(len)),
        }
    }

    /// Accepts a count of entries that take at least `smallest` bytes each, if that many can follow.
    #[inline]
    pub fn table(&self, count: usize, smallest: usize) -> Result<usize> {
        if count.checked_mul(smallest).is_some_and(|bytes| bytes <= self.left()) {
            return Ok(count);
        }
        let left = self.left();
        Err(Error::at(
            self.offset(),
            format!("{count} entries of at least {smallest} bytes, found {left} bytes"),
        ))
    }

    /// A table with a two-byte count, each entry read by `entry`.
    #[inline]
    pub fn list<T>(
        &mut self,
        smallest: usize,
        mut entry: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = self.u16()?;
        let count = self.table(usize::from(count), smallest)?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(entry(self)?);
        }
        Ok(items)
    }

    /// A table of two-byte numbers with a two-byte count.
    #[inline]
    pub fn indices(&mut self) -> Result<Vec<u16>> {
        let count = self.u16()?;
        let bytes = self.take(usize::from(count) * 2)?;
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect())
    }

    /// Demands that nothing is left of `what`.
    #[inline]
    pub fn end(&self, what: &'static str) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(Error::at(self.offset(), format!("the end of {what}, found {left} more bytes"))),
        }
    }
}

/// Appends big-endian numbers.
pub trait Put {
    /// One byte.
    fn put_u8(&mut self, value: u8);
    /// Two bytes.
    fn put_u16(&mut self, value: u16);
    /// Four bytes.
    fn put_u32(&mut self, value: u32);
    /// Eight bytes.
    fn put_u64(&mut self, value: u64);
}

impl Put for Vec<u8> {
    #[inline]
    fn put_u8(&mut self, value: u8) {
        self.push(value);
    }
    #[inline]
    fn put_u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_be_bytes());
    }
    #[inline]
    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_be_bytes());
    }
    #[inline]
    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_be_bytes());
    }
}

/// Writes a two-byte count and each item.
pub(crate) fn put_list<T>(
    out: &mut Vec<u8>,
    what: &'static str,
    items: &[T],
    mut entry: impl FnMut(&mut Vec<u8>, &T) -> Result<()>,
) -> Result<()> {
    put_count(out, what, items.len())?;
    items.iter().try_for_each(|item| entry(out, item))
}

/// Writes a two-byte count.
pub(crate) fn put_count(out: &mut Vec<u8>, what: &'static str, count: usize) -> Result<()> {
    out.put_u16(narrow(what, count)?);
    Ok(())
}

/// Writes a table of two-byte numbers with a two-byte count.
pub(crate) fn put_indices(out: &mut Vec<u8>, what: &'static str, items: &[u16]) -> Result<()> {
    put_list(out, what, items, |out, &item| {
        out.put_u16(item);
        Ok(())
    })
}

/// Narrows a number that the format stores in two bytes.
pub(crate) fn narrow(what: &'static str, value: usize) -> Result<u16> {
    u16::try_from(value).map_err(|_| Error::unwritable(format!("{what} of at most 65535, found {value}")))
}

/// Narrows a number that the format stores in one byte.
pub(crate) fn small(what: &'static str, value: usize) -> Result<u8> {
    let value = narrow(what, value)?;
    u8::try_from(value).map_err(|_| Error::unwritable(format!("{what} of at most 255, found {value}")))
}

/// Writes a range of positions as start and length.
pub(crate) fn put_range(out: &mut Vec<u8>, start: u32, end: u32) -> Result<()> {
    let Some(length) = end.checked_sub(start) else {
        return Err(Error::unwritable(format!("a range, found its start {start} after its end {end}")));
    };
    put_count(out, "a position", start as usize)?;
    put_count(out, "a length", length as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_offset_in_the_file() {
        let mut cursor = Cursor::new(&[1, 2, 3], 100);
        assert_eq!(cursor.u16(), Ok(0x0102));
        assert_eq!(cursor.u16().unwrap_err().to_string(), "byte 102 (0x66): expected 2 more bytes, found 1");
        assert_eq!(cursor.u8(), Ok(3));
    }

    #[test]
    fn a_lying_count_is_refused_before_memory_is_reserved() {
        let mut cursor = Cursor::new(&[0xff, 0xff, 0, 0], 0);
        let error = cursor.list(8, |c| c.u64()).unwrap_err();
        assert_eq!(error.offset(), Some(2));
    }
}
