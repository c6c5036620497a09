//! Annotations: of declarations, of parameters, of types.
//!
//! Element values nest; a malicious file could nest them as deep as it is long, so reading stops at a
//! depth that no compiler reaches. Names and values are indices into the constant pool.

use crate::bytes::{Cursor, Put, put_count, put_list, put_range, small};
use crate::error::{Error, Result};

/// How deep element values may nest.
const DEEPEST: u32 = 200;

/// An annotation.
#[derive(Clone, PartialEq, Debug)]
pub struct Annotation {
    /// The descriptor of its interface.
    pub descriptor: u16,
    /// Names and values of its elements.
    pub elements: Vec<(u16, ElementValue)>,
}

/// The value of an element of an annotation.
#[derive(Clone, PartialEq, Debug)]
pub enum ElementValue {
    /// A primitive value or a text. The tag is a character of a primitive descriptor, or `s`.
    Constant {
        /// One of `BCDFIJSZs`.
        tag: u8,
        /// The number or text.
        value: u16,
    },
    /// A constant of an enum.
    Enum {
        /// The descriptor of the enum.
        descriptor: u16,
        /// The name of the constant.
        name: u16,
    },
    /// A class, by its descriptor.
    Class(u16),
    /// An annotation.
    Annotation(Box<Annotation>),
    /// An array.
    Array(Vec<ElementValue>),
}

impl Annotation {
    /// Reads a table of annotations.
    pub fn read_all(c: &mut Cursor<'_>) -> Result<Vec<Self>> {
        c.list(4, Self::read)
    }

    /// Reads an annotation.
    pub fn read(c: &mut Cursor<'_>) -> Result<Self> {
        Self::nested(c, 0)
    }

    fn nested(c: &mut Cursor<'_>, depth: u32) -> Result<Self> {
        let descriptor = c.u16()?;
        let elements = c.list(5, |c| Ok((c.u16()?, ElementValue::nested(c, depth)?)))?;
        Ok(Annotation { descriptor, elements })
    }

    /// Writes the annotation.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.descriptor);
        put_list(out, "a number of elements", &self.elements, |out, (name, value)| {
            out.put_u16(*name);
            value.write(out)
        })
    }

    /// Writes a table of annotations.
    pub fn write_all(list: &[Self], out: &mut Vec<u8>) -> Result<()> {
        put_list(out, "a number of annotations", list, |out, annotation| annotation.write(out))
    }
}

impl ElementValue {
    /// Reads a value.
    pub fn read(c: &mut Cursor<'_>) -> Result<Self> {
        Self::nested(c, 0)
    }

    fn nested(c: &mut Cursor<'_>, depth: u32) -> Result<Self> {
        if depth > DEEPEST {
            return Err(Error::at(c.offset(), format!("element values nested at most {DEEPEST} deep")));
        }
        let offset = c.offset();
        Ok(match c.u8()? {
            tag @ (b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's') => {
                ElementValue::Constant { tag, value: c.u16()? }
            }
            b'e' => ElementValue::Enum { descriptor: c.u16()?, name: c.u16()? },
            b'c' => ElementValue::Class(c.u16()?),
            b'@' => ElementValue::Annotation(Box::new(Annotation::nested(c, depth + 1)?)),
            b'[' => ElementValue::Array(c.list(3, |c| Self::nested(c, depth + 1))?),
            tag => {
                return Err(Error::at(offset, format!("the tag of an element value, found {tag:#04x}")));
            }
        })
    }

    /// Writes the value.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            ElementValue::Constant { tag, value } => {
                out.put_u8(*tag);
                out.put_u16(*value);
            }
            ElementValue::Enum { descriptor, name } => {
                out.put_u8(b'e');
                out.put_u16(*descriptor);
                out.put_u16(*name);
            }
            ElementValue::Class(descriptor) => {
                out.put_u8(b'c');
                out.put_u16(*descriptor);
            }
            ElementValue::Annotation(annotation) => {
                out.put_u8(b'@');
                annotation.write(out)?;
            }
            ElementValue::Array(values) => {
                out.put_u8(b'[');
                put_list(out, "a number of values", values, |out, value| value.write(out))?;
            }
        }
        Ok(())
    }
}

/// An annotation of a use of a type.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeAnnotation {
    /// The kind of place, a byte of table 4.7.20-A and -B of the specification.
    pub target_type: u8,
    /// The place.
    pub target: Target,
    /// The way from the type at that place to the annotated part: kind and type argument of each step.
    pub path: Vec<(u8, u8)>,
    /// The annotation.
    pub annotation: Annotation,
}

/// The place of an annotated type.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// The declaration of a type parameter.
    TypeParameter(u8),
    /// The super class (65535) or a super interface.
    Supertype(u16),
    /// A bound of a type parameter: parameter, bound.
    Bound(u8, u8),
    /// The type of a field or record component, the result or the receiver of a method.
    Whole,
    /// The type of a parameter of a method.
    Parameter(u8),
    /// A type in the throws clause.
    Throws(u16),
    /// The type of a local variable, by the ranges in which it lives.
    Local(Vec<LocalRange>),
    /// The type that a handler catches, by its place in the exception table.
    Catch(u16),
    /// The type in an `instanceof`, `new` or method reference: the position of the instruction.
    Instruction(u32),
    /// A type argument or a part of a cast: position of the instruction, argument.
    TypeArgument(u32, u8),
}

/// Where a local variable lives, and in which slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalRange {
    /// First position.
    pub start: u32,
    /// One past the last position.
    pub end: u32,
    /// The slot.
    pub slot: u16,
}

impl TypeAnnotation {
    /// Reads a type annotation.
    pub fn read(c: &mut Cursor<'_>) -> Result<Self> {
        let offset = c.offset();
        let target_type = c.u8()?;
        let target = match target_type {
            0x00 | 0x01 => Target::TypeParameter(c.u8()?),
            0x10 => Target::Supertype(c.u16()?),
            0x11 | 0x12 => Target::Bound(c.u8()?, c.u8()?),
            0x13..=0x15 => Target::Whole,
            0x16 => Target::Parameter(c.u8()?),
            0x17 => Target::Throws(c.u16()?),
            0x40 | 0x41 => Target::Local(c.list(6, |c| {
                let start = u32::from(c.u16()?);
                Ok(LocalRange { start, end: start + u32::from(c.u16()?), slot: c.u16()? })
            })?),
            0x42 => Target::Catch(c.u16()?),
            0x43..=0x46 => Target::Instruction(u32::from(c.u16()?)),
            0x47..=0x4b => Target::TypeArgument(u32::from(c.u16()?), c.u8()?),
            _ => {
                return Err(Error::at(
                    offset,
                    format!("the target of a type annotation, found {target_type:#04x}"),
                ));
            }
        };
        let steps = c.u8()?;
        let path = c.take(usize::from(steps) * 2)?;
        let path = path.chunks_exact(2).map(|step| (step[0], step[1])).collect();
        Ok(TypeAnnotation { target_type, target, path, annotation: Annotation::read(c)? })
    }

    /// Writes the type annotation.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u8(self.target_type);
        match &self.target {
            Target::TypeParameter(index) | Target::Parameter(index) => out.put_u8(*index),
            Target::Supertype(index) | Target::Throws(index) | Target::Catch(index) => out.put_u16(*index),
            Target::Bound(parameter, bound) => {
                out.put_u8(*parameter);
                out.put_u8(*bound);
            }
            Target::Whole => {}
            Target::Local(ranges) => {
                put_list(out, "a number of ranges", ranges, |out, range| {
                    put_range(out, range.start, range.end)?;
                    out.put_u16(range.slot);
                    Ok(())
                })?;
            }
            Target::Instruction(at) => put_count(out, "a position", *at as usize)?,
            Target::TypeArgument(at, argument) => {
                put_count(out, "a position", *at as usize)?;
                out.put_u8(*argument);
            }
        }
        out.put_u8(small("a number of steps", self.path.len())?);
        for (kind, argument) in &self.path {
            out.put_u8(*kind);
            out.put_u8(*argument);
        }
        self.annotation.write(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind_survive() {
        let value = ElementValue::Array(vec![
            ElementValue::Constant { tag: b'I', value: 3 },
            ElementValue::Enum { descriptor: 4, name: 5 },
            ElementValue::Class(6),
            ElementValue::Annotation(Box::new(Annotation {
                descriptor: 7,
                elements: vec![(8, ElementValue::Array(vec![]))],
            })),
        ]);
        let mut bytes = Vec::new();
        value.write(&mut bytes).unwrap();
        assert_eq!(ElementValue::read(&mut Cursor::new(&bytes, 0)).unwrap(), value);
    }

    #[test]
    fn endless_nesting_is_refused() {
        let bytes = b"[\x00\x01".repeat(100_000);
        let error = ElementValue::read(&mut Cursor::new(&bytes, 0)).unwrap_err();
        assert!(error.expected().contains("nested at most 200"), "{error}");
    }

    #[test]
    fn targets_of_every_kind_survive() {
        let annotation = Annotation { descriptor: 1, elements: vec![] };
        let range = LocalRange { start: 2, end: 9, slot: 1 };
        for (target_type, target) in [
            (0x00, Target::TypeParameter(1)),
            (0x10, Target::Supertype(65535)),
            (0x12, Target::Bound(1, 2)),
            (0x14, Target::Whole),
            (0x16, Target::Parameter(3)),
            (0x17, Target::Throws(4)),
            (0x40, Target::Local(vec![range])),
            (0x42, Target::Catch(5)),
            (0x44, Target::Instruction(6)),
            (0x4b, Target::TypeArgument(7, 8)),
        ] {
            let whole =
                TypeAnnotation { target_type, target, path: vec![(3, 1)], annotation: annotation.clone() };
            let mut bytes = Vec::new();
            whole.write(&mut bytes).unwrap();
            assert_eq!(TypeAnnotation::read(&mut Cursor::new(&bytes, 0)).unwrap(), whole);
        }
        assert!(TypeAnnotation::read(&mut Cursor::new(&[0x20, 0, 0, 1, 0, 0], 0)).is_err());
    }
}
