//! Line numbers of inlined code (R8's inline frames in mapping files): which methods and lines an inlined line stands
//! for.
//!
//! A stack trace names a line, and a method whose body stands in another one has no frame. If somebody wants to know all
//! the same (`-printmapping`), each line of an inlined body gets a number of its own in the class where it stands, behind all lines
//! that the source has; this says for each such number which methods and lines it stands for, from the inside out. That
//! is what ProGuard does, and its `retrace` turns traces back by the list that is written of it.

use std::collections::BTreeMap;

use planish_classfile::debug::LineNumber;

/// A frame that would be there: the method, by class, name and descriptor, and the line.
pub type Frame = (Box<[u8]>, u16);

/// What the numbers of a class stand for.
#[derive(Clone, Default, Debug)]
pub struct ClassOrigins {
    /// The first number.
    first: u16,
    /// By number, from the first on: the frames, the innermost first.
    frames: Vec<Vec<Frame>>,
}

/// What numbers of lines stand for, by class.
#[derive(Clone, Default, Debug)]
pub struct Origins(BTreeMap<Box<[u8]>, ClassOrigins>);

/// The numbers of classes begin at one more than a multiple of this, so that people see that they are no lines.
const STEP: u16 = 1000;

impl ClassOrigins {
    /// No numbers so far, in a class whose last line is this.
    pub fn behind(last: u16) -> ClassOrigins {
        let first = (last / STEP + 1).checked_mul(STEP).and_then(|start| start.checked_add(1));
        ClassOrigins { first: first.unwrap_or(u16::MAX), frames: Vec::new() }
    }

    /// The frames that a line of a method stands for.
    pub fn of(&self, method: &[u8], line: u16) -> Vec<Frame> {
        let place = line.checked_sub(self.first).filter(|_| self.first > 0);
        match place.and_then(|place| self.frames.get(usize::from(place))) {
            Some(frames) => frames.clone(),
            None => vec![(method.into(), line)],
        }
    }

    /// Whether a line is such a number.
    pub fn has(&self, line: u16) -> bool {
        self.first > 0 && line >= self.first && usize::from(line - self.first) < self.frames.len()
    }

    /// A number for frames; nothing if there are no more.
    fn number(&mut self, frames: Vec<Frame>) -> Option<u16> {
        match self.frames.iter().position(|known| *known == frames) {
            Some(place) => self.at(place),
            None => self.fresh(frames),
        }
    }

    /// A number for frames that no other line stands for; nothing if there are no more.
    pub(crate) fn fresh(&mut self, frames: Vec<Frame>) -> Option<u16> {
        let number = self.at(self.frames.len())?;
        self.frames.push(frames);
        Some(number)
    }

    fn at(&self, place: usize) -> Option<u16> {
        u16::try_from(place).ok().and_then(|place| self.first.checked_add(place))
    }
}

impl Origins {
    /// What the numbers of a class stand for.
    pub fn of(&self, class: &[u8]) -> Option<&ClassOrigins> {
        self.0.get(class)
    }

    /// Remembers what the numbers of classes stand for.
    pub fn extend(&mut self, classes: impl IntoIterator<Item = (Box<[u8]>, ClassOrigins)>) {
        self.0.extend(classes);
    }
}

/// What gives numbers to the lines that come into one method.
pub struct Renumber<'o> {
    /// What the numbers of other classes stand for.
    pub known: &'o Origins,
    /// What those of this class do.
    pub own: &'o mut ClassOrigins,
    /// The method, by class, name and descriptor.
    pub method: &'o [u8],
}

impl Renumber<'_> {
    /// The lines of the body of a method that stands in the place of a call on a line; nothing if there are no more numbers.
    pub(super) fn lines(&mut self, of: &[u8], lines: &[LineNumber], call: u16) -> Option<Vec<LineNumber>> {
        let end = of.iter().position(|byte| *byte == b'.')?;
        let theirs = self.known.of(&of[..end]);
        let around = self.own.of(self.method, call);
        let number = |line: &LineNumber| {
            let mut frames = match theirs {
                Some(theirs) => theirs.of(of, line.line),
                None => vec![(of.into(), line.line)],
            };
            frames.extend(around.iter().cloned());
            Some(LineNumber { start: line.start, line: self.own.number(frames)? })
        };
        lines.iter().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_bodies_in_bodies_are_all_there() {
        let line = |line| [LineNumber { start: 0, line }];
        let mut known = Origins::default();
        let mut inner = ClassOrigins::behind(77);
        let mut renumber = Renumber { known: &known, own: &mut inner, method: b"B.g()V" };
        let made = renumber.lines(b"C.h()V", &line(5), 70).unwrap();
        assert_eq!(made[0].line, 1001);
        known.extend([(b"B"[..].into(), inner)]);
        let mut outer = ClassOrigins::behind(1000);
        let mut renumber = Renumber { known: &known, own: &mut outer, method: b"A.f()V" };
        let made = renumber.lines(b"B.g()V", &line(1001), 9).unwrap();
        assert_eq!(made[0].line, 2001);
        assert_eq!(
            renumber.lines(b"B.g()V", &line(1001), 9).unwrap()[0].line,
            2001,
            "a number is used again"
        );
        let frame = |method: &[u8], line| (method.into(), line);
        let frames = vec![frame(b"C.h()V", 5), frame(b"B.g()V", 70), frame(b"A.f()V", 9)];
        assert_eq!(outer.of(b"A.f()V", 2001), frames);
        assert_eq!(outer.of(b"A.f()V", 12), vec![frame(b"A.f()V", 12)]);
    }
}
