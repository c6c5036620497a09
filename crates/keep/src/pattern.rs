//! Patterns for names of classes, members and types.
//!
//! `?` stands for one character, `*` for any number of characters but separators of packages, `**` for
//! any number of any characters; `<N>` for what the wildcard number N of the whole rule matched, the
//! first being `<1>`. In types, `%` stands for a primitive type, `***` for any type, and `...` for any
//! parameters. Matching remembers where it failed, so that its time is bounded by the product of both lengths.

use std::fmt;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// A part of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// Exactly this byte; a dot between packages is a slash here.
    Byte(u8),
    /// `?`
    One,
    /// `*`
    Some,
    /// `**`
    All,
    /// `<N>`
    Reference(usize),
}

/// A pattern for names, with slashes between packages as in class files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamePattern {
    parts: Vec<Part>,
}

impl NamePattern {
    /// The pattern that a text writes, with dots between packages; `None` for a malformed reference.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text, b'/')
    }

    /// The pattern of an entry of a jar: a dot is a dot.
    pub fn of_path(text: &str) -> Option<Self> {
        Self::read(text, b'.')
    }

    /// Reads a pattern in which a dot stands for some byte.
    fn read(text: &str, dot: u8) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = text.as_bytes();
        while let [first, tail @ ..] = rest {
            rest = tail;
            match first {
                b'*' if tail.first() == Some(&b'*') => {
                    // Three stars of a type are two here.
                    let stars = tail.iter().take_while(|byte| **byte == b'*').count();
                    rest = &tail[stars..];
                    parts.push(Part::All);
                }
                b'*' => parts.push(Part::Some),
                b'?' => parts.push(Part::One),
                b'<' => {
                    let end = tail.iter().position(|byte| *byte == b'>')?;
                    match std::str::from_utf8(&tail[..end]).ok()?.parse::<usize>() {
                        Ok(number) if number > 0 => parts.push(Part::Reference(number)),
                        // `<init>` is a name.
                        _ => parts.extend([b"<", &tail[..end], b">"].concat().into_iter().map(Part::Byte)),
                    }
                    rest = &tail[end + 1..];
                }
                b'.' => parts.push(Part::Byte(dot)),
                &byte => parts.push(Part::Byte(byte)),
            }
        }
        Some(NamePattern { parts })
    }

    /// The package that every name that matches is in, or in a package of, as in `a/b`; nothing if there may be others.
    pub fn package(&self) -> Option<Vec<u8>> {
        let byte = |part: &Part| match part {
            Part::Byte(byte) => Some(*byte),
            _ => None,
        };
        let known: Vec<u8> = self.parts.iter().map_while(byte).collect();
        let end = known.iter().rposition(|byte| *byte == b'/')?;
        Some(known[..end].to_vec())
    }

    /// Whether it repeats what another pattern matched.
    pub fn refers(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Reference(_)))
    }

    /// The name, if the pattern has no wildcard.
    pub fn exact(&self) -> Option<Vec<u8>> {
        let byte = |part: &Part| match part {
            Part::Byte(byte) => Some(*byte),
            _ => None,
        };
        self.parts.iter().map(byte).collect()
    }

    /// Whether a name matches. What wildcards match is appended to `captures`, where references look.
    pub fn matches(&self, name: &[u8], captures: &mut Vec<Vec<u8>>) -> bool {
        let before = captures.len();
        let mut failed = HashSet::default();
        let matched = self.step(0, name, 0, captures, &mut failed);
        if !matched {
            captures.truncate(before);
        }
        matched
    }

    fn step(
        &self,
        part: usize,
        name: &[u8],
        at: usize,
        captures: &mut Vec<Vec<u8>>,
        failed: &mut HashSet<(usize, usize), FxBuildHasher>,
    ) -> bool {
        let begun = (part, at);
        if failed.contains(&begun) {
            return false;
        }
        let (mut part, mut at) = begun;
        while let Some(Part::Byte(byte)) = self.parts.get(part) {
            if name.get(at) != Some(byte) {
                return false;
            }
            (part, at) = (part + 1, at + 1);
        }
        let Some(kind) = self.parts.get(part) else { return at == name.len() };
        let goes_on = |end: usize| match self.parts.get(part + 1) {
            Some(Part::Byte(byte)) => name.get(end) == Some(byte),
            Some(_) => true,
            None => end == name.len(),
        };
        let matched = match kind {
            Part::Byte(_) => unreachable!("the loop ends behind bytes"),
            Part::Reference(number) => match captures.get(*number - 1).cloned() {
                Some(text) => {
                    name[at..].starts_with(&text)
                        && self.step(part + 1, name, at + text.len(), captures, failed)
                }
                None => false,
            },
            Part::One | Part::Some | Part::All => {
                let longest = match kind {
                    Part::One => usize::from(name.get(at).is_some_and(|byte| *byte != b'/')),
                    Part::Some => name[at..].iter().take_while(|byte| **byte != b'/').count(),
                    _ => name.len() - at,
                };
                let shortest = usize::from(*kind == Part::One);
                let own = captures.len();
                (shortest..=longest).filter(|&length| goes_on(at + length)).any(|length| {
                    captures.truncate(own);
                    captures.push(name[at..at + length].to_vec());
                    self.step(part + 1, name, at + length, captures, failed)
                }) || {
                    captures.truncate(own);
                    false
                }
            }
        };
        // What a reference stands for depends on the way here; without one a failure is final. Nobody comes to the
        // start again.
        let is_final = || !self.parts[part..].iter().any(|part| matches!(part, Part::Reference(_)));
        if !matched && begun.0 > 0 && is_final() {
            failed.insert(begun);
        }
        matched
    }
}

impl fmt::Display for NamePattern {
    /// As in keep rules, with dots between packages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        for part in &self.parts {
            match part {
                Part::Byte(b'/') => text.push(b'.'),
                Part::Byte(byte) => text.push(*byte),
                Part::One => text.push(b'?'),
                Part::Some => text.push(b'*'),
                Part::All => text.extend(b"**"),
                Part::Reference(number) => text.extend(format!("<{number}>").bytes()),
            }
        }
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// A pattern for types of fields, parameters and results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypePattern {
    /// `***`
    Any,
    /// `%`, in so many dimensions of an array.
    Primitive(usize),
    /// A primitive type or `void`, by its letter in descriptors, in so many dimensions.
    Letter(u8, usize),
    /// A class, in so many dimensions.
    Class(NamePattern, usize),
}

impl TypePattern {
    /// The pattern that a text such as `java.util.**[]` writes.
    pub fn parse(text: &str) -> Option<Self> {
        let element = text.trim_end_matches("[]");
        let dimensions = (text.len() - element.len()) / 2;
        let letter = match element {
            "void" => b'V',
            "boolean" => b'Z',
            "byte" => b'B',
            "char" => b'C',
            "short" => b'S',
            "int" => b'I',
            "long" => b'J',
            "float" => b'F',
            "double" => b'D',
            "***" if dimensions == 0 => return Some(TypePattern::Any),
            "" | "..." => return None,
            "%" => return Some(TypePattern::Primitive(dimensions)),
            _ => return Some(TypePattern::Class(NamePattern::parse(element)?, dimensions)),
        };
        Some(TypePattern::Letter(letter, dimensions))
    }

    /// Whether a type matches, given by its descriptor; `V` for the result of a `void` method.
    pub fn matches(&self, descriptor: &[u8], captures: &mut Vec<Vec<u8>>) -> bool {
        let found = descriptor.iter().take_while(|byte| **byte == b'[').count();
        let element = &descriptor[found..];
        match self {
            TypePattern::Any => {
                let class = element.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";"));
                captures.push(class.unwrap_or(descriptor).to_vec());
                true
            }
            TypePattern::Primitive(dimensions) => {
                let matches = found == *dimensions && element.len() == 1 && element != b"V";
                captures.extend(matches.then(|| element.to_vec()));
                matches
            }
            TypePattern::Letter(letter, dimensions) => found == *dimensions && element == [*letter],
            TypePattern::Class(name, dimensions) => {
                let class = element.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";"));
                found == *dimensions && class.is_some_and(|class| name.matches(class, captures))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        NamePattern::parse(pattern).unwrap().matches(name.as_bytes(), &mut Vec::new())
    }

    #[test]
    fn one_star_stops_at_packages_and_two_do_not() {
        assert!(matches("a.*", "a/B") && !matches("a.*", "a/b/C"));
        assert!(matches("a.**", "a/b/C") && matches("**", "a/b/C") && !matches("*", "a/B"));
        assert!(matches("**.B", "a/b/B") && !matches("**.B", "B"));
        assert!(matches("a.?", "a/B") && !matches("a.?", "a/BC") && !matches("a?B", "a/B"));
        assert!(matches("a.B$*", "a/B$C") && matches("<init>", "<init>"));
        assert!(matches("a.**Impl", "a/b/ImplImpl") && !matches("a.**Impl", "a/b/Imp"));
        assert!(
            matches("a*b?", "aabc") && !matches("a*b?", "aab") && matches("a**", "a") && matches("*", "")
        );
    }

    #[test]
    fn a_reference_repeats_what_a_wildcard_matched() {
        let mut captures = Vec::new();
        assert!(NamePattern::parse("**.*Impl").unwrap().matches(b"a/b/FooImpl", &mut captures));
        assert_eq!(captures, [&b"a/b"[..], b"Foo"]);
        let reference = NamePattern::parse("<1>.<2>").unwrap();
        assert!(reference.matches(b"a/b/Foo", &mut captures));
        assert!(!reference.matches(b"a/b/Bar", &mut captures));
    }

    #[test]
    fn many_wildcards_take_no_exponential_time() {
        let pattern = NamePattern::parse(&"*a".repeat(60)).unwrap();
        assert!(!pattern.matches("a".repeat(59).as_bytes(), &mut Vec::new()));
        assert!(pattern.matches("a".repeat(200).as_bytes(), &mut Vec::new()));
    }

    #[test]
    fn types_match_by_descriptor() {
        for (pattern, descriptor, wanted) in [
            ("int", "I", true),
            ("int[]", "[I", true),
            ("int", "[I", false),
            ("%", "J", true),
            ("%", "V", false),
            ("%[]", "[Z", true),
            ("***", "[[La/B;", true),
            ("**", "La/B;", true),
            ("**", "[La/B;", false),
            ("**[]", "[La/B;", true),
            ("a.*", "La/B;", true),
            ("void", "V", true),
        ] {
            let found = TypePattern::parse(pattern).unwrap().matches(descriptor.as_bytes(), &mut Vec::new());
            assert_eq!(found, wanted, "{pattern} {descriptor}");
        }
    }
}
