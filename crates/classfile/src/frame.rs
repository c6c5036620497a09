//! Stack map frames: the types that a verifier expects at branch targets.
//!
//! A frame is kept in the form in which it was written (as a difference to the frame before it), with
//! its position made absolute, so that a table that was read is written with the same bytes.
//! [`Types`] is the other view: all locals and the whole stack. [`Types::apply`] goes from the first to
//! the second, [`Types::difference`] back, in the shortest form.

use std::convert::Infallible;

use crate::bytes::{Cursor, Put, narrow, put_list};
use crate::error::{Error, Result};

/// A type of the verifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VerificationType {
    /// Unusable.
    Top,
    /// `int` and what is narrower.
    Integer,
    /// `float`.
    Float,
    /// `double`, both slots.
    Double,
    /// `long`, both slots.
    Long,
    /// The type of `null`.
    Null,
    /// The object that a constructor has not yet handed to another constructor.
    UninitializedThis,
    /// An instance of a class or array, by the index of its constant.
    Object(u16),
    /// What the `new` at this position made, before its constructor ran.
    Uninitialized(u32),
}

impl VerificationType {
    /// Reads a type.
    pub fn read(c: &mut Cursor<'_>) -> Result<Self> {
        let offset = c.offset();
        Ok(match c.u8()? {
            0 => VerificationType::Top,
            1 => VerificationType::Integer,
            2 => VerificationType::Float,
            3 => VerificationType::Double,
            4 => VerificationType::Long,
            5 => VerificationType::Null,
            6 => VerificationType::UninitializedThis,
            7 => VerificationType::Object(c.u16()?),
            8 => VerificationType::Uninitialized(u32::from(c.u16()?)),
            tag => return Err(Error::at(offset, format!("the tag of a verification type, found {tag}"))),
        })
    }

    /// Writes the type.
    pub fn write(self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            VerificationType::Top => out.put_u8(0),
            VerificationType::Integer => out.put_u8(1),
            VerificationType::Float => out.put_u8(2),
            VerificationType::Double => out.put_u8(3),
            VerificationType::Long => out.put_u8(4),
            VerificationType::Null => out.put_u8(5),
            VerificationType::UninitializedThis => out.put_u8(6),
            VerificationType::Object(class) => {
                out.put_u8(7);
                out.put_u16(class);
            }
            VerificationType::Uninitialized(at) => {
                out.put_u8(8);
                out.put_u16(narrow("a position", at as usize)?);
            }
        }
        Ok(())
    }

    /// Whether it takes two slots.
    pub fn is_wide(self) -> bool {
        matches!(self, VerificationType::Long | VerificationType::Double)
    }
}

/// The types at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The position.
    pub at: u32,
    /// What differs from the frame before.
    pub form: Form,
}

/// How a frame is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// The same locals, an empty stack.
    Same,
    /// As `Same`, in the form for large distances.
    SameExtended,
    /// The same locals, one value on the stack.
    Stack1(VerificationType),
    /// As `Stack1`, in the form for large distances.
    Stack1Extended(VerificationType),
    /// One to three locals less, an empty stack.
    Chop(u8),
    /// One to three locals more, an empty stack.
    Append(Vec<VerificationType>),
    /// Everything anew.
    Full {
        /// The locals; a wide one is one entry.
        locals: Vec<VerificationType>,
        /// The stack from the bottom; a wide value is one entry.
        stack: Vec<VerificationType>,
    },
}

/// Reads the content of a `StackMapTable`.
pub(crate) fn read_table(c: &mut Cursor<'_>) -> Result<Vec<Frame>> {
    let mut next = 0;
    c.list(1, |c| {
        let (delta, form) = Form::read(c)?;
        // The first frame lies at its delta, each later one at least one past its predecessor.
        let at = next + u32::from(delta);
        next = at + 1;
        Ok(Frame { at, form })
    })
}

/// Writes the content of a `StackMapTable`.
pub(crate) fn write_table(frames: &[Frame], out: &mut Vec<u8>) -> Result<()> {
    let mut next = 0;
    put_list(out, "a number of frames", frames, |out, frame| {
        let Some(delta) = frame.at.checked_sub(next) else {
            return Err(Error::unwritable(format!("frames in ascending order, found one at {}", frame.at)));
        };
        next = frame.at + 1;
        frame.form.write(narrow("a distance of frames", delta as usize)?, out)
    })
}

impl Form {
    fn read(c: &mut Cursor<'_>) -> Result<(u16, Self)> {
        let offset = c.offset();
        Ok(match c.u8()? {
            delta @ 0..=63 => (u16::from(delta), Form::Same),
            tag @ 64..=127 => (u16::from(tag - 64), Form::Stack1(VerificationType::read(c)?)),
            247 => (c.u16()?, Form::Stack1Extended(VerificationType::read(c)?)),
            tag @ 248..=250 => (c.u16()?, Form::Chop(251 - tag)),
            251 => (c.u16()?, Form::SameExtended),
            tag @ 252..=254 => {
                let delta = c.u16()?;
                let locals = (251..tag).map(|_| VerificationType::read(c)).collect::<Result<_>>()?;
                (delta, Form::Append(locals))
            }
            255 => {
                let delta = c.u16()?;
                let locals = c.list(1, VerificationType::read)?;
                let stack = c.list(1, VerificationType::read)?;
                (delta, Form::Full { locals, stack })
            }
            tag => return Err(Error::at(offset, format!("the tag of a stack map frame, found {tag}"))),
        })
    }

    fn write(&self, delta: u16, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Form::Same if delta < 64 => out.put_u8(delta as u8),
            Form::Same | Form::SameExtended => {
                out.put_u8(251);
                out.put_u16(delta);
            }
            Form::Stack1(value) if delta < 64 => {
                out.put_u8(64 + delta as u8);
                value.write(out)?;
            }
            Form::Stack1(value) | Form::Stack1Extended(value) => {
                out.put_u8(247);
                out.put_u16(delta);
                value.write(out)?;
            }
            Form::Chop(count @ 1..=3) => {
                out.put_u8(251 - count);
                out.put_u16(delta);
            }
            Form::Append(locals) if (1..=3).contains(&locals.len()) => {
                out.put_u8(251 + locals.len() as u8);
                out.put_u16(delta);
                locals.iter().try_for_each(|local| local.write(out))?;
            }
            Form::Chop(_) | Form::Append(_) => {
                return Err(Error::unwritable("one to three locals more or less in a frame"));
            }
            Form::Full { locals, stack } => {
                out.put_u8(255);
                out.put_u16(delta);
                put_list(out, "a number of locals", locals, |out, local| local.write(out))?;
                put_list(out, "a depth of the stack", stack, |out, value| value.write(out))?;
            }
        }
        Ok(())
    }

    /// The types that the form mentions, to change.
    pub fn types_mut(&mut self) -> impl Iterator<Item = &mut VerificationType> {
        let (one, locals, stack): (Option<&mut VerificationType>, &mut [_], &mut [_]) = match self {
            Form::Stack1(value) | Form::Stack1Extended(value) => (Some(value), &mut [], &mut []),
            Form::Append(locals) => (None, locals, &mut []),
            Form::Full { locals, stack } => (None, locals, stack),
            Form::Same | Form::SameExtended | Form::Chop(_) => (None, &mut [], &mut []),
        };
        one.into_iter().chain(locals).chain(stack)
    }
}

/// All locals and the whole stack at a position; a wide value is one entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Types {
    /// The locals.
    pub locals: Vec<VerificationType>,
    /// The stack, from the bottom.
    pub stack: Vec<VerificationType>,
}

impl Types {
    /// Makes these types, those of the frame before, the types of the frame of the given form. `false`
    /// if the form takes away more locals than there are.
    #[must_use]
    pub fn apply(&mut self, form: &Form) -> bool {
        self.stack.clear();
        match form {
            Form::Same | Form::SameExtended => {}
            Form::Stack1(value) | Form::Stack1Extended(value) => self.stack.push(*value),
            Form::Chop(count) => {
                let Some(left) = self.locals.len().checked_sub(usize::from(*count)) else {
                    return false;
                };
                self.locals.truncate(left);
            }
            Form::Append(locals) => self.locals.extend_from_slice(locals),
            Form::Full { locals, stack } => {
                self.locals.clone_from(locals);
                self.stack.extend_from_slice(stack);
            }
        }
        true
    }

    /// The shortest form that gives these types after `before`.
    pub fn difference(&self, before: &Types) -> Form {
        let form = difference((&self.locals, &self.stack), &before.locals, |&ty| Ok::<_, Infallible>(ty));
        form.unwrap_or_else(|never| match never {})
    }
}

/// The shortest form that gives locals and a stack after other locals. Types are whatever there is a name for; only those
/// that the form states are named.
pub fn difference<T: PartialEq, E>(
    (locals, stack): (&[T], &[T]),
    before: &[T],
    mut name: impl FnMut(&T) -> std::result::Result<VerificationType, E>,
) -> std::result::Result<Form, E> {
    let common = locals.iter().zip(before).take_while(|(a, b)| a == b).count();
    let more = locals.len() - common;
    let less = before.len() - common;
    let mut names = |types: &[T]| types.iter().map(&mut name).collect::<std::result::Result<Vec<_>, E>>();
    Ok(match (more, less, stack) {
        (0, 0, []) => Form::Same,
        (0, 0, [value]) => Form::Stack1(name(value)?),
        (0, 1..=3, []) => Form::Chop(less as u8),
        (1..=3, 0, []) => Form::Append(names(&locals[common..])?),
        _ => Form::Full { locals: names(locals)?, stack: names(stack)? },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use VerificationType::*;

    /// A frame at byte 0 is the one that writers get wrong: its distance is not one less.
    #[test]
    fn a_loop_at_the_first_instruction_keeps_its_frames() {
        let frames = vec![
            Frame { at: 0, form: Form::Same },
            Frame { at: 13, form: Form::Append(vec![Integer]) },
            Frame { at: 200, form: Form::Same },
        ];
        let mut bytes = Vec::new();
        write_table(&frames, &mut bytes).unwrap();
        assert_eq!(bytes, [0, 3, 0, 252, 0, 12, 1, 251, 0, 186]);
        let mut again = read_table(&mut Cursor::new(&bytes, 0)).unwrap();
        assert_eq!(again[2].form, Form::SameExtended);
        again[2].form = Form::Same;
        assert_eq!(again, frames);
    }

    #[test]
    fn frames_of_every_form_survive() {
        let all =
            vec![Top, Integer, Float, Double, Long, Null, UninitializedThis, Object(3), Uninitialized(4)];
        let forms = vec![
            Form::Same,
            Form::SameExtended,
            Form::Stack1(Long),
            Form::Stack1Extended(Null),
            Form::Chop(3),
            Form::Append(vec![Float, Top]),
            Form::Full { locals: all.clone(), stack: all },
        ];
        let frames: Vec<_> =
            forms.into_iter().enumerate().map(|(i, form)| Frame { at: 2 * i as u32, form }).collect();
        let mut bytes = Vec::new();
        write_table(&frames, &mut bytes).unwrap();
        assert_eq!(read_table(&mut Cursor::new(&bytes, 0)).unwrap(), frames);
    }

    #[test]
    fn a_difference_applied_gives_the_types_back() {
        let states = [
            (vec![], vec![]),
            (vec![Integer, Long], vec![]),
            (vec![Integer, Long], vec![Null]),
            (vec![Integer], vec![]),
            (vec![Integer], vec![Null, Float]),
            (vec![Float, Float, Float, Float, Float], vec![]),
        ];
        for (locals, stack) in &states {
            for (other_locals, other_stack) in &states {
                let from = Types { locals: locals.clone(), stack: stack.clone() };
                let to = Types { locals: other_locals.clone(), stack: other_stack.clone() };
                let mut now = from.clone();
                assert!(now.apply(&to.difference(&from)));
                assert_eq!(now, to);
            }
        }
        assert!(!Types::default().apply(&Form::Chop(1)));
    }

    #[test]
    fn an_unassigned_tag_is_refused() {
        assert!(read_table(&mut Cursor::new(&[0, 1, 200], 0)).is_err());
        let descending = [Frame { at: 3, form: Form::Same }, Frame { at: 3, form: Form::Same }];
        assert!(write_table(&descending, &mut Vec::new()).is_err());
    }
}
