//! Adding constants to a pool, and taking back what was added.
//!
//! Adding looks for an equal entry first, in a hash table that is built at the first addition, so that reading does not
//! pay for it.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::{ConstantPool, MemberKind, MemberRef};
use crate::constant::{Constant, SIZES, UTF8};
use crate::error::{Error, Result};

/// A size of a pool, to which it can go back.
#[derive(Clone, Copy, Debug)]
pub struct PoolMark {
    places: usize,
    bytes: usize,
}

impl ConstantPool<'_> {
    /// The index of a constant, which is added if no equal one is there. Amortized O(its length).
    pub fn add(&mut self, constant: Constant<'_>) -> Result<u16> {
        if self.by_content.is_empty() {
            self.index_contents();
        }
        let before = self.added.len();
        constant.write(&mut self.added)?;
        let hash = hash(&self.added[before..]);
        let wanted = &self.added[before..];
        let found = self.by_content.find(hash, |&index| self.content(index) == wanted).copied();
        if let Some(index) = found {
            self.added.truncate(before);
            return Ok(index);
        }
        let places = if matches!(constant, Constant::Long(_) | Constant::Double(_)) { 2 } else { 1 };
        let index = self.offsets.len();
        if index + places > usize::from(u16::MAX) {
            self.added.truncate(before);
            return Err(Error::unwritable("a constant pool of at most 65534 places"));
        }
        self.offsets.push((self.read.len() + before) as u32);
        self.offsets.resize(index + places, 0);
        let (read, added, offsets) = (self.read, &self.added, &self.offsets);
        self.by_content
            .insert_unique(hash, index as u16, |&index| self::hash(content(read, added, offsets, index)));
        Ok(index as u16)
    }

    /// Appends a constant without looking for an equal one, and returns its index.
    pub(crate) fn append(&mut self, constant: Constant<'_>) -> Result<u16> {
        let places = if matches!(constant, Constant::Long(_) | Constant::Double(_)) { 2 } else { 1 };
        let index = self.offsets.len();
        if index + places > usize::from(u16::MAX) {
            return Err(Error::unwritable("a constant pool of at most 65534 places"));
        }
        self.offsets.push((self.read.len() + self.added.len()) as u32);
        self.offsets.resize(index + places, 0);
        constant.write(&mut self.added)?;
        self.by_content = HashTable::new();
        Ok(index as u16)
    }

    /// How much there is: what is added from here on can be undone.
    pub fn mark(&self) -> PoolMark {
        PoolMark { places: self.offsets.len(), bytes: self.added.len() }
    }

    /// The bytes of the constants that were added since `mark`.
    pub fn added_since(&self, mark: PoolMark) -> u64 {
        (self.added.len() - mark.bytes) as u64
    }

    /// The same, without what these constants do not need. What a call site needs is said elsewhere, so with a new one
    /// everything counts.
    pub fn needed_since(&self, mark: PoolMark, mut needed: Vec<u16>) -> u64 {
        let mut seen = vec![false; self.offsets.len() - mark.places];
        let mut bytes = 0;
        while let Some(index) = needed.pop() {
            let Some(place) = usize::from(index).checked_sub(mark.places) else { continue };
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            bytes += self.content(index).len() as u64;
            match self.get(index) {
                Ok(
                    Constant::Class(one)
                    | Constant::String(one)
                    | Constant::MethodType(one)
                    | Constant::Module(one)
                    | Constant::Package(one)
                    | Constant::MethodHandle(_, one),
                ) => needed.push(one),
                Ok(
                    Constant::Field(one, two)
                    | Constant::Method(one, two)
                    | Constant::InterfaceMethod(one, two)
                    | Constant::NameAndType(one, two),
                ) => needed.extend([one, two]),
                Ok(Constant::Dynamic(..) | Constant::InvokeDynamic(..)) | Err(_) => {
                    return self.added_since(mark);
                }
                Ok(
                    Constant::Utf8(_)
                    | Constant::Integer(_)
                    | Constant::Float(_)
                    | Constant::Long(_)
                    | Constant::Double(_),
                ) => {}
            }
        }
        bytes
    }

    /// Takes away what was added since `mark`.
    pub fn undo_to(&mut self, mark: PoolMark) {
        for index in mark.places..self.offsets.len() {
            if self.offsets[index] == 0 {
                continue;
            }
            let hash = hash(self.content(index as u16));
            if let Ok(entry) = self.by_content.find_entry(hash, |&other| usize::from(other) == index) {
                entry.remove();
            }
        }
        self.offsets.truncate(mark.places);
        self.added.truncate(mark.bytes);
    }

    fn content(&self, index: u16) -> &[u8] {
        content(self.read, &self.added, &self.offsets, index)
    }

    fn index_contents(&mut self) {
        let mut table = HashTable::with_capacity(self.offsets.len());
        for index in self.indices() {
            let bytes = self.content(index);
            // Of equal entries the first one is found.
            table
                .entry(hash(bytes), |&other| self.content(other) == bytes, |&other| hash(self.content(other)))
                .or_insert(index);
        }
        self.by_content = table;
    }

    /// The index of a text.
    pub fn add_utf8(&mut self, text: &[u8]) -> Result<u16> {
        self.add(Constant::Utf8(text))
    }

    /// The index of a class, by its name as in `java/lang/String` or `[I`.
    pub fn add_class(&mut self, name: &[u8]) -> Result<u16> {
        let name = self.add_utf8(name)?;
        self.add(Constant::Class(name))
    }

    /// The index of a string.
    pub fn add_string(&mut self, text: &[u8]) -> Result<u16> {
        let text = self.add_utf8(text)?;
        self.add(Constant::String(text))
    }

    /// The index of a method type.
    pub fn add_method_type(&mut self, descriptor: &[u8]) -> Result<u16> {
        let descriptor = self.add_utf8(descriptor)?;
        self.add(Constant::MethodType(descriptor))
    }

    /// The index of a name and descriptor.
    pub fn add_name_and_type(&mut self, name: &[u8], descriptor: &[u8]) -> Result<u16> {
        let name = self.add_utf8(name)?;
        let descriptor = self.add_utf8(descriptor)?;
        self.add(Constant::NameAndType(name, descriptor))
    }

    /// The index of a field or method.
    pub fn add_member(&mut self, member: MemberRef<'_>) -> Result<u16> {
        let class = self.add_class(member.class)?;
        let name_and_type = self.add_name_and_type(member.name, member.descriptor)?;
        self.add(match member.kind {
            MemberKind::Field => Constant::Field(class, name_and_type),
            MemberKind::Method => Constant::Method(class, name_and_type),
            MemberKind::InterfaceMethod => Constant::InterfaceMethod(class, name_and_type),
        })
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

/// The bytes of an entry, tag included; empty where no constant is.
fn content<'p>(read: &'p [u8], added: &'p [u8], offsets: &[u32], index: u16) -> &'p [u8] {
    let offset = offsets[usize::from(index)] as usize;
    let bytes = if offset < read.len() { &read[offset..] } else { &added[offset - read.len()..] };
    let size = match bytes {
        [UTF8, high, low, ..] => 3 + usize::from(u16::from_be_bytes([*high, *low])),
        [tag, ..] => usize::from(SIZES[usize::from(*tag)]),
        [] => 0,
    };
    &bytes[..size]
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn an_equal_constant_is_not_added_twice() {
        let bytes = sample();
        let (mut pool, _) = ConstantPool::read(&bytes, 0).unwrap();
        let len = pool.len();
        assert_eq!(pool.add_class(b"a/B"), Ok(2));
        assert_eq!(pool.add(Constant::Long(-5)), Ok(3));
        assert_eq!(pool.len(), len);
        assert_eq!(pool.add(Constant::Integer(-5)), Ok(len as u16));
        let mut longer = Vec::new();
        pool.write(&mut longer);
        assert_eq!(longer[2..bytes.len()], bytes[2..], "what was there stays as it was");
    }

    #[test]
    fn what_was_added_can_be_undone() {
        let bytes = sample();
        let (mut pool, _) = ConstantPool::read(&bytes, 0).unwrap();
        let mark = pool.mark();
        let first = pool.add_class(b"new/Class").unwrap();
        pool.add(Constant::Double(7)).unwrap();
        pool.undo_to(mark);
        let mut again = Vec::new();
        pool.write(&mut again);
        assert_eq!(again, bytes);
        assert_eq!(pool.add_class(b"new/Class"), Ok(first));
        assert_eq!(pool.add_class(b"a/B"), Ok(2));
    }

    #[test]
    fn a_full_pool_refuses_one_more_and_stays_whole() {
        let mut pool = ConstantPool::new();
        for value in 0..65534 {
            pool.add(Constant::Integer(value)).unwrap();
        }
        assert!(pool.add(Constant::Integer(-1)).is_err());
        assert_eq!(pool.add(Constant::Integer(65533)), Ok(65534));
        assert_eq!(pool.len(), 65535);
        let mut bytes = Vec::new();
        pool.write(&mut bytes);
        assert_eq!(ConstantPool::read(&bytes, 0).unwrap().0.len(), 65535);
    }
}
