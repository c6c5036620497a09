//! Descriptors: types of fields, `[Ljava/lang/String;`, and of methods, `(IJ)V`.
//!
//! Parsing checks the whole text at once and copies nothing; walking the parameters afterwards cannot
//! fail. Whether the names of classes are sensible is not asked.

/// The type of a field, a parameter or a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type<'a> {
    /// `Z`
    Boolean,
    /// `B`
    Byte,
    /// `C`
    Char,
    /// `S`
    Short,
    /// `I`
    Int,
    /// `J`
    Long,
    /// `F`
    Float,
    /// `D`
    Double,
    /// `Lname;`: the name.
    Object(&'a [u8]),
    /// `[`...: the whole descriptor, which is also the name of the class of the array.
    Array(&'a [u8]),
}

impl<'a> Type<'a> {
    /// The type that `descriptor` is; `None` if it is none.
    pub fn parse(descriptor: &'a [u8]) -> Option<Self> {
        Self::prefix(descriptor).filter(|(_, len)| *len == descriptor.len()).map(|(found, _)| found)
    }

    /// The type at the start of `text`, and its length.
    fn prefix(text: &'a [u8]) -> Option<(Self, usize)> {
        Some(match *text.first()? {
            b'Z' => (Type::Boolean, 1),
            b'B' => (Type::Byte, 1),
            b'C' => (Type::Char, 1),
            b'S' => (Type::Short, 1),
            b'I' => (Type::Int, 1),
            b'J' => (Type::Long, 1),
            b'F' => (Type::Float, 1),
            b'D' => (Type::Double, 1),
            b'L' => {
                let end = text.iter().position(|byte| *byte == b';').filter(|&end| end > 1)?;
                (Type::Object(&text[1..end]), end + 1)
            }
            b'[' => {
                // A JVM allows 255 dimensions.
                let dimensions = text.iter().take(256).take_while(|byte| **byte == b'[').count();
                if dimensions > 255 {
                    return None;
                }
                let (_, len) = Self::prefix(&text[dimensions..])?;
                (Type::Array(&text[..dimensions + len]), dimensions + len)
            }
            _ => return None,
        })
    }

    /// The type of the class or array that a `Class` constant names.
    pub fn of_class(name: &'a [u8]) -> Option<Self> {
        if name.first() == Some(&b'[') { Self::parse(name) } else { Some(Type::Object(name)) }
    }

    /// The type of the elements of an array.
    pub fn element(self) -> Option<Type<'a>> {
        match self {
            Type::Array(descriptor) => Self::parse(&descriptor[1..]),
            _ => None,
        }
    }

    /// The slots that a value takes.
    pub fn slots(self) -> u16 {
        if matches!(self, Type::Long | Type::Double) { 2 } else { 1 }
    }

    /// Whether values are references.
    pub fn is_reference(self) -> bool {
        matches!(self, Type::Object(_) | Type::Array(_))
    }

    /// The name under which a `Class` constant speaks of a class or array.
    pub fn class_name(self) -> Option<&'a [u8]> {
        match self {
            Type::Object(name) | Type::Array(name) => Some(name),
            _ => None,
        }
    }

    /// Appends the descriptor.
    pub fn write(self, out: &mut Vec<u8>) {
        match self {
            Type::Boolean => out.push(b'Z'),
            Type::Byte => out.push(b'B'),
            Type::Char => out.push(b'C'),
            Type::Short => out.push(b'S'),
            Type::Int => out.push(b'I'),
            Type::Long => out.push(b'J'),
            Type::Float => out.push(b'F'),
            Type::Double => out.push(b'D'),
            Type::Object(name) => {
                out.push(b'L');
                out.extend_from_slice(name);
                out.push(b';');
            }
            Type::Array(descriptor) => out.extend_from_slice(descriptor),
        }
    }
}

/// The type of a method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MethodType<'a> {
    parameters: &'a [u8],
    result: Option<Type<'a>>,
}

impl<'a> MethodType<'a> {
    /// The type that `descriptor` is; `None` if it is none.
    pub fn parse(descriptor: &'a [u8]) -> Option<Self> {
        let text = descriptor.strip_prefix(b"(")?;
        let mut at = 0;
        while *text.get(at)? != b')' {
            at += Type::prefix(&text[at..])?.1;
        }
        let (parameters, result) = (&text[..at], &text[at + 1..]);
        let result = if result == b"V" { None } else { Some(Type::parse(result)?) };
        Some(MethodType { parameters, result })
    }

    /// The types of the parameters, without the receiver.
    pub fn parameters(&self) -> Parameters<'a> {
        Parameters { text: self.parameters }
    }

    /// The type of the result; `None` for `void`.
    pub fn result(&self) -> Option<Type<'a>> {
        self.result
    }

    /// The slots that the parameters take, without the receiver.
    pub fn parameter_slots(&self) -> u16 {
        self.parameters().fold(0, |slots, parameter| slots.saturating_add(parameter.slots()))
    }

    /// The slots that the result takes.
    pub fn result_slots(&self) -> u16 {
        self.result.map_or(0, Type::slots)
    }
}

/// The types of parameters, one after the other.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    text: &'a [u8],
}

impl<'a> Iterator for Parameters<'a> {
    type Item = Type<'a>;

    fn next(&mut self) -> Option<Type<'a>> {
        let (found, len) = Type::prefix(self.text)?;
        self.text = &self.text[len..];
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_type_is_taken_apart() {
        let found = MethodType::parse(b"(IJ[[DLa/B;Z)[La/C;").unwrap();
        let parameters: Vec<_> = found.parameters().collect();
        let wanted = [Type::Int, Type::Long, Type::Array(b"[[D"), Type::Object(b"a/B"), Type::Boolean];
        assert_eq!(parameters, wanted);
        assert_eq!(found.parameter_slots(), 6);
        assert_eq!(found.result().unwrap().element(), Some(Type::Object(b"a/C")));
        assert_eq!(MethodType::parse(b"()V").unwrap().result(), None);
    }

    #[test]
    fn malformed_descriptors_are_refused() {
        for text in ["", "L", "L;", "La", "[", "V", "II", "(I)V", "[V"] {
            assert_eq!(Type::parse(text.as_bytes()), None, "{text}");
        }
        for text in ["", "(", "()", "(V)V", "()VV", "(L)V", "I", "()[V"] {
            assert_eq!(MethodType::parse(text.as_bytes()), None, "{text}");
        }
        assert!(Type::parse(&[&[b'['; 255][..], b"I"].concat()).is_some());
        assert!(Type::parse(&[&[b'['; 256][..], b"I"].concat()).is_none());
    }

    #[test]
    fn writing_gives_the_descriptor_back() {
        for text in ["Z", "B", "C", "S", "I", "J", "F", "D", "La/B;", "[[La/B;"] {
            let mut out = Vec::new();
            Type::parse(text.as_bytes()).unwrap().write(&mut out);
            assert_eq!(out, text.as_bytes());
        }
    }
}
