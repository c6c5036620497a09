//! Where a class speaks of its constants: every number of a constant outside of the pool.
//!
//! Whoever numbers constants anew patches them where they stand, and whoever asks whether two bodies mean the
//! same reads what the numbers stand for instead of the numbers.

use crate::attribute::Kind;
use crate::class::{Attribute, ClassFile};
use crate::error::{Error, Result};
use crate::instruction::{Instructions, Operand};
use crate::opcode::Format;
use crate::pool::ConstantPool;

/// How deep annotations may nest.
const DEEPEST: u32 = 200;

/// Attributes of other languages that hold no numbers of constants.
const PLAIN: &[&[u8]] = &[b"ScalaSig", b"Scala", b"TASTY"];

pub(crate) fn read_index(place: &[u8]) -> u16 {
    match place {
        [low] => u16::from(*low),
        [high, low] => u16::from_be_bytes([*high, *low]),
        _ => 0,
    }
}

pub(crate) fn write_index(place: &mut [u8], index: u16) {
    let bytes = index.to_be_bytes();
    match place {
        // Whoever numbers anew gives small numbers to what is named by one byte.
        [low] => *low = bytes[1],
        [high, low] => [*high, *low] = bytes,
        _ => {}
    }
}

/// What is done at each place of a number of a constant, which is one or two bytes.
pub(crate) type Visit<'v> = dyn FnMut(&mut [u8]) + 'v;

/// Visits every number of a constant in a class but those in the pool and in the table of bootstrap
/// methods. `opaque` is set if there is an attribute of which nobody knows what it holds.
pub(crate) fn each_index(
    class: &mut ClassFile<'_>,
    pool: &ConstantPool<'_>,
    opaque: &mut bool,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let mut one = |index: &mut u16| {
        let mut bytes = index.to_be_bytes();
        visit(&mut bytes);
        *index = u16::from_be_bytes(bytes);
    };
    one(&mut class.this_class);
    one(&mut class.super_class);
    class.interfaces.iter_mut().for_each(&mut one);
    for member in class.fields.iter_mut().chain(&mut class.methods) {
        one(&mut member.name);
        one(&mut member.descriptor);
    }
    let members = class.fields.iter_mut().chain(&mut class.methods);
    let lists = members.map(|member| &mut member.attributes).chain([&mut class.attributes]);
    for attribute in lists.flatten() {
        attribute_indices(attribute, pool, opaque, visit)?;
    }
    Ok(())
}

impl ClassFile<'_> {
    /// Checks that every number of a constant outside of the pool is one of the pool, so that tables with a place for each
    /// constant may be indexed by it. Whether the constant is of the right kind is seen by who follows the number.
    /// O(size of the class).
    pub fn check_indices(&self) -> Result<()> {
        let len = self.pool.len();
        let check = |index: u16, offset: usize| match usize::from(index) < len {
            true => Ok(()),
            false => Err(Error::at(offset, format!("the number of a constant among {len}, found {index}"))),
        };
        let members = self.fields.iter().chain(&self.methods);
        let of_class = [self.this_class, self.super_class].into_iter().chain(self.interfaces.iter().copied());
        let of_members = members.clone().flat_map(|member| [member.name, member.descriptor]);
        of_class.chain(of_members).try_for_each(|index| check(index, self.pool.end()))?;
        for attribute in members.flat_map(|member| &member.attributes).chain(&self.attributes) {
            let mut largest = 0;
            let mut note = |place: &mut [u8]| largest = largest.max(read_index(place));
            let walked = attribute_indices(&mut attribute.clone(), &self.pool, &mut false, &mut note);
            check(largest, attribute.offset as usize)?;
            walked?;
        }
        Ok(())
    }
}

/// The content of an attribute with zero wherever it has the number of a constant, and those numbers in order.
/// Nothing if it holds what nobody knows. O(size).
pub fn without_indices(
    attribute: &Attribute<'_>,
    pool: &ConstantPool<'_>,
) -> Result<Option<(Vec<u8>, Vec<u16>)>> {
    let mut copy = attribute.clone();
    let (mut opaque, mut indices) = (false, Vec::new());
    let mut take = |place: &mut [u8]| {
        indices.push(read_index(place));
        write_index(place, 0);
    };
    attribute_indices(&mut copy, pool, &mut opaque, &mut take)?;
    Ok((!opaque).then(|| (copy.content.into_owned(), indices)))
}

fn attribute_indices(
    attribute: &mut Attribute<'_>,
    pool: &ConstantPool<'_>,
    opaque: &mut bool,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let old = attribute.name;
    let mut name = old.to_be_bytes();
    visit(&mut name);
    attribute.name = u16::from_be_bytes(name);
    let text = pool.utf8(old)?;
    let Some(kind) = Kind::of_name(text) else {
        *opaque |= !attribute.content.is_empty() && !PLAIN.contains(&text);
        return Ok(());
    };
    if matches!(kind, Kind::BootstrapMethods | Kind::LineNumberTable) {
        return Ok(());
    }
    let base = attribute.offset as usize;
    let mut walk = Walk { bytes: attribute.content.to_mut(), at: 0, base, pool, opaque, visit };
    walk.content(kind)
}

/// A walk over the content of an attribute.
struct Walk<'w, 'p, 'v> {
    bytes: &'w mut [u8],
    at: usize,
    base: usize,
    pool: &'w ConstantPool<'p>,
    opaque: &'w mut bool,
    visit: &'w mut Visit<'v>,
}

impl Walk<'_, '_, '_> {
    fn take(&mut self, len: usize) -> Result<&mut [u8]> {
        let start = self.at;
        match start.checked_add(len).filter(|&end| end <= self.bytes.len()) {
            Some(end) => {
                self.at = end;
                Ok(&mut self.bytes[start..end])
            }
            None => Err(Error::at(self.base + start, format!("{len} more bytes"))),
        }
    }

    fn u8(&mut self) -> Result<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Result<u16> {
        self.take(2).map(|bytes| read_index(bytes))
    }

    /// A number of a constant.
    fn index(&mut self) -> Result<()> {
        let start = self.at;
        self.take(2)?;
        (self.visit)(&mut self.bytes[start..start + 2]);
        Ok(())
    }

    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        let count = self.u16()?;
        (0..count).try_for_each(|_| item(self))
    }

    fn skip(&mut self, len: usize) -> Result<()> {
        self.take(len).map(|_| ())
    }

    fn content(&mut self, kind: Kind) -> Result<()> {
        match kind {
            Kind::Code => self.code(),
            Kind::LineNumberTable
            | Kind::Synthetic
            | Kind::Deprecated
            | Kind::SourceDebugExtension
            | Kind::BootstrapMethods => Ok(()),
            Kind::StackMapTable => self.list(Self::frame),
            Kind::LocalVariableTable | Kind::LocalVariableTypeTable => self.list(|w| {
                w.skip(4)?;
                w.index()?;
                w.index()?;
                w.skip(2)
            }),
            Kind::Signature
            | Kind::ConstantValue
            | Kind::SourceFile
            | Kind::ModuleMainClass
            | Kind::NestHost => self.index(),
            Kind::Exceptions | Kind::ModulePackages | Kind::NestMembers | Kind::PermittedSubclasses => {
                self.list(Self::index)
            }
            Kind::InnerClasses => self.list(|w| {
                (0..3).try_for_each(|_| w.index())?;
                w.skip(2)
            }),
            Kind::EnclosingMethod => {
                self.index()?;
                self.index()
            }
            Kind::RuntimeVisibleAnnotations | Kind::RuntimeInvisibleAnnotations => {
                self.list(|w| w.annotation(0))
            }
            Kind::RuntimeVisibleParameterAnnotations | Kind::RuntimeInvisibleParameterAnnotations => {
                let count = self.u8()?;
                (0..count).try_for_each(|_| self.list(|w| w.annotation(0)))
            }
            Kind::RuntimeVisibleTypeAnnotations | Kind::RuntimeInvisibleTypeAnnotations => {
                self.list(Self::type_annotation)
            }
            Kind::AnnotationDefault => self.element(0),
            Kind::MethodParameters => {
                let count = self.u8()?;
                (0..count).try_for_each(|_| {
                    self.index()?;
                    self.skip(2)
                })
            }
            Kind::Module => self.module(),
            Kind::Record => self.list(|w| {
                w.index()?;
                w.index()?;
                w.attributes()
            }),
        }
    }

    /// A table of attributes inside of another.
    fn attributes(&mut self) -> Result<()> {
        self.list(|w| {
            let name = w.u16()?;
            w.at -= 2;
            w.index()?;
            let length = w.take(4)?;
            let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
            let end = w.at.checked_add(length).filter(|&end| end <= w.bytes.len());
            let Some(end) = end else { return Err(Error::at(w.base + w.at, "the rest of an attribute")) };
            match Kind::of_name(w.pool.utf8(name)?) {
                Some(kind) => w.content(kind)?,
                None => *w.opaque |= length > 0,
            }
            w.at = end;
            Ok(())
        })
    }

    fn code(&mut self) -> Result<()> {
        self.skip(4)?;
        let length = self.take(4)?;
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let start = self.at;
        self.skip(length)?;
        let mut places = Vec::new();
        for item in Instructions::new(&self.bytes[start..start + length], self.base + start) {
            let (at, instruction) = item?;
            let width = if instruction.op.format() == Format::Constant1 { 1 } else { 2 };
            match instruction.operand {
                Operand::Constant(_) | Operand::Interface { .. } | Operand::Dimensions { .. } => {
                    places.push((start + at as usize + 1, width));
                }
                _ => {}
            }
        }
        for (place, width) in places {
            (self.visit)(&mut self.bytes[place..place + width]);
        }
        self.list(|w| {
            w.skip(6)?;
            w.index()
        })?;
        self.attributes()
    }

    fn frame(&mut self) -> Result<()> {
        match self.u8()? {
            0..=63 => Ok(()),
            64..=127 => self.frame_type(),
            247 => {
                self.skip(2)?;
                self.frame_type()
            }
            248..=251 => self.skip(2),
            tag @ 252..=254 => {
                self.skip(2)?;
                (251..tag).try_for_each(|_| self.frame_type())
            }
            255 => {
                self.skip(2)?;
                self.list(Self::frame_type)?;
                self.list(Self::frame_type)
            }
            tag => Err(Error::at(self.base + self.at - 1, format!("the tag of a frame, found {tag}"))),
        }
    }

    fn frame_type(&mut self) -> Result<()> {
        match self.u8()? {
            7 => self.index(),
            8 => self.skip(2),
            _ => Ok(()),
        }
    }

    fn annotation(&mut self, depth: u32) -> Result<()> {
        self.index()?;
        self.list(|w| {
            w.index()?;
            w.element(depth)
        })
    }

    fn element(&mut self, depth: u32) -> Result<()> {
        if depth > DEEPEST {
            return Err(Error::at(self.base + self.at, format!("values nested at most {DEEPEST} deep")));
        }
        match self.u8()? {
            b'e' => {
                self.index()?;
                self.index()
            }
            b'@' => self.annotation(depth + 1),
            b'[' => self.list(|w| w.element(depth + 1)),
            _ => self.index(),
        }
    }

    fn type_annotation(&mut self) -> Result<()> {
        match self.u8()? {
            0x00 | 0x01 | 0x16 => self.skip(1)?,
            0x10 | 0x11 | 0x12 | 0x17 | 0x42..=0x46 => self.skip(2)?,
            0x13..=0x15 => {}
            0x40 | 0x41 => self.list(|w| w.skip(6))?,
            _ => self.skip(3)?,
        }
        let steps = self.u8()?;
        self.skip(usize::from(steps) * 2)?;
        self.annotation(0)
    }

    fn module(&mut self) -> Result<()> {
        self.index()?;
        self.skip(2)?;
        self.index()?;
        self.list(|w| {
            w.index()?;
            w.skip(2)?;
            w.index()
        })?;
        for _ in 0..2 {
            self.list(|w| {
                w.index()?;
                w.skip(2)?;
                w.list(Self::index)
            })?;
        }
        self.list(Self::index)?;
        self.list(|w| {
            w.index()?;
            w.list(Self::index)
        })
    }
}
