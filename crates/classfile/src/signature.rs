//! Signatures: generic types of classes, methods and fields.
//!
//! A JVM ignores them until reflection asks, so real class files hold malformed ones (obfuscators leave
//! them behind); `None` says that a text is none. Types nest, and reading stops at a depth that no
//! compiler reaches. Writing what was read gives the same text.

/// How deep types may nest.
const DEEPEST: u32 = 200;

/// A reference type, a primitive type, a type variable or an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeSignature<'a> {
    /// A primitive type, by its letter.
    Primitive(u8),
    /// A class, perhaps with type arguments.
    Class(ClassSignatureType<'a>),
    /// A type variable, by its name.
    Variable(&'a [u8]),
    /// An array of the given elements.
    Array(Box<TypeSignature<'a>>),
}

/// A class with type arguments, member classes of generic classes after their owners.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClassSignatureType<'a> {
    /// Names and type arguments: the first with its package, as in `java/util/Map`, the others simple.
    pub parts: Vec<(&'a [u8], Vec<TypeArgument<'a>>)>,
}

/// A type argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeArgument<'a> {
    /// `?`
    Any,
    /// The type itself.
    Exactly(TypeSignature<'a>),
    /// `? extends`
    Extends(TypeSignature<'a>),
    /// `? super`
    Super(TypeSignature<'a>),
}

/// A declared type parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeParameter<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The class that bounds it, if it is written.
    pub class: Option<TypeSignature<'a>>,
    /// The interfaces that bound it.
    pub interfaces: Vec<TypeSignature<'a>>,
}

/// The signature of a class.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClassSignature<'a> {
    /// Type parameters.
    pub parameters: Vec<TypeParameter<'a>>,
    /// The super class, then the super interfaces.
    pub supertypes: Vec<ClassSignatureType<'a>>,
}

/// The signature of a method.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MethodSignature<'a> {
    /// Type parameters.
    pub type_parameters: Vec<TypeParameter<'a>>,
    /// Types of the parameters.
    pub parameters: Vec<TypeSignature<'a>>,
    /// Type of the result; `None` for `void`.
    pub result: Option<TypeSignature<'a>>,
    /// Types in the throws clause.
    pub throws: Vec<TypeSignature<'a>>,
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn demand(&mut self, byte: u8) -> Option<()> {
        self.eat(byte).then_some(())
    }

    /// A name up to one of the characters that no name has; `/` only where packages may be.
    fn name(&mut self, packages: bool) -> Option<&'a [u8]> {
        let rest = &self.text[self.at..];
        let ends = |byte: &u8| b".;[<>:".contains(byte) || (!packages && *byte == b'/');
        let len = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += len;
        Some(&rest[..len]).filter(|name| !name.is_empty())
    }

    fn type_(&mut self) -> Option<TypeSignature<'a>> {
        match self.peek()? {
            letter @ (b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z') => {
                self.at += 1;
                Some(TypeSignature::Primitive(letter))
            }
            _ => self.reference(),
        }
    }

    fn reference(&mut self) -> Option<TypeSignature<'a>> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let found = match self.peek()? {
            b'L' => TypeSignature::Class(self.class()?),
            b'T' => {
                self.at += 1;
                let name = self.name(false)?;
                self.demand(b';')?;
                TypeSignature::Variable(name)
            }
            b'[' => {
                self.at += 1;
                TypeSignature::Array(Box::new(self.type_()?))
            }
            _ => return None,
        };
        self.depth -= 1;
        Some(found)
    }

    fn class(&mut self) -> Option<ClassSignatureType<'a>> {
        self.demand(b'L')?;
        let mut parts = Vec::new();
        loop {
            let name = self.name(parts.is_empty())?;
            let mut arguments = Vec::new();
            if self.eat(b'<') {
                while !self.eat(b'>') {
                    arguments.push(self.argument()?);
                }
                if arguments.is_empty() {
                    return None;
                }
            }
            parts.push((name, arguments));
            if self.eat(b';') {
                return Some(ClassSignatureType { parts });
            }
            self.demand(b'.')?;
        }
    }

    fn argument(&mut self) -> Option<TypeArgument<'a>> {
        Some(match self.peek()? {
            b'*' => {
                self.at += 1;
                TypeArgument::Any
            }
            b'+' => {
                self.at += 1;
                TypeArgument::Extends(self.reference()?)
            }
            b'-' => {
                self.at += 1;
                TypeArgument::Super(self.reference()?)
            }
            _ => TypeArgument::Exactly(self.reference()?),
        })
    }

    fn parameters(&mut self) -> Option<Vec<TypeParameter<'a>>> {
        let mut parameters = Vec::new();
        if !self.eat(b'<') {
            return Some(parameters);
        }
        while !self.eat(b'>') {
            let name = self.name(false)?;
            self.demand(b':')?;
            let class = match self.peek()? {
                b':' | b'>' => None,
                b'L' | b'T' | b'[' => Some(self.reference()?),
                // Without a bound of its own the next parameter may follow.
                _ => None,
            };
            let mut interfaces = Vec::new();
            while self.eat(b':') {
                interfaces.push(self.reference()?);
            }
            parameters.push(TypeParameter { name, class, interfaces });
        }
        Some(parameters).filter(|parameters| !parameters.is_empty())
    }

    fn end<T>(self, value: T) -> Option<T> {
        (self.at == self.text.len()).then_some(value)
    }
}

fn parser(text: &[u8]) -> Parser<'_> {
    Parser { text, at: 0, depth: 0 }
}

impl<'a> TypeSignature<'a> {
    /// The signature of a field, record component or local variable.
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        let mut p = parser(text);
        let found = p.reference()?;
        p.end(found)
    }

    /// Appends the text.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            TypeSignature::Primitive(letter) => out.push(*letter),
            TypeSignature::Class(class) => class.write(out),
            TypeSignature::Variable(name) => {
                out.push(b'T');
                out.extend_from_slice(name);
                out.push(b';');
            }
            TypeSignature::Array(element) => {
                out.push(b'[');
                element.write(out);
            }
        }
    }

    /// Shows every class that the signature mentions, outer ones before their arguments.
    pub fn visit<'s>(&'s self, see: &mut impl FnMut(&'s ClassSignatureType<'a>)) {
        match self {
            TypeSignature::Class(class) => class.visit(see),
            TypeSignature::Array(element) => element.visit(see),
            TypeSignature::Primitive(_) | TypeSignature::Variable(_) => {}
        }
    }
}

impl<'a> ClassSignatureType<'a> {
    /// Appends the text.
    pub fn write(&self, out: &mut Vec<u8>) {
        for (index, (name, arguments)) in self.parts.iter().enumerate() {
            out.push(if index == 0 { b'L' } else { b'.' });
            out.extend_from_slice(name);
            if arguments.is_empty() {
                continue;
            }
            out.push(b'<');
            for argument in arguments {
                match argument {
                    TypeArgument::Any => out.push(b'*'),
                    TypeArgument::Exactly(bound) => bound.write(out),
                    TypeArgument::Extends(bound) => {
                        out.push(b'+');
                        bound.write(out);
                    }
                    TypeArgument::Super(bound) => {
                        out.push(b'-');
                        bound.write(out);
                    }
                }
            }
            out.push(b'>');
        }
        out.push(b';');
    }

    /// The name of the class in class files: member classes are joined by `$`.
    pub fn binary_name(&self) -> Vec<u8> {
        let names: Vec<_> = self.parts.iter().map(|(name, _)| *name).collect();
        names.join(&b'$')
    }

    fn visit<'s>(&'s self, see: &mut impl FnMut(&'s ClassSignatureType<'a>)) {
        see(self);
        for argument in self.parts.iter().flat_map(|(_, arguments)| arguments) {
            match argument {
                TypeArgument::Exactly(bound) | TypeArgument::Extends(bound) | TypeArgument::Super(bound) => {
                    bound.visit(see);
                }
                TypeArgument::Any => {}
            }
        }
    }
}

fn write_parameters(parameters: &[TypeParameter<'_>], out: &mut Vec<u8>) {
    if parameters.is_empty() {
        return;
    }
    out.push(b'<');
    for parameter in parameters {
        out.extend_from_slice(parameter.name);
        out.push(b':');
        if let Some(class) = &parameter.class {
            class.write(out);
        }
        for interface in &parameter.interfaces {
            out.push(b':');
            interface.write(out);
        }
    }
    out.push(b'>');
}

fn visit_parameters<'s, 'a>(
    parameters: &'s [TypeParameter<'a>],
    see: &mut impl FnMut(&'s ClassSignatureType<'a>),
) {
    parameters.iter().flat_map(|p| p.class.iter().chain(&p.interfaces)).for_each(|bound| bound.visit(see));
}

impl<'a> ClassSignature<'a> {
    /// The signature of a class.
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        let mut p = parser(text);
        let parameters = p.parameters()?;
        let mut supertypes = vec![p.class()?];
        while p.peek().is_some() {
            supertypes.push(p.class()?);
        }
        p.end(ClassSignature { parameters, supertypes })
    }

    /// Appends the text.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_parameters(&self.parameters, out);
        self.supertypes.iter().for_each(|class| class.write(out));
    }

    /// Shows every class that the signature mentions, outer ones before their arguments.
    pub fn visit_classes<'s>(&'s self, mut see: impl FnMut(&'s ClassSignatureType<'a>)) {
        visit_parameters(&self.parameters, &mut see);
        self.supertypes.iter().for_each(|class| class.visit(&mut see));
    }
}

impl<'a> MethodSignature<'a> {
    /// The signature of a method.
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        let mut p = parser(text);
        let type_parameters = p.parameters()?;
        p.demand(b'(')?;
        let mut parameters = Vec::new();
        while !p.eat(b')') {
            parameters.push(p.type_()?);
        }
        let result = if p.eat(b'V') { None } else { Some(p.type_()?) };
        let mut throws = Vec::new();
        while p.eat(b'^') {
            throws.push(p.reference()?);
        }
        p.end(MethodSignature { type_parameters, parameters, result, throws })
    }

    /// Appends the text.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_parameters(&self.type_parameters, out);
        out.push(b'(');
        self.parameters.iter().for_each(|parameter| parameter.write(out));
        out.push(b')');
        match &self.result {
            Some(result) => result.write(out),
            None => out.push(b'V'),
        }
        for thrown in &self.throws {
            out.push(b'^');
            thrown.write(out);
        }
    }

    /// Shows every class that the signature mentions, outer ones before their arguments.
    pub fn visit_classes<'s>(&'s self, mut see: impl FnMut(&'s ClassSignatureType<'a>)) {
        visit_parameters(&self.type_parameters, &mut see);
        self.parameters.iter().chain(&self.result).chain(&self.throws).for_each(|part| part.visit(&mut see));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_signatures_survive() {
        for text in [
            "Ljava/lang/Object;",
            "<T:Ljava/lang/Object;U::Ljava/util/List<TT;>;>La/B<TT;>.C<*+TU;-[I>;La/I;",
            "<A:B:>La/B;",
        ] {
            let signature = ClassSignature::parse(text.as_bytes()).unwrap();
            let mut out = Vec::new();
            signature.write(&mut out);
            assert_eq!(String::from_utf8_lossy(&out), text);
        }
    }

    #[test]
    fn method_signatures_survive_and_name_their_classes() {
        let text = b"<E:Ljava/lang/Exception;>(ILa/Map<La/K;[TE;>.Entry;)V^TE;^La/X;";
        let signature = MethodSignature::parse(text).unwrap();
        let mut out = Vec::new();
        signature.write(&mut out);
        assert_eq!(out, text);
        let mut names = Vec::new();
        signature.visit_classes(|class| names.push(String::from_utf8(class.binary_name()).unwrap()));
        assert_eq!(names, ["java/lang/Exception", "a/Map$Entry", "a/K", "a/X"]);
    }

    #[test]
    fn malformed_signatures_are_refused() {
        for text in ["", "I", "La/B", "L;", "La/B<>;", "TT", "[", "La/B;x"] {
            assert_eq!(TypeSignature::parse(text.as_bytes()), None, "{text}");
        }
        for text in ["", "<>La/B;", "<T>La/B;", "<T:", "TT;"] {
            assert_eq!(ClassSignature::parse(text.as_bytes()), None, "{text}");
        }
        for text in ["()", "(V)V", "()V^", "()V^I"] {
            assert_eq!(MethodSignature::parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(TypeSignature::parse(&b"La<".repeat(100_000)), None);
    }
}
