//! The constant pool.
//!
//! Everything in a class file speaks of constants by index, attributes that nobody understands
//! included. So the pool is never rebuilt: the bytes that were read stay as they are, decoded on
//! demand from a table of offsets, and new constants go to the end. What did not change is then
//! byte-exact without effort.
//!
//! Reading checks that each entry has a known tag and fits; references between entries are checked
//! when followed, since real class files hold unused nonsense. `grow` adds constants.

mod grow;

pub use grow::PoolMark;

use hashbrown::HashTable;

use crate::bytes::{Cursor, Put};
use crate::constant::{Constant, DOUBLE, LONG, SIZES, UTF8, tag_row};
use crate::error::{Error, Result};
use crate::mutf8::Shown;

/// Which table of a class a member reference speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemberKind {
    /// A field.
    Field,
    /// A method of a class.
    Method,
    /// A method of an interface.
    InterfaceMethod,
}

/// A reference to a field or method, resolved to names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemberRef<'p> {
    /// What it names.
    pub kind: MemberKind,
    /// The class or array in which the search for it begins.
    pub class: &'p [u8],
    /// Its name.
    pub name: &'p [u8],
    /// Its descriptor.
    pub descriptor: &'p [u8],
}

/// The constants of a class file: the bytes that were read, and what was added.
#[derive(Clone, Default)]
pub struct ConstantPool<'a> {
    /// The file up to the end of its pool.
    read: &'a [u8],
    /// Where the first entry begins in `read`.
    start: usize,
    /// Added entries.
    added: Vec<u8>,
    /// Where each entry begins, in `read` followed by `added`; 0 where no constant is.
    offsets: Vec<u32>,
    /// Entries by content; empty until something is added.
    by_content: HashTable<u16>,
}

impl<'a> ConstantPool<'a> {
    /// A pool without constants.
    pub fn new() -> Self {
        // Offset 0 means "no constant", so the first entry of a new pool begins after one byte of padding.
        ConstantPool { read: &[0], start: 1, offsets: vec![0], ..Self::default() }
    }

    /// Reads the count and the entries that begin at `at` of `file`. Returns the pool and its end.
    pub fn read(file: &'a [u8], at: usize) -> Result<(Self, usize)> {
        if u32::try_from(file.len()).is_err() {
            return Err(Error::at(u32::MAX as usize, "a class file of less than 4 GiB"));
        }
        let Some(rest) = file.get(at..) else {
            return Err(Error::at(file.len(), "the head of a class file"));
        };
        let mut cursor = Cursor::new(rest, at);
        let count = usize::from(cursor.u16()?);
        if count == 0 {
            return Err(Error::at(at, "a count of constants of at least 1, found 0"));
        }
        // A long counts twice and takes nine bytes, so no entry takes less than three bytes of input.
        cursor.table(count - 1, 3)?;
        let start = at + 2;
        let mut offsets = Vec::with_capacity(count);
        offsets.push(0);
        let mut next = start;
        while offsets.len() < count {
            let Some(&tag) = file.get(next) else {
                let expected = format!("the end of constant {} and another one", offsets.len() - 1);
                return Err(Error::at(file.len(), expected));
            };
            let mut size = usize::from(SIZES[usize::from(tag)]);
            if size == 0 {
                return Err(Error::at(next, format!("the tag of constant {}, found {tag}", offsets.len())));
            }
            if tag == UTF8 {
                let Some(length) = file[next + 1..].first_chunk::<2>() else {
                    return Err(Error::at(next + 1, "the length of a text"));
                };
                size += usize::from(u16::from_be_bytes(*length));
            }
            offsets.push(next as u32);
            if matches!(tag, LONG | DOUBLE) {
                offsets.push(0);
            }
            next += size;
        }
        if next > file.len() {
            return Err(Error::at(file.len(), format!("{} more bytes of constants", next - file.len())));
        }
        if offsets.len() > count {
            return Err(Error::at(next, "two places for the last constant, an eight-byte number"));
        }
        Ok((
            ConstantPool {
                read: &file[..next],
                start,
                added: Vec::new(),
                offsets,
                by_content: HashTable::new(),
            },
            next,
        ))
    }

    /// Writes the count and the entries.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.put_u16(self.offsets.len() as u16);
        out.extend_from_slice(&self.read[self.start..]);
        out.extend_from_slice(&self.added);
    }

    /// The number of places, place 0 included: one more than the highest index.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Where the pool ends in the file that was read.
    pub(crate) fn end(&self) -> usize {
        self.read.len()
    }

    /// Whether there is no constant.
    pub fn is_empty(&self) -> bool {
        self.offsets.len() <= 1
    }

    /// The number of bytes that [`write`](Self::write) appends.
    pub fn byte_len(&self) -> usize {
        2 + self.read.len() - self.start + self.added.len()
    }

    /// The indices of all constants, in order.
    pub fn indices(&self) -> impl Iterator<Item = u16> + '_ {
        self.offsets.iter().enumerate().filter(|(_, offset)| **offset != 0).map(|(index, _)| index as u16)
    }

    /// The bytes of an entry, from its tag on.
    #[inline]
    fn entry(&self, index: u16) -> Option<&[u8]> {
        match self.offsets.get(usize::from(index)).copied() {
            None | Some(0) => None,
            Some(offset) => match self.read.get(offset as usize..) {
                Some(bytes) if !bytes.is_empty() => Some(bytes),
                _ => self.added.get(offset as usize - self.read.len()..),
            },
        }
    }

    /// The tag of a constant; 0 where none is.
    #[inline]
    pub fn tag(&self, index: u16) -> u8 {
        self.entry(index).map_or(0, |bytes| bytes[0])
    }

    /// Whether a constant is a class.
    pub fn is_class(&self, index: u16) -> bool {
        self.tag(index) == 7
    }

    /// Whether a constant is a field.
    pub fn is_field(&self, index: u16) -> bool {
        self.tag(index) == 9
    }

    /// Whether a constant is a field or a method.
    pub fn is_member(&self, index: u16) -> bool {
        (9..=11).contains(&self.tag(index))
    }

    /// Where a constant was in the file; for what is not there, where the constants began.
    pub fn offset(&self, index: u16) -> usize {
        match self.offsets.get(usize::from(index)) {
            None | Some(0) => self.start,
            Some(offset) => *offset as usize,
        }
    }

    #[cold]
    fn missing(&self, index: u16, wanted: &str) -> Error {
        let found = match tag_row(self.tag(index)) {
            Some((name, _)) => name.to_owned(),
            None => format!("nothing ({} places)", self.len()),
        };
        Error::at(self.offset(index), format!("constant {index} to be {wanted}, found {found}"))
    }

    /// The constant at `index`.
    pub fn get(&self, index: u16) -> Result<Constant<'_>> {
        let Some(bytes) = self.entry(index) else {
            return Err(self.missing(index, "a constant"));
        };
        let mut cursor = Cursor::new(&bytes[1..], self.offsets[usize::from(index)] as usize + 1);
        Ok(match bytes[0] {
            UTF8 => {
                let len = cursor.u16()?;
                Constant::Utf8(cursor.take(usize::from(len))?)
            }
            3 => Constant::Integer(cursor.i32()?),
            4 => Constant::Float(cursor.u32()?),
            LONG => Constant::Long(cursor.u64()? as i64),
            DOUBLE => Constant::Double(cursor.u64()?),
            7 => Constant::Class(cursor.u16()?),
            8 => Constant::String(cursor.u16()?),
            9 => Constant::Field(cursor.u16()?, cursor.u16()?),
            10 => Constant::Method(cursor.u16()?, cursor.u16()?),
            11 => Constant::InterfaceMethod(cursor.u16()?, cursor.u16()?),
            12 => Constant::NameAndType(cursor.u16()?, cursor.u16()?),
            15 => Constant::MethodHandle(cursor.u8()?, cursor.u16()?),
            16 => Constant::MethodType(cursor.u16()?),
            17 => Constant::Dynamic(cursor.u16()?, cursor.u16()?),
            18 => Constant::InvokeDynamic(cursor.u16()?, cursor.u16()?),
            19 => Constant::Module(cursor.u16()?),
            20 => Constant::Package(cursor.u16()?),
            _ => return Err(self.missing(index, "a constant")),
        })
    }

    /// A text.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&[u8]> {
        if let Some([UTF8, high, low, text @ ..]) = self.entry(index)
            && let Some(text) = text.get(..usize::from(u16::from_be_bytes([*high, *low])))
        {
            return Ok(text);
        }
        Err(self.missing(index, "a Utf8"))
    }

    /// The index in an entry that has one, with tag `tag`.
    #[inline]
    fn single(&self, index: u16, tag: u8) -> Result<u16> {
        match self.entry(index) {
            Some([found, high, low, ..]) if *found == tag => Ok(u16::from_be_bytes([*high, *low])),
            _ => Err(self.missing(index, tag_row(tag).map_or("?", |row| row.0))),
        }
    }

    /// The name of a class, as in `java/lang/String` or `[I`.
    #[inline]
    pub fn class(&self, index: u16) -> Result<&[u8]> {
        self.utf8(self.single(index, 7)?)
    }

    /// The name of a class where index 0 means that there is none.
    pub fn optional_class(&self, index: u16) -> Result<Option<&[u8]>> {
        if index == 0 { Ok(None) } else { self.class(index).map(Some) }
    }

    /// The text of a string constant.
    pub fn string(&self, index: u16) -> Result<&[u8]> {
        self.utf8(self.single(index, 8)?)
    }

    /// The descriptor of a method type.
    pub fn method_type(&self, index: u16) -> Result<&[u8]> {
        self.utf8(self.single(index, 16)?)
    }

    /// The name of a module.
    pub fn module(&self, index: u16) -> Result<&[u8]> {
        self.utf8(self.single(index, 19)?)
    }

    /// The name of a package, with slashes.
    pub fn package(&self, index: u16) -> Result<&[u8]> {
        self.utf8(self.single(index, 20)?)
    }

    /// A name and a descriptor.
    pub fn name_and_type(&self, index: u16) -> Result<(&[u8], &[u8])> {
        match self.get(index)? {
            Constant::NameAndType(name, descriptor) => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => Err(self.missing(index, "a NameAndType")),
        }
    }

    /// A field or method.
    pub fn member(&self, index: u16) -> Result<MemberRef<'_>> {
        let (kind, class, name_and_type) = match self.get(index)? {
            Constant::Field(class, member) => (MemberKind::Field, class, member),
            Constant::Method(class, member) => (MemberKind::Method, class, member),
            Constant::InterfaceMethod(class, member) => (MemberKind::InterfaceMethod, class, member),
            _ => return Err(self.missing(index, "a field or method")),
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef { kind, class: self.class(class)?, name, descriptor })
    }

    /// The number of the bootstrap method, the name and the descriptor of a dynamic constant or call.
    pub fn dynamic(&self, index: u16) -> Result<(u16, &[u8], &[u8])> {
        match self.get(index)? {
            Constant::Dynamic(bootstrap, member) | Constant::InvokeDynamic(bootstrap, member) => {
                let (name, descriptor) = self.name_and_type(member)?;
                Ok((bootstrap, name, descriptor))
            }
            _ => Err(self.missing(index, "a Dynamic or InvokeDynamic")),
        }
    }

    /// Follows every reference of every constant and checks that what it finds has the right kind and
    /// that text is well-formed.
    pub fn check(&self) -> Result<()> {
        for index in self.indices() {
            match self.get(index)? {
                Constant::Utf8(text) => {
                    if let Some(at) = crate::mutf8::first_invalid(text) {
                        return Err(Error::at(self.offset(index) + 3 + at, "modified UTF-8"));
                    }
                }
                Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => {}
                Constant::Class(name)
                | Constant::String(name)
                | Constant::MethodType(name)
                | Constant::Module(name)
                | Constant::Package(name) => {
                    self.utf8(name)?;
                }
                Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => {
                    self.member(index)?;
                }
                Constant::NameAndType(..) => {
                    self.name_and_type(index)?;
                }
                Constant::MethodHandle(kind, member) => {
                    if !(1..=9).contains(&kind) {
                        return Err(Error::at(
                            self.offset(index) + 1,
                            format!("a kind from 1 to 9, found {kind}"),
                        ));
                    }
                    self.member(member)?;
                }
                Constant::Dynamic(..) | Constant::InvokeDynamic(..) => {
                    self.dynamic(index)?;
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for ConstantPool<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut map = f.debug_map();
        for index in self.indices() {
            match self.get(index) {
                Ok(Constant::Utf8(text)) => map.entry(&index, &Shown(text).to_string()),
                Ok(constant) => map.entry(&index, &constant),
                Err(error) => map.entry(&index, &error),
            };
        }
        map.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn sample() -> Vec<u8> {
        let mut pool = ConstantPool::new();
        pool.add_class(b"a/B").unwrap();
        pool.add(Constant::Long(-5)).unwrap();
        let member = MemberRef { kind: MemberKind::Field, class: b"a/B", name: b"f", descriptor: b"J" };
        pool.add_member(member).unwrap();
        let mut bytes = Vec::new();
        pool.write(&mut bytes);
        bytes
    }

    #[test]
    fn an_eight_byte_number_takes_two_places() {
        let bytes = sample();
        let (pool, end) = ConstantPool::read(&bytes, 0).unwrap();
        assert_eq!(end, bytes.len());
        assert_eq!(pool.indices().collect::<Vec<_>>(), [1, 2, 3, 5, 6, 7, 8]);
        assert!(pool.get(4).is_err());
        let member = pool.member(8).unwrap();
        assert_eq!((member.class, member.name, member.descriptor), (&b"a/B"[..], &b"f"[..], &b"J"[..]));
        pool.check().unwrap();
    }

    #[test]
    fn a_reference_of_the_wrong_kind_is_named_with_its_place() {
        let bytes = sample();
        let (pool, _) = ConstantPool::read(&bytes, 0).unwrap();
        let error = pool.class(1).unwrap_err();
        assert_eq!(error.to_string(), "byte 2 (0x2): expected constant 1 to be Class, found Utf8");
        assert!(pool.class(0).is_err() && pool.class(999).is_err());
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = sample();
        for len in 0..bytes.len() {
            assert!(ConstantPool::read(&bytes[..len], 0).is_err(), "{len} bytes");
        }
    }
}
